"""How a result is shown to people: numbers as text, with a word where there is none, and small tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from scoreproof.results import SmallTable

MATRIX = "True (rows) and predicted (columns) classes"


def number(value: float, digits: int = 4) -> str:
    """A value for people: enough digits, and words where there is no number.

    >>> number(0.75666), number(float("nan")), number(float("inf")), number(1234567.0), number(0.00001234)
    ('0.7567', 'undefined', 'infinite', '1.235e+06', '1.234e-05')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinite" if value > 0 else "minus infinite"
    if value != 0 and not 1e-3 <= abs(value) < 1e5:
        return f"{value:.{digits}g}"
    return f"{value:.{digits}f}"


def small_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> SmallTable:
    """A small table to show; numbers are formatted as ``number`` does."""
    shown = [[number(value) if isinstance(value, float) else value for value in row] for row in rows]
    return SmallTable(shown, header, caption)
