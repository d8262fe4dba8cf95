"""Tests of groups of values: does one model score higher than another, does one vary more?

For values of models that were not evaluated on the same cases: Mann and Whitney's test (1947,
doi:10.1214/aoms/1177730491) and Welch's t (1947, doi:10.2307/2332510), also from published means and standard
deviations; Kruskal and Wallis's (1952, doi:10.1080/01621459.1952.10483441) with Dunn's for the pairs (1964,
doi:10.1080/00401706.1964.10490181). Whoever has the pairs should use them: tests that ignore a pairing lose most of
their power.

Of variances, the F-test, Bartlett's (1937, doi:10.1098/rspa.1937.0109), Levene's (1960) with the Brown-Forsythe median
(1974, doi:10.1080/01621459.1974.10482955) assume independent samples, which two models on the same cases are not, and
the first two normal values.

For the same cases there are two. Levene's idea for paired values: how far each value lies from its model's median is
compared case by case with a paired t-test (Grambsch 1994, doi:10.1093/biomet/81.2.359). Pitman's and Morgan's: sums and
differences of paired values correlate exactly when the variances differ (1939, doi:10.1093/biomet/31.1-2.9 and
31.1-2.13), which needs normal values: on skewed scores it calls models of equal spread different in 15 to 40 % of all
cases, where the first keeps its level (``python -m benchmarks nulls``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Alternative, Floats, groups, midranks, numbers, pair, without_noise
from scoreproof.errors import InvalidValue
from scoreproof.statistics.auc import auc_interval
from scoreproof.statistics.paired_values import mean_difference, studentised
from scoreproof.statistics.result import Effect, Interval, TestResult, count_text
from scoreproof.statistics.tails import chi2_p, f_lower, f_upper, in_errors, normal_p, t_p, t_quantile, welch_df
from scoreproof.validation import Share, real, whole

_EXACT_BELOW = 50
_LARGEST = 1e150  # its square is a number


def mann_whitney(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Do values of x tend to lie above those of y? Exact, ties as they are, below 50 values each, else normal.

    >>> result = mann_whitney([0.81, 0.83, 0.85, 0.79], [0.77, 0.78, 0.80])
    >>> result.statistic, round(result.p_value, 4)
    (11.0, 0.1143)
    """
    from scipy.stats import mannwhitneyu

    first, second = numbers("x", x), numbers("y", y)
    n1, n2 = len(first), len(second)
    every = np.concatenate([first, second])
    u = a12(first, second) * n1 * n2
    if not np.ptp(every):
        how, p = "all values are equal", 1.0
    elif max(n1, n2) < _EXACT_BELOW:
        tied = len(np.unique(every)) < n1 + n2
        how, p = "exact, ties as they are" if tied else "exact", rank_sum_p(every, n1, alternative)
    else:
        tested = mannwhitneyu(first, second, alternative=alternative, method="asymptotic")
        how, p = "normal approximation, ties and continuity corrected", min(1.0, float(tested.pvalue))
    effects, details = _shift(first, second, level), {"turned": count_text(n1 * n2 - u)}
    inputs = {"x": first, "y": second, "level": level}
    return TestResult("Mann-Whitney test", how, "U", u, p, alternative, effects=effects, details=details, inputs=inputs)


def rank_sum_p(values: Floats, n1: int, alternative: Alternative) -> float:
    """The share of all ways to choose the first group whose rank sum is as far from its mean, as coin has it."""
    doubled = np.rint(2 * midranks(values)).astype(np.int64)
    observed, centre = int(doubled[:n1].sum()), n1 * (len(values) + 1)
    # ways[k, s]: the choices of k values with doubled rank sum s, as shares so that no float overflows.
    ways = np.zeros((n1 + 1, int(np.sort(doubled)[-n1:].sum()) + 1))
    ways[0, 0] = 1.0
    for done, rank in enumerate(np.sort(doubled).tolist(), start=1):
        for k in range(min(done, n1), 0, -1):
            ways[k, rank:] += ways[k - 1, : ways.shape[1] - rank]
        if done % 100 == 0:
            ways *= 2.0**-90
    law = ways[n1] / ways[n1].sum()
    sums = np.arange(len(law))
    if alternative == "two-sided":
        return min(1.0, float(law[np.abs(sums - centre) >= abs(observed - centre)].sum()))
    return min(1.0, float(law[sums >= observed if alternative == "greater" else sums <= observed].sum()))


def a12(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """The probability that a value of x exceeds one of y, ties counting half; 0.5 means no difference.

    Vargha & Delaney's (2000, doi:10.3102/10769986025002101); it is an AUC, and has its interval.
    """
    first, second = numbers("x", x), numbers("y", y)
    ordered = np.sort(second)
    below = np.searchsorted(ordered, first, side="left")
    up_to = np.searchsorted(ordered, first, side="right")
    return float(np.sum(below + up_to)) / (2 * len(first) * len(second))


def welch_t(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Do two independent means differ, whatever their variances?"""
    first, second = numbers("x", x, at_least=2), numbers("y", y, at_least=2)
    moments = [(float(np.mean(v)), float(np.std(v, ddof=1)), len(v)) for v in (first, second)]
    return welch_from_summary(*moments[0], *moments[1], alternative=alternative, level=level)


def welch_from_summary(
    mean1: float,
    sd1: float,
    n1: int,
    mean2: float,
    sd2: float,
    n2: int,
    *,
    alternative: Alternative = "two-sided",
    level: Share = 0.95,
) -> TestResult:
    """Welch's test from what papers print: means, standard deviations and numbers of independent values.

    Runs of one model with different seeds are independent; folds are not, and need the values themselves.

    >>> round(welch_from_summary(0.84, 0.03, 5, 0.80, 0.02, 5).p_value, 4)
    0.0423
    """
    n1, n2 = whole("n1", n1, at_least=2), whole("n2", n2, at_least=2)
    for name, value in (("mean1", mean1), ("sd1", sd1), ("mean2", mean2), ("sd2", sd2)):
        low = 0.0 if name.startswith("sd") else -_LARGEST
        real(name, value, at_least=low, at_most=_LARGEST, error=InvalidValue)
    shares = sd1**2 / n1, sd2**2 / n2
    error = math.sqrt(sum(shares))
    difference = without_noise(mean1 - mean2, max(abs(mean1), abs(mean2)))
    t, df = in_errors(difference, error), welch_df(shares, (n1, n2))
    p, effects = t_p(t, df, alternative), (mean_difference(difference, error, df, level),)
    inputs = {"mean1": mean1, "sd1": sd1, "n1": n1, "mean2": mean2, "sd2": sd2, "n2": n2, "level": level}
    return TestResult("Welch t-test", "unequal variances", "t", t, p, alternative, (df,), effects, inputs=inputs)


def kruskal_wallis(*values: npt.ArrayLike) -> TestResult:
    """Do several independent groups differ? Ranks of all values together, χ² with ties corrected."""
    _, ranks, parts = _ranked(values)
    n, spread = len(ranks), float(np.sum((ranks - ranks.mean()) ** 2))
    between = sum(len(part) * (float(part.mean()) - (n + 1) / 2) ** 2 for part in parts)
    h = 0.0 if spread == 0 else (n - 1) * between / spread
    how = "χ² approximation, ties corrected" if spread else "all values are equal"
    p, df = chi2_p(h, len(parts) - 1), (float(len(parts) - 1),)
    effects = (Effect("ε²", h / (n - 1) if n > 1 else 0.0),)
    details = {"mean_ranks": [float(part.mean()) for part in parts]}
    inputs = {"sizes": [len(part) for part in parts]}
    return TestResult("Kruskal-Wallis test", how, "H", h, p, df=df, effects=effects, details=details, inputs=inputs)


def dunn(values: Sequence[npt.ArrayLike], first: int, second: int, *, level: Share = 0.95) -> TestResult:
    """One pair after Kruskal and Wallis: the difference of mean ranks among all groups; correct for all pairs."""
    samples, ranks, parts = _ranked(values)
    first, second = (
        whole(name, place, at_most=len(parts) - 1) for name, place in (("first", first), ("second", second))
    )
    gap = float(parts[first].mean() - parts[second].mean())
    variance = float(np.sum((ranks - ranks.mean()) ** 2)) / max(1, len(ranks) - 1)
    error = math.sqrt(variance * (1 / len(parts[first]) + 1 / len(parts[second])))
    z = gap / error if error else 0.0
    effects = _shift(samples[first], samples[second], level)
    inputs = {"sizes": [len(part) for part in parts]}
    return TestResult(
        "Dunn test", "mean ranks, ties corrected", "z", z, normal_p(z) if error else 1.0, effects=effects, inputs=inputs
    )


def _ranked(values: Sequence[npt.ArrayLike]) -> tuple[list[Floats], Floats, list[Floats]]:
    """The groups, the ranks of all values together, and those of each group."""
    samples = groups(values, at_least=1)
    ranks = midranks(np.concatenate(samples))
    return samples, ranks, np.split(ranks, np.cumsum([len(sample) for sample in samples])[:-1])


def _shift(x: Floats, y: Floats, level: float) -> tuple[Effect, Effect]:
    """The difference of medians, and A12 with the interval of an AUC on the logit scale."""
    gap = without_noise(float(np.median(x) - np.median(y)), 1.0)
    bounds = None
    if min(len(x), len(y)) > 1:
        sides = np.repeat([1, 0], [len(x), len(y)])
        bounds = auc_interval(sides, np.concatenate([x, y]), method="logit", level=level).interval
    return Effect("difference of medians", gap), Effect("P(first above second)", a12(x, y), bounds)


INDEPENDENCE = "assumes independent samples: for two models on the same cases use the paired Levene test"
NORMALITY = "assumes normal values: check with the Shapiro-Wilk test, else prefer Levene's test around the median"
_CONSTANT = "no value varies in any group: the variances are equal, all zero"


def f_test(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """The ratio of two variances. Both zero: undefined ratio, p = 1; only one zero: F is 0 or infinite, p = 0."""
    first, second = numbers("x", x, at_least=2), numbers("y", y, at_least=2)
    df = (float(len(first) - 1), float(len(second) - 1))
    top, bottom = variance(first), variance(second)
    notes: tuple[str, ...] = (INDEPENDENCE, NORMALITY)
    if top == bottom == 0:
        ratio, p, interval, notes = math.nan, 1.0, None, (*notes, _CONSTANT)
    else:
        ratio = top / bottom if bottom else math.inf
        lower, upper = f_lower(ratio, *df), f_upper(ratio, *df)
        p = {"two-sided": min(1.0, 2 * min(lower, upper)), "greater": upper, "less": lower}[alternative]
        tail = (1 - level) / 2
        interval = Interval(
            ratio / float(special.fdtri(*df, 1 - tail)), ratio / float(special.fdtri(*df, tail)), level, "F"
        )
    effects, inputs = (Effect("variance ratio", ratio, interval),), {"x": first, "y": second, "level": level}
    return TestResult(
        "F-test of two variances", "F distribution", "F", ratio, p, alternative, df, effects, notes, inputs=inputs
    )


def bartlett(*samples: npt.ArrayLike) -> TestResult:
    """Bartlett's test of equal variances. All zero: K² = 0, p = 1; some but not all zero: K² infinite, p = 0."""
    from scipy.stats import bartlett as tested

    values = groups(samples)
    spreads = [variance(g) for g in values]
    statistic = float(tested(*values).statistic) if all(spreads) else math.inf if any(spreads) else 0.0
    notes = (INDEPENDENCE, NORMALITY, *(() if any(spreads) else (_CONSTANT,)))
    return _omnibus(
        values, "Bartlett test", "χ² approximation", ("K²", statistic), df=(len(values) - 1.0,), notes=notes
    )


def levene(*samples: npt.ArrayLike, center: Literal["median", "mean"] = "median") -> TestResult:
    """Levene's test: do the absolute deviations from the median (Brown-Forsythe) or from the mean differ?

    All deviations zero: F = 0, p = 1; constant but different deviations: F infinite, p = 0.
    """
    from scipy.stats import f_oneway

    values = groups(samples)
    middle = np.median if center == "median" else np.mean
    deviations = [np.abs(g - middle(g)) for g in values]
    df = (len(values) - 1.0, float(sum(len(g) for g in values) - len(values)))
    if any(map(variance, deviations)):
        statistic = float(f_oneway(*deviations).statistic)
    else:  # constant deviations, alike or not
        statistic = math.inf if variance(np.array([d.mean() for d in deviations])) else 0.0
    how = "around the median (Brown-Forsythe)" if center == "median" else "around the mean"
    return _omnibus(values, "Levene test", how, ("F", statistic), df=df, notes=(INDEPENDENCE,))


def variance(values: Floats) -> float:
    """The sample variance; float noise around a constant counts as none."""
    spread = float(np.var(values, ddof=1))
    return 0.0 if spread <= np.square(1e-14 * float(np.max(np.abs(values)))) else spread


def _omnibus(
    values: list[Floats],
    test: str,
    method: str,
    statistic: tuple[str, float],
    *,
    df: tuple[float, ...],
    notes: tuple[str, ...],
) -> TestResult:
    """The result of a test on several groups: F with two degrees of freedom, χ² with one."""
    letter, value = statistic[0], max(0.0, statistic[1])  # float noise around equal groups can be negative
    p = 0.0 if math.isinf(value) else (f_upper(value, *df) if len(df) == 2 else chi2_p(value, *df))
    deviations = [math.sqrt(variance(g)) for g in values]
    smallest = min(deviations)
    ratio = max(deviations) / smallest if smallest else (math.inf if any(deviations) else 1.0)
    effects = (Effect("largest to smallest standard deviation", ratio),)
    details, inputs = {"standard_deviations": deviations}, {"groups": tuple(values)}
    return TestResult(
        test, method, letter, value, p, df=df, effects=effects, notes=notes, details=details, inputs=inputs
    )


def paired_levene(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Do paired values vary equally? The effect is the difference of the mean distances from the median.

    >>> result = paired_levene([1, 2, 3, 4, 9], [2, 3, 3, 4, 4])
    >>> round(result.statistic, 3), round(result.p_value, 4)
    (1.51, 0.2056)
    """
    first, second = pair(x, y, at_least=3, why="a spread around the median needs three")
    n = len(first)
    far = [np.abs(values - np.median(values)) for values in (first, second)]
    t, mean, error = studentised(far[0], far[1], 1 / n)
    effect = mean_difference(mean, error, n - 1, level)
    bottom = variance(second)
    ratio = math.sqrt(variance(first) / bottom) if bottom else math.nan
    how, p = "paired t on distances from the medians", t_p(t, n - 1, alternative)
    effects = (
        Effect("difference of mean distances from the median", effect.value, effect.interval),
        Effect("ratio of standard deviations", ratio),
    )
    inputs = {"x": first, "y": second, "level": level}
    return TestResult("Paired Levene test", how, "t", t, p, alternative, (n - 1,), effects, inputs=inputs)


def pitman_morgan(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Are the variances of paired values equal? Assumes bivariate normal values.

    Without spread in sums or differences p = 1 if the variances are equal, else p = 0.
    """
    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    n = len(first)
    # Nothing depends on a common unit; taking a power of two out changes no digit, and squares do not overflow.
    exponent = -math.frexp(float(max(np.max(np.abs(first)), np.max(np.abs(second)))))[1]
    first, second = np.ldexp(first, exponent), np.ldexp(second, exponent)
    top, bottom = variance(first), variance(second)
    total, gap = first + second - np.mean(first + second), first - second - np.mean(first - second)
    scale = math.sqrt(float(total @ total) * float(gap @ gap))
    size = float(np.max(np.abs(first)) + np.max(np.abs(second)))
    r = float(total @ gap) / scale if scale > 1e-24 * size**2 * n else float(np.sign(top - bottom))
    r = min(1.0, max(-1.0, r))
    t = math.copysign(math.inf, r) if abs(r) > 1 - 1e-14 else r * math.sqrt((n - 2) / (1 - r * r))
    ratio = top / bottom if bottom else (math.inf if top else math.nan)
    interval = None
    if math.isfinite(ratio) and math.isfinite(t):
        own = float(np.corrcoef(first, second)[0, 1]) if top else 0.0
        k = 1 + 2 * (1 - own * own) * t_quantile(level, n - 2) ** 2 / (n - 2)
        root = math.sqrt(max(0.0, k * k - 1))
        interval = Interval(ratio * (k - root), ratio * (k + root), level, "Pitman-Morgan")
    how, p = "t on the correlation of sums and differences", t_p(t, n - 2, alternative)
    df, effects = (float(n - 2),), (Effect("variance ratio", ratio, interval),)
    notes, inputs = ("assumes bivariate normal values",), {"x": first, "y": second, "level": level}
    return TestResult(
        "Pitman-Morgan test of paired variances", how, "t", t, p, alternative, df, effects, notes, {"r": r}, inputs
    )
