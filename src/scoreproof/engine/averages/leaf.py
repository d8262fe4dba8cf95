"""Small nodes, decided by looking at every combination: meet in the middle.

The sets are divided into two halves whose combinations are listed; a half's sums are matched with the other's by
searching a tree for the box that the rows allow. What matches approximately is judged exactly.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from scoreproof.engine.averages.columns import BITS, Floats, Model
from scoreproof.engine.averages.multipliers import Node
from scoreproof.scores import ConfusionMatrix

_MOST = 60_000  # combinations of a half
_MOST_MATCHES = 20_000  # judged exactly before a node counts as too large
_SLACK = 2.0**-30  # covers rounding of columns and floats


class Answer(Enum):
    """What became of a node."""

    TOO_LARGE = "too large"
    NONE = "no combination fits"
    FOUND = "found"


class Leaf(NamedTuple):
    answer: Answer
    witness: tuple[ConfusionMatrix, ...] = ()


def halves(node: Node) -> tuple[list[int], list[int]] | None:
    """The sets (as positions of their parts) in two halves of few combinations; None if that is too many."""
    order = sorted(
        (k for k, part in enumerate(node.parts) for _ in range(part.sets)), key=lambda k: -len(node.parts[k].columns)
    )
    first: list[int] = []
    second: list[int] = []
    sizes = [1, 1]
    for k in order:
        side = 0 if sizes[0] <= sizes[1] else 1
        (first, second)[side].append(k)
        sizes[side] *= len(node.parts[k].columns)
        if max(sizes) > _MOST:
            return None
    return first, second


def enumerate_node(model: Model, node: Node) -> Leaf:
    """Decide a node by trying every combination, if there are few enough."""
    split = halves(node)
    if split is None:
        return Leaf(Answer.TOO_LARGE)
    rows = [k for k, row in enumerate(model.rows) if not row.free]
    low = np.ldexp(np.array([node.lows[k] for k in rows], dtype=np.float64), -BITS) - _SLACK
    high = np.ldexp(np.array([node.highs[k] for k in rows], dtype=np.float64), -BITS) + _SLACK
    half_width = np.maximum((high - low) / 2, 1e-8)
    centre = (low + high) / 2 / half_width
    left, right = (_sums(model, node, half, rows, half_width) for half in split)
    tree = cKDTree(right)
    wanted = centre - left
    distance, _ = tree.query(wanted, p=np.inf, distance_upper_bound=1 + 1e-6)
    judged = 0
    for i in np.flatnonzero(np.isfinite(distance)):
        for j in tree.query_ball_point(wanted[i], 1 + 1e-6, p=np.inf):
            judged += 1
            if judged > _MOST_MATCHES:
                return Leaf(Answer.TOO_LARGE)
            chosen = _chosen(node, split[0], int(i)) + _chosen(node, split[1], int(j))
            witness = matrices(model, node, chosen)
            if model.demand.fits(witness):
                return Leaf(Answer.FOUND, witness)
    return Leaf(Answer.NONE)


def _sums(model: Model, node: Node, half: list[int], rows: list[int], scale: Floats) -> Floats:
    total = np.zeros((1, len(rows)))
    for k in half:
        part = node.parts[k]
        values = np.ldexp(model.groups[part.group].low[rows][:, part.columns].T.astype(np.float64), -BITS) / scale
        total = (total[:, None, :] + values[None]).reshape(-1, len(rows))
    return total


def _chosen(node: Node, half: list[int], index: int) -> list[tuple[int, int]]:
    """The combination of this number: positions of parts and their columns."""
    chosen = []
    for k in reversed(half):
        index, at = divmod(index, len(node.parts[k].columns))
        chosen.append((k, int(node.parts[k].columns[at])))
    return chosen


def matrices(model: Model, node: Node, chosen: list[tuple[int, int]]) -> tuple[ConfusionMatrix, ...]:
    """A choice of columns as one matrix per evaluation set, in the order of the sets."""
    found: dict[int, ConfusionMatrix] = {}
    free = {k: iter(group.indices) for k, group in enumerate(model.groups)}
    for k, column in sorted(chosen):
        number = node.parts[k].group
        group = model.groups[number]
        p, tp, tn = int(group.p[column]), int(group.tp[column]), int(group.tn[column])
        found[next(free[number])] = ConfusionMatrix(tp, group.set.size - p - tn, p - tp, tn)
    return tuple(found[index] for index in sorted(found))
