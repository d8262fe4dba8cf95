"""Where each case stands among the cases of the other class: the building blocks of AUC and its variance.

A positive's placement is the share of negatives scored below it, ties counting half; a negative's is the
share of positives above it. Their means are the AUC, their variances DeLong's (DeLong, DeLong &
Clarke-Pearson 1988, doi:10.2307/2531595). One sort per classifier gives them all: in sorted order they are
running counts of the other class, without the three rankings of the usual fast algorithm (Sun & Xu 2014,
doi:10.1109/LSP.2014.2337313).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Bools, Floats


@dataclass(frozen=True, slots=True)
class Placements:
    """The placements of the positives and of the negatives, each in the order of the cases."""

    positives: Floats
    negatives: Floats

    @property
    def auc(self) -> float:
        return float(self.positives.mean())

    @property
    def variance(self) -> float:
        """DeLong's variance of the AUC."""
        return spread(self.positives, self.negatives)


def placements(truth: Bools, scores: Floats) -> Placements:
    """Placements of all cases; both classes must occur.

    >>> found = placements(np.array([True, False, True, False]), np.array([0.9, 0.4, 0.4, 0.1]))
    >>> found.positives, found.negatives, found.auc
    (array([1.  , 0.75]), array([0.75, 1.  ]), 0.875)
    """
    order, ordered = sort_with_order(scores)
    is_positive = truth.take(order)
    size = len(scores)
    count: type[np.signedinteger[Any]] = np.int32 if size < 1 << 30 else np.int64
    positives_up_to: npt.NDArray[Any] = np.cumsum(is_positive, dtype=count)
    m = int(positives_up_to[-1])
    n = size - m
    last = np.flatnonzero(ordered[1:] != ordered[:-1])
    if len(last) == size - 1:
        positives_below = positives_up_to - is_positive
        other = np.where(is_positive, np.arange(size, dtype=count) - positives_below, m - positives_below)
        twice = 1
    else:
        # Within a run of equal scores half of the other class counts as below: the mean of before and after.
        ends: npt.NDArray[Any] = (np.append(last, size - 1) + 1).astype(count)
        lengths = np.diff(ends, prepend=0)
        after = positives_up_to[ends - 1]
        positives_below = after + np.append(count(0), after[:-1])
        negatives_below = 2 * ends - lengths - positives_below
        other = np.where(is_positive, np.repeat(negatives_below, lengths), np.repeat(2 * m - positives_below, lengths))
        twice = 2
    counts: npt.NDArray[Any] = np.empty(size, dtype=count)
    counts[order] = other
    return Placements(
        counts.take(np.flatnonzero(truth)) / (twice * n), counts.take(np.flatnonzero(~truth)) / (twice * m)
    )


def sort_with_order(scores: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """An order that sorts the scores and the sorted scores, from one sort of plain integers.

    The bits of a float, with those below the sign flipped for negatives, order as the floats do. The lowest
    ones give way to the position of the case, so the sorted integers carry the order along, which is twice as
    fast as an argsort. Scores that differ only in the bits given up may come out of order; those few are
    sorted again.

    >>> sort_with_order(np.array([0.3, -1.0, 0.2]))
    (array([1, 2, 0]), array([-1. ,  0.2,  0.3]))
    """
    size = len(scores)
    below = np.int64((1 << size.bit_length()) - 1)
    keys = scores.view(np.int64) >> 63
    keys &= np.int64(0x7FFF_FFFF_FFFF_FFFF)
    keys ^= scores.view(np.int64)
    keys &= ~below
    keys |= np.arange(size)
    keys.sort()
    order = keys & below
    ordered = scores.take(order)
    if np.any(ordered[1:] < ordered[:-1]):
        keys >>= size.bit_length()
        same = keys[1:] == keys[:-1]
        shared = np.flatnonzero(np.append(same, False) | np.append(False, same))
        order[shared] = order[shared][np.argsort(ordered[shared], kind="stable")]
        ordered = scores.take(order)
    return order, ordered


@dataclass(frozen=True, slots=True)
class JointVariance:
    """DeLong's variances and covariance of two AUCs on the same cases, and that of their difference."""

    first: float
    second: float
    covariance: float
    difference: float


def joint_variance(one: Placements, two: Placements) -> JointVariance:
    """All four; the last from the differences themselves, so that equal placements give exactly zero."""
    first = second = together = difference = 0.0
    for a, b in ((one.positives, two.positives), (one.negatives, two.negatives)):
        scale = len(a) * (len(a) - 1)
        x, y = a - a.mean(), b - b.mean()
        first += float(np.dot(x, x)) / scale
        second += float(np.dot(y, y)) / scale
        together += float(np.dot(x, y)) / scale
        gap = a - b
        gap -= gap.mean()
        difference += float(np.dot(gap, gap)) / scale
    return JointVariance(first, second, together, difference)


def spread(positives: Floats, negatives: Floats) -> float:
    """The variance of a mean placement over both classes."""
    return sum(float(np.var(v, ddof=1)) / len(v) for v in (positives, negatives))
