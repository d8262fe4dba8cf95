"""McNemar's test of two methods on the same cases, from their rates: which p-values it can have given.

The test depends on b and c, the cases only one of the two gets right. Rates fix their difference and bound their sum
(``kinds.paired_counts``). A table of both methods' answers settles it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.claims.recheck import (
    First,
    PText,
    Recheck,
    Reproduction,
    RoundingWord,
    Second,
    Standing,
    among,
    claim_of,
    proved,
    shown,
    slack,
    standing,
)
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.paired_counts import FALLING, METHODS, RATE, Discordant, PairedCountsProblem, RatePair, counts_of
from scoreproof.reported import Claim, report
from scoreproof.reported.printed_text import PrintedP, read_p
from scoreproof.results import listed
from scoreproof.validation import Doc, chosen, whole
from scoreproof.validation import shown as repr_of

MCNEMAR_METHODS = ("any", *METHODS)
_COUNT = re.compile(r"\s*([0-9]{1,18})\s*/\s*([0-9]{1,18})\s*")
_MOST_DIFFERENCES = 2000
_SHOWN = 5


def mcnemar(
    a: First,
    b: Second,
    n: Annotated[int | None, Doc("Cases both were tried on.")] = None,
    p: PText = "<0.05",
    *,
    method: Annotated[
        str, Doc("exact; exact, one-sided; mid-p; chi2; chi2-corrected; chi2-corrected-always; or any.")
    ] = "any",
    discordant: Annotated[
        tuple[int, int] | None, Doc("Cases only the first and only the second gets right, if printed.")
    ] = None,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a p-value of McNemar's test for two rates (accuracies, sensitivities) on the same n cases.

    Rates are texts ("0.93", "93%") or counts ("186/200"). ``method`` is one of ``MCNEMAR_METHODS``; ``any`` leaves it
    open. ``discordant`` are the cases only the first and only the second gets right, where a paper prints them.

    >>> mcnemar("0.93", "0.92", n=200, p="<0.05", method="exact").words
    'p is at least 0.125: the two differ by 0 to 4 cases'
    >>> mcnemar("0.95", "0.90", n=1000, p="<0.05").verdict
    <Standing.CERTAIN: 'certain'>
    >>> mcnemar("193/300", "213/300", p="<0.05", discordant=(24, 44)).verdict
    <Standing.CERTAIN: 'certain'>
    """
    chosen("method", method, MCNEMAR_METHODS)
    first, second, n = _rates(a, b, n, rounding)
    return recheck_pairs(
        (RatePair(n, first, second),), read_p(p), method, discordant, f"{a} against {b} on the same {n:,} cases"
    )


def recheck_pairs(
    pairs: tuple[RatePair, ...], p: PrintedP, method: str, discordant: tuple[int, int] | None, what: str
) -> Recheck:
    """The same for rates of all cases, or of each class of them."""
    methods = METHODS if method == "any" else (method,)
    problem = PairedCountsProblem(pairs, p, methods)
    allowed, whole_list = _allowed(pairs)
    how = "McNemar's test" if method == "any" else f"McNemar's test ({method})"
    claim = f"{p} by {how} for {what}"
    assumes: tuple[str, ...] = (
        "both methods were tried on the same cases",
        "any method of the test" if method == "any" else f"the test is {method}",
    )
    if not allowed:
        words = "no numbers of cases print as these rates"
        return Recheck(claim, Standing.IMPOSSIBLE, words, answer=proved(problem), assumes=assumes)
    if discordant is not None:
        allowed = [_settled(discordant, allowed)]
        assumes = (*assumes, f"b = {discordant[0]} and c = {discordant[1]} as printed")
    fits = {name: fitting_pairs(allowed, name, float(p.low), float(p.high)) for name in methods}
    reproductions, standings = [], []
    for name, pairs_of in fits.items():
        reproductions += _told(name, pairs_of)
        listed_all = whole_list and not pairs_of.count
        standings.append(Standing.IMPOSSIBLE if listed_all else standing(*pairs_of.range, p))
    low, high = min(fitting.range[0] for fitting in fits.values()), max(fitting.range[1] for fitting in fits.values())
    verdict = among(standings)
    answer = proved(problem) if verdict is Standing.IMPOSSIBLE and discordant is None else None
    words = _words(verdict, p, (low, high), allowed)
    needs = _needs(fits, allowed, p) if verdict is Standing.POSSIBLE else ()
    return Recheck(claim, verdict, words, "p", (low, high), tuple(reproductions), needs, assumes, answer)


def _words(verdict: Standing, p: PrintedP, span: tuple[float, float], allowed: list[Discordant]) -> str:
    low, high = allowed[0].difference, allowed[-1].difference
    low, high = (-high, -low) if high <= 0 else (low, high)
    cases = "case" if low == high and abs(low) == 1 else "cases"
    apart = f"the two differ by {low if low == high else f'{low} to {high}'} {cases}"
    if verdict is Standing.IMPOSSIBLE and span[0] > float(p.high):
        return f"p is at least {shown(span[0])}: {apart}"
    if verdict is Standing.IMPOSSIBLE and span[1] < float(p.low):
        return f"p is at most {shown(span[1])}: {apart}"
    if verdict is Standing.IMPOSSIBLE:
        return f"no b and c give it: {apart}"
    if shown(span[0]) == shown(span[1]):
        return f"p is {shown(span[0])}: {apart}"
    return f"p lies between {shown(span[0])} and {shown(span[1])}, depending on the cases both get right: {apart}"


def _rates(a: str, b: str, n: int | None, rounding: str) -> tuple[Claim, Claim, int]:
    counted = [_COUNT.fullmatch(text) if isinstance(text, str) else None for text in (a, b)]
    sizes = {int(match[2]) for match in counted if match} | ({whole("n", n, at_least=1)} if n is not None else set())
    if len(sizes) != 1:
        wanted = "the number of cases" if not sizes else "one number of cases"
        raise InvalidOption(f"n: expected {wanted}, got {listed(map(str, sorted(sizes))) or 'none'}")
    cases = whole("n", sizes.pop(), at_least=1)
    claims = []
    for name, text, match in zip(("a", "b"), (a, b), counted, strict=True):
        if match is None:
            claims.append(claim_of(RATE, name, text, rounding=rounding))
        elif int(match[1]) > cases:
            raise InvalidValue(f"{name}: expected at most {cases} of {cases}, got {repr_of(text)}")
        else:
            claims.append(replace(report(RATE, Fraction(int(match[1]), cases), eps="0"), name=name))
    return claims[0], claims[1], cases


def _allowed(pairs: tuple[RatePair, ...]) -> tuple[list[Discordant], bool]:
    """The differences and their b, and whether every one is listed (of very many some are)."""
    parts = [_of_pair(pair) for pair in pairs]
    if len(parts) == 1:
        return parts[0]
    together: dict[int, Discordant] = {}
    for first in parts[0][0]:
        for other in parts[1][0]:
            d, few, most = first.difference + other.difference, first.fewest + other.fewest, first.most + other.most
            known = together.get(d, Discordant(d, few, most))
            together[d] = Discordant(d, min(few, known.fewest), max(most, known.most))
    return [together[d] for d in sorted(together)], all(complete for _, complete in parts)


def _of_pair(pair: RatePair) -> tuple[list[Discordant], bool]:
    first, second = counts_of(pair.first, pair.cases), counts_of(pair.second, pair.cases)
    if not first or not second:
        return [], True
    differences = range(first.start - second.stop + 1, first.stop - second.start)
    complete = len(differences) <= _MOST_DIFFERENCES
    if not complete:
        step = len(differences) // _MOST_DIFFERENCES + 1
        kept = sorted({*differences[::step], differences[-1], *((0,) if 0 in differences else ())})
    spans = []
    for d in differences if complete else kept:
        low, high = max(first.start, second.start + d), min(first.stop, second.stop + d) - 1
        middle = min(max((pair.cases + d) // 2, low), high)
        best = max(min(x, pair.cases - x + d) for x in {low, high, middle, min(middle + 1, high)})
        spans.append(Discordant(d, max(0, d), best))
    return spans, complete


def _settled(discordant: tuple[int, int], allowed: list[Discordant]) -> Discordant:
    if not isinstance(discordant, tuple) or len(discordant) != 2:
        raise InvalidOption(f"discordant: expected a pair (b, c), got {repr_of(discordant)}")
    b, c = whole("b", discordant[0]), whole("c", discordant[1])
    if not any(span.difference == b - c and span.fewest <= b <= span.most for span in allowed):
        raise InvalidValue(f"discordant: b = {b} and c = {c} do not fit the two rates; check them against the table")
    return Discordant(b - c, b, b)


def _told(name: str, fits: FittingPairs) -> list[Reproduction]:
    """Pairs that give the p-value, if they are few; otherwise one of them and how many there are."""
    count = fits.count
    more = "" if count <= _SHOWN else f", one of {count:,}"
    pairs = fits.pairs(count if count <= _SHOWN else 1)
    b_of, c_of = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    values = pair_p_values(b_of, c_of, name)
    return [
        Reproduction(name, {"b": b, "c": c}, f"b = {b}, c = {c} gives p = {shown(value)}{more}")
        for (b, c), value in zip(pairs, values, strict=True)
    ]


def _needs(fits: Mapping[str, FittingPairs], allowed: list[Discordant], p: PrintedP) -> tuple[str, ...]:
    """How many discordant cases there may be for a bound to hold."""
    every, needs = sum(span.most - span.fewest + 1 for span in allowed), []
    for name, own in fits.items():
        if not 0 < own.count < every or p.relation not in "<>":
            continue
        fewest, most = own.discordant()
        needs.append(f"b + c of at {f'most {most:,}' if p.relation == '<' else f'least {fewest:,}'} ({name})")
    return tuple(needs)


# Which b and c have a printed p-value, as arrays: at a fixed difference b - c the p-value is monotone in b, so that
# those in a range are neighbours, found by halving for all differences at once. Floats say what a claim looks like;
# what is called impossible is asked of the kind ``paired_counts``, which has its own arithmetic.

Whole = npt.NDArray[np.int64]


def pair_p_values(b: Whole, c: Whole, method: str) -> npt.NDArray[np.float64]:
    """McNemar's p-value of each pair: cases that only the first, and that only the second method gets right.

    >>> pair_p_values(np.array([54]), np.array([19]), "exact").round(7)
    array([5.06e-05])
    """
    n, less, apart = b + c, np.minimum(b, c), np.abs(b - c)
    safe = np.maximum(n, 1)
    if method.startswith("chi2"):
        off = np.zeros_like(apart) if method == "chi2" else (apart > 0) | (method == "chi2-corrected-always")
        p: Any = special.erfc(np.sqrt((apart - off) ** 2 / safe / 2))
    elif method == "mid-p":
        below = np.where(less > 0, special.bdtr(np.maximum(less - 1, 0), safe, 0.5), 0.0)
        tail = special.bdtr(less, safe, 0.5)
        p = np.where(apart == 0, 1 - (tail - below) / 2, tail + below)
    else:
        tail = special.bdtr(less, safe, 0.5)
        p = tail if method == "exact, one-sided" else np.where(apart == 0, 1.0, np.minimum(1.0, 2 * tail))
    return np.where(n == 0, 1.0, p)


@dataclass(frozen=True, slots=True)
class FittingPairs:
    """Of one method: the range of p over all pairs, and by difference the first and the last b with a wanted p."""

    range: tuple[float, float]
    differences: Whole
    first: Whole
    last: Whole

    @property
    def count(self) -> int:
        return int(np.maximum(self.last - self.first + 1, 0).sum())

    def pairs(self, most: int) -> list[tuple[int, int]]:
        """So many of the pairs (b, c), or all if there are fewer."""
        counts: list[tuple[int, int]] = []
        for d, first, last in zip(self.differences.tolist(), self.first.tolist(), self.last.tolist(), strict=True):
            counts += [(b, b - d) for b in range(first, min(last, first + most - len(counts) - 1) + 1)]
            if len(counts) >= most:
                break
        return counts

    def discordant(self) -> tuple[int, int]:
        """The fewest and the most b + c."""
        some = self.first <= self.last
        ends = 2 * self.first[some] - self.differences[some], 2 * self.last[some] - self.differences[some]
        return int(ends[0].min()), int(ends[1].max())


def fitting_pairs(allowed: Sequence[Discordant], method: str, low: float, high: float) -> FittingPairs:
    """The pairs whose p lies between two ends, or nearly does.

    >>> fitting_pairs([Discordant(5, 5, 40)], "exact", 0.0, 0.13).pairs(9)
    [(5, 0), (6, 1)]
    """
    nobody = [span for span in allowed if span.difference == span.fewest == 0]  # its p is 1, unlike its neighbours
    rest = [Discordant(0, 1, span.most) if span in nobody else span for span in allowed]
    rest = [span for span in rest if span.fewest <= span.most]
    d, start, end = (np.array([getattr(span, name) for span in rest], dtype=np.int64) for name in _FIELDS)
    falls = (d == 0) & (method in FALLING)

    def p_of(b: Whole) -> npt.NDArray[np.float64]:
        p = pair_p_values(b, b - d, method)
        return np.where(falls, -p, p)

    bottom, top = (np.where(falls, -last, first) for first, last in ((low, high), (high, low)))
    first = _first(p_of, start, end + 1, bottom - np.vectorize(slack, otypes=[float])(bottom))
    last = _first(p_of, start, end + 1, np.nextafter(top + np.vectorize(slack, otypes=[float])(top), np.inf)) - 1
    values = [*np.abs(p_of(start)), *np.abs(p_of(end))] if rest else []
    if nobody:
        fits = low - slack(low) <= 1 <= high + slack(high)
        d, first, last = np.append(d, 0), np.append(first, 0), np.append(last, 0 if fits else -1)
    every = [*values, *([1.0] if nobody else [])]
    return FittingPairs((float(min(every)), float(max(every))), d, first, last)


_FIELDS = ("difference", "fewest", "most")


def _first(p_of: Callable[[Whole], Any], start: Whole, end: Whole, wanted: Any) -> Whole:
    """Of each difference the first b whose p is not below what is wanted; ``end`` if there is none."""
    start, end = start.copy(), end.copy()
    while (start < end).any():
        middle = (start + end) // 2
        early = (p_of(np.minimum(middle, end - 1)) < wanted) & (start < end)
        start, end = np.where(early, middle + 1, start), np.where(early | (start >= end), end, middle)
    return start
