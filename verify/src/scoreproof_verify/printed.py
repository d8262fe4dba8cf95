"""Printed values of one quantity in a statement: a text, its rounding rule or eps, perhaps a name."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof_verify.texts import LONGEST_TEXT, Rejected, decimal, interval, known_keys, require, spread_of, worth


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed value: the number, the worth of its last digit, and the interval it stands for."""

    name: str
    text: str
    value: Fraction
    unit: Fraction
    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        return f"{self.text} (from {decimal(self.low)} to {decimal(self.high)})"


@dataclass(frozen=True, slots=True)
class Spanned:
    """A printed score by its name, and the interval it stands for."""

    name: str
    text: str
    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        return f"{self.name} {self.text} (from {decimal(self.low)} to {decimal(self.high)})"


def read_printed(document: Any, what: str, *, mean: bool = False, most: int | None = None) -> Printed:
    """One printed value; ``Rejected`` if it is anything else."""
    entry = known_keys(what, document, "name", "text", "rounding", "eps")
    text, rounding, eps = entry.get("text"), entry.get("rounding"), entry.get("eps")
    low, high = interval(text, rounding, eps, mean=mean, most=most)
    spread_of(str(text), rounding, eps)  # what follows a ± is a number, though nobody uses it
    name = short_text(entry["name"], f"the name of {what}") if "name" in entry else ""
    return Printed(name, str(text), *worth(str(text)), low, high)


def read_all(documents: Any, what: str, fewest: int, many: int, **options: Any) -> list[Printed]:
    """A list of printed values, of bounded length."""
    if not isinstance(documents, list) or not fewest <= len(documents) <= many:
        raise Rejected(f"the statement does not have {fewest} to {many} entries where {what} is expected")
    return [read_printed(document, what, **options) for document in documents]


def short_text(value: Any, what: str) -> str:
    """A text of bounded length that is not empty."""
    require(isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT, f"{what} is not a short text")
    return str(value)
