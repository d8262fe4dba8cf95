"""A table understood: its columns, its rows, the reports in them, and what was assumed or left unread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from scoreproof.documents.table import Table
from scoreproof.jsonable import Jsonable
from scoreproof.markup import html_list, html_words
from scoreproof.papers.table_semantics.cells import CellKind, Counts
from scoreproof.papers.table_semantics.classes import ClassReport
from scoreproof.papers.table_semantics.folds import FoldBlock
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.orientation import Scale
from scoreproof.papers.table_semantics.rows import Report, Row
from scoreproof.results import SmallTable, Tabular


@dataclass(frozen=True, slots=True)
class Column:
    """One column (or row, if the table was transposed): its header, and percent or fraction with the reason."""

    index: int
    heading: Heading
    scale: Scale | None = None
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        entry = {"index": self.index, **self.heading.to_dict()}
        if self.scale is not None:
            entry |= {"scale": str(self.scale), "why": self.why}
        return entry


@dataclass(frozen=True, slots=True)
class Unread(Jsonable):
    """A cell that should hold a number and was not read, with its place in the table."""

    row: int
    column: int
    raw: str
    why: str

    def __str__(self) -> str:
        shown = self.raw if len(self.raw) <= 40 else self.raw[:37] + "..."
        return f"row {self.row + 1}, column {self.column + 1}: {shown!r} ({self.why})"


@dataclass(frozen=True, slots=True)
class Interpretation(Tabular):
    """What a table says.

    ``reports`` are the sets of scores to be checked, one per row and group of columns. ``folds`` and ``class_report``
    are set where the table has that structure. ``class_averages`` says of which groups of columns, and why, the scores
    are taken for averages over classes. ``assumptions`` lists every decision that the table did not spell out.
    ``options`` are what was said to ``interpret`` beside the table.
    """

    table: Table
    transposed: bool
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    reports: tuple[Report, ...]
    folds: tuple[FoldBlock, ...]
    class_report: ClassReport | None
    assumptions: tuple[str, ...]
    unread: tuple[Unread, ...]
    decimal_comma: bool = False
    class_averages: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)

    _told = "* not_compared tally"

    def over_classes(self, group: str) -> str:
        """Why the scores of a group of columns are taken for averages over classes; nothing if they are not."""
        return self.class_averages.get(group, "")

    @property
    def not_compared(self) -> tuple[str, ...]:
        """In words, which averages of the table are not compared with its rows, and why."""
        said = [words for block in self.folds for words in block.not_compared]
        return (*dict.fromkeys(said), *(() if self.class_report is None else self.class_report.not_compared))

    @property
    def score_columns(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.heading.role is Role.SCORE)

    @property
    def label_columns(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.heading.role is Role.LABEL)

    @property
    def untested(self) -> tuple[Column, ...]:
        """Columns of numbers that no check uses, shown instead of dropped."""
        return tuple(column for column in self.columns if column.heading.role is Role.OTHER)

    @property
    def tally(self) -> dict[str, int]:
        """How many cells of score and count columns are numbers, missing, and unread."""
        kinds: Counter[CellKind] = Counter()
        for column in self.columns:
            own = Counter([row.cells[column.index].kind for row in self.rows])
            if column.heading.role not in (Role.SCORE, Role.COUNT):
                own = Counter({kind: own[kind] for kind in (CellKind.UNREAD, CellKind.COUNTS)})
            kinds += own
        return {kind: kinds.get(CellKind(kind), 0) for kind in ("number", "counts", "missing", "unread")}

    @property
    def counts(self) -> Counts:
        """The counts all rows share; empty where rows differ."""
        all_counts = {row.counts for row in self.rows if row.counts}
        return next(iter(all_counts)) if len(all_counts) == 1 else Counts()

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Interpretation:
        """A table has one meaning under the same options, so the document's table is interpreted again."""
        options = dict(document["options"])
        options["columns"] = dict(options["columns"])
        found: Interpretation = import_module("scoreproof.papers.table_semantics").interpret(
            Table.from_dict(document["table"]), **options
        )
        return found

    def _rows(self) -> list[dict[str, Any]]:
        return [{"row": one.row, "label": one.label, "group": one.group, **one.scores} for one in self.reports]

    def _tables(self) -> list[SmallTable]:
        return self.table._tables()

    def __str__(self) -> str:
        tally = self.tally
        if not self.score_columns:
            return f"{self.table.position}: no column is named like a score"
        names = ", ".join(dict.fromkeys(column.heading.score for column in self.score_columns))
        return (
            f"{self.table.position}: {len(self.reports)} reports of {names}; "
            f"{tally['number']} cells read, {tally['missing']} missing, {tally['unread']} unread"
        )

    def _repr_html_(self) -> str:
        notes = [*self.assumptions, *(f"unread: {cell}" for cell in self.unread)]
        return html_words(self) + self.table._repr_html_() + html_list(notes)
