"""Which b and c of those that two rates on the same cases allow have a printed p-value by McNemar's test, as arrays.

At a fixed difference b - c the p-value is monotone in b (``kinds.paired_counts.engine``), so that those in a range are
neighbours, found by halving for all differences at once. Floats: they say what a claim looks like; what is called
impossible in whole numbers is asked of the kind ``paired_counts``, which has its own arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.claims.recheck import slack
from scoreproof.kinds.paired_counts import FALLING, Discordant

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PairsOfCounts:
    """Numbers of cases only the first, and only the second method gets right."""

    b: Whole
    c: Whole

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]]) -> PairsOfCounts:
        b, c = np.array(pairs, dtype=np.int64).T
        return cls(b, c)

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


@dataclass(frozen=True, slots=True)
class FittingPairs:
    """Of one method: the range of p over all pairs, and by difference the first and the last b with a wanted p."""

    range: tuple[float, float]
    differences: Whole
    first: Whole
    last: Whole

    @property
    def count(self) -> int:
        return int(np.maximum(self.last - self.first + 1, 0).sum())

    def pairs(self, most: int) -> list[tuple[int, int]]:
        """So many of the pairs (b, c), or all if there are fewer."""
        found: list[tuple[int, int]] = []
        for d, first, last in zip(self.differences.tolist(), self.first.tolist(), self.last.tolist(), strict=True):
            found += [(b, b - d) for b in range(first, min(last, first + most - len(found) - 1) + 1)]
            if len(found) >= most:
                break
        return found

    def discordant(self) -> tuple[int, int]:
        """The fewest and the most b + c."""
        some = self.first <= self.last
        ends = 2 * self.first[some] - self.differences[some], 2 * self.last[some] - self.differences[some]
        return int(ends[0].min()), int(ends[1].max())


def fitting_pairs(allowed: Sequence[Discordant], method: str, low: float, high: float) -> FittingPairs:
    """The pairs whose p lies between two ends, or nearly does.

    >>> fitting_pairs([Discordant(5, 5, 40)], "exact", 0.0, 0.13).pairs(9)
    [(5, 0), (6, 1)]
    """
    nobody = [one for one in allowed if one.difference == one.fewest == 0]  # b = c = 0 has p = 1, unlike its neighbours
    rest = [Discordant(0, 1, one.most) if one in nobody else one for one in allowed]
    rest = [one for one in rest if one.fewest <= one.most]
    d, start, end = (np.array([getattr(one, name) for one in rest], dtype=np.int64) for name in _FIELDS)
    falls = (d == 0) & (method in FALLING)

    def p_of(b: Whole) -> npt.NDArray[np.float64]:
        p = PairsOfCounts(b, b - d).p_values(method)
        return np.where(falls, -p, p)

    bottom, top = (np.where(falls, -last, first) for first, last in ((low, high), (high, low)))
    first = _first(p_of, start, end + 1, bottom - np.vectorize(slack, otypes=[float])(bottom))
    last = _first(p_of, start, end + 1, np.nextafter(top + np.vectorize(slack, otypes=[float])(top), np.inf)) - 1
    values = [*np.abs(p_of(start)), *np.abs(p_of(end))] if rest else []
    if nobody:
        fits = low - slack(low) <= 1 <= high + slack(high)
        d, first, last = np.append(d, 0), np.append(first, 0), np.append(last, 0 if fits else -1)
    every = [*values, *([1.0] if nobody else [])]
    return FittingPairs((float(min(every)), float(max(every))), d, first, last)


_FIELDS = ("difference", "fewest", "most")


def _first(p_of: Callable[[Whole], Any], start: Whole, end: Whole, wanted: Any) -> Whole:
    """Of each difference the first b whose p is not below what is wanted; ``end`` if there is none."""
    start, end = start.copy(), end.copy()
    while (start < end).any():
        middle = (start + end) // 2
        early = (p_of(np.minimum(middle, end - 1)) < wanted) & (start < end)
        start, end = np.where(early, middle + 1, start), np.where(early | (start >= end), end, middle)
    return start
