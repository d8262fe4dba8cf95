"""Headers that stand upright: words set at right angles over narrow columns.

They are put on the line on which they stand, beside the other headers. Only two and more that stand on one line of text
count: a stamp in the margin and the label of an axis stand alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoreproof.documents.readers.pdf_page import Glyph

_LONGEST = 40  # characters of a header
_MOST = 5_000  # glyphs at right angles on a page; more are a turned page


class Upright(NamedTuple):
    """A run of glyphs at right angles: its text, the places of its sides, and the line it stands on."""

    text: str
    x0: float
    x1: float
    y: float
    size: float


def upright_words(chars: Sequence[Glyph], lines: Sequence[float]) -> list[Upright]:
    """The headers at right angles that stand on one of the ``lines``, at least two on each."""
    glyphs = [glyph for glyph in chars if glyph.turn]
    if not 2 <= len(glyphs) <= _MOST:
        return []
    words: list[Upright] = []
    for run in _runs(glyphs):
        text = "".join(glyph.text for glyph in run).strip()
        sides = [(glyph.x0, glyph.x1) for glyph in run]
        size = max(right - left for left, right in sides)
        foot = max(glyph.bottom for glyph in run)
        near = [y for y in lines if abs(y - foot) <= 0.5 * size]
        if 2 <= len(text) <= _LONGEST and near:
            y = min(near, key=lambda one: abs(one - foot))
            words.append(Upright(text, min(a for a, _ in sides), max(b for _, b in sides), y, size))
    return [word for word in words if sum(other.y == word.y for other in words) >= 2]


def _runs(glyphs: Sequence[Glyph]) -> list[list[Glyph]]:
    """Glyphs over each other without a gap, in the order in which they are read."""
    columns: dict[int, list[Glyph]] = {}
    for glyph in glyphs:
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
