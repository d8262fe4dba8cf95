"""Experiments on several classes: one test set of known or unknown class counts, labels, cross-validation, means.

Labels do not exclude each other; folds, means and sums over parts are lists of class counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment, NotCovered
from scoreproof.kinds.binary.experiment.tree import Aggregation, MeanOfScores, ScoreOfMeans
from scoreproof.kinds.statement import Described
from scoreproof.validation import shown, whole

FEWEST_CLASSES, MOST_CLASSES = 2, 1_000
MOST_CASES = 10**9
_LONGEST_NAME = 200
_MOST_NAMED = 5

Counts = Sequence[int] | Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MultiClass:
    """One evaluation on several classes, of which every case has one; ``counts`` are the cases of each class.

    Where these are not known, ``total`` is the number of all cases, and ``classes`` how many classes there are, or
    their names; without it the lists of scores by class say how many.

    >>> str(MultiClass({"cat": 50, "dog": 70, "cow": 30}))
    'one confusion matrix of 3 classes on 150 cases (cat 50, dog 70, cow 30)'
    >>> str(MultiClass(total=150, classes=3))
    'one confusion matrix of 3 classes on 150 cases, class counts unknown'
    """

    counts: Counts | None = None
    total: int | None = None
    classes: int | Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.counts is None:
            if self.total is None:
                raise InvalidExperiment("MultiClass: expected class counts such as [50, 70, 30], or total=150")
            total = whole("total", self.total, at_least=1, at_most=MOST_CASES, error=InvalidExperiment)
            object.__setattr__(self, "total", total)
            object.__setattr__(self, "classes", _classes(self.classes))
            return
        if self.total is not None or self.classes is not None:
            raise InvalidExperiment("MultiClass: counts say how many classes and cases there are; leave out the rest")
        object.__setattr__(self, "counts", _counts("MultiClass", self.counts))

    @property
    def kind(self) -> str:
        return "multi_class" if self.counts is not None else "unknown_counts"

    @property
    def names(self) -> tuple[str, ...]:
        """The classes' names; numbers from 1 where none were given; nothing where nobody says how many there are."""
        if self.counts is not None:
            return _names(self.counts)
        if isinstance(self.classes, int) or self.classes is None:
            return numbered(self.classes or 0)
        return tuple(self.classes)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The cases of every class."""
        if self.counts is None:
            raise InvalidExperiment(f"the cases of every class are needed here, but {self} was given")
        return _sizes(self.counts)

    def to_dict(self) -> dict[str, Any]:
        if self.counts is not None:
            return {"type": "multi_class", "counts": _written(self.counts)}
        stated = list(self.classes) if isinstance(self.classes, tuple) else self.classes
        return {"type": "multi_class", "total": self.total} | ({} if stated is None else {"classes": stated})

    def __str__(self) -> str:
        if self.counts is None:
            many = f"{len(self.names)} classes" if self.names else "several classes"
            return f"one confusion matrix of {many} on {self.total} cases, class counts unknown"
        return (
            f"one confusion matrix of {len(self.sizes)} classes on {sum(self.sizes)} cases "
            f"({described(self.names, self.sizes)})"
        )


@dataclass(frozen=True, slots=True)
class MultiLabel(Described):
    """One evaluation on labels that do not exclude each other; ``counts`` are the cases that have each label.

    ``total`` is how many cases there are; scores that count true negatives need it.

    >>> str(MultiLabel([50, 70], total=100))
    '2 labels on 100 cases, not exclusive (1: 50, 2: 70)'
    """

    kind: ClassVar[str] = "multi_label"
    counts: Counts
    total: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", _counts("MultiLabel", self.counts, fewest=1))
        if self.total is not None:
            most = max(self.sizes)
            total = whole("total", self.total, at_least=max(1, most), at_most=MOST_CASES, error=InvalidExperiment)
            object.__setattr__(self, "total", total)

    @property
    def names(self) -> tuple[str, ...]:
        return _names(self.counts)

    @property
    def sizes(self) -> tuple[int, ...]:
        return _sizes(self.counts)

    def __str__(self) -> str:
        cases = "an unknown number of" if self.total is None else str(self.total)
        labels = described(self.names, self.sizes)
        return f"{len(self.sizes)} labels on {cases} cases, not exclusive ({labels})"


class _Named(dict[str, int]):
    """Class counts by name, in order; never changed, so that experiments can be keys."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


def described(names: Sequence[str], sizes: Sequence[int]) -> str:
    """The classes with their cases, the first few of many."""
    colon = ":" if all(name.isdigit() for name in names) else ""
    told = [f"{name}{colon} {size}" for name, size in zip(names, sizes, strict=True)][:_MOST_NAMED]
    more = len(names) - len(told)
    return f"{', '.join(told)}{f' and {more} more' if more else ''}"


def _names(counts: Any) -> tuple[str, ...]:
    return tuple(counts) if isinstance(counts, Mapping) else numbered(len(counts))


def numbered(classes: int) -> tuple[str, ...]:
    """Names of classes that have none."""
    return tuple(str(at + 1) for at in range(classes))


def _classes(classes: Any) -> int | tuple[str, ...] | None:
    """A number of classes, or their names."""
    if classes is None or (isinstance(classes, Sequence) and not isinstance(classes, (str, bytes))):
        for name in classes or ():
            _require_name("classes", name)
        number = len(classes or ()) if classes is not None else FEWEST_CLASSES
    else:
        number = whole("classes", classes, error=InvalidExperiment)
    if not FEWEST_CLASSES <= number <= MOST_CLASSES:
        raise InvalidExperiment(f"classes: expected {FEWEST_CLASSES} to {MOST_CLASSES} classes, got {number}")
    return classes if classes is None else tuple(classes) if isinstance(classes, Sequence) else number


def _require_name(owner: str, name: Any) -> None:
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        raise InvalidExperiment(
            f"{owner}: expected names of classes of at most {_LONGEST_NAME} letters, got {shown(name)}"
        )


def _sizes(counts: Any) -> tuple[int, ...]:
    return tuple(counts.values()) if isinstance(counts, Mapping) else counts


def _written(counts: Any) -> Any:
    return dict(counts) if isinstance(counts, Mapping) else list(counts)


def _counts(owner: str, counts: Any, fewest: int = FEWEST_CLASSES) -> Any:
    if isinstance(counts, Mapping):
        for name in counts:
            _require_name(owner, name)
        sizes = [_size(f"class {name!r}", n) for name, n in counts.items()]
        read: Any = _Named(zip(counts, sizes, strict=True))
    elif isinstance(counts, Sequence) and not isinstance(counts, (str, bytes)):
        sizes = [_size(f"class {at + 1}", n) for at, n in enumerate(counts)]
        read = tuple(sizes)
    else:
        raise InvalidExperiment(f"{owner}: expected class counts such as [50, 70, 30], got {shown(counts)}")
    if not fewest <= len(sizes) <= MOST_CLASSES:
        raise InvalidExperiment(f"{owner}: expected {fewest} to {MOST_CLASSES} classes, got {len(sizes)}")
    if not 1 <= sum(sizes) <= MOST_CASES:
        raise InvalidExperiment(f"{owner}: expected 1 to {MOST_CASES} cases in all, got {sum(sizes)}")
    return read


def _size(what: str, value: Any) -> int:
    return whole(f"{what}: cases", value, at_most=MOST_CASES, error=InvalidExperiment)


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
        """The class counts of every fold of one repeat.

        Fold f gets every k-th case of the cases sorted by class, from the f-th on: scikit-learn since 0.22.
        """
        ends, k = [0, *accumulate(MultiClass(self.counts).sizes)], self.k
        every = [[(end - fold + k - 1) // k for end in ends] for fold in range(k)]
        return [tuple(b - a for a, b in pairwise(fold)) for fold in every]

    def _settled(self) -> bool:
        """Whether all orders of the classes give the same folds, whatever their order.

        The odd cases of the classes are arcs of a cycle of k folds, each beginning where the one before ends: of two
        the overlap is the same either way, and more are settled where no two arcs, or no two of the rests, overlap.
        """
        odd = [n % self.k for n in MultiClass(self.counts).sizes if n % self.k]
        return len(odd) <= 2 or sum(odd) <= self.k or sum(self.k - n for n in odd) <= self.k

    def to_dict(self) -> dict[str, Any]:
        counts = MultiClass(self.counts).to_dict()["counts"]
        tree = {"type": "kfold", "counts": counts, "k": self.k, "repeats": self.repeats}
        return tree | {"aggregation": str(self.aggregation)} | ({} if self.rule is None else {"rule": self.rule})

    def __str__(self) -> str:
        times = f"{self.repeats} times " if self.repeats > 1 else ""
        way = str(self.aggregation).replace("_", " ")
        return f"{times}{self.k} stratified folds of {str(MultiClass(self.counts)).partition(' of ')[2]}, {way}"


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
