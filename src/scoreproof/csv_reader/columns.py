"""The columns of a delimited file with a header, read once, a million rows in a fraction of a second.

A file whose body is nothing but plain numbers is read as a whole; one without quotes is split as a whole rather than
line by line, and where lines repeat themselves each different one once; only what is left goes through the csv module.
Every complaint names the line and the column.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
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
_BREAK = ord("\n")
_BLANKS = [chr(code) for code in range(0x3001) if chr(code).isspace() and code != _BREAK]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a file; cells stay text until numbers are asked for."""

    source: str
    separator: str
    names: tuple[str, ...]
    rows: int
    #: every cell as a number, a row for each column, where the whole body is plain numbers
    _matrix: FloatArray | None = field(repr=False)
    _text: str = field(repr=False)
    _body: slice = field(repr=False)
    _cells: dict[str, Sequence[str]] = field(repr=False)
    _lines: Sequence[int] = field(repr=False)
    _words: dict[str, Words] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()

    def line(self, row: int) -> int:
        """Where a row stands in the file, from 1."""
        return self._lines[row]

    def column(self, name: str) -> Sequence[str]:
        """The cells of a column as text, without the blanks around them."""
        self.index(name)
        if not self._cells:
            self._cells.update(
                zip(self.names, _split(self._text[self._body], self.separator, len(self.names)) or (), strict=True)
            )
        return self._cells[name]

    def words(self, name: str) -> Words:
        """The different cells of a column as they first appear, and which of them stands in each row.

        Asked of the few different ones, a question about a million cells takes no time.
        """
        if name not in self._words:
            self._words[name] = places(self.column(name), self.rows)
        return self._words[name]

    def _some_cells(self, name: str) -> Sequence[str]:
        """Every cell of a column, the different ones alone where these are known."""
        return self._words[name][0] if name in self._words else self.column(name)

    def first_missing(self, name: str) -> int | None:
        """The first row whose cell is missing."""
        different, _ = self.words(name)
        first = next((cell for cell in different if is_missing(cell)), None)
        return None if first is None else int(np.argmax(self.words(name)[1] == different.index(first)))

    def index(self, name: str) -> int:
        if name not in self.names:
            raise InvalidOption(f"{self.source}: no column {name!r}: expected one of {', '.join(self.names)}")
        return self.names.index(name)

    def all_numbers(self, name: str) -> bool:
        """Whether a column holds numbers only, cells that are missing left out."""
        if self._matrix is not None or self._quick(name) is not None:
            return True
        return all(number(cell) is not None or is_missing(cell) for cell in self._some_cells(name))

    def mostly_words(self, name: str) -> bool:
        """Whether most of a column (of its first thousand cells) is neither numbers nor missing."""
        if self._matrix is not None:
            return False
        told = self._words.get(name)
        first = self.column(name)[:1000] if told is None else [told[0][place] for place in told[1][:1000]]
        cells = [cell for cell in first if not is_missing(cell)]
        return 2 * sum(number(cell) is None for cell in cells) > len(cells)

    def numbers(self, name: str, *, gaps: bool = False) -> FloatArray:
        """A column as numbers; percentages count as fractions, ± is left out. With ``gaps`` a missing one is NaN."""
        if self._matrix is not None:
            return np.asarray(self._matrix[self.index(name)])
        if (quick := self._quick(name)) is not None:
            return quick
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
        return self._matrix is None and any(map(has_spread, self.column(name)))

    def _quick(self, name: str) -> FloatArray | None:
        """The column in one go, where every cell is a finite number as Python writes it, but for decimal commas."""
        cells = self._some_cells(name)
        if cells and number(cells[0]) is None:
            return None
        if cells and "," in cells[0]:
            cells = [cell.replace(",", ".") for cell in cells]
        try:
            values = np.array(cells, dtype=np.float64)
        except ValueError:
            return None
        if not bool(np.isfinite(values).all()):
            return None
        return values[self._words[name][1]] if name in self._words else values


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
    blank = len(text) - len(text.lstrip("\n")) if text.startswith("\n") else 0
    header, at = _parted(text, blank)
    names = tuple(name.strip() for name in header.split(separator))
    if not names[-1] or at.start >= at.stop:
        return _by_lines(content)
    _check_names(content.source, names)
    matrix = plain_numbers(text, separator, len(names), at)
    body = text[at] if matrix is None else ""
    words = repeated_lines(body, separator, len(names)) if matrix is None else None
    cells = _split(body, separator, len(names)) if matrix is None and words is None else None
    if matrix is None and words is None and cells is None:
        return _by_lines(content)
    rows = matrix.shape[1] if matrix is not None else len(words[0][1]) if words else len(cells[0]) if cells else 0
    by_name: dict[str, Sequence[str]] = dict(zip(names, cells or (), strict=False))
    lines, repeated = range(blank + 2, blank + 2 + rows), dict(zip(names, words or (), strict=False))
    told = (content.source, separator, names, rows, matrix)
    return Columns(*told, text, at, by_name, lines, repeated, content.notes)


def _parted(text: str, start: int) -> tuple[str, slice]:
    """The first line, and where the others are, without the blank lines at the end; a long text is not copied."""
    stop = len(text)
    while stop and text[stop - 1] == "\n":
        stop -= 1
    end = text.find("\n", start, stop)
    return (text[start:end], slice(end + 1, stop)) if end >= 0 else (text[start:stop], slice(stop, stop))


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
    return Columns(
        rows.source, rows.separator, rows.header, len(lines), None, "", slice(0), columns, lines, notes=rows.notes
    )


def _check_names(source: str, names: Sequence[str]) -> None:
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise UnreadableInput(f"{source}: two columns are called {twice!r}: expected a different name for each")


def whole_numbers(values: npt.NDArray[Any]) -> bool:
    """Whether an array of numbers holds whole ones only."""
    return bool(np.all(values == np.rint(values)))


Words = tuple[list[str], npt.NDArray[np.intp]]  # different cells as they first appear, and which one each row has

_LONG = 100_000  # characters; shorter files need no such care
_SAMPLE = 2_000  # lines that show whether they repeat themselves
_FEW = 0.25  # different ones among these


def places(cells: Iterable[str], many: int) -> Words:
    """The different ones of so many texts, and which of them each is.

    >>> different, which = places(["a", "b", "a"], 3)
    >>> different, which.tolist()
    (['a', 'b'], [0, 1, 0])
    """
    known: defaultdict[str, int] = defaultdict()
    known.default_factory = known.__len__
    which = np.fromiter(map(known.__getitem__, cells), np.intp, many)
    return list(known), which


def repeated_lines(body: str, separator: str, columns: int) -> list[Words] | None:
    """The columns of a long body whose lines repeat themselves; None of another, or where lines differ in width."""
    if len(body) < _LONG:
        return None
    lines = body.split("\n")
    sample = lines[:_SAMPLE]
    if len(set(sample)) > _FEW * len(sample):
        return None
    different, which = places(lines, len(lines))
    rows = [[cell.strip() for cell in line.split(separator)] for line in different]
    if any(len(row) != columns for row in rows) or (columns == 1 and [""] in rows):
        return None
    spread = [places(cells, len(rows)) for cells in zip(*rows, strict=True)]
    return [(words, of_lines[which]) for words, of_lines in spread]
