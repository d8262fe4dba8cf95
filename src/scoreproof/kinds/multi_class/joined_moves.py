"""Moves of many classes at a time: thousands of moves of some pairs of classes joined with thousands of others.

One pair of classes has too few moves to hit several narrow intervals at once, and a pair of a small fold has few at
all. What pairs change adds up, so for each move of the first half of the pairs the best of the second is a nearest
neighbour in the space of the goals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from scoreproof.kinds.multi_class.search import CountSearch

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
