"""Comma, semicolon, tab and bar separated values.

A file may hold several tables with blank lines between them, and lines of prose above a table, which become its
caption.
"""

from __future__ import annotations

from scoreproof.csv_reader import Content, Line, each_line, separator_of
from scoreproof.documents.formats import Contents
from scoreproof.documents.grid import rectangle, tidy
from scoreproof.documents.source import Source


def read(source: Source) -> Contents:
    """Every table of a delimited text."""
    separator = "\t" if source.format == "tsv" else separator_of(source.text)
    text = source.text
    lines = list(each_line(Content(source.name or "text", text), separator))
    # Without quotes, odd characters and double blanks there is nothing to tidy inside the cells.
    if '"' in text or "  " in text or not text.isascii() or not text.replace("\n", "").isprintable():
        lines = [(number, list(map(tidy, cells))) for number, cells in lines]
    contents = Contents(source)
    block: list[Line] = []
    for number, cells in [*lines, (0, [])]:
        if any(cells):
            block.append((number, cells))
            continue
        if block:
            _add_table(contents, block)
            block = []
    return contents


def _add_table(contents: Contents, block: list[Line]) -> None:
    """The table of consecutive lines; single cells before a wider row are its caption."""
    wide = next((at for at in range(len(block) - 1, -1, -1) if len(block[at][1]) > 1), -1)  # the last row of several
    above = 0
    while above <= wide and block[above][1][0] and not any(block[above][1][1:]):
        above += 1
    caption = [cells[0].lstrip("# ") for _, cells in block[:above]]
    block = block[above:]
    if len(block) >= 2:
        grid = rectangle(cells for _, cells in block)
        contents.add(grid, caption=" ".join(caption), notes=contents.source.notes, line=block[0][0])
