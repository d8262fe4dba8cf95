"""Monotone bands of (tp, tn), one for each score, and Fourier-Motzkin elimination (Motzkin 1936) on their borders.

At fixed p and n a score is monotone, so the cells it allows form a band between two staircases. For a score
whose ratio is affine over affine (fourteen of the twenty, and all complements) each border is a straight line:
the band is the meeting of two half-planes ``A tp + B tn >= R`` and ``<= R`` with A, B >= 0, whose integer points
do not change when A and B are made coprime and R is rounded. The other scores are compared at a cell, exactly.

Halving rectangles is slow only where two bands run side by side: scores that determine each other at fixed p and
n (ppv, lrp and pt; npv and lrn; f1 and ji; bm and bacc; acc with bm when p = n), or nearly do, or touch (the
geometric and the arithmetic mean of sensitivity and specificity where these are equal). There a sum of multiples
of the two borders is negative on rectangles that neither border refutes alone.

Every border is a polynomial of degree at most two in (tp, tn). For straight borders, cancelling one coordinate
bounds the other; in the plane this elimination is complete: together with bounds by single scores it refutes every
set of straight bands that has no common point.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, NamedTuple

from scoreproof.kinds.binary.scores import Score, Shape, score
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.reported import Claim

HalfPlane = tuple[int, int, int]  # A, B, R
Rectangle = tuple[int, int, int, int]  # tp from, tp to, tn from, tn to


@dataclass(slots=True)  # not frozen: thousands are made
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

    @property
    def empty(self) -> bool:
        """Whether the borders are parallel with no whole number between them, as of 0.9504 among 100 cases."""
        lower, upper = self.lower, self.upper
        return lower is not None and upper is not None and lower[:2] == upper[:2] and lower[2] > upper[2]

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

    def is_hole(self, tp: int, tn: int) -> bool:
        """Whether the score is 0/0 at a cell, which it is at corners of the grid alone (or everywhere)."""
        return tp in (0, self.p) and tn in (0, self.n) and self.position(tp, tn) is None

    def run(self, row: int, low: int, high: int, *, by_tp: bool = True) -> tuple[int, int]:
        """Where in this part of a row, which has one tp (or one tn), the score is in its interval: from, to.

        Where it is nowhere, the first is above the last. What is 0/0 is not in the run.
        """

        if self.lower is not None:
            along, across, r = self.lower if by_tp else (self.lower[1], self.lower[0], self.lower[2])
            if across:
                low = max(low, -((along * row - r) // across))
            elif along * row < r:
                return low, low - 1
        if self.upper is not None:
            along, across, r = self.upper if by_tp else (self.upper[1], self.upper[0], self.upper[2])
            if across:
                high = min(high, (r - along * row) // across)
            elif along * row > r:
                return low, low - 1
        if low > high or (self.straight and row not in (0, self.p if by_tp else self.n)):
            return low, high

        def at(x: int) -> tuple[int, int]:
            return (row, x) if by_tp else (x, row)

        low += self.is_hole(*at(low))
        high -= low <= high and self.is_hole(*at(high))
        if not self.straight:
            low = _first(low, high, lambda x: not self.too_little(*at(x)))
            high = _first(low, high, lambda x: self.too_much(*at(x))) - 1
        return low, high

    def columns(self, box: Rectangle) -> tuple[int, int]:
        """The first and the last tp of a rectangle at which it may have cells of the band."""
        a, b, c, d = box
        first = _first(a, b, lambda tp: not self.too_little(tp, d))
        return first, _first(a, b, lambda tp: self.too_much(tp, c)) - 1


def _first(low: int, high: int, true_from: Callable[[int], bool]) -> int:
    """The first integer in [low, high] where a predicate that turns true once is true; high + 1 if none."""
    while low <= high:
        middle = (low + high) // 2
        if true_from(middle):
            high = middle - 1
        else:
            low = middle + 1
    return low


def cover(
    bands: Sequence[Band], box: Rectangle, most: int, is_done: Callable[[Rectangle], bool]
) -> tuple[list[Rectangle], list[Rectangle]]:
    """Rectangles that together hold every cell of all bands, the largest halved first: those done, and the others."""
    done: list[Rectangle] = []
    heap = [(-area(box), box)]
    while heap and len(heap) + len(done) < most:
        _, box = heapq.heappop(heap)
        a, b, c, d = box
        if any(band.too_little(b, d) or band.too_much(a, c) for band in bands):
            continue
        if is_done(box):
            done.append(box)
        elif (a, c) != (b, d):
            tp, tn = (a + b) // 2, (c + d) // 2
            by_tp = b - a >= d - c
            halves = ((a, tp, c, d), (tp + 1, b, c, d)) if by_tp else ((a, b, c, tn), (a, b, tn + 1, d))
            for half in halves:
                heapq.heappush(heap, (-area(half), half))
    return done, [box for _, box in heap]


def area(box: Rectangle) -> int:
    """How many cells a rectangle has."""
    return (box[1] - box[0] + 1) * (box[3] - box[2] + 1)


def band(index: int, reported: Claim, p: int, n: int) -> Band:
    """The band of a reported score."""
    score: Any = reported.quantity
    a, b, c, d = reported.ends
    if score.link is not RATIO:
        (a, b), (c, d) = (score.link.inverse(end).as_integer_ratio() for end in (reported.low, reported.high))
    lower = upper = None
    if score.shape is not Shape.CURVED:
        # numerator and denominator at (0, 0), and what one more tp and one more tn add to them
        num, den = score.ratio(0, n, p, 0)
        num_tp, den_tp = score.ratio(1, n, p - 1, 0)
        num_tn, den_tn = score.ratio(0, n - 1, p, 1)
        affine = num, den, num_tp - num, den_tp - den, num_tn - num, den_tn - den
        if score.direction > 0:
            lower, upper = _half_plane(affine, a, b), _half_plane(affine, c, d, up=False)
        else:
            lower, upper = _half_plane(affine, -c, -d), _half_plane(affine, -a, -b, up=False)
    return Band(index, score, p, n, (a, b), (c, d), lower, upper)


def _half_plane(affine: tuple[int, ...], a: int, b: int, *, up: bool = True) -> HalfPlane | None:
    """The line where num / den = a / b, as A tp + B tn = R with A tp + B tn - R = b num - a den.

    A and B are made coprime and R is rounded; None where a bound beyond the score's range gives no half-plane.
    """
    num, den, num_tp, den_tp, num_tn, den_tn = affine
    along_tp, along_tn, r = b * num_tp - a * den_tp, b * num_tn - a * den_tn, a * den - b * num
    if along_tp < 0 or along_tn < 0 or not (along_tp or along_tn):
        return None
    common = gcd(along_tp, along_tn)
    return along_tp // common, along_tn // common, -(-r // common) if up else r // common


Quadratic = tuple[int, int, int, int, int, int]  # of tp^2, tp tn, tn^2, tp, tn, 1


class Pair(NamedTuple):
    """``k1`` times the lower border of band ``i`` plus ``k2`` times the upper border of band ``j``.

    Both borders are written so that they are not negative where their band allows a cell, so their sum is not
    negative where both do.
    """

    i: int
    j: int
    k1: int
    k2: int


class AxisBound(NamedTuple):
    """A bound on one coordinate that follows from a pair; ``value`` None means nothing is allowed at all."""

    axis: str
    side: str
    value: int | None
    pair: Pair


def eliminate(bands: list[Band]) -> Iterator[AxisBound]:
    """All bounds on tp and on tn that follow from two straight borders."""
    for first in bands:
        if first.lower is None:
            continue
        a1, b1, r1 = first.lower
        for other in bands:
            if other.upper is None or other is first:
                continue
            a2, b2, r2 = other.upper
            if a1 and a2:
                yield from _bound("tn", a2 * b1 - a1 * b2, a2 * r1 - a1 * r2, Pair(first.index, other.index, a2, a1))
            if b1 and b2:
                yield from _bound("tp", b2 * a1 - b1 * a2, b2 * r1 - b1 * r2, Pair(first.index, other.index, b2, b1))


def _bound(axis: str, slope: int, least: int, pair: Pair) -> Iterator[AxisBound]:
    """slope * x >= least, read as a bound on x."""
    if slope > 0:
        yield AxisBound(axis, "below", -(-least // slope), pair)
    elif slope < 0:
        yield AxisBound(axis, "above", (-least) // (-slope), pair)
    elif least > 0:
        yield AxisBound(axis, "below", None, pair)


class Borders:
    """The borders of all bands as polynomials, for refuting rectangles by pairs."""

    def __init__(self, bands: list[Band]) -> None:
        self._lower, self._upper = (
            {band.index: _border(band, lower=lower) for band in bands} for lower in (True, False)
        )

    def refute(self, box: Rectangle) -> Pair | None:
        """A pair whose sum is negative on the whole rectangle, if one is found."""
        lower = self._active(self._lower, box, box[0], box[2])
        upper = self._active(self._upper, box, box[1], box[3])
        for i, first in lower:
            for j, second in upper:
                if i != j:
                    for k1, k2 in _multipliers(first, second, box):
                        if largest(_sum(first, k1, second, k2), box) < 0:
                            return Pair(i, j, k1, k2)
        return None

    def _active(
        self, borders: dict[int, _Border | None], box: Rectangle, tp: int, tn: int
    ) -> list[tuple[int, Quadratic]]:
        """The borders that pass through the rectangle: the ones not satisfied at its worst corner."""
        active = []
        for index, border in borders.items():
            if border is not None and border.valid(box):
                polynomial = border.polynomial
                if _at(polynomial, tp, tn) < 0:
                    active.append((index, polynomial))
        return active


class _Border(NamedTuple):
    """A polynomial that is not negative where the band allows a cell, given the sign of the excess if it matters.

    The ratio of the Matthews correlation changes its form where tp tn = fp fn; ``sign`` says on which side the
    polynomial holds (0: everywhere).
    """

    polynomial: Quadratic
    sign: int
    p: int
    n: int

    def valid(self, box: Rectangle) -> bool:
        if self.sign == 0:
            return True
        tp, tn = (box[0], box[2]) if self.sign > 0 else (box[1], box[3])
        return (self.n * tp + self.p * tn - self.n * self.p) * self.sign >= 0


def _border(band: Band, *, lower: bool) -> _Border | None:
    """The lower or the upper border; None where a straight score has a bound beyond its range, which a corner refutes.

    Built-in curved scores have borders of degree two: bound * denominator = numerator, squared for the correlation.
    """
    line = band.lower if lower else band.upper
    if line is not None:
        a, b, r = line
        return _Border((0, 0, 0, a, b, -r) if lower else (0, 0, 0, -a, -b, r), 0, band.p, band.n)
    if not band.score.builtin or band.score.shape is not Shape.CURVED:
        return None
    from_low, signed = lower == (band.score.direction > 0), band.score is score("mcc")
    a, b = band.low if from_low else band.high
    at = {(x, y): band.score.ratio(x, band.n - y, band.p - x, y) for x, y in _PROBES}
    num = _interpolate({cell: abs(ratio[0]) if signed else ratio[0] for cell, ratio in at.items()})
    den = _interpolate({cell: ratio[1] for cell, ratio in at.items()})
    if not signed:
        return _Border(_sum(num, b, den, -a) if from_low else _sum(num, -b, den, a), 0, band.p, band.n)
    if a >= 0 if from_low else a <= 0:
        return _Border(_sum(num, b, den, -abs(a)), 0, band.p, band.n)
    return _Border(_sum(num, -b, den, abs(a)), -1 if from_low else 1, band.p, band.n)


_PROBES = ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1))


def _interpolate(at: dict[tuple[int, int], int]) -> Quadratic:
    """The polynomial through the probes."""
    first = at[0, 0]
    xx = (at[2, 0] - 2 * at[1, 0] + first) // 2
    yy = (at[0, 2] - 2 * at[0, 1] + first) // 2
    return xx, at[1, 1] - at[1, 0] - at[0, 1] + first, yy, at[1, 0] - first - xx, at[0, 1] - first - yy, first


def _sum(f: Quadratic, k: int, g: Quadratic, m: int) -> Quadratic:
    a, b, c, d, e, h = (k * x + m * y for x, y in zip(f, g, strict=True))
    return a, b, c, d, e, h


def _at(f: Quadratic, x: int, y: int) -> int:
    return (f[0] * x + f[1] * y + f[3]) * x + (f[2] * y + f[4]) * y + f[5]


def _slopes(f: Quadratic, x2: int, y2: int) -> tuple[int, int]:
    """The gradient at (x2 / 2, y2 / 2)."""
    return f[0] * x2 + (f[1] * y2) // 2 + f[3], f[2] * y2 + (f[1] * x2) // 2 + f[4]


def _multipliers(f: Quadratic, g: Quadratic, box: Rectangle) -> Iterator[tuple[int, int]]:
    """Multipliers under which the sum does not change with tp, or with tn, at the rectangle's middle."""
    x2, y2 = box[0] + box[1], box[2] + box[3]
    for along_f, along_g in zip(_slopes(f, x2, y2), _slopes(g, x2, y2), strict=True):
        if along_f > 0 > along_g:
            yield -along_g, along_f


def largest(f: Quadratic, box: Rectangle) -> int:
    """Four times an upper bound of the polynomial on the rectangle, by its Taylor form at the middle."""
    a, b, c, d = box
    x2, y2, w, h = a + b, c + d, b - a, d - c
    middle = f[0] * x2 * x2 + f[1] * x2 * y2 + f[2] * y2 * y2 + 2 * (f[3] * x2 + f[4] * y2) + 4 * f[5]
    slope_x = 2 * f[0] * x2 + f[1] * y2 + 2 * f[3]
    slope_y = 2 * f[2] * y2 + f[1] * x2 + 2 * f[4]
    curvature = max(f[0], 0) * w * w + abs(f[1]) * w * h + max(f[2], 0) * h * h
    return middle + abs(slope_x) * w + abs(slope_y) * h + curvature
