"""The paired t-test: common, and not recommended for comparing models.

It is swayed by single outliers and invalid on resampled test sets, whose values share training data (Demšar
2006; Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x). It is here because papers report it; every
result says so. For cross-validation folds use ``corrected_resampled_t``.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, fraction, one_of_alternatives, pair
from scoreproof.statistics.effect_size import cohen_d_z, studentised
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import t_p, t_quantile

WARNING = (
    "the paired t-test is swayed by outliers and not valid on resampled test sets (folds share training "
    "data): prefer the Wilcoxon signed-rank test, or the corrected resampled t-test for folds"
)
NO_SPREAD = (
    "every pair differs by the same amount: the estimated variance is zero and t is infinite, which says "
    "nothing about new data"
)


def paired_t(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """Student's t on paired differences. All differences zero: t = 0, p = 1; all equal: t infinite, p = 0.

    >>> result = paired_t([0.85, 0.81, 0.80, 0.80, 0.97], [0.83, 0.80, 0.77, 0.82, 0.97])
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (0.93, 0.405)
    """
    first, second = pair(x, y, at_least=2, why="a variance needs two")
    alternative = one_of_alternatives(alternative)
    n = len(first)
    t, mean, error = studentised(first, second, 1 / n)
    p = 1.0 if not np.any(first - second) and alternative == "two-sided" else t_p(t, n - 1, alternative)
    return TestResult(
        test="Paired t-test",
        method="Student's t on the differences",
        statistic_name="t",
        statistic=t,
        df=(n - 1,),
        p_value=p,
        alternative=alternative,
        effects=(
            mean_difference(mean, error, n - 1, fraction("level", level)),
            Effect("Cohen's d_z", cohen_d_z(first, second)),
        ),
        notes=(WARNING, *((NO_SPREAD,) if math.isinf(t) else ())),
        details={"standard_error": error},
        inputs={"x": first, "y": second, "level": level},
    )


def mean_difference(mean: float, error: float, df: float, level: float) -> Effect:
    """The mean difference with its t interval."""
    half = t_quantile(level, df) * error
    return Effect("mean difference", mean, Interval(mean - half, mean + half, level, "t"))
