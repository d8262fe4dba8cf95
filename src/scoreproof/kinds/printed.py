"""Printed values that are compared with each other: texts about one quantity, known or not.

A column may hold a score of a confusion matrix or something nobody here knows (a loss, a price): both are compared in
the same way, so an unknown name is a quantity of its own, without a range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.binary.scores import score
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, Value, report
from scoreproof.reported.claim import claim_from_dict, refuse_spread

_LONGEST_NAME = 200  # what a statement may carry


@dataclass(frozen=True, slots=True)
class Values:
    """Exact values that print as reported."""

    values: tuple[Fraction, ...]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Values:
        return cls(tuple(map(Fraction, document["values"])))

    def to_dict(self) -> dict[str, Any]:
        return {"values": [str(value) for value in self.values]}

    def __str__(self) -> str:
        return ", ".join(f"{float(value):.6g}" for value in self.values)


def measured(name: str | Quantity) -> Quantity:
    """The quantity of a name: a known score, or one of which nothing is known but the name.

    >>> measured("recall").name, measured("Dice loss").range
    ('sens', (None, None))
    """
    if isinstance(name, Quantity):
        return name
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        raise InvalidOption(f"quantity: expected a name of 1 to {_LONGEST_NAME} characters, got {name!r}")
    try:
        return score(name)
    except ScoreproofError:
        return unknown(name)


def unknown(name: str, *, least: Fraction | None = None, most: Fraction | None = None) -> Quantity:
    """A quantity without formula; ``least`` and ``most`` bound its values, if anything does."""
    return Quantity(name, name, range=(least, most), kind="printed")


def printed(quantity: Quantity, value: Value | Claim, name: str, **options: Any) -> Claim:
    """A printed value under a name of its own; the options are those of ``report``."""
    claim = value if isinstance(value, Claim) else report(quantity, value, **options)
    return replace(claim, quantity=quantity, name=short_name(name))


def short_name(name: str) -> str:
    """A name as a statement may carry it: neither empty nor of any length."""
    name = name.strip() or "(no name)"
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."


def entry(claim: Claim) -> dict[str, Any]:
    """A claim as a statement about one quantity has it: all but the quantity."""
    return {key: value for key, value in claim.to_dict().items() if key != "score"}


def from_entry(quantity: Quantity, document: Mapping[str, Any], *, mean: bool = False) -> Claim:
    """The claim of an entry: ``from_entry(claim.quantity, entry(claim)) == claim``; only a mean may have a ±."""
    claim = claim_from_dict({**document, "score": quantity})
    if not mean:
        refuse_spread([claim])
    return claim


def listed(texts: Sequence[str], most: int = 8) -> str:
    """Texts in a row, the middle of a long row left out."""
    shown = list(texts) if len(texts) <= most else [*texts[: most - 2], f"... ({len(texts)} in all)", texts[-1]]
    return ", ".join(shown)
