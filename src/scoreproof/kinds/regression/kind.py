"""Kinds of reports on errors of predicted numbers: of one model, and of two rows on one test set.

Of one report broken relations refute it, and cases fitted by damped least squares show it.

Rows of a regression table on one test set share mse / (1 - R²), the variance of the true values; no counts needed. By
interval arithmetic (Moore 1966) each row leaves an interval to that variance. If two of them do not meet, the rows are
not on one test set, or R² is not 1 - mse / variance (it may be a squared correlation). If they meet, one variance and
an error for each row show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar, Unpack

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.one_test_set import ScoredRow, TwoRows, two_rows
from scoreproof.kinds.regression.cases import Cases, cases_hold
from scoreproof.kinds.regression.fit_values import fitted_cases
from scoreproof.kinds.regression.problem import Regression, RegressionProblem, broken, regression
from scoreproof.kinds.statement import StatedFields
from scoreproof.kinds.unknown_classes.experiment import above, below
from scoreproof.quantities import quantity
from scoreproof.quantities.task_quantities import KIND_NAME
from scoreproof.reported import Claim, Value
from scoreproof.reported.claim import alone, claim_from_dict, leaves_room, restricted
from scoreproof.reported.conventions import Conventions, Stated, told
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


Span = tuple[Fraction, Fraction | None]
COMPARED = ("mse", "rmse", "r2")


@dataclass(frozen=True, slots=True)
class SharedVarianceProblem(TwoRows):
    """Two rows, each of one evaluation on the same cases; R² is 1 - mse / variance of the true values."""

    kind: ClassVar[str] = "shared_variance"

    def __post_init__(self) -> None:
        TwoRows.__post_init__(self)
        others = [claim.name for claim in self.claims if claim.quantity.name not in COMPARED]
        if others:
            raise InvalidOption(f"claims: expected mse, rmse and r2 of each row, got {', '.join(others)}")

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> SharedVarianceProblem:
        first, second = (
            ScoredRow(row["name"], tuple(claim_from_dict(entry, kind=KIND_NAME) for entry in row["scores"]))
            for row in statement["rows"]
        )
        return cls((first, second))

    def squares(self, index: int) -> Span:
        """Where the mean squared error of a row lies."""
        spans = self._spans(index)
        known = [[max(end, Fraction(0)) for end in spans["mse"]]] if "mse" in spans else []
        known += [[max(end, Fraction(0)) ** 2 for end in spans["rmse"]]] if "rmse" in spans else []
        return max((low for low, _ in known), default=Fraction(0)), min((high for _, high in known), default=None)

    def unexplained(self, index: int) -> Span:
        """Where 1 - R² of a row lies."""
        spans = self._spans(index)
        if "r2" not in spans:
            return Fraction(0), None
        low, high = spans["r2"]
        return max(1 - high, Fraction(0)), 1 - low

    def variances(self, index: int) -> Span:
        """Between which ends the variance lies that a row needs; open above where R² may be 1."""
        (low, high), (least, most) = self.squares(index), self.unexplained(index)
        if most is not None and most <= 0:
            return Fraction(0), None  # a perfect fit, or beyond: it says nothing of the variance
        return (low / most if most is not None else Fraction(0)), (high / least if high is not None and least else None)

    def _spans(self, index: int) -> dict[str, tuple[Fraction, Fraction]]:
        return {claim.quantity.name: (claim.low, claim.high) for claim in self.rows[index].claims}


def shared_variance(rows: Mapping[str, Mapping[str, Value | Claim]], **stated: Unpack[Stated]) -> SharedVarianceProblem:
    """The problem of two rows on one test set, by name; conventions are those of ``check``.

    >>> problem = shared_variance({"A": {"mse": "101.205", "r2": "0.081435"}, "B": {"rmse": "8.06", "r2": "0.41"}})
    >>> [claim.name for claim in problem.claims]
    ['A: mse', 'A: r2', 'B: rmse', 'B: r2']
    """
    return SharedVarianceProblem(two_rows(rows, told(stated), KIND_NAME))


_DIGITS = 4


@dataclass(frozen=True, slots=True)
class OneVariance(StatedFields):
    """A variance, and for each row its mean squared error."""

    variance: Fraction
    squares: tuple[Fraction, Fraction]

    def __str__(self) -> str:
        first, second = (f"{float(square):.6g}" for square in self.squares)
        return f"a variance of {float(self.variance):.6g} with mean squared errors {first} and {second}"


class SharedVariance(Kind[SharedVarianceProblem, OneVariance]):
    """Two rows of errors and R² on one test set."""

    name = "shared_variance"
    problem_type = SharedVarianceProblem
    witness_type = OneVariance
    names_conflicts = True

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


def _square(problem: SharedVarianceProblem, index: int, variance: Fraction) -> Fraction:
    """A mean squared error of a row that goes with a variance, if one does."""
    low, _ = problem.squares(index)
    least, _ = problem.unexplained(index)
    return max(low, least * variance)


SHARED_VARIANCE = SharedVariance()
