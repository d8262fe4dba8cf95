"""Is a printed average possible, given the printed rows?

Every printed value is a closed interval of rationals. The weighted mean of the rows lies between the means of the
lower and of the upper ends, so an average row is possible if and only if its own interval meets that range. The same
holds for a standard deviation, whose range over a box of intervals is found exactly: the variance is convex, its
minimum is where all values are drawn to one centre, and its maximum over intervals of equal width is at a corner where
the larger values are up and the smaller down.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.reported import Claim
from scoreproof.reported.rounding import Rounding, interval

Interval = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class AverageCheck:
    """Whether a printed average or deviation fits the printed rows; ``low`` and ``high`` bound the true one."""

    what: str
    printed: str
    low: Fraction
    high: Fraction
    consistent: bool

    def __bool__(self) -> bool:
        return self.consistent

    def to_dict(self) -> dict[str, Any]:
        return {
            "what": self.what,
            "printed": self.printed,
            "low": float(self.low),
            "high": float(self.high),
            "consistent": self.consistent,
        }

    def __str__(self) -> str:
        verdict = "fits" if self.consistent else "does not fit"
        low, high = float(self.low), float(self.high)
        return f"{self.what}: {self.printed} {verdict} the rows, which give {low:.6g} to {high:.6g}"


def check_mean(
    what: str, rows: Sequence[Claim], average: Claim, weights: Sequence[int | Fraction] | None = None
) -> AverageCheck:
    """Whether the average row can be the (weighted) mean of the rows.

    >>> from scoreproof.reported import report
    >>> folds = [report("acc", text, rounding="nearest") for text in ("0.90", "0.92", "0.95")]
    >>> print(check_mean("acc", folds, report("acc", "0.94", rounding="nearest")))
    acc: 0.94 does not fit the rows, which give 0.918333 to 0.928333
    >>> bool(check_mean("acc", folds, report("acc", "0.923", rounding="nearest")))
    True
    """
    shares = [Fraction(1)] * len(rows) if weights is None else [Fraction(weight) for weight in weights]
    if not rows or len(shares) != len(rows) or sum(shares) <= 0 or min(shares) < 0:
        raise InvalidOption(f"{what}: a mean needs rows and one weight for each, got {len(rows)} and {len(shares)}")
    total = sum(shares)
    low = sum((share * row.low for share, row in zip(shares, rows, strict=True)), Fraction(0)) / total
    high = sum((share * row.high for share, row in zip(shares, rows, strict=True)), Fraction(0)) / total
    return AverageCheck(what, average.text, low, high, average.low <= high and low <= average.high)


def check_spread(
    what: str, rows: Sequence[Claim], spread: str, printed: Interval, *, rounding: str | Rounding = Rounding.ANY
) -> tuple[AverageCheck, AverageCheck]:
    """Whether a printed standard deviation fits the rows, with n - 1 and with n in the denominator."""
    boxes = [(row.low, row.high) for row in rows]
    least, most = squares_range(boxes)
    results = []
    for name, divisor in (("sample", len(rows) - 1), ("population", len(rows))):
        low, high = least / max(divisor, 1), most / max(divisor, 1)
        # Deviations are not negative, so comparing squares compares them.
        fits = printed[1] >= 0 and max(printed[0], Fraction(0)) ** 2 <= high and low <= printed[1] ** 2
        ends = Fraction(float(low) ** 0.5), Fraction(float(high) ** 0.5)
        results.append(AverageCheck(f"{what}, {name} standard deviation", spread, *ends, fits))
    return results[0], results[1]


def spread_interval(units: int, scale: int, rounding: str | Rounding = Rounding.ANY) -> Interval:
    """The true deviations a printed one allows, never below 0."""
    low, high = interval(units, scale, Rounding.of(rounding))
    return max(low, Fraction(0)), high


def squares_range(boxes: Sequence[Interval]) -> Interval:
    """The least and the greatest sum of squared distances from the mean, over all values in the boxes.

    >>> squares_range([(Fraction(0), Fraction(1)), (Fraction(3), Fraction(4))])
    (Fraction(2, 1), Fraction(8, 1))
    """
    if not boxes:
        return Fraction(0), Fraction(0)
    return _least(boxes), _most(boxes)


def _least(boxes: Sequence[Interval]) -> Fraction:
    """Minimum over a centre c of the squared distances of c to the boxes: a convex piecewise quadratic."""
    corners = sorted({end for box in boxes for end in box})

    def value(centre: Fraction) -> Fraction:
        return sum((max(low - centre, centre - high, Fraction(0)) ** 2 for low, high in boxes), Fraction(0))

    best = min(value(corner) for corner in corners)
    for left, right in itertools.pairwise(corners):
        # Between two corners the same boxes lie to the left and to the right of the centre.
        ends = [high for _, high in boxes if high <= left] + [low for low, _ in boxes if low >= right]
        if ends:
            centre = sum(ends, Fraction(0)) / len(ends)
            if left <= centre <= right:
                best = min(best, value(centre))
    return best


def _most(boxes: Sequence[Interval]) -> Fraction:
    """Maximum at a corner; boxes of unequal width are widened to the widest, which can only raise the bound."""
    widest = max(high - low for low, high in boxes)
    even = sorted(((low + high - widest) / 2, (low + high + widest) / 2) for low, high in boxes)
    best = Fraction(0)
    for down in range(len(even) + 1):
        values = [low for low, _ in even[:down]] + [high for _, high in even[down:]]
        mean = sum(values, Fraction(0)) / len(values)
        best = max(best, sum(((value - mean) ** 2 for value in values), Fraction(0)))
    return best
