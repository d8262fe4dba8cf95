"""Friedman's statistic when every data set shuffles its ranks fairly: exactly, for few models and data sets.

The rank sums of all but the last model walk on a small grid, one step per data set for each order of its ranks;
the share of walks that end at least as far from the middle as the one seen is p. Ties shuffle as they are.
Where the grid would be large, F takes Kendall's degrees of freedom, which give the permutation distribution's
mean and variance (Kendall & Babington Smith 1939, doi:10.1214/aoms/1177732186). Iman and Davenport's own are
too generous there: at 5 % three identical models on three data sets are called different in 19 % of all cases.
"""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np

from scoreproof.arrays import Floats

_MOST_STEPS = 20_000_000


def exact_friedman_p(ranks: Floats) -> float | None:
    """P(the squared rank sums are at least those seen); None where listing them takes too long.

    >>> round(exact_friedman_p(np.array([[1.0, 2, 3], [1, 2, 3], [1, 2, 3]])), 4)
    0.0278
    """
    j, k = ranks.shape
    doubled = np.rint(2 * ranks).astype(np.int64)
    low = doubled.min()
    unit = math.gcd(*(int(r - low) for r in doubled.ravel())) or 1
    steps = (doubled - low) // unit
    side = int(steps.max()) * j + 1
    if k > 6 or float(side) ** (k - 1) * math.factorial(k) * j > _MOST_STEPS:
        return None
    law = np.zeros((side,) * (k - 1))
    law[(0,) * (k - 1)] = 1.0
    for row in steps:
        orders = {order[:-1] for order in permutations(row.tolist())}
        longer = np.zeros_like(law)
        for order in orders:
            # What would be rolled around the edge is zero: the grid holds the longest walk.
            longer += np.roll(law, order, axis=tuple(range(k - 1)))
        law = longer / len(orders)
    sums = np.indices(law.shape)
    last = int(steps.sum()) - sums.sum(axis=0)
    middle = int(steps.sum())
    # k times the distance from the middle keeps it whole.
    far = np.sum((k * sums - middle) ** 2, axis=0) + (k * last - middle) ** 2
    seen = int(np.sum((k * steps.sum(axis=0) - middle) ** 2))
    return min(1.0, float(law[far >= seen].sum()))


def kendall_degrees(data_sets: int, models: int) -> tuple[float, float]:
    """Degrees of freedom of F that match the permutation distribution.

    >>> kendall_degrees(4, 3)
    (1.5, 4.5)
    """
    first = models - 1 - 2 / data_sets
    return first, first * (data_sets - 1)
