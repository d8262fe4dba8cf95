"""From labels, or from scores and a threshold, to the four counts.

Which label is "positive" decides every score that follows, so it is guessed only where there is no doubt:
0/1, False/True and -1/1. Any other pair of labels needs the user's word.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.arrays import Bools, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.metrics.arrays import labels, same_shape
from scoreproof.validation import shown


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
    """Positive where the score reaches the threshold (``score >= threshold``).

    >>> labels_from_scores([0.2, 0.5, 0.9])
    array([False,  True,  True])
    """
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
    found = sorted({value for array in checked.values() for value in np.unique(array).tolist()})
    wanted = _positive_label(found, positive, " and ".join(checked))
    return [array == wanted for array in checked.values()]


def same_kind(first: str, a: NDArray[Any], second: str, b: NDArray[Any]) -> None:
    """Refuse text against numbers: "1" and 1 would never agree."""
    if (a.dtype.kind in "US") != (b.dtype.kind in "US"):
        raise InvalidValue(
            f"{first} holds {_kind(a)} ({shown(a.ravel()[0])}) and {second} holds {_kind(b)} ({shown(b.ravel()[0])}); "
            "give both in the same form"
        )


def _kind(array: NDArray[Any]) -> str:
    return "text" if array.dtype.kind in "US" else "numbers"


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
    raise InvalidOption(
        f"which label is positive? {names} hold {seen}; say positive=..., or use 0/1, False/True or -1/1"
    )
