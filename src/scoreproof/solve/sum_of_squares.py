"""Extremes of the sum of squared distances from the mean on a box (Ferson et al. 2002): a convex function.

It is least where all values are drawn to one centre. It is largest at a corner, and among values of equal width the
larger ones are up there and the smaller down. Where so many widths occur that these corners are too many, all are
widened to the widest, which can only raise the bound.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, product
from math import lcm, prod

Interval = tuple[Fraction, Fraction]
_MOST_CORNERS = 20_000


@dataclass(frozen=True, slots=True)
class Squares:
    """The sum of squared distances from the mean over a box: its least, a bound on its greatest, and what reaches."""

    least: Fraction
    bound: Fraction
    lowest: tuple[Fraction, ...]
    highest: tuple[Fraction, ...]

    @classmethod
    def over(cls, boxes: Sequence[Interval]) -> Squares:
        """
        >>> squares = Squares.over([(Fraction(0), Fraction(1)), (Fraction(3), Fraction(4))])
        >>> squares.least, squares.bound
        (Fraction(2, 1), Fraction(8, 1))
        """
        lowest, alike = _drawn_together(boxes), _alike(boxes)
        if prod(len(group) + 1 for group in alike) <= _MOST_CORNERS:
            highest = _drawn_apart(boxes, alike)
            return cls(squares_of(lowest), squares_of(highest), lowest, highest)
        widest = max(high - low for low, high in boxes)
        even = [((low + high - widest) / 2, (low + high + widest) / 2) for low, high in boxes]
        together = [sorted(range(len(boxes)), key=lambda k: even[k])]
        bound = squares_of(_drawn_apart(even, together))
        return cls(squares_of(lowest), bound, lowest, _drawn_apart(boxes, together))


def squares_of(values: Sequence[Fraction]) -> Fraction:
    """The sum of squared distances from the mean."""
    total = sum(values, Fraction(0))
    return sum((value * value for value in values), Fraction(0)) - total * total / len(values)


def _drawn_together(boxes: Sequence[Interval]) -> tuple[Fraction, ...]:
    """The point of the box with the least spread: every row as near to one centre as it can be.

    The centre is where the pull of the rows below, which rises with it, equals that of the rows above.
    """
    lows, highs = sorted(low for low, _ in boxes), sorted(high for _, high in boxes)
    up, down = [Fraction(0), *accumulate(lows)], [Fraction(0), *accumulate(highs)]

    def pull(centre: Fraction) -> Fraction:
        below, above = bisect_left(highs, centre), bisect_right(lows, centre)
        return centre * below - down[below] - (up[-1] - up[above] - centre * (len(lows) - above))

    corners = sorted({*lows, *highs})
    right = bisect_left(corners, Fraction(0), key=pull)
    centre = corners[right]
    if pull(centre) != 0:  # between two corners the same rows lie below and above
        left = corners[right - 1]
        below, above = bisect_right(highs, left), bisect_left(lows, centre)
        centre = (down[below] + up[-1] - up[above]) / (below + len(lows) - above)
    return tuple(min(max(centre, low), high) for low, high in boxes)


def _alike(boxes: Sequence[Interval]) -> list[list[int]]:
    """The rows of each width, smaller ones first."""
    groups: dict[Fraction, list[int]] = {}
    for k in sorted(range(len(boxes)), key=lambda k: boxes[k]):
        groups.setdefault(boxes[k][1] - boxes[k][0], []).append(k)
    return list(groups.values())


def _drawn_apart(boxes: Sequence[Interval], groups: Sequence[Sequence[int]]) -> tuple[Fraction, ...]:
    """The corner of the largest spread among those where of each group the first rows are down and the others up."""
    common = lcm(*(end.denominator for box in boxes for end in box))
    sums: list[list[tuple[int, int]]] = []  # of a group by the number of rows that are down: values, squares
    for group in groups:
        ends = [(int(low * common), int(high * common)) for low, high in (boxes[k] for k in group)]
        total, squared = sum(high for _, high in ends), sum(high * high for _, high in ends)
        sums.append([(total, squared)])
        for low, high in ends:
            total, squared = total + low - high, squared + low * low - high * high
            sums[-1].append((total, squared))
    best, splits = -1, (0,) * len(groups)
    for chosen in product(*(range(len(own)) for own in sums)):
        total = squared = 0
        for own, down in zip(sums, chosen, strict=True):
            total, squared = total + own[down][0], squared + own[down][1]
        spread = len(boxes) * squared - total * total
        if spread > best:
            best, splits = spread, chosen
    lowered = {k for group, down in zip(groups, splits, strict=True) for k in group[:down]}
    return tuple(low if k in lowered else high for k, (low, high) in enumerate(boxes))
