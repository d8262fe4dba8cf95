"""A binary classifier's test set, evaluated: the four counts, every registered score with an interval, the threshold.

Scores come from the registry, in exact arithmetic on the counts; the curves are added when the numeric scores are known
(Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x, "Binary classification"). Shares of cases (accuracy,
sensitivity, predictive values, rates of errors) get Wilson's interval (Brown, Cai & DasGupta 2001,
doi:10.1214/ss/1009213286); other scores of the matrix the percentiles of matrices drawn like it, which is the bootstrap
of the cases; the AUC gets DeLong's (1988, doi:10.2307/2531595), from the curve's own counts.

Choose a threshold on the *training* (or validation) predictions and then apply it to the test set. The one that is best
on the test set has been fitted to it, and its scores are too good: they would fall on any new sample (Youden 1950,
doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, known_scores, score
from scoreproof.metrics.classes import Undefined, settle
from scoreproof.metrics.curves import (
    PrecisionRecallCurve,
    RocCurve,
    counts_by_threshold,
    precision_recall_curve,
    roc_curve,
    scored,
)
from scoreproof.metrics.labels import MATRIX, confusion_matrix, labels_from_scores, matrix_of, number, small_table
from scoreproof.metrics.predicted_numbers import Calibration, brier_score, calibration, cross_entropy
from scoreproof.results import Result, SmallTable
from scoreproof.validation import Share, random_seed

#: Scores that are shares of cases: which cells are counted, and of which.
_SHARES = {
    "acc": ("tp tn", "tp fp fn tn"), "err": ("fp fn", "tp fp fn tn"), "sens": ("tp", "tp fn"), "fnr": ("fn", "tp fn"),
    "spec": ("tn", "tn fp"), "fpr": ("fp", "tn fp"), "ppv": ("tp", "tp fp"), "fdr": ("fp", "tp fp"),
    "npv": ("tn", "tn fn"), "for": ("fn", "tn fn"),
}  # fmt: skip
_DRAWS = 2000
_FEWEST = 0.9
Bounds = tuple[float, float]


def score_intervals(matrix: ConfusionMatrix, *, level: Share = 0.95, seed: int = 0) -> Mapping[str, Bounds]:
    """Intervals of every registered score; one that is often undefined in draws like the matrix has none.

    >>> result = score_intervals(ConfusionMatrix(tp=261, fp=107, fn=39, tn=193))
    >>> [round(b, 4) for b in result["sens"]]
    [0.8272, 0.9034]
    """
    from scoreproof.statistics.tails import wilson

    cells = matrix.to_dict()
    total = sum(cells.values())
    generator = np.random.default_rng(random_seed(seed))
    drawn = generator.multinomial(total, [c / total for c in matrix.cells], size=_DRAWS).T
    tails = ((1 - level) / 2, (1 + level) / 2)
    intervals: dict[str, Bounds] = {}
    for known in known_scores():
        if known.name in _SHARES:
            hits, cases = (sum(cells[c] for c in part.split()) for part in _SHARES[known.name])
            if cases:
                bounds = wilson(hits, cases, level=level)
                intervals[known.name] = bounds.low, bounds.high
            continue
        values = known.values(*drawn)
        values = values[np.isfinite(values)]
        if len(values) >= _FEWEST * _DRAWS:
            low, high = np.quantile(values, tails)
            intervals[known.name] = float(low), float(high)
    return intervals


def auc_bounds(curve: RocCurve, level: float = 0.95) -> Bounds | None:
    """DeLong's interval of the area, None with fewer than two cases of a class."""
    if min(curve.p, curve.n) < 2:
        return None
    from scoreproof.statistics.auc import auc_effect, placements

    # Cases that make this curve: the interval depends on their order only.
    steps = -np.arange(len(curve.tp) - 1.0)
    scores = np.concatenate([np.repeat(steps, np.diff(curve.tp)), np.repeat(steps, np.diff(curve.fp))])
    placed = placements(np.arange(len(scores)) < curve.p, scores)
    bounds = auc_effect("AUC", placed, level).interval
    return None if bounds is None else (bounds.low, bounds.high)


@dataclass(frozen=True, slots=True)
class ThresholdChoice(Result):
    """The best threshold for a criterion; ``ties`` counts the thresholds that are as good."""

    threshold: float
    criterion: str
    value: float
    matrix: ConfusionMatrix
    ties: int

    def __str__(self) -> str:
        return (
            f"The threshold {self.threshold:.6g} gives the best {self.criterion} on these data "
            f"({number(self.value)}); it must not be judged on the same data."
        )


def choose_threshold(
    truth: ArrayLike, scores: ArrayLike, *, criterion: str | Score = "youden", positive: Any = None
) -> ThresholdChoice:
    """The threshold with the best Youden index (default), accuracy, or other registered score.

    Give *training* predictions (see the module's warning). Cases are positive from the threshold upwards;
    candidates are the distinct scores and one just above the highest (nothing is positive). Of equally good
    thresholds the highest is taken. For a score where less is better (error rate) the least is best.

    >>> choice = choose_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> choice.threshold, choice.value, choice.matrix
    (0.8, 0.5, ConfusionMatrix(tp=1, fp=0, fn=1, tn=2))
    >>> choose_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], criterion="accuracy").threshold
    0.8
    """
    wanted = score(criterion)
    actual, values = scored(truth, scores, positive)
    thresholds, tp, fp = counts_by_threshold(actual, values)
    thresholds = np.r_[np.nextafter(thresholds[0], np.inf), thresholds]
    tp, fp = np.r_[0, tp], np.r_[0, fp]
    fn, tn = tp[-1] - tp, fp[-1] - fp
    reached = wanted.direction * wanted.values(tp, fp, fn, tn)
    if np.isnan(reached).all():
        raise InvalidValue(
            f"criterion {wanted.name}: undefined at every threshold, since truth holds {int(tp[-1])} "
            f"positive and {int(fp[-1])} negative cases; give data of both classes"
        )
    best = int(np.nanargmax(reached))
    cells = (int(tp[best]), int(fp[best]), int(fn[best]), int(tn[best]))
    ties = int(np.count_nonzero(reached == reached[best])) - 1
    return ThresholdChoice(float(thresholds[best]), wanted.name, wanted(*cells), ConfusionMatrix(*cells), ties)


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
        """An interval for every score that has one, and for the AUC (see ``score_intervals``)."""
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
    told: dict[str, Any] = {
        "roc": roc_curve(actual, values),
        "precision_recall": precision_recall_curve(actual, values),
    }
    if np.all((values >= 0) & (values <= 1)):
        told |= {"cross_entropy": cross_entropy(actual, values), "brier": brier_score(actual, values)}
        told |= {"calibration": calibration(actual, values)}
    return BinaryEvaluation(matrix, _all_scores(matrix, undefined), undefined, positive, threshold, **told)


def _all_scores(matrix: ConfusionMatrix, undefined: Undefined) -> Mapping[str, float]:
    values = {known.name: known(*matrix.cells) for known in known_scores()}
    if undefined == "zero":
        values = {name: 0.0 if np.isnan(value) else value for name, value in values.items()}
    return MappingProxyType(values)
