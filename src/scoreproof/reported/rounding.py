"""How a printed number was rounded, and the interval of true values that allows.

The intervals are closed and rational. ``any`` is the conservative default of Fazekas and Kovács (2024, section 2):
the number may have been rounded, floored or ceiled, so the true value lies within one unit of the last digit.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from scoreproof.errors import InvalidOption


class Rounding(StrEnum):
    """The rule by which a value was cut to its printed digits."""

    ANY = "any"
    NEAREST = "nearest"
    FLOOR = "floor"
    CEIL = "ceil"

    @classmethod
    def of(cls, name: str | Rounding) -> Rounding:
        """The rule of this name; an error that lists the rules otherwise."""
        try:
            return _BY_NAME[name]
        except (KeyError, TypeError):
            raise InvalidOption(f"rounding: expected one of {', '.join(cls)}; got {name!r}") from None


_BY_NAME: dict[str, Rounding] = {rule.value: rule for rule in Rounding}

# How far the true value may lie below and above the printed one, in halves of a unit of the last digit.
REACH = {Rounding.ANY: (2, 2), Rounding.NEAREST: (1, 1), Rounding.FLOOR: (0, 2), Rounding.CEIL: (2, 0)}


@lru_cache(maxsize=16384)
def interval(units: int, scale: int, rounding: Rounding) -> tuple[Fraction, Fraction]:
    """The true values that print as ``units / scale`` with the last digit worth ``1 / scale``.

    >>> interval(90, 100, Rounding.NEAREST)
    (Fraction(179, 200), Fraction(181, 200))
    """
    below, above = REACH[rounding]
    return Fraction(2 * units - below, 2 * scale), Fraction(2 * units + above, 2 * scale)
