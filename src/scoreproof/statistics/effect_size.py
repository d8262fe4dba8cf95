"""How large a difference is, in units a reader can compare across studies.

Cohen's d_z for paired values (Cohen 1988, ISBN 978-0-8058-0283-2), the matched-pairs rank-biserial
correlation that belongs to the Wilcoxon test (Kerby 2014, doi:10.2466/11.IT.3.1), and the probability of
superiority A12 for independent values (Vargha & Delaney 2000, doi:10.3102/10769986025002101).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats, numbers, pair, without_noise
from scoreproof.statistics.signed_ranks import signed_ranks


def spread_is_zero(differences: Floats, x: Floats, y: Floats) -> bool:
    """Whether the differences are constant up to the rounding of floats.

    0.3 - 0.2 and 0.2 - 0.1 differ in the last bit; R's t.test draws the line where we do.
    """
    if len(differences) < 2:
        return True
    error = float(np.std(differences, ddof=1)) / math.sqrt(len(differences))
    scale = max(abs(float(np.mean(x))), abs(float(np.mean(y))))
    return error <= 10 * float(np.finfo(np.float64).eps) * scale


def cohen_d_z(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """The mean difference over the standard deviation of the differences.

    No difference anywhere gives 0; a constant difference gives infinity.

    >>> round(cohen_d_z([0.8, 0.9, 0.85], [0.7, 0.85, 0.8]), 3)
    2.309
    >>> cohen_d_z([1, 2], [1, 2])
    0.0
    """
    first, second = pair(x, y, at_least=2, why="a standard deviation needs two")
    return studentised(first, second, 1.0)[0]


def studentised(x: Floats, y: Floats, factor: float) -> tuple[float, float, float]:
    """(t, mean difference, standard error), the variance of the mean being ``factor`` times that of one value."""
    d = x - y
    mean = without_noise(float(np.mean(d)), float(max(np.max(np.abs(x)), np.max(np.abs(y)))))
    if spread_is_zero(d, x, y):
        return (0.0 if not np.any(d) else math.copysign(math.inf, mean)), mean, 0.0
    error = math.sqrt(factor * float(np.var(d, ddof=1)))
    return mean / error, mean, error


def rank_biserial(x: npt.ArrayLike, y: npt.ArrayLike, *, decimals: int | None = 9) -> float:
    """(R+ - R-) / (R+ + R-) of the signed ranks: 1 when x always wins, -1 when y does, 0 when nothing differs.

    >>> rank_biserial([3, 5, 9], [1, 6, 4])
    0.6666666666666666
    """
    first, second = pair(x, y)
    return signed_ranks(first - second, zeros="drop", decimals=decimals).rank_biserial


def a12(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """The probability that a value of x exceeds one of y, ties counting half; 0.5 means no difference.

    >>> a12([1, 2, 3], [2, 2, 0])
    0.6666666666666666
    """
    first, second = numbers("x", x), numbers("y", y)
    ordered = np.sort(second)
    below = np.searchsorted(ordered, first, side="left")
    up_to = np.searchsorted(ordered, first, side="right")
    return float(np.sum(below + up_to)) / (2 * len(first) * len(second))
