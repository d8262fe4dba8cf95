"""Rows stated to be on one test set share its prevalence, or the variance of its true values, though nobody printed it.

Each row bounds the prevalence (or the variance) on its own. Two rows whose bounds do not meet cannot come from one test
set: a problem of its own kind, with its own proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.checking import Verdict, ask
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.one_test_set import OneTestSetProblem, ScoredRow
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.kinds.shared_variance import COMPARED, SharedVarianceProblem
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem, prevalence_range
from scoreproof.papers.result import Outcome, RowResult, TableCheck
from scoreproof.papers.task import Task
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_MOST_ROWS = 60  # of one test set that are compared with each other
_FEWEST_SCORES = 3  # fewer leave the prevalence open

Span = tuple[Fraction, Fraction]


def shared_test_sets(tasks: Sequence[Task], rows: Sequence[RowResult], budget: float) -> tuple[TableCheck, ...]:
    """For every test set of unknown classes the first two rows that cannot share it, with the proof."""
    alike: dict[Any, list[tuple[RowResult, UnknownClassesProblem]]] = {}
    for index, row in enumerate(rows):
        if row.outcome is not Outcome.CONSISTENT or len(row.readings) != 1 or len(row.cells) < _FEWEST_SCORES:
            continue
        problem = row.readings[0].answer.problem
        if isinstance(problem, CurveProblem):  # the scores beside its areas
            problem = problem.base
        if isinstance(problem, UnknownClassesProblem) and all(claim.low > 0 for claim in problem.claims):
            task = tasks[index]  # a printed 0 may stand for 0/0, which no prevalence explains
            if task.shared and not any("±" in cell.text for cell in row.cells):  # means over runs have no matrix
                key = (task.experiment, task.group, task.section, problem.experiment)
                alike.setdefault(key, []).append((row, problem))
    return tuple(check for group in alike.values() for check in _apart(group[:_MOST_ROWS], budget))


def _apart(group: Sequence[tuple[RowResult, UnknownClassesProblem]], budget: float) -> Iterator[TableCheck]:
    spans: list[tuple[RowResult, UnknownClassesProblem, Span]] = []
    for row, problem in group if len(group) > 1 else ():
        span = prevalence_range(problem, Budget.of_work(budget))
        if span is not None:
            spans.append((row, problem, span))
    for (first, lower, below), (second, upper, above) in itertools.permutations(spans, 2):
        if below[1] < above[0]:
            pair = (ScoredRow.of(first.label, lower.claims), ScoredRow.of(second.label, upper.claims))
            answer = ask(
                OneTestSetProblem(pair, lower.experiment.totals, lower.undefined), budget=Budget.of_work(budget)
            )
            if answer.verdict is Verdict.INCONSISTENT:
                names = f"{first.label} and {second.label}"
                words = f"{names} are stated to be on one test set, but {answer.reason}"
                yield TableCheck(f"the prevalence of {names}", answer, words, (first.row, second.row))
                return


def shared_variances(tasks: Sequence[Task], rows: Sequence[RowResult], budget: float) -> tuple[TableCheck, ...]:
    """For every test set of predicted numbers the first two rows that need different variances, with the proof."""
    alike: dict[Any, list[tuple[RowResult, tuple[Claim, ...]]]] = {}
    for index, row in enumerate(rows):
        problem = row.readings[0].answer.problem if len(row.readings) == 1 else None
        if not isinstance(problem, RegressionProblem) or problem.experiment.folds is not None:
            continue
        claims = tuple(claim for claim in problem.claims if claim.quantity.name in COMPARED)
        if row.outcome is Outcome.INCONSISTENT or not {"r2"} < {claim.quantity.name for claim in claims}:
            continue
        task = tasks[index]
        if task.shared and not any("±" in cell.text for cell in row.cells):  # means over runs share no variance
            alike.setdefault((task.experiment, task.group, task.section), []).append((row, claims))
    return tuple(check for group in alike.values() for check in _unlike(group[:_MOST_ROWS], budget))


def _unlike(group: Sequence[tuple[RowResult, tuple[Claim, ...]]], budget: float) -> Iterator[TableCheck]:
    for (first, claims), (second, others) in itertools.combinations(group, 2):
        pair = (ScoredRow.of(first.label, claims), ScoredRow.of(second.label, others))
        if {claim.name for claim in pair[0].claims} & {claim.name for claim in pair[1].claims}:
            continue  # rows of one name are not told apart
        answer = ask(SharedVarianceProblem(pair), budget=Budget.of_work(budget))
        if answer.verdict is Verdict.INCONSISTENT:
            names = f"{first.label} and {second.label}"
            words = f"{names} are stated to be on one test set, but {answer.reason}"
            yield TableCheck(f"the variance of {names}", answer, words, (first.row, second.row))
            return
