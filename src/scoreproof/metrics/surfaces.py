"""Masks, their surfaces, and the distances between two: Hausdorff, average, and the surface Dice coefficient.

What counts as the surface is chosen, and recorded with every result. ``voxels``: the voxels of the mask with a
neighbour outside it, neighbours being those that share a face (connectivity 1: 6 in 3-D, 4 in 2-D), a face or an edge
(2: 18, 8) or also a corner (3: 26); Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x) name 18 and 26, much
software uses 6. Beyond the image is outside. ``elements``: the grid corners the surface passes through, weighted with
the areas of marching cubes (Lorensen & Cline 1987, doi:10.1145/37401.37422), as Nikolov et al. (2021,
doi:10.2196/26151) do. The 256 patterns need no table: take the smaller of the inside and the outside, split it into
groups joined along cube edges, and add the triangles of each group, of which there are six shapes.

The average divides by the sizes of the *surfaces* (Yeghiazaryan & Voiculescu 2018, doi:10.1117/1.JMI.5.1.015006). They
come from a k-d tree of the other surface, in time that hardly depends on the size of the volume.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Bools, Floats, Ints, as_array, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document, jsonable, rebuilt
from scoreproof.metrics.labels import frozen, number, same_shape
from scoreproof.results import Result
from scoreproof.validation import chosen, declared, real, shown, whole

Corner = tuple[int, ...]
Vector = tuple[float, ...]
Kind = Literal["voxels", "elements"]
_EDGES = (1e-100, 1e100)  # their squares are numbers
_NEIGHBOURS = {(2, 1): 4, (2, 2): 8, (3, 1): 6, (3, 2): 18, (3, 3): 26}


def mask_pair(truth: ArrayLike, predicted: ArrayLike) -> tuple[Bools, Bools]:
    """Two masks of the same two- or three-dimensional grid."""
    actual, guessed = _mask("truth", truth), _mask("predicted", predicted)
    same_shape("truth", actual, "predicted", guessed)
    return actual, guessed


def spacing_of(spacing: float | Sequence[float] | None, ndim: int) -> tuple[float, ...]:
    """The edge lengths of a voxel, one per axis; 1 where not given."""
    spacing = 1.0 if spacing is None else spacing
    edges = [float(spacing)] * ndim if np.ndim(spacing) == 0 else [float(edge) for edge in spacing]  # type: ignore[arg-type, union-attr]
    if len(edges) != ndim or not all(_EDGES[0] <= edge <= _EDGES[1] for edge in edges):
        raise InvalidOption(f"spacing={shown(spacing)}: expected a positive number, or {ndim} of them, one per axis")
    return tuple(edges)


@dataclass(frozen=True, slots=True)
class SurfaceConvention(Result):
    """Which points make a surface and what each of them weighs.

    >>> print(SurfaceConvention("voxels", 3, ndim=3))
    surface voxels (26 neighbours)
    """

    kind: Kind
    connectivity: int | None
    ndim: int

    _told = "surface=kind connectivity ndim"

    def __post_init__(self) -> None:
        chosen("surface", self.kind, get_args(Kind))
        if self.connectivity is not None:
            object.__setattr__(self, "connectivity", whole("connectivity", self.connectivity))
        if self.kind == "voxels" and (self.ndim, self.connectivity) not in _NEIGHBOURS:
            raise InvalidOption(
                f"connectivity={shown(self.connectivity)}: 1 (faces) to {self.ndim} (corners too) is needed for a "
                f"{self.ndim}-D mask"
            )

    def to_dict(self) -> dict[str, Any]:
        return {**document(self, self._told), "neighbours": self._neighbours()}

    def _neighbours(self) -> int | None:
        return None if self.connectivity is None else _NEIGHBOURS[self.ndim, self.connectivity]

    def __str__(self) -> str:
        if self.kind == "elements":
            return "surface elements weighted by area"
        return f"surface voxels ({self._neighbours()} neighbours)"


def surface_of(mask: Bools, convention: SurfaceConvention, spacing: tuple[float, ...]) -> tuple[Ints, Floats]:
    """Grid positions of the surface of a mask, and the weight of each; none for an empty mask."""
    from scipy import ndimage

    box = next(iter(ndimage.find_objects(mask.astype(np.int8))), None)
    if box is None:
        return np.zeros((0, mask.ndim), dtype=np.int64), np.zeros(0)
    if convention.kind == "elements":
        codes = element_codes(np.pad(mask[box], 1))
        where = np.nonzero((codes != 0) & (codes != (1 << 2**mask.ndim) - 1))
        weights = element_areas(spacing)[codes[where]]
    else:
        near = ndimage.generate_binary_structure(mask.ndim, convention.connectivity or 1)
        where = np.nonzero(mask[box] & ~ndimage.binary_erosion(mask[box], near))
        weights = np.ones(where[0].size)
    return np.stack(where, axis=1) + np.array([edge.start for edge in box]), weights


def _mask(name: str, values: ArrayLike) -> Bools:
    array = as_array(name, values)
    if array.ndim not in (2, 3):
        raise InvalidValue(f"{name}: a mask has 2 or 3 dimensions, got shape {array.shape}")
    if array.dtype.kind not in "biu" or array.size == 0 or isinstance(values, np.ma.MaskedArray):
        array = numbers(name, values, ndim=array.ndim)
    if array.dtype == np.bool_:
        return array
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        where = [int(index) for index in np.argwhere(wrong)[0]]
        raise InvalidValue(
            f"{name}{where} is {array[tuple(where)]:g}; a mask holds 0 and 1 only: compare it with a label "
            "first, class by class, or use evaluate_multiclass on the labels of all voxels"
        )
    return array.astype(np.bool_)


@lru_cache(maxsize=32)
def element_areas(spacing: tuple[float, ...]) -> Floats:
    """The area (length in 2-D) of each pattern, indexed by its code (see ``element_codes``)."""
    corners = list(product((0, 1), repeat=len(spacing)))
    areas = np.zeros(1 << len(corners))
    # An area vector of the unit cell, once the cell is stretched to the spacing.
    stretch = np.prod(spacing) / np.array(spacing)
    for code in range(areas.size):
        inside = {corner for bit, corner in enumerate(corners) if code >> bit & 1}
        fewer = inside if 2 * len(inside) <= len(corners) else set(corners) - inside
        vectors = [vector for group in _groups(fewer) for vector in _triangles(group)]
        areas[code] = sum(float(np.sqrt(np.sum((np.array(vector) * stretch) ** 2))) for vector in vectors)
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
    """The absolute area vectors (of one group in the unit cube or square) that separate it from the rest.

    A lone corner costs one small triangle, an edge two, a bent triple three, a face its own area; a corner
    with its three neighbours and a bent chain of four are the two shapes that remain.
    """
    ndim, directions = len(next(iter(group))), _edge_directions(group)

    def vector(size: float, *, only: int | None = None, without: int | None = None) -> Vector:
        return tuple(size if only in (None, axis) and axis != without else 0.0 for axis in range(ndim))

    if ndim == 2:
        return [vector(1 / 2)] if len(group) == 1 else [vector(1.0, without=directions[0])]
    if len(group) == 1:
        return [vector(1 / 8)]
    if len(group) == 2:
        return [vector(1 / 4, without=directions[0])] * 2
    if len(group) == 3 or len(directions) == 4:
        (normal,) = set(range(3)) - set(directions)
        face = vector(1 / 2, only=normal)
        return [face, vector(1 / 4), vector(1 / 8)] if len(group) == 3 else [face] * 2
    if any(sum(_axes(a, b) == 1 for b in group) == 3 for a in group):
        return [vector(1 / 8)] * 2 + [vector(1 / 4)] * 2
    ends = [a for a in group if sum(_axes(a, b) == 1 for b in group) == 1]
    first, last = (_edge_directions({a, b})[0] for a in ends for b in group if _axes(a, b) == 1)
    return [vector(1 / 4, without=first), vector(1 / 4, without=last), vector(1 / 8), vector(3 / 8)]


def _edge_directions(group: set[Corner]) -> list[int]:
    """The axis of each cube edge between two members."""
    edges = [(a, b) for a, b in combinations(sorted(group), 2) if _axes(a, b) == 1]
    return [next(axis for axis in range(len(a)) if a[axis] != b[axis]) for a, b in edges]


Combine = Literal["pooled", "directed"]


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceDistances(Result):
    """The distance of every surface point to the other surface, with the point's weight.

    Of two empty masks every summary is NaN; if one is empty distances are infinite and the overlap is 0.
    """

    from_truth: Floats
    from_predicted: Floats
    truth_weights: Floats
    predicted_weights: Floats
    convention: SurfaceConvention
    spacing: tuple[float, ...]

    _told = "spacing from_truth from_predicted truth_weights predicted_weights"

    @declared
    def hausdorff(self, percentile: float = 100.0, *, combine: Combine | None = None) -> float:
        """The Hausdorff distance, or a percentile in its place, which single stray voxels do not move.

        ``pooled`` takes the percentile of both directions together, ``directed`` the larger of the two
        directions' percentiles. Published figures use the first with surface voxels and the second with
        surface elements, and so does the default. At 100 they agree.
        """
        percentile = real("percentile", percentile, at_least=0, at_most=100)
        combine = combine or ("pooled" if self.convention.kind == "voxels" else "directed")
        empty = self._empty()
        if empty is not None:
            return empty
        parts = [(self.from_truth, self.truth_weights), (self.from_predicted, self.predicted_weights)]
        if combine == "pooled":
            parts = [(np.concatenate([d for d, _ in parts]), np.concatenate([w for _, w in parts]))]
        return max(self._percentile(*part, percentile) for part in parts)

    @declared
    def average(self, *, combine: Combine | None = None) -> float:
        """The average symmetric surface distance.

        ``pooled`` (default) divides the sum over both surfaces by their joint size; ``directed`` takes the
        mean of the two directions' averages.
        """
        empty = self._empty()
        if empty is not None:
            return empty
        if combine == "directed":
            return (self.average_from_truth + self.average_from_predicted) / 2
        total = self.from_truth @ self.truth_weights + self.from_predicted @ self.predicted_weights
        return float(total / (self.truth_weights.sum() + self.predicted_weights.sum()))

    @property
    def average_from_truth(self) -> float:
        """The mean distance from the true to the predicted surface."""
        empty = self._empty()
        return float(self.from_truth @ self.truth_weights / self.truth_weights.sum()) if empty is None else empty

    @property
    def average_from_predicted(self) -> float:
        """The mean distance from the predicted to the true surface."""
        empty, weights = self._empty(), self.predicted_weights
        return float(self.from_predicted @ weights / weights.sum()) if empty is None else empty

    @declared
    def surface_dice(self, tolerance: float = 0.0) -> float:
        """The share of both surfaces that lies within the tolerance of the other (in units of the spacing).

        Distances that exceed the tolerance only by rounding count as within it.
        """
        tolerance = real("tolerance", tolerance, at_least=0)
        total = float(self.truth_weights.sum() + self.predicted_weights.sum())
        if total == 0:
            return float("nan")
        reach = tolerance * (1 + 1e-12)
        near = self.truth_weights[self.from_truth <= reach].sum()
        near += self.predicted_weights[self.from_predicted <= reach].sum()
        return float(near / total)

    def to_dict(self) -> dict[str, Any]:
        told = document(self, f"{self._told} average_from_truth average_from_predicted", average=self.average())
        far = {"hausdorff": self.hausdorff(), "hausdorff95": self.hausdorff(95)}
        return {**self.convention.to_dict(), **told, **jsonable(far)}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "convention": document})

    def __str__(self) -> str:
        return (
            f"The average symmetric surface distance is {number(self.average())} and the Hausdorff distance "
            f"{number(self.hausdorff())} ({self.convention})."
        )

    def _empty(self) -> float | None:
        if self.from_truth.size and self.from_predicted.size:
            return None
        return float("inf") if self.from_truth.size or self.from_predicted.size else float("nan")

    def _percentile(self, distances: Floats, weights: Floats, percentile: float) -> float:
        if self.convention.kind == "voxels":
            return float(np.percentile(distances, percentile))
        order = np.argsort(distances, kind="stable")
        share = np.cumsum(weights[order]) / weights.sum()
        reached = min(int(np.searchsorted(share, percentile / 100)), distances.size - 1)
        return float(distances[order][reached])


def surface_distances(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    spacing: float | Sequence[float] | None = None,
    surface: Kind = "voxels",
    connectivity: int = 1,
) -> SurfaceDistances:
    """Distances between the surfaces of two masks; ``connectivity`` matters to surface voxels only.

    >>> truth, predicted = np.zeros((2, 9, 9), dtype=bool)
    >>> truth[2:6, 2:6] = predicted[2:6, 3:8] = True
    >>> distances = surface_distances(truth, predicted, spacing=0.5)
    >>> distances.hausdorff(), distances.average(), distances.surface_dice(tolerance=0.5)
    (1.0, 0.34615384615384615, 0.8461538461538461)
    """
    actual, guessed = mask_pair(truth, predicted)
    edges = spacing_of(spacing, actual.ndim)
    convention = SurfaceConvention(surface, connectivity if surface == "voxels" else None, actual.ndim)
    (here, first), (there, second) = (surface_of(mask, convention, edges) for mask in (actual, guessed))
    far, back = nearest_distances(here, there, edges), nearest_distances(there, here, edges)
    return SurfaceDistances(frozen(far), frozen(back), frozen(first), frozen(second), convention, edges)


def nearest_distances(here: Ints, there: Ints, spacing: tuple[float, ...]) -> Floats:
    """The distance of every grid point here to the nearest one there; infinite if there is none."""
    from scipy.spatial import cKDTree

    if len(here) == 0 or len(there) == 0:
        return np.full(len(here), np.inf)
    edges = np.array(spacing)
    tree = cKDTree(there * edges, balanced_tree=False, compact_nodes=False)
    _, index = tree.query(here * edges, workers=-1)
    return np.asarray(np.sqrt(np.sum(((here - there[index]) * edges) ** 2, axis=1)))
