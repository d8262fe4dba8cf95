"""True and predicted values: exactly, to judge reported errors, and in floats with derivatives, to fit them.

All quantities are a function of eight sums; its derivatives are taken by complex steps (Squire and
Trapp 1998, doi:10.1137/S003614459631241X).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Any

from scoreproof.kinds.regression.problem import UNKNOWN, RegressionProblem, squared
from scoreproof.kinds.statement import Span
from scoreproof.reported import Claim
from scoreproof.solve.local_search import means_and_variances

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


_USUAL_SHARE = 0.5  # of the variance that is left over, where nothing is said
SHARES = ("r2", "adjusted_r2", "ev")
_SIZES = ("mae", "mse", "rmse", "maxe", "medae")
_UNEVEN = (0.1, 0.3, 1.0, 2.0)  # how different folds are, in logarithms
_STEP = 1e-30  # of an imaginary part


def of_sums(problem: RegressionProblem, names: Sequence[str]) -> Callable[[Any], tuple[Any, Any]]:
    """Measures by name and their derivatives, as a function of the sums of ``measures`` over one case, by fold."""
    import numpy as np

    def named(sums: Any) -> Any:
        values = measures(1, *sums)
        values["adjusted_r2"] = 1 - (1 - values["r2"]) * float(problem.adjustment)
        for name in ("rmse", "r"):
            sign = np.sign(values[name].real)
            values[name] = sign * np.sqrt(sign * values[name])
        return np.array([values[name] for name in names])

    def derived(sums: Any) -> tuple[Any, Any]:
        moved = named(sums[:, None] + 1j * _STEP * np.eye(len(sums))[:, :, None])
        return moved[:, 0].real, moved.imag / _STEP

    return derived


class Evaluation:
    """Groups of cases in folds: values are the errors, then the true values, of the first fold, of the second, ..."""

    def __init__(
        self, problem: RegressionProblem, names: Sequence[str], counts: Sequence[int], folds: Sequence[int]
    ) -> None:
        import numpy as np

        self.problem, self.counts, self.folds, self.names = problem, list(counts), list(folds), list(names)
        self.shares, self.weights = np.array(counts) / sum(counts), np.array(folds) / sum(folds)
        own = {claim.quantity.name for claim in problem.deviating}
        self.deviating = [row for row, name in enumerate(names) if name in own]
        self.of_sums = of_sums(problem, names)
        self.scales: Any = 1.0  # of the values; set by a guess

    def guess(self, rng: Any, shape: float) -> Any:
        """Errors of about the claimed size, and true values of about the claimed variance."""
        import numpy as np

        middles = {name: float(sum(span)) / 2 for name, span in self.problem.spans.items()}
        size, spread = _first_moments(middles)
        width, folds = len(self.counts), len(self.folds)
        uneven = 0.0 if folds == 1 else rng.choice(self._uneven(middles))
        normal = rng.normal(size=(folds, 2, width))
        errors = np.sign(normal[:, 0]) * abs(normal[:, 0]) ** shape
        errors *= size / np.sqrt((errors * errors * self.shares).sum(axis=1, keepdims=True) + 1e-300)
        errors *= np.exp(uneven * rng.normal(size=(folds, 1)))
        errors += min(max(middles.get("bias", 0.0), -size), size)
        factors = np.exp(uneven * rng.normal(size=(folds, 1)))
        true = factors * spread * normal[:, 1]
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

        number, width, w = len(self.folds), len(self.counts), self.shares
        errors, true = np.moveaxis((flat * self.scales).reshape(number, 2, width), 1, 0)
        sizes, signs = abs(errors), np.sign(errors)
        order = np.argsort(sizes, axis=1, kind="stable")
        passed, cases = np.cumsum(np.array(self.counts)[order], axis=1), sum(self.counts)
        rows, every = np.arange(number), np.eye(width)
        largest = every[order[:, -1]]
        middle = sum(every[order[rows, (passed > at).argmax(axis=1)]] for at in ((cases - 1) // 2, cases // 2)) / 2
        none, even = np.zeros_like(errors), np.broadcast_to(w, errors.shape)
        by_errors = np.array([w * signs, largest * signs, middle * signs, even, 2 * w * errors, none, none, w * true])
        by_true = np.array([none, none, none, none, none, even, 2 * w * true, w * errors])
        sums = [sizes @ w, (largest * sizes).sum(axis=1), (middle * sizes).sum(axis=1), errors @ w]
        sums += [(errors * errors) @ w, true @ w, (true * true) @ w, (true * errors) @ w]
        values, partials = self.of_sums(np.array(sums))
        slopes = np.einsum("nkf,kfw->nfw", partials, np.concatenate([by_errors, by_true], axis=2))
        return means_and_variances(
            values, slopes * self.scales.reshape(number, 2 * width), self.weights, self.deviating
        )


def _first_moments(middles: dict[str, float]) -> tuple[float, float]:
    """About the root of the mean squared error, and of the variance of the true values."""
    explained = [middles[name] for name in SHARES if name in middles]
    explained += [middles["r"] ** 2] if "r" in middles else []
    left = max(1 - explained[0], 1e-9) if explained else _USUAL_SHARE
    variance = max(middles.get("variance", 0.0), 0.0)
    sizes = [middles.get("rmse"), math.sqrt(max(middles.get("mse", 0.0), 0.0)), 1.25 * middles.get("mae", 0.0)]
    sizes += [1.5 * middles.get("medae", 0.0), middles.get("maxe", 0.0) / 3, math.sqrt(left * variance)]
    size = next(filter(None, [*sizes, 2 * abs(middles.get("bias", 0.0))]), 1.0)
    return size, math.sqrt(variance or size * size / left)
