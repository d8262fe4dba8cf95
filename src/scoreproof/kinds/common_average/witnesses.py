"""Bisection on a path from equal parts to the corners that attain the bounds, then fits: parts with claimed means.

From parts that are all alike (the largest mean F-score) a straight path leads to a corner, where all but one value are
0 or 1: to the one with the least F-score, or to the one where precision and recall go together (the largest overlap).
The means of precision and recall stay, those of the other scores change continuously on the way, so whatever lies
between is met. That takes less than a fit, which meets what the path does not. Floats propose, ``parts_hold`` disposes.

With a deviation of Dice or Jaccard all parts but one are on two levels. With the mean and the variance fixed, the share
of the parts on the lower level says how skew the values are, and the mean of the curve follows the skewness; at its
least and largest one level is 0 or 1, which are the parts that attain the bounds. The part left over is moved where few
parts leave gaps between the shares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, pairwise, product
from typing import NamedTuple

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.common_average.problem import (
    CommonAverageProblem,
    Parts,
    fitted_parts,
    parts_hold,
    with_precision,
)
from scoreproof.kinds.common_average.relations import CURVES, UNIT, ZERO, corners
from scoreproof.kinds.statement import Span
from scoreproof.reported import Claim
from scoreproof.reported.claim import spread_interval, without_spread
from scoreproof.reported.conventions import Spread
from scoreproof.work.budget import Budget

_PAIR = ("ppv", "sens")
_NUMBERS = (10, 1_000, 1_000_000)  # of parts, where it is not known
_FINE = 10**12
_LAST = 1 - 0.25**13  # how far on the way to a corner
_HALVINGS = 40

Group = tuple[int, Fraction, Fraction]


def parts_with(problem: CommonAverageProblem, deadline: Budget) -> Parts | None:
    """Parts that have the claimed means, if some were met."""
    f_scores = {claim.quantity.name for claim in problem.claims if claim.score.beta is not None}
    of_positives = {*_PAIR, "ji", *(name for name in f_scores if not name.endswith("n"))}
    proposals = [fitted_parts(problem)]
    if set(problem.means) <= {"f1", "ji"} and any(problem.variance(claim) is not None for claim in problem.claims):
        proposals.insert(0, with_deviation(problem))
    elif set(problem.means) <= of_positives:
        proposals.insert(0, _on_paths(problem))
    for proposal in chain(*proposals):
        if parts_hold(problem, proposal):
            return proposal
        if deadline.passed:
            return None
    return _of_one_matrix(problem, deadline)


def _of_one_matrix(problem: CommonAverageProblem, deadline: Budget) -> Parts | None:
    """One confusion matrix, if it may be one; every part is then alike."""
    from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
    from scoreproof.kinds.unknown_classes.kind import KIND

    single = KIND.problem(UnknownClasses(), {claim.name: without_spread(claim) for claim in problem.claims})
    decision = KIND.decide(single, deadline=deadline.within(1.0), seed=0)
    if decision.witness is None:
        return None
    parts = Parts((problem.experiment.parts or 1,), decision.witness.matrices)
    return parts if parts_hold(problem, parts) else None


class _Target(NamedTuple):
    """A claim on an F-score (or, without beta squared, on the Jaccard index), in floats: where its mean should lie."""

    squared: float | None
    places: tuple[float, float, float]  # in the middle, and just inside of both ends

    @classmethod
    def of(cls, claim: Claim) -> _Target:
        squared = None if claim.quantity.name == "ji" else float(Fraction(claim.score.beta or 1) ** 2)
        middle, most, least = map(float, middles((claim.low, claim.high)))
        return cls(squared, (middle, least, most))

    def mean(self, path: Path, t: float) -> float:
        """The mean at a share of a path."""
        total = 0.0
        for share, x, dx, y, dy in path:
            precision, recall = x + t * dx, y + t * dy
            both = precision * recall
            below = precision + recall - both if self.squared is None else self.squared * precision + recall
            if below:
                total += share * (both if self.squared is None else (1 + self.squared) * both) / below
        return total


Path = list[tuple[float, float, float, float, float]]  # shares of the parts, and where each starts and goes


def _on_paths(problem: CommonAverageProblem) -> Iterator[Parts]:
    targets = [_Target.of(claim) for claim in problem.claims if claim.quantity.name not in _PAIR]
    numbers = (problem.experiment.parts,) if problem.experiment.parts else _NUMBERS
    for number, (x, y) in product(numbers, _starts(problem)):
        goals = [_together(x, y, number)]
        if any(name in _PAIR for name in problem.means):
            goals.insert(0, min(corners(x, y, UNIT, number))[1])
        yield from _towards(goals, (x, y), targets)


def _towards(goals: list[list[Group]], start: tuple[Fraction, Fraction], targets: list[_Target]) -> Iterator[Parts]:
    """Parts on the paths from a start to corners at which all claims seem to be met."""
    x, y = start
    for ends in goals:
        for t in _along(targets, (x, y), ends):
            met = [(k, (1 - t) * x + t * a, (1 - t) * y + t * b) for k, a, b in ends]
            if min(min(a, b) for _, a, b in met) > 0:
                yield Parts(tuple(k for k, _, _ in met), tuple(with_precision(a, b) for _, a, b in met))


def _starts(problem: CommonAverageProblem) -> Iterator[tuple[Fraction, Fraction]]:
    """Means of precision and recall to start from; one that is not claimed follows from an F-score or is free."""
    means = problem.means
    spans = [means.get(name) for name in _PAIR]
    if spans[0] is not None and spans[1] is not None:
        yield from zip(middles(spans[0]), middles(spans[1]), strict=True)
        return
    alike = [
        (mean if claim.quantity.name != "ji" else 2 * mean / (1 + mean), Fraction(claim.score.beta or 1) ** 2)
        for claim in problem.claims
        if claim.quantity.name not in _PAIR
        for mean in (sum(means[claim.quantity.name], ZERO) / 2,)
    ]
    known = spans[0] or spans[1]
    if known is None:
        yield from ((mean, mean) for mean, _ in alike)
        return
    for here in middles(known):
        there = [UNIT, here]
        for mean, squared in alike:
            below = (1 + squared) * here - (mean if spans[0] is not None else squared * mean)
            if below > 0:
                there.append((squared * mean if spans[0] is not None else mean) * here / below)
        for other in there:
            if 0 < other <= 1:
                yield (here, other) if spans[0] is not None else (other, here)


def _together(x: Fraction, y: Fraction, number: int) -> list[Group]:
    """The corner at which precision and recall go together."""
    (ones_x, rest_x), (ones_y, rest_y) = (divmod(number * mean, 1) for mean in (x, y))
    marks = sorted({0, int(ones_x), int(ones_y), int(ones_x) + 1, int(ones_y) + 1, number})
    groups = []
    for start, end in pairwise(marks):
        if end > number:
            break
        a = UNIT if start < ones_x else rest_x if start == ones_x else ZERO
        b = UNIT if start < ones_y else rest_y if start == ones_y else ZERO
        groups.append((end - start, a, b))
    return groups


def _along(targets: list[_Target], start: tuple[Fraction, Fraction], ends: list[Group]) -> Iterator[Fraction]:
    """Shares of a path at which all claims seem to be met: at its start, else by bisection for each place of each."""
    x, y = map(float, start)
    number = sum(k for k, _, _ in ends)
    path = [(k / number, x, float(a) - x, y, float(b) - y) for k, a, b in ends]

    def met(t: float) -> bool:
        return all(each.places[1] <= each.mean(path, t) <= each.places[2] for each in targets)

    if met(0.0):
        yield ZERO
    for target in targets:
        at_start, at_end = target.mean(path, 0.0), target.mean(path, _LAST)
        for wanted in target.places:
            if (at_start - wanted) * (at_end - wanted) > 0:
                continue
            low, high = 0.0, _LAST
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                if (target.mean(path, middle) - wanted) * (at_start - wanted) > 0:
                    low = middle
                else:
                    high = middle
            if met(round(high * _FINE) / _FINE):
                yield Fraction(round(high * _FINE), _FINE)


_DEVIATING_NUMBERS = (10_000, 10, 5, 4, 3, 2)  # of parts, if unknown: of few the sample's deviation is larger
_FEW = 40  # parts of which every share is tried
_PLACES = 24  # of the part left over
_DENOMINATOR = 10**9
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
    numbers = _DEVIATING_NUMBERS if problem.experiment.parts is None else (problem.experiment.parts,)
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
        for _ in range(_HALVINGS):
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
        for _ in range(_HALVINGS):
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
    odd = Fraction(round(value * _DENOMINATOR), _DENOMINATOR)
    fall = Fraction(round(step * _DENOMINATOR), _DENOMINATOR)
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
