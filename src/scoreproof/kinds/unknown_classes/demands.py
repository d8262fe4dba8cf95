"""Polar values of quadratic forms: what one reported score demands of a direction, and how it excludes a cone.

A demand is a closed interval for the score. For linear quotients it is two half-spaces. For quadratic quotients each
end is a quadratic form that must not be negative, bounded on a cone by its polar values. The Matthews correlation
X / sqrt(G H) is brought to that shape on each cone: with r = H / G between r1 and r2 there, the square root of G H
lies below (t G + H / t) / 2 for every t > 0, and above the chord (H + sqrt(r1 r2) G) / (sqrt(r1) + sqrt(r2)).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores import Score
from scoreproof.kinds.unknown_classes.forms import (
    MATTHEWS,
    Forms,
    Linear,
    Matrix,
    Quadratic,
    Vector,
    combine,
    forms,
    polar,
)
from scoreproof.reported import Claim

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

LOW, HIGH = "low", "high"
_ROOT_BITS = 48


class Side(NamedTuple):
    """One end of a demand on a cone: a form that must not be negative, its polar values, and the polar values of a
    form that vanishes only where the score is undefined. ``factor`` is what the form was multiplied by, ``theta``
    the t that was used for the Matthews correlation."""

    form: Matrix
    values: list[int]
    vanishing: list[list[int]]
    factor: int = 1
    theta: Fraction | None = None

    @property
    def refuted(self) -> bool:
        """Whether the form is negative on the whole cone, but for points where the score is undefined."""
        if any(f > 0 for f in self.values):
            return False
        return any(
            all(f < 0 or d == 0 for f, d in zip(self.values, undefined, strict=True)) for undefined in self.vanishing
        )


@dataclass(frozen=True, slots=True)
class RateDemand:
    """One reported score; ``low`` and ``high`` bound its ratio, or its value for the Matthews correlation."""

    index: int
    score: Score
    forms: Forms
    low: Fraction
    high: Fraction

    def planes(self) -> list[Vector]:
        """The two half-spaces of a linear demand."""
        assert isinstance(self.forms, Linear)
        (a, b), (c, d) = self.low.as_integer_ratio(), self.high.as_integer_ratio()
        num, den = self.forms.num, self.forms.den
        return [_weighted(b, num, -a, den), _weighted(c, den, -d, num)]

    def side(self, end: str, rays: list[Vector], theta: Fraction | None = None) -> Side:
        """One end of a demand that is not linear, on the cone of these rays; ``theta`` is the t to be used."""
        if isinstance(self.forms, Quadratic):
            form = self.form(end)
            return Side(form, polar(form, rays), [polar(self.forms.den, rays)])
        return self._matthews(RootBounds.on(rays, theta), end)

    def form(self, end: str) -> Matrix:
        """The quadratic form that must not be negative."""
        assert isinstance(self.forms, Quadratic)
        if end == LOW:
            a, b = self.low.as_integer_ratio()
            return combine(b, self.forms.num, -a, self.forms.den)
        a, b = self.high.as_integer_ratio()
        return combine(a, self.forms.den, -b, self.forms.num)

    def leading(self, end: str) -> int:
        """What the numerator of the ratio is multiplied by in ``form``, without its sign."""
        return (self.low if end == LOW else self.high).denominator

    def _matthews(self, root: RootBounds, end: str) -> Side:
        """sign * (excess - bound * sqrt(actual * predicted)) >= 0, weakened to a quadratic form."""
        sign, bound = (1, self.low) if end == LOW else (-1, self.high)
        a, b = bound.as_integer_ratio()
        weights, scale = root.below if sign * a > 0 else root.above
        # sign * X * b * scale - sign * a * (weights[0] G + weights[1] H)
        k, m0, m1 = sign * b * scale, -sign * a * weights[0], -sign * a * weights[1]
        form = combine(k, MATTHEWS.excess, 1, combine(m0, MATTHEWS.actual, m1, MATTHEWS.predicted))
        values = [k * x + m0 * g + m1 * h for x, g, h in zip(root.excess, root.actual, root.predicted, strict=True)]
        return Side(form, values, [root.actual, root.predicted], b * scale, root.theta)

    def position(self, cells: Vector) -> int | None:
        """-1, 0, +1: the score of these cells lies below, in, above its interval; None where it is 0/0."""
        num, den = self.score.ratio(*cells)
        if den == 0:
            return None if num == 0 else 1
        low, high = self.low, self.high
        if not isinstance(self.forms, (Linear, Quadratic)):
            low, high = self.score.link.inverse(low), self.score.link.inverse(high)
        if num * low.denominator < low.numerator * den:
            return -1
        return 1 if num * high.denominator > high.numerator * den else 0


class RootBounds(NamedTuple):
    """Bounds of sqrt(actual * predicted) on a cone by (w0 * actual + w1 * predicted) / scale."""

    excess: list[int]
    actual: list[int]
    predicted: list[int]
    theta: Fraction
    above: tuple[tuple[int, int], int]
    below: tuple[tuple[int, int], int]

    @classmethod
    def on(cls, rays: list[Vector], theta: Fraction | None = None) -> RootBounds:
        excess, actual, predicted = (
            polar(form, rays) for form in (MATTHEWS.excess, MATTHEWS.actual, MATTHEWS.predicted)
        )
        least, most = ratio_range(predicted, actual)
        theta = theta or tangent_slope(float(least), None if most is None else float(most))
        t, u = theta.as_integer_ratio()
        if most is None:  # sqrt(r) >= sqrt(r1)
            below = (floor_root(least), 0), 1 << _ROOT_BITS
        else:
            ends = ceil_root(least) + ceil_root(most)
            below = (floor_root(least * most), 1 << _ROOT_BITS), ends
        return cls(excess, actual, predicted, theta, ((t * t, u * u), 2 * t * u), below)


def ratio_range(above: list[int], under: list[int]) -> tuple[Fraction, Fraction | None]:
    """The least and largest quotient of two lists of non-negative integers; None: unbounded."""
    least: tuple[int, int] | None = None
    most: tuple[int, int] | None = (0, 1)
    for x, y in zip(above, under, strict=True):
        if y == 0:
            most = None if x > 0 else most
            continue
        if least is None or x * least[1] < least[0] * y:
            least = x, y
        if most is not None and x * most[1] > most[0] * y:
            most = x, y
    return Fraction(*(least or (0, 1))), None if most is None else Fraction(*most)


def floor_root(square: Fraction) -> int:
    """The square root in units of 2^-48, rounded down."""
    return isqrt((square.numerator << (2 * _ROOT_BITS)) // square.denominator)


def ceil_root(square: Fraction) -> int:
    """The square root in units of 2^-48, rounded up."""
    return isqrt(-(-(square.numerator << (2 * _ROOT_BITS)) // square.denominator)) + 1


def tangent_slope(least: float, most: float | None) -> Fraction:
    """A short t near the fourth root of r1 r2: sqrt(r) touches (t + r / t) / 2 at r = t^2. Any t > 0 would do."""
    low = max(least, 1e-9)
    high = max(low, 1e9 if most is None else min(most, 1e9))
    return Fraction((low * high) ** 0.25).limit_denominator(1 << 16) or Fraction(1, 1 << 16)


def demand(index: int, reported: Claim) -> RateDemand:
    """What a reported score demands; an error for scores that are no such quotient."""
    score = reported.score
    if score.name == "mcc":
        return RateDemand(index, score, MATTHEWS, reported.low, reported.high)
    forms_ = forms(score.ratio) if score.builtin else None
    if forms_ is None:
        raise InvalidOption(
            f"{reported.name}: without p and n only built-in scores can be used, and {score.name!r} is registered; "
            "give p and n"
        )
    return RateDemand(index, score, forms_, score.link.inverse(reported.low), score.link.inverse(reported.high))


def _weighted(k: int, u: Vector, m: int, v: Vector) -> Vector:
    a, b, c, d = (k * x + m * y for x, y in zip(u, v, strict=True))
    return a, b, c, d
