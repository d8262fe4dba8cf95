"""Guaranteed ranges, and how they are written so that rounding never makes them narrower than they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Range:
    """Between ``low`` and ``high`` lies the true value of every admissible matrix; ``high`` None is infinity.

    ``exact`` says that both ends belong to admissible matrices (or are limits of such); otherwise they are outer
    bounds, and values from ``seen_low`` to ``seen_high`` are known to occur.

    >>> str(Range(Fraction(1, 3), Fraction(2, 3)))
    '0.3333 to 0.6667'
    """

    low: Fraction
    high: Fraction | None
    exact: bool = True
    seen_low: Fraction | None = None
    seen_high: Fraction | None = None

    @property
    def width(self) -> Fraction | None:
        return None if self.high is None else self.high - self.low

    def holds(self, value: Fraction | int) -> bool:
        """Whether a value lies in the range."""
        return self.low <= value and (self.high is None or value <= self.high)

    def text(self, digits: int = 4) -> str:
        """Both ends as decimals, rounded outwards; one number if both are that number."""
        low, high = below(self.low, digits), above(self.high, digits)
        return low if low == high else f"{low} to {high}"

    def __str__(self) -> str:
        return self.text()

    def to_dict(self) -> dict[str, Any]:
        """Floats, rounded outwards; ``high`` None is infinity."""
        return {
            "low": float_below(self.low),
            "high": None if self.high is None else float_above(self.high),
            "exact": self.exact,
        }


def below(value: Fraction, digits: int = 4) -> str:
    """A decimal not above the value; a whole number is written without decimals.

    >>> below(Fraction(2, 3)), below(Fraction(-2, 3)), below(Fraction(12))
    ('0.6666', '-0.6667', '12')
    """
    return _decimal(math.floor(value * 10**digits), digits, exact=value)


def above(value: Fraction | None, digits: int = 4) -> str:
    """A decimal not below the value; None is infinity."""
    return "infinity" if value is None else _decimal(math.ceil(value * 10**digits), digits, exact=value)


def _decimal(units: int, digits: int, *, exact: Fraction) -> str:
    if exact.denominator == 1:
        return str(exact.numerator)
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def float_below(value: Fraction) -> float:
    """The largest float not above the value (or one step below it)."""
    near = _float(value)
    return near if math.isinf(near) is False and Fraction(near) <= value else math.nextafter(near, -math.inf)


def float_above(value: Fraction) -> float:
    """A float not below the value."""
    near = _float(value)
    return near if math.isinf(near) is False and Fraction(near) >= value else math.nextafter(near, math.inf)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.copysign(1.7e308, value.numerator)
