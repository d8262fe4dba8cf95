"""What every metric asks of its input before it counts anything.

A missing value in a prediction file is the commonest reason for a wrong score, because most array functions
carry it along silently. Here every array is checked once, and the error names the array and the position.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.errors import InvalidValue

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def numbers(name: str, values: ArrayLike, *, ndim: int = 1) -> Floats:
    """The values as finite floats, or an error that says which of them is not a number.

    >>> numbers("truth", [1, 2.5])
    array([1. , 2.5])
    >>> numbers("truth", [1, float("nan")])
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidValue: truth[1] is nan; finite numbers are needed: remove the case or mend it
    """
    array = _plain(name, values)
    if array.dtype.kind not in "biuf":
        try:
            array = array.astype(np.float64) if array.dtype.kind == "O" else _reject_text(name, array)
        except (TypeError, ValueError) as error:
            raise InvalidValue(f"{name}: numbers are needed, got {_first(array)!r} ({error})") from None
    _check_shape(name, array, ndim)
    floats = array.astype(np.float64)
    finite = np.isfinite(floats)
    if not finite.all():
        where = _where(~finite)
        raise InvalidValue(
            f"{name}{list(where)} is {floats[where]}; finite numbers are needed: remove the case or mend it"
        )
    return floats


def labels(name: str, values: ArrayLike, *, ndim: int = 1) -> NDArray[Any]:
    """Class labels: numbers, truth values or text, none of them missing."""
    array = _plain(name, values)
    _check_shape(name, array, ndim)
    if array.dtype.kind in "fc":
        missing = np.isnan(array)
    elif array.dtype.kind == "O":
        gaps = [value is None or (isinstance(value, float) and np.isnan(value)) for value in array.ravel()]
        missing = np.array(gaps).reshape(array.shape)
    else:
        missing = np.zeros(array.shape, dtype=bool)
    if missing.any():
        where = _where(missing)
        raise InvalidValue(f"{name}{list(where)} is {array[where]}; every case needs a label")
    return _simplified(name, array)


def same_shape(first: str, a: NDArray[Any], second: str, b: NDArray[Any]) -> None:
    """Refuse two arrays that cannot belong to the same cases."""
    if a.shape != b.shape:
        raise InvalidValue(
            f"{first} has shape {a.shape} and {second} has shape {b.shape}; they must describe the same cases"
        )


def probabilities(name: str, values: ArrayLike, *, ndim: int = 1) -> Floats:
    """Finite numbers in [0, 1]."""
    array = numbers(name, values, ndim=ndim)
    outside = (array < 0) | (array > 1)
    if outside.any():
        where = _where(outside)
        raise InvalidValue(f"{name}{list(where)} is {array[where]}; probabilities lie between 0 and 1")
    return array


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The array, made read-only so that a result cannot be changed after the fact."""
    array.setflags(write=False)
    return array


def mean_ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs.

    >>> mean_ranks(np.array([10.0, 30.0, 10.0, 20.0]))
    array([1.5, 4. , 1.5, 3. ])
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return ranks


def _plain(name: str, values: ArrayLike) -> NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        where = _where(np.ma.getmaskarray(values))
        raise InvalidValue(f"{name}{list(where)} is masked; fill or remove the masked cases first")
    try:
        return np.asarray(values)
    except ValueError:
        raise InvalidValue(f"{name}: rows of different lengths make no array; give them one length") from None


def _check_shape(name: str, array: NDArray[Any], ndim: int) -> None:
    if array.ndim != ndim:
        raise InvalidValue(
            f"{name}: an array with {ndim} dimension{'s' * (ndim != 1)} is needed, got shape {array.shape}"
        )
    if array.size == 0:
        raise InvalidValue(f"{name} is empty; at least one case is needed")


def _reject_text(name: str, array: NDArray[Any]) -> NDArray[Any]:
    raise InvalidValue(f"{name}: numbers are needed, got {_first(array)!r}; convert the column first")


def _simplified(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Object arrays as arrays of text or numbers, so that labels can be sorted and compared."""
    if array.dtype.kind != "O":
        return array
    kinds = {type(value) for value in array.ravel()}
    if kinds <= {str}:
        return array.astype(np.str_)
    if all(issubclass(kind, bool | int | float | np.number | np.bool_) for kind in kinds):
        return np.array(array.tolist())
    found = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise InvalidValue(f"{name}: labels must be all text or all numbers, got {found}")


def _where(flags: NDArray[np.bool_]) -> tuple[int, ...]:
    first = int(np.argmax(flags))
    return tuple(int(index) for index in np.unravel_index(first, flags.shape))


def _first(array: NDArray[Any]) -> Any:
    flat = array.ravel()[:1].tolist()
    return flat[0] if flat else None
