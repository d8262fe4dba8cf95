"""The best accuracy over all thresholds of a ranking, beside its AUC.

With c right answers at best of N = p + n, M the larger and m the smaller class, and u = 2 p n AUC:

    (N - c)^2 <= 2 p n - u      the curve stays below tp - fp = c - n, which leaves a triangle of side N - c above it
    2 M (c - M) <= u            tp tn >= M (c - M) if tp + tn = c, and that many cells lie under the curve
    M <= c <= N                 one of the classes can always be answered throughout

Between these every pair (u, c) occurs: rows of the walk are moved to the left, up to the line, from the lowest walk on.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, isqrt

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve, Vertex
from scoreproof.reported import Claim

MOST_ROWS = 20_000  # positives for which a curve is built row by row


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


def capped_walk(p: int, n: int, right: int, areas: tuple[int, int], *, ties: bool) -> Curve | None:
    """A curve with so many right answers at best and 2 p n AUC between ends; None if none is found."""
    if p > MOST_ROWS:
        return None
    ahead = right - n  # the curve touches the line tp = fp + ahead and never crosses it
    touch = (0, ahead) if n >= p else (p + n - right, p)
    rest = areas[0] - 2 * touch[1] * (n - touch[0])
    vertices: list[Vertex] = [(0, 0)]
    for start, stop in _rows(p, n, touch, ahead, rest, ties=ties):
        vertices += [start, stop]
    matrix = ConfusionMatrix(touch[1], touch[0], p - touch[1], n - touch[0])
    curve = Curve(tuple(sorted({*vertices, (n, p), touch})), matrix)
    if not curve.sound:
        return None
    return curve if areas[0] <= curve.twice_area <= areas[1] and best_of(curve) * (p + n) == right else None


def _rows(p: int, n: int, touch: Vertex, ahead: int, rest: int, *, ties: bool) -> Iterator[tuple[Vertex, Vertex]]:
    """Row by row from where to where the walk climbs; the lowest rows are moved to the left, as far as is asked."""
    for row in range(p):
        column = touch[0] if row < touch[1] else n
        limit = max(0, row + 1 - ahead)
        moved = min(max(rest, 0) // 2, column - limit)
        column -= moved
        rest -= 2 * moved
        slope = 1 if ties and rest > 0 and column > 0 and column - 1 >= max(0, row - ahead) else 0
        rest -= slope
        yield (column - slope, row), (column, row + 1)
