"""Sheets of Excel workbooks, every number as the sheet shows it.

The stored number and its format together give the printed text; a formula without a stored result stays visible as
the formula, and a number in a format that is not understood is noted.
"""

from __future__ import annotations

import datetime
import io
import re
import zipfile
import zlib
from typing import Any

from scoreproof.documents.contents import Contents
from scoreproof.documents.grid import Placed, tidy
from scoreproof.documents.readers.number_format import shown
from scoreproof.documents.readers.sheets import SheetTables
from scoreproof.documents.source import Source, check_zip
from scoreproof.documents.table import Table
from scoreproof.errors import LimitExceeded, UnreadableInput, need
from scoreproof.limits import current, exceeded, require_within

_MERGED = re.compile(
    rb'<(?:\w{1,20}:)?mergeCell\s[^<>]*?ref\s*=\s*"([A-Za-z]{1,3})([0-9]{1,7}):([A-Za-z]{1,3})([0-9]{1,7})"'
)
Place = tuple[int, int]
_MERGED_SHARE = 5  # merged cells beside those that are read: titles over whole rows are usual


def read(source: Source) -> Contents:
    """The tables of all visible sheets; blank rows separate tables of one sheet."""
    openpyxl = need("openpyxl", "office", "Excel files")
    _check_merged(source, check_zip(source.name, source.data))
    try:
        values = openpyxl.load_workbook(io.BytesIO(source.data), data_only=True)
        formulas = openpyxl.load_workbook(io.BytesIO(source.data), data_only=False)
    except Exception as error:  # openpyxl raises whatever its parsers meet in a damaged file
        raise UnreadableInput(f"{source.name}: not a readable Excel workbook ({error})") from None
    tables: list[Table] = []
    problems: list[str] = []
    for sheet in values.worksheets:
        if sheet.sheet_state != "visible":
            problems.append(f"sheet {sheet.title!r} is hidden and was not read")
            continue
        try:
            _read_sheet(sheet, formulas[sheet.title], tables, source)
        except LimitExceeded as error:
            if len(tables) >= current().tables:
                raise
            problems.append(f"sheet {sheet.title!r} was not read: {error}")
    return Contents(tables, problems)


def _check_merged(source: Source, members: list[str]) -> None:
    """Refuse merged ranges of millions of cells before openpyxl makes an object for each of them."""
    merged = 0
    with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
        for member in members:
            if member.startswith("xl/worksheets/") and member.endswith(".xml"):
                try:
                    content = archive.read(member)
                except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
                    raise UnreadableInput(f"{source.name}: the file is damaged ({error})") from None
                for first, top, last, bottom in _MERGED.findall(content):
                    merged += (abs(_column(last) - _column(first)) + 1) * (abs(int(bottom) - int(top)) + 1)
    if merged > _MERGED_SHARE * current().cells:
        raise exceeded("cells", merged // _MERGED_SHARE, f"{source.name}: merged ranges", least=True)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number


def _merged(sheet: Any, last_row: int, last_column: int) -> tuple[dict[Place, tuple[int, int]], dict[int, set[int]]]:
    """How far the first cells of merged ranges reach, and of each row the columns that such ranges cover."""
    merged: dict[Place, tuple[int, int]] = {}
    covered: dict[int, set[int]] = {}
    longest = current().columns
    for area in sheet.merged_cells.ranges:
        # ranges stay ranges: one over whole rows or columns reaches as far as the sheet does
        bottom = area.max_row if area.max_row - area.min_row < longest else min(area.max_row, last_row)
        right = area.max_col if area.max_col - area.min_col < longest else min(area.max_col, last_column)
        if bottom < area.min_row or right < area.min_col:
            continue
        merged[area.min_row, area.min_col] = (bottom - area.min_row + 1, right - area.min_col + 1)
        for row in range(area.min_row, bottom + 1):
            covered.setdefault(row, set()).update(range(area.min_col, right + 1))
        covered[area.min_row].discard(area.min_col)
    return merged, covered


def _read_sheet(sheet: Any, formulas: Any, tables: list[Table], source: Source) -> None:
    stored = sheet._cells  # only what the file holds: asking for a cell would make one
    held = {place for cells in (stored, formulas._cells) for place, cell in cells.items() if cell.value is not None}
    if not held:
        return
    last_row, last_column = max(row for row, _ in held), max(column for _, column in held)
    merged, covered = _merged(sheet, last_row, last_column)
    last_column = max([last_column, *(column for columns in covered.values() for column in columns)])
    rows = sorted({row for row, _ in held} | covered.keys())
    require_within("cells", len(rows) * last_column, f"sheet {sheet.title!r}")
    require_within("columns", last_column, f"sheet {sheet.title!r}")
    made = SheetTables(source, sheet.title, tables)
    for row in rows:
        hidden = covered.get(row, set())
        columns = [column for column in range(1, last_column + 1) if column not in hidden]
        cells = [_text(stored.get((row, column)), formulas._cells.get((row, column))) for column in columns]
        line = [
            Placed(text, *merged.get((row, column), (1, 1)), bold)
            for column, (text, _, bold) in zip(columns, cells, strict=True)
        ]
        made.add(row, line, [note for _, note, _ in cells if note], covered=bool(hidden))
    made.end()


def _text(cell: Any, formula: Any) -> tuple[str, str, bool]:
    """What a cell shows, a note where that is not certain, and whether it is bold."""
    value = cell.value if cell is not None else None
    if value is None:
        if formula is not None and isinstance(formula.value, str) and formula.value.startswith("="):
            note = f"{formula.coordinate}: a formula whose result is not stored in the file"
            return formula.value, note, bool(formula.font and formula.font.b)
        return "", "", False
    text, note = _shown(cell, value)
    return text, note, bool(text) and bool(cell.font and cell.font.b)


def _shown(cell: Any, value: Any) -> tuple[str, str]:
    if isinstance(value, bool):
        return str(value).upper(), ""
    if isinstance(value, (int, float)):
        text = shown(value, cell.number_format)
        if text is None:
            return str(value), f"{cell.coordinate}: the format {cell.number_format!r} is not understood"
        return tidy(text), ""
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        return str(value), f"{cell.coordinate}: a date; if a score was meant, the sheet changed it"
    return tidy(str(value)), ""
