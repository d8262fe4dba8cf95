"""Bounds for ROC curves that are concave (Fawcett 2006): a convex hull, a fitted curve; only where somebody says so.

In rates, let the curve go through x = fp/n, y = tp/p. It lies above its chords and below one line through the point,
of a slope s: both ends of it must leave the curve room, so that the line is not below (0, 0) at 0 nor below (1, 1) at
1, and (1 - y)/(1 - x) <= s <= y/x. Above that line and below 1 lies a triangle of the area (1 - y + s x)²/(2 s), which
is least at s = (1 - y)/x, or at the end of the slopes that is next to it:

    (sens + spec)/2 <= AUC <= 1 - 2 x (1 - y)              if x <= 1/2 <= y
                              1 - x/(2 y)                  if y < 1/2
                              1 - (1 - y)/(2 (1 - x))      if x > 1/2

and y >= x. Mixtures of the lowest and the highest curve are concave and go through the point, so every area between
occurs. Such an area is of no cases that could be counted: it need not be a whole number of half cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from scoreproof.kinds.binary.engine.bands import Band, band
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.binary.scores.score import made
from scoreproof.kinds.curve.bounds import at_least
from scoreproof.kinds.curve.path import Curve
from scoreproof.reported import Claim, report

Rates = tuple[Fraction, Fraction]


def concave_ends(sens: Fraction, spec: Fraction) -> Rates | None:
    """The least and the greatest area under a concave curve through a point; None below the diagonal.

    >>> [str(end) for end in concave_ends(Fraction(4, 5), Fraction(9, 10))]
    ['17/20', '24/25']
    """
    x, y = 1 - spec, sens
    if y < x:
        return None
    if x == 0 or y == 1:
        highest = Fraction(1)
    elif y < Fraction(1, 2):
        highest = 1 - x / (2 * y)
    elif x > Fraction(1, 2):
        highest = 1 - (1 - y) / (2 * (1 - x))
    else:
        highest = 1 - 2 * x * (1 - y)
    return (sens + spec) / 2, highest


def _highest(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:
    """It rises with tp and with tn; below the diagonal, where there is no concave curve, it is 0."""
    if not isinstance(tp, int):
        return _highest_of_many(tp / (tp + fn), fp / (fp + tn))
    ends = concave_ends(Fraction(tp, tp + fn), Fraction(tn, fp + tn))
    return (0, 1) if ends is None else ends[1].as_integer_ratio()


def _highest_of_many(y: Any, x: Any) -> tuple[Any, Any]:
    """The same for arrays of rates, for searches that only propose."""
    import numpy as np

    divided = np.clip(np.minimum(np.maximum(0.5, x), y), 1e-9, 1 - 1e-9)
    return np.where(y < x, 0.0, 1 - x * (1 - y) / (2 * divided * (1 - divided))), np.ones(np.shape(x))


LOWEST_CONCAVE = made(
    "lowest concave area",
    "area of the chords",
    lambda tp, fp, fn, tn: (tp * (fp + tn) + tn * (tp + fn), 2 * (tp + fn) * (fp + tn)),
    builtin=False,
)
HIGHEST_CONCAVE = made("highest concave area", "area of the highest concave curve", _highest, builtin=False)


def concave_curves(
    areas: Sequence[Claim], matrices: Sequence[ConfusionMatrix], weights: Sequence[Fraction]
) -> list[Curve]:
    """Concave curves through the matrices whose mean area is as claimed, all at one share of their ways; or none."""
    each = [concave_ends(Fraction(m.tp, m.p), Fraction(m.tn, m.n)) if m.p and m.n else None for m in matrices]
    ends = [end for end in each if end is not None]
    if len(ends) < len(each):
        return []
    least, most = (sum((w * end[at] for w, end in zip(weights, ends, strict=True)), Fraction(0)) for at in (0, 1))
    wanted = max([least, *(claim.low for claim in areas)])
    if wanted > min([most, *(claim.high for claim in areas)]):
        return []
    share = (wanted - least) / (most - least) if most > least else Fraction(0)
    return [concave_curve(matrix, share) for matrix in matrices]


def concave_curve(matrix: ConfusionMatrix, share: Fraction) -> Curve:
    """The curve with that share of the way from the least area to the greatest: a mean of the curves that have these.

    >>> concave_curve(ConfusionMatrix(tp=8, fp=1, fn=2, tn=9), Fraction(1)).auc
    Fraction(24, 25)
    """
    x, y = Fraction(matrix.fp, matrix.n), Fraction(matrix.tp, matrix.p)

    def lowest(at: Fraction) -> Fraction:
        """The height of the chords."""
        if at < x:
            return y * at / x
        return y if x == 1 else y + (1 - y) * (at - x) / (1 - x)

    if x == 0 or y == 1:
        left, end = Fraction(1), Fraction(0)  # straight up
    else:
        divided = min(max(Fraction(1, 2), x), y)  # how far on the line the point is, from the left to the height 1
        left, end = 1 - (1 - y) / (1 - divided), x / divided
    zero, unit = Fraction(0), Fraction(1)
    start = share * left + (1 - share) * lowest(zero)
    corners = {(zero, zero), (zero, start), (x, y), (end, share + (1 - share) * lowest(end)), (unit, unit)}
    return _counted(matrix, sorted(corners))


def _counted(matrix: ConfusionMatrix, corners: list[Rates]) -> Curve:
    """Corners in rates as vertices, counted in parts of a case."""
    placed = [(x * matrix.n, y * matrix.p) for x, y in corners]
    parts = lcm(*(end.denominator for corner in placed for end in corner))
    return Curve(tuple((int(x * parts), int(y * parts)) for x, y in placed), matrix, parts)


def demanded_of_concave(claim: Claim, p: int, n: int, first: int) -> list[Band]:
    """The two bands of an AUC above one half under a concave curve: (sens + spec)/2 lies from one half to it."""
    lowest = report("bacc", (claim.high + Fraction(1, 2)) / 2, eps=(claim.high - Fraction(1, 2)) / 2)
    return [band(first, lowest, p, n), at_least(first + 1, HIGHEST_CONCAVE, p, n, claim.low)]
