"""Plain decimal numbers of a whole file at once, each the very float that Python makes of its text.

Between two separators a number is an optional sign, digits, and perhaps a point among them. The digits without the
point are read as a whole number. One below 2^53 over a power of ten up to 10^22 is rounded once, hence right (Clinger
1990, doi:10.1145/93542.93557); longer ones are divided with 64 bits, and where rounding these to 53 could go wrong, or
a cell is anything else, such as 1e-05, Python reads it alone.

Lines of cells, each with its number in the file: quotes, line breaks within them, blank lines, ragged lines.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from scoreproof.csv_reader.content import Content, decimal_commas, read_content, separator_of, without_told_separator
from scoreproof.errors import UnreadableInput

FloatArray = npt.NDArray[np.float64]

_LETTERS = b"0123456789.+-eE\n"
_BLOCK = 1 << 18
_POINT, _PLUS, _MINUS, _BREAK = b".+-\n"
_MOST_DIGITS = 18  # of a whole number of 64 bits
_TENS = np.array([float(10**n) for n in range(_MOST_DIGITS + 1)])
_LONG_TENS = np.cumprod(np.array([1] + [10] * _MOST_DIGITS, dtype=np.longdouble))
_LONG_IS_64_BITS = np.finfo(np.longdouble).nmant == 63 and _LONG_TENS.itemsize == 16


def plain_numbers(text: str, separator: str, columns: int, part: slice = slice(None)) -> FloatArray | None:
    """The lines of a text, a row of numbers for each column; None where a cell is anything but a finite number.

    >>> plain_numbers("1;-0.25\\n0.1;2e3", ";", 2)
    array([[ 1.0e+00,  1.0e-01],
           [-2.5e-01,  2.0e+03]])
    >>> plain_numbers("1;2\\n3;four", ";", 2), plain_numbers("1;2\\n3", ";", 2)
    (None, None)
    """
    (start, stop, _), known, rows = part.indices(len(text)), _LETTERS + separator.encode(), 0
    # A cell takes at least two letters; what is not written to takes no memory.
    values = np.empty((columns, (stop - start) // (2 * columns) + 1))
    while start < stop:
        end = text.find("\n", min(start + _BLOCK, stop), stop)
        end = stop if end < 0 else end
        lines = text[start:end].encode()
        block = None if lines.translate(None, known) else _block(lines, ord(separator), columns)
        if block is None:
            return None
        count = len(block) // columns
        values[:, rows : rows + count] = block.reshape(count, columns).T
        rows, start = rows + count, end + 1
    values.flags.writeable = False
    return values[:, :rows]


def _block(lines: bytes, separator: int, columns: int) -> FloatArray | None:
    """The cells of some lines: those of plain digits together, the odd ones by Python."""
    text = lines + b"\n"
    letters = np.frombuffer(text, dtype=np.uint8)
    parting = (letters == separator) | (letters == _BREAK)
    marks = np.flatnonzero(parting | (letters == _POINT))
    last = np.flatnonzero(parting.take(marks))
    ends, points = marks.take(last), np.diff(last, prepend=-1) - 1
    if not breaks_evenly(letters.take(ends) == _BREAK, columns):
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    if (starts == ends).any():
        return None
    opening = letters.take(starts)
    minus = opening == _MINUS
    sign = minus | (opening == _PLUS)
    digits = ends - starts - sign - points
    other = (letters > ord("9")) & ~parting  # exponents, and signs that open no cell
    other[1:] |= ((letters[1:] == _PLUS) | (letters[1:] == _MINUS)) & ~parting[:-1]
    odd = (digits <= 0) | (digits > _MOST_DIGITS) | (points > 1)
    odd[np.searchsorted(ends, np.flatnonzero(other))] = True
    places = np.where(odd | (points == 0), 0, ends - marks.take(last - 1) - 1)
    plain = bytearray(text if odd.any() else b"")
    for cell in np.flatnonzero(odd).tolist():
        plain[starts[cell] : ends[cell]] = b"0" * int(ends[cell] - starts[cell])
    bare = bytes(plain or text).translate(bytes.maketrans(bytes([separator]), b"\n"), b".")
    values, halfway = _quotients(np.fromstring(bare, dtype=np.int64, sep="\n"), places)
    np.copysign(values, 1 - 2 * minus.view(np.int8), out=values)  # which -0.0 has lost
    cells = np.flatnonzero(odd | halfway).tolist()
    try:
        values[cells] = [float(text[starts[cell] : ends[cell]]) for cell in cells]
    except ValueError:
        return None
    return values if np.isfinite(values[cells]).all() else None


def breaks_evenly(breaks: npt.NDArray[np.bool_], columns: int) -> bool:
    """Whether of the ends of cells every so many-th is that of a line, and no other."""
    rows, rest = divmod(len(breaks), columns)
    return not rest and bool(breaks[columns - 1 :: columns].all()) and int(np.count_nonzero(breaks)) == rows


def _quotients(
    whole: npt.NDArray[np.int64], places: npt.NDArray[np.int64]
) -> tuple[FloatArray, npt.NDArray[np.bool_] | bool]:
    """Whole numbers over powers of ten, and where that may not be the nearest float."""
    largest = max(int(whole.max()), -int(whole.min()))
    if largest < 2**53:
        return whole / _TENS.take(places), False
    if not _LONG_IS_64_BITS:
        return whole / _TENS.take(places), abs(whole) >= 2**53
    quotients = whole / _LONG_TENS.take(places)
    # Where the last 11 of 64 bits are exactly half of the 53rd, it may be that only their own rounding made them so.
    halfway = (quotients.view(np.uint64)[::2] & np.uint64(0x7FF)) == 0x400
    return quotients.astype(np.float64), halfway


Line = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class Rows:
    """A header and the lines below it, cells without the blanks around them; a line may be ragged."""

    source: str
    separator: str
    header: tuple[str, ...]
    header_line: int
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    @property
    def decimal_comma(self) -> bool:
        """Whether the numbers are written with decimal commas."""
        return decimal_commas(cell for _, cells in self.lines for cell in cells)

    def ragged(self, line: Line) -> str:
        """What is wrong with a line that is longer or shorter than the header; nothing with one that is not."""
        number, cells = line
        if len(cells) == len(self.header):
            return ""
        return f"line {number} has {len(cells)} cells: expected {len(self.header)}, as many as the header"

    def check_width(self) -> None:
        """An error if any line is ragged."""
        for line in self.lines:
            if self.ragged(line):
                raise UnreadableInput(f"{self.source}, {self.ragged(line)}")

    def mappings(self) -> list[dict[str, str]]:
        """The lines by the names of the columns."""
        self.check_width()
        return [dict(zip(self.header, cells, strict=True)) for _, cells in self.lines]


def read_rows(path: str | os.PathLike[str]) -> Rows:
    """The lines of a file with a header; ``-`` is standard input."""
    return rows_of(read_content(path))


def rows_of(content: Content) -> Rows:
    r"""The same from text.

    >>> result = rows_of(Content("board.csv", "team;score\n\"A\nand B\";0,95\n\nC;0,94;\n"))
    >>> result.header, result.lines, result.decimal_comma
    (('team', 'score'), ((2, ['A and B', '0,95']), (5, ['C', '0,94'])), True)
    """
    separator = separator_of(content.text)
    (first, header), *body = [line for line in each_line(content, separator) if any(line[1])]
    if not body:
        raise UnreadableInput(f"{content.source}: expected a header and at least one line below it, got one line")
    while not header[-1]:  # lines that end with a separator
        header.pop()
    width = len(header)  # blank cells beyond it are none
    lines = tuple((number, cells if any(cells[width:]) else cells[:width]) for number, cells in body)
    return Rows(content.source, separator, tuple(header), first, lines, content.notes)


def each_line(content: Content, separator: str) -> Iterator[Line]:
    """All lines, the blank ones too, each with the number of its first line in the file, never all held as cells."""
    text = without_told_separator(content.text)
    if separator == " ":
        text, separator = "\n".join("\t".join(line.split()) for line in text.split("\n")), "\t"
    given = 0
    try:
        for line in _split(content.source, text, separator, strict='"' in text):
            yield line
            given += 1
    except _Unquoted:  # the lines before it read the same either way
        yield from islice(_split(content.source, text, separator, strict=False), given, None)


class _Unquoted(Exception):
    """A cell that begins with a quotation and goes on after it, as in "Fast" SVM: read as it stands."""


def _split(source: str, text: str, separator: str, *, strict: bool) -> Iterator[Line]:
    reader = csv.reader(_lines(text), delimiter=separator, skipinitialspace=True, strict=strict)
    quoted = '"' in text  # only there may a cell hold line breaks
    start = 1
    try:
        for cells in reader:
            cells = list(map(str.strip, cells))
            yield start, [" ".join(cell.split("\n")) for cell in cells] if quoted else cells
            start = reader.line_num + 1
    except csv.Error as error:
        if "expected after" in str(error):
            raise _Unquoted from None
        why = "a quotation is not closed" if "end of data" in str(error) else str(error)
        raise UnreadableInput(f"{source}, line {start}: no proper delimited text ({why})") from None


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends; the text is not held a second time but cut line by line."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end
