"""A ± over the means of repeats: folds that give the means, dealt to the repeats so that these deviate as reported.

Exchanging two folds of the same class counts between repeats leaves every mean over all folds as it is. So matrices
that give the means are looked for first, and then exchanges that bring the deviations into their intervals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.experiment.normal import members
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import Budget

_EXCHANGES = 1_500
_STARTS = 2
_TURNS, _TURN = 50, 4e-5  # exchanges between two looks at the clock, and the seconds of one


class _Spread:
    """How far the deviations of repeats are off, kept while folds are exchanged."""

    def __init__(self, demand: Demand, matrices: Sequence[ConfusionMatrix], ddof: int) -> None:
        spread = [target for target in demand.targets if target.variance is not None]
        cells = np.array([matrix.cells for matrix in matrices], dtype=np.float64).T
        self.values = np.nan_to_num(np.array([target.score.values(*cells) for target in spread]))
        self.repeats = [members(part) for part in demand.form.repeats]
        self.owner = np.empty(len(matrices), dtype=np.int64)
        for number, mine in enumerate(self.repeats):
            self.owner[mine] = number
        count = len(self.repeats)
        ends = [[float(end) * (count if t.error else 1) for end in t.variance or ()] for t in spread]
        self.low, self.high = np.sqrt(np.array(ends) * (count - ddof)).T
        self.size = np.array([len(mine) for mine in self.repeats], dtype=np.float64)

    def means(self, order: np.ndarray) -> Floats:
        """Scores by repeats, if the fold at each place is the one that ``order`` says."""
        return np.stack([self.values[:, order[mine]].mean(axis=1) for mine in self.repeats], axis=1)

    def off(self, means: Floats) -> float:
        """The squared distances of all deviations from their intervals, in half-widths."""
        root = np.sqrt(((means - means.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))
        middle, half = (self.low + self.high) / 2, np.maximum((self.high - self.low) / 2, 1e-12)
        return float((np.maximum(np.abs(root - middle) / half - 0.9, 0.0) ** 2).sum())


def arranged(
    demand: Demand, matrices: tuple[ConfusionMatrix, ...], rng: np.random.Generator, deadline: Budget
) -> tuple[ConfusionMatrix, ...] | None:
    """The matrices dealt anew to the repeats, if that gives the deviations too."""
    divisors = sorted({d for target in demand.targets if target.variance is not None for d in target.ddof})
    alike: dict[tuple[int, int], list[int]] = {}
    for place, matrix in enumerate(matrices):
        alike.setdefault((matrix.p, matrix.n), []).append(place)
    groups = [np.array(places) for places in alike.values() if len(places) > 1]
    if not groups:
        return None
    for ddof in divisors:
        if len(demand.form.repeats) <= ddof:
            continue
        for _ in range(_STARTS):
            order = _exchanged(_Spread(demand, matrices, ddof), groups, len(matrices), rng, deadline)
            found = None if order is None else tuple(matrices[at] for at in order)
            if found is not None and demand.fits(found):
                return found
    return None


def _exchanged(
    spread: _Spread, groups: list[np.ndarray], count: int, rng: np.random.Generator, deadline: Budget
) -> list[int] | None:
    """Which fold comes to which place, after exchanges that lessen what is off; None if something is left."""
    order = np.arange(count)
    for places in groups:
        order[places] = rng.permutation(order[places])
    means = spread.means(order)
    off = spread.off(means)
    chance = np.array([len(places) for places in groups], dtype=np.float64)
    chance /= chance.sum()
    for turn in range(_EXCHANGES):
        if off == 0:
            return [int(at) for at in order]
        if turn % _TURNS == 0:
            deadline.charge(_TURNS * _TURN)
            if deadline.passed:
                return None
        places = groups[int(rng.choice(len(groups), p=chance))]
        i, j = (int(place) for place in rng.choice(places, 2, replace=False))
        a, b = spread.owner[i], spread.owner[j]
        if a == b:
            continue
        change = spread.values[:, order[j]] - spread.values[:, order[i]]
        moved = means.copy()
        moved[:, a] += change / spread.size[a]
        moved[:, b] -= change / spread.size[b]
        there = spread.off(moved)
        if there <= off:
            means, off = moved, there
            order[[i, j]] = order[[j, i]]
    return None
