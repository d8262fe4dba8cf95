"""Where each case stands among the cases of the other class: the building blocks of AUC and its variance.

A positive's placement is the share of negatives scored below it, ties counting half; a negative's is the
share of positives above it. Their means are the AUC, their variances DeLong's (DeLong, DeLong &
Clarke-Pearson 1988, doi:10.2307/2531595). One sort per classifier gives them all: in sorted order they are
running counts of the other class, without the three rankings of the usual fast algorithm (Sun & Xu 2014,
doi:10.1109/LSP.2014.2337313).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoreproof.statistics.arrays import BoolArray, FloatArray


@dataclass(frozen=True, slots=True)
class Placements:
    """The placements of the positives and of the negatives, each in the order of the cases."""

    positives: FloatArray
    negatives: FloatArray

    @property
    def auc(self) -> float:
        return float(self.positives.mean())

    @property
    def variance(self) -> float:
        """DeLong's variance of the AUC."""
        return spread(self.positives, self.negatives)


def placements(truth: BoolArray, scores: FloatArray) -> Placements:
    """Placements of all cases; both classes must occur.

    >>> found = placements(np.array([True, False, True, False]), np.array([0.9, 0.4, 0.4, 0.1]))
    >>> found.positives, found.negatives, found.auc
    (array([1.  , 0.75]), array([0.75, 1.  ]), 0.875)
    """
    order = np.argsort(scores)
    ordered, is_positive = scores[order], truth[order]
    positives_up_to = np.cumsum(is_positive, dtype=np.int64)
    size = len(scores)
    m = int(positives_up_to[-1])
    n = size - m
    starts = np.flatnonzero(ordered[1:] != ordered[:-1])
    place = np.empty(size)
    if len(starts) == size - 1:
        below = positives_up_to - is_positive
        other = np.where(is_positive, (np.arange(size) - below) / n, (m - below) / m)
    else:
        # Within a run of equal scores half of the other class counts as below: the mean of before and after.
        ends = np.append(starts, size - 1) + 1
        lengths = np.diff(ends, prepend=0)
        after = positives_up_to[ends - 1]
        twice_positives = after + np.concatenate([[0], after[:-1]])
        twice_negatives = 2 * ends - lengths - twice_positives
        for_positive = np.repeat(twice_negatives / (2 * n), lengths)
        for_negative = np.repeat((2 * m - twice_positives) / (2 * m), lengths)
        other = np.where(is_positive, for_positive, for_negative)
    place[order] = other
    return Placements(place[truth], place[~truth])


def spread(positives: FloatArray, negatives: FloatArray) -> float:
    """The variance of a mean placement, or of a difference of two, over both classes."""
    return _variance(positives) / len(positives) + _variance(negatives) / len(negatives)


def covariance(first: Placements, second: Placements) -> float:
    """DeLong's covariance of two AUCs on the same cases."""
    return _covariance(first.positives, second.positives) / len(first.positives) + _covariance(
        first.negatives, second.negatives
    ) / len(first.negatives)


def _variance(values: FloatArray) -> float:
    centred = values - values.mean()
    return float(centred @ centred) / (len(values) - 1)


def _covariance(first: FloatArray, second: FloatArray) -> float:
    return float((first - first.mean()) @ (second - second.mean())) / (len(first) - 1)
