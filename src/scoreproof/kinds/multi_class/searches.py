"""Stochastic local search (Hoos and Stuetzle 2004), and a list of all choices by forward checking where they are few.

A move changes the counts of two classes of one matrix so that all q still add up, and the best of some hundred is
taken; after moves without success one is made whatever it costs. Every choice of counts is listed class by class,
without those that no choice for the other classes makes up for (Haralick and Elliott 1980,
doi:10.1016/0004-3702(80)90051-X). Floats say what comes near; nothing is believed before it was judged exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.cells import columns, listed, tp_ends
from scoreproof.kinds.multi_class.dual_bound import row_ends, row_values, rows_at
from scoreproof.kinds.multi_class.fitting import Features, LinearRows
from scoreproof.kinds.multi_class.model import ClassesModel, CountPart, rules_at
from scoreproof.work.budget import Budget

_CANDIDATES = 384
_PATIENCE = 10  # moves without success before stirring
_LOOKS = 16  # moves from one look at the time to the next
_MOVE = 3e-4  # seconds

Guess = Sequence[Sequence[float]]  # tp and q of every cell
Counts = list[tuple[int, int]]
Judge = Callable[[Counts], bool]


class CountSearch:
    """The search in one node; ``find`` gives counts of all cells, (tp, q), or None."""

    def __init__(self, model: ClassesModel, node: CountPart, features: Features, rng: np.random.Generator) -> None:
        self.model, self.node, self.features, self.rng = model, node, features, rng
        self._rules = [rules_at(model, node, cell) for cell in range(len(model.cells))]
        self._linear = LinearRows(model, node)
        self._movable = [c for c, (t0, t1, q0, q1) in enumerate(node.boxes) if t0 < t1 or q0 < q1]
        self._n = np.array([cell.n for cell in model.cells])

    def find(self, deadline: Budget, judge: Judge, guess: Guess, most_moves: int) -> Counts | None:
        """Counts that the judge accepts, or None if so many moves from near a guess do not lead to any."""
        start = self._start(guess)
        if start is None:
            return None
        tp, q = start
        values, far = self._at(tp, q)
        still = 0
        for step in range(most_moves):
            if far == 0:
                counts = list(zip(tp.tolist(), q.tolist(), strict=True))
                if judge(counts):
                    return counts
                still = _PATIENCE + 1
            if step % _LOOKS == 0:
                deadline.charge(_LOOKS * _MOVE)
                if deadline.passed:
                    return None
            kick = still > _PATIENCE
            move = self._move(tp, q, values, kick)
            still += 1
            if move is not None and (move[0] < far - 1e-15 or kick):
                _, cells, tp[cells], q[cells] = move
                values, far = self._at(tp, q)
                still = 0
        return None

    def _start(self, guess: Guess) -> tuple[Any, Any] | None:
        """Counts near a guess whose q add up."""
        least, most = (np.array([box[side] for box in self.node.boxes]) for side in (2, 3))
        q = np.clip(np.rint([own for _, own in guess]).astype(np.int64), least, most)
        for cells in self.model.sets if self.model.exclusive else []:
            off = self.model.cells[cells[0]].total - int(q[cells].sum())
            room = (most - q if off > 0 else q - least)[cells]
            if room.sum() < abs(off):
                return None
            taken = np.cumsum(room) * abs(off) // max(int(room.sum()), 1)
            q[cells] += np.sign(off) * np.diff(taken, prepend=0)
        tp = np.zeros_like(q)
        for c, (wanted, _) in enumerate(guess):
            low, high = (int(ends[0]) for ends in self._ends(c, q[c : c + 1]))
            tp[c] = min(max(round(wanted), low), high) if low <= high else self.node.boxes[c].t0
        return tp, q

    def _ends(self, cell: int, q: Any) -> tuple[Any, Any]:
        return tp_ends(self.node.boxes[cell], self._rules[cell], q)

    def _at(self, tp: Any, q: Any) -> tuple[Any, float]:
        """What all counts add to the sums, and by how much they are no solution: goals and linear rows missed."""
        values = self.features.of(tp, q)
        missed = self._linear.missed(np.stack((tp, q), axis=1).ravel())
        return values, float(self.features.off(values.sum(axis=1)) - missed.sum())

    def _move(self, tp: Any, q: Any, values: Any, kick: bool) -> Any:
        """The best of many moves of one or two classes: how far it leaves off, the classes, their tp and q."""
        rng, cells, boxes = self.rng, self.model.cells, self.node.boxes
        if not self._movable:
            return None
        i = int(rng.choice(self._movable))
        others = [c for c in self._movable if c != i and cells[c].number == cells[i].number]
        if self.model.exclusive and not others:
            return None
        size = 8 if kick else _CANDIDATES
        new_q = q[i] + self._steps(size, boxes[i].q1 - boxes[i].q0)
        low, high = self._ends(i, new_q)
        new_tp = np.clip(tp[i] + self._steps(size, boxes[i].t1 - boxes[i].t0), low, high)
        keep = low <= high
        places, points = [i], [(new_tp, new_q)]
        if self.model.exclusive:
            j = int(rng.choice(others))
            other_q = q[i] + q[j] - new_q
            low, high = self._ends(j, other_q)
            least, most = self.node.right[cells[i].number]
            drift = self._steps(size, max(1, most - least))
            drift[: size // 2] = 0
            other_tp = np.clip(tp[i] + tp[j] - new_tp + drift, low, high)
            keep &= (low <= high) & ((new_tp != tp[i]) | (new_q != q[i]) | (other_tp != tp[j]))
            places, points = [i, j], [*points, (other_tp, other_q)]
        if not keep.any():
            return None
        new_tp, new_q = (np.stack(axis)[:, keep] for axis in zip(*points, strict=True))
        rest = values.sum(axis=1) - values[:, places].sum(axis=1)
        off = self.features.off(rest[:, None] + self.features.of(new_tp, new_q, places).sum(axis=1))
        if self.model.exclusive:
            own = self.model.sets[cells[i].number]
            wrong = int((self._n - tp)[own].sum() + tp[places].sum()) - new_tp.sum(axis=0)
            full = self._n[places][:, None] + new_q - 2 * new_tp
            off = off + np.maximum(0, full - wrong).sum(axis=0)
        best = int(np.argmin(off))
        return float(off[best]), places, new_tp[:, best], new_q[:, best]

    def _steps(self, size: int, width: int) -> Any:
        """Whole steps of every size up to a width, in both directions, some of them none."""
        scale = np.exp(self.rng.random(size) * np.log(max(width, 1) + 1.0))
        steps = (self.rng.random(size) * scale + 0.5).astype(np.int64)
        return np.where(self.rng.random(size) < 0.5, steps, -steps)


_MOST_PARTIAL = 400_000  # choices for some of the classes that are kept at once
_MOST_NEAR, _MOST_NUMBERS = 100_000, 1 << 62  # that are judged, and of 64 bits
_MARGIN = 1e-9
_PARTIAL = 1e-7  # seconds of one


class TooMany(Exception):
    """More choices than are listed."""


def listed_choice(model: ClassesModel, node: CountPart, deadline: Budget, most: int, judge: Judge) -> Counts | None:
    """A choice of the counts of one set that the judge accepts, None if there is none; ``TooMany`` if they are many."""
    if len(model.sets) != 1 or any(box.q1 - box.q0 > most for box in node.boxes):
        raise TooMany
    spreads = [columns(box, rules_at(model, node, c), most + 1) for c, box in enumerate(node.boxes)]
    sizes = [spread.points for spread in spreads]
    if max(sizes) > most or prod(sizes) >= _MOST_NUMBERS:
        raise TooMany
    points = [listed(spread) for spread in spreads]
    near = _choices(model, node, points, deadline)
    for at in zip(*(place.tolist() for place in np.unravel_index(near[:_MOST_NEAR], sizes)), strict=True):
        deadline.tick()
        counts = [(int(tp[k]), int(q[k])) for k, (tp, q) in zip(at, points, strict=True)]
        if judge(counts):
            return counts
    if len(near) > _MOST_NEAR:
        raise TooMany
    return None


def _choices(model: ClassesModel, node: CountPart, points: list[tuple[Any, Any]], deadline: Budget) -> Any:
    """Which of all choices, as they are numbered, meet what is asked of q, tp and the rows of a part, as floats say.

    Class by class, those for the first classes that the others cannot make up for are dropped.
    """
    rows = rows_at(model, node)
    added = []  # by each class: q, tp, the least and the greatest of every row
    for c, (tp, q) in enumerate(points):
        least, most = row_values(model, rows, c, tp.astype(float), q.astype(float))
        added.append(np.concatenate(([q, tp], least.T, most.T)))
    (fewest, greatest), (low, high), total = node.right[0], row_ends(rows), model.cells[0].total
    nothing = np.full(len(rows), np.inf)
    lower = np.concatenate(([total - 0.5, fewest - 0.5], -nothing, low - _MARGIN))
    upper = np.concatenate(([total + 0.5, greatest + 0.5], high + _MARGIN, nothing))
    if not model.exclusive:  # labels may be given to any number of cases
        lower[0], upper[0] = -np.inf, np.inf
    if not all(own.size for own in added):
        return np.zeros(0, dtype=np.int64)
    ends = np.array([[own.min(axis=1), own.max(axis=1)] for own in added])
    left = ends[::-1].cumsum(axis=0)[::-1] - ends  # what the classes after each one add, at least and at most
    chosen, sums = np.zeros(1, dtype=np.int64), np.zeros((len(lower), 1))
    for own, (less, more) in zip(added, left, strict=True):
        if sums.shape[1] * own.shape[1] > _MOST_PARTIAL:
            raise TooMany
        deadline.charge(_PARTIAL * sums.size)
        deadline.tick()
        chosen = (chosen[:, None] * own.shape[1] + np.arange(own.shape[1])).ravel()
        sums = (sums[:, :, None] + own[:, None, :]).reshape(len(lower), -1)
        kept = ((sums.T + more >= lower) & (sums.T + less <= upper)).all(axis=1)
        chosen, sums = chosen[kept], sums[:, kept]
    return chosen
