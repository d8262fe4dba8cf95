"""Documented types that several claims take, and the call of a claim by its name with settings from texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from scoreproof.errors import InvalidOption
from scoreproof.validation import Doc, Setting, settings_of

if TYPE_CHECKING:
    from scoreproof.claims.recheck import Recheck

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
