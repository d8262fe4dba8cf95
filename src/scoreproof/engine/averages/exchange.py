"""A witness by exchange: start anywhere, then re-choose two sets at a time so that the sums come closer."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from scoreproof.engine.averages.columns import BITS, Model
from scoreproof.engine.averages.leaf import matrices
from scoreproof.engine.averages.multipliers import Node
from scoreproof.scores import ConfusionMatrix

_MOST_TRIED = 1500  # columns of the first set per exchange
_STALL = 8  # exchanges without progress before giving up


class Exchange:
    """Repeated random starts on one node."""

    def __init__(self, model: Model, node: Node, rng: np.random.Generator) -> None:
        self._model, self._node, self._rng = model, node, rng
        rows = [k for k, row in enumerate(model.rows) if not row.free]
        low = np.ldexp(np.array([node.lows[k] for k in rows], dtype=np.float64), -BITS)
        high = np.ldexp(np.array([node.highs[k] for k in rows], dtype=np.float64), -BITS)
        width = np.maximum((high - low) / 2, 1e-7)
        for at, k in enumerate(rows):
            if model.rows[k].integral:
                width[at] = max(width[at], 2.0 ** (model.rows[k].bits - BITS) * 0.4)
        self._centre = (low + high) / 2 / width
        self._values = [
            np.ldexp(model.groups[part.group].low[rows][:, part.columns].T.astype(np.float64), -BITS) / width
            for part in node.parts
        ]
        self._trees: dict[int, cKDTree] = {}
        self._sets = [k for k, part in enumerate(node.parts) for _ in range(part.sets)]

    def attempt(self) -> tuple[ConfusionMatrix, ...] | None:
        """One random start; a witness if it leads to one."""
        rng, values, sets = self._rng, self._values, self._sets
        chosen = [int(rng.integers(len(values[k]))) for k in sets]
        total = sum(values[k][at] for k, at in zip(sets, chosen, strict=True))
        stall = 0
        for _ in range(20 + 3 * len(sets)):
            distance = float(np.abs(self._centre - total).max())
            if distance <= 1:
                return self._judge(chosen)
            if len(sets) < 2:
                return None
            i, j = rng.choice(len(sets), 2, replace=False)
            first, second = sets[i], sets[j]
            rest = self._centre - (total - values[first][chosen[i]] - values[second][chosen[j]])
            tried = self._tried(len(values[first]))
            query = self._tree(second).query(
                rest - values[first][tried], p=np.inf, distance_upper_bound=distance * 0.9999
            )
            near, match = np.asarray(query[0]), np.asarray(query[1])
            best = int(np.argmin(near))
            if np.isfinite(near[best]):
                chosen[i], chosen[j] = int(tried[best]), int(match[best])
                total = sum(values[k][at] for k, at in zip(sets, chosen, strict=True))
                stall = 0
            else:
                stall += 1
                if stall > _STALL:
                    return None
        return None

    def _tried(self, size: int) -> np.ndarray:
        return np.arange(size) if size < _MOST_TRIED else self._rng.choice(size, _MOST_TRIED, replace=False)

    def _tree(self, k: int) -> cKDTree:
        if k not in self._trees:
            self._trees[k] = cKDTree(self._values[k])
        return self._trees[k]

    def _judge(self, chosen: list[int]) -> tuple[ConfusionMatrix, ...] | None:
        columns = [(k, int(self._node.parts[k].columns[at])) for k, at in zip(self._sets, chosen, strict=True)]
        witness = matrices(self._model, self._node, columns)
        return witness if self._model.demand.fits(witness) else None
