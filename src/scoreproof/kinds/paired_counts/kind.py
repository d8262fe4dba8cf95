"""Can McNemar's test have given a printed p-value, when the two rates are as printed?"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoreproof.errors import NotCovered
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.paired_counts.engine import HALVED, Discordant, counts_of, discordant, fitting, p_bounds
from scoreproof.kinds.paired_counts.problem import METHODS, PairedCountsProblem, RatePair
from scoreproof.kinds.whole_numbers import WholeNumbers
from scoreproof.work.budget import Budget, OutOfTime

_LETTERS = ("", "2")  # of the counts of the second class


class PairedCounts(Kind[PairedCountsProblem, WholeNumbers]):
    """Two rates on the same cases and the p-value of McNemar's test."""

    name = "paired_counts"

    def read(self, statement: Mapping[str, Any]) -> PairedCountsProblem:
        return PairedCountsProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> WholeNumbers:
        return WholeNumbers.from_dict(document)

    def decide(self, problem: PairedCountsProblem, *, deadline: Budget, seed: int) -> Decision[WholeNumbers]:
        try:
            return _decided(problem, deadline)
        except NotCovered as why:
            return Decision(reason=str(why))
        except OutOfTime:
            return Decision(reason="not all differences were tried in the time allowed")

    def holds(self, problem: PairedCountsProblem, witness: WholeNumbers) -> bool:
        b = c = 0
        for pair, letter in zip(problem.pairs, _LETTERS, strict=False):
            right, other, only = (witness[f"{name}{letter}"] for name in ("first", "second", "b"))
            if right not in counts_of(pair.first, pair.cases) or other not in counts_of(pair.second, pair.cases):
                return False
            if not max(0, right - other) <= only <= min(right, pair.cases - other):
                return False
            b, c = b + only, c + only - (right - other)
        if problem.p is None:
            return True
        if b == c and problem.p.high >= 1 and HALVED.intersection(problem.methods):
            return True
        return any(_within(p_bounds(method, b, c), problem.p.low, problem.p.high) for method in problem.methods)

    def subject(self, problem: PairedCountsProblem) -> str:
        cases = sum(pair.cases for pair in problem.pairs)
        methods = "any method" if set(problem.methods) == set(METHODS) else " or ".join(problem.methods)
        bound = problem.p.as_bound if problem.p else ""
        return f"two methods on the same {cases:,} cases and McNemar's test ({methods}){bound}"

    def because(self, problem: PairedCountsProblem) -> str:
        allowed = discordant(problem)
        if not allowed:
            return "no numbers of cases print as the two rates"
        low, high = allowed[0].difference, allowed[-1].difference
        between = f"{low}" if low == high else f"{low} to {high}"
        return f"the two differ by {between} cases, whatever their overlap no such p-value comes of it"


def _decided(problem: PairedCountsProblem, deadline: Budget) -> Decision[WholeNumbers]:
    allowed = discordant(problem)
    if not allowed:
        return Decision(proof={"kind": "counts"})
    if problem.p is None:
        return Decision(_counts(problem, allowed[0], allowed[0].fewest))
    cuts: dict[str, list[int]] = {}
    open_ended = False
    for method in problem.methods:
        cuts[method] = []
        for difference, split, fits in fitting(problem, allowed, method, deadline):
            if fits:
                witness = _counts(problem, difference, split)
                if witness is not None:
                    return Decision(witness)
                open_ended = True
            cuts[method].append(split)
    if open_ended:
        return Decision(reason="the differences of the two classes leave it open")
    return Decision(proof={"kind": "cuts", "cuts": cuts})


def _counts(problem: PairedCountsProblem, wanted: Discordant, b: int) -> WholeNumbers | None:
    """Right answers of both methods, class by class, with this difference and this b; None if none were found."""
    if len(problem.pairs) == 1:
        pair = problem.pairs[0]
        for right in _rights(pair, wanted.difference):
            if b <= min(right, pair.cases - right + wanted.difference):
                return WholeNumbers.of(first=right, second=right - wanted.difference, b=b)
        return None
    one, other = problem.pairs
    for first in counts_of(one.first, one.cases):
        for second in counts_of(one.second, one.cases):
            rest = wanted.difference - (first - second)
            for right in _rights(other, rest):
                low, high = max(0, first - second), min(first, one.cases - second)
                low2, high2 = max(0, rest), min(right, other.cases - right + rest)
                if low + low2 <= b <= high + high2:
                    b1 = min(high, b - low2)
                    return WholeNumbers.of(
                        first=first, second=second, b=b1, first2=right, second2=right - rest, b2=b - b1
                    )
    return None


def _rights(pair: RatePair, difference: int) -> range:
    """The right answers of the first that leave the second a count that prints as its rate; in the middle the best."""
    first, second = counts_of(pair.first, pair.cases), counts_of(pair.second, pair.cases)
    return range(max(first.start, second.start + difference), min(first.stop, second.stop + difference))


def _within(bounds: tuple[Fraction, Fraction], low: Fraction, high: Fraction) -> bool:
    """Whether p surely lies between; an enclosure of less than 1e-20 that reaches over an end counts."""
    return bounds[1] >= low and bounds[0] <= high


KIND = PairedCounts()
