"""One exact tail of a sum of many ranks with random signs, from few terms of its Fourier transform.

The transform of the law, a product of one factor 1 - q + q exp(irt) per rank r, is tiny but for a few frequencies t.
Which, is told by a bound on all of them at once: with x = 2q (1 - q) (1 - cos rt), a factor is (1 - x)^(1/2) in size,
hence at most exp(-x/2 - x²/4), and summed over the ranks such an exponent is made of the transform of their histogram.
What is left out is below 1e-12 of the answer. So that far tails keep their digits, the coins are first bent until the
mean of the sum is near the value asked for (Esscher's tilt), and the answer is bent back term by term.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats

_NEGLIGIBLE = 41.0  # exp(-41) = 1.6e-18
_DEVIATIONS = 16


def lower_tail(ranks: npt.NDArray[np.int64], at: int) -> float | None:
    """P(sum <= at) for an ``at`` below the mean; None where too many frequencies matter for this to pay.

    >>> f"{lower_tail(np.arange(1, 201), 8000):.9f}"
    '0.006089115'
    """
    tilt, heads = _tilted(ranks, at)
    if tilt is None:
        return None
    # Eight standard deviations to either side there is nothing that a double would show (Hoeffding).
    period = _smooth(_DEVIATIONS * math.sqrt(float(np.sum(ranks.astype(float) ** 2))) / 2)
    linear, square = _exponents(ranks.tobytes(), period)
    least = 2 * float(np.min(heads * (1 - heads)))
    kept = np.flatnonzero(least / 2 * linear + least**2 / 4 * square < _NEGLIGIBLE)
    values, places, counts = np.unique(ranks, return_index=True, return_counts=True)
    if len(kept) * len(values) > len(ranks) ** 2:
        return None
    circle = 2j * math.pi / period
    chances = heads[places]
    factors = 1 - chances + chances * np.exp(circle * (np.outer(kept, values) % period))
    transform = np.prod(factors if len(values) == len(ranks) else factors**counts, axis=1)
    # Sum over the values from ``at`` downwards: each weighs exp(-tilt) of the one above it.
    step = circle * kept - tilt
    terms = period // 2
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.where(step == 0, terms, np.expm1(terms * step) / np.expm1(step))
    parts = (transform * np.exp(-circle * (kept * at % period)) * below).real
    # Frequencies come in pairs, k and -k, but for the first and the last.
    parts[(kept > 0) & (2 * kept < period)] *= 2
    logarithm = float(np.sum(np.log1p(np.exp(-tilt * ranks)) - math.log(2))) + tilt * at
    return max(0.0, float(parts.sum()) / period * math.exp(logarithm))


def _tilted(ranks: npt.NDArray[np.int64], at: int) -> tuple[float | None, Floats]:
    """How far to bend the coins for the sum to be ``at`` on average, and their chances then."""
    values = ranks.astype(np.float64)
    tilt = 0.0
    heads = np.full(len(values), 0.5)
    for _ in range(50):
        excess = float(values @ heads) - at
        variance = float((values * values) @ (heads * (1 - heads)))
        # A tenth of a standard deviation is near enough: any tilt is exact, a close one keeps more digits.
        if abs(excess) <= 0.1 * math.sqrt(variance):
            return tilt, heads
        tilt = max(0.0, tilt + excess / variance)
        heads = 1 / (1 + np.exp(np.minimum(tilt * values, 700)))
    return None, heads


@lru_cache(maxsize=16)
def _exponents(ranks: bytes, period: int) -> tuple[Floats, Floats]:
    """The sums of 1 - cos rt and of its square over the ranks, for every frequency; the same for all untied ranks."""
    values = np.frombuffer(ranks, dtype=np.int64)
    cosines = np.fft.rfft(np.bincount(values % period, minlength=period)).real
    twice = np.arange(len(cosines)) * 2
    doubled = cosines[np.minimum(twice, period - twice)]
    return len(values) - cosines, 1.5 * len(values) - 2 * cosines + doubled / 2


def _smooth(least: float) -> int:
    """The next number that is quick to transform."""
    power = 1 << max(0, math.ceil(math.log2(least)) - 4)
    return next(factor * power for factor in (8, 9, 10, 12, 15, 16) if factor * power >= least)
