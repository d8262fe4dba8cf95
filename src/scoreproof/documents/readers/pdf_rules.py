"""The rules drawn on a PDF page, and the seams between tables whose rules run into each other.

A rule is often drawn in pieces that touch, one for each cell; these are joined. Tables that are too wide for their
column of the page touch their neighbours as well: there rules lie over each other for a few points, which belong to the
empty margins of both tables, and the seam in the middle parts them. Where they lie over each other for more, their
words do as well, and no seam is clear. Browsers draw the cells of a table as boxes with gaps between them: the boxes
are grown by half of the gap, so that they touch, and are then a ruled table like any other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoreproof.documents.readers.pdf_page import Page
from scoreproof.documents.readers.pdf_words import Seam

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
