"""Tables of PDF files that carry text (a scanned page does not), and the confusion matrices drawn in them.

A drawn matrix has numbers in filled boxes that touch, as many rows as columns. The names of the classes stand to the
left of the rows, and below or above the columns, where they may be turned by a right angle. Text that is slanted is not
read; then the columns are taken to have the names of the rows, and a note says so.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scoreproof.documents.formats import Contents, Source
from scoreproof.documents.readers.pdf_columns import grid_of
from scoreproof.documents.readers.pdf_lines import Line, RuledLine, Word, lines_of, rules_of, runs_of
from scoreproof.documents.readers.pdf_page import DrawnShape, Page, Pages
from scoreproof.documents.readers.pdf_regions import BOOKTABS, Region, regions_of
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
        page = None if index + 1 in source.skipped_pages else document.page(index)
        if page is None:
            pages_read.problems.append(
                f"page {index + 1} is damaged, or takes too much time or memory; it was not read"
            )
            continue
        glyphs += len(page.glyphs)
        pages_read.add(index + 1, page)
        sideways = page.turned()
        if sideways is not None:
            pages_read.add(index + 1, sideways)
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
    notes: tuple[str, ...]
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
        rules = rules_of(page)
        lines = lines_of(page, rules.seams)
        for label in labels(lines):
            self._captions.setdefault(label, number)
        if not lines:
            if page.pictures:
                self.problems.append(f"page {number} is a picture without text and was not read")
            return
        regions = regions_of(rules, lines)
        text = outside(lines, regions)
        self._text.add(number, text, page.width)
        for region in regions:
            grid, notes, columns = grid_of(region)
            if min(grid.shape) >= 2:
                near = near_captions(number, region, text)
                ruled = (sum(map(region.is_full, region.rules)), len(region.edges) > BOOKTABS)
                self._drafted.append(_DraftedTable(number, grid, notes, near, *ruled, columns))
                require_within("tables", len(self._drafted), self._source.name, least=True)
        for matrix in matrices_of(page, text):
            near = near_captions(number, matrix.region, text)
            grid, places = Table(matrix.rows), tuple(float(k) for k in range(len(matrix.rows[0])))
            self._drafted.append(_DraftedTable(number, grid, matrix.notes, near, BOOKTABS, True, places))

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
        contents = Contents(self._source, problems=[*self.problems, *missing], paragraphs=self._text.paragraphs())
        for table, caption in whole:
            contents.add(table.grid, caption=caption, notes=table.notes, page=table.page)
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
    if lower.page != upper.page + 1 or (caption and not _goes_on(title, caption)):
        return None
    headers = lower.grid.header_rows
    if headers and lower.grid.header != upper.grid.header:
        return None
    places = [min(range(len(upper.columns)), key=lambda k: abs(upper.columns[k] - x)) for x in lower.columns]
    near = all(abs(upper.columns[k] - x) < _ASIDE for k, x in zip(places[1:], lower.columns[1:], strict=True))
    if len(set(places)) < len(places) or not near or len(places) < len(upper.columns) - 1:
        return None
    added = []
    for row in lower.grid.body:
        cells = [""] * len(upper.columns)
        for place, text in zip(places, row, strict=True):
            cells[place] = text
        added.append(tuple(cells))
    at = len(upper.grid.rows) - headers
    spans = [
        replace(span, row=span.row + at, column=places[span.column])
        for span in lower.grid.spans
        if span.row >= headers and span.columns == 1
    ]
    bold = {(row + at, places[column]) for row, column in lower.grid.bold if row >= headers}
    grid = upper.grid
    rows = (*grid.rows, *added)
    return upper._replace(grid=replace(grid, rows=rows, spans=(*grid.spans, *spans), bold=grid.bold | bold))


def _goes_on(title: str, caption: str) -> bool:
    """Whether a caption says that its table goes on with another."""
    return bool(label_of(title)) and label_of(title) == label_of(caption) and "contin" in caption.lower()


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?%?")
_SMALLEST, _LARGEST = 8.0, 200.0  # points of a side of a box
_SAME = 3.0  # points by which the sides of boxes in one row may differ
_FAR = 130.0  # points between a box and the name of its row or column
_MOST = 2_000  # boxes of a page; more are a picture
_NOTE = "the names of the columns were not read: those of the rows are taken, in the same order"


class DrawnMatrix(NamedTuple):
    """The rows of a matrix with the names of its classes, where it stands, and what is not certain."""

    rows: tuple[tuple[str, ...], ...]
    region: Region
    notes: tuple[str, ...]


def matrices_of(page: Page, lines: Sequence[Line]) -> Iterator[DrawnMatrix]:
    """The matrices of a page, from lines that are of no table."""
    words = [(line.y - 0.35 * word.size, word) for line in lines for word in line.words]
    boxes = [box for box in page.shapes if _is_cell(box)]
    if len(boxes) > _MOST:
        return
    cells: dict[DrawnShape, list[str]] = {box: [] for box in boxes}
    for y, word in words:
        around = [box for box in cells if box.x0 < word.middle < box.x1 and box.top < y < box.bottom]
        if around and _NUMBER.fullmatch(word.text):
            cells[min(around, key=lambda box: (box.x1 - box.x0) * (box.bottom - box.top))].append(word.text)
    filled = {box: texts[0] for box, texts in cells.items() if len(texts) == 1}
    for group in _touching(list(filled)):
        matrix = _matrix(group, filled)
        if matrix:
            yield _drawn(page, words, group, matrix)


def _is_cell(box: DrawnShape) -> bool:
    wide, high = box.x1 - box.x0, box.bottom - box.top
    return _SMALLEST < wide < _LARGEST and _SMALLEST < high < _LARGEST


def _touching(boxes: list[DrawnShape]) -> Iterator[list[DrawnShape]]:
    """Boxes that share sides, directly or by others."""
    left = set(boxes)
    while left:
        group, ends = [], [left.pop()]
        while ends:
            box = ends.pop()
            group.append(box)
            near = {
                other
                for other in left
                if other.x0 < box.x1 + _SAME
                and box.x0 < other.x1 + _SAME
                and other.top < box.bottom + _SAME
                and box.top < other.bottom + _SAME
            }
            left -= near
            ends += near
        yield group


def _matrix(group: Sequence[DrawnShape], texts: dict[DrawnShape, str]) -> list[list[str]]:
    """The numbers in rows from top to bottom; nothing if these are no square."""
    order = sorted(group, key=lambda box: (round(box.top / _SAME), box.x0))
    size = round(len(group) ** 0.5)
    if size < 2 or size * size != len(group):
        return []
    rows = [order[k : k + size] for k in range(0, len(order), size)]
    level = all(abs(box.top - row[0].top) < _SAME for row in rows for box in row)
    upright = all(abs(box.x0 - above.x0) < _SAME for row in rows for box, above in zip(row, rows[0], strict=True))
    return [[texts[box] for box in row] for row in rows] if level and upright else []


_Places = list[tuple[float, Word]]  # words with the heights of their middles


def _drawn(page: Page, words: _Places, group: Sequence[DrawnShape], matrix: list[list[str]]) -> DrawnMatrix:
    """A matrix with the names around it."""
    whole = DrawnShape(
        min(box.x0 for box in group),
        max(box.x1 for box in group),
        min(box.top for box in group),
        max(box.bottom for box in group),
        stroke=False,
    )
    high = (whole.bottom - whole.top) / len(matrix)
    middles = [whole.top + (k + 0.5) * high for k in range(len(matrix))]
    rows = [_row_name(words, whole.x0, middle, high) for middle in middles]
    names = _column_names(page, words, whole, len(matrix))
    told = all(names) and len(set(names)) == len(names)
    body = [(name, *numbers) for name, numbers in zip(rows, matrix, strict=True)]
    lines = [
        Line(middle, (Word(row[0] or row[1], whole.x0, whole.x1, high / 2),))
        for middle, row in zip(middles, body, strict=True)
    ]
    rules = [RuledLine(whole.x0, whole.x1, y) for y in (whole.top, whole.bottom)]
    region = Region(whole.x0, whole.x1, lines, rules)
    return DrawnMatrix((("", *(names if told else rows)), *body), region, () if told else (_NOTE,))


def _row_name(words: _Places, right: float, middle: float, high: float) -> str:
    """What stands to the left of a row."""
    level = [(round(y), word.x0, word.text) for y, word in words if abs(y - middle) < high / 2 and word.x1 < right + 1]
    return " ".join(text for _, x, text in sorted(level) if x > right - _FAR)


def _column_names(page: Page, words: _Places, whole: DrawnShape, size: int) -> list[str]:
    """What stands below the columns, turned or not, or else above them."""
    turned = [("".join(glyph.text for glyph in run), run[0].y, min(g.top for g in run)) for run in runs_of(page.glyphs)]
    wide = (whole.x1 - whole.x0) / size
    names = []
    for k in range(size):
        left, right = whole.x0 + k * wide, whole.x0 + (k + 1) * wide
        below = [text for text, x, y in turned if left < x < right and -1 < y - whole.bottom < _FAR]
        near = [(y, word) for y, word in words if left < word.middle < right]
        plain = [word.text for y, word in near if 0 < y - whole.bottom < 2.5 * word.size]
        above = [word.text for y, word in near if 0 < whole.top - y < 2.5 * word.size]
        names.append(" ".join(below or plain or above))
    return names
