"""The constraints of a report on several evaluation sets: means, spreads, extremes, bounds on parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor

from scoreproof.kinds.binary.experiment.normal import EvaluationSet, NormalForm, Tree, weights
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, Shape
from scoreproof.reported.conventions import ExtremesOver, SpreadOver, Undefined

# What a bound on these scores says of a matrix: of its tp, its tn, or both; and whether the score counts errors.
COUNTED = {
    "sens": ("tp", False),
    "fnr": ("tp", True),
    "spec": ("tn", False),
    "fpr": ("tn", True),
    "acc": ("right", False),
    "err": ("right", True),
}

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hexagon:
    """The least and the most tp, tn and tp + tn."""

    tp: Pair
    tn: Pair
    right: Pair

    @classmethod
    def whole(cls, p: int, n: int) -> Hexagon:
        """All matrices of p positives and n negatives."""
        return cls((0, p), (0, n), (0, p + n))

    def holds(self, tp: int, tn: int) -> bool:
        return all(low <= x <= high for x, (low, high) in ((tp, self.tp), (tn, self.tn), (tp + tn, self.right)))

    @property
    def empty(self) -> bool:
        return any(low > high for low, high in (self.tp, self.tn, self.right))

    def bounded(self, name: str, p: int, n: int, low: Fraction | None, high: Fraction | None) -> Hexagon:
        """What is left if a counted score of a matrix (p, n) lies between two values."""
        what, errors = COUNTED[name]
        total = {"tp": p, "tn": n, "right": p + n}[what]
        if errors:
            low, high = (None if high is None else 1 - high), (None if low is None else 1 - low)
        least = 0 if low is None else max(0, ceil(low * total))
        most = total if high is None else min(total, floor(high * total))
        pairs = {"tp": self.tp, "tn": self.tn, "right": self.right}
        pairs[what] = _meet(pairs[what], (least, most))
        return Hexagon(pairs["tp"], pairs["tn"], pairs["right"]).closed()

    def closed(self) -> Hexagon:
        """The same points with bounds that are all reached; one whose bounds cross has none."""
        tp, tn, right = self.tp, self.tn, self.right
        for _ in range(2):
            right = _meet(right, (tp[0] + tn[0], tp[1] + tn[1]))
            tp = _meet(tp, (right[0] - tn[1], right[1] - tn[0]))
            tn = _meet(tn, (right[0] - tp[1], right[1] - tp[0]))
        return Hexagon(tp, tn, right)

    def __add__(self, other: Hexagon) -> Hexagon:
        if self.empty or other.empty:
            return Hexagon((1, 0), (1, 0), (1, 0))
        own, yours = (self.tp, self.tn, self.right), (other.tp, other.tn, other.right)
        return Hexagon(*((a[0] + b[0], a[1] + b[1]) for a, b in zip(own, yours, strict=True)))


def _meet(first: Pair, second: Pair) -> Pair:
    return max(first[0], second[0]), min(first[1], second[1])


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
class Constraints:
    """Everything a report says about an experiment in normal form."""

    form: NormalForm
    targets: tuple[Target, ...]
    bounds: tuple[Bound, ...] = ()
    undefined: Undefined = Undefined.ANY
    hexagons: dict[int, Hexagon] = field(default_factory=dict)  # by set
    spread_over: SpreadOver = SpreadOver.FOLDS
    extremes_over: ExtremesOver = ExtremesOver.PARTS
    one_divisor: bool = False  # whichever of those admitted it is, all deviations have the same

    def by_divisor(self) -> tuple[Constraints, ...]:
        """The constraints with each divisor that all their deviations may have; themselves if nothing is open."""
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


def by_score(constraints: Constraints) -> Iterator[tuple[Score, Target | None, list[Bound]]]:
    """What is said of each score: its target and the bounds on its parts."""
    targets = {target.score.name: target for target in constraints.targets}
    scores = {target.score.name: target.score for target in constraints.targets}
    scores.update({bound.score.name: bound.score for bound in constraints.bounds})
    for name, score in scores.items():
        yield score, targets.get(name), [bound for bound in constraints.bounds if bound.score.name == name]


def extremes_of_parts(constraints: Constraints) -> list[Bound]:
    """Extremes over parts that are means themselves, as bounds on these."""
    return [
        Bound(target.score, (target.minimum and target.minimum[0], target.maximum and target.maximum[1]), part)
        for target in constraints.targets
        if target.minimum is not None or target.maximum is not None
        for part in constraints.extreme_parts
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


def set_groups(constraints: Constraints) -> list[tuple[EvaluationSet, list[int]]]:
    """Sets that are alike in every respect, gathered: one of them and the indices of all."""
    membership: dict[int, list[tuple[object, Fraction]]] = {}
    bounded: list[tuple[object, Tree]] = [
        (("alone", b.score.name, b.interval) if isinstance(b.part, int) else k, b.part)
        for k, b in enumerate(constraints.bounds)
    ]
    if any(t.minimum or t.maximum for t in constraints.targets):
        bounded += [
            (("part", k), part) for k, part in enumerate(constraints.extreme_parts) if not isinstance(part, int)
        ]
    if constraints.spread_over is SpreadOver.REPEATS:
        bounded += [(("repeat", k), part) for k, part in enumerate(constraints.form.repeats)]
    if not constraints.form.flat and constraints.undefined in (Undefined.ANY, Undefined.SKIP):
        # what is left out changes the weight of its neighbours: it matters which part a set is in
        bounded += [(("in", k), part) for k, part in enumerate(_innermost(constraints.form.tree))]
    for label, part in bounded:
        for index, weight in weights(part).items():
            membership.setdefault(index, []).append((label, weight))
    groups: dict[object, tuple[EvaluationSet, list[int]]] = {}
    for index, subset in enumerate(constraints.form.sets):
        key = (subset, tuple(sorted(membership.get(index, []), key=repr)), constraints.hexagons.get(index))
        groups.setdefault(key, (subset, []))[1].append(index)
    return list(groups.values())


def _innermost(tree: Tree) -> list[Tree]:
    """The means whose parts are sets, of those parts only."""
    if isinstance(tree, int):
        return []
    sets = tuple(piece for piece in tree if isinstance(piece, int))
    return ([sets] if sets else []) + [mean for piece in tree for mean in _innermost(piece)]


def linear_part(constraints: Constraints) -> Constraints | None:
    """What is said of linear scores that are defined on all open folds, deviations aside; None if nothing."""
    open_counts = {
        counts
        for subset in {each for each in constraints.form.sets if each.family is not None}
        for counts in constraints.form.class_counts(subset)
    }
    lacking = [(p, n) for p, n in open_counts if 0 in (p, n)]

    def linear(score: Score) -> bool:
        flat = score.builtin and score.shape is Shape.LINEAR
        return flat and all(score.ratio(0, n, p, 0)[1] > 0 for p, n in lacking)

    targets = tuple(replace(t, variance=None) for t in constraints.targets if linear(t.score))
    bounds = tuple(bound for bound in constraints.bounds if linear(bound.score))
    if (
        len(targets) == len(constraints.targets)
        and len(bounds) == len(constraints.bounds)
        and targets == constraints.targets
    ):
        return constraints
    return replace(constraints, targets=targets, bounds=bounds) if targets or bounds else None


def class_counts_fit(constraints: Constraints, matrices: Sequence[ConfusionMatrix]) -> bool:
    """Whether matrices have the class counts, and the summands, that their sets may have."""
    form = constraints.form
    if len(matrices) != len(form.sets):
        return False
    # alike folds are one object, and so are their matrices in a witness
    pairs = {(id(subset), id(matrix)): (subset, matrix) for subset, matrix in zip(form.sets, matrices, strict=True)}
    for subset, matrix in pairs.values():
        if min(matrix.cells) < 0 or (matrix.p, matrix.n) not in form.class_counts(subset):
            return False
    if not all(hexagon.holds(matrices[k].tp, matrices[k].tn) for k, hexagon in constraints.hexagons.items()):
        return False
    for number, family in enumerate(form.families):
        folds = [matrix for subset, matrix in zip(form.sets, matrices, strict=True) if subset.family == number]
        if sum(matrix.p for matrix in folds) != family.p or sum(matrix.n for matrix in folds) != family.n:
            return False
        if family.rule is FoldRule.TRAINABLE and min(sum(m.p > 0 for m in folds), sum(m.n > 0 for m in folds)) < 2:
            return False
    return True


MOST_COLUMNS = 1_500_000
MOST_VALUES = 30_000_000  # columns times rows, 16 bytes each
_MOST_COUNTS = 100_000  # class counts of one fold
_MOST_KINDS = 5_000  # evaluation sets that differ
_MOST_OPEN = 20_000_000  # data sets with open folds times folds, all of which are looked at together


class TooManyPoints(Exception):
    """The points of a problem, or their values, are too large to be listed; caught by whoever wanted to list them."""


def beyond_reach(constraints: Constraints) -> str:
    """Why constraints are not even looked at, in words; empty if they are."""
    form = constraints.form
    if not form.families and len(form.sets) <= _MOST_KINDS:
        return ""
    kinds = set(form.sets)
    if any(form.open_counts(each) > _MOST_COUNTS for each in kinds):
        return (
            "the evaluation sets are too large to list their points, and folds of unknown class counts are not decided "
            "at this size"
        )
    if len(form.families) * len(form.sets) > _MOST_OPEN:
        return f"{len(form.sets):,} folds of unknown class counts in {len(form.families):,} repeats are not decided"
    different = len(kinds) - len(form.families)
    if different > _MOST_KINDS:
        return f"{different:,} different evaluation sets are not decided, at most {_MOST_KINDS:,}"
    return ""


def can_be_listed(constraints: Constraints, columns: int) -> bool:
    """Whether the points of all sets, so many columns, fit into memory with all their rows."""
    return columns <= MOST_COLUMNS and columns * rows_expected(constraints) <= MOST_VALUES


def rows_expected(constraints: Constraints) -> int:
    """About how many rows the model of some constraints would have; rather too many."""
    ranged = sum(not isinstance(bound.part, int) for bound in (*constraints.bounds, *extremes_of_parts(constraints)))
    families = len(constraints.form.families)
    return 8 * len(constraints.targets) + 3 * ranged + 3 * families + 3 * (len(list(set_groups(constraints))) + 1)
