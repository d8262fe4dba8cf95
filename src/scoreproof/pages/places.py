"""How much of an audit the page tells: everything about a paper, the findings of a large collection.

A page of a hundred thousand rows must still open. Beyond 500 rows only findings (rows that are not consistent) have a
text of their own, at most 600 of them, and at most 200 rows have a figure. The first 2,000 lines of the tables stand
there as in the paper, each cell with its card; the rest is searched (``rest``).

Which cell of a printed table belongs to which audited row, and what is to be said where nothing was checked.

The rows that a long page does not show line by line: short entries for the page's script, which searches them.

A browser lays out a few thousand lines of a table in no time and a hundred thousand not at all. So the first lines are
shown as they stand in the paper; the others are data, of which the matches of a search are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoreproof.pages.labels import canonical
from scoreproof.pages.row_view import RowView
from scoreproof.pages.words import cut, text, visible
from scoreproof.papers.result import AuditResult, Outcome, TableResult

_EVERY_ROW = 500
_EVERY_FIGURE = 60
_MOST_TEXTS = 600
_MOST_FIGURES = 200
_ORDER = (Outcome.INCONSISTENT, Outcome.QUESTION, Outcome.ERROR, Outcome.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Extent:
    """Which rows, by table and place in it, have a text and a figure."""

    texts: frozenset[tuple[int, int]]
    figures: frozenset[tuple[int, int]]

    @classmethod
    def of(cls, result: AuditResult) -> Extent:
        """The extent for an audit.

        >>> from scoreproof.papers.result import AuditResult
        >>> Extent.of(AuditResult("", "", ())).texts
        frozenset()
        """
        rows = [(t, r, row.outcome) for t, table in enumerate(result.tables) for r, row in enumerate(table.rows)]
        # Inconsistent rows come first where there is room for some only.
        findings = [(t, r) for wanted in _ORDER for t, r, outcome in rows if outcome is wanted]
        others = [(t, r) for t, r, outcome in rows if outcome not in _ORDER]
        told = findings[:_MOST_TEXTS] + (others if len(rows) <= _EVERY_ROW else [])
        drawn = findings[:_MOST_FIGURES] + (others if len(rows) <= _EVERY_FIGURE else [])
        return cls(frozenset(told), frozenset(drawn))

    def place(self, table: int, index: int) -> tuple[str, bool]:
        """The anchor of a row's text, which also names its certificate (empty without one), and if it has a figure."""
        anchor = f"table-{table + 1}-row-{index + 1}" if (table, index) in self.texts else ""
        return anchor, (table, index) in self.figures


Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Checked:
    """A cell of a row that was checked: the row among the table's audited rows, and the cell in it.

    ``in_conflict`` if it is in the conflict that is told, ``aside`` if no proof of the row uses it.
    """

    row: int
    cell: int
    outcome: str
    in_conflict: bool
    aside: bool


@dataclass(frozen=True, slots=True)
class Places:
    """Every cell of a table that has something to say.

    ``checked`` cells belong to audited rows; of ``compared`` ones a comparison inside the table says more than their
    row (verdict and words); ``unread`` and ``untested`` ones say why.
    """

    checked: Mapping[Place, Checked] = field(default_factory=dict)
    compared: Mapping[Place, tuple[str, str]] = field(default_factory=dict)
    unread: Mapping[Place, str] = field(default_factory=dict)
    untested: Mapping[Place, str] = field(default_factory=dict)


def places(result: TableResult, rows: Sequence[RowView], comparisons: Sequence[str]) -> Places:
    """The places of a table, whose rows and (first) comparisons are told so."""
    checked: dict[Place, Checked] = {}
    for index, (row, told) in enumerate(zip(result.rows, rows, strict=True)):
        for number, cell in enumerate(row.cells):
            # Two groups of columns may share a cell; the row that has more to say keeps it.
            score = canonical(cell.score)
            here = Checked(index, number, told.outcome, score in told.conflict, score in told.aside)
            known = checked.get(cell.place)
            if known is None or _says(here) > _says(known):
                checked[cell.place] = here
    unread: dict[Place, str] = {}
    for entry in result.unread:
        line, column = entry.get("row"), entry.get("column")
        if isinstance(line, int) and isinstance(column, int):
            unread[line, column] = text(entry, "why") or "it could not be read as a number"
    compared = {
        place: said
        for place, said in _compared(result, comparisons).items()
        if place not in checked or _weight(said[0]) > _says(checked[place])
    }
    checked = {place: here for place, here in checked.items() if place not in compared}
    taken = {*checked, *compared, *unread}
    return Places(checked, compared, unread, {k: v for k, v in _untested(result).items() if k not in taken})


def _says(checked: Checked) -> int:
    """How much a row has to say of a cell: nothing, if its proof does not use it."""
    return -1 if checked.aside else _weight(checked.outcome)


def _weight(outcome: str) -> int:
    order = ("not tested", "consistent", "error", "undecided", "question", "inconsistent")
    return order.index(outcome) if outcome in order else 0


def _compared(result: TableResult, told: Sequence[str]) -> dict[Place, tuple[str, str]]:
    """Cells of a line that a comparison inside the table names by the line, the score and the printed text."""
    said: dict[Place, tuple[str, str]] = {}
    scores = _scores(result)
    for number, check in enumerate(result.checks):
        words = told[number] if number < len(told) else check.words
        verdict = str(check.verdict)
        printed = {(claim.quantity.name, claim.text.strip()) for claim in check.answer.claims}
        for line in check.rows:
            for column, cell in enumerate(result.table.rows[line] if line < len(result.table.rows) else ()):
                place = line, column
                # Another score may be printed with the same digits; where no row tells which it is, the text decides.
                known = scores.get(place) or scores.get((-1, column))
                named = any(cell.strip() == text and known in (None, score) for score, text in printed)
                if named and (place not in said or _weight(verdict) > _weight(said[place][0])):
                    said[place] = verdict, words
    return said


def _scores(result: TableResult) -> dict[Place, str]:
    """The score of every cell that a row uses; at line -1 that of a column, where it has only one."""
    scores = {cell.place: canonical(cell.score) for row in result.rows for cell in row.cells}
    columns: dict[int, set[str]] = {}
    for (_, column), score in scores.items():
        columns.setdefault(column, set()).add(score)
    return scores | {(-1, column): next(iter(found)) for column, found in columns.items() if len(found) == 1}


def _untested(result: TableResult) -> dict[Place, str]:
    """Cells of columns (or, in a transposed table, rows) whose header is named as untested, with the reason."""
    table = result.table
    lines, width = table.shape
    below = range(table.header_rows, lines)
    reasons: dict[Place, str] = {}
    for column in range(width):
        why = _reason(result.untested, [row[column] for row in table.header])
        if why:
            reasons |= {(line, column): why for line in below}
    for line in below:
        why = _reason(result.untested, [table.rows[line][0]]) if width else ""
        if why:
            reasons |= {(line, column): why for column in range(1, width)}
    return {place: why for place, why in reasons.items() if table.rows[place[0]][place[1]].strip()}


def _reason(untested: Sequence[str], levels: Sequence[str]) -> str:
    """Why a header is not tested; names are given as the header, or as header and reason with a colon between."""
    given = [level.strip() for level in levels if level.strip()]
    for header in dict.fromkeys([" / ".join(dict.fromkeys(given)), *given[-1:]]):
        for said in untested if header else ():
            if _plain(said) == _plain(header):
                return "no check uses it yet"
            if _plain(said).startswith(_plain(header) + ": "):
                return said.split(": ", header.count(": ") + 1)[-1]
    return ""


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


MOST_LINES = 2_000  # of all tables of a page that are shown as they stand


@dataclass(slots=True)
class Rest:
    """Entries by table: outcome, name, what is printed, why, and where the row is told; sentences are kept once."""

    tables: list[list[list[Any]]] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, rows: Iterable[RowView]) -> int:
        """The number under which the rows of a table are kept."""
        self.tables.append([self._entry(row) for row in rows])
        return len(self.tables) - 1

    def _entry(self, row: RowView) -> list[Any]:
        why = self._numbers.setdefault(visible(cut(row.why or row.said, 300)), len(self._numbers))
        return [row.outcome, visible(row.name), visible(cut(row.printed, 200)), why, row.anchor]

    def to_dict(self) -> dict[str, Any]:
        return {"lines": list(self._numbers), "tables": self.tables}
