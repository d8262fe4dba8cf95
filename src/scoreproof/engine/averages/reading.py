"""From reported values to what they demand of a mean of scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from scoreproof.engine.averages.targets import Bound, Demand, Interval, Target, Undefined
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.experiment import Experiment, MeanOfScores, NormalForm, ScoreOfMeans, UnknownAggregation
from scoreproof.reported import Reported, Rounding
from scoreproof.reported.rounding import interval
from scoreproof.scores import Score, score


class Spread(StrEnum):
    """What follows a ±: a standard deviation over the sets, a standard error of the mean, or nothing that is tested."""

    DEVIATION = "deviation"
    ERROR = "error"
    IGNORE = "ignore"


class Divisor(StrEnum):
    """By what a variance was divided: the number of sets, one less, or either (usually it is not said)."""

    ANY = "any"
    POPULATION = "population"
    SAMPLE = "sample"

    @property
    def ddof(self) -> tuple[int, ...]:
        return {"any": (0, 1), "population": (0,), "sample": (1,)}[self]


@dataclass(frozen=True, slots=True)
class Averages:
    """What was said about the averaging beyond the means themselves."""

    minimum: tuple[Reported, ...] = ()
    maximum: tuple[Reported, ...] = ()
    attained: bool = True
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY
    fold_digits: int | None = None

    def to_dict(self, reported: Sequence[Reported]) -> dict[str, Any]:
        """What a certificate's statement says of it: only what differs from the default or matters."""
        said: dict[str, Any] = {}
        if any(one.spread is not None for one in reported):
            said["spread"] = str(self.spread)
            said["divisor"] = str(self.divisor)
        if self.minimum:
            said["minimum"] = [one.to_dict() for one in self.minimum]
        if self.maximum:
            said["maximum"] = [one.to_dict() for one in self.maximum]
        if self.minimum or self.maximum:
            said["attained"] = self.attained
        if self.fold_digits is not None:
            said["fold_digits"] = self.fold_digits
        return said


def choice(kind: type[Spread] | type[Divisor], what: str, name: str) -> Any:
    """A member of one of the enumerations above, or an error that lists them."""
    try:
        return kind(name)
    except ValueError:
        raise InvalidOption(f"{what}: expected one of {', '.join(kind)}; got {name!r}") from None


ReadRange = Callable[[Score, Any], Reported | Fraction]


def demand(
    form: NormalForm, reported: Sequence[Reported], averages: Averages, undefined: Undefined, read_range: ReadRange
) -> Demand:
    """Everything the report says, as intervals."""
    spread = any(one.spread is not None for one in reported) and averages.spread is not Spread.IGNORE
    if spread and not form.flat:
        raise InvalidValue(
            "a ± over parts that are themselves means of scores is not supported; leave it out, or use spread='ignore'"
        )
    if spread and len(form.sets) < 2:
        raise InvalidValue("a ± needs at least two evaluation sets; leave it out, or use spread='ignore'")
    if undefined is Undefined.SKIP and (spread or not form.uniform):
        what = "a ±" if spread else "nested means with unequal weights"
        raise InvalidOption(f"undefined='skip' together with {what} is not supported; use 'exclude' or 'zero'")
    extremes = {
        side: {one.score.name: (one.low, one.high) for one in given}
        for side, given in (("minimum", averages.minimum), ("maximum", averages.maximum))
    }
    targets = [_target(one, averages, extremes, len(form.sets)) for one in reported]
    named = {one.score.name for one in reported}
    for one in (*averages.minimum, *averages.maximum):
        if one.score.name not in named:
            named.add(one.score.name)
            least, most = (extremes[side].get(one.score.name) for side in ("minimum", "maximum"))
            targets.append(Target(one.score, None, minimum=least, maximum=most, attained=averages.attained))
    bounds = []
    for given in form.ranges:
        found = score(given.score)
        low, high = (_end(found, value, read_range, side) for side, value in enumerate((given.low, given.high)))
        if low is not None and high is not None and low > high:
            raise InvalidOption(f"ranges: the low end of {given.score} lies above its high end")
        bounds.append(Bound(found, (low, high), dict(given.weights)))
    return Demand(form, tuple(targets), tuple(bounds), undefined)


def _target(one: Reported, averages: Averages, extremes: Mapping[str, Mapping[str, Interval]], sets: int) -> Target:
    low, high = one.low, one.high
    if averages.fold_digits is not None:
        unit = Fraction(1, 10**averages.fold_digits)
        low, high = low - unit, high + unit
    variance = None
    if one.spread is not None and averages.spread is not Spread.IGNORE:
        least, most = _spread_interval(one)
        factor = sets if averages.spread is Spread.ERROR else 1
        variance = (max(least, Fraction(0)) ** 2 * factor, most**2 * factor)
    return Target(
        one.score,
        (low, high),
        (one.low + one.high) / 2,
        variance,
        averages.divisor.ddof,
        extremes["minimum"].get(one.score.name),
        extremes["maximum"].get(one.score.name),
        averages.attained,
    )


def _spread_interval(one: Reported) -> Interval:
    assert one.spread is not None
    if one.spread.units < 0:
        raise InvalidValue(f"{one.name}: a ± cannot be negative, got {one.text!r}")
    if one.eps is not None:
        return one.spread.value - one.eps, one.spread.value + one.eps
    return interval(one.spread.units, one.spread.scale, one.rounding or Rounding.ANY)


def _end(found: Score, value: Any, read_range: ReadRange, side: int) -> Fraction | None:
    if value is None:
        return None
    read = read_range(found, value)
    return read if isinstance(read, Fraction) else (read.low, read.high)[side]


def stated(experiment: Experiment, read_range: ReadRange) -> dict[str, Any]:
    """The experiment as a certificate states it: ranges with the rounding they were read by."""
    tree = experiment.to_dict()
    if isinstance(experiment, (MeanOfScores, ScoreOfMeans, UnknownAggregation)):
        tree["parts"] = [stated(part, read_range) for part in experiment.parts]
    if isinstance(experiment, MeanOfScores) and experiment.ranges:
        tree["ranges"] = {
            score(name).name: [_stated_end(score(name), end, read_range) for end in ends]
            for name, ends in experiment.ranges.items()
        }
    return tree


def _stated_end(found: Score, value: Any, read_range: ReadRange) -> Any:
    if value is None:
        return None
    read = read_range(found, value)
    if isinstance(read, Fraction):
        return str(read)
    return {key: text for key, text in read.to_dict().items() if key in ("text", "rounding", "eps")}
