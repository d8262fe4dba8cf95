"""Replay a proof about several operating points of one curve, on products of rectangles of (tp, tn).

A cell of the plane is a positive beside a negative; it lies under the curve if the positive comes first. At a point
with tp and tn that is so for tp tn cells: each of the tp first positives beside each of the tn last negatives.
Likewise fp fn cells lie over the curve. With the least tp and tn of each point's rectangle the former are fewest, with
the greatest the latter are; twice the number of cells that some point decides bounds 2 p n AUC.

Areas under ROC curves that the statement says are concave.

A concave curve from (0, 0) to (1, 1) through (x, y), x = 1 - spec, y = sens, has y >= x. It lies above the chords to
the point, so its area is at least (1 - x + y)/2, and that at least one half. A line through the point lies above all
of it. Let the line cut off the corner (0, 1) of the square, from a part b of the left side and a part a of the upper
one: the point divides it, x/a = d and (1 - y)/b = 1 - d. Neither end is outside of the square, since (0, 0) and (1, 1)
lie below the line: a <= 1 and b <= 1, that is x <= d <= y. The triangle a b/2 = x (1 - y)/(2 d (1 - d)) is lost, least
where d is nearest to one half.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from scoreproof_verify.formulas import LINEAR, RISES, SAME, Rule
from scoreproof_verify.frame import Left, Patience, walk
from scoreproof_verify.replay.rectangles import Box, Grid, divided
from scoreproof_verify.statement import Claim
from scoreproof_verify.texts import Rejected, Score, integer, require

_MOST_STEPS = 2_000_000


def replay_points(
    points: Sequence[Sequence[Claim]], p: int, n: int, area: tuple[int, int], steps: Any, patience: Patience
) -> int:
    """Walk through the proof; the number of products excluded. ``Rejected`` at the first step that does not hold."""
    grids = [Grid(claims, p, n, None) for claims in points]

    def take(boxes: tuple[Box, ...], step: Any, number: int) -> Left[tuple[Box, ...]]:
        require(isinstance(step, list) and len(step) >= 2, f"step {number} is malformed")
        if step[0] == "cut" and len(step) == 4:
            return _halves(boxes, step), 0
        require(step[0] == "out", f"step {number} is malformed")
        require(_impossible(step[1:], boxes, grids, p, n, area), f"step {number} does not exclude its product")
        return [], 1

    ending = "the proof ends before everything is covered"
    return walk([((0, p, 0, n),) * len(points)], steps, _MOST_STEPS, ending, take, patience)


def _halves(boxes: tuple[Box, ...], step: list[Any]) -> list[tuple[Box, ...]]:
    place, v = integer(step[1], "a point"), integer(step[3], "a cut")
    require(0 <= place < len(boxes), "a step cuts a point that there is not")
    require(step[2] in ("tp", "tn"), "a step divides outside its rectangle")
    return [(*boxes[:place], part, *boxes[place + 1 :]) for part in divided(boxes[place], step[2], v)]


def _impossible(
    why: list[Any], boxes: tuple[Box, ...], grids: Sequence[Grid], p: int, n: int, area: tuple[int, int]
) -> bool:
    if why[0] == "score" and len(why) == 3:
        place, claim = integer(why[1], "a point"), integer(why[2], "a claim")
        require(0 <= place < len(boxes), "a step names a point that there is not")
        return grids[place].impossible([claim], boxes[place])
    if why[0] == "apart" and len(why) == 3:
        i, j = integer(why[1], "a point"), integer(why[2], "a point")
        require(0 <= i < len(boxes) and 0 <= j < len(boxes), "a step names a point that there is not")
        # the first has more true positives and fewer false ones: no threshold leads from one to the other
        return boxes[i][0] > boxes[j][1] and boxes[i][2] > boxes[j][3]
    if why == ["low"]:
        return 2 * _surely_under([(a, c) for a, _, c, _ in boxes], p) > area[1]
    if why == ["high"]:
        missed = [(p - b, n - d) for _, b, _, d in boxes]  # false negatives and false positives
        return 2 * (p * n - _surely_under(missed, p)) < area[0]
    raise Rejected("a step gives no proper reason")


def _surely_under(corners: Sequence[tuple[int, int]], rows: int) -> int:
    """Cells (row, column) with row < x and column < y for some corner (x, y), counted by bands of rows."""
    ends = sorted({0, *(min(x, rows) for x, _ in corners)})
    total = 0
    for start, stop in pairwise(ends):
        total += (stop - start) * max((y for x, y in corners if x >= stop), default=0)
    return total


Span = tuple[Fraction, Fraction]
_HALF = Fraction(1, 2)
_NO_BORDER = "area"


def most_under(sens: Fraction, spec: Fraction) -> Fraction:
    """The greatest area under a concave curve through a point; 0 if there is none."""
    x, y = 1 - spec, sens
    if y < x:
        return Fraction(0)
    lost = x * (1 - y)
    if lost == 0:
        return Fraction(1)
    divided = sorted((x, _HALF, y))[1]
    return 1 - lost / (2 * divided * (1 - divided))


def area_between(sens: Span, spec: Span, *, one_curve: bool) -> Span:
    """Between which ends the AUC lies, or a mean of it over several curves; the first is larger if there is none."""
    if sens[1] + spec[1] < 1:
        return Fraction(1), Fraction(0)
    least = max(_HALF, (sens[0] + spec[0]) / 2)
    return least, most_under(sens[1], spec[1]) if one_curve else Fraction(1)


def concave_bounds(area: Score) -> tuple[Claim, Claim]:
    """What the AUC demands of the operating point: the chords not above it, the best line not below."""
    chords = Rule(lambda t, u, p, n: (n * t + p * u, 2 * n * p), SAME, RISES, LINEAR)
    line = Rule(
        lambda t, u, p, n: most_under(Fraction(t, p), Fraction(u, n)).as_integer_ratio(), SAME, RISES, _NO_BORDER
    )
    return (
        Claim("lowest auc", area.text, _HALF, area.high, chords),
        Claim("highest auc", area.text, area.low, Fraction(2), line),
    )
