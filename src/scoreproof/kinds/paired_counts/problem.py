"""Two rates on the same cases, and the p-value that McNemar's test is said to have given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.printed import entry, from_entry
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.p_text import PrintedP
from scoreproof.validation import chosen, whole

RATE = Quantity("rate", "rate", kind="printed")
METHODS = ("exact", "exact, one-sided", "mid-p", "chi2", "chi2-corrected", "chi2-corrected-always")
MOST_CASES = 10**9


@dataclass(frozen=True, slots=True)
class RatePair:
    """The rates of two methods on the same cases (of one class, or of all); None where nothing is said."""

    cases: int
    first: Claim | None
    second: Claim | None

    def to_dict(self) -> dict[str, Any]:
        told = {name: getattr(self, name) for name in ("first", "second")}
        return {"cases": self.cases, **{k: None if v is None else _told(v) for k, v in told.items()}}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> RatePair:
        first, second = (
            None if document[name] is None else from_entry(RATE, document[name]) for name in ("first", "second")
        )
        return cls(document["cases"], first, second)


def _told(claim: Claim) -> dict[str, Any]:
    return {"name": claim.name, **entry(claim)}


@dataclass(frozen=True, slots=True)
class PairedCountsProblem:
    """Rates of the cases, or of each class of them, and the p-value of McNemar's test by one of several methods."""

    kind: ClassVar[str] = "paired_counts"
    pairs: tuple[RatePair, ...]
    p: PrintedP | None
    methods: tuple[str, ...] = METHODS

    def __post_init__(self) -> None:
        if not 1 <= len(self.pairs) <= 2:
            raise InvalidOption(f"pairs: expected the rates of all cases, or of two classes; got {len(self.pairs)}")
        for pair in self.pairs:
            whole("n", pair.cases, at_least=1, at_most=MOST_CASES)
        if not self.methods or len(set(self.methods)) != len(self.methods):
            raise InvalidOption(f"methods: expected some of {', '.join(METHODS)}, each once")
        for method in self.methods:
            chosen("method", method, METHODS)

    @property
    def claims(self) -> tuple[Claim, ...]:
        rates = tuple(claim for pair in self.pairs for claim in (pair.first, pair.second) if claim is not None)
        return rates if self.p is None else (*rates, self.p.claim)

    def to_dict(self) -> dict[str, Any]:
        return {
            "pairs": [pair.to_dict() for pair in self.pairs],
            "p": None if self.p is None else self.p.to_dict(),
            "methods": list(self.methods),
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> PairedCountsProblem:
        p = statement["p"]
        return cls(
            tuple(map(RatePair.from_dict, statement["pairs"])),
            None if p is None else PrintedP.from_dict(p),
            tuple(statement["methods"]),
        )

    def with_claims(self, claims: Iterable[Claim]) -> PairedCountsProblem:
        named = {claim.name: claim for claim in claims}

        def again(claim: Claim | None) -> Claim | None:
            return None if claim is None else named.get(claim.name)

        p = None if self.p is None or "p" not in named else replace(self.p, claim=named["p"])
        pairs = tuple(replace(pair, first=again(pair.first), second=again(pair.second)) for pair in self.pairs)
        return replace(self, pairs=pairs, p=p)
