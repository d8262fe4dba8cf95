"""The Hodges-Lehmann estimate: the shift the signed-rank test believes in, with its interval.

The estimate is the median of all pairwise means of the differences; the interval holds the shifts that the test
does not reject (Hollander, Wolfe & Chicken 2014, section 3.2, doi:10.1002/9781119196037). It takes the test's own
critical value, ties and dropped zeros included, so that it excludes 0 exactly when the test rejects.

The pairwise means are not listed: one of given rank is found by counting how many lie below a guess, which
sorted differences answer in n log n steps, so that nothing vanishes when there are many (beyond 20,000 different
ones the answer is good to about six digits).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Floats
from scoreproof.statistics.result import Effect, Interval

_LISTED = 100
_SHORT = 20_000
_MOST_TIED = 1000
_NAME = "Hodges-Lehmann difference"


def hodges_lehmann(
    differences: Floats, critical: float | None, *, level: float = 0.95, rejects: bool = False
) -> Effect | None:
    """The estimate, with the interval where ``critical``, the largest rank sum that is rejected, is known.

    ``rejects`` is the verdict of the test about 0, which decides where an end of the interval falls on 0 itself.

    >>> print(hodges_lehmann(np.array([1.0, 2.0, 3.0, 4.0, 6.0, 7.0]), 0, rejects=True))
    Hodges-Lehmann difference = 4.00 (95% CI 1.00 to 7.00)
    """
    n = len(differences)
    if n == 0:
        return None
    d = np.sort(differences)
    total = n * (n + 1) // 2
    middle = sorted({(total + 1) // 2, total // 2 + 1})
    ends = [] if critical is None else [math.floor(critical) + 1, total - math.floor(critical)]
    means = dict(zip([*middle, *ends], _walsh(d, [*middle, *ends]), strict=True))
    estimate = sum(means[m] for m in middle) / len(middle)
    if critical is None:
        return Effect(_NAME, estimate)
    low, high = (means[rank] for rank in ends)
    low, high = _agreeing(d, min(low, estimate), max(high, estimate), rejects=rejects, above=estimate > 0)
    return Effect(_NAME, estimate, Interval(low, high, level, "inverted signed-rank test"))


def _agreeing(d: Floats, low: float, high: float, *, rejects: bool, above: bool) -> tuple[float, float]:
    """The interval without 0 where the test rejects it, with 0 where it does not.

    Ends are pairwise means. One that is 0 may belong to the interval or only border on it, as the test says; then
    the next mean beyond 0 is the end.
    """
    if not rejects:
        return min(low, 0.0), max(high, 0.0)
    if low > 0 or high < 0:
        return low, high
    at_most, below = _count(d, 0.0), _count(d, 0.0, strict=True)
    if above:
        return _walsh(d, [at_most + 1])[0], high
    return low, _walsh(d, [below])[0]


def _walsh(d: Floats, ranks: list[int]) -> list[float]:
    """The pairwise means of these ranks (from 1) of sorted differences."""
    n = len(d)
    if n <= _LISTED:
        return [float(mean) for mean in _listed(d)[np.array(ranks) - 1]]
    values, many = np.unique(d, return_counts=True)
    if len(values) <= _MOST_TIED and 2 * len(values) < n:
        return _of_ties(values, many, ranks)
    # A few evenly spaced differences have nearly the same means, which tells where to look.
    points = _LISTED if n <= _SHORT else 7 * _LISTED
    few = _listed(d[np.linspace(0, n - 1, points).astype(int)])
    share = (np.array(ranks) - 0.5) / (n * (n + 1) / 2) * (len(few) - 1)
    margin = len(few) / points
    near = np.interp([share - margin, share, share + margin], np.arange(len(few)), few)
    return [_select(d, rank, *near[:, i].tolist()) for i, rank in enumerate(ranks)]


def _of_ties(values: Floats, many: npt.NDArray[np.int64], ranks: list[int]) -> list[float]:
    """The same where few different differences occur many times each."""
    i, j = np.triu_indices(len(values))
    means = (values[i] + values[j]) / 2
    weights = np.where(i == j, many[i] * (many[i] + 1) // 2, many[i] * many[j])
    order = np.argsort(means)
    at = np.searchsorted(np.cumsum(weights[order]), ranks)
    return [float(means[order[k]]) for k in at]


def _listed(d: Floats) -> Floats:
    return np.sort((d[:, None] + d[None, :])[np.triu_indices(len(d))]) / 2


def _count(d: Floats, at: float, *, strict: bool = False) -> int:
    """How many pairwise means are at most (or below) a value."""
    # In rising order, which numpy searches several times as fast.
    reach = np.searchsorted(d, (2 * at - d)[::-1], side="left" if strict else "right")[::-1]
    # Each pair once: for the i-th difference those from itself on.
    return int(np.maximum(reach - np.arange(len(d)), 0).sum())


def _select(d: Floats, rank: int, guess_low: float, guess: float, guess_high: float) -> float:
    """One pairwise mean: a bracket narrowed by interpolation until few means are left in it, which are listed."""
    n = len(d)
    few = n if n <= _SHORT else 16 * n
    low, high = float(d[0]), float(d[-1])
    below, up_to, last = 0, n * (n + 1) // 2, -1
    for step in range(200):
        if up_to - below <= few or high - low <= 4e-15 * max(abs(low), abs(high)):
            break
        if step < 3:
            at = (guess, guess_low if below == 0 else guess_high, guess_high)[step]
        else:
            # Interpolate, aiming past the mark on the side that did not move, and halve where that gets stuck.
            share = (rank - below) / (up_to - below)
            aim = few / (4 * (up_to - below)) * (1 if last < 0 else -1)
            at = low + (0.5 if step % 6 == 5 else min(0.99, max(0.01, share + aim))) * (high - low)
        if not low < at < high:
            if step < 3:
                continue
            break
        here = _count(d, at)
        last = 1 if here >= rank else -1
        if here >= rank:
            high, up_to = at, here
        else:
            low, below = at, here
    if up_to - below > few:
        return _nearest(d, high)  # as good as equal: only rounding tells what is left apart
    if n > _SHORT:
        # Among the 16 n of n² / 2 means that are left, rank and value rise evenly.
        return low + (rank - below) / (up_to - below) * (high - low)
    means = _between(d, low, high, first=below == 0)
    return float(means[min(max(rank - below, 1), len(means)) - 1])


def _nearest(d: Floats, value: float) -> float:
    """The pairwise mean closest to a value."""
    at = np.clip(np.searchsorted(d, 2 * value - d), 1, len(d) - 1)
    means = np.concatenate([d + d[at], d + d[at - 1]]) / 2
    return float(means[np.argmin(np.abs(means - value))])


def _between(d: Floats, low: float, high: float, *, first: bool) -> npt.NDArray[np.float64]:
    """The pairwise means above ``low`` (or from it on) and up to ``high``, in order."""
    i = np.arange(len(d))
    start = np.searchsorted(d, (2 * low - d)[::-1], side="left" if first else "right")[::-1]
    start = np.maximum(start, i)
    stop = np.maximum(np.searchsorted(d, (2 * high - d)[::-1], side="right")[::-1], start)
    sizes = stop - start
    left = np.repeat(i, sizes)
    offset = np.arange(len(left)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.sort((d[left] + d[np.repeat(start, sizes) + offset]) / 2)
