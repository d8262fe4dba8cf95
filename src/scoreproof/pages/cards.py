"""What a card says when a cell is pointed at: short lines, as data for the page's script.

There is one card per audited row, and in it one line per cell, so that ten thousand rows stay a small file. The page's
script writes the lines as text, never as markup.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from scoreproof.asking import Verdict
from scoreproof.audits import ReadingVerdict, RowResult
from scoreproof.errors import ScoreproofError
from scoreproof.pages.escape import cut
from scoreproof.pages.words import (
    canonical,
    row_name,
    score_title,
    strength,
    told_apart,
    verdict_sentence,
    why,
    witness_words,
)
from scoreproof.reported import report


@dataclass(slots=True)
class Deck:
    """All cards of a page. Sentences that many rows share are kept once; a card names them by number."""

    cards: list[list[Any]] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, row: RowResult, anchor: str) -> None:
        """A row's card: outcome, name, sentences, one line per cell, and where its text stands (or nothing)."""
        lines = [line for line in (verdict_sentence(row), why(row), _readings(row), _strength(row)) if line]
        bounds = _bounds(row)
        cells = [
            f"{score_title(one.score)}: {cut(one.text, 60)}{bounds.get(canonical(one.score), '')}" for one in row.cells
        ]
        shared = [self._number(cut(line, 400)) for line in lines]
        self.cards.append([str(row.outcome), row_name(row), shared, [self._number(line) for line in cells], anchor])

    def _number(self, line: str) -> int:
        return self._numbers.setdefault(line, len(self._numbers))

    def to_dict(self) -> dict[str, Any]:
        return {"lines": list(self._numbers), "cards": self.cards}


def _strength(row: RowResult) -> str:
    return f"Strength: {strength(row).rstrip('.')}." if strength(row) else ""


def _readings(row: RowResult) -> str:
    """The experiment with its witness; of several readings those that fit, or that are open."""
    if len(row.readings) == 1:
        only = row.readings[0]
        said = witness_words(only)
        return f"{cut(only.words or only.label, 120)}: {said or only.verdict}"
    labels = told_apart([one.label for one in row.readings])[1]
    found = [(label, one.verdict) for label, one in zip(labels, row.readings, strict=True)]
    for wanted, word in ((Verdict.CONSISTENT, "Fits"), (Verdict.UNDECIDED, "Open")):
        chosen = [cut(label, 90) for label, verdict in found if verdict is wanted]
        if chosen:
            return f"{word}: {'; '.join(chosen[:4])}{' …' if len(chosen) > 4 else ''}"
    return ""


def _bounds(row: RowResult) -> dict[str, str]:
    """The true values each text stands for, as the statement of the first reading rounds them."""
    found: dict[str, str] = {}
    for entry in _stated(row.readings):
        try:
            one = report(
                entry["score"],
                entry["text"],
                rounding=entry.get("rounding"),
                eps=entry.get("eps"),
                decimal_comma="," in entry["text"],
            )
        except (ScoreproofError, KeyError, TypeError):
            continue
        found[one.score.name] = f", a true value from {span(one.low, one.high)}"
    return found


def _stated(readings: tuple[ReadingVerdict, ...]) -> list[dict[str, Any]]:
    scores = readings[0].statement.get("scores") if readings else None
    return [one for one in scores if isinstance(one, dict)] if isinstance(scores, list) else []


def span(low: Fraction, high: Fraction) -> str:
    """Two ends as decimals with the same digits, exact where twelve suffice.

    >>> span(Fraction(68, 100), Fraction(6802, 10000)), span(Fraction(1, 3), Fraction(1, 2))
    ('0.6800 to 0.6802', '0.333333 to 0.5')
    """
    for digits in range(13):
        if (low * 10**digits).denominator == (high * 10**digits).denominator == 1:
            return f"{float(low):.{digits}f} to {float(high):.{digits}f}"
    return f"{float(low):.6g} to {float(high):.6g}"
