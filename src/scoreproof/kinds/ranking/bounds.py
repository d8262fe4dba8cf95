"""What hits leave for the mean of a function of the rank.

Hits@k say how many ranks are at most k. A mean of a function that falls with the rank is least if as few as possible
are within each k and each rank is the last of its bucket, greatest if as many as possible are and each rank is the
first: both are attained, so nothing sharper holds of one measure beside hits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from scoreproof.kinds.ranking.measures import Ends, gain
from scoreproof.kinds.ranking.problem import RankingProblem, hits_of, measure_of
from scoreproof.quantities.ranking import RankMean


@dataclass(frozen=True, slots=True)
class Buckets:
    """Ranks between cut-offs: how many are within each, at least and at most; the last bucket has perhaps no end."""

    queries: int
    cutoffs: tuple[int, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]
    last: int | None

    @property
    def possible(self) -> bool:
        return all(low <= high for low, high in zip(self.least, self.most, strict=True))

    @property
    def spans(self) -> list[tuple[int, int | None]]:
        """The first and the last rank of every bucket, the one beyond all cut-offs included if there is one."""
        ends: list[int | None] = [*self.cutoffs]
        if self.last is None or self.last > (self.cutoffs or (0,))[-1]:
            ends.append(self.last)
        return [(first, last) for first, last in zip([1, *(cut + 1 for cut in self.cutoffs)], ends, strict=False)]

    def counts(self, within: Sequence[int]) -> list[int]:
        """How many ranks are in each bucket, from how many are within each cut-off."""
        all_within = [0, *within, *([self.queries] if len(self.spans) > len(self.cutoffs) else [])]
        return [after - before for before, after in pairwise(all_within)]


def buckets(problem: RankingProblem) -> Buckets:
    """The buckets of a report's hits; impossible ones if the hits contradict each other."""
    queries, last = problem.experiment.queries, problem.experiment.candidates
    within: dict[int, tuple[int, int]] = {}
    for claim in problem.claims:
        hits = hits_of(claim, queries)
        if hits is not None:
            cutoff = measure_of(claim).cutoff or 1
            if last is not None and cutoff >= last:
                cutoff = last
                hits = max(hits[0], queries), hits[1]
            low, high = within.get(cutoff, (0, queries))
            within[cutoff] = max(low, hits[0]), min(high, hits[1])
    if last is not None and last not in within:
        within[last] = queries, queries
    cutoffs = sorted(within)
    least, most = [within[cut][0] for cut in cutoffs], [within[cut][1] for cut in cutoffs]
    for place in range(1, len(cutoffs)):
        least[place] = max(least[place], least[place - 1])
    for place in range(len(cutoffs) - 2, -1, -1):
        most[place] = min(most[place], most[place + 1])
    return Buckets(queries, tuple(cutoffs), tuple(least), tuple(most), last)


def mean_bounds(found: Buckets, measure: RankMean) -> tuple[Fraction, Fraction | None]:
    """The least and the greatest mean of a measure; None if nothing bounds it."""
    spans = found.spans
    many, few = found.counts(found.most), found.counts(found.least)
    starts = [gain(measure, first) for first, _ in spans]
    stops = [_at_end(measure, last) for _, last in spans]
    if measure.measure == "mr":
        least = _total(many, starts, low=True)
        open_end = any(stop is None and count for stop, count in zip(stops, few, strict=True))
        most = None if open_end else _total(few, [stop or (Fraction(0),) * 2 for stop in stops], low=False)
        return least / found.queries, None if most is None else most / found.queries
    return (
        _total(few, [stop or (Fraction(0),) * 2 for stop in stops], low=True) / found.queries,
        _total(many, starts, low=False) / found.queries,
    )


def _at_end(measure: RankMean, last: int | None) -> Ends | None:
    return None if last is None else gain(measure, last)


def _total(counts: Sequence[int], gains: Sequence[Ends], *, low: bool) -> Fraction:
    return sum((count * ends[0 if low else 1] for count, ends in zip(counts, gains, strict=True)), Fraction(0))
