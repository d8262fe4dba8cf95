"""One row ready to be audited: where it stands, and the problem it poses under each reading of its experiment.

A task is a plain value: it can be sent to another process, and a digest of it says whether a finished row may be used
again. Each reading's problem is asked on its own; a row is inconsistent only if every one is.
"""

from __future__ import annotations

import bisect
import hashlib
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from scoreproof._version import __version__
from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import proved, shown_by
from scoreproof.errors import ScoreproofError, fault
from scoreproof.kinds import ReportFit, kind_named
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem
from scoreproof.papers.other_meanings import possible_as_average
from scoreproof.papers.result import Answered, CellText, Outcome, RowResult
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.table_semantics import Report
from scoreproof.quantities import CURVE
from scoreproof.reported import Conventions
from scoreproof.work.budget import Budget

_OPEN = UnknownClasses()
_ANYTHING_FITS = (
    "nothing could have refuted it: any values of these scores, printed with these digits, are possible; the number of "
    "cases of each class, or further scores of the same cases, would allow a test"
)
_LEFT_OPEN = "left open: each guess had {:.2g} s, for those of a paper share their time; a larger budget gives more"


def posed(
    reading: RowReading,
    fit: ReportFit,
    how: Conventions,
    minimum: Mapping[str, str],
    maximum: Mapping[str, str],
) -> Problem:
    """The problem a row poses under a reading, as far as its scores are of such an experiment."""
    if how.concave and fit.kind.name != "curve":
        how = how.but(concave=False)
    if minimum or maximum:
        ends = (
            {name: text for name, text in each.items() if _of_parts(name, fit)} or None for each in (minimum, maximum)
        )
        how = how.but(**dict(zip(("minimum", "maximum"), ends, strict=True)))
    if fit.left_out:
        stated = how.stated.items()
        how = how.but(**{name: _without(value, fit.left_out) for name, value in stated if isinstance(value, Mapping)})
    problem: Problem = fit.kind.row(reading.experiment, fit.scores, how)
    return problem


def left_out_by_all(fits: Sequence[ReportFit]) -> dict[str, str]:
    """The scores that no reading of a row takes, and why."""
    first = fits[0].left_out if fits else {}
    return {name: why for name, why in first.items() if all(name in fit.left_out for fit in fits)} if first else {}


def conditions(readings: Sequence[RowReading]) -> tuple[str, ...]:
    """What each reading takes for granted; empty if none takes anything."""
    return tuple(reading.assumed for reading in readings) if any(reading.assumed for reading in readings) else ()


def _of_parts(name: str, fit: ReportFit) -> bool:
    """Whether the extremes of a score over parts can be asked: those of areas cannot."""
    return name in fit.scores and CURVE.find(name) is None


def _without(option: Mapping[str, Any], left_out: Mapping[str, str]) -> dict[str, Any]:
    """An option per score, less what it says of scores that are left out."""
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
    other_sizes: str = ""  # what names others than those it is audited with, beside what names these
    by_fault: bool = False  # whether the error is a fault of ours
    firm: bool = False  # whether problems that take nothing for granted hold under every guess, too

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
            **({"other_sizes": self.other_sizes} if self.other_sizes else {}),
            **({"firm": True} if self.firm else {}),
        }
        return hashlib.sha256(json.dumps(stated, sort_keys=True).encode()).hexdigest()[:32]


def audit_row(task: Task, *, budget: float, seed: int, guess: float | None = None) -> RowResult:
    """The answers on one row; an error in it becomes its outcome. ``guess`` is what each guess may take at most."""
    if task.error or task.untested or not task.problems:
        return row_of(task, Outcome.ERROR if task.error else Outcome.NOT_TESTED, (), task.error)
    deadline = Budget(budget)
    answers: list[Answered] = []
    try:
        for number, (label, problem) in enumerate(task.problems):
            share = deadline.moment(deadline.left() / (len(task.problems) - number))
            assumed = task.assumed[number] if task.assumed else ""
            if assumed and guess is not None:
                share = share.moment(guess)
            answer = _known(problem, answers) or _asked(problem, share, seed)
            answers.append(Answered(label, answer, assumed))
        late = any(reading.assumed and reading.verdict is Verdict.UNDECIDED for reading in answers)
        return _finished(task, answers, (_LEFT_OPEN.format(guess),) if late and guess is not None else ())
    except ScoreproofError as error:
        return row_of(task, Outcome.ERROR, tuple(answers), str(error))
    except Exception as error:  # one row must not stop the others, whatever is wrong with it
        return row_of(replace(task, by_fault=True), Outcome.ERROR, tuple(answers), fault(error))


def _finished(task: Task, answers: list[Answered], beside: tuple[str, ...] = ()) -> RowResult:
    firm = {reading.verdict for reading in answers if not reading.assumed}
    if task.firm and firm == {Verdict.INCONSISTENT}:  # then no guess can be right, though it may be of other scores
        answers = [reading for reading in answers if not reading.assumed or reading.verdict is Verdict.INCONSISTENT]
    found, notes = outcome(answers), _noted(answers) + beside
    if found is Outcome.CONSISTENT and not _could_fail(task, answers):
        found, notes = Outcome.NOT_TESTED, (_ANYTHING_FITS, *notes)
    if found is Outcome.INCONSISTENT:
        notes += (task.other_sizes,) if task.other_sizes else ()
        notes += tuple(filter(None, dict.fromkeys(possible_as_average(problem) for _, problem in task.problems)))
    return row_of(task, found, tuple(answers), notes=notes)


def believed(task: Task, kept: RowResult) -> RowResult | None:
    """A row that a journal kept, if what it says is proved: each witness holds, each certificate verifies.

    Everything but the answers is taken from the task; an explanation and a strength, which nothing proves, are asked
    anew. None if the row is to be asked again.
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
    return _finished(task, list(kept.readings))


def _known(problem: Problem, answers: Sequence[Answered]) -> Answer[Any, Any] | None:
    """The answer for unknown classes where a matrix of known ones was found: it is an example of these, too."""
    if not isinstance(problem, UnknownClassesProblem):
        return None
    found = (reading.answer.witness for reading in answers if isinstance(reading.answer.witness, Witness))
    return next(filter(None, (shown_by(problem, witness) for witness in found)), None)


def _asked(problem: Problem, deadline: Budget, seed: int) -> Answer[Any, Any]:
    """The answer; where areas stand beside scores that contradict each other, that of the scores alone."""
    if isinstance(problem, CurveProblem) and problem.base.claims:
        alone = ask(problem.base, budget=deadline.part(0.5), seed=seed)
        if alone.verdict is Verdict.INCONSISTENT:
            return alone
    return ask(problem, budget=deadline, seed=seed)


def _noted(answers: list[Answered]) -> tuple[str, ...]:
    """What the answers say beside their verdicts, each once; of several readings, which of them says it."""
    if len(answers) == 1:
        return answers[0].answer.notes
    return tuple(dict.fromkeys(f"{reading.label}: {note}" for reading in answers for note in reading.answer.notes))


def outcome(answers: Sequence[Answered]) -> Outcome:
    """What becomes of a row: consistent if some reading is, inconsistent if all are.

    Readings that rest on an assumption (sizes taken from a text) never accuse: if they are all that is impossible the
    row is a question. The reading of unknown class counts fits almost everything; beside sizes it does not count.
    """
    firm = [reading for reading in answers if not reading.assumed]
    assumed = [reading for reading in answers if reading.assumed]
    if not assumed:
        return _of(firm, Outcome.INCONSISTENT)
    if firm and _of(answers, Outcome.INCONSISTENT) is Outcome.INCONSISTENT:
        return Outcome.INCONSISTENT
    sized = [reading for reading in assumed if not is_open(reading)]
    return _of(sized or assumed, Outcome.QUESTION)


def _could_fail(task: Task, answers: Sequence[Answered]) -> bool:
    """Whether other values in the same cells could have been called inconsistent, or a question."""
    from scoreproof.insight.falsifiability import could_fail

    firm = [reading for reading in answers if not reading.assumed]
    guesses = [reading for reading in answers if reading.assumed]
    sized = [reading for reading in guesses if not is_open(reading)]
    ways = [sized or guesses, firm if task.firm else answers]
    return any(way and all(could_fail(reading.answer.problem) for reading in way) for way in ways)


def is_open(reading: Answered) -> bool:
    """Whether a reading says nothing of sizes: one test set of any number of cases of each class."""
    problem = reading.answer.problem
    return getattr(getattr(problem, "base", problem), "experiment", None) == _OPEN


def _of(answers: Sequence[Answered], impossible: Outcome) -> Outcome:
    verdicts = {reading.answer.verdict for reading in answers}
    if Verdict.CONSISTENT in verdicts:
        return Outcome.CONSISTENT
    return impossible if verdicts == {Verdict.INCONSISTENT} else Outcome.UNDECIDED


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
        by_fault=task.by_fault,
    )


@dataclass(frozen=True, slots=True)
class Tasks(Sequence[Task]):
    """The rows of one table, each made when it is asked for: a long table is never held twice."""

    make: Callable[[Report], Task]
    reports: Sequence[Report]
    table: int

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | Sequence[Task]:
        if isinstance(index, slice):
            return [self._made(one) for one in self.reports[index]]
        return self._made(self.reports[index])

    def __len__(self) -> int:
        return len(self.reports)

    def __iter__(self) -> Iterator[Task]:
        return map(self._made, self.reports)

    def _made(self, one: Report) -> Task:
        try:
            return self.make(one)
        except ScoreproofError:
            raise
        except Exception as error:  # said in the row's place
            return Task(self.table, one.row, one.label, one.group, "", (), error=fault(error), by_fault=True)


class Joined(Sequence[Task]):
    """The tasks of all tables, one after the other."""

    def __init__(self, parts: Sequence[Sequence[Task]]) -> None:
        self._parts = parts
        self._ends = list(itertools.accumulate(map(len, parts)))

    @overload
    def __getitem__(self, index: int) -> Task: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Task]: ...
    def __getitem__(self, index: int | slice) -> Task | Sequence[Task]:
        if isinstance(index, slice):
            return [self[one] for one in range(*index.indices(len(self)))]
        part = bisect.bisect_right(self._ends, index)
        if not index >= 0 or part == len(self._parts):
            raise IndexError(index)
        return self._parts[part][index - (self._ends[part - 1] if part else 0)]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Task]:
        return itertools.chain.from_iterable(self._parts)
