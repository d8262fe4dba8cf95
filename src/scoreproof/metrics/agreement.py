"""Agreement of two classifications into k classes: Cohen's kappa and the Matthews correlation.

Kappa, plain or weighted, with its large-sample variance (Cohen 1960, doi:10.1177/001316446002000104; Fleiss,
Cohen & Everitt 1969, doi:10.1037/h0028106), and the k-class Matthews correlation (Gorodkin 2004,
doi:10.1016/j.compbiolchem.2004.09.006). Both are undefined where every case falls into one class.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats, Ints, numbers
from scoreproof.errors import InvalidValue
from scoreproof.jsonable import document
from scoreproof.metrics.presentation import number, small_table
from scoreproof.results import Result, SmallTable
from scoreproof.validation import chosen, fraction

Weights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True, slots=True)
class Kappa(Result):
    """Cohen's kappa with its variance; NaN where chance alone would agree perfectly."""

    kappa: float
    variance: float
    observed: float
    expected: float
    weights: Weights
    cases: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The normal-theory confidence interval."""
        from statistics import NormalDist

        half = NormalDist().inv_cdf((1 + fraction("level", level)) / 2) * math.sqrt(max(self.variance, 0.0))
        return self.kappa - half, self.kappa + half

    def to_dict(self) -> dict[str, Any]:
        return document(self, "*", interval95=self.interval())

    def __str__(self) -> str:
        kind = "Cohen's kappa" + ("" if self.weights == "none" else f" with {self.weights} weights")
        if math.isnan(self.kappa):
            return f"{kind} is undefined: both classifications put all {self.cases} cases into one class."
        low, high = self.interval()
        return f"{kind} is {number(self.kappa)} (95% CI {number(low)} to {number(high)}, {self.cases} cases)."

    def _tables(self) -> list[SmallTable]:
        return [small_table("Cohen's kappa", ["kappa", "variance"], [[self.kappa, self.variance]])]


def cohen_kappa(matrix: ArrayLike, *, weights: Weights = "none") -> Kappa:
    """Cohen's kappa of a k by k matrix of counts; weights take the order of the classes seriously.

    >>> print(cohen_kappa([[261, 39], [107, 193]]))
    Cohen's kappa is 0.5133 (95% CI 0.4465 to 0.5802, 600 cases).
    """
    chosen("weights", weights, get_args(Weights))
    counts = square_counts(matrix)
    cases = int(counts.sum())
    share: Floats = counts / cases
    agree = _agreement_weights(len(counts), weights)
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    observed = float(np.sum(agree * share))
    expected = float(rows @ agree @ columns)
    if _one_class(counts):
        return Kappa(float("nan"), float("nan"), observed, expected, weights, cases)
    by_row, by_column = agree @ columns, rows @ agree
    spread = agree * (1 - expected) - np.add.outer(by_row, by_column) * (1 - observed)
    centre = observed * expected - 2 * expected + observed
    variance = (float(np.sum(share * spread**2)) - centre**2) / (cases * (1 - expected) ** 4)
    return Kappa((observed - expected) / (1 - expected), variance, observed, expected, weights, cases)


def multiclass_mcc(matrix: ArrayLike) -> float:
    """The Matthews correlation of a k by k matrix; NaN if all cases are of, or called, one class.

    >>> round(multiclass_mcc([[261, 107], [39, 193]]), 3)
    0.527
    """
    counts = square_counts(matrix)
    rows, columns = [[int(total) for total in counts.sum(axis=axis)] for axis in (1, 0)]
    cases, correct = sum(rows), int(np.trace(counts))
    spread = (cases**2 - sum(r * r for r in rows)) * (cases**2 - sum(c * c for c in columns))
    if spread == 0:
        return float("nan")
    chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    return (cases * correct - chance) / math.sqrt(spread)


def square_counts(matrix: ArrayLike) -> Ints:
    """A k by k matrix of counts, rows the true classes; at least one case."""
    values = numbers("matrix", matrix, ndim=2)
    if values.shape[0] != values.shape[1]:
        raise InvalidValue(f"matrix has shape {values.shape}; one row and one column per class are needed")
    wrong = (values < 0) | (values != np.floor(values)) | (values > 2**53)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InvalidValue(f"matrix[{row}, {column}] is {values[row, column]}; counts are whole and not negative")
    if values.sum() == 0:
        raise InvalidValue("matrix counts no case at all; at least one is needed")
    return values.astype(np.int64)


def _agreement_weights(k: int, weights: Weights) -> Floats:
    if weights == "none" or k == 1:
        return np.eye(k)
    apart = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / (k - 1)
    return 1 - (apart if weights == "linear" else apart**2)


def _one_class(counts: Ints) -> bool:
    """Whether rows and columns have all their cases in the same single class."""
    return bool(np.any(np.diag(counts) == counts.sum()))
