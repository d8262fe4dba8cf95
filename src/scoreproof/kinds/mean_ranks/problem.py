"""Mean ranks of several methods over so many data sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.printed import entry, from_entry
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.validation import truth, whole

MEAN_RANK = Quantity("mean rank", "mean rank", range=(Fraction(1), None), direction=-1, kind="printed")
MOST_METHODS = 1000
MOST_DATA_SETS = 10**9


@dataclass(frozen=True, slots=True)
class MeanRanksProblem:
    """Mean ranks of printed methods; ``methods`` is how many were ranked, ``ties`` whether ranks may be shared."""

    kind: ClassVar[str] = "mean_ranks"
    claims: tuple[Claim, ...]
    methods: int
    data_sets: int
    ties: bool = True

    def __post_init__(self) -> None:
        whole("methods", self.methods, at_least=2, at_most=MOST_METHODS)
        whole("datasets", self.data_sets, at_least=1, at_most=MOST_DATA_SETS)
        truth("ties", self.ties)
        names = [claim.name for claim in self.claims]
        if len(names) > self.methods or len(set(names)) != len(names):
            raise InvalidOption(f"claims: expected at most {self.methods} mean ranks of different methods")

    @property
    def unit(self) -> int:
        """How many units a rank has: a shared rank may lie half-way between two."""
        return 2 if self.ties else 1

    def spans(self) -> list[tuple[int, int]]:
        """The sums of ranks in units that print as each mean; those that are not printed may be anything."""
        share = self.unit * self.data_sets
        printed = [
            (max(share, ceil(claim.low * share)), min(share * self.methods, floor(claim.high * share)))
            for claim in self.claims
        ]
        return printed + [(share, share * self.methods)] * (self.methods - len(printed))

    def to_dict(self) -> dict[str, Any]:
        return {
            "methods": self.methods,
            "data_sets": self.data_sets,
            "ties": self.ties,
            "claims": [{"name": claim.name, **entry(claim)} for claim in self.claims],
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> MeanRanksProblem:
        return cls(
            tuple(from_entry(MEAN_RANK, claim) for claim in statement["claims"]),
            statement["methods"],
            statement["data_sets"],
            statement["ties"],
        )

    def with_claims(self, claims: Iterable[Claim]) -> MeanRanksProblem:
        return replace(self, claims=tuple(claims))
