"""From a table of predictions to the evaluation of its task."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Floats, Ints
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.metrics.averaging import Undefined
from scoreproof.metrics.binary import BinaryEvaluation, evaluate_binary
from scoreproof.metrics.multiclass import MulticlassEvaluation, evaluate_multiclass
from scoreproof.metrics.multilabel import MultilabelEvaluation, evaluate_multilabel
from scoreproof.metrics.prediction_file import PredictionTable, as_label
from scoreproof.metrics.roc import multiclass_auc, top_k_accuracy
from scoreproof.metrics.threshold import ThresholdChoice, choose_threshold

_JOINTS = "_:. -"
_LIST_SEPARATORS = ";|"


@dataclass(frozen=True, slots=True)
class PredictionColumns:
    """The columns the user named; None leaves the choice to the usual names."""

    truth: str | None = None
    predicted: str | None = None
    score: str | None = None


def binary_from_table(
    table: PredictionTable,
    columns: PredictionColumns,
    *,
    threshold: float | None = None,
    positive: str | None = None,
    undefined: Undefined = "nan",
) -> BinaryEvaluation:
    """Evaluate labels, scores, or both; with a threshold, or without labels, they come from the scores."""
    truth = table.need("truth", columns.truth)
    score = table.find("score", columns.score)
    predicted = table.find("predicted", columns.predicted)
    if threshold is not None:
        if columns.predicted is not None:
            raise InvalidOption("a threshold makes labels from scores; leave out --predicted or the threshold")
        predicted, score = None, table.need("score", columns.score)
    if score is None and predicted is None:
        raise InvalidOption(
            f"{table.source}: no column of predictions or scores is recognised; say --predicted or --score; "
            f"the columns are {', '.join(table.columns)}"
        )
    actual, *guessed = table.labels([truth] if predicted is None else [truth, predicted])
    return evaluate_binary(
        actual,
        guessed[0] if guessed else None,
        scores=None if score is None else table.numbers(score),
        threshold=threshold,
        positive=positive_label(actual, positive),
        undefined=undefined,
    )


def threshold_from_table(
    table: PredictionTable, columns: PredictionColumns, *, criterion: str = "youden", positive: str | None = None
) -> ThresholdChoice:
    """The best threshold of a table of *training* predictions."""
    (actual,) = table.labels([table.need("truth", columns.truth)])
    scores = table.numbers(table.need("score", columns.score))
    return choose_threshold(actual, scores, criterion=criterion, positive=positive_label(actual, positive))


def multiclass_from_table(
    table: PredictionTable, columns: PredictionColumns, *, undefined: Undefined = "nan"
) -> MulticlassEvaluation:
    """Evaluate class labels."""
    names = [table.need("truth", columns.truth), table.need("predicted", columns.predicted)]
    actual, guessed = table.labels(names)
    return evaluate_multiclass(actual, guessed, undefined=undefined)


def class_ranking_from_table(table: PredictionTable, columns: PredictionColumns) -> dict[str, float]:
    """AUC and top-k of the columns score_CLASS (or prob_CLASS); nothing where there are none for all classes."""
    (actual,) = table.labels([table.need("truth", columns.truth)])
    present = list(dict.fromkeys(actual.tolist()))
    for prefix in ("score", "prob", "probability"):
        named = _prefixed(table, prefix)
        if named and all(str(label) in named for label in present):
            classes = [*present, *(label for label in named if label not in {str(one) for one in present})]
            scores = np.column_stack([table.numbers(named[str(label)]) for label in classes])
            scores_of = {"top_1": top_k_accuracy(actual, scores, classes=classes, k=1)}
            for k in (k for k in (2, 3, 5) if k < len(classes)):
                scores_of[f"top_{k}"] = top_k_accuracy(actual, scores, classes=classes, k=k)
            if len(present) > 1:
                scores_of["auc_ovr"] = multiclass_auc(actual, scores, classes=classes)
                scores_of["auc_ovo"] = multiclass_auc(actual, scores, classes=classes, how="ovo")
            return scores_of
    return {}


def multilabel_from_table(
    table: PredictionTable, columns: PredictionColumns, *, undefined: Undefined = "nan"
) -> MultilabelEvaluation:
    """Evaluate one pair of 0/1 columns per label, or one pair of columns with lists of labels."""
    truth, predicted = columns.truth or "truth", columns.predicted or "predicted"
    if truth in table.columns and predicted in table.columns:
        actual, guessed, names = _listed(table, truth, predicted)
        return evaluate_multilabel(actual, guessed, labels=names, undefined=undefined)
    sides = [_prefixed(table, prefix) for prefix in (truth, predicted)]
    for one, other, prefix in ((sides[0], sides[1], predicted), (sides[1], sides[0], truth)):
        lacking = [name for name in one if name not in other]
        if lacking:
            raise InvalidOption(
                f"{table.source}: label {lacking[0]!r} has no column that starts with {prefix!r}; the "
                f"columns are {', '.join(table.columns)}"
            )
    if not sides[0]:
        raise InvalidOption(
            f"{table.source}: no columns start with {truth!r} and {predicted!r}; name the prefixes with "
            f"--truth and --predicted; the columns are {', '.join(table.columns)}"
        )
    names = list(sides[0])
    actual, guessed = (np.stack([table.marks(side[name]) for name in names], axis=1) for side in sides)
    return evaluate_multilabel(actual, guessed, labels=names, undefined=undefined)


def regression_columns(table: PredictionTable, columns: PredictionColumns) -> tuple[Floats, Floats]:
    """The true and the predicted values."""
    truth, predicted = table.need("truth", columns.truth), table.need("predicted", columns.predicted)
    return table.numbers(truth), table.numbers(predicted)


def positive_label(actual: NDArray[Any], positive: str | None) -> Any:
    """The positive label in the form the column has."""
    if positive is None:
        return None
    kind = {"i": int, "b": bool}.get(actual.dtype.kind, str)
    try:
        return as_label(positive, kind)
    except ValueError:
        raise InvalidOption(f"--positive {positive!r}: the labels are whole numbers, like {actual[0]}") from None


def _prefixed(table: PredictionTable, prefix: str) -> dict[str, str]:
    """Label to column, for the columns ``prefix_label``."""
    return {
        column[len(prefix) + 1 :]: column
        for column in table.columns
        if column.startswith(prefix) and len(column) > len(prefix) + 1 and column[len(prefix)] in _JOINTS
    }


def _listed(table: PredictionTable, truth: str, predicted: str) -> tuple[Ints, Ints, list[str]]:
    """Lists of labels such as "cat;dog", a blank cell being no label, as two tables of 0 and 1."""
    sides = []
    for column in (truth, predicted):
        cells = table.cells.column(column)
        separator = max(_LIST_SEPARATORS, key=lambda mark: sum(cell.count(mark) for cell in cells))
        sides.append([{part.strip() for part in cell.split(separator)} - {""} for cell in cells])
    names = sorted(set().union(*sides[0], *sides[1]))
    if not names:
        raise InvalidValue(f"{table.source}: columns {truth!r} and {predicted!r} hold no label at all")
    actual, guessed = (np.array([[name in cell for name in names] for cell in side], dtype=np.int64) for side in sides)
    return actual, guessed, names
