"""What metrics, tests and questions accept: finite numbers, pairs, tables, labels, counts, shares.

A missing value is never dropped silently: most array functions carry it along, and dropping a case for one model but
not for the other breaks the pairing of cases (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x). The error
says where it is instead.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from scoreproof.errors import InvalidValue
from scoreproof.validation import shown, whole

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Alternative = Literal["two-sided", "greater", "less"]

_MOST_DECIMALS = 300  # floats have no more
_MISSING = "expected a number; fill the gap or drop the case everywhere"


def numbers(
    name: str, values: npt.ArrayLike, *, ndim: int = 1, at_least: int = 1, infinite: bool = False, why: str = ""
) -> Floats:
    """An array of numbers; NaN (and, unless allowed, infinity) is an error that says where.

    >>> numbers("x", [1, 2, 3])
    array([1., 2., 3.])
    >>> numbers("truth", [1, float("nan")])
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidValue: truth[1] is NaN: expected a number; fill the gap or drop the case everywhere
    """
    array = _numbers(name, values)
    if array.ndim != ndim:
        raise InvalidValue(
            f"{name} has shape {array.shape}: expected {ndim} dimension{'s' * (ndim != 1)}; reshape it first"
        )
    _refuse_missing(name, array, infinite=infinite)
    if array.size < at_least:
        reason = f" ({why})" if why else ""
        raise InvalidValue(f"{name} has {array.size} values: expected at least {at_least}{reason}; give more")
    return array


def pair(x: npt.ArrayLike, y: npt.ArrayLike, *, at_least: int = 1, why: str = "") -> tuple[Floats, Floats]:
    """Two vectors of one length: the same cases, in the same order."""
    first, second = numbers("x", x, at_least=at_least, why=why), numbers("y", y, at_least=at_least, why=why)
    same_length("x", first, "y", second)
    return first, second


def same_length(name: str, first: npt.NDArray[Any], other: str, second: npt.NDArray[Any]) -> None:
    """Paired values must come in pairs."""
    if not first.ndim or not second.ndim:
        raise InvalidValue(f"{name} and {other}: expected several values each, one for each case; got a single one")
    if len(first) != len(second):
        raise InvalidValue(
            f"{name} has {len(first)} values but {other} has {len(second)}: expected the same cases in the same order"
        )


def score_table(values: npt.ArrayLike, *, at_least: tuple[int, int] = (2, 2)) -> Floats:
    """A table with one row per data set (or fold) and one column per model.

    >>> score_table([[0.8, 0.9], [0.7, 0.75]]).shape
    (2, 2)
    """
    table = numbers("scores", values, ndim=2, at_least=0)
    for axis, what in enumerate(("data sets (rows)", "models (columns)")):
        if table.shape[axis] < at_least[axis]:
            raise InvalidValue(
                f"scores has {table.shape[axis]} {what}: expected at least {at_least[axis]}; "
                "with fewer there is nothing to compare"
            )
    return table


def groups(values: Sequence[npt.ArrayLike], *, at_least: int = 2) -> list[Floats]:
    """Two or more vectors, not necessarily of one length."""
    samples = [numbers(f"group {i + 1}", v, at_least=at_least) for i, v in enumerate(values)]
    if len(samples) < 2:
        raise InvalidValue(f"{len(samples)} group given: expected at least 2; with one there is nothing to compare")
    return samples


def binary_labels(name: str, values: npt.ArrayLike, *, positive: Hashable | None = None) -> Bools:
    """True for the positive cases. Labels are 0/1, -1/1 or booleans; any others need ``positive=``.

    >>> binary_labels("truth", ["ill", "well"], positive="ill")
    array([ True, False])
    """
    array = as_array(name, values)
    if array.ndim != 1:
        raise InvalidValue(f"{name} has shape {array.shape}: expected one dimension, one label per case")
    if array.size == 0:
        raise InvalidValue(f"{name} is empty: expected one label per case")
    if array.dtype.kind == "f":
        _refuse_missing(name, array, infinite=False)
    if positive is not None:
        hits = holds_label(array, positive)
        if not hits.any():
            raise InvalidValue(
                f"{name} never holds the positive label {shown(positive)}: expected one of {_sample(array)}"
            )
        return hits
    if array.dtype == np.bool_:
        return cast(Bools, array)
    if array.dtype.kind in "iuf":
        ones = cast(Bools, array == 1)
        rest = array[~ones]
        if rest.size == 0 or bool(np.all(rest == 0)) or bool(np.all(rest == -1)):
            return ones
    raise InvalidValue(
        f"{name} holds {_sample(array)}: expected 0/1, -1/1 or booleans; for other labels say which is positive"
    )


def holds_label(array: npt.NDArray[Any], label: Hashable) -> Bools:
    """Where an array of labels holds this one; 1, 1.0 and True are one label, and so are "a" and numpy's "a".

    >>> holds_label(np.array([0.0, 1.0]), 1)
    array([False,  True])
    """
    alike = isinstance(label, int | float | np.number | np.bool_) and array.dtype.kind in "biuf"
    return np.asarray(array == label if alike else texts(array) == written(label), dtype=np.bool_)


def texts(array: npt.NDArray[Any]) -> npt.NDArray[np.str_]:
    """Labels as texts."""
    if array.dtype.kind == "O":
        return np.array(list(map(written, array.ravel())), dtype=np.str_).reshape(array.shape)
    if array.dtype.kind == "S":
        return np.char.decode(array, "utf-8", "replace")
    if array.dtype.kind == "V":
        raise InvalidValue("labels: expected numbers, truth values or texts, got records")
    return array.astype(str)


def written(label: Any) -> str:
    """A label as a text; numbers of thousands of digits have none."""
    try:
        return str(label)
    except (ValueError, RecursionError):
        return shown(label)


def both_classes(name: str, truth: Bools, *, at_least: int = 1, why: str = "") -> tuple[int, int]:
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


def rounded(values: Floats, decimals: int | None) -> Floats:
    """The values to so many digits after the point; as they are without a number.

    >>> rounded(np.array([0.1 + 0.2]), 9)
    array([0.3])
    """
    if decimals is None:
        return values
    return np.asarray(np.round(values, whole("decimals", decimals, at_most=_MOST_DECIMALS)), dtype=np.float64)


def midranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing their mean.

    >>> midranks(np.array([3.0, 1.0, 3.0]))
    array([2.5, 1. , 2.5])
    """
    _, inverse, sizes = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - (sizes - 1) / 2)[inverse.reshape(-1)], dtype=np.float64)


def correlation(x: Floats, y: Floats) -> float:
    """Pearson's correlation; NaN if either array is constant."""
    if not np.ptp(x) or not np.ptp(y):
        return math.nan
    # As shares of the largest: squares of denormal numbers are 0, those of huge ones infinite.
    a, b = (v / np.max(np.abs(v)) for v in (x, y))
    a, b = a - a.mean(), b - b.mean()
    a, b = (v / np.max(np.abs(v)) for v in (a, b))
    return min(1.0, max(-1.0, float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))))


def as_array(name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """The values as an array; masked ones and rows of different lengths make none."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        where = place(name, tuple(np.argwhere(np.ma.getmaskarray(values))[0]))
        raise InvalidValue(f"{where} is masked: expected numbers; drop those cases everywhere")
    try:
        return np.asarray(values)
    except (ValueError, RecursionError):
        raise InvalidValue(f"{name} is ragged: expected rows of one length") from None


def _numbers(name: str, values: npt.ArrayLike) -> Floats:
    array = as_array(name, values)
    if array.dtype.kind in "biuf":
        return array.astype(np.float64, copy=False)
    if array.dtype.kind == "O":
        for index, value in np.ndenumerate(array):
            if value is None:
                raise InvalidValue(f"{place(name, index)} is missing (None): {_MISSING}")
    try:
        if array.dtype.kind in "cSU":
            raise TypeError
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError, RecursionError, ArithmeticError):
        raise InvalidValue(f"{name} holds {_sample(array.ravel())}: expected real numbers") from None


def _refuse_missing(name: str, array: Floats, *, infinite: bool) -> None:
    bad = np.isnan(array) if infinite else ~np.isfinite(array)
    if bad.any():
        index = tuple(int(i) for i in np.argwhere(bad)[0])
        more = int(bad.sum()) - 1
        others = f" (and {more} more)" if more else ""
        what = "NaN" if np.isnan(array[index]) else "infinite"
        raise InvalidValue(f"{place(name, index)} is {what}{others}: {_MISSING}")


def place(name: str, index: tuple[int, ...]) -> str:
    """An element as it is written: truth[3], or matrix[0, 1]."""
    return f"{name}[{', '.join(str(i) for i in index)}]"


def _sample(array: npt.NDArray[Any]) -> str:
    seen = list(dict.fromkeys(map(written, array[:1000])))
    return ", ".join(seen[:5]) + (", ..." if len(seen) > 5 else "") if seen else "nothing"
