"""An AUC and how sure we are of it: DeLong's interval from the scores, Hanley & McNeil's from the AUC alone.

With the cases at hand use DeLong's (1988, doi:10.2307/2531595), on the logit scale near 1. When a paper
prints only the AUC and the class sizes, the formula of Hanley & McNeil (1982,
doi:10.1148/radiology.143.1.7063747) still gives an interval, assuming exponentially distributed scores; it is
close for AUCs between 0.6 and 0.95.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any, Literal

import numpy.typing as npt

from scoreproof.arrays import (
    Alternative,
    binary_labels,
    both_classes,
    chosen,
    fraction,
    numbers,
    one_of_alternatives,
    same_length,
    whole,
)
from scoreproof.errors import InvalidOption
from scoreproof.statistics.placements import placements
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import in_errors, normal_p, two_sided_z


def auc_interval(
    truth: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    method: Literal["delong", "logit", "hanley-mcneil", "bootstrap"] = "delong",
    positive: Hashable | None = None,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> Effect:
    """The AUC of one classifier with its interval, clipped to [0, 1].

    ``logit`` is DeLong's on the logit scale, which stays inside by itself; ``bootstrap`` resamples the cases
    within their classes. A perfect AUC of 1 has no DeLong variance: its interval has no width.

    >>> print(auc_interval([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8]))
    AUC = 0.938 (95% CI 0.764 to 1.00)
    """
    chosen("method", method, ("delong", "logit", "hanley-mcneil", "bootstrap"))
    level = fraction("level", level)
    y = binary_labels("truth", truth, positive=positive)
    s = numbers("scores", scores, infinite=True)
    same_length("truth", y, "scores", s)
    p, n = both_classes("truth", y, at_least=2, why="a variance needs two of each class")
    placed = placements(y, s)
    area = placed.auc
    if method == "hanley-mcneil":
        return hanley_mcneil(area, p, n, level=level)
    if method == "bootstrap":
        from scoreproof.statistics.bootstrap import bootstrap_interval

        draws: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed, "strata": y}
        effect = bootstrap_interval(lambda t, v: placements(t, v).auc, y, s, method="percentile", **draws)
        return Effect("AUC", effect.value, effect.interval)
    if method == "logit" and 0 < area < 1:
        half = two_sided_z(level) * math.sqrt(placed.variance) / (area * (1 - area))
        middle = math.log(area / (1 - area))
        low, high = (1 / (1 + math.exp(-(middle + side * half))) for side in (-1, 1))
        return Effect("AUC", area, Interval(low, high, level, "DeLong, logit"))
    return auc_effect("AUC", area, placed.variance, level)


def hanley_mcneil(auc: float, p: int, n: int, *, level: float = 0.95) -> Effect:
    """The interval of an AUC of which only the value and the class sizes are known.

    >>> print(hanley_mcneil(0.845, 300, 300))
    AUC = 0.845 (95% CI 0.813 to 0.877)
    """
    error = hanley_mcneil_error(auc, p, n)
    level = fraction("level", level)
    return Effect.around("AUC", auc, two_sided_z(level) * error, level, "Hanley-McNeil", share=True)


def hanley_mcneil_error(auc: float, p: int, n: int) -> float:
    """The standard error of an AUC by Hanley & McNeil's formula.

    >>> round(hanley_mcneil_error(0.893, 51, 58), 4)
    0.0325
    """
    a = fraction("auc", auc, closed=True)
    return auc_error(a, whole("p", p, at_least=1), whole("n", n, at_least=1), a / (2 - a), 2 * a * a / (1 + a))


def auc_error(a: float, p: int, n: int, both_above: float, both_below: float) -> float:
    """The standard error given the chances that two positives beat a negative, and one positive two negatives."""
    variance = (a * (1 - a) + (p - 1) * (both_above - a * a) + (n - 1) * (both_below - a * a)) / (p * n)
    return math.sqrt(max(0.0, variance))


def hanley_mcneil_test(
    first: float,
    second: float,
    p: int,
    n: int,
    *,
    correlation: float = 0.0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """Do two published AUCs on test sets of p positives and n negatives differ?

    ``correlation`` is that of the two AUCs: 0 for independent test sets, positive for one common set (Hanley
    & McNeil 1983, doi:10.1148/radiology.148.3.6878708). It is not printed in papers, and larger values make
    the test sharper, so 0 is the cautious choice.

    >>> round(hanley_mcneil_test(0.845, 0.821, 300, 300).p_value, 3)
    0.308
    """
    alternative, level = one_of_alternatives(alternative), fraction("level", level)
    if not -1 <= correlation <= 1:
        raise InvalidOption(f"correlation = {correlation}: expected a number in [-1, 1]")
    a, b = hanley_mcneil_error(first, p, n), hanley_mcneil_error(second, p, n)
    error = math.sqrt(max(0.0, a**2 + b**2 - 2 * correlation * a * b))
    error = 0.0 if error <= 1e-15 else error
    difference = first - second
    z = in_errors(difference, error)
    effect = Effect.around("AUC difference", difference, two_sided_z(level) * error, level, "Hanley-McNeil")
    return TestResult(
        test="Hanley-McNeil test",
        method=f"from the AUCs and class sizes, correlation {correlation:g}",
        statistic_name="z",
        statistic=z,
        p_value=normal_p(z, alternative),
        alternative=alternative,
        effects=(effect,),
        inputs={"first": first, "second": second, "p": p, "n": n, "correlation": correlation, "level": level},
    )


def auc_effect(name: str, auc: float, variance: float, level: float) -> Effect:
    """An AUC with DeLong's interval, clipped to [0, 1]."""
    return Effect.around(name, auc, two_sided_z(level) * math.sqrt(variance), level, "DeLong", share=True)
