"""How many cases an interval of a known method is of."""

from __future__ import annotations

from typing import Any

from scoreproof.claims.proportion import interval
from scoreproof.claims.recheck import Standing
from scoreproof.claims.texts import read_interval
from scoreproof.errors import InvalidOption
from scoreproof.validation import shown


def cases_behind(value: str, method: str, *, level: Any = None, rounding: str = "any") -> tuple[str, tuple[int, int]]:
    """The value alone, and the fewest and the most cases of which a method gives this interval.

    >>> cases_behind("0.912 (0.880-0.938)", "clopper-pearson", rounding="nearest")
    ('0.912', (397, 409))
    """
    found = interval(value, method=method, level=level, rounding=rounding)
    if found.verdict is not Standing.POSSIBLE or found.range is None:
        raise InvalidOption(f"interval: {shown(value)} bounds no number of cases ({found.words})")
    if any("at least" in need for need in found.needs):
        raise InvalidOption(
            f"interval: {shown(value)} is too narrow for its digits to bound the number of cases from above"
        )
    return read_interval(value).value, (int(found.range[0]), int(found.range[1]))
