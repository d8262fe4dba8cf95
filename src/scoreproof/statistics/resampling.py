"""Drawing the cases again: bootstrap intervals for any statistic, and the paired permutation test.

For an interval the cases are drawn with replacement, the same cases from every array, so that pairing survives (Efron &
Tibshirani 1993, doi:10.1201/9780429246593). BCa corrects bias and skewness and is the default (Efron 1987,
doi:10.1080/01621459.1987.10478410). scipy's bootstrap knows no strata and no clusters, and takes no statistic that is
sometimes undefined. For the test the two models' values are swapped at random, case by case, which under no difference
changes nothing (Edgington & Onghena 2007, doi:10.1201/9781420011814): exactly for the mean of up to 30 differing pairs,
by meeting in the middle of the 2^n sign patterns, else by seeded random swaps, with p = (1 + hits) / (1 + swaps)
(Phipson & Smyth 2010, doi:10.2202/1544-6115.1585). Cases of one patient, speaker or document are not independent:
whole ``clusters`` are drawn and swapped (Davison & Hinkley 1997, section 3.8, doi:10.1017/CBO9780511802843).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, Floats, as_array, pair, same_length, without_noise
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.paired_values import cohen_d_z, d_z_effect
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import clopper_pearson, normal_quantile
from scoreproof.validation import Share, random_seed, whole

_MOST_RESAMPLES = 10**7
_FEWEST_DEFINED = 0.9
_MOST_BLOCKS = 500
_EXACT_UP_TO = 30
_ROUNDING = 1e-12
_BLOCK = 4_000_000
Statistic = Callable[[Floats, Floats], float]
#: Differences from weights of units: a row for each draw, a column for each case or cluster.
Weighted = Callable[[Floats], Floats]


def bootstrap_interval(
    statistic: Callable[..., float],
    *arrays: npt.ArrayLike,
    method: Literal["bca", "percentile", "basic"] = "bca",
    level: Share = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    strata: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
) -> Effect:
    """The interval of ``statistic(*arrays)`` when the cases are resampled.

    ``strata`` keeps the number of cases of each label (for instance the classes, so that every resample has
    both); ``clusters`` draws whole clusters of cases. Resamples on which the statistic is undefined (NaN) are left out;
    if more than one in ten is, that is an error. A statistic that never varies gets an interval without width.

    >>> print(bootstrap_interval(np.mean, [0.8, 0.9, 0.7, 0.85, 0.95, 0.6]))
    statistic = 0.800 (95% CI 0.692 to 0.875 by bootstrap)
    """
    data = [as_array(f"array {i + 1}", a) for i, a in enumerate(arrays)]
    if not data or data[0].ndim == 0 or len(data[0]) < 2:
        raise InvalidValue("bootstrap_interval: expected at least one array of two cases or more")
    for i, array in enumerate(data):
        same_length("array 1", data[0], f"array {i + 1}", array)
        if array.dtype.kind == "f" and np.isnan(array).any():
            raise InvalidValue(f"array {i + 1} is NaN at {np.argwhere(np.isnan(array))[0].tolist()}: expected numbers")
    resamples = whole("resamples", resamples, at_least=10, at_most=_MOST_RESAMPLES)
    observed = _told(statistic, *data)
    if not math.isfinite(observed):
        raise InvalidValue(f"statistic is {observed} on the data themselves: expected a finite number")
    if strata is not None and clusters is not None:
        raise InvalidOption("strata and clusters were both given: expected one; a cluster may hold several strata")
    cases = _in_order(statistic, data, strata, clusters)
    values = cases.resampled(resamples, seed)
    tails = ((1 - level) / 2, (1 + level) / 2)
    if method == "bca" and np.ptp(values) > 0:
        tails = bca_tails(observed, values, cases.jackknife(seed), tails)
    low, high = (float(q) for q in np.quantile(values, tails))
    if method == "basic":
        low, high = 2 * observed - high, 2 * observed - low
    whole_clusters = "" if clusters is None else f", {len(cases.units)} clusters"
    name = f"{'BCa' if method == 'bca' else method} bootstrap, {resamples:,} resamples, seed {seed}{whole_clusters}"
    return Effect("statistic", observed, Interval(low, high, level, name))


def permutation_test(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    statistic: Statistic | None = None,
    clusters: npt.ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    method: Literal["auto", "exact", "random"] = "auto",
    swaps: int = 10_000,
    seed: int = 0,
    level: Share = 0.95,
    studentized: bool = False,
) -> TestResult:
    """Is the difference larger than swapping the models' values would give?

    ``statistic(x, y)`` is the mean difference unless given; any function that is 0 for equal models will do, for
    instance a difference of two F1 scores with x and y the two models' predictions. ``clusters`` says which cases
    belong together, and are swapped together. No pair differs: p = 1.

    >>> permutation_test([3, 5, 9, 4], [1, 4, 6, 4]).p_value
    0.25
    """
    first, second = pair(x, y)
    swaps = whole("swaps", swaps, at_least=1)
    member = None if clusters is None else cluster_codes(clusters, len(first))
    d = first - second
    sums: Floats = d if member is None else np.asarray(np.bincount(member, weights=d), dtype=np.float64)
    moving = sums[sums != 0]
    small = statistic is None and len(moving) <= _EXACT_UP_TO
    if method == "exact" and not small:
        raise InvalidOption(
            f"method = 'exact': expected the mean difference of at most {_EXACT_UP_TO} differing pairs, got "
            f"{'another statistic' if statistic else f'{len(moving)} pairs'}; use 'random'"
        )
    scale = float(max(np.max(np.abs(first)), np.max(np.abs(second))))
    observed = without_noise(float(np.mean(d)), scale) if statistic is None else _value(statistic, first, second)
    monte_carlo = None
    if not np.any(d):
        p, how = 1.0, "no pair differs"
    elif small and method != "random":
        p, how = _exact(moving, alternative), f"exact, all {2 ** len(moving):,} sign patterns"
    else:
        hits = _as_extreme(_random(first, second, statistic, swaps, seed, member, sums), observed, alternative)
        p, how = (1 + hits) / (1 + swaps), f"{swaps:,} random swaps, seed {seed}"
        monte_carlo = clopper_pearson(hits, swaps)
    effects: tuple[Effect, ...] = ()
    if statistic is None and len(sums) > 1:
        if studentized and np.any(d):
            p = max(p, _studentized_p(sums, alternative, seed))
            how += ", and studentized bootstrap, the larger p"
        effects = (mean_effect(first, second, clusters=member, level=level, seed=seed),)
    name, value = "Paired permutation test", "mean difference" if statistic is None else "statistic"
    if member is not None:
        name, how = "Permutation test by cluster", f"{how}, {len(sums)} clusters"
    elif effects:
        effects = (*effects, d_z_effect(cohen_d_z(first, second), len(first), level))
    details = {"n": len(moving), "p_interval": monte_carlo}
    inputs = {"x": first, "y": second, "swaps": swaps, "seed": seed}
    return TestResult(name, how, value, observed, p, alternative, effects=effects, details=details, inputs=inputs)


def _studentized_p(sums: Floats, alternative: Alternative, seed: int, resamples: int = 4000) -> float:
    """p of the mean against 0 by the bootstrap of its t (Efron & Tibshirani 1993, chapter 16)."""
    generator, n = np.random.default_rng(random_seed(seed)), len(sums)
    centred = sums - sums.mean()
    scale = float(np.sum(centred**2))
    if scale <= np.square(1e-14 * n * float(np.max(np.abs(sums)))):
        return 0.0  # all differences are equal: the swaps decide
    below = above = drawn = 0
    t = float(sums.mean()) / math.sqrt(scale)
    step = max(1, _BLOCK // n)
    for start in range(0, resamples, step):
        values = centred[generator.integers(0, n, size=(min(step, resamples - start), n))]
        means = values.mean(axis=1)
        spread = np.sqrt(np.sum((values - means[:, None]) ** 2, axis=1))
        drawn_t = np.where(spread > 0, means / np.where(spread > 0, spread, 1), np.copysign(np.inf, means))
        below, above, drawn = below + int(np.sum(drawn_t <= t)), above + int(np.sum(drawn_t >= t)), drawn + len(means)
    less, greater = (1 + below) / (1 + drawn), (1 + above) / (1 + drawn)
    return {"two-sided": min(1.0, 2 * min(less, greater)), "greater": greater, "less": less}[alternative]


def mean_effect(
    x: Floats, y: Floats, *, clusters: npt.NDArray[np.int64] | None = None, level: float = 0.95, seed: int = 0
) -> Effect:
    """The mean difference with its BCa interval, cases or whole clusters drawn."""
    d = x - y
    sizes = np.ones(len(d)) if clusters is None else np.bincount(clusters).astype(np.float64)
    sums = d if clusters is None else np.bincount(clusters, weights=d)
    middle = without_noise(float(np.mean(d)), float(max(np.max(np.abs(x)), np.max(np.abs(y)))))
    bounds = weighted_interval(lambda w: (w @ sums) / (w @ sizes), np.ones(len(sums), dtype=np.int64), level, seed)
    return Effect("mean difference", middle, bounds)


def weighted_interval(
    value: Weighted, counts: npt.NDArray[np.int64], level: float, seed: int, resamples: int = 2000
) -> Interval | None:
    """The BCa interval of a statistic of weighted units, ``counts`` of each kind; None if some draw has none."""
    generator, n, kinds = np.random.default_rng(random_seed(seed)), int(counts.sum()), len(counts)
    whole, step = counts.astype(np.float64), max(1, _BLOCK // kinds)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = []
        for start in range(0, resamples, step):
            many = min(step, resamples - start)
            if kinds == n:
                drawn = generator.integers(0, n, size=(many, n)) + n * np.arange(many)[:, None]
                weights = np.bincount(drawn.ravel(), minlength=many * n).reshape(many, n)
            else:
                weights = generator.multinomial(n, counts / n, size=many)
            values.append(value(weights.astype(np.float64)))
        estimates = np.concatenate(values)
        if not np.isfinite(estimates).all():
            return None
        tails = ((1 - level) / 2, (1 + level) / 2)
        if np.ptp(estimates) > 0:
            # One unit less of each kind; of very many kinds random blocks of them.
            repeats, less = whole, whole - np.eye(kinds) if kinds <= _MOST_BLOCKS else np.tile(whole, (_MOST_BLOCKS, 1))
            if kinds > _MOST_BLOCKS:
                repeats = np.ones(_MOST_BLOCKS)
                for row, block in enumerate(_blocks(generator.permutation(kinds))):
                    less[row, block] = 0
            tails = bca_tails(float(value(whole[None, :])[0]), estimates, value(less), tails, repeats)
    low, high = (float(q) for q in np.quantile(estimates, tails))
    return Interval(low, high, level, f"BCa bootstrap, {resamples:,} resamples, seed {seed}")


def _blocks(order: npt.NDArray[np.intp]) -> list[npt.NDArray[np.intp]]:
    """What is left out at a time: one unit, or of many a block."""
    edges = np.linspace(0, len(order), min(len(order), _MOST_BLOCKS) + 1).astype(int)
    return [order[start:end] for start, end in pairwise(edges)]


def cluster_codes(clusters: npt.ArrayLike, cases: int) -> npt.NDArray[np.int64]:
    """The number of each case's cluster; at least two clusters."""
    labels = as_array("clusters", clusters)
    if labels.ndim != 1 or len(labels) != cases:
        raise InvalidValue(f"clusters has shape {labels.shape}: expected one name for each of {cases} cases")
    codes = np.unique(labels.astype(str) if labels.dtype.kind == "O" else labels, return_inverse=True)[1]
    if codes.max() < 1:
        raise InvalidValue("clusters: all cases belong to one; expected at least two independent clusters")
    return codes.astype(np.int64)


def _told(statistic: Callable[..., float], *arrays: npt.NDArray[Any]) -> float:
    """What a statistic of the caller's own says; that it is a number is not a matter of course."""
    try:
        return float(statistic(*arrays))
    except Exception as error:
        raise InvalidValue(f"statistic: expected a number, got {type(error).__name__}: {error}") from error


@dataclass(frozen=True, slots=True, eq=False)
class _Cases:
    """Cases in an order of their own, on which an interval must not depend; what is drawn of them, and its strata."""

    statistic: Callable[..., float]
    data: list[npt.NDArray[Any]]
    units: list[npt.NDArray[np.intp]]  #: cases or clusters
    blocks: list[npt.NDArray[np.intp]]

    def resampled(self, resamples: int, seed: int) -> Floats:
        """The statistic of units drawn again within their strata, where it is defined."""
        generator, values = np.random.default_rng(random_seed(seed)), np.empty(resamples)
        single = len(self.units) == len(self.data[0])
        for i in range(resamples):
            drawn = np.concatenate([block[generator.integers(0, len(block), len(block))] for block in self.blocks])
            cases = drawn if single else np.concatenate([self.units[unit] for unit in drawn])
            values[i] = _told(self.statistic, *(a[cases] for a in self.data))
        defined = values[np.isfinite(values)]
        if len(defined) < _FEWEST_DEFINED * resamples:
            raise InvalidValue(
                f"statistic is undefined on {resamples - len(defined)} of {resamples} resamples: "
                "expected at most one in ten; give strata= so that every resample holds each class"
            )
        return defined

    def jackknife(self, seed: int) -> Floats:
        """The statistic with one unit (or, of many, one random block) left out at a time."""
        keep, values = np.ones(len(self.data[0]), dtype=bool), []
        for block in _blocks(np.random.default_rng(random_seed(seed)).permutation(len(self.units))):
            gone = np.concatenate([self.units[unit] for unit in block])
            keep[gone] = False
            values.append(_told(self.statistic, *(a[keep] for a in self.data)))
            keep[gone] = True
        return np.array(values)


def _in_order(
    statistic: Callable[..., float],
    data: list[npt.NDArray[Any]],
    strata: npt.ArrayLike | None,
    clusters: npt.ArrayLike | None,
) -> _Cases:
    n = len(data[0])
    labels = np.zeros(n) if strata is None else as_array("strata", strata)
    same_length("strata", labels, "array 1", data[0])
    columns = [column for array in (labels, *data) for column in array.reshape(n, -1).T]
    order = np.lexsort([np.unique(column, return_inverse=True)[1] for column in reversed(columns)])
    kinds, units = labels[order], list(np.arange(n)[:, None])
    blocks = [np.flatnonzero(kinds == kind) for kind in np.unique(kinds)]
    if clusters is not None:
        member = cluster_codes(clusters, n)[order]
        units = sorted((np.flatnonzero(member == code) for code in np.unique(member)), key=lambda unit: int(unit[0]))
        blocks = [np.arange(len(units))]
    return _Cases(statistic, [array[order] for array in data], units, blocks)


def bca_tails(
    observed: float, values: Floats, jackknife: Floats, tails: tuple[float, float], repeats: Floats | None = None
) -> tuple[float, float]:
    """The tails moved for bias and skewness; ``repeats`` says how many units each jackknife value stands for."""
    below = (np.sum(values < observed) + np.sum(values == observed) / 2) / len(values)
    bias = normal_quantile(min(max(float(below), 0.5 / len(values)), 1 - 0.5 / len(values)))
    weights = np.where(np.isfinite(jackknife), np.ones(len(jackknife)) if repeats is None else repeats, 0.0)
    known = np.where(weights > 0, jackknife, 0.0)
    centred = np.average(known, weights=weights) - known if weights.any() else known
    spread = float(np.sum(weights * centred**2)) ** 1.5
    acceleration = float(np.sum(weights * centred**3)) / (6 * spread) if spread > 0 else 0.0

    def moved(tail: float) -> float:
        z = bias + normal_quantile(tail)
        return 0.5 * math.erfc(-(bias + z / (1 - acceleration * z)) / math.sqrt(2))

    return moved(tails[0]), moved(tails[1])


def _exact(d: Floats, alternative: Alternative) -> float:
    """The share of sign patterns whose sum is at least as extreme, equality up to rounding included."""
    halves = []
    for part in (d[: len(d) // 2], d[len(d) // 2 :]):
        sums = np.zeros(1)
        for value in part:
            sums = np.concatenate([sums + value, sums - value])
        halves.append(np.sort(sums))
    total, slack = float(np.sum(d)), _ROUNDING * float(np.sum(np.abs(d)))
    extreme = {"two-sided": abs(total), "greater": total, "less": -total}[alternative]
    # The sums are symmetric about zero, so P(S >= extreme) serves all three directions.
    reached = np.searchsorted(halves[1], extreme - slack - halves[0], side="left")
    share = float(np.sum(len(halves[1]) - reached)) / 2.0 ** len(d)
    return min(1.0, 2 * share) if alternative == "two-sided" else share


def _random(
    x: Floats,
    y: Floats,
    statistic: Statistic | None,
    swaps: int,
    seed: int,
    member: npt.NDArray[np.int64] | None,
    sums: Floats,
) -> Floats:
    """The statistic after each of many random swaps."""
    generator = np.random.default_rng(random_seed(seed))
    values = np.empty(swaps)
    if statistic is not None:
        for i in range(swaps):
            swap = generator.random(len(sums)) < 0.5
            swap = swap if member is None else swap[member]
            values[i] = _value(statistic, np.where(swap, y, x), np.where(swap, x, y))
        return values
    step = max(1, _BLOCK // len(sums))
    for start in range(0, swaps, step):
        signs = generator.integers(0, 2, size=(min(step, swaps - start), len(sums)), dtype=np.int8)
        values[start : start + step] = (signs * 2.0 - 1.0) @ sums / len(x)
    return values


def _as_extreme(values: Floats, observed: float, alternative: Alternative) -> int:
    """How many swaps reach the observed value, equality up to rounding included."""
    slack = _ROUNDING * max(abs(observed), float(np.max(np.abs(values))))
    if alternative == "two-sided":
        return int(np.sum(np.abs(values) >= abs(observed) - slack))
    return int(np.sum(values >= observed - slack if alternative == "greater" else values <= observed + slack))


def _value(statistic: Statistic, x: Floats, y: Floats) -> float:
    value = _told(statistic, x, y)
    if not np.isfinite(value):
        raise InvalidValue(f"statistic returned {value}: expected a finite number for every swap of the pairs")
    return value
