"""The best accuracy over all thresholds of a ranking, beside its AUC.

With c right answers at best of N = p + n, M the larger and m the smaller class, and u = 2 p n AUC:

    (N - c)^2 <= 2 p n - u      the curve stays below tp - fp = c - n, which leaves a triangle of side N - c above it
    2 M (c - M) <= u            tp tn >= M (c - M) if tp + tn = c, and that many cells lie under the curve
    M <= c <= N                 one of the classes can always be answered throughout

Between these every pair (u, c) occurs: rows of the walk are moved to the left, up to the line, from the lowest walk on.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isqrt

from scoreproof.kinds.curve.path import Curve
from scoreproof.reported import Claim


def best_counts(claim: Claim, p: int, n: int, areas: tuple[int, int]) -> tuple[int, int]:
    """The least and the greatest number of right answers at best that print like this, with 2 p n AUC between ends.

    >>> from scoreproof.quantities.curve import BEST_ACCURACY
    >>> from scoreproof.reported import report
    >>> best_counts(report(BEST_ACCURACY, "0.80"), 50, 50, (4500, 4500))
    (79, 81)
    """
    total, more, fewer = p + n, max(p, n), min(p, n)
    least = max(ceil(total * claim.low), more, total - isqrt(2 * p * n - areas[0]))
    return least, min(floor(total * claim.high), more + min(fewer, areas[1] // (2 * more)))


def best_of(curve: Curve) -> Fraction:
    """The best accuracy over the thresholds of a curve."""
    p, n = curve.matrix.p, curve.matrix.n
    return Fraction(max(tp + n - fp for fp, tp in curve.vertices), p + n)
