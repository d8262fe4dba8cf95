"""The number a paper would print for a mean of scores: exact to the last digit.

A rational mean is rounded as it is. Where square roots are averaged, an enclosure of 200 bits nearly always settles
the digit; what is left are ties, which algebra settles. A trial must not be counted wrong for a rounding error.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, Surd
from scoreproof.kinds.binary.scores.links import RATIO
from scoreproof.reported import Rounding
from scoreproof.reported.conventions import Undefined

_BITS = 200


def mean_units(
    score: Score,
    matrices: Sequence[ConfusionMatrix],
    weights: Sequence[Fraction],
    scale: int,
    rounding: Rounding,
    undefined: Undefined,
) -> int | None:
    """The printed mean as a multiple of ``1 / scale``; None if there is nothing to print.

    ``rounding`` may be ``any``, which prints to nearest. A score that is 0/0 in a set leaves nothing to print, counts
    as zero, or is skipped, as ``undefined`` says; an infinite one is never printed.

    >>> from scoreproof.kinds.binary.scores import score
    >>> folds = [ConfusionMatrix(1, 1, 0, 1), ConfusionMatrix(1, 0, 1, 1)]
    >>> mean_units(score("mcc"), folds, [Fraction(1, 2)] * 2, 1000, Rounding.NEAREST, Undefined.EXCLUDE)
    500
    """
    kept: list[tuple[Fraction, ConfusionMatrix]] = []
    total = Fraction(0)
    for matrix, weight in zip(matrices, weights, strict=True):
        num, den = score.ratio(*matrix.cells)
        if den == 0:
            if num != 0 or undefined is Undefined.EXCLUDE:
                return None
            if undefined is Undefined.ZERO:
                total += weight
            continue
        total += weight
        kept.append((weight, matrix))
    if total == 0:
        return None
    if score.link is RATIO:
        value = sum((weight * Fraction(*score.ratio(*one.cells)) for weight, one in kept), Fraction(0)) / total
        return rounded(value * scale, rounding)
    low = high = Fraction(0)
    for weight, one in kept:
        ends = score.enclose(*one.cells, 1 << _BITS)
        assert ends is not None
        low += weight * ends[0] / total
        high += weight * ends[1] / total
    least, most = rounded(low * scale, rounding), rounded(high * scale, rounding)
    return least if least == most else _settled(score, kept, total, scale, rounding, most)


def _settled(
    score: Score,
    kept: Sequence[tuple[Fraction, ConfusionMatrix]],
    total: Fraction,
    scale: int,
    rounding: Rounding,
    most: int,
) -> int:
    """One of two neighbouring numbers, decided by the sign of an algebraic number."""
    mean = Surd.rational(0)
    for weight, one in kept:
        value = score.exact(*one.cells)
        assert value is not None
        mean += value.scaled(weight / total)
    if rounding is Rounding.CEIL:
        return most if mean.sign(Fraction(most - 1, scale)) > 0 else most - 1
    border = Fraction(most, scale) if rounding is Rounding.FLOOR else Fraction(2 * most - 1, 2 * scale)
    return most if mean.sign(border) >= 0 else most - 1


def rounded(value: Fraction, rounding: Rounding) -> int:
    """A number of units in print; ``any`` prints to nearest."""
    if rounding is Rounding.FLOOR:
        return floor(value)
    if rounding is Rounding.CEIL:
        return -floor(-value)
    return floor(value + Fraction(1, 2))


def decimal_text(units: int, digits: int) -> str:
    """The number in print.

    >>> decimal_text(-5, 2), decimal_text(1234, 3), decimal_text(7, 0)
    ('-0.05', '1.234', '7')
    """
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"
