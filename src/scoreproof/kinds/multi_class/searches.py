"""Stochastic local search (Hoos and Stuetzle 2004), and meet in the middle (Horowitz and Sahni 1974) for few choices.

A move changes the counts of two classes of one matrix so that all q still add up, and the best of some hundred is
taken; after moves without success one is made whatever it costs. Every choice of counts is listed where they are few
(doi:10.1145/321812.321823): two halves of the classes, joined where their sums meet the rows of the part. Floats say
what comes near; nothing here is believed before it was judged exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.cells import columns, listed, tp_ends
from scoreproof.kinds.multi_class.dual_bound import row_ends, row_values, rows_at
from scoreproof.kinds.multi_class.fitting import Features, LinearRows, score_ends
from scoreproof.kinds.multi_class.model import ClassesModel, CountPart, OfMeans, rules_at
from scoreproof.solve.meet_in_the_middle import Matches
from scoreproof.work.budget import NEVER, Budget

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


MOST_PAIRS = 3_000_000
_MOST_NEAR = 100_000
_MARGIN = 1e-9
_PAIR = 1e-7  # seconds of a pair of halves


class TooMany(Exception):
    """More choices than are listed."""


def split_cells(sizes: list[int], most: int) -> tuple[list[int], list[int]] | None:
    """Two halves of the cells with about as many choices each; None if one has more than are listed."""
    halves: tuple[list[int], list[int]] = [], []
    products = [1, 1]
    for cell in sorted(range(len(sizes)), key=lambda c: -sizes[c]):
        half = products[1] < products[0]
        halves[half].append(cell)
        products[half] *= sizes[cell]
        if products[half] > most:
            return None
    return halves


def listed_choice(model: ClassesModel, node: CountPart, deadline: Budget, most: int, judge: Judge) -> Counts | None:
    """A choice of the counts of one set that the judge accepts, None if there is none; ``TooMany`` if they are many."""
    if len(model.sets) != 1 or any(box.q1 - box.q0 > most for box in node.boxes):
        raise TooMany
    spreads = [columns(box, rules_at(model, node, c), most + 1) for c, box in enumerate(node.boxes)]
    halves = split_cells([spread.points for spread in spreads], most)
    if halves is None:
        raise TooMany
    points = [listed(spread) for spread in spreads]
    matches = _matches(model, node, points, halves, deadline)
    if matches is None:
        return None
    if matches.pairs > MOST_PAIRS:
        raise TooMany
    deadline.charge(_PAIR * matches.pairs)
    near = 0
    harmonic = [(goal, _mean_ends(model, goal, points, halves)) for goal in model.goals if isinstance(goal, OfMeans)]
    for pairs in matches.portions(NEVER):
        near_goals = np.all(
            [_is_near(goal, ends, pairs) for goal, ends in harmonic], axis=0
        )  # all, where there is none
        for at in zip(*(places[near_goals].ravel().tolist() for places in pairs), strict=True):
            near += 1
            deadline.tick()
            if near > _MOST_NEAR:
                raise TooMany
            counts = _counts(points, halves, at)
            if judge(counts):
                return counts
    return None


def _matches(
    model: ClassesModel, node: CountPart, points: list[tuple[Any, Any]], halves: Sequence[list[int]], deadline: Budget
) -> Matches | None:
    """The choices of both halves of the cells by what they add to q, to tp and to the rows of a part."""
    rows = rows_at(model, node)
    sums = []
    for half in halves:
        own = np.zeros((2 + 2 * len(rows), 1))  # q, tp, the least and the greatest of every row
        for c in half:
            tp, q = points[c]
            low, high = row_values(model, rows, c, tp.astype(float), q.astype(float))
            added = np.concatenate(([q, tp], low.T, high.T))
            own = (own[:, :, None] + added[:, None, :]).reshape(len(own), -1)
            deadline.tick()
        sums.append(own)
    if not all(own.shape[1] for own in sums):
        return None
    (least, most), (low, high), total = node.right[0], row_ends(rows), model.cells[0].total
    nothing = np.full(len(rows), np.inf)
    lower = np.concatenate(([total - 0.5, least - 0.5], -nothing, low - _MARGIN))
    upper = np.concatenate(([total + 0.5, most + 0.5], high + _MARGIN, nothing))
    first = 0 if model.exclusive else 1  # labels may be given to any number of cases
    return Matches(sums[0][first:], sums[1][first:], lower[first:], upper[first:])


def _mean_ends(
    model: ClassesModel, goal: OfMeans, points: list[tuple[Any, Any]], halves: Sequence[list[int]]
) -> list[Any]:
    """What the choices of each half add to mean precision and recall: the least of both, then the greatest."""
    sums = []
    for half in halves:
        own = np.zeros((4, 1))
        for c in half:
            tp, q = (counts.astype(float) for counts in points[c])
            ends = [(mean, score_ends(model, mean, model.cells[c], tp, q)) for mean in (goal.precision, goal.recall)]
            added = np.array([float(mean.weights[c]) * end[side] for side in (0, 1) for mean, end in ends])
            own = (own[:, :, None] + added[:, None, :]).reshape(4, -1)
        sums.append(own)
    return sums


def _is_near(goal: OfMeans, ends: Sequence[Any], pairs: Sequence[Any]) -> Any:
    """Whether the F-score of the means may be as it is claimed."""
    sums = ends[0][:, pairs[0]] + ends[1][:, pairs[1]]
    of_recall, of_precision = goal.form.den[1:3]
    least, most = (
        (of_precision + of_recall) * p * r / np.maximum(of_precision * p + of_recall * r, 1e-300)
        for p, r in (sums[:2], sums[2:])
    )
    filled = sums[0] + sums[1] < _MARGIN  # 0/0, which counts as what the report says
    return filled | ((most >= float(goal.low) - _MARGIN) & (least <= float(goal.high) + _MARGIN))


def _counts(points: list[tuple[Any, Any]], halves: Sequence[list[int]], places: Sequence[int]) -> Counts:
    """The counts behind a place in each half."""
    counts: Counts = [(0, 0)] * len(points)
    for cells, at in zip(halves, places, strict=True):
        for c in reversed(cells):
            tp, q = points[c]
            at, own = divmod(at, len(tp))
            counts[c] = int(tp[own]), int(q[own])
    return counts
