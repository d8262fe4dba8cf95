"""Which cell of a printed table belongs to which audited row, and what is to be said where nothing was checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scoreproof.audit import RowResult, TableResult
from scoreproof.reports.words import canonical, conflict_scores

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Checked:
    """A cell that a check used: the row among the table's audited rows, the cell in it, and if it is in conflict."""

    row: int
    cell: int
    outcome: str
    in_conflict: bool


@dataclass(frozen=True, slots=True)
class Places:
    """Every cell of a table that has something to say: checked, unread (with the reason), or not tested."""

    checked: Mapping[Place, Checked]
    unread: Mapping[Place, str]
    untested: frozenset[Place]


def places(result: TableResult) -> Places:
    """The places of a table.

    A column (or, in a transposed table, a row) counts as not tested if its own header is among the untested names.
    """
    checked: dict[Place, Checked] = {}
    for index, row in enumerate(result.rows):
        key = conflict_scores(row)
        for number, cell in enumerate(row.cells):
            # Two groups of columns may share a cell; the row that has more to say keeps it.
            here = Checked(index, number, str(row.outcome), canonical(cell.score) in key)
            known = checked.get(cell.place)
            if known is None or _weight(here, result.rows) > _weight(known, result.rows):
                checked[cell.place] = here
    unread: dict[Place, str] = {}
    for one in result.unread:
        line, column = one.get("row"), one.get("column")
        if isinstance(line, int) and isinstance(column, int):
            unread[line, column] = str(one.get("why", "")) or "it could not be read as a number"
    return Places(checked, unread, frozenset(_untested(result) - set(checked) - set(unread)))


def _weight(one: Checked, rows: tuple[RowResult, ...]) -> int:
    order = ("untested", "consistent", "error", "undecided", "inconsistent")
    return order.index(str(rows[one.row].outcome))


def _untested(result: TableResult) -> set[Place]:
    table = result.table
    lines, width = table.shape
    names = {_plain(name) for name in result.untested}
    names.discard("")
    if not names:
        return set()
    columns = {
        column
        for column in range(width)
        if names & {_plain(" ".join(texts)) for texts in _headers(tuple(row[column] for row in table.header))}
    }
    across = {line for line in range(table.header_rows, lines) if width and _plain(table.rows[line][0]) in names}
    found = {(line, column) for line in range(table.header_rows, lines) for column in columns}
    found |= {(line, column) for line in across for column in range(1, width)}
    return {place for place in found if table.rows[place[0]][place[1]].strip()}


def _headers(texts: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The last header of a column, and all of them together without repeats."""
    return [texts[-1:], tuple(dict.fromkeys(texts))] if texts else []


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
