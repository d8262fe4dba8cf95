"""The reports that are like a given one: each score's printable values near the reported one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, prod

import numpy as np

from scoreproof.detectability.boxes import Ints, PrintedColumn
from scoreproof.reported import Claim
from scoreproof.reported.number import Printed

_MOST_DIGITS = 9


@dataclass(frozen=True, slots=True)
class NearReports:
    """For each reported score the least and the greatest printed value, in units of its last digit."""

    reported: tuple[Claim, ...]
    columns: tuple[PrintedColumn, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many reports there are in all."""
        return prod(max(0, b - a + 1) for a, b in zip(self.least, self.most, strict=True))

    def draw(self, rng: np.random.Generator) -> tuple[int, ...]:
        """One of them, each as likely as any other."""
        return tuple(int(rng.integers(a, b, endpoint=True)) for a, b in zip(self.least, self.most, strict=True))

    def report(self, units: Sequence[int]) -> tuple[Claim, ...]:
        """The given report with other printed values."""
        found = []
        for one, column, unit in zip(self.reported, self.columns, units, strict=True):
            low, high = column.bounds(unit)
            number = Printed(unit, column.scale)
            text = _text(number) if one.spread is None else f"{_text(number)} ± {_text(one.spread)}"
            found.append(replace(one, text=text, number=number, low=low, high=high))
        return tuple(found)

    def whole(self) -> tuple[Claim, ...]:
        """The scores with the widest bounds any report of the region has."""
        return tuple(
            replace(one, low=column.bounds(a)[0], high=column.bounds(b)[1])
            for one, column, a, b in zip(self.reported, self.columns, self.least, self.most, strict=True)
        )

    @property
    def corners(self) -> tuple[Ints, Ints]:
        return np.array(self.least, dtype=np.int64), np.array(self.most, dtype=np.int64)


def region(reported: Sequence[Claim], within: Fraction) -> NearReports:
    """All reports within a distance of the given one, in each score on its own.

    The distance is absolute for scores with a lower and an upper bound, whose range is not left; for the others it is
    relative to the reported value.

    >>> from scoreproof.reported import report
    >>> found = region([report("acc", "0.97"), report("lrp", "20.0")], Fraction(1, 20))
    >>> found.least, found.most, found.size
    ((92, 190), (100, 210), 189)
    """
    columns, least, most = [], [], []
    for one in reported:
        scale = _scale(one)
        value, (bottom, top) = one.number.value, one.score.range
        reach = within if None not in (bottom, top) else max(within * abs(value), Fraction(1, scale))
        low, high = ceil((value - reach) * scale), floor((value + reach) * scale)
        columns.append(PrintedColumn.of(one.score, scale, one.rounding, one.eps))
        least.append(low if bottom is None else max(low, ceil(bottom * scale)))
        most.append(high if top is None else min(high, floor(top * scale)))
    return NearReports(tuple(reported), tuple(columns), tuple(least), tuple(most))


def _scale(one: Claim) -> int:
    """The worth of the last digit; for numbers given with an eps at least the digits that the eps speaks of."""
    scale = one.number.scale
    if one.eps is None:
        return scale
    spoken: int = next((10**k for k in range(_MOST_DIGITS) if 2 * one.eps * 10**k >= 1), 10**_MOST_DIGITS)
    decimal = scale == 10**one.number.digits
    return spoken if not decimal else scale if one.eps == 0 else max(scale, spoken)


def _text(number: Printed) -> str:
    sign = "-" if number.units < 0 else ""
    whole, rest = divmod(abs(number.units), number.scale)
    return f"{sign}{whole}.{rest:0{number.digits}d}" if number.digits else f"{sign}{whole}"
