"""Delimited text as columns: a CSV file with a header, read once, a million rows in a fraction of a second.

Commas, semicolons, tabs and bars separate cells, whichever the header has most of. A file whose body is nothing
but plain numbers is read as a whole; one without quotes is split as a whole rather than line by line; only
what is left goes through the csv module. A decimal comma, a percent sign and "0.81 ± 0.02" are understood where
numbers are wanted; every complaint names the line and the column.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.plain_numbers import plain_numbers

FloatArray = npt.NDArray[np.float64]

MISSING = frozenset({"", "na", "n/a", "nan", "none", "null", "-", "–", "—", "?"})
_SEPARATORS = ",;\t|"
_NUMBER = re.compile(
    r"([+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?|[+-]?inf)\s*(%?)"
    r"(\s*(?:±|\+/-|\+-|\$?\\pm\$?)\s*[\d.,]+\s*%?|\s*\(\s*[\d.,]+\s*%?\s*\))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a file; cells stay text until numbers are asked for."""

    source: str
    separator: str
    names: tuple[str, ...]
    rows: int
    #: every cell as a number, where the whole body is plain numbers
    _matrix: FloatArray | None = field(repr=False)
    _body: str = field(repr=False)
    _cells: dict[str, Sequence[str]] = field(repr=False)
    _lines: Sequence[int] | None = field(repr=False, default=None)

    def line(self, row: int) -> int:
        """Where a row stands in the file, from 1."""
        return row + 2 if self._lines is None else self._lines[row]

    def column(self, name: str) -> Sequence[str]:
        """The cells of a column as text, without the blanks around them."""
        self.index(name)
        if not self._cells:
            self._cells.update(zip(self.names, _split(self._body, self.separator, len(self.names)) or (), strict=True))
        return self._cells[name]

    def index(self, name: str) -> int:
        if name not in self.names:
            raise InvalidOption(f"{self.source}: no column {name!r}: expected one of {', '.join(self.names)}")
        return self.names.index(name)

    def all_numbers(self, name: str) -> bool:
        """Whether a column holds numbers only, cells that are missing left out."""
        if self._matrix is not None or self._quick(name) is not None:
            return True
        return all(self.number(cell) is not None or cell.lower() in MISSING for cell in self.column(name))

    def mostly_words(self, name: str) -> bool:
        """Whether most of a column (of its first thousand cells) is neither numbers nor missing."""
        if self._matrix is not None:
            return False
        cells = [cell for cell in self.column(name)[:1000] if cell.lower() not in MISSING]
        return 2 * sum(self.number(cell) is None for cell in cells) > len(cells)

    def numbers(self, name: str, *, gaps: bool = False) -> FloatArray:
        """A column as numbers; percentages count as fractions, ± is left out. With ``gaps`` a missing one is NaN."""
        if self._matrix is not None:
            return np.ascontiguousarray(self._matrix[:, self.index(name)])
        quick = self._quick(name)
        if quick is not None:
            return quick
        values = np.empty(self.rows)
        for row, cell in enumerate(self.column(name)):
            number = self.number(cell)
            if number is None and not (gaps and cell.lower() in MISSING):
                raise InvalidValue(self.complaint(row, name))
            values[row] = np.nan if number is None else number
        return values

    def complaint(self, row: int, name: str) -> str:
        """What is wrong with a cell that should be a number."""
        cell = self.column(name)[row]
        what = "is missing" if cell.lower() in MISSING else f"holds {cell[:40]!r}"
        return f"{self.source}, line {self.line(row)}, column {name!r} {what}: expected a number"

    def number(self, cell: str) -> float | None:
        """What a cell says, None where that is no number."""
        found = _NUMBER.fullmatch(cell.strip().replace("−", "-"))
        if found is None:
            return None
        value = float(found[1].replace(",", "."))
        return value / 100 if found[2] else value

    def plus_minus(self, name: str) -> bool:
        """Whether a column holds numbers with a spread, such as "0.81 ± 0.02"."""
        if self._matrix is not None:
            return False
        return any((found := _NUMBER.fullmatch(cell)) is not None and found[3] for cell in self.column(name))

    def _quick(self, name: str) -> FloatArray | None:
        """The column in one go, where every cell is a finite number as Python writes it."""
        try:
            values = np.array(self.column(name), dtype=np.float64)
        except ValueError:
            return None
        return values if bool(np.isfinite(values).all()) else None


def read_columns(path: str | Path) -> Columns:
    """Read a file; ``-`` is standard input.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "p.csv"
    >>> _ = file.write_text("A;B\\n0,9;81 %\\n0,2;n/a\\n")
    >>> table = read_columns(file)
    >>> table.numbers("A").tolist(), table.number("81 %")
    ([0.9, 0.2], 0.81)
    """
    source = "standard input" if str(path) == "-" else str(path)
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else Path(path).read_bytes()
    except OSError as error:
        raise InvalidValue(f"{source}: cannot be read ({error.strerror})") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidValue(f"{source}: byte {error.start} is not UTF-8: expected a CSV file as UTF-8 text") from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.lstrip("\n")
    header, _, body = text.partition("\n")
    if not header.strip():
        raise InvalidValue(f"{source} is empty: expected a header and at least one line below it")
    separator = max(_SEPARATORS, key=header.count)
    body = body.rstrip("\n")
    if '"' not in text and body:
        names = _header(source, header.split(separator))
        matrix = plain_numbers(body.encode(), separator.encode(), len(names))
        if matrix is not None:
            return Columns(source, separator, names, len(matrix), matrix, body, {})
        cells = _split(body, separator, len(names))
        if cells is not None:
            return Columns(source, separator, names, len(cells[0]), None, "", dict(zip(names, cells, strict=True)))
    return _by_lines(source, text, separator)


def _split(body: str, separator: str, columns: int) -> list[list[str]] | None:
    """The columns of a body without quotes, or None where a line is too long, too short or blank."""
    flat = body.replace("\n", f"{separator}\n").split(separator)
    if len(flat) % columns or not all(cell.startswith("\n") for cell in flat[columns::columns]):
        return None
    if body.count("\n") + 1 != len(flat) // columns or (columns == 1 and "" in map(str.strip, flat)):
        return None
    return [[cell.strip() for cell in flat[i::columns]] for i in range(columns)]


def _by_lines(source: str, text: str, separator: str) -> Columns:
    """Line by line: quotes, blank lines, and lines that are too long or too short."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidValue(f"{source}, line {reader.line_num}: no proper CSV ({error})") from None
    names = _header(source, rows[0][1])
    if len(rows) < 2:
        raise InvalidValue(f"{source} holds a header only: expected at least one line below it, a row per case")
    for line, row in rows[1:]:
        if len(row) != len(names):
            raise InvalidValue(
                f"{source}, line {line} has {len(row)} cells: expected {len(names)}, as many as the header"
            )
    cells: dict[str, Sequence[str]] = {name: [row[i].strip() for _, row in rows[1:]] for i, name in enumerate(names)}
    return Columns(source, separator, names, len(rows) - 1, None, "", cells, [line for line, _ in rows[1:]])


def _header(source: str, cells: Sequence[str]) -> tuple[str, ...]:
    names = tuple(name.strip() for name in cells)
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InvalidValue(f"{source}: two columns are called {twice!r}: expected a different name for each")
    return names


def whole_numbers(values: npt.NDArray[Any]) -> bool:
    """Whether an array of numbers holds whole ones only."""
    return bool(np.all(values == np.rint(values)))
