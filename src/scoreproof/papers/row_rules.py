"""How a row is tested: by the first of an ordered list of rules that takes it.

A row of several classes; one that is not of its experiment, or has none, by what holds for any sizes; one whose
experiment is guessed, under every guess; else one of what is stated, or of the counts that it prints itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.kinds import fitted
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.common_parts import covered
from scoreproof.papers.readings import Readings
from scoreproof.papers.result import CellText
from scoreproof.papers.row_reading import RowReading, about_counts, from_both_sides, is_open, with_total
from scoreproof.papers.settings import TableSettings
from scoreproof.papers.several_classes import both_classes, classes_task
from scoreproof.papers.specification.model import UNTESTED, TableModel
from scoreproof.papers.table_semantics import Report, RowKind
from scoreproof.papers.table_semantics.classes import names_class
from scoreproof.papers.task import Task, conditions, left_out_by_all, posed
from scoreproof.papers.unsized import (
    class_task,
    common_task,
    guessed_task,
    under,
    with_accuracy_tried,
    with_classes_tried,
)
from scoreproof.papers.untested import Untested, extremes, notes_on
from scoreproof.reported import Conventions

_NO_READING = (
    "a mean over folds of unknown sizes can be anything; it is compared with the printed fold rows, if there are"
)
_ONE_OF_MANY = "one score of a fold of unknown size can be anything; the mean is compared with the fold rows"


@dataclass(frozen=True, slots=True)
class RowAsked:
    """A row with what decides by which rule it is tested.

    ``special`` is what a fold or a mean of folds can be, ``counts`` are its own, ``guessed`` says that its experiments
    are, ``counted`` that the classes of its averages are counted by other guesses.
    """

    one: Report
    names: Sequence[str]
    shared: dict[str, Any]
    options: Conventions
    scores: dict[str, str]
    special: tuple[RowReading, ...] | None
    counts: TestSet | None
    guessed: bool
    counted: bool

    @property
    def known(self) -> bool:
        return self.special is not None or self.counts is not None


@dataclass(frozen=True, slots=True)
class RowRules:
    """The rules, with what holds for all rows of a table.

    ``folds`` says of rows of folds, and of their mean, what they can be; ``of_one_set`` that all rows are of the same
    cases, ``several_kinds`` that columns hold quantities of other kinds than a confusion matrix's; ``first`` is the
    table row of the first row below the headers.
    """

    index: int
    model: TableModel
    readings: Readings
    settings: TableSettings
    untested: Untested
    folds: Mapping[tuple[int, str], tuple[RowReading, ...]]
    of_one_set: bool
    several_kinds: bool
    first: int

    def task(self, one: Report, names: Sequence[str]) -> Task:
        """What is asked about a row; guesses of several classes are tried beside the others."""
        if not names or not self.readings.guessed(names) or one.counts:
            return self._task_of(one, names)
        classes, others = self.readings.parted(names)
        if not classes:
            classes, others = self._both_classes(one, names), tuple(names)
        if not classes or not others:
            return self._task_of(one, names)
        task = self._task_of(one, others, counted=True)
        shared = {**self._shared(one, names), "cells": task.cells}
        return with_classes_tried(task, one, classes, self.settings, shared)

    def _both_classes(self, one: Report, names: Sequence[str]) -> tuple[RowReading, ...]:
        """The readings of averages over both classes of a test set whose classes are listed; none of other rows."""
        if not names or one.counts or not self.untested.found.over_classes(one.group):
            return ()
        listed = self.readings.with_classes_listed(names)
        every = len(listed) == len(names) or self.readings.guessed(names)  # other guesses are tried beside
        return both_classes(self.readings.of(listed)) if listed and every else ()

    def _shared(self, one: Report, names: Sequence[str]) -> dict[str, Any]:
        """What every task of a row says of its place."""
        return {
            "table": self.index,
            "row": one.row,
            "label": one.label or f"row {one.row - self.first + 1}",
            "group": one.group,
            "experiment": ", ".join(names),
        }

    def _task_of(self, one: Report, names: Sequence[str], *, counted: bool = False) -> Task:
        """The same under some guesses, by the first rule that takes it; ``counted``: its classes are, by others."""
        row = self._row(one, names, counted)
        made = (rule(self, row) for rule in _RULES)
        return next(task for task in made if task is not None)

    def _row(self, one: Report, names: Sequence[str], counted: bool) -> RowAsked:
        """What the rules ask about a row."""
        cells = tuple([CellText(value.place, value.score, value.cell.raw, value.text) for value in one.plain])
        guessed = bool(names) and self.readings.guessed(names)
        options, scores = self.settings.of(one.plain)
        special = self.folds.get((one.row, one.group)) if self.folds else None
        if guessed and special is not None and all(reading.experiment == UnknownClasses() for reading in special):
            special = None  # nothing more is known of a fold than of the whole
        counts = one.counts.test_set() if one.counts else None
        shared = {**self._shared(one, names), "cells": cells}
        return RowAsked(one, names, shared, options, scores, special, counts, guessed, counted)

    def _of_several_classes(self, row: RowAsked) -> Task | None:
        """A row of an experiment with several classes."""
        of_classes = self.readings.of_classes(row.names)
        of_classes = of_classes or (() if row.guessed else self._both_classes(row.one, row.names))
        if not of_classes:
            return None
        because = self.untested.why(row.one, row.names, {"": ""}, self.settings.of(())[0], of_classes=True)
        return under(classes_task(row.one, of_classes, self.settings, row.shared, because), of_classes)

    def _without_sizes(self, row: RowAsked) -> Task | None:
        """A row that is not of the experiment, or has none: tested by what holds for any sizes."""
        one, of_folds = row.one, row.special is not None
        because = self.untested.why(one, row.names, row.scores, row.options, known=row.known, of_folds=of_folds)
        if not because:
            return None
        lacks_sizes = self.untested.lacks_sizes(one, () if row.guessed else row.names, known=row.known)
        always = self._of_common_parts(one, row.shared, row.guessed) if lacks_sizes else None
        alone = row.guessed or not row.names
        if always is not None and one.kind is RowKind.CLASS and alone and not always.error:
            return class_task(one, always, self.settings)
        task = always or Task(**row.shared, notes=(because,), untested=True)
        if row.counted or not (row.guessed and lacks_sizes):
            return task
        return with_accuracy_tried(task, one, self.readings.of(row.names), self.settings, row.shared)

    def _under_guesses(self, row: RowAsked) -> Task | None:
        """A row whose experiment is guessed."""
        if not row.guessed or row.known:
            return None
        always = self._of_common_parts(row.one, row.shared, guessed=True)
        said = (row.options, row.scores), extremes(row.one), notes_on(row.one)
        return guessed_task(row.one, row.shared, self.readings.of(row.names), *said, always, self.model.decimals)

    def _as_stated(self, row: RowAsked) -> Task | None:
        """A row of the experiment that is stated, or that its own counts are of."""
        one, names, scores, shared = row.one, row.names, row.scores, dict(row.shared)
        # A row whose values are all plain and of different scores says nothing twice and leaves nothing out.
        simple = len(one.plain) == len(one.values) == len(scores)
        notes = [] if simple else notes_on(one)
        if one.counts and (names or row.counts is None):
            said = self.readings.counts(names) if names and not row.guessed else None
            notes += about_counts(one, said, row.counts, names)
        try:
            readings = self._readings(row)
        except ScoreproofError as error:
            if row.counts is None:
                raise
            return Task(**shared, notes=tuple(notes), error=str(error))
        if all(isinstance(reading.experiment, AverageOf) for reading in readings) and not covered(scores):
            readings = ()
        return self._posed(row, shared, readings, notes, ({}, {}) if simple else extremes(one))

    def _posed(
        self,
        row: RowAsked,
        shared: dict[str, Any],
        readings: Sequence[RowReading],
        notes: list[str],
        ends: tuple[dict[str, str], dict[str, str]],
    ) -> Task:
        """A row under readings of its experiment, as far as its scores are of such."""
        fits = [fitted(reading.experiment, row.scores) for reading in readings]
        refused = left_out_by_all(fits)
        notes += [f"not tested: {name} ({why})" for name, why in refused.items()]
        silent = [reading.label for reading, fit in zip(readings, fits, strict=True) if not fit.scores]
        if silent:  # by the other readings alone nothing is impossible
            some = [f"{silent[0]}: nothing that this row prints is tested"] if len(silent) < len(fits) else []
            return Task(**shared, notes=(*notes, *some), untested=True)
        shared["cells"] = tuple(cell for cell in shared["cells"] if cell.score not in refused)
        lone = row.one.kind is RowKind.FOLD and is_open(row.one, row.scores, readings)
        if lone or not readings:
            return Task(**shared, notes=(*notes, _ONE_OF_MANY if readings else _NO_READING), untested=True)
        try:
            pairs = zip(readings, fits, strict=True)
            problems = tuple([(reading.label, posed(reading, fit, row.options, *ends)) for reading, fit in pairs])
        except ScoreproofError as error:
            return Task(**shared, notes=tuple(notes), error=str(error))
        return Task(
            **shared,
            problems=problems,
            notes=tuple(notes),
            shared=row.one.kind is RowKind.RESULT and not row.one.counts and self.of_one_set,
            section=row.one.section,
            assumed=conditions(readings),
        )

    def _readings(self, row: RowAsked) -> tuple[RowReading, ...]:
        """What a row can be: a fold or a mean of folds, of counts of its own, or of the experiments it is given."""
        one, names, counts, special = row.one, row.names, row.counts, row.special
        if special is not None:
            return with_total(special, one.counts) if one.counts and counts is None else special
        if counts is not None and (not names or row.guessed):
            return self.readings.of_own_counts(names, counts)
        readings = self.readings.of([name for name in names if name != UNTESTED], counts)
        if one.counts and counts is None:
            readings = with_total(readings, one.counts)
        if one.group and names_class(one.group) and one.group not in self.model.groups:
            readings = from_both_sides(readings)
        return readings

    def _of_common_parts(self, one: Report, shared: dict[str, Any], guessed: bool) -> Task | None:
        """A row of unknown sizes as averages over the same parts; None if nothing follows from its scores."""
        over_classes = self.untested.found.over_classes(one.group)
        errors = self.several_kinds and (guessed or not shared["experiment"])
        return common_task(one, shared, self.settings, over_classes, errors=errors)


#: How a row is tested: by the first that gives a task.
_RULES: tuple[Callable[[RowRules, RowAsked], Task | None], ...] = (
    RowRules._of_several_classes,
    RowRules._without_sizes,
    RowRules._under_guesses,
    RowRules._as_stated,
)
