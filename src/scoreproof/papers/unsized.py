"""Rows whose sizes nobody is sure of: tried under every guess, and under what holds for any sizes.

Zeros that a spreadsheet dropped (0.9 among 0.913 and 0.876, where the text says three decimals) are one more guess: a
row must print so many decimals itself, and no value of it more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.kinds import fitted
from scoreproof.kinds.binary.experiment import MeanOfScores, TestSet
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.common_parts import (
    ERRORS,
    OF_CLASS,
    OVERLAPS,
    RANKS,
    READING,
    about,
    common_values,
    error_values,
    overlap_values,
    rank_values,
)
from scoreproof.papers.result import CellText
from scoreproof.papers.row_reading import RowReading, from_both_sides, with_total
from scoreproof.papers.settings import TableSettings
from scoreproof.papers.several_classes import ClassesRow
from scoreproof.papers.table_semantics import Report, RowKind
from scoreproof.papers.table_semantics.classes import names_class
from scoreproof.papers.task import Task, conditions, posed
from scoreproof.papers.untested import needed, notes_on
from scoreproof.reported import Conventions

_DICE = re.compile(r"\bdice\b|\bdsc\b|\bdc\b", re.I)
_FEWEST_PIXELS = 100_000
_NOTHING = "no guess of its experiment has such scores"
_ANYTHING = "{}: nothing that this row prints is tested"


def common_task(
    one: Report,
    shared: Mapping[str, Any],
    settings: TableSettings,
    over_classes: str,
    *,
    errors: bool,
) -> Task | None:
    """A row of unknown sizes as averages over the same parts; None if nothing follows from its scores.

    ``errors`` says that its errors of predicted numbers, average precisions by overlap and hits may be compared.
    """
    others = ((OVERLAPS, overlap_values), (RANKS, rank_values))
    reading, values = ERRORS, error_values(one) if errors else ()
    if not values:
        reading, values = READING, common_values(one, over_classes, settings.of(())[0])
    for other, found_in in others if errors else ():
        if not values:
            reading, values = other, found_in(one)
    if not values:
        return None
    options, scores = settings.of(values)
    if reading is RANKS:  # a mean over runs is a share, too; how far the runs lie apart says nothing
        scores = {value.score: value.cell.text(percent="%" in value.text, spread="") for value in values}
    cells = tuple(CellText(value.place, value.score, value.cell.raw, value.text) for value in values)
    placed = {**shared, "cells": cells}
    try:
        problems = ((reading.label, posed(reading, fitted(reading.experiment, scores), options, {}, {})),)
    except ScoreproofError as error:
        return Task(**placed, error=str(error))
    return Task(**placed, problems=problems, notes=(about(reading, over_classes), *notes_on(one, values)))


def class_task(one: Report, always: Task, settings: TableSettings) -> Task:
    """A class against all others, whose sizes nobody gives: of one test set, or whatever was averaged."""
    options, scores = settings.of(one.plain)
    fit = fitted(OF_CLASS.experiment, scores)
    if not fit.scores or any("±" in text for text in scores.values()):
        return always
    cells = tuple(CellText(value.place, value.score, value.cell.raw, value.text) for value in one.plain)
    problems = ((OF_CLASS.label, posed(OF_CLASS, fit, options, {}, {})), *always.problems)
    return replace(always, cells=cells, problems=problems, assumed=(OF_CLASS.assumed, ""), firm=True)


def guessed_task(
    one: Report,
    shared: Mapping[str, Any],
    readings: tuple[RowReading, ...],
    printed: tuple[Conventions, dict[str, str]],
    ends: tuple[dict[str, str], dict[str, str]],
    notes: Sequence[str],
    always: Task | None,
    decimals: int | None = None,
) -> Task:
    """A row under every guess of its experiment; ``always`` holds for any sizes, and only it can accuse.

    ``decimals``, as the text says them, are one more guess.
    """
    options, scores = printed
    longer = with_zeros(scores, decimals) if decimals is not None else {}
    if longer:
        said = f" and the values have {decimals} decimals"
        scores, readings = longer, tuple(replace(each, assumed=each.assumed + said) for each in readings)
    if one.counts:
        readings = with_total(readings, one.counts)
    if one.group and names_class(one.group):
        readings = from_both_sides(readings)
    tried: list[tuple[RowReading, tuple[str, Problem]]] = []
    for reading in _of_cases(one, readings):
        if reading.experiment == UnknownClasses() and always is not None and _means_over_pictures(one):
            continue
        fit = fitted(reading.experiment, scores)
        if isinstance(reading.experiment, AverageOf) and not fit.scores:  # then nothing is impossible, whatever else is
            return always or Task(**shared, notes=(_ANYTHING.format(reading.label),), untested=True)
        with suppress(ScoreproofError):  # a guess that does not go with what the row prints
            if fit.scores:
                tried.append((reading, (reading.label, posed(reading, fit, options, *ends))))
    if not tried:
        more = needed(value.score for value in one.plain)
        return always or Task(**shared, notes=(f"{_NOTHING}; {more}" if more else _NOTHING,), untested=True)
    firm = always.problems if always is not None else ()
    assumed = (*conditions([reading for reading, _ in tried]), *[""] * len(firm))
    problems = (*[problem for _, problem in tried], *firm)
    return Task(**shared, problems=problems, notes=tuple(notes), section=one.section, assumed=assumed, firm=True)


def _of_cases(one: Report, readings: Sequence[RowReading]) -> list[RowReading]:
    """The readings a row can be of: overlaps are of pixels, and images that the text counts are no cases of theirs."""
    pictures = any(value.score == "ji" or _DICE.search(value.header) for value in one.plain)
    return [reading for reading in readings if not (pictures and _cases(reading) < _FEWEST_PIXELS)]


def _cases(reading: RowReading) -> float:
    """The number of cases of a test set, where it is known."""
    test = reading.experiment
    if isinstance(test, TestSet):
        return test.p + test.n
    ends = test.totals if isinstance(test, UnknownClasses) else None
    return ends[0] if ends is not None and ends[0] == ends[1] else inf


def _means_over_pictures(one: Report) -> bool:
    """Whether a row is of segmentations: Dice beside the Jaccard index, which are means over images."""
    return any(value.score == "ji" for value in one.plain) and any(_DICE.search(value.header) for value in one.plain)


def with_accuracy_tried(
    task: Task, one: Report, readings: Sequence[RowReading], settings: TableSettings, shared: Mapping[str, Any]
) -> Task:
    """A row of averages over classes, tried under guesses of the number of cases: accuracy is a share of all of them.

    Means over runs are no such shares.
    """
    values = tuple(value for value in one.plain if value.score in ("acc", "err") and value.statistic == "")
    if len(values) != 1 or one.kind is not RowKind.RESULT or any("±" in value.text for value in one.values):
        return task
    options, scores = settings.of(values)
    tried: list[tuple[RowReading, tuple[str, Problem]]] = []
    means = {reading.assumed for reading in readings if isinstance(reading.experiment, AverageOf | MeanOfScores)}
    for reading in _of_cases(one, readings):
        cases = _cases(reading)
        if isinstance(cases, int) and reading.assumed not in means:
            own = UnknownClasses(cases)
            sized = replace(reading, experiment=own, label=f"{reading.label}, accuracy alone")
            tried.append((sized, (sized.label, posed(sized, fitted(own, scores), options, {}, {}))))
    if not tried:
        return task
    cells = tuple(CellText(value.place, value.score, value.cell.raw, value.text) for value in values)
    return _beside(task, one, tried, cells, (), shared)


def with_classes_tried(
    task: Task, one: Report, readings: Sequence[RowReading], settings: TableSettings, shared: Mapping[str, Any]
) -> Task:
    """A row whose sizes are guessed, tried under guesses of several classes, too."""
    row = ClassesRow(one, readings)
    tried: list[tuple[RowReading, tuple[str, Problem]]] = []
    for reading in readings if row.cells else ():
        with suppress(ScoreproofError):  # a guess that does not go with what the row prints
            tried += [(reading, problem) for problem in row.problems([reading], settings)]
    if not tried:
        return task
    return _beside(task, one, tried, row.cells, row.notes, shared)


def _beside(
    task: Task,
    one: Report,
    tried: Sequence[tuple[RowReading, tuple[str, Problem]]],
    cells: Sequence[CellText],
    notes: Sequence[str],
    shared: Mapping[str, Any],
) -> Task:
    """Guesses of some cells of a row beside what is tried of it already."""
    firm = () if task.untested or task.error else task.problems
    said = (*conditions([reading for reading, _ in tried]), *(task.assumed or [""] * len(firm)))
    places = {cell.place: cell for cell in (*(reversed(task.cells) if firm else ()), *reversed(cells))}
    return Task(
        **{**shared, "cells": tuple(places[place] for place in sorted(places))},
        problems=(*[problem for _, problem in tried], *firm),
        notes=tuple(dict.fromkeys((*notes, *(task.notes if firm else ())))),
        section=one.section,
        assumed=said if any(said) else (),
        firm=True,
    )


def under(task: Task, readings: Sequence[RowReading]) -> Task:
    """A task with what its readings take for granted; where they are not one to one, all of it for each problem."""
    assumed = conditions(readings)
    if not assumed:
        return task
    if len(assumed) != len(task.problems):
        assumed = (" and ".join(filter(None, dict.fromkeys(assumed))),) * len(task.problems)
    return replace(task, assumed=assumed)


_PLAIN = re.compile(r"(\d{1,3})(?:\.(\d{1,9}))?(%?)")


def with_zeros(scores: Mapping[str, str], decimals: int) -> dict[str, str]:
    """The scores of a row with the zeros they would have with so many decimals; empty where that changes nothing.

    >>> with_zeros({"acc": "0.9", "sens": "0.913", "f1": "0.85 ± 0.1"}, 3)
    {'acc': '0.900', 'sens': '0.913', 'f1': '0.85 ± 0.1'}
    >>> with_zeros({"acc": "0.9", "sens": "0.91"}, 3), with_zeros({"acc": "91%", "sens": "90.5%"}, 1)
    ({}, {'acc': '91.0%', 'sens': '90.5%'})
    """
    plain = {name: match for name, text in scores.items() if (match := _PLAIN.fullmatch(text)) is not None}
    lengths = {len(match[2] or "") for match in plain.values()}
    if not decimals or len(lengths) < 2 or max(lengths) != decimals:
        return {}
    return {name: _filled(plain[name], decimals) if name in plain else text for name, text in scores.items()}


def _filled(match: re.Match[str], decimals: int) -> str:
    whole, digits, percent = match.groups(default="")
    return f"{whole}.{digits.ljust(decimals, '0')}{percent}"
