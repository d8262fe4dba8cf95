"""What shows that reported errors are possible: true and predicted values that have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
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
    unit = lcm(*(value.denominator for _, *values in groups for value in values))  # whole numbers are quicker
    cases = [(k, y.numerator * (unit // y.denominator), p.numerator * (unit // p.denominator)) for k, y, p in groups]
    errors = [(k, y - p) for k, y, p in cases]
    whole, squared = number * unit, number * unit * unit
    true, predicted = sum(k * y for k, y, _ in cases), sum(k * p for k, _, p in cases)
    bias, square = sum(k * e for k, e in errors), sum(k * e * e for k, e in errors)
    variance = number * sum(k * y * y for k, y, _ in cases) - true * true  # times number² unit²
    spread = number * sum(k * p * p for k, _, p in cases) - predicted * predicted
    together = number * sum(k * y * p for k, y, p in cases) - true * predicted
    mean_square = Fraction(square, squared)
    return {
        "mae": Fraction(sum(k * abs(e) for k, e in errors), whole),
        "mse": mean_square,
        "rmse": mean_square,
        "maxe": Fraction(max(abs(e) for _, e in errors), unit),
        "medae": _median([(k, abs(e)) for k, e in errors]) / unit,
        "bias": Fraction(bias, whole),
        "variance": Fraction(variance, number * squared),
        "r2": 1 - Fraction(number * square, variance) if variance else None,
        "ev": 1 - Fraction(number * square - bias * bias, variance) if variance else None,
        "r": Fraction(together * abs(together), variance * spread) if variance and spread else None,
    }


def _median(counted: list[tuple[int, int]]) -> Fraction:
    number = sum(k for k, _ in counted)
    middles = ((number - 1) // 2, number // 2)
    found: list[int] = []
    passed = 0
    for k, value in sorted(counted, key=lambda pair: pair[1]):
        found += [value for middle in middles if passed <= middle < passed + k]
        passed += k
    return Fraction(sum(found), 2)


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
