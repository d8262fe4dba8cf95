"""Pairs from two lists of sums that meet bounds together, found by two rows at once.

The second list is sorted into cells by its first row, as wide as the bounds are apart, and by its second row within a
cell; what suits an entry of the first list then lies together, in two neighbouring cells.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.work.budget import Budget

_PORTION = 1_000_000
_YIELDED = 20_000  # of a portion, at once
_MATCHED = 1e-2  # seconds of a portion
_MOST_CELLS = 1 << 20
_FINE = float(1 << 30)  # steps of the second row within a cell


class Meeting:
    """Two lists of sums (rows x entries) and the windows in which the first finds partners in the second."""

    def __init__(self, left: Floats, right: Floats, low: Floats, high: Floats) -> None:
        self._left, self._low, self._high = left, low, high
        self._second = min(1, len(low) - 1)
        base, top = right.min(axis=1), right.max(axis=1)
        width = max(float(high[0] - low[0]), float(top[0] - base[0]) / _MOST_CELLS, 1.0)
        fine = _FINE / max(float(top[self._second] - base[self._second]), 1.0)
        cell = np.floor((right[0] - base[0]) / width)
        key = cell * (2 * _FINE) + np.floor((right[self._second] - base[self._second]) * fine)
        self.order: Integers = np.argsort(key, kind="stable")
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

    def matches(self, deadline: Budget) -> Iterator[tuple[Integers, Integers]]:
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
            mine = sizes[at:upto]
            offset = np.arange(int(mine.sum())) - np.repeat(np.cumsum(mine) - mine, mine)
            first, second = np.repeat(owner[at:upto], mine), np.repeat(start[at:upto], mine) + offset
            for row in [*range(2, len(self._low)), *range(min(2, len(self._low)))]:  # two are nearly met
                total = self._left[row][first] + self._right[row][second]
                good = (total >= self._low[row]) & (total <= self._high[row])
                first, second = first[good], second[good]
            for cut in range(0, len(first), _YIELDED):  # who looks at them takes longer than it took to find them
                deadline.tick()
                yield first[cut : cut + _YIELDED], self.order[second[cut : cut + _YIELDED]]
            at = upto
