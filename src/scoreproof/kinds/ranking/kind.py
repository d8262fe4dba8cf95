"""Hits, reciprocal ranks and discounted gains of queries with one relevant item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.ranking.bounds import buckets, mean_bounds
from scoreproof.kinds.ranking.measures import gain
from scoreproof.kinds.ranking.problem import Ranking, RankingProblem, hits_of, measure_of, ranking_problem
from scoreproof.kinds.ranking.search import TRIES, proposed_ranks
from scoreproof.quantities import RANKING, Quantity
from scoreproof.reported import Claim
from scoreproof.results import SmallTable, Tabular
from scoreproof.work.budget import Budget

_SHOWN = 8  # ranks in a sentence


@dataclass(frozen=True, slots=True)
class Ranks(Tabular):
    """Ranks and how many queries have each."""

    ranks: tuple[tuple[int, int], ...]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Ranks:
        return cls(tuple((int(rank), int(count)) for rank, count in document["ranks"]))

    def _rows(self) -> list[dict[str, Any]]:
        return [{"rank": rank, "queries": count} for rank, count in self.ranks]

    def __str__(self) -> str:
        said = [f"{count} at rank {rank}" for rank, count in self.ranks[:_SHOWN]]
        more = len(self.ranks) - len(said)
        return ", ".join(said) + (f" and {more} more ranks" if more else "")


class RankingKind(Kind[RankingProblem, Ranks]):
    """Means over queries of functions of the rank of the one relevant item."""

    name = "ranking"
    quantities: Sequence[Quantity] = tuple(RANKING)

    def experiment(self, settings: Mapping[str, Any]) -> Ranking:
        return Ranking.from_dict(settings)

    def problem(self, experiment: Any, scores: Mapping[str, Any], **options: Any) -> RankingProblem:
        return ranking_problem(experiment, scores, **options)

    def read(self, statement: Mapping[str, Any]) -> RankingProblem:
        return RankingProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Ranks:
        return Ranks.from_dict(document)

    def decide(self, problem: RankingProblem, *, deadline: Budget, seed: int) -> Decision[Ranks]:
        found = buckets(problem)
        if not found.possible:
            return Decision(proof={"kind": "hits"})
        means = [(place, claim) for place, claim in enumerate(problem.claims) if hits_of(claim, 1) is None]
        for place, claim in means:
            least, most = mean_bounds(found, measure_of(claim))
            if claim.high < least or (most is not None and claim.low > most):
                return Decision(proof={"kind": "mean", "score": place})
        if _harmonic(problem) is not None:
            return Decision(proof={"kind": "harmonic"})
        queries = problem.experiment.queries
        targets = [(measure_of(claim), claim.low * queries, claim.high * queries) for _, claim in means]
        for ranks in proposed_ranks(found, targets, deadline, seed):
            witness = Ranks(tuple(sorted(ranks.items())))
            if self.holds(problem, witness):
                return Decision(witness)
        return Decision(
            reason="every bound holds, but no ranks that give all of these were found: a linear program over ranks was "
            f"rounded, and ranks of two and of many queries at once were exchanged, from {TRIES} starts"
        )

    def holds(self, problem: RankingProblem, witness: Ranks) -> bool:
        queries, last = problem.experiment.queries, problem.experiment.candidates
        if any(rank < 1 or count < 1 or (last is not None and rank > last) for rank, count in witness.ranks):
            return False
        if sum(count for _, count in witness.ranks) != queries:
            return False
        for claim in problem.claims:
            gains = [(gain(measure_of(claim), rank), count) for rank, count in witness.ranks]
            low, high = (sum((ends[side] * count for ends, count in gains), Fraction(0)) / queries for side in (0, 1))
            if low < claim.low or high > claim.high:
                return False
        return True

    def subject(self, problem: RankingProblem) -> str:
        return str(problem.experiment)

    def because(self, problem: RankingProblem) -> str:
        beyond = super().because(problem)
        if beyond:
            return beyond
        queries = problem.experiment.queries
        for claim in problem.claims:
            hits = hits_of(claim, queries)
            if hits is not None and hits[0] > hits[1]:
                return f"no whole number of {queries} queries gives {claim}"
        found = buckets(problem)
        if not found.possible:
            return "more queries within the first than within the first and more: Hits@k never falls with k"
        for claim in problem.claims:
            if hits_of(claim, 1) is None:
                least, most = mean_bounds(found, measure_of(claim))
                if claim.high < least or (most is not None and claim.low > most):
                    upper = "" if most is None else f" and at most {float(most):.6g}"
                    given = "the hits leave" if found.cutoffs else "ranks give"
                    return f"{given} {claim.name} at least {float(least):.6g}{upper}, not {claim.text}"
        return _harmonic(problem) or ""

    def identity(self, problem: RankingProblem, conflict: Sequence[Claim]) -> str:
        return self.because(problem.with_claims(conflict))

    def implied(self, problem: RankingProblem, target: Claim) -> Ends | None:
        found = buckets(problem)
        if not found.possible:
            return None
        return mean_bounds(found, measure_of(target))

    def tables(self, problem: RankingProblem, witness: Ranks) -> Sequence[SmallTable]:
        return [SmallTable(list(witness.ranks), ("rank", "queries"), "ranks that give the report")]


def _harmonic(problem: RankingProblem) -> str | None:
    """That the mean rank is below the harmonic mean of the ranks, if it is."""
    named = {claim.quantity.name: claim for claim in problem.claims}
    if not {"mr", "mrr"} <= set(named) or named["mr"].high * named["mrr"].high >= 1:
        return None
    return "the mean rank times the mean reciprocal rank is at least 1"


KIND = RankingKind()
