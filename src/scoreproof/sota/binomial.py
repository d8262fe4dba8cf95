"""The binomial distribution in log space, with full relative accuracy for millions of cases.

The best of many classifiers lives in the far tail of one classifier's distribution, where differences of
large log-gammas have lost their digits. Loader's saddle-point form ("Fast and accurate computation of
binomial probabilities", 2000) keeps them: a Stirling remainder and two deviances, each computed without
cancellation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from scoreproof.arrays import Floats

#: outside the window of this depth no tail holds more than exp(-DEPTH): less than the smallest float
DEPTH = 750.0

_STIRLING_SMALL = np.array(
    [0.0] + [math.lgamma(k + 1) - (k + 0.5) * math.log(k) + k - 0.5 * math.log(2 * math.pi) for k in range(1, 16)]
)


def _stirling_remainder(k: Floats) -> Floats:
    """log k! minus Stirling's formula; k holds whole numbers."""
    with np.errstate(divide="ignore", invalid="ignore"):
        r = 1.0 / k
        r2 = r * r
        series = r * (1 / 12 - r2 * (1 / 360 - r2 * (1 / 1260 - r2 * (1 / 1680 - r2 / 1188))))
    small = k < 16
    if not np.any(small):
        return np.asarray(series)
    table = _STIRLING_SMALL[np.minimum(k, 15).astype(np.int64)]
    return np.asarray(np.where(small, table, series))


def _deviance(x: Floats, expected: Floats) -> Floats:
    """x log(x / expected) + expected - x, without cancellation near x = expected."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        v = (x - expected) / (x + expected)
        v2 = v * v
        # 2 x (v^3/3 + v^5/5 + ...): |v| < 0.1, so nine terms are below the last digit
        tail = np.zeros_like(v2)
        for j in range(9, 0, -1):
            tail = v2 * (tail + 1.0 / (2 * j + 1))
        near = (x - expected) * v + 2.0 * x * v * tail
        far = xlogy(x, x / expected) + expected - x
    return np.where(np.abs(v) < 0.1, near, far)


def log_pmf(x: Any, n: int, fail: Any, success: Any) -> Floats:
    """log P(X = x) for x failures among n cases; ``fail`` and ``success`` add to one, each precise by itself.

    >>> [round(float(v), 12) for v in np.exp(log_pmf([0, 1, 2], 2, 0.1, 0.9))]
    [0.81, 0.18, 0.01]
    """
    x, fail, success = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (x, fail, success)))
    rest = n - x
    with np.errstate(divide="ignore", invalid="ignore"):
        inner = (
            _stirling_remainder(np.asarray([float(n)]))[0]
            - _stirling_remainder(x)
            - _stirling_remainder(rest)
            - _deviance(x, n * fail)
            - _deviance(rest, n * success)
            + 0.5 * (math.log(n / (2 * math.pi)) - np.log(x) - np.log(rest))
        )
        none = np.where(fail < 0.5, xlog1py(n, -fail), n * np.log(success))
        all_ = np.where(success < 0.5, xlog1py(n, -success), n * np.log(fail))
    result = np.where(x == 0, none, np.where(x == n, all_, inner))
    degenerate = ((fail == 0) & (x > 0)) | ((success == 0) & (x < n))
    return np.where(degenerate, -np.inf, result)


def window(n: int, fail: float, success: float, depth: float = DEPTH) -> tuple[int, int]:
    """The counts outside which each tail is below exp(-depth), by Bernstein's inequality."""
    mean = n * fail
    reach = depth / 3 + math.sqrt(depth * depth / 9 + 2 * depth * n * fail * success)
    return max(0, math.floor(mean - reach)), min(n, math.ceil(mean + reach))


def log1mexp(log_p: Any) -> Floats:
    """log(1 - exp(log_p)) for log_p <= 0, accurate at both ends."""
    a = np.minimum(np.asarray(log_p, dtype=np.float64), 0.0)
    with np.errstate(divide="ignore"):
        return np.where(a > -math.log(2), np.log(-np.expm1(a)), np.log1p(-np.exp(a)))


def log_tails(x: int, n: int, fail: float, success: float) -> tuple[float, float]:
    """log P(X <= x) and log P(X > x), accurate however far out x lies.

    >>> [round(float(np.exp(v)), 4) for v in log_tails(5, 20, 0.5, 0.5)]
    [0.0207, 0.9793]
    """
    if x < 0:
        return -math.inf, 0.0
    if x >= n:
        return 0.0, -math.inf
    low, high = window(n, fail, success)
    span = high - low + 1
    if x < n * fail:
        points = np.arange(max(0, x - span), x + 1)
        log_cdf = float(np.logaddexp.reduce(log_pmf(points, n, fail, success)))
        return min(log_cdf, 0.0), float(log1mexp(log_cdf))
    points = np.arange(min(n, x + 1 + span), x, -1)
    log_sf = float(np.logaddexp.reduce(log_pmf(points, n, fail, success)))
    return float(log1mexp(log_sf)), min(log_sf, 0.0)
