"""Errors of predicted numbers: broken relations refute a report, cases fitted by damped least squares show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import lcm
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.regression.cases import Cases, cases_hold
from scoreproof.kinds.regression.fit_values import fitted_cases
from scoreproof.kinds.regression.problem import Regression, RegressionProblem, broken, regression
from scoreproof.quantities import quantity
from scoreproof.quantities.task_quantities import KIND_NAME
from scoreproof.reported import Claim, Value
from scoreproof.reported.claim import alone, leaves_room, restricted
from scoreproof.reported.conventions import Conventions
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget

_WITHOUT_SCALE = frozenset({"r2", "ev", "r", "adjusted_r2"})  # the same in every unit
_ROW_OPTIONS = ("rounding", "eps", "spread", "divisor")


class RegressionKind(Kind[RegressionProblem, Cases]):
    """Errors and explained variance of predicted numbers."""

    name = KIND_NAME
    problem_type = RegressionProblem
    witness_type = Cases
    experiment_type = Regression
    names_conflicts = True

    def posed(self, experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions) -> RegressionProblem:
        return regression(experiment, scores, how)

    def row(self, experiment: Regression, scores: Mapping[str, str], how: Conventions) -> RegressionProblem:
        """Of a row the quantities of regression; a ± counts where the number of folds is known."""
        several = isinstance(experiment.folds, int)
        texts = {
            name: text if several else alone(text)
            for name, text in scores.items()
            if self.covers(name) and (name != "adjusted_r2" or experiment.predictors is not None)
        }
        return self.posed(experiment, texts, restricted(how.only(*_ROW_OPTIONS), texts))

    def covers(self, name: str) -> bool:
        """Whether this is a quantity of regression."""
        try:
            return quantity(name, kind=KIND_NAME) is not None
        except ScoreproofError:
            return False

    def decide(self, problem: RegressionProblem, *, deadline: Budget, seed: int) -> Decision[Cases]:
        relation = broken(problem)
        if relation is not None:
            return Decision(proof={"kind": "relation", "relation": relation.name})
        cases = cases_with(problem, deadline)
        if cases is None:
            return Decision(
                reason="every relation between the errors holds, but no cases were found that have them all: guesses "
                "were fitted to all claims at once"
            )
        return Decision(cases)

    def holds(self, problem: RegressionProblem, witness: Cases) -> bool:
        return cases_hold(problem, witness)

    def subject(self, problem: RegressionProblem) -> str:
        return str(problem.experiment)

    def because(self, problem: RegressionProblem) -> str:
        relation = broken(problem)
        return "" if relation is None else relation.words

    def free(self, problem: RegressionProblem) -> bool:
        """One quantity, or a size of the errors beside R²: the variance of the true values is free."""
        names = {claim.quantity.name for claim in problem.claims}
        apart = len(names) == 1 or (len(names) == 2 and "r2" in names and bool(names & {"mae", "mse", "rmse"}))
        stated = problem.experiment
        few = stated.n is not None and stated.n < 3  # of two cases the correlation is 1 or -1
        return apart and not few and not stated.integers and all(map(leaves_room, problem.claims))

    def tables(self, problem: RegressionProblem, witness: Cases) -> Sequence[SmallTable]:
        tables = []
        for count, groups in witness.folds:
            rows = [(k, f"{float(true):.6g}", f"{float(predicted):.6g}") for k, true, predicted in groups]
            title = "" if witness.number == 1 else f"{count} of {witness.number} evaluations"
            tables.append(SmallTable(rows, ("cases", "true", "predicted"), title))
        return tables


def cases_with(problem: RegressionProblem, deadline: Budget) -> Cases | None:
    """Cases that have the reported errors, if some were met."""
    experiment = problem.experiment
    if experiment.integers and problem.spans.keys() <= _WITHOUT_SCALE:
        cases = cases_with(replace(problem, experiment=replace(experiment, integers=False)), deadline)
        return None if cases is None else _whole_multiple(cases)
    return next((cases for cases in fitted_cases(problem, deadline) if cases_hold(problem, cases)), None)


def _whole_multiple(cases: Cases) -> Cases:
    """The same cases in a unit so small that all values are whole: no share of the variance changes."""
    (fold,) = cases.folds
    unit = lcm(*(value.denominator for _, *values in fold[1] for value in values))
    return Cases((((fold[0]), tuple((k, unit * y, unit * p) for k, y, p in fold[1])),))


KIND = RegressionKind()
