"""Meet in the middle (Horowitz and Sahni 1974, doi:10.1145/321812.321823): pairs of sums that add up.

``Matches`` gives every pair that meets bounds, found by two rows at once; ``join`` some of the pairs within a radius,
found by sorting cells of the rows that tell most.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.work.budget import Budget

_PORTION = 1_000_000
_MATCHED = 1e-2  # seconds of a portion
_YIELDED = 20_000  # of a portion, at once
_MOST_CELLS = 1 << 20
_FINE = float(1 << 30)  # steps of the second row within a cell
_TELLING = 4  # rows whose cells are sorted
_MOST_PAIRS = 1_500_000  # looked at for one offset of cells
_MOST_JOINED = 2_000
_MOST_NUMBERS = 2.0**44  # of cells: the values within them keep some digits
_SAMPLE = 4_000  # entries of a list that say how far it spreads
_SORTED, _SOUGHT = 2e-7, 3e-8  # seconds of an entry of the lists that are joined


class Matches:
    """Two lists of sums (rows x entries) and the windows in which the first has partners in the second.

    The second list is sorted into cells by its first row, as wide as the bounds are apart, and by its second row within
    a cell; what suits an entry of the first list then lies together, in two neighbouring cells.
    """

    def __init__(self, left: Floats, right: Floats, low: Floats, high: Floats) -> None:
        self._left, self._low, self._high = left, low, high
        self._second = min(1, len(low) - 1)
        base, top = right.min(axis=1), right.max(axis=1)
        width = max(float(high[0] - low[0]), float(top[0] - base[0]) / _MOST_CELLS, 1.0)
        fine = _FINE / max(float(top[self._second] - base[self._second]), 1.0)
        cell = np.floor((right[0] - base[0]) / width)
        key = cell * (2 * _FINE) + np.floor((right[self._second] - base[self._second]) * fine)
        self.order: Ints = np.argsort(key, kind="stable")
        self._right = right[:, self.order]
        key = key[self.order]
        begin = np.clip((low[0] - left[0] - base[0]) / width, -1.0, 2.0 * _MOST_CELLS)
        first = np.floor(begin)
        last = np.floor(np.clip((high[0] - left[0] - base[0]) / width, -2.0, 2.0 * _MOST_CELLS))
        along = [
            np.clip(np.floor((end[self._second] - left[self._second] - base[self._second]) * fine), -1.0, _FINE + 1)
            for end in (low, high)
        ]
        starts, stops = [], []
        for here in (first, first + 1):  # rounding of floats may make it a third: the sums are kept off the ends
            start = np.searchsorted(key, here * (2 * _FINE) + along[0], "left")
            stop = np.searchsorted(key, here * (2 * _FINE) + along[1], "right")
            starts.append(start)
            stops.append(np.where((here <= last) & (stop > start), stop, start))
        self._start, self._stop = np.concatenate(starts), np.concatenate(stops)

    @property
    def pairs(self) -> int:
        """How many pairs suit each other in two rows."""
        return int((self._stop - self._start).sum())

    def portions(self, deadline: Budget) -> Iterator[tuple[Ints, Ints]]:
        """The pairs that suit each other in all rows, as places in the two lists, in portions."""
        count = self._left.shape[1]
        some = np.flatnonzero(self._stop > self._start)
        sizes, owner, start = (self._stop - self._start)[some], some % count, self._start[some]
        ends = np.cumsum(sizes)
        at = 0
        while at < len(some):
            deadline.charge(_MATCHED)
            deadline.tick()
            upto = max(at + 1, int(np.searchsorted(ends, (int(ends[at - 1]) if at else 0) + _PORTION, "right")))
            portion = sizes[at:upto]
            offset = np.arange(int(portion.sum())) - np.repeat(np.cumsum(portion) - portion, portion)
            first, second = np.repeat(owner[at:upto], portion), np.repeat(start[at:upto], portion) + offset
            for row in [*range(2, len(self._low)), *range(min(2, len(self._low)))]:  # two are nearly met
                total = self._left[row][first] + self._right[row][second]
                good = (total >= self._low[row]) & (total <= self._high[row])
                first, second = first[good], second[good]
            for cut in range(0, len(first), _YIELDED):  # who looks at them takes longer than it took to find them
                deadline.tick()
                yield first[cut : cut + _YIELDED], self.order[second[cut : cut + _YIELDED]]
            at = upto


def join(
    first: Floats,
    second: Floats,
    deadline: Budget,
    *,
    radius: float = 1.0,
    most: int = _MOST_JOINED,
    telling: int = _TELLING,
) -> tuple[Ints, Ints]:
    """Pairs (i, j) with first[i] + second[j] within a radius of 0 in every row: some, if there are many."""
    nothing = np.zeros(0, dtype=np.int64)
    some, others = (every[:: max(1, len(every) // _SAMPLE)] for every in (first, second))
    spread = np.maximum(np.maximum(some.std(axis=0), others.std(axis=0)), 1e-9) / radius
    order = [int(row) for row in np.argsort(-spread)]
    rows = _most_telling(spread, order, telling, len(second))
    if not rows:
        few = np.arange(min(len(first), len(second), most))
        return few, few
    while (cells := _Cells.of(first, second, rows, radius)) is None:
        rows.pop()
    deadline.charge(_SORTED * (len(first) + len(second)))
    near = [*(row for row in order if row not in rows), *rows[:-1]]  # in the telling ones what is looked at is near
    values = [np.ascontiguousarray(first[:, row]) for row in near]
    wanted = [-second[cells.rank, row] for row in near]
    pairs: list[tuple[Ints, Ints]] = []
    count = 0
    for sides in range(1 << len(rows) - 1):
        deadline.charge(_SOUGHT * len(first))
        if deadline.passed:
            break
        at, other = cells.pairs(sides)
        for own, partner in zip(values, wanted, strict=True):
            close = np.abs(own[at] - partner[other]) <= radius
            at, other = at[close], other[close]
        if len(at):
            pairs.append((at, cells.rank[other]))
            count += len(at)
            if count >= most:
                break
    if not pairs:
        return nothing, nothing
    return np.concatenate([x for x, _ in pairs])[:most], np.concatenate([y for _, y in pairs])[:most]


def _most_telling(spread: Floats, order: list[int], most: int, count: int) -> list[int]:
    """The rows by which to look for partners among so many: those that spread most, until few are left in a cell."""
    rows: list[int] = []
    cells = 1.0
    for row in order:
        if len(rows) >= most or spread[row] < 0.7:
            break
        rows.append(row)
        cells *= max(1.0, float(spread[row]) * 1.7)
        if count / cells < 2:
            break
    return rows


class _Cells(NamedTuple):
    """Two lists in the order of their cells: as wide as partners may be apart, in all telling rows but the last.

    Partners of an entry lie in its own cell or in the next on its nearer side, and in the last row in a range.
    """

    keys: Floats  # of the second list, sorted: the number of the cell, and the value in the last row within it
    rank: Ints  # where the entries of the second list come from
    wanted: Floats  # of the first list, sorted
    place: Ints  # where these come from
    sides: list[Floats]  # by row: how much further the number of the cell on the nearer side is

    @classmethod
    def of(cls, first: Floats, second: Floats, rows: list[int], radius: float) -> _Cells | None:
        """The cells of rows; None if those of several are too many to number."""
        firsts = [first[:, row] / (2 * radius) for row in rows]
        seconds = [second[:, row] / (-2 * radius) for row in rows]
        wanted, keys = np.zeros(len(first)), np.zeros(len(second))
        sides = []
        step = 1.0
        for number, (own, other) in enumerate(zip(reversed(firsts), reversed(seconds), strict=True)):
            low = np.floor(min(own.min(), other.min())) - 1
            own, other = own - low, other - low
            extent = np.floor(max(own.max(), other.max())) + 3
            if number == 0:
                wanted, keys = own, other
            else:
                inside = np.floor(own)
                wanted += inside * step
                keys += np.floor(other) * step
                sides.append(np.where(own - inside >= 0.5, step, -step))
            step *= extent
        if step > _MOST_NUMBERS and len(rows) > 1:
            return None
        rank, place = np.argsort(keys), np.argsort(wanted)  # looking up what is sorted is much faster
        return cls(keys[rank], rank, wanted[place], place, [side[place] for side in sides])

    def pairs(self, chosen: int) -> tuple[Ints, Ints]:
        """Partners on the nearer side in the rows whose bit is set, in the same cell in the others.

        The first as places in the first list, the second as places among the sorted keys.
        """
        wanted = self.wanted
        for number, side in enumerate(self.sides):
            if chosen >> number & 1:
                wanted = wanted + side
        start = np.searchsorted(self.keys, wanted - 0.5, "left")
        counts = np.searchsorted(self.keys, wanted + 0.5, "right") - start
        at = np.flatnonzero(counts)
        ends = np.cumsum(counts[at])
        at, ends = at[ends <= _MOST_PAIRS], ends[ends <= _MOST_PAIRS]
        counts = counts[at]
        offset = np.repeat(start[at] - ends + counts, counts)
        return np.repeat(self.place[at], counts), np.arange(len(offset)) + offset
