"""The p-value, and perhaps the statistic, of an exact test over pairs: signed ranks, signs, or exchanged values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.kinds.printed import entry, from_entry
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.p_text import PrintedP
from scoreproof.validation import chosen, whole

STATISTIC = Quantity("W", "sum of ranks", range=(Fraction(0), None), kind="printed")
SIDES = ("any", "two", "one")
MOST_PAIRS = 1000


@dataclass(frozen=True, slots=True)
class SignPatternsProblem:
    """So many pairs, the sides of the test, and the printed p-value and sum of ranks; either may be missing."""

    kind: ClassVar[str] = "sign_patterns"
    pairs: int
    p: PrintedP | None
    statistic: Claim | None = None
    sides: str = "any"

    def __post_init__(self) -> None:
        whole("pairs", self.pairs, at_least=1, at_most=MOST_PAIRS)
        chosen("sides", self.sides, SIDES)

    @property
    def claims(self) -> tuple[Claim, ...]:
        p = () if self.p is None else (self.p.claim,)
        return p if self.statistic is None else (*p, self.statistic)

    @property
    def largest_sum(self) -> int:
        """All ranks together."""
        return self.pairs * (self.pairs + 1) // 2

    def to_dict(self) -> dict[str, Any]:
        return {
            "pairs": self.pairs,
            "sides": self.sides,
            "p": None if self.p is None else self.p.to_dict(),
            "statistic": None if self.statistic is None else entry(self.statistic),
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> SignPatternsProblem:
        p, statistic = statement["p"], statement["statistic"]
        return cls(
            statement["pairs"],
            None if p is None else PrintedP.from_dict(p),
            None if statistic is None else from_entry(STATISTIC, statistic),
            statement["sides"],
        )

    def with_claims(self, claims: Iterable[Claim]) -> SignPatternsProblem:
        named = {claim.name: claim for claim in claims}
        p = None if self.p is None or "p" not in named else replace(self.p, claim=named["p"])
        return replace(self, p=p, statistic=named.get(STATISTIC.name))
