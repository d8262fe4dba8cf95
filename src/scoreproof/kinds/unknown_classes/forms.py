"""Polar forms on cones in double description (Motzkin et al. 1953): exact bounds of quotients of forms in four cells.

Scores do not change when all four cells are multiplied by one number, so where no count is known a report speaks
of *directions* (tp, fp, fn, tn) >= 0. A bound on a score whose ratio is linear in the cells is a half-space of
directions, and the directions that satisfy several of them form a cone. It is kept as its extreme rays, integer
vectors that are confusion matrices themselves, by the double description method (Motzkin et al. 1953; Fukuda and
Prodon 1996, doi:10.1007/3-540-61576-8_77). Only integers are compared.

Eight of the twenty scores (and all complements) are quotients of linear forms in (tp, fp, fn, tn); all others but
the Matthews correlation are quotients of quadratic forms. Let B be the polar form of a quadratic form q, so that
q(x) = B(x, x). A point of a cone is x = sum of l_k v_k with l_k >= 0 over its rays v_k, hence q(x) is the sum of
l_k l_m B(v_k, v_m): on the whole cone q lies between the extremes of finitely many integers. For the quotient of two
forms the same holds with quotients. At a ray the bound is attained, between rays its error is of second order, so
small cones have sharp bounds; and where a class is empty both forms vanish together, so nothing blows up there.

What a reported score demands of a direction is a closed interval for the score. For linear quotients it is two
half-spaces. For quadratic quotients each end is a quadratic form that must not be negative, bounded on a cone by its
polar values. The Matthews correlation X / sqrt(G H) is brought to that shape on each cone: with r = H / G between r1
and r2 there, the square root of G H lies below (t G + H / t) / 2 for every t > 0, and above the chord
(H + sqrt(r1 r2) G) / (sqrt(r1) + sqrt(r2)).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt
from typing import Any, NamedTuple

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores import Score
from scoreproof.kinds.binary.scores.score import Link
from scoreproof.reported import Claim

Vector = tuple[int, int, int, int]

CELLS = ("tp", "fp", "fn", "tn")
_FINE = 10**12  # denominators of bounds on roots


class Ray(NamedTuple):
    """An extreme ray and, as bits, the planes it lies on."""

    cells: Vector
    planes: int


class Cone:
    """All non-negative combinations of its rays; ``planes`` counts the half-spaces it was cut from."""

    __slots__ = ("planes", "rays")

    def __init__(self, rays: list[Ray], planes: int) -> None:
        self.rays = rays
        self.planes = planes

    def clip(self, plane: Vector) -> Cone:
        """The part where ``plane . x >= 0``.

        >>> [ray.cells for ray in everything().clip((1, 0, -3, 0)).rays]
        [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1), (3, 0, 1, 0)]
        """
        a, b, c, d = plane
        bit = 1 << self.planes
        kept: list[Ray] = []
        inside: list[tuple[Ray, int]] = []
        outside: list[tuple[Ray, int]] = []
        for ray in self.rays:
            v = ray.cells
            side = a * v[0] + b * v[1] + c * v[2] + d * v[3]
            if side > 0:
                inside.append((ray, side))
                kept.append(ray)
            elif side < 0:
                outside.append((ray, side))
            else:
                kept.append(Ray(v, ray.planes | bit))
        if outside:
            for form, up in inside:
                for other, down in outside:
                    common = form.planes & other.planes
                    beside = common.bit_count() >= 2 and sum(ray.planes & common == common for ray in self.rays) == 2
                    if beside:  # on every plane that they share there is no third ray
                        kept.append(Ray(_between(form.cells, -down, other.cells, up), common | bit))
        return Cone(kept, self.planes + 1)


def everything() -> Cone:
    """Every direction with cells >= 0."""
    return Cone([Ray(unit, 15 ^ (1 << k)) for k, unit in enumerate(UNITS)], 4)


def weighted(k: int, u: Vector, m: int, v: Vector) -> Vector:
    """k u + m v."""
    a, b, c, d = (k * x + m * y for x, y in zip(u, v, strict=True))
    return a, b, c, d


def _between(u: Vector, k: int, v: Vector, m: int) -> Vector:
    """k u + m v, without a common divisor."""
    a, b, c, d = weighted(k, u, m, v)
    common = gcd(a, b, c, d)
    return a // common, b // common, c // common, d // common


Matrix = tuple[Vector, Vector, Vector, Vector]
Quotient = tuple[int, int]  # a ratio of integers, the second not negative
CellRatio = Callable[[Any, Any, Any, Any], tuple[Any, Any]]

UNITS: Matrix = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_PROBES: tuple[Vector, ...] = ((3, 1, 2, 5), (7, 11, 2, 3), (1, 0, 4, 9), (2, 13, 0, 1), (5, 3, 8, 0), (0, 2, 1, 7))


@dataclass(frozen=True, slots=True)
class Linear:
    """A quotient of two linear forms."""

    num: Vector
    den: Vector


@dataclass(frozen=True, slots=True)
class Quadratic:
    """A quotient of two quadratic forms, each as twice its polar form."""

    num: Matrix
    den: Matrix


@dataclass(frozen=True, slots=True)
class Matthews:
    """excess / sqrt(actual * predicted): the quadratic forms tp tn - fp fn, p n and (tp + fp)(tn + fn)."""

    excess: Matrix
    actual: Matrix
    predicted: Matrix


Forms = Linear | Quadratic | Matthews


def forms(ratio: CellRatio) -> Linear | Quadratic | None:
    """The forms behind a ratio of the cells; None if it is no quotient of linear or quadratic forms.

    >>> forms(lambda tp, fp, fn, tn: (tp, tp + fp))
    Linear(num=(1, 0, 0, 0), den=(1, 1, 0, 0))
    """
    linear = Linear(_linear(ratio, 0), _linear(ratio, 1))
    if all((value(linear.num, x), value(linear.den, x)) == tuple(ratio(*x)) for x in _PROBES):
        return linear
    quadratic = Quadratic(_polarised(ratio, 0), _polarised(ratio, 1))
    if all(
        (twice(quadratic.num, x), twice(quadratic.den, x)) == tuple(2 * part for part in ratio(*x)) for x in _PROBES
    ):
        return quadratic
    return None


def squared(linear: Linear) -> Quadratic:
    """Both forms times the sum of all cells, which changes no bound on a cone."""
    num, den = (_matrix([[x + y for y in form] for x in form]) for form in (linear.num, linear.den))
    return Quadratic(num, den)


def _matrix(rows: Sequence[Sequence[int]]) -> Matrix:
    """Rows of four numbers each, as tuples."""
    made: Any = tuple(map(tuple, rows))
    return made  # type: ignore[no-any-return]


def _linear(ratio: CellRatio, part: int) -> Vector:
    a, b, c, d = (int(ratio(*unit)[part]) for unit in UNITS)
    return a, b, c, d


def _polarised(ratio: CellRatio, part: int) -> Matrix:
    def q(*cells: int) -> int:
        return int(ratio(*cells)[part])

    return _matrix([[q(*(x + y for x, y in zip(u, v, strict=True))) - q(*u) - q(*v) for v in UNITS] for u in UNITS])


MATTHEWS = Matthews(
    _polarised(lambda tp, fp, fn, tn: (tp * tn - fp * fn, 1), 0),
    _polarised(lambda tp, fp, fn, tn: ((tp + fn) * (fp + tn), 1), 0),
    _polarised(lambda tp, fp, fn, tn: ((tp + fp) * (tn + fn), 1), 0),
)


def further(ratio: Quotient, than: Quotient | None, *, upper: bool) -> bool:
    """Whether a ratio lies further out than another; a denominator of 0 makes it infinite.

    >>> further((1, 0), (-1, 0), upper=True), further((1, 2), (2, 3), upper=True)
    (True, False)
    """
    if than is None:
        return True
    difference = ratio[0] * than[1] - than[0] * ratio[1]
    if ratio[1] == than[1] == 0:
        difference = (ratio[0] > 0) - (than[0] > 0)
    return difference > 0 if upper else difference < 0


def linked(link: Link, ratio: Quotient, *, upper: bool) -> Fraction | None:
    """The value of a ratio, exact or rounded (up if ``upper``); None if infinite."""
    num, den = ratio
    if den == 0:
        return None
    if link.name == "ratio":
        return Fraction(num, den)
    low = Fraction(link.floor(num, den, _FINE), _FINE)
    return low if not upper or link.inverse(low) == Fraction(num, den) else low + Fraction(1, _FINE)


def value(form: Vector, x: Vector) -> int:
    """A linear form at x."""
    return form[0] * x[0] + form[1] * x[1] + form[2] * x[2] + form[3] * x[3]


def image(form: Matrix, x: Vector) -> Vector:
    """The linear form B2(x, .)."""
    return value(form[0], x), value(form[1], x), value(form[2], x), value(form[3], x)


def twice(form: Matrix, x: Vector) -> int:
    """Twice a quadratic form at x."""
    return value(image(form, x), x)


def polar(form: Matrix, rays: list[Vector]) -> list[int]:
    """B2(v_k, v_m) for all k <= m."""
    out: list[int] = []
    for k, ray in enumerate(rays):
        a, b, c, d = image(form, ray)
        out += [a * v[0] + b * v[1] + c * v[2] + d * v[3] for v in rays[k:]]
    return out


def combine(k: int, first: Matrix, m: int, second: Matrix) -> Matrix:
    """k times the first form plus m times the second."""
    return _matrix([weighted(k, u, m, v) for u, v in zip(first, second, strict=True)])


LOW, HIGH = "low", "high"
_ROOT_BITS = 48


class Side(NamedTuple):
    """One end of a demand on a cone: the polar values of a form that must not be negative, and those of forms that
    vanish only where the score is undefined. ``factor`` is what the form was multiplied by, ``theta`` the t that was
    used for the Matthews correlation."""

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
        return [weighted(b, num, -a, den), weighted(c, den, -d, num)]

    def side(self, end: str, rays: list[Vector], theta: Fraction | None = None) -> Side:
        """One end of a demand that is not linear, on the cone of these rays; ``theta`` is the t to be used."""
        if isinstance(self.forms, Quadratic):
            return Side(polar(self.form(end), rays), [polar(self.forms.den, rays)])
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
        values = [k * x + m0 * g + m1 * h for x, g, h in zip(root.excess, root.actual, root.predicted, strict=True)]
        return Side(values, [root.actual, root.predicted], b * scale, root.theta)

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
