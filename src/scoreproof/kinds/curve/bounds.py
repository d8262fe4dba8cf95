"""What an area demands of the operating point: two scores of its confusion matrix, both rising with tp and tn.

With u = 2 p n AUC: the curve through (fp, tp) has 2 tp tn <= u <= 2 (p n - fp fn), and every whole number between
(every even one without ties) is the u of some curve. So the area's interval becomes an upper bound on tp tn and a
lower bound on p n - fp fn, and nothing is lost. Of the average precision only the ends are known:

    lowest    first the fp negatives, then tp positives; then all other negatives, then the other positives
    highest   first the tp positives; after the fp negatives all other positives, as one tie

(a tie among positives raises the average precision). An area under the precision-recall curve that may be by
trapezoids or interpolated lies above the chords of the lowest curve, and below the same highest one.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from scoreproof.kinds.binary.engine.bands import Band, band
from scoreproof.kinds.binary.scores import Score, score
from scoreproof.kinds.binary.scores.score import made
from scoreproof.kinds.curve.concave import HIGHEST_CONCAVE
from scoreproof.kinds.curve.harmonic import run_of_positives
from scoreproof.reported import Claim, report


def whole_areas(claim: Claim, p: int, n: int, *, ties: bool) -> tuple[int, int]:
    """The least and the greatest 2 p n AUC that print like this; the least is above the greatest if none does.

    >>> from scoreproof.quantities.curve import AUC
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


def demanded_of_concave(claim: Claim, p: int, n: int, first: int) -> list[Band]:
    """The two bands of an AUC above one half under a concave curve: (sens + spec)/2 lies from one half to it."""
    lowest = report("bacc", (claim.high + Fraction(1, 2)) / 2, eps=(claim.high - Fraction(1, 2)) / 2)
    return [band(first, lowest, p, n), _least(first + 1, HIGHEST_CONCAVE, p, n, claim.low)]


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
