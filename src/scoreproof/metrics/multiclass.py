"""A classifier of k classes, evaluated from its labels or from its k by k matrix.

Each class against the rest gives every registered score; kappa and the Matthews correlation have their own
k-class definitions (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x, "Multi-class classification").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import Ints
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document, rebuilt
from scoreproof.metrics.agreement import Kappa, cohen_kappa, multiclass_mcc, square_counts
from scoreproof.metrics.arrays import class_names, frozen, labels, same_shape
from scoreproof.metrics.averaging import ClassScores, Undefined, class_scores
from scoreproof.metrics.presentation import MATRIX, number, small_table
from scoreproof.metrics.two_classes import same_kind
from scoreproof.results import Result, SmallTable
from scoreproof.validation import shown


@dataclass(frozen=True, slots=True, eq=False)
class MulticlassEvaluation(Result):
    """The k by k matrix (rows true, columns predicted) and what follows from it.

    ``accuracy`` is the share of correct cases; the mean of the one-against-rest accuracies is ``classes.macro["acc"]``.
    """

    labels: tuple[Any, ...]
    matrix: Ints
    accuracy: float
    kappa: Kappa
    mcc: float
    classes: ClassScores

    def to_dict(self) -> dict[str, Any]:
        return {"task": "multiclass", **document(self, "labels matrix accuracy kappa mcc"), **self.classes.to_dict()}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "classes": document})

    def __str__(self) -> str:
        return (
            f"Over {len(self.labels)} classes and {self.kappa.cases} cases, {number(self.accuracy)} of the "
            f"cases were classified correctly (macro F1 {number(self.classes.macro['f1'])}, Cohen's kappa "
            f"{number(self.kappa.kappa)}, MCC {number(self.mcc)})."
        )

    def _tables(self) -> list[SmallTable]:
        rows = [[label, *row] for label, row in zip(self.labels, self.matrix.tolist(), strict=True)]
        table = small_table(MATRIX, ["", *map(str, self.labels)], rows)
        overall = small_table("Overall", ["accuracy", "kappa", "MCC"], [[self.accuracy, self.kappa.kappa, self.mcc]])
        return [table, overall, *self.classes._tables()]


def evaluate_multiclass(
    truth: ArrayLike, predicted: ArrayLike, *, classes: Sequence[Any] | None = None, undefined: Undefined = "nan"
) -> MulticlassEvaluation:
    """Evaluate predicted class labels; ``classes`` fixes their order and may name classes that never occur.

    >>> result = evaluate_multiclass(["cat", "dog", "dog", "owl"], ["cat", "dog", "owl", "owl"])
    >>> result.accuracy, result.classes.average("recall")
    (0.75, 0.8333333333333334)
    """
    actual, guessed = labels("truth", truth), labels("predicted", predicted)
    same_shape("truth", actual, "predicted", guessed)
    same_kind("truth", actual, "predicted", guessed)
    order = _class_order(actual, guessed, classes)
    counts = _count(actual, guessed, order)
    return multiclass_from_matrix(counts, classes=order, undefined=undefined)


def multiclass_from_matrix(
    matrix: ArrayLike, *, classes: Sequence[Any] | None = None, undefined: Undefined = "nan"
) -> MulticlassEvaluation:
    """Evaluate a k by k matrix of counts, rows the true and columns the predicted classes.

    >>> result = multiclass_from_matrix([[50, 3, 2], [10, 40, 5], [0, 5, 45]], classes=["a", "b", "c"])
    >>> round(result.accuracy, 4), round(result.mcc, 4), round(result.classes.average("f1", "weighted"), 4)
    (0.8438, 0.7673, 0.8416)
    """
    counts = square_counts(matrix)
    names = tuple(range(len(counts))) if classes is None else class_names("classes", classes)
    if len(names) != len(counts) or len(set(names)) != len(names):
        raise InvalidOption(f"classes={shown(list(names))}: {len(counts)} different names are needed, one per row")
    correct = np.diag(counts)
    fn, fp = counts.sum(axis=1) - correct, counts.sum(axis=0) - correct
    tn = counts.sum() - correct - fn - fp
    scores = class_scores(names, tp=correct, fp=fp, fn=fn, tn=tn, undefined=undefined)
    kappa, mcc = cohen_kappa(counts), multiclass_mcc(counts)
    if undefined == "zero" and np.isnan(kappa.kappa):
        kappa = replace(kappa, kappa=0.0)
    return MulticlassEvaluation(
        labels=names,
        matrix=frozen(counts),
        accuracy=int(correct.sum()) / int(counts.sum()),
        kappa=kappa,
        mcc=0.0 if undefined == "zero" and np.isnan(mcc) else mcc,
        classes=scores,
    )


def _class_order(actual: NDArray[Any], guessed: NDArray[Any], classes: Sequence[Any] | None) -> list[Any]:
    present = sorted({*np.unique(actual).tolist(), *np.unique(guessed).tolist()})
    if classes is None:
        return present
    classes = class_names("classes", classes)
    strangers = [label for label in present if label not in classes]
    if strangers:
        raise InvalidValue(f"label {shown(strangers[0])} occurs in the data but not in classes={shown(list(classes))}")
    if len(set(classes)) != len(classes):
        raise InvalidOption(f"classes={shown(list(classes))} names a class twice")
    return list(classes)


def _count(actual: NDArray[Any], guessed: NDArray[Any], order: list[Any]) -> Ints:
    known = np.array(order)
    by_size = np.argsort(known, kind="stable")
    rows = by_size[np.searchsorted(known, actual, sorter=by_size)]
    columns = by_size[np.searchsorted(known, guessed, sorter=by_size)]
    k = len(order)
    return np.bincount(rows * k + columns, minlength=k * k).reshape(k, k).astype(np.int64)
