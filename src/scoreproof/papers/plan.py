"""From a specification to rows ready to be audited.

Each table is found and interpreted, and every row gets its experiment: by its own name, by its group of columns, or
by the table's default; counts printed in the row win over those of the data set. What cannot be tested is carried
along with the reason, so that nothing disappears between the paper and the report.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.documents import Position, Table
from scoreproof.errors import InvalidOption, LimitExceeded, ScoreproofError, fault
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.papers.candidates import likeliest
from scoreproof.papers.collecting import Documents, find_table
from scoreproof.papers.common_parts import averages_compared, tested_anyway
from scoreproof.papers.inside import checks_inside
from scoreproof.papers.named_data import NamedSizes, with_doubt
from scoreproof.papers.readings import Readings
from scoreproof.papers.result import TableCheck
from scoreproof.papers.row_reading import RowReading, TableSettings, over_folds
from scoreproof.papers.rows import RowRules
from scoreproof.papers.specification.load import Specification, nearest
from scoreproof.papers.specification.model import UNTESTED, TableModel
from scoreproof.papers.table_semantics import FoldBlock, Interpretation, Report, RowKind, interpret
from scoreproof.papers.table_semantics.rows import is_fold_header
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.task import Task
from scoreproof.papers.untested import Untested, untested_columns, untested_parts
from scoreproof.quantities import quantity
from scoreproof.reported.conventions import USUAL, Conventions


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table as it was read; ``task`` is what is asked about one of its rows."""

    name: str
    table: Table
    found: Interpretation
    task: Callable[[Report], Task]
    reports: Sequence[Report]
    checks: tuple[TableCheck, ...] = ()
    untested: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    read_alone: bool = False  # whether nobody but the tool says what its rows are
    other_sizes: tuple[str, ...] = ()
    conventions: Conventions = USUAL  # what was stated of all its rows


def unread(spec: Specification, index: int, why: str, *, by_fault: bool) -> TablePlan:
    """A table that is too much, or whose reading failed, is a row that says so; the other tables are audited."""
    model = spec.paper.tables[index]
    name = model.name or f"table {index + 1}"
    nothing = Table((("not read",), ("",)), 1, name, Position(index), str(model.file or ""))
    where = spec.document.where(("tables", index))
    task = Task(index, 0, "", "", "", error=f"{where}: {why}", by_fault=by_fault)
    return TablePlan(name, nothing, interpret(nothing), lambda _: task, (Report(0, "", RowKind.RESULT, "", ()),))


_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["plan"])


def plan(spec: Specification, documents: Documents | None = None) -> tuple[TablePlan, ...]:
    """The tables of a specification with their rows, ready to run; ``documents`` are those read already."""
    readings, documents = Readings(spec), documents or Documents()
    plans = []
    for index, model in enumerate(spec.paper.tables):
        try:
            plans.append(_Planner(spec, readings, index, model).plan(documents))
        except ScoreproofError:
            raise
        except Exception as error:  # it stands in the table's place, and the others are audited
            plans.append(unread(spec, index, fault(error), by_fault=True))
    return tuple(plans)


class _Planner:
    """One table on its way from the specification to tasks."""

    def __init__(self, spec: Specification, readings: Readings, index: int, model: TableModel) -> None:
        self.spec, self.readings, self.index, self.model = spec, readings, index, model
        self.settings = TableSettings(spec.paper.options, model)
        self._untested: Untested
        self._several_kinds = False  # whether columns hold quantities of other kinds than a confusion matrix's
        self._first = 1  # the table row of the first row below the headers
        self._folds: dict[tuple[int, str], tuple[RowReading, ...]] = {}

    def plan(self, documents: Documents) -> TablePlan:
        model = self.model
        name = model.name or f"table {self.index + 1}"
        try:
            table = find_table(self.spec, self.index, documents)
        except LimitExceeded as error:
            return unread(self.spec, self.index, str(error), by_fault=False)
        if documents.failed(table):
            return unread(self.spec, self.index, documents.failed(table), by_fault=True)
        found = (None if self._says_more() else documents.meaning(table)) or self._interpreted(table)
        found = likeliest(found, alone=model.binary is None and self._guessed())
        self._untested = Untested(self.spec, model, found)
        hopeful = any(column.heading.likely for column in found.columns)  # named like a score, but not only
        if not found.score_columns and not hopeful and model.untested is None:
            headers = ", ".join(column.heading.text for column in found.columns if column.heading.text)
            raise self._fail(
                (),
                f"no column is named like a score (the headers are: {headers[:200] or 'blank'}); say what they hold "
                "with columns, or why the table is left out with untested",
            )
        self._several_kinds = any(quantity(column.heading.score).kind != "binary" for column in found.score_columns)
        self._check_labels(found)
        self._folds = self._fold_readings(found)
        self._check_experiments(found)
        self._sizes = NamedSizes(found, self.spec.paper, model, self._names)
        self._rules = RowRules(
            self.index,
            model,
            self.readings,
            self.settings,
            self._untested,
            self._folds,
            not any(_SAYS["sets"].search(column.heading.text) for column in found.label_columns),
            self._several_kinds,
            self._first,
        )
        checks: tuple[TableCheck, ...] = ()
        if model.untested is None:
            tested = [report for report in found.reports if not self._untested.of_other_data(report)]
            one_matrix = self._untested.is_one_matrix(self._named_experiments())
            checks = checks_inside(found, tested, self.settings.rule, self._is_averaged, one_matrix=one_matrix)
        alone, unused, assumed = self._read_alone(found), self._unused(found), self._assumed(found)
        others, stated = self._sizes.others(found.reports), self.settings.usual
        read = (name, table, found, self._task, found.reports)
        return TablePlan(*read, checks, unused, assumed, alone, others, stated)

    def _read_alone(self, found: Interpretation) -> bool:
        """Whether the tool proposed what every row is of; in a specification that somebody wrote it is stated."""
        names = {name for one in found.reports for name in self._names(one)} - {UNTESTED}
        return bool(names) and self.readings.guessed(sorted(names))

    def _guessed(self) -> bool:
        names = self._named_experiments()
        return bool(names) and self.readings.guessed(names)

    def _unused(self, found: Interpretation) -> tuple[str, ...]:
        """Columns and averages that no check uses, those included that no experiment of the table has."""
        names = self._named_experiments()
        of_classes = bool(names) and bool(self.readings.parted(names)[0] or self.readings.with_classes_listed(names))
        anyway = (
            tested_anyway(found.reports, self.settings.usual)
            if self._several_kinds and self.readings.guessed(names)
            else set()
        )
        other = untested_columns(found, self._stated(found), anyway) if self._several_kinds else ()
        qualified = any(column.heading.qualifier for column in found.score_columns)
        averages = averages_compared(found, self.settings.usual) if qualified else ()
        return (*untested_parts(found, averages, of_classes=of_classes), *other)

    def _stated(self, found: Interpretation) -> list[Any]:
        """The experiments that rows of the table may be of."""
        groups = {name for names in self.model.groups.values() for name in names} - {UNTESTED}
        named = sorted({*self._named_experiments(), *groups})
        stated = [reading.experiment for reading in self.readings.of(named)] if named else []
        if any(one.counts.test_set() is not None for one in found.reports):
            stated.append(TestSet(1, 1))
        return stated

    def _fail(self, place: Sequence[str | int], message: str) -> InvalidOption:
        return self.spec.fail(("tables", self.index, *place), message)

    def _says_more(self) -> bool:
        """Whether the specification says more of what cells mean than the table does."""
        told = (self.model.transposed, self.model.decimal_comma, self.model.percent, self.model.binary)
        return bool(self.model.columns) or any(value is not None for value in told)

    def _interpreted(self, table: Table) -> Interpretation:
        model = self.model
        columns: dict[str | int, str] = {}
        for header, column in model.columns.items():
            key: str | int = header
            texts = {text for row in table.rows for text in row}
            if header not in texts and header.isascii() and header.isdigit() and len(header) < 9 and int(header) >= 1:
                key = int(header) - 1
            columns[key] = column.score
        try:
            found = interpret(
                table,
                columns=columns,
                transposed=model.transposed,
                decimal_comma=model.decimal_comma,
                percent=model.percent,
            )
        except ScoreproofError as error:
            raise self._fail(("columns",) if columns else (), str(error)) from None
        if model.binary is None:
            return found
        groups = dict.fromkeys(one.group for one in found.reports)
        averages = {} if model.binary else dict.fromkeys(groups, "the specification says so")
        return replace(found, class_averages=averages)

    def _check_labels(self, found: Interpretation) -> None:
        """Rows and groups that the specification names must be in the table."""
        if not self.model.rows and not self.model.groups:
            return
        labels = [one.label for one in found.rows if one.label]
        short = [label for one in found.rows for label in one.labels if label]
        height = len(found.rows)
        for label in self.model.rows:
            number = int(label) if label.isascii() and label.isdigit() and len(label) < 9 else 0
            if label not in labels and label not in short and not 1 <= number <= height:
                raise self._fail(("rows", label), nearest(label, [*labels, *short], "row"))
        groups = list(dict.fromkeys(one.group for one in found.reports))
        for group in self.model.groups:
            if group not in groups:
                raise self._fail(("groups", group), nearest(group, filter(None, groups), "group of columns"))

    def _names(self, one: Report) -> Sequence[str]:
        """The experiments a row is given: the most special word wins."""
        model = self.model
        if model.rows:
            number = str(one.row - self._first + 1)
            for label in (one.label, one.label.split(" / ")[-1], number):
                if label in model.rows:
                    return model.rows[label]
        return model.groups.get(one.group) or model.experiment or ()

    def _fold_readings(self, found: Interpretation) -> dict[tuple[int, str], tuple[RowReading, ...]]:
        """For rows of fold tables: what each fold, and their average, can be."""
        self._first = found.rows[0].index if found.rows else 1
        named = any(is_fold_header(column.heading.text) for column in found.label_columns)
        special: dict[tuple[int, str], tuple[RowReading, ...]] = {}
        for block in found.folds:
            special |= {(fold.row, fold.group): self._of_fold(fold, block.k, named) for fold in block.folds}
            known = [counts for fold in block.folds if (counts := fold.counts.test_set()) is not None]
            if block.mean is not None and len(known) == block.k:
                means = [name for name in self._stated_names(block.mean) if not self.readings.guessed([name])]
                ways = {self.spec.paper.experiments[name].aggregation for name in means}
                special[block.mean.row, block.mean.group] = over_folds(known, ways or {"unknown"})
        return {place: readings for place, readings in special.items() if readings}

    def _of_fold(self, fold: Report, k: int, named: bool) -> tuple[RowReading, ...]:
        """What a row of k folds can be whose counts stand elsewhere; ``named``: a header calls it a fold."""
        names = self._stated_names(fold)
        if fold.counts.test_set() is not None or not names:
            return ()
        readings = self.readings.folds_of(names, k)
        if fold.label.isdigit() and not named:  # folds, or methods that somebody numbered
            readings = tuple(dict.fromkeys((*self.readings.of(names), *readings)))
        return readings

    def _stated_names(self, one: Report) -> list[str]:
        return [name for name in self._names(one) if name != UNTESTED]

    def _is_averaged(self, block: FoldBlock) -> bool:
        """Whether the mean row of a block is the plain mean of its fold rows, for all the specification says."""
        if block.mean is None or not block.complete:
            return False
        models = [self.spec.paper.experiments[name] for name in self._names(block.mean) if name != UNTESTED]
        return all(
            model.aggregation != "score_of_means" and (not isinstance(model.folds, int) or block.k % model.folds == 0)
            for model in models
        )

    def _check_experiments(self, found: Interpretation) -> None:
        """Mistakes in an experiment are said before the first row is audited, unless the rows' own counts mend them."""
        model = self.model
        for names in (model.experiment or (), *model.rows.values(), *model.groups.values()):
            try:
                self.readings.of([name for name in names if name != UNTESTED])
            except ScoreproofError:
                if any(one.counts.test_set() is None for one in found.reports):
                    raise

    def _task(self, one: Report) -> Task:
        """What is asked about a row, with what names other sizes than it is given."""
        return with_doubt(self._rules.task(one, self._names(one)), self._sizes.doubt(one))

    def _named_experiments(self) -> list[str]:
        """The experiments that the specification names for this table or rows of it."""
        names = {name for names in (self.model.experiment or (), *self.model.rows.values()) for name in names}
        return sorted(names - {UNTESTED})

    def _assumed(self, found: Interpretation) -> tuple[str, ...]:
        assumed = [*found.assumptions, *found.table.notes]
        for name in self._named_experiments():
            model = self.spec.paper.experiments[name]
            if model.folds == "unknown":
                assumed.append(f"experiment {name!r}: the number of folds is not known; 2 to 10 were tried")
            if model.repeats == "unknown":
                assumed.append(f"experiment {name!r}: the number of repeats is not known; 1, 5 and 10 were tried")
        return tuple(dict.fromkeys(assumed))
