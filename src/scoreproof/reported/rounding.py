"""How a printed number was rounded, and the interval of true values that allows.

The intervals are closed and rational. ``any`` is the conservative default of Fazekas and Kovács (2024, section 2):
the number may have been rounded, floored or ceiled, so the true value lies within one unit of the last digit. Under
``nearest`` both neighbours of a tie are admitted, since programs break ties on the binary value, each in its own way.

Digits beyond what a machine number carries say nothing, whatever the rule: see ``machine_reach``.
"""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from scoreproof.validation import chosen


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
            return chosen("rounding", name, cls)


_BY_NAME: dict[str, Rounding] = {rule.value: rule for rule in Rounding}

# How far the true value may lie below and above the printed one, in halves of a unit of the last digit.
REACH = {Rounding.ANY: (2, 2), Rounding.NEAREST: (1, 1), Rounding.FLOOR: (0, 2), Rounding.CEIL: (2, 0)}

# Significant digits from which a text may be the print of a machine number, and how many of them are believed:
# arithmetic loses the last ones, and not only the very last (differences and means lose more).
FEWEST_DIGITS = 6
_DOUBLE_DIGITS, _DOUBLE_BELIEVED = 15, 13
_SINGLE_DIGITS, _SINGLE_EXACT, _SINGLE_BELIEVED = 7, 9, 6
_HALF_DIGITS, _HALF_BELIEVED = 6, 3
_FAR = 290  # powers of ten from which on no double has such a value


@lru_cache(maxsize=16384)
def interval(units: int, scale: int, rounding: Rounding) -> tuple[Fraction, Fraction]:
    """The true values that print as ``units / scale`` with the last digit worth ``1 / scale``.

    >>> interval(90, 100, Rounding.NEAREST)
    (Fraction(179, 200), Fraction(181, 200))
    """
    reach = machine_reach(units, scale)
    if reach is not None:
        if units % 10 == 0 and scale > 10:  # a zero more never says less; that of "12345680.0" is Python's
            low, high = interval(units // 10, scale // 10, rounding)
            reach = min(reach, (high - low) / 2)
        return Fraction(units, scale) - reach, Fraction(units, scale) + reach
    below, above = REACH[rounding]
    return Fraction(2 * units - below, 2 * scale), Fraction(2 * units + above, 2 * scale)


def machine_reach(units: int, scale: int) -> Fraction | None:
    """How far the print of a machine number may lie from the true value; None for an ordinary decimal.

    Fifteen or more significant digits are the print of a double and are believed to 13. One whose double is exactly a
    float32 (nine or more digits) is believed to 6, and so is a share of one that a float32 prints (seven or more: its
    shortest form, or a fixed number of decimals). One that is exactly a float16, or a share of one that a float16
    prints, is believed to 3, if it has six or more digits without the zeros at its end, since 0.500000 was typed so.
    Values of size below one are believed to so many decimals, since differences leave noise of that size: the deviation
    of five equal folds is 1.1102230246251565e-16.

    >>> machine_reach(38923869490555235, 10**17)
    Fraction(1, 10000000000000)
    >>> machine_reach(93333334, 10**8)  # 14/15 in single precision
    Fraction(1, 1000000)
    >>> machine_reach(89990234, 10**8)  # 9/10 in half precision
    Fraction(1, 1000)
    >>> machine_reach(9333, 10**4) is None
    True
    """
    digits = len(str(abs(units)))
    leading = digits - len(str(scale))  # the power of ten of the first digit
    if digits < FEWEST_DIGITS or abs(leading) > _FAR:
        return None
    share = Fraction(units, scale)
    printed = ((share, 1), (100 * share, 100))  # as a fraction of one, as a percentage

    def machine(bits: int, smallest: int, exact_from: int) -> bool:
        whole = (_fits(float(value), bits, smallest) for value, _ in printed if digits >= exact_from)
        return any(whole) or any(abs(v) <= most and _prints(v, digits, bits, smallest) for v, most in printed)

    if len(str(abs(units)).rstrip("0")) >= _HALF_DIGITS and machine(11, 24, _HALF_DIGITS):
        believed = _HALF_BELIEVED
    elif digits >= _SINGLE_DIGITS and machine(24, 149, _SINGLE_EXACT):
        believed = _SINGLE_BELIEVED
    elif digits >= _DOUBLE_DIGITS:
        believed = _DOUBLE_BELIEVED
    else:
        return None
    return Fraction(10) ** max(leading - believed + 1, -believed)


def _fits(value: float, bits: int, smallest: int) -> bool:
    """Whether a double is a number of so many bits that is a multiple of ``2**-smallest``."""
    num, den = value.as_integer_ratio()
    odd = abs(num) // (num & -num) if num else 0
    return odd.bit_length() <= bits and den <= 1 << smallest


def _prints(value: Fraction, digits: int, bits: int, smallest: int) -> bool:
    """Whether the nearest number of so many bits prints as this decimal of so many digits."""
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    spacing = Fraction(2) ** max(exponent - bits + 1, -smallest)
    nearest = round(value / spacing) * spacing
    unit = Fraction(10) ** (_power_of_ten(value) - digits + 1)
    return abs(nearest - value) <= unit / 2


def _power_of_ten(value: Fraction) -> int:
    """The exponent of the first significant digit."""
    power = len(str(abs(value.numerator))) - len(str(value.denominator))
    return power if abs(value) >= Fraction(10) ** power else power - 1
