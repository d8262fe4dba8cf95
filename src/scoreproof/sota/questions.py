"""From an observed best back to the truth, and what a host or a reviewer asks next.

The interval of the adjusted estimate inverts the exact distribution of the best, as Clopper and Pearson (1934,
doi:10.1093/biomet/26.4.404) do for one classifier; with m = 1 it is theirs. The estimate is the accuracy at which the
expected best (Møllersen and Holsbø 2023, arXiv:2303.07272, equation 2) equals the observed one. Would a better method
be overlooked (nine of ten truly better classifiers rank below the expected best, their section 3.4), how many cases are
needed, how much luck: these invert the same distribution. How far behind the top an entry may be and still be the best
is a question of Gupta and Sobel ("Selecting a subset containing the best of several binomial populations", 1960): the
smallest d for which the truly best one lies within d correct cases of the top with the confidence asked for. Their
least favourable case, all entries equally good, is what this package computes.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtri_exp

from scoreproof.errors import InvalidOption
from scoreproof.results import Result
from scoreproof.sota import law
from scoreproof.sota.accuracy import SHALLOW, distribution
from scoreproof.sota.law import MOST_CASES, MOST_CLASSIFIERS, Dependence, correct_count, count, dependence, probability
from scoreproof.statistics.tails import exact_limits
from scoreproof.validation import Share, fraction, real


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

    >>> result = adjusted_estimate(0.9213, m=1000, n=3000)
    >>> round(result.estimate, 4), round(result.low, 4), round(result.high, 4)
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
    return AdjustedEstimate(k / n, m, n, *estimates, *limits, alpha, *naive, None if model is None else str(model))


def _limits(k: int, n: int, m: int, alpha: float) -> tuple[float, float]:
    """Both limits in closed form: one of m classifiers has the m-th root of what the best has."""
    below = -math.expm1(math.log1p(-alpha / 2) / m)
    above = -math.expm1(math.log(alpha / 2) / m)
    low, high = exact_limits(k, n, below, above)
    return float(low), float(high)


def _dependent_limits(k: int, n: int, m: int, alpha: float, *, model: Dependence) -> tuple[float, float]:
    def none_beyond(z: int, accuracy: float) -> float:
        return 0.0 if z < 0 else m * law.failures_of_one(n, accuracy, model, SHALLOW).tails(z)[1]

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
        single = law.failures_of_one(n, accuracy, model, SHALLOW)
        return 1.0 - math.exp(m * single.tails(n - k)[1]) - math.exp(m * single.tails(n - k - 1)[1])

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
    return bisect_left(range(1, n), True, key=lambda right: not model.feasible(n, right / n))


@dataclass(frozen=True, slots=True)
class Overlooked(Result):
    """The chances of a truly better newcomer against an observed best."""

    observed: float
    n: int
    accuracy: float  #: the true accuracy of the field
    delta: float
    below: float  #: P(newcomer scores below the observed best)
    tie: float
    above: float

    def __str__(self) -> str:
        newcomer = f"A classifier of true accuracy {self.accuracy + self.delta:.4f}, better by {self.delta:.4g}"
        return (
            f"{newcomer} than a field at {self.accuracy:.4f}, scores below the observed best of {self.observed:.4f} on "
            f"{self.n:,} cases with probability {self.below:.4f} (a tie: {self.tie:.4f})."
        )


def overlooked(
    observed_best: float,
    n: int,
    *,
    delta: float,
    accuracy: float | None = None,
    m: int | None = None,
    p_dep: float | None = None,
    correlation: float | None = None,
) -> Overlooked:
    """The probability that a truly better classifier (by ``delta``) would still rank below the observed best.

    The field's true accuracy is ``accuracy``, or, when only the number of classifiers is known, the adjusted estimate
    (for which p_dep or correlation may be given). The newcomer is evaluated independently of the field.

    >>> round(1 - overlooked(0.9213, 3000, accuracy=0.9, delta=0.0105).below, 3)
    0.019
    """
    n = count("n", n, most=MOST_CASES)
    k = correct_count("observed best", observed_best, n)
    delta = real("delta", delta)
    if accuracy is None:
        if m is None:
            raise InvalidOption("overlooked: give the field's true accuracy, or m, from which it is estimated")
        field = adjusted_estimate(k / n, m, n, p_dep=p_dep, correlation=correlation).estimate
    else:
        field = probability("accuracy", accuracy)
    better = field + delta
    if not 0 <= better <= 1:
        raise InvalidOption(
            f"delta: a field at {field:.4g} and a newcomer better by {delta:g} would have accuracy "
            f"{better:.4g}; choose delta up to {1 - field:.4g}"
        )
    above = math.exp(law.log_tails(n - k - 1, n, better)[0])
    below = math.exp(law.log_tails(n - k, n, better)[1])
    tie = math.exp(float(law.log_pmf(n - k, n, 1.0 - better, better)))
    return Overlooked(observed=k / n, n=n, accuracy=field, delta=delta, below=below, tie=tie, above=above)


@dataclass(frozen=True, slots=True)
class CasesNeeded(Result):
    """The smallest test set on which the best of m is biased by less than a wish."""

    cases: int
    bias: float
    max_bias: float
    m: int
    accuracy: float
    dependence: str | None = None

    def __str__(self) -> str:
        return (
            f"With {self.m:,} classifiers of true accuracy {self.accuracy:g}, {self.cases:,} cases keep the "
            f"expected optimism of the best below {self.max_bias:g} (it is {self.bias:.6g})."
        )


def cases_needed(
    max_bias: float, m: int, accuracy: float, *, p_dep: float | None = None, correlation: float | None = None
) -> CasesNeeded:
    """How large the test set must be so that the expected best exceeds the truth by less than ``max_bias``.

    For independent classifiers the bias never rises with n (the mean over n + 1 cases is the mean of the
    means that leave one out, and the maximum of means is at most the mean of maxima), so the answer is the
    smallest n. With a reference classifier, whose whole cases wobble with n, it is a crossing point.

    >>> cases_needed(0.005, m=1000, accuracy=0.9).cases
    37306
    """
    wish = fraction("max_bias", max_bias)
    m = count("m", m, most=MOST_CLASSIFIERS)
    accuracy = probability("accuracy", accuracy)
    model = dependence(p_dep, correlation)

    def bias(n: int) -> float:
        return distribution(n, np.array([accuracy]), np.array([float(m)]), model, SHALLOW).bias

    typical = float(ndtri_exp(math.log(0.5) / m)) if m > 1 else 0.0
    spread = math.sqrt(accuracy * (1 - accuracy)) * typical  # of a normal approximation
    guess = MOST_CASES if spread >= wish * math.sqrt(MOST_CASES) else int(max(1.0, (spread / wish) ** 2))
    low = high = guess
    while low > 0 and bias(low) < wish:
        low, high = int(low / 1.1), low
    while bias(high) >= wish:
        if high >= MOST_CASES:
            raise InvalidOption(f"max_bias: {wish:g} needs more than {MOST_CASES:,} cases; allow a larger bias")
        low, high = high, min(MOST_CASES, int(high * 1.1) + 1)
    high = low + 1 + bisect_left(range(low + 1, high), True, key=lambda n: bias(n) < wish)
    return CasesNeeded(high, bias(high), wish, m, accuracy, None if model is None else str(model))


@dataclass(frozen=True, slots=True)
class Luck(Result):
    """How many equally good classifiers make an observed best unsurprising."""

    observed: float
    n: int
    accuracy: float
    probability: float
    chance_of_one: float  #: P(one classifier reaches the observed best)
    classifiers: int | None  #: None where the number is beyond 10^15, or none suffices
    log10: float | None  #: its logarithm; None where no number of classifiers suffices
    dependence: str | None = None

    def __str__(self) -> str:
        start = f"An accuracy of {self.observed:.4f} or better on {self.n:,} cases, at a true accuracy of"
        start = f"{start} {self.accuracy:g},"
        if self.log10 is None:
            return f"{start} cannot be explained by any number of classifiers."
        kind = "" if self.dependence is None else f" that are dependent ({self.dependence})"
        many = f"{self.classifiers:,}" if self.classifiers is not None else f"10^{self.log10:.1f}"
        plural = "" if self.classifiers == 1 else "s"
        return (
            f"{start} is reached by luck with probability {self.probability:g} among {many} classifier{plural}{kind}."
        )


def luck(
    observed_best: float,
    n: int,
    accuracy: float,
    *,
    chance: float = 0.5,
    p_dep: float | None = None,
    correlation: float | None = None,
) -> Luck:
    """How many classifiers of this true accuracy explain an observed best by luck alone.

    The smallest m for which the best reaches the observed score with probability ``chance`` or more.

    >>> luck(0.9213, 3000, 0.9).classifiers
    20960
    """
    n = count("n", n, most=MOST_CASES)
    k = correct_count("observed best", observed_best, n)
    accuracy = probability("accuracy", accuracy)
    chance = fraction("chance", chance)
    model = dependence(p_dep, correlation)
    log_p, log_s = law.log_tails(n - k, n, accuracy, model)
    many, log10 = _how_many(log_p, log_s, chance)
    return Luck(k / n, n, accuracy, chance, math.exp(log_p), many, log10, None if model is None else str(model))


def margin(m: int, n: int, accuracy: float, *, alpha: Share = 0.05, model: Dependence | None = None) -> int:
    """The smallest d such that the truly best of m lies within d cases of the top with confidence 1 - alpha."""
    m, n = count("m", m, most=MOST_CLASSIFIERS), count("n", n, most=MOST_CASES)
    wanted = 1 - alpha
    if m == 1:
        return 0
    single = law.failures_of_one(n, probability("accuracy", accuracy), model)
    mass = np.exp(single.log_pmf)
    log_sf = single.log_sf()
    width = len(mass)

    def kept(d: int) -> float:
        """P(no other classifier is more than d failures ahead of a given one)."""
        others = np.zeros(width)
        if d + 1 < width:
            others[d + 1 :] = log_sf[: width - d - 1]
        return float(mass @ np.exp((m - 1) * others))

    return min(n, bisect_left(range(width), True, key=lambda d: kept(d) >= wanted - 1e-12))


def widest_margin(
    m: int, n: int, low: float, high: float, *, alpha: float = 0.05, model: Dependence | None = None
) -> int:
    """The largest margin over accuracies from ``low`` to ``high``: where p (1 - p) is largest."""
    spots = {low, high, min(high, max(low, 0.5))}
    usable = [spot for spot in spots if model is None or model.feasible(n, spot)]
    if not usable:
        usable = [max(low, min(high, model.p_dep))] if model is not None and model.p_dep is not None else [low]
    return max(margin(m, n, spot, alpha=alpha, model=model) for spot in usable)


def _how_many(log_p: float, log_s: float, chance: float) -> tuple[int | None, float | None]:
    if log_p == -math.inf:
        return None, None
    if log_s == -math.inf:
        return 1, 0.0
    # for a very rare event -log(1 - p) is p itself, whose logarithm survives where p underflows
    log_rate = log_p if log_p < -40 else math.log(-log_s)
    log10 = max(0.0, (math.log(-math.log1p(-chance)) - log_rate) / math.log(10))
    if log10 > 15:
        return None, log10
    rate = math.exp(log_rate)
    many = max(1, math.ceil(-math.log1p(-chance) / rate))
    while many > 1 and -math.expm1(-(many - 1) * rate) >= chance:
        many -= 1
    return many, math.log10(many)
