"""Mean ranks of methods over data sets, and what is computed from them: Friedman's χ², Iman and Davenport's F, the CD.

Whether mean ranks are possible is decided in whole numbers (``kinds.mean_ranks``). χ² is a sum of squares of the rank
sums, so its range over all sums that print so follows from listing sums method by method. With ties programs divide
by a smaller number, so that a printed χ² may be larger, and is never too large if ties are possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.claims.recheck import Recheck, Standing, meets, proved, shown
from scoreproof.claims.texts import claim_of, ends
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.mean_ranks.problem import MEAN_RANK, MeanRanksProblem
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.statistics.posthoc import critical_difference
from scoreproof.validation import fraction, truth, whole
from scoreproof.validation import shown as repr_of

_STATISTIC = Quantity("statistic", "test statistic", range=(Fraction(0), None), kind="printed")
_MOST_SUMS = 400_000  # steps of listing sums
_LOOSE = 1e-6  # what rules for the studentized range differ by


def ranks(
    means: Sequence[str] | Mapping[str, str],
    datasets: int,
    *,
    chi2: str | None = None,
    f: str | None = None,
    cd: str | None = None,
    different: Sequence[tuple[str, str]] = (),
    alpha: float = 0.05,
    ties: bool = True,
    rounding: str = "any",
) -> Recheck:
    """Re-check mean ranks of all methods over so many data sets, and the Friedman χ², F and CD printed with them.

    ``different`` are pairs of methods said to differ by Nemenyi's test, by name or by place from 1.

    >>> ranks(["1.50", "2.00", "2.50"], datasets=10).verdict
    <Standing.POSSIBLE: 'possible'>
    >>> ranks(["1.50", "2.00", "2.60"], datasets=10).words
    'the mean ranks must add up to 6, and add up to 6.1 to 6.1'
    >>> ranks(["3.143", "2.000", "2.893", "1.964"], datasets=14, chi2="9.28", f="3.69", cd="1.25").verdict
    <Standing.POSSIBLE: 'possible'>
    """
    if isinstance(means, str) or not isinstance(means, Mapping | Sequence) or len(means) < 2:
        raise InvalidValue(f"means: expected the mean ranks of at least two methods, got {repr_of(means)}")
    named = dict(means) if isinstance(means, Mapping) else {str(k): text for k, text in enumerate(means, 1)}
    sets, ties = whole("datasets", datasets, at_least=1, at_most=10**9), truth("ties", ties)
    fraction("alpha", alpha)
    claims = tuple(claim_of(MEAN_RANK, name, text, rounding=rounding) for name, text in named.items())
    problem = MeanRanksProblem(claims, len(named), sets, ties)
    claim = f"mean ranks {', '.join(one.text for one in claims)} of {len(named)} methods over {sets:,} data sets"
    assumes = (
        f"{sets:,} data sets",
        "ties share their mean rank" if ties else "no ties",
        "all ranked methods are listed",
    )
    refuted = proved(problem)
    if refuted is not None:
        return Recheck(claim, Standing.IMPOSSIBLE, refuted.reason, "rank", assumes=assumes, answer=refuted)
    span = _friedman(problem)
    wrong, said = [], []
    if span is not None:
        said.append(f"χ² lies between {shown(span[0])} and {shown(span[1])}")
    for name, text, own in (("χ²", chi2, span), ("F", f, _davenport(span, len(named), sets))):
        if text is not None:
            wrong += _compared(name, claim_of(_STATISTIC, name, text, rounding=rounding), own, ties)
    if cd is not None:
        wrong += _of_cd(claim_of(_STATISTIC, "CD", cd, rounding=rounding), len(named), sets, alpha)
    wrong += _pairs(problem, different, alpha)
    if wrong:
        return Recheck(
            claim, Standing.IMPOSSIBLE, "; ".join(wrong), "χ²", span, assumes=(*assumes, f"alpha = {alpha:g}")
        )
    return Recheck(claim, Standing.POSSIBLE, "; ".join(["there are such rankings", *said]), "χ²", span, assumes=assumes)


def _friedman(problem: MeanRanksProblem) -> tuple[float, float] | None:
    """The range of χ² without a correction for ties; None where the sums are too many to be listed."""
    spans, share, k = problem.spans(), problem.unit * problem.data_sets, problem.methods
    reached, steps = {0: (0, 0)}, 0
    for low, high in spans:
        steps += len(reached) * (high - low + 1)
        if steps > _MOST_SUMS:
            return None
        following: dict[int, tuple[int, int]] = {}
        for total, (least, most) in reached.items():
            for own in range(low, high + 1):
                known = following.get(total + own, (least + own * own, most + own * own))
                following[total + own] = min(known[0], least + own * own), max(known[1], most + own * own)
        reached = following
    wanted = share * k * (k + 1) // 2
    if wanted not in reached:
        return None
    centre, scale = Fraction(k * (k + 1) ** 2, 4), Fraction(12 * problem.data_sets, k * (k + 1))
    ends_of = (max(Fraction(0), scale * (Fraction(squares, share * share) - centre)) for squares in reached[wanted])
    least_of, most_of = ends_of
    return float(least_of), float(most_of)


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
    finite = _finite_cd(k, sets, alpha) if high > usual else None  # which takes much longer, and is larger
    if finite is not None and low - _LOOSE <= finite <= high + _LOOSE:
        return []
    return [f"CD = {printed.text}, but that of {k} methods over {sets:,} data sets at {alpha:g} is {usual:.4g}"]


def _finite_cd(k: int, sets: int, alpha: float) -> float | None:
    """What some programs give: K (J - 1) or (K - 1) (J - 1) degrees of freedom; wanted where a CD looks too large."""
    if k * sets > 400:
        return None  # there the two hardly differ
    from scipy import stats

    df = k * (sets - 1) if sets > 1 else 0
    return float(stats.studentized_range.isf(alpha, k, df)) * (k * (k + 1) / (12 * sets)) ** 0.5 if df else None


def _pairs(problem: MeanRanksProblem, different: Any, alpha: float) -> list[str]:
    if len(different) == 0:
        return []
    cd = critical_difference(problem.methods, problem.data_sets, alpha=alpha)
    names, share = [claim.name for claim in problem.claims], problem.unit * problem.data_sets
    spans, wrong = dict(zip(names, problem.spans(), strict=True)), []
    for pair in different:
        if isinstance(pair, str) or len(pair) != 2 or any(str(name) not in spans for name in pair):
            raise InvalidOption(f"different: expected pairs of {', '.join(names[:8])}; got {repr_of(pair)}")
        one, other = spans[str(pair[0])], spans[str(pair[1])]
        farthest = max(one[1] - other[0], other[1] - one[0]) / share
        if farthest < cd - _LOOSE:
            wrong.append(f"{pair[0]} and {pair[1]} differ by at most {shown(farthest)}, less than the CD of {cd:.4g}")
    return wrong
