"""A table understood: its columns, its rows, the reports and the folds in them, what was assumed or left unread.

Every row Fold 1 to Fold k is a report on its own fold. Whether the printed average is possible, given the printed rows,
is a problem of its own kind, asked like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import groupby, product
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.documents.table import Table
from scoreproof.errors import ScoreproofError
from scoreproof.jsonable import Jsonable, document
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.kind import Problem
from scoreproof.markup import html_list, html_words
from scoreproof.papers.table_semantics.cells import CellKind
from scoreproof.papers.table_semantics.columns import Scale
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.rows import SUMMARIES, Report, Row, RowKind, Value, fold_number
from scoreproof.papers.table_semantics.words import SETS
from scoreproof.reported import Rounding
from scoreproof.results import SmallTable, Tabular

if TYPE_CHECKING:
    from scoreproof.papers.table_semantics.classes import ClassReport


@dataclass(frozen=True, slots=True)
class Column:
    """One column (or row, if the table was transposed): its header, and percent or fraction with the reason."""

    index: int
    heading: Heading
    scale: Scale | None = None
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        scale = {} if self.scale is None else {"scale": str(self.scale), "why": self.why}
        return {"index": self.index, **self.heading.to_dict(), **scale}


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
    """What a table says: the scores to be checked by rows and groups of columns, and every decision it left open.

    ``class_averages`` says why the scores of a group are averages over classes, ``options`` what was said beside it.
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
        texts = [words for block in self.folds for words in block.not_compared]
        return (*dict.fromkeys(texts), *(() if self.class_report is None else self.class_report.not_compared))

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
        used = [column.index for column in self.columns if column.heading.role in (Role.SCORE, Role.COUNT)]
        kinds = Counter(row.cells[index].kind for index in used for row in self.rows)
        return {kind: kinds[CellKind(kind)] for kind in ("number", "missing", "unread")}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Interpretation:
        """A table has one meaning under the same options, so the document's table is interpreted again."""
        options = {**document["options"], "columns": dict(document["options"]["columns"])}
        semantics = import_module("scoreproof.papers.table_semantics")
        meaning: Interpretation = semantics.interpret(Table.from_dict(document["table"]), **options)
        return meaning

    def _rows(self) -> list[dict[str, Any]]:
        return [{"row": row.row, "label": row.label, "group": row.group, **row.scores} for row in self.reports]

    def _tables(self) -> list[SmallTable]:
        return self.table._tables()

    def __str__(self) -> str:
        if not self.score_columns:
            return f"{self.table.position}: no column is named like a score"
        names = ", ".join(dict.fromkeys(column.heading.score for column in self.score_columns))
        read = "{number} cells read, {missing} missing, {unread} unread".format(**self.tally)
        return f"{self.table.position}: {len(self.reports)} reports of {names}; {read}"

    def _repr_html_(self) -> str:
        notes = [*self.assumptions, *(f"unread: {cell}" for cell in self.unread)]
        return html_words(self) + self.table._repr_html_() + html_list(notes)


@dataclass(frozen=True, slots=True)
class AverageCheck:
    """A printed average or deviation beside its rows, answered; true unless it is proved not to fit.

    >>> from scoreproof.kinds.average import printed_average
    >>> print(*compared("mean acc", printed_average, "acc", ["0.90", "0.92", "0.95"], "0.94", rounding="nearest"))
    mean acc: 0.94 does not fit: the printed rows give 0.9183 to 0.9284
    """

    what: str
    answer: Answer[Any, Any]

    def __bool__(self) -> bool:
        return self.answer.verdict is not Verdict.INCONSISTENT

    def to_dict(self) -> dict[str, Any]:
        return document(self, "what answer", printed=self.answer.claims[-1].text, words=str(self))

    def __str__(self) -> str:
        printed = self.answer.claims[-1].text
        if self.answer.verdict is Verdict.INCONSISTENT:
            return f"{self.what}: {printed} does not fit: {self.answer.reason}"
        if self.answer.verdict is Verdict.CONSISTENT:
            return f"{self.what}: {printed} fits the rows"
        return f"{self.what}: whether {printed} fits the rows is not decided ({self.answer.reason})"


def compared(what: str, pose: Callable[..., Problem], *given: Any, **rule: Any) -> Iterator[AverageCheck]:
    """The check of a printed average; none where it cannot be posed: the row carries the error itself."""
    with suppress(ScoreproofError):
        yield AverageCheck(what, ask(pose(*given, **rule), budget=5.0))


@dataclass(frozen=True, slots=True)
class FoldBlock:
    """The folds of one evaluation, as reports, and the summary rows that follow them."""

    label: str
    group: str
    folds: tuple[Report, ...]
    mean: Report | None = None
    spread: Report | None = None
    rows: int = 0

    @property
    def k(self) -> int:
        return len(self.folds)

    @property
    def complete(self) -> bool:
        """Whether all fold rows of the table were read, and are numbered from 1 (or 0) without a gap."""
        numbers = sorted(fold.fold or 0 for fold in self.folds)
        return numbers in (list(range(1, self.k + 1)), list(range(self.k))) and self.rows in (0, self.k)

    @property
    def not_compared(self) -> tuple[str, ...]:
        """In words, why an average is not compared with the fold rows."""
        values = () if self.mean is None else self.mean.values
        unread = any(_match(fold, value) is None for value in values for fold in self.folds)
        if self.mean is None or (self.complete and not unread):
            return ()
        return ("a mean is not compared with the folds: not all fold rows are there, or were read",)

    def check_averages(self, *, rounding: str | Rounding = Rounding.ANY) -> tuple[AverageCheck, ...]:
        """The average row against the fold rows, score by score; scores missing in a fold are left out.

        A deviation (behind a ±, or in a row of its own) fits if it does with n - 1 or with n in the denominator.
        """
        checks: list[AverageCheck] = []
        for value in self.mean.values if self.mean is not None and self.complete else ():
            rows = [row.text for fold in self.folds if (row := _match(fold, value)) is not None]
            if value.statistic not in ("", "mean") or len(rows) < self.k:
                continue
            name, given = f"{value.qualifier} {value.score}".strip(), (printed_average, value.score, rows)
            checks += compared(f"mean {name}", *given, value.text, rounding=rounding)
            behind = value.text if value.cell.spread and value.spread_kind != "sem" and "±" in value.text else None
            own = _match(self.spread, value) if self.spread is not None else None
            for text in filter(None, (behind, own and own.text)):
                what = f"{name}, standard deviation"
                checks += compared(what, *given, text, statistic="deviation", rounding=rounding)
        return tuple(checks)

    def to_dict(self) -> dict[str, Any]:
        summaries = {"mean": self.mean, "spread": self.spread}
        places = {name: None if row is None else row.row for name, row in summaries.items()}
        folds = [fold.row for fold in self.folds]
        return document(self, "label group k complete", folds=folds, **places, averages=self.check_averages())

    def __str__(self) -> str:
        name = f"{self.label}: " if self.label else ""
        return f"{name}{self.k} folds {'without' if self.mean is None else 'with'} an average row"


def _match(other: Report, value: Value) -> Value | None:
    values = (twin for twin in other.values if (twin.score, twin.qualifier) == (value.score, value.qualifier))
    return next((twin for twin in values if twin.statistic in ("", "mean")), None)


def with_numbered(headings: Sequence[Heading], rows: list[Row]) -> list[Row]:
    """Rows that only a number tells apart, as pandas counts them, are the folds of a cross-validation, or may be."""
    labels = [heading.text for heading in headings if heading.role is Role.LABEL]
    across = sum(heading.role is Role.SCORE and fold_number(heading.group) is not None for heading in headings) > 1
    if across or len(labels) != 1 or labels[0].replace(" ", "").lower() not in SETS["no_header"] | {""}:
        return rows
    plain = [row for row in rows if row.kind is RowKind.RESULT]
    numbers = [row.label for row in plain]
    if len(numbers) < 2 or numbers not in ([str(i + first) for i in range(len(numbers))] for first in (0, 1)):
        return rows
    return [replace(row, kind=RowKind.FOLD, fold=int(row.label)) if row.kind is RowKind.RESULT else row for row in rows]


def fold_blocks(rows: Sequence[Row], reports: Sequence[Report]) -> tuple[FoldBlock, ...]:
    """The blocks of fold rows, each with the summary rows right after it; or those of folds in columns."""
    blocks = _blocks(rows)
    if not blocks:
        across = tuple(_across(reports))
        hidden = across and any(cell.raw in ("...", "…") for row in rows for cell in row.cells)  # by pandas
        return () if hidden else across
    at = {(report.row, report.group): report for report in reports}
    folded = []
    for (name, folds, summary), group in product(blocks, dict.fromkeys(report.group for report in reports)):
        own = tuple(at[row.index, group] for row in folds if (row.index, group) in at)
        after = {kind: at.get((row.index, group)) for kind, row in summary.items()}
        if len(own) > 1:
            mean, spread = after.get(RowKind.MEAN), after.get(RowKind.SPREAD)
            folded.append(FoldBlock(name, group, own, mean, spread, len(folds)))
    return tuple(folded)


def _blocks(rows: Sequence[Row]) -> list[tuple[str, list[Row], dict[RowKind, Row]]]:
    """What the folds of each block are of, their rows, and the summary rows after them."""
    blocks: list[tuple[str, list[Row], dict[RowKind, Row]]] = []
    is_open = False
    for row in rows:
        if row.kind is RowKind.FOLD:
            name = " / ".join(dict.fromkeys(part for part in (row.section, *row.labels[:-1]) if part))
            last = blocks[-1] if is_open else None
            if last is None or last[0] != name or any(row.fold == fold.fold for fold in last[1]):
                blocks.append((name, [row], {}))
            else:
                last[1].append(row)
            is_open = True
        elif row.kind in SUMMARIES and is_open:
            blocks[-1][2].setdefault(row.kind, row)
        elif row.kind is not RowKind.EMPTY:
            is_open = False
    return blocks


def _across(reports: Sequence[Report]) -> Iterator[FoldBlock]:
    """Rows whose folds are columns, with a column of their mean: "split0_test_f1", "mean_test_f1"."""
    for _, beside in groupby(reports, key=lambda report: report.row):
        own = list(beside)
        folds = [replace(report, fold=number) for report in own if (number := fold_number(report.group)) is not None]
        mean = next((report for report in own if not report.group), None)
        values = [value for value in mean.values if value.statistic == "mean"] if mean is not None else []
        if mean is not None and len(folds) > 1 and values:
            widths = [(value, value.text.partition("± ")[2].rstrip("%")) for value in values]
            means = tuple(value._replace(cell=value.cell._replace(spread=width)) for value, width in widths)
            yield FoldBlock(mean.label, "", tuple(folds), replace(mean, values=means))
