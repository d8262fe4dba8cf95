"""Rows of a regression table on one test set share mse / (1 - R²), the variance of the true values; no counts needed.

Each row leaves an interval to that variance. If two of them do not meet, the rows are not on one test set, or R² is not
1 - mse / variance (it may be a squared correlation). If they meet, one variance and an error for each row show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.regression.quantities import QUANTITIES
from scoreproof.kinds.shared_variance.problem import COMPARED, SharedVarianceProblem
from scoreproof.kinds.unknown_classes.ranges import above, below
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class OneVariance:
    """A variance, and for each row its mean squared error."""

    variance: Fraction
    squares: tuple[Fraction, Fraction]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> OneVariance:
        first, second = map(Fraction, document["squares"])
        return cls(Fraction(document["variance"]), (first, second))

    def to_dict(self) -> dict[str, Any]:
        return {"variance": str(self.variance), "squares": [str(square) for square in self.squares]}

    def __str__(self) -> str:
        first, second = (f"{float(square):.6g}" for square in self.squares)
        return f"a variance of {float(self.variance):.6g} with mean squared errors {first} and {second}"


class SharedVariance(Kind[SharedVarianceProblem, OneVariance]):
    """Two rows of errors and R² on one test set."""

    name = "shared_variance"
    quantities = tuple(known for known in QUANTITIES if known.name in COMPARED)

    def read(self, statement: Mapping[str, Any]) -> SharedVarianceProblem:
        return SharedVarianceProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> OneVariance:
        return OneVariance.from_dict(document)

    def decide(self, problem: SharedVarianceProblem, *, deadline: Budget, seed: int) -> Decision[OneVariance]:
        spans = [problem.variances(0), problem.variances(1)]
        for lower in (0, 1):
            high = spans[lower][1]
            if high is not None and high < spans[1 - lower][0]:
                return Decision(proof={"kind": "apart", "lower": lower})
        low = max(span[0] for span in spans)
        ends = [span[1] for span in spans if span[1] is not None]
        for variance in dict.fromkeys(
            ((low + min(ends)) / 2 if ends else low + 1, low, min(ends) if ends else 2 * low + 1)
        ):
            witness = OneVariance(variance, (_square(problem, 0, variance), _square(problem, 1, variance)))
            if self.holds(problem, witness):
                return Decision(witness)
        return Decision(reason="the variances may meet, but no errors were found that show it")

    def holds(self, problem: SharedVarianceProblem, witness: OneVariance) -> bool:
        if witness.variance <= 0:
            return False
        for row, square in zip(problem.rows, witness.squares, strict=True):
            values = {"mse": square, "rmse": square, "r2": 1 - square / witness.variance}
            for claim in row.claims:
                name = claim.quantity.name
                power = 2 if name == "rmse" else 1
                low = max(claim.low, Fraction(0)) ** 2 if power == 2 else claim.low
                if square < 0 or not low <= values[name] <= claim.high**power or (power == 2 and claim.high < 0):
                    return False
        return True

    def subject(self, problem: SharedVarianceProblem) -> str:
        return "one test set, whose true values have one variance"

    def because(self, problem: SharedVarianceProblem) -> str:
        needs = []
        for index, row in enumerate(problem.rows):
            low, high = problem.variances(index)
            span = f"{below(low, _DIGITS)} to {above(high, _DIGITS)}"
            needs.append(f"{row.name} needs a variance of the true values of {span}")
        return f"{' and '.join(needs)}, if R² is 1 - mse / variance"

    def identity(self, problem: SharedVarianceProblem, conflict: Sequence[Claim]) -> str:
        return self.because(problem.with_claims(conflict))


def _square(problem: SharedVarianceProblem, index: int, variance: Fraction) -> Fraction:
    """A mean squared error of a row that goes with a variance, if one does."""
    low, _ = problem.squares(index)
    least, _ = problem.unexplained(index)
    return max(low, least * variance)


KIND = SharedVariance()
