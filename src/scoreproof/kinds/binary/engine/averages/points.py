"""Points (p, n, tp, tn) of alike sets, and bounds implied by a ± (Savelsbergh 1994, doi:10.1287/ijoc.6.4.445).

With squares about the mean of k values that add up to so much, none can be further off than the root of (k - 1)/k of
that, as the others are off by as much in all. Where a score is 0/0, a point becomes one column for each admitted way to
count that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, isqrt

import numpy as np

from scoreproof.arrays import Bools, Floats, Ints
from scoreproof.kinds.binary.engine.averages.constraints import Bound, Constraints, Target, by_score, filled, treatments
from scoreproof.kinds.binary.experiment import EvaluationSet
from scoreproof.kinds.binary.experiment.normal import Tree
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score
from scoreproof.work.budget import Budget

_ROOT_BITS = 40


def root_above(x: Fraction) -> Fraction:
    """The least multiple of 2^-40 whose square is at least x.

    >>> root_above(Fraction(1, 4)), root_above(Fraction(0))
    (Fraction(1, 2), Fraction(0, 1))
    """
    scaled = ceil(x * (1 << 2 * _ROOT_BITS))
    return Fraction(isqrt(scaled - 1) + 1 if scaled > 0 else 0, 1 << _ROOT_BITS)


def square_bounds(target: Target, constraints: Constraints) -> tuple[Fraction, Fraction | None]:
    """Bounds of the sum of squares about the centre, all sets counted, that any admitted variance and mean allow."""
    assert target.variance is not None
    assert target.mean is not None
    weights = [subset.weight for subset in constraints.form.sets]
    over = len(constraints.spread_parts)
    low, high = (end * (over if target.error else 1) for end in target.variance)
    divisors = [over - ddof for ddof in target.ddof if over > ddof]
    if constraints.deviations_of_means:
        return min(divisors) * low / (over * max(weights)), None
    off = max(abs(target.mean[0] - target.centre), abs(target.mean[1] - target.centre))
    squares = max(divisors) * high
    uneven = sum(((Fraction(1, over) - weight) ** 2 for weight in weights), Fraction(0))
    return min(divisors) * low, squares + over * (off + root_above(uneven * squares)) ** 2


def furthest(target: Target, count: int) -> Fraction:
    """How far one of so many parts that deviate may be from the mean of all, whichever of them count."""
    assert target.variance is not None
    high = target.variance[1] * (count if target.error else 1)
    return root_above(Fraction((count - 1) * (count - min(target.ddof)), count) * high)


def bounds_of_parts(target: Target, parts: Sequence[Tree]) -> list[Bound]:
    """The means of the parts that deviate are no further from the mean of all than they can be."""
    if target.variance is None or target.mean is None:
        return []
    far = furthest(target, len(parts))
    return [Bound(target.score, (target.mean[0] - far, target.mean[1] + far), part) for part in parts]


BITS = 36  # of the largest value of a row
_MARGIN = 1 / 256  # units; float evaluation of a score is off by less than 2**-14 of one


def every_point(class_counts: Iterable[tuple[int, int]]) -> Ints:
    """All points (p, n, tp, tn) of a set of these class counts."""
    blocks = [np.zeros((4, 0), dtype=np.int64)]
    for p, n in class_counts:
        tp, tn = np.indices((p + 1, n + 1)).reshape(2, -1)
        blocks.append(np.stack([np.full_like(tp, p), np.full_like(tp, n), tp, tn]))
    return np.hstack(blocks)


@dataclass(slots=True)
class Counted:
    """A score on the columns of a part: its value, and whether the set counts in the mean at all."""

    value: Floats
    counts: Bools


class PartColumns:
    """A group of alike sets: their possible points, and their share in each row, from below and from above."""

    low: Ints  # rows x columns, rounded down
    high: Ints  # rounded up

    def __init__(self, constraints: Constraints, subset: EvaluationSet, indices: list[int], deadline: Budget) -> None:
        self.subset, self.indices, self.deadline = subset, indices, deadline
        self.p, self.n, self.tp, self.tn = every_point(constraints.form.class_counts(subset))
        self._rows: list[tuple[Ints, Ints]] = []
        self.scores: dict[str, Counted] = {}
        hexagon = constraints.hexagons.get(indices[0])
        if hexagon is not None:
            right = self.tp + self.tn
            pairs = ((self.tp, hexagon.tp), (self.tn, hexagon.tn), (right, hexagon.right))
            self._take(np.flatnonzero(np.logical_and.reduce([(x >= a) & (x <= b) for x, (a, b) in pairs])))
        for score, _, bounds in by_score(constraints):
            self._evaluate(score, treatments(score, constraints.undefined))
            for bound in bounds:  # at once, so that the next score is asked of fewer points
                if bound.part == indices[0]:
                    for limit, is_minimum in zip(bound.interval, (True, False), strict=True):
                        if limit is not None:
                            self.keep(not_beyond(self, score, limit, is_minimum))

    def _take(self, at: Ints) -> None:
        """Go on with these columns, which may repeat."""
        self.p, self.n, self.tp, self.tn = (x[at] for x in (self.p, self.n, self.tp, self.tn))
        self.scores = {name: Counted(known.value[at], known.counts[at]) for name, known in self.scores.items()}

    def _evaluate(self, score: Score, ways: tuple[str, ...]) -> None:
        """The values of a score; a column where it is 0/0 becomes one for each way to count that."""
        self.deadline.tick()
        cells = [x.astype(np.float64) for x in (self.tp, self.n - self.tn, self.p - self.tp, self.tn)]
        num, den, _ = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in score.ratio(*cells)), cells[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(den == 0, 0.0, score.link.forward(num / np.where(den == 0, 1.0, den)))
        none = (self.tn if score.name.endswith("n") else self.tp) == 0
        if den.all() and not ("harmonic" in ways and none.any()):
            self.scores[score.name] = Counted(value, np.ones(len(value), dtype=bool))
            return
        plain = np.flatnonzero(den != 0)
        undefined = (den == 0) & (num == 0)
        holes = [np.flatnonzero(undefined | none if treatment == "harmonic" else undefined) for treatment in ways]
        at = np.concatenate([plain, *holes])
        way = np.concatenate([np.full(len(plain), -1), *(np.full(len(hole), k) for k, hole in enumerate(holes))])
        order = np.lexsort((way, at))
        at, way = at[order], way[order]
        self._take(at)
        taken = value[at]
        counts = np.ones(len(at), dtype=bool)
        for k, treatment in enumerate(ways):
            here = way == k
            if treatment in ("skip", "harmonic"):
                counts[here] = False
            elif score.by_class is not None:
                for column in np.flatnonzero(here):
                    value_here = filled(score, treatment, self._matrix(int(column)))
                    taken[column] = 0.0 if value_here is None else float(value_here)
            elif treatment == "one":
                taken[here] = 1.0
            elif treatment == "present":
                recall = np.where(self.p > 0, self.tp / np.maximum(self.p, 1), self.tn / np.maximum(self.n, 1))
                taken[here] = recall[here]
        self.scores[score.name] = Counted(taken, counts)

    def _matrix(self, column: int) -> ConfusionMatrix:
        p, n, tp, tn = (int(x[column]) for x in (self.p, self.n, self.tp, self.tn))
        return ConfusionMatrix(tp, n - tn, p - tp, tn)

    def skips(self, score: Score) -> bool:
        return not self.scores[score.name].counts.all()

    def keep(self, flags: Bools) -> None:
        if not flags.all():
            self._take(np.flatnonzero(flags))

    def add(self, low: Ints, high: Ints) -> None:
        self.deadline.tick()
        self._rows.append((low, high))

    def settle(self) -> None:
        """The rows one below the other, when all are there."""
        self.low, self.high = (np.stack(rows) for rows in zip(*self._rows, strict=True))
        self._rows = []

    @property
    def count(self) -> int:
        return len(self.indices)

    @property
    def size(self) -> int:
        return len(self.tp)

    @cached_property
    def axes(self) -> dict[str, Ints]:
        """The numbers by which columns can be told apart: cells, class counts, and which scores count."""
        counted = {name: x.counts.astype(np.int64) for name, x in self.scores.items() if not x.counts.all()}
        return {
            "tp": self.tp,
            "tn": self.tn,
            **({} if self.subset.family is None else {"p": self.p, "n": self.n}),
            **{f"counts {name}": flags for name, flags in counted.items()},
        }


def outward(x: Floats, bits: int, margin: float = _MARGIN) -> tuple[Ints, Ints]:
    """Whole numbers around x * 2**bits."""
    scaled = np.ldexp(x, bits)
    return np.floor(scaled - margin).astype(np.int64), np.ceil(scaled + margin).astype(np.int64)


def magnitude(score: Score, parts: list[PartColumns], weight: int = 1) -> int:
    """Bits before the point that a score's values need."""
    largest = max(float(np.abs(part.scores[score.name].value).max(initial=0.0)) for part in parts)
    return max(0, ceil(largest * weight)).bit_length()


def not_beyond(part: PartColumns, score: Score, limit: Fraction, is_minimum: bool) -> Bools:
    """Columns not certainly beyond a limit on the score's value; where it is left out, all."""
    counted = part.scores[score.name]
    bits = BITS - magnitude(score, [part])
    low, high = outward(counted.value, bits)
    inside = high >= ceil(limit * (1 << bits)) if is_minimum else low <= floor(limit * (1 << bits))
    return np.asarray(inside | ~counted.counts)
