"""Functions of a rank, between rationals: 1 / r, 1 / log2(1 + r), and how many are within a cut-off.

Logarithms come from the decimal module, which rounds them correctly; the margin is far above its last digit.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

from scoreproof.quantities.ranking import RankMean

Ends = tuple[Fraction, Fraction]
_DIGITS = 50
_MARGIN = Fraction(1, 10**40)


def gain(measure: RankMean, rank: int) -> Ends:
    """Rationals around what one query of a rank adds to a measure.

    >>> from scoreproof.quantities.ranking import rank_mean
    >>> gain(rank_mean("mrr", 10), 4), gain(rank_mean("mrr", 10), 11)
    ((Fraction(1, 4), Fraction(1, 4)), (Fraction(0, 1), Fraction(0, 1)))
    """
    if measure.measure == "mr":
        return Fraction(rank), Fraction(rank)
    if measure.cutoff is not None and rank > measure.cutoff:
        return Fraction(0), Fraction(0)
    if measure.measure == "hits":
        return Fraction(1), Fraction(1)
    if measure.measure == "p":
        return Fraction(1, measure.cutoff or 1), Fraction(1, measure.cutoff or 1)
    return (Fraction(1, rank), Fraction(1, rank)) if measure.measure == "mrr" else discount(rank)


@lru_cache(maxsize=65536)
def discount(rank: int) -> Ends:
    """Rationals around 1 / log2(1 + rank), equal where it is one."""
    power = rank.bit_length()
    if rank + 1 == 1 << power:
        return Fraction(1, power), Fraction(1, power)
    with localcontext() as context:
        context.prec = _DIGITS
        value = Fraction(Decimal(2).ln() / Decimal(rank + 1).ln())
    return value - _MARGIN, value + _MARGIN
