"""Laying cells with spans into a rectangular grid, as HTML, Word, Excel and LaTeX describe them.

A reader hands over rows of ``Placed`` cells; the grid repeats a spanned text in every place it covers, drops rows
and columns in which nothing stands, and keeps spans and marks in step. A hostile span (a rowspan of a billion)
cannot make the grids of a document larger than the limits: they are counted together while it is read (``tallied``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from scoreproof.documents.table import Position, Span, Table
from scoreproof.limits import current, exceeded, require_within

_BLANKS = re.compile(r"[\s\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]+")
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,\s]*|[.,]\d+)\s*(?:[%±(\[†‡§¶*^]|\+/-|\\pm|[a-d]?$)")
_LEVEL = re.compile(r"\d+\s*%\s*[A-Za-z]{2}")  # "95% CI" is a header
# A decimal number with the marks that a PDF or a comparison leaves in it, such as 0_.9_1, ^77.8% or 91.2↑1.3: unread
# later on, but no header.
_ODD_NUMBER = re.compile(r"(?=.*\d)(?=.*[._]\d)[\d.,%±_^{}()\s+\-−–/→↑↓▲▼]+")


@dataclass(slots=True)
class _Tally:
    """What the tables of one document hold so far, and which limit holds for it."""

    limit: str = "cells"
    cells: int = 0


_TALLY: ContextVar[_Tally | None] = ContextVar("tally", default=None)


@contextmanager
def tallied(limit: str = "cells") -> Iterator[None]:
    """The tables made inside are of one document; ``limit`` names the one that holds for their cells."""
    token = _TALLY.set(_Tally(limit))
    try:
        yield
    finally:
        _TALLY.reset(token)


def _count(cells: int) -> None:
    tally = _TALLY.get() or _Tally()
    tally.cells += cells
    require_within(tally.limit, tally.cells, "the tables", least=True)


def _check_text(text: str) -> None:
    if len(text) > current().cell_characters:
        raise exceeded("cell_characters", len(text), f"a cell that begins with {text[:30]!r}")


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell as a format describes it; ``rows`` = 0 reaches to the end of the table."""

    text: str
    rows: int = 1
    columns: int = 1
    bold: bool = False
    underlined: bool = False


@dataclass(frozen=True, slots=True)
class GridDraft:
    """A rectangular grid before it becomes a table."""

    rows: tuple[tuple[str, ...], ...]
    spans: tuple[Span, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    underlined: frozenset[tuple[int, int]] = frozenset()

    def table(
        self,
        position: Position,
        *,
        header_rows: int | None = None,
        caption: str = "",
        source: str = "",
        kind: str = "",
        notes: tuple[str, ...] = (),
    ) -> Table:
        """The finished table; without ``header_rows`` they are guessed from where numbers begin."""
        require_within("tables", position.index + 1, source or "the text", least=True)
        _check_text(caption)
        count = guess_header_rows(self.rows) if header_rows is None else min(header_rows, len(self.rows))
        spans, bold, underlined = self.spans, self.bold, self.underlined
        return Table(self.rows, count, caption, position, source, kind, spans, bold, notes, underlined)


def tidy(text: str) -> str:
    """The text on one line: every run of blanks (also the invisible ones) is one blank.

    >>> tidy(" 85.45\\u2009±\\u00a0 1.2\\n")
    '85.45 ± 1.2'
    """
    if text.isascii() and text.isprintable() and "  " not in text:  # most cells
        return text.strip()
    return _BLANKS.sub(" ", text).strip()


def lay(lines: Sequence[Sequence[Placed]]) -> GridDraft:
    """The grid of cells given row by row, spans expanded.

    >>> lay([[Placed("Method", rows=2), Placed("DRIVE", columns=2)], [Placed("Acc"), Placed("Sens")]]).rows
    (('Method', 'DRIVE', 'DRIVE'), ('Method', 'Acc', 'Sens'))
    """
    limits = current()
    longest = limits.cell_characters
    places: dict[tuple[int, int], str] = {}
    spans: list[Span] = []
    bold: set[tuple[int, int]] = set()
    underlined: set[tuple[int, int]] = set()
    free: list[int] = []  # of each column the first row that no span from above reaches
    height, width = len(lines), 0
    for row, line in enumerate(lines):
        column = 0
        for cell in line:
            if len(cell.text) > longest:
                _check_text(cell.text)
            while column < len(free) and free[column] > row:
                column += 1
            down = height - row if cell.rows <= 0 else min(cell.rows, height - row)
            across = max(1, cell.columns)
            width = max(width, column + across)
            if width > limits.columns:
                raise exceeded("columns", width, "a table")
            if len(places) + down * across > limits.cells:
                raise exceeded("cells", len(places) + down * across, "a table", least=True)
            free.extend([0] * (column + across - len(free)))
            for beside in range(column, column + across):
                free[beside] = max(free[beside], row + down)
            for below in range(row, row + down):
                for beside in range(column, column + across):
                    places[below, beside] = cell.text
                    if cell.bold:
                        bold.add((below, beside))
                    if cell.underlined:
                        underlined.add((below, beside))
            if down * across > 1:
                spans.append(Span(row, column, down, across))
            column += across
    _count(height * width)
    rows = [[places.get((row, column), "") for column in range(width)] for row in range(height)]
    return _without_empty(rows, spans, bold, underlined)


def _without_empty(rows: list[list[str]], spans: Iterable[Span] = (), *marks: set[tuple[int, int]]) -> GridDraft:
    kept_rows = [index for index, row in enumerate(rows) if any(row)]
    width = len(rows[0]) if rows else 0
    kept_columns = [column for column in range(width) if any(rows[row][column] for row in kept_rows)]
    if len(kept_rows) == len(rows) and len(kept_columns) == width:
        return GridDraft(tuple(map(tuple, rows)), tuple(spans), *map(frozenset, marks))
    new_row = {old: new for new, old in enumerate(kept_rows)}
    new_column = {old: new for new, old in enumerate(kept_columns)}
    moved = []
    for span in spans:
        covered_rows = [new_row[row] for row in range(span.row, span.row + span.rows) if row in new_row]
        covered_columns = [
            new_column[column] for column in range(span.column, span.column + span.columns) if column in new_column
        ]
        if len(covered_rows) * len(covered_columns) > 1:
            moved.append(Span(covered_rows[0], covered_columns[0], len(covered_rows), len(covered_columns)))
    return GridDraft(
        tuple(tuple(rows[row][column] for column in kept_columns) for row in kept_rows),
        tuple(moved),
        *(
            frozenset((new_row[r], new_column[c]) for r, c in mark if r in new_row and c in new_column)
            for mark in marks
        ),
    )


def rectangle(lines: Iterable[Sequence[str]]) -> GridDraft:
    """The grid of plain rows; short rows are filled with empty cells."""
    given = [list(line) for line in lines]
    width = max(map(len, given), default=0)
    require_within("columns", width, "a table")
    _count(width * len(given))
    longest = current().cell_characters
    for row in given:
        if row and len("".join(row)) > longest:
            _check_text(max(row, key=len))
        if len(row) < width:
            row.extend([""] * (width - len(row)))
    return _without_empty(given)


def looks_numeric(text: str) -> bool:
    """Whether a cell starts like a number: enough to tell a header from a result."""
    start = text[:200]
    if _LEVEL.match(start):
        return False
    return _NUMBER.match(start.lstrip("*_$†‡~<>≈-−– ")) is not None or _ODD_NUMBER.fullmatch(start) is not None


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """The rows before the first one with a number beyond its first cell; all but the last row at most.

    >>> guess_header_rows([["", "DRIVE", "DRIVE"], ["Method", "Acc", "F1"], ["U-Net", "0.90", "0.8"]])
    2
    """
    for index, row in enumerate(rows):
        if any(looks_numeric(text) for text in row[1:]) or (len(row) == 1 and looks_numeric(row[0])):
            return index
    return min(1, len(rows))
