"""A witness by exchange: start anywhere, then re-choose two sets at a time so that the sums come closer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoreproof.kinds.binary.engine.averages.leaf import matrices
from scoreproof.kinds.binary.engine.averages.model import Model
from scoreproof.kinds.binary.engine.averages.multipliers import Node, sums
from scoreproof.kinds.binary.engine.averages.points import BITS, Floats
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import NEVER, Budget

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

_MOST_TRIED = 1500  # columns of the first set per exchange
_STALL = 8  # exchanges without progress before giving up
_AT_ONCE = 100  # columns looked up between two looks at the clock
_MOST_FOUND = 200_000  # columns of the second set; a random part of more
_QUERY = 1e-6  # seconds of a neighbour
_TRIAL = 1e-4  # seconds of an exchange beside its neighbours


class Exchange:
    """Repeated random starts on one node."""

    def __init__(self, model: Model, node: Node, rng: np.random.Generator, deadline: Budget = NEVER) -> None:
        self._model, self._node, self._rng, self.deadline = model, node, rng, deadline
        rows = [k for k, row in enumerate(model.rows) if not row.free]
        low = np.ldexp(np.array([node.lows[k] for k in rows], dtype=np.float64), -BITS)
        high = np.ldexp(np.array([node.highs[k] for k in rows], dtype=np.float64), -BITS)
        width = np.maximum((high - low) / 2, 1e-7)
        for at, k in enumerate(rows):
            if model.rows[k].integral:
                width[at] = max(width[at], 2.0 ** (model.rows[k].bits - BITS) * 0.4)
        self._centre = (low + high) / 2 / width
        self._values = []
        for part in node.parts:
            deadline.tick()
            self._values.append(np.ldexp(sums(model, part, rows).T, -BITS) / width)
        self._trees: dict[int, tuple[cKDTree, np.ndarray]] = {}
        self._sets = [k for k, part in enumerate(node.parts) for _ in range(part.sets)]

    def near(self, matrices: tuple[ConfusionMatrix, ...]) -> list[int]:
        """The columns left that lie nearest to given matrices, one per evaluation set."""
        free = [list(group.indices) for group in self._model.groups]
        chosen = []
        for k in self._sets:
            self.deadline.tick()
            part = self._node.parts[k]
            group = self._model.groups[part.group]
            matrix = matrices[free[part.group].pop(0)]
            away = np.abs(group.tp[part.columns] - matrix.tp) + np.abs(group.tn[part.columns] - matrix.tn)
            chosen.append(int(away.argmin()))
        return chosen

    def attempt(self, start: list[int] | None = None) -> tuple[ConfusionMatrix, ...] | None:
        """From a given or a random start; a witness if it leads to one."""
        rng, values, sets = self._rng, self._values, self._sets
        chosen = list(start) if start is not None else [int(rng.integers(len(values[k]))) for k in sets]
        total = sum(values[k][at] for k, at in zip(sets, chosen, strict=True))
        stall = 0
        for _ in range(20 + 3 * len(sets)):
            distance = float(np.abs(self._centre - total).max())
            if distance <= 1:
                return self._judge(chosen)
            if len(sets) < 2:
                return None
            self.deadline.charge(_TRIAL)
            i, j = rng.choice(len(sets), 2, replace=False)
            first, second = sets[i], sets[j]
            rest = self._centre - (total - values[first][chosen[i]] - values[second][chosen[j]])
            tried = self._some(len(values[first]), _MOST_TRIED)
            better = self._nearest(second, rest - values[first][tried], distance * 0.9999)
            if better is not None:
                chosen[i], chosen[j] = int(tried[better[0]]), better[1]
                total = sum(values[k][at] for k, at in zip(sets, chosen, strict=True))
                stall = 0
            else:
                stall += 1
                if stall > _STALL:
                    return None
        return None

    def _nearest(self, k: int, wanted: Floats, bound: float) -> tuple[int, int] | None:
        """Which of the wanted values a column of a part comes nearest to, and that column; None if none is in reach."""
        tree, columns = self._tree(k)
        best = None
        for start in range(0, len(wanted), _AT_ONCE):
            self.deadline.charge(_QUERY * min(_AT_ONCE, len(wanted) - start))
            self.deadline.tick()
            query = tree.query(wanted[start : start + _AT_ONCE], p=np.inf, distance_upper_bound=bound)
            near, match = np.asarray(query[0]), np.asarray(query[1])
            at = int(np.argmin(near))
            if np.isfinite(near[at]):
                best, bound = (start + at, int(columns[match[at]])), float(near[at])
        return best

    def _some(self, size: int, most: int) -> np.ndarray:
        return np.arange(size) if size < most else self._rng.choice(size, most, replace=False)

    def _tree(self, k: int) -> tuple[cKDTree, np.ndarray]:
        """The columns of a part as a tree (a plain one: a balanced one takes three times as long to make)."""
        if k not in self._trees:
            self.deadline.tick()
            from scipy.spatial import cKDTree  # slow to import, and often not needed

            columns = self._some(len(self._values[k]), _MOST_FOUND)
            tree = cKDTree(self._values[k][columns], balanced_tree=False, compact_nodes=False)
            self._trees[k] = tree, columns
        return self._trees[k]

    def _judge(self, chosen: list[int]) -> tuple[ConfusionMatrix, ...] | None:
        columns = [(k, int(self._node.parts[k].columns[at])) for k, at in zip(self._sets, chosen, strict=True)]
        witness = matrices(self._model, self._node, columns)
        return witness if self._model.demand.fits(witness) else None
