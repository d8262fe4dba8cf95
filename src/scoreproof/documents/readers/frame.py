"""A pandas data frame as a table of texts.

Texts stay as they are. A number has lost its trailing zeros: it is written in its shortest spelling, and from the
eleventh digit on cut, since what follows may be an error of floating point. pandas itself is not loaded for this.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from scoreproof.documents.grid import rectangle, tidy
from scoreproof.documents.table import Table
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within

_DIGITS = 10
_NOTE = "numbers of a data frame have lost their trailing zeros; texts keep them"


@runtime_checkable
class PandasFrame(Protocol):
    """A pandas data frame, as far as it is used."""

    @property
    def columns(self) -> Any: ...
    @property
    def index(self) -> Any: ...
    def itertuples(self, index: bool = True, name: str | None = None) -> Any: ...


def is_frame(value: object) -> bool:
    """Whether something is a data frame."""
    return hasattr(value, "itertuples") and hasattr(value, "columns") and hasattr(value, "index")


def table_of(frame: PandasFrame) -> Table:
    """The table of a data frame; an index that is more than numbers from 0 is its first columns."""
    require_within("columns", len(frame.columns), "data frame")
    require_within("cells", len(frame.columns) * len(frame.index), "data frame")
    labels = [list(map(text_of, label if isinstance(label, tuple) else (label,))) for label in frame.columns]
    height = max(map(len, labels), default=1)
    levels = [[*[""] * (height - len(label)), *label] for label in labels]
    index = [] if _is_plain(frame.index) else [text_of(name) for name in frame.index.names]
    head = [
        [*(index if level == height - 1 else [""] * len(index)), *(label[level] for label in levels)]
        for level in range(height)
    ]
    body = []
    for key, *values in frame.itertuples(name=None):
        names = list(map(text_of, key if isinstance(key, tuple) else (key,))) if index else []
        body.append([*names, *map(text_of, values)])
    if not body or not levels:
        raise UnreadableInput("data frame: expected rows and columns, got none")
    numbers = any(isinstance(value, float) for row in frame.itertuples(name=None, index=False) for value in row)
    notes = (_NOTE,) if numbers else ()
    return replace(rectangle([*head, *body], height), format="frame", notes=notes)


def _is_plain(index: Any) -> bool:
    return getattr(index, "nlevels", 1) == 1 and index.name is None and list(index) == list(range(len(index)))


def text_of(value: Any) -> str:
    """A value as a text.

    >>> [text_of(value) for value in ("0.90", 0.9, 0.1 + 0.2, 120.0, float("nan"), None, 3)]
    ['0.90', '0.9', '0.3000000000', '120', '', '', '3']
    """
    if value is None:
        return ""
    if not isinstance(value, float):
        try:
            return tidy(str(value))
        except Exception as error:  # a number of thousands of digits, a list too deep, an object of one's own
            kind = type(value).__name__
            raise UnreadableInput(
                f"data frame: expected texts and numbers, got a {kind} without a text ({error})"
            ) from None
    if not math.isfinite(value):
        return "" if math.isnan(value) else str(value)
    short = repr(float(value))
    if "e" in short or len(short.partition(".")[2]) > _DIGITS:
        return f"{value:.{_DIGITS}f}"
    return short.removesuffix(".0")
