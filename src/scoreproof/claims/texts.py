"""The texts of claims: "0.84 ± 0.03", a p-value, a number; those of intervals are read by ``reported.printed_text``.

What can be read in one way only is read; the rest is refused with what to write instead. Numbers keep their digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.value_spread import DEVIATION, MEAN
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, report
from scoreproof.reported.number import read_text
from scoreproof.reported.printed_text import NUMBER, decimal, plain
from scoreproof.validation import Doc, Setting, exact, settings_of, shown

if TYPE_CHECKING:
    from scoreproof.claims.recheck import Recheck

_LEAST_LEVEL = Fraction(1, 10**12)
_SPREAD = re.compile(
    rf"\$?\s*(?P<value>-?{NUMBER})\s*(?P<percent>%)?\s*(?:±|\+/-|\+-|\\pm)\s*(?P<spread>{NUMBER})\s*(?P<percent2>%)?\s*\$?"
)

First = Annotated[str, Doc("The first value as printed, with its ± if the test needs it.")]
Second = Annotated[str, Doc("The second value as printed.")]
PText = Annotated[str, Doc("The p-value as printed: 0.03, 'p<0.05'.")]
Folds = Annotated[int, Doc("Over how many folds, pairs or values it is.")]
Sizes = Annotated[int | Sequence[int], Doc("Cases or values behind each; two numbers with a comma if they differ.")]
Level = Annotated[Any, Doc("The level of the interval; 0.95, or what the text says.")]
Alpha = Annotated[float, Doc("The level of the tests.")]
Positives = Annotated[int | None, Doc("Positives.")]
Negatives = Annotated[int | None, Doc("Negatives.")]
Sides = Annotated[str, Doc("two, one, or any.")]
RoundingWord = Annotated[str, Doc("How printed numbers were cut to digits: any, nearest, floor or ceil.")]
DecimalComma = Annotated[bool, Doc("Read 0,912 as 0.912.")]
Strict = Annotated[bool, Doc("Admit no convention that was not stated, however common.")]


def level_of(given: Any, printed: str | None) -> str:
    """The level as a text: the printed one, the given one, 0.95; an error if the two differ."""
    if given is None:
        return printed or "0.95"
    level = exact("level", given, wanted="a number in (0, 1) such as 0.95")
    if not _LEAST_LEVEL <= level <= 1 - _LEAST_LEVEL:
        raise InvalidOption(f"level: expected a number in (0, 1) such as 0.95, got {shown(given)}")
    if printed is not None and level != Fraction(printed):
        raise InvalidOption(f"level: the text says {printed} and the option {given}; give one of them")
    return given if isinstance(given, str) and "/" not in given else decimal(str(level)) or ""


def read_spread(text: Any, what: str = "value") -> tuple[str, str]:
    """Read a value and what follows its ±; a percent sign holds for both.

    >>> read_spread("91.2 ± 0.4%"), read_spread("$0.84 \\\\pm 0.03$")
    (('91.2%', '0.4%'), ('0.84', '0.03'))
    """
    wanted = "a value with its spread such as '0.84 ± 0.03'"
    match = _SPREAD.fullmatch(plain(text, what, wanted))
    if match is None:
        raise InvalidValue(f"{what}: expected {wanted}, got {text[:60]!r}")
    percent = "%" if match["percent"] or match["percent2"] else ""
    return match["value"] + percent, match["spread"] + percent


def claim_of(quantity: Quantity, name: str, value: Any, *, rounding: Any = None, decimal_comma: bool = False) -> Claim:
    """A printed number as a claim under a name."""
    if isinstance(value, str):
        value = plain(value, name, "the text of a number")
        if read_text(name, value, decimal_comma=decimal_comma).spread is not None:
            raise InvalidValue(f"{name}: expected a number alone, got {shown(value)}, which has a ±")
    try:
        claim = report(quantity, value, rounding=rounding, decimal_comma=decimal_comma)
    except InvalidValue as error:
        raise InvalidValue(str(error).replace(f"{quantity.name}: ", f"{name}: ", 1)) from None
    return replace(claim, name=name)


def ends(claim: Claim) -> tuple[float, float]:
    """The interval of a claim as floats."""
    return float(claim.low), float(claim.high)


def mean_and_spread(text: Any, name: str, rounding: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The intervals of a mean and of what follows its ±."""
    mean, spread = read_spread(text, name)
    low, high = ends(claim_of(DEVIATION, f"± of {name}", spread, rounding=rounding))
    return ends(claim_of(MEAN, name, mean, rounding=rounding)), (max(0.0, low), high)


def apart(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The least and the greatest distance of two numbers that lie in intervals.

    >>> apart((1, 2), (4, 6)), apart((1, 3), (2, 4))
    ((2, 5), (0.0, 3))
    """
    low, high = one[0] - other[1], one[1] - other[0]
    return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def settings_of_claim(name: str) -> dict[str, Setting]:
    """What the function of a claim can be told."""
    from scoreproof import claims

    return settings_of(getattr(claims, name))


def recheck(name: str, settings: Mapping[str, Any]) -> Recheck:
    """Re-check a claim by the name of its function; what it cannot do without is asked for in words."""
    from scoreproof import claims

    missing = [key for key, setting in settings_of_claim(name).items() if setting.required and key not in settings]
    if missing:
        raise InvalidOption(f"{name}: expected {', '.join(missing)} as well")
    found: Recheck = getattr(claims, name)(**settings)
    return found
