"""Signed ranks of paired differences and their exact null distribution, ties included.

Given the ranks, the null hypothesis makes every sign a fair coin, so the distribution of the positive rank
sum is a product of two-point laws. Midranks doubled are whole numbers and the product is a short convolution:
no table, no restriction to untied data (Wilcoxon 1945, doi:10.2307/3001968; Pratt 1959,
doi:10.1080/01621459.1959.10501526).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoreproof.statistics.arrays import FloatArray

Zeros = Literal["drop", "pratt"]

_COUNTED = 1000


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """The doubled midranks of the non-zero differences, and how much of them is positive."""

    doubled: npt.NDArray[np.int64]
    positive: int
    zeros: int
    #: the non-zero differences, free of float noise where rounding removed no more than that
    differences: FloatArray

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

    @property
    def tied(self) -> bool:
        return len(np.unique(self.doubled)) < self.n


def signed_ranks(differences: FloatArray, *, zeros: Zeros, decimals: int | None, scale: float = 1.0) -> SignedRanks:
    """Rank the absolute differences after rounding: 0.3 - 0.2 and 0.2 - 0.1 tie, whatever floats say.

    ``scale`` is how large the values are whose differences these are: it says what is float noise.
    """
    d = differences if decimals is None else np.round(differences, decimals)
    kept = d[d != 0]
    size = np.abs(kept if zeros == "drop" else d)
    unique, inverse, counts = np.unique(size, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    midranks = (2 * last - counts + 1).astype(np.int64)
    doubled = midranks[inverse.reshape(-1)] if unique.size else np.zeros(0, dtype=np.int64)
    if zeros == "pratt":
        doubled = doubled[d != 0]
    noise = bool(np.all(np.abs(differences - d) <= 64 * np.finfo(np.float64).eps * scale))
    clean = kept if noise else differences[d != 0]
    return SignedRanks(doubled, int(doubled[kept > 0].sum()), int(len(d) - len(kept)), clean)


def lost_to_rounding(x: FloatArray, y: FloatArray, decimals: int | None) -> tuple[str, ...]:
    """A note when rounding made real differences, not mere float noise, vanish."""
    if decimals is None:
        return ()
    d = np.abs(x - y)
    noise = 64 * np.finfo(np.float64).eps * np.maximum(np.abs(x), np.abs(y))
    lost = int(np.sum((np.round(d, decimals) == 0) & (d > noise)))
    if not lost:
        return ()
    return (f"{lost} differences vanished in rounding to {decimals} decimals: pass decimals=None to rank them",)


@dataclass(frozen=True, slots=True, eq=False)
class RankSumLaw:
    """P(the positive doubled ranks sum to at most ``unit`` times the index), up to half; each sign is a fair coin."""

    unit: int
    total: int
    lower: FloatArray

    def at_most(self, doubled: int) -> float:
        """The probability of this doubled rank sum or less.

        >>> rank_sum_law(np.array([2, 4, 6])).at_most(2)
        0.25
        """
        if doubled < 0:
            return 0.0
        if 2 * doubled < self.total:
            return float(self.lower[doubled // self.unit])
        # By symmetry: at most this is not more than that.
        return 1.0 - self.at_most(self.total - doubled - 1)

    def p_value(self, positive: int, alternative: str) -> float:
        """The p-value of the doubled sum of the positive ranks."""
        if alternative == "two-sided":
            extreme = min(positive, self.total - positive)
            return 1.0 if 2 * extreme >= self.total else min(1.0, 2 * self.at_most(extreme))
        return self.at_most(self.total - positive if alternative == "greater" else positive)

    def critical(self, alpha: float) -> float | None:
        """The largest rank sum (not doubled) that a two-sided test rejects, None where it can reject nothing."""
        rejected = int(np.searchsorted(2 * self.lower, alpha, side="right"))
        return None if rejected == 0 else (rejected - 1) * self.unit / 2


def rank_sum_law(doubled: npt.NDArray[np.int64]) -> RankSumLaw:
    """The exact distribution given the ranks. All terms are positive, so small tails keep their digits."""
    total = int(doubled.sum())
    unit = math.gcd(*(int(r) for r in doubled)) if len(doubled) else 1
    top = max(0, (total - 1) // 2 // unit)
    law = np.zeros(top + 1)
    # Counts up to 2^n fit a float up to here; beyond, halving at every step costs a second pass.
    counts = len(doubled) <= _COUNTED
    law[0] = 1.0
    reach = 0
    for rank in np.sort(doubled // unit).tolist():
        reach = min(top, reach + rank)
        if rank <= top:
            law[rank : reach + 1] += law[: reach + 1 - rank]
        if not counts:
            law[: reach + 1] *= 0.5
    lower = np.cumsum(law)
    return RankSumLaw(unit, total, lower * 0.5 ** len(doubled) if counts else lower)
