"""Signed ranks of paired differences and their exact null distribution, ties included.

Given the ranks, the null hypothesis makes every sign a fair coin, so the distribution of the positive rank sum is a
product of two-point laws. Midranks doubled are whole numbers and the product is a short convolution: no table, no
restriction to untied data (Wilcoxon 1945, doi:10.2307/3001968; Pratt 1959, doi:10.1080/01621459.1959.10501526).

One tail of many ranks is had faster from few terms of its Fourier transform. The transform, a product of one factor 1 -
q + q exp(irt) per rank r, is tiny but for a few frequencies t. Which, is told by a bound on all of them at once: with x
= 2q (1 - q) (1 - cos rt), a factor is (1 - x)^(1/2) in size, hence at most exp(-x/2 - x²/4), and summed over the ranks
such an exponent is made of the transform of their histogram. What is left out is below 1e-12 of the answer. So that far
tails keep their digits, the coins are first bent until the mean of the sum is near the value asked for (Esscher's
tilt), and the answer is bent back term by term.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats, rounded

_NEGLIGIBLE = 41.0  # exp(-41) = 1.6e-18
_DEVIATIONS = 16
Zeros = Literal["drop", "pratt"]
_COUNTED = 1000
_TRANSFORMED = 150


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """The doubled midranks of the non-zero differences, and how much of them is positive."""

    doubled: npt.NDArray[np.int64]
    positive: int
    zeros: int
    tied: bool
    #: the non-zero differences, free of float noise where rounding removed no more than that
    differences: Floats

    @property
    def n(self) -> int:
        return len(self.doubled)

    @property
    def total(self) -> int:
        return int(self.doubled.sum())

    @property
    def v(self) -> float:
        """The sum of the ranks of the positive differences."""
        return self.positive / 2

    @property
    def rank_biserial(self) -> float:
        return (2 * self.positive - self.total) / self.total if self.n else 0.0


def signed_ranks(differences: Floats, *, zeros: Zeros, decimals: int | None, scale: float = 1.0) -> SignedRanks:
    """Rank the absolute differences after rounding: 0.3 - 0.2 and 0.2 - 0.1 tie, whatever floats say.

    ``scale`` is how large the values are whose differences these are: it says what is float noise.
    """
    d = rounded(differences, decimals)
    kept = d[d != 0]
    size = np.abs(kept if zeros == "drop" else d)
    order = np.argsort(size)
    rising = size[order]
    first = (
        np.flatnonzero(np.concatenate([[True], rising[1:] != rising[:-1]]))
        if len(size)
        else np.zeros(0, dtype=np.int64)
    )
    counts = np.diff(first, append=len(size))
    doubled = np.empty(len(size), dtype=np.int64)
    doubled[order] = np.repeat(2 * first + counts + 1, counts)
    tied = bool(np.any(counts[rising[first] > 0] > 1))
    if zeros == "pratt":
        doubled = doubled[d != 0]
    noise = bool(np.all(np.abs(differences - d) <= 64 * np.finfo(np.float64).eps * scale))
    clean = kept if noise else differences[d != 0]
    return SignedRanks(doubled, int(doubled[kept > 0].sum()), int(len(d) - len(kept)), tied, clean)


def lost_to_rounding(x: Floats, y: Floats, decimals: int | None) -> tuple[str, ...]:
    """A note when rounding made real differences, not mere float noise, vanish."""
    if decimals is None:
        return ()
    d = np.abs(x - y)
    noise = 64 * np.finfo(np.float64).eps * np.maximum(np.abs(x), np.abs(y))
    lost = int(np.sum((rounded(d, decimals) == 0) & (d > noise)))
    if not lost:
        return ()
    return (f"{lost} differences vanished in rounding to {decimals} decimals: pass decimals=None to rank them",)


@dataclass(frozen=True, slots=True, eq=False)
class RankSumLaw:
    """The law of the sum of the positive doubled ranks, each sign a fair coin."""

    unit: int
    #: the doubled ranks over ``unit``, in rising order
    ranks: npt.NDArray[np.int64]

    @property
    def total(self) -> int:
        return int(self.ranks.sum()) * self.unit

    def at_most(self, doubled: int) -> float:
        """The probability of this doubled rank sum or less.

        >>> rank_sum_law(np.array([2, 4, 6])).at_most(2)
        0.25
        """
        if doubled < 0:
            return 0.0
        if 2 * doubled >= self.total:
            # By symmetry: at most this is not more than that.
            return 1.0 - self.at_most(self.total - doubled - 1)
        top = doubled // self.unit
        tail = lower_tail(self.ranks, top) if len(self.ranks) >= _TRANSFORMED else None
        return float(self._lower(top)[-1]) if tail is None else tail

    def p_value(self, positive: int, alternative: str) -> float:
        """The p-value of the doubled sum of the positive ranks."""
        if alternative == "two-sided":
            extreme = min(positive, self.total - positive)
            return 1.0 if 2 * extreme >= self.total else min(1.0, 2 * self.at_most(extreme))
        return self.at_most(self.total - positive if alternative == "greater" else positive)

    def critical(self, alpha: float) -> float | None:
        """The largest rank sum (not doubled) that a two-sided test rejects, None where it can reject nothing."""
        lower = self._lower(max(0, (self.total - 1) // 2 // self.unit))
        rejected = int(np.searchsorted(2 * lower, alpha, side="right"))
        return None if rejected == 0 else (rejected - 1) * self.unit / 2

    def _lower(self, top: int) -> Floats:
        """P(at most ``unit`` times the index), up to ``top``. All terms are positive, so small tails keep digits."""
        law = np.zeros(top + 1)
        # Counts up to 2^n fit a float up to here; beyond, halving at every step costs a second pass.
        counts = len(self.ranks) <= _COUNTED
        law[0] = 1.0
        reach = 0
        for rank in self.ranks.tolist():
            reach = min(top, reach + rank)
            if rank <= top:
                law[rank : reach + 1] += law[: reach + 1 - rank]
            elif counts:
                break
            if not counts:
                law[: reach + 1] *= 0.5
        lower = np.cumsum(law)
        return lower * 0.5 ** len(self.ranks) if counts else lower


def rank_sum_law(doubled: npt.NDArray[np.int64]) -> RankSumLaw:
    """The exact distribution given the ranks."""
    unit = int(np.gcd.reduce(doubled)) if len(doubled) else 1
    return RankSumLaw(unit, np.sort(doubled // unit))


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
