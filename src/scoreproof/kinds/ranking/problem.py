"""A report about the ranks of one relevant item per query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Any, ClassVar, cast

from scoreproof.errors import InvalidExperiment, InvalidOption
from scoreproof.quantities.ranking import RankMean
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import claim_from_dict, refuse_spread
from scoreproof.validation import declared, whole

MOST_QUERIES = 10**12


@dataclass(frozen=True, slots=True)
class Ranking:
    """Queries of which each has one relevant item, found at a rank from 1 on; ``candidates`` is the last rank there is.

    >>> str(Ranking(queries=1000))
    '1000 queries with one relevant item each'
    """

    kind: ClassVar[str] = "ranking"
    queries: int
    candidates: int | None = None

    def __post_init__(self) -> None:
        for name in ("queries", "candidates"):
            value = getattr(self, name)
            if value is not None or name == "queries":
                number = whole(name, value, at_least=1, at_most=MOST_QUERIES, error=InvalidExperiment)
                object.__setattr__(self, name, number)

    @classmethod
    @declared
    def from_dict(cls, tree: Mapping[str, Any]) -> Ranking:
        unknown = [key for key in tree if key not in ("type", "queries", "candidates")]
        if unknown or "queries" not in tree:
            got = f"unknown key {', '.join(unknown)}" if unknown else "none of them"
            raise InvalidExperiment(f"ranking: expected queries, perhaps candidates; got {got}")
        return cls(tree["queries"], tree.get("candidates"))

    def to_dict(self) -> dict[str, Any]:
        tree: dict[str, Any] = {"type": "ranking", "queries": self.queries}
        return tree if self.candidates is None else tree | {"candidates": self.candidates}

    def __str__(self) -> str:
        among = "" if self.candidates is None else f", among {self.candidates} candidates"
        return f"{self.queries} queries with one relevant item each{among}"


@dataclass(frozen=True, slots=True)
class RankingProblem:
    """Means over queries of functions of the rank."""

    kind: ClassVar[str] = "ranking"
    experiment: Ranking
    claims: tuple[Claim, ...]

    def __post_init__(self) -> None:
        refuse_spread(self.claims)

    def to_dict(self) -> dict[str, Any]:
        return {"experiment": self.experiment.to_dict(), "scores": [claim.to_dict() for claim in self.claims]}

    def with_claims(self, claims: Iterable[Claim]) -> RankingProblem:
        return replace(self, claims=tuple(claims))

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> RankingProblem:
        claims = tuple(claim_from_dict(entry, kind="ranking") for entry in statement["scores"])
        return cls(Ranking.from_dict(statement["experiment"]), claims)


def ranking_problem(
    experiment: Any,
    scores: Mapping[str, Value | Claim],
    *,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    decimal_comma: bool = False,
    **foreign: Any,
) -> RankingProblem:
    """The problem of an experiment and what was printed of it."""
    if not isinstance(experiment, Ranking):
        raise InvalidExperiment(f"experiment: expected Ranking(queries=...), got {experiment!r}")
    if foreign:
        raise InvalidOption(f"{', '.join(foreign)}: no such option for {experiment}")
    claims = read_scores(scores, rounding=rounding, eps=eps, digits=digits, decimal_comma=decimal_comma, kind="ranking")
    return RankingProblem(experiment, claims)


def measure_of(claim: Claim) -> RankMean:
    """What a claim is about."""
    return cast(RankMean, claim.quantity)


def hits_of(claim: Claim, queries: int) -> tuple[int, int] | None:
    """The least and the greatest number of hits that print like this; None of a measure that counts no hits."""
    measure = measure_of(claim)
    if measure.measure not in ("hits", "p"):
        return None
    times = queries * (measure.cutoff or 1 if measure.measure == "p" else 1)
    return max(0, ceil(claim.low * times)), min(queries, floor(claim.high * times))
