"""Labels, probabilities and masks of the same cases; from labels, or scores and a threshold, to the four counts.

Which label is "positive" decides every score that follows, so it is guessed only where there is no doubt: 0/1,
False/True and -1/1. Any other pair of labels needs the user's word. Numbers read with a word where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import Bools, Floats, Ints, as_array, numbers, place
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.limits import require_digits
from scoreproof.results import SmallTable
from scoreproof.validation import shown

MATRIX = "True (rows) and predicted (columns) classes"
BLUE, GREY, RED = "#1f5a96", "#8a8a8a", "#b5452c"  # of figures


def number(value: float, digits: int = 4) -> str:
    """A value for people: enough digits, and words where there is no number."""
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0 else "minus infinite"
    if value != 0 and not 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}"
    return f"{value:.{digits}f}"


def small_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> SmallTable:
    """A small table to show; numbers are formatted as ``number`` does."""
    shown = [[number(value) if isinstance(value, float) else value for value in row] for row in rows]
    return SmallTable(shown, header, caption)


def labels(name: str, values: ArrayLike, *, ndim: int = 1) -> NDArray[Any]:
    """Class labels: numbers, truth values or text, none of them missing; objects as what they are."""
    array = as_array(name, values)
    if array.ndim != ndim or array.size == 0:
        dimensions = f"{ndim} dimension{'s' * (ndim != 1)}"
        raise InvalidValue(f"{name} has shape {array.shape}: expected {dimensions} and at least one case")
    if array.dtype.kind in "cV":
        raise InvalidValue(f"{name}: expected labels that are texts or real numbers, got {array.dtype}")
    missing = np.isnan(array) if array.dtype.kind == "f" else np.zeros(array.shape, dtype=bool)
    if array.dtype.kind == "O":
        gaps = [value is None or (isinstance(value, float) and np.isnan(value)) for value in array.ravel()]
        missing = np.array(gaps).reshape(array.shape)
    if missing.any():
        where = tuple(np.argwhere(missing)[0])
        raise InvalidValue(f"{place(name, where)} is {array[where]}; every case needs a label")
    if array.dtype.kind != "O":
        return array
    kinds = {type(value) for value in array.ravel()}
    if kinds <= {str}:
        return array.astype(np.str_)
    if all(issubclass(kind, bool | int | float | np.number | np.bool_) for kind in kinds):
        return np.array(array.tolist())
    mixed = ", ".join(sorted(kind.__name__ for kind in kinds))
    raise InvalidValue(f"{name}: labels must be all text or all numbers, got {mixed}")


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
        raise InvalidValue(f"{first} has shape {a.shape} and {second} {b.shape}; expected the same cases, in one order")


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


def class_table(truth: ArrayLike, table: Floats, classes: Sequence[Any], name: str) -> tuple[Ints, Floats]:
    """The place of each true label among the classes, and a table with a row per case and a column per class."""
    actual = labels("truth", truth)
    if table.shape != (actual.size, len(classes)):
        raise InvalidValue(f"{name} has shape {table.shape}; expected ({actual.size}, {len(classes)}) cells")
    column = {label: index for index, label in enumerate(class_names("classes", classes))}
    strangers = [label for label in actual.tolist() if label not in column]
    if strangers:
        raise InvalidValue(f"truth holds {shown(strangers[0])}, which is not among the classes {list(classes)!r}")
    return np.array([column[label] for label in actual.tolist()], dtype=np.int64), table


def confusion_matrix(truth: ArrayLike, predicted: ArrayLike, *, positive: Any = None) -> ConfusionMatrix:
    """The four counts of predicted against true labels.

    ``positive`` names the positive label; it may be left out for 0/1, False/True and -1/1. A truth of one
    class only is allowed: the scores that need the other class are then undefined.

    >>> confusion_matrix(["ill", "ill", "well"], ["ill", "well", "well"], positive="ill")
    ConfusionMatrix(tp=1, fp=0, fn=1, tn=1)
    """
    actual, guessed = positives({"truth": truth, "predicted": predicted}, positive)
    return matrix_of(actual, guessed)


def labels_from_scores(scores: ArrayLike, threshold: float = 0.5) -> Bools:
    """Positive where the score reaches the threshold (``score >= threshold``)."""
    array = numbers("scores", scores)
    if math.isnan(threshold):
        raise InvalidOption("threshold is nan; give a number on the scale of the scores")
    result: Bools = array >= float(threshold)
    return result


def matrix_of(actual: Bools, guessed: Bools) -> ConfusionMatrix:
    """The four counts of two arrays of truth values."""
    tp = int(np.count_nonzero(actual & guessed))
    p, called = int(np.count_nonzero(actual)), int(np.count_nonzero(guessed))
    return ConfusionMatrix(tp=tp, fp=called - tp, fn=p - tp, tn=actual.size - p - called + tp)


def positives(arrays: dict[str, ArrayLike], positive: Any = None) -> list[Bools]:
    """Each array of labels as truth values, all by the same positive label."""
    checked = {name: labels(name, values) for name, values in arrays.items()}
    (first, a), *rest = checked.items()
    for second, b in rest:
        same_shape(first, a, second, b)
        same_kind(first, a, second, b)
    values = sorted({value for array in checked.values() for value in np.unique(array).tolist()})
    wanted = _positive_label(values, positive, " and ".join(checked))
    return [array == wanted for array in checked.values()]


def same_kind(first: str, a: NDArray[Any], second: str, b: NDArray[Any]) -> None:
    """Refuse text against numbers: "1" and 1 would never agree."""
    kinds = ["text" if array.dtype.kind in "US" else "numbers" for array in (a, b)]
    if kinds[0] != kinds[1]:
        raise InvalidValue(
            f"{first} holds {kinds[0]} ({shown(a.ravel()[0])}) and {second} holds {kinds[1]} ({shown(b.ravel()[0])}); "
            "give both in the same form"
        )


def _positive_label(present: list[Any], positive: Any, names: str) -> Any:
    seen = ", ".join(map(shown, present[:5])) + (", ..." if len(present) > 5 else "")
    if len(present) > 2:
        raise InvalidValue(f"{names} hold {len(present)} different labels ({seen}); a binary task has two")
    if positive is not None:
        if not isinstance(positive, str | int | float | np.generic):
            raise InvalidOption(f"positive: expected one of the labels ({seen}), got {shown(positive)}")
        if len(present) == 2 and positive not in present:
            raise InvalidOption(f"positive={shown(positive)} is not among the labels of {names} ({seen})")
        return positive
    if set(present) <= {0, 1} or set(present) <= {-1, 1}:
        return 1
    raise InvalidOption(f"which label is positive? {names} hold {seen}; say positive=..., or use 0/1 or -1/1")
