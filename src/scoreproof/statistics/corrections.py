"""Many tests at once: p-values adjusted so that they can be compared with alpha as they are.

Holm (1979, jstor.org/stable/4615733) needs no assumption and always beats Bonferroni; Hochberg (1988,
doi:10.1093/biomet/75.4.800) and Hommel (1988, doi:10.1093/biomet/75.2.383) gain a little under independence;
Benjamini & Hochberg (1995, doi:10.1111/j.2517-6161.1995.tb02031.x) and, under any dependence, Benjamini &
Yekutieli (2001, doi:10.1214/aos/1013699998) control the false discovery rate instead.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats, numbers
from scoreproof.errors import InvalidValue
from scoreproof.validation import chosen


def adjust(p_values: npt.ArrayLike, method: str = "holm") -> Floats:
    """Adjusted p-values, in the order given.

    ``method`` is bonferroni, holm, hochberg, hommel, bh, by or none. One p-value stays as it is.

    >>> adjust([0.01, 0.04, 0.03], "holm")
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], "bh")
    array([0.03, 0.04, 0.04])
    """
    p = numbers("p_values", p_values, at_least=0)
    outside = np.flatnonzero((p < 0) | (p > 1))
    if outside.size:
        raise InvalidValue(f"p_values[{outside[0]}] = {p[outside[0]]}: expected a probability in [0, 1]")
    name = chosen("correction", method.lower(), CORRECTIONS)
    return _ADJUSTMENTS[name](p) if p.size > 1 else p.copy()


def _step(p: Floats, factors: Floats, *, up: bool) -> Floats:
    """Multiply the sorted p-values and make them monotone, from below (step down) or from above (step up)."""
    order = np.argsort(p, kind="stable")
    scaled = np.asarray(p[order] * factors, dtype=np.float64)
    monotone = np.minimum.accumulate(scaled[::-1])[::-1] if up else np.maximum.accumulate(scaled)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, monotone)
    return adjusted


def _hommel(p: Floats) -> Floats:
    """Hommel's rule through Simes' test on every size of subset (Wright 1992, doi:10.2307/2532694)."""
    n = p.size
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    simes = np.full(n, float(np.min(n * ordered / np.arange(1, n + 1))))
    adjusted = simes.copy()
    for size in range(n - 1, 1, -1):
        upper = ordered[n - size + 1 :]
        least = float(np.min(size * upper / np.arange(2, size + 1)))
        simes[: n - size + 1] = np.minimum(size * ordered[: n - size + 1], least)
        simes[n - size + 1 :] = simes[n - size]
        adjusted = np.maximum(adjusted, simes)
    result = np.empty_like(p)
    result[order] = np.maximum(adjusted, ordered)
    return result


def _ranks(p: Floats) -> Floats:
    return np.arange(1.0, p.size + 1)


_ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "bonferroni": lambda p: np.minimum(1.0, p * p.size),
    "holm": lambda p: _step(p, p.size + 1 - _ranks(p), up=False),
    "hochberg": lambda p: _step(p, p.size + 1 - _ranks(p), up=True),
    "hommel": _hommel,
    "bh": lambda p: _step(p, p.size / _ranks(p), up=True),
    "by": lambda p: _step(p, float(np.sum(1 / _ranks(p))) * p.size / _ranks(p), up=True),
    "none": lambda p: p.copy(),
}
CORRECTIONS = tuple(_ADJUSTMENTS)
