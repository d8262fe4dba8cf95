"""Replay a proof that no confusion matrix of any size fits, step by step.

Scores do not change when all cells are multiplied by one number, so the matrices of every size are the directions
(tp, fp, fn, tn) >= 0. The walk starts with all of them, cut down by the claims that are half-spaces, and keeps every
cone as the list of its extreme rays. What a step claims about a quadratic form on a cone is checked on every pair of
rays, by the form's polar values: q(sum of l_k v_k) is the sum of l_k l_m B(v_k, v_m). All arithmetic is exact.
docs/unknown-sizes.md gives the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd, isqrt
from typing import Any

from scoreproof_verify.documents import integer
from scoreproof_verify.frame import Left, Patience, walk
from scoreproof_verify.statement import Claim
from scoreproof_verify.texts import Rejected, require

Ray = tuple[int, ...]
Form = Callable[[Ray], Any]

_UNITS: tuple[Ray, ...] = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_ROOT = 1 << 96
_MOST_STEPS = 500_000
_MOST_SIDES = 1_000


def dot(plane: Sequence[int], ray: Ray) -> int:
    return sum(a * x for a, x in zip(plane, ray, strict=True))


class Cone:
    """All non-negative combinations of ``rays``: exactly the directions with plane . x >= 0 for all ``planes``."""

    def __init__(self, planes: list[Ray], rays: list[tuple[Ray, frozenset[int]]]) -> None:
        self.planes = planes
        self._rays = rays

    @classmethod
    def whole(cls) -> Cone:
        planes = list(_UNITS)
        return cls(planes, [(unit, _tight(planes, unit)) for unit in _UNITS])

    @property
    def rays(self) -> list[Ray]:
        return [ray for ray, _ in self._rays]

    def meet(self, plane: Ray) -> Cone:
        """The part with plane . x >= 0: rays on that side, and one new ray on every edge that crosses the plane."""
        planes = [*self.planes, plane]
        sides = [(ray, tight, dot(plane, ray)) for ray, tight in self._rays]
        kept = [(ray, tight if side else tight | {len(self.planes)}) for ray, tight, side in sides if side >= 0]
        beyond = [entry for entry in sides if entry[2] < 0]
        for one, at_one, up in sides:
            if up <= 0:
                continue
            for other, at_other, down in beyond:
                if self._edge(one, other, at_one & at_other):
                    mixed = tuple(up * y - down * x for x, y in zip(one, other, strict=True))
                    common = gcd(*mixed)
                    ray = tuple(x // common for x in mixed)
                    kept.append((ray, _tight(planes, ray)))
        return Cone(planes, kept)

    def _edge(self, one: Ray, other: Ray, shared: frozenset[int]) -> bool:
        return not any(shared <= tight for ray, tight in self._rays if ray not in (one, other))


def _tight(planes: list[Ray], ray: Ray) -> frozenset[int]:
    return frozenset(k for k, plane in enumerate(planes) if dot(plane, ray) == 0)


class Scores:
    """The claims as forms in the four cells."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self.claims = claims

    def linear(self, i: int) -> bool:
        """Whether the ratio of a claim is one of linear forms: doubling the cells doubles both."""
        if self.claims[i].name == "mcc":
            return False
        once, twice = self._ratio(i, (3, 1, 2, 5)), self._ratio(i, (6, 2, 4, 10))
        return (2 * once[0], 2 * once[1]) == twice

    def _ratio(self, i: int, cells: Ray) -> tuple[int, int]:
        tp, fp, fn, tn = cells
        return self.claims[i].rule.ratio(tp, tn, tp + fn, fp + tn)

    def halfspaces(self) -> list[Ray]:
        """The half-spaces that linear claims stand for."""
        return [
            tuple(int(self.demand(i, end)(unit)) for unit in _UNITS)
            for i in range(len(self.claims))
            if self.linear(i)
            for end in ("low", "high")
        ]

    def demand(self, i: int, end: str) -> Form:
        """A form in the cells that is not negative where the claim holds at this end."""
        claim = self.claims[i]
        bound = claim.rule.invert(claim.low if end == "low" else claim.high)
        a, b = bound.numerator, bound.denominator
        sign = 1 if end == "low" else -1

        def form(cells: Ray) -> int:
            num, den = self._ratio(i, cells)
            return sign * (b * num - a * den)

        return form

    def excluded(self, i: int, end: str, theta: list[Any], rays: list[Ray]) -> tuple[list[Any], list[list[Any]]]:
        """The values that bound a claim's form on a cone, and those of the forms that vanish where it is undefined."""
        if self.claims[i].name == "mcc":
            return self._matthews(i, end, theta, rays)
        require(not theta, "a step gives a t to a score that needs none")
        value = self.demand(i, end)

        def under(cells: Ray) -> int:
            return self._ratio(i, cells)[1]

        if self.linear(i):
            return [value(ray) for ray in rays], [[under(ray) for ray in rays]]
        return polar(value, rays), [polar(under, rays)]

    def _matthews(self, i: int, end: str, theta: list[Any], rays: list[Ray]) -> tuple[list[Any], list[list[Any]]]:
        """sign (X - c sqrt(G H)), with the square root replaced by a bound that weakens the demand."""
        excess = polar(lambda x: x[0] * x[3] - x[1] * x[2], rays)
        actual = polar(lambda x: (x[0] + x[2]) * (x[1] + x[3]), rays)
        answer = polar(lambda x: (x[0] + x[1]) * (x[2] + x[3]), rays)
        sign, bound = (1, self.claims[i].low) if end == "low" else (-1, self.claims[i].high)
        t = _slope(theta)
        if sign * bound > 0:  # whatever t is
            alpha, beta = _chord(actual, answer)
        else:
            require(t is not None, "a step about mcc lacks its t")
            alpha, beta = (t or Fraction(1)) / 2, 1 / (2 * (t or Fraction(1)))
        values = [
            sign * x - sign * bound * (alpha * g + beta * h) for x, g, h in zip(excess, actual, answer, strict=True)
        ]
        return values, [actual, answer]


def _slope(theta: list[Any]) -> Fraction | None:
    """The t that a step carries."""
    if not theta:
        return None
    above, below = integer(theta[0], "t"), integer(theta[1], "t")
    require(above > 0 and below > 0, "t is not positive")
    return Fraction(above, below)


def polar(form: Form, rays: list[Ray]) -> list[Any]:
    """Twice the polar form on every pair of rays: q(u + v) - q(u) - q(v)."""
    single = {ray: form(ray) for ray in rays}
    return [
        form(tuple(x + y for x, y in zip(u, v, strict=True))) - single[u] - single[v]
        for u, v in combinations_with_replacement(rays, 2)
    ]


def _chord(actual: list[int], answer: list[int]) -> tuple[Fraction, Fraction]:
    """Coefficients with sqrt(G H) >= alpha G + beta H on the cone: the chord of the square root of H / G."""
    ratios = [Fraction(h, g) for g, h in zip(actual, answer, strict=True) if g]
    least = min(ratios, default=Fraction(0))
    if any(g == 0 and h > 0 for g, h in zip(actual, answer, strict=True)):
        return _root(least), Fraction(0)
    most = max(ratios, default=Fraction(0))
    ends = _root(least) + _root(most) + Fraction(4, _ROOT)
    return _root(least * most) / ends, 1 / ends


def _root(square: Fraction) -> Fraction:
    """A rational not above the square root, and less than 2 / 2^96 below it."""
    return Fraction(isqrt(square.numerator * _ROOT * _ROOT // square.denominator), _ROOT)


def _negative(values: list[Any], vanishing: list[list[Any]]) -> bool:
    """Whether values <= 0 make a form negative on the cone, but for directions where a score is undefined."""
    if any(f > 0 for f in values):
        return False
    return any(all(f < 0 or d == 0 for f, d in zip(values, under, strict=True)) for under in vanishing)


def replay_rates(
    claims: Sequence[Claim], prevalence: list[tuple[Fraction, Fraction]], steps: Any, patience: Patience
) -> int:
    """Walk through the proof; the number of cones excluded. ``Rejected`` if a step does not hold."""
    scores = Scores(claims)
    cone = Cone.whole()
    for low, high in prevalence:
        for bound, sign in ((low, 1), (high, -1)):
            a, b = bound.numerator, bound.denominator
            cone = cone.meet(tuple(sign * x for x in (b - a, -a, b - a, -a)))
    for plane in scores.halfspaces():
        cone = cone.meet(plane)

    def take(cone: Cone, step: Any, number: int) -> Left[Cone]:
        require(len(cone.planes) <= _MOST_SIDES and len(cone.rays) <= _MOST_SIDES, "a cone has too many sides")
        require(isinstance(step, list) and len(step) > 0, f"step {number} is malformed")
        kind, rest = step[0], step[1:]
        if kind == "out":
            require(_out(scores, cone, rest), f"step {number} does not exclude its cone")
            return [], 1
        if kind == "trim":
            return [cone.meet(_trim(scores, cone, rest))], 0
        if kind == "cut":
            plane = _between(rest)
            return [cone.meet(plane), cone.meet(_opposite(plane))], 0
        raise Rejected(f"step {number} is malformed")

    return walk([cone], steps, _MOST_STEPS, "the proof ends before every direction is covered", take, patience)


def _opposite(plane: Ray) -> Ray:
    return tuple(-x for x in plane)


def _between(rest: list[Any]) -> Ray:
    """a x_j - b x_i; the two signs together leave nothing out."""
    require(len(rest) == 4, "a cut is malformed")
    i, j, a, b = (integer(x, "a cut") for x in rest)
    require(0 <= i < 4 and 0 <= j < 4 and i != j and a > 0 and b > 0, "a cut is malformed")
    plane = [0, 0, 0, 0]
    plane[i], plane[j] = -b, a
    return tuple(plane)


def _named(scores: Scores, i: Any, end: Any) -> tuple[int, str]:
    index = integer(i, "a reason")
    require(0 <= index < len(scores.claims), "a step names a score that is not reported")
    require(end in ("low", "high"), "a step names no end of an interval")
    return index, end


def _out(scores: Scores, cone: Cone, rest: list[Any]) -> bool:
    rays = cone.rays
    if not rest:
        return not rays
    if len(rest) == 6:
        values, vanishing = scores.excluded(*_named(scores, rest[0], rest[1]), [], rays)
        others, under = scores.excluded(*_named(scores, rest[2], rest[3]), [], rays)
        k, m = integer(rest[4], "a multiplier"), integer(rest[5], "a multiplier")
        require(k > 0 and m > 0 and len(values) == len(others), "a pair is malformed")
        return _negative([k * f + m * g for f, g in zip(values, others, strict=True)], vanishing + under)
    require(len(rest) in (2, 4), "a step gives no proper reason")
    return _negative(*scores.excluded(*_named(scores, rest[0], rest[1]), rest[2:], rays))


def _trim(scores: Scores, cone: Cone, rest: list[Any]) -> Ray:
    """The half-space g of a trim, if up q <= down l g on the cone for its positive form l: then q >= 0 needs g >= 0."""
    require(len(rest) in (6, 8), "a trim is malformed")
    index, end = _named(scores, rest[0], rest[1])
    require(not scores.linear(index), "a trim names a score that is a half-space already")
    require(isinstance(rest[2], list) and isinstance(rest[3], list), "a trim is malformed")
    plane, balance = (tuple(integer(x, "a trim") for x in part) for part in rest[2:4])
    up, down = integer(rest[4], "a trim"), integer(rest[5], "a trim")
    require(len(plane) == 4 and len(balance) == 4, "a trim is malformed")
    require(min(balance) > 0 and up > 0 and down > 0, "a trim has weights that are not positive")
    rays = cone.rays
    values, _ = scores.excluded(index, end, rest[6:], rays)
    pairs = combinations_with_replacement(rays, 2)
    for (u, v), value in zip(pairs, values, strict=True):
        bound = dot(balance, u) * dot(plane, v) + dot(balance, v) * dot(plane, u)
        require(down * bound >= up * value, "a trim takes away directions it does not exclude")
    return plane
