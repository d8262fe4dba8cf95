"""Sheets of workbooks, every number as the sheet shows it: Excel (ECMA-376) and OpenDocument (ISO/IEC 26300).

In Excel the stored number and its format (ECMA-376, part 1, section 18.8.31) together give the printed text; a formula
without a stored result stays visible, and a number in a format that is not understood (fractions, dates, conditions) is
noted. OpenDocument keeps what a cell shows as text; cells and rows that are alike are stored once with a count.
"""

from __future__ import annotations

import datetime
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from scoreproof.documents.formats import Contents, Source, check_zip
from scoreproof.documents.table import Placed, cut, lay, tidy
from scoreproof.errors import UnreadableInput, need
from scoreproof.limits import current, exceeded, require_within

_MERGED = re.compile(
    rb'<(?:\w{1,20}:)?mergeCell\s[^<>]*?ref\s*=\s*"([A-Za-z]{1,3})([0-9]{1,7}):([A-Za-z]{1,3})([0-9]{1,7})"'
)
Place = tuple[int, int]
_MERGED_SHARE = 5  # merged cells beside those that are read: titles over whole rows are usual


@dataclass(slots=True)
class SheetTables:
    """Collects the tables of one sheet, row by row; blank rows part them, a single cell above one is its caption."""

    contents: Contents
    title: str
    _block: list[Sequence[Placed]] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)
    _caption: str = ""
    _next: int = 0

    def add(self, number: int, line: Sequence[Placed], notes: Sequence[str] = (), *, covered: bool = False) -> None:
        """The next row that holds something, counted from 1; ``covered`` if cells from above reach into it."""
        filled = covered or any(cell.text for cell in line)
        if number != self._next or not filled:
            self.end()
        if filled:
            self._block.append(line)
            self._notes += notes
            self._next = number + 1

    def end(self) -> None:
        """The rows so far are a table; a block of single cells is the caption of the table after it."""
        block, caption = self._block, [self._caption] if self._caption else []
        start = self._next - len(block)
        while block and block[0] and block[0][0].text and not any(cell.text for cell in block[0][1:]):
            caption.append(block[0][0].text)
            block, start = block[1:], start + 1
        grid = lay(block)
        self._caption = " ".join(caption) if not grid.rows else ""
        if len(grid.rows) > 1:
            self.contents.add(grid, caption=" ".join(caption), notes=self._notes, line=start, sheet=self.title)
        self._block, self._notes = [], []


def read(source: Source) -> Contents:
    """The tables of all visible sheets; blank rows separate tables of one sheet."""
    return _open_document(source) if source.format == "ods" else _excel(source)


def _excel(source: Source) -> Contents:
    openpyxl = need("openpyxl", "office", "Excel files")
    _check_merged(source)
    try:
        values = openpyxl.load_workbook(io.BytesIO(source.data), data_only=True)
        formulas = openpyxl.load_workbook(io.BytesIO(source.data), data_only=False)
    except Exception as error:  # openpyxl raises whatever its parsers meet in a damaged file
        raise UnreadableInput(f"{source.name}: not a readable Excel workbook ({error})") from None
    contents = Contents(source)
    for sheet in values.worksheets:
        with _sheet(contents, sheet.title, hidden=sheet.sheet_state != "visible") as made:
            if made is not None:
                _read_sheet(sheet, formulas[sheet.title]._cells, made)
    return contents


@contextmanager
def _sheet(contents: Contents, title: str, *, hidden: bool) -> Iterator[SheetTables | None]:
    """What collects the tables of a sheet; nothing for one that is not shown."""
    if hidden:
        contents.problems.append(f"sheet {title!r} is hidden and was not read")
        yield None
        return
    with contents.noting(f"sheet {title!r} was not read"):
        made = SheetTables(contents, title)
        yield made
        made.end()


def _check_merged(source: Source) -> None:
    """Refuse merged ranges of millions of cells before openpyxl makes an object for each of them."""
    from openpyxl.utils import column_index_from_string

    merged = 0
    for member in check_zip(source.name, source.data):
        if member.startswith("xl/worksheets/") and member.endswith(".xml"):
            for first, top, last, bottom in _MERGED.findall(_member(source, member)):
                left, right = (column_index_from_string(letters.decode()) for letters in (first, last))
                merged += (abs(right - left) + 1) * (abs(int(bottom) - int(top)) + 1)
    if merged > _MERGED_SHARE * current().cells:
        raise exceeded("cells", merged // _MERGED_SHARE, f"{source.name}: merged ranges", least=True)


def _member(source: Source, name: str) -> bytes:
    """A file in a zip archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as archive:
            return archive.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise UnreadableInput(f"{source.name}: the file is damaged ({error})") from None


def _read_sheet(sheet: Any, formulas: dict[Place, Any], made: SheetTables) -> None:
    stored = sheet._cells  # only what the file holds: asking for a cell would make one
    held = {place for cells in (stored, formulas) for place, cell in cells.items() if cell.value is not None}
    if not held:
        return
    last_row, last_column = (max(places) for places in zip(*held, strict=True))
    reach: dict[Place, tuple[int, int]] = {}  # of merged ranges by their first cells
    covered: dict[int, set[int]] = {}  # of each row the columns that such ranges cover
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
    last_column = max([last_column, *(column for columns in covered.values() for column in columns)])
    rows = sorted({row for row, _ in held} | covered.keys())
    require_within("cells", len(rows) * last_column, f"sheet {made.title!r}")
    require_within("columns", last_column, f"sheet {made.title!r}")
    for row in rows:
        line, notes = [], []
        for place in ((row, column) for column in range(1, last_column + 1) if column not in covered.get(row, ())):
            text, note, bold = _text(stored.get(place), formulas.get(place))
            line.append(Placed(text, *reach.get(place, (1, 1)), bold))
            notes += [note] if note else []
        made.add(row, line, notes, covered=bool(covered.get(row)))


def _text(cell: Any, formula: Any) -> tuple[str, str, bool]:
    """What a cell shows, a note where that is not certain, and whether it is bold."""
    value = cell.value if cell is not None else None
    text, note = ("", "") if value is None else (tidy(str(value)), "")
    if value is None and formula is not None and str(formula.value or "").startswith("="):
        cell, text = formula, str(formula.value)
        note = f"{formula.coordinate}: a formula whose result is not stored in the file"
    elif isinstance(value, bool):
        text = text.upper()
    elif isinstance(value, (int, float)):
        printed = shown(value, cell.number_format)
        note = f"{cell.coordinate}: the format {cell.number_format!r} is not understood" if printed is None else ""
        text = str(value) if printed is None else tidy(printed)
    elif isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        note = f"{cell.coordinate}: a date; if a score was meant, the sheet changed it"
    return text, note, bool(text) and bool(cell.font and cell.font.b)


# Literals of a format code are quoted, escaped, blanks as wide as a character, colours and currencies, or signs.
_QUOTED = r'"[^"]*"|\\.|[_*].|\[[^\]]*\]'
_LITERALS = rf"(?:{_QUOTED}|[ ()\-+/:!^&'~{{}}<>=$€£¥±–−%])*+"
_SECTION = re.compile(rf"({_LITERALS})(?:([0#?.,]+)([Ee][+-]0+)?)?({_LITERALS})")
_SEPARATOR = re.compile(r'"[^"]*"?|\\.|(;)')
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|[_*].|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]')


def shown(value: float | int | Decimal, code: str | None) -> str | None:
    """The number as printed with a format code; None if the code is beyond this module.

    >>> shown(0.8, "0.00"), shown(0.9567, "0.0%"), shown(1234, "#,##0"), shown(-0.5, "0.0;(0.0)"), shown(0.25, "# ?/?")
    ('0.80', '95.7%', '1,234', '(0.5)', None)
    """
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    code = "general" if code is None or code.strip() in ("", "@") else code
    sections = cut(code, _SEPARATOR)
    if not number.is_finite() or any(re.search(r"\[[<>=]", section) for section in sections):
        return None
    place = 1 if number < 0 and len(sections) > 1 else 2 if number == 0 and len(sections) > 2 else 0
    sign = "-" if number < 0 and place == 0 else ""
    if sections[place].strip().lower() == "general":  # at most eleven digits, none of them trailing zeros
        text = f"{Decimal(f'{abs(number):.10g}') if len(number.as_tuple().digits) > 11 else abs(number):f}"
        return sign + (text.rstrip("0").rstrip(".") if "." in text else text)
    return _section(abs(number), sections[place], sign)


def _section(number: Decimal, section: str, sign: str) -> str | None:
    parts = _SECTION.fullmatch(section)
    if parts is None:
        return None
    before, after = (_LITERAL.sub(r"\1\2\3", parts[place]) for place in (1, 4))
    mask, exponent = parts[2], parts[3] or ""
    if not mask:
        return before + after
    whole, point, decimals = mask.partition(".")
    odd = set(decimals) & {",", "."} or whole.endswith(",") or (exponent and whole not in ("0", "#"))
    if "?" in mask or "/" in after or odd:
        return None
    number *= Decimal(100) ** _LITERAL.sub("", parts[1] + parts[4]).count("%")
    power = number.adjusted() if exponent and number else 0
    rounded = number.scaleb(-power).quantize(Decimal(1).scaleb(-len(decimals)), rounding=ROUND_HALF_UP)
    integer, _, fraction = f"{rounded:f}".partition(".")
    integer = integer.lstrip("0").rjust(whole.count("0"), "0")
    kept = max(len(fraction.rstrip("0")), decimals.count("0"))
    if "," in whole:
        integer = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", integer)
    digits = integer + (f".{fraction[:kept]}" if point else "")
    if exponent:
        mark = "-" if power < 0 else "+" if "+" in exponent else ""
        digits += f"{exponent[0]}{mark}{abs(power):0{len(exponent) - 2}d}"
    return f"{sign if digits.strip('0.,') else ''}{before}{digits}{after}".strip()


_SPACES = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("table", "text", "style")}
_SPACES["fo"] = "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"
_TABLE, _TEXT = (f"{{{_SPACES[name]}}}" for name in ("table", "text"))
_BOLD = "//style:style[style:text-properties/@fo:font-weight='bold']/@style:name"
_HIDDEN = "//style:style[style:table-properties/@table:display='false']/@style:name"


def _open_document(source: Source) -> Contents:
    """The tables of all sheets of an OpenDocument spreadsheet that are shown."""
    from lxml import etree

    if "content.xml" not in check_zip(source.name, source.data):
        raise UnreadableInput(f"{source.name}: no content.xml in it; it is no OpenDocument spreadsheet")
    content = _member(source, "content.xml")
    try:
        root: Any = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise UnreadableInput(f"{source.name}: not a readable OpenDocument spreadsheet ({error})") from None
    bold, hidden = (set(root.xpath(path, namespaces=_SPACES)) for path in (_BOLD, _HIDDEN))
    contents = Contents(source)
    for sheet in root.iter(f"{_TABLE}table"):
        shut = sheet.get(f"{_TABLE}style-name") in hidden
        with _sheet(contents, sheet.get(f"{_TABLE}name", ""), hidden=shut) as made:
            if made is not None:
                _read_rows(sheet, made, bold)
    return contents


def _read_rows(sheet: Any, made: SheetTables, bold: set[str]) -> None:
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
