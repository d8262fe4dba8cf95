"""Evaluations as tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape

from scoreproof.cli.output import console, new_table
from scoreproof.kinds.binary.scores import known_scores
from scoreproof.metrics import (
    BinaryEvaluation,
    ClassScores,
    MulticlassEvaluation,
    MultilabelEvaluation,
    RegressionEvaluation,
)
from scoreproof.metrics.presentation import number

if TYPE_CHECKING:
    from rich.table import Table

_SHOWN = ("sens", "spec", "ppv", "f1", "acc", "mcc")


def show(result: Any, ranking: Mapping[str, float] | None = None) -> None:
    """Print an evaluation: its tables, then its sentence."""
    out = console()
    if isinstance(result, BinaryEvaluation):
        tables = _binary(result)
    elif isinstance(result, MulticlassEvaluation):
        tables = [_matrix(result.labels, result.matrix.tolist()), _classes(result.classes)]
    elif isinstance(result, MultilabelEvaluation):
        tables = [_classes(result.labels)]
    else:
        tables = [_regression(result)]
    if ranking:
        extra = _table("Scores of the classes", "metric", "value")
        for name, value in ranking.items():
            extra.add_row(name.replace("_", " "), number(value))
        tables.append(extra)
    for table in tables:
        out.print(table)
    out.print(escape(str(result)))


def _table(title: str, *header: str) -> Table:
    table = new_table(*header, right=header[1:], title=title)
    table.columns[0].no_wrap = True
    return table


def _binary(result: BinaryEvaluation) -> list[Table]:
    tp, fp, fn, tn = map(str, result.matrix.cells)
    counts = _table("True (rows) and predicted (columns) classes", "", "called positive", "called negative")
    counts.add_row("truly positive", tp, fn)
    counts.add_row("truly negative", fp, tn)
    titles = {known.name: known.title for known in known_scores()}
    scores = _table("Scores", "score", "name", "value", "95% interval")
    bounds = {name: f"{number(low)} to {number(high)}" for name, (low, high) in result.intervals().items()}
    for name, value in result.scores.items():
        scores.add_row(escape(titles.get(name, name)), escape(name), number(value), bounds.get(name, ""))
    extra = (
        ("area under the ROC curve", "auc", result.auc),
        ("average precision", "ap", result.average_precision),
        ("cross-entropy", "log loss", result.cross_entropy),
        ("Brier score", "brier", result.brier),
        (
            "expected calibration error",
            "ece",
            None if result.calibration is None else result.calibration.expected_error,
        ),
    )
    for title, name, found in extra:
        if found is not None:
            scores.add_row(title, name, number(found), bounds.get(name, ""))
    return [counts, scores]


def _matrix(labels: Sequence[Any], rows: Iterable[Sequence[int]]) -> Table:
    names = [escape(str(label)) for label in labels]
    table = _table("True (rows) and predicted (columns) classes", "", *names)
    for name, row in zip(names, rows, strict=True):
        table.add_row(name, *map(str, row))
    return table


def _classes(scores: ClassScores) -> Table:
    table = _table("Each class against the rest", "class", "p", *_SHOWN)
    for i, (label, matrix) in enumerate(zip(scores.labels, scores.matrices, strict=True)):
        values = [_cell(scores.per_class[name][i]) for name in _SHOWN]
        table.add_row(escape(str(label)), str(matrix.p), *values)
    table.add_section()
    for how in ("micro", "macro", "weighted"):
        table.add_row(f"{how} average", "", *(_cell(scores.average(name, how)) for name in _SHOWN))
    return table


def _cell(value: float) -> str:
    """A score short enough for a table of many columns; an undefined one is what it is, 0/0."""
    return "0/0" if math.isnan(value) else number(value)


def _regression(result: RegressionEvaluation) -> Table:
    table = _table(f"{result.cases} cases", "metric", "value")
    rows = (
        ("mean absolute error", result.mae),
        ("mean squared error", result.mse),
        ("root mean squared error", result.rmse),
        ("median absolute error", result.median_absolute_error),
        ("mean absolute percentage error", result.mape),
        ("R²", result.r2),
        ("Pearson's r", result.pearson),
        ("Spearman's rho", result.spearman),
        ("Kendall's tau-b", result.kendall),
    )
    for name, value in rows:
        table.add_row(name, number(value))
    return table
