"""A proportion printed with its confidence interval, and of how many cases it is said to be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.printed import entry, from_entry
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.validation import MOST, chosen, shown, whole

PROPORTION = Quantity("proportion", "proportion", kind="printed")
LIMIT = Quantity("limit", "limit of an interval", range=(None, None), kind="printed")
METHODS = ("any", "clopper-pearson")
PARTS = ("value", "low", "high")


@dataclass(frozen=True, slots=True)
class ProportionIntervalProblem:
    """The claims are the value and the limits, by name; any of them may be missing, and the number of cases, too.

    ``method`` is ``clopper-pearson``, or ``any``: then nothing is asked of the limits but that the value lies between.
    """

    kind: ClassVar[str] = "proportion_interval"
    claims: tuple[Claim, ...]
    cases: int | None
    level: str = "0.95"
    method: str = "any"

    def __post_init__(self) -> None:
        names = [claim.name for claim in self.claims]
        if len(set(names)) != len(names) or not set(names) <= set(PARTS):
            raise InvalidOption(f"claims: expected some of {', '.join(PARTS)}, each once; got {', '.join(names)}")
        chosen("method", self.method, METHODS)
        if self.cases is not None:
            whole("n", self.cases, at_least=1, at_most=MOST)
        elif self.method != "any":
            raise InvalidOption("n: expected the number of cases for a named method, got none")
        try:
            level = Fraction(self.level)
        except (ValueError, ZeroDivisionError):
            level = Fraction(0)
        if not 0 < level < 1:
            raise InvalidOption(f"level: expected a number in (0, 1) such as 0.95, got {shown(self.level)}")

    @property
    def tail(self) -> Fraction:
        """What is left out on either side."""
        return (1 - Fraction(self.level)) / 2

    def claim(self, name: str) -> Claim | None:
        return next((claim for claim in self.claims if claim.name == name), None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "n": self.cases,
            "level": self.level,
            "method": self.method,
            "claims": [{"name": claim.name, **entry(claim)} for claim in self.claims],
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> ProportionIntervalProblem:
        claims = (from_entry(quantity_of(claim["name"]), claim) for claim in statement["claims"])
        return cls(tuple(claims), statement["n"], statement["level"], statement["method"])

    def with_claims(self, claims: Iterable[Claim]) -> ProportionIntervalProblem:
        return replace(self, claims=tuple(claims))


def quantity_of(name: str) -> Quantity:
    """What a part of the interval is a value of: limits may leave the range of proportions."""
    return PROPORTION if name == "value" else LIMIT
