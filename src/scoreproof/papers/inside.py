"""What a table says against itself.

An average is compared with its fold rows, a class report with its own averages, scores with the confusion matrix in
the same row, and counts with counts: each a problem of its own kind, asked without knowing the experiment.

Rows stated to be on one test set share its prevalence, or the variance of its true values, though nobody printed it.

Each row bounds the prevalence (or the variance) on its own. Two rows whose bounds do not meet cannot come from one test
set: a problem of its own kind, with its own proof.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.one_test_set import OneTestSetProblem, ScoredRow
from scoreproof.kinds.printed_matrix import PrintedMatrixProblem, printed_matrix
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.kinds.shared_variance import COMPARED, SharedVarianceProblem
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem, prevalence_range
from scoreproof.papers.result import Outcome, RowResult, TableCheck
from scoreproof.papers.table_semantics import ClassReport, FoldBlock, Interpretation, Report, RowKind
from scoreproof.papers.task import Task
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_OF_ONE_MATRIX = (RowKind.RESULT, RowKind.FOLD, RowKind.CLASS)
_SECONDS = 5.0  # for one comparison


def checks_inside(
    found: Interpretation,
    tested: Sequence[Report],
    rounding: str | None,
    eps: str | None,
    averaged: Callable[[FoldBlock], bool],
    *,
    one_matrix: bool,
) -> tuple[TableCheck, ...]:
    """Every exact comparison that needs nothing but the table.

    ``tested`` are the rows whose scores are of the data that their counts are of; ``averaged`` says which folds have a
    plain mean; ``one_matrix`` that nothing is known of folds or parts, so that a class report is one confusion matrix.
    """
    rule: dict[str, Any] = {"eps": eps} if eps else {"rounding": rounding}
    return (
        *_folds(found, rounding, averaged),
        *(_class_report(found.class_report, rounding, eps) if one_matrix else ()),
        *_matrices(tested, rule),
        *_one_class(found, tested, rule),
    )


def _asked(problem: Problem) -> Answer[Any, Any]:
    return ask(problem, budget=Budget.of_work(_SECONDS))


def _folds(found: Interpretation, rounding: str | None, averaged: Callable[[FoldBlock], bool]) -> Iterator[TableCheck]:
    for block in found.folds:
        if block.mean is None or not averaged(block):
            continue
        name = ", ".join(filter(None, (block.label, block.group)))
        for check in block.check_averages(rounding=rounding or "any"):
            before = f"{name}: " if name else ""
            yield TableCheck(f"{before}{check.what}", check.answer, f"{before}{check}", (block.mean.row,))


def _class_report(report: ClassReport | None, rounding: str | None, eps: str | None) -> Iterator[TableCheck]:
    """The averages of a class report against its rows, and the classes against each other."""
    if report is None:
        return
    for check in report.check_averages(rounding=rounding, eps=eps):
        yield TableCheck(check.what, check.answer, str(check))
    try:
        problem = report.coupled(rounding=rounding, eps=eps)
        answer = None if problem is None else _asked(problem)
    except ScoreproofError:
        return  # the class rows carry the error themselves
    if answer is not None:
        who = "both classes" if len(report.classes) == 2 else f"the {len(report.classes)} classes"
        yield TableCheck(f"{who} as one matrix", answer, f"{who} read as one confusion matrix: {answer}")


def _matrices(tested: Sequence[Report], rule: dict[str, Any]) -> Iterator[TableCheck]:
    """The scores of a row against the counts in the same row."""
    for row in tested:
        if not row.counts or row.counts.plain or row.kind is RowKind.DIFFERENCE:
            continue
        counts = row.counts.printed()
        if not counts:
            continue
        name = row.label or f"row {row.row + 1}"
        alone = _asked(printed_matrix(counts))
        if alone.verdict is Verdict.INCONSISTENT:
            words = f"{name}: the counts contradict each other: {alone.reason}"
            yield TableCheck(f"counts of {name}", alone, words, (row.row,))
        elif row.counts.matrix() is not None:
            yield from _against(row, name, counts, rule)


def _against(row: Report, name: str, counts: Any, rule: dict[str, Any]) -> Iterator[TableCheck]:
    """Each score that the matrix does not give, and all those that it gives together; means over runs it need not."""
    fitting: dict[str, str] = {}
    for score, text in row.scores.items():
        if "±" in text:
            continue
        try:
            answer = _asked(printed_matrix(counts, {score: text}, undefined="zero", **rule))
        except ScoreproofError:
            continue  # the row carries the error itself
        if answer.verdict is Verdict.CONSISTENT:
            fitting[score] = text
            continue
        words = f"{name}: {score} is printed as {text}, but {answer.reason or 'this is not decided'}"
        yield TableCheck(f"{score} of {name}", answer, words, (row.row,))
    if fitting:
        problem: PrintedMatrixProblem = printed_matrix(counts, fitting, undefined="zero", **rule)
        answer = _asked(problem)
        words = f"{name}: {', '.join(fitting)} follow from the matrix in the row ({answer.witness})"
        yield TableCheck(f"scores of {name}", answer, words, (row.row,))


def _one_class(found: Interpretation, tested: Sequence[Report], rule: dict[str, Any]) -> Iterator[TableCheck]:
    """A rate of one class against the size of that class, where the other class's is not known."""
    for row in tested:
        if not row.counts or row.counts.plain or row.kind not in _OF_ONE_MATRIX or found.over_classes(row.group):
            continue
        known = row.counts.completed()
        if known.conflict or (known.p is not None and known.n is not None):
            continue
        p = known.support if row.kind is RowKind.CLASS else known.p
        n = known.n if p is None else None
        alone = TestSet(p, 0) if p else TestSet(0, n) if n else None
        own = ("sens", "fnr") if p else ("spec", "fpr")
        scores = {name: text for name, text in row.scores.items() if name in own and "±" not in text}
        if alone is None or not scores:
            continue
        try:
            answer = _asked(BINARY.problem(alone, scores, **rule))
        except ScoreproofError:
            continue  # the row carries the error itself
        name = row.label or f"row {row.row + 1}"
        words = f"{name}, the {p or n} cases of one class alone: {answer}"
        yield TableCheck(f"{', '.join(scores)} of {name}", answer, words, (row.row,))


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
