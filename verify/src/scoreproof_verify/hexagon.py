"""Bounds on the tp, the tn and their sum of a matrix, or added up over several.

Sums of such hexagons of whole numbers are such hexagons, and every whole point of the sum is a sum of whole points
(they are generalised polymatroids): nothing is lost by adding up bounds.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

# of which count a linear score is the share, and whether it is the share of what is missing
COUNTED = {
    "sens": ("tp", 1),
    "fnr": ("tp", -1),
    "spec": ("tn", 1),
    "fpr": ("tn", -1),
    "acc": ("both", 1),
    "err": ("both", -1),
}


class Hexagon:
    """Bounds on tp, tn and their sum: of one matrix, or added up over several."""

    def __init__(self, p: int, n: int) -> None:
        self.bounds = {"tp": (0, p), "tn": (0, n), "both": (0, p + n)}

    def share(self, name: str, p: int, n: int, low: Fraction | None, high: Fraction | None) -> None:
        """Take in that a counted score of a matrix (p, n) lies between two numbers."""
        what, sign = COUNTED[name]
        size = {"tp": p, "tn": n, "both": p + n}[what]
        least, most = (
            (low, high) if sign > 0 else (None if high is None else 1 - high, None if low is None else 1 - low)
        )
        a, b = self.bounds[what]
        if least is not None:
            a = max(a, ceil(least * size))
        if most is not None:
            b = min(b, floor(most * size))
        self.bounds[what] = (a, b)
        self._agree()

    def _agree(self) -> None:
        for _ in range(3):
            (a, b), (c, d), (e, f) = (self.bounds[what] for what in ("tp", "tn", "both"))
            e, f = max(e, a + c), min(f, b + d)
            a, b = max(a, e - d), min(b, f - c)
            c, d = max(c, e - b), min(d, f - a)
            self.bounds = {"tp": (a, b), "tn": (c, d), "both": (e, f)}

    @property
    def empty(self) -> bool:
        return any(low > high for low, high in self.bounds.values())

    def add(self, other: Hexagon) -> None:
        crossed = self.empty or other.empty
        for what, (low, high) in other.bounds.items():
            a, b = self.bounds[what]
            self.bounds[what] = (1, 0) if crossed else (a + low, b + high)

    def holds(self, tp: int, tn: int) -> bool:
        counted = {"tp": tp, "tn": tn, "both": tp + tn}
        return all(low <= counted[what] <= high for what, (low, high) in self.bounds.items())

    def key(self) -> tuple[tuple[int, int], ...]:
        return tuple(self.bounds.values())
