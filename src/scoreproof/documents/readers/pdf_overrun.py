"""Tables that are wider than their rules: a ``tabular*`` that is too full sets its last columns beyond them.

Such columns are numbers that go on beyond the right end of the rules in most rows, no further apart than the columns
inside. They are read if nothing else stands there; in a page of two columns they often lie over the text beside them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

from scoreproof.documents.grid import looks_numeric
from scoreproof.documents.readers.pdf_rules import RuledLine
from scoreproof.documents.readers.pdf_words import Line, Word

_GAP = 0.45  # of the type size, between two cells
_MARGIN = 2.0  # points beyond the end of a rule where a word is still inside
_WIDER = 1.5  # times the widest gap inside, that a column may stand apart
_MOST_ROWS = 0.6  # of the rows with numbers, which have one more
_ALTERNATING = 4  # changes between letters and digits


class Overrun(NamedTuple):
    """Where a table ends beyond its rules, and whether nothing else stands there."""

    x1: float
    clear: bool


def overrun(inside: Sequence[Line], lines: Sequence[Line], rules: Sequence[RuledLine], x1: float) -> Overrun | None:
    """What the lines of a table whose rules end at ``x1`` have beyond them; None if nothing of it goes on there."""
    top, bottom = inside[0].y - inside[0].size, inside[-1].y
    others = [rule for rule in rules if rule.x0 > x1]
    beyond = {line.y: _beyond(line, lines, x1) for line in inside}
    rows = [line for line in inside if any(looks_numeric(word.text) for word in line.words[1:])]
    more = {line.y: _columns(line, [word for word in beyond[line.y] if _free(word, line, others)]) for line in rows}
    longer = [columns for columns in more.values() if columns]
    over = [  # rows that go on in the words of something else
        line
        for line in rows
        if any(_entangled(word.text) or (longer and not _free(word, line, others)) for word in beyond[line.y])
    ]
    mixed = sum(any("." in word.text and _entangled(word.text) for word in line.words) for line in rows)
    if mixed < 2 and len(longer) + len(over) < max(2, _MOST_ROWS * len(rows)):
        return None
    if longer and _numbered([columns[0] for columns in longer]):
        return None
    end = max([x1, *(word.x1 for columns in longer for word in columns)])
    if over or mixed:
        return Overrun(end, clear=False)
    headers = {y: [word for word in words if word.x0 < end] for y, words in beyond.items() if y not in more}
    end = max([end, *(word.x1 for words in headers.values() for word in words)])
    own = {id(word) for words in (*more.values(), *headers.values()) for word in words}
    foreign = (
        word
        for line in lines
        if top <= line.y <= bottom
        for word in line.words
        if x1 + _MARGIN < word.middle and word.x0 < end + _GAP * line.size and id(word) not in own
    )
    return Overrun(end, clear=next(foreign, None) is None)


def _beyond(line: Line, lines: Sequence[Line], x1: float) -> list[Word]:
    """The words on the height of a line that stand beyond its table."""
    words = (word for other in lines if other.y == line.y for word in other.words if word.middle > x1 + _MARGIN)
    return sorted(words, key=lambda word: word.x0)


def _free(word: Word, line: Line, others: Sequence[RuledLine]) -> bool:
    """Whether a word does not stand between the rules of another table."""
    above = [rule.y < line.y for rule in others if rule.x0 - _MARGIN <= word.middle <= rule.x1 + _MARGIN]
    return all(above) or not any(above)


def _entangled(text: str) -> bool:
    """Whether letters and digits of words that lie over each other alternate.

    >>> _entangled("m0a.c8h6i6n5e."), _entangled("ResNet50v2")
    (True, False)
    """
    kinds = [character.isdigit() for character in text if character.isalnum()]
    return sum(a != b for a, b in itertools.pairwise(kinds)) >= _ALTERNATING


def _columns(line: Line, beyond: Sequence[Word]) -> list[Word]:
    """The numbers that go on after a row, no further apart than those inside."""
    gaps = [b[0].x0 - a[-1].x1 for a, b in itertools.pairwise(line.segments(_GAP))]
    widest = _WIDER * max(gaps, default=line.size)
    taken: list[Word] = []
    end = line.words[-1].x1
    for word in beyond:
        if word.x0 - end > widest or not (looks_numeric(word.text) or word.text in "±-–—%"):
            break
        taken.append(word)
        end = word.x1
    return taken


def _numbered(words: Sequence[Word]) -> bool:
    """Whether words count upwards, as the numbers of lines in a margin do."""
    if not all(word.text.isascii() and word.text.isdigit() for word in words):
        return False
    counts = [int(word.text[:9]) for word in words]
    return all(a < b for a, b in itertools.pairwise(counts))
