"""What a report says of its averaging beyond the means themselves: deviations, extremes, rounded parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoreproof.reported import Claim
from scoreproof.reported.claim import claim_from_dict
from scoreproof.reported.conventions import Divisor, ExtremesOver, Spread, SpreadOver, choice


@dataclass(frozen=True, slots=True)
class Averages:
    """What was said about the averaging; see ``check`` for each."""

    minimum: tuple[Claim, ...] = ()
    maximum: tuple[Claim, ...] = ()
    attained: bool = True
    extremes_over: ExtremesOver = ExtremesOver.PARTS
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY
    spread_over: SpreadOver = SpreadOver.ANY
    fold_digits: int | None = None

    @classmethod
    def from_dict(cls, stated: Mapping[str, Any]) -> Averages:
        """What a statement says of it; what it does not say is as ``check`` has it."""
        return cls(
            tuple(map(claim_from_dict, stated.get("minimum", ()))),
            tuple(map(claim_from_dict, stated.get("maximum", ()))),
            stated.get("attained", True),
            choice(ExtremesOver, "extremes_over", stated.get("extremes_over", "parts")),
            choice(Spread, "spread", stated.get("spread", "deviation")),
            choice(Divisor, "divisor", stated.get("divisor", "any")),
            choice(SpreadOver, "spread_over", stated.get("spread_over", "any")),
            stated.get("fold_digits"),
        )

    def to_dict(self) -> dict[str, Any]:
        """What a certificate's statement says of it: all of it."""
        return {
            "spread": str(self.spread),
            "divisor": str(self.divisor),
            "spread_over": str(self.spread_over),
            "minimum": [claim.to_dict() for claim in self.minimum],
            "maximum": [claim.to_dict() for claim in self.maximum],
            "attained": self.attained,
            "extremes_over": str(self.extremes_over),
            "fold_digits": self.fold_digits,
        }

    def deviating(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims with a ± that is tested."""
        return [] if self.spread is Spread.IGNORE else [claim for claim in claims if claim.spread is not None]

    def speaks_of_parts(self, claims: Sequence[Claim]) -> str:
        """What only a mean over several parts can have, in words; empty if nothing was said of the kind."""
        for claim in self.deviating(claims):
            return f"the ± of {claim.name} = {claim.text}"
        if self.minimum or self.maximum:
            return "minimum and maximum"
        return "fold_digits" if self.fold_digits is not None else ""


PLAIN = Averages()
