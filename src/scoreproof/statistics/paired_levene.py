"""Does one model vary more than another on the same cases? Levene's idea for paired values.

How far each value lies from its model's median is compared case by case with a paired t-test (Grambsch 1994,
doi:10.1093/biomet/81.2.359). Pitman and Morgan's test needs normal values: on skewed or heavy-tailed scores it
calls models of equal spread different in 15 to 40 % of all cases, and a preliminary test of normality does not
save it. This one keeps its level there (``python -m benchmarks nulls``).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, fraction, one_of_alternatives, pair
from scoreproof.statistics.paired_t import NO_SPREAD, mean_difference, studentised
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.tails import t_p
from scoreproof.statistics.variances import variance


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
