"""Before submission: every printed cell beside what the predictions give.

A cell that is not what they give is named with the slip that would explain it: digits swapped, a column exchanged, the
other class, another way of averaging, another rounding. The correct row is written as the table would have it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from scoreproof.audits.true_values import Outcomes
from scoreproof.documents import Interpretation, Report, Table, Tables, Value, interpret, read_tables
from scoreproof.documents.readers.frame import PandasFrame
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.explanation.slips import text_slips
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.metrics.arrays import labels
from scoreproof.metrics.two_classes import matrix_of, positives
from scoreproof.quantities import quantity
from scoreproof.reported import Rounding, report
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.validation import chosen, shown


@dataclass(frozen=True, slots=True)
class CheckedCell(Result):
    """A printed score: what the predictions give with its digits, whether it is that, and which slip it may be."""

    table: int
    row: str
    score: str
    printed: str
    correct: str
    fits: bool
    slip: str = ""

    def __str__(self) -> str:
        if self.fits:
            return f"{self.row}, {self.score}: {self.printed} is right"
        because = f" ({self.slip})" if self.slip else ""
        return f"{self.row}, {self.score}: printed {self.printed}, the predictions give {self.correct}{because}"


@dataclass(frozen=True, slots=True)
class SelfCheck(Tabular):
    """The printed cells of rows, compared with predictions; ``corrected`` are these rows as they should read.

    ``untested`` names rows and scores that nothing was compared with.
    """

    cells: tuple[CheckedCell, ...]
    corrected: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    untested: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[CheckedCell, ...]:
        return tuple(cell for cell in self.cells if not cell.fits)

    def __bool__(self) -> bool:
        """Whether every cell that was compared is right; false if none was."""
        return bool(self.cells) and not self.wrong

    def __str__(self) -> str:
        if not self.cells:
            return "no printed score could be compared with the predictions"
        right = len(self.cells) - len(self.wrong)
        said = f"{right} of {len(self.cells)} printed scores are what the predictions give"
        return "; ".join([said, *map(str, self.wrong)])

    def _rows(self) -> list[dict[str, Any]]:
        names = ("table", "row", "score", "printed", "correct", "fits", "slip")
        return [{name: getattr(cell, name) for name in names} for cell in self.cells]

    def _tables(self) -> list[SmallTable]:
        rows = [(c.row, c.score, c.printed, c.correct, "right" if c.fits else c.slip or "wrong") for c in self.cells]
        return [SmallTable(rows, ("row", "score", "printed", "correct", "is"))] if rows else []


def selfcheck(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    table: str | os.PathLike[str] | PandasFrame | Table | Tables,
    *,
    row: str | None = None,
    folds: ArrayLike | None = None,
    positive: Any = None,
    rounding: str = "nearest",
) -> SelfCheck:
    """Compare the printed cells of a table with what predictions give.

    ``y_pred`` are the predicted labels of one method, or of several by the labels of their rows. ``table`` is a paper,
    a text, a data frame or a table. ``row`` names the row of the one method; without it the row is taken that fits
    best. ``folds`` says to which fold each case belongs. ``positive`` names the positive label where it is not 1.

    >>> checked = selfcheck([1, 1, 1, 0, 0], [1, 1, 0, 0, 1], "Method,Acc,Sens\\nA,0.60,0.76\\n")
    >>> print(checked.wrong[0])
    A, sens: printed 0.76, the predictions give 0.67 (two digits swapped)
    >>> bool(checked), checked.corrected
    (False, ('A,0.60,0.67',))
    """
    if row is not None and not isinstance(row, str):
        raise InvalidOption(f"row: expected the label of a row, got {shown(row)}")
    chosen("rounding", rounding, [str(rule) for rule in Rounding])
    tables = _tables(table)
    meant = [interpret(one) for one in tables]
    methods = y_pred if isinstance(y_pred, Mapping) else {row or "": y_pred}
    if row is not None and isinstance(y_pred, Mapping):
        raise InvalidOption("row: expected nothing beside predictions that are given by their rows")
    cells: list[CheckedCell] = []
    corrected, ways, untested = [], [], []
    for label, predicted in methods.items():
        matrices = _matrices(y_true, predicted, folds, positive)
        rows = _rows_of(meant, str(label), matrices, rounding)
        if not rows:
            untested.append(f"{label or 'the predictions'}: no row of a table fits them or has this name")
        for place, found, one in rows:
            outcomes = _best(one, matrices, rounding)
            own, left = _compared(place, one, outcomes, matrices, rounding)
            cells += own
            ways.append(f"{one.label}: {outcomes.way}")
            untested += [f"{one.label}: {name} cannot be computed from labels" for name in left]
            corrected.append(_written(tables[place], found, one, own))
    return SelfCheck(tuple(cells), tuple(corrected), tuple(ways), tuple(untested))


def _tables(given: Any) -> Tables:
    if isinstance(given, Tables):
        return given
    return Tables((given,)) if isinstance(given, Table) else read_tables(given)


def _matrices(y_true: Any, y_pred: Any, folds: Any, positive: Any) -> tuple[ConfusionMatrix, ...]:
    import numpy as np

    actual, guessed = positives({"y_true": y_true, "y_pred": y_pred}, positive)
    if folds is None:
        return (matrix_of(actual, guessed),)
    places = labels("folds", folds)
    if places.shape != actual.shape:
        raise InvalidOption(f"folds: expected one for each of the {actual.size} cases, got {places.size}")
    return tuple(matrix_of(actual[places == fold], guessed[places == fold]) for fold in np.unique(places))


Found = tuple[int, Interpretation, Report]


def _rows_of(
    meant: Sequence[Interpretation], label: str, matrices: tuple[ConfusionMatrix, ...], rounding: str
) -> list[Found]:
    """The rows of a label; without one the row in which most cells are right."""
    every = [(place, found, one) for place, found in enumerate(meant) for one in found.reports if _tested(one)]
    if label:
        return [each for each in every if label in (each[2].label, each[2].label.split(" / ")[-1])]
    if len(every) <= 1:
        return every
    ranked = sorted(every, key=lambda each: -_right(each[2], _best(each[2], matrices, rounding), rounding))
    first, second = (_right(one, _best(one, matrices, rounding), rounding) for _, _, one in ranked[:2])
    if first == second:
        names = ", ".join(repr(one.label) for _, _, one in every[:8])
        raise InvalidOption(f"row: expected the row that the predictions are of; the rows are {names}")
    return ranked[:1]


def _tested(one: Report) -> list[Value]:
    """The values of a row that are scores of one confusion matrix."""
    return [value for value in one.plain if quantity(value.score).kind == "binary"]


def _options(rounding: str) -> dict[str, Any]:
    return {"rounding": rounding}


def _right(one: Report, outcomes: Outcomes, rounding: str) -> int:
    return sum(_gives(outcomes, value, rounding) for value in _tested(one))


def _gives(outcomes: Outcomes, value: Value, rounding: str) -> bool:
    try:
        return outcomes.gives(value.score, value.text, _options(rounding))
    except ScoreproofError:
        return False


def _best(one: Report, matrices: tuple[ConfusionMatrix, ...], rounding: str) -> Outcomes:
    """The way of averaging that makes most cells right; the mean over folds where both do."""
    ways = [Outcomes(matrices)] if len(matrices) == 1 else [Outcomes(matrices), Outcomes(matrices, pooled=True)]
    return max(ways, key=lambda way: _right(one, way, rounding))


def _compared(
    place: int, one: Report, outcomes: Outcomes, matrices: tuple[ConfusionMatrix, ...], rounding: str
) -> tuple[list[CheckedCell], list[str]]:
    cells = []
    tested = _tested(one)
    for value in tested:
        correct = outcomes.text(value.score, value.text) or "undefined"
        fits = _gives(outcomes, value, rounding)
        slip = "" if fits else _slip(value, tested, outcomes, matrices, rounding, correct)
        cells.append(CheckedCell(place, one.label, value.score, value.text, correct, fits, slip))
    names = {value.score for value in tested}
    return cells, [value.score for value in one.plain if value.score not in names]


def _slip(
    value: Value,
    row: Sequence[Value],
    outcomes: Outcomes,
    matrices: tuple[ConfusionMatrix, ...],
    rounding: str,
    correct: str,
) -> str:
    """What may have gone wrong, the plainest cause first."""
    if rounding != "any" and _gives(outcomes, value, "any"):
        return "cut off or rounded up, not rounded to nearest"
    for other in row:
        if other.score != value.score and outcomes.text(other.score, value.text) == value.text:
            return f"this is {other.score}"
    if _gives(outcomes.turned(), value, rounding):
        return "of the other class"
    if len(matrices) > 1 and _gives(Outcomes(matrices, pooled=not outcomes.pooled), value, rounding):
        return f"this is {Outcomes(matrices, pooled=not outcomes.pooled).way}"
    claim = report(value.score, value.text)
    slips = [str(slip) for slip, text in text_slips(claim) if text.strip() == correct]
    return slips[-1] if slips else ""


def _written(table: Table, found: Interpretation, one: Report, cells: Sequence[CheckedCell]) -> str:
    """The row of the table with its wrong cells corrected, in the table's own format."""
    if found.transposed:
        return ", ".join(f"{cell.score} {cell.correct}" for cell in cells)
    by_score = {cell.score: cell for cell in cells}
    texts = list(table.rows[one.row])
    for value in _tested(one):
        cell = by_score[value.score]
        if not cell.fits:
            correct = cell.correct if "%" in value.cell.raw else cell.correct.replace("%", "")
            texts[value.place[1]] = correct
    if table.format == "latex":
        return " & ".join(text.replace("%", r"\%").replace("±", r"$\pm$") for text in texts) + r" \\"
    if table.format in ("csv", "tsv"):
        return ("\t" if table.format == "tsv" else ",").join(texts)
    return f"| {' | '.join(texts)} |"
