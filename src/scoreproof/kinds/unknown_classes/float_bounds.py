"""Cutting planes (Kelley 1960, doi:10.1137/0108053) proposed in floats: what excludes a cone, what trims it.

They also say which cone to cut next. Nothing here decides: a proposed exclusion is confirmed by ``Side.refuted``, a
half-space by ``implied``, and bounds are reported from integers; a proposal that was missed costs time only.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import frexp
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.kinds.unknown_classes.forms import (
    LOW,
    MATTHEWS,
    Matrix,
    Quadratic,
    RateDemand,
    Side,
    Vector,
    tangent_slope,
    value,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoreproof.kinds.unknown_classes.experiment import BoundedQuantity

    Floats = NDArray[Any]

Weights = tuple[float, float]


class FloatBounds:
    """The forms of some quantities as arrays."""

    def __init__(self, quantities: tuple[BoundedQuantity, ...]) -> None:
        import numpy as np

        self.quantities = quantities
        self._matthews = [k for k, quantity in enumerate(quantities) if not isinstance(quantity.forms, Quadratic)]
        quotients = [(k, q.forms) for k, q in enumerate(quantities) if isinstance(q.forms, Quadratic)]
        self._quotients = [k for k, _ in quotients]
        self._num = np.array([form.num for _, form in quotients], dtype=float).reshape(-1, 4, 4)
        self._den = np.array([form.den for _, form in quotients], dtype=float).reshape(-1, 4, 4)
        self._least = np.array([-np.inf if each.least is None else float(each.least) for each in quantities])
        self._most = np.array([np.inf if each.most is None else float(each.most) for each in quantities])

    def on_cone(self, points: Floats) -> tuple[Floats, Floats]:
        """About the least and the largest value of every quantity on the cone of these rays; NaN if undefined."""
        import numpy as np

        low, high = np.full(len(self.quantities), np.nan), np.full(len(self.quantities), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = (points @ self._num @ points.T) / (points @ self._den @ points.T)
            ratios = ratios.reshape(len(self._quotients), len(points) ** 2)
            low[self._quotients], high[self._quotients] = (
                self._linked(extreme.reduce(ratios, axis=1)) for extreme in (np.fmin, np.fmax)
            )
            if self._matthews:
                excess, actual, predicted = (points @ form @ points.T for form in roots())
                above, below, _ = _root_weights(actual, predicted)
                for sign, ends in ((-1.0, low), (1.0, high)):
                    weights = below if (sign * excess > 0).any() else above
                    signed = sign * excess / (weights[0] * actual + weights[1] * predicted)
                    ends[self._matthews] = sign * np.fmax.reduce(signed, axis=None)
        return np.clip(low, self._least, self._most), np.clip(high, self._least, self._most)

    def at(self, points: Floats) -> Floats:
        """About the value of every quantity (columns) at some directions (rows); NaN where undefined."""
        import numpy as np

        values = np.full((len(points), len(self.quantities)), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            nums, dens = (np.einsum("pi,qij,pj->qp", points, form, points) for form in (self._num, self._den))
            values[:, self._quotients] = self._linked(nums / dens).T
            if self._matthews:
                excess, actual, predicted = (np.einsum("pi,ij,pj->p", points, form, points) for form in roots())
                values[:, self._matthews] = (excess / np.sqrt(actual * predicted))[:, None]
        return values

    def _linked(self, ratios: Floats) -> Floats:
        """The values of ratios, whose first axis are the quotients; what is infinite stays so."""
        import numpy as np

        for at, k in enumerate(self._quotients):
            link = self.quantities[k].link
            if link.name != "ratio":
                ratios[at] = np.where(np.isinf(ratios[at]), ratios[at], link.forward(ratios[at : at + 1])[0])
        return ratios


def _root_weights(actual: Floats, predicted: Floats) -> tuple[Weights, Weights, Fraction]:
    """Weights of p n and (tp + fp)(tn + fn) for bounds of the root of their product above and below, and their t."""
    import numpy as np

    defined = actual > 0
    ratio = predicted[defined] / actual[defined]
    least = float(ratio.min()) if ratio.size else 0.0
    most = float(ratio.max()) if ratio.size and not (predicted[~defined] > 0).any() else np.inf
    theta = tangent_slope(least, None if np.isinf(most) else most)
    above = float(theta) / 2, 1 / (2 * float(theta))
    if np.isinf(most):
        return above, (least**0.5, 0.0), theta
    ends = least**0.5 + most**0.5 or 1.0
    return above, ((least * most) ** 0.5 / ends, 1 / ends), theta


_BITS = 36  # of a coefficient of a half-space
_LEAST_CUT = 0.02  # of the cone's extent that a half-space should take away
_NOISE = 1e-9


class HalfSpace(NamedTuple):
    """``plane . x >= 0``, because weight * q(x) <= balance(x) * plane(x) on the cone."""

    plane: Vector
    balance: Vector
    weight: tuple[int, int]


class Proposal(NamedTuple):
    """What the floats say about one end of a demand on a cone."""

    excludes: bool
    satisfied: bool
    form: Floats
    values: Floats
    divisor: int  # what the form's coefficients were divided by
    theta: Fraction | None


class Screen:
    """Float copies of the demands' forms."""

    def __init__(self, demands: list[RateDemand]) -> None:
        self._forms: dict[tuple[int, str], tuple[Floats, int]] = {}
        for demand in demands:
            if isinstance(demand.forms, Quadratic):
                for end in ("low", "high"):
                    form = demand.form(end)
                    largest = max(abs(x) for row in form for x in row)
                    self._forms[demand.index, end] = as_floats(form, largest), largest

    def look(self, demand: RateDemand, end: str, points: Floats) -> Proposal:
        """What one end of a demand does to the cone whose rays are the rows of ``points``."""
        known = self._forms.get((demand.index, end))
        form, theta = self._matthews(demand, end, points) if known is None else (known[0], None)
        values = points @ form @ points.T
        most, least = float(values.max()), float(values.min())
        divisor = 1 if known is None else known[1]
        # the form of the Matthews correlation is a weaker demand, which a smaller cone makes stronger again
        satisfied = known is not None and least >= -_NOISE * most
        return Proposal(most <= -_NOISE * least, satisfied, form, values, divisor, theta)

    def _matthews(self, demand: RateDemand, end: str, points: Floats) -> tuple[Floats, Fraction]:
        sign, bound = (1.0, float(demand.low)) if end == LOW else (-1.0, float(demand.high))
        above, below, theta = _root_weights(*(points @ form @ points.T for form in roots()[1:]))
        weights = below if sign * bound > 0 else above
        excess, actual, predicted = roots()
        form: Floats = sign * excess - sign * bound * (weights[0] * actual + weights[1] * predicted)
        return form, theta


@cache
def roots() -> tuple[Floats, Floats, Floats]:
    """The forms of the Matthews correlation."""
    return as_floats(MATTHEWS.excess), as_floats(MATTHEWS.actual), as_floats(MATTHEWS.predicted)


def as_floats(form: Matrix, divisor: int = 1) -> Floats:
    """A form as an array, divided."""
    import numpy as np

    return np.array([[x / divisor for x in row] for row in form])


def as_points(rays: list[Vector]) -> Floats:
    """Rays as rows that sum to one."""
    import numpy as np

    rows = []
    for ray in rays:
        total = sum(ray)
        rows.append([cell / total for cell in ray])
    return np.array(rows)


def tangent(proposal: Proposal, points: Floats) -> tuple[list[float], Vector] | None:
    """The tangent of a form at the middle of the cone, lifted above it; None if it would cut off little."""
    # powers of two under which all four cells of the cone are of like size
    a, b, c, d = (1 << min(40, max(0, 1 - frexp(most)[1])) if most > 0 else 1 for most in points.max(axis=0).tolist())
    balance = a, b, c, d
    sizes = points @ balance
    rows = points / sizes[:, None]
    middle = rows.mean(axis=0)
    slope = proposal.form @ middle
    at_rays = rows @ slope / 2
    at_middle = float(slope @ middle) / 2
    second = proposal.values / (2 * sizes[:, None] * sizes[None, :]) - at_rays[:, None] - at_rays[None, :] + at_middle
    lift = float(second.max()) + 1e-14 * float(abs(second).max()) + 1e-15
    ends = 2 * at_rays + (lift - at_middle)
    lowest, highest = float(ends.min()), float(ends.max())
    if lowest >= -_LEAST_CUT * (highest - lowest):
        return None
    return [float(x) + (lift - at_middle) * y for x, y in zip(slope, balance, strict=True)], balance


def rounded(plane: list[float], balance: Vector, divisor: int) -> HalfSpace | None:
    """The proposed tangent with integer coefficients not below the proposed ones."""
    largest = max(abs(x) for x in plane)
    if largest == 0:
        return None
    scale = _BITS - frexp(largest)[1]
    a, b, c, d = (int(x * 2.0**scale // 1) + 2 for x in plane)
    up, down = (1 << scale, 1) if scale >= 0 else (1, 1 << -scale)
    return HalfSpace((a, b, c, d), balance, (up, down * divisor))


def implied(half: HalfSpace, side: Side, rays: list[Vector]) -> bool:
    """Whether weight * q <= balance * plane on the cone, decided in integers on every pair of rays."""
    sizes = [value(half.balance, ray) for ray in rays]
    heights = [value(half.plane, ray) for ray in rays]
    up, down = half.weight[0], half.weight[1] * side.factor
    position = 0
    for k, (size, height) in enumerate(zip(sizes, heights, strict=True)):
        for m in range(k, len(rays)):
            if down * (size * heights[m] + sizes[m] * height) < up * side.values[position]:
                return False
            position += 1
    return True
