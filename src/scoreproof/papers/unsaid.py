"""Conventions that nobody stated, weighed by a table: one holds for a whole column, and so for all of its rows.

A row that is impossible as it was read is a question if an unsaid convention of the registry lets it pass
(``checking.admitted``) and the rows that pass as read may follow that convention, too. Where one of them may not, the
table speaks against the convention, and the row stays impossible: neighbours keep the power of the test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scoreproof.checking import Verdict, admitted
from scoreproof.checking.unsaid import Fit, outcomes
from scoreproof.kinds.conventions import Convention
from scoreproof.kinds.kind import Problem
from scoreproof.papers.result import Answered, Outcome, Question, RowResult
from scoreproof.reported.conventions import Conventions
from scoreproof.work.budget import Budget

_SECONDS = 2.0  # for the conventions of one row
_MOST = 6  # other rows that are asked about a convention
_CLEARED_BY = "saying how the numbers were computed (an option of the table, or strict)"


def with_unsaid(rows: Sequence[RowResult], how: Conventions) -> tuple[tuple[RowResult, ...], tuple[Question, ...]]:
    """The rows, those that an unsaid convention may save as questions, and one question for each convention."""
    asked: dict[str, list[RowResult]] = {}
    judged: list[RowResult] = []
    for row in rows:
        saved = _saved_by(row, rows, how) if row.outcome is Outcome.INCONSISTENT and not how.strict else None
        if saved is not None:
            condition = f"no convention is followed that nobody states (it would fit if {saved.label})"
            readings = tuple(replace(each, assumed=each.assumed or condition) for each in row.readings)
            row = replace(row, outcome=Outcome.QUESTION, readings=readings)
            asked.setdefault(condition, []).append(row)
        judged.append(row)
    questions = (_question(condition, about, rows) for condition, about in asked.items())
    return tuple(judged), tuple(questions)


def _saved_by(row: RowResult, rows: Sequence[RowResult], how: Conventions) -> Convention | None:
    """The commonest convention under which a row is possible and the others are, too."""
    for reading in row.readings:
        if reading.verdict is not Verdict.INCONSISTENT or reading.assumed:
            continue
        beside = [other for row in rows for other in row.readings if _passes_alike(other, reading)]
        for convention, _ in admitted(reading.answer.problem, how, budget=Budget.of_work(_SECONDS)):
            if all(_allows(convention, other.answer.problem) for other in beside[:_MOST]):
                return convention
    return None


def _passes_alike(other: Answered, reading: Answered) -> bool:
    alike = other.label == reading.label and other.answer.problem.kind == reading.answer.problem.kind
    return alike and other.verdict is Verdict.CONSISTENT


def _allows(convention: Convention, problem: Problem) -> bool:
    """Whether a row that is possible as read may follow a convention; one that says nothing of it does."""
    tried = [each.answer for each in outcomes(problem, convention, Budget.of_work(_SECONDS))]
    return not tried or any(answer is not Fit.DOES_NOT_FIT for answer in tried)


def _question(condition: str, about: Sequence[RowResult], rows: Sequence[RowResult]) -> Question:
    failing = next(each for each in about[0].readings if each.verdict is Verdict.INCONSISTENT)
    passing = sum(any(_passes_alike(other, failing) for other in row.readings) for row in rows)
    labels = tuple(row.label or f"row {row.row + 1}" for row in about)
    places = tuple(row.row for row in about)
    return Question(places, condition, passing, len(about), labels, failing.answer.reason, _CLEARED_BY)
