"""Measures of predicted numbers in floats, with their derivatives by errors and true values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from scoreproof.kinds.regression.cases import Cases
from scoreproof.kinds.regression.problem import RegressionProblem

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
        found = []
        for place, count in enumerate(self.folds):
            errors = values[2 * width * place : 2 * width * place + width]
            true = values[2 * width * place + width : 2 * width * (place + 1)]
            found.append((count, tuple((k, y, y - e) for k, e, y in zip(self.counts, errors, true, strict=True))))
        return Cases(tuple(found))

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
        found = {
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
            found[name] = abs(errors[places]).mean(), slope, none
        if not {"variance", "r2", "ev", "r", "adjusted_r2"} & set(self.names):
            return found
        around, apart = true - w @ true, errors - bias
        variance = w @ (around * around)
        by_true = 2 * w * around
        found["variance"] = variance, none, by_true
        for name, left, slope in (("r2", square, 2 * w * errors), ("ev", square - bias * bias, 2 * w * apart)):
            found[name] = 1 - left / variance, -slope / variance, left / variance**2 * by_true
        n, predictors = self.problem.experiment.n, self.problem.experiment.predictors
        if n is not None and predictors is not None:
            value, by_errors, by_truth = found["r2"]
            factor = (n - 1) / (n - predictors - 1)
            found["adjusted_r2"] = 1 - (1 - value) * factor, by_errors * factor, by_truth * factor
        shared, own = w @ (around * apart), w @ (apart * apart)
        spread = variance - 2 * shared + own
        root = math.sqrt(max(variance * spread, 1e-300))
        value = (variance - shared) / root
        spread_slopes = 2 * w * (apart - around), 2 * w * (around - apart)
        found["r"] = (
            value,
            -w * around / root - value / 2 * spread_slopes[0] / spread,
            (by_true - w * apart) / root - value / 2 * (by_true / variance + spread_slopes[1] / spread),
        )
        return found

    def _middles(self, order: Any) -> list[int]:
        """The groups in which the middle cases are, by the size of the errors; one of them twice if it has both."""
        number = sum(self.counts)
        found, passed = [], 0
        for place in order:
            found += [
                int(place)
                for middle in ((number - 1) // 2, number // 2)
                if passed <= middle < passed + self.counts[place]
            ]
            passed += self.counts[place]
        return found


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
