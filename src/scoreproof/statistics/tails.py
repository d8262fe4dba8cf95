"""From a statistic to a p-value, and p-values of many tests at once.

Every tail is computed from its own side, never as one minus the other, so that p = 1e-40 keeps all its digits;
scipy.special is enough for this and imports ten times faster than scipy.stats. Of the corrections Holm (1979,
jstor.org/stable/4615733) needs no assumption and always beats Bonferroni; Hochberg (1988, doi:10.1093/biomet/75.4.800)
and Hommel (1988, doi:10.1093/biomet/75.2.383) gain a little under independence; Benjamini & Hochberg (1995,
doi:10.1111/j.2517-6161.1995.tb02031.x) and, under any dependence, Benjamini & Yekutieli (2001,
doi:10.1214/aos/1013699998) control the false discovery rate instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Alternative, Floats, numbers
from scoreproof.errors import InvalidValue
from scoreproof.statistics.result import Interval
from scoreproof.validation import chosen


def normal_p(z: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of a standard normal statistic."""
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.ndtr(-abs(z))))
    return float(special.ndtr(-z if alternative == "greater" else z))


def normal_quantile(probability: float) -> float:
    return float(special.ndtri(probability))


def two_sided_z(level: float) -> float:
    """The half-width of a normal interval in standard errors: 1.96 for 0.95."""
    return -normal_quantile((1 - level) / 2)


def fisher_interval(r: float, error: float, level: float) -> Interval | None:
    """The interval of a correlation from the standard error of its inverse hyperbolic tangent; none at 1 and -1."""
    if abs(r) >= 1 or not math.isfinite(r + error):
        return None
    half = two_sided_z(level) * error
    return Interval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half), level, "Fisher's z")


def in_errors(difference: float, error: float) -> float:
    """A difference in standard errors; without any error all but 0 is infinite."""
    if error == 0:
        return 0.0 if difference == 0 else math.copysign(math.inf, difference)
    return difference / error


def welch_df(variances: Sequence[float], sizes: Sequence[int]) -> float:
    """Welch's degrees of freedom from the variances of two means; those of equal variances where there is none."""
    if not sum(variances):
        return float(sum(sizes) - len(sizes))
    return sum(variances) ** 2 / sum(v**2 / (n - 1) for v, n in zip(variances, sizes, strict=True))


def t_p(t: float, df: float, alternative: Alternative = "two-sided") -> float:
    """The p-value of Student's t."""
    if math.isinf(t):
        return 0.0 if alternative == "two-sided" or (t > 0) == (alternative == "greater") else 1.0
    if alternative == "two-sided":
        return min(1.0, 2 * float(special.stdtr(df, -abs(t))))
    return float(special.stdtr(df, -t if alternative == "greater" else t))


def t_quantile(level: float, df: float) -> float:
    """The half-width of a t interval in standard errors."""
    return -float(special.stdtrit(df, (1 - level) / 2))


def chi2_p(statistic: float, df: float) -> float:
    """The upper tail of the chi-squared distribution."""
    return float(special.chdtrc(df, statistic))


def f_upper(statistic: float, df1: float, df2: float) -> float:
    """The upper tail of the F distribution."""
    return 0.0 if math.isinf(statistic) else float(special.fdtrc(df1, df2, statistic))


def f_lower(statistic: float, df1: float, df2: float) -> float:
    """The lower tail of the F distribution."""
    return 1.0 if math.isinf(statistic) else float(special.fdtr(df1, df2, statistic))


def binomial_lower(k: int, n: int, p: float = 0.5) -> float:
    """P(X <= k) for X binomial(n, p)."""
    if k < 0:
        return 0.0
    if k >= n:
        return 1.0
    return float(special.betainc(n - k, k + 1, 1 - p))


def binomial_upper(k: int, n: int, p: float = 0.5) -> float:
    """P(X >= k) for X binomial(n, p)."""
    if k <= 0:
        return 1.0
    if k > n:
        return 0.0
    return float(special.betainc(k, n - k + 1, p))


def adjust(p_values: npt.ArrayLike, method: str = "holm") -> Floats:
    """Adjusted p-values, in the order given.

    ``method`` is bonferroni, holm, hochberg, hommel, bh, by or none. One p-value stays as it is.

    >>> adjust([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    """
    p = numbers("p_values", p_values, at_least=0)
    outside = np.flatnonzero((p < 0) | (p > 1))
    if outside.size:
        raise InvalidValue(f"p_values[{outside[0]}] = {p[outside[0]]}: expected a probability in [0, 1]")
    name = chosen("correction", method.lower(), CORRECTIONS)
    return _ADJUSTMENTS[name](p) if p.size > 1 else p.copy()


def _step(p: Floats, factors: Floats, *, up: bool) -> Floats:
    """Multiply the sorted p-values and make them monotone, from below (step down) or from above (step up)."""
    order = np.argsort(p, kind="stable")
    scaled = np.asarray(p[order] * factors, dtype=np.float64)
    monotone = np.minimum.accumulate(scaled[::-1])[::-1] if up else np.maximum.accumulate(scaled)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, monotone)
    return adjusted


def _hommel(p: Floats) -> Floats:
    """Hommel's rule through Simes' test on every size of subset (Wright 1992, doi:10.2307/2532694)."""
    n = p.size
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    simes = np.full(n, float(np.min(n * ordered / np.arange(1, n + 1))))
    adjusted = simes.copy()
    for size in range(n - 1, 1, -1):
        upper = ordered[n - size + 1 :]
        least = float(np.min(size * upper / np.arange(2, size + 1)))
        simes[: n - size + 1] = np.minimum(size * ordered[: n - size + 1], least)
        simes[n - size + 1 :] = simes[n - size]
        adjusted = np.maximum(adjusted, simes)
    result = np.empty_like(p)
    result[order] = np.maximum(adjusted, ordered)
    return result


_ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "bonferroni": lambda p: np.minimum(1.0, p * p.size),
    "holm": lambda p: _step(p, np.arange(p.size, 0.0, -1), up=False),
    "hochberg": lambda p: _step(p, np.arange(p.size, 0.0, -1), up=True),
    "hommel": _hommel,
    "bh": lambda p: _step(p, p.size / np.arange(1.0, p.size + 1), up=True),
    "by": lambda p: _step(p, np.sum(1 / np.arange(1.0, p.size + 1)) * p.size / np.arange(1.0, p.size + 1), up=True),
    "none": lambda p: p.copy(),
}
CORRECTIONS = tuple(_ADJUSTMENTS)
