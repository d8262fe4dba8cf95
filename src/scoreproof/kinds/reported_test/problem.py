"""A test statistic, its degrees of freedom and the p-value printed with it: "t(28) = 2.20, p = .036"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.printed import entry, from_entry
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.p_text import PrintedP
from scoreproof.validation import chosen, shown, whole

STATISTIC = Quantity("statistic", "test statistic", range=(None, None), kind="printed")
FREEDOM = {"z": 0, "t": 1, "r": 1, "chi2": 1, "F": 2}  # how many degrees of freedom each test has
TESTS = tuple(FREEDOM)
SIDES = ("any", "two", "one")
MOST_FREEDOM = 10**9

Span = tuple[int, int]  # whole numbers between which degrees of freedom lie


@dataclass(frozen=True, slots=True)
class ReportedTestProblem:
    """A statistic (or a bound on its size) with its p-value, either of which may be missing.

    Degrees of freedom that are no whole numbers, as Welch's, are given by whole numbers on either side.
    """

    kind: ClassVar[str] = "reported_test"
    test: str
    df: tuple[Span, ...]
    statistic: Claim | None
    p: PrintedP | None
    relation: str = "="
    sides: str = "any"

    def __post_init__(self) -> None:
        chosen("test", self.test, TESTS)
        chosen("sides", self.sides, SIDES)
        chosen("relation", self.relation, ("=", "<", ">"))
        if len(self.df) != FREEDOM[self.test]:
            raise InvalidOption(
                f"df: expected {FREEDOM[self.test]} degrees of freedom for {self.test}, got {shown(self.df)}"
            )
        for low, high in self.df:
            whole("df", low, at_least=0, at_most=MOST_FREEDOM)
            whole("df", high, at_least=max(1, low), at_most=MOST_FREEDOM)

    @property
    def claims(self) -> tuple[Claim, ...]:
        p = () if self.p is None else (self.p.claim,)
        return p if self.statistic is None else (*p, self.statistic)

    def to_dict(self) -> dict[str, Any]:
        return {
            "test": self.test,
            "df": [list(span) for span in self.df],
            "relation": self.relation,
            "statistic": None if self.statistic is None else entry(self.statistic),
            "sides": self.sides,
            "p": None if self.p is None else self.p.to_dict(),
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> ReportedTestProblem:
        p, statistic = statement["p"], statement["statistic"]
        return cls(
            statement["test"],
            tuple((low, high) for low, high in statement["df"]),
            None if statistic is None else from_entry(STATISTIC, statistic),
            None if p is None else PrintedP.from_dict(p),
            statement["relation"],
            statement["sides"],
        )

    def with_claims(self, claims: Iterable[Claim]) -> ReportedTestProblem:
        named = {claim.name: claim for claim in claims}
        p = None if self.p is None or "p" not in named else replace(self.p, claim=named["p"])
        return replace(self, p=p, statistic=named.get(STATISTIC.name))
