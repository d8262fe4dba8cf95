"""What a report about several evaluation sets demands: means, spreads, extremes, bounds on parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from scoreproof.kinds.binary.engine.averages.hexagon import Hexagon
from scoreproof.kinds.binary.experiment.normal import EvaluationSet, NormalForm, Tree, weights
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, Shape
from scoreproof.reported.conventions import ExtremesOver, SpreadOver, Undefined

Interval = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Target:
    """One score: the interval of its mean, and of its deviation, minimum and maximum over the sets if reported.

    ``centre`` is the middle of the printed mean, about which squares are taken; ``variance`` the square of the printed
    deviation (or standard error, if ``error``) and ``ddof`` the admitted divisors (0 for the population's, 1 for the
    sample's). An extreme is a bound on all parts; if ``attained``, some part also reaches it.
    """

    score: Score
    mean: Interval | None
    centre: Fraction = Fraction(0)
    variance: Interval | None = None
    error: bool = False
    ddof: tuple[int, ...] = (0, 1)
    minimum: Interval | None = None
    maximum: Interval | None = None
    attained: bool = True


@dataclass(frozen=True, slots=True)
class Bound:
    """The mean of a score over a part of the tree lies in an interval, either end of which may be open."""

    score: Score
    interval: tuple[Fraction | None, Fraction | None]
    part: Tree

    @property
    def weights(self) -> dict[int, Fraction]:
        return weights(self.part)


@dataclass(frozen=True, slots=True)
class Demand:
    """Everything a report says about an experiment in normal form."""

    form: NormalForm
    targets: tuple[Target, ...]
    bounds: tuple[Bound, ...] = ()
    undefined: Undefined = Undefined.ANY
    hexagons: dict[int, Hexagon] = field(default_factory=dict)  # by set
    spread_over: SpreadOver = SpreadOver.FOLDS
    extremes_over: ExtremesOver = ExtremesOver.PARTS
    one_divisor: bool = False  # whichever of those admitted it is, all deviations have the same

    def by_divisor(self) -> tuple[Demand, ...]:
        """The demand with each divisor that all its deviations may have; itself where there is nothing to choose."""
        spread = [target for target in self.targets if target.variance is not None]
        if not self.one_divisor or len(spread) < 2:
            return (self,)
        shared = sorted(set.intersection(*(set(target.ddof) for target in spread)))
        return tuple(
            replace(self, targets=tuple(replace(t, ddof=(d,)) for t in self.targets), one_divisor=False) for d in shared
        )

    def fits(self, matrices: Sequence[ConfusionMatrix]) -> bool:
        """Whether these matrices, one per set, give the report: exactly."""
        from scoreproof.kinds.binary.engine.averages.judge import fits

        return fits(self, matrices)

    @property
    def extreme_parts(self) -> tuple[Tree, ...]:
        """What minima and maxima are taken over."""
        return self.form.parts if self.extremes_over is ExtremesOver.PARTS else tuple(range(len(self.form.sets)))

    @property
    def spread_parts(self) -> tuple[Tree, ...]:
        """What a ± is taken over."""
        if self.spread_over is SpreadOver.REPEATS:
            return self.form.repeats
        return self.form.parts if self.spread_over is SpreadOver.PARTS else tuple(range(len(self.form.sets)))

    @property
    def deviations_of_means(self) -> bool:
        """Whether a ± is over means of several sets."""
        return not all(isinstance(part, int) for part in self.spread_parts)


def by_score(demand: Demand) -> Iterator[tuple[Score, Target | None, list[Bound]]]:
    """What is said of each score: its target and the bounds on its parts."""
    targets = {target.score.name: target for target in demand.targets}
    scores = {target.score.name: target.score for target in demand.targets}
    scores.update({bound.score.name: bound.score for bound in demand.bounds})
    for name, score in scores.items():
        yield score, targets.get(name), [bound for bound in demand.bounds if bound.score.name == name]


def extremes_of_parts(demand: Demand) -> list[Bound]:
    """Extremes over parts that are means themselves, as bounds on these."""
    return [
        Bound(target.score, (target.minimum and target.minimum[0], target.maximum and target.maximum[1]), part)
        for target in demand.targets
        if target.minimum is not None or target.maximum is not None
        for part in demand.extreme_parts
        if not isinstance(part, int)
    ]


def treatments(score: Score, undefined: Undefined) -> tuple[str, ...]:
    """The ways in which a 0/0 of a score may have been counted; none if it would not have been reported.

    ``present`` is the recall of the only class there is, which is what scikit-learn gives as balanced accuracy; of an
    average over both classes it is the value of the class that has one, and ``zero`` and ``one`` fill the other's;
    ``harmonic`` leaves an F-score out wherever precision and recall are 0, as their harmonic mean is 0/0 there.
    """
    if undefined is Undefined.EXCLUDE:
        return ()
    if undefined is not Undefined.ANY:
        return (str(undefined),)
    if score.beta is not None:
        return ("zero", "skip", "harmonic")
    return ("zero", "skip", "present") if score.name == "bacc" or score.by_class is not None else ("zero", "skip")


def left_out(score: Score, treatment: str, tp: int, tn: int) -> bool:
    """Whether a treatment leaves a set out although the score is defined on it."""
    return treatment == "harmonic" and (tn if score.name.endswith("n") else tp) == 0


def filled(score: Score, treatment: str, matrix: ConfusionMatrix) -> Fraction | None:
    """What a 0/0 counts as under a treatment; None if the set is left out."""
    filler = {"zero": Fraction(0), "one": Fraction(1)}.get(treatment)
    if score.by_class is not None and treatment != "skip":
        classes = score.by_class(*matrix.cells)
        known = [(Fraction(num, den), weight) for num, den, weight in classes if den]
        if filler is not None:
            known += [(filler, weight) for _, den, weight in classes if not den]
        return sum((value * weight for value, weight in known), Fraction(0)) / sum(weight for _, weight in known)
    if treatment == "present":
        return Fraction(matrix.tp, matrix.p) if matrix.p else Fraction(matrix.tn, matrix.n)
    return filler


def set_groups(demand: Demand) -> list[tuple[EvaluationSet, list[int]]]:
    """Sets that are alike in every respect, gathered: one of them and the indices of all."""
    membership: dict[int, list[tuple[object, Fraction]]] = {}
    bounded: list[tuple[object, Tree]] = [
        (("alone", b.score.name, b.interval) if isinstance(b.part, int) else k, b.part)
        for k, b in enumerate(demand.bounds)
    ]
    if any(t.minimum or t.maximum for t in demand.targets):
        bounded += [(("part", k), part) for k, part in enumerate(demand.extreme_parts) if not isinstance(part, int)]
    if demand.spread_over is SpreadOver.REPEATS:
        bounded += [(("repeat", k), part) for k, part in enumerate(demand.form.repeats)]
    if not demand.form.flat and demand.undefined in (Undefined.ANY, Undefined.SKIP):
        # what is left out changes the weight of its neighbours: it matters which part a set is in
        bounded += [(("in", k), part) for k, part in enumerate(_innermost(demand.form.tree))]
    for label, part in bounded:
        for index, weight in weights(part).items():
            membership.setdefault(index, []).append((label, weight))
    groups: dict[object, tuple[EvaluationSet, list[int]]] = {}
    for index, one in enumerate(demand.form.sets):
        key = (one, tuple(sorted(membership.get(index, []), key=repr)), demand.hexagons.get(index))
        groups.setdefault(key, (one, []))[1].append(index)
    return list(groups.values())


def _innermost(tree: Tree) -> list[Tree]:
    """The means whose parts are sets, of those parts only."""
    if isinstance(tree, int):
        return []
    sets = tuple(piece for piece in tree if isinstance(piece, int))
    return ([sets] if sets else []) + [found for piece in tree for found in _innermost(piece)]


def linear_part(demand: Demand) -> Demand | None:
    """What a demand says of linear scores that are defined on all open folds, deviations aside; None if nothing."""
    open_counts = {
        counts for one in set(demand.form.sets) if one.family is not None for counts in demand.form.class_counts(one)
    }
    lacking = [(p, n) for p, n in open_counts if 0 in (p, n)]

    def linear(score: Score) -> bool:
        flat = score.builtin and score.shape is Shape.LINEAR
        return flat and all(score.ratio(0, n, p, 0)[1] > 0 for p, n in lacking)

    targets = tuple(replace(t, variance=None) for t in demand.targets if linear(t.score))
    bounds = tuple(bound for bound in demand.bounds if linear(bound.score))
    if len(targets) == len(demand.targets) and len(bounds) == len(demand.bounds) and targets == demand.targets:
        return demand
    return replace(demand, targets=targets, bounds=bounds) if targets or bounds else None


def class_counts_fit(demand: Demand, matrices: Sequence[ConfusionMatrix]) -> bool:
    """Whether matrices have the class counts, and the summands, that their sets may have."""
    form = demand.form
    if len(matrices) != len(form.sets) or any(min(matrix.cells) < 0 for matrix in matrices):
        return False
    for index, (one, matrix) in enumerate(zip(form.sets, matrices, strict=True)):
        if (matrix.p, matrix.n) not in form.class_counts(one):
            return False
        hexagon = demand.hexagons.get(index)
        if hexagon is not None and not hexagon.holds(matrix.tp, matrix.tn):
            return False
    for number, family in enumerate(form.families):
        mine = [matrix for one, matrix in zip(form.sets, matrices, strict=True) if one.family == number]
        if sum(matrix.p for matrix in mine) != family.p or sum(matrix.n for matrix in mine) != family.n:
            return False
        if family.rule is FoldRule.TRAINABLE and min(sum(m.p > 0 for m in mine), sum(m.n > 0 for m in mine)) < 2:
            return False
    return True
