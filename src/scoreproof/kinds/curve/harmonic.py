"""Sums of i / (x + i), the precisions of positives that follow x negatives, between rationals.

Short sums are added up in fixed point, each term rounded down and up. Long ones go in blocks: 1 / i is convex, so the
terms of a block average at least the one in the middle and at most the mean of both ends.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

Ends = tuple[Fraction, Fraction]
_ONE = 1 << 96
_TERMS = 512  # added up one by one
_FINENESS = 256  # a block is so much shorter than its first number


@lru_cache(maxsize=4096)
def run_of_positives(x: int, before: int, after: int) -> Ends:
    """Rationals around the sum of i / (x + i) for i from ``before`` + 1 to ``after``.

    >>> [float(end) for end in run_of_positives(1, 0, 2)]
    [1.1666666666666667, 1.1666666666666667]
    """
    count = after - before
    if count <= 0 or x == 0:
        return Fraction(max(count, 0)), Fraction(max(count, 0))
    low, high = _reciprocals(x + before, x + after)
    return Fraction(count * _ONE - x * high, _ONE), Fraction(count * _ONE - x * low, _ONE)


def _reciprocals(before: int, after: int) -> tuple[int, int]:
    """Whole numbers around the sum of 1 / i for i from ``before`` + 1 to ``after``, in units of 1 / _ONE."""
    low = high = 0
    stop = min(after, before + _TERMS)
    for i in range(before + 1, stop + 1):
        term = _ONE // i
        low += term
        high += term + 1
    while stop < after:
        first = stop + 1
        stop = min(after, stop + max(1, first // _FINENESS))
        length = stop - first + 1
        low += 2 * length * _ONE // (first + stop)
        high += (length * _ONE * (first + stop)) // (2 * first * stop) + 1
    return low, high
