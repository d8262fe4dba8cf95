"""How scores came about (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993, section 4.1), as a tree.

A ``TestSet`` is one evaluation. ``ScoreOfMeans`` adds the confusion matrices of its parts and scores once;
``MeanOfScores`` scores each part and averages. ``KFold`` is shorthand for one of them over the folds of a data
set. The tree only describes: it knows nothing of engines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from scoreproof.errors import InvalidExperiment
from scoreproof.limits import require_within
from scoreproof.reported import Claim
from scoreproof.validation import chosen, shown, truth, whole


class Aggregation(StrEnum):
    """How the results of several evaluations became one number."""

    MEAN_OF_SCORES = "mean_of_scores"
    SCORE_OF_MEANS = "score_of_means"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, name: str | Aggregation) -> Aggregation:
        return chosen("aggregation", name, cls, error=InvalidExperiment)


class FoldRule(StrEnum):
    """Which class counts the folds of a data set may have.

    Stratified: ``balanced`` (each class differs by less than one case from its even share: what every stratifying
    tool makes; how the larger halves of the two classes overlap is left open) or ``scikit-learn`` (exactly the folds of
    its versions since 0.22). Not stratified: ``any``, or ``trainable`` (each class is in at least two folds, so that
    every training set has both: Algorithm 2 of Fazekas and Kovács 2024).
    """

    BALANCED = "balanced"
    SCIKIT_LEARN = "scikit-learn"
    ANY = "any"
    TRAINABLE = "trainable"

    @classmethod
    def of(cls, name: str | FoldRule | None, *, stratified: bool) -> FoldRule:
        allowed = (cls.BALANCED, cls.SCIKIT_LEARN) if stratified else (cls.ANY, cls.TRAINABLE)
        if name is None:
            return allowed[0]
        kind = "stratified" if stratified else "unstratified"
        return chosen(f"rule of {kind} folds", name, allowed, error=InvalidExperiment)


_USUAL = 10**30  # cases, below which no limit is looked at


def case_count(what: str, value: Any, *, at_least: int = 0) -> int:
    """A number of cases, folds or the like, however large."""
    return whole(what, value, at_least=at_least, at_most=None, error=InvalidExperiment)


def _class_counts(owner: Any) -> None:
    p, n = owner.p, owner.n
    if type(p) is int and type(n) is int and p >= 0 and n >= 0 and 0 < p + n < _USUAL:
        return
    object.__setattr__(owner, "p", case_count("p (positives)", owner.p))
    object.__setattr__(owner, "n", case_count("n (negatives)", owner.n))
    if owner.p + owner.n == 0:
        raise InvalidExperiment("p and n are both 0: there is nothing to evaluate")


class TreeSize(NamedTuple):
    """How many levels and how many nodes a tree has."""

    depth: int
    nodes: int


_LEAF = TreeSize(1, 1)


@dataclass(frozen=True, slots=True)
class TestSet:
    """One evaluation on ``p`` positive and ``n`` negative cases."""

    kind: ClassVar[str] = "binary"
    __test__ = False  # not a test case, whatever its name suggests to pytest

    p: int
    n: int

    def __post_init__(self) -> None:
        _class_counts(self)

    def to_dict(self) -> dict[str, Any]:
        return {"type": "testset", "p": self.p, "n": self.n}

    def __str__(self) -> str:
        return f"one test set, p={self.p}, n={self.n}"


@dataclass(frozen=True, slots=True)
class KFold:
    """Cross-validation of a data set with ``p`` positives and ``n`` negatives in ``k`` folds.

    Folds have equal sizes, give or take one case; ``rule`` says which class counts they may have (see ``FoldRule``).
    ``repeats`` counts how often the whole was done with new folds. ``ranges`` maps score names to the smallest and
    largest value any fold had, as for ``MeanOfScores``.
    """

    kind: ClassVar[str] = "binary"
    p: int
    n: int
    k: int
    repeats: int = 1
    stratified: bool = True
    aggregation: Aggregation = Aggregation.MEAN_OF_SCORES
    rule: FoldRule | str | None = None
    ranges: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    def __new__(cls, *args: Any, **settings: Any) -> Any:
        """With ``counts`` instead of p and n, the folds of several classes (see ``kinds.multi_class.experiment``)."""
        if "counts" in settings:
            from scoreproof.kinds.multi_class.experiment import folds_from

            if args:
                raise InvalidExperiment(
                    "KFold: with counts of several classes give k and the like by name, and no p, n"
                )
            return folds_from(settings)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        _class_counts(self)
        object.__setattr__(self, "k", case_count("k (folds)", self.k, at_least=2))
        object.__setattr__(self, "repeats", case_count("repeats", self.repeats, at_least=1))
        object.__setattr__(self, "aggregation", Aggregation.of(self.aggregation))
        truth("stratified", self.stratified, error=InvalidExperiment)
        object.__setattr__(self, "rule", FoldRule.of(self.rule, stratified=self.stratified))
        object.__setattr__(self, "ranges", _ranges("KFold", self.ranges))
        if self.k > self.p + self.n:
            raise InvalidExperiment(
                f"k: {self.k} folds of {self.p + self.n} cases leave some folds empty; k is at most {self.p + self.n}"
            )

    def to_dict(self) -> dict[str, Any]:
        plain = {name: getattr(self, name) for name in ("p", "n", "k", "repeats", "stratified")}
        conventions = {"aggregation": str(self.aggregation), "rule": str(self.rule)}
        return {"type": "kfold", **plain, **conventions, **_written(self.ranges)}

    def __str__(self) -> str:
        times = f"{self.repeats} times " if self.repeats > 1 else ""
        kind = "stratified" if self.stratified else "unstratified"
        special = {FoldRule.SCIKIT_LEARN: " as scikit-learn makes them", FoldRule.TRAINABLE: " with each class in two"}
        way = str(self.aggregation).replace("_", " ")
        return f"{times}{self.k} {kind} folds{special.get(self.rule, '')} of p={self.p}, n={self.n}, {way}"  # type: ignore[call-overload]


@dataclass(frozen=True, slots=True)
class _Parts:
    """Evaluations whose results became one number; ``extent`` is how deep and large the tree of them is."""

    type: ClassVar[str]
    parts: Sequence[Experiment]
    extent: TreeSize = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the parts, and how deep and large the tree becomes: one part may stand in it again and again."""
        name = type(self).__name__
        parts = _checked_parts(name, self.parts)
        inside = [getattr(part, "extent", _LEAF) for part in parts]
        extent = TreeSize(1 + max(size.depth for size in inside), 1 + sum(size.nodes for size in inside))
        require_within("depth", extent.depth, name)
        require_within("sets", extent.nodes - 1, name)
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "extent", extent)

    @property
    def kind(self) -> str:
        return self.parts[0].kind

    def to_dict(self) -> dict[str, Any]:
        parts = [part.to_dict() for part in self.parts]
        return {"type": self.type, "parts": parts, **_written(getattr(self, "ranges", {}))}


@dataclass(frozen=True, slots=True)
class _RangedParts(_Parts):
    ranges: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _Parts.__post_init__(self)
        object.__setattr__(self, "ranges", _ranges(type(self).__name__, self.ranges))


@dataclass(frozen=True, slots=True)
class ScoreOfMeans(_RangedParts):
    """The confusion matrices of the parts are added, and the sum is scored.

    ``ranges`` bounds the scores of the parts, as for ``MeanOfScores``; here for accuracy, sensitivity, specificity and
    their complements.
    """

    type: ClassVar[str] = "score_of_means"

    def __post_init__(self) -> None:
        _RangedParts.__post_init__(self)
        for part in self.parts:
            if isinstance(part, MeanOfScores) or (
                isinstance(part, KFold) and part.aggregation is Aggregation.MEAN_OF_SCORES
            ):
                raise InvalidExperiment(
                    "ScoreOfMeans: a part is itself a mean of scores, which has no confusion matrix to add; "
                    'give folds aggregation="score_of_means"'
                )

    def __str__(self) -> str:
        if self.kind != "binary":
            return f"score of means over {len(self.parts)} parts of several classes"
        p, n = total_counts(self)
        return f"score of means over {len(self.parts)} parts, in all p={p}, n={n}"


@dataclass(frozen=True, slots=True)
class MeanOfScores(_RangedParts):
    """Each part is scored, and the scores are averaged.

    ``ranges`` maps score names to the smallest and largest value any part had, as ``(low, high)``; either may be
    None.
    """

    type: ClassVar[str] = "mean_of_scores"

    def __str__(self) -> str:
        return f"mean of scores over {len(self.parts)} parts"


@dataclass(frozen=True, slots=True)
class UnknownAggregation(_Parts):
    """The report does not say whether scores were averaged or matrices added: both are tried."""

    type: ClassVar[str] = "unknown_aggregation"
    kind: ClassVar[str] = "binary"  # whatever its parts are

    def __str__(self) -> str:
        return f"{len(self.parts)} parts, aggregated in an unknown way"


Experiment = TestSet | KFold | ScoreOfMeans | MeanOfScores | UnknownAggregation


class Ranges(dict[str, tuple[Any, Any]]):
    """Scores and the smallest and largest value of any part; never changed, so that experiments can be keys."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset((name, str(low), str(high)) for name, (low, high) in self.items()))


def _ranges(owner: str, ranges: Any) -> Ranges:
    if not isinstance(ranges, Mapping):
        raise InvalidExperiment(f"{owner}: expected ranges as a mapping from scores to pairs, got {shown(ranges)}")
    pairs: dict[str, tuple[Any, Any]] = {}
    for name, pair in ranges.items():
        if not isinstance(name, str) or not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise InvalidExperiment(f"{owner}: expected a range (low, high) for {shown(name)}, got {shown(pair)}")
        pairs[name] = (pair[0], pair[1])
    return Ranges(pairs)


def _written(ranges: Mapping[str, tuple[Any, Any]]) -> dict[str, Any]:
    """Ranges for a dictionary; nothing where there are none."""
    return {"ranges": {name: [_plain(low), _plain(high)] for name, (low, high) in ranges.items()}} if ranges else {}


def _plain(end: Any) -> Any:
    """An end of a range: a claim by its text and how it was read, an exact number as a quotient, or as it was given."""
    if isinstance(end, Claim):
        return {key: text for key, text in end.to_dict().items() if key in ("text", "rounding", "eps")}
    return end if end is None or isinstance(end, (int, float)) else str(end)


def _checked_parts(owner: str, parts: Any) -> tuple[Experiment, ...]:
    if isinstance(parts, (str, bytes)) or not isinstance(parts, Sequence):
        raise InvalidExperiment(f"{owner}: expected a list of experiments, got {shown(parts)}")
    if not parts:
        raise InvalidExperiment(f"{owner}: expected at least one part, got none")
    for part in parts:
        if not isinstance(part, Experiment) and getattr(part, "kind", "") != "multi_class":
            raise InvalidExperiment(f"{owner}: expected experiments such as TestSet(p, n) as parts, got {shown(part)}")
    if len({part.kind for part in parts}) > 1:
        raise InvalidExperiment(f"{owner}: expected parts of two classes each, or of several classes each; got both")
    return tuple(parts)


def sums_matrices(experiment: Experiment) -> bool:
    """Whether the scores come from one confusion matrix, added up if there are parts."""
    if experiment.__class__ is TestSet:
        return True
    if isinstance(experiment, KFold):
        return experiment.aggregation is Aggregation.SCORE_OF_MEANS
    if isinstance(experiment, ScoreOfMeans):
        return all(map(sums_matrices, experiment.parts))
    return isinstance(experiment, TestSet)


def total_counts(experiment: Experiment) -> tuple[int, int]:
    """The positives and negatives evaluated in all, every repeat counted.

    >>> total_counts(KFold(p=204, n=228, k=4, repeats=3, aggregation="score_of_means"))
    (612, 684)
    """
    if isinstance(experiment, TestSet):
        return experiment.p, experiment.n
    if isinstance(experiment, KFold):
        return experiment.repeats * experiment.p, experiment.repeats * experiment.n
    counts = [total_counts(part) for part in experiment.parts]
    return sum(p for p, _ in counts), sum(n for _, n in counts)
