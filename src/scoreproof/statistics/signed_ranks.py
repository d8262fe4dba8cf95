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


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """The doubled midranks of the non-zero differences, and how much of them is positive."""

    doubled: npt.NDArray[np.int64]
    positive: int
    zeros: int

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


def signed_ranks(differences: FloatArray, *, zeros: Zeros, decimals: int | None) -> SignedRanks:
    """Rank the absolute differences after rounding: 0.3 - 0.2 and 0.2 - 0.1 tie, whatever floats say."""
    d = differences if decimals is None else np.round(differences, decimals)
    kept = d[d != 0]
    size = np.abs(kept if zeros == "drop" else d)
    unique, inverse, counts = np.unique(size, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    midranks = (2 * last - counts + 1).astype(np.int64)
    doubled = midranks[inverse.reshape(-1)] if unique.size else np.zeros(0, dtype=np.int64)
    if zeros == "pratt":
        doubled = doubled[d != 0]
    return SignedRanks(doubled, int(doubled[kept > 0].sum()), int(len(d) - len(kept)))


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


def exact_lower_tail(doubled: npt.NDArray[np.int64], at_most: int) -> float:
    """P(the positive doubled ranks sum to at most this), each sign a fair coin.

    Only sums up to ``at_most`` are followed. All terms are positive, so small tails keep their digits.

    >>> exact_lower_tail(np.array([2, 4, 6]), 2)
    0.25
    """
    if at_most < 0:
        return 0.0
    if at_most >= int(doubled.sum()):
        return 1.0
    unit = math.gcd(*(int(r) for r in doubled)) if len(doubled) else 1
    top = at_most // unit
    law = np.zeros(top + 1)
    law[0] = 1.0
    reach = 0
    for rank in np.sort(doubled // unit).tolist():
        reach = min(top, reach + rank)
        if rank <= top:
            law[rank : reach + 1] += law[: reach + 1 - rank].copy()
        law[: reach + 1] *= 0.5
    return float(math.fsum(law))


def exact_p(ranks: SignedRanks, alternative: str) -> float:
    """The p-value under the permutation distribution of the ranks as they are."""
    positive, total = ranks.positive, ranks.total
    if alternative == "two-sided":
        return min(1.0, 2 * exact_lower_tail(ranks.doubled, min(positive, total - positive)))
    extreme = total - positive if alternative == "greater" else positive
    if 2 * extreme <= total:
        return exact_lower_tail(ranks.doubled, extreme)
    return 1.0 - exact_lower_tail(ranks.doubled, total - extreme - 1)
