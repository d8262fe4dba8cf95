"""Does one model vary more than another on the same cases? The test for paired variances.

Sums and differences of paired values correlate exactly when the variances differ, so a test of that
correlation is one of equal variances (Pitman 1939, doi:10.1093/biomet/31.1-2.9; Morgan 1939,
doi:10.1093/biomet/31.1-2.13). The F-test, Bartlett's and Levene's assume independent samples and lose this
pairing.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, fraction, one_of_alternatives, pair
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import t_p, t_quantile
from scoreproof.statistics.variances import variance


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
