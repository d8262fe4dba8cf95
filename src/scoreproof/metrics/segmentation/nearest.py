"""The distance of each point of one surface to the nearest point of another.

A k-d tree of the other surface answers in time that hardly depends on the size of the volume, and points both
surfaces share are at distance 0. One case defeats the tree: far queries from *inside* a hollow surface,
because the tree's cells then reach across the empty middle. A few queries tell how far it is, and where the
tree would take longer than a map of nearest points over the whole box (Maurer, Qi & Raghavan 2003,
doi:10.1109/TPAMI.2003.1177156), the map is made. Both are exact.
"""

from __future__ import annotations

import numpy as np

from scoreproof.arrays import Bools, Floats, Ints

_SAMPLE = 64
# Relative costs, measured: a tree query per squared distance in voxels, and the map per voxel of the box.
_TREE_COST, _MAP_COST = 0.02, 0.17


def nearest_distances(here: Ints, there: Ints, spacing: tuple[float, ...]) -> Floats:
    """The distance of every grid point here to the nearest one there; infinite if there is none.

    >>> nearest_distances(np.array([[0, 0], [0, 3]]), np.array([[0, 0], [4, 0]]), (1.0, 2.0))
    array([0., 6.])
    """
    distances = np.zeros(len(here))
    if len(here) == 0 or len(there) == 0:
        distances[:] = np.inf
        return distances
    low = np.minimum(here.min(axis=0), there.min(axis=0))
    here, there = here - low, there - low
    shape = tuple(np.maximum(here.max(axis=0), there.max(axis=0)) + 1)
    apart = np.flatnonzero(~_shared(here, there, shape))
    if apart.size == 0:
        return distances
    queries = here[apart]
    by_map = _tree_would_be_slow(queries, there, shape, spacing)
    nearest = mapped(queries, there, shape, spacing) if by_map else searched(queries, there, spacing)
    distances[apart] = _lengths(queries - nearest, spacing)
    return distances


def searched(here: Ints, there: Ints, spacing: tuple[float, ...]) -> Ints:
    """The nearest points, from a k-d tree."""
    from scipy.spatial import cKDTree

    edges = np.array(spacing)
    tree = cKDTree(there * edges, balanced_tree=False, compact_nodes=False)
    _, index = tree.query(here * edges, workers=-1)
    nearest: Ints = there[index]
    return nearest


def mapped(here: Ints, there: Ints, shape: tuple[int, ...], spacing: tuple[float, ...]) -> Ints:
    """The nearest points, from a map over the whole box."""
    from scipy.ndimage import distance_transform_edt

    free = np.ones(shape, dtype=bool)
    free[tuple(there.T)] = False
    index = distance_transform_edt(free, sampling=spacing, return_distances=False, return_indices=True)
    return np.stack([axis[tuple(here.T)] for axis in np.asarray(index)], axis=1).astype(np.int64)


def _tree_would_be_slow(here: Ints, there: Ints, shape: tuple[int, ...], spacing: tuple[float, ...]) -> bool:
    sample = here[:: max(1, len(here) // _SAMPLE)]
    inside = np.all((sample > there.min(axis=0)) & (sample < there.max(axis=0)), axis=1)
    if not inside.any():
        return False
    far = _lengths(sample - searched(sample, there, spacing), spacing)[inside] / min(spacing)
    per_query = _TREE_COST * float(np.sum(far**2)) / len(sample)
    return per_query * len(here) > _MAP_COST * float(np.prod(shape))


def _shared(here: Ints, there: Ints, shape: tuple[int, ...]) -> Bools:
    grid = np.zeros(shape, dtype=bool)
    grid[tuple(there.T)] = True
    shared: Bools = grid[tuple(here.T)]
    return shared


def _lengths(steps: Ints, spacing: tuple[float, ...]) -> Floats:
    lengths: Floats = np.sqrt(np.sum((steps * np.array(spacing)) ** 2, axis=1))
    return lengths
