"""The Hodges-Lehmann estimate: the shift the signed-rank test believes in, with its interval.

The estimate is the median of all pairwise means of the differences, and the interval is what the test does
not reject (Hollander, Wolfe & Chicken 2014, section 3.2, doi:10.1002/9781119196037).
"""

from __future__ import annotations

import math

import numpy as np

from scoreproof.statistics.arrays import FloatArray
from scoreproof.statistics.result import Effect, Interval
from scoreproof.statistics.tails import two_sided_z

_LARGEST = 3000
_NAME = "Hodges-Lehmann difference"


def hodges_lehmann(differences: FloatArray, *, level: float = 0.95) -> Effect | None:
    """The estimate and its interval; None above 3000 differences, where the pairwise means fill the memory.

    >>> print(hodges_lehmann(np.array([1.0, 2.0, 3.0, 4.0, 6.0, 7.0])))
    Hodges-Lehmann difference = 4 (95% CI 1 to 7)
    """
    n = len(differences)
    if n == 0 or n > _LARGEST:
        return None
    walsh = np.sort(((differences[:, None] + differences[None, :]) / 2)[np.triu_indices(n)])
    rank = _cut(n, (1 - level) / 2)
    if rank is None:
        return Effect(_NAME, float(np.median(walsh)))
    interval = Interval(float(walsh[rank - 1]), float(walsh[-rank]), level, "inverted signed-rank test")
    return Effect(_NAME, float(np.median(walsh)), interval)


def _cut(n: int, tail: float) -> int | None:
    """How many pairwise means each side may lose: the lower quantile of V, at least 1.

    With so few differences that even the whole range falls short of the level, the whole range is all there
    is.
    """
    largest = n * (n + 1) // 2
    if n > 500:
        return max(1, math.floor(largest / 2 - two_sided_z(1 - 2 * tail) * math.sqrt(n * (n + 1) * (2 * n + 1) / 24)))
    law = np.zeros(largest // 2 + 1)
    law[0] = 1.0
    for rank in range(1, n + 1):
        law *= 0.5
        if rank < len(law):
            law[rank:] += law[:-rank].copy()
    return max(1, int(np.searchsorted(np.cumsum(law), tail * (1 - 64 * np.finfo(float).eps))))
