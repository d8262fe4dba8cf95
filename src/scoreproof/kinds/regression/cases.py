"""What shows that reported errors are possible: true and predicted values that have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.kinds.regression.problem import RegressionProblem
from scoreproof.reported import Claim
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Spread

Group = tuple[int, Fraction, Fraction]  # how many cases, their true and their predicted value
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases of one evaluation in groups; ``folds`` are further ones with all values times a factor, and how many."""

    groups: tuple[Group, ...]
    folds: tuple[tuple[int, Fraction], ...] = ((1, Fraction(1)),)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Cases:
        return cls(
            tuple((int(k), Fraction(true), Fraction(predicted)) for k, true, predicted in document["cases"]),
            tuple((int(k), Fraction(factor)) for k, factor in document["folds"]),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "cases": [[k, str(true), str(predicted)] for k, true, predicted in self.groups],
            "folds": [[k, str(factor)] for k, factor in self.folds],
        }

    @property
    def number(self) -> int:
        return sum(k for k, _, _ in self.groups)

    def __str__(self) -> str:
        shown = ", ".join(f"{k} with {float(y):.6g} predicted as {float(p):.6g}" for k, y, p in self.groups[:6])
        more = ", ..." if len(self.groups) > 6 else ""
        folds = "" if len(self.folds) == 1 else f", in {sum(k for k, _ in self.folds)} folds of different scale"
        return f"{self.number} cases: {shown}{more}{folds}"


def measured(groups: tuple[Group, ...]) -> dict[str, Fraction | None]:
    """Every quantity of one evaluation, ``rmse`` squared and ``r`` squared with its sign; None where it is 0/0."""
    number = sum(k for k, _, _ in groups)

    def mean(values: list[Fraction]) -> Fraction:
        return sum((k * value for (k, _, _), value in zip(groups, values, strict=True)), _ZERO) / number

    true, predicted = [y for _, y, _ in groups], [p for _, _, p in groups]
    errors = [y - p for y, p in zip(true, predicted, strict=True)]
    square, bias = mean([e * e for e in errors]), mean(errors)
    variance = mean([y * y for y in true]) - mean(true) ** 2
    spread = mean([p * p for p in predicted]) - mean(predicted) ** 2
    together = mean([y * p for y, p in zip(true, predicted, strict=True)]) - mean(true) * mean(predicted)
    return {
        "mae": mean([abs(e) for e in errors]),
        "mse": square,
        "rmse": square,
        "maxe": max(abs(e) for e in errors),
        "medae": _median([(k, abs(e)) for (k, _, _), e in zip(groups, errors, strict=True)]),
        "bias": bias,
        "variance": variance,
        "r2": 1 - square / variance if variance else None,
        "ev": 1 - (square - bias * bias) / variance if variance else None,
        "r": together * abs(together) / (variance * spread) if variance and spread else None,
    }


def _median(counted: list[tuple[int, Fraction]]) -> Fraction:
    number = sum(k for k, _ in counted)
    middles = ((number - 1) // 2, number // 2)
    found: list[Fraction] = []
    passed = 0
    for k, value in sorted(counted, key=lambda pair: pair[1]):
        found += [value for middle in middles if passed <= middle < passed + k]
        passed += k
    return sum(found, _ZERO) / 2


def cases_hold(problem: RegressionProblem, witness: Cases) -> bool:
    """Whether the cases have the claimed errors: exactly."""
    experiment = problem.experiment
    if not witness.groups or min(k for k, _, _ in witness.groups) < 1 or min(k for k, _ in witness.folds) < 1:
        return False
    if any(factor <= 0 for _, factor in witness.folds):
        return False
    folds = sum(k for k, _ in witness.folds)
    if experiment.folds is None and witness.folds != ((1, Fraction(1)),):
        return False
    if isinstance(experiment.folds, int) and folds != experiment.folds:
        return False
    exact = experiment.folds is None
    if experiment.n is not None and not (witness.number == experiment.n if exact else witness.number <= experiment.n):
        return False
    if experiment.integers and any(y.denominator != 1 or p.denominator != 1 for _, y, p in witness.groups):
        return False
    values = measured(witness.groups)
    return all(_claim_holds(problem, claim, values, witness) for claim in problem.claims)


def _claim_holds(
    problem: RegressionProblem, claim: Claim, values: Mapping[str, Fraction | None], witness: Cases
) -> bool:
    name = claim.quantity.name
    value = values["r2" if name == "adjusted_r2" else name]
    if value is None:
        return False
    n, predictors = problem.experiment.n, problem.experiment.predictors
    if name == "adjusted_r2":
        if n is None or predictors is None:
            return False
        value = 1 - (1 - value) * Fraction(n - 1, n - predictors - 1)
    low, high = claim.low, claim.high
    number = sum(k for k, _ in witness.folds)
    mean = sum((k * f for k, f in witness.folds), _ZERO) / number
    squares = sum((k * f * f for k, f in witness.folds), _ZERO) / number
    if name in ("rmse", "r"):  # values are squares, with their sign
        low, high = low * abs(low), high * abs(high)
        fits = low <= (value * mean * mean if name == "rmse" else value) <= high
        deviation = value * (squares - mean * mean) if name == "rmse" else _ZERO
    elif name in ("r2", "ev", "adjusted_r2"):
        fits, deviation = low <= value <= high, _ZERO
    elif name in ("mse", "variance"):
        fourth = sum((k * f**4 for k, f in witness.folds), _ZERO) / number
        fits, deviation = low <= value * squares <= high, value * value * (fourth - squares * squares)
    else:
        fits, deviation = low <= value * mean <= high, value * value * (squares - mean * mean)
    return fits and _deviates(problem, claim, deviation, number)


def _deviates(problem: RegressionProblem, claim: Claim, variance: Fraction, number: int) -> bool:
    """Whether what follows a ± is the deviation of that variance, divided in some admitted way."""
    if claim.spread is None or problem.spread is Spread.IGNORE:
        return True
    low, high = (max(end, _ZERO) ** 2 for end in spread_interval(claim))
    times = number if problem.spread is Spread.ERROR else 1
    divisors = [number - less for less in problem.divisor.ddof if number > less]
    return any(low * times * divisor <= variance * number <= high * times * divisor for divisor in divisors)
