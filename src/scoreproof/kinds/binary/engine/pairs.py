"""Two borders taken together.

Halving rectangles is slow only where two bands run side by side: scores that determine each other at fixed p and
n (ppv, lrp and pt; npv and lrn; f1 and ji; bm and bacc; acc with bm when p = n), or nearly do, or touch (the
geometric and the arithmetic mean of sensitivity and specificity where these are equal). There a sum of multiples
of the two borders is negative on rectangles that neither border refutes alone.

Every border is a polynomial of degree at most two in (tp, tn). For straight borders, cancelling one coordinate
bounds the other; in the plane this elimination is complete: together with bounds by single scores it refutes every
set of straight bands that has no common point.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoreproof.kinds.binary.engine.bands import Band
from scoreproof.kinds.binary.scores import Shape, score

Rectangle = tuple[int, int, int, int]  # tp from, tp to, tn from, tn to
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
    for one in bands:
        if one.lower is None:
            continue
        a1, b1, r1 = one.lower
        for other in bands:
            if other.upper is None or other is one:
                continue
            a2, b2, r2 = other.upper
            if a1 and a2:
                yield from _bound("tn", a2 * b1 - a1 * b2, a2 * r1 - a1 * r2, Pair(one.index, other.index, a2, a1))
            if b1 and b2:
                yield from _bound("tp", b2 * a1 - b1 * a2, b2 * r1 - b1 * r2, Pair(one.index, other.index, b2, b1))


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
        self._lower = {band.index: _lower(band) for band in bands}
        self._upper = {band.index: _upper(band) for band in bands}

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


def _lower(band: Band) -> _Border | None:
    if band.lower is not None:
        a, b, r = band.lower
        return _Border((0, 0, 0, a, b, -r), 0, band.p, band.n)
    return _at_least(band, *band.low) if band.score.direction > 0 else _at_most(band, *band.high)


def _upper(band: Band) -> _Border | None:
    if band.upper is not None:
        a, b, r = band.upper
        return _Border((0, 0, 0, -a, -b, r), 0, band.p, band.n)
    return _at_most(band, *band.high) if band.score.direction > 0 else _at_least(band, *band.low)


def _at_least(band: Band, a: int, b: int) -> _Border | None:
    """score >= bound, where the ratio's bound is a / b."""
    if not _has_polynomial(band):
        return None
    num, den = _ratio(band)
    if band.score is not score("mcc") or a >= 0:
        return _Border(_sum(num, b, den, -a), 0, band.p, band.n)
    return _Border(_sum(num, -b, den, -a), -1, band.p, band.n)


def _at_most(band: Band, c: int, d: int) -> _Border | None:
    """score <= bound, where the ratio's bound is c / d."""
    if not _has_polynomial(band):
        return None
    num, den = _ratio(band)
    if band.score is not score("mcc") or c > 0:
        return _Border(_sum(num, -d, den, c), 1 if band.score is score("mcc") else 0, band.p, band.n)
    return _Border(_sum(num, d, den, c), 0, band.p, band.n)


def _has_polynomial(band: Band) -> bool:
    """Built-in curved scores have borders of degree two; a straight score without a half-plane has a bound beyond
    its range, which a single corner refutes."""
    return band.score.builtin and band.score.shape is Shape.CURVED


def _ratio(band: Band) -> tuple[Quadratic, Quadratic]:
    """Numerator and denominator as polynomials; for the Matthews correlation the numerator without its sign."""
    corner = {
        (x, y): band.score.ratio(x, band.n - y, band.p - x, y)
        for x, y in ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1))
    }
    num = _interpolate(
        {cell: abs(ratio[0]) if band.score is score("mcc") else ratio[0] for cell, ratio in corner.items()}
    )
    return num, _interpolate({cell: ratio[1] for cell, ratio in corner.items()})


def _interpolate(at: dict[tuple[int, int], int]) -> Quadratic:
    one = at[0, 0]
    xx = (at[2, 0] - 2 * at[1, 0] + one) // 2
    yy = (at[0, 2] - 2 * at[0, 1] + one) // 2
    return xx, at[1, 1] - at[1, 0] - at[0, 1] + one, yy, at[1, 0] - one - xx, at[0, 1] - one - yy, one


def _sum(f: Quadratic, k: int, g: Quadratic, m: int) -> Quadratic:
    return (
        k * f[0] + m * g[0],
        k * f[1] + m * g[1],
        k * f[2] + m * g[2],
        k * f[3] + m * g[3],
        k * f[4] + m * g[4],
        k * f[5] + m * g[5],
    )


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
