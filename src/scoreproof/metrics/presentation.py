"""How a result leaves the library: numbers as text, documents as JSON, tables as HTML.

JSON has no NaN and no infinity, so an undefined score becomes null there and the word "undefined" for people.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from scoreproof import notebook


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


def plain(value: Any) -> Any:
    """The same document with nothing in it that JSON cannot carry.

    >>> plain({"auc": np.float64("nan"), "counts": np.array([1, 2])})
    {'auc': None, 'counts': [1, 2]}
    """
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def html_table(caption: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A small table for notebooks and reports; numbers are formatted as ``number`` does."""

    shown = ([number(value) if isinstance(value, float) else value for value in row] for row in rows)
    return notebook.html_table(shown, caption=caption, head=header)
