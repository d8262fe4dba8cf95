"""Tables of Word documents.

The text is taken from the document's XML, so that insertions under review, numbers in equations and unbreakable
hyphens are seen, and deletions are not. Superscript runs are marked as in HTML.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any

from scoreproof.documents.formats import Contents, Paragraph, Source, check_zip
from scoreproof.documents.readers.hypertext import subscript, superscript
from scoreproof.documents.table import CAPTION, Placed, lay, tidy
from scoreproof.errors import UnreadableInput, need
from scoreproof.limits import require_within

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_TABLE, _VALUE = f"{_W}tbl", f"{_W}val"
_BREAKS = {f"{_W}tab", f"{_W}br", f"{_W}cr"}
_PRINTED = {f"{_W}p": " ", f"{_W}noBreakHyphen": "-"}
_SEEN = (f"{_W}t", f"{_M}t", *_BREAKS, *_PRINTED)
_OFF = {"0", "false", "off", "none"}


def read(source: Source) -> Contents:
    """Every table of the document's body, nested ones after the one that holds them."""
    docx = need("docx", "office", "Word files")
    check_zip(source.name, source.data)
    try:
        body = docx.Document(io.BytesIO(source.data)).element.body
    except Exception as error:  # python-docx raises whatever its parsers meet in a damaged file
        raise UnreadableInput(f"{source.name}: not a readable Word document ({error})") from None
    contents = Contents(source, paragraphs=_paragraphs(body))
    for number, element in enumerate(body.iter(_TABLE)):
        with contents.noting(f"table {number + 1}"):
            inside = sum(1 for _ in element.iterancestors(_TABLE))
            require_within("depth", inside + 1, f"table {number + 1}")
            lines, header_rows = _lines(element)
            grid = lay(lines, header_rows or None)
            if grid.rows:
                contents.add(grid, caption=_caption(element))
    return contents


def _paragraphs(body: Any) -> Iterator[Paragraph]:
    """The paragraphs outside of tables, each with the heading above it."""
    place = ""
    for paragraph in body.iter(f"{_W}p"):
        if next(paragraph.iterancestors(_TABLE), None) is not None:
            continue
        text = text_of(paragraph)
        if _value(paragraph, "pPr/pStyle").startswith(("heading", "title")):
            place = f"section {text[:120]!r}"
        else:
            yield text, place


def _value(element: Any, path: str, default: str = "") -> str:
    """The value of a property inside an element, in small letters; the default where it is not there."""
    for name in path.split("/"):
        element = None if element is None else element.find(_W + name)
    return default if element is None else str(element.get(_VALUE, "on")).lower()


def _lines(table: Any) -> tuple[list[list[Placed]], int]:
    """The rows as cells with spans; how many are marked to repeat as header on every page."""
    rows = list(table.iterchildren(f"{_W}tr"))
    grid: list[dict[int, tuple[Any, int, bool]]] = []  # of each row by column: a cell, its columns, if it goes on
    for row in rows:
        column = _number(row, "gridBefore", "trPr/gridBefore", "0")
        places: dict[int, tuple[Any, int, bool]] = {}
        for cell in _cells(row):
            across = max(1, _number(cell, "gridSpan", "tcPr/gridSpan", "1"))
            goes_on = bool(grid) and _value(cell, "tcPr/vMerge", "no") in ("on", "continue")
            places[column] = (cell, across, goes_on)
            column += across
        grid.append(places)
    lines = []
    for number, places in enumerate(grid):
        line: list[Placed] = []
        reached = 0
        for column, (cell, across, goes_on) in places.items():
            line += [Placed("")] * (column - reached)
            reached = column + across
            if not goes_on:
                end = number + 1
                while end < len(grid) and grid[end].get(column, (None, 0, False))[2]:
                    end += 1
                line.append(Placed(text_of(cell), end - number, across, _is_bold(cell)))
        lines.append(line)
    return lines, sum(1 for _ in takewhile(lambda row: _is_on(row, "trPr/tblHeader"), rows))


def _is_on(element: Any, path: str) -> bool:
    """Whether a property is there, and not switched off."""
    return _value(element, path, "off") not in _OFF


def _number(element: Any, what: str, path: str, default: str) -> int:
    """How many columns an element speaks of."""
    text = _value(element, path, default).replace("on", default)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise UnreadableInput(f"{what}: expected a number of columns, got {text[:20]!r}")
    require_within("columns", int(text), what)
    return int(text)


def _cells(row: Any) -> Iterator[Any]:
    """The row's cells, also those inside content controls."""
    stack = [row]
    while stack:
        element = stack.pop()
        if element.tag == f"{_W}tc":
            yield element
        elif element is row or element.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins"):
            stack.extend(reversed(element))


def text_of(element: Any) -> str:
    """The visible text of an element without tables inside; paragraphs are joined by a blank."""
    pieces: list[str] = []
    outer, nested = next(element.iterancestors(_TABLE), None), next(element.iterdescendants(_TABLE), None) is not None
    for node in element.iter(*_SEEN):
        if nested and next(node.iterancestors(_TABLE), None) is not outer:
            continue
        tag = node.tag
        if tag == f"{_W}t":
            text = node.text or ""
            raised = _value(node.getparent(), "rPr/vertAlign")
            if raised == "superscript":
                text = superscript(text)
            elif raised == "subscript":
                text = subscript("".join(pieces[-1:]), text)
            pieces.append(text)
        elif tag in _BREAKS:
            pieces.append(" " if node.getparent().tag == f"{_W}r" else "")
        else:
            pieces.append(_PRINTED.get(tag) or (node.text or "").replace("±", " ± "))
    return tidy("".join(pieces))


def _is_bold(cell: Any) -> bool:
    """Whether every run with text in it is bold."""
    if next(cell.iter(f"{_W}b"), None) is None:
        return False
    runs = [run for run in cell.iter(f"{_W}r") if tidy("".join(part.text or "" for part in run.iter(f"{_W}t")))]
    return bool(runs) and all(_is_on(run, "rPr/b") for run in runs)


def _caption(table: Any) -> str:
    """The nearest paragraph above or below that is a caption by style or by its first word."""
    for above in (True, False):
        near = takewhile(lambda beside: beside.tag == f"{_W}p", islice(table.itersiblings(preceding=above), 3))
        beside, text = next(((beside, text) for beside in near if (text := text_of(beside))), (None, ""))
        if text and ("caption" in _value(beside, "pPr/pStyle") or CAPTION.match(text)):
            return text
    return ""
