"""The ROC and the precision-recall curve, and the ways to summarise them by one number.

A curve passes through every distinct score, and the area under the ROC curve is the Mann-Whitney statistic with ties
counted one half (Bamber 1975, doi:10.1016/0022-2496(75)90001-2; Hanley & McNeil 1982,
doi:10.1148/radiology.143.1.7063747), computed from integer counts. Partial areas are standardised as McClish did (1989,
doi:10.1177/0272989X8900900307). With several classes the AUC is the mean over classes of each against the rest, or over
pairs of classes (Hand & Till 2001, doi:10.1023/A:1010920819831), which does not depend on how common the classes are.

"Average precision" names several numbers: the plain step sum, the area under the decreasing envelope (PASCAL VOC from
2010), eleven points (PASCAL VOC 2007, doi:10.1007/s11263-009-0275-4) and 101 points (COCO, Lin et al. 2014,
doi:10.1007/978-3-319-10602-1_48). They can differ in the second decimal, so the method is always named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Bools, Floats, Ints, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.figures import new_figure
from scoreproof.jsonable import document
from scoreproof.metrics.labels import BLUE, GREY, RED, class_table, frozen, number, positives, same_shape, small_table
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen, declared, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from scoreproof.metrics.binary import BinaryEvaluation


@dataclass(frozen=True, slots=True, eq=False)
class RocCurve(Result):
    """True against false positives as the threshold falls through every distinct score.

    The first point is (0, 0) at an infinite threshold. With one class only, the rate of the missing class and
    the area are NaN.
    """

    thresholds: Floats
    tp: Ints
    fp: Ints

    _told = "p n auc thresholds tp fp tpr fpr"

    @property
    def p(self) -> int:
        return int(self.tp[-1])

    @property
    def n(self) -> int:
        return int(self.fp[-1])

    @property
    def tpr(self) -> Floats:
        return self.tp / (self.p or np.nan)

    @property
    def fpr(self) -> Floats:
        return self.fp / (self.n or np.nan)

    @property
    def auc(self) -> float:
        """The chance that a positive case scores above a negative one, ties counted one half."""
        if not (self.p and self.n):
            return float("nan")
        twice = int(np.sum(np.diff(self.fp) * (self.tp[1:] + self.tp[:-1])))
        return twice / (2 * self.p * self.n)

    @declared
    def partial_auc(
        self,
        *,
        fpr: tuple[float, float] | None = None,
        tpr: tuple[float, float] | None = None,
        standardized: bool = False,
    ) -> float:
        """The area over a range of false (or true) positive rates; McClish's scale if ``standardized``.

        Over ``tpr`` it is the specificity that is integrated. Standardized, 0.5 is chance and 1 is perfect.
        """
        bounds = tpr if fpr is None else fpr
        if bounds is None or (fpr is not None and tpr is not None):
            raise InvalidOption("partial_auc needs one range: give fpr=(0, 0.1) or tpr=(0.9, 1), not both")
        low, high = map(float, bounds)
        if not 0 <= low < high <= 1:
            name = "tpr" if fpr is None else "fpr"
            raise InvalidOption(f"{name}={bounds!r}: a range within [0, 1] is needed, the lower bound first")
        if not (self.p and self.n):
            return float("nan")
        chance = (high**2 - low**2) / 2
        if fpr is not None:
            area = _area(self.fpr, self.tpr, low, high)
        else:
            area, chance = _area(self.tpr, 1 - self.fpr, low, high), (high - low) - chance
        return (1 + (area - chance) / ((high - low) - chance)) / 2 if standardized else area

    def __str__(self) -> str:
        if not (self.p and self.n):
            missing = "positive" if self.p == 0 else "negative"
            return f"The area under the ROC curve is undefined: the test set holds no {missing} case."
        cases = f"{self.p} positive, {self.n} negative cases"
        return f"The area under the ROC curve is {number(self.auc)} ({cases})."


def roc_curve(truth: ArrayLike, scores: ArrayLike, *, positive: Any = None) -> RocCurve:
    """The ROC curve of numeric scores, higher meaning more positive.

    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.auc, curve.partial_auc(fpr=(0, 0.5))
    (0.75, 0.25)
    >>> print(curve)
    The area under the ROC curve is 0.7500 (2 positive, 2 negative cases).
    """
    thresholds, tp, fp = counts_by_threshold(*scored(truth, scores, positive))
    return RocCurve(frozen(np.r_[np.inf, thresholds]), frozen(np.r_[0, tp]), frozen(np.r_[0, fp]))


def auc(truth: ArrayLike, scores: ArrayLike, *, positive: Any = None) -> float:
    """The area under the ROC curve; NaN when the truth holds one class only."""
    return roc_curve(truth, scores, positive=positive).auc


def multiclass_auc(
    truth: ArrayLike, scores: ArrayLike, *, classes: Sequence[Any], how: Literal["ovr", "ovo"] = "ovr"
) -> float:
    """The mean AUC of each class against the rest (ovr), or of all pairs of classes (ovo, Hand and Till's M).

    >>> table = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]]
    >>> round(multiclass_auc(["a", "b", "c", "b"], table, classes=["a", "b", "c"]), 4)
    1.0
    """
    actual, values = class_table(truth, numbers("scores", scores, ndim=2), classes, "scores")
    present = [i for i in range(len(classes)) if np.any(actual == i)]
    if len(present) < 2:
        raise InvalidValue("truth holds one class only; an AUC needs at least two")
    if how == "ovr":
        return float(np.mean([auc(actual == i, values[:, i]) for i in present]))
    areas = []
    for i, j in combinations(present, 2):
        both = (actual == i) | (actual == j)
        areas += [auc(actual[both] == positive, values[both, positive]) for positive in (i, j)]
    return float(np.mean(areas))


def top_k_accuracy(truth: ArrayLike, scores: ArrayLike, *, classes: Sequence[Any], k: int = 5) -> float:
    """The share of cases whose true class is among the k highest scores; equal scores count against it.

    >>> top_k_accuracy(["a", "b", "c"], [[3, 2, 1], [3, 2, 1], [3, 2, 1]], classes=["a", "b", "c"], k=2)
    0.6666666666666666
    """
    whole("k", k, at_least=1)
    actual, values = class_table(truth, numbers("scores", scores, ndim=2), classes, "scores")
    own = values[np.arange(len(actual)), actual][:, None]
    # Itself and whatever is as high: a tie at the border is not a hit.
    ahead = np.sum(values >= own, axis=1)
    return float(np.mean(ahead <= k))


def scored(truth: ArrayLike, scores: ArrayLike, positive: Any) -> tuple[Bools, Floats]:
    """Truth values and finite scores of the same cases."""
    (actual,) = positives({"truth": truth}, positive)
    values = numbers("scores", scores)
    same_shape("truth", actual, "scores", values)
    return actual, values


def counts_by_threshold(actual: Bools, scores: Floats) -> tuple[Floats, Ints, Ints]:
    """The distinct scores from the highest down, with the positives and negatives that reach each."""
    order = np.argsort(-scores, kind="stable")
    ranked, hits = scores[order], actual[order]
    last = np.r_[np.flatnonzero(np.diff(ranked)), ranked.size - 1]
    tp = np.cumsum(hits, dtype=np.int64)[last]
    return ranked[last], tp, last + 1 - tp


def _area(x: Floats, y: Floats, low: float, high: float) -> float:
    """The area under the broken line through (x, y), x not falling, between two abscissae."""
    width = np.diff(x)
    rising = width > 0
    x0, y0, slope = x[:-1][rising], y[:-1][rising], np.diff(y)[rising] / width[rising]
    left, right = np.clip(x0, low, high), np.clip(x[1:][rising], low, high)
    heights = 2 * y0 + slope * ((left - x0) + (right - x0))
    return float(np.sum((right - left) * heights) / 2)


Interpolation = Literal["step", "envelope", "eleven", "coco"]
_GRIDS = {"eleven": np.linspace(0.0, 1.0, 11), "coco": np.linspace(0.0, 1.0, 101)}


@dataclass(frozen=True, slots=True, eq=False)
class PrecisionRecallCurve(Result):
    """Precision and recall as the threshold falls; ``p`` counts what there was to find.

    With nothing to find (p = 0) recall and every average precision are NaN; with nothing found they are 0.
    """

    thresholds: Floats
    tp: Ints
    fp: Ints
    p: int

    @property
    def precision(self) -> Floats:
        share: Floats = self.tp / np.maximum(self.tp + self.fp, 1)
        return share

    @property
    def recall(self) -> Floats:
        return self.tp / self.p if self.p else np.full(self.tp.shape, np.nan)

    def average_precision(self, interpolation: Interpolation = "step") -> float:
        """One number for the curve, by the named method (see the module's introduction)."""
        chosen("interpolation", interpolation, get_args(Interpolation))
        if self.p == 0:
            return float("nan")
        if self.tp.size == 0:
            return 0.0
        steps = np.diff(self.tp, prepend=0) / self.p
        if interpolation == "step":
            return float(np.sum(steps * self.precision))
        envelope = np.maximum.accumulate(self.precision[::-1])[::-1]
        if interpolation == "envelope":
            return float(np.sum(steps * envelope))
        reached = np.searchsorted(self.recall, _GRIDS[interpolation], side="left")
        return float(np.mean(np.append(envelope, 0.0)[reached]))

    def to_dict(self) -> dict[str, Any]:
        return document(self, "p thresholds tp fp precision recall", average_precision=self.average_precision())

    def __str__(self) -> str:
        if self.p == 0:
            return "The average precision is undefined: there is no positive case."
        value = number(self.average_precision())
        return f"The average precision (step sum) is {value} ({self.p} positive cases)."

    def _tables(self) -> list[SmallTable]:
        rows = [[name, self.average_precision(name)] for name in get_args(Interpolation)]
        return [small_table(f"Average precision, {self.p} positive", ["method", "value"], rows)]


def precision_recall_curve(truth: ArrayLike, scores: ArrayLike, *, positive: Any = None) -> PrecisionRecallCurve:
    """Precision and recall at every distinct score.

    >>> curve = precision_recall_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(curve.average_precision(), 4), round(curve.average_precision("coco"), 4)
    (0.8333, 0.835)
    """
    actual, values = scored(truth, scores, positive)
    thresholds, tp, fp = counts_by_threshold(actual, values)
    return PrecisionRecallCurve(frozen(thresholds), frozen(tp), frozen(fp), int(tp[-1]))


def average_precision(
    truth: ArrayLike, scores: ArrayLike, *, interpolation: Interpolation = "step", positive: Any = None
) -> float:
    """The average precision of a binary classifier; NaN when the truth holds no positive case."""
    return precision_recall_curve(truth, scores, positive=positive).average_precision(interpolation)


def curves_figure(evaluation: BinaryEvaluation) -> Figure:
    """The ROC curve and the precision-recall curve, with the point of the threshold in use."""
    roc, pr = evaluation.roc, evaluation.precision_recall
    if roc is None or pr is None:
        raise InvalidOption("curves need numeric scores; give scores as well as labels")
    if not (roc.p and roc.n):
        raise InvalidOption("curves need cases of both classes; the truth holds one class only")
    given = evaluation.threshold
    label = "labels as given" if given is None else f"threshold {given:.3g}"
    figure = new_figure(9.2, 4.4)
    left, right = figure.subplots(1, 2)
    left.plot([0, 1], [0, 1], color=GREY, linestyle=":", label="chance")
    left.plot(roc.fpr, roc.tpr, color=BLUE, label=f"AUC {number(roc.auc, 3)}")
    left.plot([1 - evaluation["spec"]], [evaluation["sens"]], "o", color=RED, label=label)
    _unit_axes(left, "false positive rate (1 - specificity)", "true positive rate (sensitivity)")
    left.legend(loc="lower right", frameon=False)
    share = roc.p / (roc.p + roc.n)
    right.axhline(share, color=GREY, linestyle=":", label=f"chance ({number(share, 3)})")
    told = f"average precision {number(pr.average_precision(), 3)}"
    recall, precision = np.r_[0.0, pr.recall], np.r_[pr.precision[0], pr.precision]
    right.step(recall, precision, where="pre", color=BLUE, label=told)
    if not np.isnan(evaluation["ppv"]):
        right.plot([evaluation["sens"]], [evaluation["ppv"]], "o", color=RED, label=label)
    _unit_axes(right, "recall (sensitivity)", "precision")
    right.legend(loc="lower left", frameon=False)
    return figure


def _unit_axes(axes: Axes, across: str, up: str) -> None:
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=across, ylabel=up)
    axes.set_aspect("equal")
    axes.spines[["top", "right"]].set_visible(False)
