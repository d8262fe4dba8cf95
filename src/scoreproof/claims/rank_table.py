"""The mean ranks that a printed table of scores gives, data sets by methods.

Whatever rule rounds the values of a row, it keeps their order: of two that print differently, with the same digits,
the one with the larger print is ahead; beside coarser digits a whole unit of these has to lie between them. So a rank
lies between two: one more than the methods surely ahead, and that plus all that may be level or ahead. Methods that
are level share the mean of their ranks, which lies between the two as well. A mean rank is then a mean of rows known
to within an error (``kinds.average``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.checking import Answer
from scoreproof.claims.recheck import proved
from scoreproof.claims.texts import claim_of
from scoreproof.errors import InvalidValue
from scoreproof.kinds.average import MOST_ROWS, printed_average
from scoreproof.kinds.printed import unknown
from scoreproof.reported import Claim, report
from scoreproof.validation import shown

_SCORE = unknown("score")
_RANK = unknown("rank")
_MOST_CELLS = 1_000_000
Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class RankTable:
    """Of every data set the range of each method's rank."""

    rows: tuple[tuple[Ends, ...], ...]

    @property
    def settled(self) -> bool:
        """Whether the digits leave no rank open."""
        return all(low == high for row in self.rows for low, high in row)

    def of_method(self, place: int) -> Ends:
        """Between which ends the mean rank of a method lies."""
        every = [row[place] for row in self.rows]
        low, high = (sum((ends[end] for ends in every), Fraction(0)) / len(every) for end in (0, 1))
        return low, high

    def refuted(self, place: int, printed: Claim) -> Answer[Any, Any] | None:
        """The proof that a printed mean rank is not that of the table; None where it may be."""
        low, high = self.of_method(place)
        if printed.low <= high and low <= printed.high:
            return None
        rows = {
            f"rank on data set {number}": report(_RANK, sum(row[place]) / 2, eps=(row[place][1] - row[place][0]) / 2)
            for number, row in enumerate(self.rows, 1)
        }
        return proved(printed_average(f"rank of {printed.name}", rows, printed))


def rank_table(table: Any, methods: int, *, higher: bool) -> RankTable:
    """The ranks of printed scores: a row for each data set, a value for each method; what is no text is exact.

    >>> rank_table([["0.90", "0.80", "0.85"]], 3, higher=True).rows[0][1]
    (Fraction(3, 1), Fraction(3, 1))
    """
    wanted = f"a row for each data set with {methods} printed scores"
    if isinstance(table, str) or not isinstance(table, Sequence) or not 1 <= len(table) <= MOST_ROWS:
        raise InvalidValue(f"table: expected {wanted}, got {shown(table)}")
    if len(table) * methods > _MOST_CELLS:
        raise InvalidValue(f"table: expected at most {_MOST_CELLS:,} scores, got {len(table) * methods:,}")
    ranked = []
    for number, row in enumerate(table, 1):
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != methods:
            raise InvalidValue(f"table: expected {wanted}, got {shown(row)} as row {number}")
        claims = [_read(value, f"table, row {number}") for value in row]
        unit = max(Fraction(0) if claim.eps is not None else Fraction(1, claim.number.scale) for claim in claims)
        ranked.append(_ranked([claim.number.value * (-1 if higher else 1) for claim in claims], unit))
    return RankTable(tuple(ranked))


def _read(value: Any, name: str) -> Claim:
    if isinstance(value, str):
        return claim_of(_SCORE, name, value)
    if not isinstance(value, int | Fraction) or isinstance(value, bool):
        raise InvalidValue(f"{name}: expected the text of a score such as '0.90', got {shown(value)}")
    return report(_SCORE, value, eps=0)


def _ranked(values: Sequence[Fraction], unit: Fraction) -> tuple[Ends, ...]:
    """The ranges of ranks of values of which the least comes first, printed in such units."""
    ordered, ranges = sorted(values), []
    for value in values:
        if unit:
            ahead, not_behind = bisect_right(ordered, value - unit), bisect_left(ordered, value + unit)
        else:
            ahead, not_behind = bisect_left(ordered, value), bisect_right(ordered, value)
        ranges.append((Fraction(ahead + 1), Fraction(not_behind)))
    return tuple(ranges)
