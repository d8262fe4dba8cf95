"""One row ready to be audited: where it stands, and the problem it poses under each reading of its experiment.

A task is a plain value: it can be sent to another process, and a digest of it says whether a finished row may be used
again. Each reading's problem is asked on its own; a row is inconsistent only if every one is.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from scoreproof._version import __version__
from scoreproof.asking import Answer, Verdict, ask
from scoreproof.asking.contract import proved, shown_by
from scoreproof.audits.as_average import possible_as_average
from scoreproof.audits.outcomes import outcome
from scoreproof.audits.readings import RowReading
from scoreproof.audits.result import Answered, CellText, Outcome, RowResult
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import ReportFit, kind_named
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem
from scoreproof.quantities import CURVE

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
    fit: ReportFit,
    options: Options,
    minimum: Mapping[str, str],
    maximum: Mapping[str, str],
) -> Problem:
    """The problem a row poses under a reading, as far as its scores are of such an experiment."""
    given = options.given
    if minimum or maximum:
        ends = ({name: text for name, text in each.items() if _of_parts(name, fit)} for each in (minimum, maximum))
        given = given | {name: end or None for name, end in zip(("minimum", "maximum"), ends, strict=True)}
    if fit.left_out:
        given = {name: _without(value, fit.left_out) for name, value in given.items()}
    problem: Problem = fit.kind.row(reading.experiment, fit.scores, given)
    return problem


def conditions(readings: Sequence[RowReading]) -> tuple[str, ...]:
    """What each reading takes for granted; empty if none takes anything."""
    return tuple(reading.assumed for reading in readings) if any(reading.assumed for reading in readings) else ()


def _of_parts(name: str, fit: ReportFit) -> bool:
    """Whether the extremes of a score over parts can be asked: those of areas cannot."""
    return name in fit.scores and CURVE.find(name) is None


def _without(option: Any, left_out: Mapping[str, str]) -> Any:
    """An option, less what it says of scores that are left out."""
    if not isinstance(option, Mapping):
        return option
    return {name: value for name, value in option.items() if name not in left_out}


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
    assumed: tuple[str, ...] = ()  # what each problem takes for granted; empty if none does

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
            **({"assumed": self.assumed} if self.assumed else {}),
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
            assumed = task.assumed[number] if task.assumed else ""
            answer = _known(problem, answers) or _asked(problem, max(share, _SHORTEST), seed)
            answers.append(Answered(label, answer, assumed))
    except ScoreproofError as error:
        return row_of(task, Outcome.ERROR, tuple(answers), str(error))
    except Exception as error:  # one row must not stop the others, whatever is wrong with it
        return row_of(task, Outcome.ERROR, tuple(answers), f"unexpected {type(error).__name__}: {error}")
    return _finished(task, answers)


def _finished(task: Task, answers: list[Answered]) -> RowResult:
    found, notes = outcome(answers), _noted(answers)
    if found is Outcome.INCONSISTENT:
        notes += tuple(filter(None, dict.fromkeys(possible_as_average(problem) for _, problem in task.problems)))
    return row_of(task, found, tuple(answers), notes=notes)


def believed(task: Task, kept: RowResult) -> RowResult | None:
    """A row that a journal kept, if what it says is proved: each witness holds, each certificate verifies.

    Everything but the answers, the explanation and the strength is taken from the task; None if the row is to be asked
    again.
    """
    if len(kept.readings) != len(task.problems) or not kept.readings:
        return None
    conditions = task.assumed or ("",) * len(task.problems)
    for (label, problem), assumed, reading in zip(task.problems, conditions, kept.readings, strict=True):
        alone = problem.base if isinstance(problem, CurveProblem) else problem
        if (
            (reading.label, reading.assumed) != (label, assumed)
            or reading.answer.problem not in (problem, alone)
            or not proved(reading.answer)
        ):
            return None
    return replace(_finished(task, list(kept.readings)), explanation=kept.explanation, strength=kept.strength)


def _known(problem: Problem, answers: Sequence[Answered]) -> Answer[Any, Any] | None:
    """The answer for unknown classes where a matrix of known ones was found: it is an example of these, too."""
    if not isinstance(problem, UnknownClassesProblem):
        return None
    found = (reading.answer.witness for reading in answers if isinstance(reading.answer.witness, Witness))
    return next(filter(None, (shown_by(problem, witness) for witness in found)), None)


def _asked(problem: Problem, budget: float, seed: int) -> Answer[Any, Any]:
    """The answer; where areas stand beside scores that contradict each other, that of the scores alone."""
    if isinstance(problem, CurveProblem) and problem.base.claims:
        alone = ask(problem.base, budget=budget / 2, seed=seed)
        if alone.verdict is Verdict.INCONSISTENT:
            return alone
    return ask(problem, budget=budget, seed=seed)


def _noted(answers: list[Answered]) -> tuple[str, ...]:
    """What the answers say beside their verdicts, each once; of several readings, which of them says it."""
    if len(answers) == 1:
        return answers[0].answer.notes
    return tuple(dict.fromkeys(f"{reading.label}: {note}" for reading in answers for note in reading.answer.notes))


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
