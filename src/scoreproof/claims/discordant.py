"""All b and c that two rates on the same cases allow, and McNemar's p-value of each, as arrays.

Floats: they say what a claim looks like; what is called impossible in whole numbers is asked of the kind
``paired_counts``, which has its own arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.kinds.paired_counts.engine import Discordant

MOST_PAIRS = 60_000
Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairsOfCounts:
    """Every possible b with its c."""

    b: Whole
    c: Whole

    @classmethod
    def of(cls, allowed: Sequence[Discordant]) -> PairsOfCounts:
        """All of them; where they are too many, the ends of each difference and some between."""
        every = sum(one.most - one.fewest + 1 for one in allowed)
        room = MOST_PAIRS // max(1, len(allowed))
        b = [
            np.arange(one.fewest, one.most + 1)
            if every <= MOST_PAIRS
            else np.unique(np.linspace(one.fewest, one.most, max(2, room)).round().astype(np.int64))
            for one in allowed
        ]
        c = [own - one.difference for own, one in zip(b, allowed, strict=True)]
        return cls(np.concatenate(b), np.concatenate(c))

    def p_values(self, method: str) -> npt.NDArray[np.float64]:
        """McNemar's p-value of each pair.

        >>> PairsOfCounts(np.array([54]), np.array([19])).p_values("exact").round(7)
        array([5.06e-05])
        """
        n, less = self.b + self.c, np.minimum(self.b, self.c)
        apart = np.abs(self.b - self.c)
        safe = np.maximum(n, 1)
        if method.startswith("chi2"):
            off = np.zeros_like(apart) if method == "chi2" else (apart > 0) | (method == "chi2-corrected-always")
            p: Any = special.erfc(np.sqrt((apart - off) ** 2 / safe / 2))
        elif method == "mid-p":
            below = np.where(less > 0, special.bdtr(np.maximum(less - 1, 0), safe, 0.5), 0.0)
            p = np.where(
                apart == 0, 1 - (special.bdtr(less, safe, 0.5) - below) / 2, special.bdtr(less, safe, 0.5) + below
            )
        else:
            tail = special.bdtr(less, safe, 0.5)
            p = tail if method == "exact, one-sided" else np.where(apart == 0, 1.0, np.minimum(1.0, 2 * tail))
        return np.where(n == 0, 1.0, p)
