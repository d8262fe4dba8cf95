"""The threshold that turns scores into labels, chosen on training data.

Warning: choose it on the *training* (or validation) predictions and then apply it to the test set. The
threshold that is best on the test set has been fitted to the test set, and the scores it gives there are too
good: they would fall on any new sample (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x; Youden
1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.errors import InvalidValue
from scoreproof.metrics.presentation import html_table, number, plain
from scoreproof.metrics.roc import counts_by_threshold, scored
from scoreproof.scores import ConfusionMatrix, Score, score


@dataclass(frozen=True, slots=True)
class ThresholdChoice:
    """The best threshold for a criterion; ``ties`` counts the thresholds that are as good."""

    threshold: float
    criterion: str
    value: float
    matrix: ConfusionMatrix
    ties: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "threshold": plain(self.threshold),
            "criterion": self.criterion,
            "value": plain(self.value),
            "matrix": self.matrix.to_dict(),
            "ties": self.ties,
        }

    def __str__(self) -> str:
        return (
            f"The threshold {self.threshold:.6g} gives the best {self.criterion} on these data "
            f"({number(self.value)}); it must not be judged on the same data."
        )

    def _repr_html_(self) -> str:
        return html_table(
            "Chosen threshold",
            ["threshold", "criterion", "value", "as good"],
            [[f"{self.threshold:.6g}", self.criterion, self.value, self.ties]],
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
    return ThresholdChoice(
        threshold=float(thresholds[best]),
        criterion=wanted.name,
        value=wanted(*cells),
        matrix=ConfusionMatrix(*cells),
        ties=int(np.count_nonzero(reached == reached[best])) - 1,
    )
