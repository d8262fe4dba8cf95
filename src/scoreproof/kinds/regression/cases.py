"""True and predicted values: exactly, to judge reported errors, and in floats with derivatives, to fit them."""

from __future__ import annotations

import math
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
    n, predictors = problem.experiment.n, problem.experiment.predictors
    number = sum(count for count, _ in folds)
    low = high = squares = _ZERO
    for count, values in folds:
        value = values["r2" if name == "adjusted_r2" else name]
        if value is None:
            return None
        if name == "adjusted_r2":
            if n is None or predictors is None:
                return None
            value = 1 - (1 - value) * Fraction(n - 1, n - predictors - 1)
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


_USUAL_SHARE = 0.5  # of the variance that is left over, where nothing is said
_SIZES = ("mae", "mse", "rmse", "maxe", "medae")
_UNEVEN = (0.1, 0.3, 1.0, 2.0)  # how different folds are, in logarithms


class Evaluation:
    """Groups of cases in folds: values are the errors, then the true values, of the first fold, of the second, ..."""

    def __init__(
        self, problem: RegressionProblem, names: Sequence[str], counts: Sequence[int], folds: Sequence[int]
    ) -> None:
        import numpy as np

        self.problem, self.counts, self.folds = problem, list(counts), list(folds)
        self.shares = np.array(counts, dtype=float) / sum(counts)
        self.weights = np.array(folds, dtype=float) / sum(folds)
        self.names = list(names)
        deviating = {claim.quantity.name for claim in problem.claims if problem.variance(claim) is not None}
        self.deviating = [name in deviating for name in names]
        self.scales: Any = 1.0  # of the values; set by a guess

    def guess(self, rng: Any, shape: float) -> Any:
        """Errors of about the claimed size, and true values of about the claimed variance."""
        import numpy as np

        middles = {name: float(sum(span)) / 2 for name, span in self.problem.spans.items()}
        explained = [middles[name] for name in ("r2", "adjusted_r2", "ev") if name in middles]
        explained += [middles[name] ** 2 for name in ("r",) if name in middles]
        left = max(1 - explained[0], 1e-9) if explained else _USUAL_SHARE
        size = middles.get("rmse") or math.sqrt(max(middles.get("mse", 0.0), 0.0))
        size = size or 1.25 * middles.get("mae", 0.0) or 1.5 * middles.get("medae", 0.0) or middles.get("maxe", 0.0) / 3
        size = size or (math.sqrt(left * middles["variance"]) if middles.get("variance", 0) > 0 else 0.0)
        size = size or 2 * abs(middles.get("bias", 0.0)) or 1.0
        spread = math.sqrt(middles["variance"]) if middles.get("variance", 0) > 0 else size / math.sqrt(left)
        width, folds = len(self.counts), len(self.folds)
        uneven = 0.0 if folds == 1 else rng.choice(self._uneven(middles))
        normal = rng.normal(size=(folds, 2, width))
        errors = np.sign(normal[:, 0]) * abs(normal[:, 0]) ** shape
        errors *= size / np.sqrt((errors * errors * self.shares).sum(axis=1, keepdims=True) + 1e-300)
        errors *= np.exp(uneven * rng.normal(size=(folds, 1)))
        errors += min(max(middles.get("bias", 0.0), -size), size)
        factors = np.exp(uneven * rng.normal(size=(folds, 1)))
        along = _along(middles, size, spread, rng)
        across = math.sqrt(max(spread * spread - (along * size) ** 2, 0.0))
        true = factors * (across * normal[:, 1] + along * errors)
        self.scales = np.repeat(
            [[abs(each).max() + 1e-300 for each in pair] for pair in zip(errors, true, strict=True)], width
        )
        return np.stack([errors, true], axis=1).ravel() / self.scales

    def _uneven(self, middles: dict[str, float]) -> list[float]:
        """How different folds may be, in logarithms: as a ± or the squares beside the roots say, or in any way."""
        shares = []
        for claim in self.problem.claims:
            variance, middle = self.problem.variance(claim), abs(middles[claim.quantity.name])
            if variance is not None and middle and claim.quantity.name in _SIZES:
                shares.append(math.sqrt(float(sum(variance)) / 2) / middle)
        if middles.get("rmse") and "mse" in middles:
            shares.append(math.sqrt(max(middles["mse"] / middles["rmse"] ** 2 - 1, 0.0)))
        if not shares:
            return list(_UNEVEN)
        return [factor * min(sorted(shares)[len(shares) // 2], 3.0) for factor in (0.3, 1.0, 1.5)]

    def cases(self, values: Sequence[Fraction]) -> Cases:
        """Cases of these errors and true values."""
        width = len(self.counts)
        folds = []
        for place, count in enumerate(self.folds):
            errors = values[2 * width * place : 2 * width * place + width]
            true = values[2 * width * place + width : 2 * width * (place + 1)]
            folds.append((count, tuple((k, y, y - e) for k, e, y in zip(self.counts, errors, true, strict=True))))
        return Cases(tuple(folds))

    def measure(self, flat: Any) -> tuple[Any, Any]:
        """Means of the claimed measures over the folds, then the claimed variances, each with its derivatives."""
        import numpy as np

        width, number = len(self.counts), len(self.folds)
        values = np.zeros((len(self.names), number))
        slopes = np.zeros((len(self.names), number, 2 * width))
        for place, (errors, true) in enumerate((flat * self.scales).reshape(number, 2, width)):
            of_one = self._of_one(errors, true)
            for row, name in enumerate(self.names):
                values[row, place], slopes[row, place, :width], slopes[row, place, width:] = of_one[name]
        means = values @ self.weights
        slopes *= self.scales.reshape(1, number, 2 * width)
        rows = (slopes * self.weights[None, :, None]).reshape(len(self.names), -1)
        chosen = np.flatnonzero(self.deviating)
        if not len(chosen):
            return means, rows
        off = values[chosen] - means[chosen, None]
        more = (2 * slopes[chosen] * (self.weights * off)[:, :, None]).reshape(len(chosen), -1)
        return np.concatenate([means, (off * off) @ self.weights]), np.concatenate([rows, more])

    def _of_one(self, errors: Any, true: Any) -> dict[str, tuple[Any, Any, Any]]:
        """Every measure of one evaluation, with its derivatives by the errors and by the true values."""
        import numpy as np

        w, none = self.shares, np.zeros_like(errors)
        signs, bias = np.sign(errors), w @ errors
        square = w @ (errors * errors)
        values = {
            "mae": (w @ abs(errors), w * signs, none),
            "mse": (square, 2 * w * errors, none),
            "rmse": (math.sqrt(square), w * errors / math.sqrt(square + 1e-300), none),
            "bias": (bias, w, none),
        }
        order = np.argsort(abs(errors), kind="stable")
        for name, places in (("maxe", order[-1:]), ("medae", self._middles(order))):
            slope = none.copy()
            for place in places:
                slope[place] += signs[place] / len(places)
            values[name] = abs(errors[places]).mean(), slope, none
        if not {"variance", "r2", "ev", "r", "adjusted_r2"} & set(self.names):
            return values
        around, apart = true - w @ true, errors - bias
        variance = w @ (around * around)
        by_true = 2 * w * around
        values["variance"] = variance, none, by_true
        for name, left, slope in (("r2", square, 2 * w * errors), ("ev", square - bias * bias, 2 * w * apart)):
            values[name] = 1 - left / variance, -slope / variance, left / variance**2 * by_true
        n, predictors = self.problem.experiment.n, self.problem.experiment.predictors
        if n is not None and predictors is not None:
            value, by_errors, by_truth = values["r2"]
            factor = (n - 1) / (n - predictors - 1)
            values["adjusted_r2"] = 1 - (1 - value) * factor, by_errors * factor, by_truth * factor
        shared, own = w @ (around * apart), w @ (apart * apart)
        spread = variance - 2 * shared + own
        root = math.sqrt(max(variance * spread, 1e-300))
        value = (variance - shared) / root
        spread_slopes = 2 * w * (apart - around), 2 * w * (around - apart)
        values["r"] = (
            value,
            -w * around / root - value / 2 * spread_slopes[0] / spread,
            (by_true - w * apart) / root - value / 2 * (by_true / variance + spread_slopes[1] / spread),
        )
        return values

    def _middles(self, order: Any) -> list[int]:
        """The groups in which the middle cases are, by the size of the errors; one of them twice if it has both."""
        number = sum(self.counts)
        values, passed = [], 0
        for place in order:
            values += [
                int(place)
                for middle in ((number - 1) // 2, number // 2)
                if passed <= middle < passed + self.counts[place]
            ]
            passed += self.counts[place]
        return values


def _along(middles: dict[str, float], size: float, spread: float, rng: Any) -> float:
    """How much of the errors is in the true values, for the claimed correlation.

    With variances V of the true values and S = s V of the errors, and C their covariance over V, the correlation with
    the predictions has (1 - C)² = r² (1 - 2 C + s).
    """
    if "r" not in middles or not spread:
        return 0.0
    left = size * size - min(abs(middles.get("bias", 0.0)), size) ** 2
    share, square = max(left, 1e-6 * size * size) / spread**2, middles["r"] ** 2
    root = math.sqrt(square * max(square - 1 + share, 0.0))
    fitting = [each for each in (1 - square - root, 1 - square + root) if (each < 1) == (middles["r"] > 0)]
    return float(rng.choice(fitting)) / share if fitting and share else 0.0
