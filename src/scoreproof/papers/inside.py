"""What a table says against itself.

An average is compared with its fold rows, a class report with its own averages, scores with the confusion matrix in
the same row, and counts with counts. Rows stated to be on one test set share its prevalence, or the variance of its
true values, though nobody printed it: two rows whose bounds do not meet cannot come from one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.errors import ScoreproofError
from scoreproof.insight.conflicts import conflict_alone
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.one_test_set import OneTestSetProblem, ScoredRow
from scoreproof.kinds.printed_matrix import printed_matrix
from scoreproof.kinds.regression.kind import COMPARED, SharedVarianceProblem
from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem, prevalence_range
from scoreproof.papers.result import Outcome, RowResult, TableCheck
from scoreproof.papers.table_semantics import ClassReport, FoldBlock, Interpretation, Report, RowKind
from scoreproof.papers.task import Task
from scoreproof.work.budget import Budget

_OF_ONE_MATRIX = (RowKind.RESULT, RowKind.FOLD, RowKind.CLASS)
_SECONDS = 5.0  # for one comparison
_MOST_ROWS = 60  # of one test set that are compared with each other
_FEWEST_SCORES = 3  # fewer leave the prevalence open
Rule = dict[str, Any]
Alike = Sequence[tuple[RowResult, Any]]  # rows of one test set, with their problems


def checks_inside(
    meaning: Interpretation, tested: Sequence[Report], rule: Rule, averaged: Sequence[FoldBlock], *, one_matrix: bool
) -> tuple[TableCheck, ...]:
    """Every exact comparison that needs nothing but the table.

    ``tested`` are the rows whose scores are of the data that their counts are of, ``averaged`` the folds with a plain
    mean; ``one_matrix``: nothing is known of folds or parts, so that a class report is one confusion matrix.
    """
    counted = [row for row in tested if row.counts and not row.counts.plain]
    return (
        *_folds(averaged, rule.get("rounding") or "any"),
        *(_class_report(meaning.class_report, rule) if one_matrix and meaning.class_report is not None else ()),
        *(check for row in counted for check in _matrix(row, rule)),
        *(check for row in counted if not meaning.over_classes(row.group) for check in _one_class(row, rule)),
    )


def _asked(problem: Problem) -> Answer[Any, Any]:
    return ask(problem, budget=Budget.of_work(_SECONDS))


def _folds(averaged: Sequence[FoldBlock], rounding: str) -> Iterator[TableCheck]:
    for block in averaged:
        name = ", ".join(filter(None, (block.label, block.group)))
        before = f"{name}: " if name else ""
        for check in block.check_averages(rounding=rounding):
            rows = () if block.mean is None else (block.mean.row,)
            yield TableCheck(f"{before}{check.what}", check.answer, f"{before}{check}", rows)


def _class_report(report: ClassReport, rule: Rule) -> Iterator[TableCheck]:
    """The averages of a class report against its rows, and the classes against each other."""
    for check in report.check_averages(**rule):
        yield TableCheck(check.what, check.answer, str(check))
    with suppress(ScoreproofError):  # the class rows carry the error themselves
        if (problem := report.coupled(**rule)) is not None:
            who = "both classes" if len(report.classes) == 2 else f"the {len(report.classes)} classes"
            answer = _asked(problem)
            yield TableCheck(f"{who} as one matrix", answer, f"{who} read as one confusion matrix: {answer}")


def _matrix(row: Report, rule: Rule) -> Iterator[TableCheck]:
    """The counts of a row, each score that their matrix does not give, and all those that it gives together."""
    counts, name, fitting = row.counts.printed(), row.label or f"row {row.row + 1}", dict[str, str]()
    if not counts or row.kind is RowKind.DIFFERENCE:
        return
    alone = _asked(printed_matrix(counts))
    if alone.verdict is Verdict.INCONSISTENT:
        words = f"{name}: the counts contradict each other: {alone.reason}"
        yield TableCheck(f"counts of {name}", alone, words, (row.row,))
        return
    scores = row.scores.items() if row.counts.matrix() is not None else ()
    for score, text in ((score, text) for score, text in scores if "±" not in text):  # which is of means over runs
        with suppress(ScoreproofError):  # the row carries the error itself
            answer = _asked(printed_matrix(counts, {score: text}, undefined="zero", **rule))
            if answer.verdict is Verdict.CONSISTENT:
                fitting[score] = text
            else:
                words = f"{name}: {score} is printed as {text}, but {answer.reason or 'this is not decided'}"
                yield TableCheck(f"{score} of {name}", answer, words, (row.row,))
    if fitting:
        answer = _asked(printed_matrix(counts, fitting, undefined="zero", **rule))
        words = f"{name}: {', '.join(fitting)} follow from the matrix in the row ({answer.witness})"
        yield TableCheck(f"scores of {name}", answer, words, (row.row,))


def _one_class(row: Report, rule: Rule) -> Iterator[TableCheck]:
    """A rate of one class against the size of that class, where the other class's is not known."""
    known = row.counts.completed()
    if row.kind not in _OF_ONE_MATRIX or known.conflict or None not in (known.p, known.n):
        return
    p = known.support if row.kind is RowKind.CLASS else known.p
    cases, own = (known.n, ("spec", "fpr")) if p is None else (p, ("sens", "fnr"))
    scores = {name: text for name, text in row.scores.items() if name in own and "±" not in text}
    if not cases or not scores:
        return
    with suppress(ScoreproofError):  # the row carries the error itself
        answer = _asked(BINARY.problem(TestSet(0, cases) if p is None else TestSet(cases, 0), scores, **rule))
        name = row.label or f"row {row.row + 1}"
        conflict = conflict_alone(answer.problem) if answer.verdict is Verdict.INCONSISTENT else None
        printed = f"{', '.join(map(' '.join, scores.items()))} of {cases:,} {'negatives' if p is None else 'positives'}"
        words = f"{printed}: {answer.verdict}" if conflict is None else conflict.words
        words = words.replace(" positives", " cases of this class") if row.kind is RowKind.CLASS else words
        yield TableCheck(f"{', '.join(scores)} of {name}", answer, f"{name}: {words}", (row.row,))


def macros_elsewhere(meaning: Interpretation, others: Iterable[Interpretation]) -> Iterator[TableCheck]:
    """Macro averages of a method against its classes in another table, which names it over columns or in its caption.

    A row is compared only if two of its scores are the means of its classes: other averages are usual, too.
    """
    results = [row for row in meaning.reports if row.kind is RowKind.RESULT and row.label]
    for other in others:
        rows = [row for row in other.reports if row.kind is RowKind.CLASS]
        caption = other.table.caption if rows else ""
        whole = [(row.label, rf"(?<!\w){re.escape(row.label)}(?!\w)") for row in results if row.label in caption]
        named = [label for label, word in whole if re.search(word, caption)]
        for row in results if rows else ():
            group = "" if named == [row.label] else row.label
            own = [each for each in rows if each.group == group]
            averaged = bool(meaning.over_classes(row.group))
            checks = list(_macros(row, own, averaged=averaged)) if len(own) > 1 else []
            if sum(check.verdict is Verdict.CONSISTENT for check in checks) > 1:
                yield from checks


def _macros(row: Report, classes: Sequence[Report], *, averaged: bool) -> Iterator[TableCheck]:
    for value in row.values:
        texts = [each.scores.get(value.score, "") for each in classes]
        macro = value.qualifier == "macro" or (averaged and not value.qualifier)
        if macro and not value.statistic and value.score not in ("acc", "err") and all(texts):
            with suppress(ScoreproofError):  # the row carries the error itself
                answer = _asked(printed_average(value.score, texts, value.text, rounding="any"))
                means = answer.reason or f"macro {value.score} is the mean of its {len(classes)} classes"
                what = f"macro {value.score} of {row.label} and its classes in another table"
                yield TableCheck(what, answer, f"{row.label}: {means}", (row.row,), "class rows")


def shared_sets(tasks: Sequence[Task], rows: Sequence[RowResult], budget: float) -> Iterator[TableCheck]:
    """For every test set whose sizes nobody printed the first two rows that cannot share it, with the proof."""
    alike: dict[Any, list[tuple[RowResult, Any]]] = {}
    for task, row in zip(tasks, rows, strict=True):
        if task.shared and len(row.readings) == 1 and not any("±" in cell.text for cell in row.cells):
            problem = row.readings[0].answer.problem
            problem = problem.base if isinstance(problem, CurveProblem) else problem  # the scores beside its areas
            if what := _shared(row, problem):
                key = what, task.experiment, task.group, task.section, problem.experiment
                alike.setdefault(key, []).append((row, problem))
    for (what, *_), group in alike.items():
        pairs = _prevalences(group[:_MOST_ROWS], budget) if what == "prevalence" else _variances(group[:_MOST_ROWS])
        for first, second, problem in pairs:
            answer = ask(problem, budget=Budget.of_work(budget))
            if answer.verdict is Verdict.INCONSISTENT:
                names = f"{first.label} and {second.label}"
                words = f"{names} are stated to be on one test set, but {answer.reason}"
                yield TableCheck(f"the {what} of {names}", answer, words, (first.row, second.row))
                break


def _shared(row: RowResult, problem: Any) -> str:
    """What of its test set a row says something of, that others of the same set may contradict."""
    if isinstance(problem, UnknownClassesProblem):  # a printed 0 may stand for 0/0, which no prevalence explains
        enough = len(row.cells) >= _FEWEST_SCORES and all(claim.low > 0 for claim in problem.claims)
        return "prevalence" if enough and row.outcome is Outcome.CONSISTENT else ""
    if isinstance(problem, RegressionProblem) and problem.experiment.folds is None:
        names = {claim.quantity.name for claim in problem.claims} & set(COMPARED)
        return "variance" if row.outcome is not Outcome.INCONSISTENT and {"r2"} < names else ""
    return ""


def _prevalences(group: Alike, budget: float) -> Iterator[tuple[RowResult, RowResult, Problem]]:
    spans = [(row, each, prevalence_range(each, Budget.of_work(budget))) for row, each in group if len(group) > 1]
    known = [(row, problem, span) for row, problem, span in spans if span is not None]
    for (first, lower, below), (second, upper, above) in itertools.permutations(known, 2):
        if below[1] < above[0]:
            pair = (ScoredRow.of(first.label, lower.claims), ScoredRow.of(second.label, upper.claims))
            yield first, second, OneTestSetProblem(pair, lower.experiment.totals, lower.undefined)


def _variances(group: Alike) -> Iterator[tuple[RowResult, RowResult, Problem]]:
    kept = [(row, [claim for claim in each.claims if claim.quantity.name in COMPARED]) for row, each in group]
    for pair in itertools.combinations(kept, 2):
        lower, upper = (ScoredRow.of(row.label, claims) for row, claims in pair)
        if not {claim.name for claim in lower.claims} & {claim.name for claim in upper.claims}:
            yield pair[0][0], pair[1][0], SharedVarianceProblem((lower, upper))  # rows of one name are not told apart
