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
_Bools = npt.NDArray[np.bool_]

_LETTERS = b"0123456789.+-eE\n"
_BLOCK = 1 << 18
_AHEAD = 24  # digits that may be loaded before the first one of a block
_POINT, _PLUS, _MINUS, _BREAK = b".+-\n"
_ONES, _HIGHEST = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_POINTS = np.uint64(_POINT) * _ONES
_FEW_LONG = 50  # one cell in so many may be longer than a word
_LAST_BYTES = np.array([(1 << 64) - (1 << (64 - 8 * n)) for n in range(9)], dtype=np.uint64)
_TENS = np.array([float(10**n) for n in range(23)])
# By the exponent of the float that marks a point's byte: what the digits after it are divided by.
_PLACES = np.ones(1023 + 64)
_PLACES[1023 + 7 :: 8] = _TENS[7::-1]
_LONG_TENS = np.cumprod(np.array([1] + [10] * _AHEAD, dtype=np.longdouble))
_LONG_IS_64_BITS = np.finfo(np.longdouble).nmant == 63 and _LONG_TENS.itemsize == 16


def plain_numbers(text: str, separator: str, columns: int, part: slice = slice(None)) -> FloatArray | None:
    """The lines of a text, a row of numbers for each column; None where a cell is anything but a finite number.

    >>> plain_numbers("1;-0.25\\n0.1;2e3", ";", 2)
    array([[ 1.0e+00,  1.0e-01],
           [-2.5e-01,  2.0e+03]])
    >>> plain_numbers("1;2\\n3;four", ";", 2), plain_numbers("1;2\\n3", ";", 2)
    (None, None)
    """
    (start, stop, _), known = part.indices(len(text)), _LETTERS + separator.encode()
    # A cell takes at least two letters; what is not written to takes no memory.
    values, rows = np.empty((columns, (stop - start) // (2 * columns) + 1)), 0
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
    """The cells of some lines: the short ones as one word each, or all in pieces; the odd ones by Python."""
    text = b"0" * _AHEAD + lines + b"\n"
    letters = np.frombuffer(text, dtype=np.uint8)
    parting = (letters == separator) | (letters == _BREAK)
    ends = np.flatnonzero(parting)
    if not breaks_evenly(letters.take(ends) == _BREAK, columns):
        return None
    starts = np.concatenate([[_AHEAD], ends[:-1] + 1])
    opening = letters.take(starts)
    minus = opening == _MINUS
    sign = minus | (opening == _PLUS)
    width = ends - starts - sign
    long = np.flatnonzero(width > 8) if width.max() > 8 else ends[:0]
    if len(long) * _FEW_LONG > len(ends):
        values, odd = _in_pieces(text, letters, parting, width)
    else:
        width[long] = 8
        values, odd = _in_words(letters, ends, width)
        odd = np.concatenate([odd, long])
    values *= 1 - 2 * minus.view(np.int8)
    cells = [*odd.tolist(), *_with_other_marks(letters, parting, ends)]
    try:
        values[cells] = [float(text[starts[cell] : ends[cell]]) for cell in cells]
    except ValueError:
        return None
    return values if np.isfinite(values[cells]).all() else None


def breaks_evenly(breaks: _Bools, columns: int) -> bool:
    """Whether of the ends of cells every so many-th is that of a line, and no other."""
    rows, rest = divmod(len(breaks), columns)
    return not rest and bool(breaks[columns - 1 :: columns].all()) and int(np.count_nonzero(breaks)) == rows


def _with_other_marks(letters: _Letters, parting: _Bools, ends: _Ints) -> list[int]:
    """The cells that hold an exponent, or a sign that does not open them."""
    other = (letters - ord("0") > 9) & (letters != _POINT) & ~parting
    other[1:] &= ~(parting[:-1] & ((letters[1:] == _MINUS) | (letters[1:] == _PLUS)))
    other[_AHEAD] &= letters[_AHEAD] not in (_MINUS, _PLUS)
    return list(dict.fromkeys(np.searchsorted(ends, np.flatnonzero(other)).tolist()))


def _in_words(letters: _Letters, ends: _Ints, width: _Ints) -> tuple[FloatArray, _Ints]:
    """Unsigned cells of up to eight letters, and which of them are no such numbers.

    The point is found by the trick for a zero byte (Warren 2012, Hacker's Delight, 6-1), and the digits before it
    move up into its place.
    """
    word = _last_letters(letters, ends, width)
    point = word ^ _POINTS
    point = (point - _ONES) & ~point & _HIGHEST
    after = ~((point << np.uint64(1)) - np.uint64(1))
    after &= word
    word &= (point >> np.uint64(7)) - np.uint64(1)
    word <<= (point != 0).view(np.uint8) << np.uint8(3)
    word |= after
    values = _added_up(word) / _PLACES.take(point.astype(np.float64).view(np.int64) >> 52)
    return values, np.flatnonzero((width == (point != 0)) | ((point & (point - np.uint64(1))) != 0))


def _in_pieces(text: bytes, letters: _Letters, parting: _Bools, width: _Ints) -> tuple[FloatArray, _Ints]:
    """Unsigned cells of any length, and which of them Python must read: eight digits at a time, without the points."""
    marks = np.flatnonzero(parting | (letters == _POINT))
    last = np.flatnonzero(parting.take(marks))
    ends, points = marks.take(last), marks.take(last - 1)
    point = points >= ends - width
    point[0] &= last[0] > 0
    digits, after = width - point, np.where(point, ends - points - 1, 0)
    odd = (digits == 0) | (digits > _AHEAD) | (np.diff(last, prepend=-1) != 1 + point.view(np.int8))
    digits[odd], after[odd] = 0, 0
    bare, ends = np.frombuffer(text.translate(None, b"."), dtype=np.uint8), ends - (last - np.arange(len(last)))
    mantissa = np.zeros(len(ends), dtype=np.uint64)
    for piece in range(-(-int(digits.max()) // 8)):
        part = _added_up(_last_letters(bare, ends - 8 * piece, np.clip(digits - 8 * piece, 0, 8)))
        mantissa += part * np.uint64(10 ** (8 * piece))
        odd |= (part >= 450) & (piece == 2)  # else the whole fits 63 bits
    values, halfway = _quotients(mantissa, after)
    return values, np.flatnonzero(odd | halfway)


def _last_letters(letters: _Letters, ends: _Ints, many: _Ints) -> _Words:
    """Up to eight letters before each end as a word, the last one in its highest byte."""
    words = np.ndarray((len(letters) - 7,), dtype="<u8", buffer=letters, strides=(1,))
    word = words[ends - 8]
    word &= _LAST_BYTES.take(many)
    return np.asarray(word)


def _added_up(word: _Words) -> _Words:
    """The whole number that eight digits make: neighbours are added in pairs, then hundreds, then ten thousands."""
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
        return mantissa / _TENS.take(places), False
    if not _LONG_IS_64_BITS:
        return mantissa / _TENS[np.minimum(places, 22)], (mantissa >= 2**53) | (places > 22)
    quotients = mantissa / _LONG_TENS.take(places)
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
    lines = tuple((number, _without_blank_end(cells, len(header))) for number, cells in body)
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
            cells = [cell.strip() for cell in cells]
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


def _without_blank_end(cells: list[str], width: int) -> list[str]:
    """A line whose cells beyond the header's are all blank ends with the header."""
    return cells[:width] if len(cells) > width and not any(cells[width:]) else cells
