"""Meet in the middle (Horowitz and Sahni 1974, doi:10.1145/321812.321823): pairs of sums that add up.

``Matches`` gives every pair that meets bounds, found by two rows at once; ``join`` some of the pairs near 0,
found by sorting cells of the rows that tell most.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.work.budget import Budget, OutOfTime

_PORTION = 1_000_000
_MATCHED = 1e-8  # seconds of a pair that suits in two rows
_YIELDED = 20_000  # of a portion, at once
_MOST_CELLS = 1 << 20
_FINE = float(1 << 30)  # steps of the second row within a cell
_MOST_JOINED = 2_000
_STRIDE = 7  # entries of a list, one of which says how far it spreads
_SORTED = 2e-7  # seconds of an entry of the lists that are joined
_JOINED = 0.02  # seconds of one join


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
            upto = max(at + 1, int(np.searchsorted(ends, (int(ends[at - 1]) if at else 0) + _PORTION, "right")))
            portion = sizes[at:upto]
            deadline.charge(_MATCHED * int(portion.sum()))
            deadline.tick()
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


def join(first: Floats, second: Floats, deadline: Budget, *, most: int = _MOST_JOINED) -> tuple[Ints, Ints]:
    """Pairs (i, j) with first[i] + second[j] within 1 of 0 in every row: some, if there are many."""
    pairs = [(np.zeros(0, dtype=np.int64),) * 2]
    order = np.argsort(-np.maximum(first[::_STRIDE].std(axis=0), second[::_STRIDE].std(axis=0)))
    deadline.charge(_SORTED * (len(first) + len(second)))
    ends = np.ones(len(order))
    with suppress(OutOfTime):
        for portion in Matches(first.T[order], second.T[order], -ends, ends).portions(deadline.within(_JOINED)):
            pairs.append(portion)
            most -= len(portion[0])
            if most <= 0:
                break
    return np.concatenate([x for x, _ in pairs]), np.concatenate([y for _, y in pairs])
