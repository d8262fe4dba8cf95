"""A mean ± its standard deviation of k values that lie between two bounds, perhaps shares of folds of equal size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.printed import entry, from_entry
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.validation import chosen, whole

MEAN = Quantity("mean", "mean", range=(None, None), kind="printed")
DEVIATION = Quantity("sd", "standard deviation", range=(Fraction(0), None), kind="printed")
SPREADS = ("deviation", "error", "either")
MOST_VALUES = 100_000
MOST_CASES = 10**6


@dataclass(frozen=True, slots=True)
class ValueSpreadProblem:
    """The claims are the mean and what follows the ±, by name (``mean``, ``sd``).

    ``cases`` says that every value is a whole number over so many cases; then the bounds are 0 and 1. ``spread`` says
    whether the ± is a standard deviation (divided by n or n - 1), a standard error, or either of them.
    """

    kind: ClassVar[str] = "value_spread"
    claims: tuple[Claim, ...]
    values: int
    least: Fraction = Fraction(0)
    most: Fraction = Fraction(1)
    cases: int | None = None
    spread: str = "deviation"

    def __post_init__(self) -> None:
        whole("k", self.values, at_least=2, at_most=MOST_VALUES)
        chosen("spread", self.spread, SPREADS)
        names = [claim.name for claim in self.claims]
        if len(set(names)) != len(names) or not set(names) <= {"mean", "sd"}:
            raise InvalidOption(f"claims: expected a mean, an sd or both; got {', '.join(names)}")
        if self.least >= self.most:
            raise InvalidOption(
                f"bounds: expected the least value below the greatest, got {self.least} and {self.most}"
            )
        if self.cases is not None:
            whole("sizes", self.cases, at_least=1, at_most=MOST_CASES)
            if self.least != 0 or self.most != 1:
                raise InvalidOption("bounds: expected 0 and 1 for shares of cases")

    def claim(self, name: str) -> Claim | None:
        return next((claim for claim in self.claims if claim.name == name), None)

    def divisors(self) -> dict[str, int]:
        """By what the sum of squared distances from the mean is divided, by the name of what is printed."""
        k = self.values
        known = {"sample": k - 1, "population": k} if self.spread != "error" else {}
        return known | ({"error": k * (k - 1)} if self.spread != "deviation" else {})

    def to_dict(self) -> dict[str, Any]:
        return {
            "values": self.values,
            "least": str(self.least),
            "most": str(self.most),
            "fold": self.cases,
            "spread": self.spread,
            "claims": [{"name": claim.name, **entry(claim)} for claim in self.claims],
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> ValueSpreadProblem:
        return cls(
            tuple(from_entry(MEAN if c["name"] == "mean" else DEVIATION, c) for c in statement["claims"]),
            statement["values"],
            Fraction(statement["least"]),
            Fraction(statement["most"]),
            statement["fold"],
            statement["spread"],
        )

    def with_claims(self, claims: Iterable[Claim]) -> ValueSpreadProblem:
        return replace(self, claims=tuple(claims))
