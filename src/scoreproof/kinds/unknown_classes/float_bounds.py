"""Cutting planes (Kelley 1960, doi:10.1137/0108053) proposed in floats: what excludes a cone, what trims it.

They say which cone to cut next and when to stop. The bounds that are reported are computed from integers afterwards
(see ``bounds``).

Nothing here decides. A proposed exclusion is confirmed by ``Side.refuted`` and a proposed half-space by ``implied``,
both in integers; a proposal that was missed costs time only.
"""

from __future__ import annotations

from fractions import Fraction
from math import frexp
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.kinds.unknown_classes.forms import (
    LOW,
    MATTHEWS,
    Linear,
    Matrix,
    Matthews,
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


class FloatBounds:
    """The forms of some quantities as arrays."""

    def __init__(self, quantities: tuple[BoundedQuantity, ...]) -> None:
        import numpy as np

        self.quantities = quantities

        def of(sort: type[Any]) -> list[int]:
            return [k for k, quantity in enumerate(quantities) if isinstance(quantity.forms, sort)]

        def stacked(places: list[int], *shape: int) -> list[Floats]:
            forms = [quantities[k].forms for k in places]
            return [np.array([getattr(form, part) for form in forms], dtype=float).reshape(shape) for part in _PARTS]

        self._linear, self._curved, self._matthews = of(Linear), of(Quadratic), of(Matthews)
        self._flat, self._bent = stacked(self._linear, -1, 4), stacked(self._curved, -1, 4, 4)
        self._root = [
            [as_floats(getattr(quantities[k].forms, part)) for part in ("excess", "actual", "predicted")]
            for k in self._matthews
        ]
        self._least = np.array([-np.inf if each.least is None else float(each.least) for each in quantities])
        self._most = np.array([np.inf if each.most is None else float(each.most) for each in quantities])

    def on_cone(self, points: Floats) -> tuple[Floats, Floats]:
        """About the least and the largest value of every quantity on the cone of these rays; NaN if undefined."""
        import numpy as np

        low, high = np.full(len(self.quantities), np.nan), np.full(len(self.quantities), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = (points @ self._flat[0].T) / (points @ self._flat[1].T)
            self._spread(low, high, self._linear, ratios.T)
            ratios = (points @ self._bent[0] @ points.T) / (points @ self._bent[1] @ points.T)
            self._spread(low, high, self._curved, ratios.reshape(len(self._curved), len(points) ** 2))
            for k, root in zip(self._matthews, self._root, strict=True):
                low[k], high[k] = _matthews([points @ form @ points.T for form in root])
        return np.clip(low, self._least, self._most), np.clip(high, self._least, self._most)

    def at(self, points: Floats) -> Floats:
        """About the value of every quantity (columns) at some directions (rows); NaN where undefined."""
        import numpy as np

        values = np.full((len(points), len(self.quantities)), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            values[:, self._linear] = (points @ self._flat[0].T) / (points @ self._flat[1].T)
            nums, dens = (np.einsum("pi,qij,pj->pq", points, form, points) for form in self._bent)
            values[:, self._curved] = nums / dens
            for k in (*self._linear, *self._curved):
                link = self.quantities[k].link
                if link.name != "ratio":
                    values[:, k] = link.forward(values[:, k])
            for k, root in zip(self._matthews, self._root, strict=True):
                excess, actual, predicted = (np.einsum("pi,ij,pj->p", points, form, points) for form in root)
                values[:, k] = excess / np.sqrt(actual * predicted)
        return values

    def _spread(self, low: Floats, high: Floats, where: list[int], ratios: Floats) -> None:
        import numpy as np

        least = np.where(np.isnan(ratios), np.inf, ratios).min(axis=1, initial=np.inf)
        most = np.where(np.isnan(ratios), -np.inf, ratios).max(axis=1, initial=-np.inf)
        for k, down, up in zip(where, least.tolist(), most.tolist(), strict=True):
            if down <= up:
                link = self.quantities[k].link
                low[k], high[k] = (
                    end if np.isinf(end) else float(link.forward(np.array([end]))[0]) for end in (down, up)
                )


_PARTS = ("num", "den")


def _matthews(polars: list[Floats]) -> tuple[float, float]:
    import numpy as np

    excess, actual, predicted = polars
    quotient = np.where(
        actual > 0, predicted / np.where(actual > 0, actual, 1.0), np.where(predicted > 0, np.inf, np.nan)
    )
    known = quotient[~np.isnan(quotient)]
    if not known.size:
        return np.nan, np.nan
    least, most = float(known.min()), float(known.max())
    slope = (max(least, 1e-9) * max(min(most, 1e9), 1e-9)) ** 0.25
    above = (slope * actual + predicted / slope) / 2
    if np.isinf(most):
        below = least**0.5 * actual
    else:
        below = (predicted + (least * most) ** 0.5 * actual) / max(least**0.5 + most**0.5, 1e-300)
    ends = []
    for sign in (-1.0, 1.0):
        signed = sign * excess
        over = below if (signed > 0).any() else above
        ratio = signed / over
        ratio = ratio[~np.isnan(ratio)]
        ends.append(sign * float(ratio.max()) if ratio.size else np.nan)
    return ends[0], ends[1]


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
        self._roots = [as_floats(form) for form in (MATTHEWS.excess, MATTHEWS.actual, MATTHEWS.predicted)]

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
        import numpy as np

        sign, bound = (1.0, float(demand.low)) if end == LOW else (-1.0, float(demand.high))
        actual, predicted = (points @ form @ points.T for form in self._roots[1:])
        defined = actual > 0
        ratio = predicted[defined] / actual[defined]
        least = float(ratio.min()) if ratio.size else 0.0
        most = float(ratio.max()) if ratio.size and not (predicted[~defined] > 0).any() else np.inf
        theta = tangent_slope(least, None if np.isinf(most) else most)
        if sign * bound <= 0:
            slope = float(theta)
            weights = slope / 2, 1 / (2 * slope)
        elif np.isinf(most):
            weights = least**0.5, 0.0
        else:
            ends = least**0.5 + most**0.5 or 1.0
            weights = (least * most) ** 0.5 / ends, 1 / ends
        form: Floats = sign * self._roots[0] - sign * bound * (
            weights[0] * self._roots[1] + weights[1] * self._roots[2]
        )
        return form, theta


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


def balance_of(points: Floats) -> Vector:
    """Positive weights, powers of two, under which all four cells of the cone are of like size."""
    a, b, c, d = (1 << min(40, max(0, 1 - frexp(most)[1])) if most > 0 else 1 for most in points.max(axis=0).tolist())
    return a, b, c, d


def tangent(proposal: Proposal, points: Floats) -> tuple[list[float], Vector] | None:
    """The tangent of a form at the middle of the cone, lifted above it; None if it would cut off little."""
    balance = balance_of(points)
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
