"""Many labels per case: the Hamming loss and the averages over labels.

Each label is a binary task of its own; the Hamming loss is the share of wrong cells and the exact match ratio
the share of cases with every label right (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x;
Zhang & Zhou 2014, doi:10.1109/TKDE.2013.39).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Bools, numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import document, rebuilt
from scoreproof.metrics.arrays import class_names, same_shape
from scoreproof.metrics.averaging import ClassScores, Undefined, class_scores
from scoreproof.metrics.presentation import number, small_table
from scoreproof.results import Result, SmallTable
from scoreproof.validation import shown


@dataclass(frozen=True, slots=True, eq=False)
class MultilabelEvaluation(Result):
    """Losses over all cells, and every registered score per label with its averages."""

    cases: int
    hamming_loss: float
    exact_match: float
    labels: ClassScores

    def to_dict(self) -> dict[str, Any]:
        return {"task": "multilabel", **document(self, "cases hamming_loss exact_match"), **self.labels.to_dict()}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "labels": document})

    def __str__(self) -> str:
        return (
            f"Over {self.cases} cases and {len(self.labels.labels)} labels the Hamming loss is "
            f"{number(self.hamming_loss)}; every label is right in {number(self.exact_match)} of the cases "
            f"(micro F1 {number(self.labels.micro['f1'])}, macro F1 {number(self.labels.macro['f1'])})."
        )

    def _tables(self) -> list[SmallTable]:
        overall = small_table("Overall", ["Hamming loss", "exact match"], [[self.hamming_loss, self.exact_match]])
        return [overall, *self.labels._tables()]


def evaluate_multilabel(
    truth: ArrayLike, predicted: ArrayLike, *, labels: Sequence[Any] | None = None, undefined: Undefined = "nan"
) -> MultilabelEvaluation:
    """Evaluate two tables of 0 and 1, one row per case and one column per label.

    >>> result = evaluate_multilabel([[1, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 1]], undefined="zero")
    >>> round(result.hamming_loss, 4), result.exact_match, result.labels.average("recall", "micro")
    (0.3333, 0.0, 0.6666666666666666)
    """
    actual, guessed = _cells("truth", truth), _cells("predicted", predicted)
    same_shape("truth", actual, "predicted", guessed)
    cases, k = actual.shape
    names = tuple(range(k)) if labels is None else class_names("labels", labels)
    if len(names) != k or len(set(names)) != k:
        raise InvalidOption(f"labels={shown(list(names))}: {k} different names are needed, one per column")
    tp, p, called = ((a.sum(axis=0, dtype=np.int64)) for a in (actual & guessed, actual, guessed))
    wrong = actual != guessed
    return MultilabelEvaluation(
        cases=cases,
        hamming_loss=float(wrong.mean()),
        exact_match=float((~wrong.any(axis=1)).mean()),
        labels=class_scores(names, tp=tp, fp=called - tp, fn=p - tp, tn=cases - p - called + tp, undefined=undefined),
    )


def hamming_loss(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The share of cells, over cases and labels, that differ.

    >>> hamming_loss([[1, 0], [0, 1]], [[1, 1], [0, 1]])
    0.25
    """
    actual, guessed = _cells("truth", truth), _cells("predicted", predicted)
    same_shape("truth", actual, "predicted", guessed)
    return float((actual != guessed).mean())


def _cells(name: str, values: ArrayLike) -> Bools:
    array = numbers(name, values, ndim=2)
    wrong = (array != 0) & (array != 1)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InvalidValue(f"{name}[{row}, {column}] is {array[row, column]:g}; 0 (absent) or 1 is needed")
    present: Bools = array == 1
    return present
