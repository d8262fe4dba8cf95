"""What the tests accept: finite vectors, pairs, score tables, binary labels.

A missing value is never dropped silently, because dropping a case for one model but not for the other breaks
the pairing every test of this package rests on (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x).
The error says where it is instead.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Literal, cast, get_args

import numpy as np
import numpy.typing as npt

from scoreproof.errors import InvalidOption, InvalidValue

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Alternative = Literal["two-sided", "greater", "less"]

_LARGEST_COUNT = 10**15


def vector(name: str, values: npt.ArrayLike, *, at_least: int = 1, infinite: bool = False, why: str = "") -> FloatArray:
    """A one-dimensional array of numbers; NaN (and, unless allowed, infinity) is an error that says where.

    >>> vector("x", [1, 2, 3])
    array([1., 2., 3.])
    """
    array = _numbers(name, values)
    if array.ndim != 1:
        raise InvalidValue(
            f"{name} has shape {array.shape}: expected one dimension, one number per case; flatten it first"
        )
    _refuse_missing(name, array, infinite=infinite)
    if array.size < at_least:
        reason = f" ({why})" if why else ""
        raise InvalidValue(f"{name} has {array.size} values: expected at least {at_least}{reason}; give more")
    return array


def pair(
    x: npt.ArrayLike, y: npt.ArrayLike, *, names: tuple[str, str] = ("x", "y"), at_least: int = 1, why: str = ""
) -> tuple[FloatArray, FloatArray]:
    """Two vectors of one length: the same cases, in the same order."""
    first = vector(names[0], x, at_least=at_least, why=why)
    second = vector(names[1], y, at_least=at_least, why=why)
    same_length(names[0], first, names[1], second)
    return first, second


def same_length(name: str, first: npt.NDArray[Any], other: str, second: npt.NDArray[Any]) -> None:
    """Paired values must come in pairs."""
    if len(first) != len(second):
        raise InvalidValue(
            f"{name} has {len(first)} values but {other} has {len(second)}: expected the same cases in the same order"
        )


def score_table(values: npt.ArrayLike, *, at_least: tuple[int, int] = (2, 2)) -> FloatArray:
    """A table with one row per data set (or fold) and one column per model.

    >>> score_table([[0.8, 0.9], [0.7, 0.75]]).shape
    (2, 2)
    """
    table = _numbers("scores", values)
    if table.ndim != 2:
        raise InvalidValue(
            f"scores has shape {table.shape}: expected two dimensions, a row per data set and a column per model"
        )
    _refuse_missing("scores", table, infinite=False)
    for axis, what in enumerate(("data sets (rows)", "models (columns)")):
        if table.shape[axis] < at_least[axis]:
            raise InvalidValue(
                f"scores has {table.shape[axis]} {what}: expected at least {at_least[axis]}; "
                "with fewer there is nothing to compare"
            )
    return table


def groups(values: Sequence[npt.ArrayLike], *, at_least: int = 2) -> list[FloatArray]:
    """Two or more vectors, not necessarily of one length."""
    found = [vector(f"group {i + 1}", v, at_least=at_least) for i, v in enumerate(values)]
    if len(found) < 2:
        raise InvalidValue(f"{len(found)} group given: expected at least 2; with one there is nothing to compare")
    return found


def binary_labels(name: str, values: npt.ArrayLike, *, positive: Hashable | None = None) -> BoolArray:
    """True for the positive cases. Labels are 0/1, -1/1 or booleans; any others need ``positive=``.

    >>> binary_labels("truth", ["ill", "well"], positive="ill")
    array([ True, False])
    """
    array = np.asarray(values)
    if array.ndim != 1:
        raise InvalidValue(f"{name} has shape {array.shape}: expected one dimension, one label per case")
    if array.size == 0:
        raise InvalidValue(f"{name} is empty: expected one label per case")
    if array.dtype.kind == "f":
        _refuse_missing(name, array, infinite=False)
    if positive is not None:
        hits = holds_label(array, positive)
        if not hits.any():
            raise InvalidValue(f"{name} never holds the positive label {positive!r}: expected one of {_sample(array)}")
        return hits
    if array.dtype == np.bool_:
        return cast(BoolArray, array)
    if array.dtype.kind in "iuf":
        ones = cast(BoolArray, array == 1)
        rest = array[~ones]
        if rest.size == 0 or bool(np.all(rest == 0)) or bool(np.all(rest == -1)):
            return ones
    raise InvalidValue(
        f"{name} holds {_sample(array)}: expected 0/1, -1/1 or booleans; for other labels say which is positive"
    )


def holds_label(array: npt.NDArray[Any], label: Hashable) -> BoolArray:
    """Where an array of labels holds this one; 1, 1.0 and True are one label, and so are "a" and numpy's "a".

    >>> holds_label(np.array([0.0, 1.0]), 1)
    array([False,  True])
    """
    numbers = isinstance(label, int | float | np.number | np.bool_) and array.dtype.kind in "biuf"
    found = array == label if numbers else array.astype(str) == str(label)
    return np.asarray(found, dtype=np.bool_)


def both_classes(name: str, truth: BoolArray, *, at_least: int = 1, why: str = "") -> tuple[int, int]:
    """The numbers of positives and negatives, both at least ``at_least``."""
    positives = int(np.count_nonzero(truth))
    negatives = truth.size - positives
    if min(positives, negatives) < at_least:
        raise InvalidValue(
            f"{name} holds {positives} positive and {negatives} negative cases: "
            f"expected at least {at_least} of each{f' ({why})' if why else ''}; "
            "an AUC ranks positives against negatives"
        )
    return positives, negatives


def without_noise(value: float, scale: float) -> float:
    """A difference of numbers as large as ``scale``; what is only float noise is 0.

    >>> without_noise(5.55e-17, 0.3), without_noise(0.1, 0.3)
    (0.0, 0.1)
    """
    return 0.0 if abs(value) <= 8 * np.finfo(np.float64).eps * abs(scale) else value


def whole(name: str, value: object, *, at_least: int = 0) -> int:
    """A count: 3, 3.0 and numpy's 3 are fine, 3.5, "3" and True are not."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InvalidValue(f"{name} = {value!r}: expected a whole number, at least {at_least}")
    infinite = not isinstance(value, int) and not np.isfinite(value)
    if infinite or value != int(value) or value < at_least:
        raise InvalidValue(f"{name} = {value}: expected a whole number, at least {at_least}")
    if value > _LARGEST_COUNT:
        raise InvalidValue(f"{name} is above {_LARGEST_COUNT:.0e}: expected a number of cases that can exist")
    return int(value)


def fraction(name: str, value: object, *, closed: bool = False) -> float:
    """A number between 0 and 1; the ends count only when ``closed``."""
    bounds = "[0, 1]" if closed else "(0, 1)"
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise InvalidOption(f"{name} = {value!r}: expected a number in {bounds}")
    number = float(value)
    inside = 0 <= number <= 1 if closed else 0 < number < 1
    if not inside:
        raise InvalidOption(f"{name} = {number:g}: expected a number in {bounds}")
    return number


def chosen(name: str, value: str, allowed: Sequence[str]) -> str:
    """One of a few words."""
    if value not in allowed:
        raise InvalidOption(f"{name} = {value!r}: expected one of {', '.join(allowed)}")
    return value


def one_of_alternatives(value: str) -> Alternative:
    """The direction of a test, checked."""
    return cast(Alternative, chosen("alternative", value, get_args(Alternative)))


def model_names(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The names given, or "model 1", "model 2"...

    >>> model_names(None, 2)
    ('model 1', 'model 2')
    """
    if names is None:
        return tuple(f"model {i + 1}" for i in range(count))
    if isinstance(names, str) or len(names) != count:
        raise InvalidOption(f"models = {names!r}: expected {count} names, one per column")
    texts = tuple(str(n) for n in names)
    if len(set(texts)) < count:
        raise InvalidOption(f"models = {', '.join(texts)}: expected a different name for each")
    return texts


def position(model: str | int, names: Sequence[str]) -> int:
    """Where a model stands, by its name or its number from 0.

    >>> position("B", ["A", "B"]), position(0, ["A", "B"])
    (1, 0)
    """
    if isinstance(model, int) and 0 <= model < len(names):
        return model
    if model in names:
        return names.index(str(model))
    raise InvalidOption(f"control = {model!r}: expected one of {', '.join(names)}")


def _numbers(name: str, values: npt.ArrayLike) -> FloatArray:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InvalidValue(f"{name} holds masked values: expected numbers; drop those cases from every model")
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidValue(f"{name} is ragged: expected rows of one length") from None
    if array.dtype.kind in "biuf":
        return array.astype(np.float64, copy=False)
    if array.dtype.kind == "O":
        for index, value in np.ndenumerate(array):
            if value is None:
                raise InvalidValue(f"{_place(name, index)} is missing (None): {_MISSING}")
    try:
        if array.dtype.kind == "c":
            raise TypeError
        return array.astype(np.float64)
    except (TypeError, ValueError):
        raise InvalidValue(f"{name} holds {_sample(array.ravel())}: expected real numbers") from None


_MISSING = "expected a number; fill the gap or drop the case from every model, and say so in the paper"


def _refuse_missing(name: str, array: FloatArray, *, infinite: bool) -> None:
    bad = np.isnan(array) if infinite else ~np.isfinite(array)
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        more = int(bad.sum()) - 1
        others = f" (and {more} more)" if more else ""
        what = "NaN" if np.isnan(array[index]) else "infinite"
        raise InvalidValue(f"{_place(name, index)} is {what}{others}: {_MISSING}")


def _place(name: str, index: tuple[int, ...]) -> str:
    return f"{name}[{', '.join(str(i) for i in index)}]"


def _sample(array: npt.NDArray[Any]) -> str:
    seen = list(dict.fromkeys(str(v) for v in array[:1000]))
    return ", ".join(seen[:5]) + (", ..." if len(seen) > 5 else "") if seen else "nothing"
