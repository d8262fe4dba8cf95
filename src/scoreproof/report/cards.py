"""What a card says when a cell is pointed at: short lines, as data for the page's script.

There is one card per audited row, and in it one line per cell, so that ten thousand rows stay a small file. The
script writes them as text, never as markup.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from scoreproof.audit import ReadingVerdict, RowResult
from scoreproof.errors import ScoreproofError
from scoreproof.report.escape import cut
from scoreproof.report.words import row_name, score_title, sign, strength, verdict_sentence, why, witness_words
from scoreproof.reported import report

_MOST_LINES = 5


def card(row: RowResult, anchor: str) -> list[Any]:
    """Outcome, name, sentences, one line per cell, and where the whole explanation stands (or nothing)."""
    lines = [verdict_sentence(row)]
    lines += [line for line in (why(row), _readings(row)) if line]
    if strength(row):
        lines.append(f"Strength: {strength(row)}.".replace("..", "."))
    bounds = _bounds(row)
    cells = [f"{score_title(one.score)}: {cut(one.text, 60)}{bounds.get(one.score, '')}" for one in row.cells]
    return [str(row.outcome), row_name(row), [cut(line, 400) for line in lines[:_MOST_LINES]], cells, anchor]


def _readings(row: RowResult) -> str:
    if len(row.readings) == 1:
        only = row.readings[0]
        said = witness_words(only)
        return f"{cut(only.words or only.label, 120)}: {said or only.verdict}"
    return "; ".join(f"{sign(one.verdict).symbol} {cut(one.label, 60)}" for one in row.readings[:6])


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
        found[one.score.name] = f", a true value from {decimal(one.low)} to {decimal(one.high)}"
    return found


def _stated(readings: tuple[ReadingVerdict, ...]) -> list[dict[str, Any]]:
    scores = readings[0].statement.get("scores") if readings else None
    return [one for one in scores if isinstance(one, dict)] if isinstance(scores, list) else []


def decimal(value: Fraction) -> str:
    """A short decimal, exact where twelve digits suffice.

    >>> decimal(Fraction(6801, 10000)), decimal(Fraction(1, 3))
    ('0.6801', '0.333333')
    """
    for digits in range(13):
        if (value * 10**digits).denominator == 1:
            return f"{int(value * 10**digits) / 10**digits:.{digits}f}"
    return f"{float(value):.6g}"
