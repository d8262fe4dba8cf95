"""Lines of cells, each with its number in the file: quotes, line breaks within them, blank lines, ragged lines."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass

from scoreproof.delimited.cells import decimal_commas
from scoreproof.delimited.content import Content, read_content
from scoreproof.delimited.separators import separator_of, without_told_separator
from scoreproof.errors import UnreadableInput

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

    def mappings(self) -> list[dict[str, str]]:
        """The lines by the names of the columns; a ragged line is an error."""
        for line in self.lines:
            if self.ragged(line):
                raise UnreadableInput(f"{self.source}, {self.ragged(line)}")
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
    rows = [(number, cells) for number, cells in split_lines(content, separator) if any(cells)]
    (first, header), *body = rows
    if not body:
        raise UnreadableInput(f"{content.source}: expected a header and at least one line below it, got one line")
    lines = tuple((number, without_blank_end(cells, len(header))) for number, cells in body)
    return Rows(content.source, separator, tuple(header), first, lines, content.notes)


def split_lines(content: Content, separator: str) -> list[Line]:
    """All lines, the blank ones too, each with the number of its first line in the file."""
    text = without_told_separator(content.text)
    if separator == " ":
        text, separator = "\n".join("\t".join(line.split()) for line in text.split("\n")), "\t"
    try:
        return _split(content.source, text, separator, strict='"' in text)
    except _Unquoted:
        return _split(content.source, text, separator, strict=False)


class _Unquoted(Exception):
    """A cell that begins with a quotation and goes on after it, as in "Fast" SVM: read as it stands."""


def _split(source: str, text: str, separator: str, *, strict: bool) -> list[Line]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=strict)
    rows: list[Line] = []
    start = 1
    try:
        for cells in reader:
            rows.append((start, [cell.strip() for cell in cells]))
            start = reader.line_num + 1
    except csv.Error as error:
        if "expected after" in str(error):
            raise _Unquoted from None
        why = "a quotation is not closed" if "end of data" in str(error) else str(error)
        raise UnreadableInput(f"{source}, line {start}: no proper delimited text ({why})") from None
    if '"' in text:  # only there may a cell hold line breaks
        rows = [(number, [" ".join(cell.split("\n")) for cell in cells]) for number, cells in rows]
    return rows


def without_blank_end(cells: list[str], width: int) -> list[str]:
    """A line whose cells beyond the header's are all blank ends with the header."""
    return cells[:width] if len(cells) > width and not any(cells[width:]) else cells
