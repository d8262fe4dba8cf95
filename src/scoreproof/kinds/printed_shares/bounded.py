"""Whole matrices between bounds: the counts a printed share leaves a cell, and a matrix with given sums within them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoreproof.reported import Rounding, report
from scoreproof.reported.claim import refuse_spread

Ends = tuple[int, int]
Bounds = list[list[Ends]]


def share_bounds(text: str, n: int, rounding: Rounding) -> Ends:
    """The least and the greatest count out of n cases that a printed share stands for; least above greatest if none.

    >>> share_bounds("66.7%", 3, Rounding.NEAREST), share_bounds("33%", 200, Rounding.NEAREST)
    ((2, 2), (65, 67))
    """
    claim = report("sens", text, rounding=rounding)
    refuse_spread([claim])
    low, high = max(claim.low, Fraction(0)) * n, min(claim.high, Fraction(1)) * n
    return low.__ceil__(), high.__floor__()


def trimmed(bounds: Bounds, sizes: Sequence[int]) -> Bounds:
    """The bounds, less what the other cells of a row leave no room for."""
    made = []
    for row, n in zip(bounds, sizes, strict=True):
        least, most = sum(low for low, _ in row), sum(high for _, high in row)
        made.append([(max(low, n - (most - high)), min(high, n - (least - low))) for low, high in row])
    return made


def matrix_within(bounds: Bounds, right: Sequence[int], rows: Sequence[int], columns: Sequence[int]) -> Bounds | None:
    """A matrix (each cell as a range of one count) with this diagonal and these sums within the bounds; None if none.

    A flow from rows to columns: each cell has its least, the rest is sent along shortest paths that may take back.

    >>> matrix_within([[(2, 3), (0, 2)], [(0, 1), (1, 2)]], [3, 1], [4, 2], [4, 2])
    [[(3, 3), (1, 1)], [(1, 1), (1, 1)]]
    """
    k = len(rows)
    cells = [[right[i] if i == j else bounds[i][j][0] for j in range(k)] for i in range(k)]
    if any(not bounds[i][i][0] <= right[i] <= bounds[i][i][1] for i in range(k)):
        return None
    supply = [rows[i] - sum(cells[i]) for i in range(k)]
    demand = [columns[j] - sum(cells[i][j] for i in range(k)) for j in range(k)]
    if min(supply) < 0 or min(demand) < 0 or sum(supply) != sum(demand):
        return None
    while any(supply):
        path = _path(bounds, cells, supply, demand)
        if path is None:
            return None
        steps = list(zip(path[::2], path[1::2], strict=True))  # filled cells row -> column
        back = list(zip(path[2::2], path[1::2], strict=False))  # emptied cells
        room = min(supply[path[0]], demand[path[-1]])
        room = min([room, *(bounds[i][j][1] - cells[i][j] for i, j in steps)])
        room = min([room, *(cells[i][j] - bounds[i][j][0] for i, j in back)])
        for i, j in steps:
            cells[i][j] += room
        for i, j in back:
            cells[i][j] -= room
        supply[path[0]] -= room
        demand[path[-1]] -= room
    return [[(count, count) for count in row] for row in cells]


def _path(bounds: Bounds, cells: list[list[int]], supply: list[int], demand: list[int]) -> list[int] | None:
    """Rows and columns in turn, from a row that has cases left to a column that lacks some."""
    k = len(supply)
    came: dict[tuple[bool, int], tuple[bool, int] | None] = {(True, i): None for i in range(k) if supply[i]}
    waiting = list(came)
    for node in waiting:
        of_row, at = node
        if not of_row and demand[at]:
            path = []
            here: tuple[bool, int] | None = node
            while here is not None:
                path.append(here[1])
                here = came[here]
            return path[::-1]
        for other in range(k):
            i, j = (at, other) if of_row else (other, at)
            free = i != j and (cells[i][j] < bounds[i][j][1] if of_row else cells[i][j] > bounds[i][j][0])
            if free and (not of_row, other) not in came:
                came[not of_row, other] = node
                waiting.append((not of_row, other))
    return None
