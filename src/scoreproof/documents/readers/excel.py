"""Sheets of Excel workbooks, every number as the sheet shows it.

The stored number and its format together give the printed text; a formula without a stored result stays visible as
the formula, and a number in a format that is not understood is noted.
"""

from __future__ import annotations

import datetime
import io
from typing import Any

from scoreproof.documents.extras import need
from scoreproof.documents.grid import MOST_CELLS, Placed, lay, tidy
from scoreproof.documents.readers.number_format import shown
from scoreproof.documents.source import Source, check_zip
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput


def read(source: Source) -> tuple[list[Table], list[str]]:
    """The tables of all visible sheets; blank rows separate tables of one sheet."""
    openpyxl = need("openpyxl", "office", "Excel files")
    check_zip(source.name, source.data)
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
        if (sheet.max_row or 0) * (sheet.max_column or 0) > MOST_CELLS:
            problems.append(f"sheet {sheet.title!r} has more than {MOST_CELLS:,} cells and was not read")
            continue
        _read_sheet(sheet, formulas[sheet.title], tables, source)
    return tables, problems


def _read_sheet(sheet: Any, formulas: Any, tables: list[Table], source: Source) -> None:
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    covered: set[tuple[int, int]] = set()
    for area in sheet.merged_cells.ranges:
        merged[area.min_row, area.min_col] = (area.max_row - area.min_row + 1, area.max_col - area.min_col + 1)
        covered.update(
            (row, column)
            for row in range(area.min_row, area.max_row + 1)
            for column in range(area.min_col, area.max_col + 1)
        )
        covered.discard((area.min_row, area.min_col))
    block: list[list[Placed]] = []
    start, caption = 0, ""
    notes: list[str] = []
    for row in range(1, (sheet.max_row or 0) + 2):
        line: list[Placed] = []
        within = False
        for column in range(1, (sheet.max_column or 0) + 1):
            if (row, column) in covered:
                within = True
                continue
            cell = sheet.cell(row, column)
            text, note = _text(cell, formulas.cell(row, column))
            if note:
                notes.append(note)
            rows, columns = merged.get((row, column), (1, 1))
            line.append(Placed(text, rows, columns, bool(text) and bool(cell.font and cell.font.b)))
        if any(cell.text for cell in line) or within:
            start = start or row
            block.append(line)
            continue
        if block:
            caption = _finish(block, start, caption, notes, sheet.title, tables, source)
        block, start, notes = [], 0, []


def _finish(
    block: list[list[Placed]],
    start: int,
    above: str,
    notes: list[str],
    title: str,
    tables: list[Table],
    source: Source,
) -> str:
    """Add the table of a block; lines with a single cell above it are its caption.

    A block that is one such line is returned: it is the caption of the table after it.
    """
    caption = [above] if above else []
    while block and block[0] and block[0][0].text and not any(cell.text for cell in block[0][1:]):
        caption.append(block[0][0].text)
        block, start = block[1:], start + 1
    draft = lay(block)
    if len(draft.rows) < 2:
        return " ".join(caption) if not draft.rows else ""
    tables.append(
        draft.table(
            Position(len(tables), line=start, sheet=title),
            caption=" ".join(caption),
            source=source.name,
            kind="excel",
            notes=tuple(notes),
        )
    )
    return ""


def _text(cell: Any, formula: Any) -> tuple[str, str]:
    """What the cell shows, and a note where that is not certain."""
    value = cell.value
    if value is None:
        if isinstance(formula.value, str) and formula.value.startswith("="):
            return formula.value, f"{cell.coordinate}: a formula whose result is not stored in the file"
        return "", ""
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
