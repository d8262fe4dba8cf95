"""Ranks that give a report, proposed by a linear program over a few ranks and rounded to whole queries.

The program keeps off every end as far as it can, so that rounding does no harm where there are many queries. Where
there are few, pairs of queries then get new ranks. Floats propose; whether the ranks give the report is judged exactly,
elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from scoreproof.kinds.ranking.bounds import Buckets
from scoreproof.kinds.ranking.exchange import Counted, exchanged
from scoreproof.kinds.ranking.measures import gain
from scoreproof.quantities.ranking import RankMean
from scoreproof.work.budget import Budget

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
