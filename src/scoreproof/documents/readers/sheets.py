"""Sheets of workbooks, every number as the sheet shows it: Excel (ECMA-376) and OpenDocument (ISO/IEC 26300).

In Excel the stored number and its format (ECMA-376, part 1, section 18.8.31) together give the printed text.
OpenDocument keeps it as text; cells and rows that are alike are stored once with a count.
"""

from __future__ import annotations

import datetime
import io
import itertools
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any, NamedTuple

from scoreproof.documents.formats import Contents, Source, check_zip
from scoreproof.documents.table import Placed, lay, tidy
from scoreproof.errors import UnreadableInput, need
from scoreproof.limits import current, exceeded, require_within

Place = tuple[int, int]
_MERGED = re.compile(rb'mergeCell\s[^<>]*?ref\s*=\s*"([A-Za-z]{1,3}[0-9]{1,7}:[A-Za-z]{1,3}[0-9]{1,7})"')
_UNSTORED = re.compile(rb"<c\s([^<>]*+)>\s*+<f[^<>]*+>(?:[^<]*+</f>)?+\s*+(?:<v\s*+/>|<v></v>)?+\s*+</c>")
_PLACE = re.compile(rb'\br="([A-Z]{1,3}[0-9]{1,7})"')
_MERGED_SHARE = 5  # merged cells beside those that are read: titles over whole rows are usual


class _Row(NamedTuple):
    """A row of a sheet and its number, counted from 1; ``covered`` if cells from above reach into it."""

    number: int
    cells: Sequence[Placed]
    covered: bool
    notes: Sequence[str] = ()


def read(source: Source) -> Contents:
    """The tables of all sheets that are shown."""
    contents = Contents(source)
    for title, is_shown, rows in _open_document(source) if source.format == "ods" else _excel(contents):
        if is_shown:
            with contents.noting(f"sheet {title!r} was not read"):
                _add_tables(contents, title, rows)
        else:
            contents.problems.append(f"sheet {title!r} is hidden and was not read")
    return contents


def _add_tables(contents: Contents, title: str, rows: Iterable[_Row]) -> None:
    """Blank rows part the tables of a sheet; single cells above one are its caption."""
    above = ""
    filled = (row for row in rows if row.covered or any(cell.text for cell in row.cells))
    for _, placed in itertools.groupby(enumerate(filled), key=lambda placed: placed[1].number - placed[0]):
        block = [row for _, row in placed]
        notes = [note for row in block for note in row.notes]
        texts = ([cell.text for cell in row.cells] for row in block)
        single = [first for first, *_ in itertools.takewhile(lambda own: any(own[:1]) and not any(own[1:]), texts)]
        caption = " ".join(filter(None, [above, *single]))
        block = block[len(single) :]
        grid = lay([row.cells for row in block])
        above = "" if grid.rows else caption
        if len(grid.rows) > 1:
            contents.add(grid, caption=caption, notes=notes, line=block[0].number, sheet=title)


Sheets = Iterator[tuple[str, bool, Iterator[_Row]]]  # title, whether it is shown, rows


def _excel(contents: Contents) -> Sheets:
    openpyxl, source = need("openpyxl", "office", "Excel files"), contents.source
    _check_sheets(contents)
    try:
        book = openpyxl.load_workbook(io.BytesIO(source.data), data_only=True)
    except Exception as error:  # openpyxl raises whatever its parsers meet in a damaged file
        raise UnreadableInput(f"{source.name}: not a readable Excel workbook ({error})") from None
    return ((sheet.title, sheet.sheet_state == "visible", _excel_rows(sheet)) for sheet in book.worksheets)


def _check_sheets(contents: Contents) -> None:
    """Refuse millions of merged cells, for each of which openpyxl makes an object; name formulas not yet computed."""
    from openpyxl.utils import range_boundaries

    source, merged, blank = contents.source, 0, list[str]()
    for name in check_zip(source.name, source.data):
        text = _member(source, name) if re.fullmatch(r"xl/worksheets/.*\.xml", name) else b""
        areas: Any = (range_boundaries(ref.decode()) for ref in _MERGED.findall(text))
        merged += sum((abs(right - left) + 1) * (abs(bottom - top) + 1) for left, top, right, bottom in areas)
        blank += [place[1].decode() for told in _UNSTORED.findall(text) if (place := _PLACE.search(told))]
    if merged > _MERGED_SHARE * current().cells:
        raise exceeded("cells", merged // _MERGED_SHARE, f"{source.name}: merged ranges", least=True)
    if blank:
        words = f"formulas without a stored result are blank, {len(blank)} in all, the first in {blank[0]}"
        contents.problems.append(f"{words}; open the file in a spreadsheet program and save it")


def _member(source: Source, name: str) -> bytes:
    """A file in a zip archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            return archive.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UnreadableInput(f"{source.name}: the file is damaged ({error})") from None


def _excel_rows(sheet: Any) -> Iterator[_Row]:
    held = {at: cell for at, cell in sheet._cells.items() if cell.value is not None}  # asking for a cell would make one
    if not held:
        return
    reach, covered = _merged(sheet, *(max(places) for places in zip(*held, strict=True)))
    width = max(column for columns in (*covered.values(), {column for _, column in held}) for column in columns)
    rows = sorted({row for row, _ in held} | covered.keys())
    require_within("cells", len(rows) * width, f"sheet {sheet.title!r}")
    require_within("columns", width, f"sheet {sheet.title!r}")
    for row in rows:
        hidden = covered.get(row, set())
        line, notes = [], []
        for place in ((row, column) for column in range(1, width + 1) if column not in hidden):
            text, note = _text(held[place]) if place in held else ("", "")
            bold = bool(text) and bool(held[place].font and held[place].font.b)
            line.append(Placed(text, *reach.get(place, (1, 1)), bold))
            notes += [note] if note else []
        yield _Row(row, line, bool(hidden), notes)


def _merged(sheet: Any, last_row: int, last_column: int) -> tuple[dict[Place, Place], dict[int, set[int]]]:
    """How far merged ranges reach by their first cells, and the columns of each row that such ranges cover."""
    reach, covered = dict[Place, Place](), dict[int, set[int]]()
    longest = current().columns
    for area in sheet.merged_cells.ranges:
        # ranges stay ranges: one over whole rows or columns reaches as far as the sheet does
        bottom = area.max_row if area.max_row - area.min_row < longest else min(area.max_row, last_row)
        right = area.max_col if area.max_col - area.min_col < longest else min(area.max_col, last_column)
        if bottom >= area.min_row and right >= area.min_col:
            reach[area.min_row, area.min_col] = (bottom - area.min_row + 1, right - area.min_col + 1)
            for row in range(area.min_row, bottom + 1):
                covered.setdefault(row, set()).update(range(area.min_col, right + 1))
            covered[area.min_row].discard(area.min_col)
    return reach, covered


def _text(cell: Any) -> tuple[str, str]:
    """What a cell shows, and a note where that is not certain."""
    value, text, note = cell.value, str(cell.value), ""
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        note = f"{cell.coordinate}: a date; if a score was meant, the sheet changed it"
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        text = shown(value, cell.number_format) or ""
        note = "" if text else f"{cell.coordinate}: the format {cell.number_format!r} is not understood"
    return tidy(text or str(value)), note


# What stands around the digits of a format: quoted, escaped, blanks as wide as a character, colours, signs.
_AROUND = r'((?:"[^"]*"|\\.|[_*].|\[[^\]]*\]|[ ()\-−–+±%$€£])*+)'
_SECTION = re.compile(rf"{_AROUND}([#,]*)0(?:\.(0+))?(E\+00)?{_AROUND}")
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|[_*].|\[[^\]]*\]')


def shown(value: float | int | Decimal, code: str | None) -> str | None:
    """The number as printed with a format code; None if the code is beyond this module.

    >>> shown(0.8, "0.00"), shown(0.9567, "0.0%"), shown(1234, "#,##0"), shown(-0.5, "0.0;(0.0)"), shown(0.25, "# ?/?")
    ('0.80', '95.7%', '1,234', '(0.5)', None)
    """
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    sections = (code or "General").split(";")
    place = 1 if number < 0 and len(sections) > 1 else 2 if number == 0 and len(sections) > 2 else 0
    sign, size = "-" if number < 0 and place == 0 else "", abs(number)
    if not number.is_finite() or re.search(r"\[[<>=]", code or ""):
        return None
    if sections[place].strip().lower() in ("@", "general"):  # at most eleven digits, none of them trailing zeros
        text = f"{Decimal(f'{size:.10g}') if len(number.as_tuple().digits) > 11 else size:f}"
        return sign + (text.rstrip("0").rstrip(".") if "." in text else text)
    if (parts := _SECTION.fullmatch(sections[place])) is None:
        return None
    before, groups, decimals, power, after = parts.groups(default="")
    size *= Decimal(100) ** _LITERAL.sub("", before + after).count("%")
    with localcontext(rounding=ROUND_HALF_UP):
        digits = f"{size:{',' * ('#,' in groups)}.{len(decimals)}{'E' if power else 'f'}}"
    digits = re.sub(r"(?<=E[+-])(?=\d$)", "0", digits)
    before, after = (_LITERAL.sub(r"\1\2", text) for text in (before, after))
    return f"{sign if digits.strip('0.,') else ''}{before}{digits}{after}".strip()


_SPACES = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("table", "text", "style")}
_SPACES["fo"] = "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
_TABLE, _TEXT = (f"{{{_SPACES[name]}}}" for name in ("table", "text"))
_BOLD = "//style:style[style:text-properties/@fo:font-weight='bold']/@style:name"
_HIDDEN = "//style:style[style:table-properties/@table:display='false']/@style:name"


def _open_document(source: Source) -> Sheets:
    from lxml import etree

    check_zip(source.name, source.data)
    try:
        content = _member(source, "content.xml")
        root: Any = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    except (KeyError, etree.XMLSyntaxError) as error:
        raise UnreadableInput(f"{source.name}: not a readable OpenDocument spreadsheet ({error})") from None
    bold, hidden = (set(root.xpath(path, namespaces=_SPACES)) for path in (_BOLD, _HIDDEN))
    for sheet in root.iter(f"{_TABLE}table"):
        is_shown = sheet.get(f"{_TABLE}style-name") not in hidden
        yield sheet.get(f"{_TABLE}name", ""), is_shown, _open_document_rows(sheet, bold)


def _open_document_rows(sheet: Any, bold: set[str]) -> Iterator[_Row]:
    number, cells = 1, 0
    for row in sheet.iter(f"{_TABLE}table-row"):
        repeated = _count(row, "number-rows-repeated")
        line = list(_line(row, bold))
        while line and not line[-1].text:
            line.pop()
        covered = next(row.iter(f"{_TABLE}covered-table-cell"), None) is not None
        if line or covered:
            cells += repeated * max(1, len(line))
            require_within("cells", cells, f"sheet {sheet.get(f'{_TABLE}name')!r}", least=True)
            yield from (_Row(copy, line, covered) for copy in range(number, number + repeated))
        number += repeated


def _line(row: Any, bold: set[str]) -> Iterator[Placed]:
    """The cells of a row; those that another covers are left out."""
    columns = 0
    for cell in row.iterchildren(f"{_TABLE}table-cell"):
        text = tidy(" ".join("".join(part.itertext()) for part in cell.iterchildren(f"{_TEXT}p")))
        repeated = _count(cell, "number-columns-repeated")
        columns += repeated
        require_within("columns", columns if text else 0, "a row", least=True)
        down, across = _count(cell, "number-rows-spanned"), _count(cell, "number-columns-spanned")
        placed = Placed(text, down, across, bool(text) and cell.get(f"{_TABLE}style-name") in bold)
        yield from [placed] * min(repeated, current().columns)


def _count(element: Any, name: str) -> int:
    text = str(element.get(f"{_TABLE}{name}", "1"))
    return int(text) if text.isascii() and text.isdigit() and 0 < len(text) <= 9 and int(text) else 1
