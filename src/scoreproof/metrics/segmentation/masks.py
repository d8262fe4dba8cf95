"""What a segmentation metric asks of a mask and of the voxel spacing."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Bools, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.metrics.arrays import same_shape


def mask_pair(truth: ArrayLike, predicted: ArrayLike) -> tuple[Bools, Bools]:
    """Two masks of the same two- or three-dimensional grid."""
    actual, guessed = _mask("truth", truth), _mask("predicted", predicted)
    same_shape("truth", actual, "predicted", guessed)
    return actual, guessed


def spacing_of(spacing: float | Sequence[float] | None, ndim: int) -> tuple[float, ...]:
    """The edge lengths of a voxel, one per axis; 1 where not given.

    >>> spacing_of(None, 2), spacing_of([0.5, 0.5, 2], 3)
    ((1.0, 1.0), (0.5, 0.5, 2.0))
    """
    if spacing is None:
        spacing = 1.0
    edges = [float(spacing)] * ndim if np.ndim(spacing) == 0 else [float(edge) for edge in spacing]  # type: ignore[arg-type, union-attr]
    if len(edges) != ndim or not all(math.isfinite(edge) and edge > 0 for edge in edges):
        raise InvalidOption(
            f"spacing={spacing!r}: a positive number is needed, or {ndim} of them, one per axis of the mask"
        )
    return tuple(edges)


def _mask(name: str, values: ArrayLike) -> Bools:
    array = np.asarray(values)
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
            "first, or use evaluate_semantic for masks of several classes"
        )
    return array.astype(np.bool_)
