"""Predicted against true numbers (errors, explained variance, correlation), and predicted probabilities against truth.

Errors are means over the cases; Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x) print the sums. Pearson's
correlation measures a linear relation and Spearman's a monotone one; neither sees a constant bias, which the errors do.

Do probabilities mean what they say? Cross-entropy (log loss) is the mean surprise of the true labels,
-(p log q + (1 - p) log(1 - q)) in natural logarithms (Bishop 2006, eq. 4.90 and 4.108; Rainio, Teuho & Klén print only
the first term and no mean). The Brier score is the mean squared distance of a probability from what happened (Brier
1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2). The expected calibration error weighs the gaps between
probability and share in bins of equal width (Naeini, Cooper & Hauskrecht 2015, doi:10.1609/aaai.v29i1.9602). The
calibration line does without bins: the slope and intercept of a logistic regression of the outcome on the log odds (Cox
1958, doi:10.1093/biomet/45.3-4.562; Van Calster et al. 2019, doi:10.1186/s12916-019-1466-7), 1 and 0 where all is well.
The net benefit weighs false against true positives by the odds of the threshold (Vickers & Elkin 2006,
doi:10.1177/0272989X06295361); a cost matrix weighs every kind of error by its own price.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Bools, Floats, correlation, midranks, numbers
from scoreproof.errors import InvalidValue
from scoreproof.figures import new_figure
from scoreproof.metrics.agreement import square_counts
from scoreproof.metrics.labels import BLUE, GREY, number, positives, probabilities, same_shape, small_table
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.validation import real, whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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


def cross_entropy(
    truth: ArrayLike, probability: ArrayLike, *, positive: Any = None, clip: float | None = None
) -> float:
    """The binary cross-entropy per case, in nats.

    A case that was ruled out with certainty (probability 0 of what happened) makes it infinite; ``clip``
    keeps probabilities that far from 0 and 1, as many libraries do silently.

    >>> round(cross_entropy([1, 0, 1], [0.9, 0.2, 0.6]), 6)
    0.279777
    """
    actual, q = _likely(truth, probability, positive)
    return _mean_surprise(np.where(actual, q, 1 - q), clip)


def _likely(truth: ArrayLike, probability: ArrayLike, positive: Any) -> tuple[Bools, Floats]:
    """Truth values and probabilities of the same cases."""
    (actual,) = positives({"truth": truth}, positive)
    q = probabilities("probability", probability)
    same_shape("truth", actual, "probability", q)
    return actual, q


def brier_score(truth: ArrayLike, probability: ArrayLike, *, positive: Any = None) -> float:
    """The mean squared distance of the probabilities from what happened."""
    actual, q = _likely(truth, probability, positive)
    return float(np.mean((q - actual) ** 2))


@dataclass(frozen=True, slots=True)
class Calibration(Tabular):
    """The bins that hold cases: mean probability, share of positives, cases; and the gaps in one number."""

    predicted: tuple[float, ...]
    observed: tuple[float, ...]
    cases: tuple[int, ...]
    bins: int

    _told = "expected_error largest_error *"

    @property
    def expected_error(self) -> float:
        """The mean gap between probability and share, weighted by cases (ECE)."""
        gaps = zip(self.predicted, self.observed, self.cases, strict=True)
        return sum(many * abs(p - o) for p, o, many in gaps) / sum(self.cases)

    @property
    def largest_error(self) -> float:
        """The largest gap of any bin (MCE)."""
        return max(abs(p - o) for p, o in zip(self.predicted, self.observed, strict=True))

    def __str__(self) -> str:
        cases = f"{sum(self.cases):,} cases in {len(self.cases)} of {self.bins} bins"
        errors = f"{self.expected_error:.4f}, the largest {self.largest_error:.4f}"
        return f"The expected calibration error is {errors} ({cases})."

    def _rows(self) -> list[dict[str, Any]]:
        bins = zip(self.predicted, self.observed, self.cases, strict=True)
        return [{"predicted": p, "observed": o, "cases": many} for p, o, many in bins]

    def _tables(self) -> list[SmallTable]:
        rows = [tuple(row.values()) for row in self._rows()]
        return [small_table("Calibration", ["mean probability", "share of positives", "cases"], rows)]


def calibration(truth: ArrayLike, probability: ArrayLike, *, bins: int = 10, positive: Any = None) -> Calibration:
    """Probability against share of positives in bins of equal width, the last one closed.

    >>> result = calibration([0, 1, 1, 1], [0.1, 0.6, 0.8, 1.0], bins=2)
    >>> round(result.expected_error, 4), result.cases
    (0.175, (1, 3))
    """
    bins = whole("bins", bins, at_least=1, at_most=10**6)
    actual, q = _likely(truth, probability, positive)
    place = np.minimum((q * bins).astype(int), bins - 1)
    many = np.bincount(place, minlength=bins)
    used = many > 0
    predicted = np.bincount(place, weights=q, minlength=bins)[used] / many[used]
    observed = np.bincount(place, weights=actual.astype(np.float64), minlength=bins)[used] / many[used]
    return Calibration(tuple(predicted.tolist()), tuple(observed.tolist()), tuple(many[used].tolist()), bins)


@dataclass(frozen=True, slots=True)
class CalibrationLine(Result):
    """Slope and intercept of the log odds, with standard errors, and the intercept where the slope is held at 1.

    A slope below 1 means probabilities too far from the middle; ``in_the_large`` above 0, too low on the whole.
    """

    slope: float
    intercept: float
    slope_error: float
    intercept_error: float
    in_the_large: float
    cases: int

    def __str__(self) -> str:
        return (
            f"The calibration slope is {number(self.slope)} (standard error {number(self.slope_error)}), the intercept "
            f"{number(self.intercept)}, calibration in the large {number(self.in_the_large)} ({self.cases} cases)."
        )


def calibration_line(truth: ArrayLike, probability: ArrayLike, *, positive: Any = None) -> CalibrationLine:
    """The logistic regression of what happened on the log odds of the probabilities, none of them 0 or 1.

    >>> line = calibration_line([0, 0, 1, 0, 1, 1, 0, 1], [0.1, 0.3, 0.4, 0.2, 0.9, 0.7, 0.6, 0.8])
    >>> round(line.slope, 4), round(line.intercept, 4), round(line.in_the_large, 4)
    (1.8703, 0.0, 0.0)
    """
    actual, q = _likely(truth, probability, positive)
    if np.any((q == 0) | (q == 1)):
        raise InvalidValue("probability: 0 and 1 have no log odds: expected probabilities strictly between them")
    if actual.all() or not actual.any() or np.ptp(q) == 0:
        raise InvalidValue("truth holds one class, or all probabilities are equal: expected both, and different ones")
    odds = np.log(q) - np.log1p(-q)
    y = actual.astype(np.float64)
    line, errors = _logistic(np.column_stack([odds, np.ones_like(odds)]), y, np.zeros_like(odds))
    shift, _ = _logistic(np.ones((len(y), 1)), y, odds)
    return CalibrationLine(line[0], line[1], errors[0], errors[1], shift[0], len(y))


def _logistic(design: Floats, y: Floats, offset: Floats) -> tuple[list[float], list[float]]:
    """The coefficients of a logistic regression and their standard errors, by Newton's steps."""
    beta = np.zeros(design.shape[1])
    for _ in range(100):
        fitted = 1 / (1 + np.exp(-np.clip(design @ beta + offset, -700, 700)))
        weights = np.maximum(fitted * (1 - fitted), 1e-300)
        information = design.T @ (design * weights[:, None])
        step = np.linalg.solve(information, design.T @ (y - fitted)) if np.linalg.cond(information) < 1e15 else None
        if step is None or np.max(np.abs(beta)) > 1e4:
            raise InvalidValue("probability separates the classes perfectly: the calibration line is infinitely steep")
        beta += step
        if np.max(np.abs(step)) < 1e-13 * max(1.0, float(np.max(np.abs(beta)))):
            break
    return beta.tolist(), np.sqrt(np.diag(np.linalg.inv(information))).tolist()


def net_benefit(truth: ArrayLike, probability: ArrayLike, *, threshold: float, positive: Any = None) -> float:
    """True positives less false ones at the odds of the threshold, per case; treating nobody has 0.

    >>> round(net_benefit([1, 0, 1, 0], [0.9, 0.4, 0.6, 0.1], threshold=0.3), 6)
    0.392857
    """
    threshold = real("threshold", threshold, above=0, below=1)
    actual, q = _likely(truth, probability, positive)
    called = q >= threshold
    tp, fp = int(np.sum(called & actual)), int(np.sum(called & ~actual))
    return (tp - fp * threshold / (1 - threshold)) / len(q)


def expected_cost(matrix: ArrayLike, costs: ArrayLike) -> float:
    """The mean cost of a case: a k by k matrix of counts (rows true, columns predicted) and the cost of each cell.

    >>> expected_cost([[40, 10], [5, 45]], [[0, 1], [20, 2]])
    2.0
    """
    counts, prices = square_counts(matrix), numbers("costs", costs, ndim=2)
    same_shape("matrix", counts, "costs", prices)
    return float(np.sum(counts * prices) / counts.sum())


def _mean_surprise(chosen: Floats, clip: float | None) -> float:
    if clip is not None:
        clip = real("clip", clip, above=0, below=0.5)
        chosen = np.clip(chosen, clip, 1 - clip)
    with np.errstate(divide="ignore"):
        return float(-np.mean(np.log(chosen))) + 0.0


def regression_figure(truth: ArrayLike, predicted: ArrayLike) -> Figure:
    """Predicted against true values, with the line of perfect prediction."""
    x, y = numbers("truth", truth), numbers("predicted", predicted)
    result = evaluate_regression(x, y)
    figure = new_figure(4.8, 4.6)
    axes = figure.subplots()
    low, high = float(min(x.min(), y.min())), float(max(x.max(), y.max()))
    axes.plot([low, high], [low, high], color=GREY, linestyle=":", label="perfect")
    axes.plot(x, y, "o", color=BLUE, alpha=0.6 if x.size < 500 else 0.2, markersize=4, markeredgewidth=0)
    axes.set_xlabel("true value")
    axes.set_ylabel("predicted value")
    axes.set_title(f"RMSE {number(result.rmse, 3)}, R² {number(result.r2, 3)}", fontsize="medium")
    axes.legend(loc="upper left", frameon=False)
    return figure
