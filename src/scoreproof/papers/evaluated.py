"""What the predictions of one method give for the values of a table's row, under one way to read the row.

Of two labels a value without an averaging word is of the positive class; of more it is an average, and which one is a
matter of the reading, as is whether the scores of folds were averaged or their predictions pooled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.multi_class.quantities import AVERAGES
from scoreproof.limits import require_within
from scoreproof.metrics.labels import labels, matrix_of, positives, same_kind, same_shape
from scoreproof.papers.table_semantics import Report, RowKind, Value
from scoreproof.papers.true_values import ClassOutcomes, Outcomes
from scoreproof.quantities import quantity


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The outcomes of one method; ``two`` are those of two labels, one of them positive."""

    several: ClassOutcomes
    two: Outcomes | None = None
    average: str = ""  # what a value of several classes is that names no average

    @property
    def way(self) -> str:
        """The reading in words."""
        folds = len(self.several.folds)
        said = "one test set"
        if folds > 1:
            pooled = f"the predictions of {folds} folds pooled"
            said = pooled if self.several.pooled else f"mean of the scores over {folds} folds"
        return f"{said}, {self.average} averages" if self.average else said

    def tested(self, row: Report) -> list[Value]:
        """The values of a row that can be computed."""
        if row.kind is RowKind.CLASS and self.two is None:
            return []
        return [value for value in (*row.plain, *row.qualified) if self.name(value)]

    def name(self, value: Value) -> str:
        """The score that a value is; nothing if labels do not give it."""
        if self._of_two(value):
            return value.score
        if "±" in value.text:
            return ""
        name = f"{value.qualifier} {value.score}".strip()
        return next((way for way in (name, f"{self.average} {name}") if self.several.has(way)), "")

    def gives(self, value: Value, rounding: str) -> bool:
        """Whether the printed text is what the predictions give."""
        try:
            return self._source(value).gives(self.name(value), value.text, {"rounding": rounding})
        except ScoreproofError:
            return False

    def text(self, value: Value, like: str = "") -> str | None:
        """What the predictions give for the score of a value, printed like it, or like another text."""
        return self._source(value).text(self.name(value), like or value.text)

    def right(self, row: Report, rounding: str) -> int:
        """How many values of a row are right."""
        return sum(self.gives(value, rounding) for value in self.tested(row))

    def exchanged(self, value: Value, row: Report) -> Iterator[str]:
        """Other scores that would be printed as this value: of the row, the other class, another average."""
        for other in self.tested(row):
            if other is not value and self.text(other, value.text) == value.text:
                yield f"this is {self.name(other)}"
        if self.two is not None and self._of_two(value):
            if self.two.turned().text(value.score, value.text) == value.text:
                yield "of the other class"
            if "±" in value.text:
                return
        for average in AVERAGES:
            name = f"{average} {value.score}"
            another = name != self.name(value) and self.several.has(name)
            if another and self.several.text(name, value.text) == value.text:
                yield f"this is {name}"

    def _of_two(self, value: Value) -> bool:
        return self.two is not None and not value.qualifier and quantity(value.score).kind == "binary"

    def _source(self, value: Value) -> Outcomes | ClassOutcomes:
        return self.two if self.two is not None and self._of_two(value) else self.several


def evaluations(y_true: ArrayLike, y_pred: ArrayLike, folds: ArrayLike | None, positive: Any) -> list[Evaluated]:
    """The ways to read a row of predictions, the likeliest first."""
    actual, guessed = labels("y_true", y_true), labels("y_pred", y_pred)
    same_shape("y_true", actual, "y_pred", guessed)
    same_kind("y_true", actual, "y_pred", guessed)
    places = _places(folds, actual)
    several = ClassOutcomes.of([actual[own] for own in places], [guessed[own] for own in places])
    ways = [several] if len(places) == 1 else [several, replace(several, pooled=True)]
    if len(several.classes) > 2 and positive is None:
        return [Evaluated(way, None, average) for average in AVERAGES for way in ways]
    is_actual, is_guessed = positives({"y_true": y_true, "y_pred": y_pred}, positive)
    matrices = tuple(matrix_of(is_actual[own], is_guessed[own]) for own in places)
    return [Evaluated(way, Outcomes(matrices, way.pooled)) for way in ways]


def _places(folds: ArrayLike | None, cases: NDArray[Any]) -> list[NDArray[Any]]:
    """The cases of each fold; all of them without folds."""
    if folds is None:
        return [np.arange(cases.size)]
    own = labels("folds", folds)
    if own.shape != cases.shape:
        raise InvalidOption(f"folds: expected one for each of the {cases.size} cases, got {own.size}")
    known, codes = np.unique(own, return_inverse=True)
    require_within("tables", len(known), "the confusion matrices of the folds")
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])
