"""Joining four lists: what reaches furthest where few of very many combinations fit.

Likely combinations of points of a quarter of the sets are listed, four times. Of the pairs of two quarters those are
taken whose sum of one row lies in a window, of the others those that may be their partners, and the cells of a grid in
which the one lie are marked; few of the others fall into a marked cell, and only these are compared. Window after
window, all likely pairs come in turn. (Schroeppel and Shamir's way to subset sums.)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.kinds.binary.engine.averages.seeking.quarters import Half, Pairs, halves
from scoreproof.kinds.binary.engine.averages.seeking.reach import Reach
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import Budget

_WINDOW = 500_000  # pairs of a half that are looked at together
_SAMPLE = 4_000  # pairs that say where many are
_COMPARED, _JUDGED = 500_000, 50
_MARKS = 23  # bits of the number of marks
_MIXED = np.uint64(11400714819323198485)  # 2**64 over the golden ratio: its multiples spread evenly
_NUMBERED = 2.0**50  # cells
_WIDEST, _NARROWEST = 64.0, 2.0  # of a cell, in half-widths: partners near its ends are missed
_SPARE = 64.0  # cells for each pair
_DEVIATIONS = 3.5  # within which nearly all sums lie
_LISTED, _PAIR = 1e-6, 3e-8  # seconds of a combination of a quarter, of a pair
FEWEST, MOST = 4, 24  # sets

_Cells = tuple[int, float, float, float]  # of a row: their width, where the first begins, how their numbers add up


class Fourfold:
    """The likeliest points for all sets from among those within reach, about so many combinations of each half."""

    def __init__(self, reach: Reach, rng: np.random.Generator, most: int, deadline: Budget) -> None:
        self._reach, self._rng = reach, rng
        self._left, self._right = halves(reach, rng, most)
        deadline.charge(_LISTED * sum(half.listed for half in (self._left, self._right)))
        self._aim = reach.middle / reach.half
        self._row = int(np.argmax(self._left.spread + self._right.spread))

    def seek(self, deadline: Budget) -> tuple[ConfusionMatrix, ...] | None:
        """Window after window."""
        left, right, aim = self._left, self._right, float(self._aim[self._row])
        for half in (left, right):
            half.sort(self._row)
        for low, high in self._windows(aim):
            if deadline.passed:
                return None
            one = left.within(self._row, low, high)
            other = right.within(self._row, aim - high - 1, aim - low + 1)
            deadline.charge(_PAIR * (len(one[0]) + len(other[0])))
            if not len(one[0]) or not len(other[0]):
                continue
            for at, of in self._partners(one, other, high - low):
                found = self._judged((one[0][at], one[1][at]), (other[0][of], other[1][of]))
                if found is not None:
                    return found
        return None

    def _windows(self, aim: float) -> list[tuple[float, float]]:
        """Windows of the sums of the left half that hold all pairs, about as many in each, the likeliest first."""
        left, right, row = self._left, self._right, self._row
        mine, theirs = left.extent(row), right.extent(row)
        low, high = max(mine[0], aim - theirs[1]) - 1, min(mine[1], aim - theirs[0]) + 1
        if low >= high:
            return []
        some = (left.sample(row, self._rng, _SAMPLE), aim - right.sample(row, self._rng, _SAMPLE))
        shares = np.linspace(0, 1, -(-max(left.pairs, right.pairs) // _WINDOW) + 1)[1:-1]
        inner = np.quantile(np.concatenate(some), shares)
        edges = np.unique(np.concatenate([[low], np.clip(inner, low, high), [high]]))
        middle = (left.expected(row) + aim - right.expected(row)) / 2
        spans = [(float(a), float(b)) for a, b in pairwise(edges)]
        return sorted(spans, key=lambda span: max(span[0] - middle, middle - span[1]))

    def _partners(self, one: Pairs, other: Pairs, window: float) -> Iterator[tuple[int, int]]:
        """Which pairs add up to the aim, within half-widths; those nearest to it first."""
        cells = self._cells(len(one[0]), window)
        at, of = _alike(_numbers(cells, self._left, one), _numbers(cells, self._right, other, self._aim))
        far = np.zeros(len(at))
        for row, aim in enumerate(self._aim):
            here = self._left.totals(row, (one[0][at], one[1][at]))
            there = self._right.totals(row, (other[0][of], other[1][of]))
            away = np.abs(here + there - aim)
            close = away <= 1
            at, of, far = at[close], of[close], np.maximum(far, away)[close]
        for number in np.argsort(far)[:_JUDGED]:
            yield int(at[number]), int(of[number])

    def _cells(self, pairs: int, window: float) -> list[_Cells]:
        """A grid by the rows that spread most."""
        left, right, reach = self._left, self._right, self._reach
        sizes = np.sqrt(np.maximum(np.linalg.eigvalsh(left.covariance), 0)) * _DEVIATIONS  # rows go together
        part = min(1.0, window / (_DEVIATIONS * left.spread[self._row] + 1e-9))
        width = _WIDEST
        while width > _NARROWEST and np.maximum(sizes / width, 1).prod() * part < _SPARE * pairs:
            width /= 2**0.5
        found = []
        step = 1.0
        for row in map(int, np.argsort(-left.spread)):
            mine, theirs = left.extent(row), right.extent(row)
            whole = row >= len(reach.sums.rows)  # its sums are whole numbers, in the middle of a cell
            wide = 1 / reach.half[row] if whole else width
            low = min(mine[0], self._aim[row] - theirs[1]) / wide
            first = np.floor(low) - 0.5 if whole else low - float(self._rng.random())
            extent = np.floor(max(mine[1], self._aim[row] - theirs[0]) / wide - first) + 2
            if step * extent < _NUMBERED:
                found.append((row, wide, float(first), step))
                step *= extent
        return found

    def _judged(self, *picks: tuple[int, int]) -> tuple[ConfusionMatrix, ...] | None:
        """The matrices of a pair of each half, if they give the report."""
        points = np.zeros((3, self._reach.sums.sets))
        for half, pick in zip((self._left, self._right), picks, strict=True):
            for quarter, at in zip((half.one, half.other), pick, strict=True):
                points[:, quarter.places] = quarter.points(int(at))
        return self._reach.sums.judged(*points)


def _numbers(cells: list[_Cells], half: Half, pairs: Pairs, aim: Floats | None = None) -> Floats:
    """The cells in which pairs lie, or what they lack to an aim."""
    found = np.zeros(len(pairs[0]))
    for row, width, first, step in cells:
        value = half.totals(row, pairs)
        if aim is not None:
            value = aim[row] - value
        value /= width
        value -= first
        found += np.floor(value, out=value) * step
    return found


def _alike(mine: Floats, theirs: Floats) -> Pairs:
    """Where the same number is in both lists."""
    first, second = _in_common(mine, theirs)
    order = np.argsort(mine[first])
    first = first[order]
    known = mine[first]
    start = np.searchsorted(known, theirs[second])
    counts = np.searchsorted(known, theirs[second], "right") - start
    counts[np.cumsum(counts) > _COMPARED] = 0
    of = np.repeat(second, counts)
    return first[np.arange(len(of)) + np.repeat(start - np.cumsum(counts) + counts, counts)], of


def _in_common(mine: Floats, theirs: Floats) -> tuple[Integers, Integers]:
    """Where the numbers are that may be in both lists: all that are, and few others."""
    marked = np.zeros(1 << _MARKS, dtype=bool)
    here, there = _marks(mine), _marks(theirs)
    marked[here] = True
    second = np.flatnonzero(marked[there])
    marked[here] = False
    marked[there[second]] = True
    return np.flatnonzero(marked[here]), second


def _marks(numbers: Floats) -> Integers:
    return (numbers.astype(np.uint64) * _MIXED >> np.uint64(64 - _MARKS)).astype(np.int64)
