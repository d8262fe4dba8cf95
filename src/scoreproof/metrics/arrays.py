"""Labels and probabilities, none of them missing, and arrays that belong to the same cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import Floats, Ints, as_array, numbers, place
from scoreproof.errors import InvalidValue
from scoreproof.limits import require_digits
from scoreproof.validation import shown


def labels(name: str, values: ArrayLike, *, ndim: int = 1) -> NDArray[Any]:
    """Class labels: numbers, truth values or text, none of them missing."""
    array = as_array(name, values)
    if array.ndim != ndim or array.size == 0:
        dimensions = f"{ndim} dimension{'s' * (ndim != 1)}"
        raise InvalidValue(f"{name} has shape {array.shape}: expected {dimensions} and at least one case")
    if array.dtype.kind in "cV":
        raise InvalidValue(f"{name}: expected labels that are texts or real numbers, got {array.dtype}")
    if array.dtype.kind == "f":
        missing = np.isnan(array)
    elif array.dtype.kind == "O":
        gaps = [value is None or (isinstance(value, float) and np.isnan(value)) for value in array.ravel()]
        missing = np.array(gaps).reshape(array.shape)
    else:
        missing = np.zeros(array.shape, dtype=bool)
    if missing.any():
        where = tuple(np.argwhere(missing)[0])
        raise InvalidValue(f"{place(name, where)} is {array[where]}; every case needs a label")
    return _simplified(name, array)


def class_names(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Names of classes as they were given: texts, numbers, whatever can be told apart."""
    try:
        known = tuple(values)
        set(known)
    except TypeError:
        raise InvalidValue(f"{name}: expected a name for each class, got {shown(values)}") from None
    for label in known:
        if isinstance(label, int):
            require_digits(label, name)
    return known


def same_shape(first: str, a: NDArray[Any], second: str, b: NDArray[Any]) -> None:
    """Refuse two arrays that cannot belong to the same cases."""
    if a.shape != b.shape:
        raise InvalidValue(
            f"{first} has shape {a.shape} and {second} has shape {b.shape}; they must describe the same cases"
        )


def probabilities(name: str, values: ArrayLike, *, ndim: int = 1) -> Floats:
    """Finite numbers in [0, 1]."""
    array = numbers(name, values, ndim=ndim)
    outside = np.argwhere((array < 0) | (array > 1))
    if outside.size:
        where = tuple(outside[0])
        raise InvalidValue(f"{place(name, where)} is {array[where]}; probabilities lie between 0 and 1")
    return array


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """The array, made read-only so that a result cannot be changed after the fact."""
    array.setflags(write=False)
    return array


def _simplified(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """Object arrays as arrays of text or numbers, so that labels can be sorted and compared."""
    if array.dtype.kind != "O":
        return array
    kinds = {type(value) for value in array.ravel()}
    if kinds <= {str}:
        return array.astype(np.str_)
    if all(issubclass(kind, bool | int | float | np.number | np.bool_) for kind in kinds):
        return np.array(array.tolist())
    mixed = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise InvalidValue(f"{name}: labels must be all text or all numbers, got {mixed}")


def class_table(truth: ArrayLike, table: Floats, classes: Sequence[Any], name: str) -> tuple[Ints, Floats]:
    """The place of each true label among the classes, and a table with a row per case and a column per class."""
    actual = labels("truth", truth)
    if table.shape != (actual.size, len(classes)):
        raise InvalidValue(
            f"{name} has shape {table.shape}; {actual.size} cases and {len(classes)} classes need "
            f"({actual.size}, {len(classes)})"
        )
    column = {label: index for index, label in enumerate(class_names("classes", classes))}
    strangers = [label for label in actual.tolist() if label not in column]
    if strangers:
        raise InvalidValue(f"truth holds {shown(strangers[0])}, which is not among the classes {list(classes)!r}")
    return np.array([column[label] for label in actual.tolist()], dtype=np.int64), table
