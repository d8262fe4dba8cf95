"""Tables of Word documents.

A document becomes an HTML page, which ``hypertext`` reads. The text is taken from the document's XML, so that
insertions under review, numbers in equations and unbreakable hyphens are seen, and deletions are not.
"""

from __future__ import annotations

import io
import re
from html import escape
from typing import Any

from scoreproof.documents.formats import Contents, Source, check_zip
from scoreproof.documents.readers.hypertext import add_page
from scoreproof.errors import UnreadableInput, need
from scoreproof.limits import require_within

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_PRINTED = {f"{_W}tab": " ", f"{_W}br": " ", f"{_W}cr": " ", f"{_W}p": " ", f"{_W}noBreakHyphen": "-"}
_OFF = {"0", "false", "off", "none"}


def read(source: Source) -> Contents:
    """Every table of the document's body, nested ones after the one that holds them."""
    docx = need("docx", "office", "Word files")
    check_zip(source.name, source.data)
    try:
        body = docx.Document(io.BytesIO(source.data)).element.body
    except Exception as error:  # python-docx raises whatever its parsers meet in a damaged file
        raise UnreadableInput(f"{source.name}: not a readable Word document ({error})") from None
    contents = Contents(source)
    page = ["<body>"]
    for number, element in enumerate(body.iter(f"{_W}p", f"{_W}tbl")):
        if element.tag == f"{_W}tbl":
            with contents.noting(f"block {number + 1}"):
                page.append(_table(element))
        elif next(element.iterancestors(f"{_W}tbl"), None) is None and (text := _text(element)).strip():
            style = _value(element, "pPr/pStyle")
            tag = "h1" if style.startswith(("heading", "title")) else "p"
            page.append(f'<{tag} class="{"caption" if "caption" in style else ""}">{text}</{tag}>')
    add_page(contents, "\n".join(page), lines=False)
    return contents


def _value(element: Any, path: str, default: str = "") -> str:
    """The value of a property inside an element, in small letters; the default where it is not there."""
    for name in path.split("/"):
        element = None if element is None else element.find(_W + name)
    return default if element is None else str(element.get(f"{_W}val", "on")).lower()


def _table(table: Any) -> str:
    """A table as HTML; the rows that are marked to repeat on every page are its head."""
    rows = list(table.iterchildren(f"{_W}tr"))
    grid: list[dict[int, tuple[Any, int, bool]]] = []  # of each row by column: a cell, its columns, if it goes on
    for row in rows:
        column = _number(row, "gridBefore", "trPr/gridBefore", "0")
        grid.append({})
        for cell in (c for c in row.iter(f"{_W}tc") if next(c.iterancestors(f"{_W}tr")) is row):
            across = max(1, _number(cell, "gridSpan", "tcPr/gridSpan", "1"))
            goes_on = len(grid) > 1 and _value(cell, "tcPr/vMerge", "no") in ("on", "continue")
            grid[-1][column] = (cell, across, goes_on)
            column += across
    lines = []
    for number, places in enumerate(grid):
        line, reached = "", 0
        for column, (cell, across, goes_on) in places.items():
            line += "<td></td>" * (column - reached)
            reached = column + across
            if not goes_on:
                end = number + 1
                while end < len(grid) and grid[end].get(column, (None, 0, False))[2]:
                    end += 1
                line += f'<td rowspan="{end - number}" colspan="{across}">{_text(cell)}</td>'
        lines.append(f"<tr>{line}</tr>")
    head = next((at for at, row in enumerate(rows) if _value(row, "trPr/tblHeader", "off") in _OFF), len(rows))
    return f"<table><thead>{''.join(lines[:head])}</thead><tbody>{''.join(lines[head:])}</tbody></table>"


def _number(element: Any, what: str, path: str, default: str) -> int:
    """How many columns an element speaks of."""
    text = _value(element, path, default).replace("on", default)
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise UnreadableInput(f"{what}: expected a number of columns, got {text[:20]!r}")
    require_within("columns", int(text), what)
    return int(text)


def _text(element: Any) -> str:
    """The visible text of an element as HTML, without tables inside; paragraphs are joined by a blank."""
    pieces: list[str] = []
    outer = next(element.iterancestors(f"{_W}tbl"), None)
    nested = next(element.iterdescendants(f"{_W}tbl"), None) is not None
    for node in element.iter(f"{_W}t", _MATH, *_PRINTED):
        if nested and next(node.iterancestors(f"{_W}tbl"), None) is not outer:
            continue
        run = node.getparent()
        if node.tag in _PRINTED:
            pieces.append(_PRINTED[node.tag] if node.tag == f"{_W}p" or run.tag == f"{_W}r" else "")
            continue
        raised = {"superscript": "sup", "subscript": "sub"}.get(_value(run, "rPr/vertAlign"), "span")
        shown = (node.text or "").replace("±", " ± ") if node.tag == _MATH else node.text or ""
        text = f"<{raised}>{escape(shown)}</{raised}>"
        pieces.append(f"<b>{text}</b>" if _value(run, "rPr/b", "off") not in _OFF else text)
    return "".join(pieces)
