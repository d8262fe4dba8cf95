"""True and predicted values, and the quantities that follow from sums over them (Montgomery and others 2012)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from scoreproof.kinds.regression.problem import UNKNOWN, RegressionProblem, squared
from scoreproof.kinds.statement import Span
from scoreproof.reported import Claim

Group = tuple[int, Fraction, Fraction]  # how many cases, their true and their predicted value
Counted = tuple[int, Mapping[str, Fraction | None]]  # how many evaluations, and what they measure
_ZERO = Fraction(0)
_FINE = 10**40  # parts of one in which roots are enclosed
_SHOWN_GROUPS, _SHOWN_FOLDS = 6, 2


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases in groups: of one evaluation, or of several; ``folds`` says how many evaluations have which groups."""

    folds: tuple[tuple[int, tuple[Group, ...]], ...]

    @classmethod
    def of_one(cls, groups: tuple[Group, ...]) -> Cases:
        return cls(((1, groups),))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Cases:
        return cls(
            tuple(
                (
                    int(fold["count"]),
                    tuple((int(k), Fraction(true), Fraction(predicted)) for k, true, predicted in fold["cases"]),
                )
                for fold in document["folds"]
            )
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "folds": [
                {"count": count, "cases": [[k, str(true), str(predicted)] for k, true, predicted in groups]}
                for count, groups in self.folds
            ]
        }

    @property
    def number(self) -> int:
        """Of evaluations."""
        return sum(count for count, _ in self.folds)

    def __str__(self) -> str:
        if self.number == 1:
            return _in_words(self.folds[0][1])
        shown = "; ".join(f"{count} of {_in_words(groups)}" for count, groups in self.folds[:_SHOWN_FOLDS])
        return f"{self.number} evaluations: {shown}{'; ...' * (len(self.folds) > _SHOWN_FOLDS)}"


def _in_words(groups: tuple[Group, ...]) -> str:
    shown = ", ".join(f"{k} with {float(y):.6g} predicted as {float(p):.6g}" for k, y, p in groups[:_SHOWN_GROUPS])
    return f"{_size(groups)} cases: {shown}{', ...' * (len(groups) > _SHOWN_GROUPS)}"


def _size(groups: tuple[Group, ...]) -> int:
    return sum(k for k, _, _ in groups)


def measures(n: int, size: Any, top: Any, middle: Any, e: Any, ee: Any, y: Any, yy: Any, ye: Any) -> dict[str, Any]:
    """Every quantity of n cases, ``rmse`` squared and ``r`` squared with its sign; None where it is 0/0.

    ``size`` is the sum of the sizes of the errors e, ``top`` the largest, ``middle`` the median one; then come the sums
    of errors, their squares, true values, their squares, and products of both: in any numbers, arrays included.
    """
    true, left = n * yy - y * y, n * ee - e * e  # n² variances of the true values and of the errors
    together = true - n * ye + y * e  # n² covariance of true and predicted values
    predicted = true - 2 * (n * ye - y * e) + left
    values = {"mae": size / n, "mse": ee / n, "rmse": ee / n, "maxe": top, "medae": middle, "bias": e / n}
    values |= {"variance": true / (n * n), "r2": None, "ev": None, "r": None}
    try:
        values |= {"r2": 1 - n * ee / true, "ev": 1 - left / true}
        values["r"] = together * together / (true * predicted) * (2 * (together.real > 0) - 1)
    except ZeroDivisionError:
        pass
    return values


def measured(groups: tuple[Group, ...]) -> dict[str, Fraction | None]:
    """Every quantity of one evaluation, exactly; ``rmse`` squared and ``r`` squared with its sign."""
    unit = lcm(*(value.denominator for _, *values in groups for value in values))  # whole numbers are quicker
    cases = [(k, y.numerator * (unit // y.denominator), p.numerator * (unit // p.denominator)) for k, y, p in groups]
    errors = [(k, y, y - p) for k, y, p in cases]
    linear = (sum(k * e for k, _, e in errors), sum(k * y for k, y, _ in errors))
    squares = (sum(k * e * e for k, _, e in errors), sum(k * y * y for k, y, _ in errors))
    e, y = (Fraction(total, unit) for total in linear)
    ee, yy = (Fraction(total, unit * unit) for total in squares)
    sizes = [(k, abs(e)) for k, _, e in errors]
    return measures(
        _size(groups),
        Fraction(sum(k * size for k, size in sizes), unit),
        Fraction(max(size for _, size in sizes), unit),
        _median(sizes) / unit,
        *(e, ee, y, yy, Fraction(sum(k * y * e for k, y, e in errors), unit * unit)),
    )


def _median(counted: list[tuple[int, int]]) -> Fraction:
    number = sum(k for k, _ in counted)
    middles = ((number - 1) // 2, number // 2)
    values: list[int] = []
    passed = 0
    for k, value in sorted(counted, key=lambda pair: pair[1]):
        values += [value for middle in middles if passed <= middle < passed + k]
        passed += k
    return Fraction(sum(values), 2)


def cases_hold(problem: RegressionProblem, witness: Cases) -> bool:
    """Whether the cases have the claimed errors: exactly."""
    experiment = problem.experiment
    if not witness.folds or any(count < 1 or not groups for count, groups in witness.folds):
        return False
    several = experiment.folds is not None
    if witness.number != (experiment.folds if isinstance(experiment.folds, int) else 1) and experiment.folds != UNKNOWN:
        return False
    for _, groups in witness.folds:
        size = _size(groups)
        if min(k for k, _, _ in groups) < 1:
            return False
        if experiment.n is not None and not (size <= experiment.n if several else size == experiment.n):
            return False
        if experiment.integers and any(y.denominator != 1 or p.denominator != 1 for _, y, p in groups):
            return False
    values = [(count, measured(groups)) for count, groups in witness.folds]
    return all(_claim_holds(problem, claim, values) for claim in problem.claims)


def _claim_holds(problem: RegressionProblem, claim: Claim, folds: Sequence[Counted]) -> bool:
    moments = moments_of(problem, claim.quantity.name, folds)
    if moments is None:
        return False
    (low, high), variance = moments
    number = sum(count for count, _ in folds)
    squares = variance[0] * number, variance[1] * number
    return claim.low <= low and high <= claim.high and problem.deviates(claim, squares, number)


def moments_of(problem: RegressionProblem, name: str, folds: Sequence[Counted]) -> tuple[Span, Span] | None:
    """Rationals around the mean of a quantity over evaluations, and around its variance; None if it is 0/0 in one."""
    number = sum(count for count, _ in folds)
    low = high = squares = _ZERO
    for count, values in folds:
        value = values["r2" if name == "adjusted_r2" else name]
        if value is None:
            return None
        if name == "adjusted_r2":
            value = 1 - (1 - value) * problem.adjustment
        ends = root_ends(value) if name in ("rmse", "r") else (value, value)
        low, high = low + count * ends[0], high + count * ends[1]
        squares += count * (abs(value) if name in ("rmse", "r") else value * value)
    low, high, squares = low / number, high / number, squares / number
    least, most = squared((low, high))
    return (low, high), (max(squares - most, _ZERO), squares - least)


def root_ends(value: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals around the root of a number, or minus that of one below 0; equal where it is rational.

    >>> root_ends(Fraction(-1, 4))
    (Fraction(-1, 2), Fraction(-1, 2))
    """
    size = abs(value)
    root = Fraction(isqrt(size.numerator), isqrt(size.denominator))
    if root * root != size:
        below = isqrt(size.numerator * _FINE * _FINE // size.denominator)
        ends = Fraction(below, _FINE), Fraction(below + 1, _FINE)
    else:
        ends = root, root
    return ends if value >= 0 else (-ends[1], -ends[0])
