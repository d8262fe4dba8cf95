"""Normal form of a mean of scores (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993): sets with weights.

A tree of means and sums becomes a flat list of evaluation sets with rational weights that add up to one, and the
tree of their indices (a mean that leaves out undefined parts needs to know the levels). Sets whose class counts are
not fully known come in families, the folds of one data set, that share its cases. The engines see only this.

scikit-learn's stratified folds follow Table 6 there; other tools let the odd cases of the two classes overlap
differently. Without stratification only the sizes of the folds are known; ``fold_configurations`` lists every way the
classes can fall (Algorithm 2 there, as partitions of the positives over folds of two sizes).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidExperiment, NotCovered
from scoreproof.kinds.binary.experiment.tree import (
    Experiment,
    FoldRule,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    sums_matrices,
    total_counts,
)
from scoreproof.limits import require_within
from scoreproof.validation import whole

_MOST = 100_000  # cases of a data set whose folds are listed

Fold = tuple[int, int]


def stratified_folds(p: int, n: int, k: int) -> list[Fold]:
    """The class counts of k stratified folds, larger folds first.

    >>> stratified_folds(38, 262, 5)
    [(8, 52), (8, 52), (8, 52), (7, 53), (7, 53)]
    """
    p_div, p_mod = divmod(p, k)
    n_div, n_mod = divmod(n, k)
    both = max(0, p_mod + n_mod - k)
    neither = max(0, k - p_mod - n_mod)
    return (
        [(p_div + 1, n_div + 1)] * both
        + [(p_div + 1, n_div)] * (p_mod - both)
        + [(p_div, n_div + 1)] * (n_mod - both)
        + [(p_div, n_div)] * neither
    )


def overlaps(p: int, n: int, k: int) -> tuple[int, int]:
    """How many of k balanced folds may have an odd positive and an odd negative: at least, at most; none is empty.

    >>> overlaps(38, 262, 5)
    (0, 2)
    """
    p_mod, n_mod = p % k, n % k
    least = max(0, p_mod + n_mod - k)
    return least, least if max(p, n) < k else min(p_mod, n_mod)


def fold_sizes(p: int, n: int, k: int) -> list[tuple[int, int]]:
    """The sizes of k folds and how many folds have each: the larger first.

    >>> fold_sizes(126, 132, 4)
    [(65, 2), (64, 2)]
    """
    size, larger = divmod(p + n, k)
    return [(cases, count) for cases, count in ((size + 1, larger), (size, k - larger)) if count]


def fold_configurations(p: int, n: int, k: int) -> Iterator[tuple[Fold, ...]]:
    """Every way p positives and n negatives can fall into k folds of equal size (give or take one case).

    Each configuration is a tuple of (positives, negatives); their order carries no meaning. As in Algorithm 2, at
    least two folds hold a positive and at least two a negative, so that every training set has both classes.

    >>> sum(1 for _ in fold_configurations(30, 300, 5))
    673
    """
    sizes: list[int] = []
    for what, count, least, most in (("p (positives)", p, 0, _MOST), ("n (negatives)", n, 0, _MOST), ("k", k, 2, 500)):
        sizes.append(whole(what, count, at_least=least, at_most=most, error=InvalidExperiment))
    return _dealt_folds(*sizes)


def _dealt_folds(p: int, n: int, k: int) -> Iterator[tuple[Fold, ...]]:
    size, larger = divmod(p + n, k)
    for positives in range(max(0, p - (k - larger) * size), min(p, larger * (size + 1)) + 1):
        for first in _partitions(positives, larger, size + 1):
            for second in _partitions(p - positives, k - larger, size):
                folds = tuple((q, size + 1 - q) for q in first) + tuple((q, size - q) for q in second)
                if min(sum(a > 0 for a, _ in folds), sum(b > 0 for _, b in folds)) >= 2:
                    yield folds


def _partitions(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All ways to write ``total`` as ``parts`` non-increasing numbers from 0 to ``largest``."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    least = -(-total // parts)
    for head in range(min(total, largest), least - 1, -1):
        for rest in _partitions(total - head, parts - 1, head):
            yield (head, *rest)


Tree = int | tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """One confusion matrix of the experiment and its weight in the mean.

    ``family`` is None for known class counts. A fold of a balanced family has ``p`` positives and ``n`` negatives or
    one more of either; a fold of any other family has ``p + n`` cases of unknown classes.
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
    """The folds of one data set whose class counts are open: together they hold its ``p`` and ``n`` cases.

    Balanced folds of all repeats form one family (any overlap of odd cases in all is one of the single repeats').
    """

    p: int
    n: int
    folds: int
    rule: FoldRule
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class PartRange:
    """A bound on a score's mean over a part of the tree (or on one set's score)."""

    score: str
    low: Any
    high: Any
    part: Tree


@dataclass(frozen=True, slots=True)
class NormalForm:
    """Evaluation sets with weights, families of open folds, and bounds on parts of the mean."""

    sets: tuple[EvaluationSet, ...]
    families: tuple[Family, ...]
    ranges: tuple[PartRange, ...]
    sums: Mapping[int, Experiment]  # sets that are sums of matrices whose scores are bounded
    tree: Tree
    repeats: tuple[Tree, ...] = ()  # of a repeated cross-validation, the folds of each repeat

    @property
    def parts(self) -> tuple[Tree, ...]:
        """The direct parts of the outermost mean."""
        return self.tree if isinstance(self.tree, tuple) else (self.tree,)

    @property
    def flat(self) -> bool:
        """Whether every part of the outermost mean is one evaluation set."""
        return self.parts == tuple(range(len(self.sets)))

    def class_counts(self, evaluated: EvaluationSet) -> Sequence[tuple[int, int]]:
        """The positives and negatives a set may have."""
        p, n = evaluated.p, evaluated.n
        if evaluated.family is None:
            return [(p, n)]
        if self.families[evaluated.family].rule is FoldRule.BALANCED:
            return [(p + more, n + extra) for more in (0, 1) for extra in (0, 1)]
        return [(positives, evaluated.size - positives) for positives in self._positives(evaluated, evaluated.family)]

    def open_counts(self, evaluated: EvaluationSet) -> int:
        """How many class counts a set may have, without listing them; ``len`` cannot say more than 2^63."""
        family = evaluated.family
        if family is None or self.families[family].rule is FoldRule.BALANCED:
            return len(self.class_counts(evaluated))
        return max(0, (places := self._positives(evaluated, family)).stop - places.start)

    def _positives(self, evaluated: EvaluationSet, family: int) -> range:
        whole = self.families[family]
        return range(max(0, evaluated.size - whole.n), min(whole.p, evaluated.size) + 1)


def members(tree: Tree) -> list[int]:
    """The sets of a part of the tree."""
    return [tree] if isinstance(tree, int) else [index for part in tree for index in members(part)]


def weights(tree: Tree, left_out: Collection[int] = ()) -> dict[int, Fraction]:
    """The weights of the sets that count in a mean of means, levels without any of them left out."""
    if isinstance(tree, int):
        return {} if tree in left_out else {tree: Fraction(1)}
    if all(isinstance(part, int) for part in tree):
        alone = [part for part in tree if isinstance(part, int) and part not in left_out]
        return dict.fromkeys(alone, Fraction(1, len(alone))) if alone else {}
    parts = [inside for part in tree if (inside := weights(part, left_out))]
    return {index: weight / len(parts) for inside in parts for index, weight in inside.items()}


class _Builder:
    def __init__(self, pooled: bool) -> None:
        self.pooled = pooled
        self.sets: list[EvaluationSet] = []
        self.families: list[Family] = []
        self.ranges: list[PartRange] = []
        self.sums: dict[int, Experiment] = {}

    def add(self, experiment: Experiment, weight: Fraction) -> Tree:
        """Append the sets of an experiment; the tree of their indices."""
        if sums_matrices(experiment):
            return self._sum(experiment, weight)
        if isinstance(experiment, KFold):
            return self._folds(experiment, weight)
        assert isinstance(experiment, MeanOfScores)
        share = weight / len(experiment.parts)
        parts = tuple(self.add(part, share) for part in experiment.parts)
        self._ranged(experiment, parts)
        return parts

    def _ranged(self, owner: KFold | MeanOfScores, parts: tuple[Tree, ...]) -> None:
        if owner.ranges:
            self.ranges += [PartRange(name, *ends, part) for part in parts for name, ends in owner.ranges.items()]

    def _sum(self, experiment: Experiment, weight: Fraction) -> int:
        require_within("sets", len(self.sets) + 1, "the experiment")
        self.sets.append(EvaluationSet(*total_counts(experiment), weight))
        if ranged(experiment):
            self.sums[len(self.sets) - 1] = experiment
        return len(self.sets) - 1

    def _folds(self, experiment: KFold, weight: Fraction) -> Tree:
        total = experiment.k * experiment.repeats
        require_within("sets", len(self.sets) + total, "the experiment")
        each = weight / total
        start = len(self.sets)
        p, n, k = experiment.p, experiment.n, experiment.k
        known = known_folds(experiment)
        if known is not None:
            kinds = {fold: EvaluationSet(*fold, each) for fold in dict.fromkeys(known)}
            self.sets += [kinds[fold] for fold in known]
        elif experiment.stratified:
            together = experiment.repeats if self.pooled else 1
            for _ in range(experiment.repeats // together):
                self.families.append(Family(p * together, n * together, k * together, FoldRule.BALANCED, together))
                self.sets += [EvaluationSet(p // k, n // k, each, len(self.families) - 1)] * (k * together)
        else:
            for _ in range(experiment.repeats):
                self.families.append(Family(p, n, k, FoldRule(experiment.rule or FoldRule.ANY)))
                for size, count in fold_sizes(p, n, k):
                    self.sets += [EvaluationSet(0, size, each, len(self.families) - 1)] * count
        folds = tuple(range(start, len(self.sets)))
        self._ranged(experiment, folds)
        return folds


def known_folds(experiment: KFold) -> list[Fold] | None:
    """The class counts of the folds of all repeats; None if there are several ways."""
    least, most = overlaps(experiment.p, experiment.n, experiment.k)
    if experiment.rule is not FoldRule.SCIKIT_LEARN and not (experiment.stratified and least == most):
        return None
    return stratified_folds(experiment.p, experiment.n, experiment.k) * experiment.repeats


def ranged(experiment: Experiment) -> bool:
    """Whether an experiment, or a summand of it, bounds the scores of its parts."""
    if isinstance(experiment, KFold):
        return bool(experiment.ranges)
    return isinstance(experiment, ScoreOfMeans) and (bool(experiment.ranges) or any(map(ranged, experiment.parts)))


def summands(experiment: Experiment) -> list[tuple[int, int]]:
    """The class counts of the matrices whose scores a sum bounds."""
    if isinstance(experiment, ScoreOfMeans):
        if any(map(ranged, experiment.parts)):
            raise NotCovered("ranges at two levels of a score of means are not supported; give one of them")
        return [total_counts(part) for part in experiment.parts]
    assert isinstance(experiment, KFold)
    known = known_folds(experiment)
    if known is None:
        raise NotCovered(
            "ranges of summed folds need folds of known class counts: use rule='scikit-learn', or a ScoreOfMeans of "
            "the folds as test sets"
        )
    return known


def normal_form(experiment: Experiment, *, pooled: bool = True) -> NormalForm:
    """Flatten a tree of means; an error for trees whose aggregation is unknown (see ``readings``).

    Balanced folds of all repeats are pooled unless it matters which repeat a fold belongs to.

    >>> form = normal_form(KFold(p=38, n=262, k=5, repeats=2))
    >>> len(form.sets), form.sets[0].weight
    (10, Fraction(1, 10))
    """
    builder = _Builder(pooled)
    tree = builder.add(experiment, Fraction(1))
    repeats: tuple[Tree, ...] = ()
    if isinstance(experiment, KFold) and experiment.repeats > 1 and isinstance(tree, tuple):
        repeats = tuple(tree[at : at + experiment.k] for at in range(0, len(tree), experiment.k))
    sets, families = tuple(builder.sets), tuple(builder.families)
    return NormalForm(sets, families, tuple(builder.ranges), builder.sums, tree, repeats)
