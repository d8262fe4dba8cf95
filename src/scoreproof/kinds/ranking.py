"""A linear program (Dantzig 1963) rounded to whole queries, then exchanges of two ranks: ranks that give a report.

The program keeps off every end as far as it can, so that rounding does no harm where there are many queries. Where
there are few, pairs of queries then get new ranks: every measure, hits included, is a sum over queries. Floats propose;
whether the ranks give the report is judged exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
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
from scoreproof.solve.local_search import Counted, exchanged
from scoreproof.work.budget import Budget

Target = tuple[RankMean, Fraction, Fraction]  # the measure and the ends of its sum over queries
_ONE_BY_ONE = 16  # ranks after a cut-off that all take part
_GROWTH = 4  # of the steps beyond them, as a share
_FURTHEST = 10**7
_ALL_OF_ONE = 5_000  # ranks of a single query that are all tried
TRIES = 5
_MANY = 10**6  # queries of an example where their number is open
_WORST_RANK = 10.0  # of the mean rank: how far out an open bucket goes


def proposed_ranks(held: Buckets, targets: Sequence[Target], deadline: Budget, seed: int) -> Iterator[Counted]:
    """How many queries have each rank, within the hits and near every target, from several starts."""
    ranks = _candidates(held, targets)
    gains = {rank: [float(gain(measure, rank)[0]) for measure, _, _ in targets] for rank in ranks}
    shares = _program(held, targets, ranks, gains, deadline)
    counted = _at_first(held) if shares is None else _rounded(held, ranks, shares)
    ends = [
        (low - 0.01 * (1 + high - low), high + 0.01 * (1 + high - low))
        for low, high in zip(held.least, held.most, strict=True)
    ] + [(float(low), float(high)) for _, low, high in targets]
    mean_rank = next((len(held.cutoffs) + row for row, (own, _, _) in enumerate(targets) if own.measure == "mr"), None)
    if held.queries == 1:
        ranks = list(range(1, min(_last(held) or _ALL_OF_ONE, _ALL_OF_ONE) + 1))
    sums, last = _sums(held, targets), _last(held)
    for attempt in range(TRIES):
        yield exchanged(
            counted, sums, ends, ranks, last=last, mean_rank=mean_rank, deadline=deadline, seed=seed + attempt
        )
        if deadline.passed:
            return


def _last(held: Buckets) -> int | None:
    """The last rank that a query may have: of all candidates, or of a cut-off within which all of them are."""
    whole = [cut for cut, least in zip(held.cutoffs, held.least, strict=True) if least == held.queries]
    return min([*whole, *([] if held.last is None else [held.last])], default=None)


def _sums(held: Buckets, targets: Sequence[Target]) -> Callable[[Any], Any]:
    """What queries of some ranks add to the hits of every cut-off, then to every target."""
    import numpy as np

    known: dict[int, list[float]] = {}

    def gains(rank: int) -> list[float]:
        if rank not in known:
            hits = [float(rank <= cut) for cut in held.cutoffs]
            known[rank] = hits + [float(gain(measure, rank)[0]) for measure, _, _ in targets]
        return known[rank]

    return lambda ranks: np.array([gains(int(rank)) for rank in ranks]).T


def _at_first(held: Buckets) -> Counted:
    """Every query at the first rank of its bucket, with as many hits as there may be."""
    counts = zip(held.spans, held.counts(held.most), strict=True)
    return {first: count for (first, _), count in counts if count}


def _candidates(held: Buckets, targets: Sequence[Target]) -> list[int]:
    """Ranks one by one after each cut-off, then ever further apart."""
    reach = max([float(high) for measure, _, high in targets if measure.measure == "mr"], default=1000.0)
    furthest = held.last or min(_FURTHEST, int(_WORST_RANK * reach) + 1000)
    chosen: set[int] = set()
    for first, last in held.spans:
        end = min(furthest, last) if last is not None else max(furthest, first)
        rank = first
        while rank <= end:
            chosen.add(rank)
            rank += max(1, (rank - first) // _GROWTH) if rank - first >= _ONE_BY_ONE else 1
        chosen.add(max(first, end))
    return sorted(chosen)


def _program(
    held: Buckets, targets: Sequence[Target], ranks: list[int], gains: dict[int, list[float]], deadline: Budget
) -> list[float] | None:
    """Numbers of queries per rank that keep off every end as far as possible; None if there are none."""
    import highspy
    import numpy as np

    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("time_limit", max(0.01, deadline.time_left()))
    size = float(held.queries)
    for _ in ranks:
        highs.addVar(0.0, 1.0)
    highs.addVar(0.0, 0.5)  # how far off the ends, as a share of the interval
    highs.changeColCost(len(ranks), -1.0)
    columns = np.arange(len(ranks) + 1, dtype=np.int32)
    highs.addRow(1.0, 1.0, len(ranks), columns[:-1], np.ones(len(ranks)))
    hits = [(cut, low, high) for cut, low, high in zip(held.cutoffs, held.least, held.most, strict=True)]
    rows = [([float(rank <= cut) for rank in ranks], low / size, high / size) for cut, low, high in hits]
    for place, (_, least, most) in enumerate(targets):
        rows.append(([gains[rank][place] for rank in ranks], float(least) / size, float(most) / size))
    for row, low, high in rows:
        scale = max(1.0, *map(abs, row))
        for sign, end in ((1.0, low), (-1.0, -high)):  # sign * row - width * t >= end
            values = np.array([*(sign * value for value in row), low - high]) / scale
            highs.addRow(end / scale, highspy.kHighsInf, len(columns), columns, values)
    highs.run()
    solution = highs.getSolution()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal or not solution.value_valid:
        return None
    return [max(0.0, float(value)) * size for value in solution.col_value[: len(ranks)]]


def _rounded(held: Buckets, ranks: list[int], shares: list[float]) -> Counted:
    """Whole numbers of queries whose running totals are the rounded ones, and within the hits."""
    ends = dict(zip(held.cutoffs, zip(held.least, held.most, strict=True), strict=True))
    so_far, totals = 0.0, [0]
    for rank, share in zip(ranks, shares, strict=True):
        so_far += share
        low, high = ends.get(rank, (0, held.queries))
        totals.append(max(totals[-1], low, min(high, round(so_far))))
    totals[-1] = held.queries
    return {rank: b - a for rank, (a, b) in zip(ranks, pairwise(totals), strict=True) if b > a}


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
        for ranks in proposed_ranks(held, targets, deadline, seed):
            witness = Ranks(tuple(sorted(ranks.items())))
            if self.holds(problem, witness):
                return Decision(witness)
        return Decision(
            reason="every bound holds, but no ranks that give all of these were found: a linear program over ranks was "
            f"rounded, and ranks of two queries at once were exchanged, from {TRIES} starts"
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
