"""Is there any association? The tests behind the correlation coefficients that regression models are scored with.

Pearson's r with Fisher's interval, Spearman's rank correlation by the t approximation, Kendall's τ-b by the
normal approximation with ties (Kendall 1970, ISBN 978-0-85264-199-6). Pearson's assumes normal marginals, so
Spearman's may suit skewed values better (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, Floats, correlation, midranks, one_of_alternatives, pair
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import normal_p, t_p, two_sided_z
from scoreproof.validation import fraction

_CONSTANT = "one of the two is constant: the correlation is undefined, nothing speaks for an association"


def pearson_test(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """Pearson's correlation. A constant array: r undefined, p = 1, with a note.

    >>> result = pearson_test([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])
    >>> round(result.effects[0].value, 3), round(result.p_value, 4)
    (0.8, 0.1041)
    """
    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    level = fraction("level", level)
    r = correlation(first, second)
    interval = None
    if len(first) > 3 and abs(r) < 1:
        half = two_sided_z(level) / math.sqrt(len(first) - 3)
        interval = Interval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half), level, "Fisher's z")
    name, how = "Pearson correlation", "t distribution"
    return _t_result(first, second, r, alternative, test=name, method=how, letter="r", interval=interval)


def spearman_test(x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided") -> TestResult:
    """Spearman's rank correlation by the t approximation. A constant array: undefined, p = 1, with a note.

    >>> round(spearman_test([1, 2, 3, 4, 50], [1, 3, 2, 5, 4]).p_value, 4)
    0.1041
    """
    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    r = correlation(midranks(first), midranks(second))
    name, how = "Spearman correlation", "t approximation"
    return _t_result(first, second, r, alternative, test=name, method=how, letter="r_s")


def kendall_test(x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided") -> TestResult:
    """Kendall's τ-b by the normal approximation, ties in the variance. A constant array: p = 1, with a note.

    >>> result = kendall_test([1, 2, 3, 4, 5], [1, 3, 2, 5, 4])
    >>> round(result.effects[0].value, 3), round(result.p_value, 4)
    (0.6, 0.1416)
    """
    from scipy.stats import kendalltau

    first, second = pair(x, y, at_least=3, why="a correlation test needs three")
    alternative = one_of_alternatives(alternative)
    constant = not np.ptp(first) or not np.ptp(second)
    tau = math.nan if constant else float(kendalltau(first, second, method="asymptotic").statistic)
    z = 0.0 if constant else _kendall_z(tau, first, second)
    return TestResult(
        test="Kendall correlation",
        method="normal approximation",
        statistic_name="z",
        statistic=z,
        p_value=1.0 if constant else normal_p(z, alternative),
        alternative=alternative,
        effects=(Effect("τ-b", tau),),
        notes=(_CONSTANT,) if constant else (),
        inputs={"x": first, "y": second},
    )


def _kendall_z(tau: float, x: Floats, y: Floats) -> float:
    """Kendall's S over its standard deviation given the ties."""
    n = len(x)
    pairs = n * (n - 1) / 2
    ties = [np.unique(v, return_counts=True)[1].astype(np.float64) for v in (x, y)]
    in_pairs = [float(np.sum(t * (t - 1))) / 2 for t in ties]
    s = tau * math.sqrt((pairs - in_pairs[0]) * (pairs - in_pairs[1]))
    full = n * (n - 1) * (2 * n + 5) - sum(float(np.sum(t * (t - 1) * (2 * t + 5))) for t in ties)
    doubles = math.prod(float(np.sum(t * (t - 1))) for t in ties) / (2 * n * (n - 1))
    triples = math.prod(float(np.sum(t * (t - 1) * (t - 2))) for t in ties) / (9 * n * (n - 1) * (n - 2))
    return round(s) / math.sqrt(full / 18 + doubles + triples)


def _t_result(
    x: Floats,
    y: Floats,
    r: float,
    alternative: Alternative,
    *,
    test: str,
    method: str,
    letter: str,
    interval: Interval | None = None,
) -> TestResult:
    alternative, df = one_of_alternatives(alternative), len(x) - 2
    if math.isnan(r):
        t, p = 0.0, 1.0
    else:
        t = math.copysign(math.inf, r) if abs(r) == 1 else r * math.sqrt(df / (1 - r * r))
        p = t_p(t, df, alternative)
    return TestResult(
        test=test,
        method=method,
        statistic_name="t",
        statistic=t,
        df=(float(df),),
        p_value=p,
        alternative=alternative,
        effects=(Effect(letter, r, interval),),
        notes=(_CONSTANT,) if math.isnan(r) else (),
        inputs={"x": x, "y": y},
    )
