"""A report about the ranks of one relevant item per query, its measures between rationals, and bounds that hits leave.

Logarithms come from the decimal module, which rounds them correctly; the margin is far above its last digit.

Hits@k say how many ranks are at most k. A mean of a function that falls with the rank is least if as few as possible
are within each k and each rank is the last of its bucket, greatest if as many as possible are and each rank is the
first: both are attained, so nothing sharper holds of one measure beside hits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, lcm
from typing import Annotated, Any, ClassVar, cast

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.statement import Described, ScoresOf, StatedFields
from scoreproof.quantities.task_quantities import RankMean
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import refuse_spread
from scoreproof.reported.conventions import USUAL, Conventions
from scoreproof.validation import whole

Ends = tuple[Fraction, Fraction]
_DIGITS = 50
_MARGIN = Fraction(1, 10**40)


def gain(measure: RankMean, rank: int) -> Ends:
    """Rationals around what one query of a rank adds to a measure.

    >>> from scoreproof.quantities.task_quantities import rank_mean
    >>> gain(rank_mean("mrr", 10), 4), gain(rank_mean("mrr", 10), 11)
    ((Fraction(1, 4), Fraction(1, 4)), (Fraction(0, 1), Fraction(0, 1)))
    """
    if measure.measure == "mr":
        return Fraction(rank), Fraction(rank)
    if measure.cutoff is not None and rank > measure.cutoff:
        return Fraction(0), Fraction(0)
    if measure.measure == "hits":
        return Fraction(1), Fraction(1)
    if measure.measure == "p":
        return Fraction(1, measure.cutoff or 1), Fraction(1, measure.cutoff or 1)
    return (Fraction(1, rank), Fraction(1, rank)) if measure.measure == "mrr" else discount(rank)


@lru_cache(maxsize=65536)
def discount(rank: int) -> Ends:
    """Rationals around 1 / log2(1 + rank), equal where it is one."""
    power = rank.bit_length()
    if rank + 1 == 1 << power:
        return Fraction(1, power), Fraction(1, power)
    with localcontext() as context:
        context.prec = _DIGITS
        value = Fraction(Decimal(2).ln() / Decimal(rank + 1).ln())
    return value - _MARGIN, value + _MARGIN


MOST_QUERIES = 10**12


@dataclass(frozen=True, slots=True)
class Ranking(Described):
    """Queries of which each has one relevant item, found at a rank from 1 on; ``candidates`` is the last rank there is.

    Without ``queries`` there is any number of them, and means over runs or sets of queries are meant, too: then only
    what holds between shares of queries is tested.

    >>> str(Ranking(queries=1000)), str(Ranking())
    ('1000 queries with one relevant item each', 'any number of queries with one relevant item each')
    """

    kind: ClassVar[str] = "ranking"
    queries: int | None = None
    candidates: int | None = None

    def __post_init__(self) -> None:
        for name in ("queries", "candidates"):
            value = getattr(self, name)
            if value is not None:
                number = whole(name, value, at_least=1, at_most=MOST_QUERIES, error=InvalidExperiment)
                object.__setattr__(self, name, number)

    def __str__(self) -> str:
        among = "" if self.candidates is None else f", among {self.candidates} candidates"
        return f"{self.queries or 'any number of'} queries with one relevant item each{among}"


@dataclass(frozen=True, slots=True)
class RankingProblem(StatedFields):
    """Means over queries of functions of the rank."""

    kind: ClassVar[str] = "ranking"
    experiment: Ranking
    claims: Annotated[tuple[Claim, ...], ScoresOf("ranking")]

    def __post_init__(self) -> None:
        refuse_spread(self.claims)

    @property
    def queries(self) -> int:
        """How many queries there are; of any number, the fewest of which every end of a share is a whole number.

        Shares may be anything between their ends then, so that what is impossible of these is so of any number.
        """
        if self.experiment.queries is not None:
            return self.experiment.queries
        shares = [claim for claim in self.claims if measure_of(claim).measure in ("hits", "p")]
        ends = [end * _unit(claim) for claim in shares for end in (claim.low, claim.high)]
        return lcm(*(end.denominator for end in ends))


def ranking_problem(experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions = USUAL) -> RankingProblem:
    """The problem of an experiment and what was printed of it."""
    how.refuse_all_but(("rounding", "eps", "digits", "decimal_comma"), f"no such option for {experiment}")
    return RankingProblem(experiment, read_scores(scores, how, kind="ranking"))


def measure_of(claim: Claim) -> RankMean:
    """What a claim is about."""
    return cast(RankMean, claim.quantity)


def _unit(claim: Claim) -> int:
    """How many shares of queries a claim's measure is of: the precision at k is that of hits, divided by k."""
    measure = measure_of(claim)
    return (measure.cutoff or 1) if measure.measure == "p" else 1


def hits_of(claim: Claim, queries: int) -> tuple[int, int] | None:
    """The least and the greatest number of hits that print like this; None of a measure that counts no hits."""
    measure = measure_of(claim)
    if measure.measure not in ("hits", "p"):
        return None
    times = queries * _unit(claim)
    return max(0, ceil(claim.low * times)), min(queries, floor(claim.high * times))


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


def buckets(problem: RankingProblem, times: int = 1) -> Buckets:
    """The buckets of a report's hits, of ``times`` as many queries; impossible if the hits contradict each other."""
    queries, last = problem.queries * times, problem.experiment.candidates
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


def mean_bounds(held: Buckets, measure: RankMean) -> tuple[Fraction, Fraction | None]:
    """The least and the greatest mean of a measure; None if nothing bounds it."""
    none = (Fraction(0),) * 2
    starts = [gain(measure, first) for first, _ in held.spans]
    stops = [none if last is None else gain(measure, last) for _, last in held.spans]
    near = _mean(held, held.most, starts)
    far = _mean(held, held.least, stops)
    if measure.measure != "mr":
        return far[0], near[1]
    open_end = held.spans[-1][1] is None and held.counts(held.least)[-1] > 0
    return near[0], None if open_end else far[1]


def _mean(held: Buckets, within: Sequence[int], gains: Sequence[Ends]) -> Ends:
    """Rationals around the mean of what queries add, so many of which are within each cut-off."""
    pairs = list(zip(held.counts(within), gains, strict=True))
    low, high = (sum((count * ends[side] for count, ends in pairs), Fraction(0)) for side in (0, 1))
    return low / held.queries, high / held.queries
