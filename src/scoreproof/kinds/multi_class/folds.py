"""Cross-validation with several classes, and means and sums over parts, as lists of class counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, pairwise, permutations
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment, NotCovered
from scoreproof.kinds.binary.experiment.tree import Aggregation, MeanOfScores, ScoreOfMeans
from scoreproof.kinds.multi_class.experiment import Counts, MultiClass
from scoreproof.validation import shown, whole

_MOST_ORDERS = 5_040
_MOST_SETS = 1_000
_RULE = "scikit-learn"


@dataclass(frozen=True, slots=True)
class ClassFolds:
    """Stratified cross-validation with several classes: what ``KFold(counts=..., k=...)`` gives.

    Where the cases of a class are no multiple of k, which folds get the odd ones depends on the order in which the
    classes first appear in the data; ``rule="scikit-learn"`` says that they do in the order given.

    >>> ClassFolds([5, 7, 3], k=2, rule="scikit-learn").sets
    [(3, 3, 2), (2, 4, 1)]
    """

    kind: ClassVar[str] = "multi_class"
    counts: Counts
    k: int = 5
    repeats: int = 1
    aggregation: Aggregation = Aggregation.MEAN_OF_SCORES
    rule: str | None = None

    def __post_init__(self) -> None:
        whole_set = MultiClass(self.counts)
        object.__setattr__(self, "counts", whole_set.counts)
        object.__setattr__(
            self, "k", whole("k (folds)", self.k, at_least=2, at_most=_MOST_SETS, error=InvalidExperiment)
        )
        repeats = whole("repeats", self.repeats, at_least=1, at_most=_MOST_SETS, error=InvalidExperiment)
        object.__setattr__(self, "repeats", repeats)
        object.__setattr__(self, "aggregation", Aggregation.of(self.aggregation))
        if self.rule not in (None, _RULE):
            raise InvalidExperiment(f"rule: of several classes it is {_RULE!r} or not given, got {self.rule!r}")
        if self.k > sum(whole_set.sizes):
            raise InvalidExperiment(f"k: {self.k} folds of {sum(whole_set.sizes)} cases leave some folds empty")
        if self.rule is None and self.aggregation is not Aggregation.SCORE_OF_MEANS and not self._settled():
            raise InvalidExperiment(
                "KFold: class counts are not multiples of k, so that the folds depend on the order in which classes "
                "first appear in the data; say rule='scikit-learn' to take them in the order given, or list the folds "
                "as MeanOfScores([MultiClass(...), ...])"
            )

    @property
    def names(self) -> tuple[str, ...]:
        return MultiClass(self.counts).names

    @property
    def sets(self) -> list[tuple[int, ...]]:
        """The class counts of every fold of one repeat."""
        return _allocated(MultiClass(self.counts).sizes, self.k)

    def _settled(self) -> bool:
        """Whether all orders of the classes give the same folds, whatever their order."""
        sizes = MultiClass(self.counts).sizes
        if all(n % self.k == 0 for n in sizes):
            return True
        wanted = sorted(self.sets)
        orders = list(islice(permutations(range(len(sizes))), _MOST_ORDERS + 1))
        if len(orders) > _MOST_ORDERS:
            return False
        for order in orders:
            folds = _allocated([sizes[at] for at in order], self.k)
            if sorted(tuple(fold[order.index(at)] for at in range(len(sizes))) for fold in folds) != wanted:
                return False
        return True

    def to_dict(self) -> dict[str, Any]:
        counts = MultiClass(self.counts).to_dict()["counts"]
        tree = {"type": "kfold", "counts": counts, "k": self.k, "repeats": self.repeats}
        return tree | {"aggregation": str(self.aggregation)} | ({} if self.rule is None else {"rule": self.rule})

    def __str__(self) -> str:
        times = f"{self.repeats} times " if self.repeats > 1 else ""
        way = str(self.aggregation).replace("_", " ")
        return f"{times}{self.k} stratified folds of {str(MultiClass(self.counts)).partition(' of ')[2]}, {way}"


def _allocated(sizes: Sequence[int], k: int) -> list[tuple[int, ...]]:
    """Fold f gets every k-th case of the cases sorted by class, from the f-th on: scikit-learn since 0.22."""
    ends = [0, *accumulate(sizes)]
    return [tuple((b - fold + k - 1) // k - (a - fold + k - 1) // k for a, b in pairwise(ends)) for fold in range(k)]


def averages_sets(experiment: Any) -> bool:
    """Whether scores of several sets are averaged."""
    if isinstance(experiment, ClassFolds):
        return experiment.aggregation is Aggregation.MEAN_OF_SCORES
    return isinstance(experiment, MeanOfScores)


def sets_of(experiment: Any) -> tuple[tuple[str, ...], list[tuple[int, ...]]]:
    """The classes' names, and the class counts of all sets whose scores are averaged with equal weights."""
    if isinstance(experiment, MultiClass):
        return experiment.names, [experiment.sizes]
    if isinstance(experiment, ClassFolds):
        if experiment.aggregation is Aggregation.UNKNOWN:
            raise NotCovered("aggregation: of several classes say mean_of_scores or score_of_means")
        if experiment.aggregation is Aggregation.SCORE_OF_MEANS:
            return experiment.names, [tuple(n * experiment.repeats for n in MultiClass(experiment.counts).sizes)]
        return experiment.names, _limited(experiment.sets * experiment.repeats)
    if isinstance(experiment, (MeanOfScores, ScoreOfMeans)):
        if experiment.ranges:
            raise NotCovered("ranges: of several classes the ranges of the parts' scores are not tested")
        parts = [sets_of(part) for part in experiment.parts]
        names = parts[0][0]
        if any(own != names for own, _ in parts):
            raise InvalidExperiment("parts: expected the same classes in every part")
        if isinstance(experiment, ScoreOfMeans):
            return names, [tuple(map(sum, zip(*(counts for _, own in parts for counts in own), strict=True)))]
        if len({len(own) for _, own in parts}) != 1:
            raise NotCovered("parts: a mean over parts with different numbers of folds is not tested")
        return names, _limited([counts for _, own in parts for counts in own])
    raise InvalidExperiment(f"experiment: expected MultiClass([50, 70, 30]) or means of these, got {shown(experiment)}")


def _limited(sets: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    if len(sets) > _MOST_SETS:
        raise InvalidExperiment(f"the experiment has more than {_MOST_SETS} evaluation sets")
    return sets


def folds_from(settings: Mapping[str, Any]) -> ClassFolds:
    """The folds a dictionary describes."""
    unknown = set(settings) - {"counts", "k", "repeats", "aggregation", "rule", "stratified"}
    if unknown:
        raise InvalidExperiment(f"kfold with counts: unknown key {', '.join(sorted(unknown))}")
    if settings.get("stratified", True) is not True:
        raise NotCovered("KFold: unstratified folds of several classes are not covered")
    return ClassFolds(**{key: value for key, value in settings.items() if key != "stratified"})
