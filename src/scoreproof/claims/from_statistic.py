"""p-values: from a statistic and its degrees of freedom, from two means with their standard deviations, and adjusted.

The digits of a statistic give a range of p, in whole numbers (``kinds.reported_test``). Printed means and
standard deviations give ranges of t and F in the same way; a standard deviation may have been divided by n or n - 1.
Adjusted p-values rise with every single p-value of the family, so that the ends of the printed ones give the ends of
the adjusted.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Annotated, Any

from scoreproof.claims.recheck import (
    Alpha,
    First,
    PText,
    Recheck,
    Reproduction,
    RoundingWord,
    Second,
    Sides,
    Sizes,
    Standing,
    among,
    apart,
    by_name,
    claim_of,
    mean_and_spread,
    of_tests,
    pair_of_sizes,
    proved,
    shown,
    slack,
)
from scoreproof.errors import InvalidOption
from scoreproof.kinds.reported_test import FREEDOM, NAMES, STATISTIC, ReportedTestProblem, p_ranges, sizes, too_many
from scoreproof.reported import Claim
from scoreproof.reported.printed_text import PrintedP, read_p
from scoreproof.results import listed
from scoreproof.statistics.tails import CORRECTIONS, adjust, f_lower, f_upper, t_p
from scoreproof.validation import Doc, chosen, exact, fraction
from scoreproof.validation import shown as repr_of

TESTS = ("t", "z", "F", "chi2", "r")
MEAN_TESTS = ("t", "welch", "F")
_MOST_FREEDOM = 300
ALPHA = Fraction(1, 20)


def p_value(
    test: Annotated[str, Doc("t, z, F, chi2 or r.")],
    statistic: Annotated[str, Doc("The statistic as printed.")],
    df: Annotated[float | str | Sequence[float | str] | None, Doc("Degrees of freedom; two for F.")] = None,
    p: PText = "<0.05",
    *,
    sides: Sides = "any",
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a p-value against its statistic: t, z, F, chi2 or r (a correlation), with ``df`` degrees of freedom.

    ``df`` is a number, a pair for F, or None where it is not printed: then the answer says which would fit.

    >>> p_value("chi2", "15.508", 5, "p = 0.008").verdict
    <Standing.CERTAIN: 'certain'>
    >>> p_value("t", "2.22", None, "0.0832").words
    'no whole number of degrees of freedom up to 300 gives it'
    >>> p_value("t", "1.20", 28, ".02", sides="two").words
    'two-sided p lies between 0.236 and 0.244: what is concluded at 0.05 changes'
    """
    chosen("test", test, TESTS)
    printed = read_p(p, rounding=rounding)
    value = claim_of(STATISTIC, "statistic", statistic, rounding=rounding)
    if df is None and test != "z":
        return _any_freedom(test, value, printed, sides)
    problem = ReportedTestProblem(test, freedom_of(test, df), value, printed, "=", sides)
    given = "" if df is None else f"({', '.join(map(str, [df] if not isinstance(df, list | tuple) else df))})"
    return of_problem(problem, f"{test}{given} = {value.text}, {printed}")


def of_problem(problem: ReportedTestProblem, claim: str, *, alpha: Fraction = ALPHA) -> Recheck:
    """A statistic with its p-value re-checked, and whether what is concluded at ``alpha`` changes."""
    assert problem.p is not None
    assumes = ("the p-value is not adjusted", *(() if problem.sides == "any" else (f"{problem.sides}-sided",)))
    if too_many(problem):
        words = "tails of so many degrees of freedom are not computed"
        return Recheck(claim, Standing.POSSIBLE, words, assumes=assumes)
    ranges = p_ranges(problem, *sizes(problem))
    usual = next(iter(ranges.values()))
    span = float(usual[0]), float(usual[1])
    fits = {name: own for name, own in ranges.items() if own[0] <= problem.p.high and problem.p.low <= own[1]}
    answer = proved(problem)
    if answer is not None:
        decision = _decision(problem.p, usual, alpha)
        words = answer.reason + {
            "changes": f": what is concluded at {float(alpha):g} changes",
            "stands": f": what is concluded at {float(alpha):g} stands",
        }.get(decision, "")
        needs = _other_freedom(problem)
        return Recheck(claim, Standing.IMPOSSIBLE, words, "p", span, (), needs, assumes, answer, decision)
    methods = tuple(
        Reproduction(NAMES[name], {}, f"p between {shown(float(low))} and {shown(float(high))}")
        for name, (low, high) in fits.items()
    )
    words = f"the statistic gives it ({listed(method.method for method in methods)})"
    if fits and "two" in ranges and "two" not in fits and "upper" not in ranges:
        way = "" if "one" in fits else " in the other direction"
        words = f"only by a one-sided test{way}; on two sides p is {shown(span[0])} to {shown(span[1])}"
        if _decision(problem.p, usual, alpha) == "changes":
            words += f", and what is concluded at {float(alpha):g} changes"
    first = next(iter(fits.values()), usual)
    sure = first is usual and problem.p.low <= usual[0] and usual[1] <= problem.p.high
    verdict = Standing.CERTAIN if sure else Standing.POSSIBLE
    decision = _decision(problem.p, first, alpha)
    return Recheck(claim, verdict, words, "p", span, methods, (), assumes, decision=decision)


def _decision(p: PrintedP, own: tuple[Fraction, Fraction], alpha: Fraction) -> str:
    """Whether the printed p-value and that of the statistic lie on one side of alpha; empty if that is open."""
    sides = [True if high <= alpha else False if low > alpha else None for low, high in ((p.low, p.high), own)]
    return "" if None in sides else "stands" if sides[0] is sides[1] else "changes"


def freedom_of(test: str, df: Any) -> tuple[tuple[int, int], ...]:
    """Whole numbers between which printed degrees of freedom lie: of 27.3 those are 27 and 28."""
    given = () if df is None else tuple(df) if isinstance(df, Sequence) and not isinstance(df, str) else (df,)
    if len(given) != FREEDOM[test]:
        wanted = {0: "none", 1: "one number", 2: "two numbers"}[FREEDOM[test]]
        raise InvalidOption(f"df: expected {wanted} for {test}, got {repr_of(df)}")
    spans = []
    for number in given:
        value = exact("df", number)
        if value <= 0:
            raise InvalidOption(f"df: expected a number above 0, got {repr_of(number)}")
        _, point, digits = str(number).partition(".") if isinstance(number, str | float) else ("", "", "")
        unit = Fraction(1, 10 ** len(digits)) if point and isinstance(number, str) else Fraction(0)
        spans.append((max(0, math.floor(value - unit)), math.ceil(value + unit)))
    return tuple(spans)


def _fitting_freedom(test: str, value: Claim, p: PrintedP, sides: str) -> list[int]:
    """The degrees of freedom with which a statistic has the p-value; each tail falls, or rises, with them."""
    every = range(1, _MOST_FREEDOM + 1)

    @cache
    def ends(k: int) -> dict[str, tuple[Fraction, Fraction]]:
        problem = ReportedTestProblem(test, ((k, k),), value, p, "=", sides)
        return p_ranges(problem, *sizes(problem))

    def beyond(k: int, side: str) -> int:
        low, high = ends(k)[side]
        return (low > p.high) - (high < p.low)

    fitting = {1} if any(not beyond(1, side) for side in ends(1)) else set()
    for side in ends(_MOST_FREEDOM):
        sign = 1 if ends(_MOST_FREEDOM)[side][1] >= ends(1)[side][1] else -1
        place = partial(lambda k, side, sign: sign * beyond(k, side), side=side, sign=sign)
        fitting.update(every[bisect_left(every, 0, key=place) : bisect_right(every, 0, key=place)])
    return sorted(fitting)


def _any_freedom(test: str, value: Claim, p: PrintedP, sides: str) -> Recheck:
    """A statistic without its degrees of freedom: which would do."""
    if test == "F":
        raise InvalidOption("df: expected the two degrees of freedom of F, got none")
    claim = f"{test} = {value.text}, {p}"
    assumes = (f"at most {_MOST_FREEDOM} degrees of freedom", *(() if sides == "any" else (f"{sides}-sided",)))
    fits = _fitting_freedom(test, value, p, sides)
    if fits:
        every = f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"
        words, span = f"degrees of freedom of {every} give it", (float(fits[0]), float(fits[-1]))
        return Recheck(claim, Standing.POSSIBLE, words, "df", span, needs=(f"df of {every}",), assumes=assumes)
    words = f"no whole number of degrees of freedom up to {_MOST_FREEDOM} gives it"
    answer = proved(ReportedTestProblem(test, ((1, _MOST_FREEDOM),), value, p, "=", sides))
    verdict = Standing.UNEXPLAINED if answer is None else Standing.IMPOSSIBLE
    return Recheck(claim, verdict, words, assumes=assumes, answer=answer)


def _other_freedom(problem: ReportedTestProblem) -> tuple[str, ...]:
    if problem.test not in ("t", "chi2", "r") or problem.relation != "=":
        return ()
    assert problem.statistic is not None
    assert problem.p is not None
    others = _fitting_freedom(problem.test, problem.statistic, problem.p, problem.sides)
    return (f"df of {others[0]}" + (f" to {others[-1]}" if len(others) > 1 else ""),) if others else ()


def means(
    a: First,
    b: Second,
    n: Sizes,
    p: PText = "<0.05",
    *,
    test: Annotated[str | None, Doc("t, welch or F; without it any of them.")] = None,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check a test of two independent samples from their means ± sd: t (equal variances), Welch's t, or F.

    ``n`` is the size of both, or a pair of sizes. F is the two-sided test of equal variances.

    >>> result = means("0.300 ± 0.300", "0.300 ± 0.315", n=191, p="0.490", test="F")
    >>> result.verdict, [round(end, 3) for end in result.range]
    (<Standing.POSSIBLE: 'possible'>, [0.447, 0.561])
    """
    if test is not None:
        chosen("test", test, MEAN_TESTS)
    n1, n2 = pair_of_sizes(n, at_least=2)
    printed = read_p(p, rounding=rounding)
    (m1, s1), (m2, s2) = (mean_and_spread(text, name, rounding) for name, text in (("a", a), ("b", b)))
    ranges: dict[str, tuple[float, float]] = {}
    for name in MEAN_TESTS if test is None else (test,):
        own = [_of_means(name, apart(m1, m2), s1, s2, (n1, n2), off) for off in (0, 1)]
        ranges[name] = min(low for low, _ in own), max(high for _, high in own)
    claim = f"{printed} for {a} against {b}, {n1:,} and {n2:,} values"
    assumes = ("independent samples", "two-sided", "± is a standard deviation, divided by n or n - 1")
    return of_tests(claim, ranges, printed, assumes)


def _of_means(
    test: str,
    distance: tuple[float, float],
    s1: tuple[float, float],
    s2: tuple[float, float],
    sizes: tuple[int, int],
    off: int,
) -> tuple[float, float]:
    n1, n2 = sizes
    v1, v2 = (tuple(end * end * (n / (n - 1) if off else 1.0) for end in s) for s, n in ((s1, n1), (s2, n2)))
    if test == "F":
        return _of_variances((v1[0], v1[1]), (v2[0], v2[1]), n1 - 1, n2 - 1)

    def error(first: float, other: float) -> float:
        if test == "t":
            return math.sqrt(((n1 - 1) * first + (n2 - 1) * other) / (n1 + n2 - 2) * (1 / n1 + 1 / n2))
        return math.sqrt(first / n1 + other / n2)

    least, most = error(v1[0], v2[0]), error(v1[1], v2[1])
    many = n1 + n2 - 2
    few = many if test == "t" else min(n1, n2) - 1  # Welch's degrees of freedom lie between
    low = 0.0 if least == 0 else t_p(distance[1] / least, many)
    high = 1.0 if distance[0] == 0 else 0.0 if most == 0 else t_p(distance[0] / most, few)
    return low, high


def _of_variances(v1: tuple[float, float], v2: tuple[float, float], df1: int, df2: int) -> tuple[float, float]:
    """The two-sided p of the ratio of variances; it is largest where the ratio is the median."""

    def tail(ratio: float) -> float:
        return min(1.0, 2 * min(f_lower(ratio, df1, df2), f_upper(ratio, df1, df2)))

    low = v1[0] / v2[1] if v2[1] else math.inf
    high = v1[1] / v2[0] if v2[0] else math.inf
    both = tail(low), tail(high)
    crosses = f_lower(low, df1, df2) <= 0.5 <= f_lower(high, df1, df2)
    return min(both), 1.0 if crosses else max(both)


def family(
    p_values: Annotated[Sequence[str] | Mapping[str, str], Doc("All p-values of the family, as printed.")],
    *,
    method: Annotated[str, Doc("holm, bonferroni, bh, hochberg, hommel, by or none.")] = "holm",
    alpha: Alpha = 0.05,
    significant: Annotated[
        Sequence[str] | None, Doc("Those that are said to stay significant, by name or by place from 1.")
    ] = None,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check which p-values stay below alpha when they are adjusted for their number.

    ``significant`` names (or numbers from 1) the ones that are said to; without it each is told.

    >>> result = family(["0.03", "<0.001", "0.012"], method="bonferroni", significant=["2", "3"])
    >>> result.verdict, result.words
    (<Standing.CERTAIN: 'certain'>, 'adjusted, 2 and 3 stay below 0.05 in any case')
    >>> print(family(["0.037", "0.2115", "0.1444"]))
    possible: 3 p-values adjusted by holm: adjusted, 1, 2 and 3 lie above 0.05
    """
    chosen("method", method, CORRECTIONS)
    alpha = fraction("alpha", alpha)
    texts = by_name(p_values, "p_values", "a list of p-values such as ['0.03', '<0.001']")
    read = {name: read_p(text, rounding=rounding, what=name) for name, text in texts.items()}
    wanted = list(read) if significant is None else [str(name) for name in significant]
    unknown = [name for name in wanted if name not in read]
    if unknown or not wanted:
        raise InvalidOption(
            f"significant: expected some of {', '.join(list(read)[:8])}; got {', '.join(unknown) or 'none'}"
        )
    low = dict(zip(read, adjust([float(p.low) for p in read.values()], method), strict=True))
    high = dict(zip(read, adjust([float(p.high) for p in read.values()], method), strict=True))
    standings = {name: _standing_adjusted(low[name], high[name], alpha, read[name].relation) for name in read}
    claimed = [standings[name] for name in wanted]
    verdict = Standing.IMPOSSIBLE if Standing.IMPOSSIBLE in claimed else among(claimed)
    sentence = f"{listed(wanted)} of {len(read)} p-values are significant at {alpha:g} by {method}"
    if significant is None:
        verdict, sentence = Standing.POSSIBLE, f"{len(read)} p-values adjusted by {method}"
    adjusted = ((name, f"{texts[name]}: adjusted {_span(low[name], high[name])}") for name in standings)
    methods = tuple(Reproduction(name, {}, words) for name, words in adjusted)
    span = min(float(low[name]) for name in wanted), max(float(high[name]) for name in wanted)
    assumes = (f"the family is these {len(read)} p-values", "they are not adjusted yet")
    words = _adjusted_words(wanted, standings, alpha)
    return Recheck(sentence, verdict, words, "adjusted p", span, methods, assumes=assumes)


def _standing_adjusted(low: float, high: float, alpha: float, relation: str) -> Standing:
    if low > alpha + slack(alpha):
        return Standing.IMPOSSIBLE
    sure = high < alpha - slack(alpha) or (relation == "<" and high <= alpha)
    return Standing.CERTAIN if sure else Standing.POSSIBLE


def _adjusted_words(wanted: Sequence[str], standings: Mapping[str, Standing], alpha: float) -> str:
    """Which lie above alpha when they are adjusted, which below, and which may."""
    parts = []
    for kind, verb, end in (
        (Standing.IMPOSSIBLE, "lie", f"above {alpha:g}"),
        (Standing.CERTAIN, "stay", f"below {alpha:g} in any case"),
        (Standing.POSSIBLE, "stay", f"below {alpha:g} perhaps"),
    ):
        names = [name for name in wanted if standings[name] is kind]
        if names:
            parts.append(f"{listed(names)} {verb}{'s' * (len(names) == 1)} {end}")
    return f"adjusted, {'; '.join(parts)}"


def _span(low: float, high: float) -> str:
    return shown(low) if low == high else f"{shown(low)} to {shown(high)}"
