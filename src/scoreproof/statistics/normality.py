"""The Shapiro-Wilk test of normality, by Royston's approximation (1995, doi:10.2307/2986146).

Written here rather than taken from scipy because scipy's normal quantiles carry single precision into p; this one
agrees with R's shapiro.test to rounding. Scores bounded by 1 are usually skewed, so expect small p-values.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Floats, numbers
from scoreproof.statistics.result import TestResult

_LARGEST = 5000
# Royston's polynomials, lowest power first.
_LAST = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
_LAST_BUT_ONE = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
_SMALL_GAMMA = (-2.273, 0.459)
_SMALL_MEAN = (0.5440, -0.39978, 0.025054, -6.714e-4)
_SMALL_SPREAD = (1.3822, -0.77857, 0.062767, -0.0020322)
_LARGE_MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)
_LARGE_SPREAD = (-0.4803, -0.082676, 0.0030302)


def shapiro_wilk(x: npt.ArrayLike) -> TestResult:
    """Could these values come from a normal distribution? Small p says no.

    From 3 values on; above 5000 the approximation is outside its tested range, which a note says. A constant
    sample has no shape: W is undefined and p = 1, with a note.

    >>> result = shapiro_wilk([0.537724, -0.855932, 1.125589, -1.97586, 0.532226])
    >>> round(result.statistic, 6), round(result.p_value, 6)
    (0.898986, 0.404304)
    """
    values = np.sort(numbers("x", x, at_least=3, why="the test needs three"))
    n = len(values)
    notes = []
    if n > _LARGEST:
        notes.append(f"{n} values: the approximation of p was made for at most {_LARGEST}")
    width = float(values[-1] - values[0])
    if width <= 1e-14 * float(np.max(np.abs(values))):
        notes.append("the values are constant: they have no shape to test")
        w, p = math.nan, 1.0
    else:
        # Centred and scaled first: a far-off mean would eat the digits of the sums of squares.
        w = _statistic((values - np.median(values)) / width)
        p = _p_value(w, n)
    return TestResult(
        test="Shapiro-Wilk test",
        method="Royston's approximation",
        statistic_name="W",
        statistic=w,
        p_value=p,
        notes=tuple(notes),
        details={"n": n},
        inputs={"x": values},
    )


def _statistic(values: Floats) -> float:
    weights = _weights(len(values))
    centred = values - values.mean()
    top = float(weights @ centred) ** 2
    return min(1.0, top / (float(weights @ weights) * float(centred @ centred)))


def _weights(n: int) -> Floats:
    """The antisymmetric weights, corrected at the two ends."""
    if n == 3:
        return np.array([-math.sqrt(0.5), 0.0, math.sqrt(0.5)])
    m = special.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    total = float(m @ m)
    u = 1 / math.sqrt(n)
    weights = np.empty(n)
    last = _polynomial(_LAST, u) + m[-1] / math.sqrt(total)
    if n > 5:
        before = _polynomial(_LAST_BUT_ONE, u) + m[-2] / math.sqrt(total)
        rest = (total - 2 * m[-1] ** 2 - 2 * m[-2] ** 2) / (1 - 2 * last**2 - 2 * before**2)
        weights[2:-2] = m[2:-2] / math.sqrt(rest)
        weights[1], weights[-2] = -before, before
    else:
        rest = (total - 2 * m[-1] ** 2) / (1 - 2 * last**2)
        weights[1:-1] = m[1:-1] / math.sqrt(rest)
    weights[0], weights[-1] = -last, last
    return weights


def _p_value(w: float, n: int) -> float:
    if n == 3:
        angle = math.asin(math.sqrt(w)) - math.asin(math.sqrt(0.75))
        return min(1.0, max(0.0, 6 / math.pi * angle))
    if w >= 1:
        return 1.0
    y = math.log1p(-w)
    logarithm = math.log(n)
    if n <= 11:
        gamma = _polynomial(_SMALL_GAMMA, n)
        if y >= gamma:
            return 1e-99
        y = -math.log(gamma - y)
        mean, spread = _polynomial(_SMALL_MEAN, n), math.exp(_polynomial(_SMALL_SPREAD, n))
    else:
        mean, spread = _polynomial(_LARGE_MEAN, logarithm), math.exp(_polynomial(_LARGE_SPREAD, logarithm))
    return float(special.ndtr(-(y - mean) / spread))


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    value = 0.0
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value
