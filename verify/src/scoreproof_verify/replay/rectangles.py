"""Replay a proof about one confusion matrix, step by step.

The walk starts with the whole grid of (tp, tn). Every step must name a reason that the verifier checks with exact
integers; at the end no part of the grid may be left open, and no step may be left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import gcd
from typing import Any

from scoreproof_verify.documents import integer, place_in
from scoreproof_verify.formulas import CURVED, LINEAR, RISES, SIGNED, STRAIGHT
from scoreproof_verify.frame import Left, Patience, walk
from scoreproof_verify.statement import Claim
from scoreproof_verify.texts import Rejected, require

Box = tuple[int, int, int, int]
Poly = tuple[int, int, int, int, int, int]
_MOST_STEPS = 5_000_000
_PROBES = ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1))


class Grid:
    """The grid and the claims about it; ``filler`` is what a 0/0 counts as, None if it excludes its cell."""

    def __init__(self, claims: Sequence[Claim], p: int, n: int, filler: int | None) -> None:
        self.claims, self.p, self.n, self.filler = list(claims), p, n, filler
        self.lacking = not (p and n)
        self.forms = [(claim.rule.ratio, *claim.ends) for claim in claims]

    def place(self, i: int, tp: int, tn: int) -> int | None:
        """-1, 0, 1 for below, inside, above the claimed interval (infinite is above); None for 0/0."""
        ratio, a, b, c, d = self.forms[i]
        num, den = ratio(tp, tn, self.p, self.n)
        if den == 0:
            return None if num == 0 else 1
        return -1 if num * b < a * den else 1 if num * d > c * den else 0

    def impossible(self, why: list[Any], box: Box) -> bool:
        """Whether the reason given excludes every cell of the box."""
        if len(why) == 1:
            i = integer(why[0], "a reason")
            if not 0 <= i < len(self.claims):
                raise Rejected("a step names a score that is not reported")
            return self._by_one(i, box)
        require(len(why) == 4, "a step gives no proper reason")
        i, j, k1, k2 = (integer(entry, "a reason") for entry in why)
        require(min(i, j) >= 0 and max(i, j) < len(self.claims), "a step names a score that is not reported")
        require(k1 > 0 and k2 > 0, "a pair has a multiplier that is not positive")
        return self._by_two(i, j, k1, k2, box)

    def _by_one(self, i: int, box: Box) -> bool:
        a, b, c, d = box
        rule = self.claims[i].rule
        if rule.border == LINEAR and not self.lacking:  # with both classes a linear score has its denominator
            if rule.direction == RISES:
                return self.place(i, b, d) == -1 or self.place(i, a, c) == 1
            return self.place(i, a, c) == -1 or self.place(i, b, d) == 1
        least, most = self.place(i, a, c), self.place(i, b, d)
        if a == b and c == d:
            return self._hole_excluded(i) if least is None else least != 0
        if self.lacking:
            # along the line of a missing class 0/0 at both ends and between them is 0/0 throughout (degree at most two)
            line = {least, most, self.place(i, (a + b) // 2, (c + d) // 2)}
            if line == {None}:
                return self._hole_excluded(i)
        if self.filler is not None and None in (least, most, self.place(i, a, d), self.place(i, b, c)):
            return False  # a 0/0 counts as a number there, which monotonicity does not cover
        if rule.direction == RISES:
            return most == -1 or least == 1
        return most == 1 or least == -1

    def _hole_excluded(self, i: int) -> bool:
        """Whether a cell at which the score is 0/0 does not give the claimed value."""
        claim = self.claims[i]
        return self.filler is None or not claim.low <= self.filler <= claim.high

    def _by_two(self, i: int, j: int, k1: int, k2: int, box: Box) -> bool:
        if self.filler is not None and None in {
            self.place(s, tp, tn) for s in (i, j) for tp in box[:2] for tn in box[2:]
        }:
            return False
        more, less = self._border(i, box, wants_more=True), self._border(j, box, wants_more=False)
        if more is None or less is None:
            raise Rejected("a pair names a border that does not hold on its rectangle")
        f = tuple(k1 * x + k2 * y for x, y in zip(more, less, strict=True))
        # Taylor form about the middle, everything times four
        x, y, w, h = box[0] + box[1], box[2] + box[3], box[1] - box[0], box[3] - box[2]
        value = f[0] * x * x + f[1] * x * y + f[2] * y * y + 2 * f[3] * x + 2 * f[4] * y + 4 * f[5]
        value += w * abs(2 * f[0] * x + f[1] * y + 2 * f[3]) + h * abs(2 * f[2] * y + f[1] * x + 2 * f[4])
        value += w * w * max(0, f[0]) + w * h * abs(f[1]) + h * h * max(0, f[2])
        return value < 0

    def _border(self, i: int, box: Box, *, wants_more: bool) -> Poly | None:
        """A polynomial in (tp, tn) that is >= 0 at every cell the claim allows on this side; None if there is none."""
        claim = self.claims[i]
        kind = claim.rule.border
        if kind not in (LINEAR, STRAIGHT, CURVED, SIGNED):
            return None
        from_low = wants_more == (claim.rule.direction == RISES)
        bound = claim.rule.invert(claim.low if from_low else claim.high)
        a, b = bound.numerator, bound.denominator
        at = {probe: claim.rule.ratio(*probe, self.p, self.n) for probe in _PROBES}
        if kind == SIGNED:
            at = {probe: (abs(num), den) for probe, (num, den) in at.items()}
            reached = a >= 0 if from_low else a <= 0  # the square must reach the bound's; otherwise stay within it
            if not reached:
                tp, tn = (box[1], box[3]) if from_low else (box[0], box[2])
                excess = self.n * tp + self.p * tn - self.n * self.p
                if excess > 0 if from_low else excess < 0:
                    return None
            return self._poly(at, b, -abs(a)) if reached else self._poly(at, -b, abs(a))
        poly = self._poly(at, b, -a) if from_low else self._poly(at, -b, a)
        if kind == CURVED:
            return poly
        # divided by the slopes' common divisor, the constant rounded down: no integer point is lost
        common = gcd(poly[3], poly[4])
        return (0, 0, 0, poly[3] // common, poly[4] // common, poly[5] // common) if common else None

    @staticmethod
    def _poly(at: dict[tuple[int, int], tuple[int, int]], k: int, m: int) -> Poly:
        """k * numerator + m * denominator as the polynomial through the probes."""
        v = {probe: k * num + m * den for probe, (num, den) in at.items()}
        low = v[0, 0]
        xx, yy = (v[2, 0] - 2 * v[1, 0] + low) // 2, (v[0, 2] - 2 * v[0, 1] + low) // 2
        return xx, v[1, 1] - v[1, 0] - v[0, 1] + low, yy, v[1, 0] - low - xx, v[0, 1] - low - yy, low


def replay(grid: Grid, steps: Any, patience: Patience) -> int:
    """Walk through the proof; the number of rectangles excluded. ``Rejected`` if a step does not hold."""
    ending = "the proof ends before the whole grid is covered"
    return walk([(0, grid.p, 0, grid.n)], steps, _MOST_STEPS, ending, partial(_step, grid), patience)


def _step(grid: Grid, box: Box, step: Any, number: int) -> Left[Box]:
    if step.__class__ is not list or len(step) < 2:
        raise Rejected(f"step {number} is malformed")
    what = step[0]
    if what == "out":
        if not grid.impossible(step[1:], box):
            raise Rejected(f"step {number} does not exclude its rectangle")
        return [], 1
    if what == "cut" and len(step) == 3:
        return divided(box, step[1], integer(step[2], "a cut")), 0
    if what != "trim" or len(step) < 5 or step[2] not in ("below", "above"):
        raise Rejected(f"step {number} is malformed")
    v, below = integer(step[3], "a trim"), step[2] == "below"
    parts = divided(box, step[1], v - 1 if below else v)
    if not grid.impossible(step[4:], parts[0 if below else 1]):
        raise Rejected(f"step {number} trims cells it does not exclude")
    return [parts[1 if below else 0]], 1


def divided(box: Box, axis: Any, v: int) -> list[Box]:
    """The cells with coordinate at most v, and the others; neither part may be empty."""
    a, b, c, d = box
    if axis == "tp":
        if a <= v < b:
            return [(a, v, c, d), (v + 1, b, c, d)]
    elif axis != "tn":
        raise Rejected("a step divides along an unknown axis")
    elif c <= v < d:
        return [(a, b, c, v), (a, b, v + 1, d)]
    raise Rejected("a step divides outside its rectangle")


def replay_points(
    points: Sequence[Sequence[Claim]], p: int, n: int, area: tuple[int, int], steps: Any, patience: Patience
) -> int:
    """Walk through the proof; the number of products excluded. ``Rejected`` at the first step that does not hold."""
    grids = [Grid(claims, p, n, None) for claims in points]

    def take(boxes: tuple[Box, ...], step: Any, number: int) -> Left[tuple[Box, ...]]:
        require(isinstance(step, list) and len(step) >= 2, f"step {number} is malformed")
        if step[0] == "cut" and len(step) == 4:
            place = place_in(boxes, step[1], "a point", "a step cuts a point that there is not")
            v = integer(step[3], "a cut")
            require(step[2] in ("tp", "tn"), "a step divides outside its rectangle")
            return [(*boxes[:place], part, *boxes[place + 1 :]) for part in divided(boxes[place], step[2], v)], 0
        require(step[0] == "out", f"step {number} is malformed")
        require(_product_impossible(step[1:], boxes, grids, p, n, area), f"step {number} does not exclude its product")
        return [], 1

    ending = "the proof ends before everything is covered"
    return walk([((0, p, 0, n),) * len(points)], steps, _MOST_STEPS, ending, take, patience)


def _product_impossible(
    why: list[Any], boxes: tuple[Box, ...], grids: Sequence[Grid], p: int, n: int, area: tuple[int, int]
) -> bool:
    if why[0] == "score" and len(why) == 3:
        claim = integer(why[2], "a claim")
        place = place_in(boxes, why[1], "a point", "a step names a point that there is not")
        return grids[place].impossible([claim], boxes[place])
    if why[0] == "apart" and len(why) == 3:
        i, j = (place_in(boxes, at, "a point", "a step names a point that there is not") for at in why[1:])
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
