"""Confusion matrices that are drawn: numbers in filled boxes that touch, as many rows as columns.

The names of the classes stand to the left of the rows, and below or above the columns, where they may be turned by a
right angle. Text that is slanted is not read; then the columns are taken to have the names of the rows, and a note says
so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoreproof.documents.readers.pdf_page import DrawnShape, Page
from scoreproof.documents.readers.pdf_regions import Region
from scoreproof.documents.readers.pdf_rules import RuledLine
from scoreproof.documents.readers.pdf_words import Line, Word, runs_of

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
