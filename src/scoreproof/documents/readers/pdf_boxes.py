"""Cells of a table that are drawn as boxes of their own, with gaps between them.

Browsers print a table without collapsed borders like that. The boxes are grown by half of the gap, so that they touch,
and are then a ruled table like any other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

_TOUCHING = 0.8  # points: boxes that are closer share a border already
_APART = 14.0  # points between boxes of one table at most
_FEWEST = 4
_MOST = 20_000  # boxes of a page; more are a drawing


class CellBox(NamedTuple):
    """A rectangle with a border."""

    x0: float
    x1: float
    top: float
    bottom: float


def closed_up(boxes: Sequence[CellBox]) -> list[CellBox]:
    """The boxes; those of a table with gaps between its cells grown until they touch.

    >>> row = [CellBox(0, 10, 0, 10), CellBox(14, 30, 0, 10)]
    >>> closed_up([*row, *(box._replace(top=13, bottom=23) for box in row)])[:2]
    [CellBox(x0=-2.0, x1=12.0, top=-1.5, bottom=11.5), CellBox(x0=12.0, x1=32.0, top=-1.5, bottom=11.5)]
    """
    if not _FEWEST <= len(boxes) <= _MOST:
        return list(boxes)
    beside = _neighbours(boxes)
    below = [(a, b, gap) for b, a, gap in _neighbours([_turned(box) for box in boxes])]
    owner = list(range(len(boxes)))

    def root(index: int) -> int:
        while owner[index] != index:
            owner[index] = owner[owner[index]]
            index = owner[index]
        return index

    for one, other, _ in (*beside, *below):
        owner[root(one)] = root(other)
    across: dict[int, list[float]] = defaultdict(list)
    down: dict[int, list[float]] = defaultdict(list)
    for pairs, gaps in ((beside, across), (below, down)):
        for one, _, gap in pairs:
            gaps[root(one)].append(gap)
    members: dict[int, int] = defaultdict(int)
    for index in range(len(boxes)):
        members[root(index)] += 1
    grown = []
    for index, box in enumerate(boxes):
        table = root(index)
        if members[table] < _FEWEST or not across[table] or not down[table]:
            grown.append(box)
            continue
        x, y = median(across[table]) / 2, median(down[table]) / 2
        grown.append(CellBox(box.x0 - x, box.x1 + x, box.top - y, box.bottom + y))
    return grown


def _neighbours(boxes: Sequence[CellBox]) -> list[tuple[int, int, float]]:
    """Pairs of boxes side by side with a gap between them, and the gap."""
    order = sorted(range(len(boxes)), key=lambda index: boxes[index].x0)
    starts = [boxes[index].x0 for index in order]
    found = []
    for index, box in enumerate(boxes):
        first = bisect_left(starts, box.x1 + _TOUCHING)
        for other in order[first : min(bisect_right(starts, box.x1 + _APART), first + 200)]:
            theirs = boxes[other]
            shared = min(box.bottom, theirs.bottom) - max(box.top, theirs.top)
            if shared > 0.5 * min(box.bottom - box.top, theirs.bottom - theirs.top):
                found.append((index, other, theirs.x0 - box.x1))
    return found


def _turned(box: CellBox) -> CellBox:
    return CellBox(box.top, box.bottom, box.x0, box.x1)
