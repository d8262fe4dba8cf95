"""Floats that steer: approximate bounds of all quantities on a cone, at once.

They say which cone to cut next and when to stop. The bounds that are reported are computed from integers afterwards
(see ``bounds``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoreproof.kinds.unknown_classes.forms import Linear, Matthews, Quadratic
from scoreproof.kinds.unknown_classes.screening import as_floats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from scoreproof.kinds.unknown_classes.quantities import BoundedQuantity

    Floats = NDArray[Any]


class Gauge:
    """The forms of some quantities as arrays."""

    def __init__(self, quantities: tuple[BoundedQuantity, ...]) -> None:
        import numpy as np

        self.quantities = quantities
        self._linear = [k for k, one in enumerate(quantities) if isinstance(one.forms, Linear)]
        self._curved = [k for k, one in enumerate(quantities) if isinstance(one.forms, Quadratic)]
        self._matthews = [k for k, one in enumerate(quantities) if isinstance(one.forms, Matthews)]
        flat = [one.forms for one in quantities if isinstance(one.forms, Linear)]
        self._flat = [np.array([getattr(one, part) for one in flat], dtype=float).reshape(-1, 4) for part in _PARTS]
        bent = [one.forms for one in quantities if isinstance(one.forms, Quadratic)]
        self._bent = [np.array([getattr(one, part) for one in bent], dtype=float).reshape(-1, 4, 4) for part in _PARTS]
        self._root = [
            [as_floats(form) for form in (one.forms.excess, one.forms.actual, one.forms.predicted)]
            for one in quantities
            if isinstance(one.forms, Matthews)
        ]
        self._least = np.array([-np.inf if one.least is None else float(one.least) for one in quantities])
        self._most = np.array([np.inf if one.most is None else float(one.most) for one in quantities])

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
