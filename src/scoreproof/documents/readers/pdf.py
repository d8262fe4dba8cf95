"""Tables of PDF files that carry text (a scanned page does not), their captions, and the paragraphs around them.

A caption between two tables is given to one: authors mostly keep to one side, and tables with one caption only tell
which. Paragraphs are read in the order of the file, in which columns of text stand one after the other. A confusion
matrix may be drawn: numbers in filled boxes that touch, as many rows as columns, the names to the left of the rows.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from scoreproof.documents.formats import Contents, Paragraph, Source
from scoreproof.documents.readers.pdf_columns import grid_of
from scoreproof.documents.readers.pdf_page import DrawnShape, Line, Page, Pages, Word, lines_of, text_of
from scoreproof.documents.readers.pdf_regions import BOOKTABS, Region, RuledLine, regions_of
from scoreproof.documents.table import Table, looks_numeric, tidy
from scoreproof.errors import UnreadableInput
from scoreproof.limits import current, require_within
from scoreproof.work.subprocess_worker import allow_more

_MOST_PAGES = 1_500
_PAGES_IN_TIME = 20  # that are read within the time for a document; each page more has as much more
_MOST_GLYPHS = 1_200_000  # some 400 full pages
_FILLED, _RESULTS = 0.4, 0.5  # of the cells of a table without rules and caption that are filled, of these the numbers
_ASIDE = 12.0  # points by which a column may stand aside on the next page
_CAPTION = re.compile(r"(?:Supplementary\s+)?(?:Table|Tab\.)\s*\S", re.IGNORECASE)
_LABEL = re.compile(r"((?:Supplementary\s+)?Tab(?:le|\.)\s*(?:[A-Z]?\d{1,3}|[IVXL]{1,6}))(?:\s*[.:]|$)", re.IGNORECASE)
_MOST_NAMED = 50  # captions without a table that are named
_FIGURE = re.compile(r"Fig(?:ure|\.)\s*\S", re.IGNORECASE)
_FAR = 60.0  # points between a caption and its table
_FARTHEST = 220.0  # the same where paragraphs between them explain the table
_PARAGRAPH = 3.5  # type sizes between these
_APART = 1.5  # type sizes between what stands in two columns of a page
_BESIDE = 0.7  # type sizes between a text and a caption that begins beside it
_STEP = 1.6  # type sizes between the lines of a caption
_PARAGRAPH_GAP = 1.7  # type sizes between lines of different paragraphs
_SECTION = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+[A-Z][^.:;]{2,80}|Abstract|Methods|Results|Data"
)
_KEPT = re.compile(
    r"(?:cross|hold|held|leave|one|out|non|pre|post|k|two|three|four|five|six|seven|eight|nine|ten|twenty|\d+|x|t)-$",
    re.IGNORECASE,
)


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
            most = f"{index} pages and {glyphs:,} characters are read of a document at most"
            why = f"the pages before took more than {seconds / _PAGES_IN_TIME:g} seconds each" if late else most
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


class _NearCaption(NamedTuple):
    """A caption beside a table: its page, line and how far right it begins; how far from the table; its text."""

    place: tuple[int, float, float]
    distance: float
    text: str


class _DraftedTable(NamedTuple):
    """A table before it is known which caption it has."""

    page: int
    grid: Table
    columns: tuple[float, ...]  # the middle of what stands in each
    rules: int  # that cross it
    boxed: bool  # whether vertical rules part its columns
    above: _NearCaption | None
    below: _NearCaption | None
    figure: str  # the first line of the caption of one below it


class _Pages:
    """Collects tables, running text and captions of pages one after the other."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._drafted: list[_DraftedTable] = []
        self.problems: list[str] = []
        self._captions: dict[str, int] = {}  # by their numbers: the page where each stands first
        self._paragraphs: list[Paragraph] = []
        self._section = ""

    def add(self, number: int, page: Page) -> None:
        """What stands on one page, or on one that was turned."""
        lines = lines_of(page)
        for part in (part for line in lines for part in _segments(line)):
            self._captions.setdefault(_label_of(text_of(part[:3])), number)
        if not lines:
            if page.pictures:
                self.problems.append(f"page {number} is a picture without text and was not read")
            return
        regions = regions_of(page, lines)
        text = list(_outside(lines, regions))
        self._read(number, text)
        for region in regions:
            grid, columns = grid_of(region)
            if min(grid.shape) >= 2:
                rules, boxed = sum(map(region.is_full, region.rules)), len(region.edges()) > BOOKTABS
                near = _captions(number, region, text)
                self._drafted.append(_DraftedTable(number, grid, columns, rules, boxed, *near))
                require_within("tables", len(self._drafted), self._source.name, least=True)
        for matrix, region in _drawn_matrices(page, text):
            self._drafted.append(_DraftedTable(number, matrix, (), BOOKTABS, True, *_captions(number, region, text)))

    def _read(self, number: int, lines: Sequence[Line]) -> None:
        """The paragraphs of one page."""
        parts = [Line(line.y, part) for line in lines for part in line.segments(_BESIDE)]
        rows: list[Line] = []
        for part in sorted(parts, key=lambda part: part.words[0].order):
            if rows and abs(rows[-1].y - part.y) < 1:
                rows[-1] = Line(part.y, rows[-1].words + part.words)
            else:
                rows.append(part)
        paragraph, section = "", self._section
        for above, line in zip([None, *rows], rows, strict=False):
            text = line.text
            heading = len(text) < 90 and _SECTION.fullmatch(text) is not None
            gap = 0.0 if above is None else (line.y - above.y) / max(line.size, above.size)
            if heading or abs(gap) > _PARAGRAPH_GAP:
                self._keep(paragraph, number, section)
                paragraph = ""
            if heading:
                self._section = section = text
            else:
                paragraph = _joined(paragraph, text)
        self._keep(paragraph, number, section)

    def _keep(self, paragraph: str, number: int, section: str) -> None:
        if not paragraph or paragraph.isdecimal():  # the number of the page
            return
        where = f"section {section!r}, page {number}" if section else f"page {number}"
        if self._paragraphs and paragraph[0].islower() and self._paragraphs[-1][0][-1:] not in ".!?:":
            before, where = self._paragraphs.pop()
            paragraph = _joined(before, paragraph)
        self._paragraphs.append((paragraph, where))

    def contents(self) -> Contents:
        """Everything that was collected."""
        captions = _settled(self._drafted)
        whole: list[tuple[_DraftedTable, str]] = []
        for table, caption in zip(self._drafted, captions, strict=True):
            joined = _continued(*whole[-1], table, caption) if whole else None
            if joined is not None:
                whole[-1] = (joined, whole[-1][1])
            elif caption or _is_plausible(table):
                whole.append((table, caption or table.figure))
        known = {"", *map(_label_of, captions)}
        missing = [(label, page) for label, page in self._captions.items() if label not in known]
        unread = "page {1}: no table was read under the caption of {0}"
        self.problems += [unread.format(*label) for label in missing[:_MOST_NAMED]]
        contents = Contents(self._source, problems=self.problems, paragraphs=self._paragraphs)
        for table, caption in whole:
            contents.add(table.grid, caption=caption, notes=table.grid.notes, page=table.page)
        return contents


def _is_plausible(table: _DraftedTable) -> bool:
    """Whether what has no caption is a table: not a figure, not formulas, not lines of prose."""
    cells = [text for row in table.grid.body for text in row]
    filled = [text for text in cells if text]
    dense, ruled = len(filled) >= _FILLED * len(cells), table.rules >= BOOKTABS
    results = dense and sum(map(looks_numeric, filled)) >= _RESULTS * len(filled)
    return ruled and dense if table.figure else ruled or table.boxed or results


def _continued(upper: _DraftedTable, title: str, lower: _DraftedTable, caption: str) -> _DraftedTable | None:
    """Two tables as one, where the lower goes on with the upper on the next page: its header is missing or the same."""
    goes_on = not caption or ("contin" in caption.lower() and _label_of(title) == _label_of(caption) != "")
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


def _label_of(caption: str) -> str:
    """The number of a caption, as "table 5"; empty if it has none."""
    match = _LABEL.match(caption)
    return "" if match is None else tidy(match[1]).lower()


def _settled(tables: Sequence[_DraftedTable]) -> list[str]:
    """The caption of every table of a document; the nearest ones on the usual side are given first."""
    alone = Counter(table.above is not None for table in tables if (table.above is None) != (table.below is None))
    usual = alone[True] >= alone[False]  # whether captions stand above
    claims = sorted(
        (side is not usual, caption.distance, at, caption)
        for at, table in enumerate(tables)
        for side, caption in ((True, table.above), (False, table.below))
        if caption is not None
    )
    texts = [""] * len(tables)
    given: set[tuple[int, float, float]] = set()
    for *_, at, caption in claims:
        if not texts[at] and caption.place not in given:
            texts[at] = caption.text
            given.add(caption.place)
    return texts


def _captions(page: int, region: Region, lines: Sequence[Line]) -> tuple[_NearCaption | None, _NearCaption | None, str]:
    """The captions right above and right below a table, and that of a figure, in lines that are of no table."""
    own = [(line, words) for line in lines if (words := _beside(line, region))]
    below = [(line, words) for line, words in own if region.bottom < line.y < region.bottom + _FAR]
    figure = next((text for text in (text_of(words) for _, words in below) if _FIGURE.match(text)), "")
    return _above(page, region, lines), _below(page, region, below), tidy(figure)


def _above(page: int, region: Region, lines: Sequence[Line]) -> _NearCaption | None:
    """The paragraph that begins with "Table" right above the region, or further up if it explains it at length."""
    above = [line for line in lines if region.top - _FARTHEST < line.y <= region.top + 1]
    taken: list[str] = []
    lowest = upper = region.top
    for line, words in ((line, words) for line in reversed(above) if (words := _beside(line, region))):
        if upper - line.y > max(_FAR, _PARAGRAPH * line.size):
            break
        lowest, upper = lowest if taken else line.y, line.y
        taken.insert(0, text_of(words))
        if (_LABEL if region.top - line.y > _FAR else _CAPTION).match(taken[0]):
            gap = max(0.0, region.top - lowest)
            return _NearCaption((page, line.y, words[0].x0), gap, tidy(" ".join(taken)))
    wide = [line for line in above if _CAPTION.match(line.text) and len(_segments(line)) == 1]
    gap = region.top - wide[-1].y if wide else _FAR
    if not taken and gap < _FAR:  # centred on the page over a table at its edge
        return _NearCaption((page, wide[-1].y, wide[-1].words[0].x0), max(0.0, gap), tidy(wide[-1].text))
    return None


def _below(page: int, region: Region, lines: Sequence[tuple[Line, tuple[Word, ...]]]) -> _NearCaption | None:
    """The paragraph that begins with "Table" right below the region."""
    lines = [(line, words) for line, words in lines if line.y > region.bottom + 1]
    begins = [_CAPTION.match(text_of(words)) is not None for _, words in lines]
    if not begins or not begins[0]:
        return None
    far = (b.y - a.y > _STEP * b.size for (a, _), (b, _) in pairwise(lines))
    end = next((at for at, (gap, begin) in enumerate(zip(far, begins[1:], strict=True), 1) if gap or begin), len(lines))
    (first, words), text = lines[0], " ".join(text_of(words) for _, words in lines[:end])
    return _NearCaption((page, first.y, words[0].x0), first.y - first.size - region.bottom, tidy(text))


def _beside(line: Line, region: Region) -> tuple[Word, ...]:
    """The part of a line that stands over or under the region, also where it is wider."""
    parts = [part for part in _segments(line) if part[0].x0 < region.x1 and region.x0 < part[-1].x1]
    return tuple(word for part in parts for word in part)


def _segments(line: Line) -> list[tuple[Word, ...]]:
    """The parts of a line that stand in columns of the page; a caption begins one though it be near its neighbour."""
    parts: list[tuple[Word, ...]] = []
    for segment in line.segments(_APART):
        gaps = ((at, segment[at].x0 - segment[at - 1].x1) for at in range(1, len(segment)))
        starts = [at for at, gap in gaps if gap >= _BESIDE * line.size and _LABEL.match(text_of(segment[at : at + 3]))]
        parts += [segment[start:end] for start, end in pairwise([0, *starts, len(segment)])]
    return parts


def _outside(lines: Sequence[Line], regions: Sequence[Region]) -> Iterator[Line]:
    """The lines of a page, or the parts of them, that stand in no table."""
    for line in lines:
        inside = [region for region in regions if region.top + 1 < line.y <= region.bottom + 1]
        words = tuple(word for word in line.words if not any(r.x0 - 2 <= word.middle <= r.x1 + 2 for r in inside))
        if words:
            yield Line(line.y, words)


def _joined(before: str, text: str) -> str:
    """Two lines as one; a word divided by the line break is made whole."""
    if before.endswith("-") and text[:1].islower():
        return before + text if _KEPT.search(before) else before[:-1] + text
    return f"{before} {text}" if before else text


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?%?")
_SMALLEST, _LARGEST = 8.0, 200.0  # points of a side of a box
_SAME = 3.0  # points by which the sides of boxes in one row may differ
_NAMED = 130.0  # points between a box and the name of its row
_MOST_BOXES = 2_000  # of a page; more are a picture
_NOTE = "the names of the columns were not read: those of the rows are taken, in the same order"


def _drawn_matrices(page: Page, lines: Sequence[Line]) -> Iterator[tuple[Table, Region]]:
    """The matrices of a page, from lines that are of no table, and where each stands."""
    words = [(line.y - 0.35 * word.size, word) for line in lines for word in line.words]
    numbers = _boxed(page.shapes, words)
    for rows in filter(None, map(_square, _touching(numbers))):
        x0, x1, top, bottom = rows[0][0].x0, rows[-1][-1].x1, rows[0][0].top, rows[-1][-1].bottom
        beside = sorted((round(y), word) for y, word in words if x0 - _NAMED < word.x0 and word.x1 < x0 + 1)
        names = [" ".join(word.text for y, word in beside if row[0].top < y < row[0].bottom) for row in rows]
        body = [(name, *(numbers[box] for box in row)) for name, row in zip(names, rows, strict=True)]
        last = Line(bottom, (Word("", x0, x1, bottom - top),))
        region = Region(x0, x1, [last], [RuledLine(x0, x1, top), RuledLine(x0, x1, bottom)])
        yield Table((("", *names), *body), notes=(_NOTE,)), region


def _boxed(shapes: Iterable[DrawnShape], words: Iterable[tuple[float, Word]]) -> dict[DrawnShape, str]:
    """Boxes with a number in each: the smallest box around it."""
    sized = (each for each in shapes if _SMALLEST < each.x1 - each.x0 < _LARGEST)
    cells: dict[DrawnShape, list[str]] = {box: [] for box in sized if _SMALLEST < box.bottom - box.top < _LARGEST}
    for y, word in words if len(cells) <= _MOST_BOXES else ():
        around = [box for box in cells if box.x0 < word.middle < box.x1 and box.top < y < box.bottom]
        if around and _NUMBER.fullmatch(word.text):
            cells[min(around, key=lambda box: (box.x1 - box.x0) * (box.bottom - box.top))].append(word.text)
    return {box: texts[0] for box, texts in cells.items() if len(texts) == 1}


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
