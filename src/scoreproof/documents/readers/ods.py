"""Sheets of OpenDocument spreadsheets (ISO/IEC 26300), every cell with the text it shows.

The file is a zip archive whose ``content.xml`` has the cells; what a cell shows stands in it as text, so that no format
of numbers is needed. Cells and rows that are alike are stored once with a count.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from scoreproof.documents.formats import Contents
from scoreproof.documents.grid import Placed, tidy
from scoreproof.documents.readers.excel import SheetTables
from scoreproof.documents.source import Source, check_zip
from scoreproof.errors import UnreadableInput
from scoreproof.limits import current, require_within

_SPACE = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
_TABLE, _TEXT, _OFFICE, _STYLE = (_SPACE % name for name in ("table", "text", "office", "style"))
_FONT = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"


def read(source: Source) -> Contents:
    """The tables of all sheets that are shown."""
    from lxml import etree

    members = check_zip(source.name, source.data)
    try:
        if "content.xml" not in members:
            raise UnreadableInput(f"{source.name}: no content.xml in it; it is no OpenDocument spreadsheet")
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            content = archive.read("content.xml")
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, etree.XMLSyntaxError) as error:
        raise UnreadableInput(f"{source.name}: not a readable OpenDocument spreadsheet ({error})") from None
    bold, hidden = _styles(root)
    contents = Contents(source)
    for sheet in root.iter(f"{_TABLE}table"):
        title = sheet.get(f"{_TABLE}name", "")
        if sheet.get(f"{_TABLE}style-name") in hidden:
            contents.problems.append(f"sheet {title!r} is hidden and was not read")
            continue
        with contents.noting(f"sheet {title!r} was not read"):
            _read_sheet(sheet, SheetTables(contents, title), bold)
    return contents


def _styles(root: Any) -> tuple[set[str], set[str]]:
    """The names of the styles of cells that are bold, and of those of sheets that are not shown."""
    bold, hidden = set(), set()
    for style in root.iter(f"{_STYLE}style"):
        text, table = style.find(f"{_STYLE}text-properties"), style.find(f"{_STYLE}table-properties")
        if text is not None and text.get(f"{_FONT}font-weight") == "bold":
            bold.add(style.get(f"{_STYLE}name"))
        if table is not None and table.get(f"{_TABLE}display") == "false":
            hidden.add(style.get(f"{_STYLE}name"))
    return bold, hidden


def _read_sheet(sheet: Any, made: SheetTables, bold: set[str]) -> None:
    number, cells = 1, 0
    for row in sheet.iter(f"{_TABLE}table-row"):
        repeated = _count(row, "number-rows-repeated")
        line = list(_line(row, bold))
        while line and not line[-1].text:
            line.pop()
        covered = next(row.iter(f"{_TABLE}covered-table-cell"), None) is not None
        if line or covered:
            cells += repeated * max(1, len(line))
            require_within("cells", cells, f"sheet {made.title!r}", least=True)
            for copy in range(repeated):
                made.add(number + copy, line, covered=covered)
        number += repeated
    made.end()


def _line(row: Any, bold: set[str]) -> Iterator[Placed]:
    """The cells of a row; those that another covers are left out."""
    columns = 0
    for cell in row:
        if cell.tag != f"{_TABLE}table-cell":
            continue
        text = tidy(" ".join("".join(part.itertext()) for part in cell.iterchildren(f"{_TEXT}p")))
        repeated = _count(cell, "number-columns-repeated")
        columns += repeated
        if text:
            require_within("columns", columns, "a row", least=True)
        down, across = _count(cell, "number-rows-spanned"), _count(cell, "number-columns-spanned")
        placed = Placed(text, down, across, bool(text) and cell.get(f"{_TABLE}style-name") in bold)
        yield from [placed] * min(repeated, current().columns)


def _count(element: Any, name: str) -> int:
    text = str(element.get(f"{_TABLE}{name}", "1"))
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text) else 1
