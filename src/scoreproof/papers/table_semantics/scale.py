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

from scoreproof.papers.table_semantics.cells import CellKind, ReadCell
from scoreproof.papers.table_semantics.headings import Heading
from scoreproof.papers.table_semantics.words import PATTERNS
from scoreproof.quantities import quantity
from scoreproof.reported.number import read_text

_SAYS = PATTERNS["scale"]


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
    sizes = {i: _size(cell.number) for i, cell in enumerate(cells) if cell.kind is CellKind.NUMBER}
    signed = {i for i in sizes if cells[i].percent}
    beyond = frozenset(i for i, size in sizes.items() if size is _Size.BEYOND)  # a page number, a year, a count
    if heading.percent:
        # Fractions under a percent sign, or shares below one percent? Nothing tells.
        small = not signed and {_Size.BELOW} <= {*sizes.values()} <= {_Size.ZERO, _Size.BELOW}
        return ScaleDecision(Scale.PERCENT, "the header says %", frozenset(sizes) if small else beyond)
    bare = sizes.keys() - signed - beyond
    above = {i for i in bare if sizes[i] is _Size.ABOVE}
    below = {i for i in bare if sizes[i] in (_Size.BELOW, _Size.ZERO)}
    if not bare and signed:
        return ScaleDecision(Scale.PERCENT, "every value carries %", beyond)
    if not above:
        plain = below == bare and heading.statistic not in ("std", "sem")
        why = "values up to 1, and values with %" if signed else "no value is above 1" if plain else "values up to 1"
        return ScaleDecision(Scale.FRACTION, why if bare else "no values", beyond)
    if not below or _SAYS["caption"].search(caption):
        why = "the caption speaks of percent" if below else "values above 1"
        return ScaleDecision(Scale.PERCENT, why, beyond)
    zeros = {i for i in below if sizes[i] is _Size.ZERO and _places(cells[i]) == _places(cells[min(above)])}
    if len(above) > len(below - zeros):
        return ScaleDecision(Scale.PERCENT, "most values are above 1", beyond | (below - zeros))
    if len(above) < len(below):
        return ScaleDecision(Scale.FRACTION, "most values are not above 1", beyond | above)
    return ScaleDecision(Scale.FRACTION, "as many values above 1 as below", beyond | above | below)


def _places(cell: ReadCell) -> int:
    return len(re.sub(r"^[^.,]*[.,]?", "", cell.number))
