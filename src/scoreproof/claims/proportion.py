"""A proportion with its confidence interval: which methods give it, for which n, and whether any can.

An interval holds its value, and a proportion of n cases is x/n: what breaks these is impossible whatever the method. By
a named method the limits follow from x and n. No method named, and none of the usual ones fits: then the interval is
unexplained, for there are others (bootstraps, clusters, weights).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.claims.recheck import (
    GUARD,
    DecimalComma,
    Level,
    Recheck,
    Reproduction,
    RoundingWord,
    Standing,
    claim_of,
    ends,
    level_of,
    proved,
)
from scoreproof.errors import InvalidOption
from scoreproof.kinds.proportion_interval import LIMIT, PROPORTION, ProportionIntervalProblem, possible_counts
from scoreproof.reported import Claim
from scoreproof.reported.printed_text import read_interval
from scoreproof.results import listed
from scoreproof.statistics.tails import BY_ERRORS, BY_TAIL, two_sided_z
from scoreproof.validation import Doc, chosen, shown, whole

_TITLES = {
    "wald": "Wald",
    "wald-cc": "Wald, continuity corrected",
    "wald-sample": "Wald with n - 1",
    "wilson": "Wilson",
    "wilson-cc": "Wilson, continuity corrected",
    "agresti-coull": "Agresti-Coull",
    "clopper-pearson": "Clopper-Pearson",
    "jeffreys": "Jeffreys",
    "logit": "logit",
    "arcsine": "arcsine",
}
INTERVAL_METHODS = tuple(_TITLES)
_MOST_PAIRS = 150_000  # counts that are tried where n is not known
_MOST_COUNTS = 2000  # of a known n
_MOST_CASES = 20_000
_ROUNDED_ERRORS = {0.95: (1.96, 2.0), 0.99: (2.58, 2.576), 0.9: (1.645, 1.64)}  # as people round z
_SHOWN = 6
_DRAWS = 1000
_RARE = 1e-9
_SPARE = 2  # order statistics by which rules of interpolation differ
_MOST_DRAWN = 200
_MOST_RESAMPLED = 100_000

Whole = npt.NDArray[np.int64]
Fits = dict[str, Whole]  # by method: n and x in rows, smaller n first


@dataclass(frozen=True, slots=True)
class _Printed:
    """The three numbers and the level."""

    value: Claim
    low: Claim
    high: Claim
    level: str

    def problem(self, n: int | None, method: str = "any") -> ProportionIntervalProblem:
        return ProportionIntervalProblem((self.value, self.low, self.high), n, self.level, method)

    def __str__(self) -> str:
        return f"{self.value.text} ({self.low.text} to {self.high.text})"


def interval(
    value: Annotated[str, Doc("The proportion with its interval as printed.")],
    n: Annotated[int | None, Doc("The cases it is a proportion of; without it those that fit are listed.")] = None,
    *,
    level: Level = None,
    method: Annotated[str | None, Doc("The method, if it is named: clopper-pearson, wilson, wald, ...")] = None,
    clustered: Annotated[bool, Doc("Cases are not independent.")] = False,
    rounding: RoundingWord = "any",
    decimal_comma: DecimalComma = False,
) -> Recheck:
    """Re-check a confidence interval of a proportion (accuracy, sensitivity, specificity, a predictive value).

    ``n`` is the number of cases the proportion is of. ``method`` names the formula; without it all are
    tried. ``clustered`` says that cases are not independent, so that no formula for independent ones need give it.

    >>> result = interval("0.912 (0.880-0.938)", n=400)
    >>> result.verdict, str(result.methods[-1])
    (<Standing.POSSIBLE: 'possible'>, 'Clopper-Pearson: n = 400, x = 365')
    >>> interval("0.955 (0.926-0.949)").words
    'the value lies outside its own interval'
    """
    if method is not None:
        chosen("method", method, INTERVAL_METHODS)
        if clustered:
            raise InvalidOption("clustered: expected no method, since those for independent cases do not apply")
    n = None if n is None else whole("n", n, at_least=1)
    read = read_interval(value, decimal_comma=decimal_comma)
    printed = _Printed(
        claim_of(PROPORTION, "value", read.value, rounding=rounding),
        claim_of(LIMIT, "low", read.low, rounding=rounding),
        claim_of(LIMIT, "high", read.high, rounding=rounding),
        level_of(level, read.level),
    )
    of = "a proportion" if n is None else f"a proportion of {n:,} cases"
    claim = f"{value} is a {float(printed.level) * 100:g}% interval of {of}"
    refuted = proved(printed.problem(n))
    if refuted is not None:
        assumes = ("an interval holds the value it is of",) if "outside" in refuted.reason else (f"n = {n:,}",)
        return Recheck(claim, Standing.IMPOSSIBLE, refuted.reason, "n", answer=refuted, assumes=assumes)
    if clustered:
        words = "the value lies in it; for clustered cases the limits are not re-checked"
        return Recheck(claim, Standing.POSSIBLE, words, "n", assumes=("cases are clustered",))
    sizes = range(1, _last_tried(printed) + 1) if n is None else range(n, n + 1)
    first, last = possible_counts(printed.value, sizes[-1])
    if n is not None and last - first > _MOST_COUNTS:
        words = "so many counts print as this value that the limits are not re-checked"
        return Recheck(claim, Standing.POSSIBLE, words, "n", assumes=_assumed(method, n))
    return _recheck(claim, printed, n, method, _fitting(printed, sizes, method))


def cases_behind(value: str, method: str, *, level: Any = None, rounding: str = "any") -> tuple[str, tuple[int, int]]:
    """The value alone, and the fewest and the most cases of which a method gives this interval.

    >>> cases_behind("0.912 (0.880-0.938)", "clopper-pearson", rounding="nearest")
    ('0.912', (397, 409))
    """
    rechecked = interval(value, method=None if method == "any" else method, level=level, rounding=rounding)
    if rechecked.verdict is not Standing.POSSIBLE or rechecked.range is None:
        raise InvalidOption(f"interval: {shown(value)} bounds no number of cases ({rechecked.words})")
    if any("at least" in need for need in rechecked.needs):
        raise InvalidOption(
            f"interval: {shown(value)} is too narrow for its digits to bound the number of cases from above"
        )
    return read_interval(value).value, (int(rechecked.range[0]), int(rechecked.range[1]))


def _recheck(claim: str, printed: _Printed, n: int | None, method: str | None, fits: Fits) -> Recheck:
    if fits:
        methods, needs, span = _told(fits, n, _last_tried(printed))
        words = f"reproduced by {listed(_TITLES[name] for name in fits)}"
        return Recheck(claim, Standing.POSSIBLE, words, "n", span, methods, needs, _assumed(method, n))
    if method is not None and n is not None:
        answer = proved(printed.problem(n, method)) if method == "clopper-pearson" else None
        words = f"no x of {n:,} cases has these limits by {_TITLES[method]}"
        return Recheck(claim, Standing.IMPOSSIBLE, words, "n", answer=answer, assumes=_assumed(method, n))
    if n is not None and may_be_bootstrap(printed.value, printed.low, printed.high, n, float(printed.level)):
        words = "no formula gives it; a percentile bootstrap of 1,000 or more resamples may"
        only = (Reproduction("percentile bootstrap", {"n": n}),)
        return Recheck(claim, Standing.POSSIBLE, words, "n", methods=only, assumes=_assumed(method, n))
    tried = f"for up to {_last_tried(printed):,} cases" if n is None else f"for {n:,} cases"
    who = f"none of the {len(_TITLES)} usual methods gives" if method is None else f"{_TITLES[method]} does not give"
    needs = ("another method, clustered or weighted cases, or another number",)
    return Recheck(claim, Standing.UNEXPLAINED, f"{who} it {tried}", "n", needs=needs, assumes=_assumed(method, n))


def _assumed(method: str | None, n: int | None) -> tuple[str, ...]:
    how = "by one of the usual methods" if method is None else f"by {_TITLES[method]}"
    return (*(() if n is None else (f"n = {n:,}",)), "independent cases", how)


def _told(
    fits: Fits, n: int | None, tried: int
) -> tuple[tuple[Reproduction, ...], tuple[str, ...], tuple[float, float]]:
    """Methods with their counts, what n must be, and the range of n."""
    methods, needs = [], []
    for name, pairs in fits.items():
        if n is not None:
            methods += [Reproduction(_TITLES[name], {"n": n, "x": int(x)}) for _, x in pairs[:_SHOWN]]
            continue
        (first, x), last = map(int, pairs[0]), int(pairs[-1][0])
        span = f"n = {first:,}" if first == last else f"n between {first:,} and {last:,}"
        if last == tried:
            span = f"n of at least {first:,} (up to {tried:,} were tried)"
        methods.append(Reproduction(_TITLES[name], {"n": first, "x": x}, f"{span}, for example {x:,} of {first:,}"))
        needs.append(f"{span} ({_TITLES[name]})")
    every = np.concatenate([pairs[:, 0] for pairs in fits.values()])
    return tuple(methods), tuple(needs), (float(every.min()), float(every.max()))


def _last_tried(printed: _Printed) -> int:
    """Up to how many cases are tried: three times what the narrowest interval needs, and what time allows."""
    value, low, high = ends(printed.value), ends(printed.low), ends(printed.high)
    width = max(high[0] - low[1], 1e-9)
    share = 0.5 if value[0] <= 0.5 <= value[1] else max(value, key=lambda v: -abs(v - 0.5))
    needed = 3 * 16 * max(share * (1 - share), width) / width**2 + 60
    spare = value[1] - value[0]
    most = _MOST_PAIRS if spare <= 0 else int((math.sqrt(1 + 2 * spare * _MOST_PAIRS) - 1) / spare) + 1
    return int(min(needed, most, _MOST_CASES))


def _fitting(printed: _Printed, sizes: range, method: str | None) -> Fits:
    """Of counts that print as the value those whose limits print as the limits, by method."""
    spans = [possible_counts(printed.value, n) for n in sizes]
    x = np.concatenate([np.arange(first, last + 1, dtype=np.int64) for first, last in spans])
    n = np.repeat(np.array(sizes), [max(0, last - first + 1) for first, last in spans])
    fitting: dict[str, npt.NDArray[np.bool_]] = {}
    for name, low, high in _limits(x, n, float(printed.level), method):
        fits = _inside(low, printed.low) & _inside(high, printed.high)
        fitting[name] = fits | fitting[name] if name in fitting else fits
    return {name: np.stack([n[fits], x[fits]], axis=1) for name, fits in fitting.items() if fits.any()}


def _limits(x: Whole, n: Whole, level: float, method: str | None) -> Iterator[tuple[str, Any, Any]]:
    errors = (two_sided_z(level), *_ROUNDED_ERRORS.get(round(level, 4), ()))
    for name in INTERVAL_METHODS if method is None else (method,):
        if name in BY_TAIL:
            yield name, *BY_TAIL[name](x, n, (1 - level) / 2)
        else:
            for z in errors:
                yield name, *BY_ERRORS[name](x, n, z)


def _inside(limits: Any, claim: Claim) -> Any:
    """Whether limits, as they are or cut to [0, 1], may have been printed so."""
    low, high = float(claim.low) - GUARD, float(claim.high) + GUARD
    cut = np.clip(limits, 0, 1)
    return ((limits >= low) & (limits <= high)) | ((cut >= low) & (cut <= high))


def may_be_bootstrap(value: Claim, low: Claim, high: Claim, n: int, level: float) -> bool:
    """Whether limits as printed are not too rare for a percentile bootstrap of some count that prints as the value.

    A resample of n cases has Binomial(n, x/n) successes, and the limits are order statistics of 1,000 or more of them.
    What is excluded has a probability below 1e-9, which is no proof: it never makes anything impossible.
    """
    if n > _MOST_RESAMPLED:
        return True
    first, last = possible_counts(value, n)
    step = max(1, (last - first) // _MOST_DRAWN)
    return any(_fits(x, n, low, high, (1 - level) / 2) for x in (*range(first, last + 1, step), last))


def _fits(x: int, n: int, low: Claim, high: Claim, tail: float) -> bool:
    (a, b), (c, d) = _span(x, n, tail), _span(n - x, n, tail)
    spans = ((a, b, low), (n - d, n - c, high))
    return all(
        first <= float(limit.high * n) + GUARD and float(limit.low * n) - GUARD <= last for first, last, limit in spans
    )


def _span(x: int, n: int, tail: float) -> tuple[int, int]:
    """Between which counts the lower limit of a bootstrap of x of n lies, but for rare draws."""
    counts = np.arange(n + 1)
    share = x / n
    at_most = special.bdtr(counts, n, share)
    place = math.floor(_DRAWS * tail)
    reached = special.bdtrc(place - _SPARE, _DRAWS, at_most)  # so many draws lie at or below
    passed = special.bdtr(place + _SPARE, _DRAWS, at_most)
    above = np.flatnonzero(passed > _RARE)
    return int(np.argmax(reached > _RARE)), min(int(above[-1]) + 1, n) if len(above) else 0
