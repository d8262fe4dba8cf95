"""Two lists of sums that meet in the middle (Horowitz and Sahni 1974): the pairs that may lie within bounds.

Every entry is a range of whole numbers by row. The second list is put into cells of its first row, each as wide as what
an entry of the first list leaves open there, and sorted by its second row within each cell: what fits an entry of the
first list in both rows is one stretch of at most two cells. Such pairs are then compared in all rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoreproof_verify.arrays import Ints, np
from scoreproof_verify.frame import Patience
from scoreproof_verify.texts import require

_MOST_PAIRS = 60_000_000
_PORTION = 500_000  # pairs compared together
_CELL_BITS, _PLACE_BITS = 21, 40  # of a key: which cell, and where in it


class Sums(NamedTuple):
    """Sums of some combinations, row by row, from below and from above."""

    low: list[Ints]
    high: list[Ints]


def meeting(
    first: Sums, second: Sums, least: list[int], most: list[int], patience: Patience
) -> Iterator[tuple[Ints, Ints]]:
    """Every pair whose sums reach into [least, most] in all rows, as places in the two lists, in portions."""
    starts, stops, order = _stretches(first, second, least, most)
    require(int((stops - starts).sum()) <= _MOST_PAIRS, "a node has too many near matches")
    for i, at in _unrolled(starts, stops):
        patience.check()
        j = order[at]
        for row in [*range(2, len(least)), *range(min(2, len(least)))]:  # the first two are nearly met
            inside = first.low[row][i] + second.low[row][j] <= most[row]
            inside &= first.high[row][i] + second.high[row][j] >= least[row]
            i, j = i[inside], j[inside]
        yield i, j


def _stretches(first: Sums, second: Sums, least: list[int], most: list[int]) -> tuple[Ints, Ints, Ints]:
    """For each entry of the first list two stretches of the second one, which is sorted as ``order`` says."""
    rows = [0, min(1, len(least) - 1)]
    sides = [_Side.of(first, second, row, least[row], most[row]) for row in rows]
    across, along = sides
    width = max(int((across.upto - across.start).max(initial=0)) + 1, (across.reach >> (_CELL_BITS - 1)) + 1)
    shift = max(0, along.reach.bit_length() - _PLACE_BITS + 1)
    places = (along.reach >> shift) + 1
    key = across.value // width * places + (along.value >> shift)
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts, stops = [], []
    cell, last = across.start // width, across.upto // width
    possible = (across.start <= across.upto) & (along.start <= along.upto)
    for here, there in ((cell, possible), (last, possible & (last > cell))):
        begin = np.searchsorted(key, here * places + (along.start >> shift), "left")
        end = np.searchsorted(key, here * places + (along.upto >> shift), "right")
        starts.append(begin)
        stops.append(np.where(there, np.maximum(begin, end), begin))
    return np.concatenate(starts), np.concatenate(stops), order


class _Side(NamedTuple):
    """One row: where the second list's sums are, counted from the least, and what is open to each of the first."""

    value: Ints
    start: Ints
    upto: Ints
    reach: int

    @classmethod
    def of(cls, first: Sums, second: Sums, row: int, least: int, most: int) -> _Side:
        low = second.low[row]
        base, top = int(low.min()), int(low.max())
        wide = int((second.high[row] - low).max())
        start = np.minimum(np.maximum(least - first.high[row] - wide, base), top + 1) - base
        upto = np.minimum(np.maximum(most - first.low[row], base - 1), top) - base
        return cls(low - base, start, upto, top - base)


def _unrolled(starts: Ints, stops: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of an entry of the first list and a place of the second, in portions; the first list occurs twice."""
    entries = len(starts) // 2
    some = np.flatnonzero(stops > starts)
    starts, sizes, owner = starts[some], (stops - starts)[some], some % entries
    ends = np.cumsum(sizes)
    at = 0
    while at < len(some):
        before = int(ends[at - 1]) if at else 0
        upto = max(at + 1, int(np.searchsorted(ends, before + _PORTION, "right")))
        count = sizes[at:upto]
        inside = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        yield np.repeat(owner[at:upto], count), np.repeat(starts[at:upto], count) + inside
        at = upto
