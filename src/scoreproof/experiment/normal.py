"""The normal form every mean of scores reduces to.

A tree of means and sums becomes a flat list of evaluation sets with rational weights that add up to one. Sets whose
class counts are unknown come in families (the folds of one data set) that share their positives. The engines see
only this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from scoreproof.errors import InvalidExperiment
from scoreproof.experiment.folds import fold_sizes, stratified_folds
from scoreproof.experiment.tree import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
    sums_matrices,
    total_counts,
)

_MOST_SETS = 100_000


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """One confusion matrix of the experiment and its weight in the mean.

    ``family`` is None for known class counts; otherwise the set holds ``p + n`` cases of unknown classes and belongs
    to the data set of that number.
    """

    p: int
    n: int
    weight: Fraction
    family: int | None = None

    @property
    def size(self) -> int:
        return self.p + self.n


@dataclass(frozen=True, slots=True)
class Family:
    """A data set whose folds have unknown class counts: they share its positives and negatives."""

    p: int
    n: int
    folds: int


@dataclass(frozen=True, slots=True)
class PartRange:
    """A bound on a score's mean over some of the sets (or on one set's score)."""

    score: str
    low: Any
    high: Any
    weights: Mapping[int, Fraction]


@dataclass(frozen=True, slots=True)
class NormalForm:
    """Evaluation sets with weights, families of unknown folds, and bounds on parts of the mean."""

    sets: tuple[EvaluationSet, ...]
    families: tuple[Family, ...]
    ranges: tuple[PartRange, ...]
    flat: bool  # every part of the outermost mean is one evaluation set

    @property
    def uniform(self) -> bool:
        """Whether all sets weigh the same."""
        return len({one.weight for one in self.sets}) == 1


class _Builder:
    def __init__(self) -> None:
        self.sets: list[EvaluationSet] = []
        self.families: list[Family] = []
        self.ranges: list[PartRange] = []

    def add(self, experiment: Experiment, weight: Fraction) -> dict[int, Fraction]:
        """Append the sets of an experiment; their indices and weights within it."""
        if sums_matrices(experiment):
            p, n = total_counts(experiment)
            self._room(1)
            self.sets.append(EvaluationSet(p, n, weight))
            return {len(self.sets) - 1: Fraction(1)}
        if isinstance(experiment, KFold):
            return self._folds(experiment, weight)
        assert isinstance(experiment, MeanOfScores)
        share = Fraction(1, len(experiment.parts))
        inside: dict[int, Fraction] = {}
        for part in experiment.parts:
            members = self.add(part, weight * share)
            for name, (low, high) in experiment.ranges.items():
                self.ranges.append(PartRange(name, low, high, members))
            inside.update({index: within * share for index, within in members.items()})
        return inside

    def _folds(self, experiment: KFold, weight: Fraction) -> dict[int, Fraction]:
        total = experiment.k * experiment.repeats
        self._room(total)
        share = Fraction(1, total)
        each = weight * share
        start = len(self.sets)
        for _ in range(experiment.repeats):
            if experiment.stratified:
                folds = stratified_folds(experiment.p, experiment.n, experiment.k)
                self.sets += [EvaluationSet(p, n, each) for p, n in folds]
            else:
                family = len(self.families)
                self.families.append(Family(experiment.p, experiment.n, experiment.k))
                for size, count in fold_sizes(experiment.p, experiment.n, experiment.k):
                    self.sets += [EvaluationSet(0, size, each, family)] * count
        return dict.fromkeys(range(start, len(self.sets)), share)

    def _room(self, more: int) -> None:
        if len(self.sets) + more > _MOST_SETS:
            raise InvalidExperiment(f"the experiment has more than {_MOST_SETS} evaluation sets")


def normal_form(experiment: Experiment) -> NormalForm:
    """Flatten a tree of means; an error for trees whose aggregation is unknown (see ``readings``).

    >>> form = normal_form(KFold(p=38, n=262, k=5, repeats=2))
    >>> len(form.sets), form.sets[0].weight
    (10, Fraction(1, 10))
    """
    builder = _Builder()
    builder.add(experiment, Fraction(1))
    flat = not isinstance(experiment, MeanOfScores) or all(sums_matrices(part) for part in experiment.parts)
    return NormalForm(tuple(builder.sets), tuple(builder.families), tuple(builder.ranges), flat)


def readings(experiment: Experiment) -> list[Experiment]:
    """The experiments an unknown aggregation may stand for; parts at one level are read in one way.

    >>> [type(one).__name__ for one in readings(UnknownAggregation([TestSet(5, 5), TestSet(6, 6)]))]
    ['MeanOfScores', 'ScoreOfMeans']
    """
    found: list[Experiment] = []
    for choice in product((Aggregation.MEAN_OF_SCORES, Aggregation.SCORE_OF_MEANS), repeat=_depth(experiment)):
        one = _read(experiment, choice)
        if one is not None and one not in found:
            found.append(one)
    return found


def _depth(experiment: Experiment) -> int:
    """How many levels of the tree have an unknown aggregation."""
    if isinstance(experiment, KFold):
        return int(experiment.aggregation is Aggregation.UNKNOWN)
    if isinstance(experiment, TestSet):
        return 0
    return max(map(_depth, experiment.parts)) + isinstance(experiment, UnknownAggregation)


def _read(experiment: Experiment, choice: tuple[Aggregation, ...]) -> Experiment | None:
    """The tree with the choices made, outermost level first; None if means would have to be summed."""
    if isinstance(experiment, TestSet):
        return experiment
    if isinstance(experiment, KFold):
        if experiment.aggregation is not Aggregation.UNKNOWN:
            return experiment
        return KFold(experiment.p, experiment.n, experiment.k, experiment.repeats, experiment.stratified, choice[0])
    here = choice[0] if isinstance(experiment, UnknownAggregation) else None
    below = choice[1:] if isinstance(experiment, UnknownAggregation) else choice
    parts = [_read(part, below) for part in experiment.parts]
    if any(part is None for part in parts):
        return None
    read = tuple(part for part in parts if part is not None)
    if isinstance(experiment, ScoreOfMeans) or here is Aggregation.SCORE_OF_MEANS:
        return ScoreOfMeans(read) if all(map(sums_matrices, read)) else None
    return MeanOfScores(read, experiment.ranges if isinstance(experiment, MeanOfScores) else {})


def is_unknown(experiment: Experiment) -> bool:
    """Whether any level of the tree leaves its aggregation open."""
    return _depth(experiment) > 0


def known_sets(form: NormalForm) -> Iterator[EvaluationSet]:
    """The sets with known class counts."""
    return (one for one in form.sets if one.family is None)
