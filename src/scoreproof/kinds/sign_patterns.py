"""The p-value, and perhaps the statistic, of an exact test over pairs: signed ranks, signs, or exchanged values.

Wilcoxon's signed ranks, the sign test and any test that exchanges the two values of a pair count sign patterns: of 2^k
equally likely ones those at least as extreme as what was seen, on one side or, twice as many, on both. Ties change what
is counted and zeros the number of pairs, but p stays a multiple of 1/2^k, or of 2/2^k, and never is 0. The sum of
ranks lies between 0 and k (k + 1) / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Annotated, ClassVar

from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.printed import StatisticAndP, WholeNumbers
from scoreproof.kinds.statement import Entries
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.p_text import PrintedP
from scoreproof.validation import chosen, whole
from scoreproof.work.budget import Budget

STATISTIC = Quantity("W", "sum of ranks", range=(Fraction(0), None), kind="printed")
SIDES = ("any", "two", "one")
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
        sides = {"any": "", "two": "two-sided ", "one": "one-sided "}[problem.sides]
        return f"an exact {sides}test over {problem.pairs} pairs{problem.p.as_bound if problem.p else ''}"

    def because(self, problem: SignPatternsProblem) -> str:
        if problem.statistic is not None and problem.statistic.low > problem.largest_sum:
            return f"the ranks of {problem.pairs} pairs add up to {problem.largest_sum}"
        step = step_of(problem)
        return f"p is a multiple of {step}/2^{problem.pairs} = {step / 2**problem.pairs:.4g} and not 0"


def step_of(problem: SignPatternsProblem) -> int:
    """How many sign patterns count at once: both of a mirrored pair in a two-sided test."""
    return 2 if problem.sides == "two" else 1


KIND = SignPatterns()
