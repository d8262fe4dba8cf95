"""One row ready to be audited: where it stands, and the problem it poses under each reading of its experiment.

A task can be sent to another process, and its digest says whether a finished row may be used again. Each reading's
problem is asked on its own; a row is inconsistent only if every one is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from scoreproof._version import __version__
from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import proved
from scoreproof.errors import ScoreproofError, fault
from scoreproof.insight.strength_of_pass import could_fail
from scoreproof.kinds import ReportFit, fitted, kind_named
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.papers.other_meanings import possible_as_average
from scoreproof.papers.result import Answered, CellText, Outcome, RowResult
from scoreproof.papers.row_reading import RowReading
from scoreproof.quantities import CURVE
from scoreproof.reported import Conventions
from scoreproof.work.budget import Budget

_OPEN = UnknownClasses()
_ANYTHING_FITS = (
    "nothing could have refuted it: any values of these scores, printed with these digits, are possible; the number of "
    "cases of each class, or further scores of the same cases, would allow a test"
)
_LEFT_OPEN = "left open: each guess had {:.2g} s, for those of a paper share their time; a larger budget gives more"
Ends = tuple[Mapping[str, str], Mapping[str, str]]  # smallest and largest values of scores
NO_ENDS: Ends = ({}, {})


class Posed(NamedTuple):
    """The problem of a row under one reading."""

    label: str
    problem: Problem
    assumed: str = ""


def pose(
    reading: RowReading, scores: Mapping[str, str] | ReportFit, how: Conventions, ends: Ends = NO_ENDS
) -> Posed | None:
    """A row under a reading, as far as its scores are of such an experiment; None if none is."""
    fit = scores if isinstance(scores, ReportFit) else fitted(reading.experiment, scores)
    if not fit.scores:
        return None
    if how.concave and fit.kind.name != "curve":
        how = how.but(concave=False)
    if any(ends):  # those of areas cannot be asked
        asked = ({name: text for name, text in each.items() if name in fit.scores} for each in ends)
        known = ({name: text for name, text in each.items() if CURVE.find(name) is None} or None for each in asked)
        how = how.but(**dict(zip(("minimum", "maximum"), known, strict=True)))
    if fit.left_out:
        options = {name: value for name, value in how.stated.items() if isinstance(value, Mapping)}
        rest = {name: {k: v for k, v in value.items() if k not in fit.left_out} for name, value in options.items()}
        how = how.but(**rest)
    return Posed(reading.label, fit.kind.row(reading.experiment, fit.scores, how), reading.assumed)


@dataclass(slots=True)  # every row is one, and to freeze it would take three times as long
class Task:
    """One row under one group of columns: its cells, and its problem under each reading; none if it is not tested."""

    table: int
    row: int
    label: str
    group: str
    experiment: str
    cells: tuple[CellText, ...] = ()
    posed: tuple[Posed, ...] = ()
    notes: tuple[str, ...] = ()
    error: str = ""
    shared: bool = False  # whether its test set is that of the other rows of its experiment
    section: str = ""  # the heading inside the table above it
    other_sizes: str = ""  # what names others than those it is audited with, beside what names these
    by_fault: bool = False  # whether the error is a fault of ours
    firm: bool = False  # whether problems that take nothing for granted hold under every guess, too

    @property
    def quick(self) -> bool:
        """Whether it is decided in less time than sending it to another process takes."""
        for _, problem, _ in self.posed:  # noqa: SIM110 - every row comes here
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
            "problems": [[label, problem.kind, problem.to_dict(), assumed] for label, problem, assumed in self.posed],
            "notes": [self.error, self.other_sizes, self.firm, *self.notes],
        }
        return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:32]

    def result(
        self, outcome: Outcome, readings: Sequence[Answered] = (), error: str = "", notes: tuple[str, ...] = ()
    ) -> RowResult:
        """The row with what became of it."""
        place = (self.table, self.row, self.label, self.group, self.experiment, self.cells)
        told = ((*self.notes, *notes), error or self.error, self.by_fault)
        return RowResult(*place, outcome, tuple(readings), None, None, *told)


def audit_row(
    task: Task, budget: float, seed: int, guess: float | None = None, shown: Answer[Any, Any] | None = None
) -> RowResult:
    """The answers on one row; an error in it becomes its outcome.

    ``guess`` is what each guess may take at most, ``shown`` the answer to its only problem where that is known already.
    """
    if task.error or not task.posed:
        return task.result(Outcome.ERROR if task.error else Outcome.NOT_TESTED)
    answers: list[Answered] = []
    try:
        if shown is not None:
            return _finished(task, [Answered(task.posed[0].label, shown, task.posed[0].assumed)])
        deadline = Budget(budget)
        for number, (label, problem, assumed) in enumerate(task.posed):
            more = len(task.posed) - number
            share = deadline if more == 1 else deadline.moment(deadline.left() / more)
            if assumed and guess is not None:
                share = share.moment(guess)
            answers.append(Answered(label, _asked(problem, share, seed), assumed))
        late = any(reading.assumed and reading.verdict is Verdict.UNDECIDED for reading in answers)
        return _finished(task, answers, (_LEFT_OPEN.format(guess),) if late and guess is not None else ())
    except ScoreproofError as error:
        return task.result(Outcome.ERROR, answers, str(error))
    except Exception as error:  # one row must not stop the others, whatever is wrong with it
        return replace(task, by_fault=True).result(Outcome.ERROR, answers, fault(error))


def _finished(task: Task, answers: list[Answered], beside: tuple[str, ...] = ()) -> RowResult:
    firm = {reading.verdict for reading in answers if not reading.assumed} if task.firm else set()
    if firm == {Verdict.INCONSISTENT}:  # then no guess can be right, though it may be of other scores
        answers = [reading for reading in answers if not reading.assumed or reading.verdict is Verdict.INCONSISTENT]
    reached, notes = outcome(answers), answers[0].answer.notes
    if len(answers) > 1:  # which of them says it
        notes = tuple(dict.fromkeys(f"{each.label}: {note}" for each in answers for note in each.answer.notes))
    notes += beside
    if reached is Outcome.CONSISTENT and not _could_fail(task, answers):
        reached, notes = Outcome.NOT_TESTED, (_ANYTHING_FITS, *notes)
    if reached is Outcome.INCONSISTENT:
        notes += (task.other_sizes,) if task.other_sizes else ()
        notes += tuple(filter(None, dict.fromkeys(possible_as_average(problem) for _, problem, _ in task.posed)))
    return task.result(reached, answers, notes=notes)


def believed(task: Task, kept: RowResult) -> RowResult | None:
    """A row that a journal kept, if its answers are proved, which alone are used; None if it is to be asked again."""
    if len(kept.readings) != len(task.posed) or not kept.readings:
        return None
    for (label, problem, assumed), reading in zip(task.posed, kept.readings, strict=True):
        alone = problem.base if isinstance(problem, CurveProblem) else problem
        alike = (reading.label, reading.assumed) == (label, assumed) and reading.answer.problem in (problem, alone)
        if not alike or not proved(reading.answer):
            return None
    return _finished(task, list(kept.readings))


def _asked(problem: Problem, deadline: Budget, seed: int) -> Answer[Any, Any]:
    """The answer; where areas stand beside scores that contradict each other, that of the scores alone."""
    if isinstance(problem, CurveProblem) and problem.base.claims:
        alone = ask(problem.base, budget=deadline.part(0.5), seed=seed)
        if alone.verdict is Verdict.INCONSISTENT:
            return alone
    return ask(problem, budget=deadline, seed=seed)


def outcome(answers: Sequence[Answered]) -> Outcome:
    """What becomes of a row: consistent if some reading is, inconsistent if all are, a question if guesses are.

    The reading of unknown class counts fits almost everything; beside guessed sizes it does not count.
    """
    assumed = [reading for reading in answers if reading.assumed]
    every = _of(answers, Outcome.INCONSISTENT)
    if not assumed or (len(assumed) < len(answers) and every is Outcome.INCONSISTENT):
        return every
    return _of([reading for reading in assumed if not is_open(reading)] or assumed, Outcome.QUESTION)


def _could_fail(task: Task, answers: Sequence[Answered]) -> bool:
    """Whether other values in the same cells could have been called inconsistent, or a question."""
    if len(answers) == 1:
        return could_fail(answers[0].answer.problem)
    guesses = [reading for reading in answers if reading.assumed]
    firm = [reading for reading in answers if not reading.assumed] if task.firm else answers
    ways = [[reading for reading in guesses if not is_open(reading)] or guesses, firm]
    return any(way and all(could_fail(reading.answer.problem) for reading in way) for way in ways)


def is_open(reading: Answered) -> bool:
    """Whether a reading says nothing of sizes: one test set of any number of cases of each class."""
    problem = reading.answer.problem
    return getattr(getattr(problem, "base", problem), "experiment", None) == _OPEN


def _of(answers: Sequence[Answered], impossible: Outcome) -> Outcome:
    verdicts = [reading.answer.verdict for reading in answers]
    if Verdict.CONSISTENT in verdicts:
        return Outcome.CONSISTENT
    return impossible if verdicts.count(Verdict.INCONSISTENT) == len(verdicts) > 0 else Outcome.UNDECIDED
