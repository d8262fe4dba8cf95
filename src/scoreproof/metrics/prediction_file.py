"""Predictions as people keep them: a CSV file with a header, one line per case.

Columns are found by the names people give them, and every complaint names the line and the column. Commas,
semicolons and tabs are told apart by the header; with the latter two a decimal comma is understood.
"""

from __future__ import annotations

import csv
import io
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.metrics.arrays import Floats, Ints

ROLES = {
    "truth": ("truth", "true", "y_true", "label", "true_label", "target", "actual", "class", "gold"),
    "predicted": ("predicted", "prediction", "y_pred", "pred", "predicted_label", "y_hat", "output"),
    "score": ("score", "probability", "y_score", "prob", "proba", "y_prob", "confidence"),
}
_MISSING = {"", "nan"}


@dataclass(frozen=True, slots=True)
class PredictionTable:
    """The cells of a prediction file, still text, with the line each row stands on."""

    source: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    decimal_comma: bool

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

    def text(self, column: str) -> list[str]:
        """The cells of a column, none of them missing."""
        index = self.columns.index(column)
        cells = [row[index].strip() for row in self.rows]
        for cell, line in zip(cells, self.lines, strict=True):
            if cell.lower() in _MISSING:
                raise InvalidValue(f"{self.source}, line {line}, column {column!r}: the value is missing")
        return cells

    def numbers(self, column: str) -> Floats:
        """A column of finite numbers."""
        values = []
        for cell, line in zip(self.text(column), self.lines, strict=True):
            value = _number(cell, self.decimal_comma)
            if value is None or not math.isfinite(value):
                raise InvalidValue(
                    f"{self.source}, line {line}, column {column!r}: a finite number is needed, got {cell!r}"
                )
            values.append(value)
        return np.array(values)

    def labels(self, columns: Sequence[str]) -> list[NDArray[Any]]:
        """Columns of class labels, all as whole numbers, all as truth values, or all as text."""
        cells = [self.text(column) for column in columns]
        kind = _kind(cells)
        return [np.array([as_label(cell, kind) for cell in column]) for column in cells]

    def marks(self, column: str) -> Ints:
        """A column of 0 and 1."""
        values = self.numbers(column)
        for value, line in zip(values, self.lines, strict=True):
            if value not in (0, 1):
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
    source = "standard input" if str(path) == "-" else str(path)
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InvalidValue(f"{source}: cannot be read ({error.strerror})") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidValue(f"{source}: not UTF-8 text (byte {error.start}); save it as a UTF-8 CSV file") from None
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append(tuple(cells))
                lines.append(reader.line_num)
    except csv.Error as error:
        raise InvalidValue(f"{source}, line {reader.line_num}: no proper CSV ({error})") from None
    if len(rows) < 2:
        raise InvalidValue(f"{source}: a header and at least one line of predictions are needed")
    columns = tuple(name.strip() for name in rows[0])
    if len(set(columns)) != len(columns):
        double = next(name for name in columns if columns.count(name) > 1)
        raise InvalidValue(f"{source}: two columns are called {double!r}; rename one of them")
    for row, line in zip(rows[1:], lines[1:], strict=True):
        if len(row) != len(columns):
            raise InvalidValue(f"{source}, line {line}: {len(row)} values for {len(columns)} columns")
    return PredictionTable(source, columns, tuple(rows[1:]), tuple(lines[1:]), delimiter != ",")


def as_label(cell: str, kind: type) -> Any:
    """A label from its text: a whole number, a truth value, or the text itself."""
    if kind is int:
        return int(float(cell))
    return cell.lower() == "true" if kind is bool else cell


def _kind(columns: Sequence[Sequence[str]]) -> type:
    cells = {cell for column in columns for cell in column}
    if {cell.lower() for cell in cells} <= {"true", "false"}:
        return bool
    values = [_number(cell, False) for cell in cells]
    whole = all(value is not None and math.isfinite(value) and value == int(value) for value in values)
    return int if whole else str


def _number(cell: str, decimal_comma: bool) -> float | None:
    try:
        return float(cell.replace(",", ".") if decimal_comma else cell)
    except ValueError:
        return None
