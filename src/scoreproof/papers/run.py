"""Running many rows: their verdicts, then why some do not fit and how strong the tests were.

A row about one matrix takes less time than sending it to another process, so only rows with folds or unknown classes
are spread over processes, on whose number nothing depends. What explains and weighs is loaded when first needed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.ask import shown_at_once
from scoreproof.errors import InvalidOption, ScoreproofError, fault
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Assumption, Variant, in_place
from scoreproof.papers.result import Outcome, RowResult, TableResult
from scoreproof.papers.task import RowReading, Task, audit_row, believed
from scoreproof.work.budget import Budget
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Call, Pool, all_cores, gc_paused, told

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation, TableExplanation
    from scoreproof.insight.strength_of_pass import Strength

Rows = Sequence[RowResult | None]
Progress = Callable[[int, int, str], None]
_HERE = 1.0  # seconds of work in this process before others are started
_FEW = 4  # costly rows for which other processes are not worth starting
_UNREACHED = ("not reached before the interruption",)
_MOST_FOLLOWED = 40  # rows that explain="auto" explains
_FOLLOWING = 5.0  # seconds for one explanation or strength, and to ask the scores of a row without its areas
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

    def of(self, row: RowResult) -> Iterator[Assumption[Any]]:
        """It as an explanation of the row takes it, if it could replace the row's experiment."""
        if not self.instead_of or {*self.instead_of} & {*row.experiment.split(", ")}:
            yield Assumption(self.name, self.label or self.name, self._variants)

    def _variants(self, problem: Any) -> Iterator[Variant[Any]]:
        for reading in self.readings:
            if (changed := in_place(problem, reading.experiment)) is not None:
                yield Variant(reading.label, changed)


@dataclass(frozen=True, slots=True)
class Run:
    """How to ask: seconds for a row, and which explanations and strengths to ask for (``auto``: of the first rows)."""

    budget: float
    seed: int
    explain: bool | str
    strength: bool | str
    hypotheses: tuple[Hypothesis, ...] = ()
    guess: float | None = None  # seconds for one guess of a paper

    @property
    def settings(self) -> str:
        """What the verdict of a row depends on beside the row itself."""
        asked = [(own.name, own.label, [str(r.experiment) for r in own.readings]) for own in self.hypotheses]
        told = (self.budget, self.guess, self.seed, self.explain, self.strength, asked)
        return f"budget, guess, seed, explain, strength, hypotheses: {told}"

    @property
    def following(self) -> float:
        """The seconds for one explanation or strength."""
        return min(self.budget, _FOLLOWING)


def run(
    tasks: Sequence[Task],
    how: Run,
    *,
    pool: Pool | None = None,
    journal: Journal[RowResult] | None = None,
    progress: Progress | None = None,
) -> tuple[list[RowResult], bool]:
    """The rows in the order of the tasks, and whether Ctrl-C stopped the run; the journal keeps verdicts alone."""
    keys = [task.digest(how.settings) for task in tasks] if journal is not None else []
    rows: list[RowResult | None] = [None] * len(tasks)
    done, total = 0, len(tasks)

    def keep(index: int, row: RowResult) -> None:
        nonlocal done
        rows[index] = row
        done += 1
        if progress is not None:
            told(progress, done, total, row.label)

    for index, row in _kept(tasks, keys, journal) if journal is not None else ():
        keep(index, row)
    interrupted = False
    try:
        for index, row in _verdicts(tasks, rows, how, pool):
            keep(index, row)
            if journal is not None:
                journal[keys[index]] = row
        chosen = _chosen([row for row in rows if row is not None], how)
        total += len(chosen)
        calls: list[Call[RowResult]] = [(follow_up, (rows[index], how, *wanted)) for index, wanted in chosen.items()]
        for index, row in zip(chosen, _shared_out(calls, pool), strict=True):
            keep(index, row)
    except KeyboardInterrupt:
        interrupted = True
    if journal is not None:
        for key, reached in zip(keys, rows, strict=True):
            if reached is not None and key not in journal:  # Ctrl-C came between the row and its line
                journal[key] = reached
    unreached = (row or tasks[index].result(Outcome.NOT_TESTED, notes=_UNREACHED) for index, row in enumerate(rows))
    return list(unreached), interrupted


def _kept(tasks: Sequence[Task], keys: Sequence[str], journal: Journal[RowResult]) -> Iterator[tuple[int, RowResult]]:
    """The rows of an earlier run that are believed."""
    if keys and journal.earlier and not any(key in journal for key in keys):
        raise InvalidOption("resume: the journal is of another specification, options or files; name another journal")
    for index, key in enumerate(keys):
        row = believed(tasks[index], journal[key]) if key in journal else None
        if row is not None:
            yield index, row


def _verdicts(tasks: Sequence[Task], rows: Rows, how: Run, pool: Pool | None) -> Iterator[tuple[int, RowResult]]:
    """Every row's verdict that is not known yet: the quick ones here, the others where there is room."""
    costly = []
    with gc_paused():
        lone = (task.posed[0].problem if len(task.posed) == 1 and not task.error else None for task in tasks)
        shown = shown_at_once([problem if row is None else None for problem, row in zip(lone, rows, strict=True)])
        for index, task in enumerate(tasks):
            if rows[index] is not None:
                continue
            if shown[index] is not None or task.quick:
                yield index, audit_row(task, how.budget, how.seed, how.guess, shown[index])
            else:
                costly.append(index)
    calls: list[Call[RowResult]] = [(audit_row, (tasks[index], how.budget, how.seed, how.guess)) for index in costly]
    yield from zip(costly, _shared_out(calls, pool), strict=True)


def _chosen(rows: Sequence[RowResult], how: Run) -> dict[int, tuple[bool, bool]]:
    """Which rows to explain and to weigh: all, none, or the first of a long paper, one of each table with guesses."""
    wrong = [index for index, row in enumerate(rows) if row.outcome is Outcome.INCONSISTENT]
    decided = [index for index, row in enumerate(rows) if row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT)]
    if how.strength == "auto":
        guessed = {index for index in decided if any(reading.assumed for reading in rows[index].readings)}
        first = {rows[index].table: index for index in reversed(decided) if index in guessed and _counted(rows[index])}
        decided = [index for index in decided if index not in guessed or index in first.values()]

    def some(wanted: bool | str, indices: list[int]) -> set[int]:
        return set(indices[:_MOST_FOLLOWED] if wanted == "auto" else indices if wanted else ())

    explain, strong = some(how.explain, wrong), some(how.strength, decided)
    return {index: (index in explain, index in strong) for index in sorted(explain | strong)}


def _counted(row: RowResult) -> bool:
    """Whether the first matrices that a row could be of are those of one test set."""
    problems = [each.answer.problem for each in row.readings if isinstance(each.answer.problem, BinaryProblem)]
    return bool(problems) and isinstance(problems[0].experiment, TestSet)


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


def follow_up(row: RowResult, how: Run, explain: bool, strong: bool) -> RowResult:
    """The row with its explanation and its strength, where these can be had."""
    try:
        if explain and row.outcome is Outcome.INCONSISTENT:
            row = replace(row, explanation=explanation(row, how.following, how.hypotheses))
        if strong and row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT):
            row = replace(row, strength=strength(row, how))
    except Exception as error:  # its verdict stands, and the other rows are asked about
        row = replace(row, notes=(*row.notes, fault(error)), by_fault=True)
    return row


def explanation(row: RowResult, seconds: float, hypotheses: Sequence[Hypothesis] = ()) -> Explanation | None:
    """Why a row does not fit, and what would make it fit; of several readings the first is explained, and named."""
    from scoreproof.insight.explanation import explain

    first = next(reading for reading in row.readings if reading.verdict is Verdict.INCONSISTENT)
    own = [assumption for hypothesis in hypotheses for assumption in hypothesis.of(row)]
    with suppress(ScoreproofError):
        why = explain(first.answer, hypotheses=own, budget=Budget.of_work(seconds))
        return replace(why, reading=first.label) if len(row.readings) > 1 else why
    return None


def strength(row: RowResult, how: Run) -> Strength | None:
    """How many of the possible reports with these digits would have passed, also where areas stand beside them."""
    for answer in (reading.answer for reading in row.readings):
        problem = answer.problem
        if isinstance(problem, CurveProblem) and isinstance(problem.base, BinaryProblem) and problem.base.claims:
            answer = ask(problem.base, budget=Budget.of_work(_FOLLOWING))
        if answer.problem.kind == "binary":
            from scoreproof.insight.strength_of_pass import strength as measured

            with suppress(ScoreproofError):
                return measured(answer, budget=Budget.of_work(how.following), seed=how.seed)
            return None
    return None


def with_explanations(table: TableResult, how: Run) -> TableResult:
    """The table with one row of each question explained, and the comparisons that fail: the conflict and repairs."""
    from scoreproof.insight.explanation import explain

    seconds, rows, checks = min(how.following, _BRIEFLY), list(table.rows), list(table.checks)
    for question in table.questions[:_MOST_QUESTIONS]:
        asked = [k for k, row in enumerate(rows) if row.row in question.rows and row.outcome is Outcome.QUESTION]
        if asked and all(rows[k].explanation is None for k in asked):
            rows[asked[0]] = replace(rows[asked[0]], explanation=explanation(rows[asked[0]], seconds))
    failing = [k for k, check in enumerate(checks) if check.verdict is Verdict.INCONSISTENT]
    for k in failing[:_MOST_QUESTIONS]:
        with suppress(ScoreproofError):
            why = explain(checks[k].answer, assumptions=False, budget=Budget.of_work(seconds))
            checks[k] = replace(checks[k], explanation=why)
    return replace(table, rows=tuple(rows), checks=tuple(checks))


def explain_table(rows: Sequence[RowResult], how: Run) -> TableExplanation | None:
    """Which assumption alone would explain all rows of a table that share an experiment."""
    wrong = next((row for row in rows if row.outcome is Outcome.INCONSISTENT), None)
    alike = [row for row in rows if wrong is not None and _experiments(row) == _experiments(wrong)]
    if wrong is None or not 2 <= len(alike) <= _MOST_TABLE_ROWS or wrong.readings[0].answer.problem.kind != "binary":
        return None
    from scoreproof.insight.explanation import explain_table as explained

    answers: dict[str, Answer[Any, Any]] = {}
    for row in alike:
        label = row.label if row.label not in answers else f"{row.label} (row {row.row + 1})"
        fitting = (reading.answer for reading in row.readings if reading.verdict is Verdict.CONSISTENT)
        answers[label] = next(fitting, row.readings[0].answer)
    own = [assumption for hypothesis in how.hypotheses for assumption in hypothesis.of(wrong)]
    with suppress(ScoreproofError):
        return explained(answers, hypotheses=own, budget=Budget.of_work(how.following))
    return None


def _experiments(row: RowResult) -> list[Any]:
    problems = [reading.answer.problem for reading in row.readings]
    return [problem.experiment for problem in problems if hasattr(problem, "experiment")]
