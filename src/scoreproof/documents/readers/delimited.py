"""Comma, semicolon, tab and bar separated values.

A file may hold several tables with blank lines between them, and lines of prose above a table, which become its
caption. The separator is the one that gives the most rows of one width; semicolons and tabs win over commas, since
a comma may be a decimal comma.
"""

from __future__ import annotations

import csv
import io
from collections import Counter

from scoreproof.documents.grid import rectangle, tidy
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput

_SEPARATORS = ("\t", ";", "|", ",")
_SAMPLE = 40_000  # characters that show the separator


def read(source: Source) -> tuple[list[Table], list[str]]:
    """Every table of a delimited text."""
    separator = "\t" if source.format == "tsv" else separator_of(source.name, source.text)
    tables: list[Table] = []
    block: list[tuple[int, list[str]]] = []
    for line, cells in [*_rows(source.name, source.text, separator), (0, [])]:
        if any(cells):
            block.append((line, cells))
            continue
        if block:
            table = _table(block, len(tables), source)
            if table is not None:
                tables.append(table)
            block = []
    return tables, []


def separator_of(name: str, text: str) -> str:
    """The separator that makes the most lines equally wide.

    >>> separator_of("", "Method;Acc\\nA;0,91\\nB;0,93\\n")
    ';'
    """
    best, best_share = ",", 0.0
    for separator in _SEPARATORS:
        widths = Counter(len(cells) for _, cells in _rows(name, text[:_SAMPLE], separator, whole=False) if any(cells))
        wide = {width: count for width, count in widths.items() if width > 1}
        if not wide:
            continue
        share = max(wide.values()) / widths.total()
        if share > best_share + 0.05:
            best, best_share = separator, share
    return best


def _rows(name: str, text: str, separator: str, *, whole: bool = True) -> list[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
    rows: list[tuple[int, list[str]]] = []
    start = 1
    # Without quotes, odd characters and double blanks there is nothing to tidy inside the cells.
    simple = '"' not in text and "  " not in text and text.isascii() and text.replace("\n", "").isprintable()
    clean = str.strip if simple else tidy
    try:
        for cells in reader:
            rows.append((start, list(map(clean, cells))))
            start = reader.line_num + 1
    except csv.Error as error:
        if whole:
            raise UnreadableInput(f"{name or 'text'}, line {start}: not delimited text ({error})") from None
    return rows


def _table(block: list[tuple[int, list[str]]], index: int, source: Source) -> Table | None:
    """The table of consecutive lines; single cells before a wider row are its caption."""
    caption: list[str] = []
    while block and block[0][1][0] and not any(block[0][1][1:]) and _width(block) > 1:
        caption.append(block[0][1][0].lstrip("# "))
        block = block[1:]
    if len(block) < 2:
        return None
    draft = rectangle(cells for _, cells in block)
    place = Position(index, line=block[0][0])
    return draft.table(place, caption=" ".join(caption), source=source.name, kind=source.format)


def _width(block: list[tuple[int, list[str]]]) -> int:
    return max(len(cells) for _, cells in block)
