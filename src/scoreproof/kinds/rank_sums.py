"""Sums of ranks, bounded on a base polyhedron (Frank and Tardos 1988, doi:10.1007/BF01589421), and sign patterns.

Mean ranks of methods over data sets. A sum of ranks over J data sets is a whole number, in halves if ranks are shared.
The K sums add up to J K (K + 1) / 2; m of them together are at least J (1 + ... + m) and at most J times the m largest
ranks. Within spans such sums exist exactly if every set of methods meets these three conditions at the ends of its
spans, and of all sets of m the one with the smallest upper, or largest lower, ends is the one to look at.

The p-value, and perhaps the statistic, of an exact test over pairs. Wilcoxon's signed ranks, the sign test and any test
that exchanges the two values of a pair count sign patterns: of 2^k equally likely ones those at least as extreme as
what was seen, on one side or, twice as many, on both. Ties change what is counted and zeros the number of pairs, but p
stays a multiple of 1/2^k, or of 2/2^k, and never is 0. The sum of ranks lies between 0 and k (k + 1) / 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Annotated, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.statement import SIDES, Entries, StatedFields, StatisticAndP, WholeNumbers
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.printed_text import PrintedP
from scoreproof.validation import chosen, truth, whole
from scoreproof.work.budget import Budget

MEAN_RANK = Quantity("mean rank", "mean rank", range=(Fraction(1), None), direction=-1, kind="printed")
MOST_METHODS = 1000
MOST_DATA_SETS = 10**9


@dataclass(frozen=True, slots=True)
class MeanRanksProblem(StatedFields):
    """Mean ranks of printed methods; ``methods`` is how many were ranked, ``ties`` whether ranks may be shared."""

    kind: ClassVar[str] = "mean_ranks"
    claims: Annotated[tuple[Claim, ...], Entries(MEAN_RANK, named=True)]
    methods: int
    data_sets: int
    ties: bool = True

    def __post_init__(self) -> None:
        whole("methods", self.methods, at_least=2, at_most=MOST_METHODS)
        whole("datasets", self.data_sets, at_least=1, at_most=MOST_DATA_SETS)
        truth("ties", self.ties)
        names = [claim.name for claim in self.claims]
        if len(names) > self.methods or len(set(names)) != len(names):
            raise InvalidOption(f"claims: expected at most {self.methods} mean ranks of different methods")

    @property
    def unit(self) -> int:
        """How many units a rank has: a shared rank may lie half-way between two."""
        return 2 if self.ties else 1

    def spans(self) -> list[tuple[int, int]]:
        """The sums of ranks in units that print as each mean; those that are not printed may be anything."""
        share = self.unit * self.data_sets
        printed = [
            (max(share, ceil(claim.low * share)), min(share * self.methods, floor(claim.high * share)))
            for claim in self.claims
        ]
        return printed + [(share, share * self.methods)] * (self.methods - len(printed))


class MeanRanks(Kind[MeanRanksProblem, WholeNumbers]):
    """Mean ranks of methods over data sets."""

    name = "mean_ranks"
    problem_type = MeanRanksProblem
    witness_type = WholeNumbers

    def decide(self, problem: MeanRanksProblem, *, deadline: Budget, seed: int) -> Decision[WholeNumbers]:
        spans, share = problem.spans(), problem.unit * problem.data_sets
        for place, (low, high) in enumerate(spans):
            if low > high:
                return Decision(proof={"kind": "fraction", "place": place})
        if not sum(low for low, _ in spans) <= _least(problem.methods, share) <= sum(high for _, high in spans):
            return Decision(proof={"kind": "total"})
        order = sorted(range(len(spans)), key=lambda place: spans[place][1])
        for m, total in enumerate(accumulate(spans[place][1] for place in order), 1):
            if total < _least(m, share):
                return Decision(proof={"kind": "best", "places": sorted(order[:m])})
        order = sorted(range(len(spans)), key=lambda place: -spans[place][0])
        for m, total in enumerate(accumulate(spans[place][0] for place in order), 1):
            if total > _most(m, problem.methods, share):
                return Decision(proof={"kind": "worst", "places": sorted(order[:m])})
        sums = _raised(spans, problem.methods, share)
        return Decision(WholeNumbers(tuple(f"sum {place}" for place in range(1, len(sums) + 1)), tuple(sums)))

    def holds(self, problem: MeanRanksProblem, witness: WholeNumbers) -> bool:
        sums, spans, share = witness.values, problem.spans(), problem.unit * problem.data_sets
        if len(sums) != len(spans) or sum(sums) != _least(problem.methods, share):
            return False
        inside = all(low <= value <= high for value, (low, high) in zip(sums, spans, strict=True))
        return inside and all(total >= _least(m, share) for m, total in enumerate(accumulate(sorted(sums)), 1))

    def subject(self, problem: MeanRanksProblem) -> str:
        shared = "" if problem.ties else " without ties"
        return f"a ranking of {problem.methods} methods over {problem.data_sets:,} data sets{shared}"

    def because(self, problem: MeanRanksProblem) -> str:
        proof = self.decide(problem, deadline=Budget.of_work(1.0), seed=0).proof or {}
        share = problem.unit * problem.data_sets
        if proof.get("kind") == "fraction":
            text = problem.claims[proof["place"]].text
            return f"{text} is no mean of {problem.data_sets:,} ranks from 1 to {problem.methods}"
        if proof.get("kind") == "total":
            low, high = (sum(ends) / share for ends in zip(*problem.spans(), strict=True))
            wanted = problem.methods * (problem.methods + 1) / 2
            return f"the mean ranks must add up to {wanted:g}, and add up to {low:.6g} to {high:.6g}"
        if proof.get("kind") == "best":
            m = len(proof["places"])
            return f"the {m} smallest mean ranks add up to less than {m * (m + 1) / 2:g}"
        m, k = len(proof.get("places", ())), problem.methods
        return f"the {m} largest mean ranks add up to more than {m * (2 * k - m + 1) / 2:g}"


def _least(m: int, share: int) -> int:
    """What m sums of ranks are together at least."""
    return share * m * (m + 1) // 2


def _most(m: int, methods: int, share: int) -> int:
    """What m sums of ranks are together at most."""
    return _least(methods, share) - _least(methods - m, share)


def _raised(spans: Sequence[tuple[int, int]], methods: int, share: int) -> list[int]:
    """Sums within their spans that meet the conditions: as even as the spans allow, and of the right total.

    Of all sums within the spans the most even ones are majorised by all others, so if any meets the conditions they do.
    """
    low, high = share, share * methods
    while low < high:  # the largest level up to which all sums can be raised
        level = (low + high + 1) // 2
        total = sum(min(max(level, bottom), top) for bottom, top in spans)
        low, high = (level, high) if total <= _least(methods, share) else (low, level - 1)
    sums = [min(max(low, bottom), top) for bottom, top in spans]
    left = _least(methods, share) - sum(sums)
    for place, (_, top) in enumerate(spans):
        if left and sums[place] == low and top > low:
            sums[place] += 1
            left -= 1
    return sums


MEAN_RANKS = MeanRanks()


STATISTIC = Quantity("W", "sum of ranks", range=(Fraction(0), None), kind="printed")
MOST_PAIRS = 1000


@dataclass(frozen=True, slots=True)
class SignPatternsProblem(StatisticAndP):
    """So many pairs, the sides of the test, and the printed p-value and sum of ranks; either may be missing."""

    kind: ClassVar[str] = "sign_patterns"
    pairs: int
    p: PrintedP | None
    statistic: Annotated[Claim | None, Entries(STATISTIC)] = None
    sides: str = "any"

    def __post_init__(self) -> None:
        whole("pairs", self.pairs, at_least=1, at_most=MOST_PAIRS)
        chosen("sides", self.sides, SIDES)

    @property
    def largest_sum(self) -> int:
        """All ranks together."""
        return self.pairs * (self.pairs + 1) // 2


class SignPatterns(Kind[SignPatternsProblem, WholeNumbers]):
    """The p-value of an exact test over pairs."""

    name = "sign_patterns"
    problem_type = SignPatternsProblem
    witness_type = WholeNumbers

    def decide(self, problem: SignPatternsProblem, *, deadline: Budget, seed: int) -> Decision[WholeNumbers]:
        if problem.statistic is not None and problem.statistic.low > problem.largest_sum:
            return Decision(proof={"kind": "sum"})
        if problem.p is None:
            return Decision(WholeNumbers.of(patterns=step_of(problem)))
        step = step_of(problem)
        patterns = step * max(1, ceil(problem.p.low * 2**problem.pairs / step))
        if patterns <= 2**problem.pairs * problem.p.high:
            return Decision(WholeNumbers.of(patterns=patterns))
        return Decision(proof={"kind": "multiple"})

    def holds(self, problem: SignPatternsProblem, witness: WholeNumbers) -> bool:
        patterns, every = witness["patterns"], 2**problem.pairs
        if problem.statistic is not None and problem.statistic.low > problem.largest_sum:
            return False
        if not 0 < patterns <= every or patterns % step_of(problem):
            return False
        return problem.p is None or problem.p.low * every <= patterns <= problem.p.high * every

    def subject(self, problem: SignPatternsProblem) -> str:
        return (
            f"an exact {SIDES[problem.sides]}test over {problem.pairs} pairs{problem.p.as_bound if problem.p else ''}"
        )

    def because(self, problem: SignPatternsProblem) -> str:
        if problem.statistic is not None and problem.statistic.low > problem.largest_sum:
            return f"the ranks of {problem.pairs} pairs add up to {problem.largest_sum}"
        step = step_of(problem)
        return f"p is a multiple of {step}/2^{problem.pairs} = {step / 2**problem.pairs:.4g} and not 0"


def step_of(problem: SignPatternsProblem) -> int:
    """How many sign patterns count at once: both of a mirrored pair in a two-sided test."""
    return 2 if problem.sides == "two" else 1


SIGN_PATTERNS = SignPatterns()
