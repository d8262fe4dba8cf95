"""How a row is tested: by the first of four rules that takes it.

A row of several classes; one that is not of its experiment, or has none, by what holds for any sizes; one whose
experiment is guessed, under every guess; else one of what is stated, or of the counts that it prints itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, NamedTuple

from scoreproof.errors import ScoreproofError
from scoreproof.kinds import ReportFit, fitted
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.readings import Readings
from scoreproof.papers.result import CellText
from scoreproof.papers.specification.load import Specification
from scoreproof.papers.specification.model import UNTESTED, TableModel
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind, Value
from scoreproof.papers.table_semantics.classes import names_class, undefined_score
from scoreproof.papers.table_semantics.words import TRAINS, VALIDATIONS, key_of
from scoreproof.papers.task import (
    NO_ENDS,
    OF_CLASS,
    Ends,
    Posed,
    RowReading,
    TableSettings,
    Task,
    about_counts,
    both_classes,
    cases_of,
    from_both_sides,
    pose,
    with_total,
)
from scoreproof.papers.untested import RANKS, ClassValues, common, covered, extremes, needed, notes_on
from scoreproof.reported import Conventions

_DICE = re.compile(r"\bdice\b|\bdsc\b|\bdc\b", re.I)
_FEWEST_PIXELS = 100_000
_NO_READING = "a mean over folds of unknown sizes can be anything; it is compared with the fold rows, if there are"
_ONE_OF_MANY = "one score of a fold of unknown size can be anything; the mean is compared with the fold rows"
_NO_GUESS = "no guess of its experiment has such scores"
_ANYTHING = "{}: nothing that this row prints is tested"
_OF_CLASSES = "averages over classes ({}): tested is only whether any average over the same parts gives them"
_NO_CLASS_SCORE = "no score of several classes stands in this row"
_TWICE = "scores are given twice, with and without the word for their average"
_SUMMARIES = {
    RowKind.SPREAD: "a row of standard deviations; it is compared with the fold rows",
    RowKind.MIN: "a row of minima",
    RowKind.MAX: "a row of maxima",
    RowKind.MEDIAN: "medians and other quantiles are not tested",
    RowKind.COUNT: "a row of counts",
    RowKind.DIFFERENCE: "a row of differences between others, not of scores",
}
_AVERAGES = (
    "not tested: averages over classes ({}); if not, say binary: true; of two, list them (classes: {{a: 6, b: 9}})"
)
_MEANS = (
    "means, but the experiment is one test set; give class counts and folds, or spread: ignore if they are no means"
)
_NO_SCORE = "no score of the whole stands in this row, only averages over classes or other statistics"
_LONE_CLASS = "a class of a class report; how many cases the other classes have was not read"


def cells_of(values: Sequence[Value]) -> tuple[CellText, ...]:
    made = tuple.__new__  # a named tuple's own way of making it takes twice as long
    return tuple([made(CellText, (place, score, cell.raw, text)) for place, score, text, cell, *_ in values])


class Why(NamedTuple):
    """Why a row is not tested."""

    words: str = ""
    lacks_sizes: bool = True  # whether only since nobody says over how many cases, of which classes, it is


class ReportedRow(NamedTuple):
    """A row with what decides by which rule it is tested, and the task that is made of it."""

    report: Report
    names: tuple[str, ...]
    task: Task
    values: tuple[Value, ...]  # the plain ones, whose cells the task begins with
    options: Conventions
    scores: dict[str, str]
    special: tuple[RowReading, ...] | None  # what a fold or a mean of folds can be
    counts: TestSet | None  # its own
    guessed: bool  # whether its experiments are
    classes: Sequence[RowReading]  # guesses of several classes, tried beside these

    @property
    def known(self) -> bool:
        return self.special is not None or self.counts is not None

    def told(self, *notes: str) -> Task:
        self.task.notes = notes
        return self.task


@dataclass(frozen=True, slots=True)
class RowRules:
    """The rules, with what holds for all rows of a table."""

    spec: Specification
    model: TableModel
    meaning: Interpretation
    index: int
    readings: Readings
    settings: TableSettings
    folds: Mapping[tuple[int, str], tuple[RowReading, ...]]  # what rows of folds, and of their mean, can be
    of_one_set: bool  # whether all rows are of the same cases
    several_kinds: bool  # whether columns hold quantities of other kinds than a confusion matrix's
    first: int  # the table row of the first row below the headers
    _taking: dict[tuple[str, ...], Any] = field(default_factory=dict)  # kinds, by an experiment's and by all scores

    def task(self, report: Report, names: Sequence[str]) -> Task:
        """What is asked about a row; guesses of several classes are tried beside the others."""
        names = tuple(names)
        guessed = bool(names) and self.readings.guessed(names)
        classes, others = self.readings.parted(names) if guessed and not report.counts else ((), names)
        if guessed and not report.counts and not classes:
            classes = self._both_classes(report, names)
        if not (classes and others):
            classes, others = (), names
        values = report.plain
        options, scores = self.settings.of(values)
        special = self.folds.get((report.row, report.group)) if self.folds else None
        if guessed and special is not None and all(reading.experiment == UnknownClasses() for reading in special):
            special = None  # nothing more is known of a fold than of the whole
        counts = report.counts.test_set() if report.counts else None
        label = report.label or f"row {report.row - self.first + 1}"
        cells = cells_of(values)
        task = Task(self.index, report.row, label, report.group, ", ".join(others), cells, section=report.section)
        row = ReportedRow(report, others, task, values, options, scores, special, counts, guessed, classes)
        rule = self._of_several_classes(row) or self._without_sizes(row) or self._under_guesses(row)
        task = rule or self._as_stated(row)
        return self._with_classes(replace(task, experiment=", ".join(names)), row) if classes else task

    def why(self, row: ReportedRow, *, of_classes: bool = False) -> Why:
        """Why a row is not tested; no words if it is. ``of_classes``: its experiment has several classes."""
        report, names, scores = row.report, row.names, row.scores
        if self.model.untested is not None or names == (UNTESTED,):
            return Why(self.model.untested or "left out by the specification", False)
        if report.kind is RowKind.CLASS:
            return (
                Why(_LONE_CLASS) if row.counts is None else Why(undefined_score(scores, report.counts.support), False)
            )
        if report.kind is not RowKind.RESULT and report.kind in _SUMMARIES:
            return Why(_SUMMARIES[report.kind], False)
        averages = self.meaning.over_classes(report.group)
        if averages and not of_classes:
            return Why(_AVERAGES.format(averages))
        others = self.of_other_data(report)
        if not scores and not of_classes:
            return Why(_NO_SCORE, bool(averages or others) or (row.guessed and not row.known))
        if not names and not row.known:
            return Why("no experiment is given for this row, and the row does not give its counts")
        if others or row.special is not None:
            return Why(others)
        return Why(self._of_several_matrices(report, names, row.options), row.guessed and not row.known)

    def of_other_data(self, report: Report) -> str:
        """Columns of training data have counts of their own; validation data have them where test columns stand by."""
        if not report.group or report.group in self.model.groups:
            return ""
        key = key_of(report.group)
        others = {key_of(report.group) for report in self.meaning.reports} - {key}
        if key in TRAINS or (key in VALIDATIONS and others - TRAINS - VALIDATIONS):
            return f"the columns {report.group!r} are not of the test set; name their experiment with groups"
        classes = {report.group for report in self.meaning.reports if names_class(report.group)}
        if report.group in classes and len(classes) > 2:
            return f"the columns {report.group!r} are of one class of several; name their experiment with groups"
        return ""

    def _of_several_matrices(self, report: Report, names: Sequence[str], options: Conventions) -> str:
        """Means over runs, or over the rows of the table, are not the scores of one test set."""
        if report.kind is not RowKind.MEAN:
            texts = [value.text for value in report.values]
            if "±" not in "".join(texts) and "mean" not in {value.statistic for value in report.values}:
                return ""
        elif any(other.kind is RowKind.RESULT for other in self.meaning.reports):
            return "an average of other rows, not of one experiment"
        return "" if options.spread == "ignore" or not self.is_one_matrix(names) else _MEANS

    def is_one_matrix(self, names: Sequence[str]) -> bool:
        """Whether an experiment, as stated, is one test set without folds and parts."""
        models = [self.spec.paper.experiments[name] for name in names if name != UNTESTED]
        datasets = [self.spec.paper.datasets[name] for model in models for name in model.dataset or ()]
        whole = all(dataset.sets is None and dataset.catalog is None for dataset in datasets)
        return whole and all(model.folds is None and model.tree is None and model.runs == 1 for model in models)

    def _both_classes(self, report: Report, names: tuple[str, ...]) -> tuple[RowReading, ...]:
        """The readings of averages over both classes of a test set whose classes are listed; none of other rows."""
        if not names or report.counts or not self.meaning.over_classes(report.group):
            return ()
        listed = self.readings.with_classes_listed(names)
        every = len(listed) == len(names) or self.readings.guessed(names)  # other guesses are tried beside
        return both_classes(self.readings.of(listed)) if listed and every else ()

    def _fitted(self, experiment: Any, scores: Mapping[str, str]) -> ReportFit:
        """What of a row can be asked of an experiment; rows of the same scores are asked alike."""
        key = (experiment.kind, *scores)
        kind = self._taking.get(key)
        if kind is not None:
            return ReportFit(kind, scores, {})
        fit = fitted(experiment, scores)
        if not fit.left_out and not fit.kind.choosy:
            self._taking[key] = fit.kind
        return fit

    def _of_several_classes(self, row: ReportedRow) -> Task | None:
        readings = self.readings.of_classes(row.names)
        readings = readings or (() if row.guessed else self._both_classes(row.report, row.names))
        if not readings:
            return None
        why = self.why(row, of_classes=True)
        values = ClassValues(row.report, readings)
        clashes = (f"given twice: {clash}; none of them was checked" for clash in row.report.clashes)
        notes = (*clashes, *values.notes)
        row.task.cells = values.cells
        if why.words or not values.cells:
            return row.told(why.words or _NO_CLASS_SCORE, *notes)
        if any(not values.tested_by(reading) for reading in readings):
            return row.told(*notes)  # by the others alone nothing is impossible
        try:
            row.task.posed = tuple(values.posed(readings, self.settings))
        except ScoreproofError as error:
            row.task.error = str(error)
        return row.told(*notes) if row.task.posed or row.task.error else row.told(_TWICE, *notes)

    def _without_sizes(self, row: ReportedRow) -> Task | None:
        """A row that is not of the experiment, or has none: tested by what holds for any sizes."""
        report, why = row.report, self.why(row)
        if not why.words:
            return None
        always = self._common(row) if why.lacks_sizes else None
        if always is not None and report.kind is RowKind.CLASS and (row.guessed or not row.names) and not always.error:
            return self._of_class(row, always)
        return always or row.told(why.words)

    def _common(self, row: ReportedRow) -> Task | None:
        """A row of unknown sizes as averages over the same parts; None if nothing follows from its scores."""
        report, over = row.report, self.meaning.over_classes(row.report.group)
        other_kinds = self.several_kinds and (row.guessed or not row.names)
        way = common(report, over, self.settings.usual, other_kinds=other_kinds)
        if way is None:
            return None
        told, values = way
        options, scores = self.settings.of(values)
        if told is RANKS:  # a mean over runs is a share, too; how far the runs lie apart says nothing
            scores = {value.score: value.cell.text(percent="%" in value.text, spread="") for value in values}
        task = replace(row.task, cells=cells_of(values))
        try:
            posed = pose(told.reading, scores, options)
        except ScoreproofError as error:
            return replace(task, error=str(error))
        averaged = told.reading.experiment == AverageOf() and over
        note = _OF_CLASSES.format(over) if averaged else told.note
        return replace(task, posed=(posed,) if posed else (), notes=(note, *notes_on(report, values)))

    def _of_class(self, row: ReportedRow, always: Task) -> Task:
        """A class against all others, whose sizes nobody gives: of one test set, or whatever was averaged."""
        posed = None if any("±" in text for text in row.scores.values()) else pose(OF_CLASS, row.scores, row.options)
        cells = row.task.cells
        return always if posed is None else replace(always, cells=cells, posed=(posed, *always.posed), firm=True)

    def _with_classes(self, task: Task, row: ReportedRow) -> Task:
        """A row whose sizes are guessed, tried under guesses of several classes, too."""
        values = ClassValues(row.report, row.classes)
        tried: list[Posed] = []
        for reading in row.classes if values.cells else ():
            with suppress(ScoreproofError):  # a guess that does not go with what the row prints
                tried += values.posed([reading], self.settings)
        if not tried:
            return task
        firm = () if task.error else task.posed
        places = {cell.place: cell for cell in (*(reversed(task.cells) if firm else ()), *reversed(values.cells))}
        cells = tuple(places[place] for place in sorted(places))
        notes = tuple(dict.fromkeys((*values.notes, *(task.notes if firm else ()))))
        return replace(task, cells=cells, posed=(*tried, *firm), notes=notes, error="", firm=True)

    def _under_guesses(self, row: ReportedRow) -> Task | None:
        """A row under every guess of its experiment; what holds for any sizes alone can accuse."""
        if not row.guessed or row.known:
            return None
        always = self._common(row)
        tried: list[Posed] = []
        # Overlaps are of pixels, and no share of the images that a text counts.
        of_pixels = any(value.score == "ji" or _DICE.search(value.header) for value in row.values)
        for reading in self._changed(row, self.readings.of(row.names)):
            if of_pixels and (cases_of(reading.experiment) or inf) < _FEWEST_PIXELS:
                continue
            fit = self._fitted(reading.experiment, row.scores)
            if isinstance(reading.experiment, AverageOf) and not fit.scores:  # then nothing is impossible
                return always or row.told(_ANYTHING.format(reading.label))
            with suppress(ScoreproofError):  # a guess that does not go with what the row prints
                tried += filter(None, [pose(reading, fit, row.options, extremes(row.report))])
        if not tried:
            return always or row.told("; ".join(filter(None, (_NO_GUESS, needed(value.score for value in row.values)))))
        row.task.posed, row.task.firm = (*tried, *(always.posed if always is not None else ())), True
        return row.told(*notes_on(row.report))

    def _as_stated(self, row: ReportedRow) -> Task:
        """A row of the experiment that is stated, or that its own counts are of, as far as its scores are of such."""
        report, names, scores, task = row.report, row.names, row.scores, row.task
        # A row whose values are all plain and of different scores says nothing twice and leaves nothing out.
        simple = len(row.values) == len(report.values) == len(scores)
        notes = [] if simple else notes_on(report)
        if (names or row.counts is None) and report.counts:
            stated = self.readings.counts(names) if names and not row.guessed else None
            notes += about_counts(report, stated, row.counts, names)
        try:
            readings = self._readings(row)
        except ScoreproofError as error:
            if row.counts is None:
                raise
            task.error = str(error)
            return row.told(*notes)
        if all(isinstance(reading.experiment, AverageOf) for reading in readings) and not covered(scores):
            readings = ()
        return self._under(row, readings, notes, NO_ENDS if simple else extremes(report))

    def _under(self, row: ReportedRow, readings: Sequence[RowReading], notes: list[str], ends: Ends) -> Task:
        """A row under readings of its experiment, as far as its scores are of such."""
        report, scores, task = row.report, row.scores, row.task
        fits = [self._fitted(reading.experiment, scores) for reading in readings]
        if any(fit.left_out for fit in fits) and _refused(row, readings, fits, notes):
            return row.told(*notes)
        lone = report.kind is RowKind.FOLD and len(scores) == 1
        if not readings or (lone and all(reading.experiment == UnknownClasses() for reading in readings)):
            return row.told(*notes, _ONE_OF_MANY if readings else _NO_READING)
        try:
            tried = [pose(reading, fit, row.options, ends) for reading, fit in zip(readings, fits, strict=True)]
            task.posed = tuple([posed for posed in tried if posed is not None])
            task.shared = report.kind is RowKind.RESULT and row.counts is None and not report.counts and self.of_one_set
        except ScoreproofError as error:
            task.error = str(error)
        return row.told(*notes)

    def _readings(self, row: ReportedRow) -> tuple[RowReading, ...]:
        """What a row can be: a fold or a mean of folds, of counts of its own, or of the experiments it is given."""
        if row.special is None and row.counts is not None and (not row.names or row.guessed):
            return self.readings.of_own_counts(row.names, row.counts)
        stated = [name for name in row.names if name != UNTESTED]
        return self._changed(row, row.special or self.readings.of(stated, row.counts))

    def _changed(self, row: ReportedRow, readings: tuple[RowReading, ...]) -> tuple[RowReading, ...]:
        """Readings with the cases that the row itself counts, and from both sides under the name of a class."""
        if row.counts is None and row.report.counts:
            readings = with_total(readings, row.report.counts)
        group = row.report.group if row.special is None else ""
        of_class = group and names_class(group) and (row.guessed or group not in self.model.groups)
        return from_both_sides(readings) if of_class else readings


def _refused(row: ReportedRow, readings: Sequence[RowReading], fits: Sequence[ReportFit], notes: list[str]) -> bool:
    """Notes on the scores that no reading takes; whether some reading takes none: then nothing is impossible."""
    first = fits[0].left_out
    refused = {name: why for name, why in first.items() if all(name in fit.left_out for fit in fits)}
    notes += [f"not tested: {name} ({why})" for name, why in refused.items()]
    silent = [reading.label for reading, fit in zip(readings, fits, strict=True) if not fit.scores]
    notes += [_ANYTHING.format(silent[0])] if 0 < len(silent) < len(fits) else []
    if not silent:
        row.task.cells = tuple(cell for cell in row.task.cells if cell.score not in refused)
    return bool(silent)
