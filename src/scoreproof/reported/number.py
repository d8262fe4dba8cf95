"""The text of a number, read without losing a digit, and the interval of true values that its rounding allows.

"0.90" and "0.9" are different reports: the digits say how the value was rounded. So the text is the datum, and
what cannot be read with certainty (a bare float, a decimal comma, a bracket that may be a deviation or an
interval) is refused with an explanation instead of being guessed.

The intervals are closed and rational. ``any`` is the conservative default of Fazekas and Kovács (2024, section 2):
the number may have been rounded, floored or ceiled, so the true value lies within one unit of the last digit. Under
``nearest`` both neighbours of a tie are admitted, since programs break ties on the binary value, each in its own way.
Digits beyond what a machine number carries say nothing, whatever the rule: see ``machine_reach``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from numbers import Rational, Real

from scoreproof.errors import InvalidValue
from scoreproof.validation import chosen, exact, shown

_MINUS = str.maketrans(dict.fromkeys("−–—‐‑﹣－", "-"))
_DIGITS = r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,3})?"  # those that certificates have
_CELL = re.compile(
    rf"(?P<value>{_DIGITS})\s*(?P<percent>%)?"
    rf"(?:\s*(?:±|\+/-|\+-|\\pm)\s*(?P<spread>{_DIGITS})\s*(?P<percent2>%)?"
    rf"|\s*\(\s*(?P<bracket>{_DIGITS})\s*(?P<percent3>%)?\s*\)\s*(?P<percent4>%)?)?"
)
_MOST_CHARACTERS = 120
_DECIMAL = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,40}))?(%)?")


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed decimal: ``units / scale``, its last digit worth ``1 / scale``."""

    units: int
    scale: int

    @property
    def value(self) -> Fraction:
        return Fraction(self.units, self.scale)

    @property
    def digits(self) -> int:
        """Decimals of the value as a fraction of one (a percentage has two more than it shows)."""
        return len(str(self.scale)) - 1


def decimal_text(units: int, digits: int) -> str:
    """A number of units of the last digit in print.

    >>> decimal_text(-5, 2), decimal_text(1234, 3), decimal_text(7, 0)
    ('-0.05', '1.234', '7')
    """
    whole, rest = divmod(abs(units), 10 ** max(digits, 0))
    return f"{'-' if units < 0 else ''}{whole}" + (f".{rest:0{digits}d}" if digits > 0 else "")


@dataclass(frozen=True, slots=True)
class Cell:
    """What one piece of text says: a number, perhaps with a spread or a bracket after it."""

    text: str
    number: Printed
    spread: Printed | None = None
    bracket: Printed | None = None


def read_text(name: str, text: str, *, decimal_comma: bool = False) -> Cell:
    """Read "0.90", "90.0%", ".957", "−0.12", "0.84 ± 0.03" or "0.84 (0.03)".

    >>> read_text("acc", "90.0%").number
    Printed(units=900, scale=1000)
    >>> read_text("acc", "0.84 ± 0.03").spread
    Printed(units=3, scale=100)
    """
    shown = text if len(text) <= 40 else text[:37] + "..."
    if len(text) > _MOST_CHARACTERS:
        raise InvalidValue(f"{name}: expected a number, got {len(text)} characters of text ({shown!r})")
    cleaned = text.translate(_MINUS).strip()
    match = _CELL.fullmatch(cleaned)
    if match is None:
        raise InvalidValue(f"{name}: expected a number such as '0.90', '90.0%' or '0.84 ± 0.03', got {shown!r}")
    if "," in cleaned and not decimal_comma:
        raise InvalidValue(
            f"{name}: {shown!r} has a comma; if it is a decimal comma say so (decimal_comma=True, --decimal-comma)"
        )
    if match["spread"] and match["spread"].startswith("-"):
        raise InvalidValue(f"{name}: expected a spread of at least 0 after the ±, got {shown!r}")
    percent = any(match[group] for group in ("percent", "percent2", "percent3", "percent4"))
    return Cell(
        text,
        _printed(name, match["value"], percent),
        _printed(name, match["spread"], percent) if match["spread"] else None,
        _printed(name, match["bracket"], percent) if match["bracket"] else None,
    )


def _printed(name: str, digits: str, percent: bool) -> Printed:
    whole, _, exponent = digits.replace(",", ".").replace("E", "e").partition("e")
    whole, _, decimals = whole.partition(".")
    places = len(decimals) - (int(exponent) if exponent else 0) + (2 if percent else 0)
    units = int((whole + decimals) or "0")
    if places < 0:
        raise InvalidValue(f"{name}: the last digit of {digits!r} stands above the decimal point; write the number out")
    return Printed(units, 10**places)


def read_number(name: str, value: object, *, digits: int | None, with_eps: bool) -> Cell:
    """Read a Decimal, or a float or integer whose digits (or eps) are said."""
    if isinstance(value, bool) or not isinstance(value, (Real, Decimal)):
        raise InvalidValue(f"{name}: expected the text of a number, got {shown(value)} ({type(value).__name__})")
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise InvalidValue(f"{name}: expected a finite number, got {value}")
        exact(name, value, error=InvalidValue)
        return read_text(name, str(value))
    number = exact(name, value, wanted="a finite number", error=InvalidValue)
    if digits is None and not with_eps:
        raise InvalidValue(
            f"{name}: {value!r} does not say how it was rounded: 0.9 and 0.90 are different reports. "
            f"Give the text as printed ('{value}'), or digits=, or eps="
        )
    if digits is None:
        text = str(number) if isinstance(value, Rational) else repr(float(value))
        return read_text(name, text) if _DECIMAL.fullmatch(text) else Cell(text, Printed(*number.as_integer_ratio()))
    units = round(number * 10**digits)
    if abs(number * 10**digits - units) > Fraction(1, 10**6):
        raise InvalidValue(f"{name}: {value!r} has more than the {digits} digits it is said to have")
    return Cell(decimal_text(units, digits), Printed(units, 10**digits))


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
