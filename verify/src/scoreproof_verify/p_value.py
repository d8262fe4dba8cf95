"""A printed p-value in a statement: a number and whether it is the value or a bound."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof_verify.printed import read_printed
from scoreproof_verify.texts import known_keys, quoted, require


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a printed p-value can stand for, ends included."""

    text: str
    low: Fraction
    high: Fraction

    def __str__(self) -> str:
        return self.text


def read_p_value(document: Any) -> Bounds:
    """A printed p-value; ``Rejected`` if it is anything else."""
    entry = known_keys("the p-value", document, "relation", "text", "rounding", "eps")
    relation = entry.get("relation")
    require(relation in ("=", "<", ">"), f"unknown relation {quoted(relation)}")
    printed = read_printed({key: value for key, value in entry.items() if key != "relation"}, "the p-value")
    require(0 <= printed.value <= 1, "the p-value is out of range")
    text = f"p {relation} {printed.text}"
    if relation == "<":
        return Bounds(text, Fraction(0), printed.value)
    if relation == ">":
        return Bounds(text, printed.value, Fraction(1))
    return Bounds(text, max(printed.low, Fraction(0)), min(printed.high, Fraction(1)))
