"""Parts with a given mean and standard deviation of Dice (or Jaccard), whose other mean is as claimed.

All parts but one are on two levels. With the mean and the variance fixed, the share of the parts on the lower level
says how skew the values are, and the mean of the curve follows the skewness; at its least and largest one level is 0 or
1, which are the parts that attain the bounds. The part left over is moved where few parts leave gaps between the
shares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

from scoreproof.kinds.averaged import Span
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.common_average.curves import CURVES, UNIT, ZERO
from scoreproof.kinds.common_average.parts import Parts
from scoreproof.kinds.common_average.problem import CommonAverageProblem
from scoreproof.reported import Claim
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Spread

_NUMBERS = (10_000, 10, 5, 4, 3, 2)  # of parts, where it is not known: of few the sample's deviation is larger
_FEW = 40  # parts of which every share is tried
_PLACES = 24  # of the part left over
_STEPS = 40  # of a bisection
_FINE = 10**9
_INSIDE = Fraction(1, 1000)  # of a span, from its ends


def middles(span: Span) -> tuple[Fraction, Fraction, Fraction]:
    """The middle of a span, and places just inside of its ends."""
    low, high = span
    step = (high - low) * _INSIDE
    return (low + high) / 2, high - step, low + step


def with_deviation(problem: CommonAverageProblem) -> Iterator[Parts]:
    """Parts with the claimed deviation of one of Dice and Jaccard, and perhaps the claimed mean of the other."""
    claim = next(claim for claim in problem.claims if problem.variance(claim) is not None)
    name = claim.quantity.name
    other = "ji" if name == "f1" else "f1"
    wanted = problem.means.get(other, (ZERO, UNIT))
    numbers = _NUMBERS if problem.experiment.parts is None else (problem.experiment.parts,)
    for number in numbers:
        for spread, mean in product(_variances(problem, claim, number), middles(problem.means[name])):
            levels = _Levels(name, float(mean), spread, number)
            for lower, value in levels.near(float(wanted[0]), float(wanted[1])):
                parts = _exact(name, mean, number, lower, levels.step(lower, value), value)
                if parts is not None:
                    yield parts


def _variances(problem: CommonAverageProblem, claim: Claim, number: int) -> list[float]:
    """Variances, divided by the number of parts, that print as the claimed deviation."""
    low, high = (max(end, ZERO) for end in spread_interval(claim))
    times = number if problem.spread is Spread.ERROR else 1
    return [
        float(deviation) ** 2 * times * (number - less) / number
        for deviation in middles((low, high))
        for less in problem.divisor.ddof
    ]


class _Levels:
    """Parts on two levels and one left over, in floats."""

    def __init__(self, name: str, mean: float, variance: float, number: int) -> None:
        self.name, self.mean, self.number = name, mean, number
        self._squares = number * (variance + mean * mean)

    def near(self, low: float, high: float) -> Iterator[tuple[int, float]]:
        """How many parts are on the lower level, and the value of the one left over, so that the other mean fits."""
        middle = (low + high) / 2
        if self.number == 2:
            yield 0, self.mean + math.sqrt(max(self._squares / 2 - self.mean**2, 0.0))
            return
        for lower in self._shares(middle):
            before: tuple[float, float] | None = None
            for k in range(_PLACES + 1):
                value = self.mean if k == 0 else (k - 1) / (_PLACES - 1)
                met = self.other(lower, value)
                if met is None:
                    before = None if k else before
                    continue
                if low <= met <= high:
                    yield lower, value
                if k > 1 and before is not None and (before[1] - middle) * (met - middle) < 0:
                    yield lower, self._between(lower, before[0], value, middle)
                before = (value, met) if k else None

    def _shares(self, wanted: float) -> Iterable[int]:
        most = self.number - 2
        if self.number <= _FEW:
            return range(1, most + 1)
        low, high = 1, most
        for _ in range(_STEPS):
            middle = (low + high) // 2
            met = self.other(middle, self.mean)
            below = self._too_few(middle) if met is None else met < wanted
            low, high = (middle + 1, high) if below else (low, middle)
            if low >= high:
                break
        return [lower for lower in range(low - 2, low + 2) if 1 <= lower <= most]

    def _too_few(self, lower: int) -> bool:
        """Whether the lower level is below 0, so that more parts have to share it; else the upper one is above 1."""
        return self._low(lower, self.mean) < 0

    def _middle(self, value: float) -> float:
        return (self.number * self.mean - value) / (self.number - 1)

    def step(self, lower: int, value: float) -> float:
        """How far the lower level is below the middle of both."""
        rest = self.number - 1
        middle = self._middle(value)
        squares = max(self._squares - value * value - rest * middle * middle, 0.0)
        return math.sqrt(squares / rest * (rest - lower) / lower) if lower else 0.0

    def _low(self, lower: int, value: float) -> float:
        return self._middle(value) - self.step(lower, value)

    def other(self, lower: int, value: float) -> float | None:
        """The mean of the other score; None if a level is outside of 0 to 1."""
        rest = self.number - 1
        step = self.step(lower, value)
        low = self._middle(value) - step
        upper = rest - lower
        high = self._middle(value) + (step * lower / upper if upper else 0.0)
        if low < 0 or high > 1 or self._squares < value * value + rest * self._middle(value) ** 2 - 1e-12:
            return None
        return (self._curve(value) + lower * self._curve(low) + upper * self._curve(high)) / self.number

    def _curve(self, x: float) -> float:
        return x / (2 - x) if self.name == "f1" else 2 * x / (1 + x)

    def _between(self, lower: int, start: float, end: float, wanted: float) -> float:
        rising = (self.other(lower, end) or 0.0) > wanted
        for _ in range(_STEPS):
            middle = (start + end) / 2
            met = self.other(lower, middle)
            if met is None:
                return middle
            start, end = (start, middle) if (met > wanted) == rising else (middle, end)
        return (start + end) / 2


def _exact(name: str, mean: Fraction, number: int, lower: int, step: float, value: float) -> Parts | None:
    """The parts as matrices: the mean is exact, the deviation nearly so."""
    if number < 2:
        return None
    odd = Fraction(round(value * _FINE), _FINE)
    fall = Fraction(round(step * _FINE), _FINE)
    upper = number - 1 - lower
    middle = (number * mean - odd) / (number - 1)
    rise = fall * lower / upper if upper else ZERO
    groups = [(1, odd), (lower, middle - fall), (upper, middle + rise)]
    if not all(0 <= level <= 1 for _, level in groups):
        return None
    kept = [group for group in groups if group[0]]
    return Parts(tuple(count for count, _ in kept), tuple(_of_overlap(name, level) for _, level in kept))


def _of_overlap(name: str, value: Fraction) -> ConfusionMatrix:
    """A matrix of this Dice coefficient or Jaccard index."""
    dice = value if name == "f1" else CURVES["ji", "f1"].value(value)
    return ConfusionMatrix(dice.numerator, 2 * (dice.denominator - dice.numerator), 0, 0)
