"""A binary classifier's test set, evaluated: the four counts and every registered score.

Scores come from the registry, in exact arithmetic on the counts; the curves are added when the numeric scores
are known (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x, "Binary classification").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, known_scores, score
from scoreproof.metrics.averaging import Undefined, settle
from scoreproof.metrics.intervals import Bounds, auc_bounds, score_intervals
from scoreproof.metrics.precision_recall import PrecisionRecallCurve, precision_recall_curve
from scoreproof.metrics.presentation import MATRIX, number, small_table
from scoreproof.metrics.probability_scores import Calibration, brier_score, calibration, cross_entropy
from scoreproof.metrics.roc import RocCurve, roc_curve, scored
from scoreproof.metrics.two_classes import confusion_matrix, labels_from_scores, matrix_of
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen


@dataclass(frozen=True, slots=True, eq=False)
class BinaryEvaluation(Result):
    """The counts, every registered score of them, and what the numeric scores add.

    An undefined score (0/0) is NaN, or 0 if so asked. ``roc``, ``precision_recall`` are None without numeric
    scores, ``cross_entropy`` also when these are no probabilities.
    """

    matrix: ConfusionMatrix
    scores: Mapping[str, float]
    undefined: Undefined = "nan"
    positive: Any = None
    threshold: float | None = None
    roc: RocCurve | None = None
    precision_recall: PrecisionRecallCurve | None = None
    cross_entropy: float | None = None
    brier: float | None = None
    calibration: Calibration | None = None
    told: Mapping[str, Any] = field(default_factory=dict)  #: what curves said that the document did not carry along

    def intervals(self, level: float = 0.95) -> dict[str, Bounds]:
        """An interval for every score that has one, and for the AUC (see ``metrics.intervals``)."""
        bounds = dict(score_intervals(self.matrix, level=level))
        area = self.told.get("interval95") if level == 0.95 else None
        if self.roc is not None and not np.isnan(self.roc.auc):
            area = auc_bounds(self.roc, level)
        return bounds if area is None else {**bounds, "auc": area}

    def __getitem__(self, name: str) -> float:
        """A score by any of its names, F-beta of any beta included."""
        wanted = score(name)
        if wanted.name in self.scores:
            return self.scores[wanted.name]
        return float(settle(np.array(wanted(*self.matrix.cells)), self.undefined))

    @property
    def auc(self) -> float | None:
        return self.told.get("auc") if self.roc is None else self.roc.auc

    @property
    def average_precision(self) -> float | None:
        if self.precision_recall is None:
            return self.told.get("average_precision")
        return self.precision_recall.average_precision()

    def to_dict(self) -> dict[str, Any]:
        told = "matrix positive threshold undefined scores auc average_precision cross_entropy brier calibration"
        return document(self, told, task="binary", intervals95=self.intervals())

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The evaluation a document describes: without its curves, but with what they said."""
        told = {name: document[name] for name in ("auc", "average_precision")}
        return rebuilt(cls, {**document, "told": {**told, "interval95": document["intervals95"].get("auc")}})

    def __str__(self) -> str:
        m = self.matrix
        text = (
            f"On {m.p} positive and {m.n} negative cases the classifier reached accuracy "
            f"{number(self['acc'])}, sensitivity {number(self['sens'])}, specificity {number(self['spec'])}, "
            f"precision {number(self['ppv'])}, F1 {number(self['f1'])} and MCC {number(self['mcc'])}"
        )
        if self.threshold is not None:
            text += f" at threshold {self.threshold:.6g}"
        if self.auc is not None:
            text += f"; its AUC is {number(self.auc)}"
        return text + "."

    def _tables(self) -> list[SmallTable]:
        titles = {known.name: known.title for known in known_scores()}
        bounds = {name: f"{number(low)} to {number(high)}" for name, (low, high) in self.intervals().items()}
        told: list[tuple[str, str, float | None]] = [
            *((titles.get(name, name), name, value) for name, value in self.scores.items()),
            ("area under the ROC curve", "auc", self.auc),
            ("average precision", "ap", self.average_precision),
            ("cross-entropy", "log loss", self.cross_entropy),
            ("Brier score", "brier", self.brier),
            ("expected calibration error", "ece", self.calibration.expected_error if self.calibration else None),
        ]
        rows = [[title, name, value, bounds.get(name, "")] for title, name, value in told if value is not None]
        tp, fp, fn, tn = self.matrix.cells
        counts: list[list[object]] = [["truly positive", tp, fn], ["truly negative", fp, tn]]
        matrix = small_table(MATRIX, ["", "called positive", "called negative"], counts)
        return [matrix, small_table("Scores", ["score", "name", "value", "95% interval"], rows)]


def binary_scores(matrix: ConfusionMatrix, *, undefined: Undefined = "nan") -> BinaryEvaluation:
    """Every registered score of a confusion matrix.

    >>> result = binary_scores(ConfusionMatrix(tp=261, fp=107, fn=39, tn=193))
    >>> round(result["kappa"], 3), round(result["recall"], 3), round(result["F0.5"], 3)
    (0.513, 0.87, 0.736)
    """
    chosen("undefined", undefined, get_args(Undefined))
    if any(cell < 0 for cell in matrix.cells) or sum(matrix.cells) == 0:
        raise InvalidOption(f"matrix {matrix}: counts of at least one case are needed, none of them negative")
    return BinaryEvaluation(matrix, _all_scores(matrix, undefined), undefined)


def evaluate_binary(
    truth: ArrayLike,
    predicted: ArrayLike | None = None,
    *,
    scores: ArrayLike | None = None,
    threshold: float | None = None,
    positive: Any = None,
    undefined: Undefined = "nan",
) -> BinaryEvaluation:
    """Evaluate predicted labels, numeric scores, or both, against the truth.

    Labels are taken from ``predicted``, or made from ``scores`` at ``threshold`` (0.5 unless told; choose it
    on training data with ``choose_threshold``). The curves and the cross-entropy need ``scores``. With one
    class only, the scores that need the other are undefined and so is the AUC.

    >>> result = evaluate_binary([0, 0, 1, 1], scores=[0.1, 0.6, 0.55, 0.8])
    >>> print(result.matrix, result.auc)
    tp=2 fn=0 fp=1 tn=1 0.75
    """
    chosen("undefined", undefined, get_args(Undefined))
    if predicted is None and scores is None:
        raise InvalidOption("nothing to evaluate: give predicted labels, scores, or both")
    if predicted is not None and threshold is not None:
        raise InvalidOption("threshold has no use when predicted labels are given; leave one of them out")
    matrix = None if predicted is None else confusion_matrix(truth, predicted, positive=positive)
    if scores is None and matrix is not None:
        return BinaryEvaluation(matrix, _all_scores(matrix, undefined), undefined, positive)
    actual, values = scored(truth, [] if scores is None else scores, positive)
    if matrix is None:
        threshold = 0.5 if threshold is None else float(threshold)
        matrix = matrix_of(actual, labels_from_scores(values, threshold))
    likely = bool(np.all((values >= 0) & (values <= 1)))
    return BinaryEvaluation(
        matrix,
        _all_scores(matrix, undefined),
        undefined,
        positive,
        threshold,
        roc_curve(actual, values),
        precision_recall_curve(actual, values),
        cross_entropy(actual, values) if likely else None,
        brier_score(actual, values) if likely else None,
        calibration(actual, values) if likely else None,
    )


def _all_scores(matrix: ConfusionMatrix, undefined: Undefined) -> Mapping[str, float]:
    values = {known.name: known(*matrix.cells) for known in known_scores()}
    if undefined == "zero":
        values = {name: 0.0 if np.isnan(value) else value for name, value in values.items()}
    return MappingProxyType(values)
