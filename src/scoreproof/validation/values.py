"""What an option may be, refused in one form of words: "budget: expected a positive number of seconds, got '3'".

A truth value is no number, nor is a text or NaN; numpy's numbers are numbers; 3.0 is a whole number and 3.5 is none.
"""

from __future__ import annotations

import math
import operator
import os
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, TypeVar

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.limits import require_digits, require_within

Choice = TypeVar("Choice", bound=str)
MOST_TEXT = 5_000  # characters of a number or a name
_LONGEST_EXPONENT = 10  # characters
_PROCESSES, _PROCESSES_A_CORE = 32, 4
MOST = 10**15  # of cases, draws or the like; above it floats no longer count
_SHOWN = 60  # characters of a value in a message
_EXACT = re.compile(r"\s*+[-+]?(?:([0-9]*+)(?:\.([0-9]*+))?(?:[eE]([-+]?[0-9]++))?|([0-9]++)\s*+/\s*+([0-9]++))\s*+")


def whole(
    what: str,
    value: Any,
    *,
    at_least: int = 0,
    at_most: int | None = MOST,
    error: type[ScoreproofError] = InvalidOption,
) -> int:
    """A whole number within limits.

    >>> whole("trials", 100.0), whole("n", 3, at_most=9)
    (100, 3)
    >>> whole("n", True)
    Traceback (most recent call last):
        ...
    scoreproof.errors.InvalidOption: n: expected a whole number of at least 0, got True
    """
    count = _whole(value)
    if count is not None:
        require_digits(count, what)
    if count is None or count < at_least:
        raise error(f"{what}: expected a whole number of at least {at_least}, got {shown(value)}")
    if at_most is not None and count > at_most:
        raise error(f"{what}: expected a whole number of at most {at_most:,}, got {shown(value)}")
    return count


def _whole(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        pass
    number = _finite(value)
    return int(number) if number is not None and number.is_integer() and abs(number) <= 2**53 else None


def real(
    what: str,
    value: Any,
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
    unit: str = "",
    error: type[ScoreproofError] = InvalidOption,
) -> float:
    """A finite number within limits; an array without dimensions counts as one.

    >>> real("rope", "wide", at_least=0)
    Traceback (most recent call last):
        ...
    scoreproof.errors.InvalidOption: rope: expected a number of at least 0, got 'wide'
    """
    number = _finite(value)
    if (
        number is None
        or (at_least is not None and number < at_least)
        or (above is not None and number <= above)
        or (at_most is not None and number > at_most)
        or (below is not None and number >= below)
    ):
        wanted = _words(at_least, above, at_most, below)
        raise error(f"{what}: expected {wanted}{unit}, got {shown(value)}{_percentage(number, at_most or below)}")
    return number


def as_float(value: Any) -> float | None:
    """The float nearest to a number; None of anything else, of truth values, and of what is too large."""
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except (OverflowError, ValueError):
        return None


def _finite(value: Any) -> float | None:
    number = as_float(value)
    return number if number is not None and math.isfinite(number) else None


def _words(at_least: float | None, above: float | None, at_most: float | None, below: float | None) -> str:
    low, high = (above if at_least is None else at_least), (below if at_most is None else at_most)
    if low is not None and high is not None:
        return f"a number in {'(' if at_least is None else '['}{low:g}, {high:g}{')' if at_most is None else ']'}"
    if low is None and high is None:
        return "a finite number"
    if high is None:
        return (
            "a positive number" if above == 0 else f"a number {'above' if at_least is None else 'of at least'} {low:g}"
        )
    return f"a number {'below' if at_most is None else 'of at most'} {high:g}"


def _percentage(number: float | None, most: float | None) -> str:
    """The commonest slip where a share is wanted."""
    slip = most == 1 and number is not None and 2 <= number <= 100
    return f"; for a percentage write {number / 100:g}" if slip and number else ""


def exact(what: str, value: Any, *, wanted: str = "a number", error: type[ScoreproofError] = InvalidOption) -> Fraction:
    """A number without loss: a whole number, a fraction, a decimal, a float as it prints, or the text of one.

    Its digits and its exponent are counted before it is built: 1e999999999 would fill the memory.

    >>> exact("eps", "1e-3"), exact("eps", 0.1), exact("beta", "1/2")
    (Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2))
    """
    if isinstance(value, Rational) and not isinstance(value, bool):
        for part in (int(value.numerator), int(value.denominator)):
            require_digits(part, what)
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, (str, Decimal)):
        text = str(value)
    else:
        number = _finite(value)
        text = "" if number is None else repr(number)
    match = _EXACT.fullmatch(text) if len(text) < MOST_TEXT else None
    if match is None or not any(match.group(1, 2, 4)):
        raise error(f"{what}: expected {wanted}, got {shown(value)}")
    require_within("digits", max(len(match[k] or "") for k in range(1, 6)), what)
    if match[3]:
        far = len(match[3]) > _LONGEST_EXPONENT
        require_within("digits", 10**_LONGEST_EXPONENT if far else abs(int(match[3])), f"{what} (its exponent)")
    try:
        return Fraction(text.replace(" ", ""))
    except ZeroDivisionError:
        raise error(f"{what}: expected {wanted}, got {shown(value)}") from None


def fraction(what: str, value: Any, *, closed: bool = False, error: type[ScoreproofError] = InvalidOption) -> float:
    """A number between 0 and 1; the ends count only when ``closed``.

    >>> fraction("alpha", 5)
    Traceback (most recent call last):
        ...
    scoreproof.errors.InvalidOption: alpha: expected a number in (0, 1), got 5; for a percentage write 0.05
    """
    if closed:
        return real(what, value, at_least=0, at_most=1, error=error)
    return real(what, value, above=0, below=1, error=error)


def seconds(value: Any, what: str = "budget") -> float:
    """A budget of time."""
    return real(what, value, above=0, unit=" of seconds")


def random_seed(value: Any) -> int:
    """Where random numbers begin."""
    return whole("seed", value, at_most=None)


def process_count(what: str, value: Any) -> int:
    """A number of processes; -1 stands for all cores. Many more than there are cores would only fill the memory."""
    cores = os.cpu_count() or 1
    most = max(_PROCESSES, _PROCESSES_A_CORE * cores)
    if _whole(value) == -1:
        return cores
    if _whole(value) is None or not 1 <= value <= most:
        raise InvalidOption(
            f"{what}: expected a number of processes, at most {most} on this machine, or -1 for all cores; got "
            f"{shown(value)}"
        )
    return int(value)


def truth(what: str, value: Any, *, error: type[ScoreproofError] = InvalidOption) -> bool:
    """True or False, nothing that merely counts as one."""
    if not isinstance(value, bool):
        raise error(f"{what}: expected True or False, got {shown(value)}")
    return value


def chosen(what: str, value: Any, allowed: Iterable[Choice], *, error: type[ScoreproofError] = InvalidOption) -> Choice:
    """One of a few words; of an enumeration its member.

    >>> chosen("method", "exact", ("exact", "random"))
    'exact'
    >>> chosen("method", 3, ("exact", "random"))
    Traceback (most recent call last):
        ...
    scoreproof.errors.InvalidOption: method: expected one of exact, random; got 3
    """
    known = tuple(allowed)
    if isinstance(value, str) and value in known:
        return known[known.index(value)]
    raise error(f"{what}: expected one of {', '.join(known)}; got {shown(value)}")


def shown(value: Any) -> str:
    """A value in a message: as Python writes it, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of thousands of digits
        return "a number too long to show"
    except RecursionError:
        return "something nested too deep to show"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
