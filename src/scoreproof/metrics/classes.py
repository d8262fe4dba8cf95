"""Many classes, or many labels per case: binary scores of each against the rest, and their averages.

Macro-averaging means the class values, micro-averaging scores the summed counts, weighting uses the number of true
cases; kappa and the Matthews correlation have their own k-class definitions; the Hamming loss is the share of wrong
cells and the exact match ratio the share of cases with every label right (Rainio, Teuho & Klén 2024,
doi:10.1038/s41598-024-56706-x; Zhang & Zhou 2014, doi:10.1109/TKDE.2013.39). An average of one-against-rest accuracies
is not the share of correct cases: with k classes it is far higher.

A class that is never predicted has no precision. Software disagrees silently about what to print then, so here the
choice is an argument and is echoed by every result: ``nan`` (undefined stays undefined, also in means), ``zero``
(counts as 0, scikit-learn's convention) or ``skip`` (means run over the defined classes only).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import Bools, Floats, Ints, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.figures import new_figure
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, known_scores, score
from scoreproof.metrics.agreement import Kappa, cohen_kappa, multiclass_mcc, square_counts
from scoreproof.metrics.labels import MATRIX, class_names, frozen, labels, number, same_kind, same_shape, small_table
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.validation import chosen, shown
from scoreproof.validation import shown as repr_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Undefined = Literal["nan", "zero", "skip"]


@dataclass(frozen=True, slots=True, eq=False)
class ClassScores(Tabular):
    """Every registered score per class, and its micro, macro and weighted averages."""

    labels: tuple[Any, ...]
    matrices: tuple[ConfusionMatrix, ...]
    undefined: Undefined

    @classmethod
    def _of(cls, labels: tuple[Any, ...], tp: Ints, called: Ints, p: Ints, cases: int, undefined: Undefined) -> Self:
        """From the hits, the calls and the cases of each class."""
        counts = np.stack([tp, called - tp, p - tp, cases - p - called + tp], axis=1).tolist()
        return cls(labels, tuple(ConfusionMatrix(*cells) for cells in counts), undefined)

    @property
    def micro(self) -> dict[str, float]:
        return {known.name: self.average(known, "micro") for known in known_scores()}

    @property
    def macro(self) -> dict[str, float]:
        return {known.name: self.average(known, "macro") for known in known_scores()}

    @property
    def weighted(self) -> dict[str, float]:
        return {known.name: self.average(known, "weighted") for known in known_scores()}

    def of_class(self, label: Any) -> dict[str, float]:
        """All scores of one class."""
        if not isinstance(label, str | int | float | np.generic) or label not in self.labels:
            raise InvalidOption(f"label {repr_of(label)} is not among the classes {list(self.labels)!r}")
        return self._by_class()[self.labels.index(label)]

    def average(self, name: str | Score, how: str = "macro") -> float:
        """One average by any of the score's names, F-beta of any beta included."""
        chosen("how", how, ("micro", "macro", "weighted"))
        wanted = score(name)
        if how == "micro":
            total = [sum(matrix.cells[cell] for matrix in self.matrices) for cell in range(4)]
            return float(settle(np.array(wanted(*total)), self.undefined))
        support = np.array([float(matrix.p) for matrix in self.matrices])
        return mean(self._values(wanted), self.undefined, support if how == "weighted" else None)

    def _by_class(self) -> list[dict[str, float]]:
        values = {known.name: settle(self._values(known), self.undefined).tolist() for known in known_scores()}
        return [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]

    def _values(self, wanted: Score) -> Floats:
        return wanted.values(*np.array([matrix.cells for matrix in self.matrices], dtype=np.int64).T)

    def to_dict(self) -> dict[str, Any]:
        rows = zip(self.labels, self.matrices, self._by_class(), strict=True)
        classes = [dict(zip(("label", "matrix", "scores"), row, strict=True)) for row in rows]
        return document(self, "undefined micro macro weighted", classes=classes)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        labels, matrices = ([row[name] for row in document["classes"]] for name in ("label", "matrix"))
        return rebuilt(cls, {"labels": labels, "matrices": matrices, "undefined": document["undefined"]})

    def __str__(self) -> str:
        averages = ", ".join(f"{how} F1 {number(self.average('f1', how))}" for how in ("micro", "macro", "weighted"))
        return f"Over {len(self.labels)} classes: {averages}."

    def _rows(self) -> list[dict[str, Any]]:
        return [{"class": label, **scores} for label, scores in zip(self.labels, self._by_class(), strict=True)]

    def _tables(self) -> list[SmallTable]:
        names, hows = ("sens", "spec", "ppv", "f1", "acc", "mcc"), ("micro", "macro", "weighted")
        known = zip(self.labels, self.matrices, self._by_class(), strict=True)
        rows: list[list[Any]] = [[str(label), m.p, *(scores[name] for name in names)] for label, m, scores in known]
        rows += [[f"{how} average", "", *(self.average(name, how) for name in names)] for how in hows]
        # An undefined score is what it is, 0/0.
        told = [[*row[:2], *("0/0" if math.isnan(v) else number(v) for v in row[2:])] for row in rows]
        return [SmallTable(told, ["class", "p", *names], "Each class against the rest")]


def settle(values: Floats, choice: Undefined) -> Floats:
    """Undefined values as they are shown: 0 under ``zero``, NaN otherwise."""
    return np.where(np.isnan(values), 0.0, values) if choice == "zero" else values


def mean(values: Floats, choice: Undefined, weights: Floats | None = None) -> float:
    """The (weighted) mean under a convention; undefined (0 under ``zero``) if nothing is left. Weight 0 means absent.

    >>> values = np.array([0.5, np.nan])
    >>> [mean(values, choice) for choice in ("nan", "zero", "skip")]
    [nan, 0.25, 0.5]
    """
    weights = np.ones_like(values) if weights is None else weights
    values = settle(values, choice)
    used = weights > 0
    if choice == "skip":
        used &= ~np.isnan(values)
    if not used.any():
        return 0.0 if choice == "zero" else float("nan")
    return float(np.sum(values[used] * weights[used]) / np.sum(weights[used]))


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
            f"cases were classified correctly (macro F1 {number(self.classes.average('f1'))}, Cohen's kappa "
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
    known, k = np.array(order), len(order)
    by_size = np.argsort(known, kind="stable")
    rows, columns = (by_size[np.searchsorted(known, side, sorter=by_size)] for side in (actual, guessed))
    counts = np.bincount(rows * k + columns, minlength=k * k).reshape(k, k)
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
    correct, p, called = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    scores = ClassScores._of(names, correct, called, p, int(counts.sum()), undefined)
    kappa, mcc = cohen_kappa(counts), multiclass_mcc(counts)
    if undefined == "zero" and np.isnan(kappa.kappa):
        kappa = replace(kappa, kappa=0.0)
    mcc = 0.0 if undefined == "zero" and np.isnan(mcc) else mcc
    return MulticlassEvaluation(names, frozen(counts), int(correct.sum()) / int(counts.sum()), kappa, mcc, scores)


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


@dataclass(frozen=True, slots=True, eq=False)
class MultilabelEvaluation(Result):
    """Losses over all cells, and every registered score per label with its averages."""

    cases: int
    hamming_loss: float
    exact_match: float
    labels: ClassScores

    def to_dict(self) -> dict[str, Any]:
        return {"task": "multilabel", **document(self, "cases hamming_loss exact_match"), **self.labels.to_dict()}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "labels": document})

    def __str__(self) -> str:
        return (
            f"Over {self.cases} cases and {len(self.labels.labels)} labels the Hamming loss is "
            f"{number(self.hamming_loss)}; every label is right in {number(self.exact_match)} of the cases "
            f"(micro F1 {number(self.labels.average('f1', 'micro'))}, macro F1 {number(self.labels.average('f1'))})."
        )

    def _tables(self) -> list[SmallTable]:
        overall = small_table("Overall", ["Hamming loss", "exact match"], [[self.hamming_loss, self.exact_match]])
        return [overall, *self.labels._tables()]


def evaluate_multilabel(
    truth: ArrayLike, predicted: ArrayLike, *, labels: Sequence[Any] | None = None, undefined: Undefined = "nan"
) -> MultilabelEvaluation:
    """Evaluate two tables of 0 and 1, one row per case and one column per label.

    >>> result = evaluate_multilabel([[1, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 1]], undefined="zero")
    >>> round(result.hamming_loss, 4), result.exact_match, result.labels.average("recall", "micro")
    (0.3333, 0.0, 0.6666666666666666)
    """
    actual, guessed = _cells("truth", truth), _cells("predicted", predicted)
    same_shape("truth", actual, "predicted", guessed)
    cases, k = actual.shape
    names = tuple(range(k)) if labels is None else class_names("labels", labels)
    if len(names) != k or len(set(names)) != k:
        raise InvalidOption(f"labels={shown(list(names))}: {k} different names are needed, one per column")
    tp, p, called = ((a.sum(axis=0, dtype=np.int64)) for a in (actual & guessed, actual, guessed))
    wrong = actual != guessed
    scores = ClassScores._of(names, tp, called, p, cases, undefined)
    return MultilabelEvaluation(cases, float(wrong.mean()), float((~wrong.any(axis=1)).mean()), scores)


def _cells(name: str, values: ArrayLike) -> Bools:
    array = numbers(name, values, ndim=2)
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InvalidValue(f"{name}[{row}, {column}] is {array[row, column]:g}; 0 (absent) or 1 is needed")
    present: Bools = array == 1
    return present


def confusion_figure(evaluation: MulticlassEvaluation) -> Figure:
    """The matrix of true and predicted classes, shaded by the share of each true class."""
    counts = evaluation.matrix
    k = len(counts)
    side = min(max(3.6, 0.7 * k + 1.8), 14)
    figure = new_figure(side, side)
    axes = figure.subplots()
    totals = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, totals, out=np.zeros(counts.shape), where=totals > 0)
    axes.imshow(share, cmap="Blues", vmin=0, vmax=1)
    names = [str(label) for label in evaluation.labels]
    axes.set_xticks(range(k), names, rotation=45 if max(map(len, names)) > 3 else 0, ha="center")
    axes.set_yticks(range(k), names)
    if k <= 20:
        for i in range(k):
            for j in range(k):
                dark = share[i, j] > 0.55
                axes.text(j, i, str(counts[i, j]), ha="center", va="center", color="white" if dark else "black")
    axes.set_xlabel("predicted class")
    axes.set_ylabel("true class")
    axes.set_title(f"accuracy {number(evaluation.accuracy, 3)}, kappa {number(evaluation.kappa.kappa, 3)}")
    return figure
