"""The running text of PDF pages: lines of one or two columns in reading order, joined to paragraphs.

A page has two columns if hardly a line crosses some place near its middle. Lines of tables are left out. Words that a
line break divides are joined, but for compounds that keep their hyphen ("cross-validation", "5-fold"). A paragraph
ends at a gap, and goes on over columns and pages where the last line ended in the middle of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoreproof.documents.contents import Paragraph
from scoreproof.documents.readers.pdf_regions import Region
from scoreproof.documents.readers.pdf_words import Line, Word

_CROSSING = 0.3  # share of lines that may cross the gutter: titles, captions of wide tables
_GUTTER = 8.0  # points between two columns, at least
_GAP = 1.7  # type sizes between lines of different paragraphs
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

    def add(self, number: int, lines: Sequence[Line], width: float) -> float | None:
        """The lines of one page; the place that parts its columns is given back, if it has two."""
        gutter = _gutter(lines, width)
        for column in _columns(lines, gutter, width):
            self._add_column(column, number)
        return gutter

    def _add_column(self, lines: Sequence[Line], number: int) -> None:
        said, last = "", None
        place = self._place
        for line in lines:
            text = line.text
            heading = _SECTION.fullmatch(text) is not None and len(text) < 90
            if heading or (last is not None and line.y - last.y > _GAP * max(line.size, last.size)):
                self._keep(said, number, place)
                said = ""
            if heading:
                self._place = place = text
                last = line
                continue
            said, last = _joined(said, text), line
        self._keep(said, number, place)

    def _keep(self, said: str, number: int, place: str) -> None:
        if not said:
            return
        where = f"section {place!r}, page {number}" if place else f"page {number}"
        if self._blocks and said[0].islower() and self._blocks[-1][0][-1:] not in ".!?:":
            before, began = self._blocks.pop()
            said, where = _joined(before, said), began
        self._blocks.append((said, where))

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
