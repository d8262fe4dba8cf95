"""What a report about several evaluation sets demands: means, spreads, extremes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoreproof.errors import InvalidOption
from scoreproof.experiment import EvaluationSet, NormalForm
from scoreproof.scores import ConfusionMatrix, Score, Surd

Interval = tuple[Fraction, Fraction]
_BITS = 200  # of the enclosures that decide about a witness


class Undefined(StrEnum):
    """What a 0/0 score counts as: nothing that could be reported, zero, or a set left out of the mean."""

    EXCLUDE = "exclude"
    ZERO = "zero"
    SKIP = "skip"

    @classmethod
    def of(cls, name: str | Undefined) -> Undefined:
        try:
            return cls(name)
        except ValueError:
            raise InvalidOption(f"undefined: expected one of {', '.join(cls)}; got {name!r}") from None


@dataclass(frozen=True, slots=True)
class Target:
    """One score: the interval of its mean, and of its variance, minimum and maximum over the sets if reported.

    ``centre`` is the middle of the printed mean, about which squares are taken; ``ddof`` holds the admitted divisors
    of the variance (0 for the population's, 1 for the sample's). An extreme is a bound on all sets; if ``attained``,
    some set also reaches it.
    """

    score: Score
    mean: Interval | None
    centre: Fraction = Fraction(0)
    variance: Interval | None = None
    ddof: tuple[int, ...] = (0, 1)
    minimum: Interval | None = None
    maximum: Interval | None = None
    attained: bool = True


@dataclass(frozen=True, slots=True)
class Bound:
    """The mean of a score over some sets (weights by set index) lies in an interval."""

    score: Score
    interval: tuple[Fraction | None, Fraction | None]
    weights: dict[int, Fraction]


@dataclass(frozen=True, slots=True)
class Demand:
    """Everything a report says about an experiment in normal form."""

    form: NormalForm
    targets: tuple[Target, ...]
    bounds: tuple[Bound, ...] = ()
    undefined: Undefined = Undefined.EXCLUDE

    def fits(self, matrices: Sequence[ConfusionMatrix]) -> bool:
        """Whether these matrices, one per set, give the report: exactly.

        Enclosures of 200 bits settle nearly everything; what is left are ties, which algebra settles.
        """
        if not self._class_counts_fit(matrices):
            return False
        answers = [self._target_fits(target, matrices) for target in self.targets]
        answers += [self._bound_fits(bound, matrices) for bound in self.bounds]
        if False in answers:
            return False
        if None not in answers:
            return True
        return all(exactly(self, target, matrices) for target in self.targets) and all(
            bound_exactly(self, bound, matrices) for bound in self.bounds
        )

    def _class_counts_fit(self, matrices: Sequence[ConfusionMatrix]) -> bool:
        sets = self.form.sets
        if len(matrices) != len(sets) or any(min(matrix.cells) < 0 for matrix in matrices):
            return False
        for one, matrix in zip(sets, matrices, strict=True):
            if one.family is None and (matrix.p, matrix.n) != (one.p, one.n):
                return False
            if matrix.p + matrix.n != one.size:
                return False
        for number, family in enumerate(self.form.families):
            mine = [matrix for one, matrix in zip(sets, matrices, strict=True) if one.family == number]
            if sum(matrix.p for matrix in mine) != family.p:
                return False
            if sum(matrix.p > 0 for matrix in mine) < 2 or sum(matrix.n > 0 for matrix in mine) < 2:
                return False
        return True

    def _values(self, score: Score, matrices: Sequence[ConfusionMatrix]) -> list[Interval | None]:
        """Enclosures of a score's values; None where it is undefined (0/0 counts as zero if asked to)."""
        values: list[Interval | None] = []
        for matrix in matrices:
            num, den = score.ratio(*matrix.cells)
            if den:
                values.append(score.enclose(*matrix.cells, 1 << _BITS))
            else:
                zero = num == 0 and self.undefined is Undefined.ZERO
                values.append((Fraction(0), Fraction(0)) if zero else None)
        return values

    def _target_fits(self, target: Target, matrices: Sequence[ConfusionMatrix]) -> bool | None:
        values = self._values(target.score, matrices)
        weights = [one.weight for one in self.form.sets]
        if self.undefined is Undefined.SKIP:
            infinite = any(
                value is None and target.score.ratio(*matrix.cells)[0]
                for value, matrix in zip(values, matrices, strict=True)
            )
            kept = [(w, v) for w, v in zip(weights, values, strict=True) if v is not None]
            if infinite or not kept:
                return False
            weights, values = [w for w, _ in kept], [v for _, v in kept]
        defined = [value for value in values if value is not None]
        if len(defined) < len(values):
            return False
        answers: list[bool | None] = []
        if target.mean is not None:
            answers.append(_inside(_mean(weights, defined), target.mean))
        if target.variance is not None:
            answers.append(_variance_fits(target, defined))
        for extreme, pick, is_minimum in ((target.minimum, min, True), (target.maximum, max, False)):
            if extreme is not None:
                found = (pick(low for low, _ in defined), pick(high for _, high in defined))
                low, high = extreme
                if not target.attained:
                    low, high = (low, max(found[1], low)) if is_minimum else (min(found[0], high), high)
                answers.append(_inside(found, (low, high)))
        if False in answers:
            return False
        return None if None in answers else True

    def _bound_fits(self, bound: Bound, matrices: Sequence[ConfusionMatrix]) -> bool | None:
        values = self._values(bound.score, [matrices[index] for index in bound.weights])
        defined = [value for value in values if value is not None]
        if len(defined) < len(values):
            return False
        mean = _mean(list(bound.weights.values()), defined)
        low, high = bound.interval
        return _inside(mean, (mean[0] if low is None else low, mean[1] if high is None else high))


def _mean(weights: list[Fraction], values: list[Interval]) -> Interval:
    total = sum(weights)
    low = sum((w * v[0] for w, v in zip(weights, values, strict=True)), Fraction(0)) / total
    high = sum((w * v[1] for w, v in zip(weights, values, strict=True)), Fraction(0)) / total
    return low, high


def _inside(value: Interval, asked: Interval) -> bool | None:
    """Whether an enclosed value lies in an interval; None if the enclosure is too wide to tell."""
    if asked[0] <= value[0] and value[1] <= asked[1]:
        return True
    return False if value[1] < asked[0] or value[0] > asked[1] else None


def _variance_fits(target: Target, values: list[Interval]) -> bool | None:
    """The variance by any of the admitted divisors."""
    assert target.variance is not None
    count = len(values)
    middles = [(a + b) / 2 for a, b in values]
    mean = sum(middles, Fraction(0)) / count
    squares = sum(((x - mean) ** 2 for x in middles), Fraction(0))
    largest = max(max(abs(a), abs(b)) for a, b in values)
    widest = max(b - a for a, b in values)
    error = 8 * count * widest * (largest + 1)
    answers: list[bool | None] = []
    for ddof in target.ddof:
        if count > ddof:
            variance = (max(squares - error, Fraction(0)) / (count - ddof), (squares + error) / (count - ddof))
            answers.append(_inside(variance, target.variance))
    if True in answers:
        return True
    return None if None in answers else False


def _surds(demand: Demand, score: Score, matrices: Sequence[ConfusionMatrix]) -> list[Surd | None]:
    zero = Surd.rational(0) if demand.undefined is Undefined.ZERO else None
    return [zero if (one := score.exact(*matrix.cells)) is None else one for matrix in matrices]


def exactly(demand: Demand, target: Target, matrices: Sequence[ConfusionMatrix]) -> bool:
    """Whether a target is met, by exact algebra; the enclosures have ruled out everything but ties."""
    pairs = [
        (one.weight, value)
        for one, value in zip(demand.form.sets, _surds(demand, target.score, matrices), strict=True)
        if value is not None
    ]
    total = sum(weight for weight, _ in pairs)
    mean = sum((value.scaled(weight / total) for weight, value in pairs), Surd.rational(0))
    if target.mean is not None and not _between(mean, target.mean):
        return False
    values = [value for _, value in pairs]
    if target.variance is not None:
        plain = sum((value.scaled(Fraction(1, len(values))) for value in values), Surd.rational(0))
        off = [value + plain.scaled(Fraction(-1)) for value in values]
        squares = sum((x * x for x in off), Surd.rational(0))
        divisors = [len(values) - ddof for ddof in target.ddof if len(values) > ddof]
        if not any(_between(squares.scaled(Fraction(1, d)), target.variance) for d in divisors):
            return False
    return _extremes_exactly(target, values)


def _extremes_exactly(target: Target, values: list[Surd]) -> bool:
    for extreme, side in ((target.minimum, 1), (target.maximum, -1)):
        if extreme is None:
            continue
        near, far = extreme if side > 0 else extreme[::-1]
        if any(value.sign(near) * side < 0 for value in values):
            return False
        if target.attained and not any(value.sign(far) * side <= 0 for value in values):
            return False
    return True


def bound_exactly(demand: Demand, bound: Bound, matrices: Sequence[ConfusionMatrix]) -> bool:
    """Whether a bound on part of the sets is met, by exact algebra."""
    values = _surds(demand, bound.score, [matrices[index] for index in bound.weights])
    total = sum(bound.weights.values())
    mean = Surd.rational(0)
    for weight, value in zip(bound.weights.values(), values, strict=True):
        if value is None:
            return False
        mean += value.scaled(weight / total)
    low, high = bound.interval
    return (low is None or mean.sign(low) >= 0) and (high is None or mean.sign(high) <= 0)


def _between(value: Surd, interval: Interval) -> bool:
    return value.sign(interval[0]) >= 0 and value.sign(interval[1]) <= 0


def set_groups(form: NormalForm, bounds: Sequence[Bound]) -> list[tuple[EvaluationSet, list[int]]]:
    """Sets that are alike in every respect, gathered: one of them and the indices of all."""
    membership: dict[int, list[tuple[int, Fraction]]] = {}
    for number, bound in enumerate(bounds):
        single = len(bound.weights) == 1
        for index, weight in bound.weights.items():
            label = ("alone", bound.score.name, bound.interval) if single else number
            membership.setdefault(index, []).append((label, weight))  # type: ignore[arg-type]
    groups: dict[object, tuple[EvaluationSet, list[int]]] = {}
    for index, one in enumerate(form.sets):
        key = (one, tuple(sorted(membership.get(index, []), key=repr)))
        groups.setdefault(key, (one, []))[1].append(index)
    return list(groups.values())
