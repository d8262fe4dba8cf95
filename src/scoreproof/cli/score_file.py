"""CSV in: a table of scores or of predictions, a column for each model.

The first line names the columns; commas, semicolons, tabs and bars separate them, and with semicolons a
decimal comma is understood. A cell that is not a number, or not there, is an error that names its line and
column.
"""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scoreproof.errors import InvalidOption, InvalidValue

ROW_NAMES = frozenset({"", "data set", "dataset", "data_set", "fold", "run", "case", "id", "index", "image", "query"})
TRUTH_NAMES = ("truth", "y_true", "true", "label", "target", "gold", "y", "class")
_SEPARATORS = ",;\t|"
_MISSING = frozenset({"", "na", "n/a", "nan", "none", "null", "-", "?"})


@dataclass(frozen=True, slots=True)
class ScoreFile:
    """The columns of a CSV file, as text."""

    source: str
    separator: str
    columns: dict[str, tuple[str, ...]]
    lines: tuple[int, ...]

    def pick(self, names: str | None, *, leave: str | None = None) -> list[str]:
        """The model columns: those named, or all that are neither the truth nor names of rows."""
        if names is not None:
            chosen = [n.strip() for n in names.split(",") if n.strip()]
            for name in chosen:
                self.column(name)
            return chosen
        found = [name for name in self.columns if name != leave]
        if found and (found[0].strip().lower() in ROW_NAMES or not self._numeric(found[0])) and len(found) > 1:
            words = leave is not None and found[0].strip().lower() not in ROW_NAMES
            # Predictions may be words; then only the header can say that the first column names the rows.
            found = found if words else found[1:]
        return found

    def column(self, name: str) -> tuple[str, ...]:
        if name not in self.columns:
            raise InvalidOption(f"{self.source}: no column {name!r}: expected one of {', '.join(self.columns)}")
        return self.columns[name]

    def truth(self, name: str | None) -> str | None:
        """The column with the true labels: the one named, or one with a telling header."""
        if name is not None:
            self.column(name)
            return name
        lower = {column.strip().lower(): column for column in reversed(self.columns)}
        return next((lower[word] for word in TRUTH_NAMES if word in lower), None)

    def two_valued(self, name: str) -> bool:
        """Whether a column could hold binary labels."""
        return len({text.strip() for text in self.column(name)}) == 2

    def label(self, text: str | None, column: str | None) -> str | float | None:
        """A label as its column holds it: a number where all of them are."""
        if text is None or column is None or not self._numeric(column):
            return text
        number = self._number(text)
        return text if number is None else number

    def numbers(self, name: str) -> npt.NDArray[np.float64]:
        """A column as numbers; percentages count as fractions."""
        values = np.empty(len(self.lines))
        for i, text in enumerate(self.column(name)):
            number = self._number(text)
            if number is None:
                what = "is missing" if text.strip().lower() in _MISSING else f"holds {text.strip()[:40]!r}"
                raise InvalidValue(
                    f"{self.source}, line {self.lines[i]}, column {name!r} {what}: expected a number; "
                    "fill the gap or drop the row for every model"
                )
            values[i] = number
        return values

    def labels_or_numbers(self, name: str) -> npt.NDArray[np.float64] | npt.NDArray[np.str_]:
        """A column as numbers where all are, else as words; an empty cell is an error either way."""
        texts = self.column(name)
        if all(self._number(t) is not None for t in texts):
            return self.numbers(name)
        for i, text in enumerate(texts):
            if text.strip().lower() in _MISSING:
                raise InvalidValue(
                    f"{self.source}, line {self.lines[i]}, column {name!r} is missing: expected a label or a score"
                )
        return np.array([t.strip() for t in texts])

    def _numeric(self, name: str) -> bool:
        return all(self._number(t) is not None or t.strip().lower() in _MISSING for t in self.columns[name])

    def _number(self, text: str) -> float | None:
        word = text.strip()
        if self.separator == ";" and "." not in word:
            word = word.replace(",", ".")
        percent = word.endswith("%")
        try:
            number = float(word.removesuffix("%").strip())
        except ValueError:
            return None
        if np.isnan(number):
            return None
        return number / 100 if percent else number


def read_score_file(path: str) -> ScoreFile:
    """Read a CSV file; ``-`` is standard input."""
    source = "standard input" if path == "-" else path
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidValue(f"{source}: byte {error.start} is not UTF-8: expected a CSV file as text") from None
    first = next((line for line in text.splitlines() if line.strip()), "")
    if not first:
        raise InvalidValue(
            f"{source} is empty: expected a header with the models' names and a row per data set or case"
        )
    separator = max(_SEPARATORS, key=first.count)
    rows: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    try:
        rows += [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidValue(f"{source}, line {reader.line_num}: {error}: expected a CSV file") from None
    header = [name.strip() for name in rows[0][1]]
    _check_header(source, header)
    if len(rows) < 2:
        raise InvalidValue(f"{source} holds a header only: expected a row per data set, fold or case below it")
    for line, row in rows[1:]:
        if len(row) != len(header):
            raise InvalidValue(
                f"{source}, line {line} has {len(row)} cells: expected {len(header)}, as many as the header"
            )
    columns = {name: tuple(row[i] for _, row in rows[1:]) for i, name in enumerate(header)}
    return ScoreFile(source, separator, columns, tuple(line for line, _ in rows[1:]))


def _check_header(source: str, header: list[str]) -> None:
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise InvalidValue(f"{source}: two columns are called {twice[0]!r}: expected a different name for each model")
    numbers = [name for name in header if name.replace(".", "", 1).replace(",", "", 1).isdigit()]
    if len(numbers) == len(header):
        raise InvalidValue(f"{source}: the first line holds only numbers: expected the models' names there")
