"""Cones of confusion matrices, kept exactly.

Scores do not change when all four cells are multiplied by one number, so where no count is known a report speaks
of *directions* (tp, fp, fn, tn) >= 0. A bound on a score whose ratio is linear in the cells is a half-space of
directions, and the directions that satisfy several of them form a cone. It is kept as its extreme rays, integer
vectors that are confusion matrices themselves, by the double description method (Motzkin et al. 1953; Fukuda and
Prodon 1996, doi:10.1007/3-540-61576-8_77). Only integers are compared.
"""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

Vector = tuple[int, int, int, int]

CELLS = ("tp", "fp", "fn", "tn")


class Ray(NamedTuple):
    """An extreme ray and, as bits, the planes it lies on."""

    cells: Vector
    planes: int


class Cone:
    """All non-negative combinations of its rays; ``planes`` counts the half-spaces it was cut from."""

    __slots__ = ("planes", "rays")

    def __init__(self, rays: list[Ray], planes: int) -> None:
        self.rays = rays
        self.planes = planes

    def clip(self, plane: Vector) -> Cone:
        """The part where ``plane . x >= 0``.

        >>> [ray.cells for ray in everything().clip((1, 0, -3, 0)).rays]
        [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 0, 1), (3, 0, 1, 0)]
        """
        a, b, c, d = plane
        bit = 1 << self.planes
        kept: list[Ray] = []
        inside: list[tuple[Ray, int]] = []
        outside: list[tuple[Ray, int]] = []
        for ray in self.rays:
            v = ray.cells
            side = a * v[0] + b * v[1] + c * v[2] + d * v[3]
            if side > 0:
                inside.append((ray, side))
                kept.append(ray)
            elif side < 0:
                outside.append((ray, side))
            else:
                kept.append(Ray(v, ray.planes | bit))
        if outside:
            for one, up in inside:
                for other, down in outside:
                    common = one.planes & other.planes
                    if common.bit_count() >= 2 and self._adjacent(common):
                        kept.append(Ray(_between(one.cells, -down, other.cells, up), common | bit))
        return Cone(kept, self.planes + 1)

    def _adjacent(self, common: int) -> bool:
        """Whether no third ray lies on every plane that two rays share."""
        return sum(ray.planes & common == common for ray in self.rays) == 2  # the two themselves


def everything() -> Cone:
    """Every direction with cells >= 0."""
    units = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    return Cone([Ray(unit, 15 ^ (1 << k)) for k, unit in enumerate(units)], 4)


def _between(u: Vector, k: int, v: Vector, m: int) -> Vector:
    """k u + m v, without a common divisor."""
    a, b, c, d = (k * x + m * y for x, y in zip(u, v, strict=True))
    common = gcd(a, b, c, d)
    return a // common, b // common, c // common, d // common
