"""Scores by the names the paper prints: Precision where its column says so, and not ppv.

A cell's heading stands above its column or, in a transposed table, before its line. The sentences of an explanation
name scores by the registry's short names; here they are put into the paper's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from scoreproof.documents import Table
from scoreproof.errors import ScoreproofError
from scoreproof.findings.words import cut
from scoreproof.papers.result import CellText
from scoreproof.quantities import quantity

_LONGEST = 30
_ENGLISH = frozenset({"for"})  # names of scores that are words, too: taken for a score only before its value


def canonical(name: str) -> str:
    """The registry's name of a score, or the name as it stands.

    >>> canonical("recall"), canonical("nonsense")
    ('sens', 'nonsense')
    """
    try:
        return quantity(name).name
    except ScoreproofError:
        return name


def title(name: str) -> str:
    """The full name of a score, or the name as it stands."""
    try:
        return quantity(name).title
    except ScoreproofError:
        return cut(name, 60)


def headings(table: Table) -> tuple[list[str], list[str]]:
    """The heading of every column (its lowest level), and what stands first in every line."""
    above = [next((row[k] for row in reversed(table.header) if row[k].strip()), "") for k in range(table.shape[1])]
    return above, [row[0] if row else "" for row in table.rows]


def labels(cells: Sequence[CellText], row: str, heads: tuple[list[str], list[str]]) -> dict[str, str]:
    """What the paper calls the scores of a row; a name that says nothing of its own (or too much) is left out.

    >>> labels([CellText((1, 1), "ppv", "0.9", "0.9")], "A", (["", "Precision"], ["", "A"]))
    {'ppv': 'Precision'}
    """
    above, before = heads
    in_line = len({cell.place[0] for cell in cells}) <= 1
    if in_line and any(_at(above, cell.place[1]) == row for cell in cells):
        in_line = False  # a transposed table: the method stands above
    names = [cut(_at(above, cell.place[1]) if in_line else _at(before, cell.place[0]), 200) for cell in cells]
    return {
        canonical(cell.score): name
        for cell, name in zip(cells, names, strict=True)
        if 0 < len(name) <= _LONGEST and names.count(name) == 1 and not name[0].isdigit()
    }


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""


def in_the_papers_words(words: str, names: Mapping[str, str]) -> str:
    """The words with the scores called as the paper calls them.

    >>> in_the_papers_words("ppv = 0.9 is too high for acc = 0.7", {"ppv": "Precision", "acc": "Acc."})
    'Precision = 0.9 is too high for Acc. = 0.7'
    """
    different = tuple(name for name, label in names.items() if name != label)
    return _pattern(different).sub(lambda match: names[match[0]], words) if different and words else words


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    whole, before_value = r"(?![\w-])", "(?= =| [0-9])"
    ends = (re.escape(name) + (before_value if name in _ENGLISH else whole) for name in names)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(ends)})")


class Speech:
    """Sentences in the paper's own names of scores."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def plain(self, words: str, most: int = 1200) -> str:
        return cut(in_the_papers_words(cut(words, most), self.names), most)

    def name(self, score: str) -> str:
        return self.names.get(canonical(score)) or cut(score, 40)
