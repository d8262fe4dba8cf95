"""Lines of cells, each with its number in the file: quotes, line breaks within them, blank lines, ragged lines."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from scoreproof.csv_reader.cells import decimal_commas
from scoreproof.csv_reader.content import Content, read_content
from scoreproof.csv_reader.separators import separator_of, without_told_separator
from scoreproof.errors import UnreadableInput

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
