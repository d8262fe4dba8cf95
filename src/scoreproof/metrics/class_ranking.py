"""Scores for every class: is the true one near the top? Top-k accuracy and the AUC of several classes.

The AUC is the mean over classes of each against the rest, or over pairs of classes of each against the other
(Hand & Till 2001, doi:10.1023/A:1010920819831), which does not depend on how common the classes are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import chosen, numbers, whole
from scoreproof.errors import InvalidValue
from scoreproof.metrics.arrays import class_table
from scoreproof.metrics.roc import auc


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


def multiclass_auc(
    truth: ArrayLike, scores: ArrayLike, *, classes: Sequence[Any], how: Literal["ovr", "ovo"] = "ovr"
) -> float:
    """The mean AUC of each class against the rest (ovr), or of all pairs of classes (ovo, Hand and Till's M).

    >>> table = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]]
    >>> round(multiclass_auc(["a", "b", "c", "b"], table, classes=["a", "b", "c"]), 4)
    1.0
    """
    chosen("how", how, ("ovr", "ovo"))
    actual, values = class_table(truth, numbers("scores", scores, ndim=2), classes, "scores")
    present = [i for i in range(len(classes)) if np.any(actual == i)]
    if len(present) < 2:
        raise InvalidValue("truth holds one class only; an AUC needs at least two")
    if how == "ovr":
        return float(np.mean([auc(actual == i, values[:, i]) for i in present]))
    areas = []
    for i, j in combinations(present, 2):
        both = (actual == i) | (actual == j)
        areas += [auc(actual[both] == one, values[both, one]) for one in (i, j)]
    return float(np.mean(areas))
