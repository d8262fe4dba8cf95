"""Moves of many classes at a time: thousands of moves of some pairs of classes joined with thousands of others.

One pair of classes has too few moves to hit several narrow intervals at once, and a pair of a small fold has few at
all. What pairs change adds up, so for each move of the first half of the pairs the best of the second is a nearest
neighbour in the space of the goals.

Counts that give a report, sought by moves of two classes at a time. Floats say what comes nearer; nothing here is
believed before it was judged exactly.

A move changes the counts of two classes of one matrix so that all q still add up. Hundreds of such moves are tried at
once, near and far ones, and the best is made; where none is better, the search is stirred and goes on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from scoreproof.kinds.multi_class.cells import CountColumns, columns
from scoreproof.kinds.multi_class.fitting import Features
from scoreproof.kinds.multi_class.model import ClassesModel, CountPart, Mean, rules_at
from scoreproof.work.budget import Budget

_FIRST, _SECOND = 3_000, 16_000
_TRIED = 24
_FAR = 100  # cases by which a class is moved: what is left to do is little, and near moves are many
_MOST_PAIRS = 8  # that are moved together where each has few moves
_STILL = 0.4  # how often a pair of several is not moved

Move = tuple[float, dict[int, tuple[int, int]], dict[int, Any]]


class PairMoves(NamedTuple):
    """What two classes may have instead: counts and sums of each, and by how much they change the sums of all."""

    cells: tuple[int, int]
    points: Any
    parts: Any
    moved: Any


class HalfMoves(NamedTuple):
    """Moves of several pairs at once: for each pair which of its moves, and by how much all change the sums."""

    pairs: list[PairMoves]
    chosen: Any
    moved: Any


def join_moves(search: CountSearch, counts: Any, values: Any, sums: Any) -> Move | None:
    """The best move of several pairs of classes, each of which keeps its sums of tp and q."""
    from scipy.spatial import cKDTree

    pairs = [_moves_of(search, counts, values, pair) for pair in _pairs(search)]
    known = [pair for pair in pairs if pair is not None]
    if len(known) < 2:
        return None
    features = search.features
    now = features.values(sums)
    half = np.maximum((features.high - features.low) / 2, 1e-12)
    sides = [_side(search, known[0::2], _FIRST), _side(search, known[1::2], _SECOND)]
    first, second = (((features.values(sums[:, None] + side.moved) - now[:, None]) / half[:, None]).T for side in sides)
    wanted = ((features.low + features.high) / 2 - now) / half
    neighbours: Any = cKDTree(second).query(wanted - first, p=np.inf)
    far, at = neighbours
    order = np.argsort(far)[:_TRIED]
    chosen = (order, at[order])
    total = sums[:, None] + sides[0].moved[:, chosen[0]] + sides[1].moved[:, chosen[1]]
    off = features.off(total)
    for side, places in zip(sides, chosen, strict=True):
        off = off + _uncoupled(search, side, places, counts)
    best = int(np.argmin(off))
    changes, new = {}, {}
    for side, places in zip(sides, chosen, strict=True):
        for pair, move in zip(side.pairs, side.chosen[:, places[best]], strict=True):
            for c, (tp, q), part in zip(pair.cells, pair.points, pair.parts, strict=True):
                changes[c], new[c] = (int(tp[move]), int(q[move])), part[:, move]
    return float(off[best]), changes, new


def _pairs(search: CountSearch) -> list[tuple[int, int]]:
    """Pairs of classes without a class in common, two or more; a pair is of one set."""
    order = [int(c) for c in search.rng.permutation(search.movable)]
    number = {c: search.model.cells[c].number for c in order}
    most = 2 if len(search.model.sets) == 1 else _MOST_PAIRS
    pairs: list[tuple[int, int]] = []
    while order and len(pairs) < most:
        i = order.pop()
        j = next((c for c in order if number[c] == number[i]), None)
        if j is not None:
            order.remove(j)
            pairs.append((i, j))
    return pairs


def _moves_of(search: CountSearch, counts: Any, values: Any, cells: tuple[int, int]) -> PairMoves | None:
    """What a pair may have instead, the first being what it has."""
    i, j = cells
    points = _candidates(search, counts, i, j, _SECOND if len(search.model.sets) == 1 else _FIRST)
    if not len(points[0][0]):
        return None
    parts = [search.features.of(c, tp, q) for c, (tp, q) in zip(cells, points, strict=True)]
    return PairMoves(cells, points, parts, sum(parts) - (values[i] + values[j])[:, None])


def _side(search: CountSearch, pairs: list[PairMoves], size: int) -> HalfMoves:
    """So many moves of some pairs together; of one pair all of its own."""
    if len(pairs) == 1:
        moved = pairs[0].moved[:, :size]
        return HalfMoves(pairs, np.arange(moved.shape[1])[None, :], moved)
    rng = search.rng
    chosen = np.array([rng.integers(pair.moved.shape[1], size=size) for pair in pairs])
    chosen[rng.random(chosen.shape) < _STILL] = 0
    moved = sum(pair.moved[:, own] for pair, own in zip(pairs, chosen, strict=True))
    return HalfMoves(pairs, chosen, moved)


def _candidates(search: CountSearch, counts: Any, i: int, j: int, size: int) -> Any:
    """Counts of two classes with their sums as they are, those they have first, in no order."""
    (tp_i, q_i), (tp_j, q_j) = counts[i], counts[j]
    box = search.node.boxes[i]
    q = q_i + search.steps(size, min(_FAR, box.q1 - box.q0))
    tp = tp_i + search.steps(size, min(_FAR, box.t1 - box.t0))
    if len(search.model.sets) > 1:
        tp[: size // 2] = tp_i  # in small folds every other tp moves recall by more than its width
    other_q, other_tp = q_i + q_j - q, tp_i + tp_j - tp
    low, high = search.interval(i, q)
    keep = (low <= tp) & (tp <= high)
    low, high = search.interval(j, other_q)
    keep &= (low <= other_tp) & (other_tp <= high)
    keep &= (tp != tp_i) | (q != q_i)
    wide = int(q.max()) + 1
    tp, q = np.divmod(search.rng.permutation(np.unique(tp[keep] * wide + q[keep])), wide)
    tp, q = np.concatenate(([tp_i], tp)), np.concatenate(([q_i], q))
    return (tp, q), (tp_i + tp_j - tp, q_i + q_j - q)


def _uncoupled(search: CountSearch, side: HalfMoves, places: Any, counts: Any) -> Any:
    """By how much classes would have more wrong cases than there are."""
    over: Any = 0.0
    if not search.model.exclusive:
        return over
    for pair, chosen in zip(side.pairs, side.chosen, strict=True):
        number = search.model.cells[pair.cells[0]].number
        cells = search.model.sets[number]
        wrong = search.model.cells[pair.cells[0]].total - sum(counts[c][0] for c in cells)
        for c, (tp, q) in zip(pair.cells, pair.points, strict=True):
            at = chosen[places]
            over = over + np.maximum(0, search.model.cells[c].n + q[at] - 2 * tp[at] - wrong)
    return over


_MOST_Q = 200_000
_CANDIDATES = 384
_PATIENCE = 10  # moves without success before stirring
_JOINED = 60  # moves of a search that is worth joining pairs
_NEAR = 60.0  # widths of claims within which two pairs of classes are moved together
_LOOKS = 16  # moves from one look at the time to the next
_MOVE, _JOIN = 3e-4, 0.02  # seconds of a move, and of joining pairs

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
        still, joined = 0, -8
        joins = most_moves >= _JOINED and len(self.movable) >= 4
        for step in range(most_moves):
            if far == 0:
                if judge(counts):
                    return counts
                still = _PATIENCE + 1
            elif joins and still > _PATIENCE and far < _NEAR and step - joined >= 8:
                joined = step
                deadline.charge(_JOIN)
                move = join_moves(self, counts, values, sums)
                if move is not None and move[0] < far:
                    sums, far = self._made(move, counts, values, right)
                    still = 0
                    continue
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
