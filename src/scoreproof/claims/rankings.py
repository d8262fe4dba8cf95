"""Mean ranks of methods over data sets, and what is computed from them: Friedman's χ², Iman and Davenport's F, the CD.

Whether mean ranks are possible is decided in whole numbers (``kinds.rank_sums``). χ² is a sum of squares of the rank
sums, so its range over all sums that print so follows from listing sums method by method. With ties programs divide
by a smaller number, so that a printed χ² may be larger, and is never too large if ties are possible.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from scoreproof.checking import Answer
from scoreproof.claims.recheck import (
    Alpha,
    Recheck,
    RoundingWord,
    Standing,
    Strict,
    by_name,
    claim_of,
    ends,
    excused,
    meets,
    proved,
    shown,
)
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.average import MOST_ROWS, printed_average
from scoreproof.kinds.rank_sums import MEAN_RANK, MeanRanksProblem
from scoreproof.kinds.statement import unknown
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, report
from scoreproof.reported.conventions import told
from scoreproof.statistics.friedman import critical_difference, range_p
from scoreproof.validation import Doc, fraction, truth, whole
from scoreproof.validation import shown as repr_of

_STATISTIC = Quantity("statistic", "test statistic", range=(Fraction(0), None), kind="printed")
_MOST_SUMS = 3_000_000  # steps of listing sums
_LOOSE = 1e-6  # what rules for the studentized range differ by


def ranks(
    means: Annotated[Sequence[str] | Mapping[str, str], Doc("The mean ranks of all methods.")],
    datasets: Annotated[int | None, Doc("Data sets they were ranked on.")] = None,
    *,
    scores: Annotated[
        Sequence[Sequence[Any]] | None, Doc("What was ranked: a row for each data set, a value for each method.")
    ] = None,
    higher: Annotated[bool, Doc("The highest score has the first rank.")] = True,
    chi2: Annotated[str | None, Doc("Friedman's χ² as printed.")] = None,
    f: Annotated[str | None, Doc("Iman and Davenport's F as printed.")] = None,
    cd: Annotated[str | None, Doc("The critical difference as printed.")] = None,
    different: Annotated[Sequence[tuple[str, str]], Doc("Pairs said to differ, by name or by place from 1.")] = (),
    alpha: Alpha = 0.05,
    ties: Annotated[bool, Doc("Methods may share a rank.")] = True,
    strict: Strict = False,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check mean ranks of all methods over so many data sets, and the Friedman χ², F and CD printed with them.

    ``scores`` are the printed scores that were ranked: a row for each data set with a value for each method, of which
    the highest comes first unless ``higher`` is False. ``different`` are pairs of methods said to differ by Nemenyi's
    test, by name or by place from 1. Sums that are impossible are unexplained where tied methods may have got the
    smallest of their ranks, which some programs give; ``strict`` admits nothing but the mean of their ranks.

    >>> ranks(["1.50", "2.00", "2.50"], datasets=10).verdict
    <Standing.POSSIBLE: 'possible'>
    >>> ranks(["1.50", "2.00", "2.60"], datasets=10).words
    'the mean ranks must add up to 6, and add up to 6.1 to 6.1'
    >>> ranks(["1.5", "1.5"], scores=[["0.90", "0.80"], ["0.75", "0.70"]]).words
    'the printed scores give 1 a mean rank of 1, not 1.5'
    >>> ranks(["3.143", "2.000", "2.893", "1.964"], datasets=14, chi2="9.28", f="3.69", cd="1.25").verdict
    <Standing.POSSIBLE: 'possible'>
    """
    named = by_name(means, "means", "the mean ranks of at least two methods", at_least=2)
    ties, higher, strict = truth("ties", ties), truth("higher", higher), truth("strict", strict)
    ranked = None if scores is None else rank_table(scores, len(named), higher=higher)
    sets = _sets(datasets, ranked)
    fraction("alpha", alpha)
    claims = tuple(claim_of(MEAN_RANK, name, text, rounding=rounding) for name, text in named.items())
    problem = MeanRanksProblem(claims, len(named), sets, ties)
    claim = f"mean ranks {', '.join(mean.text for mean in claims)} of {len(named)} methods over {sets:,} data sets"
    assumes: tuple[str, ...] = (
        f"{sets:,} data sets",
        "ties share their mean rank" if ties else "no ties",
        "all ranked methods are listed",
    )
    if ranked is not None:
        assumes = (*assumes, f"ranked are the printed scores, the {'highest' if higher else 'lowest'} first")
    refuted = proved(problem)
    if refuted is not None:
        checked = Recheck(claim, Standing.IMPOSSIBLE, refuted.reason, "rank", assumes=assumes, answer=refuted)
        return excused(checked, told({"strict": strict}))
    off = None if ranked is None else _off_the_table(ranked, claims)
    if off is not None:
        return Recheck(claim, Standing.IMPOSSIBLE, off[0], "rank", assumes=assumes, answer=off[1])
    span = _friedman(problem)
    wrong, sentences = [], []
    if span is not None:
        first, last = shown(span[0]), shown(span[1])
        sentences.append(f"χ² is {first}" if first == last else f"χ² lies between {first} and {last}")
    for name, text, own in (("χ²", chi2, span), ("F", f, _davenport(span, len(named), sets))):
        if text is not None:
            wrong += _compared(name, claim_of(_STATISTIC, name, text, rounding=rounding), own, ties)
    if cd is not None:
        wrong += _of_cd(claim_of(_STATISTIC, "CD", cd, rounding=rounding), len(named), sets, alpha)
    wrong += _pairs(problem, different, alpha)
    if wrong:
        assumes = (*assumes, f"alpha = {alpha:g}")
        return Recheck(claim, Standing.IMPOSSIBLE, "; ".join(wrong), "χ²", span, assumes=assumes)
    if ranked is None:
        verdict, first = Standing.POSSIBLE, "there are such rankings"
    elif ranked.settled and (chi2, f, cd) == (None, None, None) and not different:
        verdict, first = Standing.CERTAIN, "the printed scores have these mean ranks"
    else:
        verdict, first = Standing.POSSIBLE, "the printed scores can be ranked so"
    return Recheck(claim, verdict, "; ".join([first, *sentences]), "χ²", span, assumes=assumes)


def _sets(datasets: Any, ranked: RankTable | None) -> int:
    """How many data sets there are; the rows of a table say so themselves."""
    if ranked is None:
        return whole("datasets", datasets, at_least=1, at_most=10**9)
    if datasets is not None and datasets != len(ranked.rows):
        raise InvalidOption(f"datasets: the table has {len(ranked.rows)} rows, got {shown(datasets)}")
    return len(ranked.rows)


def _off_the_table(ranked: RankTable, claims: Sequence[Claim]) -> tuple[str, Answer[Any, Any]] | None:
    """The first mean rank that is not that of the printed scores, in words and with its proof."""
    for place, claim in enumerate(claims):
        refuted = ranked.refuted(place, claim)
        if refuted is not None:
            low, high = (shown(float(end)) for end in ranked.of_method(place))
            given = low if low == high else f"{low} to {high}"
            return f"the printed scores give {claim.name} a mean rank of {given}, not {claim.text}", refuted
    return None


def _friedman(problem: MeanRanksProblem) -> tuple[float, float] | None:
    """The range of χ² without a correction for ties; None where the sums are too many to be listed."""
    spans, share, k = problem.spans(), problem.unit * problem.data_sets, problem.methods
    if any(low > high for low, high in spans):
        return None
    if sum(high - low + 1 for low, high in spans) * (sum(high - low for low, high in spans) + 1) > _MOST_SUMS:
        return None
    small = (share * k) ** 2 * k < 2**62
    least = most = np.zeros(1, dtype=np.int64 if small else object)  # of the squares, by the sum above its least
    for low, high in spans:
        least, most = _joined(least, low, high, np.minimum), _joined(most, low, high, np.maximum)
    place = share * k * (k + 1) // 2 - sum(low for low, _ in spans)
    if not 0 <= place < len(least):
        return None
    centre, scale = Fraction(k * (k + 1) ** 2, 4), Fraction(12 * problem.data_sets, k * (k + 1))
    squares = (Fraction(int(known[place]), share * share) for known in (least, most))
    least_of, most_of = (max(Fraction(0), scale * (square - centre)) for square in squares)
    return float(least_of), float(most_of)


def _joined(known: Any, low: int, high: int, better: Any) -> Any:
    """The extreme sums of squares by sum, once a method with rank sums from ``low`` to ``high`` joins."""
    width = len(known)
    joined = np.empty(width + high - low, dtype=known.dtype)
    joined[:width] = known + low * low
    for above in range(1, high - low + 1):
        own = (low + above) ** 2
        within = slice(above, above + width - 1)
        joined[within] = better(joined[within], known[:-1] + own)
        joined[above + width - 1] = known[-1] + own
    return joined


def _davenport(span: tuple[float, float] | None, k: int, sets: int) -> tuple[float, float] | None:
    if span is None:
        return None
    top = sets * (k - 1)
    low, high = ((sets - 1) * x / (top - x) if x < top * (1 - 1e-12) else float("inf") for x in span)
    return low, high


def _compared(name: str, printed: Claim, span: tuple[float, float] | None, ties: bool) -> list[str]:
    if span is None:
        return []
    high = float("inf") if ties else span[1]  # corrected for ties it is larger
    if meets(span[0], high, *ends(printed)):
        return []
    return [f"{name} = {printed.text} does not follow from the ranks, which give {shown(span[0])} to {shown(span[1])}"]


def _of_cd(printed: Claim, k: int, sets: int, alpha: float) -> list[str]:
    """Demšar's CD, or that with the finite degrees of freedom of R's qtukey; both occur."""
    usual = critical_difference(k, sets, alpha=alpha)
    low, high = ends(printed)
    if low - _LOOSE <= usual <= high + _LOOSE:
        return []
    if high > usual and _is_finite_cd((low - _LOOSE, high + _LOOSE), k, sets, alpha):
        return []
    return [f"CD = {printed.text}, but that of {k} methods over {sets:,} data sets at {alpha:g} is {usual:.4g}"]


def _is_finite_cd(ends: tuple[float, float], k: int, sets: int, alpha: float) -> bool:
    """Whether a CD between two ends is what some programs give: with K (J - 1) or (K - 1) (J - 1) degrees of freedom.

    The tail falls with q, so that the ends alone say whether the quantile lies between them.
    """
    if k * sets > 400 or sets < 2:
        return False  # there the two hardly differ
    low, high = (end / (k * (k + 1) / (12 * sets)) ** 0.5 for end in ends)
    return any(
        range_p(low, k, df=df) >= alpha * (1 - _LOOSE) and range_p(high, k, df=df) <= alpha * (1 + _LOOSE)
        for df in (k * (sets - 1), (k - 1) * (sets - 1))
    )


def _pairs(problem: MeanRanksProblem, different: Any, alpha: float) -> list[str]:
    if len(different) == 0:
        return []
    cd = critical_difference(problem.methods, problem.data_sets, alpha=alpha)
    names, share = [claim.name for claim in problem.claims], problem.unit * problem.data_sets
    spans, wrong = dict(zip(names, problem.spans(), strict=True)), []
    for pair in different:
        if isinstance(pair, str) or len(pair) != 2 or any(str(name) not in spans for name in pair):
            raise InvalidOption(f"different: expected pairs of {', '.join(names[:8])}; got {repr_of(pair)}")
        first, other = spans[str(pair[0])], spans[str(pair[1])]
        farthest = max(first[1] - other[0], other[1] - first[0]) / share
        if farthest < cd - _LOOSE:
            wrong.append(f"{pair[0]} and {pair[1]} differ by at most {shown(farthest)}, less than the CD of {cd:.4g}")
    return wrong


# The ranks that a table gives. Whatever rule rounds the values of a row, it keeps their order: of two that print
# differently, with the same digits, the one with the larger print is ahead; beside coarser digits a whole unit of these
# has to lie between them. So a rank lies between two, and a mean rank is a mean of rows known to within an error.


_SCORE = unknown("score")
_RANK = unknown("rank")
_MOST_CELLS = 1_000_000
Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class RankTable:
    """Of every data set the range of each method's rank."""

    rows: tuple[tuple[Ends, ...], ...]

    @property
    def settled(self) -> bool:
        """Whether the digits leave no rank open."""
        return all(low == high for row in self.rows for low, high in row)

    def of_method(self, place: int) -> Ends:
        """Between which ends the mean rank of a method lies."""
        every = [row[place] for row in self.rows]
        low, high = (sum((ends[end] for ends in every), Fraction(0)) / len(every) for end in (0, 1))
        return low, high

    def refuted(self, place: int, printed: Claim) -> Answer[Any, Any] | None:
        """The proof that a printed mean rank is not that of the table; None where it may be."""
        low, high = self.of_method(place)
        if printed.low <= high and low <= printed.high:
            return None
        rows = {
            f"rank on data set {number}": report(_RANK, sum(row[place]) / 2, eps=(row[place][1] - row[place][0]) / 2)
            for number, row in enumerate(self.rows, 1)
        }
        return proved(printed_average(f"rank of {printed.name}", rows, printed))


def rank_table(table: Any, methods: int, *, higher: bool) -> RankTable:
    """The ranks of printed scores: a row for each data set, a value for each method; what is no text is exact.

    >>> rank_table([["0.90", "0.80", "0.85"]], 3, higher=True).rows[0][1]
    (Fraction(3, 1), Fraction(3, 1))
    """
    wanted = f"a row for each data set with {methods} printed scores"
    if isinstance(table, str) or not isinstance(table, Sequence) or not 1 <= len(table) <= MOST_ROWS:
        raise InvalidValue(f"table: expected {wanted}, got {repr_of(table)}")
    if len(table) * methods > _MOST_CELLS:
        raise InvalidValue(f"table: expected at most {_MOST_CELLS:,} scores, got {len(table) * methods:,}")
    ranked = []
    for number, row in enumerate(table, 1):
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != methods:
            raise InvalidValue(f"table: expected {wanted}, got {repr_of(row)} as row {number}")
        claims = [_read(value, f"table, row {number}") for value in row]
        unit = max(Fraction(0) if claim.eps is not None else Fraction(1, claim.number.scale) for claim in claims)
        ranked.append(_ranked([claim.number.value * (-1 if higher else 1) for claim in claims], unit))
    return RankTable(tuple(ranked))


def _read(value: Any, name: str) -> Claim:
    if isinstance(value, str):
        return claim_of(_SCORE, name, value)
    if not isinstance(value, int | Fraction) or isinstance(value, bool):
        raise InvalidValue(f"{name}: expected the text of a score such as '0.90', got {repr_of(value)}")
    return report(_SCORE, value, eps=0)


def _ranked(values: Sequence[Fraction], unit: Fraction) -> tuple[Ends, ...]:
    """The ranges of ranks of values of which the least comes first, printed in such units."""
    ordered, ranges = sorted(values), []
    for value in values:
        if unit:
            ahead, not_behind = bisect_right(ordered, value - unit), bisect_left(ordered, value + unit)
        else:
            ahead, not_behind = bisect_left(ordered, value), bisect_right(ordered, value)
        ranges.append((Fraction(ahead + 1), Fraction(not_behind)))
    return tuple(ranges)
