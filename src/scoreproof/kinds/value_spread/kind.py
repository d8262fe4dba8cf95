"""A mean and its ±, against what so many bounded values can have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.printed import Values
from scoreproof.kinds.value_spread.engine import decide_spread, holds_spread, largest_deviation, mean_span
from scoreproof.kinds.value_spread.problem import ValueSpreadProblem
from scoreproof.work.budget import Budget


class ValueSpread(Kind[ValueSpreadProblem, Values]):
    """A mean ± a spread of bounded values."""

    name = "value_spread"

    def read(self, statement: Mapping[str, Any]) -> ValueSpreadProblem:
        return ValueSpreadProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Values:
        return Values.from_dict(document)

    def decide(self, problem: ValueSpreadProblem, *, deadline: Budget, seed: int) -> Decision[Values]:
        return decide_spread(problem, deadline, seed)

    def holds(self, problem: ValueSpreadProblem, witness: Values) -> bool:
        return holds_spread(problem, witness.values)

    def subject(self, problem: ValueSpreadProblem) -> str:
        if problem.cases is not None:
            return f"{problem.values} folds of {problem.cases:,} cases"
        return f"{problem.values} values from {problem.least} to {problem.most}"

    def because(self, problem: ValueSpreadProblem) -> str:
        low, high = mean_span(problem)
        if low > high:
            return f"the mean lies outside of {problem.least} to {problem.most}"
        if problem.cases is not None:
            return "no counts of right cases have this mean and this spread"
        return f"the largest standard deviation of values with this mean is {largest_deviation(problem):.4g}"


KIND = ValueSpread()
