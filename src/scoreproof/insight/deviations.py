"""What may have gone otherwise than stated: each deviation a small declaration.

A deviation says two things: which experiment was really performed, and what became of the report before it was
printed. Power is relative to a deviation, as for any statistical test (Fazekas & Kovács 2024,
doi:10.1016/j.asoc.2024.111993, sections 3.4 and 4.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import isqrt
from typing import Any, ClassVar, Self

from scoreproof.checking.check import experiment_from_dict
from scoreproof.errors import InvalidExperiment, InvalidOption
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.binary.assumptions import aggregated_otherwise, recounted
from scoreproof.kinds.binary.experiment import Experiment, KFold, TestSet
from scoreproof.kinds.binary.experiment.tree import case_count
from scoreproof.kinds.binary.scores import Score, score
from scoreproof.validation import chosen, shown

Units = tuple[int, ...]  # the printed values of a report, each a multiple of the last digit
Alternative = tuple[float, Units]  # a probability and the report that then is printed


@dataclass(frozen=True, slots=True)
class Deviation(Jsonable):
    """Nothing went wrong; what the other deviations differ from.

    ``performed`` gives the experiment that produced the scores, ``altered`` the reports that may be printed instead of
    the true one, with their probabilities.
    """

    name: ClassVar[str] = "none"
    _told = "name *"

    def performed(self, stated: Experiment) -> Experiment:
        return stated

    def altered(self, units: Units, scores: tuple[Score, ...], scale: int) -> tuple[Alternative, ...]:
        return ((1.0, units),)

    def __str__(self) -> str:
        return "no deviation"


@dataclass(frozen=True, slots=True)
class LastDigit(Deviation):
    """The last digit of one score is off by one, up or down with equal chances.

    Without a ``score`` each reported one is as likely to be hit. Where one direction would leave the score's range
    (1.01 for an accuracy) the slip goes the other way.

    >>> from scoreproof.kinds.binary.scores import score
    >>> [units for _, units in LastDigit("acc").altered((100, 93), (score("acc"), score("sens")), 100)]
    [(99, 93)]
    """

    name: ClassVar[str] = "last digit"
    score: str | None = None

    def altered(self, units: Units, scores: tuple[Score, ...], scale: int) -> tuple[Alternative, ...]:
        values = {
            place: [unit for unit in (units[place] - 1, units[place] + 1) if printable(scores[place], unit, scale)]
            for place in _places(self.score, scores)
        }
        return _one_changed(units, values)

    def __str__(self) -> str:
        return f"the last digit of {self.score or 'one score'} off by one"


@dataclass(frozen=True, slots=True)
class SwappedColumns(Deviation):
    """Two scores change places: the pair that is named, or any pair with equal chances.

    >>> from scoreproof.kinds.binary.scores import score
    >>> SwappedColumns("sens", "acc").altered((90, 80), (score("acc"), score("sens")), 100)
    ((1.0, (80, 90)),)
    """

    name: ClassVar[str] = "swapped columns"
    first: str | None = None
    second: str | None = None

    def __post_init__(self) -> None:
        if (self.first is None) != (self.second is None):
            raise InvalidOption("swapped columns: expected two scores or none, got one")

    def altered(self, units: Units, scores: tuple[Score, ...], scale: int) -> tuple[Alternative, ...]:
        pairs = list(product(_places(self.first, scores), _places(self.second, scores)))
        if self.first is None:
            pairs = list(combinations(range(len(scores)), 2))
            if not pairs:
                raise InvalidOption("swapped columns: expected at least two reported scores, got one")
        elif pairs[0][0] == pairs[0][1]:
            raise InvalidOption(f"swapped columns: {self.first} and {self.second} are one score; name two")
        swaps = ({i: units[j], j: units[i]} for i, j in pairs)
        return tuple((1 / len(pairs), tuple(swap.get(k, unit) for k, unit in enumerate(units))) for swap in swaps)

    def __str__(self) -> str:
        return f"{self.first} and {self.second} swapped" if self.first else "two scores swapped"


_SHARE = Fraction(0), Fraction(1)  # the range of scores that have a complement
#: Means that are easily taken for one another: a score, its two ingredients, and the mean it should be.
_MEANS = (
    ("f1", "ppv", "sens", "harmonic"),
    ("fm", "ppv", "sens", "geometric"),
    ("bacc", "sens", "spec", "arithmetic"),
    ("gm", "sens", "spec", "geometric"),
)


@dataclass(frozen=True, slots=True)
class WrongFormula(Deviation):
    """One score was implemented wrongly: its complement was printed (the error rate for the accuracy), or another mean
    of its two ingredients (precision and sensitivity averaged arithmetically for F1), where both are reported.

    Without a ``score`` each reported one is as likely to be hit, and each wrong formula of it.

    >>> from scoreproof.kinds.binary.scores import score
    >>> scores = (score("f1"), score("ppv"), score("sens"))
    >>> [units for _, units in WrongFormula("f1").altered((48, 90, 33), scores, 100)]
    [(52, 90, 33), (62, 90, 33), (54, 90, 33)]
    """

    name: ClassVar[str] = "wrong formula"
    score: str | None = None

    def altered(self, units: Units, scores: tuple[Score, ...], scale: int) -> tuple[Alternative, ...]:
        wrong = {place: _wrong_values(place, units, scores, scale) for place in _places(self.score, scores)}
        if not any(wrong.values()):
            if all(scores[place].range == _SHARE for place in wrong):
                return ((1.0, units),)  # one half is its own complement
            raise InvalidOption(
                "wrong formula: expected a score between 0 and 1, or one whose ingredients are reported"
            )
        return _one_changed(units, {place: values for place, values in wrong.items() if values})

    def __str__(self) -> str:
        return f"{self.score or 'one score'} by a wrong formula"


def _one_changed(units: Units, values: Mapping[int, Sequence[int]]) -> tuple[Alternative, ...]:
    """The reports with another value in one place, each place equally likely, and each of its values."""
    return tuple(
        (1 / (len(values) * len(own)), (*units[:place], value, *units[place + 1 :]))
        for place, own in values.items()
        for value in own
    )


def _wrong_values(place: int, units: Units, scores: tuple[Score, ...], scale: int) -> list[int]:
    """What wrong formulas print instead of a score, without what happens to be right."""
    values = [scale - units[place]] if scores[place].range == _SHARE else []
    where = {each.name: units[i] for i, each in enumerate(scores)}
    for name, first, second, right in _MEANS:
        if name == scores[place].name and first in where and second in where:
            a, b = where[first], where[second]
            means = {
                "arithmetic": (a + b + 1) // 2,
                "geometric": (isqrt(4 * a * b) + 1) // 2,
                "harmonic": (4 * a * b + a + b) // (2 * (a + b)) if a + b else 0,
            }
            values += [value for kind, value in means.items() if kind != right]
    return [value for value in dict.fromkeys(values) if value != units[place]]


@dataclass(frozen=True, slots=True)
class OtherCounts(Deviation):
    """The data really had other class counts than stated.

    >>> OtherCounts(p=262).performed(KFold(p=38, n=262, k=5)).p
    262
    """

    name: ClassVar[str] = "other counts"
    p: int | None = None
    n: int | None = None

    def __post_init__(self) -> None:
        if self.p is None and self.n is None:
            raise InvalidOption("other counts: expected the true p, the true n or both, got neither")
        for what, value in (("true p", self.p), ("true n", self.n)):
            if value is not None:
                case_count(what, value)

    def performed(self, stated: Experiment) -> Experiment:
        p, n = _one_data_set(self.name, stated)
        counts = p if self.p is None else self.p, n if self.n is None else self.n
        return recounted(stated, lambda *_: counts)

    def __str__(self) -> str:
        stated = [f"{what} = {value}" for what, value in (("p", self.p), ("n", self.n)) if value is not None]
        return f"really {' and '.join(stated)}"


@dataclass(frozen=True, slots=True)
class Oversampling(Deviation):
    """The smaller class was enlarged before the data were split, so that copies were evaluated too.

    It is raised to the size of the larger class, or ``to`` a stated number of cases. The flaw is described by
    Vandewiele et al. (2021, doi:10.1016/j.artmed.2020.101987).

    >>> Oversampling(to=244).performed(KFold(p=38, n=262, k=5, stratified=False)).p
    244
    """

    name: ClassVar[str] = "oversampling"
    to: int | None = None

    def performed(self, stated: Experiment) -> Experiment:
        if self.to is None:
            return recounted(stated, lambda p, n: (max(p, n), max(p, n)))
        p, n = _one_data_set(self.name, stated)
        raised = case_count("oversampling to", self.to)
        if raised < min(p, n):
            raise InvalidOption(f"oversampling: expected at least the {min(p, n)} cases there are, got {raised}")
        return recounted(stated, lambda p, n: (raised, n) if p <= n else (p, raised))

    def __str__(self) -> str:
        size = "" if self.to is None else f" to {self.to}"
        return f"the smaller class oversampled{size} before the data were split"


@dataclass(frozen=True, slots=True)
class OtherAggregation(Deviation):
    """The mean of scores was reported where the score of means is stated, or the reverse.

    >>> str(OtherAggregation().performed(KFold(p=20, n=30, k=5)).aggregation)
    'score_of_means'
    """

    name: ClassVar[str] = "other aggregation"

    def performed(self, stated: Experiment) -> Experiment:
        other = aggregated_otherwise(stated)
        if other is not None:
            return other
        raise InvalidExperiment(f"other aggregation: expected folds or parts with a stated aggregation, got {stated}")

    def __str__(self) -> str:
        return "scores averaged the other way"


@dataclass(frozen=True, slots=True)
class OtherExperiment(Deviation):
    """The scores come from another experiment altogether."""

    name: ClassVar[str] = "other experiment"
    experiment: Any

    def performed(self, stated: Any) -> Any:
        if getattr(self.experiment, "kind", None) != stated.kind:
            raise InvalidExperiment(f"other experiment: expected one like {stated}, got {shown(self.experiment)}")
        return self.experiment

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return cls(experiment_from_dict(document["experiment"]))

    def __str__(self) -> str:
        return f"really {self.experiment}"


TWO_CLASSES = (WrongFormula, OtherCounts, Oversampling, OtherAggregation)  # they speak of positives and negatives
_NAMED = {
    kind.name: kind for kind in (Deviation, LastDigit, SwappedColumns, WrongFormula, Oversampling, OtherAggregation)
}
_KINDS: dict[str, type[Deviation]] = {**_NAMED, OtherCounts.name: OtherCounts, OtherExperiment.name: OtherExperiment}


def deviation_of(given: str | Deviation | Mapping[str, Any]) -> Deviation:
    """The deviation of a name, with its defaults, or of a document; a deviation is returned as it is.

    >>> print(deviation_of("oversampling"))
    the smaller class oversampled before the data were split
    """
    if isinstance(given, Deviation):
        return given
    if isinstance(given, Mapping):
        return _KINDS[chosen("deviation", given.get("name"), _KINDS)].from_dict(given)
    spelled = given.lower().replace("_", " ").replace("-", " ") if isinstance(given, str) else ""
    kind = _NAMED.get(" ".join(spelled.split()))
    if kind is None:
        raise InvalidOption(
            f"deviation: expected one of {', '.join(_NAMED)}, or OtherCounts(p, n) and the like; got {shown(given)}"
        )
    return kind()


def printable(wanted: Score, units: int, scale: int) -> bool:
    """Whether a value lies in the range of its score."""
    least, most = wanted.range
    if least is not None and units * least.denominator < least.numerator * scale:
        return False
    return most is None or units * most.denominator <= most.numerator * scale


def _places(name: str | None, scores: Sequence[Score]) -> Sequence[int]:
    """Where a score stands among those reported; without a name all of their places."""
    if name is None:
        return range(len(scores))
    names = [each.name for each in scores]
    wanted = name if name in names else score(name).name
    if wanted not in names:
        raise InvalidOption(f"deviation: {name} is not among the reported scores {', '.join(names)}")
    return [names.index(wanted)]


def _one_data_set(what: str, stated: Experiment) -> tuple[int, int]:
    if not isinstance(stated, (TestSet, KFold)):
        raise InvalidExperiment(
            f"{what}: new counts need an experiment on one data set, got {stated}; use OtherExperiment instead"
        )
    return stated.p, stated.n
