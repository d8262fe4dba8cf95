"""A printed p-value: "p < 0.05", "0.091", "P = 3.2 × 10−5", as the closed interval of true values it stands for.

Behind an equals sign, or none, stands a rounded number like any other. "p < 0.05" is a bound and not rounded: it stands
for 0 to 0.05, its end included, so that nobody is accused over the difference between "<" and "<=".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.quantities import Quantity
from scoreproof.reported.claim import Claim, claim_from_dict, report

P_VALUE = Quantity("p", "p-value", range=(Fraction(0), Fraction(1)), direction=-1, kind="printed")
_LONGEST = 120  # characters of a text that is looked at
_MINUS = str.maketrans(dict.fromkeys("−–—‐‑﹣－", "-"))
_RELATIONS = {"<": "<", "<=": "<", "≤": "<", "<<": "<", "⩽": "<", ">": ">", ">=": ">", "≥": ">", "⩾": ">"}
_FORM = re.compile(
    r"(?:p(?:[\s-]?values?)?|sig\.?)?\s*(?:was|of|is)?\s*(?P<sign><<|<=|>=|[<>=≤≥⩽⩾])?\s*(?P<number>.+)", re.IGNORECASE
)
_POWER = re.compile(
    r"(?:(?P<lead>\d+(?:\.\d+)?|\.\d+)\s*(?:[×x*·⋅]|\\times|\\cdot)\s*)?10\s*\^?\s*\{?\s*(?P<sign>-?)\s*(?P<power>\d{1,3})\s*\}?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PrintedP:
    """A printed p-value: the number as a claim, and whether it is the value ("="), or a bound ("<", ">")."""

    relation: str
    claim: Claim

    @property
    def low(self) -> Fraction:
        """The least p that prints like that."""
        return {"<": Fraction(0), ">": self.claim.number.value}.get(self.relation, max(self.claim.low, Fraction(0)))

    @property
    def high(self) -> Fraction:
        """The greatest p that prints like that."""
        return {"<": self.claim.number.value, ">": Fraction(1)}.get(self.relation, min(self.claim.high, Fraction(1)))

    @property
    def as_bound(self) -> str:
        """What a subject adds to a claim that reads "p = 0.05" where the paper has a bound; empty for a value."""
        return "" if self.relation == "=" else f", the p-value being a bound (p {self.relation} {self.claim.text})"

    def to_dict(self) -> dict[str, Any]:
        rule = {key: value for key, value in self.claim.to_dict().items() if key not in ("score", "name")}
        return {"relation": self.relation, **rule}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> PrintedP:
        rule = {key: value for key, value in document.items() if key != "relation"}
        return cls(document["relation"], claim_from_dict({**rule, "score": P_VALUE}))

    def __str__(self) -> str:
        return f"p {self.relation} {self.claim.text}"


def read_p(text: str | PrintedP, *, rounding: Any = None, decimal_comma: bool = False, what: str = "p") -> PrintedP:
    """A printed p-value; ``rounding`` is the rule by which one that is no bound was cut to its digits.

    >>> str(read_p("P = .091")), str(read_p("p<0.05")), str(read_p("3.2 × 10−5")), str(read_p("p ≤ 10^{-4}"))
    ('p = .091', 'p < 0.05', 'p = 3.2e-5', 'p < 1e-4')
    >>> read_p("<0.05").high
    Fraction(1, 20)
    """
    if isinstance(text, PrintedP):
        return text
    if not isinstance(text, str):
        raise InvalidValue(
            f"{what}: expected the text of a p-value such as '0.03', '= 0.03' or '< 0.05', got {text!r:.60}"
        )
    shown = text if len(text) <= 40 else f"{text[:37]}..."
    match = _FORM.fullmatch(text.translate(_MINUS).strip()) if len(text) <= _LONGEST else None
    if match is None:
        raise InvalidValue(f"{what}: expected a p-value such as '0.03', 'p = 0.03' or 'p < 0.05', got {shown!r}")
    number = match["number"].strip().replace("$", "")
    power = _POWER.fullmatch(number)
    if power is not None:
        number = f"{power['lead'] or '1'}e{power['sign']}{power['power']}"
    number = re.sub(r"(?<=[0-9])\s*[eE]\s*(?=[+-]?[0-9])", "e", number)
    claim = replace(report(P_VALUE, number, rounding=rounding, decimal_comma=decimal_comma), name="p")
    if claim.spread is not None:
        raise InvalidValue(f"{what}: expected a p-value, got {shown!r}, which has a ±")
    if claim.beyond_range or not 0 <= claim.number.value <= 1:
        raise InvalidValue(f"{what}: expected a p-value from 0 to 1, got {shown!r}")
    return PrintedP(_RELATIONS.get(match["sign"] or "=", "="), claim)
