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
from dataclasses import dataclass, replace

from scoreproof.documents.table import Span, Table
from scoreproof.limits import current, exceeded, require_within

_BLANKS = re.compile(r"[\s\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]+")
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,\s]*|[.,]\d+)\s*(?:[%±(\[†‡§¶*^]|\+/-|\\pm|[a-d]?$)")
_LEVEL = re.compile(r"\d+\s*%\s*[A-Za-z]{2}")  # "95% CI" is a header
# A decimal number with the marks that a PDF or a comparison leaves in it, such as 0_.9_1, ^77.8% or 91.2↑1.3: unread
# later on, but no header.
_ODD_NUMBER = re.compile(r"(?=.*\d)(?=.*[._]\d)[\d.,%±_^{}()\s+\-−–/→↑↓▲▼]+")


#: How the caption of a table begins.
CAPTION = re.compile(r"\W*(?:Supplementary\s+)?(?:Table|Tab\.)\W", re.IGNORECASE)


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


def check_text(text: str) -> None:
    """``LimitExceeded`` for a text that is too long for a cell, or for a caption."""
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


def tidy(text: str) -> str:
    """The text on one line: every run of blanks (also the invisible ones) is one blank.

    >>> tidy(" 85.45\\u2009±\\u00a0 1.2\\n")
    '85.45 ± 1.2'
    """
    if text.isascii() and text.isprintable() and "  " not in text:  # most cells
        return text.strip()
    return _BLANKS.sub(" ", text).strip()


def cut(text: str, mark: re.Pattern[str]) -> list[str]:
    """The pieces between marks, which are the first group of a pattern; what it matches beside them hides marks.

    >>> cut("a;'b;c'", re.compile("'[^']*'|(;)"))
    ['a', "'b;c'"]
    """
    places = [(match.start(1), match.end(1)) for match in mark.finditer(text) if match[1]]
    starts, ends = [0, *(end for _, end in places)], [*(start for start, _ in places), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def lay(lines: Sequence[Sequence[Placed]], header_rows: int | None = None) -> Table:
    """The grid of cells given row by row, spans expanded; ``header_rows`` are guessed where nothing tells them.

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
                check_text(cell.text)
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
    rows = tuple(tuple(places.get((row, column), "") for column in range(width)) for row in range(height))
    table = Table(rows, 0, spans=tuple(spans), bold=frozenset(bold), underlined=frozenset(underlined))
    return _without_empty(table, header_rows)


def _without_empty(table: Table, header_rows: int | None) -> Table:
    """The table without the rows and columns in which nothing stands; it has this many header rows before."""
    height, width = table.shape
    table = replace(table, header_rows=min(header_rows or 0, height))
    kept_rows = [row for row in range(height) if any(table.rows[row])]
    kept_columns = [column for column in range(width) if any(table.rows[row][column] for row in kept_rows)]
    if len(kept_rows) < height or len(kept_columns) < width:
        table = table.part(kept_rows, kept_columns)
    return table if header_rows is not None else replace(table, header_rows=guess_header_rows(table.rows))


def rectangle(lines: Iterable[Sequence[str]], header_rows: int | None = None) -> Table:
    """The grid of plain rows; short rows are filled with empty cells."""
    given = list(map(tuple, lines))
    width = max(map(len, given), default=0)
    require_within("columns", width, "a table")
    _count(width * len(given))
    longest = current().cell_characters
    for row in given:
        if row and len("".join(row)) > longest:
            check_text(max(row, key=len))
    rows = tuple(row if len(row) == width else row + ("",) * (width - len(row)) for row in given)
    return _without_empty(Table(rows, 0), header_rows)


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
