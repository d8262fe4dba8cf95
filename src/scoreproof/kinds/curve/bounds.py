"""Sharp bounds by walks on a grid (Fawcett 2006, doi:10.1016/j.patrec.2005.10.010): what areas leave a threshold.

What an area demands of the operating point: two scores of its confusion matrix, both rising with tp and tn.

With u = 2 p n AUC: the curve through (fp, tp) has 2 tp tn <= u <= 2 (p n - fp fn), and every whole number between
(every even one without ties) is the u of some curve. So the area's interval becomes an upper bound on tp tn and a
lower bound on p n - fp fn, and nothing is lost. Of the average precision only the ends are known:

    lowest    first the fp negatives, then tp positives; then all other negatives, then the other positives
    highest   first the tp positives; after the fp negatives all other positives, as one tie

(a tie among positives raises the average precision). An area under the precision-recall curve that may be by
trapezoids or interpolated lies above the chords of the lowest curve, and below the same highest one.

The best accuracy over all thresholds of a ranking, beside its AUC.

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

from scoreproof.kinds.binary.engine.bands import Band
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.kinds.binary.scores.score import made
from scoreproof.kinds.curve.path import Curve, Vertex, run_of_positives
from scoreproof.reported import Claim


def whole_areas(claim: Claim, p: int, n: int, *, ties: bool) -> tuple[int, int]:
    """The least and the greatest 2 p n AUC that print like this; the least is above the greatest if none does.

    >>> from scoreproof.quantities.task_quantities import AUC
    >>> from scoreproof.reported import report
    >>> whole_areas(report(AUC, "0.905", rounding="nearest"), 6, 70, ties=False)
    (760, 760)
    """
    low, high = max(0, ceil(2 * p * n * claim.low)), min(2 * p * n, floor(2 * p * n * claim.high))
    return (low, high) if ties else (low + low % 2, high - high % 2)


LOWEST_AREA = made("lowest area", "area of the lowest curve", lambda tp, fp, fn, tn: (tp * tn, (tp + fn) * (fp + tn)))
HIGHEST_AREA = made(
    "highest area",
    "area of the highest curve",
    lambda tp, fp, fn, tn: (tp * (fp + tn) + fn * tn, (tp + fn) * (fp + tn)),
)


def _lowest_ap(tp: int, fp: int, fn: int, tn: int) -> tuple[int, int]:
    least = run_of_positives(fp, 0, tp)[0] + run_of_positives(fp + tn, tp, tp + fn)[0]
    return (least / (tp + fn)).as_integer_ratio()


def _lowest_chords(tp: int, fp: int, fn: int, tn: int) -> tuple[int, int]:
    p, n = tp + fn, fp + tn
    before = Fraction(tp * tp, fp + tp) if tp else Fraction(0)
    after = fn * (Fraction(tp, n + tp) + Fraction(p, n + p))
    return ((before + after) / (2 * p)).as_integer_ratio()


def _highest_ap(tp: int, fp: int, fn: int, tn: int) -> tuple[int, int]:
    p = tp + fn
    return tp * (p + fp) + fn * p, p * (p + fp)


LOWEST_AP = made("lowest average precision", "average precision of the lowest curve", _lowest_ap, builtin=False)
LOWEST_CHORDS = made("lowest trapezoids", "trapezoids under the lowest curve", _lowest_chords, builtin=False)
HIGHEST_AP = made("highest average precision", "average precision of the highest curve", _highest_ap, builtin=False)


def demanded(claim: Claim, p: int, n: int, first: int, *, ties: bool) -> list[Band]:
    """The two bands of a claim about an area, numbered from ``first`` on."""
    if claim.quantity.name == "best_acc":  # no threshold is better
        most = Fraction(floor((p + n) * claim.high), p + n)
        return [_most(first, score("acc"), p, n, most), _least(first + 1, score("acc"), p, n, Fraction(-1))]
    if claim.quantity.name == "auc":
        least, most = (Fraction(end, 2 * p * n) for end in whole_areas(claim, p, n, ties=ties))
        return [_most(first, LOWEST_AREA, p, n, most), _least(first + 1, HIGHEST_AREA, p, n, least)]
    lowest = LOWEST_AP if claim.quantity.name == "ap" else LOWEST_CHORDS
    return [_most(first, lowest, p, n, claim.high), _least(first + 1, HIGHEST_AP, p, n, claim.low)]


_BELOW, _ABOVE = (-1, 1), (2, 1)


def _most(index: int, bounded: Score, p: int, n: int, end: Fraction) -> Band:
    return Band(index, bounded, p, n, _BELOW, end.as_integer_ratio(), None, None)


def _least(index: int, bounded: Score, p: int, n: int, end: Fraction) -> Band:
    return Band(index, bounded, p, n, end.as_integer_ratio(), _ABOVE, None, None)


_MOST_STEPS = 20_000  # of a curve without ties along the line


def best_counts(claim: Claim, p: int, n: int, areas: tuple[int, int]) -> tuple[int, int]:
    """The least and the greatest number of right answers at best that print like this, with 2 p n AUC between ends.

    >>> from scoreproof.quantities.task_quantities import BEST_ACCURACY
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
    curve = Curve(tuple(sorted(set(vertices))), ConfusionMatrix(0, 0, p, n))
    return curve if curve.sound and areas[0] <= curve.twice_area <= areas[1] else None


def _rows_on_the_line(n: int, half_cells: int) -> int:
    """The most rows k with 1 + 3 + ... half cells less than full ones, k (2 n - k) in all, within so many."""
    # k (2 n - k) <= h: k <= n - sqrt(n² - h)
    return n if half_cells >= n * n else n - isqrt(n * n - half_cells - 1) - 1


def best_of(curve: Curve) -> Fraction:
    """The best accuracy over the thresholds of a curve."""
    p, n = curve.matrix.p, curve.matrix.n
    return Fraction(max(tp + n - fp for fp, tp in curve.vertices), p + n)
