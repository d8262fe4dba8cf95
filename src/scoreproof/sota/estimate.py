"""From an observed best back to the truth: estimate and confidence interval, adjusted for multiplicity.

The interval inverts the exact distribution of the best, as Clopper and Pearson (1934,
doi:10.1093/biomet/26.4.404) do for one classifier; with m = 1 it is theirs. The estimate is the accuracy at
which the expected best (Møllersen and Holsbø 2023, arXiv:2303.07272, equation 2) equals the observed one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from scoreproof.errors import InvalidOption
from scoreproof.results import Result
from scoreproof.sota.accuracy import SHALLOW, distribution
from scoreproof.sota.law import (
    MOST_CASES,
    MOST_CLASSIFIERS,
    Dependence,
    correct_count,
    count,
    dependence,
    failures_of_one,
)
from scoreproof.statistics.proportions import exact_limits
from scoreproof.validation import Share


@dataclass(frozen=True, slots=True)
class AdjustedEstimate(Result):
    """What an observed best says about the true accuracy that all m classifiers share."""

    observed: float
    m: int
    n: int
    estimate: float  #: the accuracy whose expected best is the observed one
    median_unbiased: float  #: the accuracy at which the observed best lies in the middle of the distribution
    low: float
    high: float
    alpha: float
    naive_low: float  #: Clopper-Pearson, as if the winner had been the only classifier
    naive_high: float
    dependence: str | None = None

    _told = "observed classifiers=m cases=n estimate median_unbiased low high alpha optimism *"

    @property
    def optimism(self) -> float:
        """How much of the observed best is owed to picking it."""
        return self.observed - self.estimate

    def __str__(self) -> str:
        kind = "classifiers" if self.dependence is None else f"dependent classifiers ({self.dependence})"
        return (
            f"An accuracy of {self.observed:.4f}, the best of {self.m:,} {kind} on {self.n:,} cases, stands for a "
            f"true accuracy of {self.estimate:.4f} if all of them are equally good ({100 * (1 - self.alpha):g}% "
            f"confidence interval {self.low:.4f} to {self.high:.4f}); {self.optimism:.4f} is the expected effect of "
            "picking the best."
        )


def adjusted_estimate(
    observed_best: float,
    m: int,
    n: int,
    *,
    alpha: Share = 0.05,
    p_dep: float | None = None,
    correlation: float | None = None,
) -> AdjustedEstimate:
    """The true accuracy behind the best of m, and its confidence interval.

    ``observed_best`` is read as the nearest possible count of correct cases. The m classifiers are taken to
    be equally good, the least favourable assumption: a winner that stands out from a weaker field deserves
    less adjustment (see ``leaderboard``).

    >>> found = adjusted_estimate(0.9213, m=1000, n=3000)
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.9044, 0.8996, 0.9076)
    >>> round(adjusted_estimate(0.9213, m=1000, n=3000, p_dep=0.95).estimate, 4)
    0.9064
    """
    m, n = count("m", m, most=MOST_CLASSIFIERS), count("n", n, most=MOST_CASES)
    k = correct_count("observed best", observed_best, n)
    model = dependence(p_dep, correlation)
    alone, naive = _limits(k, n, m, alpha), _limits(k, n, 1, alpha)
    limits = alone if model is None else _dependent_limits(k, n, m, alpha, model=model)
    estimates = _mean_matching(k, n, m, model), _median_unbiased(k, n, m, model)
    told = None if model is None else str(model)
    return AdjustedEstimate(k / n, m, n, *estimates, *limits, alpha, *naive, told)


def _limits(k: int, n: int, m: int, alpha: float) -> tuple[float, float]:
    """Both limits in closed form: one of m classifiers has the m-th root of what the best has."""
    below = -math.expm1(math.log1p(-alpha / 2) / m)
    above = -math.expm1(math.log(alpha / 2) / m)
    low, high = exact_limits(k, n, below, above)
    return float(low), float(high)


def _dependent_limits(k: int, n: int, m: int, alpha: float, *, model: Dependence) -> tuple[float, float]:
    def none_beyond(z: int, accuracy: float) -> float:
        return 0.0 if z < 0 else m * failures_of_one(n, accuracy, model, SHALLOW).tails(z)[1]

    def reached(accuracy: float) -> float:
        return -math.expm1(none_beyond(n - k, accuracy)) - alpha / 2

    def not_exceeded(accuracy: float) -> float:
        return alpha / 2 - math.exp(none_beyond(n - k - 1, accuracy))

    alone, naive = _limits(k, n, m, alpha), _limits(k, n, 1, alpha)
    low = 0.0 if k == 0 else _root(reached, n, model, (alone[0], naive[0]))
    return low, 1.0 if k == n else _root(not_exceeded, n, model, (alone[1], naive[1]))


def _mean_matching(k: int, n: int, m: int, model: Dependence | None) -> float:
    if k in (0, n) or m == 1:
        return k / n
    many = np.array([float(m)])

    def excess(accuracy: float) -> float:
        return distribution(n, np.array([accuracy]), many, model, SHALLOW).mean - k / n

    return _root(excess, n, model, (_limits(k, n, m, 0.01)[0], k / n))


def _median_unbiased(k: int, n: int, m: int, model: Dependence | None) -> float:
    if k in (0, n):
        return k / n

    def excess(accuracy: float) -> float:
        law = failures_of_one(n, accuracy, model, SHALLOW)
        return 1.0 - math.exp(m * law.tails(n - k)[1]) - math.exp(m * law.tails(n - k - 1)[1])

    return _root(excess, n, model, (_limits(k, n, m, 0.5)[0], _limits(k, n, 1, 0.5)[1]))


def _root(rising: Callable[[float], float], n: int, model: Dependence | None, guess: tuple[float, float]) -> float:
    """The accuracy at which a function that rises with it crosses zero, most likely within the guess."""
    top = n if model is None else _highest(n, model)
    low, high = max(0, math.floor(n * guess[0])), min(top, math.ceil(n * guess[1]) + 1)
    if low >= high or rising(low / n) >= 0:
        low = 0
    if rising(high / n) < 0:
        high = top
    if rising(high / n) < 0:
        if top < n:
            raise InvalidOption(
                f"{model}: impossible for accuracies above {top / n:.4f}, which the observed best points to; "
                "give the dependence as a correlation instead"
            )
        return 1.0
    if rising(low / n) >= 0:
        return 0.0
    if model is None:
        return float(brentq(rising, low / n, high / n, xtol=1e-14, rtol=1e-13))
    return _between_references(rising, n, low, high)


def _between_references(rising: Callable[[float], float], n: int, low: int, high: int) -> float:
    """The crossing where every accuracy between two possible references is the mixture of the two.

    A reference is right on a whole number of cases. Forcing another accuracy on classifiers that follow it
    closely would bend the model; a reference that is right on one case more or less by chance does not.
    """
    at_low, at_high = rising(low / n), rising(high / n)
    halve = True
    while high - low > 1:
        # false position finds the place, halving guards against flat stretches
        share = 0.5 if halve else -at_low / (at_high - at_low)
        middle = min(high - 1, max(low + 1, round(low + share * (high - low))))
        value = rising(middle / n)
        if value < 0:
            low, at_low = middle, value
        else:
            high, at_high = middle, value
        halve = not halve
    return (low - at_low / (at_high - at_low)) / n


def _highest(n: int, model: Dependence) -> int:
    """The most cases a reference can get right while the model exists."""
    if model.p_dep is None or model.feasible(n, 1.0):
        return n
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if model.feasible(n, middle / n) else (low, middle)
    return low
