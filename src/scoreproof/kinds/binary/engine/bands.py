"""What one reported score demands of the grid of (tp, tn).

At fixed p and n a score is monotone, so the cells it allows form a band between two staircases. For a score
whose ratio is affine over affine (fourteen of the twenty, and all complements) each border is a straight line:
the band is the meeting of two half-planes ``A tp + B tn >= R`` and ``<= R`` with A, B >= 0, whose integer points
do not change when A and B are made coprime and R is rounded. The other scores are compared at a cell, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from scoreproof.kinds.binary.scores import Score, Shape
from scoreproof.reported import Claim

HalfPlane = tuple[int, int, int]  # A, B, R


@dataclass(frozen=True, slots=True)
class Band:
    """One reported score on the grid of an evaluation set with p positives and n negatives."""

    index: int
    score: Score
    p: int
    n: int
    low: tuple[int, int]  # the ratio's bounds as (numerator, denominator)
    high: tuple[int, int]
    lower: HalfPlane | None  # A tp + B tn >= R, where the border is straight
    upper: HalfPlane | None  # A tp + B tn <= R

    @property
    def straight(self) -> bool:
        """Whether the half-planes say all there is to say about defined cells."""
        return self.lower is not None and self.upper is not None

    def position(self, tp: int, tn: int) -> int | None:
        """-1, 0, +1: the score at this cell lies below, in, above its interval; None where it is 0/0."""
        num, den = self.score.ratio(tp, self.n - tn, self.p - tp, tn)
        if den == 0:
            return None if num == 0 else 1
        a, b = self.low
        if num * b < a * den:
            return -1
        a, b = self.high
        return 1 if num * b > a * den else 0

    @property
    def undefined_everywhere(self) -> bool:
        """Whether the score is 0/0 at every cell, as some are without positives or without negatives."""
        cells = {(tp, tn) for tp in (0, self.p // 2, self.p) for tn in (0, self.n // 2, self.n)}
        return 0 in (self.p, self.n) and all(self.position(*cell) is None for cell in cells)

    def too_little(self, tp: int, tn: int) -> bool:
        """Whether every cell with no more tp and no more tn lies outside the band."""
        position = self.position(tp, tn)
        return position is not None and position * self.score.direction < 0

    def too_much(self, tp: int, tn: int) -> bool:
        """Whether every cell with no less tp and no less tn lies outside the band."""
        position = self.position(tp, tn)
        return position is not None and position * self.score.direction > 0


def band(index: int, reported: Claim, p: int, n: int) -> Band:
    """The band of a reported score."""
    score = reported.score
    low = score.link.inverse(reported.low).as_integer_ratio()
    high = score.link.inverse(reported.high).as_integer_ratio()
    lower = upper = None
    if score.shape is not Shape.CURVED:
        origin, east, north = _affine(score, p, n)
        if score.direction > 0:
            lower = _normal(_border(origin, east, north, low), round_up=True)
            upper = _normal(_border(origin, east, north, high), round_up=False)
        else:
            upper = _normal(_negated(_border(origin, east, north, low)), round_up=False)
            lower = _normal(_negated(_border(origin, east, north, high)), round_up=True)
    return Band(index, score, p, n, low, high, lower, upper)


def _affine(score: Score, p: int, n: int) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    """Numerator and denominator at (0, 0), and what one more tp and one more tn add to them."""
    at_origin = score.ratio(0, n, p, 0)
    at_east = score.ratio(1, n, p - 1, 0)
    at_north = score.ratio(0, n - 1, p, 1)
    east = at_east[0] - at_origin[0], at_east[1] - at_origin[1]
    north = at_north[0] - at_origin[0], at_north[1] - at_origin[1]
    return at_origin, east, north


def _border(
    origin: tuple[int, int], east: tuple[int, int], north: tuple[int, int], bound: tuple[int, int]
) -> HalfPlane:
    """The line where num / den = a / b, as A tp + B tn = R with A tp + B tn - R = b num - a den."""
    a, b = bound
    return b * east[0] - a * east[1], b * north[0] - a * north[1], a * origin[1] - b * origin[0]


def _negated(line: HalfPlane) -> HalfPlane:
    return -line[0], -line[1], -line[2]


def _normal(line: HalfPlane, *, round_up: bool) -> HalfPlane | None:
    """Coprime A and B and a rounded R; None where a bound beyond the score's range gives no such half-plane."""
    a, b, r = line
    if a < 0 or b < 0 or (a == 0 and b == 0):
        return None
    common = gcd(a, b)
    return a // common, b // common, -(-r // common) if round_up else r // common
