"""The paired permutation test: swap the two models' values at random, case by case.

Under no difference each swap is a fair coin, whatever the distribution of the values (Edgington & Onghena
2007, doi:10.1201/9781420011814). The mean difference is tested exactly for up to 40 differing pairs, by
meeting in the middle of the 2^n sign patterns; anything else by seeded random swaps, with p = (1 + hits) / (1
+ swaps) (Phipson & Smyth 2010, doi:10.2202/1544-6115.1585).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import (
    Alternative,
    Floats,
    chosen,
    one_of_alternatives,
    pair,
    whole,
    without_noise,
)
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.effect_size import cohen_d_z
from scoreproof.statistics.proportions import clopper_pearson
from scoreproof.statistics.result import Effect, TestResult

_EXACT_UP_TO = 40
_ROUNDING = 1e-12

Statistic = Callable[[Floats, Floats], float]


def permutation_test(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    statistic: Statistic | None = None,
    alternative: Alternative = "two-sided",
    method: Literal["auto", "exact", "random"] = "auto",
    swaps: int = 10_000,
    seed: int = 0,
) -> TestResult:
    """Is the difference larger than swapping the models' values would give?

    ``statistic(x, y)`` is the mean difference unless given; any function that is 0 for equal models will do, for
    instance a difference of two F1 scores with x and y the two models' predictions. No pair differs: p = 1.

    >>> permutation_test([3, 5, 9, 4], [1, 4, 6, 4]).p_value
    0.25
    """
    first, second = pair(x, y)
    alternative = one_of_alternatives(alternative)
    chosen("method", method, ("auto", "exact", "random"))
    swaps = whole("swaps", swaps, at_least=1)
    d = first - second
    moving = d[d != 0]
    small = statistic is None and len(moving) <= _EXACT_UP_TO
    if method == "exact" and not small:
        raise InvalidOption(
            f"method = 'exact': expected the mean difference of at most {_EXACT_UP_TO} differing pairs, got "
            f"{'another statistic' if statistic else f'{len(moving)} pairs'}; use 'random'"
        )
    scale = float(max(np.max(np.abs(first)), np.max(np.abs(second))))
    observed = without_noise(float(np.mean(d)), scale) if statistic is None else _value(statistic, first, second)
    monte_carlo = None
    if len(moving) == 0:
        p, how = 1.0, "no pair differs"
    elif small and method != "random":
        p, how = _exact(moving, alternative), f"exact, all {2 ** len(moving):,} sign patterns"
    else:
        values = _random(first, second, statistic, swaps, seed)
        hits = _as_extreme(values, observed, alternative)
        p, how = (1 + hits) / (1 + swaps), f"{swaps:,} random swaps, seed {seed}"
        monte_carlo = clopper_pearson(hits, swaps)
    dz = (Effect("Cohen's d_z", cohen_d_z(first, second)),) if statistic is None and len(d) > 1 else ()
    return TestResult(
        test="Paired permutation test",
        method=how,
        statistic_name="mean difference" if statistic is None else "statistic",
        statistic=observed,
        p_value=p,
        alternative=alternative,
        effects=dz,
        details={"n": len(moving), "p_interval": monte_carlo},
        inputs={"x": first, "y": second, "swaps": swaps, "seed": seed},
    )


def _exact(d: Floats, alternative: Alternative) -> float:
    """The share of sign patterns whose sum is at least as extreme, equality up to rounding included."""
    half = len(d) // 2
    left, right = _signed_sums(d[:half]), np.sort(_signed_sums(d[half:]))
    total, slack = float(np.sum(d)), _ROUNDING * float(np.sum(np.abs(d)))
    extreme = {"two-sided": abs(total), "greater": total, "less": -total}[alternative]
    # The sums are symmetric about zero, so P(S >= extreme) serves all three directions.
    reached = np.searchsorted(right, extreme - slack - left, side="left")
    share = float(np.sum(len(right) - reached)) / 2.0 ** len(d)
    return min(1.0, 2 * share) if alternative == "two-sided" else share


def _signed_sums(d: Floats) -> Floats:
    sums = np.zeros(1)
    for value in d:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def _random(x: Floats, y: Floats, statistic: Statistic | None, swaps: int, seed: int) -> Floats:
    """The statistic after each of many random swaps."""
    generator = np.random.default_rng(seed)
    values = np.empty(swaps)
    if statistic is not None:
        for i in range(swaps):
            swap = generator.random(len(x)) < 0.5
            values[i] = _value(statistic, np.where(swap, y, x), np.where(swap, x, y))
        return values
    d = x - y
    step = max(1, 4_000_000 // len(d))
    for start in range(0, swaps, step):
        signs = generator.integers(0, 2, size=(min(step, swaps - start), len(d)), dtype=np.int8)
        values[start : start + step] = (signs * 2.0 - 1.0) @ d / len(d)
    return values


def _as_extreme(values: Floats, observed: float, alternative: Alternative) -> int:
    """How many swaps reach the observed value, equality up to rounding included."""
    slack = _ROUNDING * max(abs(observed), float(np.max(np.abs(values))))
    if alternative == "two-sided":
        return int(np.sum(np.abs(values) >= abs(observed) - slack))
    return int(np.sum(values >= observed - slack if alternative == "greater" else values <= observed + slack))


def _value(statistic: Statistic, x: Floats, y: Floats) -> float:
    value = float(statistic(x, y))
    if not np.isfinite(value):
        raise InvalidValue(f"statistic returned {value}: expected a finite number for every swap of the pairs")
    return value
