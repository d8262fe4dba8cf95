"""One row ready to be audited: where it stands, and the problem it poses under each reading of its experiment.

A task is a plain value: it can be sent to another process, and a digest of it says whether a finished row may be used
again. Each reading's problem is asked on its own; a row is inconsistent only if every one is.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from scoreproof._version import __version__
from scoreproof.asking import Verdict, ask
from scoreproof.audits.as_average import possible_as_average
from scoreproof.audits.readings import RowReading
from scoreproof.audits.result import Answered, CellText, Outcome, RowResult
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import kind_named
from scoreproof.kinds.kind import Problem
from scoreproof.quantities import quantity

_SHORTEST = 0.05  # seconds that even the last of many readings gets


@dataclass(frozen=True, slots=True)
class Options:
    """The options of ``check`` that hold for a row; ``rounding`` and ``eps`` may be mappings from scores."""

    rounding: str | Mapping[str, str] | None = None
    eps: str | Mapping[str, str] | None = None
    undefined: str | None = None  # as check does where nothing is said
    spread: str = "deviation"
    divisor: str = "any"
    spread_over: str = "any"
    extremes_over: str = "parts"
    fold_digits: int | None = None
    beta: str | None = None
    given: dict[str, Any] = field(init=False, compare=False)  # what was said beyond the defaults; rows share it

    def __post_init__(self) -> None:
        said = {name: getattr(self, name) for name in _DEFAULTS}
        object.__setattr__(self, "given", {name: said[name] for name in said if said[name] != _DEFAULTS[name]})

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _DEFAULTS}


_DEFAULTS = {each.name: each.default for each in fields(Options) if each.init}


def posed(
    reading: RowReading,
    scores: Mapping[str, str],
    options: Options,
    minimum: Mapping[str, str],
    maximum: Mapping[str, str],
) -> Problem:
    """The problem a row poses under a reading."""
    given = options.given
    if minimum or maximum:
        given = given | {"minimum": minimum or None, "maximum": maximum or None}
    problem: Problem = kind_named(reading.experiment.kind).row(reading.experiment, scores, given)
    return problem


def _of_kind(reading: RowReading, scores: Mapping[str, str]) -> dict[str, str]:
    """The scores that the kind of an experiment knows; names mean one thing within a kind."""
    known = {each.kind for each in kind_named(reading.experiment.kind).quantities}
    return {name: text for name, text in scores.items() if quantity(name).kind in known}


def of_own_kind(
    readings: tuple[RowReading, ...], scores: Mapping[str, str]
) -> tuple[list[tuple[RowReading, Mapping[str, str]]], list[str]]:
    """The readings whose kind knows some of the scores, each with these; and which scores none of them knows."""
    kept = [(reading, _of_kind(reading, scores)) for reading in readings]
    left = [name for name in scores if not any(name in own for _, own in kept)]
    said = [f"not tested: {', '.join(left)}, which the experiment says nothing of"] if left else []
    return [(reading, own) for reading, own in kept if own], said


@dataclass(frozen=True, slots=True)
class Task:
    """One row under one group of columns: its cells, and its problem under each reading, by label."""

    table: int
    row: int
    label: str
    group: str
    experiment: str
    cells: tuple[CellText, ...]
    problems: tuple[tuple[str, Problem], ...] = ()
    notes: tuple[str, ...] = ()
    untested: bool = False
    error: str = ""
    shared: bool = False  # whether its test set is that of the other rows of its experiment
    section: str = ""  # the heading inside the table above it

    @property
    def quick(self) -> bool:
        """Whether it is decided in less time than sending it to another process takes."""
        for _, problem in self.problems:  # noqa: SIM110 - every row comes here
            if not kind_named(problem.kind).quick(problem):
                return False
        return True

    def digest(self, settings: str) -> str:
        """The key of this row in a journal: everything its verdict depends on."""
        stated = {
            "version": __version__,
            "settings": settings,
            "place": [self.table, self.row, self.label, self.group, self.experiment],
            "cells": [cell.to_dict() for cell in self.cells],
            "problems": [[label, problem.kind, problem.to_dict()] for label, problem in self.problems],
            "notes": [self.untested, self.error, *self.notes],
        }
        return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:32]


def audit_row(task: Task, *, budget: float, seed: int) -> RowResult:
    """The answers on one row; an error in it becomes its outcome."""
    if task.error or task.untested or not task.problems:
        return row_of(task, Outcome.ERROR if task.error else Outcome.UNTESTED, (), task.error)
    deadline = time.monotonic() + budget
    answers: list[Answered] = []
    try:
        for number, (label, problem) in enumerate(task.problems):
            share = (deadline - time.monotonic()) / (len(task.problems) - number)
            answers.append(Answered(label, ask(problem, budget=max(share, _SHORTEST), seed=seed)))
    except ScoreproofError as error:
        return row_of(task, Outcome.ERROR, tuple(answers), str(error))
    except Exception as error:  # one row must not stop the others, whatever is wrong with it
        return row_of(task, Outcome.ERROR, tuple(answers), f"unexpected {type(error).__name__}: {error}")
    found, notes = outcome(answers), _noted(answers)
    if found is Outcome.INCONSISTENT:
        notes += tuple(filter(None, dict.fromkeys(possible_as_average(problem) for _, problem in task.problems)))
    return row_of(task, found, tuple(answers), notes=notes)


def _noted(answers: list[Answered]) -> tuple[str, ...]:
    """What the answers say beside their verdicts, each once; of several readings, which of them says it."""
    if len(answers) == 1:
        return answers[0].answer.notes
    return tuple(dict.fromkeys(f"{reading.label}: {note}" for reading in answers for note in reading.answer.notes))


def outcome(answers: list[Answered]) -> Outcome:
    """Consistent if some reading is, inconsistent if all are, undecided otherwise."""
    verdicts = {reading.answer.verdict for reading in answers}
    if Verdict.CONSISTENT in verdicts:
        return Outcome.CONSISTENT
    return Outcome.INCONSISTENT if verdicts == {Verdict.INCONSISTENT} else Outcome.UNDECIDED


def row_of(
    task: Task, found: Outcome, readings: tuple[Answered, ...] = (), error: str = "", notes: tuple[str, ...] = ()
) -> RowResult:
    """The task with what became of it."""
    return RowResult(
        task.table,
        task.row,
        task.label,
        task.group,
        task.experiment,
        task.cells,
        found,
        readings,
        notes=(*task.notes, *notes) if notes else task.notes,
        error=error,
    )
