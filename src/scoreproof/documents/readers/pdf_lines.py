"""Words, lines and rules of a PDF page, from its characters and the boxes it draws.

A PDF says where each glyph stands and nothing else. Glyphs are gathered into lines by their baselines (the boxes of
mathematical fonts are misleading), into words by the gaps between them, and small raised or lowered glyphs are marked
as superscripts and subscripts so that no footnote lengthens a number.

A rule is often drawn in pieces that touch, one for each cell; these are joined. Tables that are too wide for their
column of the page touch their neighbours as well: there rules lie over each other for a few points, which belong to the
empty margins of both tables, and the seam in the middle parts them. Where they lie over each other for more, their
words do as well, and no seam is clear. Browsers draw the cells of a table as boxes with gaps between them: the boxes
are grown by half of the gap, so that they touch, and are then a ruled table like any other.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from scoreproof.documents.readers.hypertext import subscript, superscript
from scoreproof.documents.readers.pdf_page import Glyph, Page

_BLANK = 0.18  # gap between words, as a share of the type size
_MARKED = 0.05  # the same where the text itself has a blank: an italic f hangs over it
_SMALL = 0.87  # glyphs below this share of the line's type size may be raised or lowered


@dataclass(frozen=True, slots=True)
class Word:
    """Glyphs without a blank between them."""

    text: str
    x0: float
    x1: float
    size: float
    bold: bool = False

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """Words on one baseline, from left to right; ``y`` grows downwards."""

    y: float
    words: tuple[Word, ...]

    @property
    def size(self) -> float:
        return median(word.size for word in self.words)

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    def within(self, left: float, right: float) -> Line | None:
        """The part of the line between two places."""
        kept = tuple(word for word in self.words if left <= word.middle <= right)
        return Line(self.y, kept) if kept else None

    def segments(self, gap: float) -> list[tuple[Word, ...]]:
        """Words that are less than ``gap`` type sizes apart stay together."""
        parts: list[list[Word]] = []
        for word in self.words:
            if parts and word.x0 - parts[-1][-1].x1 < gap * self.size:
                parts[-1].append(word)
            else:
                parts.append([word])
        return [tuple(part) for part in parts]


class Seam(NamedTuple):
    """A place where no word goes on, from one height of a page to another; ``clear`` if words keep off it."""

    x: float
    top: float
    bottom: float
    clear: bool = True


def lines_of(page: Page, seams: Sequence[Seam] = ()) -> list[Line]:
    """The lines of a page, top to bottom; text at right angles is left out, but for headers that stand on a line."""
    glyphs = [glyph for glyph in page.glyphs if not glyph.turn]
    rows: list[list[Glyph]] = []
    for glyph in sorted(glyphs, key=lambda glyph: glyph.y):
        if rows and glyph.y - rows[-1][0].y <= 0.2 * glyph.size:
            rows[-1].append(glyph)
        else:
            rows.append([glyph])
    rows = _with_raised(rows)
    lines = [line for line in (_line(row, seams) for row in rows) if line.words]
    for y, word in upright_words(page.glyphs, [line.y for line in lines]):
        at = next(index for index, line in enumerate(lines) if line.y == y)
        lines[at] = Line(y, tuple(sorted((*lines[at].words, word), key=lambda part: part.x0)))
    return lines


def _with_raised(rows: list[list[Glyph]]) -> list[list[Glyph]]:
    """Small glyphs a little above or below a line join it where they touch one of its glyphs, or one that joined."""
    sizes = [max(glyph.size for glyph in row) for row in rows]
    kept: list[list[Glyph]] = [[] for _ in rows]
    for index, row in enumerate(rows):
        joined: dict[int, Glyph] = {}  # of each line the last glyph of this one that joined it
        for glyph in sorted(row, key=lambda glyph: glyph.x0):
            home = index
            for other in sorted((index - 2, index - 1, index + 1, index + 2), key=lambda i: abs(i - index)):
                if not 0 <= other < len(rows) or glyph.size >= _SMALL * sizes[other]:
                    continue
                if abs(rows[other][0].y - glyph.y) > 0.6 * sizes[other]:
                    continue
                reach = 0.25 * sizes[other]
                last = joined.get(other)
                if (last is not None and abs(glyph.x0 - last.x1) <= reach) or any(
                    -reach <= glyph.x0 - near.x1 <= reach and near.size > glyph.size for near in rows[other]
                ):
                    home = other
                    joined[other] = glyph
                    break
            kept[home].append(glyph)
    return [row for row in kept if row]


def _line(row: list[Glyph], seams: Sequence[Seam]) -> Line:
    size = max(glyph.size for glyph in row)
    full = [glyph for glyph in row if glyph.size >= _SMALL * size]
    baseline = median(glyph.y for glyph in full)
    row.sort(key=lambda glyph: glyph.x0)
    ends = [seam.x for seam in seams if seam.clear and seam.top <= baseline <= seam.bottom]
    words: list[Word] = []
    current: list[Glyph] = []
    for glyph in row:
        gap = current and glyph.x0 - current[-1].x1 > (_MARKED if glyph.blank else _BLANK) * size
        if gap or (current and any(current[-1].x1 <= x + 1 and x - 1 <= glyph.x0 for x in ends)):
            words.append(_word(current, baseline, size))
            current = []
        current.append(glyph)
    if current:
        words.append(_word(current, baseline, size))
    return Line(baseline, tuple(words))


def _word(glyphs: Sequence[Glyph], baseline: float, size: float) -> Word:
    text = ""
    for shift, run in itertools.groupby(glyphs, key=lambda glyph: _shift(glyph, baseline, size)):
        part = "".join(glyph.text for glyph in run)
        text += superscript(part) if shift > 0 else subscript(text, part) if shift < 0 else part
    bold = all(glyph.bold for glyph in glyphs if glyph.text.isalnum()) and any(glyph.bold for glyph in glyphs)
    return Word(text, glyphs[0].x0, glyphs[-1].x1, size, bold)


def _shift(glyph: Glyph, baseline: float, size: float) -> int:
    """1 for a raised glyph, -1 for a lowered one, 0 for one on the line."""
    if glyph.size >= _SMALL * size:
        return 0
    shift = baseline - glyph.y
    return 1 if shift > 0.1 * size else -1 if shift < -0.05 * size else 0


_LONGEST_UPRIGHT = 40  # characters of a header
_MOST_UPRIGHT = 5_000  # glyphs at right angles on a page; more are a turned page


def upright_words(chars: Sequence[Glyph], lines: Sequence[float]) -> list[tuple[float, Word]]:
    """The headers at right angles that stand on one of the ``lines``, at least two on each, with their lines."""
    glyphs = [glyph for glyph in chars if glyph.turn]
    if not 2 <= len(glyphs) <= _MOST_UPRIGHT:
        return []
    words: list[tuple[float, Word]] = []
    for run in runs_of(glyphs):
        text = "".join(glyph.text for glyph in run).strip()
        size = max(glyph.x1 - glyph.x0 for glyph in run)
        foot = max(glyph.bottom for glyph in run)
        near = [y for y in lines if abs(y - foot) <= 0.5 * size]
        if 2 <= len(text) <= _LONGEST_UPRIGHT and near:
            x0, x1 = min(glyph.x0 for glyph in run), max(glyph.x1 for glyph in run)
            words.append((min(near, key=lambda y: abs(y - foot)), Word(text, x0, x1, size)))
    on_line = Counter(y for y, _ in words)
    return [(y, word) for y, word in words if on_line[y] >= 2]


def runs_of(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Glyphs at right angles, over each other without a gap, in the order in which they are read."""
    columns: dict[int, list[Glyph]] = {}
    for glyph in (glyph for glyph in glyphs if glyph.turn):
        columns.setdefault(round(glyph.y), []).append(glyph)
    runs: list[list[Glyph]] = []
    for column in columns.values():
        rising = column[0].turn > 0
        column.sort(key=lambda glyph: -glyph.top if rising else glyph.top)
        current: list[Glyph] = []
        for glyph in column:
            if current:
                size = max(glyph.x1 - glyph.x0, 1.0)
                low, high = (glyph, current[-1]) if rising else (current[-1], glyph)
                if high.top - low.bottom > 0.6 * size:
                    runs.append(current)
                    current = []
            current.append(glyph)
        runs.append(current)
    return runs


WIDEST_SEAM = 14.0  # points for which two tables may lie over each other: both margins
_TOUCHING = 1.5
_LEVEL = 1.6  # points by which pieces of one rule may differ in height
_SHORTEST = 40.0
_SAME = 3.0
_HEAD = 30.0  # points above the first of two rules where words may stand that are too close


Sides = tuple[float, float, float, float]  # of a box: x0, x1, top, bottom


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A horizontal rule."""

    x0: float
    x1: float
    y: float


class PageRules(NamedTuple):
    """Horizontal rules, vertical ones as (x, top, bottom), and seams."""

    flat: list[RuledLine]
    upright: list[tuple[float, float, float]]
    seams: list[Seam]


def rules_of(page: Page) -> PageRules:
    """The rules of a page, pieces of one rule joined."""
    flat: list[RuledLine] = []
    upright: list[tuple[float, float, float]] = []
    boxes: list[Sides] = []
    for x0, x1, top, bottom, stroke in page.shapes:
        if bottom - top <= 2.5 and x1 - x0 > 3:
            flat.append(RuledLine(x0, x1, (top + bottom) / 2))
        elif x1 - x0 <= 2.5 and bottom - top > 3:
            upright.append(((x0 + x1) / 2, top, bottom))
        elif bottom - top > 5 and x1 - x0 > 5 and stroke:
            boxes.append((x0, x1, top, bottom))
    for x0, x1, top, bottom in closed_up(boxes):
        flat += [RuledLine(x0, x1, top), RuledLine(x0, x1, bottom)]
        upright += [(x0, top, bottom), (x1, top, bottom)]
    joined: list[RuledLine] = []
    overlaps: list[tuple[RuledLine, RuledLine]] = []
    for rule in sorted(flat, key=lambda rule: (round(rule.y), rule.x0)):
        last = joined[-1] if joined else None
        if last is None or abs(last.y - rule.y) >= _LEVEL or rule.x0 > last.x1 + _TOUCHING:
            joined.append(rule)
        elif _of_two_tables(last, rule):
            overlaps.append((last, rule))
            joined.append(rule)
        else:
            joined[-1] = RuledLine(last.x0, max(last.x1, rule.x1), last.y)
    return PageRules(sorted(joined, key=lambda rule: rule.y), upright, _seams(overlaps))


def _of_two_tables(left: RuledLine, right: RuledLine) -> bool:
    """Whether two long rules on one line lie over each other in part: pieces of one rule only touch, or are one."""
    across = left.x1 - right.x0
    return across > _TOUCHING and right.x1 > left.x1 + _SHORTEST and right.x0 > left.x0 + _SHORTEST


def _seams(overlaps: Sequence[tuple[RuledLine, RuledLine]]) -> list[Seam]:
    """One seam for all rules that overlap at one place."""
    seams: list[Seam] = []
    for left, right in sorted(overlaps, key=lambda pair: pair[0].y):
        x = (left.x1 + right.x0) / 2
        same = next((index for index, seam in enumerate(seams) if abs(seam.x - x) < _SAME), None)
        if same is None:
            seams.append(Seam(x, left.y - _HEAD, left.y + 1, left.x1 - right.x0 <= WIDEST_SEAM))
        else:
            seams[same] = seams[same]._replace(bottom=left.y + 1)
    return seams


_SHARED = 0.8  # points: boxes that are closer share a border already
_APART = 14.0  # points between boxes of one table at most
_FEWEST_BOXES = 4
_MOST_BOXES = 20_000  # boxes of a page; more are a drawing


def closed_up(boxes: Sequence[Sides]) -> list[Sides]:
    """The boxes; those that have others beside them and over or under them are grown by half of the gaps.

    >>> closed_up([(0, 10, 0, 10), (14, 30, 0, 10), (0, 10, 13, 23), (14, 30, 13, 23)])[:2]
    [(0, 12.0, 0, 11.5), (12.0, 30, 0, 11.5)]
    """
    if not _FEWEST_BOXES <= len(boxes) <= _MOST_BOXES:
        return list(boxes)
    beside, below = _neighbours(boxes), _neighbours([(*box[2:], *box[:2]) for box in boxes])
    both = {index for pair in beside for index in pair[:2]} & {index for pair in below for index in pair[:2]}
    sides = [list(box) for box in boxes]
    for pairs, low, high in ((beside, 0, 1), (below, 2, 3)):
        for first, second, gap in pairs:
            if first in both and second in both:
                sides[first][high] = boxes[first][high] + gap / 2
                sides[second][low] = boxes[second][low] - gap / 2
    return [(x0, x1, top, bottom) for x0, x1, top, bottom in sides]


def _neighbours(boxes: Sequence[Sides]) -> list[tuple[int, int, float]]:
    """Pairs of boxes side by side with a gap between them, and the gap."""
    order = sorted(range(len(boxes)), key=lambda index: boxes[index][0])
    starts = [boxes[index][0] for index in order]
    pairs = []
    for index, (_, x1, top, bottom) in enumerate(boxes):
        first = bisect_left(starts, x1 + _SHARED)
        for other in order[first : min(bisect_right(starts, x1 + _APART), first + 200)]:
            start, _, upper, lower = boxes[other]
            if min(bottom, lower) - max(top, upper) > 0.5 * min(bottom - top, lower - upper):
                pairs.append((index, other, start - x1))
    return pairs
