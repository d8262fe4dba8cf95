"""Moves of four classes at a time: thousands of moves of one pair joined with thousands of another.

One pair of classes has too few moves to hit several narrow intervals at once. What two pairs change adds up, so for
each move of the first the best of the second is a nearest neighbour in the space of the goals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from scoreproof.kinds.multi_class.search import CountSearch

_FIRST, _SECOND = 3_000, 16_000
_TRIED = 24
_FAR = 100  # cases by which a class is moved: what is left to do is little, and near moves are many

Move = tuple[float, dict[int, tuple[int, int]], dict[int, Any]]


def join_moves(search: CountSearch, counts: Any, values: Any, sums: Any) -> Move | None:
    """The best move of two pairs of classes, each of which keeps its sums of tp and q."""
    from scipy.spatial import cKDTree

    pairs = _pairs(search)
    if pairs is None:
        return None
    features = search.features
    now = features.values(sums)
    half = np.maximum((features.high - features.low) / 2, 1e-12)
    sides = []
    for (i, j), size in zip(pairs, (_FIRST, _SECOND), strict=True):
        points = _candidates(search, counts, i, j, size)
        if not len(points[0][0]):
            return None
        parts = [features.of(c, tp, q) for c, (tp, q) in zip((i, j), points, strict=True)]
        moved = sum(parts) - (values[i] + values[j])[:, None]
        change = (features.values(sums[:, None] + moved) - now[:, None]) / half[:, None]
        sides.append((points, parts, moved, change))
    wanted = ((features.low + features.high) / 2 - now) / half
    tree = cKDTree(sides[1][3].T)
    neighbours: Any = tree.query((wanted[:, None] - sides[0][3]).T, p=np.inf)
    far, at = neighbours
    order = np.argsort(far)[:_TRIED]
    total = sums[:, None] + sides[0][2][:, order] + sides[1][2][:, at[order]]
    off = features.off(total) + _uncoupled(search, pairs, sides, order, at[order], counts)
    best = int(np.argmin(off))
    changes, new = {}, {}
    for (i, j), (points, parts, _, _), place in zip(pairs, sides, (order[best], at[order[best]]), strict=True):
        for c, (tp, q), part in zip((i, j), points, parts, strict=True):
            changes[c], new[c] = (int(tp[place]), int(q[place])), part[:, place]
    return float(off[best]), changes, new


def _pairs(search: CountSearch) -> list[tuple[int, int]] | None:
    """Two pairs of classes without a class in common; a pair is of one set."""
    order = [int(c) for c in search.rng.permutation(search.movable)]
    number = {c: search.model.cells[c].number for c in order}
    pairs: list[tuple[int, int]] = []
    while order and len(pairs) < 2:
        i = order.pop()
        j = next((c for c in order if number[c] == number[i]), None)
        if j is not None:
            order.remove(j)
            pairs.append((i, j))
    return pairs if len(pairs) == 2 else None


def _candidates(search: CountSearch, counts: Any, i: int, j: int, size: int) -> Any:
    """Counts of two classes with their sums as they are."""
    (tp_i, q_i), (tp_j, q_j) = counts[i], counts[j]
    box = search.node.boxes[i]
    q = q_i + search.steps(size, min(_FAR, box.q1 - box.q0))
    tp = tp_i + search.steps(size, min(_FAR, box.t1 - box.t0))
    q[0], tp[0] = q_i, tp_i
    other_q, other_tp = q_i + q_j - q, tp_i + tp_j - tp
    low, high = search.interval(i, q)
    keep = (low <= tp) & (tp <= high)
    low, high = search.interval(j, other_q)
    keep &= (low <= other_tp) & (other_tp <= high)
    wide = int(q.max()) + 1
    tp, q = np.divmod(np.unique(tp[keep] * wide + q[keep]), wide)
    return (tp, q), (tp_i + tp_j - tp, q_i + q_j - q)


def _uncoupled(search: CountSearch, pairs: Any, sides: Any, first: Any, second: Any, counts: Any) -> Any:
    """By how much classes would have more wrong cases than there are."""
    if not search.model.exclusive:
        return 0.0
    over: Any = 0.0
    for pair, (points, _, _, _), at in zip(pairs, sides, (first, second), strict=True):
        number = search.model.cells[pair[0]].number
        cells = search.model.sets[number]
        wrong = search.model.cells[pair[0]].total - sum(counts[c][0] for c in cells)
        for c, (tp, q) in zip(pair, points, strict=True):
            over = over + np.maximum(0, search.model.cells[c].n + q[at] - 2 * tp[at] - wrong)
    return over
