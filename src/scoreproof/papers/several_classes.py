"""Rows of models on several classes: accuracy, kappa and MCC of the whole, the rest averaged over the classes.

A heading such as "Macro-F1" says which average it is. Where it does not ("Precision"), a row is read with all such
columns as macro, as weighted and as micro averages, and is inconsistent only if it is so under each. Two classes are
several, too, but there a score that names no average may be that of the positive class: it is not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.errors import DuplicateScore, ScoreproofError
from scoreproof.kinds import fitted
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.multi_class.quantities import AVERAGES, refused
from scoreproof.papers.result import CellText
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.settings import TableSettings
from scoreproof.papers.table_semantics import Report, Value
from scoreproof.papers.task import Task, posed

_NOTHING = "no score of several classes stands in this row"
_TWICE = "scores are given twice, with and without the word for their average"
_OF_ONE_CLASS = "an average over both classes, or of the positive one? the heading does not say"
_OPEN = "which average {} {} is not said: macro, weighted and micro were tried"


def both_classes(readings: Sequence[RowReading]) -> tuple[RowReading, ...]:
    """The readings that are one test set of two classes, for averages over both: which is positive is all the same."""
    found: dict[tuple[int, ...], RowReading] = {}
    for reading in readings:
        if isinstance(reading.experiment, TestSet) and reading.experiment.p and reading.experiment.n:
            counts = tuple(sorted((reading.experiment.p, reading.experiment.n)))
            found.setdefault(counts, replace(reading, label="both classes", experiment=MultiClass(counts)))
    return tuple(found.values())


class ClassesRow:
    """A row with the names its values have: ``open`` are values that do not say which average they are."""

    def __init__(self, one: Report, readings: Sequence[RowReading]) -> None:
        two = all(isinstance(own := each.experiment, MultiClass) and len(own.names) == 2 for each in readings)
        self.named: dict[str, Value] = {}
        self.open: dict[str, Value] = {}
        self.left_out: dict[str, str] = {}
        for value in (*one.plain, *one.qualified):
            name = f"{value.qualifier} {value.score}".strip()
            why = refused(name)
            if not why:
                self.named.setdefault(name, value)
            elif not value.qualifier and not refused(f"macro {name}"):
                if two:
                    self.left_out[name] = _OF_ONE_CLASS
                else:
                    self.open.setdefault(name, value)
            else:
                self.left_out[name] = why
        self.partly = list(self._left_out_by(readings))

    def _left_out_by(self, readings: Sequence[RowReading]) -> Iterator[str]:
        """What only some readings leave out, in words; what all of them do is left out of the row."""
        texts = {name: value.text for name, value in self.named.items()}
        by_reading = [(reading.label, fitted(reading.experiment, texts).left_out) for reading in readings]
        for name in texts:
            labels = [label for label, left_out in by_reading if name in left_out]
            if not labels:
                continue
            why = next(left_out[name] for _, left_out in by_reading if name in left_out)
            if len(labels) == len(by_reading):
                self.left_out[name] = why
                del self.named[name]
            else:
                yield f"not tested as {' and as '.join(labels)}: {name} ({why})"

    @property
    def values(self) -> tuple[Value, ...]:
        return (*self.named.values(), *self.open.values())

    @property
    def cells(self) -> tuple[CellText, ...]:
        named = (*self.named.items(), *self.open.items())
        return tuple(CellText(value.place, name, value.cell.raw, value.text) for name, value in named)

    @property
    def notes(self) -> tuple[str, ...]:
        notes = [f"not tested: {name} ({why})" for name, why in self.left_out.items()] + self.partly
        if self.open:
            notes.append(_OPEN.format(", ".join(self.open), "is" if len(self.open) == 1 else "are"))
        return tuple(notes)

    def tested_by(self, reading: RowReading) -> bool:
        """Whether a reading leaves anything to test."""
        return bool(self.open or fitted(reading.experiment, dict.fromkeys(self.named, "")).scores)

    def problems(self, readings: Sequence[RowReading], settings: TableSettings) -> Iterator[tuple[str, Problem]]:
        """The problem of the row under each reading, and with the open values as each average."""
        for reading in readings:
            for average in AVERAGES if self.open else ("",):
                label = f"{reading.label}, {average} averages" if average else reading.label
                named = {**self.named, **{f"{average} {name}": value for name, value in self.open.items()}}
                fit = fitted(reading.experiment, {name: value.text for name, value in named.items()})
                try:
                    yield label, posed(reading, fit, settings.by_name(named), {}, {})
                except DuplicateScore:
                    continue  # beside a column that is that average: then these are another one


def classes_task(
    one: Report, readings: Sequence[RowReading], settings: TableSettings, shared: dict[str, Any], because: str
) -> Task:
    """A row of an experiment on several classes; ``because`` says why it is not tested, if it is not."""
    row = ClassesRow(one, readings)
    placed = {**shared, "cells": row.cells}
    notes = [*(f"given twice: {clash}; none of them was checked" for clash in one.clashes), *row.notes]
    if because or not row.cells:
        return Task(**placed, notes=(because or _NOTHING, *notes), untested=True)
    if any(not row.tested_by(reading) for reading in readings):
        return Task(**placed, notes=tuple(notes), untested=True)  # by the others alone nothing is impossible
    try:
        problems = tuple(row.problems(readings, settings))
    except ScoreproofError as error:
        return Task(**placed, notes=tuple(notes), error=str(error))
    if not problems:
        return Task(**placed, notes=(_TWICE, *notes), untested=True)
    return Task(**placed, problems=problems, notes=tuple(notes), section=one.section)
