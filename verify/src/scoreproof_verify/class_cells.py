"""The counts that printed shares leave the cells of a matrix, and whether sums of rows and columns can be met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoreproof_verify.texts import Rejected, interval, require

Cells = list[list[tuple[int, int]]]
Step = tuple[int, int, int | None]  # a row, the column it sends to, and the row whose sending is undone
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

    What is left of every row is pushed to columns one path at a time, deepest first; a path may undo what was pushed.
    """
    k = len(sizes)
    if any(not cells[i][i][0] <= right[i] <= cells[i][i][1] for i in range(k)):
        return False
    room = [[0 if i == j else cells[i][j][1] - cells[i][j][0] for j in range(k)] for i in range(k)]
    sent = [[0] * k for _ in range(k)]
    rows = [sizes[i] - right[i] - sum(cells[i][j][0] for j in range(k) if j != i) for i in range(k)]
    columns = [given[j] - right[j] - sum(cells[i][j][0] for i in range(k) if i != j) for j in range(k)]
    if min(rows) < 0 or min(columns) < 0 or sum(rows) != sum(columns):
        return False
    for _ in range(_MOST_ROUNDS):
        start = next((i for i in range(k) if rows[i]), None)
        if start is None:
            return True
        pushed = _push(start, rows[start], room, sent, columns)
        if not pushed:
            return False
        rows[start] -= pushed
    require(False, "a matrix took too long to fill")
    return False


def _push(start: int, amount: int, room: list[list[int]], sent: list[list[int]], columns: list[int]) -> int:
    """Send cases of a row on to some column that lacks them; how many were sent."""
    k = len(columns)
    stack: list[tuple[int, int, tuple[Step, ...]]] = [(start, amount, ())]
    seen = {start}
    while stack:
        row, left, path = stack.pop()
        for j in range(k):
            free = min(left, room[row][j] - sent[row][j])
            if free <= 0 or any(column == j for _, column, _ in path):
                continue
            step: tuple[Step, ...] = (*path, (row, j, None))
            if columns[j]:
                pushed = min(free, columns[j])
                columns[j] -= pushed
                for at, column, undone in step:
                    sent[at][column] += pushed
                    if undone is not None:
                        sent[undone][column] -= pushed
                return pushed
            for other in range(k):
                if other not in seen and sent[other][j] > 0:
                    seen.add(other)
                    stack.append((other, min(free, sent[other][j]), (*path, (row, j, other))))
    return 0
