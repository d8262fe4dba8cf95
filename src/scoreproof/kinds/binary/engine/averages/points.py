"""Enumeration of the points (p, n, tp, tn) of alike evaluation sets, with the scores there.

Where a score is 0/0, a point becomes one column for each admitted way to count that.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from scoreproof.arrays import Bools, Floats, Ints
from scoreproof.kinds.binary.engine.averages.constraints import Constraints, by_score, filled, treatments
from scoreproof.kinds.binary.engine.averages.implied_bounds import Within
from scoreproof.kinds.binary.experiment import EvaluationSet
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score
from scoreproof.work.budget import Budget

BITS = 36  # of the largest value of a row
_MARGIN = 1 / 256  # units; float evaluation of a score is off by less than 2**-14 of one


def points(constraints: Constraints, subset: EvaluationSet, index: int) -> tuple[Ints, Ints, Ints, Ints]:
    """All (p, n, tp, tn) of an evaluation set that limits of its rates leave."""
    blocks = [np.zeros((4, 0), dtype=np.int64)]
    within = Within(constraints, index)
    for p, n in constraints.form.class_counts(subset):
        lines, first, last = within.lines(p, n)
        each = np.maximum(last - first + 1, 0)
        tp = np.repeat(lines, each)
        tn = np.arange(len(tp)) - np.repeat(np.cumsum(each) - each - first, each)
        blocks.append(np.stack([np.full_like(tp, p), np.full_like(tp, n), tp, tn]))
    p_, n_, tp_, tn_ = np.hstack(blocks)
    return p_, n_, tp_, tn_


@dataclass(slots=True)
class Counted:
    """A score on the columns of a part: its value, and whether the set counts in the mean at all."""

    value: Floats
    counts: Bools


class PartColumns:
    """One group while the model is built."""

    def __init__(self, constraints: Constraints, subset: EvaluationSet, indices: list[int], deadline: Budget) -> None:
        self.subset, self.indices, self.deadline = subset, indices, deadline
        self.p, self.n, self.tp, self.tn = points(constraints, subset, indices[0])
        self.low: list[Ints] = []
        self.high: list[Ints] = []
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
        way = np.concatenate([np.full(len(plain), -1), *(np.full(len(mine), k) for k, mine in enumerate(holes))])
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
        self.low.append(low)
        self.high.append(high)


def every_point(size: int, least: int, most: int) -> Floats:
    """All points (p, tp, tn) of a set of so many cases, from the fewest positives to the most."""
    blocks = [np.zeros((3, 0))]
    for positives in range(least, most + 1):
        tp, tn = np.indices((positives + 1, size - positives + 1)).reshape(2, -1)
        blocks.append(np.stack([np.full_like(tp, positives), tp, tn]).astype(np.float64))
    return np.concatenate(blocks, axis=1)


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
    mine = part.scores[score.name]
    bits = BITS - magnitude(score, [part])
    low, high = outward(mine.value, bits)
    inside = high >= ceil(limit * (1 << bits)) if is_minimum else low <= floor(limit * (1 << bits))
    return np.asarray(inside | ~mine.counts)
