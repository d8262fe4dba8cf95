"""Printed numbers, read again: by code of the verifier's own, within stated limits.

A printed value in a statement is a text with its rounding rule or eps, perhaps with a name; it stands for an interval.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any, NamedTuple

LONGEST_TEXT = 200
_LONGEST_NUMBER = 400
_MINUS = "−–—‐‑﹣－"
_NUMBER = re.compile(r"\s*([+-]?)([0-9]*)[.,]?([0-9]*)(?:[eE]([+-]?[0-9]{1,3}))?\s*(%?)\s*")
_PLAIN = re.compile(r"-?[0-9]{1,400}(?:/[0-9]{1,400}|(?:\.[0-9]{1,400})?(?:[eE][+-]?[0-9]{1,3})?)")
_SIGNS = re.compile(r"±|\+/-|\+-|\\pm")
_HALVES = {"any": (2, 2), "nearest": (1, 1), "floor": (0, 2), "ceil": (2, 0)}


class Rejected(Exception):
    """The certificate does not prove its statement; the message says why."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Rejected(message)


def quoted(value: Any) -> str:
    """A value of a certificate as sentences quote it: its first 40 characters, or what it is."""
    if isinstance(value, str):
        return f"'{value[:40]}'"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value)[:40]
    return "an object" if isinstance(value, Mapping) else "a list" if isinstance(value, list) else "a broken number"


def interval(text: Any, rounding: Any, eps: Any, *, mean: bool = False, most: int | None = 1) -> Interval:
    """The closed interval a reported text stands for.

    By an explicit eps; else, for the print of a machine number, as far as such a number is believed; else by the
    rounding rule. Only of a mean may a ± follow: of one evaluation it says that there were several. What is far above
    the most a quantity can be may be a percentage, which a check asks about.
    """
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise Rejected("a reported value is not a text")
    require(eps is None or isinstance(eps, (str, int)), "eps is not a number")
    require(rounding is None or isinstance(rounding, str), "the rounding is not a text")
    require(mean or _SIGNS.search(text) is None, f"the ± of {quoted(text)} is not tested")
    span = _interval(text, rounding, eps)
    if most == 1 < span.low and "%" not in text:
        require_share(worth(text)[0], quoted(text))
    return span


def require_share(value: Fraction, shown: str) -> None:
    """``Rejected`` for a share that looks like a percentage."""
    require(not 2 <= value <= 100, f"{shown} may be a percentage")


@lru_cache(maxsize=16384, typed=True)  # true is not 1
def _interval(text: str, rounding: str | None, eps: str | int | None) -> Interval:
    value, unit, units = _value(_before_sign(text), text)
    if eps is not None:
        require(rounding is None, "a score has both eps and rounding")
        margin = fraction(eps, "eps")
        require(margin >= 0, "eps is negative")
        return Interval(value - margin, value + margin)
    if rounding is None or rounding not in _HALVES:
        raise Rejected(f"unknown rounding {quoted(rounding)}")
    require(unit > 0, f"{quoted(text)} has no digits to be rounded at")
    below, above = (half * unit / 2 for half in _HALVES[rounding])
    half: Fraction | None = None  # half the width of the interval of the print with a zero less
    zeros = len(str(units)) - len(str(units).rstrip("0")) if units else 0
    while zeros and unit * 10**zeros >= 1:  # no zeros but those after the point, and not the only one
        zeros -= 1
    for left in range(zeros, -1, -1):
        low, high = value - below * 10**left, value + above * 10**left
        margin = _believed(value, units // 10**left)
        if margin > 0:
            margin = margin if half is None else min(margin, half)
            low, high = value - margin, value + margin
        half = (high - low) / 2
    return Interval(low, high)


def worth(text: str) -> tuple[Fraction, Fraction]:
    """The number of a text, without what follows a ±, and the worth of its last digit (0 for a quotient)."""
    value, unit, _ = _value(_before_sign(text), text)
    return value, unit


def _before_sign(text: str) -> str:
    number = _SIGNS.split(text)[0].rstrip()
    if text.rstrip().endswith("%") and not number.endswith("%"):
        number += "%"  # said once, after the ±, it holds for both
    return number


def spread_of(text: str, rounding: Any, eps: Any) -> Interval | None:
    """The interval of what follows a ±; None if there is none."""
    if "±" not in text and "+" not in text and "\\pm" not in text:
        return None
    parts = _SIGNS.split(text)
    if len(parts) == 1:
        return None
    require(len(parts) == 2, f"{quoted(text)} has more than one ±")
    after = parts[1] + ("%" if "%" in parts[0] and "%" not in parts[1] else "")
    low, high = interval(after, rounding, eps, most=None)
    require(high >= 0 and after.lstrip()[:1] not in ("-", *_MINUS), "a ± is negative")
    return Interval(max(low, Fraction(0)), high)


def fraction(text: Any, what: str) -> Fraction:
    """A number written out: a decimal or a quotient, of bounded length."""
    plain = str(text) if isinstance(text, (int, str)) and not isinstance(text, bool) else ""
    if len(plain) > 2 * _LONGEST_NUMBER or not _PLAIN.fullmatch(plain):
        raise Rejected(f"{what} is not a number: {quoted(text)}")
    try:
        return Fraction(plain)
    except ZeroDivisionError:
        raise Rejected(f"{what} is divided by 0") from None


def _value(number: str, text: str) -> tuple[Fraction, Fraction, int]:
    """The number, the worth of its last digit, and the number of them (0 for a quotient)."""
    if re.fullmatch(r"-?[0-9]{1,400}/[0-9]{1,400}", number.strip()):
        return fraction(number.strip(), "a value"), Fraction(0), 0
    for minus in _MINUS:
        number = number.replace(minus, "-")
    match = _NUMBER.fullmatch(number)
    if match is None or not (match[2] or match[3]):
        raise Rejected(f"{quoted(text)} is not a number")
    places = len(match[3]) - int(match[4] or 0) + (2 if match[5] else 0)
    require(places >= 0, f"the last digit of {quoted(text)} stands above the decimal point")
    unit = Fraction(1, 10**places)
    units = int(match[2] + match[3])
    value = units * unit
    return (-value if match[1] == "-" else value), unit, units


def _believed(value: Fraction, units: int) -> Fraction:
    """How far the print of a machine number may be off; 0 for what is none.

    Believed are 3 digits of what is exactly a half-precision number, and of a share of one that such a number prints
    (from 6 digits on, zeros at the end not counted); 6 of what is exactly a single-precision number (from 9 on), and of
    a share of one that such a number prints (from 7 on); 13 of a double (from 15 on); never more decimals than that.
    """
    digits = len(str(units))
    if digits < 6 or not Fraction(1, 10**290) <= abs(value) < 10**291:
        return Fraction(0)
    both = (value, 100 * value)  # it may have been printed as a percentage
    kept, share = 0, abs(value) <= 1
    if len(str(units).rstrip("0")) >= 6 and any(
        _binary(Fraction(float(x)), 11, 24) or (share and _prints(x, digits, 11, 24)) for x in both
    ):
        kept = 3
    elif digits >= 7 and any(
        (digits >= 9 and _binary(Fraction(float(x)), 24, 149)) or (share and _prints(x, digits, 24, 149)) for x in both
    ):
        kept = 6
    elif digits >= 15:
        kept = 13
    return max(Fraction(10) ** (_first(value) + 1 - kept), Fraction(1, 10**kept)) if kept else Fraction(0)


def _binary(value: Fraction, bits: int, places: int) -> bool:
    """Whether a number is m 2^e with m of at most so many bits, and has at most so many binary places."""
    m = abs(value.numerator)
    while m and m % 2 == 0:
        m //= 2
    return m < 1 << bits and value.denominator <= 1 << places


def _prints(value: Fraction, digits: int, bits: int, places: int) -> bool:
    """Whether the nearest number of so many bits and binary places prints as this decimal of so many digits."""
    step = Fraction(1)
    size = abs(value)
    while size >= step * (1 << bits):
        step *= 2
    while size < step * (1 << (bits - 1)) and step.denominator < 1 << places:
        step /= 2
    nearest = (2 * value + step) // (2 * step) * step
    return 2 * abs(nearest - value) <= Fraction(10) ** (_first(value) + 1 - digits)


def _first(value: Fraction) -> int:
    """The power of ten of the first digit."""
    size, power = abs(value), 0
    while size >= 10:
        size, power = size / 10, power + 1
    while size < 1:
        size, power = size * 10, power - 1
    return power


def decimal(value: Fraction) -> str:
    """A decimal for people: exact where it ends within 24 digits, else 12 significant digits."""
    for digits in range(25):
        if (value * 10**digits).denominator == 1:
            whole, rest = divmod(abs(int(value * 10**digits)), 10**digits)
            sign = "-" if value < 0 else ""
            return f"{sign}{whole}" + (f".{rest:0{digits}d}" if digits else "")
    with localcontext(prec=12, rounding=ROUND_HALF_UP):
        shown = (Decimal(value.numerator) / Decimal(value.denominator)).normalize()
    power = shown.adjusted()
    return f"{shown:f}" if -5 < power < 12 else f"{shown.scaleb(-power):f}e{power:+03d}"


class Interval(NamedTuple):
    """The numbers from one to another, and between what sums, products and squares of such numbers lie."""

    low: Fraction
    high: Fraction

    def plus(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def times(self, other: Interval | Fraction | int) -> Interval:
        if not isinstance(other, Interval):
            ends = [self.low * other, self.high * other]
            return Interval(*(ends if other >= 0 else ends[::-1]))
        ends = [x * y for x in self for y in other]
        return Interval(min(ends), max(ends))

    @property
    def rest(self) -> Interval:
        """What these numbers leave of 1."""
        return Interval(1 - self.high, 1 - self.low)

    @property
    def square(self) -> Interval:
        ends = self.low**2, self.high**2
        return Interval(Fraction(0) if self.low <= 0 <= self.high else min(ends), max(ends))

    @property
    def whole(self) -> tuple[int, int]:
        """The first and the last whole number; the first is larger if there is none."""
        return ceil(self.low), floor(self.high)

    def within(self, least: Fraction | int | None, most: Fraction | int | None) -> Interval:
        """What of it lies between two numbers, either of which may be open; the ends may be crossed."""
        low, high = self
        return Interval(
            low if least is None else max(low, Fraction(least)), high if most is None else min(high, Fraction(most))
        )

    def apart(self, other: Interval) -> bool:
        """Whether the two have no number in common."""
        return self.low > other.high or other.low > self.high
