"""Predictions as people keep them: a CSV file with a header, one line per case.

Columns are found by the names people give them, and every complaint names the line and the column.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Floats, Ints
from scoreproof.csv_reader.columns import Columns, read_columns, whole_numbers
from scoreproof.errors import InvalidOption, InvalidValue

ROLES = {
    "truth": ("truth", "true", "y_true", "label", "true_label", "target", "actual", "class", "gold"),
    "predicted": ("predicted", "prediction", "y_pred", "pred", "predicted_label", "y_hat", "output"),
    "score": ("score", "probability", "y_score", "prob", "proba", "y_prob", "confidence"),
}


@dataclass(frozen=True, slots=True)
class PredictionTable:
    """The columns of a prediction file, found by role or by name."""

    cells: Columns

    @property
    def source(self) -> str:
        return self.cells.source

    @property
    def columns(self) -> tuple[str, ...]:
        return self.cells.names

    def find(self, role: str, wanted: str | None) -> str | None:
        """The column of a role: the one asked for, or the only one of a usual name; None if there is none."""
        if wanted is not None:
            if wanted not in self.columns:
                raise InvalidOption(f"{self.source} has no column {wanted!r}; it has {', '.join(self.columns)}")
            return wanted
        usual = [column for column in self.columns if column.strip().lower() in ROLES[role]]
        if len(usual) > 1:
            raise InvalidOption(f"{self.source}: {' and '.join(usual)} could both be the {role}; say --{role}")
        return usual[0] if usual else None

    def need(self, role: str, wanted: str | None) -> str:
        """The column of a role, or an error that lists the columns."""
        column = self.find(role, wanted)
        if column is None:
            raise InvalidOption(
                f"{self.source}: which column is the {role}? say --{role}; the columns are {', '.join(self.columns)}"
            )
        return column

    def text(self, column: str) -> Sequence[str]:
        """The cells of a column, none of them missing."""
        self._check_gaps(column)
        return self.cells.column(column)

    def _check_gaps(self, column: str) -> None:
        row = self.cells.first_missing(column)
        if row is not None:
            raise InvalidValue(f"{self.source}, line {self.cells.line(row)}, column {column!r}: the value is missing")

    def numbers(self, column: str) -> Floats:
        """A column of finite numbers."""
        values = self.cells.numbers(column)
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            where = f"{self.source}, line {self.cells.line(row)}, column {column!r}"
            raise InvalidValue(f"{where}: a finite number is needed, got {self.cells.column(column)[row]!r}")
        return values

    def labels(self, columns: Sequence[str]) -> list[NDArray[Any]]:
        """Columns of class labels, all as whole numbers, all as truth values, or all as text."""
        if all(self.cells.all_numbers(column) for column in columns):
            values = [self.cells.numbers(column, gaps=True) for column in columns]
            if all(np.isfinite(v).all() and whole_numbers(v) for v in values):
                return [v.astype(np.int64) for v in values]
        for column in columns:
            self._check_gaps(column)
        read = [self.cells.words(column) for column in columns]
        kind = _kind([words for words, _ in read])
        return [np.array([as_label(word, kind) for word in words])[places] for words, places in read]

    def marks(self, column: str) -> Ints:
        """A column of 0 and 1."""
        values = self.numbers(column)
        wrong = np.flatnonzero((values != 0) & (values != 1))
        if len(wrong):
            line, value = self.cells.line(int(wrong[0])), values[wrong[0]]
            raise InvalidValue(f"{self.source}, line {line}, column {column!r}: 0 or 1 is needed, got {value:g}")
        return values.astype(np.int64)


def read_predictions(path: str | Path) -> PredictionTable:
    """Read a prediction file; ``-`` is standard input.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "p.csv"
    >>> _ = file.write_text("truth;score\\n1;0,9\\n0;0,2\\n")
    >>> table = read_predictions(file)
    >>> table.numbers("score").tolist(), [labels.tolist() for labels in table.labels(["truth"])]
    ([0.9, 0.2], [[1, 0]])
    """
    return PredictionTable(read_columns(path))


def as_label(cell: str, kind: type) -> Any:
    """A label from its text: a whole number, a truth value, or the text itself."""
    if kind is int:
        return int(float(cell))
    return cell.lower() == "true" if kind is bool else cell


def _kind(columns: Sequence[Sequence[str]]) -> type:
    cells = {cell for column in columns for cell in column}
    if {cell.lower() for cell in cells} <= {"true", "false"}:
        return bool
    return int if all(_whole(cell) for cell in cells) else str


def _whole(cell: str) -> bool:
    try:
        value = float(cell)
    except ValueError:
        return False
    return math.isfinite(value) and value == int(value)
