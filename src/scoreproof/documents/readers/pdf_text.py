"""The text around the tables of PDF pages: their captions, and the paragraphs.

A caption begins with "Table" and stands right above its table or right below it. One between two tables could be of
either: authors mostly keep to one side, and the tables with one caption only tell which. No caption is given to two.

Paragraphs are read in the order of the file, in which columns of text stand one after the other. Words that a line
break divides are joined, but for compounds that keep their hyphen ("cross-validation"). A paragraph ends at a gap, and
goes on over columns and pages where the last line ended in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scoreproof.documents.formats import Paragraph
from scoreproof.documents.readers.pdf_page import Line, Word, text_of
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
    return filter(None, (label_of(text_of(part[:3])) for line in lines for part in _segments(line)))


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


def settled(tables: Sequence[NearCaptions]) -> list[str]:
    """The caption of every table of a document.

    >>> first, second = NearCaption((1, 50.0, 0.0), 10.0, "Table 1"), NearCaption((1, 90.0, 0.0), 10.0, "Table 2")
    >>> settled([NearCaptions(None, first), NearCaptions(first._replace(distance=5.0), second)])
    ['Table 1', 'Table 2']
    """
    alone = Counter(above is not None for above, below, _ in tables if (above is None) != (below is None))
    usual = alone[True] >= alone[False]  # whether captions stand above
    claims = sorted(
        (side is not usual, caption.distance, table, caption)
        for table, (above, below, _) in enumerate(tables)
        for side, caption in ((True, above), (False, below))
        if caption is not None
    )
    texts = [""] * len(tables)
    given: set[Place] = set()
    for *_, table, caption in claims:
        if not texts[table] and caption.place not in given:
            texts[table] = caption.text
            given.add(caption.place)
    return texts


def near_captions(page: int, region: Region, lines: Sequence[Line]) -> NearCaptions:
    """The captions right above and right below a table, in lines that are of no table."""
    below = [line for line in lines if region.bottom < line.y < region.bottom + _FAR]
    figures = (text for text in (text_of(_beside(line, region)) for line in below) if _FIGURE.match(text))
    return NearCaptions(_above(page, region, lines), _below(page, region, below), tidy(next(figures, "")))


def _above(page: int, region: Region, lines: Sequence[Line]) -> NearCaption | None:
    """The paragraph that begins with "Table" right above the region, or further up if it explains it at length."""
    above = [line for line in lines if region.top - _FARTHEST < line.y <= region.top + 1]
    taken: list[str] = []
    lowest = upper = region.top
    for line in reversed(above):
        words = _beside(line, region)
        if not words:
            continue
        if upper - line.y > max(_FAR, _PARAGRAPH * line.size):
            break
        lowest, upper = lowest if taken else line.y, line.y
        taken.insert(0, text_of(words))
        if (_LABEL if region.top - line.y > _FAR else _CAPTION).match(taken[0]):
            gap = max(0.0, region.top - lowest)
            return NearCaption((page, line.y, words[0].x0), gap, tidy(" ".join(taken)))
    wide = [line for line in above if _CAPTION.match(line.text) and len(_segments(line)) == 1]
    gap = region.top - wide[-1].y if wide else _FAR
    if not taken and gap < _FAR:  # centred on the page over a table at its edge
        return NearCaption((page, wide[-1].y, wide[-1].words[0].x0), max(0.0, gap), tidy(wide[-1].text))
    return None


def _below(page: int, region: Region, lines: Sequence[Line]) -> NearCaption | None:
    """The paragraph that begins with "Table" right below the region."""
    caption: NearCaption | None = None
    last = region.bottom
    for line in lines:
        words = _beside(line, region)
        if not words or line.y <= region.bottom + 1:
            continue
        text = tidy(text_of(words))
        begins = _CAPTION.match(text) is not None
        if begins if caption is not None else not begins:
            break
        if caption is None:
            caption = NearCaption((page, line.y, words[0].x0), line.y - line.size - region.bottom, text)
        elif line.y - last > _STEP * line.size:
            break
        else:
            caption = caption._replace(text=f"{caption.text} {text}")
        last = line.y
    return caption


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
        self.paragraphs: list[Paragraph] = []
        self._place = ""

    def add(self, number: int, lines: Sequence[Line]) -> None:
        """The lines of one page, in the order of the file: columns of text are written one after the other."""
        parts = [Line(line.y, part) for line in lines for part in line.segments(_BESIDE)]
        rows: list[Line] = []
        for part in sorted(parts, key=lambda part: part.words[0].order):
            if rows and abs(rows[-1].y - part.y) < 1:
                rows[-1] = Line(part.y, rows[-1].words + part.words)
            else:
                rows.append(part)
        paragraph, place = "", self._place
        for above, line in zip([None, *rows], rows, strict=False):
            text = line.text
            heading = len(text) < 90 and _SECTION.fullmatch(text) is not None
            gap = 0.0 if above is None else (line.y - above.y) / max(line.size, above.size)
            if heading or abs(gap) > _PARAGRAPH_GAP:
                self._keep(paragraph, number, place)
                paragraph = ""
            if heading:
                self._place = place = text
            else:
                paragraph = _joined(paragraph, text)
        self._keep(paragraph, number, place)

    def _keep(self, paragraph: str, number: int, place: str) -> None:
        if not paragraph or paragraph.isdecimal():  # the number of the page
            return
        where = f"section {place!r}, page {number}" if place else f"page {number}"
        if self.paragraphs and paragraph[0].islower() and self.paragraphs[-1][0][-1:] not in ".!?:":
            before, where = self.paragraphs.pop()
            paragraph = _joined(before, paragraph)
        self.paragraphs.append((paragraph, where))


def outside(lines: Sequence[Line], regions: Sequence[Region]) -> Iterator[Line]:
    """The lines of a page, or the parts of them, that stand in no table."""
    for line in lines:
        inside = [region for region in regions if region.top + 1 < line.y <= region.bottom + 1]
        words = tuple(word for word in line.words if not any(r.x0 - 2 <= word.middle <= r.x1 + 2 for r in inside))
        if words:
            yield Line(line.y, words)


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
