"""What a mean and its ± say of each single set: limits that follow, by which fewer points need to be listed.

Of k sets the others are at most a score's largest value, so one cannot be further below the mean than k - 1 of them can
make good; and with squares about the mean that add up to so much, none can be further off than the root of (k - 1)/k of
that, as the others are off by as much in all. Sets that are left out of a mean only bring the limits nearer.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.binary.engine.averages.deviating import furthest
from scoreproof.kinds.binary.engine.averages.targets import Bound, Demand, Interval, Target

Integers = NDArray[np.int64]
_RIGHT = (("sens", "fnr"), ("spec", "fpr"), ("acc", "err"))  # shares of right answers, and of wrong ones
_MOST_CLASSES = 20_000  # class counts of a set
_EVERY: Interval = (Fraction(0), Fraction(1))


def limited(demand: Demand) -> Demand | None:
    """The demand with the limits of single sets that follow from it; None where none do, in means of means."""
    form = demand.form
    if not form.flat or any(form.open_counts(one) > _MOST_CLASSES for one in set(form.sets)):
        return None
    sets = range(len(form.sets))
    found = [bound for target in demand.targets if _told(target) for bound in _limits(demand, target, len(sets))]
    every = tuple(replace(bound, part=index) for bound in found for index in sets)
    return replace(demand, bounds=demand.bounds + every) if every else None


def _told(target: Target) -> bool:
    return target.mean is not None and target.score.builtin and None not in target.score.range


def _limits(demand: Demand, target: Target, count: int) -> list[Bound]:
    """Of one set, by what the others can be and by how far it can deviate."""
    assert target.mean is not None
    least, most = (Fraction(end) for end in target.score.range if end is not None)
    low, high = most - count * (most - target.mean[0]), least + count * (target.mean[1] - least)
    if target.variance is not None and not demand.deviations_of_means:
        far = furthest(target, count)
        low, high = max(low, target.mean[0] - far), min(high, target.mean[1] + far)
    return [] if low <= least and high >= most else [Bound(target.score, (low, high), 0)]


class Within:
    """The points that limits of a set alone on its shares of right answers leave to it."""

    def __init__(self, demand: Demand, index: int) -> None:
        shares = [_EVERY, _EVERY, _EVERY]  # of positives, of negatives, and of all cases
        for bound in demand.bounds:
            for side, names in enumerate(_RIGHT):
                if bound.part == index and bound.score.builtin and bound.score.name in names:
                    low, high = (_EVERY[k] if end is None else end for k, end in enumerate(bound.interval))
                    if bound.score.name == names[1]:
                        low, high = 1 - high, 1 - low
                    shares[side] = max(shares[side][0], low), min(shares[side][1], high)
        self._shares = [tuple((end.numerator, end.denominator) for end in ends) for ends in shares]

    def _ends(self, p: int, n: int) -> list[tuple[int, int]]:
        """The fewest and the most tp, tn, and right answers; without any cases, a share is not limited."""
        return [
            (-(-low * count // below), high * count // above) if count else (0, 0)
            for count, ((low, below), (high, above)) in zip((p, n, p + n), self._shares, strict=True)
        ]

    def lines(self, p: int, n: int) -> tuple[Integers, Integers, Integers]:
        """With so many positives and negatives: every tp, and the first and the last tn that go with it."""
        (a, b), (c, d), (e, f) = self._ends(p, n)
        tp = np.arange(a, b + 1, dtype=np.int64)
        return tp, np.maximum(c, e - tp), np.minimum(d, f - tp)

    def count(self, p: int, n: int) -> int:
        """How many points there are.

        Those with a sum of at most s lie in a triangle, of which three corners beyond the ends are cut off.
        """
        (a, b), (c, d), (e, f) = self._ends(p, n)
        if a > b or c > d:
            return 0

        def below(s: int) -> int:
            return _triangle(s - a - c) - _triangle(s - b - 1 - c) - _triangle(s - a - d - 1) + _triangle(s - b - d - 2)

        return max(0, below(f) - below(e - 1))


def _triangle(side: int) -> int:
    """Points with two coordinates from 0 on that add up to at most so much."""
    return (side + 1) * (side + 2) // 2 if side >= 0 else 0
