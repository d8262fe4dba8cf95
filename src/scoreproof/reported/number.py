"""The text of a number, read without losing a digit.

"0.90" and "0.9" are different reports: the digits say how the value was rounded. So the text is the datum, and
what cannot be read with certainty (a bare float, a decimal comma, a bracket that may be a deviation or an
interval) is refused with an explanation instead of being guessed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from numbers import Rational, Real

from scoreproof.errors import InvalidValue
from scoreproof.validation import exact, shown

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
    plain = _plain(text)
    if plain is not None:
        return plain
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


@lru_cache(maxsize=16384)
def _plain(text: str) -> Cell | None:
    """A number of digits with at most a point and a percent sign; the grammar says the same, more slowly."""
    match = _DECIMAL.fullmatch(text)
    if match is None:
        return None
    decimals = match[2] or ""
    return Cell(text, Printed(int(match[1] + decimals), 10 ** (len(decimals) + (2 if match[3] else 0))))


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
