"""The area of a digital surface, by the pattern of the voxels around a grid corner.

Where the 2 x 2 x 2 voxels around a corner are neither all inside nor all outside, a piece of the surface
passes through it. Marching cubes (Lorensen & Cline 1987, doi:10.1145/37401.37422) gives its triangles;
Nikolov et al. (2021, doi:10.2196/26151) weight surface distances with their areas. The 256 patterns need no
table: take the smaller of the inside and the outside, split it into groups joined along cube edges, and add
the triangles of each group, of which there are six shapes. In two dimensions the same rule gives the lengths
of marching squares.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import prod, sqrt

import numpy as np

from scoreproof.arrays import Bools, Floats
from scoreproof.metrics.arrays import frozen

Corner = tuple[int, ...]
Vector = tuple[float, ...]


@lru_cache(maxsize=32)
def element_areas(spacing: tuple[float, ...]) -> Floats:
    """The area (length in 2-D) of each pattern, indexed by its code (see ``element_codes``).

    >>> element_areas((1.0, 1.0)).round(4)[[0, 1, 3, 6, 7]].tolist()
    [0.0, 0.7071, 1.0, 1.4142, 0.7071]
    """
    corners = list(product((0, 1), repeat=len(spacing)))
    areas = np.zeros(1 << len(corners))
    for code in range(areas.size):
        inside = {corner for bit, corner in enumerate(corners) if code >> bit & 1}
        fewer = inside if 2 * len(inside) <= len(corners) else set(corners) - inside
        areas[code] = sum(_size(vector, spacing) for group in _groups(fewer) for vector in _triangles(group))
    return frozen(areas)


def element_codes(padded: Bools) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The pattern at every corner inside an array: one bit per surrounding voxel."""
    shape = tuple(length - 1 for length in padded.shape)
    codes = np.zeros(shape, dtype=np.uint8)
    for bit, corner in enumerate(product((0, 1), repeat=padded.ndim)):
        window = padded[tuple(slice(start, start + length) for start, length in zip(corner, shape, strict=True))]
        codes |= window.view(np.uint8) << np.uint8(bit)
    return codes


def _groups(cells: set[Corner]) -> Iterator[set[Corner]]:
    """The parts of a set of cube corners that hang together along edges."""
    left = set(cells)
    while left:
        group, frontier = set(), [left.pop()]
        while frontier:
            corner = frontier.pop()
            group.add(corner)
            near = {other for other in left if _axes(corner, other) == 1}
            left -= near
            frontier.extend(near)
        yield group


def _axes(a: Corner, b: Corner) -> int:
    return sum(x != y for x, y in zip(a, b, strict=True))


def _triangles(group: set[Corner]) -> list[Vector]:
    """The absolute area vectors that separate one group from the rest of the unit cube.

    A lone corner costs one small triangle, an edge two, a bent triple three, a face its own area; a corner
    with its three neighbours and a bent chain of four are the two shapes that remain.
    """
    if len(next(iter(group))) == 2:
        return _segments(group)
    if len(group) == 1:
        return [_equal(1 / 8)]
    directions = _edge_directions(group)
    if len(group) == 2:
        return [_without(directions[0], 1 / 4)] * 2
    if len(group) == 3:
        (normal,) = set(range(3)) - set(directions)
        return [_only(normal, 1 / 2), _equal(1 / 4), _equal(1 / 8)]
    if len(directions) == 4:
        (normal,) = set(range(3)) - set(directions)
        return [_only(normal, 1 / 2)] * 2
    if any(sum(_axes(a, b) == 1 for b in group) == 3 for a in group):
        return [_equal(1 / 8)] * 2 + [_equal(1 / 4)] * 2
    ends = [a for a in group if sum(_axes(a, b) == 1 for b in group) == 1]
    first, last = (_edge_directions({a, b})[0] for a in ends for b in group if _axes(a, b) == 1)
    return [_without(first, 1 / 4), _without(last, 1 / 4), _equal(1 / 8), _equal(3 / 8)]


def _segments(group: set[Corner]) -> list[Vector]:
    if len(group) == 1:
        return [(1 / 2, 1 / 2)]
    (along,) = _edge_directions(group)
    return [(1.0, 0.0) if along == 1 else (0.0, 1.0)]


def _edge_directions(group: set[Corner]) -> list[int]:
    """The axis of each cube edge between two members."""
    ordered = sorted(group)
    return [
        next(axis for axis, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
        for i, a in enumerate(ordered)
        for b in ordered[i + 1 :]
        if _axes(a, b) == 1
    ]


def _equal(size: float) -> Vector:
    return (size, size, size)


def _only(axis: int, size: float) -> Vector:
    return tuple(size if other == axis else 0.0 for other in range(3))


def _without(axis: int, size: float) -> Vector:
    return tuple(0.0 if other == axis else size for other in range(3))


def _size(vector: Vector, spacing: tuple[float, ...]) -> float:
    """The length of an area vector of the unit cell once the cell is stretched to the spacing."""
    cell = prod(spacing)
    return sqrt(sum((part * cell / edge) ** 2 for part, edge in zip(vector, spacing, strict=True)))
