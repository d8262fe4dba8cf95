"""Values of models that were not evaluated on the same cases: two groups, or several.

Mann and Whitney's test (1947, doi:10.1214/aoms/1177730491) and Welch's t (1947, doi:10.2307/2332510), also from
published means and standard deviations; Kruskal and Wallis's (1952, doi:10.1080/01621459.1952.10483441) with
Dunn's for the pairs (1964, doi:10.1080/00401706.1964.10490181). Whoever has the pairs should use them: tests that
ignore a pairing lose most of their power.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, Floats, groups, midranks, numbers, one_of_alternatives, without_noise
from scoreproof.errors import InvalidValue
from scoreproof.statistics.effect_size import a12
from scoreproof.statistics.paired_t import mean_difference
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.tails import chi2_p, in_errors, normal_p, t_p, welch_df
from scoreproof.validation import fraction, real, whole

_EXACT_BELOW = 50
_LARGEST = 1e150  # its square is a number


def mann_whitney(x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided") -> TestResult:
    """Do values of x tend to lie above those of y? Exact without ties below 50 values each, else normal.

    >>> result = mann_whitney([0.81, 0.83, 0.85, 0.79], [0.77, 0.78, 0.80])
    >>> result.statistic, round(result.p_value, 4)
    (11.0, 0.1143)
    """
    from scipy.stats import mannwhitneyu

    first, second = numbers("x", x), numbers("y", y)
    alternative = one_of_alternatives(alternative)
    tied = len(np.unique(np.concatenate([first, second]))) < len(first) + len(second)
    exact = not tied and max(len(first), len(second)) < _EXACT_BELOW
    constant = not np.ptp(np.concatenate([first, second]))
    method: Literal["exact", "asymptotic"] = "exact" if exact else "asymptotic"
    tested = mannwhitneyu(first, second, alternative=alternative, method=method)
    how = "exact" if exact else "normal approximation, ties and continuity corrected"
    return TestResult(
        test="Mann-Whitney test",
        method="all values are equal" if constant else how,
        statistic_name="U",
        statistic=float(tested.statistic),
        p_value=1.0 if constant else min(1.0, float(tested.pvalue)),
        alternative=alternative,
        effects=_shift(first, second),
        inputs={"x": first, "y": second},
    )


def welch_t(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided", level: float = 0.95
) -> TestResult:
    """Do two independent means differ, whatever their variances?

    >>> round(welch_t([1, 2, 3, 4], [2, 4, 6, 9]).p_value, 4)
    0.1647
    """
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
    level: float = 0.95,
) -> TestResult:
    """Welch's test from what papers print: means, standard deviations and numbers of independent values.

    Runs of one model with different seeds are independent; folds are not, and need the values themselves.

    >>> round(welch_from_summary(0.84, 0.03, 5, 0.80, 0.02, 5).p_value, 4)
    0.0423
    """
    alternative, level = one_of_alternatives(alternative), fraction("level", level)
    n1, n2 = whole("n1", n1, at_least=2), whole("n2", n2, at_least=2)
    for name, value in (("mean1", mean1), ("sd1", sd1), ("mean2", mean2), ("sd2", sd2)):
        low = 0.0 if name.startswith("sd") else -_LARGEST
        real(name, value, at_least=low, at_most=_LARGEST, error=InvalidValue)
    shares = sd1**2 / n1, sd2**2 / n2
    error = math.sqrt(sum(shares))
    difference = without_noise(mean1 - mean2, max(abs(mean1), abs(mean2)))
    t, df = in_errors(difference, error), welch_df(shares, (n1, n2))
    return TestResult(
        test="Welch t-test",
        method="unequal variances",
        statistic_name="t",
        statistic=t,
        df=(df,),
        p_value=1.0 if t == 0 and alternative == "two-sided" else t_p(t, df, alternative),
        alternative=alternative,
        effects=(mean_difference(difference, error, df, level),),
        inputs={"mean1": mean1, "sd1": sd1, "n1": n1, "mean2": mean2, "sd2": sd2, "n2": n2, "level": level},
    )


def kruskal_wallis(*values: npt.ArrayLike) -> TestResult:
    """Do several independent groups differ? Ranks of all values together, χ² with ties corrected.

    >>> round(kruskal_wallis([1, 2, 3], [4, 5, 6], [7, 8, 9]).p_value, 4)
    0.0273
    """
    _, ranks, parts = _ranked(values)
    n, spread = len(ranks), float(np.sum((ranks - ranks.mean()) ** 2))
    between = sum(len(part) * (float(part.mean()) - (n + 1) / 2) ** 2 for part in parts)
    h = 0.0 if spread == 0 else (n - 1) * between / spread
    return TestResult(
        test="Kruskal-Wallis test",
        method="χ² approximation, ties corrected" if spread else "all values are equal",
        statistic_name="H",
        statistic=h,
        df=(float(len(parts) - 1),),
        p_value=chi2_p(h, len(parts) - 1),
        effects=(Effect("ε²", h / (n - 1) if n > 1 else 0.0),),
        details={"mean_ranks": [float(part.mean()) for part in parts]},
        inputs={"sizes": [len(part) for part in parts]},
    )


def dunn(values: Sequence[npt.ArrayLike], first: int, second: int) -> TestResult:
    """One pair after Kruskal and Wallis: the difference of mean ranks among all groups; correct for all pairs.

    >>> round(dunn([[1, 2, 3], [4, 5, 6], [7, 8, 9]], 0, 2).p_value, 4)
    0.0073
    """
    samples, ranks, parts = _ranked(values)
    first, second = (
        whole(name, place, at_most=len(parts) - 1) for name, place in (("first", first), ("second", second))
    )
    gap = float(parts[first].mean() - parts[second].mean())
    variance = float(np.sum((ranks - ranks.mean()) ** 2)) / max(1, len(ranks) - 1)
    error = math.sqrt(variance * (1 / len(parts[first]) + 1 / len(parts[second])))
    z = gap / error if error else 0.0
    return TestResult(
        test="Dunn test",
        method="mean ranks, ties corrected",
        statistic_name="z",
        statistic=z,
        p_value=normal_p(z) if error else 1.0,
        effects=_shift(samples[first], samples[second]),
        inputs={"sizes": [len(part) for part in parts]},
    )


def _ranked(values: Sequence[npt.ArrayLike]) -> tuple[list[Floats], Floats, list[Floats]]:
    """The groups, the ranks of all values together, and those of each group."""
    samples = groups(values, at_least=1)
    ranks = midranks(np.concatenate(samples))
    return samples, ranks, np.split(ranks, np.cumsum([len(sample) for sample in samples])[:-1])


def _shift(x: Floats, y: Floats) -> tuple[Effect, Effect]:
    gap = without_noise(float(np.median(x) - np.median(y)), 1.0)
    return Effect("difference of medians", gap), Effect("P(first above second)", a12(x, y))
