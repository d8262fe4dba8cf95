"""That no choice of counts of all classes gives the report, by listing them: two halves, joined where all q add up.

Sums are kept in whole numbers, scores as multiples of 2^-40 rounded outwards, so that what is passed over cannot fit;
what comes near is scored in exact fractions.

The counts that printed shares leave the cells of a matrix, and whether sums of rows and columns can be met.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from scoreproof_verify.arrays import Flags, Ints, np
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.class_parts import Group, Part, wanted_in
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, gives, ratio
from scoreproof_verify.texts import Rejected, interval, require

_FINE = 1 << 40
_MOST_HALF = 200_000
_MOST_PAIRS = 20_000_000
_MOST_NEAR = 300_000
_MOST_CASES = 10**6

Points = list[tuple[int, int]]
Sums = list[Ints]  # of some choices: q, tp and n q, then the least and the greatest part of every mean


class Lists:
    """Lists part after part, with a limit on all the work together."""

    def __init__(self, stated: Stated, groups: list[Group], patience: Patience, cells: Cells | None = None) -> None:
        self.stated, self.groups, self.patience, self.cells = stated, groups, patience, cells
        self.pairs, self.near = _MOST_PAIRS, _MOST_NEAR
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
        for one, other in self._joined(first, second):
            self.pairs -= len(one) * len(other)
            require(self.pairs >= 0, "there are too many choices to list")
            self.patience.check()
            for pair in np.flatnonzero(self._near(part, _chosen(first, one), _chosen(second, other))).tolist():
                self.near -= 1
                require(self.near >= 0, "there are too many choices to score")
                i, j = divmod(pair, len(other))
                counts = self._counts(points, halves, (int(one[i]), int(other[j])))
                require(not self._fits(counts), "there are counts that give the report")

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
        """q, tp and n q added up, then the least and the greatest part of every mean."""
        sums = [np.zeros(1, dtype=np.int64) for _ in range(3 + 2 * len(self.entries))]
        for at in half:
            rows = [self._row(self.groups[at], tp, q) for tp, q in points[at]]
            sums = _every_pair(sums, [np.array([row[k] for row in rows], dtype=np.int64) for k in range(len(sums))])
            self.patience.check()
        return sums

    def _row(self, group: Group, tp: int, q: int) -> list[int]:
        row = [q, tp, group.n * q]
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

    def _joined(self, first: Sums, second: Sums) -> list[tuple[Ints, Ints]]:
        """Rows of both halves whose q add up to all cases."""
        if not len(first[0]) or not len(second[0]):
            return []
        if not self.stated.exclusive:
            return [(np.arange(len(first[0])), np.arange(len(second[0])))]
        size = self.groups[0].size
        by_q: dict[int, list[int]] = {}
        for at, q in enumerate(second[0].tolist()):
            by_q.setdefault(size - q, []).append(at)
        wanted: dict[int, list[int]] = {}
        for at, q in enumerate(first[0].tolist()):
            if q in by_q:
                wanted.setdefault(q, []).append(at)
        return [(np.array(one), np.array(by_q[q])) for q, one in wanted.items()]

    def _near(self, part: Part, one: Sums, other: Sums) -> Flags:
        sums = _every_pair(one, other)
        least, most = part.right[0]
        keep = (sums[1] >= least) & (sums[1] <= most)
        for k, entry in enumerate(self.entries):
            keep &= sums[4 + 2 * k] >= (_FINE * entry.low).__floor__()
            keep &= sums[3 + 2 * k] <= (_FINE * entry.high).__ceil__()
        return keep

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
        return self.cells is None or possible(self.cells, *sums)


def _chosen(sums: Sums, at: Ints) -> Sums:
    return [each[at] for each in sums]


def _every_pair(first: Sums, second: Sums) -> Sums:
    """The sums of every choice of the first with every one of the second."""
    return [np.repeat(one, len(other)) + np.tile(other, len(one)) for one, other in zip(first, second, strict=True)]


Cells = list[list[tuple[int, int]]]
_MOST_ROUNDS = 1_000_000


def read_cells(document: Any, rounding: Any, sizes: Sequence[int]) -> Cells:
    """Least and greatest count of every cell; least above greatest where a share is none of so many cases."""
    if not isinstance(document, list) or len(document) != len(sizes):
        raise Rejected("the shares do not have a row for every class")
    cells: Cells = []
    for row, n in zip(document, sizes, strict=True):
        if not isinstance(row, list) or len(row) != len(sizes):
            raise Rejected("a row of shares does not have a cell for every class")
        made = []
        for text in row:
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
        own = []
        for at, (low, high) in enumerate(row):
            others = [ends for place, ends in enumerate(row) if place != at]
            least, most = sum(a for a, _ in others), sum(b for _, b in others)
            own.append((max(low, n - most), min(high, n - least)))
        made.append(own)
    return made


def possible(cells: Cells, right: Sequence[int], sizes: Sequence[int], given: Sequence[int]) -> bool:
    """Whether a matrix within the cells has this diagonal, these sums of rows and these of columns.

    What is left of every row is pushed to columns one path at a time (Ford and Fulkerson 1956); a path may undo what
    was pushed.
    """
    k = len(sizes)
    if any(not cells[i][i][0] <= right[i] <= cells[i][i][1] for i in range(k)):
        return False
    least = [[right[i] if i == j else low for j, (low, _) in enumerate(row)] for i, row in enumerate(cells)]
    room = [[0 if i == j else high - low for j, (low, high) in enumerate(row)] for i, row in enumerate(cells)]
    rows = [size - sum(row) for size, row in zip(sizes, least, strict=True)]
    columns = [q - sum(column) for q, column in zip(given, zip(*least, strict=True), strict=True)]
    if min(rows) < 0 or min(columns) < 0 or sum(rows) != sum(columns):
        return False
    sent = [[0] * k for _ in range(k)]
    for _ in range(_MOST_ROUNDS):
        if not any(rows):
            return True
        path = _path(next(i for i in range(k) if rows[i]), room, sent, columns)
        if not path:
            return False
        _push(path, rows, columns, room, sent)
    raise Rejected("a matrix took too long to fill")


def _push(path: Points, rows: list[int], columns: list[int], room: list[list[int]], sent: list[list[int]]) -> None:
    """Send as many cases as there is room for along a path, and take back what was sent where it says so."""
    (_, end), (start, _) = path[0], path[-1]
    undone = [(row, column) for (row, _), (_, column) in pairwise(path)]
    pushed = min(
        rows[start], columns[end], *(room[i][j] - sent[i][j] for i, j in path), *(sent[i][j] for i, j in undone)
    )
    rows[start], columns[end] = rows[start] - pushed, columns[end] - pushed
    for i, j in path:
        sent[i][j] += pushed
    for i, j in undone:
        sent[i][j] -= pushed


def _path(start: int, room: list[list[int]], sent: list[list[int]], columns: list[int]) -> Points:
    """The cells that a row's cases can be sent through to a column that lacks some, the last one first.

    What comes into a column makes room for another row to take back what it sent there, and to send it on.
    """
    sender: dict[int, int] = {}  # by column
    makes_room: dict[int, int | None] = {start: None}  # by row, the column from which it takes back
    waiting = [start]
    for row in waiting:
        for j, lacking in enumerate(columns):
            if j in sender or sent[row][j] >= room[row][j]:
                continue
            sender[j] = row
            if lacking:
                path, column = [], j  # type: tuple[Points, int | None]
                while column is not None:
                    path.append((sender[column], column))
                    column = makes_room[sender[column]]
                return path
            others = [other for other in range(len(room)) if other not in makes_room and sent[other][j] > 0]
            makes_room.update(dict.fromkeys(others, j))
            waiting += others
    return []
