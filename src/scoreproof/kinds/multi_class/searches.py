"""Stochastic local search (Hoos and Stuetzle 2004), and meet in the middle (Horowitz and Sahni 1974) for few choices.

A move changes the counts of two classes of one matrix so that all q still add up, and the best of some hundred is
taken; after moves without success one is made whatever it costs. Every choice of counts is listed where they are few
(doi:10.1145/321812.321823): two halves of the classes, joined where all q add up to the cases. Floats say what comes
near; nothing here is believed before it was judged exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.cells import CountColumns, columns, listed
from scoreproof.kinds.multi_class.fitting import Features, score_ends
from scoreproof.kinds.multi_class.model import Agreement, ClassesModel, CountPart, Mean, OfMeans, rules_at
from scoreproof.work.budget import Budget

_MOST_Q = 200_000
_CANDIDATES = 384
_PATIENCE = 10  # moves without success before stirring
_LOOKS = 16  # moves from one look at the time to the next
_MOVE = 3e-4  # seconds

Guess = list[tuple[float, float]] | None


class CountSearch:
    """The search in one node; ``find`` gives counts of all cells, (tp, q), or None."""

    def __init__(self, model: ClassesModel, node: CountPart, features: Features, rng: np.random.Generator) -> None:
        self.model, self.node, self.features, self.rng = model, node, features, rng
        self.columns: list[CountColumns] = []
        for cell, box in enumerate(node.boxes):
            reach = min(box.q1, max(box.q0, 2 * model.cells[cell].n) + _MOST_Q)  # further off nothing is sought
            self.columns.append(columns(box._replace(q1=reach), rules_at(model, node, cell), 4 * _MOST_Q))
        self.possible = all(len(own.q) for own in self.columns)
        self._tables = [self._table(own) for own in self.columns]
        self.movable = [c for c, own in enumerate(self.columns) if own.points > 1]

    def _table(self, own: CountColumns) -> tuple[int, Any, Any]:
        """tp intervals by q, for looking up; empty intervals where q is not possible."""
        if not len(own.q):
            return 0, np.ones(1, np.int64), np.zeros(1, np.int64)
        first, last = int(own.q[0]), int(own.q[-1])
        if last - first + 1 == len(own.q):
            return first, own.low, own.high
        if last - first > 4 * _MOST_Q:
            return first, own.low[:1], own.high[:1]
        low, high = np.ones(last - first + 1, np.int64), np.zeros(last - first + 1, np.int64)
        low[own.q - first], high[own.q - first] = own.low, own.high
        return first, low, high

    def interval(self, cell: int, q: Any) -> tuple[Any, Any]:
        first, low, high = self._tables[cell]
        at = q - first
        inside = (at >= 0) & (at < len(low))
        at = np.where(inside, at, 0)
        return np.where(inside, low[at], 1), np.where(inside, high[at], 0)

    # --- a start

    def start(self, share: float, guess: Guess = None) -> list[tuple[int, int]] | None:
        """Counts whose q add up, near a guess, or each class with about its share of correct cases."""
        counts: list[tuple[int, int]] = [(0, 0)] * len(self.columns)
        for cells in self.model.sets:
            q = [self._wanted_q(c) if guess is None else self._nearest_q(c, guess[c][1]) for c in cells]
            if self.model.exclusive:
                moved = self._added_up(cells, q)
                if moved is None:
                    return None
                q = moved
            for c, own_q in zip(cells, q, strict=True):
                low, high = (int(end[0]) for end in self.interval(c, np.array([own_q])))
                wanted = round(self.model.cells[c].n * share if guess is None else guess[c][0])
                counts[c] = (min(max(wanted, low), high) if low <= high else self.node.boxes[c].t0, own_q)
        return counts

    def _nearest_q(self, cell: int, wanted: float) -> int:
        own = self.columns[cell].q
        return int(min(max(round(wanted), own[0]), own[-1]))

    def _wanted_q(self, cell: int) -> int:
        own = self.columns[cell].q
        middle = (int(own[0]) + int(own[-1])) // 2
        if own[-1] - own[0] <= 0.2 * self.model.cells[cell].n:
            return middle
        return int(min(max(self.model.cells[cell].n, own[0]), own[-1]))

    def _added_up(self, cells: list[int], q: list[int]) -> list[int] | None:
        total = self.model.cells[cells[0]].total
        off = total - sum(q)
        ends = [int(self.columns[c].q[-1 if off > 0 else 0]) for c in cells]
        room = [abs(end - own) for end, own in zip(ends, q, strict=True)]
        if sum(room) < abs(off):
            return None
        left, width, moved = abs(off), sum(room), []
        for own, space in zip(q, room, strict=True):
            part = left * space // width if width else 0
            moved.append(own + (part if off > 0 else -part))
            left, width = left - part, width - space
        return moved

    # --- moves

    def find(
        self, deadline: Budget, judge: Any, share: float, most_moves: int, guess: Guess = None
    ) -> list[tuple[int, int]] | None:
        """Counts that the judge accepts, or None if so many moves do not lead to any."""
        counts = self.start(share, guess) if self.possible else None
        if counts is None:
            return None
        values = [self.features.of(c, tp, q) for c, (tp, q) in enumerate(counts)]
        sums = np.sum(values, axis=0)
        right = self._rights(counts)
        far = float(self.features.off(sums)) + self._uncoupled(counts, right)
        still = 0
        for step in range(most_moves):
            if far == 0:
                if judge(counts):
                    return counts
                still = _PATIENCE + 1
            if step % _LOOKS == 0:
                deadline.charge(_LOOKS * _MOVE)
                if deadline.passed:
                    return None
            kick = still > _PATIENCE
            move = self._move(counts, values, sums, right, kick)
            if move is None:
                still += 1
                if len(self.movable) < 2:
                    return None
                continue
            if move[0] < far - 1e-15 or kick:
                sums, far = self._made(move, counts, values, right)
                still = 0
            else:
                still += 1
        return None

    def _made(self, move: Any, counts: Any, values: Any, right: list[int]) -> tuple[Any, float]:
        """Make a move; the new sums and how far they are off."""
        _, changes, new_values = move
        for c, point in changes.items():
            right[self.model.cells[c].number] += point[0] - counts[c][0]
            counts[c], values[c] = point, new_values[c]
        sums = np.sum(values, axis=0)
        return sums, float(self.features.off(sums)) + self._uncoupled(counts, right)

    def _rights(self, counts: list[tuple[int, int]]) -> list[int]:
        return [sum(counts[c][0] for c in cells) for cells in self.model.sets]

    def _uncoupled(self, counts: list[tuple[int, int]], right: list[int]) -> float:
        """By how much counts are no matrix: tp out of its interval, or a class with too many wrong cases."""
        far = 0.0
        for c, (tp, q) in enumerate(counts):
            cell = self.model.cells[c]
            low, high = (int(end[0]) for end in self.interval(c, np.array([q])))
            far += 0 if low <= tp <= high else 1 + min(abs(tp - low), abs(tp - high))
            if self.model.exclusive:
                far += max(0, cell.n + q - 2 * tp - cell.total + right[cell.number])
        return far

    def _move(self, counts: Any, values: Any, sums: Any, right: list[int], kick: bool) -> Any:
        rng = self.rng
        if not self.movable:
            return None
        i = int(rng.choice(self.movable))
        number = self.model.cells[i].number
        if self.model.exclusive:
            others = [c for c in self.movable if c != i and self.model.cells[c].number == number]
            if not others:
                return None
            j = int(rng.choice(others))
        else:
            j = i
        size = 8 if kick else _CANDIDATES
        (tp_i, q_i), (tp_j, q_j) = counts[i], counts[j]
        q = q_i + self.steps(size, self.node.boxes[i].q1 - self.node.boxes[i].q0)
        low, high = self.interval(i, q)
        tp = np.clip(tp_i + self.steps(size, self.node.boxes[i].t1 - self.node.boxes[i].t0), low, high)
        keep = low <= high
        if i == j:
            q, tp = q[keep], tp[keep]
            return self._best(counts, values, sums, {i: (tp, q)}, right)
        other_q = q_i + q_j - q
        low, high = self.interval(j, other_q)
        keep &= low <= high
        drift = self.steps(size, max(1, self.node.right[number][1] - self.node.right[number][0]))
        drift[: size // 2] = 0
        other_tp = np.clip(tp_i + tp_j - tp + drift, low, high)
        keep &= (tp != tp_i) | (q != q_i) | (other_tp != tp_j)
        changes = {i: (tp[keep], q[keep]), j: (other_tp[keep], other_q[keep])}
        return self._best(counts, values, sums, changes, right)

    def steps(self, size: int, width: int) -> Any:
        """Whole steps of every size up to a width, in both directions, some of them none."""
        scale = np.exp(self.rng.random(size) * np.log(max(width, 1) + 1.0))
        steps = (self.rng.random(size) * scale + 0.5).astype(np.int64)
        return np.where(self.rng.random(size) < 0.5, steps, -steps)

    def _best(self, counts: Any, values: Any, sums: Any, changes: Any, right: list[int]) -> Any:
        cells = list(changes)
        if not len(changes[cells[0]][0]):
            return None
        new = {c: self.features.of(c, tp, q) for c, (tp, q) in changes.items()}
        base = sums - sum(values[c] for c in cells)
        off = self.features.off(base[:, None] + sum(new.values()))
        if self.model.exclusive:
            number = self.model.cells[cells[0]].number
            wrong = self.model.cells[cells[0]].total - right[number]
            for c in cells:
                wrong = wrong + counts[c][0] - changes[c][0]
            for c, (tp, q) in changes.items():
                off = off + np.maximum(0, self.model.cells[c].n + q - 2 * tp - wrong)
        at = int(np.argmin(off))
        points = {c: (int(tp[at]), int(q[at])) for c, (tp, q) in changes.items()}
        return float(off[at]), points, {c: new[c][:, at] for c in cells}


def likely_share(model: ClassesModel) -> float:
    """About how many of the cases of a class are correct, as far as claims say."""
    least, most = model.right[0]
    total = sum(cell.n for cell in model.cells if cell.number == 0)
    if len(model.sets) == 1 and most - least < 0.2 * total:
        return (least + most) / 2 / max(total, 1)
    for goal in model.goals:
        if isinstance(goal, Mean) and goal.form.name in ("sens", "f1", "ppv", "right"):
            return min(1.0, max(0.0, float(goal.low + goal.high) / 2))
    return 0.8


MOST_PAIRS = 3_000_000
_MOST_NEAR = 100_000
_MARGIN = 1e-9
_PAIR = 1e-7  # seconds of a pair of halves
Judge = Callable[[list[tuple[int, int]]], bool]


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


class Listing:
    """All choices of a node of one set; ``first`` gives one that the judge accepts, or None."""

    def __init__(self, model: ClassesModel, node: CountPart, deadline: Budget, most: int) -> None:
        if len(model.sets) != 1:
            raise TooMany
        self.model, self.node, self.deadline = model, node, deadline
        spreads = [columns(box, rules_at(model, node, c), most + 1) for c, box in enumerate(node.boxes)]
        if any(box.q1 - box.q0 > most for box in node.boxes):
            raise TooMany
        sizes = [spread.points for spread in spreads]
        halves = split_cells(sizes, most)
        if halves is None:
            raise TooMany
        self.halves = halves
        self.points = [listed(spread) for spread in spreads]
        self.means = model.means
        self.first_half, self.other_half = (self._half(cells) for cells in halves)

    def _half(self, cells: list[int]) -> Any:
        """Sums over the cells of a half: q, tp, n q, q squared, then least and greatest parts of every mean."""
        wide = 4 + 2 * len(self.means)
        sums = np.zeros((1, wide))
        for c in cells:
            tp, q = self.points[c]
            own = np.empty((len(tp), wide))
            cell = self.model.cells[c]
            own[:, 0], own[:, 1], own[:, 2], own[:, 3] = q, tp, cell.n * q, q.astype(float) ** 2
            for m, mean in enumerate(self.means):
                weight = float(mean.weights[c])
                least, most = score_ends(self.model, mean, cell, tp.astype(float), q.astype(float))
                own[:, 4 + 2 * m], own[:, 5 + 2 * m] = weight * least, weight * most
            sums = (sums[:, None, :] + own[None, :, :]).reshape(-1, wide)
            self.deadline.tick()
        return sums

    def first(self, judge: Judge) -> list[tuple[int, int]] | None:
        """A choice that the judge accepts."""
        total = self.model.cells[0].total
        a, b = self.first_half, self.other_half
        if not len(a) or not len(b):
            return None
        if self.model.exclusive:
            order = np.argsort(b[:, 0], kind="stable")
            keys = b[order, 0]
            by_q = np.argsort(a[:, 0], kind="stable")
            wanted, starts = np.unique(a[by_q, 0], return_index=True)
            ends = np.append(starts[1:], len(by_q))
            lows = np.searchsorted(keys, total - wanted, "left")
            highs = np.searchsorted(keys, total - wanted, "right")
            blocks = [(by_q[s:e], order[x:y]) for s, e, x, y in zip(starts, ends, lows, highs, strict=True) if y > x]
        else:
            blocks = [(np.arange(len(a)), np.arange(len(b)))]
        if sum(len(x) * len(y) for x, y in blocks) > MOST_PAIRS:
            raise TooMany
        near = 0
        for x, y in blocks:
            self.deadline.tick()
            self.deadline.charge(_PAIR * len(x) * len(y))
            sums = a[x][:, None, :] + b[y][None, :, :]
            for i, j in zip(*np.nonzero(self._near(sums)), strict=True):
                near += 1
                self.deadline.tick()
                if near > _MOST_NEAR:
                    raise TooMany
                counts = self._counts(int(x[i]), int(y[j]))
                if judge(counts):
                    return counts
        return None

    def _near(self, sums: Any) -> Any:
        least, most = self.node.right[0]
        right = sums[..., 1]
        keep = (right >= least) & (right <= most)
        for m, mean in enumerate(self.means):
            keep &= sums[..., 5 + 2 * m] >= float(mean.low) - _MARGIN
            keep &= sums[..., 4 + 2 * m] <= float(mean.high) + _MARGIN
        total = float(self.model.cells[0].total)
        spread = total**2 - sum(float(cell.n) ** 2 for cell in self.model.cells)
        x = total * right - sums[..., 2]
        for goal in self.model.goals:
            if isinstance(goal, Agreement):
                below = total**2 - sums[..., 2]
                if goal.name == "mcc":
                    below = np.sqrt(np.maximum((total**2 - sums[..., 3]) * spread, 0))
                value = x / np.maximum(below, 1e-12)
                keep &= (below == 0) | ((value >= float(goal.low) - _MARGIN) & (value <= float(goal.high) + _MARGIN))
            elif isinstance(goal, OfMeans):
                s, r = goal.form.den[2], goal.form.den[1]
                p, t = (4 + 2 * self.means.index(part) for part in (goal.precision, goal.recall))
                ends = [
                    (s + r)
                    * sums[..., p + k]
                    * sums[..., t + k]
                    / np.maximum(s * sums[..., p + k] + r * sums[..., t + k], 1e-300)
                    for k in (0, 1)
                ]
                filled = sums[..., p] + sums[..., t] < _MARGIN  # 0/0, which counts as what the report says
                keep &= filled | ((ends[1] >= float(goal.low) - _MARGIN) & (ends[0] <= float(goal.high) + _MARGIN))
        return keep

    def _counts(self, first: int, other: int) -> list[tuple[int, int]]:
        counts: list[tuple[int, int]] = [(0, 0)] * len(self.points)
        for cells, at in zip(self.halves, (first, other), strict=True):
            for c in reversed(cells):
                tp, q = self.points[c]
                at, own = divmod(at, len(tp))
                counts[c] = int(tp[own]), int(q[own])
        return counts
