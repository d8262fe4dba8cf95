"""That no choice of counts of all classes gives the report, by listing them: two halves that meet where all q add up.

Sums are kept in whole numbers, scores as multiples of 2^-40 rounded outwards, so that what is passed over cannot fit;
what comes near is scored in exact fractions.

The counts that printed shares leave the cells of a matrix, and whether sums of rows and columns can be met.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from scoreproof_verify.arrays import np
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.class_parts import Group, Part, wanted_in
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, gives, ratio
from scoreproof_verify.replay.meeting import Sums, meeting
from scoreproof_verify.texts import interval, list_of, require

_FINE = 1 << 40
_MOST_HALF = 200_000
_MOST_NEAR = 300_000
_MOST_CASES = 10**6

Points = list[tuple[int, int]]


class Lists:
    """Lists part after part, with a limit on all the work together."""

    def __init__(self, stated: Stated, groups: list[Group], patience: Patience, cells: Cells | None = None) -> None:
        self.stated, self.groups, self.patience, self.cells = stated, groups, patience, cells
        self.near = _MOST_NEAR
        self.entries = [entry for entry in stated.entries if self._listed(entry)]

    def _listed(self, entry: Entry) -> bool:
        """Whether it is a mean of scores."""
        if entry.average not in ("macro", "weighted"):
            return False
        return beta_squared(entry.score) is None or self.stated.macro_f1 == "mean"

    def refute(self, part: Part) -> None:
        """``Rejected`` unless no counts of the part give the report."""
        require(len(self.stated.counts) == 1, "counts of several sets are not listed")
        require(self.groups[0].size <= _MOST_CASES, "there are too many cases to list counts")
        points = [self._points(part, at) for at in range(len(self.groups))]
        order = sorted(range(len(points)), key=lambda at: len(points[at]))
        halves: tuple[list[int], list[int]] = [], []
        sizes = [1, 1]
        for at in reversed(order):
            side = int(sizes[1] < sizes[0])
            halves[side].append(at)
            sizes[side] *= len(points[at])
        require(max(sizes) <= _MOST_HALF, "there are too many counts to list")
        first, second = (self._sums(points, half) for half in halves)
        if not len(first.low[0]) or not len(second.low[0]):
            return
        q = (self.groups[0].size,) * 2 if self.stated.exclusive else (0, _MOST_CASES * len(points))
        spans = [q, part.right[0]]
        spans += [((_FINE * entry.low).__floor__(), (_FINE * entry.high).__ceil__()) for entry in self.entries]
        least, most = map(list, zip(*spans, strict=True))
        for i, j in meeting(first, second, least, most, self.patience):
            for pair in zip(i.tolist(), j.tolist(), strict=True):
                self.near -= 1
                require(self.near >= 0, "there are too many choices to score")
                require(not self._fits(self._counts(points, halves, pair)), "there are counts that give the report")

    def _points(self, part: Part, at: int) -> Points:
        t0, t1, q0, q1 = part.boxes[at]
        wanted = wanted_in(self.stated, self.groups[at], part)
        require(q1 - q0 <= _MOST_HALF, "there are too many counts to list")
        listed: Points = []
        for q in range(q0, q1 + 1):
            low, high = t0, t1
            for a, b, c in wanted:
                rest = b * q + c
                if a > 0:
                    low = max(low, -(rest // a))
                elif a < 0:
                    high = min(high, rest // -a)
                elif rest < 0:
                    high = low - 1
            require(len(listed) + high - low < _MOST_HALF, "there are too many counts to list")
            listed += [(tp, q) for tp in range(low, high + 1)]
        return listed

    def _sums(self, points: list[Points], half: list[int]) -> Sums:
        """q and tp added up, then the least and the greatest part of every mean."""
        ends = [np.zeros(1, dtype=np.int64) for _ in range(2 * (2 + len(self.entries)))]
        for at in half:
            rows = [self._row(self.groups[at], tp, q) for tp, q in points[at]]
            own = [np.array([row[k] for row in rows], dtype=np.int64) for k in range(len(ends))]
            ends = [np.repeat(x, len(rows)) + np.tile(y, len(x)) for x, y in zip(ends, own, strict=True)]
            self.patience.check()
        return Sums(ends[::2], ends[1::2])

    def _row(self, group: Group, tp: int, q: int) -> list[int]:
        row = [q, q, tp, tp]
        cases = sum(self.stated.counts[0])
        for entry in self.entries:
            weight = Fraction(group.n, cases) if entry.average == "weighted" else Fraction(1, len(self.groups))
            low, high = self._counted(entry, group, tp, q)
            row += [(_FINE * weight * low).__floor__(), (_FINE * weight * high).__ceil__()]
        return row

    def _counted(self, entry: Entry, group: Group, tp: int, q: int) -> tuple[Fraction, Fraction]:
        """What a score may count as in a mean; what is left out counts as the mean."""
        undefined = self.stated.undefined
        above, below = ratio(entry.score, tp, q, group.n, group.size)
        if below == 0:
            return Fraction(int(undefined == "one")), Fraction(int(undefined != "zero"))
        value = Fraction(above, below)
        if tp == 0 and undefined in ("any", "skip") and beta_squared(entry.score) is not None:
            return value, max(value, min(Fraction(1), entry.high))
        return value, value

    def _counts(self, points: list[Points], halves: Sequence[list[int]], at: tuple[int, int]) -> Points:
        counts: Points = [(0, 0)] * len(points)
        for half, place in zip(halves, at, strict=True):
            for group in reversed(half):
                place, own = divmod(place, len(points[group]))
                counts[group] = points[group][own]
        return counts

    def _fits(self, counts: Points) -> bool:
        if self.stated.exclusive:
            wrong = self.groups[0].size - sum(tp for tp, _ in counts)
            for group, (tp, q) in zip(self.groups, counts, strict=True):
                if group.n - tp + q - tp > wrong:
                    return False
        if not gives(self.stated, [counts]):
            return False
        sums = [tp for tp, _ in counts], self.stated.counts[0], [q for _, q in counts]
        return self.cells is None or possible(self.cells, *sums, self.patience)


Cells = list[list[tuple[int, int]]]


def read_cells(document: Any, rounding: Any, sizes: Sequence[int]) -> Cells:
    """Least and greatest count of every cell; least above greatest where a share is none of so many cases."""
    k = len(sizes)
    rows = list_of(document, k, k, "the shares do not have a row for every class")
    cells: Cells = []
    for row, n in zip(rows, sizes, strict=True):
        made = []
        for text in list_of(row, k, k, "a row of shares does not have a cell for every class"):
            low, high = interval(text, rounding, None)
            made.append((max(0, (low * n).__ceil__()), min(n, (high * n).__floor__())))
        cells.append(made)
    return cells


def broken(cells: Cells, sizes: Sequence[int]) -> bool:
    """Whether some cell has no count, or some row does not add up."""
    for row, n in zip(cells, sizes, strict=True):
        if any(low > high for low, high in row):
            return True
        if sum(low for low, _ in row) > n or sum(high for _, high in row) < n:
            return True
    return False


def within_rows(cells: Cells, sizes: Sequence[int]) -> Cells:
    """What the other cells of its row leave of every cell, since the row adds up."""
    made: Cells = []
    for row, n in zip(cells, sizes, strict=True):
        least, most = sum(low for low, _ in row), sum(high for _, high in row)
        made.append([(max(low, n - (most - high)), min(high, n - (least - low))) for low, high in row])
    return made


def possible(
    cells: Cells, right: Sequence[int], sizes: Sequence[int], given: Sequence[int], patience: Patience
) -> bool:
    """Whether a matrix within the cells has this diagonal, these sums of rows and these of columns.

    What is left of every row is sent to columns along shortest paths of what room is left (Edmonds and Karp 1972).
    """
    k = len(sizes)
    if any(not cells[i][i][0] <= right[i] <= cells[i][i][1] for i in range(k)):
        return False
    least = [[right[i] if i == j else low for j, (low, _) in enumerate(row)] for i, row in enumerate(cells)]
    rows = [size - sum(row) for size, row in zip(sizes, least, strict=True)]
    columns = [q - sum(column) for q, column in zip(given, zip(*least, strict=True), strict=True)]
    if min(rows) < 0 or min(columns) < 0 or sum(rows) != sum(columns):
        return False
    room = [[0] * (2 * k) for _ in range(2 * k)]  # from rows, which come first, to columns, and back
    for i, row in enumerate(cells):
        room[i][k:] = [0 if i == j else high - low for j, (low, high) in enumerate(row)]
    for start in range(k):
        while rows[start]:
            patience.check()
            before, waiting = {start: start}, [start]
            for at in waiting:
                reached = [other for other in range(2 * k) if room[at][other] > 0 and other not in before]
                before.update(dict.fromkeys(reached, at))
                waiting += reached
            end = next((at for at in waiting if at >= k and columns[at - k]), None)
            if end is None:
                return False
            path, at = [], end
            while at != start:
                path.append((before[at], at))
                at = before[at]
            pushed = min(rows[start], columns[end - k], *(room[x][y] for x, y in path))
            rows[start], columns[end - k] = rows[start] - pushed, columns[end - k] - pushed
            for x, y in path:
                room[x][y], room[y][x] = room[x][y] - pushed, room[y][x] + pushed
    return True
