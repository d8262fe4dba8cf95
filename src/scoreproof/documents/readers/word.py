"""Tables of Word documents.

The text is taken from the document's XML, so that insertions under review, numbers in equations and unbreakable
hyphens are seen, and deletions are not. Superscript runs are marked as in HTML.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from scoreproof.documents.formats import Contents, Paragraph, Source, check_zip
from scoreproof.documents.readers.hypertext import subscript, superscript
from scoreproof.documents.table import CAPTION, Placed, lay, tidy
from scoreproof.errors import UnreadableInput, need
from scoreproof.limits import require_within

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
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
    for number, element in enumerate(body.iter(f"{_W}tbl")):
        with contents.noting(f"table {number + 1}"):
            inside = sum(1 for _ in element.iterancestors(f"{_W}tbl"))
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
        if next(paragraph.iterancestors(f"{_W}tbl"), None) is not None:
            continue
        text = text_of(paragraph)
        if _style(paragraph).startswith(("heading", "title")):
            place = f"section {text[:120]!r}"
        else:
            yield text, place


def _style(paragraph: Any) -> str:
    style = paragraph.find(f"{_W}pPr/{_W}pStyle")
    return str(style.get(f"{_W}val", "")).lower() if style is not None else ""


def _lines(table: Any) -> tuple[list[list[Placed]], int]:
    """The rows as cells with spans; how many are marked to repeat as header on every page."""
    grid: list[dict[int, tuple[Any, int, bool]]] = []  # of each row by column: a cell, its columns, if it goes on
    headers: list[bool] = []
    for row in table.iterchildren(f"{_W}tr"):
        headers.append(_is_on(row.find(f"{_W}trPr/{_W}tblHeader")))
        column = _number("gridBefore", row.find(f"{_W}trPr/{_W}gridBefore"), 0)
        places: dict[int, tuple[Any, int, bool]] = {}
        for cell in _cells(row):
            across = max(1, _number("gridSpan", cell.find(f"{_W}tcPr/{_W}gridSpan"), 1))
            merge = cell.find(f"{_W}tcPr/{_W}vMerge")
            goes_on = bool(grid) and merge is not None and merge.get(f"{_W}val", "continue") == "continue"
            places[column] = (cell, across, goes_on)
            column += across
        grid.append(places)
    lines = []
    for number, places in enumerate(grid):
        line: list[Placed] = []
        reached = 0
        for column, (cell, across, goes_on) in sorted(places.items()):
            line.extend(Placed("") for _ in range(reached, column))
            reached = column + across
            if not goes_on:
                end = number + 1
                while end < len(grid) and column in grid[end] and grid[end][column][2]:
                    end += 1
                line.append(Placed(text_of(cell), end - number, across, _is_bold(cell)))
        lines.append(line)
    return lines, sum(1 for _ in takewhile(bool, headers))


def _is_on(mark: Any) -> bool:
    """Whether a property is there, and not switched off."""
    return mark is not None and mark.get(f"{_W}val", "1") not in _OFF


def _number(what: str, element: Any, default: int) -> int:
    """How many columns an element speaks of."""
    if element is None:
        return default
    text = str(element.get(f"{_W}val", default))
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
    """The visible text of an element; paragraphs are joined by a blank."""
    pieces: list[str] = []
    for node in _outside_tables(element):
        tag = node.tag
        if tag == f"{_W}p":
            pieces.append(" ")
        elif tag == f"{_M}t":
            pieces.append((node.text or "").replace("±", " ± "))
        elif tag == f"{_W}t":
            text = node.text or ""
            raised = _vertical(node)
            if raised == "superscript":
                text = superscript(text)
            elif raised == "subscript":
                text = subscript("".join(pieces[-1:]), text)
            pieces.append(text)
        elif tag in (f"{_W}tab", f"{_W}br", f"{_W}cr") and node.getparent().tag == f"{_W}r":
            pieces.append(" ")
        elif tag == f"{_W}noBreakHyphen":
            pieces.append("-")
    return tidy("".join(pieces))


def _outside_tables(element: Any) -> Iterator[Any]:
    """The elements in order, but for what belongs to a table inside."""
    if next(element.iterdescendants(f"{_W}tbl"), None) is None:
        yield from element.iter()
        return
    stack = [element]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(child for child in reversed(node) if child.tag != f"{_W}tbl")


def _vertical(node: Any) -> str:
    mark = node.getparent().find(f"{_W}rPr/{_W}vertAlign")
    return str(mark.get(f"{_W}val", "")) if mark is not None else ""


def _is_bold(cell: Any) -> bool:
    """Whether every run with text in it is bold."""
    if next(cell.iter(f"{_W}b"), None) is None:
        return False
    runs = [run for run in cell.iter(f"{_W}r") if tidy("".join(part.text or "" for part in run.iter(f"{_W}t")))]
    marks = [run.find(f"{_W}rPr/{_W}b") for run in runs]
    return bool(runs) and all(map(_is_on, marks))


def _caption(table: Any) -> str:
    """The nearest paragraph above or below that is a caption by style or by its first word."""
    for step in ("getprevious", "getnext"):
        beside = getattr(table, step)()
        for _ in range(3):
            if beside is None or beside.tag != f"{_W}p":
                break
            text = text_of(beside)
            if text and ("caption" in _style(beside) or CAPTION.match(text)):
                return text
            if text:
                break
            beside = getattr(beside, step)()
    return ""
