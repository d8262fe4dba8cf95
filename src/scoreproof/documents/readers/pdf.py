"""Tables of PDF files that carry text (a scanned page does not), and the confusion matrices drawn in them.

A drawn matrix has numbers in filled boxes that touch, as many rows as columns. The names of the classes stand to the
left of the rows; the columns are taken to have the same ones, and a note says so.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scoreproof.documents.formats import Contents, Source
from scoreproof.documents.readers.pdf_columns import grid_of
from scoreproof.documents.readers.pdf_page import DrawnShape, Line, Page, Pages, Word, lines_of
from scoreproof.documents.readers.pdf_regions import BOOKTABS, Region, RuledLine, regions_of
from scoreproof.documents.readers.pdf_text import (
    NearCaptions,
    PageTexts,
    label_of,
    labels,
    near_captions,
    outside,
    settled,
    without_table,
)
from scoreproof.documents.table import Table, looks_numeric
from scoreproof.errors import UnreadableInput
from scoreproof.limits import current, require_within
from scoreproof.work.subprocess_worker import allow_more

_MOST_PAGES = 1_500
_PAGES_IN_TIME = 20  # that are read within the time for a document; each page more has as much more
_MOST_GLYPHS = 1_200_000  # some 400 full pages
_FILLED, _RESULTS = 0.4, 0.5  # of the cells of a table without rules and caption that are filled, of these the numbers
_ASIDE = 12.0  # points by which a column may stand aside on the next page


def read(source: Source) -> Contents:
    """The tables of all pages; a document of many pages has more time."""
    document = Pages(source.name, source.data)
    pages_read, pages, seconds = _Pages(source), len(document), current().seconds
    end = time.process_time() + seconds * max(1.0, pages / _PAGES_IN_TIME)
    glyphs = 0
    for index in range(pages):
        source.tell(index + 1, pages)
        allow_more(seconds)
        late = time.process_time() > end
        if late or glyphs > _MOST_GLYPHS or index >= _MOST_PAGES:
            why = f"{index} pages and {glyphs:,} characters are read of a document at most"
            if late:
                why = f"the pages before took more than {seconds / _PAGES_IN_TIME:g} seconds each"
            pages_read.problems.append(
                f"pages {index + 1} to {pages} were not read: {why}; save these pages as a file of their own"
            )
            break
        if index + 1 in source.skipped_pages or (page := document.page(index)) is None:
            pages_read.problems.append(
                f"page {index + 1} is damaged, or takes too much time or memory; it was not read"
            )
            continue
        glyphs += len(page.glyphs)
        for upright in filter(None, (page, page.turned())):
            pages_read.add(index + 1, upright)
    if glyphs == 0:
        raise UnreadableInput(
            f"{source.name}: the PDF has no text, its pages are pictures; recognise its characters (OCR) first, for "
            "example with: ocrmypdf scanned.pdf readable.pdf"
        )
    return pages_read.contents()


class _DraftedTable(NamedTuple):
    """A table before it is known which caption it has."""

    page: int
    grid: Table
    captions: NearCaptions
    rules: int  # that cross it
    boxed: bool  # whether vertical rules part its columns
    columns: tuple[float, ...]  # the middle of what stands in each


class _Pages:
    """Collects tables, running text and captions of pages one after the other."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._drafted: list[_DraftedTable] = []
        self.problems: list[str] = []
        self._text = PageTexts()
        self._captions: dict[str, int] = {}  # by their numbers: the page where each stands first

    def add(self, number: int, page: Page) -> None:
        """What stands on one page, or on one that was turned."""
        lines = lines_of(page)
        for label in labels(lines):
            self._captions.setdefault(label, number)
        if not lines:
            if page.pictures:
                self.problems.append(f"page {number} is a picture without text and was not read")
            return
        regions = regions_of(page, lines)
        text = list(outside(lines, regions))
        self._text.add(number, text)
        for region in regions:
            grid, columns = grid_of(region)
            if min(grid.shape) >= 2:
                near = near_captions(number, region, text)
                ruled = (sum(map(region.is_full, region.rules)), len(region.edges) > BOOKTABS)
                self._drafted.append(_DraftedTable(number, grid, near, *ruled, columns))
                require_within("tables", len(self._drafted), self._source.name, least=True)
        for grid, region in _matrices_of(page, text):
            near = near_captions(number, region, text)
            self._drafted.append(_DraftedTable(number, grid, near, BOOKTABS, True, ()))

    def contents(self) -> Contents:
        """Everything that was collected."""
        captions = settled([table.captions for table in self._drafted])
        whole: list[tuple[_DraftedTable, str]] = []
        for table, caption in zip(self._drafted, captions, strict=True):
            joined = _continued(*whole[-1], table, caption) if whole else None
            if joined is not None:
                whole[-1] = (joined, whole[-1][1])
            elif caption or _is_plausible(table):
                whole.append((table, caption or table.captions.figure))
        missing = without_table(self._captions, captions)
        contents = Contents(self._source, problems=[*self.problems, *missing], paragraphs=self._text.paragraphs)
        for table, caption in whole:
            contents.add(table.grid, caption=caption, notes=table.grid.notes, page=table.page)
        return contents


def _is_plausible(table: _DraftedTable) -> bool:
    """Whether what has no caption is a table: not a figure, not formulas, not lines of prose."""
    cells = [text for row in table.grid.body for text in row]
    filled = [text for text in cells if text]
    sparse = len(filled) < _FILLED * len(cells)
    if table.rules >= BOOKTABS or table.boxed:
        return not table.captions.figure or (table.rules >= BOOKTABS and not sparse)
    return not table.captions.figure and not sparse and sum(map(looks_numeric, filled)) >= _RESULTS * len(filled)


def _continued(upper: _DraftedTable, title: str, lower: _DraftedTable, caption: str) -> _DraftedTable | None:
    """Two tables as one, where the lower goes on with the upper on the next page: its header is missing or the same."""
    goes_on = not caption or ("contin" in caption.lower() and label_of(title) == label_of(caption) != "")
    headers = lower.grid.header_rows
    if lower.page != upper.page + 1 or not goes_on or (headers and lower.grid.header != upper.grid.header):
        return None
    width = len(upper.columns)
    places = [min(range(width), key=lambda k: abs(upper.columns[k] - x)) for x in lower.columns if width]
    near = all(abs(upper.columns[k] - x) < _ASIDE for k, x in zip(places[1:], lower.columns[1:], strict=False))
    if not near or len(set(places)) < max(len(places), width - 1, 1):
        return None
    cells = [dict(zip(places, row, strict=True)) for row in lower.grid.body]
    at = len(upper.grid.rows) - headers
    bold = upper.grid.bold | {(row + at, places[column]) for row, column in lower.grid.bold if row >= headers}
    rows = (*upper.grid.rows, *(tuple(row.get(place, "") for place in range(width)) for row in cells))
    return upper._replace(grid=replace(upper.grid, rows=rows, bold=bold))


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?%?")
_SMALLEST, _LARGEST = 8.0, 200.0  # points of a side of a box
_SAME = 3.0  # points by which the sides of boxes in one row may differ
_FAR = 130.0  # points between a box and the name of its row
_MOST = 2_000  # boxes of a page; more are a picture
_NOTE = "the names of the columns were not read: those of the rows are taken, in the same order"


def _matrices_of(page: Page, lines: Sequence[Line]) -> Iterator[tuple[Table, Region]]:
    """The matrices of a page, from lines that are of no table, and where each stands."""
    words = [(line.y - 0.35 * word.size, word) for line in lines for word in line.words]
    cells: dict[DrawnShape, list[str]] = {
        box: []
        for box in page.shapes
        if _SMALLEST < box.x1 - box.x0 < _LARGEST and _SMALLEST < box.bottom - box.top < _LARGEST
    }
    if len(cells) > _MOST:
        return
    for y, word in words:
        around = [box for box in cells if box.x0 < word.middle < box.x1 and box.top < y < box.bottom]
        if around and _NUMBER.fullmatch(word.text):
            cells[min(around, key=lambda box: (box.x1 - box.x0) * (box.bottom - box.top))].append(word.text)
    numbers = {box: texts[0] for box, texts in cells.items() if len(texts) == 1}
    for rows in filter(None, map(_square, _touching(numbers))):
        x0, x1, top, bottom = rows[0][0].x0, rows[-1][-1].x1, rows[0][0].top, rows[-1][-1].bottom
        beside = sorted((round(y), word) for y, word in words if x0 - _FAR < word.x0 and word.x1 < x0 + 1)
        names = [" ".join(word.text for y, word in beside if row[0].top < y < row[0].bottom) for row in rows]
        body = [(name, *(numbers[box] for box in row)) for name, row in zip(names, rows, strict=True)]
        bounds = [RuledLine(x0, x1, top), RuledLine(x0, x1, bottom)]
        lines = [Line(bottom, (Word("", x0, x1, bottom - top),))]
        yield Table((("", *names), *body), notes=(_NOTE,)), Region(x0, x1, lines, bounds)


def _touching(boxes: Iterable[DrawnShape]) -> Iterator[list[DrawnShape]]:
    """Boxes that share sides, directly or by others, top to bottom."""
    left = sorted(boxes, key=lambda box: (box.top, box.x0))
    while left:
        group = [left.pop(0)]
        for box in group:  # it grows
            x0, x1, top, bottom = box.x0 - _SAME, box.x1 + _SAME, box.top - _SAME, box.bottom + _SAME
            near = [b for b in left if b.x0 < x1 and x0 < b.x1 and b.top < bottom and top < b.bottom]
            group += near
            left = [other for other in left if other not in near]
        yield group


def _square(group: list[DrawnShape]) -> list[list[DrawnShape]]:
    """Boxes in as many rows as columns; nothing if they are not."""
    order = sorted(group, key=lambda box: (round(box.top / _SAME), box.x0))
    size = round(len(order) ** 0.5)
    rows = [order[k : k + size] for k in range(0, len(order), size)]
    level = all(abs(box.top - row[0].top) < _SAME for row in rows for box in row)
    upright = all(abs(b.x0 - a.x0) < _SAME for row in rows for b, a in zip(row, rows[0], strict=False))
    return rows if size >= 2 and size * size == len(order) and level and upright else []
