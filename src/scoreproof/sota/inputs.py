"""Counts and proportions as the questions of this package accept them."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.validation import exact, fraction, real, whole

MOST_CLASSIFIERS = 10**15
MOST_CASES = 10**9


def count(name: str, value: Any, *, most: int, least: int = 1) -> int:
    """A whole number between ``least`` and ``most``."""
    return whole(name, value, at_least=least, at_most=most)


def number(name: str, value: Any) -> float:
    """A finite number among the data."""
    return real(name, value, error=InvalidValue)


def probability(name: str, value: Any) -> float:
    """A proportion in [0, 1].

    >>> probability("accuracy", 0.9)
    0.9
    >>> probability("best", 90)
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidValue: best: expected a number in [0, 1], got 90; for a percentage write 0.9
    """
    share = fraction(name, value, closed=True, error=InvalidValue)
    return share if share > 1e-300 else 0.0  # products of denormal numbers lose their meaning


def correct_count(name: str, observed: float, n: int) -> int:
    """How many of n cases a proportion means: the nearest count. ``whole_cases`` says whether it fits.

    >>> correct_count("observed best", 0.9213, 3000)
    2764
    """
    return min(n, max(0, round(probability(name, observed) * n)))


def whole_cases(name: str, text: str, n: int) -> float:
    """A printed proportion that whole cases can give; an error where none does, since another would be analysed.

    >>> whole_cases("--observed-best", "0.9213", 3000)
    0.9213
    >>> whole_cases("--observed-best", "0.9447", 300)
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidValue: --observed-best 0.9447 of 300 cases: 283 give 0.9433, 284 give 0.9467; check both
    """
    exact(name, text.strip(), error=InvalidValue)
    printed = Decimal(text.strip())
    value = probability(name, float(printed))
    digits = max(0, -int(printed.as_tuple().exponent))
    if fits_cases(value, n, digits):
        return value
    low = min(n - 1, math.floor(value * n))
    near = ", ".join(f"{k} give {k / n:.{digits}f}" for k in (low, low + 1))
    raise InvalidValue(f"{name} {text} of {n} cases: {near}; check both")


def decimals(value: float) -> int:
    """The decimals a number is written with; a percentage divided by 100 has its own two more."""
    return max(0, -int(Decimal(repr(value)).as_tuple().exponent))


def fits_cases(value: float, n: int, digits: int) -> bool:
    """Whether a proportion of so many decimals can be that of whole cases, rounded or cut off."""
    return abs(round(value * n) / n - value) < max(10.0**-digits, 1e-12)
