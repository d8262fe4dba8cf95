"""Agreement of two classifications, or of several readers.

Cohen's kappa, plain or weighted, with its large-sample variance (Cohen 1960, doi:10.1177/001316446002000104; Fleiss,
Cohen & Everitt 1969, doi:10.1037/h0028106), and the k-class Matthews correlation (Gorodkin 2004,
doi:10.1016/j.compbiolchem.2004.09.006), both undefined where every case falls into one class. Of several readers the
intraclass correlations of Shrout & Fleiss (1979, doi:10.1037/0033-2909.86.2.420) for measured values, with their F
intervals (McGraw & Wong 1996, doi:10.1037/1082-989X.1.1.30); Fleiss' kappa (1971, doi:10.1037/h0031619) for classes,
with the standard error of Fleiss, Nee & Landis (1979, doi:10.1037/0033-2909.86.5.974); Krippendorff's alpha (Hayes &
Krippendorff 2007, doi:10.1080/19312450709336664) for classes, ranks or numbers, some of them missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from scoreproof.arrays import Floats, Ints, as_array, numbers
from scoreproof.errors import InvalidValue
from scoreproof.jsonable import document
from scoreproof.metrics.labels import number
from scoreproof.results import Result
from scoreproof.statistics.resampling import weighted_interval
from scoreproof.statistics.result import Effect, Interval
from scoreproof.statistics.tails import two_sided_z
from scoreproof.validation import Share, fraction

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
        half = two_sided_z(fraction("level", level)) * math.sqrt(max(self.variance, 0.0))
        return self.kappa - half, self.kappa + half

    def to_dict(self) -> dict[str, Any]:
        return document(self, "*", interval95=self.interval())

    def __str__(self) -> str:
        kind = "Cohen's kappa" + ("" if self.weights == "none" else f" with {self.weights} weights")
        if math.isnan(self.kappa):
            return f"{kind} is undefined: both classifications put all {self.cases} cases into one class."
        low, high = self.interval()
        return f"{kind} is {number(self.kappa)} (95% CI {number(low)} to {number(high)}, {self.cases} cases)."


def cohen_kappa(matrix: ArrayLike, *, weights: Weights = "none") -> Kappa:
    """Cohen's kappa of a k by k matrix of counts; weights take the order of the classes seriously.

    >>> print(cohen_kappa([[261, 39], [107, 193]]))
    Cohen's kappa is 0.5133 (95% CI 0.4465 to 0.5802, 600 cases).
    """
    counts = square_counts(matrix)
    cases = int(counts.sum())
    share: Floats = counts / cases
    k = len(counts)
    apart = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / max(1, k - 1)
    agree = np.eye(k) if weights == "none" else 1 - (apart if weights == "linear" else apart**2)
    rows, columns = share.sum(axis=1), share.sum(axis=0)
    observed = float(np.sum(agree * share))
    expected = float(rows @ agree @ columns)
    if np.any(np.diag(counts) == cases):  # one class holds all of them, in rows and columns
        return Kappa(float("nan"), float("nan"), observed, expected, weights, cases)
    by_row, by_column = agree @ columns, rows @ agree
    spread = agree * (1 - expected) - np.add.outer(by_row, by_column) * (1 - observed)
    centre = observed * expected - 2 * expected + observed
    variance = (float(np.sum(share * spread**2)) - centre**2) / (cases * (1 - expected) ** 4)
    return Kappa((observed - expected) / (1 - expected), variance, observed, expected, weights, cases)


def multiclass_mcc(matrix: ArrayLike) -> float:
    """The Matthews correlation of a k by k matrix; NaN if all cases are of, or called, one class."""
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


IccForm = Literal["ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"]
Scale = Literal["nominal", "ordinal", "interval", "ratio"]


def icc(ratings: ArrayLike, *, form: IccForm = "ICC2", level: Share = 0.95) -> Effect:
    """The intraclass correlation of a table with a row per case and a column per reader.

    ICC1: each case has readers of its own; ICC2: the readers are a sample of readers, and agreement is what counts;
    ICC3: these readers and no others, and a constant shift does not count. With k: of the mean of all readers.

    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> print(icc(table))
    ICC2 = 0.290 (95% CI 0.0188 to 0.761)
    """
    table = numbers("ratings", ratings, ndim=2)
    n, k = table.shape
    if n < 2 or k < 2:
        raise InvalidValue(f"ratings has shape {table.shape}: expected two cases (rows), two readers or more")
    if not np.ptp(table):
        return Effect(form, math.nan)
    grand, rows, columns = table.mean(), table.mean(axis=1), table.mean(axis=0)
    between = k * float(np.sum((rows - grand) ** 2)) / (n - 1)
    readers = n * float(np.sum((columns - grand) ** 2)) / (k - 1)
    within = float(np.sum((table - rows[:, None]) ** 2)) / (n * (k - 1))
    rest = float(np.sum((table - rows[:, None] - columns + grand) ** 2)) / ((n - 1) * (k - 1))
    tail = (1 - level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        single, low, high = _icc(form[:4], n, k, np.float64(between), readers, within, rest, tail)
    if form.endswith("k"):
        single, low, high = (k * r / (1 + (k - 1) * r) for r in (single, low, high))
    return Effect(form, float(single), Interval(float(low), float(high), level, "F"))


def _icc(
    form: str, n: int, k: int, between: Any, readers: float, within: float, rest: float, tail: float
) -> tuple[Any, Any, Any]:
    """The correlation of single readers and its limits."""

    def limits(f: Any, df: float) -> tuple[Any, Any]:
        low, high = f / special.fdtri(n - 1, df, 1 - tail), f * special.fdtri(df, n - 1, 1 - tail)
        return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)

    if form == "ICC1":
        value = (between - within) / (between + (k - 1) * within)
        return value, *limits(between / np.float64(within), n * (k - 1))
    if form == "ICC3":
        value = (between - rest) / (between + (k - 1) * rest)
        return value, *limits(between / np.float64(rest), (n - 1) * (k - 1))
    value = (between - rest) / (between + (k - 1) * rest + k * (readers - rest) / n)
    share = readers / np.float64(rest)
    top = (k - 1) * (n - 1) * (k * value * share + n * (1 + (k - 1) * value) - k * value) ** 2
    bottom = (n - 1) * k**2 * value**2 * share**2 + (n * (1 + (k - 1) * value) - k * value) ** 2
    df = top / bottom
    upper, lower = special.fdtri(n - 1, df, 1 - tail), special.fdtri(df, n - 1, 1 - tail)
    spread = k * readers + (k * n - k - n) * rest
    low = n * (between - upper * rest) / (upper * spread + n * between)
    high = n * (lower * between - rest) / (spread + n * lower * between)
    return value, low, high


def fleiss_kappa(ratings: ArrayLike, *, level: Share = 0.95) -> Effect:
    """Fleiss' kappa of a table with a row per case and a column per reader, cells being classes.

    >>> print(fleiss_kappa([["a", "a", "a"], ["a", "b", "a"], ["b", "b", "b"], ["b", "a", "b"], ["c", "c", "b"]]))
    Fleiss' kappa = 0.338 (95% CI -0.0509 to 0.727)
    """
    codes, _ = _classes(ratings)
    if (codes < 0).any():
        raise InvalidValue("ratings: a rating is missing; expected all, or see krippendorff_alpha")
    n, m = codes.shape
    counts = np.stack([(codes == c).sum(axis=1) for c in range(codes.max() + 1)], axis=1)
    share = counts.sum(axis=0) / (n * m)
    agree = float((np.sum(counts**2) - n * m) / (n * m * (m - 1)))
    chance = float(np.sum(share**2))
    if chance == 1:
        return Effect("Fleiss' kappa", math.nan)
    value = (agree - chance) / (1 - chance)
    q = share * (1 - share)
    spread = float(np.sum(q)) ** 2 - float(np.sum(q * (1 - 2 * share)))
    error = math.sqrt(2 * spread / (float(np.sum(q)) ** 2 * n * m * (m - 1)))
    return Effect.around("Fleiss' kappa", value, two_sided_z(level) * error, level, "normal, under no agreement")


def krippendorff_alpha(ratings: ArrayLike, *, scale: Scale = "nominal", level: Share = 0.95, seed: int = 0) -> Effect:
    """Krippendorff's alpha of a table with a row per case and a column per reader; None or NaN is a missing rating.

    >>> ratings = [[1, 1, None], [2, 2, 3], [3, 3, 3], [3, 3, 3], [2, 2, 2], [1, 2, 3], [4, 4, 4], [1, 1, 2]]
    >>> round(krippendorff_alpha(ratings).value, 4), round(krippendorff_alpha(ratings, scale="interval").value, 4)
    (0.5969, 0.7773)
    """
    codes, labels = _classes(ratings)
    counts = np.stack([(codes == c).sum(axis=1) for c in range(len(labels))], axis=1).astype(np.float64)
    counts = counts[counts.sum(axis=1) >= 2]
    if len(counts) < 2:
        raise InvalidValue("ratings: expected at least two cases with two ratings or more")
    if scale != "nominal" and any(isinstance(label, str) for label in labels):
        raise InvalidValue(f"scale = {scale!r} with classes that are words: expected numbers, or scale='nominal'")
    pairs = np.stack([(np.outer(c, c) - np.diag(c)).ravel() / (c.sum() - 1) for c in counts])

    def value(weights: Floats) -> Floats:
        together = (weights @ pairs).reshape(-1, len(labels), len(labels))
        totals = together.sum(axis=2)
        apart = np.stack([_distances(labels, row, scale) for row in totals])
        n = totals.sum(axis=1)
        expected = np.einsum("bi,bj,bij->b", totals, totals, apart)
        observed = np.einsum("bij,bij->b", together, apart)
        return np.asarray(1 - (n - 1) * observed / np.where(expected > 0, expected, np.nan))

    whole = np.ones(len(counts), dtype=np.int64)
    alpha = float(value(whole[None, :].astype(np.float64))[0])
    bounds = None if math.isnan(alpha) else weighted_interval(value, whole, level, seed, resamples=1000)
    return Effect("Krippendorff's alpha", alpha, bounds)


def _distances(labels: Sequence[Any], totals: Floats, scale: Scale) -> Floats:
    """The squared distances of classes on a scale; of ranks by how many ratings lie between."""
    if scale == "nominal":
        return 1.0 - np.eye(len(labels))
    if scale == "ordinal":
        middle = np.cumsum(totals) - totals / 2
        return np.asarray(np.subtract.outer(middle, middle) ** 2)
    values = np.array(labels, dtype=np.float64)
    apart = np.subtract.outer(values, values)
    if scale == "ratio":
        total = np.add.outer(values, values)
        apart = np.divide(apart, total, out=np.zeros_like(apart), where=total != 0)
    return np.asarray(apart**2)


def _classes(ratings: ArrayLike) -> tuple[NDArray[np.int64], list[Any]]:
    """The class of each rating by number, -1 where it is missing, and the classes in order."""
    table = as_array("ratings", ratings)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] < 2:
        raise InvalidValue(f"ratings has shape {table.shape}: expected two cases (rows), two readers or more")
    cells = table.ravel().tolist()
    missing = [cell is None or (isinstance(cell, float) and math.isnan(cell)) for cell in cells]
    try:
        labels = sorted({cell for cell, gap in zip(cells, missing, strict=True) if not gap})
    except (TypeError, ArithmeticError):  # what has no hash or no order, such as a Decimal that is no number
        raise InvalidValue("ratings: expected all words or all numbers, got both, or others") from None
    place = {label: i for i, label in enumerate(labels)}
    codes = [-1 if gap else place[cell] for cell, gap in zip(cells, missing, strict=True)]
    return np.array(codes, dtype=np.int64).reshape(table.shape), labels
