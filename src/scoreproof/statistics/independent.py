"""Values of models that were not evaluated on the same cases: two groups, or several.

Mann and Whitney's test (1947, doi:10.1214/aoms/1177730491) and Welch's t (1947, doi:10.2307/2332510), also from
published means and standard deviations; Kruskal and Wallis's (1952, doi:10.1080/01621459.1952.10483441) with
Dunn's for the pairs (1964, doi:10.1080/00401706.1964.10490181). Whoever has the pairs should use them: tests that
ignore a pairing lose most of their power.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, Floats, groups, midranks, numbers, without_noise
from scoreproof.errors import InvalidValue
from scoreproof.statistics.auc import auc_interval
from scoreproof.statistics.paired_t import mean_difference
from scoreproof.statistics.result import Effect, TestResult, count_text
from scoreproof.statistics.tails import chi2_p, in_errors, normal_p, t_p, welch_df
from scoreproof.validation import Share, real, whole

_EXACT_BELOW = 50
_LARGEST = 1e150  # its square is a number


def mann_whitney(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Do values of x tend to lie above those of y? Exact, ties as they are, below 50 values each, else normal.

    >>> result = mann_whitney([0.81, 0.83, 0.85, 0.79], [0.77, 0.78, 0.80])
    >>> result.statistic, round(result.p_value, 4)
    (11.0, 0.1143)
    """
    from scipy.stats import mannwhitneyu

    first, second = numbers("x", x), numbers("y", y)
    n1, n2 = len(first), len(second)
    every = np.concatenate([first, second])
    u = a12(first, second) * n1 * n2
    if not np.ptp(every):
        how, p = "all values are equal", 1.0
    elif max(n1, n2) < _EXACT_BELOW:
        tied = len(np.unique(every)) < n1 + n2
        how, p = "exact, ties as they are" if tied else "exact", rank_sum_p(every, n1, alternative)
    else:
        tested = mannwhitneyu(first, second, alternative=alternative, method="asymptotic")
        how, p = "normal approximation, ties and continuity corrected", min(1.0, float(tested.pvalue))
    effects, details = _shift(first, second, level), {"turned": count_text(n1 * n2 - u)}
    inputs = {"x": first, "y": second, "level": level}
    return TestResult("Mann-Whitney test", how, "U", u, p, alternative, effects=effects, details=details, inputs=inputs)


def rank_sum_p(values: Floats, n1: int, alternative: Alternative) -> float:
    """The share of all ways to choose the first group whose rank sum is as far from its mean, as coin has it."""
    doubled = np.rint(2 * midranks(values)).astype(np.int64)
    observed, centre = int(doubled[:n1].sum()), n1 * (len(values) + 1)
    # ways[k, s]: the choices of k values with doubled rank sum s, as shares so that no float overflows.
    ways = np.zeros((n1 + 1, int(np.sort(doubled)[-n1:].sum()) + 1))
    ways[0, 0] = 1.0
    for done, rank in enumerate(np.sort(doubled).tolist(), start=1):
        for k in range(min(done, n1), 0, -1):
            ways[k, rank:] += ways[k - 1, : ways.shape[1] - rank]
        if done % 100 == 0:
            ways *= 2.0**-90
    law = ways[n1] / ways[n1].sum()
    sums = np.arange(len(law))
    if alternative == "two-sided":
        return min(1.0, float(law[np.abs(sums - centre) >= abs(observed - centre)].sum()))
    return min(1.0, float(law[sums >= observed if alternative == "greater" else sums <= observed].sum()))


def a12(x: npt.ArrayLike, y: npt.ArrayLike) -> float:
    """The probability that a value of x exceeds one of y, ties counting half; 0.5 means no difference.

    Vargha & Delaney's (2000, doi:10.3102/10769986025002101); it is an AUC, and has its interval.
    """
    first, second = numbers("x", x), numbers("y", y)
    ordered = np.sort(second)
    below = np.searchsorted(ordered, first, side="left")
    up_to = np.searchsorted(ordered, first, side="right")
    return float(np.sum(below + up_to)) / (2 * len(first) * len(second))


def welch_t(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: Share = 0.95
) -> TestResult:
    """Do two independent means differ, whatever their variances?"""
    first, second = numbers("x", x, at_least=2), numbers("y", y, at_least=2)
    moments = [(float(np.mean(v)), float(np.std(v, ddof=1)), len(v)) for v in (first, second)]
    return welch_from_summary(*moments[0], *moments[1], alternative=alternative, level=level)


def welch_from_summary(
    mean1: float,
    sd1: float,
    n1: int,
    mean2: float,
    sd2: float,
    n2: int,
    *,
    alternative: Alternative = "two-sided",
    level: Share = 0.95,
) -> TestResult:
    """Welch's test from what papers print: means, standard deviations and numbers of independent values.

    Runs of one model with different seeds are independent; folds are not, and need the values themselves.

    >>> round(welch_from_summary(0.84, 0.03, 5, 0.80, 0.02, 5).p_value, 4)
    0.0423
    """
    n1, n2 = whole("n1", n1, at_least=2), whole("n2", n2, at_least=2)
    for name, value in (("mean1", mean1), ("sd1", sd1), ("mean2", mean2), ("sd2", sd2)):
        low = 0.0 if name.startswith("sd") else -_LARGEST
        real(name, value, at_least=low, at_most=_LARGEST, error=InvalidValue)
    shares = sd1**2 / n1, sd2**2 / n2
    error = math.sqrt(sum(shares))
    difference = without_noise(mean1 - mean2, max(abs(mean1), abs(mean2)))
    t, df = in_errors(difference, error), welch_df(shares, (n1, n2))
    p, effects = t_p(t, df, alternative), (mean_difference(difference, error, df, level),)
    inputs = {"mean1": mean1, "sd1": sd1, "n1": n1, "mean2": mean2, "sd2": sd2, "n2": n2, "level": level}
    return TestResult("Welch t-test", "unequal variances", "t", t, p, alternative, (df,), effects, inputs=inputs)


def kruskal_wallis(*values: npt.ArrayLike) -> TestResult:
    """Do several independent groups differ? Ranks of all values together, χ² with ties corrected."""
    _, ranks, parts = _ranked(values)
    n, spread = len(ranks), float(np.sum((ranks - ranks.mean()) ** 2))
    between = sum(len(part) * (float(part.mean()) - (n + 1) / 2) ** 2 for part in parts)
    h = 0.0 if spread == 0 else (n - 1) * between / spread
    how = "χ² approximation, ties corrected" if spread else "all values are equal"
    p, df = chi2_p(h, len(parts) - 1), (float(len(parts) - 1),)
    effects = (Effect("ε²", h / (n - 1) if n > 1 else 0.0),)
    details = {"mean_ranks": [float(part.mean()) for part in parts]}
    inputs = {"sizes": [len(part) for part in parts]}
    return TestResult("Kruskal-Wallis test", how, "H", h, p, df=df, effects=effects, details=details, inputs=inputs)


def dunn(values: Sequence[npt.ArrayLike], first: int, second: int, *, level: Share = 0.95) -> TestResult:
    """One pair after Kruskal and Wallis: the difference of mean ranks among all groups; correct for all pairs."""
    samples, ranks, parts = _ranked(values)
    first, second = (
        whole(name, place, at_most=len(parts) - 1) for name, place in (("first", first), ("second", second))
    )
    gap = float(parts[first].mean() - parts[second].mean())
    variance = float(np.sum((ranks - ranks.mean()) ** 2)) / max(1, len(ranks) - 1)
    error = math.sqrt(variance * (1 / len(parts[first]) + 1 / len(parts[second])))
    z = gap / error if error else 0.0
    effects = _shift(samples[first], samples[second], level)
    inputs = {"sizes": [len(part) for part in parts]}
    return TestResult(
        "Dunn test", "mean ranks, ties corrected", "z", z, normal_p(z) if error else 1.0, effects=effects, inputs=inputs
    )


def _ranked(values: Sequence[npt.ArrayLike]) -> tuple[list[Floats], Floats, list[Floats]]:
    """The groups, the ranks of all values together, and those of each group."""
    samples = groups(values, at_least=1)
    ranks = midranks(np.concatenate(samples))
    return samples, ranks, np.split(ranks, np.cumsum([len(sample) for sample in samples])[:-1])


def _shift(x: Floats, y: Floats, level: float) -> tuple[Effect, Effect]:
    """The difference of medians, and A12 with the interval of an AUC on the logit scale."""
    gap = without_noise(float(np.median(x) - np.median(y)), 1.0)
    bounds = None
    if min(len(x), len(y)) > 1:
        sides = np.repeat([1, 0], [len(x), len(y)])
        bounds = auc_interval(sides, np.concatenate([x, y]), method="logit", level=level).interval
    return Effect("difference of medians", gap), Effect("P(first above second)", a12(x, y), bounds)
