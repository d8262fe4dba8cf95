"""Tables of PDF files that carry text; a scanned page does not."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import NamedTuple

from scoreproof.documents.formats import Contents, Source
from scoreproof.documents.readers.pdf_columns import grid_of
from scoreproof.documents.readers.pdf_page import Page, Pages, lines_of
from scoreproof.documents.readers.pdf_regions import BOOKTABS, regions_of
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
