"""Lattice points between lines, counted by Euclid's algorithm (Graham, Knuth and Patashnik 1994, section 3.5).

Between two neighbouring crossing points one line is the lowest upper border and one the highest lower border, and
the points between two lines are a difference of two sums of floors, each of which Euclid's algorithm adds up in
logarithmic time. So 10^30 matrices are counted as quickly as ten.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

HalfPlane = tuple[int, int, int]


def floor_sum(terms: int, a: int, b: int, m: int) -> int:
    """The sum of floor((a i + b) / m) over i = 0 ... terms - 1, for m > 0.

    >>> floor_sum(4, 3, -1, 2) == sum((3 * i - 1) // 2 for i in range(4))
    True
    """
    total = 0
    while True:
        total += (a // m) * terms * (terms - 1) // 2 + (b // m) * terms
        a, b = a % m, b % m
        top = a * terms + b
        if top < m:
            return total
        terms, b, m, a = top // m, top % m, a, m


def count_points(lowers: list[HalfPlane], uppers: list[HalfPlane], width: int, height: int) -> int:
    """Integer points of a rectangle with A x + B y >= R for all ``lowers`` and <= R for all ``uppers``."""
    left, right = 0, width
    floors: list[HalfPlane] = [(0, 1, 0)]  # y >= (R - A x) / B
    ceilings: list[HalfPlane] = [(0, 1, height)]
    for a, b, r in lowers:
        if b:
            floors.append((a, b, r))
        else:
            left = max(left, -(-r // a))
    for a, b, r in uppers:
        if b:
            ceilings.append((a, b, r))
        else:
            right = min(right, r // a)
    if left > right:
        return 0
    stops = sorted({left, right + 1, *_crossings(floors + ceilings, left, right)})
    return sum(_between(floors, ceilings, start, stop) for start, stop in pairwise(stops))


def _crossings(lines: list[HalfPlane], left: int, right: int) -> set[int]:
    """The first integers right of every point where two lines cross."""
    stops: set[int] = set()
    for k, (a1, b1, r1) in enumerate(lines):
        for a2, b2, r2 in lines[:k]:
            slope = a1 * b2 - a2 * b1
            if slope:
                x = (r1 * b2 - r2 * b1) // slope + 1
                stops |= {stop for stop in (x - 1, x) if left < stop <= right}
    return stops


def _between(floors: list[HalfPlane], ceilings: list[HalfPlane], start: int, stop: int) -> int:
    """Points with start <= x < stop, where no two lines cross strictly between start and stop - 1."""
    middle = start + stop - 1  # twice the middle of the stretch
    bottom = max(floors, key=lambda line: _height(line, middle))
    top = min(ceilings, key=lambda line: _height(line, middle))
    if _height(bottom, middle) > _height(top, middle):
        return 0
    terms = stop - start
    (a, b, r), (c, d, s) = bottom, top
    under_top = floor_sum(terms, -c, s - c * start, d)
    # ceil((r - a x) / b) = -floor((a x - r) / b)
    to_bottom = -floor_sum(terms, a, a * start - r, b)
    return under_top - to_bottom + terms


def _height(line: HalfPlane, twice_x: int) -> Fraction:
    a, b, r = line
    return Fraction(2 * r - a * twice_x, b)
