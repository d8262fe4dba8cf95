"""What is asked about a row once its verdict is known: why it does not fit, and how strong the test was.

This is the only module of the audit that knows ``explanation`` and ``detectability``; both are loaded when they are
first needed. The user's own hypotheses go to the explanation, each in all its readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scoreproof.asking import Verdict
from scoreproof.asking.answer import CheckResult
from scoreproof.audits.readings import Reading, UnknownClasses
from scoreproof.audits.result import Outcome, RowResult, TableResult
from scoreproof.audits.task import Task, checked, reconstructed
from scoreproof.errors import ScoreproofError

if TYPE_CHECKING:
    from scoreproof.explanation import Hypothesis as Explaining
    from scoreproof.explanation.question import Question

Document = dict[str, Any]
_MOST_TABLE_ROWS = 40  # a longer table is explained row by row only


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Another experiment that might explain a row, in all its readings."""

    name: str
    label: str
    readings: tuple[Reading, ...]
    instead_of: tuple[str, ...] = ()

    def about(self, task: Task) -> bool:
        """Whether it could replace the experiment of a row."""
        return not self.instead_of or bool({*self.instead_of} & {*task.experiment.split(", ")})


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


def follow_up(task: Task, row: RowResult, wanted: Wanted) -> RowResult:
    """The row with its explanation and its strength, where these can be had."""
    if wanted.explain and row.outcome is Outcome.INCONSISTENT:
        row = replace(row, explanation=explanation(task, wanted))
    if wanted.strength and row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT):
        row = replace(row, strength=strength(task, wanted))
    return row


def explanation(task: Task, wanted: Wanted) -> Document | None:
    """Why a row does not fit, and what would make it fit; of several readings the first is explained, and named."""
    from scoreproof.explanation import explain

    reading = task.readings[0]
    try:
        if isinstance(reading.experiment, UnknownClasses):
            found = explain(reconstructed(task, reading.experiment, budget=wanted.budget), budget=wanted.budget)
        else:
            result = checked(task, reading, budget=wanted.budget, seed=wanted.seed)
            found = explain(result, hypotheses=_own(task, wanted), budget=wanted.budget)
    except ScoreproofError:
        return None  # the verdict stands without its explanation
    document = found.to_dict()
    if len(task.readings) > 1:
        document["reading"] = reading.label
        document["summary"] = f"Read as {reading.label}: {found.summary}"
    return document


def _own(task: Task, wanted: Wanted) -> list[Explaining]:
    """The user's hypotheses about a row, as the explanation takes them."""
    from scoreproof.explanation import Hypothesis as Explaining

    return [
        Explaining(one.name, one.label or one.name, _Variants(one.readings))
        for one in wanted.hypotheses
        if one.about(task)
    ]


@dataclass(frozen=True, slots=True)
class _Variants:
    """The readings of a hypothesis, asked instead of the stated experiment."""

    readings: tuple[Reading, ...]

    def __call__(self, question: Question) -> Iterator[tuple[str, Question | None]]:
        for one in self.readings:
            if not isinstance(one.experiment, UnknownClasses):
                yield one.label, question.with_experiment(one.experiment)


def strength(task: Task, wanted: Wanted) -> Document | None:
    """How many of the possible reports with these digits would have passed."""
    from scoreproof.detectability import strength as measured

    reading = next((one for one in task.readings if not isinstance(one.experiment, UnknownClasses)), None)
    if reading is None:
        return None
    try:
        result = checked(task, reading, budget=wanted.budget, seed=wanted.seed)
        return measured(result, budget=wanted.budget, seed=wanted.seed).to_dict()
    except ScoreproofError:
        return None


def explain_table(table: TableResult, tasks: Sequence[Task], wanted: Wanted) -> Document | None:
    """Which assumption alone would explain all rows of a table that share an experiment."""
    wrong = [index for index, row in enumerate(table.rows) if row.outcome is Outcome.INCONSISTENT]
    if not wanted.explain or not wrong:
        return None
    stated = tasks[wrong[0]].readings
    alike = [index for index, task in enumerate(tasks) if task.readings == stated]
    if not 2 <= len(alike) <= _MOST_TABLE_ROWS or any(isinstance(one.experiment, UnknownClasses) for one in stated):
        return None
    from scoreproof.explanation import explain_table as explained

    try:
        results = _results([(table.rows[index], tasks[index]) for index in alike], wanted)
        return explained(results, hypotheses=_own(tasks[wrong[0]], wanted), budget=wanted.budget).to_dict()
    except ScoreproofError:
        return None


def _results(rows: Sequence[tuple[RowResult, Task]], wanted: Wanted) -> Mapping[str, CheckResult]:
    """The check of each row under the reading it fits, or under the first if it fits none."""
    found: dict[str, CheckResult] = {}
    for row, task in rows:
        fitting = (place for place, one in enumerate(row.readings) if one.verdict is Verdict.CONSISTENT)
        label = row.label if row.label not in found else f"{row.label} (row {row.row + 1})"
        found[label] = checked(task, task.readings[next(fitting, 0)], budget=wanted.budget, seed=wanted.seed)
    return found


def chosen(rows: Sequence[RowResult], explain: bool | str, strong: bool | str, most: int) -> tuple[set[int], set[int]]:
    """Which rows to explain and to weigh: all, none, or the first ``most`` of a long paper (``auto``)."""
    wrong = [index for index, row in enumerate(rows) if row.outcome is Outcome.INCONSISTENT]
    decided = [index for index, row in enumerate(rows) if row.outcome in (Outcome.CONSISTENT, Outcome.INCONSISTENT)]

    def some(wanted: bool | str, indices: list[int]) -> set[int]:
        if wanted == "auto":
            return set(indices[:most])
        return set(indices) if wanted else set()

    return some(explain, wrong), some(strong, decided)
