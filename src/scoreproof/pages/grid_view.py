"""A table as it stands in the paper, each cell marked by what became of it.

Spans, bold type, header rows and the caption are kept. A checked cell points to its row's card; unread and untested
cells say so themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoreproof.documents import Span, Table
from scoreproof.findings.words import SIGNS, cut, known_sign, sentence
from scoreproof.pages.places import Place, Places

LONGEST = 120  # characters of a cell in view


class GridCell(NamedTuple):  # a page may have many thousands of them
    """A cell: its text, its class, the number of its card or a note of its own, its reach, and how it is set."""

    text: str
    kind: str
    card: str
    note: str
    rows: int
    columns: int
    bold: bool
    scope: str


def grid(
    table: Table, marked: Places, first_card: int, most_lines: int
) -> tuple[list[list[GridCell]], list[list[GridCell]]]:
    """The header lines and the body; ``first_card`` is the number of the first of the rows' cards."""
    covered: dict[Place, Span] = {
        (row, column): span
        for span in table.spans
        for row in range(span.row, span.row + span.rows)
        for column in range(span.column, span.column + span.columns)
    }
    shown = range(min(len(table.rows), most_lines))
    lines = [list(_cells(table, marked, covered, first_card, line)) for line in shown]
    return lines[: table.header_rows], lines[table.header_rows :]


def legend(marked: Places) -> list[tuple[str, str]]:
    """The marks that occur, with their words."""
    seen = {checked.kind for checked in marked.checked.values()}
    seen |= {known_sign(verdict) for verdict, _ in marked.compared.values()}
    return [(name, SIGNS[name].word) for name in SIGNS if name in seen] + [
        (kind, word)
        for kind, word, occurs in (
            ("aside", "not at fault", "aside" in seen),
            ("unread", "unread", marked.unread),
            ("skipped", "not tested", marked.untested),
        )
        if occurs
    ]


def _cells(table: Table, marked: Places, covered: dict[Place, Span], first_card: int, line: int) -> Iterator[GridCell]:
    lines, width = table.shape
    head = line < table.header_rows
    for column, text in enumerate(table.rows[line]):
        place = line, column
        span = covered.get(place)
        if span is not None and (span.row, span.column) != place:
            continue
        rows, columns = (1, 1) if span is None else (min(span.rows, lines - line), min(span.columns, width - column))
        kind, card, note = _marks(place, marked, first_card)
        wide = "w" if len(text) > LONGEST else ""
        scope = ("colgroup" if columns > 1 else "col") if head else ""
        yield GridCell(
            text, " ".join(filter(None, (kind, wide))), card, note, rows, columns, place in table.bold, scope
        )


def _marks(place: Place, marked: Places, first_card: int) -> tuple[str, str, str]:
    """The class of a cell, and for a checked one the number of its card and of the cell on it; or its note."""
    checked = marked.checked.get(place)
    if checked is not None:
        return f"c {checked.kind}", f"{first_card + checked.row}.{checked.cell}", ""
    if place in marked.unread:
        return "unread", "", f"Unread: {cut(marked.unread[place], 300)}"
    if place in marked.compared:
        verdict, words = marked.compared[place]
        return f"c {known_sign(verdict)}", "", cut(sentence(words), 500)
    if place in marked.untested:
        return "skipped", "", f"Not tested: {cut(marked.untested[place], 300)}"
    return "", "", ""
