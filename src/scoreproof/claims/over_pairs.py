"""Tests over k pairs of values (folds, data sets): Wilcoxon's signed ranks and the paired t test.

The exact test over k pairs counts sign patterns, so its p is a multiple of 1/2^k (``kinds.rank_sums``). The normal
approximation of the signed ranks has a smallest p, too: all differences of one sign. Without ties it takes few values,
one for each sum of ranks; .0431 is what five pairs of one sign give. The paired t test needs the standard deviation of
the differences, which two printed ± bound: between |s1 - s2| and s1 + s2, whatever the correlation.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from scoreproof.claims.recheck import (
    First,
    Folds,
    PText,
    Recheck,
    Reproduction,
    RoundingWord,
    Second,
    Sides,
    Standing,
    among,
    apart,
    claim_of,
    least_correlation,
    mean_and_spread,
    meets,
    proved,
    shown,
    standing,
)
from scoreproof.kinds.rank_sums import MOST_PAIRS, STATISTIC, SignPatternsProblem
from scoreproof.reported.printed_text import PrintedP, read_p
from scoreproof.statistics.tails import normal_p, t_p, t_quantile
from scoreproof.validation import Doc, chosen, real, whole

SIGNED_RANK_METHODS = ("any", "exact", "asymptotic", "asymptotic-corrected")
SIDES = ("any", "two", "one")
_MOST_LISTED = 60  # pairs up to which every sum of ranks is tried


def signed_rank(
    k: Folds,
    p: PText = "<0.05",
    *,
    statistic: Annotated[str | None, Doc("The printed sum of ranks.")] = None,
    method: Annotated[str, Doc("exact, asymptotic, asymptotic-corrected, or any.")] = "any",
    sides: Sides = "any",
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a p-value of Wilcoxon's signed-rank test, or another exact test, over k pairs such as folds.

    ``method`` is one of ``SIGNED_RANK_METHODS``, ``any`` leaves it open; ``sides`` is two, one, or any for either.

    >>> print(signed_rank(k=5, p="<0.05", method="exact", sides="two").words)
    the smallest p of an exact test over 5 pairs is 0.0625
    >>> str(signed_rank(k=5, p="0.0431").methods[0])
    'asymptotic, two-sided: W = 15: all differences of one sign'
    """
    chosen("method", method, SIGNED_RANK_METHODS)
    chosen("sides", sides, SIDES)
    k = whole("k", k, at_least=1, at_most=MOST_PAIRS)
    printed = read_p(p, rounding=rounding)
    summed = None if statistic is None else claim_of(STATISTIC, "W", statistic, rounding=rounding)
    told = "" if summed is None else f", W = {summed.text}"
    claim = f"{printed}{told} by Wilcoxon's signed-rank test ({method}) over {k} pairs"
    both = ("two", "one") if sides == "any" else (sides,)
    problem = SignPatternsProblem(k, printed, summed, sides)
    assumes = (
        f"{k} pairs",
        "any method" if method == "any" else f"the test is {method}",
        {"any": "one or two sides", "two": "two-sided", "one": "one-sided"}[sides],
        "no Monte-Carlo permutations",
    )
    if summed is not None and summed.low > problem.largest_sum:
        words, most = f"the ranks of {k} pairs add up to {problem.largest_sum}", float(problem.largest_sum)
        needs = _pairs_needed(printed, problem, both)
        return Recheck(claim, Standing.IMPOSSIBLE, words, "W", (0.0, most), (), needs, assumes, proved(problem))
    ways: list[tuple[Standing, float, tuple[Reproduction, ...]]] = []
    answer = None
    if method in ("any", "exact"):
        answer = proved(problem)
        ways.append(_exact(k, printed, both, answer is not None))
    for corrected in (False, True):
        if method in ("any", "asymptotic-corrected" if corrected else "asymptotic"):
            ways += [_asymptotic(k, printed, side, corrected) for side in both]
    verdict = among([way[0] for way in ways])
    low = min(way[1] for way in ways)
    reproductions = tuple(reproduction for way in ways for reproduction in way[2])
    if verdict is Standing.IMPOSSIBLE:
        small = low > float(printed.high)
        named = "an exact test" if method == "exact" else "such a test"
        words = f"the smallest p of {named} over {k} pairs is {shown(low)}" if small else "no pattern of signs gives it"
        needs = _pairs_needed(printed, problem, both) if method in ("any", "exact") else ()
        answer = answer if method == "exact" else None
        return Recheck(claim, verdict, words, "p", (low, 1.0), (), needs, assumes, answer)
    names = "; ".join(dict.fromkeys(reproduction.method for reproduction in reproductions)) or "a test with ties"
    return Recheck(claim, verdict, f"possible by {names}", "p", (low, 1.0), reproductions, (), assumes)


def _exact(
    k: int, p: PrintedP, both: tuple[str, ...], refuted: bool
) -> tuple[Standing, float, tuple[Reproduction, ...]]:
    step = 2 if both == ("two",) else 1
    low = step / 2**k
    if refuted:
        return Standing.IMPOSSIBLE, low, ()
    reproductions = []
    for side, own in ((side, 2 if side == "two" else 1) for side in both):
        patterns = own * max(1, math.ceil(p.low * 2**k / own))
        if patterns <= p.high * 2**k:
            words = f"{patterns:,} of 2^{k} sign patterns"
            reproductions.append(Reproduction(f"exact, {side}-sided", {"patterns": patterns}, words))
    return (Standing.CERTAIN if p.high >= 1 and p.relation == "<" else Standing.POSSIBLE), low, tuple(reproductions)


def smallest_p(k: int, *, corrected: bool = False, tied: bool = False) -> float:
    """The smallest two-sided p of the normal approximation over k pairs: all differences of one sign.

    >>> [round(smallest_p(5, corrected=c, tied=t), 4) for t in (False, True) for c in (False, True)]
    [0.0431, 0.0591, 0.0253, 0.0369]
    """
    whole("k", k, at_least=1)
    centre = k * (k + 1) / 4
    spread = math.sqrt(k * (k + 1) ** 2 / 16 if tied else k * (k + 1) * (2 * k + 1) / 24)
    return normal_p(max(0.0, centre - 0.5 * corrected) / spread)


def _asymptotic(k: int, p: PrintedP, side: str, corrected: bool) -> tuple[Standing, float, tuple[Reproduction, ...]]:
    share = 1 if side == "two" else 0.5
    name = f"asymptotic{', corrected' if corrected else ''}, {side}-sided"
    reproductions = []
    centre, spread = k * (k + 1) / 4, math.sqrt(k * (k + 1) * (2 * k + 1) / 24)
    for total in range(k * (k + 1) // 2, (k * (k + 1) // 2 - 1) // 2, -1) if k <= _MOST_LISTED else ():
        value = share * normal_p(max(0.0, total - centre - 0.5 * corrected) / spread)
        if meets(value, value, float(p.low), float(p.high)):
            words = f"W = {total}" + (": all differences of one sign" if total == k * (k + 1) // 2 else "")
            reproductions.append(Reproduction(name, {"W": total}, words))
            break
    low = share * smallest_p(k, corrected=corrected, tied=True)
    stand = standing(low, 1.0, p)
    if not reproductions and stand is not Standing.IMPOSSIBLE:
        reproductions.append(Reproduction(name, {}, "with ties or zeros"))
    return stand, low, tuple(reproductions)


def _pairs_needed(p: PrintedP, problem: SignPatternsProblem, both: tuple[str, ...]) -> tuple[str, ...]:
    """With how many pairs an exact test can give it."""
    needs = []
    for side, step in ((side, 2 if side == "two" else 1) for side in both):
        for k in range(1, 200):
            enough = problem.statistic is None or problem.statistic.low <= k * (k + 1) // 2
            if enough and max(1, math.ceil(p.low * 2**k / step)) * step <= p.high * 2**k:
                needs.append(f"at least {k} pairs (exact, {side}-sided)")
                break
    return tuple(needs)


def paired(
    a: First,
    b: Second,
    k: Folds,
    p: PText = "<0.05",
    *,
    test_share: Annotated[
        float | None, Doc("Test over training cases: the corrected test of Nadeau and Bengio.")
    ] = None,
    spread: Annotated[str, Doc("What the ± is: sd or se.")] = "sd",
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a p-value of the paired t test for two mean ± sd over the same k folds.

    ``test_share`` is the number of test cases over that of training cases; with it the test is that of Nadeau and
    Bengio (2003, doi:10.1023/A:1024068626366). ``spread`` is sd or se. The correlation of the two is not printed: the
    answer names the one that is needed.

    >>> result = paired("0.912 ± 0.012", "0.905 ± 0.011", k=5, p="<0.05")
    >>> result.verdict, result.needs
    (<Standing.POSSIBLE: 'possible'>, ('a correlation of at least 0.88',))
    """
    chosen("spread", spread, ("sd", "se"))
    k = whole("k", k, at_least=2)
    share = 0.0 if test_share is None else real("test_share", test_share, above=0)
    printed = read_p(p, rounding=rounding)
    sides = [mean_and_spread(text, name, rounding) for name, text in (("a", a), ("b", b))]
    (m1, s1), (m2, s2) = sides
    nearest, farthest = apart(m1, m2)
    per = math.sqrt(1 / k + share)
    lows, highs = [], []
    for factor in (math.sqrt(k),) if spread == "se" else (1.0, math.sqrt(k / (k - 1))):
        first, other = ((s[0] * factor, s[1] * factor) for s in (s1, s2))
        least, most = max(0.0, first[0] - other[1], other[0] - first[1]), first[1] + other[1]
        lows.append(0.0 if least == 0 else t_p(farthest / (least * per), k - 1))
        highs.append(1.0 if nearest == 0 else 0.0 if most == 0 else t_p(nearest / (most * per), k - 1))
    low, high = min(lows), max(highs)
    name = "the paired t test" if test_share is None else "the corrected resampled t test"
    verdict = standing(low, high, printed)
    needs = _correlation(sides, k, per, printed) if verdict is Standing.POSSIBLE else ()
    claim = f"{printed} by {name} for {a} against {b} over {k} folds"
    words = f"p lies between {shown(low)} and {shown(high)}, depending on the correlation of the two"
    what = "± is a standard error" if spread == "se" else "± is a standard deviation, divided by k or k - 1"
    return Recheck(claim, verdict, words, "p", (low, high), (), needs, ("the same folds for both", what))


def _correlation(sides: Any, k: int, per: float, p: PrintedP) -> tuple[str, ...]:
    """The smallest correlation at which p is as small as claimed, at the printed numbers themselves."""
    if p.relation != "<":
        return ()
    (m1, s1), (m2, s2) = [(sum(mean) / 2, sum(spread) / 2) for mean, spread in sides]
    return () if m1 == m2 else least_correlation(s1, s2, abs(m1 - m2) / (t_quantile(1 - float(p.high), k - 1) * per))
