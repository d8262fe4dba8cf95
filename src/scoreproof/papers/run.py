"""Running many rows: their verdicts, then why some do not fit and how strong the tests were.

A row about one matrix takes a fraction of a millisecond, less than sending it to another process, so only rows with
folds or unknown classes are spread over processes. The results do not depend on the number of processes, and a journal
keeps what is done. What explains and weighs is loaded when first needed; the user's own hypotheses go to the
explanation, each in all its readings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.errors import InvalidOption, ScoreproofError, fault
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Assumption, Variant, in_place
from scoreproof.papers.result import Outcome, RowResult, TableResult
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.task import Tasks, audit_row, believed
from scoreproof.work.budget import Budget
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Call, Pool, all_cores, gc_paused, told

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation, TableExplanation
    from scoreproof.insight.strength_of_pass import Strength

Progress = Callable[[int, int, str], None]
_HERE = 1.0  # seconds of work in this process before others are started
_FEW = 4  # costly rows for which other processes are not worth starting
_UNREACHED = ("not reached before the interruption",)
_MOST_FOLLOWED = 40  # rows that explain="auto" explains
_ALONE = 5.0  # seconds to ask the scores of a row without its areas
_BRIEFLY = 1.0  # seconds for the explanation of a question, or of a comparison
_MOST_QUESTIONS = 8
_MOST_TABLE_ROWS = 40  # a longer table is explained row by row only


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Another experiment that might explain a row, in all its readings."""

    name: str
    label: str
    readings: tuple[RowReading, ...]
    instead_of: tuple[str, ...] = ()

    def about(self, row: RowResult) -> bool:
        """Whether it could replace the experiment of a row."""
        return not self.instead_of or bool({*self.instead_of} & {*row.experiment.split(", ")})


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which questions to ask, and how long each may take."""

    explain: bool
    strength: bool
    budget: float
    seed: int
    hypotheses: tuple[Hypothesis, ...] = ()


def follow_up(row: RowResult, wanted: Wanted) -> RowResult:
    """The row with its explanation and its strength, where these can be had."""
    try:
        if wanted.explain and row.outcome is Outcome.INCONSISTENT:
            row = replace(row, explanation=explanation(row, wanted))
        if wanted.strength and row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT):
            row = replace(row, strength=strength(row, wanted))
    except Exception as error:  # its verdict stands, and the other rows are asked about
        row = replace(row, notes=(*row.notes, fault(error)), by_fault=True)
    return row


def explanation(row: RowResult, wanted: Wanted) -> Explanation | None:
    """Why a row does not fit, and what would make it fit; of several readings the first is explained, and named."""
    from scoreproof.insight.explanation import explain

    first = next(reading for reading in row.readings if reading.verdict is Verdict.INCONSISTENT)
    try:
        explanation = explain(first.answer, hypotheses=_own(row, wanted), budget=Budget.of_work(wanted.budget))
    except ScoreproofError:
        return None
    return replace(explanation, reading=first.label) if len(row.readings) > 1 else explanation


def with_explanations(table: TableResult, wanted: Wanted) -> TableResult:
    """The table with one row of each question explained, and the comparisons that fail: the conflict and repairs."""
    from scoreproof.insight.explanation import explain

    if not wanted.explain:
        return table
    briefly = replace(wanted, budget=min(wanted.budget, _BRIEFLY), hypotheses=())
    rows, checks = list(table.rows), list(table.checks)
    for question in table.questions[:_MOST_QUESTIONS]:
        asked = [k for k, row in enumerate(rows) if row.row in question.rows and row.outcome is Outcome.QUESTION]
        if asked and all(rows[k].explanation is None for k in asked):
            rows[asked[0]] = replace(rows[asked[0]], explanation=explanation(rows[asked[0]], briefly))
    failing = [k for k, check in enumerate(checks) if check.verdict is Verdict.INCONSISTENT]
    for k in failing[:_MOST_QUESTIONS]:
        with suppress(ScoreproofError):
            why = explain(checks[k].answer, assumptions=False, budget=Budget.of_work(briefly.budget))
            checks[k] = replace(checks[k], explanation=why)
    return replace(table, rows=tuple(rows), checks=tuple(checks))


def _own(row: RowResult, wanted: Wanted) -> list[Assumption[Any]]:
    """The user's hypotheses about a row, as the explanation takes them."""
    return [
        Assumption(hypothesis.name, hypothesis.label or hypothesis.name, partial(_variants, hypothesis.readings))
        for hypothesis in wanted.hypotheses
        if hypothesis.about(row)
    ]


def _variants(readings: tuple[RowReading, ...], problem: Any) -> Iterator[Variant[Any]]:
    """The readings of a hypothesis, asked instead of the stated experiment."""
    for reading in readings:
        changed = in_place(problem, reading.experiment)
        if changed is not None:
            yield Variant(reading.label, changed)


def strength(row: RowResult, wanted: Wanted) -> Strength | None:
    """How many of the possible reports with these digits would have passed."""
    answer = next(filter(None, (_of_matrices(reading.answer) for reading in row.readings)), None)
    if answer is None:
        return None
    from scoreproof.insight.strength_of_pass import strength as measured

    try:
        return measured(answer, budget=Budget.of_work(wanted.budget), seed=wanted.seed)
    except ScoreproofError:
        return None


def _of_matrices(answer: Answer[Any, Any]) -> Answer[Any, Any] | None:
    """An answer about scores of confusion matrices, also where areas stand beside them."""
    problem = answer.problem
    if isinstance(problem, CurveProblem) and isinstance(problem.base, BinaryProblem) and problem.base.claims:
        return ask(problem.base, budget=Budget.of_work(_ALONE))
    return answer if problem.kind == "binary" else None


def explain_table(rows: Sequence[RowResult], wanted: Wanted) -> TableExplanation | None:
    """Which assumption alone would explain all rows of a table that share an experiment."""
    wrong = [row for row in rows if row.outcome is Outcome.INCONSISTENT]
    if not wanted.explain or not wrong:
        return None
    stated = _experiments(wrong[0])
    alike = [row for row in rows if _experiments(row) == stated]
    if not 2 <= len(alike) <= _MOST_TABLE_ROWS or wrong[0].readings[0].answer.problem.kind != "binary":
        return None
    from scoreproof.insight.explanation import explain_table as explained

    answers: dict[str, Answer[Any, Any]] = {}
    for row in alike:
        label = row.label if row.label not in answers else f"{row.label} (row {row.row + 1})"
        fitting = (reading.answer for reading in row.readings if reading.verdict is Verdict.CONSISTENT)
        answers[label] = next(fitting, row.readings[0].answer)
    try:
        return explained(answers, hypotheses=_own(wrong[0], wanted), budget=Budget.of_work(wanted.budget))
    except ScoreproofError:
        return None


def _experiments(row: RowResult) -> list[Any]:
    return [
        reading.answer.problem.experiment for reading in row.readings if hasattr(reading.answer.problem, "experiment")
    ]


@dataclass(frozen=True, slots=True)
class Run:
    """How to run: where, seconds per row, and which questions to ask afterwards; ``auto``: of the first rows."""

    pool: Pool | None
    budget: float
    explain: bool | str
    strength: bool | str
    wanted: Wanted
    guess: float | None = None  # seconds for one guess of a paper whose guesses have them together

    @property
    def settings(self) -> str:
        """What the verdict of a row depends on beside the row itself."""
        asked = [(own.name, own.label, [str(r.experiment) for r in own.readings]) for own in self.wanted.hypotheses]
        told = (self.budget, self.guess, self.wanted.seed, self.explain, self.strength, asked)
        return f"budget, guess, seed, explain, strength, hypotheses: {told}"


@dataclass(slots=True)
class _State:
    """What has been done so far."""

    rows: list[RowResult | None]
    progress: Progress | None
    total: int
    done: int = 0

    def keep(self, index: int, row: RowResult) -> None:
        self.rows[index] = row
        self.done += 1
        if self.progress is not None:
            told(self.progress, self.done, self.total, row.label)


def run(
    tasks: Tasks, how: Run, *, journal: Journal[RowResult] | None = None, progress: Progress | None = None
) -> tuple[list[RowResult], bool]:
    """The rows in the order of the tasks, and whether Ctrl-C stopped the run before its end.

    The journal keeps verdicts alone, for only these can be proved again.
    """
    keys = [task.digest(how.settings) for task in tasks] if journal is not None else []
    state = _State([None] * len(tasks), progress, len(tasks))
    for index, row in _kept(tasks, keys, journal) if journal is not None else ():
        state.keep(index, row)
    interrupted = False
    try:
        for index, row in _verdicts(tasks, state.rows, how):
            state.keep(index, row)
            if journal is not None:
                journal[keys[index]] = row
        _follow_up_all(state, how)
    except KeyboardInterrupt:
        interrupted = True
    if journal is not None:
        for key, done in zip(keys, state.rows, strict=True):
            if done is not None and key not in journal:  # Ctrl-C came between the row and its line
                journal[key] = done
    rows = (row or tasks[index].result(Outcome.NOT_TESTED, notes=_UNREACHED) for index, row in enumerate(state.rows))
    return list(rows), interrupted


def _kept(tasks: Tasks, keys: Sequence[str], journal: Journal[RowResult]) -> Iterator[tuple[int, RowResult]]:
    """The rows of an earlier run that are believed."""
    if keys and journal.earlier and not any(key in journal for key in keys):
        raise InvalidOption(
            "resume: none of the rows in this journal is one of this audit; it is of another specification, of other "
            "options or of other files: name another journal"
        )
    for index, key in enumerate(keys):
        row = believed(tasks[index], journal[key]) if key in journal else None
        if row is not None:
            yield index, row


def _verdicts(tasks: Tasks, rows: Sequence[RowResult | None], how: Run) -> Iterator[tuple[int, RowResult]]:
    """Every row's verdict that is not known yet: the quick ones here, the others where there is room."""
    costly = []
    with gc_paused():
        for index, task in enumerate(tasks):
            if rows[index] is not None:
                continue
            if task.quick:
                yield index, audit_row(task, how.budget, how.wanted.seed, how.guess)
            else:
                costly.append(index)
    calls: list[Call[RowResult]] = [
        (audit_row, (tasks[index], how.budget, how.wanted.seed, how.guess)) for index in costly
    ]
    yield from zip(costly, _shared_out(calls, how.pool), strict=True)


def _follow_up_all(state: _State, how: Run) -> None:
    """Explanations and strengths, where they were asked for."""
    rows = [row for row in state.rows if row is not None]
    explain, strong = _chosen(rows, how)
    todo = sorted(explain | strong)
    state.total += len(todo)
    wanted = {index: replace(how.wanted, explain=index in explain, strength=index in strong) for index in todo}
    calls: list[Call[RowResult]] = [(follow_up, (rows[index], wanted[index])) for index in todo]
    for index, row in zip(todo, _shared_out(calls, how.pool), strict=True):
        state.keep(index, row)


def _chosen(rows: Sequence[RowResult], how: Run) -> tuple[set[int], set[int]]:
    """Which rows to explain and to weigh: all, none, or the first of a long paper (``auto``).

    Where sizes are guesses a test is weighed once for each table (``auto``), if its reports can be counted: rows of one
    table are tested alike, and what is said of a guess should not take longer than the guess.
    """
    wrong = [index for index, row in enumerate(rows) if row.outcome is Outcome.INCONSISTENT]
    decided = [index for index, row in enumerate(rows) if row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT)]
    if how.strength == "auto":
        guessed = {index for index in decided if any(reading.assumed for reading in rows[index].readings)}
        first = {rows[index].table: index for index in reversed(decided) if index in guessed and _counted(rows[index])}
        decided = [index for index in decided if index not in guessed or index in first.values()]

    def some(wanted: bool | str, indices: list[int]) -> set[int]:
        return set(indices[:_MOST_FOLLOWED] if wanted == "auto" else indices if wanted else ())

    return some(how.explain, wrong), some(how.strength, decided)


def _counted(row: RowResult) -> bool:
    """Whether the first matrices that a row could be of are those of one test set."""
    problems = (reading.answer.problem for reading in row.readings)
    first = next((problem for problem in problems if isinstance(problem, BinaryProblem)), None)
    return first is not None and isinstance(first.experiment, TestSet)


def _shared_out(calls: Sequence[Call[RowResult]], pool: Pool | None) -> Iterator[RowResult]:
    """The results of some calls in order, from several processes where that pays: to start them takes seconds."""
    if pool is not None:
        yield from pool.at_most(len(calls)).results(calls)
        return
    start = time.monotonic()
    for done, (function, arguments) in enumerate(calls):
        left = len(calls) - done
        if left >= _FEW and time.monotonic() - start > _HERE:
            yield from all_cores().at_most(left).results(calls[done:])
            return
        yield function(*arguments)
