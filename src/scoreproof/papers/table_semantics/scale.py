"""Percent or fraction: decided once per column, with the reason, and never for a cell that contradicts its column.

A header or a sign decides where there is one. Otherwise a value from 2 to 100 can only be a percentage of a score
that is at most 1, and a value up to 1 is taken for a fraction. Where a column holds both kinds, the cells of the
rarer kind are left unread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import lru_cache

from scoreproof.papers.table_semantics.cells import CellKind, ReadCell, value_of
from scoreproof.papers.table_semantics.headings import Heading
from scoreproof.quantities import quantity
from scoreproof.reported.number import read_text

_CAPTION = re.compile(r"\(\s*(?:in\s+)?%\s*\)|\bin\s*%|\bin percent\b|\bpercentages?\b", re.IGNORECASE)


class Scale(StrEnum):
    """The unit of a column."""

    FRACTION = "fraction"
    PERCENT = "percent"
    PLAIN = "plain"  #: the score has no upper bound: the number is taken as it stands


@dataclass(frozen=True, slots=True)
class ScaleDecision:
    """The scale of a column, why, and which of its cells contradict it."""

    scale: Scale
    why: str
    unclear: frozenset[int] = frozenset()


class _Size(Enum):
    """Where a bare number lies: which unit it allows."""

    ZERO = 0
    BELOW = 1  #: up to 1: a fraction, or less than one percent
    BETWEEN = 2
    ABOVE = 3  #: from 2 to 100: only a percentage
    BEYOND = 4


@lru_cache(maxsize=4096)
def _size(number: str) -> _Size:
    printed = read_text("cell", number).number
    units = abs(printed.units)
    if units == 0:
        return _Size.ZERO
    if units <= printed.scale:
        return _Size.BELOW
    if units < 2 * printed.scale:
        return _Size.BETWEEN
    return _Size.ABOVE if units <= 100 * printed.scale else _Size.BEYOND


def decide(heading: Heading, cells: Sequence[ReadCell], caption: str = "") -> ScaleDecision:
    """The scale of one column of scores.

    >>> from scoreproof.papers.table_semantics.cells import read_cell
    >>> from scoreproof.papers.table_semantics.headings import read_heading
    >>> decide(read_heading("Acc"), [read_cell("95.40"), read_cell("94.9"), read_cell("0.93")]).unclear
    frozenset({2})
    """
    if quantity(heading.score).range[1] != 1:
        return ScaleDecision(Scale.PLAIN, "the score has no upper bound")
    if heading.percent:
        # Fractions under a percent sign, or shares below one percent? Nothing tells.
        small = range(len(cells)) if _all_small(cells) and _some_above_zero(cells) else ()
        return ScaleDecision(Scale.PERCENT, "the header says %", _beyond(cells) | frozenset(small))
    if _all_small(cells):
        up_to = heading.statistic in ("std", "sem")
        return ScaleDecision(Scale.FRACTION, "values up to 1" if up_to else "no value is above 1")
    beyond = _beyond(cells)
    if beyond:
        rest = [ReadCell("", CellKind.MISSING) if i in beyond else cell for i, cell in enumerate(cells)]
        decision = decide(heading, rest, caption)
        return ScaleDecision(decision.scale, decision.why, decision.unclear | beyond)
    bare = {i: cell for i, cell in enumerate(cells) if cell.kind is CellKind.NUMBER and not cell.percent}
    signed = [cell for cell in cells if cell.kind is CellKind.NUMBER and cell.percent]
    values = {i: _size(cell.number) for i, cell in bare.items()}
    above = {i for i, size in values.items() if size is _Size.ABOVE}
    below = {i for i, size in values.items() if size in (_Size.BELOW, _Size.ZERO)}
    if not values:
        return ScaleDecision(
            Scale.PERCENT if signed else Scale.FRACTION, "every value carries %" if signed else "no values"
        )
    if not above:
        if signed:
            return ScaleDecision(
                Scale.FRACTION, "values up to 1, and values with %", _unclear_beside_signs(cells, below)
            )
        if heading.statistic in ("std", "sem"):
            return ScaleDecision(Scale.FRACTION, "values up to 1")
        return ScaleDecision(Scale.FRACTION, "no value is above 1" if len(below) == len(values) else "values up to 1")
    if not below or _CAPTION.search(caption):
        return ScaleDecision(Scale.PERCENT, "values above 1" if not below else "the caption speaks of percent")
    zeros = {i for i in below if values[i] is _Size.ZERO and _places(cells[i]) == _places(cells[min(above)])}
    if len(above) > len(below - zeros):
        return ScaleDecision(Scale.PERCENT, "most values are above 1", frozenset(below - zeros))
    if len(above) < len(below):
        return ScaleDecision(Scale.FRACTION, "most values are not above 1", frozenset(above))
    return ScaleDecision(Scale.FRACTION, "as many values above 1 as below", frozenset(above | below))


def _beyond(cells: Sequence[ReadCell]) -> frozenset[int]:
    """Numbers above 100, of no score in percent or not: a page number, a year, a count."""
    numbers = ((i, cell.number) for i, cell in enumerate(cells) if cell.kind is CellKind.NUMBER)
    return frozenset(i for i, number in numbers if number[:2] != "0." and _size(number) is _Size.BEYOND)


def _all_small(cells: Sequence[ReadCell]) -> bool:
    """Whether there are numbers, none above 1 and none with a percent sign: the usual column, seen in one pass."""
    found = False
    for cell in cells:
        if cell.kind is CellKind.NUMBER:
            found = True
            number = cell.number
            if cell.percent or (number[:2] != "0." and _size(number) not in (_Size.ZERO, _Size.BELOW)):
                return False
    return found


def _some_above_zero(cells: Sequence[ReadCell]) -> bool:
    return any(cell.kind is CellKind.NUMBER and _size(cell.number) is not _Size.ZERO for cell in cells)


def _unclear_beside_signs(cells: Sequence[ReadCell], below: set[int]) -> frozenset[int]:
    """A bare 0.93 beside 95.1% is a fraction; a bare 0.9 beside 0.8% may be either."""
    small = any(cell.kind is CellKind.NUMBER and cell.percent and abs(value_of(cell).value) <= 1 for cell in cells)
    return frozenset(below) if small else frozenset()


def _places(cell: ReadCell) -> int:
    return len(re.sub(r"^[^.,]*[.,]?", "", cell.number))
