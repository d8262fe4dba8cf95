"""The threshold that turns scores into labels, chosen on training data.

Warning: choose it on the *training* (or validation) predictions and then apply it to the test set. The
threshold that is best on the test set has been fitted to the test set, and the scores it gives there are too
good: they would fall on any new sample (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x; Youden
1950, doi:10.1002/1097-0142(1950)3:1<32::AID-CNCR2820030106>3.0.CO;2-3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats, as_array, numbers
from scoreproof.errors import InvalidValue
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.metrics.presentation import number, small_table
from scoreproof.metrics.roc import counts_by_threshold, scored
from scoreproof.results import Result, SmallTable


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

    def _tables(self) -> list[SmallTable]:
        return [
            small_table(
                "Chosen threshold",
                ["threshold", "criterion", "value", "as good"],
                [[f"{self.threshold:.6g}", self.criterion, self.value, self.ties]],
            )
        ]


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


def _flat(name: str, values: ArrayLike) -> Floats:
    """The numbers of an image, whatever its shape."""
    return numbers(name, as_array(name, values).ravel())


def threshold_by_median_dice(
    truths: Sequence[ArrayLike], scores: Sequence[ArrayLike], *, thresholds: ArrayLike | None = None
) -> tuple[float, float]:
    """The threshold whose masks have the highest median Dice over the *training* images, and that median.

    ``truths`` are masks, ``scores`` the maps of a segmentation network; pixels are positive from the threshold
    upwards. Candidates are 199 quantiles of all scores unless given; of equally good ones the middle is taken
    (Rainio, Teuho & Klén 2024, "Convolutional neural networks"). Two empty masks agree perfectly.

    >>> threshold_by_median_dice([[1, 1, 0, 0]], [[0.9, 0.6, 0.4, 0.1]], thresholds=[0.2, 0.5, 0.8])
    (0.5, 1.0)
    """
    if len(truths) != len(scores) or len(truths) == 0:
        raise InvalidValue(f"{len(truths)} masks but {len(scores)} maps of scores; give one for each image")
    masks = [_flat(f"truths[{i}]", mask) > 0 for i, mask in enumerate(truths)]
    maps = [_flat(f"scores[{i}]", values) for i, values in enumerate(scores)]
    for i, (mask, values) in enumerate(zip(masks, maps, strict=True)):
        if mask.shape != values.shape or not np.isfinite(values).all():
            raise InvalidValue(f"image {i}: the mask and its scores must have one shape, all scores finite")
    every = np.concatenate(maps)
    tried = np.unique(
        np.quantile(every, np.linspace(0.005, 0.995, 199)) if thresholds is None else numbers("thresholds", thresholds)
    )
    dices = np.empty((len(maps), len(tried)))
    for i, (mask, values) in enumerate(zip(masks, maps, strict=True)):
        inside, all_scores = np.sort(values[mask]), np.sort(values)
        hits = inside.size - np.searchsorted(inside, tried, side="left")
        called = all_scores.size - np.searchsorted(all_scores, tried, side="left")
        size = called + inside.size
        dices[i] = np.where(size > 0, 2 * hits / np.maximum(size, 1), 1.0)
    medians = np.median(dices, axis=0)
    best = np.flatnonzero(medians == medians.max())
    chosen = best[len(best) // 2]
    return float(tried[chosen]), float(medians[chosen])
