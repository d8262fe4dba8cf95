"""Intervals for a proportion: an accuracy, a sensitivity, a win rate.

Wilson's interval (1927, doi:10.1080/01621459.1927.10502953) is the one to use; Clopper-Pearson (1934,
doi:10.1093/biomet/26.4.404) never falls short of its level; Wald's is what most papers print and what fails at 0 and 1
(Brown, Cai & DasGupta 2001, doi:10.1214/ss/1009213286; Agresti & Coull 1998, doi:10.1080/00031305.1998.10480550).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from scoreproof.errors import InvalidValue
from scoreproof.results import Result, SmallTable
from scoreproof.statistics.result import Interval
from scoreproof.statistics.tails import two_sided_z
from scoreproof.statistics.wording import number_text
from scoreproof.validation import chosen, fraction, random_seed, whole


@dataclass(frozen=True, slots=True)
class Proportion(Result):
    """A proportion with its interval, ready to print.

    >>> print(proportion_interval(193, 300))
    193 of 300 = 0.643 (95% CI 0.588 to 0.695, Wilson)
    """

    k: int
    n: int
    interval: Interval
    notes: tuple[str, ...] = ()

    _told = "k n estimate interval notes"

    @property
    def estimate(self) -> float:
        return self.k / self.n if self.n else math.nan

    def __str__(self) -> str:
        return f"{self.k} of {self.n} = {number_text(self.estimate)} ({self.interval}, {self.interval.method})"

    def _tables(self) -> list[SmallTable]:
        rows = [("estimate", number_text(self.estimate)), (self.interval.method, str(self.interval))]
        return [SmallTable(rows, caption=f"{self.k} of {self.n}")]


def proportion_interval(
    k: int, n: int, *, method: str = "wilson", level: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> Proportion:
    """The interval of k successes in n trials.

    ``method`` is wilson, wilson-cc (continuity corrected, as R's prop.test), clopper-pearson, agresti-coull,
    jeffreys, wald or bootstrap (percentiles of seeded resamples). Without trials nothing is known: (0, 1).
    Wald's and Agresti-Coull's formulas may leave [0, 1]; they are returned as they are, with a note.

    >>> proportion_interval(20, 20, method="wald").interval.low
    1.0
    >>> round(proportion_interval(20, 20, method="clopper-pearson").interval.low, 4)
    0.8316
    """
    k, n, level = whole("k", k), whole("n", n), fraction("level", level)
    if k > n:
        raise InvalidValue(f"k = {k} exceeds n = {n}: expected successes among the trials")
    chosen("method", method, PROPORTION_METHODS)
    name, formula = _METHODS[method]
    if n == 0:
        return Proportion(k, n, Interval(0.0, 1.0, level, name), ("no trials: nothing is known",))
    if formula is None:
        generator, draws = np.random.default_rng(random_seed(seed)), whole("resamples", resamples, at_least=1)
        shares = generator.binomial(n, k / n, size=draws) / n
        ends = np.quantile(shares, [(1 - level) / 2, (1 + level) / 2])
        low, high, name = float(ends[0]), float(ends[1]), f"percentile bootstrap, {resamples:,}, seed {seed}"
    else:
        low, high = formula(k, n, level)
    notes = []
    if low < 0 or high > 1:
        notes.append(f"the {name} interval leaves [0, 1]: use Wilson's")
    if method in ("wald", "bootstrap") and k in (0, n):
        notes.append(f"the {name} interval has no width at {k} of {n}: use Wilson's")
    return Proportion(k, n, Interval(low, high, level, name), tuple(notes))


def clopper_pearson(k: int, n: int, *, level: float = 0.95) -> Interval:
    """The exact interval on its own, for results that carry one."""
    low, high = _clopper_pearson(k, n, level) if n else (0.0, 1.0)
    return Interval(low, high, level, "Clopper-Pearson")


def wilson(k: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval on its own, for results that carry one."""
    low, high = _wilson(k, n, level) if n else (0.0, 1.0)
    return Interval(low, high, level, "Wilson")


def _wald(k: int, n: int, level: float) -> tuple[float, float]:
    share = k / n
    half = two_sided_z(level) * math.sqrt(share * (1 - share) / n)
    return share - half, share + half


def _wilson(k: int, n: int, level: float) -> tuple[float, float]:
    low, high = _score_bounds(k, n, level, 0.0)
    return (0.0 if k == 0 else low), (1.0 if k == n else high)


def _wilson_corrected(k: int, n: int, level: float) -> tuple[float, float]:
    """As R's prop.test: the correction shrinks to nothing at exactly one half."""
    return _score_bounds(k, n, level, min(0.5, abs(k - n / 2)))


def _score_bounds(k: int, n: int, level: float, shift: float) -> tuple[float, float]:
    half_square = two_sided_z(level) ** 2 / (2 * n)

    def bound(share: float, side: int) -> float:
        root = two_sided_z(level) * math.sqrt(share * (1 - share) / n + half_square / (2 * n))
        return (share + half_square + side * root) / (1 + 2 * half_square)

    below, above = (k - shift) / n, (k + shift) / n
    return (0.0 if below <= 0 else bound(below, -1)), (1.0 if above >= 1 else bound(above, 1))


def _clopper_pearson(k: int, n: int, level: float) -> tuple[float, float]:
    return exact_limits(k, n, (1 - level) / 2, (1 + level) / 2)


def exact_limits(k: int, n: int, low: float, high: float) -> tuple[float, float]:
    """The shares at which k or more of n have probability ``low``, and more than k probability ``high``."""
    ends = (
        (0.0 if k == 0 else special.betaincinv(k, n - k + 1, low)),
        (special.betaincinv(k + 1, n - k, high) if k < n else 1.0),
    )
    return float(ends[0]), float(ends[1])


def _agresti_coull(k: int, n: int, level: float) -> tuple[float, float]:
    square = two_sided_z(level) ** 2
    trials = n + square
    share = (k + square / 2) / trials
    half = math.sqrt(square * share * (1 - share) / trials)
    return share - half, share + half


def _jeffreys(k: int, n: int, level: float) -> tuple[float, float]:
    tail = (1 - level) / 2
    return (
        float(special.betaincinv(k + 0.5, n - k + 0.5, tail)),
        1 - float(special.betaincinv(n - k + 0.5, k + 0.5, tail)),
    )


_Formula = Callable[[int, int, float], tuple[float, float]]
_METHODS: dict[str, tuple[str, _Formula | None]] = {
    "wilson": ("Wilson", _wilson),
    "wilson-cc": ("Wilson, continuity corrected", _wilson_corrected),
    "clopper-pearson": ("Clopper-Pearson", _clopper_pearson),
    "agresti-coull": ("Agresti-Coull", _agresti_coull),
    "jeffreys": ("Jeffreys", _jeffreys),
    "wald": ("Wald", _wald),
    "bootstrap": ("bootstrap", None),
}
PROPORTION_METHODS = tuple(_METHODS)
