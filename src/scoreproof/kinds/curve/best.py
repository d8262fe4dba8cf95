"""The best accuracy over all thresholds of a ranking, beside its AUC.

With c right answers at best of N = p + n, M the larger and m the smaller class, and u = 2 p n AUC:

    (N - c)^2 <= 2 p n - u      the curve stays below tp - fp = c - n, which leaves a triangle of side N - c above it
    2 M (c - M) <= u            tp tn >= M (c - M) if tp + tn = c, and that many cells lie under the curve
    M <= c <= N                 one of the classes can always be answered throughout

Between these every pair (u, c) occurs: rows of the walk are moved to the left, up to the line, from the lowest walk on
(``best_curve``; without ties the row on the line is one half cell shorter).
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isqrt

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve, Vertex
from scoreproof.reported import Claim

_MOST_STEPS = 20_000  # of a curve without ties along the line


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


def best_curve(p: int, n: int, areas: tuple[int, int], right: int, *, ties: bool) -> Curve | None:
    """A curve with so many right answers at best and 2 p n AUC between ends; None if it was not found.

    >>> curve = best_curve(3, 4, (17, 17), 6, ties=True)
    >>> curve.twice_area, best_of(curve)
    (17, Fraction(6, 7))
    """
    if p > n:  # the same curve of the negatives, ranked the other way round
        turned = best_curve(n, p, areas, right, ties=ties)
        if turned is None:
            return None
        back = tuple((n - y, p - x) for x, y in reversed(turned.vertices))
        return Curve(back, ConfusionMatrix(0, 0, p, n))
    start = right - n  # the curve goes straight up to (0, start), on the line tp - fp = start
    more = max(areas[0] - 2 * n * start, 0)
    vertices: list[Vertex] = [(0, 0), (0, start)]
    full = 0  # rows that lie on the line
    if ties:
        full = min(p - start, _rows_on_the_line(n, more))
        more -= full * (2 * n - full)
        vertices.append((full, start + full))
    elif more > _MOST_STEPS * (2 * n - _MOST_STEPS):
        return None
    while not ties and full < min(p - start, _MOST_STEPS) and more >= 2 * (n - full - 1):
        more -= 2 * (n - full - 1)
        full += 1
        vertices += [(full, start + full - 1), (full, start + full)]
    height = start + full
    if more:
        vertices += [(n - (more + 1) // 2, height), (n - more // 2, height + 1), (n, height + 1)]
    vertices += [(n, height), (n, p)] if not more else [(n, p)]
    found = Curve(tuple(sorted(set(vertices))), ConfusionMatrix(0, 0, p, n))
    return found if found.sound and areas[0] <= found.twice_area <= areas[1] else None


def _rows_on_the_line(n: int, half_cells: int) -> int:
    """The most rows k with 1 + 3 + ... half cells less than full ones, k (2 n - k) in all, within so many."""
    # k (2 n - k) <= h: k <= n - sqrt(n² - h)
    return n if half_cells >= n * n else n - isqrt(n * n - half_cells - 1) - 1


def best_of(curve: Curve) -> Fraction:
    """The best accuracy over the thresholds of a curve."""
    p, n = curve.matrix.p, curve.matrix.n
    return Fraction(max(tp + n - fp for fp, tp in curve.vertices), p + n)
