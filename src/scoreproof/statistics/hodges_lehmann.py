"""The Hodges-Lehmann estimate: the shift the signed-rank test believes in, with its interval.

The estimate is the median of all pairwise means of the differences; the interval holds the shifts that the test
does not reject (Hollander, Wolfe & Chicken 2014, section 3.2, doi:10.1002/9781119196037). It takes the test's own
critical value, ties and dropped zeros included, so that it excludes 0 exactly when the test rejects.

Of many differences the pairwise means are not listed: one of given rank is found by counting how many lie below a
guess, which sorted differences answer in n log n steps.
"""

from __future__ import annotations

import math

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.statistics.result import Effect, Interval

_LISTED = 1500
_SHORT = 20_000
_NAME = "Hodges-Lehmann difference"


def hodges_lehmann(
    differences: Floats, critical: float | None, *, level: float = 0.95, rejects: bool = False
) -> Effect | None:
    """The estimate, with the interval where ``critical``, the largest rank sum that is rejected, is known.

    ``rejects`` is the verdict of the test about 0, which decides where an end of the interval falls on 0 itself.
    """
    n = len(differences)
    if n == 0:
        return None
    d = np.sort(differences)
    total = n * (n + 1) // 2
    middle = sorted({(total + 1) // 2, total // 2 + 1})
    ends = [] if critical is None else [math.floor(critical) + 1, total - math.floor(critical)]
    means = dict(zip([*middle, *ends], _walsh(d, [*middle, *ends]), strict=True))
    estimate = sum(means[m] for m in middle) / len(middle)
    if critical is None:
        return Effect(_NAME, estimate)
    low, high = (means[rank] for rank in ends)
    low, high = _agreeing(d, min(low, estimate), max(high, estimate), rejects=rejects, above=estimate > 0)
    return Effect(_NAME, estimate, Interval(low, high, level, "inverted signed-rank test"))


def _agreeing(d: Floats, low: float, high: float, *, rejects: bool, above: bool) -> tuple[float, float]:
    """The interval without 0 where the test rejects it, with 0 where it does not.

    Ends are pairwise means. One that is 0 may belong to the interval or only border on it, as the test says; then
    the next mean beyond 0 is the end.
    """
    if not rejects:
        return min(low, 0.0), max(high, 0.0)
    if low > 0 or high < 0:
        return low, high
    if above:
        return _walsh(d, [_count(d, 0.0) + 1])[0], high
    return low, _walsh(d, [_count(d, 0.0, strict=True)])[0]


def _walsh(d: Floats, ranks: list[int]) -> list[float]:
    """The pairwise means of these ranks (from 1) of sorted differences."""
    if len(d) <= _LISTED:
        means = (d[:, None] + d[None, :])[np.triu_indices(len(d))] / 2
        means.partition([rank - 1 for rank in ranks])
        return [float(means[rank - 1]) for rank in ranks]
    from scipy.optimize import brentq

    found = []
    close = 1e-15 if len(d) <= _SHORT else 1e-7 * float(d[-1] - d[0])
    for rank in ranks:
        ends = float(d[0]) - close - 1e-300, float(d[-1]) + close
        at = ends[0] if ends[0] == ends[1] else float(brentq(_above, *ends, (d, rank), xtol=close, rtol=1e-15))
        found.append(_nearest(d, at))
    return found


def _above(at: float, d: Floats, rank: int) -> float:
    return _count(d, at) - rank + 0.5


def _count(d: Floats, at: float, *, strict: bool = False) -> int:
    """How many pairwise means are at most (or below) a value."""
    # In rising order, which numpy searches several times as fast.
    reach = np.searchsorted(d, (2 * at - d)[::-1], side="left" if strict else "right")[::-1]
    # Each pair once: for the i-th difference those from itself on.
    return int(np.maximum(reach - np.arange(len(d)), 0).sum())


def _nearest(d: Floats, value: float) -> float:
    """The pairwise mean closest to a value."""
    at = np.clip(np.searchsorted(d, 2 * value - d), 1, len(d) - 1)
    means = np.concatenate([d + d[at], d + d[at - 1]]) / 2
    return float(means[np.argmin(np.abs(means - value))])
