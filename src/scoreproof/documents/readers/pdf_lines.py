"""Words, lines and rules of a PDF page, from its characters and the boxes it draws.

A PDF says where each glyph stands and nothing else. Glyphs are gathered into lines by their baselines (the boxes of
mathematical fonts are misleading), into words by the gaps between them, and small raised or lowered glyphs are marked
as superscripts and subscripts so that no footnote lengthens a number.

A rule is often drawn in pieces that touch, one for each cell; these are joined. Tables that are too wide for their
column of the page touch their neighbours as well: there rules lie over each other for a few points, which belong to the
empty margins of both tables, and the seam in the middle parts them. Browsers draw the cells of a table as boxes with
gaps between them: the boxes are grown by half of the gap, so that they touch, and are then a ruled table.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
        return text_of(self.words)

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


def text_of(words: Sequence[Word]) -> str:
    """Words with a blank between them."""
    return " ".join(word.text for word in words)


def lines_of(page: Page, seams: Mapping[int, Sequence[float]]) -> list[Line]:
    """The lines of a page, top to bottom; text at right angles is left out."""
    rows: list[list[Glyph]] = []
    for glyph in sorted((glyph for glyph in page.glyphs if not glyph.turn), key=lambda glyph: glyph.y):
        if rows and glyph.y - rows[-1][0].y <= 0.2 * glyph.size:
            rows[-1].append(glyph)
        else:
            rows.append([glyph])
    return [_line(row, seams) for row in _with_raised(rows)]


def _with_raised(rows: list[list[Glyph]]) -> list[list[Glyph]]:
    """Small glyphs a little above or below a line join it where they touch one of its glyphs, or one that joined."""
    sizes = [max(glyph.size for glyph in row) for row in rows]
    kept: list[list[Glyph]] = [[] for _ in rows]
    for index, row in enumerate(rows):
        joined: dict[int, Glyph] = {}  # of each line the last glyph of this one that joined it
        for glyph in sorted(row, key=lambda glyph: glyph.x0):
            home = index
            for other in (index - 1, index + 1, index - 2, index + 2):
                if not 0 <= other < len(rows) or glyph.size >= _SMALL * sizes[other]:
                    continue
                reach, last = 0.25 * sizes[other], joined.get(other)
                if abs(rows[other][0].y - glyph.y) <= 0.6 * sizes[other] and (
                    (last is not None and abs(glyph.x0 - last.x1) <= reach)
                    or any(abs(glyph.x0 - near.x1) <= reach and near.size > glyph.size for near in rows[other])
                ):
                    home, joined[other] = other, glyph
                    break
            kept[home].append(glyph)
    return [row for row in kept if row]


def _line(row: list[Glyph], seams: Mapping[int, Sequence[float]]) -> Line:
    size = max(glyph.size for glyph in row)
    baseline = median(glyph.y for glyph in row if glyph.size >= _SMALL * size)
    row.sort(key=lambda glyph: glyph.x0)
    ends = [x for x, heights in seams.items() if heights[0] - _HEAD <= baseline <= heights[-1] + 1]
    words: list[list[Glyph]] = []
    for glyph in row:
        last = words[-1][-1] if words else None
        if (
            last is None
            or glyph.x0 - last.x1 > (_MARKED if glyph.blank else _BLANK) * size
            or any(last.x1 <= x + 1.5 and x - 1.5 <= glyph.x0 for x in ends)
        ):
            words.append([])
        words[-1].append(glyph)
    return Line(baseline, tuple(_word(word, baseline, size) for word in words))


def _word(glyphs: Sequence[Glyph], baseline: float, size: float) -> Word:
    text = ""
    small = [(baseline - glyph.y) / size if glyph.size < _SMALL * size else 0.0 for glyph in glyphs]
    marked = zip(("^" if shift > 0.1 else "_" if shift < -0.05 else "" for shift in small), glyphs, strict=True)
    for mark, run in itertools.groupby(marked, key=lambda pair: pair[0]):
        part = "".join(glyph.text for _, glyph in run)
        text += superscript(part) if mark == "^" else subscript(text, part) if mark else part
    bold = all(glyph.bold for glyph in glyphs if glyph.text.isalnum()) and any(glyph.bold for glyph in glyphs)
    return Word(text, glyphs[0].x0, glyphs[-1].x1, size, bold)


def runs_of(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Glyphs at right angles, over each other without a gap, in the order in which they are read."""
    runs: list[list[Glyph]] = []
    turned = [glyph for glyph in glyphs if glyph.turn]
    for glyph in sorted(turned, key=lambda g: (round(g.y), -g.top if g.turn > 0 else g.top)):
        last = runs[-1][-1] if runs else glyph
        low, high = (glyph, last) if glyph.turn > 0 else (last, glyph)
        far = high.top - low.bottom > 0.6 * max(glyph.x1 - glyph.x0, 1.0)
        if not runs or far or round(last.y) != round(glyph.y) or last.turn != glyph.turn:
            runs.append([])
        runs[-1].append(glyph)
    return runs


WIDEST_SEAM = 14.0  # points for which two tables may lie over each other: both margins
_TOUCHING = 1.5
_LEVEL = 1.6  # points by which pieces of one rule may differ in height
_SHORTEST = 40.0
_HEAD = 30.0  # points above the first of two rules where words may stand that are too close
_SHARED = 0.8  # points: boxes that are closer share a border already
_APART = 14.0  # points between boxes of one table at most
_MOST_BOXES = 20_000  # boxes of a page; more are a drawing


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A horizontal rule."""

    x0: float
    x1: float
    y: float


class PageRules(NamedTuple):
    """Horizontal rules, vertical ones as (x, top, bottom), and by their places the heights of the rules at seams."""

    flat: list[RuledLine]
    upright: list[tuple[float, float, float]]
    seams: dict[int, list[float]]


def rules_of(page: Page) -> PageRules:
    """The rules of a page, pieces of one rule joined, those of two tables that touch parted at the seam."""
    flat: list[RuledLine] = []
    upright: list[tuple[float, float, float]] = []
    boxes: list[list[float]] = []
    for x0, x1, top, bottom, stroke in page.shapes:
        if bottom - top <= 2.5 and x1 - x0 > 3:
            flat.append(RuledLine(x0, x1, (top + bottom) / 2))
        elif x1 - x0 <= 2.5 and bottom - top > 3:
            upright.append(((x0 + x1) / 2, top, bottom))
        elif bottom - top > 5 and x1 - x0 > 5 and stroke:
            boxes.append([x0, x1, top, bottom])
    for x0, x1, top, bottom in _closed_up(boxes):
        flat += [RuledLine(x0, x1, top), RuledLine(x0, x1, bottom)]
        upright += [(x0, top, bottom), (x1, top, bottom)]
    joined, seams = _joined(flat)
    return PageRules(joined, upright, seams)


def _joined(flat: list[RuledLine]) -> tuple[list[RuledLine], dict[int, list[float]]]:
    """Rules, the pieces of one as one, and the seams of tables that touch."""
    joined: list[RuledLine] = []
    seams: dict[int, list[float]] = {}
    for rule in sorted(flat, key=lambda rule: (round(rule.y), rule.x0)):
        last = joined[-1] if joined else None
        if last is None or abs(last.y - rule.y) >= _LEVEL or rule.x0 > last.x1 + _TOUCHING:
            joined.append(rule)
        elif min(rule.x1 - last.x1, rule.x0 - last.x0) > _SHORTEST and last.x1 - rule.x0 > _TOUCHING:  # of two tables
            joined.append(rule)
            if last.x1 - rule.x0 <= WIDEST_SEAM:
                seams.setdefault(round((last.x1 + rule.x0) / 2), []).append(rule.y)
        else:
            joined[-1] = RuledLine(last.x0, max(last.x1, rule.x1), last.y)
    for x in seams:
        joined = [
            replace(rule, x0=x)
            if abs(rule.x0 - x) < WIDEST_SEAM / 2 + 1
            else replace(rule, x1=x)
            if abs(rule.x1 - x) < WIDEST_SEAM / 2 + 1
            else rule
            for rule in joined
        ]
    return sorted(joined, key=lambda rule: rule.y), seams


def _closed_up(boxes: list[list[float]]) -> list[list[float]]:
    """The boxes; those that have others beside them and over or under them are grown by half of the gaps.

    >>> _closed_up([[0, 10, 0, 10], [14, 30, 0, 10], [0, 10, 13, 23], [14, 30, 13, 23]])[:2]
    [[0, 12.0, 0, 11.5], [12.0, 30, 0, 11.5]]
    """
    pairs = [] if len(boxes) > _MOST_BOXES else [_neighbours(boxes, 0), _neighbours(boxes, 2)]
    both = set.intersection(*({box for pair in side for box in pair} for side in pairs)) if pairs else set()
    grown = [list(box) for box in boxes]
    for side, near in zip((0, 2), pairs, strict=False):
        for first, second in near:
            if first in both and second in both:
                middle = (boxes[first][side + 1] + boxes[second][side]) / 2
                grown[first][side + 1] = grown[second][side] = middle
    return grown


def _neighbours(boxes: list[list[float]], side: int) -> list[tuple[int, int]]:
    """Pairs of boxes beside each other, or over each other, with a gap between them."""
    order = sorted(range(len(boxes)), key=lambda index: boxes[index][side])
    starts = [boxes[index][side] for index in order]
    pairs = []
    for index, box in enumerate(boxes):
        first = bisect_left(starts, box[side + 1] + _SHARED)
        for other in order[first : min(bisect_left(starts, box[side + 1] + _APART), first + 200)]:
            (top, bottom), (upper, lower) = box[2 - side : 4 - side], boxes[other][2 - side : 4 - side]
            if min(bottom, lower) - max(top, upper) > 0.5 * min(bottom - top, lower - upper):
                pairs.append((index, other))
    return pairs
