"""Columns of percentages: those whose heading says so, and those that the user names.

A heading is sometimes wrong about its column ("Accuracy (%)" above 0.91), so what it says is believed of numbers above
one only; the others are the fault of their row, never read as a hundredth of what was meant.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.validation import shown

_HEADING = re.compile(r"%|\bper ?cent(?:age)?s?\b|(?<![a-z])pct(?![a-z])", re.IGNORECASE)
_SIGN = re.compile(r"[%٪﹪％]\s*$")
_NUMBER = re.compile(r"[+−-]?(?P<whole>\d*)(?:[.,·](?P<rest>\d*))?")
_LONGEST = 30  # characters of a cell in a message


def says_percent(heading: str) -> bool:
    """Whether a heading says that its column holds percentages.

    >>> says_percent("Accuracy (%)"), says_percent("acc_pct"), says_percent("Accuracy")
    (True, True, False)
    """
    return bool(_HEADING.search(heading))


def without_percent(heading: str) -> str:
    """A heading without that word."""
    return re.sub(r"\(\s*\)|\[\s*\]", "", _HEADING.sub("", heading)).strip(" _-,")


def as_percentage(value: Any, column: str, *, stated: bool, digits: int | None) -> Any:
    """A cell of such a column as ``check`` takes it; ``stated`` by the user, or only by the heading.

    >>> as_percentage("91.2", "Acc (%)", stated=False, digits=None), as_percentage(0.5, "err", stated=True, digits=1)
    ('91.2%', '0.5%')
    >>> as_percentage("0.912", "Acc (%)", stated=False, digits=None)
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidValue: Acc (%): the heading says percent, but '0.912' is not above 1; write it with its \
sign (0.912%) if it is a percentage, or say so of the column (percent=[...], --percent COLUMN)
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Decimal)):
        return value  # no number, as ``check`` will say
    text = value if isinstance(value, str) else str(value) if digits is None else f"{value:.{digits}f}"
    text = text.strip()
    if _SIGN.search(text):
        return value
    if not stated and not _above_one(text):
        raise InvalidValue(
            f"{column}: the heading says percent, but {shown(text)} is not above 1; write it with its sign "
            f"({text[:_LONGEST]}%) if it is a percentage, or say so of the column (percent=[...], --percent COLUMN)"
        )
    return f"{text}%"


def _above_one(text: str) -> bool:
    number = _NUMBER.match(text)
    assert number is not None
    whole, rest = number["whole"].lstrip("0"), number["rest"] or ""
    return whole not in ("", "1") or (whole == "1" and bool(rest.strip("0")))
