"""Replay a proof that no confusion matrix of any size fits, step by step.

Scores do not change when all cells are multiplied by one number, so the matrices of every size are the directions
(tp, fp, fn, tn) >= 0. Cones of these are kept as the lists of their extreme rays. What a step claims about a quadratic
form on a cone is checked on every pair of rays, by the form's polar values: q(sum of l_k v_k) is the sum of
l_k l_m B(v_k, v_m) (docs/unknown-sizes.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import gcd, isqrt
from typing import Any, NamedTuple

from scoreproof_verify.documents import chosen, given, integer
from scoreproof_verify.frame import Left, Patience, walk
from scoreproof_verify.statement import Claim
from scoreproof_verify.texts import require

Ray = tuple[int, ...]
Form = Callable[[Ray], Any]

_UNITS: tuple[Ray, ...] = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
_ROOT = 1 << 96
_MOST_STEPS = 500_000
_MOST_SIDES = 1_000


def dot(plane: Sequence[int], ray: Ray) -> int:
    return sum(a * x for a, x in zip(plane, ray, strict=True))


class Cone(NamedTuple):
    """All non-negative combinations of rays, each with the planes it lies on: exactly where all plane . x >= 0."""

    planes: list[Ray]
    edges: list[tuple[Ray, frozenset[int]]]

    @property
    def rays(self) -> list[Ray]:
        return [ray for ray, _ in self.edges]

    def meet(self, plane: Ray) -> Cone:
        """The part with plane . x >= 0: rays on that side, and one new ray on every edge that crosses the plane."""
        planes = [*self.planes, plane]
        sides = [(ray, tight, dot(plane, ray)) for ray, tight in self.edges]
        kept = [(ray, tight if side else tight | {len(self.planes)}) for ray, tight, side in sides if side >= 0]
        beyond = [entry for entry in sides if entry[2] < 0]
        for ray_above, at_one, up in sides:
            if up <= 0:
                continue
            for other, at_other, down in beyond:
                shared = at_one & at_other
                if not any(shared <= tight for ray, tight in self.edges if ray not in (ray_above, other)):  # an edge
                    mixed = tuple(up * y - down * x for x, y in zip(ray_above, other, strict=True))
                    common = gcd(*mixed)
                    ray = tuple(x // common for x in mixed)
                    kept.append((ray, _tight(planes, ray)))
        return Cone(planes, kept)


def _tight(planes: list[Ray], ray: Ray) -> frozenset[int]:
    return frozenset(k for k, plane in enumerate(planes) if dot(plane, ray) == 0)


def _ratio(claim: Claim, cells: Sequence[int]) -> tuple[int, int]:
    tp, fp, fn, tn = cells
    return claim.rule.ratio(tp, tn, tp + fn, fp + tn)


def _linear(claim: Claim) -> bool:
    """Whether the ratio of a claim is one of linear forms: doubling the cells doubles both."""
    once, twice = _ratio(claim, (3, 1, 2, 5)), _ratio(claim, (6, 2, 4, 10))
    return claim.name != "mcc" and (2 * once[0], 2 * once[1]) == twice


def _demand(claim: Claim, end: str) -> Form:
    """A form in the cells that is not negative where the claim holds at this end."""
    a, b = claim.ends[:2] if end == "low" else claim.ends[2:]
    sign = 1 if end == "low" else -1

    def form(cells: Ray) -> int:
        num, den = _ratio(claim, cells)
        return sign * (b * num - a * den)

    return form


def _bounds(claim: Claim, end: str, theta: list[Any], rays: list[Ray]) -> tuple[list[Any], list[list[Any]]]:
    """The values that bound a claim's form on a cone, and those of the forms that vanish where it is undefined."""
    if claim.name != "mcc":
        require(not theta, "a step gives a t to a score that needs none")
        values, under = (
            [form(ray) for ray in rays] if _linear(claim) else polar(form, rays)
            for form in (_demand(claim, end), lambda cells: _ratio(claim, cells)[1])
        )
        return values, [under]
    # sign (X - c sqrt(G H)), with the square root replaced by a bound that weakens the demand
    excess = polar(lambda x: x[0] * x[3] - x[1] * x[2], rays)
    actual = polar(lambda x: (x[0] + x[2]) * (x[1] + x[3]), rays)
    answer = polar(lambda x: (x[0] + x[1]) * (x[2] + x[3]), rays)
    sign, bound = (1, claim.low) if end == "low" else (-1, claim.high)
    t = None
    if theta:
        above, below = integer(theta[0], "t"), integer(theta[1], "t")
        require(above > 0 and below > 0, "t is not positive")
        t = Fraction(above, below)
    if sign * bound > 0:  # whatever t is
        alpha, beta = _chord(actual, answer)
    else:
        slope = given(t, "a step about mcc lacks its t")
        alpha, beta = slope / 2, 1 / (2 * slope)
    values = [sign * x - sign * bound * (alpha * g + beta * h) for x, g, h in zip(excess, actual, answer, strict=True)]
    return values, [actual, answer]


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
    claims: Sequence[Claim], prevalence: Sequence[tuple[Fraction, Fraction]], steps: Any, patience: Patience
) -> int:
    """Walk through the proof; the number of cones excluded. ``Rejected`` if a step does not hold."""
    cone = Cone([*_UNITS], [(unit, _tight([*_UNITS], unit)) for unit in _UNITS])
    for low, high in prevalence:
        for bound, sign in ((low, 1), (high, -1)):
            a, b = bound.numerator, bound.denominator
            cone = cone.meet(tuple(sign * x for x in (b - a, -a, b - a, -a)))
    for claim in claims:
        for end in ("low", "high") if _linear(claim) else ():
            cone = cone.meet(tuple(map(_demand(claim, end), _UNITS)))

    def take(cone: Cone, step: Any, number: int) -> Left[Cone]:
        require(len(cone.planes) <= _MOST_SIDES and len(cone.rays) <= _MOST_SIDES, "a cone has too many sides")
        require(isinstance(step, list) and len(step) > 0, f"step {number} is malformed")
        kind, rest = step[0], step[1:]
        if kind == "out":
            require(_out(claims, cone.rays, rest), f"step {number} does not exclude its cone")
            return [], 1
        if kind == "trim":
            return [cone.meet(_trim(claims, cone.rays, rest))], 0
        require(kind == "cut", f"step {number} is malformed")
        # a x_j - b x_i; the two signs together leave nothing out
        require(len(rest) == 4, "a cut is malformed")
        i, j, a, b = (integer(x, "a cut") for x in rest)
        require(0 <= i < 4 and 0 <= j < 4 and i != j and a > 0 and b > 0, "a cut is malformed")
        plane = [a if k == j else -b if k == i else 0 for k in range(4)]
        return [cone.meet(tuple(plane)), cone.meet(tuple(-x for x in plane))], 0

    return walk([cone], steps, _MOST_STEPS, "the proof ends before every direction is covered", take, patience)


def _named(claims: Sequence[Claim], i: Any, end: Any) -> tuple[Claim, str]:
    claim = chosen(claims, i, "a reason", "a step names a score that is not reported")
    require(end in ("low", "high"), "a step names no end of an interval")
    return claim, end


def _out(claims: Sequence[Claim], rays: list[Ray], rest: list[Any]) -> bool:
    if not rest:
        return not rays
    if len(rest) == 6:
        values, vanishing = _bounds(*_named(claims, *rest[:2]), [], rays)
        others, under = _bounds(*_named(claims, *rest[2:4]), [], rays)
        k, m = integer(rest[4], "a multiplier"), integer(rest[5], "a multiplier")
        require(k > 0 and m > 0 and len(values) == len(others), "a pair is malformed")
        return _negative([k * f + m * g for f, g in zip(values, others, strict=True)], vanishing + under)
    require(len(rest) in (2, 4), "a step gives no proper reason")
    return _negative(*_bounds(*_named(claims, *rest[:2]), rest[2:], rays))


def _trim(claims: Sequence[Claim], rays: list[Ray], rest: list[Any]) -> Ray:
    """The half-space g of a trim, if up q <= down l g on the cone for its positive form l: then q >= 0 needs g >= 0."""
    require(len(rest) in (6, 8), "a trim is malformed")
    claim, end = _named(claims, *rest[:2])
    require(not _linear(claim), "a trim names a score that is a half-space already")
    require(isinstance(rest[2], list) and isinstance(rest[3], list), "a trim is malformed")
    plane, balance = (tuple(integer(x, "a trim") for x in part) for part in rest[2:4])
    up, down = integer(rest[4], "a trim"), integer(rest[5], "a trim")
    require(len(plane) == 4 and len(balance) == 4, "a trim is malformed")
    require(min(balance) > 0 and up > 0 and down > 0, "a trim has weights that are not positive")
    values, _ = _bounds(claim, end, rest[6:], rays)
    for (u, v), value in zip(combinations_with_replacement(rays, 2), values, strict=True):
        bound = dot(balance, u) * dot(plane, v) + dot(balance, v) * dot(plane, u)
        require(down * bound >= up * value, "a trim takes away directions it does not exclude")
    return plane
