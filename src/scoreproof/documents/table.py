"""A table as it stands in a document: a grid of text cells, a caption, and where it was found.

Nothing is interpreted here: "0.90" stays "0.90". A reader hands over rows of ``Placed`` cells (``lay``) or plain rows
(``rectangle``). A hostile span cannot make a grid larger than the limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING, Any, Self, overload

from scoreproof.errors import UnreadableInput
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.limits import current, exceeded, require_within
from scoreproof.markup import HtmlCell, html_grid, html_list
from scoreproof.results import Result, SmallTable, Tabular, frame

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Position(Jsonable):
    """Where a table was found: the place among all tables, and the line, page or sheet where the format has them."""

    index: int
    line: int | None = None
    page: int | None = None
    sheet: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in document(self, "*").items() if value is not None}

    def __str__(self) -> str:
        given = self.to_dict()
        named = (f"{name} {given[name]!r}" for name in ("page", "sheet", "line") if name in given)
        return ", ".join([f"table {self.index + 1}", *named])


@dataclass(frozen=True, slots=True)
class Span:
    """A cell that covers several places: its upper left place and how far it reaches."""

    row: int
    column: int
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Table(Result):
    """A rectangular grid of text cells, the first ``header_rows`` rows of which are headers.

    Spanned cells are repeated in every place they cover; ``spans`` says which. ``bold`` and ``underlined`` list the
    places printed so. ``notes`` says what the reader could not be sure of.

    >>> table = Table((("Method", "Acc"), ("U-Net", "0.90")), header_rows=1)
    >>> table.shape, table.body
    ((2, 2), (('U-Net', '0.90'),))
    """

    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1
    caption: str = ""
    position: Position = Position(0)
    source: str = ""
    format: str = ""
    spans: tuple[Span, ...] = ()
    bold: frozenset[tuple[int, int]] = frozenset()
    notes: tuple[str, ...] = ()
    underlined: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self) -> None:
        if len({len(row) for row in self.rows}) > 1:
            raise UnreadableInput("table: all rows must have the same number of cells")
        if not 0 <= self.header_rows <= len(self.rows):
            raise UnreadableInput(f"table: {self.header_rows} header rows in a table of {len(self.rows)} rows")

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0]) if self.rows else 0

    @property
    def header(self) -> tuple[tuple[str, ...], ...]:
        return self.rows[: self.header_rows]

    @property
    def body(self) -> tuple[tuple[str, ...], ...]:
        return self.rows[self.header_rows :]

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Some rows and columns of the table, in this order; one that is named twice stands there twice.

        >>> Table((("A", "B"), ("1", "2")), spans=(Span(0, 0, 2, 1),)).part([0, 1], [1, 0, 0]).spans
        (Span(row=0, column=1, rows=2, columns=2),)
        """
        spans: list[Span] = []
        for span in self.spans:
            down = [new for new, old in enumerate(rows) if span.row <= old < span.row + span.rows]
            across = [new for new, old in enumerate(columns) if span.column <= old < span.column + span.columns]
            if len(down) * len(across) > 1:
                spans.append(Span(down[0], across[0], len(down), len(across)))
        places = {(row, column): (old, at) for row, old in enumerate(rows) for column, at in enumerate(columns)}
        bold, underlined = (
            frozenset(new for new, old in places.items() if old in marks) if marks else marks
            for marks in (self.bold, self.underlined)
        )
        cells = tuple(tuple(self.rows[row][column] for column in columns) for row in rows)
        headers = sum(row < self.header_rows for row in rows)
        return replace(self, rows=cells, header_rows=headers, spans=tuple(spans), bold=bold, underlined=underlined)

    def to_dict(self) -> dict[str, Any]:
        marks = {"bold": sorted(self.bold), "underlined": sorted(self.underlined)}
        told = "caption position source format header_rows *"
        return document(self, told, spans=list(map(astuple, self.spans)), **marks)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "spans": [Span(*span) for span in document["spans"]]})

    @property
    def headers(self) -> tuple[str, ...]:
        """One text per column, the levels of its header joined; a column without any by its number."""
        levels = zip(*self.header, strict=True) if self.header else [()] * self.shape[1]
        return tuple(" ".join(dict.fromkeys(filter(None, level))) or str(at) for at, level in enumerate(levels))

    def to_frame(self) -> DataFrame:
        """The grid as a pandas data frame of texts."""
        return frame(self.body, self.headers)

    def __str__(self) -> str:
        title = f": {self.caption}" if self.caption else ""
        return f"{self.position} ({self.shape[0]} rows, {self.shape[1]} columns){title}"

    def _tables(self) -> list[SmallTable]:
        return [SmallTable(self.body, self.headers, self.caption)]

    def html(self, verdicts: Mapping[tuple[int, int], str] | None = None) -> str:
        """The table as it stands in the paper; cells that have a verdict are set in its colour."""
        reach = {(span.row, span.column): (span.rows, span.columns) for span in self.spans}
        covered = {(s.row + i, s.column + j) for s in self.spans for i in range(s.rows) for j in range(s.columns)}

        def cell(at: tuple[int, int], text: str) -> HtmlCell:
            verdict, head = (verdicts or {}).get(at, ""), "col" if at[0] < self.header_rows else ""
            return HtmlCell(text, *reach.get(at, (1, 1)), bold=at in self.bold, verdict=verdict, head=head)

        covered -= reach.keys()
        places = [[((r, c), text) for c, text in enumerate(cells)] for r, cells in enumerate(self.rows)]
        lines = [[cell(at, text) for at, text in row if at not in covered] for row in places]
        return html_grid(lines, caption=self.caption)

    _repr_html_ = html


@dataclass(frozen=True, slots=True)
class Tables(Tabular, Sequence[Table]):
    """The tables of one document, in order, and ``problems``: what looked like a table and could not be read."""

    tables: tuple[Table, ...]
    source: str = ""
    format: str = ""
    problems: tuple[str, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Table: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Table]: ...
    def __getitem__(self, index: int | slice) -> Table | Sequence[Table]:
        return self.tables[index]

    def __len__(self) -> int:
        return len(self.tables)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"table": number, "row": row, "column": column, "header": header, "text": text}
            for number, table in enumerate(self)
            for row, cells in enumerate(table.body, table.header_rows)
            for column, (header, text) in enumerate(zip(table.headers, cells, strict=True))
        ]

    def _tables(self) -> list[SmallTable]:
        return [shown for table in self for shown in table._tables()]

    def __str__(self) -> str:
        where = f" in {self.source}" if self.source else ""
        bad = f", {len(self.problems)} could not be read" if self.problems else ""
        return f"{len(self)} table{'s' * (len(self) != 1)}{where}{bad}"

    def _repr_html_(self) -> str:
        return "".join(table.html() for table in self) + html_list(self.problems)


_BLANKS = re.compile(r"[\s\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]+")
_NUMBER = re.compile(r"[+-]?(?:\d[\d.,\s]*|[.,]\d+)\s*(?:[%±(\[†‡§¶*^]|\+/-|\\pm|[a-d]?$)")
_LEVEL = re.compile(r"\d+\s*%\s*[A-Za-z]{2}")  # "95% CI" is a header
# A decimal number with what a PDF or a comparison leaves in it, such as 0_.9_1 or 91.2↑1.3: unread, but no header.
_ODD_NUMBER = re.compile(r"(?=.*\d)(?=.*[._]\d)[\d.,%±_^{}()\s+\-−–/→↑↓▲▼]+")
#: How the caption of a table begins.
CAPTION = re.compile(r"\W*(?:Supplementary\s+)?(?:Table|Tab\.)\W", re.IGNORECASE)


def check_text(text: str) -> None:
    """A text that is too long for a cell, or for a caption, is refused."""
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
    """The text on one line: every run of blanks (also the invisible ones) is one blank."""
    if text.isascii() and text.isprintable() and "  " not in text:  # most cells
        return text.strip()
    return _BLANKS.sub(" ", text).strip()


def lay(lines: Sequence[Sequence[Placed]], header_rows: int | None = None) -> Table:
    """The grid of cells given row by row, spans expanded; ``header_rows`` are guessed where nothing tells them.

    >>> lay([[Placed("Method", rows=2), Placed("DRIVE", columns=2)], [Placed("Acc"), Placed("Sens")]]).rows
    (('Method', 'DRIVE', 'DRIVE'), ('Method', 'Acc', 'Sens'))
    """
    height = len(lines)
    places: dict[tuple[int, int], Placed] = {}
    spans: list[Span] = []
    free: list[int] = []  # of each column the first row that no span from above reaches
    for row, line in enumerate(lines):
        column = 0
        for cell in line:
            check_text(cell.text)
            while column < len(free) and free[column] > row:
                column += 1
            down = height - row if cell.rows <= 0 else min(cell.rows, height - row)
            across = max(1, cell.columns)
            require_within("columns", column + across, "a table", least=True)
            require_within("cells", len(places) + down * across, "a table", least=True)
            free.extend([0] * (column + across - len(free)))
            for beside in range(column, column + across):
                free[beside] = max(free[beside], row + down)
                for below in range(row, row + down):
                    places[below, beside] = cell
            if down * across > 1:
                spans.append(Span(row, column, down, across))
            column += across
    require_within("cells", height * len(free), "a table", least=True)
    texts = {at: cell.text for at, cell in places.items()}
    rows = tuple(tuple(texts.get((row, column), "") for column in range(len(free))) for row in range(height))
    bold = frozenset(at for at, cell in places.items() if cell.bold)
    underlined = frozenset(at for at, cell in places.items() if cell.underlined)
    return _without_empty(Table(rows, 0, spans=tuple(spans), bold=bold, underlined=underlined), header_rows)


def _without_empty(table: Table, header_rows: int | None) -> Table:
    """The table without the rows and columns in which nothing stands; it has this many header rows before."""
    table = replace(table, header_rows=min(header_rows or 0, len(table.rows)))
    kept_rows = [row for row, texts in enumerate(table.rows) if any(texts)]
    kept_columns = [column for column, texts in enumerate(zip(*table.rows, strict=True)) if any(texts)]
    if (len(kept_rows), len(kept_columns)) != table.shape:
        table = table.part(kept_rows, kept_columns)
    return table if header_rows is not None else replace(table, header_rows=guess_header_rows(table.rows))


def rectangle(lines: Iterable[Sequence[str]], header_rows: int | None = None) -> Table:
    """The grid of plain rows; short rows are filled with empty cells."""
    given = list(map(tuple, lines))
    width = max(map(len, given), default=0)
    require_within("columns", width, "a table")
    require_within("data_cells", width * len(given), "a table", least=True)
    longest = current().cell_characters
    for row in given:
        if row and len("".join(row)) > longest:
            check_text(max(row, key=len))
    rows = tuple(row if len(row) == width else row + ("",) * (width - len(row)) for row in given)
    return _without_empty(Table(rows, 0), header_rows)


def looks_numeric(text: str) -> bool:
    """Whether a cell starts like a number: enough to tell a header from a result."""
    start = text[:200]
    number = _NUMBER.match(start.lstrip("*_$†‡~<>≈-−– ")) or _ODD_NUMBER.fullmatch(start)
    return number is not None and not _LEVEL.match(start)


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """The rows before the first one with a number beyond its first cell; all but the last row at most.

    >>> guess_header_rows([["", "DRIVE", "DRIVE"], ["Method", "Acc", "F1"], ["U-Net", "0.90", "0.8"]])
    2
    """
    for index, row in enumerate(rows):
        if any(looks_numeric(text) for text in row[1:]) or (len(row) == 1 and looks_numeric(row[0])):
            return index
    return min(1, len(rows))
