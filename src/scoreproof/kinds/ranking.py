"""An integer program (Land and Doig 1960) over how many queries have each rank: ranks that give a report.

Every measure, hits included, is a sum over queries. The program is over some ranks, more of them where queries are few,
and keeps off every end as far as it can. Floats propose; whether the ranks give the report is judged exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.ranking_problem import (
    Buckets,
    Ranking,
    RankingProblem,
    buckets,
    gain,
    hits_of,
    mean_bounds,
    measure_of,
    ranking_problem,
)
from scoreproof.quantities.task_quantities import RankMean
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Conventions
from scoreproof.results import SmallTable, Tabular
from scoreproof.work.budget import Budget

Target = tuple[RankMean, Fraction, Fraction]  # the measure and the ends of its sum over queries
_ONE_BY_ONE = 16  # ranks after a cut-off that all take part
_GROWTH = 4  # of the steps beyond them, as a share
_FURTHEST = 10**7
_NODES = 2_000  # of the integer program
_FURTHEST_OFF = 0.45  # the ends of a target, as a share of their distance
_MANY = 10**6  # queries of an example where their number is open
_WORST_RANK = 10.0  # of the mean rank: how far out an open bucket goes


def proposed_ranks(held: Buckets, targets: Sequence[Target], deadline: Budget) -> Iterator[dict[int, int]]:
    """How many queries have each rank, within the hits and within the ends of every target."""
    ranks = _candidates(held, targets)
    counts = _program(held, targets, ranks, deadline)
    if counts is not None:
        yield {rank: count for rank, count in zip(ranks, counts, strict=True) if count}


def _candidates(held: Buckets, targets: Sequence[Target]) -> list[int]:
    """Ranks one by one after each cut-off, then ever further apart; more of them for few queries."""
    reach = max([float(high) for measure, _, high in targets if measure.measure == "mr"], default=1000.0)
    furthest = held.last or min(_FURTHEST, int(_WORST_RANK * reach) + 1000)
    one_by_one, growth = max(_ONE_BY_ONE, 1000 // held.queries), max(_GROWTH, 200 // held.queries)
    chosen: set[int] = set()
    for first, last in held.spans:
        end = min(furthest, last) if last is not None else max(furthest, first)
        rank = first
        while rank <= end:
            chosen.add(rank)
            rank += max(1, (rank - first) // growth) if rank - first >= one_by_one else 1
        chosen.add(max(first, end))
    return sorted(chosen)


def _program(held: Buckets, targets: Sequence[Target], ranks: list[int], deadline: Budget) -> list[int] | None:
    """Whole numbers of queries per rank that keep off the ends of every target, nearly as far as possible."""
    import numpy as np
    from scipy import optimize

    rows = [[float(rank <= cut) for rank in ranks] + [0.0] for cut in (*held.cutoffs, ranks[-1])]
    low, high = [*map(float, held.least), float(held.queries)], [*map(float, held.most), float(held.queries)]
    for measure, least, most in targets:
        gains = [float(gain(measure, rank)[0]) for rank in ranks]
        scale, room = max(1.0, *gains), float(most - least)
        for share, start, end in ((-room, float(least), np.inf), (room, -np.inf, float(most))):
            rows.append([value / scale for value in (*gains, share)])  # the last column says how far off the ends
            low.append(start / scale)
            high.append(end / scale)
    off = np.arange(len(ranks) + 1) == len(ranks)
    solved = optimize.milp(
        -1.0 * off,
        integrality=~off,
        bounds=optimize.Bounds(0, np.where(off, _FURTHEST_OFF, held.queries)),
        constraints=optimize.LinearConstraint(np.array(rows), low, high),
        options={"node_limit": _NODES, "mip_rel_gap": 1.0, "time_limit": max(0.01, deadline.time_left())},
    )
    return None if solved.x is None else [round(count) for count in solved.x[:-1]]


_SHOWN = 8  # ranks in a sentence


@dataclass(frozen=True, slots=True)
class Ranks(Tabular):
    """Ranks and how many queries have each."""

    ranks: tuple[tuple[int, int], ...]

    def _rows(self) -> list[dict[str, Any]]:
        return [{"rank": rank, "queries": count} for rank, count in self.ranks]

    def __str__(self) -> str:
        shown = [f"{count} at rank {rank}" for rank, count in self.ranks[:_SHOWN]]
        more = len(self.ranks) - len(shown)
        return ", ".join(shown) + (f" and {more} more ranks" if more else "")


class RankingKind(Kind[RankingProblem, Ranks]):
    """Means over queries of functions of the rank of the one relevant item."""

    name = "ranking"
    problem_type = RankingProblem
    witness_type = Ranks
    experiment_type = Ranking
    names_conflicts = True

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> RankingProblem:
        return ranking_problem(experiment, scores, how)

    def decide(self, problem: RankingProblem, *, deadline: Budget, seed: int) -> Decision[Ranks]:
        held = buckets(problem)
        if not held.possible:
            return Decision(proof={"kind": "hits"})
        for claim, _ in _outside(problem, held):
            return Decision(proof={"kind": "mean", "score": problem.claims.index(claim)})
        if _harmonic(problem) is not None:
            return Decision(proof={"kind": "harmonic"})
        if problem.experiment.queries is None:  # of many every mean between two others is one
            held = buckets(problem, -(-_MANY // problem.queries))
        queries = held.queries
        means = [claim for claim in problem.claims if hits_of(claim, 1) is None]
        targets = [(measure_of(claim), claim.low * queries, claim.high * queries) for claim in means]
        for ranks in proposed_ranks(held, targets, deadline):
            witness = Ranks(tuple(sorted(ranks.items())))
            if self.holds(problem, witness):
                return Decision(witness)
        return Decision(
            reason="every bound holds, but no ranks that give all of these were found: an integer program over some "
            "ranks gave none"
        )

    def holds(self, problem: RankingProblem, witness: Ranks) -> bool:
        last = problem.experiment.candidates
        if any(rank < 1 or count < 1 or (last is not None and rank > last) for rank, count in witness.ranks):
            return False
        queries = sum(count for _, count in witness.ranks)
        if not queries or problem.experiment.queries not in (None, queries):
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
        queries = problem.queries
        for claim in problem.claims:
            hits = hits_of(claim, queries)
            if hits is not None and hits[0] > hits[1]:
                return f"no whole number of {queries} queries gives {claim}"
        held = buckets(problem)
        if not held.possible:
            return "more queries within the first than within the first and more: Hits@k never falls with k"
        for claim, (least, most) in _outside(problem, held):
            upper = "" if most is None else f" and at most {float(most):.6g}"
            given = "the hits leave" if held.cutoffs else "ranks give"
            return f"{given} {claim.name} at least {float(least):.6g}{upper}, not {claim.text}"
        return _harmonic(problem) or ""

    def implied(self, problem: RankingProblem, target: Claim) -> Ends | None:
        held = buckets(problem)
        if not held.possible:
            return None
        return mean_bounds(held, measure_of(target))

    def tables(self, problem: RankingProblem, witness: Ranks) -> Sequence[SmallTable]:
        return [SmallTable(list(witness.ranks), ("rank", "queries"), "ranks that give the report")]


def _outside(problem: RankingProblem, held: Buckets) -> Iterator[tuple[Claim, Ends]]:
    """The means that lie outside of what the hits leave them, and what that is."""
    for claim in problem.claims:
        if hits_of(claim, 1) is None:
            least, most = mean_bounds(held, measure_of(claim))
            if claim.high < least or (most is not None and claim.low > most):
                yield claim, (least, most)


def _harmonic(problem: RankingProblem) -> str | None:
    """That the mean rank is below the harmonic mean of the ranks, if it is."""
    named = {claim.quantity.name: claim for claim in problem.claims}
    if not {"mr", "mrr"} <= set(named) or named["mr"].high * named["mrr"].high >= 1:
        return None
    return "the mean rank times the mean reciprocal rank is at least 1"


KIND = RankingKind()
