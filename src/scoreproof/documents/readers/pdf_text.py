"""The text around the tables of PDF pages: their captions, and the paragraphs.

A caption begins with "Table" and stands right above its table or right below it. One that stands between two tables
could be of either. Authors mostly keep to one side throughout a paper: the tables with one caption only tell which.
Where they do not, the nearer table has it. No caption is given to two tables.

A page has two columns if hardly a line crosses some place near its middle. Lines of tables are left out. Words that a
line break divides are joined, but for compounds that keep their hyphen ("cross-validation", "5-fold"). A paragraph
ends at a gap, and goes on over columns and pages where the last line ended in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoreproof.documents.formats import Paragraph
from scoreproof.documents.readers.pdf_lines import Line, Word
from scoreproof.documents.readers.pdf_regions import Region
from scoreproof.documents.table import tidy

_CAPTION = re.compile(r"(?:Supplementary\s+)?(?:Table|Tab\.)\s*\S", re.IGNORECASE)
_LABEL = re.compile(
    r"((?:Supplementary\s+)?Tab(?:le|\.)\s*(?:[A-Z]?\d{1,3}|[IVXL]{1,6}))(?:\s*[.:]|$)",
    re.IGNORECASE,
)
_MOST_MISSING = 50  # captions without a table that are named
_FIGURE = re.compile(r"Fig(?:ure|\.)\s*\S", re.IGNORECASE)
_FAR = 60.0  # points between a caption and its table
_FARTHEST = 220.0  # the same where paragraphs between them explain the table
_PARAGRAPH = 3.5  # type sizes between these
_APART = 1.5  # type sizes between what stands in two columns of a page
_BESIDE = 0.7  # type sizes between a text and a caption that begins beside it
_MIXED = 0.3  # of the tables that have their caption on the other side, from which on no side is usual
_STEP = 1.6  # type sizes between the lines of a caption

Place = tuple[int, float, float]  # where a caption begins: its page, its line, and how far right


class NearCaption(NamedTuple):
    """A caption beside a table: where it begins, how far from the table it stands, and its text."""

    place: Place
    distance: float
    text: str


class NearCaptions(NamedTuple):
    """The captions that a table may have: the one above it, the one below it, and the first line of one of a figure."""

    above: NearCaption | None
    below: NearCaption | None
    figure: str = ""


def labels(lines: Sequence[Line]) -> Iterator[str]:
    """The numbers of the captions that begin in some lines: "Table 5:"."""
    for line in lines:
        for part in _segments(line):
            match = _LABEL.match(" ".join(word.text for word in part[:3]))
            if match is not None:
                yield tidy(match[1]).lower()


def label_of(caption: str) -> str:
    """The number of a caption; empty if it has none.

    >>> label_of("Table 5: Results"), label_of("Results")
    ('table 5', '')
    """
    match = _LABEL.match(caption)
    return "" if match is None else tidy(match[1]).lower()


def without_table(captions: dict[str, int], of_tables: Sequence[str]) -> Iterator[str]:
    """Words for every caption under which no table was found: a table may be drawn in a way that is not read."""
    known = {label_of(caption) for caption in of_tables}
    missing = [(label, page) for label, page in captions.items() if label not in known]
    for label, page in missing[:_MOST_MISSING]:
        yield f"page {page}: no table was read under the caption of {label}"
    if len(missing) > _MOST_MISSING:
        yield f"no table was read under {len(missing) - _MOST_MISSING:,} more captions"


def near_captions(page: int, region: Region, lines: Sequence[Line]) -> NearCaptions:
    """The captions right above and right below a table, in lines that are of no table."""
    return NearCaptions(_above(page, region, lines), _below(page, region, lines), _figure(region, lines))


def settled(tables: Sequence[NearCaptions]) -> list[str]:
    """The caption of every table of a document.

    >>> first, second = NearCaption((1, 50.0, 0.0), 10.0, "Table 1"), NearCaption((1, 90.0, 0.0), 10.0, "Table 2")
    >>> settled([NearCaptions(None, first), NearCaptions(first._replace(distance=5.0), second)])
    ['Table 1', 'Table 2']
    """
    alone = Counter(above is not None for above, below, _ in tables if (above is None) != (below is None))
    usual = alone[True] >= alone[False]  # whether captions stand above
    mixed = alone[not usual] > _MIXED * alone.total()
    claims = sorted(
        (not mixed and side is not usual, caption.distance, table, caption)
        for table, captions in enumerate(tables)
        for side, caption in zip((True, False), captions[:2], strict=True)
        if caption is not None
    )
    texts = [""] * len(tables)
    given: set[Place] = set()
    for _, _, table, caption in claims:
        if not texts[table] and caption.place not in given:
            texts[table] = caption.text
            given.add(caption.place)
    return texts


def _above(page: int, region: Region, lines: Sequence[Line]) -> NearCaption | None:
    """The paragraph that begins with "Table" right above the region, or further up if it explains it at length."""
    above = [line for line in lines if region.top - _FARTHEST < line.y <= region.top + 1]
    taken: list[str] = []
    last, upper = None, region.top
    for line in reversed(above):
        words = _beside(line, region)
        if not words:
            continue
        if upper - line.y > max(_FAR, _PARAGRAPH * line.size):
            break
        last, upper = last or line, line.y
        taken.insert(0, _text(words))
        far = region.top - line.y > _FAR
        if (_LABEL if far else _CAPTION).match(taken[0]):
            return NearCaption((page, line.y, words[0].x0), _gap(region, last), tidy(" ".join(taken)))
    wide = [line for line in above if _CAPTION.match(line.text) and len(_segments(line)) == 1]
    if wide and not taken and region.top - wide[-1].y < _FAR:  # centred on the page over a table at its edge
        return NearCaption((page, wide[-1].y, wide[-1].words[0].x0), _gap(region, wide[-1]), tidy(wide[-1].text))
    return None


def _figure(region: Region, lines: Sequence[Line]) -> str:
    """The first line of the caption of a figure that stands below the region."""
    below = (_text(_beside(line, region)) for line in lines if region.bottom < line.y < region.bottom + _FAR)
    return next((tidy(text) for text in below if _FIGURE.match(text)), "")


def _gap(region: Region, line: Line) -> float:
    """How far above a table a line stands."""
    return max(0.0, region.top - line.y)


def _below(page: int, region: Region, lines: Sequence[Line]) -> NearCaption | None:
    """The paragraph that begins with "Table" right below the region."""
    taken: list[str] = []
    place: Place | None = None
    last, gap = region.bottom, 0.0
    for line in lines:
        words = _beside(line, region)
        if not words or not region.bottom + 1 < line.y < region.bottom + _FAR:
            continue
        text = _text(words)
        begins = _CAPTION.match(text) is not None
        if place is None and not begins:
            break
        if place is not None and (begins or line.y - last > _STEP * line.size):
            break
        if place is None:
            place, gap = (page, line.y, words[0].x0), line.y - line.size - region.bottom
        taken.append(text)
        last = line.y
    return None if place is None else NearCaption(place, gap, tidy(" ".join(taken)))


def _beside(line: Line, region: Region) -> tuple[Word, ...]:
    """The part of a line that stands over or under the region, also where it is wider."""
    parts = [part for part in _segments(line) if part[0].x0 < region.x1 and region.x0 < part[-1].x1]
    return tuple(word for part in parts for word in part)


def _segments(line: Line) -> list[tuple[Word, ...]]:
    """The parts of a line that stand in columns of the page; a caption begins one though it be near its neighbour."""
    parts: list[tuple[Word, ...]] = []
    for segment in line.segments(_APART):
        start = 0
        for at in range(1, len(segment)):
            gap = segment[at].x0 - segment[at - 1].x1
            if gap >= _BESIDE * line.size and _LABEL.match(_text(segment[at : at + 3])):
                parts.append(segment[start:at])
                start = at
        parts.append(segment[start:])
    return parts


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


_CROSSING = 0.3  # share of lines that may cross the gutter: titles, captions of wide tables
_GUTTER = 8.0  # points between two columns, at least
_PARAGRAPH_GAP = 1.7  # type sizes between lines of different paragraphs
_SECTION = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,2}\.?|[IVX]{1,5}\.|[A-Z]\.)\s+[A-Z][^.:;]{2,80}|Abstract|Methods|Results|Data"
)
_KEPT = re.compile(
    r"(?:cross|hold|held|leave|one|out|non|pre|post|k|two|three|four|five|six|seven|eight|nine|ten|twenty|\d+|x|t)-$",
    re.IGNORECASE,
)


class PageTexts:
    """Collects the running text of pages one after the other."""

    def __init__(self) -> None:
        self._blocks: list[Paragraph] = []
        self._place = ""

    def add(self, number: int, lines: Sequence[Line], width: float) -> None:
        """The lines of one page."""
        for column in _columns(lines, _gutter(lines, width), width):
            self._add_column(column, number)

    def _add_column(self, lines: Sequence[Line], number: int) -> None:
        paragraph, last = "", None
        place = self._place
        for line in lines:
            text = line.text
            heading = _SECTION.fullmatch(text) is not None and len(text) < 90
            if heading or (last is not None and line.y - last.y > _PARAGRAPH_GAP * max(line.size, last.size)):
                self._keep(paragraph, number, place)
                paragraph = ""
            if heading:
                self._place = place = text
                last = line
                continue
            paragraph, last = _joined(paragraph, text), line
        self._keep(paragraph, number, place)

    def _keep(self, paragraph: str, number: int, place: str) -> None:
        if not paragraph:
            return
        where = f"section {place!r}, page {number}" if place else f"page {number}"
        if self._blocks and paragraph[0].islower() and self._blocks[-1][0][-1:] not in ".!?:":
            before, began = self._blocks.pop()
            paragraph, where = _joined(before, paragraph), began
        self._blocks.append((paragraph, where))

    def paragraphs(self) -> list[Paragraph]:
        """What was collected."""
        return self._blocks


def outside(lines: Sequence[Line], regions: Sequence[Region]) -> list[Line]:
    """The lines of a page that stand in no table."""
    return [line for line in (_without(line, regions) for line in lines) if line is not None]


def _without(line: Line, regions: Sequence[Region]) -> Line | None:
    """The part of a line that stands in no table."""
    inside = [region for region in regions if region.top + 1 < line.y <= region.bottom + 1]
    if not inside:
        return line
    words = tuple(word for word in line.words if not any(r.x0 - 2 <= word.middle <= r.x1 + 2 for r in inside))
    return Line(line.y, words) if words else None


def _columns(lines: Sequence[Line], gutter: float | None, width: float) -> Iterator[list[Line]]:
    """The lines of a page in reading order: the left before the right column, up to a line that crosses both."""
    if gutter is None:
        yield list(lines)
        return
    left: list[Line] = []
    right: list[Line] = []
    for line in lines:
        if _crosses(line, gutter):
            yield from filter(None, (left, right))
            left, right = [], []
            yield [line]
            continue
        for side, words in ((left, _side(line, 0.0, gutter)), (right, _side(line, gutter, width))):
            if words:
                side.append(Line(line.y, words))
    yield from filter(None, (left, right))


def _side(line: Line, start: float, end: float) -> tuple[Word, ...]:
    return tuple(word for word in line.words if start <= word.middle < end)


def _gutter(lines: Sequence[Line], width: float) -> float | None:
    """The place near the middle that the fewest lines cross, if these are few and both sides have text."""
    if len(lines) < 8:
        return None
    places = [width * (0.42 + 0.01 * step) for step in range(17)]
    counted = [(sum(_crosses(line, place) for line in lines), abs(place - width / 2), place) for place in places]
    crossed, _, place = min(counted)
    both = sum(1 for line in lines if _side(line, 0.0, place) and _side(line, place, width))
    return place if crossed <= _CROSSING * len(lines) and both >= 0.3 * len(lines) else None


def _crosses(line: Line, place: float) -> bool:
    """Whether a line goes on over a place without a gap as wide as between columns."""
    before = max((word.x1 for word in line.words if word.x0 < place), default=None)
    after = min((word.x0 for word in line.words if word.x0 >= place), default=None)
    if before is None:
        return False
    return before > place or (after is not None and after - before < _GUTTER)


def _joined(before: str, text: str) -> str:
    """Two lines as one; a word divided by the line break is made whole.

    >>> _joined("We used five-", "fold cross-"), _joined("the evalua-", "tion"), _joined("the test", "set")
    ('We used five-fold cross-', 'the evaluation', 'the test set')
    """
    if not before:
        return text
    if before.endswith("-") and text[:1].islower():
        return before + text if _KEPT.search(before) else before[:-1] + text
    return f"{before} {text}"
