"""The precision-recall curve and the ways to summarise it by one number.

"Average precision" names several numbers: the plain step sum, the area under the decreasing envelope (PASCAL VOC from
2010), eleven points (PASCAL VOC 2007, doi:10.1007/s11263-009-0275-4) and 101 points (COCO, Lin et al. 2014,
doi:10.1007/978-3-319-10602-1_48). They can differ in the second decimal, so the method is always named.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats, Ints
from scoreproof.jsonable import document
from scoreproof.metrics.arrays import frozen
from scoreproof.metrics.presentation import number, small_table
from scoreproof.metrics.roc import counts_by_threshold, scored
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen

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
        found: Floats = self.tp / np.maximum(self.tp + self.fp, 1)
        return found

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
    """The average precision of a binary classifier; NaN when the truth holds no positive case.

    >>> average_precision([0, 1, 1], [0.2, 0.6, 0.4])
    1.0
    """
    return precision_recall_curve(truth, scores, positive=positive).average_precision(interpolation)
