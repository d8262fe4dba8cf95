"""A table understood: its columns with their units, its rows, the reports in them, what was assumed or left unread.

Percent or fraction is decided once per column, with the reason, and never for a cell that contradicts its column. A
header or a sign decides where there is one. Otherwise a value from 2 to 100 can only be a percentage of a score that is
at most 1, and a value up to 1 is taken for a fraction. Where a column holds both kinds, the cells of the rarer kind are
left unread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import lru_cache
from scoreproof.papers.table_semantics.cells import CellKind, ReadCell
from scoreproof.papers.table_semantics.headings import Heading
from scoreproof.papers.table_semantics.words import PATTERNS
from scoreproof.quantities import quantity
from scoreproof.reported.number import read_text
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from scoreproof.documents.table import Table
from scoreproof.jsonable import Jsonable
from scoreproof.notebook import html_list, html_words
from scoreproof.papers.table_semantics.cells import CellKind
from scoreproof.papers.table_semantics.classes import ClassReport
from scoreproof.papers.table_semantics.cells import Counts
from scoreproof.papers.table_semantics.folds import FoldBlock
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.rows import Report, Row
from scoreproof.results import SmallTable, Tabular

_SAYS = PATTERNS["scale"]


class Scale(StrEnum):
    """The unit of a column."""

    FRACTION = "fraction"
    PERCENT = "percent"
    PLAIN = "plain"  #: the score has no upper bound: the number is taken as it stands


@dataclass(frozen=True, slots=True)
class ScaleDecision:
    """The scale of a column, why, and which of its cells contradict it."""

    scale: Scale
    why: str
    unclear: frozenset[int] = frozenset()


class _Size(Enum):
    """Where a bare number lies: which unit it allows."""

    ZERO = 0
    BELOW = 1  #: up to 1: a fraction, or less than one percent
    BETWEEN = 2
    ABOVE = 3  #: from 2 to 100: only a percentage
    BEYOND = 4


@lru_cache(maxsize=4096)
def _size(number: str) -> _Size:
    printed = read_text("cell", number).number
    units = abs(printed.units)
    if units == 0:
        return _Size.ZERO
    if units <= printed.scale:
        return _Size.BELOW
    if units < 2 * printed.scale:
        return _Size.BETWEEN
    return _Size.ABOVE if units <= 100 * printed.scale else _Size.BEYOND


def decide(heading: Heading, cells: Sequence[ReadCell], caption: str = "") -> ScaleDecision:
    """The scale of one column of scores.

    >>> from scoreproof.papers.table_semantics.cells import read_cell
    >>> from scoreproof.papers.table_semantics.headings import read_heading
    >>> decide(read_heading("Acc"), [read_cell("95.40"), read_cell("94.9"), read_cell("0.93")]).unclear
    frozenset({2})
    """
    if quantity(heading.score).range[1] != 1:
        return ScaleDecision(Scale.PLAIN, "the score has no upper bound")
    sizes = {i: _size(cell.number) for i, cell in enumerate(cells) if cell.kind is CellKind.NUMBER}
    signed = {i for i in sizes if cells[i].percent}
    beyond = frozenset(i for i, size in sizes.items() if size is _Size.BEYOND)  # a page number, a year, a count
    if heading.percent:
        # Fractions under a percent sign, or shares below one percent? Nothing tells.
        small = not signed and {_Size.BELOW} <= {*sizes.values()} <= {_Size.ZERO, _Size.BELOW}
        return ScaleDecision(Scale.PERCENT, "the header says %", frozenset(sizes) if small else beyond)
    bare = sizes.keys() - signed - beyond
    above = {i for i in bare if sizes[i] is _Size.ABOVE}
    below = {i for i in bare if sizes[i] in (_Size.BELOW, _Size.ZERO)}
    if not bare and signed:
        return ScaleDecision(Scale.PERCENT, "every value carries %", beyond)
    if not above:
        plain = below == bare and heading.statistic not in ("std", "sem")
        why = "values up to 1, and values with %" if signed else "no value is above 1" if plain else "values up to 1"
        return ScaleDecision(Scale.FRACTION, why if bare else "no values", beyond)
    if not below or _SAYS["caption"].search(caption):
        why = "the caption speaks of percent" if below else "values above 1"
        return ScaleDecision(Scale.PERCENT, why, beyond)
    zeros = {i for i in below if sizes[i] is _Size.ZERO and _places(cells[i]) == _places(cells[min(above)])}
    if len(above) > len(below - zeros):
        return ScaleDecision(Scale.PERCENT, "most values are above 1", beyond | (below - zeros))
    if len(above) < len(below):
        return ScaleDecision(Scale.FRACTION, "most values are not above 1", beyond | above)
    return ScaleDecision(Scale.FRACTION, "as many values above 1 as below", beyond | above | below)


def _places(cell: ReadCell) -> int:
    return len(re.sub(r"^[^.,]*[.,]?", "", cell.number))


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
