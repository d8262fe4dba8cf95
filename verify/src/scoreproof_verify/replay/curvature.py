"""How far a score is from the function through its values at the corners of a box of (p, tp, tn), linear along sides.

With f twice differentiable on a box, and I f the function with its values at the corners that is linear along each
side, |f - I f| is at most the sum over the sides of their squared length / 8 times max |f''| along them: interpolate
along one side, then along the next. The second derivatives are bounded by interval arithmetic on the score's own
numerator and denominator, polynomials of which values, slopes and bends along a side are carried together. Floats,
whose errors are far smaller than ``_WIDER`` allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

from scoreproof_verify.arrays import Floats, Ints, np
from scoreproof_verify.formulas import ROOT, SAME, Rule

_WIDER = 1 + 2.0**-20


class _Span(NamedTuple):
    """Intervals, one for each box."""

    low: Floats
    high: Floats

    def plus(self, other: _Span) -> _Span:
        return _Span(self.low + other.low, self.high + other.high)

    def minus(self, other: _Span) -> _Span:
        return _Span(self.low - other.high, self.high - other.low)

    def times(self, other: _Span) -> _Span:
        ends = [x * y for x in self for y in other]
        return _Span(reduce(np.minimum, ends), reduce(np.maximum, ends))

    def by(self, factor: float) -> _Span:
        ends = self.low * factor, self.high * factor
        return _Span(*(ends if factor >= 0 else ends[::-1]))

    def over(self, positive: _Span) -> _Span:
        """Divided by intervals above zero."""
        return self.times(_Span(1 / positive.high, 1 / positive.low))

    @property
    def size(self) -> Floats:
        return np.maximum(abs(self.low), abs(self.high))


class _Jet:
    """A function on boxes: its values, slopes and bends along one side."""

    def __init__(self, value: _Span, slope: _Span, bend: _Span) -> None:
        self.value, self.slope, self.bend = value, slope, bend

    @classmethod
    def along(cls, low: Floats, high: Floats, slope: float) -> _Jet:
        """A count: the side itself (slope 1), or another one (slope 0)."""
        nothing = np.zeros(len(low))
        return cls(_Span(low, high), _Span(nothing + slope, nothing + slope), _Span(nothing, nothing))

    def __add__(self, other: Any) -> _Jet:
        if isinstance(other, _Jet):
            pairs = zip(self._parts, other._parts, strict=True)
            return _Jet(*(own.plus(its) for own, its in pairs))
        number = float(other)
        return _Jet(_Span(self.value.low + number, self.value.high + number), self.slope, self.bend)

    __radd__ = __add__

    def __mul__(self, other: Any) -> _Jet:
        if not isinstance(other, _Jet):
            number = float(other)
            return _Jet(*(part.by(number) for part in self._parts))
        slope = self.value.times(other.slope).plus(self.slope.times(other.value))
        bend = self.value.times(other.bend).plus(self.bend.times(other.value))
        return _Jet(self.value.times(other.value), slope, bend.plus(self.slope.times(other.slope).by(2.0)))

    __rmul__ = __mul__

    def __neg__(self) -> _Jet:
        return self * -1.0

    def __sub__(self, other: Any) -> _Jet:
        return self.__add__(-other)

    def __rsub__(self, other: Any) -> _Jet:
        return self.__neg__().__add__(other)

    def __abs__(self) -> _Jet:
        """Where the sign is known; elsewhere nothing is."""
        low, high = self.value
        sign = np.where(low >= 0, 1.0, np.where(high <= 0, -1.0, np.nan))
        return _Jet(*(_Span(np.minimum(sign * x, sign * y), np.maximum(sign * x, sign * y)) for x, y in self._parts))

    @property
    def _parts(self) -> tuple[_Span, _Span, _Span]:
        return self.value, self.slope, self.bend


def _second(rule: Rule, t: _Jet, u: _Jet, p: _Jet, n: _Jet) -> Floats:
    """A bound on the second derivative of a score; infinite or not a number where there is none."""
    num, den = rule.ratio(t, u, p, n)
    if not isinstance(den, _Jet):
        den = _Jet.along(np.full(len(t.value.low), float(den)), np.full(len(t.value.low), float(den)), 0.0)
    value = num.value.over(den.value)
    slope = num.slope.minus(value.times(den.slope)).over(den.value)
    bend = num.bend.minus(slope.times(den.slope).by(2.0)).minus(value.times(den.bend)).over(den.value)
    good = den.value.low > 0
    if rule.link == ROOT:
        # of a root r = sqrt w the second derivative is w'' / 2 r - w'^2 / 4 r^3, of -sqrt(-w) the same with -w
        least = np.minimum(abs(value.low), abs(value.high))
        good &= (value.low > 0) | (value.high < 0)
        root = np.sqrt(least)
        found = bend.size / (2 * root) + slope.size * slope.size / (4 * root * root * root)
    else:
        found = bend.size
    return np.where(good, found, np.inf)


def departure(rule: Rule, boxes: Sequence[Ints], size: float) -> Floats:
    """By how much a score departs at most from the function through its corners; infinite if unknown."""
    ends = [side.astype(np.float64) for side in boxes]
    if rule.link not in (SAME, ROOT) or rule.declared:
        return np.full(len(ends[0]), np.inf)
    total = np.zeros(len(ends[0]))
    with np.errstate(all="ignore"):
        for side in range(3):
            length = ends[2 * side + 1] - ends[2 * side]
            if length.any():
                p, t, u = (_Jet.along(ends[2 * k], ends[2 * k + 1], float(k == side)) for k in range(3))
                bound = _second(rule, t, u, p, size - p) * length * length / 8
                total += np.where(length > 0, bound, 0.0)
    return np.where(np.isfinite(total), total * _WIDER, np.inf)
