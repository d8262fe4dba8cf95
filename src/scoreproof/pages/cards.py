"""What a card says when a cell is pointed at: short lines, as data for the page's script.

There is one card per audited row, and in it one line per cell, so that ten thousand rows stay a small file. The page's
script writes the lines as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from scoreproof.pages.labels import Speech, canonical, title
from scoreproof.pages.words import cut
from scoreproof.papers.result import RowResult


@dataclass(slots=True)
class Deck:
    """All cards of a page. Sentences that many rows share are kept once; a card names them by number."""

    cards: list[list[Any]] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, outcome: str, name: str, sentences: Sequence[str], cells: Sequence[str], anchor: str) -> None:
        """A row's card: outcome, name, sentences, one line per cell, and where its text stands (or nothing)."""
        said = [self._number(cut(line, 400)) for line in sentences if line]
        self.cards.append([outcome, name, said, [self._number(line) for line in cells], anchor])

    def skip(self) -> None:
        """A row without a card: nothing on the page points to it."""
        self.cards.append([])

    def _number(self, line: str) -> int:
        return self._numbers.setdefault(line, len(self._numbers))

    def to_dict(self) -> dict[str, Any]:
        return {"lines": list(self._numbers), "cards": self.cards}


def card_lines(row: RowResult, say: Speech) -> tuple[str, ...]:
    """For each cell its score, its text and the true values that the text stands for."""
    spans = _true_values(row)
    lines = []
    for cell in row.cells:
        name, full = say.name(cell.score), title(cell.score)
        named = full if name in (full, cell.score) else f"{name} ({full})"
        lines.append(cut(f"{named}: {cut(cell.text, 60)}{spans.get(canonical(cell.score), '')}", 400))
    return tuple(lines)


def _true_values(row: RowResult) -> dict[str, str]:
    """The interval of each text, as the first reading has it."""
    claims = row.readings[0].answer.claims if row.readings else ()
    return {claim.quantity.name: f", a true value from {span(claim.low, claim.high)}" for claim in claims}


def span(low: Fraction, high: Fraction) -> str:
    """Two ends as decimals with the same digits, exact where twelve suffice.

    >>> span(Fraction(68, 100), Fraction(6802, 10000)), span(Fraction(1, 3), Fraction(1, 2))
    ('0.6800 to 0.6802', '0.333333 to 0.5')
    """
    parts = lcm(low.denominator, high.denominator)
    for digits in range(13):
        if 10**digits % parts == 0:
            return f"{float(low):.{digits}f} to {float(high):.{digits}f}"
    return f"{float(low):.6g} to {float(high):.6g}"
