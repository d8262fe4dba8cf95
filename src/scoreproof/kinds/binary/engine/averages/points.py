"""The possible points of alike evaluation sets, and the scores there.

Where a score is 0/0, a point becomes one column for each admitted way to count that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.engine.averages.targets import Demand, by_score, filled, treatments
from scoreproof.kinds.binary.experiment import EvaluationSet
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score
from scoreproof.work.deadline import Deadline

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


def points(demand: Demand, one: EvaluationSet) -> tuple[Integers, Integers, Integers, Integers]:
    """All (p, n, tp, tn) of an evaluation set."""
    blocks = []
    for p, n in demand.form.class_counts(one):
        tp, tn = np.indices((p + 1, n + 1), dtype=np.int64).reshape(2, -1)
        blocks.append(np.stack([np.full_like(tp, p), np.full_like(tp, n), tp, tn]))
    p_, n_, tp_, tn_ = np.hstack(blocks)
    return p_, n_, tp_, tn_


@dataclass(slots=True)
class Counted:
    """A score on the columns of a part: its value, and whether the set counts in the mean at all."""

    value: Floats
    counts: Flags


class PartColumns:
    """One group while the model is built."""

    def __init__(self, demand: Demand, one: EvaluationSet, indices: list[int], deadline: Deadline) -> None:
        self.one, self.indices, self.deadline = one, indices, deadline
        self.p, self.n, self.tp, self.tn = points(demand, one)
        self.low: list[Integers] = []
        self.high: list[Integers] = []
        self.scores: dict[str, Counted] = {}
        hexagon = demand.hexagons.get(indices[0])
        if hexagon is not None:
            right = self.tp + self.tn
            pairs = ((self.tp, hexagon.tp), (self.tn, hexagon.tn), (right, hexagon.right))
            self._take(np.flatnonzero(np.logical_and.reduce([(x >= a) & (x <= b) for x, (a, b) in pairs])))
        for score, _, _ in by_score(demand):
            self._evaluate(score, treatments(score, demand.undefined))

    def _take(self, at: Integers) -> None:
        """Go on with these columns, which may repeat."""
        self.p, self.n, self.tp, self.tn = (x[at] for x in (self.p, self.n, self.tp, self.tn))
        self.scores = {name: Counted(one.value[at], one.counts[at]) for name, one in self.scores.items()}

    def _evaluate(self, score: Score, ways: tuple[str, ...]) -> None:
        """The values of a score; a column where it is 0/0 becomes one for each way to count that."""
        self.deadline.check()
        cells = [x.astype(np.float64) for x in (self.tp, self.n - self.tn, self.p - self.tp, self.tn)]
        num, den, _ = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in score.ratio(*cells)), cells[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            value = np.where(den == 0, 0.0, score.link.forward(num / np.where(den == 0, 1.0, den)))
        plain = np.flatnonzero(den != 0)
        undefined = (den == 0) & (num == 0)
        none = (self.tn if score.name.endswith("n") else self.tp) == 0
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

    def keep(self, flags: Flags) -> None:
        self._take(np.flatnonzero(flags))

    def add(self, low: Integers, high: Integers) -> None:
        self.deadline.check()
        self.low.append(low)
        self.high.append(high)


def every_point(size: int, least: int, most: int) -> Floats:
    """All points (p, tp, tn) of a set of so many cases, from the fewest positives to the most."""
    blocks = [np.zeros((3, 0))]
    for positives in range(least, most + 1):
        tp, tn = np.indices((positives + 1, size - positives + 1)).reshape(2, -1)
        blocks.append(np.stack([np.full_like(tp, positives), tp, tn]).astype(np.float64))
    return np.concatenate(blocks, axis=1)
