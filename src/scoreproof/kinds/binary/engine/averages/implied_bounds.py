"""Implied bounds: what a mean and its ± say of each single set, by which fewer points need to be listed.

Of k sets the others are at most a score's largest value, so one cannot be further below the mean than k - 1 of them can
make good; and with squares about the mean that add up to so much, none can be further off than the root of (k - 1)/k of
that, as the others are off by as much in all. Sets that are left out of a mean only bring the limits nearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import ceil, isqrt

import numpy as np

from scoreproof.arrays import Ints
from scoreproof.kinds.binary.engine.averages.constraints import Bound, Constraints, Interval, Target
from scoreproof.kinds.binary.experiment.normal import Tree

_ROOT_BITS = 40


def root_above(x: Fraction) -> Fraction:
    """The least multiple of 2^-40 whose square is at least x.

    >>> root_above(Fraction(1, 4)), root_above(Fraction(0))
    (Fraction(1, 2), Fraction(0, 1))
    """
    scaled = ceil(x * (1 << 2 * _ROOT_BITS))
    return Fraction(isqrt(scaled - 1) + 1 if scaled > 0 else 0, 1 << _ROOT_BITS)


def square_bounds(target: Target, constraints: Constraints) -> tuple[Fraction, Fraction | None]:
    """Bounds of the sum of squares about the centre, all sets counted, that any admitted variance and mean allow."""
    assert target.variance is not None
    assert target.mean is not None
    weights = [subset.weight for subset in constraints.form.sets]
    over = len(constraints.spread_parts)
    low, high = (end * (over if target.error else 1) for end in target.variance)
    divisors = [over - ddof for ddof in target.ddof if over > ddof]
    if constraints.deviations_of_means:
        return min(divisors) * low / (over * max(weights)), None
    off = max(abs(target.mean[0] - target.centre), abs(target.mean[1] - target.centre))
    squares = max(divisors) * high
    uneven = sum(((Fraction(1, over) - weight) ** 2 for weight in weights), Fraction(0))
    return min(divisors) * low, squares + over * (off + root_above(uneven * squares)) ** 2


def furthest(target: Target, count: int) -> Fraction:
    """How far one of so many parts that deviate may be from the mean of all, whichever of them count."""
    assert target.variance is not None
    high = target.variance[1] * (count if target.error else 1)
    return root_above(Fraction((count - 1) * (count - min(target.ddof)), count) * high)


def bounds_of_parts(target: Target, parts: Sequence[Tree]) -> list[Bound]:
    """The means of the parts that deviate are no further from the mean of all than they can be."""
    if target.variance is None or target.mean is None:
        return []
    far = furthest(target, len(parts))
    return [Bound(target.score, (target.mean[0] - far, target.mean[1] + far), part) for part in parts]


_RIGHT = (("sens", "fnr"), ("spec", "fpr"), ("acc", "err"))  # shares of right answers, and of wrong ones
_MOST_CLASSES = 20_000  # class counts of a set
_EVERY: Interval = (Fraction(0), Fraction(1))


def limited(constraints: Constraints) -> Constraints | None:
    """The constraints with the limits of single sets that follow from it; None where none do, in means of means."""
    form = constraints.form
    if not form.flat or any(form.open_counts(subset) > _MOST_CLASSES for subset in set(form.sets)):
        return None
    sets = range(len(form.sets))
    found = [
        bound for target in constraints.targets if _told(target) for bound in _limits(constraints, target, len(sets))
    ]
    every = tuple(replace(bound, part=index) for bound in found for index in sets)
    return replace(constraints, bounds=constraints.bounds + every) if every else None


def _told(target: Target) -> bool:
    return target.mean is not None and target.score.builtin and None not in target.score.range


def _limits(constraints: Constraints, target: Target, count: int) -> list[Bound]:
    """Of one set, by what the others can be and by how far it can deviate."""
    assert target.mean is not None
    least, most = (Fraction(end) for end in target.score.range if end is not None)
    low, high = most - count * (most - target.mean[0]), least + count * (target.mean[1] - least)
    if target.variance is not None and not constraints.deviations_of_means:
        far = furthest(target, count)
        low, high = max(low, target.mean[0] - far), min(high, target.mean[1] + far)
    return [] if low <= least and high >= most else [Bound(target.score, (low, high), 0)]


class Within:
    """The points that limits of a set alone on its shares of right answers leave to it."""

    def __init__(self, constraints: Constraints, index: int) -> None:
        shares = [_EVERY, _EVERY, _EVERY]  # of positives, of negatives, and of all cases
        for bound in constraints.bounds:
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

    def lines(self, p: int, n: int) -> tuple[Ints, Ints, Ints]:
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
