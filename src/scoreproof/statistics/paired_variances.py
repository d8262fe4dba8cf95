"""Does one model vary more than another on the same cases?

Levene's idea for paired values: how far each value lies from its model's median is compared case by case with a paired
t-test (Grambsch 1994, doi:10.1093/biomet/81.2.359). Pitman's and Morgan's: sums and differences of paired values
correlate exactly when the variances differ (1939, doi:10.1093/biomet/31.1-2.9 and 31.1-2.13), which needs normal
values: on skewed or heavy-tailed scores it calls models of equal spread different in 15 to 40 % of all cases, and a
preliminary test of normality does not save it. The first keeps its level there (``python -m benchmarks nulls``). The
F-test, Bartlett's and Levene's own assume independent samples and lose the pairing.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, one_of_alternatives, pair
from scoreproof.statistics.effect_size import studentised
from scoreproof.statistics.paired_t import NO_SPREAD, mean_difference
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import t_p, t_quantile
from scoreproof.statistics.variances import variance
from scoreproof.validation import fraction


def paired_levene(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """Do paired values vary equally? The effect is the difference of the mean distances from the median.

    >>> result = paired_levene([1, 2, 3, 4, 9], [2, 3, 3, 4, 4])
    >>> round(result.statistic, 3), round(result.p_value, 4)
    (1.51, 0.2056)
    """
    first, second = pair(x, y, at_least=3, why="a spread around the median needs three")
    alternative, level, n = one_of_alternatives(alternative), fraction("level", level), len(first)
    far = [np.abs(values - np.median(values)) for values in (first, second)]
    t, mean, error = studentised(far[0], far[1], 1 / n)
    same = t == 0 and alternative == "two-sided"
    effect = mean_difference(mean, error, n - 1, level)
    bottom = variance(second)
    ratio = math.sqrt(variance(first) / bottom) if bottom else math.nan
    return TestResult(
        test="Paired Levene test",
        method="paired t on distances from the medians",
        statistic_name="t",
        statistic=t,
        df=(n - 1,),
        p_value=1.0 if same else t_p(t, n - 1, alternative),
        alternative=alternative,
        effects=(
            Effect("difference of mean distances from the median", effect.value, effect.interval),
            Effect("ratio of standard deviations", ratio),
        ),
        notes=(NO_SPREAD,) if math.isinf(t) else (),
        inputs={"x": first, "y": second, "level": level},
    )


def pitman_morgan(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """Are the variances of paired values equal? Assumes bivariate normal values.

    Without spread in sums or differences p = 1 if the variances are equal, else p = 0.

    >>> result = pitman_morgan([1, 2, 3, 4, 9], [2, 3, 3, 4, 4])
    >>> round(result.statistic, 3), round(result.p_value, 4)
    (4.845, 0.0168)
    """
    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    alternative, level = one_of_alternatives(alternative), fraction("level", level)
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
    return TestResult(
        test="Pitman-Morgan test of paired variances",
        method="t on the correlation of sums and differences",
        statistic_name="t",
        statistic=t,
        df=(float(n - 2),),
        p_value=t_p(t, n - 2, alternative),
        alternative=alternative,
        effects=(Effect("variance ratio", ratio, interval),),
        notes=("assumes bivariate normal values",),
        details={"r": r},
        inputs={"x": first, "y": second, "level": level},
    )
