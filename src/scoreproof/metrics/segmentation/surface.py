"""What counts as the surface of a mask; the convention is chosen, and recorded with every result.

``voxels``: the voxels of the mask with a neighbour outside it, neighbours being those that share a face
(connectivity 1: 6 in 3-D, 4 in 2-D), a face or an edge (2: 18, 8) or also a corner (3: 26). Rainio, Teuho &
Klén (2024, doi:10.1038/s41598-024-56706-x) name 18 and 26; much software uses 6. Beyond the image is outside.
``elements``: the grid corners the surface passes through, weighted with their areas (see ``elements``).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np

from scoreproof.arrays import Bools, Floats, Ints, chosen
from scoreproof.errors import InvalidOption
from scoreproof.metrics.segmentation.elements import element_areas, element_codes

Kind = Literal["voxels", "elements"]
_NEIGHBOURS = {(2, 1): 4, (2, 2): 8, (3, 1): 6, (3, 2): 18, (3, 3): 26}


@dataclass(frozen=True, slots=True)
class SurfaceConvention:
    """Which points make a surface and what each of them weighs.

    >>> print(SurfaceConvention("voxels", 3, ndim=3))
    surface voxels (26 neighbours)
    """

    kind: Kind
    connectivity: int | None
    ndim: int

    def __post_init__(self) -> None:
        chosen("surface", self.kind, get_args(Kind))
        if self.kind == "voxels" and (self.ndim, self.connectivity) not in _NEIGHBOURS:
            raise InvalidOption(
                f"connectivity={self.connectivity!r}: 1 (faces) to {self.ndim} (corners too) is needed for a "
                f"{self.ndim}-D mask"
            )

    def to_dict(self) -> dict[str, Any]:
        return {"surface": self.kind, "connectivity": self.connectivity, "neighbours": self._neighbours()}

    def _neighbours(self) -> int | None:
        return None if self.connectivity is None else _NEIGHBOURS[self.ndim, self.connectivity]

    def __str__(self) -> str:
        if self.kind == "elements":
            return "surface elements weighted by area"
        return f"surface voxels ({self._neighbours()} neighbours)"


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Grid positions of a surface, and the weight of each."""

    points: Ints
    weights: Floats


def surface_of(mask: Bools, convention: SurfaceConvention, spacing: tuple[float, ...]) -> Surface:
    """The surface of a mask; empty for an empty mask."""
    box = _bounding_box(mask)
    if box is None:
        return Surface(np.zeros((0, mask.ndim), dtype=np.int64), np.zeros(0))
    padded = np.pad(mask[box], 1)
    corner = np.array([edge.start for edge in box])
    if convention.kind == "elements":
        codes = element_codes(padded)
        where = np.nonzero((codes != 0) & (codes != (1 << 2**mask.ndim) - 1))
        weights = element_areas(spacing)[codes[where]]
    else:
        where = np.nonzero(mask[box] & ~_eroded(padded, convention.connectivity or 1))
        weights = np.ones(where[0].size)
    return Surface(np.stack(where, axis=1) + corner, weights)


def _bounding_box(mask: Bools) -> tuple[slice, ...] | None:
    box = []
    for axis in range(mask.ndim):
        used = np.flatnonzero(mask.any(axis=tuple(other for other in range(mask.ndim) if other != axis)))
        if used.size == 0:
            return None
        box.append(slice(int(used[0]), int(used[-1]) + 1))
    return tuple(box)


def _eroded(padded: Bools, connectivity: int) -> Bools:
    """The voxels with every neighbour inside, of an array padded by one voxel on each side.

    The neighbourhood of connectivity r is the union of the boxes spanned by any r axes, and a box is eroded
    one axis after the other.
    """
    inner = tuple(slice(1, -1) for _ in range(padded.ndim))
    kept = padded[inner].copy()
    for axes in combinations(range(padded.ndim), connectivity):
        box = padded
        for axis in range(padded.ndim):
            middle = _cut(box, axis, 1, -1)
            if axis in axes:
                middle = middle & _cut(box, axis, 0, -2) & _cut(box, axis, 2, None)
            box = middle
        kept &= box
    return kept


def _cut(array: Bools, axis: int, start: int, stop: int | None) -> Bools:
    window = [slice(None)] * array.ndim
    window[axis] = slice(start, stop)
    return array[tuple(window)]
