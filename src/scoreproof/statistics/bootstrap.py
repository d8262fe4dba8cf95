"""Bootstrap intervals for any statistic of the cases, seeded.

Cases are drawn with replacement, the same cases from every array, so that pairing survives (Efron &
Tibshirani 1993, doi:10.1201/9780429246593). BCa corrects bias and skewness and is the default (Efron 1987,
doi:10.1080/01621459.1987.10478410).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats, chosen, fraction, same_length, whole
from scoreproof.errors import InvalidValue
from scoreproof.statistics.result import Effect, Interval
from scoreproof.statistics.tails import normal_quantile

_FEWEST_DEFINED = 0.9
_MOST_BLOCKS = 500


def bootstrap_interval(
    statistic: Callable[..., float],
    *arrays: npt.ArrayLike,
    method: Literal["bca", "percentile", "basic"] = "bca",
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    strata: npt.ArrayLike | None = None,
) -> Effect:
    """The interval of ``statistic(*arrays)`` when the cases are resampled.

    ``strata`` keeps the number of cases of each label (for instance the classes, so that every resample has
    both). Resamples on which the statistic is undefined (NaN) are left out; if more than one in ten is, that
    is an error. A statistic that never varies gets an interval without width.

    >>> print(bootstrap_interval(np.mean, [0.8, 0.9, 0.7, 0.85, 0.95, 0.6]))
    statistic = 0.800 (95% CI 0.692 to 0.875 by bootstrap)
    """
    data = [np.asarray(a) for a in arrays]
    if not data or data[0].ndim == 0 or len(data[0]) < 2:
        raise InvalidValue("bootstrap_interval: expected at least one array of two cases or more")
    for i, array in enumerate(data):
        same_length("array 1", data[0], f"array {i + 1}", array)
        if array.dtype.kind == "f" and np.isnan(array).any():
            raise InvalidValue(f"array {i + 1} is NaN at {np.argwhere(np.isnan(array))[0].tolist()}: expected numbers")
    chosen("method", method, ("bca", "percentile", "basic"))
    level, resamples = fraction("level", level), whole("resamples", resamples, at_least=10)
    observed = float(statistic(*data))
    if not math.isfinite(observed):
        raise InvalidValue(f"statistic is {observed} on the data themselves: expected a finite number")
    data, blocks = _in_order(data, strata)
    values = _resampled(statistic, data, resamples, seed, blocks)
    tails = ((1 - level) / 2, (1 + level) / 2)
    if method == "bca" and np.ptp(values) > 0:
        tails = _bca_tails(observed, values, _jackknife(statistic, data, seed), tails)
    low, high = (float(q) for q in np.quantile(values, tails))
    if method == "basic":
        low, high = 2 * observed - high, 2 * observed - low
    name = f"{'BCa' if method == 'bca' else method} bootstrap, {resamples:,} resamples, seed {seed}"
    return Effect("statistic", observed, Interval(low, high, level, name))


def _in_order(
    data: list[npt.NDArray[Any]], strata: npt.ArrayLike | None
) -> tuple[list[npt.NDArray[Any]], list[npt.NDArray[np.intp]]]:
    """The cases in an order of their own, and the strata: the interval must not depend on the order of the rows."""
    n = len(data[0])
    labels = np.zeros(n) if strata is None else np.asarray(strata)
    same_length("strata", labels, "array 1", data[0])
    columns = [column for array in (labels, *data) for column in array.reshape(n, -1).T]
    order = np.lexsort([np.unique(column, return_inverse=True)[1] for column in reversed(columns)])
    kinds = labels[order]
    return [array[order] for array in data], [np.flatnonzero(kinds == kind) for kind in np.unique(kinds)]


def _resampled(
    statistic: Callable[..., float],
    data: list[npt.NDArray[Any]],
    resamples: int,
    seed: int,
    blocks: list[npt.NDArray[np.intp]],
) -> Floats:
    generator = np.random.default_rng(seed)
    values = np.empty(resamples)
    for i in range(resamples):
        drawn = np.concatenate([block[generator.integers(0, len(block), len(block))] for block in blocks])
        values[i] = statistic(*(a[drawn] for a in data))
    defined = values[np.isfinite(values)]
    if len(defined) < _FEWEST_DEFINED * resamples:
        raise InvalidValue(
            f"statistic is undefined on {resamples - len(defined)} of {resamples} resamples: "
            "expected at most one in ten; give strata= so that every resample holds each class"
        )
    return defined


def _jackknife(statistic: Callable[..., float], data: list[npt.NDArray[Any]], seed: int) -> Floats:
    """The statistic with one case (or, of many cases, one random block) left out at a time."""
    n = len(data[0])
    order = np.random.default_rng(seed).permutation(n)
    edges = np.linspace(0, n, min(n, _MOST_BLOCKS) + 1).astype(int)
    keep = np.ones(n, dtype=bool)
    values = []
    for start, end in pairwise(edges):
        keep[order[start:end]] = False
        values.append(float(statistic(*(a[keep] for a in data))))
        keep[order[start:end]] = True
    found = np.array(values)
    return np.asarray(found[np.isfinite(found)], dtype=np.float64)


def _bca_tails(observed: float, values: Floats, jackknife: Floats, tails: tuple[float, float]) -> tuple[float, float]:
    below = (np.sum(values < observed) + np.sum(values == observed) / 2) / len(values)
    bias = normal_quantile(min(max(float(below), 0.5 / len(values)), 1 - 0.5 / len(values)))
    centred = jackknife.mean() - jackknife if jackknife.size else np.zeros(1)
    spread = float(np.sum(centred**2)) ** 1.5
    acceleration = float(np.sum(centred**3)) / (6 * spread) if spread > 0 else 0.0

    def moved(tail: float) -> float:
        z = bias + normal_quantile(tail)
        return 0.5 * math.erfc(-(bias + z / (1 - acceleration * z)) / math.sqrt(2))

    return moved(tails[0]), moved(tails[1])
