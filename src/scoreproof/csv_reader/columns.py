"""The columns of a delimited file with a header, read once, a million rows in a fraction of a second.

A file whose body is nothing but plain numbers is read as a whole; one without quotes is split as a whole rather than
line by line; only what is left goes through the csv module. Every complaint names the line and the column.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.csv_reader.content import (
    Content,
    has_spread,
    is_missing,
    number,
    read_content,
    separator_of,
    without_told_separator,
)
from scoreproof.csv_reader.rows import breaks_evenly, plain_numbers, rows_of
from scoreproof.errors import InvalidOption, InvalidValue, UnreadableInput

FloatArray = npt.NDArray[np.float64]
Words = tuple[list[str], npt.NDArray[np.intp]]  # different cells as they first appear, and which one each row has
_BREAK = ord("\n")
_BLANKS = [chr(code) for code in range(0x3001) if chr(code).isspace() and code != _BREAK]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a file; cells stay text until numbers are asked for."""

    source: str
    separator: str
    names: tuple[str, ...]
    _lines: Sequence[int] = field(repr=False)
    notes: tuple[str, ...] = ()
    _text: str = field(default="", repr=False)
    _body: slice = field(default_factory=lambda: slice(0), repr=False)  # of the text, split when cells are asked for
    _cells: dict[str, Sequence[str]] = field(default_factory=dict, repr=False)
    _numbers: dict[str, FloatArray | None] = field(default_factory=dict, repr=False)  # None of another column
    _words: dict[str, Words] = field(default_factory=dict, repr=False)

    @property
    def rows(self) -> int:
        return len(self._lines)

    def line(self, row: int) -> int:
        """Where a row stands in the file, from 1."""
        return self._lines[row]

    def require(self, name: str) -> None:
        if name not in self.names:
            raise InvalidOption(f"{self.source}: no column {name!r}: expected one of {', '.join(self.names)}")

    def column(self, name: str) -> Sequence[str]:
        """The cells of a column as text, without the blanks around them."""
        self.require(name)
        if not self._cells:
            columns = _split(self._text[self._body], self.separator, len(self.names)) or ()
            self._cells.update(zip(self.names, columns, strict=True))
        return self._cells[name]

    def words(self, name: str) -> Words:
        """The different cells of a column as they first appear, and which of them stands in each row.

        >>> from scoreproof.csv_reader import Content
        >>> different, which = columns_of(Content("a.csv", "A,B\\na,1\\nb,1\\na,2")).words("A")
        >>> different, which.tolist()
        (['a', 'b'], [0, 1, 0])
        """
        if name not in self._words:
            known: defaultdict[str, int] = defaultdict()
            known.default_factory = known.__len__
            which = np.fromiter(map(known.__getitem__, self.column(name)), np.intp, self.rows)
            self._words[name] = list(known), which
        return self._words[name]

    def first_missing(self, name: str) -> int | None:
        """The first row whose cell is missing."""
        return next((row for row, cell in enumerate(self.column(name)) if is_missing(cell)), None)

    def all_numbers(self, name: str) -> bool:
        """Whether a column holds numbers only, cells that are missing left out."""
        plain = self._plain_numbers(name) is not None
        return plain or all(number(cell) is not None or is_missing(cell) for cell in self.column(name))

    def mostly_words(self, name: str) -> bool:
        """Whether most of a column (of its first thousand cells) is neither numbers nor missing."""
        if self._numbers.get(name) is not None:
            return False
        cells = [cell for cell in self.column(name)[:1000] if not is_missing(cell)]
        return 2 * sum(number(cell) is None for cell in cells) > len(cells)

    def numbers(self, name: str, *, gaps: bool = False) -> FloatArray:
        """A column as numbers; percentages count as fractions, ± is left out. With ``gaps`` a missing one is NaN."""
        if (plain := self._plain_numbers(name)) is not None:
            return plain
        values = np.empty(self.rows)
        for row, cell in enumerate(self.column(name)):
            value = number(cell)
            if value is None and not (gaps and is_missing(cell)):
                raise InvalidValue(self.complaint(row, name))
            values[row] = np.nan if value is None else value
        return values

    def complaint(self, row: int, name: str) -> str:
        """What is wrong with a cell that should be a number."""
        cell = self.column(name)[row]
        what = "is missing" if is_missing(cell) else f"holds {cell[:40]!r}"
        return f"{self.source}, line {self.line(row)}, column {name!r} {what}: expected a number"

    def plus_minus(self, name: str) -> bool:
        """Whether a column holds numbers with a spread, such as "0.81 ± 0.02"."""
        return self._numbers.get(name) is None and any(map(has_spread, self.column(name)))

    def _plain_numbers(self, name: str) -> FloatArray | None:
        """The column in one go, where every cell is a finite number as Python writes it, but for decimal commas."""
        if name not in self._numbers:
            self._numbers[name] = _floats(self.column(name))
        return self._numbers[name]


def _floats(cells: Sequence[str]) -> FloatArray | None:
    if cells and number(cells[0]) is None:
        return None
    if cells and "," in cells[0]:
        cells = [cell.replace(",", ".") for cell in cells]
    try:
        values = np.array(cells, dtype=np.float64)
    except ValueError:
        return None
    values.setflags(write=False)
    return values if np.isfinite(values).all() else None


def read_columns(path: str | Path) -> Columns:
    """Read a file; ``-`` is standard input.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "p.csv"
    >>> _ = file.write_text("A;B\\n0,9;81 %\\n0,2;n/a\\n")
    >>> table = read_columns(file)
    >>> table.numbers("A").tolist(), table.numbers("B", gaps=True).tolist()
    ([0.9, 0.2], [0.81, nan])
    """
    return columns_of(read_content(path))


def columns_of(content: Content) -> Columns:
    """The columns of a text."""
    separator = separator_of(content.text)
    if '"' in content.text or separator == " " or not separator.isascii():
        return _by_lines(content)
    text = without_told_separator(content.text)
    blank = len(text) - len(text.lstrip("\n"))
    start, stop = text.find("\n", blank) + 1 or len(text), len(text)
    while text[stop - 1] == "\n":
        stop -= 1
    body = slice(start, stop)
    names = tuple(name.strip() for name in text[blank:start].split(separator))
    if not names[-1] or start >= stop:
        return _by_lines(content)
    _check_names(content.source, names)
    matrix = plain_numbers(text, separator, len(names), body)
    if matrix is not None:
        lines, numbers = range(blank + 2, blank + 2 + matrix.shape[1]), dict(zip(names, matrix, strict=True))
        return Columns(content.source, separator, names, lines, content.notes, _text=text, _body=body, _numbers=numbers)
    cells = _split(text[body], separator, len(names))
    if cells is None:
        return _by_lines(content)
    lines = range(blank + 2, blank + 2 + len(cells[0]))
    return Columns(content.source, separator, names, lines, content.notes, _cells=dict(zip(names, cells, strict=True)))


def _split(body: str, separator: str, columns: int) -> list[list[str]] | None:
    """The columns of a body without quotes, or None where a line is too long, too short or blank."""
    letters = np.frombuffer(body.encode(), dtype=np.uint8)
    ends = letters[(letters == ord(separator)) | (letters == _BREAK)]
    if not breaks_evenly(np.append(ends, _BREAK) == _BREAK, columns):
        return None
    flat = body.replace("\n", separator).split(separator)
    if columns == 1 and "" in map(str.strip, flat):
        return None
    if not any(blank in body for blank in _BLANKS):
        return [flat[i::columns] for i in range(columns)]
    return [[cell.strip() for cell in flat[i::columns]] for i in range(columns)]


def _by_lines(content: Content) -> Columns:
    """Line by line: quotes, blank lines, and lines that are too long or too short."""
    rows = rows_of(content)
    rows.check_width()
    _check_names(rows.source, rows.header)
    columns: dict[str, Sequence[str]] = {n: [row[i] for _, row in rows.lines] for i, n in enumerate(rows.header)}
    lines = [line for line, _ in rows.lines]
    return Columns(rows.source, rows.separator, rows.header, lines, rows.notes, _cells=columns)


def _check_names(source: str, names: Sequence[str]) -> None:
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise UnreadableInput(f"{source}: two columns are called {twice!r}: expected a different name for each")


def whole_numbers(values: npt.NDArray[Any]) -> bool:
    """Whether an array of numbers holds whole ones only."""
    return bool(np.all(values == np.rint(values)))
