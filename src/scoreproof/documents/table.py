"""A table as it stands in a document: text cells, a caption, and where it was found.

Nothing is interpreted here. "0.90" stays "0.90", a spanned cell is repeated over the places it covers (and the
span is remembered), and what the typesetting said about a cell (bold, underlined) is kept beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, overload

from scoreproof.errors import UnreadableInput
from scoreproof.jsonable import Jsonable, document, rebuilt
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
        given = {"line": self.line, "page": self.page, "sheet": self.sheet}
        return {"index": self.index, **{name: value for name, value in given.items() if value is not None}}

    def __str__(self) -> str:
        parts = [f"table {self.index + 1}"]
        if self.page is not None:
            parts.append(f"page {self.page}")
        if self.sheet is not None:
            parts.append(f"sheet {self.sheet!r}")
        if self.line is not None:
            parts.append(f"line {self.line}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Span:
    """A cell that covers several places: its upper left place and how far it reaches."""

    row: int
    column: int
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Table(Result):
    """A rectangular grid of text cells.

    The first ``header_rows`` rows are headers. Spanned cells are repeated in every place they cover; ``spans`` says
    which. ``bold`` and ``underlined`` list the places printed so. ``notes`` says what the reader could not be sure of.

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
        spans = []
        for span in self.spans:
            down = [new for new, old in enumerate(rows) if span.row <= old < span.row + span.rows]
            across = [new for new, old in enumerate(columns) if span.column <= old < span.column + span.columns]
            if len(down) * len(across) > 1:
                spans.append(Span(down[0], across[0], len(down), len(across)))

        def moved(marks: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
            places = ((row, column) for row in range(len(rows)) for column in range(len(columns)))
            return frozenset(at for at in places if (rows[at[0]], columns[at[1]]) in marks) if marks else marks

        return replace(
            self,
            rows=tuple(tuple(self.rows[row][column] for column in columns) for row in rows),
            header_rows=sum(row < self.header_rows for row in rows),
            spans=tuple(spans),
            bold=moved(self.bold),
            underlined=moved(self.underlined),
        )

    def to_dict(self) -> dict[str, Any]:
        spans = [[span.row, span.column, span.rows, span.columns] for span in self.spans]
        told = "caption position source format header_rows *"
        marks = {name: sorted(map(list, getattr(self, name))) for name in ("bold", "underlined")}
        return document(self, told, spans=spans, **marks)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        spans = [dict(zip(("row", "column", "rows", "columns"), span, strict=True)) for span in document["spans"]]
        return rebuilt(cls, {**document, "spans": spans})

    @property
    def headers(self) -> tuple[str, ...]:
        """One text per column, the levels of its header joined; a column without any by its number."""
        levels = zip(*self.header, strict=True) if self.header else [()] * self.shape[1]
        joined = (" ".join(dict.fromkeys(filter(None, level))) for level in levels)
        return tuple(text or str(number) for number, text in enumerate(joined))

    def to_frame(self) -> DataFrame:
        """The grid as a pandas data frame of texts."""
        return frame(self.body, self.headers)

    def __str__(self) -> str:
        rows, columns = self.shape
        title = f": {self.caption}" if self.caption else ""
        return f"{self.position} ({rows} rows, {columns} columns){title}"

    def _tables(self) -> list[SmallTable]:
        return [SmallTable(self.body, self.headers, self.caption)]

    def _repr_html_(self) -> str:
        return self.html()

    def html(self, verdicts: Mapping[tuple[int, int], str] | None = None) -> str:
        """The table as it stands in the paper; cells that have a verdict are set in its colour."""
        colours = verdicts or {}
        covered = {
            (row, column): span
            for span in self.spans
            for row in range(span.row, span.row + span.rows)
            for column in range(span.column, span.column + span.columns)
        }
        lines = []
        for index, row in enumerate(self.rows):
            cells = []
            for column, text in enumerate(row):
                span = covered.get((index, column))
                if span is not None and (span.row, span.column) != (index, column):
                    continue
                reach = (1, 1) if span is None else (span.rows, span.columns)
                head = "col" if index < self.header_rows else ""
                colour = colours.get((index, column), "")
                cells.append(HtmlCell(text, *reach, bold=(index, column) in self.bold, verdict=colour, head=head))
            lines.append(cells)
        return html_grid(lines, caption=self.caption)


@dataclass(frozen=True, slots=True)
class Tables(Tabular, Sequence[Table]):
    """The tables of one document, in order, and ``problems``: what looked like a table and could not be read."""

    tables: tuple[Table, ...]
    source: str = ""
    format: str = ""
    problems: tuple[str, ...] = ()

    _told = "source format tables problems"

    @overload
    def __getitem__(self, index: int) -> Table: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Table]: ...
    def __getitem__(self, index: int | slice) -> Table | Sequence[Table]:
        return self.tables[index]

    def __len__(self) -> int:
        return len(self.tables)

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"table": number, "row": row, "column": column, "header": header, "text": text}
            for number, table in enumerate(self.tables)
            for row, cells in enumerate(table.body, table.header_rows)
            for column, (header, text) in enumerate(zip(table.headers, cells, strict=True))
        ]

    def _tables(self) -> list[SmallTable]:
        return [shown for table in self.tables for shown in table._tables()]

    def __str__(self) -> str:
        where = f" in {self.source}" if self.source else ""
        bad = f", {len(self.problems)} could not be read" if self.problems else ""
        return f"{len(self.tables)} table{'s' * (len(self.tables) != 1)}{where}{bad}"

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables) + html_list(self.problems)
