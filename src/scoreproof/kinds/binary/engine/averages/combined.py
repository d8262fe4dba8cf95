"""Rows over totals, combined by multipliers: whether they fail in a box, and whether a point gives a witness."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from scoreproof.kinds.binary.engine.averages.blocks import FoldTotals, TotalsRow, reach
from scoreproof.kinds.binary.engine.averages.distribute import witnesses
from scoreproof.kinds.binary.scores import ConfusionMatrix


def combine(rows: Sequence[TotalsRow], y: Sequence[int]) -> TotalsRow:
    """The row that multipliers make of base rows; a negative multiplier uses the other bound."""
    a = [sum(f * row.a[k] for f, row in zip(y, rows, strict=True)) for k in range(len(rows[0].a))]
    low = sum(f * (row.low if f > 0 else row.high) for f, row in zip(y, rows, strict=True))
    high = sum(f * (row.high if f > 0 else row.low) for f, row in zip(y, rows, strict=True))
    shared = gcd(*a) or 1
    return TotalsRow(tuple(x // shared for x in a), -(-low // shared), high // shared, tuple(y))


def _surely(totals: FoldTotals, x: Sequence[int]) -> bool:
    """Whether a point fits every row whatever the rounding of coefficients hides."""
    reach = sum(totals.most)
    sums = [sum(a * v for a, v in zip(row.a, x, strict=True)) for row in totals.rows]
    return all(row.low + reach <= s <= row.high - reach for row, s in zip(totals.rows, sums, strict=True))


def fails(row: TotalsRow, low: Sequence[int], high: Sequence[int]) -> bool:
    least, most = reach(row.a, low, high)
    return least > row.high or most < row.low or row.low > row.high


def witness_at(totals: FoldTotals, x: Sequence[int]) -> tuple[ConfusionMatrix, ...] | None:
    """A witness with these totals, if there is one."""
    sure = totals.complete and (totals.bits is None or _surely(totals, x))
    return next((matrices for matrices in witnesses(totals, x) if sure or totals.demand.fits(matrices)), None)
