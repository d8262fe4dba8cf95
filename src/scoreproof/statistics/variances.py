"""Does one model vary more than another?

The F-test, Bartlett's (1937, doi:10.1098/rspa.1937.0109), Levene's (1960) with the Brown-Forsythe median
(1974, doi:10.1080/01621459.1974.10482955) and Fligner & Killeen's (1976, doi:10.1080/01621459.1976.10481517).
All four assume independent samples, which two models on the same cases are not: for paired values use
``paired_levene``. The first two also assume normal values, Bartlett's no less than the F-test.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Alternative, Floats, groups, midranks, numbers, one_of_alternatives, rounded
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import chi2_p, f_lower, f_upper
from scoreproof.validation import chosen, fraction

INDEPENDENCE = "assumes independent samples: for two models on the same cases use the paired Levene test"
NORMALITY = "assumes normal values: check with the Shapiro-Wilk test, else prefer Levene's test around the median"
_CONSTANT = "no value varies in any group: the variances are equal, all zero"


def f_test(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """The ratio of two variances. Both zero: undefined ratio, p = 1; only one zero: F is 0 or infinite, p = 0.

    >>> result = f_test([1, 2, 3, 4, 9], [2, 3, 3, 4, 4])
    >>> round(result.statistic, 3), round(result.p_value, 4)
    (13.857, 0.026)
    """
    first, second = numbers("x", x, at_least=2), numbers("y", y, at_least=2)
    alternative, level = one_of_alternatives(alternative), fraction("level", level)
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
    return TestResult(
        test="F-test of two variances",
        method="F distribution",
        statistic_name="F",
        statistic=ratio,
        df=df,
        p_value=p,
        alternative=alternative,
        effects=(Effect("variance ratio", ratio, interval),),
        notes=notes,
        inputs={"x": first, "y": second, "level": level},
    )


def bartlett(*samples: npt.ArrayLike) -> TestResult:
    """Bartlett's test of equal variances. All zero: K² = 0, p = 1; some but not all zero: K² infinite, p = 0.

    >>> round(bartlett([1, 2, 3, 4, 9], [2, 3, 3, 4, 4]).p_value, 4)
    0.0267
    """
    values = groups(samples)
    free = np.array([len(g) - 1.0 for g in values])
    variances = np.array([variance(g) for g in values])
    statistic = 0.0 if not variances.any() else math.inf
    if variances.all():
        df, extra = float(free.sum()), float(np.sum(1 / free)) - 1 / float(free.sum())
        top = df * math.log(float(free @ variances) / df) - float(free @ np.log(variances))
        statistic = max(0.0, top / (1 + extra / (3 * (len(values) - 1))))
    notes = (INDEPENDENCE, NORMALITY, *((_CONSTANT,) if not variances.any() else ()))
    return _omnibus(
        values, "Bartlett test", "χ² approximation", ("K²", statistic), df=(len(values) - 1.0,), notes=notes
    )


def levene(*samples: npt.ArrayLike, center: Literal["median", "mean"] = "median") -> TestResult:
    """Levene's test: do the absolute deviations from the median (Brown-Forsythe) or from the mean differ?

    All deviations zero: F = 0, p = 1; constant but different deviations: F infinite, p = 0.

    >>> round(levene([1, 2, 3, 4, 9], [2, 3, 3, 4, 4]).p_value, 4)
    0.2298
    """
    values = groups(samples)
    chosen("center", center, ("median", "mean"))
    middle = np.median if center == "median" else np.mean
    deviations = [np.abs(g - middle(g)) for g in values]
    df = (len(values) - 1.0, float(sum(len(g) for g in values) - len(values)))
    grand = float(np.concatenate(deviations).mean())
    between = sum(len(d) * float(np.square(d.mean() - grand)) for d in deviations) / df[0]
    within = sum(float(np.sum((d - d.mean()) ** 2)) for d in deviations) / df[1]
    noise = float(np.square(1e-14 * max(float(np.max(d)) for d in deviations)))
    statistic = 0.0 if between <= noise else (math.inf if within <= noise else between / within)
    how = "around the median (Brown-Forsythe)" if center == "median" else "around the mean"
    return _omnibus(values, "Levene test", how, ("F", statistic), df=df, notes=(INDEPENDENCE,))


def fligner(*samples: npt.ArrayLike, decimals: int | None = None) -> TestResult:
    """Fligner & Killeen's test: normal scores of the ranked absolute deviations from the medians.

    Like R's, it ranks the deviations as floats have them, where 1.1 - 0.3 and 0.8 - 0 are no tie; ``decimals=9`` rounds
    them first, which is right for scores printed with a few digits. All deviations equal: χ² = 0, p = 1.

    >>> round(fligner([1, 2, 3, 4, 9], [2, 3, 3, 4, 4]).p_value, 4)
    0.1736
    """
    values = groups(samples)
    deviations = np.concatenate([np.abs(g - np.median(g)) for g in values])
    deviations = rounded(deviations, decimals)
    scores = special.ndtri((1 + midranks(deviations) / (len(deviations) + 1)) / 2)
    spread = float(np.var(scores, ddof=1))
    parts = np.split(scores - scores.mean(), np.cumsum([len(g) for g in values])[:-1])
    statistic = 0.0 if spread <= 1e-28 else sum(len(part) * float(part.mean()) ** 2 for part in parts) / spread
    how, df = "χ² approximation", (len(values) - 1.0,)
    return _omnibus(values, "Fligner-Killeen test", how, ("χ²", statistic), df=df, notes=(INDEPENDENCE,))


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
    letter, value = statistic
    p = 0.0 if math.isinf(value) else (f_upper(value, *df) if len(df) == 2 else chi2_p(value, *df))
    deviations = [math.sqrt(variance(g)) for g in values]
    smallest = min(deviations)
    ratio = max(deviations) / smallest if smallest else (math.inf if any(deviations) else 1.0)
    return TestResult(
        test=test,
        method=method,
        statistic_name=letter,
        statistic=value,
        df=df,
        p_value=p,
        effects=(Effect("largest to smallest standard deviation", ratio),),
        notes=notes,
        details={"standard_deviations": deviations},
        inputs={"groups": tuple(values)},
    )
