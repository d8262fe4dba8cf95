"""The failures of one classifier, as log probabilities on a window of counts.

Everything about the best of many follows from one classifier's survival function, far out in its tail. It is kept as
its logarithm, accurate in both tails: below the median as log1p(-cdf), above it as a sum from the right. There
differences of large log-gammas have lost their digits; Loader's saddle-point form of the binomial ("Fast and accurate
computation of binomial probabilities", 2000) keeps them: a Stirling remainder and two deviances, each computed without
cancellation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import xlog1py, xlogy

from scoreproof.arrays import Floats
from scoreproof.sota.inputs import Dependence, Reference

#: outside the window of this depth no tail holds more than exp(-DEPTH): less than the smallest float
DEPTH = 750.0
_STIRLING_SMALL = np.array(
    [0.0] + [math.lgamma(k + 1) - (k + 0.5) * math.log(k) + k - 0.5 * math.log(2 * math.pi) for k in range(1, 16)]
)
#: pairs of counts a plain convolution may visit; beyond, Fourier transforms take over
_MOST_PAIRS = 10**7
#: depth of the window for those: tails below exp(-200) are dropped
_WIDE = 200.0
#: standard deviations that one transform covers
_STRETCH = 7.0


@dataclass(frozen=True, slots=True, eq=False)
class Law:
    """P(X = start + i) = exp(log_pmf[i]); whatever lies outside the window is negligible."""

    start: int
    log_pmf: Floats = field(repr=False)

    @property
    def end(self) -> int:
        return self.start + len(self.log_pmf) - 1

    def log_cdf(self) -> Floats:
        """log P(X <= x) over the window."""
        return np.minimum(np.logaddexp.accumulate(self.log_pmf), 0.0)

    def log_sf(self) -> Floats:
        """log P(X > x) over the window; the last is minus infinity, as nothing lies beyond."""
        above = np.append(np.logaddexp.accumulate(self.log_pmf[::-1])[-2::-1], -np.inf)
        log_cdf = self.log_cdf()
        upper = log_cdf > -math.log(2)
        return np.where(upper, np.minimum(above, 0.0), log1mexp(log_cdf))

    def tails(self, x: int) -> tuple[float, float]:
        """log P(X <= x) and log P(X > x)."""
        if x < self.start:
            return -math.inf, 0.0
        if x >= self.end:
            return 0.0, -math.inf
        cut = x - self.start + 1
        below = float(np.logaddexp.reduce(self.log_pmf[:cut]))
        above = float(np.logaddexp.reduce(self.log_pmf[cut:]))
        if below < above:
            return min(below, 0.0), float(log1mexp(below))
        return float(log1mexp(above)), min(above, 0.0)


def failures_of_one(n: int, accuracy: float, model: Dependence | None = None, depth: float = DEPTH) -> Law:
    """The law of one classifier's failures on n cases, given the reference if there is one."""
    if model is None:
        return _binomial(n, 1.0 - accuracy, accuracy, depth)
    return _given(model.at(n, accuracy), depth)


def tails_of_one(x: int, n: int, accuracy: float, model: Dependence | None = None) -> tuple[float, float]:
    """log P(X <= x) and log P(X > x) for one classifier's failures."""
    if model is None:
        return log_tails(x, n, 1.0 - accuracy, accuracy)
    return failures_of_one(n, accuracy, model).tails(x)


def log_pmf(x: Any, n: int, fail: Any, success: Any) -> Floats:
    """log P(X = x) for x failures among n cases; ``fail`` and ``success`` add to one, each precise by itself."""
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
    """log P(X <= x) and log P(X > x), accurate however far out x lies."""
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


def _binomial(n: int, fail: float, success: float, depth: float) -> Law:
    low, high = window(n, fail, success, depth)
    return Law(low, log_pmf(np.arange(low, high + 1), n, fail, success))


def _given(reference: Reference, depth: float) -> Law:
    parts = [
        (cases, 1.0 - success, success)
        for cases, success in ((reference.right, reference.p_dep), (reference.wrong, reference.q))
        if cases > 0
    ]
    if len(parts) == 1:
        return _binomial(*parts[0], depth)
    widths = [high - low + 1 for low, high in (window(*part, depth) for part in parts)]
    if math.prod(widths) > _MOST_PAIRS:
        return _tilted(parts, min(depth, _WIDE))
    easier, harder = (_binomial(*part, depth) for part in parts)
    # scaling by the peaks keeps the products of small numbers away from underflow as long as possible
    peaks = [float(np.max(law.log_pmf)) for law in (easier, harder)]
    mass = np.convolve(np.exp(easier.log_pmf - peaks[0]), np.exp(harder.log_pmf - peaks[1]))
    with np.errstate(divide="ignore"):
        return Law(easier.start + harder.start, np.log(mass) + sum(peaks))


def _tilted(parts: Sequence[tuple[int, float, float]], depth: float) -> Law:
    """The same sum for large counts, by Fourier transforms that keep relative accuracy in the tails.

    A transform is accurate relative to the peak only. Tilting a binomial by exp(t x) gives another binomial
    whose peak lies elsewhere, so each stretch of seven standard deviations is convolved around its own peak.
    """
    from scipy.signal import fftconvolve

    bounds = [window(*part, depth) for part in parts]
    start, end = sum(low for low, _ in bounds), sum(high for _, high in bounds)
    xs = np.arange(start, end + 1)
    mean = sum(cases * fail for cases, fail, _ in parts)
    sd = math.sqrt(sum(cases * fail * success for cases, fail, success in parts))
    stretch = np.rint((xs - mean) / (_STRETCH * sd)).astype(np.int64)
    log_mass = np.full(len(xs), -np.inf)
    for step in np.unique(stretch).tolist():
        tilt = _STRETCH * step / sd
        masses: list[Floats] = []
        log_scale = 0.0
        for (cases, fail, success), (low, high) in zip(parts, bounds, strict=True):
            growth = fail * math.expm1(tilt)
            scale = 1.0 + growth
            tilted = log_pmf(np.arange(low, high + 1), cases, fail * math.exp(tilt) / scale, success / scale)
            masses.append(np.exp(tilted))
            log_scale += cases * math.log1p(growth)
        here = stretch == step
        mass = np.maximum(np.asarray(fftconvolve(masses[0], masses[1]))[here], 0.0)
        with np.errstate(divide="ignore"):
            log_mass[here] = np.log(mass) + log_scale - tilt * xs[here]
    return Law(start, log_mass)
