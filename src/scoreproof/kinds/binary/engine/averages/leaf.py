"""Small nodes, decided by looking at every combination: meet in the middle.

The sets are divided into two halves whose combinations are listed; the sums of one half are matched with those of
the other within the bounds of the rows. What matches is judged exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

import numpy as np

from scoreproof.kinds.binary.engine.averages.model import Model
from scoreproof.kinds.binary.engine.averages.multipliers import Node, sums
from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.deadline import NEVER, Deadline

_MOST = 1_500_000  # combinations of a half
_MOST_PAIRS = 20_000_000  # pairs that agree in the most telling row
_MOST_MATCHES = 20_000  # judged exactly before a node counts as too large
_TELLING = 5  # rows that are matched
_PORTION = 1_000_000
_SLACK = 64.0  # units; covers the rounding of columns and of float sums


class LeafAnswer(Enum):
    """What became of a node."""

    TOO_LARGE = "too large"
    NONE = "no combination fits"
    FOUND = "found"


class Leaf(NamedTuple):
    answer: LeafAnswer
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


def enumerate_node(model: Model, node: Node, deadline: Deadline = NEVER) -> Leaf:
    """Decide a node by trying every combination, if there are few enough.

    Sums of the two halves are matched on the few rows that tell combinations apart best; what matches is judged by
    all rows, exactly. Judging takes a millisecond or so, and thousands may match: time is watched all along.
    """
    split = halves(node)
    if split is None:
        return Leaf(LeafAnswer.TOO_LARGE)
    rows, share = _telling(model, node)
    pairs = math.prod(len(node.parts[k].columns) for half in split for k in half)
    if pairs * min(share, 1.0) > 4 * _MOST_PAIRS:
        return Leaf(LeafAnswer.TOO_LARGE)
    wide = _widths(model, node, rows)
    low = np.array([node.lows[k] for k in rows], dtype=np.float64) - _SLACK - wide
    high = np.array([node.highs[k] for k in rows], dtype=np.float64) + _SLACK
    (left, order), (right, rank) = (_sorted_sums(model, node, half, rows, deadline) for half in split)
    start = np.searchsorted(right[:, 0], low[0] - left[:, 0], "left")
    stop = np.maximum(np.searchsorted(right[:, 0], high[0] - left[:, 0], "right"), start)  # bounds may be crossed
    if int((stop - start).sum()) > _MOST_PAIRS:
        return Leaf(LeafAnswer.TOO_LARGE)
    judged: set[tuple[ConfusionMatrix, ...]] = set()  # columns that differ in how 0/0 counts are the same matrices
    for first, second in _windows(start, stop):
        deadline.check()
        total = left[first] + right[second]
        for at in np.flatnonzero(((total >= low) & (total <= high)).all(axis=1)):
            deadline.check()
            chosen = _chosen(node, split[0], int(order[first[at]])) + _chosen(node, split[1], int(rank[second[at]]))
            witness = matrices(model, node, chosen)
            if witness in judged:
                continue
            judged.add(witness)
            if len(judged) > _MOST_MATCHES:
                return Leaf(LeafAnswer.TOO_LARGE)
            if model.demand.fits(witness):
                return Leaf(LeafAnswer.FOUND, witness)
    return Leaf(LeafAnswer.NONE)


def _widths(model: Model, node: Node, rows: list[int]) -> Floats:
    """By how much the sums of columns that stand for a range of values may exceed those of their lower ends."""
    widths = np.zeros(len(rows))
    for part in node.parts:
        group = model.groups[part.group]
        gap = (group.high[rows][:, part.columns] - group.low[rows][:, part.columns]).max(axis=1)
        widths += part.sets * np.where(gap > 4, gap, 0)  # rounding outwards alone makes at most 2
    return widths


def _telling(model: Model, node: Node) -> tuple[list[int], float]:
    """The rows whose bounds are narrowest against the spread of their columns, and the narrowest's share of it."""
    share = []
    for k in range(len(model.rows)):
        spread = sum(
            part.sets * (int(values.max()) - int(values.min()))
            for part in node.parts
            for values in [model.groups[part.group].low[k][part.columns]]
        )
        share.append(((node.highs[k] - node.lows[k]) / spread if spread else np.inf, k))
    best = sorted(share)[:_TELLING]
    return [k for _, k in best], float(best[0][0])


def _windows(start: Integers, stop: Integers) -> Iterator[tuple[Integers, Integers]]:
    """Pairs (i, j) with start[i] <= j < stop[i], in portions."""
    counts = stop - start
    ends = np.cumsum(counts)
    at = 0
    while at < len(counts):
        base = int(ends[at - 1]) if at else 0
        upto = max(at + 1, int(np.searchsorted(ends, base + _PORTION, "right")))
        sizes = counts[at:upto]
        first = np.repeat(np.arange(at, upto), sizes)
        offset = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        yield first, start[first] + offset
        at = upto


def _sorted_sums(
    model: Model, node: Node, half: list[int], rows: list[int], deadline: Deadline
) -> tuple[Floats, Integers]:
    """The sums of all combinations of a half, by their first row, and the number of each combination.

    Both halves are sorted: searching for the sums of one among those of the other then walks through memory.
    """
    total = np.zeros((1, len(rows)))
    for k in half:
        deadline.check()
        total = (total[:, None, :] + sums(model, node.parts[k], rows)[None]).reshape(-1, len(rows))
    deadline.check()
    rank = np.argsort(total[:, 0], kind="stable")
    return total[rank], rank


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
        p, n, tp, tn = (int(x[column]) for x in (group.p, group.n, group.tp, group.tn))
        found[next(free[number])] = ConfusionMatrix(tp, n - tn, p - tp, tn)
    return tuple(found[index] for index in sorted(found))
