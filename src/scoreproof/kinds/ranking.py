"""Two queries at a time get new ranks, or many at once, wherever they together bring the report nearest.

Every measure, hits included, is a sum over queries, so all pairs of ranks are tried at once. Of many queries all
choices of ranks for one half are listed, and for each the choice for the other half that brings what it lacks is looked
for in a tree: with few ranks that matter, that is nearly every report there is. Floats propose.

Ranks that give a report, proposed by a linear program over a few ranks and rounded to whole queries.

The program keeps off every end as far as it can, so that rounding does no harm where there are many queries. Where
there are few, pairs of queries then get new ranks. Floats propose; whether the ranks give the report is judged exactly,
elsewhere.

Hits, reciprocal ranks and discounted gains of queries with one relevant item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise
from math import comb
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
from scoreproof.quantities import RANKING, Quantity
from scoreproof.quantities.ranking import RankMean
from scoreproof.reported import Claim
from scoreproof.results import SmallTable, Tabular
from scoreproof.work.budget import Budget

_STEPS = 400
_STEP, _LISTED = 2e-4, 5e-3  # seconds of an exchange of two, and of many
_MANY, _PAIRED = 0.08, 48  # how often many ranks are changed, and among how many
_TABLE = 3_000  # choices of ranks that are listed
_ASIDE, _AMONG = 0.3, 40  # how often one of the best pairs is taken instead of the best, and of how many
_NEAR = 24  # ranks from the first on that are all tried
_FEW = 90  # ranks that are tried at all
_SPREAD = 40  # of them those that a mean rank asks for

Counted = dict[int, int]  # how many queries have each rank


def exchanged(
    ranks: Counted,
    sums: Callable[[Any], Any],
    ends: Sequence[tuple[float, float]],
    known: Sequence[int],
    *,
    last: int | None,
    mean_rank: int | None,
    deadline: Budget,
    seed: int,
) -> Counted:
    """The ranks with pairs exchanged until every sum lies between its ends, or the steps are used up.

    ``sums`` gives what queries of some ranks add to each measure, a row per measure; ``mean_rank`` is the row of the
    mean rank if it is reported; ``known`` are ranks worth trying.
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    low, high = np.array(ends, dtype=float).T
    middle, room = (low + high) / 2, np.maximum((high - low) / 2, 1e-12 * np.maximum(1.0, abs(high)))

    def cost(values: Any) -> Any:
        shape = (-1,) + (1,) * (values.ndim - 1)
        off = abs(values - middle.reshape(shape)) / room.reshape(shape)
        return np.log1p(np.maximum(off - 0.9999, 0.0)).sum(axis=0)

    counts = dict(ranks)
    for _ in range(_STEPS):
        deadline.charge(_STEP)
        places = np.array(sorted(counts))
        weights = np.array([counts[int(rank)] for rank in places], dtype=float)
        total = sums(places) @ weights
        if cost(total) == 0 or deadline.passed:
            break
        likely = weights / weights.sum() if rng.random() < 0.5 else None
        pair: tuple[int, ...] = tuple(int(rank) for rank in rng.choice(places, 2, p=likely))
        if pair[0] == pair[1] and counts[pair[0]] < 2:
            if sum(counts.values()) > 1:
                continue
            pair = (pair[0],)
        rest = total - sums(np.array(pair)).sum(axis=1)
        tried = _new_ranks(known, pair, None if mean_rank is None else middle[mean_rank] - rest[mean_rank], last, rng)
        gained = sums(tried)
        queries = int(weights.sum())
        if rng.random() < _MANY and queries >= 4:
            tried, gained = _apart(tried, gained, rng)
            size = _size(len(tried), queries)
            pair = _drawn(rng, counts, 2 * size)
            rest = total - sums(np.array(pair)).sum(axis=1)
            deadline.charge(_LISTED)
            new = _many(rest, tried, gained, size, (middle, room), rng)
        elif len(pair) == 1:
            new = [int(tried[int(np.argmin(cost(rest[:, None] + gained)))])]
        else:
            found = cost(rest[:, None, None] + gained[:, :, None] + gained[:, None, :])
            least = found.min()
            if least > 0 and rng.random() < _ASIDE:
                least = np.partition(found, min(_AMONG, found.size - 1), axis=None)[min(_AMONG, found.size - 1)]
            choices = np.argwhere(found <= least * (1 + 1e-9))
            new = [int(tried[place]) for place in choices[rng.integers(len(choices))]]
        for rank in pair:
            counts[rank] -= 1
            if not counts[rank]:
                del counts[rank]
        for rank in new:
            counts[rank] = counts.get(rank, 0) + 1
    return counts


def _drawn(rng: Any, counts: Counted, number: int) -> tuple[int, ...]:
    """The ranks of so many queries, all of them alike."""
    import numpy as np

    ranks = np.array(sorted(counts))
    drawn = rng.multivariate_hypergeometric([counts[int(rank)] for rank in ranks], number)
    return tuple(int(rank) for rank, times in zip(ranks, drawn, strict=True) for _ in range(times))


def _size(ranks: int, queries: int) -> int:
    """How many queries of so many ranks a table of all their choices has."""
    size = 2
    while 2 * size + 2 <= queries and comb(ranks + size, size + 1) <= _TABLE:
        size += 1
    return size


def _many(rest: Any, tried: Any, gained: Any, size: int, aim: tuple[Any, Any], rng: Any) -> list[int]:
    """Ranks of twice so many queries whose sums, with the rest, come nearest to the middles, in rooms of the claims."""
    import numpy as np
    from scipy.spatial import cKDTree

    middle, room = aim
    table = np.array(list(combinations_with_replacement(range(len(tried)), size)))
    sums = gained[:, table].sum(axis=2) / room[:, None]
    wanted = ((middle - rest) / room)[:, None] - sums
    found: tuple[Any, Any] = cKDTree(sums.T).query(wanted.T, p=np.inf)
    distance, partner = found
    near = np.flatnonzero(distance <= max(distance.min(), 0.9999))
    best = int(near[rng.integers(len(near))])
    return [int(tried[place]) for place in (*table[best], *table[int(partner[best])])]


def _apart(tried: Any, gained: Any, rng: Any) -> tuple[Any, Any]:
    """Of ranks that add the same to every measure one each, and of these not too many: the first, and some others."""
    import numpy as np

    _, first = np.unique(gained, axis=1, return_index=True)
    first.sort()
    if len(first) > _PAIRED:
        first = np.unique(np.concatenate([first[: _PAIRED // 2], rng.choice(first, _PAIRED // 2)]))
    return tried[first], gained[:, first]


def _new_ranks(known: Sequence[int], pair: Sequence[int], wanted: float | None, last: int | None, rng: Any) -> Any:
    """Ranks to try: the first ones, those worth trying, those of the pair, and what a mean rank leaves for one."""
    import numpy as np

    near = np.arange(1, _NEAR + 1)
    some = np.array(known)
    if len(some) > _FEW and len(pair) > 1:
        some = rng.choice(some, _FEW, replace=False)
    found = [near, some, np.array(pair)]
    if wanted is not None:
        found.append(np.floor(wanted + 0.5).astype(np.int64) - np.concatenate([[0], np.arange(1, _SPREAD), pair]))
    together = np.unique(np.concatenate(found).astype(np.int64))
    return together[(together >= 1) & (together <= (last or together.max()))]


Target = tuple[RankMean, Fraction, Fraction]  # the measure and the ends of its sum over queries
_ONE_BY_ONE = 16  # ranks after a cut-off that all take part
_GROWTH = 4  # of the steps beyond them, as a share
_FURTHEST = 10**7
_ALL_OF_ONE = 5_000  # ranks of a single query that are all tried
TRIES = 5
_WORST_RANK = 10.0  # of the mean rank: how far out an open bucket goes


def proposed_ranks(found: Buckets, targets: Sequence[Target], deadline: Budget, seed: int) -> Iterator[Counted]:
    """How many queries have each rank, within the hits and near every target, from several starts."""
    ranks = _candidates(found, targets)
    gains = {rank: [float(gain(measure, rank)[0]) for measure, _, _ in targets] for rank in ranks}
    shares = _program(found, targets, ranks, gains, deadline)
    counted = _at_first(found) if shares is None else _rounded(found, ranks, shares)
    ends = [
        (low - 0.01 * (1 + high - low), high + 0.01 * (1 + high - low))
        for low, high in zip(found.least, found.most, strict=True)
    ] + [(float(low), float(high)) for _, low, high in targets]
    mean_rank = next((len(found.cutoffs) + row for row, (own, _, _) in enumerate(targets) if own.measure == "mr"), None)
    if found.queries == 1:
        ranks = list(range(1, min(_last(found) or _ALL_OF_ONE, _ALL_OF_ONE) + 1))
    sums, last = _sums(found, targets), _last(found)
    for attempt in range(TRIES):
        yield exchanged(
            counted, sums, ends, ranks, last=last, mean_rank=mean_rank, deadline=deadline, seed=seed + attempt
        )
        if deadline.passed:
            return


def _last(found: Buckets) -> int | None:
    """The last rank that a query may have: of all candidates, or of a cut-off within which all of them are."""
    whole = [cut for cut, least in zip(found.cutoffs, found.least, strict=True) if least == found.queries]
    return min([*whole, *([] if found.last is None else [found.last])], default=None)


def _sums(found: Buckets, targets: Sequence[Target]) -> Callable[[Any], Any]:
    """What queries of some ranks add to the hits of every cut-off, then to every target."""
    import numpy as np

    known: dict[int, list[float]] = {}

    def gains(rank: int) -> list[float]:
        if rank not in known:
            hits = [float(rank <= cut) for cut in found.cutoffs]
            known[rank] = hits + [float(gain(measure, rank)[0]) for measure, _, _ in targets]
        return known[rank]

    return lambda ranks: np.array([gains(int(rank)) for rank in ranks]).T


def _at_first(found: Buckets) -> Counted:
    """Every query at the first rank of its bucket, with as many hits as there may be."""
    counts = zip(found.spans, found.counts(found.most), strict=True)
    return {first: count for (first, _), count in counts if count}


def _candidates(found: Buckets, targets: Sequence[Target]) -> list[int]:
    """Ranks one by one after each cut-off, then ever further apart."""
    reach = max([float(high) for measure, _, high in targets if measure.measure == "mr"], default=1000.0)
    furthest = found.last or min(_FURTHEST, int(_WORST_RANK * reach) + 1000)
    chosen: set[int] = set()
    for first, last in found.spans:
        end = min(furthest, last) if last is not None else max(furthest, first)
        rank = first
        while rank <= end:
            chosen.add(rank)
            rank += max(1, (rank - first) // _GROWTH) if rank - first >= _ONE_BY_ONE else 1
        chosen.add(max(first, end))
    return sorted(chosen)


def _program(
    found: Buckets, targets: Sequence[Target], ranks: list[int], gains: dict[int, list[float]], deadline: Budget
) -> list[float] | None:
    """Numbers of queries per rank that keep off every end as far as possible; None if there are none."""
    import highspy
    import numpy as np

    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("time_limit", max(0.01, deadline.time_left()))
    size = float(found.queries)
    for _ in ranks:
        highs.addVar(0.0, 1.0)
    highs.addVar(0.0, 0.5)  # how far off the ends, as a share of the interval
    highs.changeColCost(len(ranks), -1.0)
    every = np.arange(len(ranks), dtype=np.int32)
    highs.addRow(1.0, 1.0, len(ranks), every, np.ones(len(ranks)))
    rows = [
        ([1.0 if rank <= cut else 0.0 for rank in ranks], low / size, high / size)
        for cut, low, high in zip(found.cutoffs, found.least, found.most, strict=True)
    ]
    for place, (_, least, most) in enumerate(targets):
        rows.append(([gains[rank][place] for rank in ranks], float(least) / size, float(most) / size))
    columns = np.arange(len(ranks) + 1, dtype=np.int32)
    for row, low, high in rows:
        scale = max(1.0, *map(abs, row))
        width = high - low
        for sign, end in ((1.0, low), (-1.0, -high)):  # sign * row - width * t >= end
            values = np.array([*(sign * value / scale for value in row), -width / scale])
            highs.addRow(end / scale, highspy.kHighsInf, len(columns), columns, values)
    highs.run()
    solution = highs.getSolution()
    if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal or not solution.value_valid:
        return None
    return [max(0.0, float(value)) * size for value in solution.col_value[: len(ranks)]]


def _rounded(found: Buckets, ranks: list[int], shares: list[float]) -> Counted:
    """Whole numbers of queries whose running totals are the rounded ones, and within the hits."""
    ends = dict(zip(found.cutoffs, zip(found.least, found.most, strict=True), strict=True))
    so_far, totals = 0.0, [0]
    for rank, share in zip(ranks, shares, strict=True):
        so_far += share
        low, high = ends.get(rank, (0, found.queries))
        totals.append(max(totals[-1], low, min(high, round(so_far))))
    totals[-1] = found.queries
    return {rank: b - a for rank, (a, b) in zip(ranks, pairwise(totals), strict=True) if b > a}


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
