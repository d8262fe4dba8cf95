"""What a host or a reviewer asks next: would a better method be overlooked, how many cases, how much luck, who else?

The first question and its sobering answer (nine of ten truly better classifiers rank below the expected best) are from
Møllersen and Holsbø (2023, arXiv:2303.07272, section 3.4); the next two invert the same distribution. How far behind
the top an entry may be and still be the best is a question of Gupta and Sobel ("Selecting a subset containing the best
of several binomial populations", 1960): the smallest d for which the truly best one lies within d correct cases of the
top with the confidence asked for. Their least favourable case, all entries equally good, is what this package computes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri_exp

from scoreproof.errors import InvalidOption
from scoreproof.results import Result
from scoreproof.sota.accuracy import SHALLOW, distribution
from scoreproof.sota.estimate import adjusted_estimate
from scoreproof.sota.law import (
    MOST_CASES,
    MOST_CLASSIFIERS,
    Dependence,
    correct_count,
    count,
    dependence,
    failures_of_one,
    log_pmf,
    log_tails,
    number,
    probability,
)
from scoreproof.validation import Share, fraction


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
    delta = number("delta", delta)
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
    above = math.exp(log_tails(n - k - 1, n, better)[0])
    below = math.exp(log_tails(n - k, n, better)[1])
    tie = math.exp(float(log_pmf(n - k, n, 1.0 - better, better)))
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
    low, high = _bracket(bias, wish, guess)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bias(middle) < wish else (middle, high)
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
    log_p, log_s = log_tails(n - k, n, accuracy, model)
    many, log10 = _how_many(log_p, log_s, chance)
    return Luck(k / n, n, accuracy, chance, math.exp(log_p), many, log10, None if model is None else str(model))


def margin(m: int, n: int, accuracy: float, *, alpha: Share = 0.05, model: Dependence | None = None) -> int:
    """The smallest d such that the truly best of m lies within d cases of the top with confidence 1 - alpha."""
    m, n = count("m", m, most=MOST_CLASSIFIERS), count("n", n, most=MOST_CASES)
    wanted = 1 - alpha
    if m == 1:
        return 0
    law = failures_of_one(n, probability("accuracy", accuracy), model)
    mass = np.exp(law.log_pmf)
    log_sf = law.log_sf()
    width = len(mass)

    def kept(d: int) -> float:
        """P(no other classifier is more than d failures ahead of a given one)."""
        others = np.zeros(width)
        if d + 1 < width:
            others[d + 1 :] = log_sf[: width - d - 1]
        return float(mass @ np.exp((m - 1) * others))

    low, high = -1, width
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if kept(middle) >= wanted - 1e-12 else (middle, high)
    return min(high, n)


def widest_margin(
    m: int, n: int, low: float, high: float, *, alpha: float = 0.05, model: Dependence | None = None
) -> int:
    """The largest margin over accuracies from ``low`` to ``high``: where p (1 - p) is largest."""
    spots = {low, high, min(high, max(low, 0.5))}
    usable = [spot for spot in spots if model is None or model.feasible(n, spot)]
    if not usable:
        usable = [max(low, min(high, model.p_dep))] if model is not None and model.p_dep is not None else [low]
    return max(margin(m, n, spot, alpha=alpha, model=model) for spot in usable)


def _bracket(bias: Any, wish: float, guess: int) -> tuple[int, int]:
    """A size that is too small (0 counts as one) and one that suffices."""
    if bias(guess) < wish:
        low, high = guess, guess
        while low > 0 and bias(low) < wish:
            low, high = int(low / 1.1), low
        return low, high
    low = high = guess
    while bias(high) >= wish:
        if high >= MOST_CASES:
            raise InvalidOption(f"max_bias: {wish:g} needs more than {MOST_CASES:,} cases; allow a larger bias")
        low, high = high, min(MOST_CASES, int(high * 1.1) + 1)
    return low, high


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
