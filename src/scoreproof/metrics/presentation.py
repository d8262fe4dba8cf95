"""How a result is shown to people: numbers as text, with a word where there is none, and tables as HTML."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence


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


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A small table for notebooks and reports; numbers are formatted as ``number`` does."""

    def cell(value: object) -> str:
        return html.escape(number(value) if isinstance(value, float) else str(value))

    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    top = f"<caption>{html.escape(caption)}</caption><thead><tr>{head}</tr></thead>"
    return f"<table>{top}<tbody>{body}</tbody></table>"
