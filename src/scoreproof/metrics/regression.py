"""Predicted against true numbers: errors, explained variance and correlation.

Errors are means over the cases; Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x) print the sums. Pearson's
correlation measures a linear relation and Spearman's a monotone one; neither sees a constant bias, which the errors do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats, correlation, midranks, numbers
from scoreproof.metrics.labels import number, same_shape, small_table
from scoreproof.results import Result, SmallTable

_TITLES = {
    "mae": "mean absolute error",
    "mse": "mean squared error",
    "rmse": "root mean squared error",
    "median_absolute_error": "median absolute error",
    "mape": "mean absolute percentage error",
    "r2": "R²",
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau-b",
}


@dataclass(frozen=True, slots=True)
class RegressionEvaluation(Result):
    """Errors and correlations of one model; NaN where a constant array leaves them undefined.

    Correlations need two different values on both sides. R² needs two different true values; it may be negative.
    """

    cases: int
    mae: float
    mse: float
    rmse: float
    median_absolute_error: float
    mape: float
    r2: float
    pearson: float
    spearman: float
    kendall: float

    task: ClassVar[str] = "regression"
    _told = "task *"

    def __str__(self) -> str:
        return (
            f"Over {self.cases} cases the mean absolute error is {number(self.mae)}, the root mean squared "
            f"error {number(self.rmse)}, R² {number(self.r2)}, Pearson's r {number(self.pearson)} and "
            f"Spearman's rho {number(self.spearman)}."
        )

    def _tables(self) -> list[SmallTable]:
        rows = [[title, getattr(self, name)] for name, title in _TITLES.items()]
        return [small_table(f"{self.cases} cases", ["metric", "value"], rows)]


def evaluate_regression(truth: ArrayLike, predicted: ArrayLike) -> RegressionEvaluation:
    """Every regression metric of predicted against true values.

    >>> result = evaluate_regression([1, 2, 3, 4], [1.1, 1.9, 3.2, 4.4])
    >>> round(result.mae, 6), round(result.r2, 6), round(result.pearson, 6), result.spearman
    (0.2, 0.956, 0.995408, 1.0)
    """
    pair = _pair(truth, predicted)
    metrics = (mae, mse, rmse, median_absolute_error, mape, r2, pearson, spearman, kendall)
    return RegressionEvaluation(pair[0].size, *(metric(*pair) for metric in metrics))


def mae(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The mean absolute error."""
    x, y = _pair(truth, predicted)
    return float(np.mean(np.abs(x - y)))


def mse(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The mean squared error."""
    x, y = _pair(truth, predicted)
    with np.errstate(over="ignore"):
        return float(np.mean((x - y) ** 2))


def rmse(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The root of the mean squared error, in the units of the values."""
    return math.sqrt(mse(truth, predicted))


def mape(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The mean absolute error as a share of the true value; undefined (NaN) where a true value is 0."""
    x, y = _pair(truth, predicted)
    if np.any(x == 0):
        return math.nan
    with np.errstate(over="ignore"):
        return float(np.mean(np.abs(x - y) / np.abs(x)))


def median_absolute_error(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The median of the absolute errors, which a few gross errors do not move."""
    x, y = _pair(truth, predicted)
    return float(np.median(np.abs(x - y)))


def r2(truth: ArrayLike, predicted: ArrayLike) -> float:
    """The coefficient of determination, 1 - SSE / SST; NaN if the true values are all the same."""
    x, y = _pair(truth, predicted)
    if np.ptp(x) == 0:
        return float("nan")
    scale = float(max(np.abs(x - y).max(), np.ptp(x)))
    return 1 - float(np.sum(((x - y) / scale) ** 2) / np.sum(((x - x.mean()) / scale) ** 2))


def pearson(truth: ArrayLike, predicted: ArrayLike) -> float:
    """Pearson's product-moment correlation; NaN if either array is constant."""
    return correlation(*_pair(truth, predicted))


def spearman(truth: ArrayLike, predicted: ArrayLike) -> float:
    """Spearman's rank correlation: Pearson's of the ranks, ties sharing their mean rank."""
    x, y = _pair(truth, predicted)
    return correlation(midranks(x), midranks(y))


def kendall(truth: ArrayLike, predicted: ArrayLike) -> float:
    """Kendall's tau-b; NaN if either array is constant."""
    x, y = _pair(truth, predicted)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    from scipy.stats import kendalltau

    return float(kendalltau(x, y, variant="b").statistic)


def _pair(truth: ArrayLike, predicted: ArrayLike) -> tuple[Floats, Floats]:
    x, y = numbers("truth", truth), numbers("predicted", predicted)
    same_shape("truth", x, "predicted", y)
    return x, y
