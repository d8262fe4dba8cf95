"""A printed mean or standard deviation against printed rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.kinds.average.engine import (
    Squares,
    boxes_of,
    decide_average,
    deviation_range,
    divisors,
    mean_range,
    squares_of,
)
from scoreproof.kinds.average.problem import AverageProblem, Statistic
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.printed import Values, listed
from scoreproof.kinds.unknown_classes.ranges import above, below
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_DENOMINATORS = {"sample": "n - 1", "population": "n"}
_MORE_DIGITS = 2  # than were printed, for what the rows give


class Average(Kind[AverageProblem, Values]):
    """A printed mean or standard deviation of printed rows."""

    name = "average"

    def read(self, statement: Mapping[str, Any]) -> AverageProblem:
        return AverageProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Values:
        return Values.from_dict(document)

    def decide(self, problem: AverageProblem, *, deadline: Budget, seed: int) -> Decision[Values]:
        return decide_average(problem, deadline)

    def holds(self, problem: AverageProblem, witness: Values) -> bool:
        values = witness.values
        if len(values) != len(problem.rows):
            return False
        if not all(row.low <= value <= row.high for row, value in zip(problem.rows, values, strict=True)):
            return False
        for claim in problem.claims:
            if problem.statistic is Statistic.MEAN:
                weights = problem.weights or (1,) * len(values)
                total = sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))
                if not claim.low * sum(weights) <= total <= claim.high * sum(weights):
                    return False
                continue
            squares, least = squares_of(values), max(claim.low, Fraction(0))
            if not any(least**2 * k <= squares <= claim.high**2 * k for k in divisors(problem).values()):
                return False
        return True

    def subject(self, problem: AverageProblem) -> str:
        weighted = "" if problem.weights is None else f", weighted by {listed([str(w) for w in problem.weights])}"
        return f"the {len(problem.rows)} printed rows ({listed([row.text for row in problem.rows])}{weighted})"

    def because(self, problem: AverageProblem) -> str:
        digits = problem.claims[0].number.digits + _MORE_DIGITS
        if problem.statistic is Statistic.MEAN:
            return f"the printed rows give {_span(*mean_range(problem), digits)}"
        squares = Squares.over(boxes_of(problem))
        spans = [
            f"{_span(*deviation_range(squares.least, squares.bound, k, digits), digits)} with {_DENOMINATORS[name]}"
            for name, k in divisors(problem).items()
        ]
        return f"the printed rows give {', '.join(spans)} in the denominator"

    def identity(self, problem: AverageProblem, conflict: Sequence[Claim]) -> str:
        return self.because(problem.with_claims(conflict))

    def implied(self, problem: AverageProblem, target: Claim) -> Ends | None:
        if problem.statistic is Statistic.MEAN:
            return mean_range(problem)
        squares = Squares.over(boxes_of(problem))
        digits = target.number.digits + _MORE_DIGITS
        spans = [deviation_range(squares.least, squares.bound, k, digits) for k in divisors(problem).values()]
        return min(low for low, _ in spans), max(high for _, high in spans)


def _span(low: Fraction, high: Fraction, digits: int) -> str:
    return f"{below(low, digits)} to {above(high, digits)}"


KIND = Average()
