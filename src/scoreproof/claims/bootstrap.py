"""Whether a percentile bootstrap of a proportion may have given limits.

A resample of n cases has Binomial(n, x/n) successes, and the printed limits are order statistics of 1,000 or more such
draws: how far these can lie from the quantiles follows from binomial tails. What is excluded has a probability below
1e-9, which is no proof: a bootstrap is named as possible, or not, and never makes anything impossible.
"""

from __future__ import annotations

from math import floor

import numpy as np
from scipy import special

from scoreproof.kinds.proportion_interval import possible_counts
from scoreproof.reported import Claim

_DRAWS = 1000
_RARE = 1e-9
_SPARE = 2  # order statistics by which rules of interpolation differ
_MOST_COUNTS = 200
_MOST_CASES = 100_000


def may_be_bootstrap(value: Claim, low: Claim, high: Claim, n: int, level: float) -> bool:
    """Whether limits as printed are not too rare for a bootstrap of some count that prints as the value."""
    if n > _MOST_CASES:
        return True
    first, last = possible_counts(value, n)
    step = max(1, (last - first) // _MOST_COUNTS)
    return any(_fits(x, n, low, high, (1 - level) / 2) for x in (*range(first, last + 1, step), last))


def _fits(x: int, n: int, low: Claim, high: Claim, tail: float) -> bool:
    down = _span(x, n, tail)
    up = tuple(n - end for end in reversed(_span(n - x, n, tail)))
    return (
        down[0] <= high_end(low, n)
        and down[1] >= low_end(low, n)
        and up[0] <= high_end(high, n)
        and up[1] >= low_end(high, n)
    )


def low_end(claim: Claim, n: int) -> float:
    return float(claim.low * n) - 1e-9


def high_end(claim: Claim, n: int) -> float:
    return float(claim.high * n) + 1e-9


def _span(x: int, n: int, tail: float) -> tuple[int, int]:
    """Between which counts the lower limit of a bootstrap of x of n lies, but for rare draws."""
    counts = np.arange(n + 1)
    share = x / n
    at_most = special.bdtr(counts, n, share)
    place = floor(_DRAWS * tail)
    reached = special.bdtrc(place - _SPARE, _DRAWS, at_most)  # so many draws lie at or below
    passed = special.bdtr(place + _SPARE, _DRAWS, at_most)
    above = np.flatnonzero(passed > _RARE)
    return int(np.argmax(reached > _RARE)), min(int(above[-1]) + 1, n) if len(above) else 0
