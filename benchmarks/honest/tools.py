"""How an author's tool turns matrices into numbers: in which arithmetic, and what it makes of 0/0.

scikit-learn counts 0/0 as zero (balanced accuracy of a set that lacks a class is the other class's recall, kappa is
nan); formulas in numpy, pandas or R give nan, which the mean then leaves out; torch works in single precision.
The values are floats with their errors, as authors have them. What they ought to be is computed beside them
(``exactly``) for whoever reads a failure.
"""

from __future__ import annotations

import math
import statistics
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from benchmarks import oracle
from benchmarks.honest.designs import Matrix

COMMON = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa", "ji")
RARE = ("gm", "fm", "bm", "mk", "fpr", "fnr", "err", "fdr", "for", "lrp", "lrn", "dor", "f2", "upm", "pt")
COMPLEMENTS = {"fpr": "spec", "fnr": "sens", "err": "acc", "fdr": "ppv", "for": "npv"}
SPELLINGS = {
    "acc": ("acc", "accuracy", "Accuracy"),
    "sens": ("sens", "recall", "Recall", "sensitivity", "tpr"),
    "spec": ("spec", "specificity", "tnr"),
    "ppv": ("ppv", "precision", "Precision"),
    "f1": ("f1", "F1", "F1 score", "dice"),
    "bacc": ("bacc", "balanced accuracy"),
    "ji": ("ji", "jaccard", "iou"),
}


def is_number(tool: str, name: str, matrix: Matrix) -> bool:
    """Whether the tool's formula needs no convention there; R's F1 also needs one without true positives."""
    return exactly(name, matrix) is not None and not (tool == "R" and name == "f1" and matrix[0] == 0)


def exactly(name: str, matrix: Matrix) -> Decimal | None:
    """The score by its definition, to 60 digits; None if it is not a number."""
    if name in COMPLEMENTS:
        other = oracle.value(COMPLEMENTS[name], *matrix)
        return None if other is None else 1 - other
    return oracle.value(name, *matrix)


def scikit_learn_value(name: str, matrix: Matrix) -> float:
    """As scikit-learn's metrics compute it: 0/0 is 0, but for balanced accuracy and kappa."""
    tp, fp, fn, tn = matrix
    p, n = tp + fn, fp + tn
    if name == "bacc":
        recalls = [right / size for right, size in ((tn, n), (tp, p)) if size]
        return float(np.mean(recalls))
    if name == "mcc" and 0 in (p, n, tp + fp, tn + fn):
        return 0.0
    value = float(formula(name, matrix))
    if math.isnan(value) and name != "kappa":
        return 0.0
    return value


def scikit_learn_itself(name: str, matrix: Matrix) -> float:
    """The same by calling scikit-learn; specificity and the like are recall and precision of the other class."""
    from sklearn import metrics

    tp, fp, fn, tn = matrix
    truth, answers = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])
    calls: dict[str, Callable[[], float]] = {
        "acc": lambda: metrics.accuracy_score(truth, answers),
        "sens": lambda: metrics.recall_score(truth, answers),
        "spec": lambda: metrics.recall_score(truth, answers, pos_label=0),
        "ppv": lambda: metrics.precision_score(truth, answers),
        "npv": lambda: metrics.precision_score(truth, answers, pos_label=0),
        "f1": lambda: metrics.f1_score(truth, answers),
        "f2": lambda: metrics.fbeta_score(truth, answers, beta=2),
        "bacc": lambda: metrics.balanced_accuracy_score(truth, answers),
        "mcc": lambda: metrics.matthews_corrcoef(truth, answers),
        "kappa": lambda: metrics.cohen_kappa_score(truth, answers),
        "ji": lambda: metrics.jaccard_score(truth, answers),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(calls[name]())


def formula(name: str, matrix: Matrix, kind: type[Any] = np.float64) -> Any:
    """The textbook formula in floats of some width; nan or inf where it divides by zero.

    F1 is taken from precision and recall, as most scripts have it, so it is nan where both are zero.
    """
    tp, fp, fn, tn = (kind(cell) for cell in matrix)
    p, n, one = tp + fn, fp + tn, kind(1)
    with np.errstate(all="ignore"):
        sens, spec, ppv, npv = tp / p, tn / n, tp / (tp + fp), tn / (tn + fn)
        formulas: dict[str, Callable[[], Any]] = {
            "acc": lambda: (tp + tn) / (p + n),
            "sens": lambda: sens,
            "spec": lambda: spec,
            "ppv": lambda: ppv,
            "npv": lambda: npv,
            "f1": lambda: 2 * tp / (2 * tp + fp + fn),
            "f1 of means": lambda: 2 * ppv * sens / (ppv + sens),
            "f2": lambda: 5 * tp / (5 * tp + 4 * fn + fp),
            "bacc": lambda: (sens + spec) / 2,
            "mcc": lambda: (tp * tn - fp * fn) / np.sqrt((tp + fp) * p * n * (tn + fn)),
            "kappa": lambda: 2 * (tp * tn - fp * fn) / ((tp + fp) * n + p * (tn + fn)),
            "ji": lambda: tp / (tp + fp + fn),
            "gm": lambda: np.sqrt(sens * spec),
            "fm": lambda: np.sqrt(ppv * sens),
            "bm": lambda: sens + spec - one,
            "mk": lambda: ppv + npv - one,
            "fpr": lambda: fp / n,
            "fnr": lambda: one - sens,
            "err": lambda: one - (tp + tn) / (p + n),
            "fdr": lambda: one - ppv,
            "for": lambda: fn / (tn + fn),
            "lrp": lambda: sens / (fp / n),
            "lrn": lambda: (fn / p) / spec,
            "dor": lambda: (tp * tn) / (fp * fn),
            "upm": lambda: 4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn)),
            "pt": lambda: np.sqrt(fp / n) / (np.sqrt(sens) + np.sqrt(fp / n)),
        }
        return kind(formulas[name]())


def harmonic_formula(name: str, matrix: Matrix) -> float:
    """As ``formula``, with F1 as 2PR / (P + R): nan not only for 0/0 but also where precision and recall are 0."""
    return float(formula("f1 of means" if name == "f1" else name, matrix))


def torch_value(name: str, matrix: Matrix) -> np.float32:
    """Single precision, 0/0 counted as zero, as torchmetrics does."""
    value: np.float32 = formula(name, matrix, np.float32)
    return np.float32(0) if np.isnan(value) else value


def half_value(name: str, matrix: Matrix) -> np.float16:
    """Half precision of a value computed in single precision."""
    return np.float16(torch_value(name, matrix))


@dataclass(frozen=True, slots=True)
class Tool:
    """Values of one evaluation, and the mean and deviation of several.

    ``convention`` is what a 0/0 counts as in the tool's means: zero, or skip. ``names`` are the scores it has.
    """

    name: str
    value: Callable[[str, Matrix], Any]
    mean: Callable[[Sequence[Any]], Any]
    deviation: Callable[[Sequence[Any], int], Any]
    convention: str
    names: tuple[str, ...] = (*COMMON, *RARE)
    width: int = 64


def _numpy_mean(values: Sequence[Any]) -> Any:
    return np.mean(np.array(values))


def _numpy_deviation(values: Sequence[Any], ddof: int) -> Any:
    return np.std(np.array(values), ddof=ddof)


def _defined(values: Sequence[Any]) -> list[Any]:
    return [value for value in values if not math.isnan(value)]


def _nan_mean(values: Sequence[Any]) -> Any:
    kept = _defined(values)
    return np.mean(kept) if kept else math.nan


def _nan_deviation(values: Sequence[Any], ddof: int) -> Any:
    kept = _defined(values)
    return np.std(kept, ddof=ddof) if len(kept) > ddof else math.nan


def _pandas_mean(values: Sequence[Any]) -> Any:
    import pandas as pd

    return pd.Series(values, dtype=float).mean()


def _pandas_deviation(values: Sequence[Any], ddof: int) -> Any:
    import pandas as pd

    return pd.Series(values, dtype=float).std(ddof=ddof)


def _plain_mean(values: Sequence[Any]) -> Any:
    return sum(values) / len(values)


def _plain_deviation(values: Sequence[Any], ddof: int) -> Any:
    return (statistics.stdev if ddof else statistics.pstdev)(values)


_LEARNED = ("acc", "sens", "spec", "ppv", "npv", "f1", "f2", "bacc", "mcc", "kappa", "ji")
TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool("scikit-learn", scikit_learn_value, _numpy_mean, _numpy_deviation, "zero", _LEARNED),
        Tool("scikit-learn itself", scikit_learn_itself, _numpy_mean, _numpy_deviation, "zero", _LEARNED),
        Tool("scikit-learn and statistics", scikit_learn_value, _plain_mean, _plain_deviation, "zero", _LEARNED),
        Tool("scikit-learn and pandas", scikit_learn_value, _pandas_mean, _pandas_deviation, "zero", _LEARNED),
        Tool("numpy", formula, _numpy_mean, _numpy_deviation, "skip"),
        Tool("numpy nanmean", formula, _nan_mean, _nan_deviation, "skip"),
        Tool("pandas", formula, _pandas_mean, _pandas_deviation, "skip"),
        Tool("R", harmonic_formula, _nan_mean, _nan_deviation, "skip"),
        Tool("torch", torch_value, _numpy_mean, _numpy_deviation, "zero", width=32),
        Tool("half", half_value, _numpy_mean, _numpy_deviation, "zero", _LEARNED, width=16),
    )
}
CHANCES = (0.28, 0.06, 0.08, 0.08, 0.1, 0.12, 0.1, 0.08, 0.08, 0.02)
