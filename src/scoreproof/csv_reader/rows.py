"""Plain decimal numbers of a whole file at once, each the very float that Python makes of its text.

Between two separators a number is an optional sign, digits, and perhaps a point among them. The digits before and
after the point are loaded eight at a time as one 64-bit integer and added up inside it (Lemire 2021,
doi:10.1002/spe.2984), so that a block of the file takes a few dozen numpy calls. A whole number below 2^53
over a power of ten up to 10^22 is rounded once, hence right (Clinger 1990, doi:10.1145/93542.93557); longer ones are
divided with 64 bits, and where rounding these to 53 could go wrong, or a cell is anything else, such as 1e-05, Python
reads it alone.

Lines of cells, each with its number in the file: quotes, line breaks within them, blank lines, ragged lines.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from scoreproof.csv_reader.content import Content, decimal_commas, read_content, separator_of, without_told_separator
from scoreproof.errors import UnreadableInput

FloatArray = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.int64]
_Words = npt.NDArray[np.uint64]
_Letters = npt.NDArray[np.uint8]

_LETTERS = b"0123456789.+-eE\n"
_BLOCK = 1 << 17
_AHEAD = 24  # digits that may be loaded before the first one of a block
_POINT, _PLUS, _MINUS, _BREAK = b".+-\n"
_LAST_BYTES = np.array([(1 << 64) - (1 << (64 - 8 * n)) for n in range(9)], dtype=np.uint64)
_TENS = np.array([float(10**n) for n in range(23)])
_LONG_TENS = np.cumprod(np.array([1] + [10] * _AHEAD, dtype=np.longdouble))
_WHOLE_TENS = np.array([10**n if n < 19 else 0 for n in range(_AHEAD + 1)], dtype=np.uint64)
# The least whole part that, followed by as many digits, may be too long; 0 is never.
_MOST_WHOLE = np.array([max(1, 45 * 10**17 // 10**n) for n in range(_AHEAD + 1)], dtype=np.uint64)
_LONG_IS_64_BITS = np.finfo(np.longdouble).nmant == 63 and _LONG_TENS.itemsize == 16


def plain_numbers(body: bytes, separator: bytes, columns: int) -> FloatArray | None:
    """The lines of a file as a matrix of finite numbers, or None where a cell is anything else.

    >>> plain_numbers(b"1;-0.25\\n0.1;2e3", b";", 2)
    array([[ 1.0e+00, -2.5e-01],
           [ 1.0e-01,  2.0e+03]])
    >>> plain_numbers(b"1;2\\n3;four", b";", 2), plain_numbers(b"1;2\\n3", b";", 2)
    (None, None)
    """
    if body.translate(None, _LETTERS + separator):
        return None
    blocks = []
    start = 0
    while start < len(body):
        stop = body.find(b"\n", min(start + _BLOCK, len(body)))
        stop = len(body) if stop < 0 else stop
        block = _block(body[start:stop], separator[0], columns)
        if block is None:
            return None
        blocks.append(block)
        start = stop + 1
    values = np.concatenate(blocks) if blocks else np.zeros(0)
    return values.reshape(-1, columns) if bool(np.isfinite(values).all()) else None


def _block(lines: bytes, separator: int, columns: int) -> FloatArray | None:
    text = b"0" * _AHEAD + lines + b"\n"
    letters = np.frombuffer(text, dtype=np.uint8)
    marks = np.flatnonzero(letters - ord("0") > 9)
    kinds = letters[marks]
    last = np.flatnonzero((kinds == separator) | (kinds == _BREAK))
    breaks = kinds[last] == _BREAK
    # Every line must break where the header does.
    if len(last) % columns or not breaks[columns - 1 :: columns].all() or breaks.sum() != len(last) // columns:
        return None
    ends = marks[last]
    starts = np.concatenate([[_AHEAD], ends[:-1] + 1])
    point = kinds[last - 1] == _POINT
    point[0] &= last[0] > 0
    points = np.where(point, marks[last - 1], ends)
    opening = letters[starts]
    minus = opening == _MINUS
    sign = minus | (opening == _PLUS)
    before, after = points - starts - sign, ends - points - point
    # A sign within, an exponent or a second point are marks too many.
    odd = np.diff(last, prepend=-1) != 1 + point.view(np.int8) + sign.view(np.int8)
    odd |= before + after == 0
    if before.max() > 8 or after.max() > _AHEAD:
        odd |= (before > 8) | (after > _AHEAD)
    if odd.any():
        before[odd], after[odd] = 1, 0
    whole = _digits(letters, points, before)
    mantissa, too_long = _mantissas(letters, ends, after, whole)
    odd |= too_long
    values, doubtful = _quotients(mantissa, after)
    np.negative(values, out=values, where=minus)
    for cell in np.flatnonzero(odd | doubtful).tolist():
        try:
            values[cell] = float(text[starts[cell] : ends[cell]])
        except ValueError:
            return None
    return values


def _mantissas(
    letters: _Letters, ends: _Ints, places: _Ints, whole: _Words
) -> tuple[_Words, npt.NDArray[np.bool_] | bool]:
    """All digits of the cells as whole numbers, and where these may not fit 63 bits."""
    most = int(places.max())
    mantissa = _digits(letters, ends, places if most <= 8 else np.minimum(places, 8))
    if most <= 8:
        mantissa += whole * _WHOLE_TENS[places]
        return mantissa, False
    mantissa += _digits(letters, ends - 8, np.clip(places - 8, 0, 8)) * np.uint64(10**8)
    too_long = whole >= _MOST_WHOLE[places]
    if most > 16:
        high = _digits(letters, ends - 16, np.maximum(places - 16, 0))
        too_long |= high >= 450
        mantissa += high * np.uint64(10**16)
    mantissa += whole * _WHOLE_TENS[places]
    return mantissa, too_long


def _digits(letters: _Letters, ends: _Ints, many: _Ints) -> _Words:
    """The whole number that up to eight digits before each end make."""
    if int(many.max()) <= 1:
        return np.asarray((letters[ends - 1] & 15) * many.astype(np.uint8), dtype=np.uint64)
    words = np.ndarray((len(letters) - 7,), dtype="<u8", buffer=letters, strides=(1,))
    word = words[ends - 8]
    word &= _LAST_BYTES[many]
    # Neighbours are added in pairs: digits, then hundreds, then ten thousands.
    for mask, factor, shift in (
        (0x0F0F0F0F0F0F0F0F, (10 << 8) + 1, 8),
        (0x00FF00FF00FF00FF, (100 << 16) + 1, 16),
        (0x0000FFFF0000FFFF, (10_000 << 32) + 1, 32),
    ):
        word &= np.uint64(mask)
        word *= np.uint64(factor)
        word >>= np.uint64(shift)
    return word


def _quotients(mantissa: _Words, places: _Ints) -> tuple[FloatArray, npt.NDArray[np.bool_] | bool]:
    """Whole numbers over powers of ten, and where that may not be the nearest float."""
    if int(mantissa.max()) < 2**53 and int(places.max()) <= 22:
        return mantissa / _TENS[places], False
    if not _LONG_IS_64_BITS:
        return mantissa / _TENS[np.minimum(places, 22)], (mantissa >= 2**53) | (places > 22)
    quotients = mantissa / _LONG_TENS[places]
    # Where the last 11 of 64 bits are exactly half of the 53rd, it may be that only their own rounding made them so.
    halfway = (quotients.view(np.uint64)[::2] & np.uint64(0x7FF)) == 0x400
    return quotients.astype(np.float64), halfway


Line = tuple[int, list[str]]
_HELD_TWICE = 1_000_000  # characters


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

    >>> found = rows_of(Content("board.csv", "team;score\n\"A\nand B\";0,95\n\nC;0,94;\n"))
    >>> found.header, found.lines, found.decimal_comma
    (('team', 'score'), ((2, ['A and B', '0,95']), (5, ['C', '0,94'])), True)
    """
    separator = separator_of(content.text)
    (first, header), *body = [line for line in split_lines(content, separator) if any(line[1])]
    if not body:
        raise UnreadableInput(f"{content.source}: expected a header and at least one line below it, got one line")
    while not header[-1]:  # lines that end with a separator
        header.pop()
    lines = tuple((number, _without_blank_end(cells, len(header))) for number, cells in body)
    return Rows(content.source, separator, tuple(header), first, lines, content.notes)


def split_lines(content: Content, separator: str) -> list[Line]:
    """All lines, the blank ones too, each with the number of its first line in the file."""
    return list(each_line(content, separator))


def each_line(content: Content, separator: str) -> Iterator[Line]:
    """The same one by one, so that a long file is never held as cells."""
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
            cells = [cell.strip() for cell in cells]
            yield start, [" ".join(cell.split("\n")) for cell in cells] if quoted else cells
            start = reader.line_num + 1
    except csv.Error as error:
        if "expected after" in str(error):
            raise _Unquoted from None
        why = "a quotation is not closed" if "end of data" in str(error) else str(error)
        raise UnreadableInput(f"{source}, line {start}: no proper delimited text ({why})") from None


def _lines(text: str) -> Iterator[str]:
    """The lines of a text with their ends; a long text is not held a second time but cut line by line."""
    if len(text) <= _HELD_TWICE:
        yield from io.StringIO(text, newline="\n")
        return
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


def _without_blank_end(cells: list[str], width: int) -> list[str]:
    """A line whose cells beyond the header's are all blank ends with the header."""
    return cells[:width] if len(cells) > width and not any(cells[width:]) else cells
