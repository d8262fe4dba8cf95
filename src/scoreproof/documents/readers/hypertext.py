"""Tables of HTML pages, as journals and preprint servers publish them.

Row and column spans are expanded, superscript footnote letters are marked with a caret so that they never run into
the digits before them (0.91<sup>2</sup> is not 0.912), and tables used for page layout are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from typing import Any

from scoreproof.documents.formats import Contents, Paragraph, Source
from scoreproof.documents.table import CAPTION, Placed, Table, lay, tidy
from scoreproof.errors import UnreadableInput

_LONGEST_CAPTION = 2_000
_HIDDEN = {"script", "style", "template", "noscript", "annotation", "annotation-xml", "head"}
_BLOCKS = {"br", "p", "div", "li", "tr", "td", "th", "hr"}
_BOLD = ("bold", ("b", "strong"))  # in a style, and the tags
_UNDERLINED = ("underline", ("u", "ins"))
_SPAN = re.compile(r"\d{1,9}")
_UNSEEN = re.compile(r"visually-?hidden|sr-only|screen-reader", re.IGNORECASE)
_HEADINGS = ("h1", "h2", "h3", "h4")
_WHOLE = ("body", "html", "article", "section", "main")
_PARTS = ("div", "p", "header", "h3", "h4", "h5", "span")
_MOST_ABOVE = 50  # elements around a paragraph that are looked at


def read(source: Source) -> Contents:
    """Every table of a page."""
    contents = Contents(source)
    add_page(contents, source.text)
    return contents


def add_page(contents: Contents, text: str, *, lines: bool = True) -> None:
    """Add what a page holds: tables without further ones inside, with their ``lines`` if it has any, and paragraphs."""
    from lxml import etree, html

    try:
        page: Any = html.document_fromstring(text.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise UnreadableInput(f"{contents.source.name or 'text'}: not an HTML page ({error})") from None
    contents.paragraphs = _paragraphs(page)
    tables = [element for element in page.iter("table") if element.find(".//table") is None]
    captions = _Captions(tables)
    for number, element in enumerate(tables, 1):
        line = element.sourceline if lines else None
        with contents.noting(f"line {line}" if lines else f"table {number}"):
            grid = _grid(element)
            if max(grid.shape) >= 2:
                contents.add(grid, caption=captions.of(element), line=line)


def _paragraphs(page: Any) -> Iterator[Paragraph]:
    """Paragraphs, points and captions; what stands in cells is no prose."""
    place = ""
    for element in page.iter(*_HEADINGS, "p", "li", "figcaption", "caption"):
        text = tidy(text_of(element))
        if element.tag in _HEADINGS:
            place = f"section {text[:120]!r}"
        elif not any(above.tag in ("td", "li", "p") for above in islice(element.iterancestors(), _MOST_ABOVE)):
            yield text, "a caption" if element.tag in ("figcaption", "caption") else place


def _grid(element: Any) -> Table:
    """The grid of a table: its head, or the rows of header cells that it begins with, its body, and its foot."""
    parts: dict[str, list[list[Any]]] = {"thead": [], "tbody": [], "tfoot": []}
    for row in element.iter("tr"):
        cells = [child for child in row if child.tag in ("td", "th")]
        if cells:
            parts.get(row.getparent().tag, parts["tbody"]).append(cells)
    head, body, foot = parts.values()
    headers = len(head) or sum(1 for _ in takewhile(lambda cells: all(c.tag == "th" for c in cells), body[:-1]))
    return lay([[_placed(cell) for cell in cells] for cells in (*head, *body, *foot)], headers or None)


def _placed(cell: Any) -> Placed:
    text = tidy(text_of(cell))
    if not cell.attrib and not len(cell):  # most cells
        return Placed(text)
    told = (cell.get(name, "1").strip() for name in ("rowspan", "colspan"))
    rows, columns = (int(number) if _SPAN.fullmatch(number) else 1 for number in told)
    bold, underlined = (cell.tag == "td" and _is_set(cell, text, style, tags) for style, tags in (_BOLD, _UNDERLINED))
    return Placed(text, rows, columns, bold, underlined)


def _is_set(cell: Any, text: str, style: str, tags: Sequence[str]) -> bool:
    """Whether all that a cell says is set in a style, by its own or within tags."""
    outermost = (p for p in cell.iter(*tags) if not any(a.tag in tags for a in p.iterancestors() if a is not cell))
    set_so = "".join("".join(map(text_of, outermost)).split())
    return style in str(cell.get("style", "")) or set_so == "".join(text.split()) != ""


def text_of(element: Any) -> str:
    """The text a reader sees: scripts and hidden parts left out, superscripts marked."""
    pieces: list[str] = []
    # An explicit stack, also of texts behind an element: a page may nest deeper than Python recurses.
    stack: list[Any] = [element]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            pieces.append(node)
        elif not isinstance(node.tag, str) or node.tag in _HIDDEN or _UNSEEN.search(node.get("class", "")):
            continue
        elif node.tag in ("sup", "sub"):
            text = tidy("".join(node.itertext()))
            pieces.append(superscript(text) if node.tag == "sup" else subscript("".join(pieces[-3:]), text))
        else:
            alternative = node.get("alt", "") if node.tag == "img" else ""
            pieces.append(f"{' ' if node.tag in _BLOCKS else ''}{alternative}{node.text or ''}")
            for child in reversed(node):
                stack += [child.tail or "", child]
    return "".join(pieces)


def superscript(text: str) -> str:
    """A superscript in line: letters and digits behind a caret, signs and what follows a ± as they are.

    >>> superscript("a"), superscript("†"), superscript("±0.2")
    ('^a', '†', ' ±0.2')
    """
    if text.lstrip().startswith("±"):
        return f" {text}"
    return f"^{text}" if re.search(r"\w", text) else text


def subscript(before: str, text: str) -> str:
    """A subscript in line: as it is after a letter (F1), behind an underscore where it would lengthen a number.

    A change below a number ("91.2" with "+0.3") is put into brackets, as other papers print it.

    >>> subscript("F", "1"), subscript("0.90", "2"), subscript("0.90", "±0.02"), subscript("91.2", "+0.3")
    ('1', '_2', '±0.02', ' (+0.3)')
    """
    if not re.search(r"[\d%*†]\s*$", before[-20:]):
        return text
    if re.match(r"[+\-−–]\s*\d", text):
        return f" ({text})"
    return f"_{text}" if re.match(r"[\d.,]", text) else text


class _Captions:
    """Finds captions; what stands around many tables is looked through once."""

    def __init__(self, tables: Sequence[Any]) -> None:
        self._inside: dict[Any, str | None] = {}
        self._read: dict[Any, str] = {}
        self._stand_below = True
        sides = [tuple(bool(CAPTION.match(text)) for text in self._beside(table)) for table in tables]
        # Those of tables with a caption on one side alone tell on which side all stand.
        self._stand_below = sides.count((False, True)) > sides.count((True, False))

    def of(self, element: Any) -> str:
        """The caption in a table, in what is around it, or right beside it."""
        for child in element.iterchildren("caption"):
            return tidy(text_of(child))
        for above in takewhile(lambda above: above.tag not in _WHOLE, islice(element.iterancestors(), 4)):
            if above not in self._inside:
                named = (part for part in above.iter(*_PARTS) if "caption" in str(part.get("class", "")).lower())
                captions = (*above.iter("figcaption", "caption"), *islice(named, 1))
                self._inside[above] = tidy(text_of(captions[0])) if captions else None
            if (inside := self._inside[above]) is not None:
                return inside
        above, below = self._beside(element)
        return below.lstrip(": ") if below and (self._stand_below or not above) else above

    def _beside(self, element: Any) -> tuple[str, str]:
        """What stands right above and right below a table, if that is a caption; above it a heading is."""
        around = takewhile(lambda outer: outer.tag not in _WHOLE[:2], islice(element.iterancestors(), 2))
        above = (self._caption(outer.getprevious(), _HEADINGS) for outer in (element, *around))
        behind = element.getnext()
        of_next = behind is not None and (after := behind.getnext()) is not None and after.tag == "table"
        return next(filter(None, above), ""), "" if of_next and not self._stand_below else self._caption(behind)

    def _caption(self, beside: Any, headings: Sequence[str] = ()) -> str:
        if beside is None or not isinstance(beside.tag, str):
            return ""
        if beside not in self._read:
            self._read[beside] = tidy(text_of(beside))
        text = self._read[beside]
        named = beside.tag in headings or beside.get("class") == "caption" or (text.startswith(":") and not headings)
        begins = named or CAPTION.match(text)
        return text if begins and len(text) < _LONGEST_CAPTION else ""
