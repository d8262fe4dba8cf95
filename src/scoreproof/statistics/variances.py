"""Does one model vary more than another?

The F-test, Bartlett's (1937, doi:10.1098/rspa.1937.0109), Levene's (1960) with the Brown-Forsythe median
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
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Alternative, Floats, groups, numbers, pair
from scoreproof.statistics.paired_t import mean_difference, studentised
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import chi2_p, f_lower, f_upper, t_p, t_quantile
from scoreproof.validation import Share

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
