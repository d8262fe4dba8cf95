"""Bounds on the tp, the tn and the number right of a matrix.

Sums of such hexagons of whole numbers are such hexagons and lose no whole point (they are generalised polymatroids), so
they say all that bounds on accuracies, sensitivities and specificities of summands, or of alike folds, can say of a
total.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

# What a bound on these scores says of a matrix: of its tp, its tn, or both; and whether the score counts errors.
COUNTED = {
    "sens": ("tp", False),
    "fnr": ("tp", True),
    "spec": ("tn", False),
    "fpr": ("tn", True),
    "acc": ("right", False),
    "err": ("right", True),
}

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Hexagon:
    """The least and the most tp, tn and tp + tn."""

    tp: Pair
    tn: Pair
    right: Pair

    @classmethod
    def whole(cls, p: int, n: int) -> Hexagon:
        """All matrices of p positives and n negatives."""
        return cls((0, p), (0, n), (0, p + n))

    def holds(self, tp: int, tn: int) -> bool:
        return all(low <= x <= high for x, (low, high) in ((tp, self.tp), (tn, self.tn), (tp + tn, self.right)))

    @property
    def empty(self) -> bool:
        return any(low > high for low, high in (self.tp, self.tn, self.right))

    def bounded(self, name: str, p: int, n: int, low: Fraction | None, high: Fraction | None) -> Hexagon:
        """What is left if a counted score of a matrix (p, n) lies between two values."""
        what, errors = COUNTED[name]
        total = {"tp": p, "tn": n, "right": p + n}[what]
        if errors:
            low, high = (None if high is None else 1 - high), (None if low is None else 1 - low)
        least = 0 if low is None else max(0, ceil(low * total))
        most = total if high is None else min(total, floor(high * total))
        pairs = {"tp": self.tp, "tn": self.tn, "right": self.right}
        pairs[what] = _meet(pairs[what], (least, most))
        return Hexagon(pairs["tp"], pairs["tn"], pairs["right"]).closed()

    def closed(self) -> Hexagon:
        """The same points with bounds that are all reached; one whose bounds cross has none."""
        tp, tn, right = self.tp, self.tn, self.right
        for _ in range(2):
            right = _meet(right, (tp[0] + tn[0], tp[1] + tn[1]))
            tp = _meet(tp, (right[0] - tn[1], right[1] - tn[0]))
            tn = _meet(tn, (right[0] - tp[1], right[1] - tp[0]))
        return Hexagon(tp, tn, right)

    def __add__(self, other: Hexagon) -> Hexagon:
        if self.empty or other.empty:
            return Hexagon((1, 0), (1, 0), (1, 0))
        mine, yours = (self.tp, self.tn, self.right), (other.tp, other.tn, other.right)
        return Hexagon(*((a[0] + b[0], a[1] + b[1]) for a, b in zip(mine, yours, strict=True)))


def _meet(one: Pair, other: Pair) -> Pair:
    return max(one[0], other[0]), min(one[1], other[1])
