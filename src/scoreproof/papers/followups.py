"""What is asked about a row once its verdict is known: why it does not fit, and how strong the test was.

This is the only module of the audit that knows ``explanation`` and ``detectability``; both are loaded when first
needed. The user's own hypotheses go to the explanation, each in all its readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.errors import ScoreproofError, fault
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Assumption, Variant, in_place
from scoreproof.papers.result import Outcome, RowResult
from scoreproof.papers.row_reading import RowReading
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation
    from scoreproof.insight.strength_of_pass import Strength
    from scoreproof.insight.table_explanation import TableExplanation

_ALONE = 5.0  # seconds to ask the scores of a row without its areas
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

    def __bool__(self) -> bool:
        return self.explain or self.strength


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

    first = row.readings[0]
    try:
        said = explain(first.answer, hypotheses=_own(row, wanted), budget=Budget.of_work(wanted.budget))
    except ScoreproofError:
        return None
    return replace(said, reading=first.label) if len(row.readings) > 1 else said


def _own(row: RowResult, wanted: Wanted) -> list[Assumption[Any]]:
    """The user's hypotheses about a row, as the explanation takes them."""
    return [
        Assumption(hypothesis.name, hypothesis.label or hypothesis.name, _Variants(hypothesis.readings))
        for hypothesis in wanted.hypotheses
        if hypothesis.about(row)
    ]


@dataclass(frozen=True, slots=True)
class _Variants:
    """The readings of a hypothesis, asked instead of the stated experiment."""

    readings: tuple[RowReading, ...]

    def __call__(self, problem: Any) -> Iterator[Variant[Any]]:
        for reading in self.readings:
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
    from scoreproof.insight.table_explanation import explain_table as explained

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


def chosen(rows: Sequence[RowResult], explain: bool | str, strong: bool | str, most: int) -> tuple[set[int], set[int]]:
    """Which rows to explain and to weigh: all, none, or the first ``most`` of a long paper (``auto``).

    Where sizes are guesses a test is weighed once for each table (``auto``), if its reports can be counted: rows of one
    table are tested alike, and what is said of a guess should not take longer than the guess.
    """
    wrong = [index for index, row in enumerate(rows) if row.outcome is Outcome.INCONSISTENT]
    decided = [index for index, row in enumerate(rows) if row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT)]
    weighed = _weighed(rows, decided) if strong == "auto" else decided

    def some(wanted: bool | str, indices: list[int]) -> set[int]:
        if wanted == "auto":
            return set(indices[:most])
        return set(indices) if wanted else set()

    return some(explain, wrong), some(strong, weighed)


def _weighed(rows: Sequence[RowResult], decided: Sequence[int]) -> list[int]:
    """The rows whose test is worth weighing: all of known sizes, of guessed ones the first of each table."""
    weighed, tables = [], set()
    for index in decided:
        row = rows[index]
        if any(reading.assumed for reading in row.readings):
            if row.table in tables or not _counted(row):
                continue
            tables.add(row.table)
        weighed.append(index)
    return weighed


def _counted(row: RowResult) -> bool:
    """Whether the first matrices that a row could be of are those of one test set."""
    problems = (reading.answer.problem for reading in row.readings)
    first = next((problem for problem in problems if isinstance(problem, BinaryProblem)), None)
    return first is not None and isinstance(first.experiment, TestSet)
