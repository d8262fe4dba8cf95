"""From a specification to rows ready to be audited.

Each table is found and read, and every row gets its experiment; what cannot be tested is carried along with the reason.
How the words say that a table is to be read is the first candidate. The others (a column in the other unit, averages
over classes) have prior odds, and the rows are the evidence: where none speaks against the words they
stand, else the candidate of the largest odds is taken.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from scoreproof.checking import trial
from scoreproof.documents import Position, Table
from scoreproof.errors import LimitExceeded, ScoreproofError, fault
from scoreproof.insight.strength_of_pass import could_fail
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.collecting import Documents, find_table
from scoreproof.papers.evidence import log_odds
from scoreproof.papers.inside import checks_inside
from scoreproof.papers.named_data import NamedSizes, with_doubt
from scoreproof.papers.other_meanings import OF_TWO_CLASSES
from scoreproof.papers.readings import Readings
from scoreproof.papers.result import TableCheck
from scoreproof.papers.rows import RowRules
from scoreproof.papers.specification.load import Specification, check_labels
from scoreproof.papers.specification.model import UNTESTED, TableModel
from scoreproof.papers.table_semantics import FoldBlock, Interpretation, Report, RowKind, interpret
from scoreproof.papers.table_semantics.columns import Scale
from scoreproof.papers.table_semantics.headings import Heading, Role, read_heading
from scoreproof.papers.table_semantics.interpret import understood
from scoreproof.papers.table_semantics.rows import is_fold_header
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.task import RowReading, TableSettings, Task, over_sets, pose
from scoreproof.papers.untested import (
    common,
    untested_columns,
    untested_parts,
)
from scoreproof.quantities import quantity
from scoreproof.reported.conventions import USUAL, Conventions
from scoreproof.work.budget import Budget


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table as it was read; ``task`` is what is asked about one of its rows."""

    name: str
    table: Table
    meaning: Interpretation
    task: Callable[[Report], Task]
    reports: Sequence[Report]
    checks: tuple[TableCheck, ...] = ()
    untested: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    read_alone: bool = False  # whether nobody but the tool says what its rows are
    other_sizes: tuple[str, ...] = ()
    conventions: Conventions = USUAL  # what was stated of all its rows

    def tasks(self, number: int) -> Iterator[Task]:
        """What is asked about each row; a fault of ours is said in the row's place."""
        for report in self.reports:
            try:
                yield self.task(report)
            except ScoreproofError:
                raise
            except Exception as error:
                yield Task(number, report.row, report.label, report.group, "", error=fault(error), by_fault=True)


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
            table = find_table(spec, index, documents)
            meaning, why = documents.looked_at(table)
            made = unread(spec, index, why, by_fault=True) if why else None
            plans.append(made or _Planner(spec, readings, index, model).plan(table, meaning))
        except LimitExceeded as error:
            plans.append(unread(spec, index, str(error), by_fault=False))
        except ScoreproofError:
            raise
        except Exception as error:  # it stands in the table's place, and the others are audited
            plans.append(unread(spec, index, fault(error), by_fault=True))
    return tuple(plans)


class _Planner:
    """One table on its way from the specification to tasks; ``names`` are the experiments that rows of it may be of."""

    def __init__(self, spec: Specification, readings: Readings, index: int, model: TableModel) -> None:
        self.spec, self.readings, self.index, self.model = spec, readings, index, model
        self.settings = TableSettings(spec.paper.options, model)
        self.every = (model.experiment or (), *model.rows.values(), *model.groups.values())
        self.names = sorted({name for names in self.every for name in names} - {UNTESTED})
        self.guessed = bool(self.names) and readings.guessed(self.names)

    def plan(self, table: Table, meaning: Interpretation | None) -> TablePlan:
        model = self.model
        told = (model.transposed, model.decimal_comma, model.percent, model.binary)
        if meaning is None or model.columns or any(value is not None for value in told):  # more than the table says
            meaning = self._interpreted(table)
        meaning = likeliest(meaning, alone=model.binary is None and self.guessed)
        self._require_scores([column.heading for column in meaning.columns])
        check_labels(self.spec, self.index, meaning)
        self._check_experiments(meaning)
        self._first = meaning.rows[0].index if meaning.rows else 1  # the table row of the first below the headers
        self._sizes = NamedSizes(meaning, self.spec.paper, model, self._names)
        of_one_set = not any(_SAYS["sets"].search(column.heading.text) for column in meaning.label_columns)
        several_kinds = any(quantity(each.heading.score).kind != "binary" for each in meaning.score_columns)
        about = (self.spec, model, meaning, self.index, self.readings, self.settings, self._fold_readings(meaning))
        self._rules = rules = RowRules(*about, of_one_set, several_kinds, self._first)
        checks: tuple[TableCheck, ...] = ()
        if model.untested is None:
            tested = [report for report in meaning.reports if not rules.of_other_data(report)]
            whole = rules.is_one_matrix(self.names)
            averaged = [block for block in meaning.folds if self._is_averaged(block)]
            checks = checks_inside(meaning, tested, self.settings.rule, averaged, one_matrix=whole)
        unused, assumed = self._unused(meaning, several_kinds=several_kinds), self._assumed(meaning)
        more = (self.guessed and bool(meaning.reports), self._sizes.others(meaning.reports), self.settings.usual)
        name = model.name or f"table {self.index + 1}"
        return TablePlan(name, table, meaning, self._task, meaning.reports, checks, unused, assumed, *more)

    def _require_scores(self, headings: Sequence[Heading]) -> None:
        scored = any(own.role is Role.SCORE or own.likely for own in headings)  # or named like a score, but not only
        if not scored and self.model.untested is None:
            headers = ", ".join(filter(None, (heading.text for heading in headings)))[:200] or "blank"
            told = "say what they hold with columns, or why the table is left out with untested"
            words = f"no column is named like a score (the headers are: {headers}); {told}"
            raise self.spec.fail(("tables", self.index), words)

    def _unused(self, meaning: Interpretation, *, several_kinds: bool) -> tuple[str, ...]:
        """Columns and averages that no check uses, those included that no experiment of the table has."""
        names, usual = self.names, self.settings.usual
        of_classes = bool(names) and bool(self.readings.parted(names)[0] or self.readings.with_classes_listed(names))
        parts = untested_parts(meaning, usual, of_classes=of_classes)
        if not several_kinds:
            return parts
        stated = [reading.experiment for reading in self.readings.of(names)] if names else []
        if any(report.counts.test_set() is not None for report in meaning.reports):
            stated.append(TestSet(1, 1))
        return (*parts, *untested_columns(meaning, stated, usual if self.guessed or not names else None))

    def _interpreted(self, table: Table) -> Interpretation:
        model = self.model
        columns: dict[str | int, str] = {}
        texts = {text for row in table.rows for text in row} if model.columns else set()
        for header, column in model.columns.items():
            numbered = header not in texts and header.isascii() and header.isdigit() and 0 < len(header.lstrip("0")) < 9
            columns[int(header) - 1 if numbered else header] = column.score
        told = {"transposed": model.transposed, "decimal_comma": model.decimal_comma, "percent": model.percent}
        try:
            meaning = interpret(table, columns=columns, **told)
        except ScoreproofError as error:
            place = ("tables", self.index, *(("columns",) if columns else ()))
            raise self.spec.fail(place, str(error)) from None
        if model.binary is None:
            return meaning
        groups = dict.fromkeys(report.group for report in meaning.reports)
        averages = {} if model.binary else dict.fromkeys(groups, "the specification says so")
        return replace(meaning, class_averages=averages)

    def _names(self, report: Report) -> Sequence[str]:
        """The experiments a row is given: the most special word wins."""
        model = self.model
        if model.rows:
            number = str(report.row - self._first + 1)
            for label in (report.label, report.label.split(" / ")[-1], number):
                if label in model.rows:
                    return model.rows[label]
        return model.groups.get(report.group) or model.experiment or ()

    def _fold_readings(self, meaning: Interpretation) -> dict[tuple[int, str], tuple[RowReading, ...]]:
        """For rows of fold tables: what each fold, and their average, can be."""
        named = any(is_fold_header(column.heading.text) for column in meaning.label_columns)
        special: dict[tuple[int, str], tuple[RowReading, ...]] = {}
        for block in meaning.folds:
            for fold in block.folds:
                names = self._stated(fold) if fold.counts.test_set() is None else []
                readings = self.readings.folds_of(names, block.k) if names else ()
                if readings and fold.label.isdigit() and not named:  # folds, or methods that somebody numbered
                    readings = tuple(dict.fromkeys((*self.readings.of(names), *readings)))
                special[fold.row, fold.group] = readings
            known = [counts for fold in block.folds if (counts := fold.counts.test_set()) is not None]
            if block.mean is not None and len(known) == block.k:
                means = [name for name in self._stated(block.mean) if not self.readings.guessed([name])]
                ways = {self.spec.paper.experiments[name].aggregation for name in means}
                way = ways.pop() if len(ways) == 1 else "unknown"
                special[block.mean.row, block.mean.group] = over_sets(known, way, "folds")
        return {place: readings for place, readings in special.items() if readings}

    def _stated(self, report: Report) -> list[str]:
        return [name for name in self._names(report) if name != UNTESTED]

    def _is_averaged(self, block: FoldBlock) -> bool:
        """Whether the mean row of a block is the plain mean of its fold rows, for all the specification says."""
        if block.mean is None or not block.complete:
            return False
        models = [self.spec.paper.experiments[name] for name in self._stated(block.mean)]
        dividing = all(block.k % model.folds == 0 for model in models if isinstance(model.folds, int))
        return dividing and all(model.aggregation != "score_of_means" for model in models)

    def _check_experiments(self, meaning: Interpretation) -> None:
        """Mistakes in an experiment are said before the first row is audited, unless the rows' own counts mend them."""
        for names in self.every:
            try:
                self.readings.of([name for name in names if name != UNTESTED])
            except ScoreproofError:
                if any(report.counts.test_set() is None for report in meaning.reports):
                    raise

    def _task(self, report: Report) -> Task:
        """What is asked about a row, with what names other sizes than it is given."""
        return with_doubt(self._rules.task(report, self._names(report)), self._sizes.doubt(report))

    def _assumed(self, meaning: Interpretation) -> tuple[str, ...]:
        assumed = [*meaning.assumptions, *meaning.table.notes]
        for name, what in product(self.names, ("folds", "repeats")):
            if getattr(self.spec.paper.experiments[name], what) == "unknown":
                tried = "2 to 10" if what == "folds" else "1, 5 and 10"
                assumed.append(f"experiment {name!r}: the number of {what} is not known; {tried} were tried")
        return tuple(dict.fromkeys(assumed))


_MOST_ROWS = 8
_SECONDS = 0.2  # for one row of one candidate
_SMALL = 2.0
_ONE_MATRIX, _AVERAGED = 0.2, 0.5  # share of other numbers that pass, about
_MOST_TURNED = 200  # cells of a table that is tried the other way round
_OTHER_UNIT, _TURNED, _OVER_CLASSES = math.log(1 / 2), math.log(1 / 10), math.log(1 / 3)
Candidate = tuple[Interpretation, float, str]  # a way to read a table, its log odds against what its words say, and why


def likeliest(meaning: Interpretation, *, alone: bool) -> Interpretation:
    """The table as its rows bear it out; ``alone``: nobody but the tool says what it is."""
    units = [*_other_units(meaning)]
    if not (units or alone) or not _outcomes(meaning)[1]:
        return meaning
    others = [*units, *([*_turned(meaning), *_over_classes(meaning)] if alone else [])]
    candidates: list[Candidate] = [(meaning, 0.0, ""), *others]
    chances = [_AVERAGED if each.class_averages else _ONE_MATRIX for each, _, _ in candidates]
    odds = [each[1] + log_odds(*_outcomes(each[0]), chance) for each, chance in zip(candidates, chances, strict=True)]
    best, _, words = candidates[odds.index(max(odds))]
    return replace(best, assumptions=(*best.assumptions, words)) if words else best


def _outcomes(meaning: Interpretation) -> tuple[int, int]:
    """How many of some rows (of the counts they print, of averages, or of any sizes) are possible, and how many not."""
    outcomes = []
    results = [row for row in meaning.reports if row.kind in (RowKind.RESULT, RowKind.CLASS) and len(row.plain) > 1]
    for row in results[:_MOST_ROWS]:
        experiment: Any = (row.counts.test_set() if row.counts else None) or UnknownClasses()
        values = row.plain
        if over := meaning.over_classes(row.group):
            way = common(row, over, USUAL, other_kinds=False)
            experiment, values = (way[0].reading.experiment, way[1]) if way is not None else (experiment, ())
        with suppress(ScoreproofError):
            posed = pose(RowReading("", experiment), {value.score: value.text for value in values}, USUAL)
            if posed is not None and could_fail(posed.problem):
                outcomes.append(trial(posed.problem, budget=Budget.of_work(_SECONDS)).fits)
    return outcomes.count(True), outcomes.count(False)


def _other_units(meaning: Interpretation) -> Iterator[Candidate]:
    """With a column of small numbers among percentages in percent ("FDR 1.59" beside "precision 98.41")."""
    scores = [each for each in meaning.score_columns if quantity(each.heading.score).range[1] == 1]
    if meaning.options["percent"] is not None or Scale.PERCENT not in {each.scale for each in scores}:
        return
    axis = 0 if meaning.transposed else 1
    for column in (each for each in scores if each.scale is Scale.FRACTION):
        plain = (value for report in meaning.reports if len(report.plain) > 1 for value in report.plain)
        cells = [value.cell for value in plain if value.place[axis] == column.index]
        if cells and all(_size(cell.number) < _SMALL and not cell.percent for cell in cells):
            yield understood(meaning.table, meaning.options, {column.index: Scale.PERCENT}), _OTHER_UNIT, ""


def _size(number: str) -> float:
    with suppress(ValueError):
        return abs(float(number.replace(",", ".")))
    return _SMALL


def _turned(meaning: Interpretation) -> Iterator[Candidate]:
    """The other way round, where the names of its lines are those of scores, too."""
    rows = meaning.table.rows
    if meaning.options["transposed"] is not None or not rows or len(rows) * len(rows[0]) > _MOST_TURNED:
        return
    names: Sequence[str] = rows[0] if meaning.transposed else [row[0] for row in rows]
    if sum(read_heading(name).role is Role.SCORE for name in names if 0 < len(name) < 40) > 1:
        turned = understood(meaning.table, {**meaning.options, "transposed": not meaning.transposed})
        if turned.reports:
            yield turned, _TURNED, "read the other way round, since so more of it is possible"


def _over_classes(meaning: Interpretation) -> Iterator[Candidate]:
    """With scores that no word calls averages as such: precision, recall and F1 of more classes than one."""
    groups = dict.fromkeys((row.group for row in meaning.reports if not row.counts), "more rows are possible so")
    of_two = any(column.heading.score in OF_TWO_CLASSES for column in meaning.score_columns)
    results = any(report.kind is RowKind.RESULT for report in meaning.reports)
    if groups and results and not of_two and not meaning.class_averages:
        words = "the scores are taken for averages over classes, since so more rows are possible"
        yield replace(meaning, class_averages=groups), _OVER_CLASSES, words
