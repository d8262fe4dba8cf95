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

from scoreproof.errors import InvalidValue
from scoreproof.results import Result, SmallTable
from scoreproof.statistics.proportion_limits import BY_ERRORS, BY_TAIL
from scoreproof.statistics.result import Interval, number_text
from scoreproof.statistics.tails import two_sided_z
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
    low, high = _formula("clopper-pearson")(k, n, level) if n else (0.0, 1.0)
    return Interval(low, high, level, "Clopper-Pearson")


def wilson(k: int, n: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval on its own, for results that carry one."""
    low, high = _formula("wilson")(k, n, level) if n else (0.0, 1.0)
    return Interval(low, high, level, "Wilson")


_Formula = Callable[[int, int, float], tuple[float, float]]


def _formula(method: str) -> _Formula:
    """The limits of one count at a level, as floats."""

    def limits(k: int, n: int, level: float) -> tuple[float, float]:
        if method in BY_TAIL:
            low, high = BY_TAIL[method](k, n, (1 - level) / 2)
        else:
            low, high = BY_ERRORS[method](k, n, two_sided_z(level))
        return float(low), float(high)

    return limits


_METHODS: dict[str, tuple[str, _Formula | None]] = {
    "wilson": ("Wilson", _formula("wilson")),
    "wilson-cc": ("Wilson, continuity corrected", _formula("wilson-cc")),
    "clopper-pearson": ("Clopper-Pearson", _formula("clopper-pearson")),
    "agresti-coull": ("Agresti-Coull", _formula("agresti-coull")),
    "jeffreys": ("Jeffreys", _formula("jeffreys")),
    "wald": ("Wald", _formula("wald")),
    "bootstrap": ("bootstrap", None),
}
PROPORTION_METHODS = tuple(_METHODS)
