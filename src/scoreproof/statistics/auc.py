"""An AUC and how sure we are of it: DeLong's interval from the scores, Hanley & McNeil's from the AUC alone.

A positive's placement is the share of negatives scored below it, ties counting half; a negative's is the share of
positives above it. Their means are the AUC, their variances DeLong's (DeLong, DeLong & Clarke-Pearson 1988,
doi:10.2307/2531595). One sort per classifier gives them all, without the three rankings of the usual fast algorithm
(Sun & Xu 2014, doi:10.1109/LSP.2014.2337313). From the AUC and the class sizes alone the formula of Hanley & McNeil
(1982, doi:10.1148/radiology.143.1.7063747) gives an interval, assuming exponentially distributed scores.

Cases in clusters (several of one patient) need the variance of Obuchowski (1997, doi:10.2307/2533958), which sums the
placements of each cluster first. A perfect AUC has no DeLong variance; its interval is Newcombe's (2006, method 5,
doi:10.1002/sim.2324): the AUCs from which the observed one is no further than z of their own standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import (
    Alternative,
    Bools,
    Floats,
    binary_labels,
    both_classes,
    numbers,
    same_length,
)
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.resampling import bootstrap_interval, cluster_codes
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import in_errors, normal_p, t_quantile, two_sided_z
from scoreproof.validation import Share, fraction, real, whole


def auc_interval(
    truth: npt.ArrayLike,
    scores: npt.ArrayLike,
    *,
    method: Literal["delong", "logit", "hanley-mcneil", "bootstrap"] = "delong",
    positive: Hashable | None = None,
    level: Share = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    clusters: npt.ArrayLike | None = None,
) -> Effect:
    """The AUC of one classifier with its interval, clipped to [0, 1].

    ``logit`` is DeLong's on the logit scale, which stays inside by itself; ``bootstrap`` resamples the cases
    within their classes. A perfect AUC has no DeLong variance: its interval is Newcombe's. ``clusters`` says which
    cases belong together; the variance is then Obuchowski's.

    >>> print(auc_interval([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8]))
    AUC = 0.938 (95% CI 0.764 to 1.00)
    """
    y = binary_labels("truth", truth, positive=positive)
    s = numbers("scores", scores, infinite=True)
    same_length("truth", y, "scores", s)
    p, n = both_classes("truth", y, at_least=2, why="a variance needs two of each class")
    placed = placements(y, s)
    area = placed.auc
    if clusters is not None:
        if method != "delong":
            raise InvalidOption(f"method = {method!r} with clusters: expected 'delong' (Obuchowski's variance)")
        member = cluster_codes(clusters, len(y))
        error = math.sqrt(clustered_variance(placed, y, member))
        half = t_quantile(level, int(member.max())) * error
        return Effect.around("AUC", area, half, level, f"Obuchowski, {member.max() + 1} clusters", share=True)
    if method == "hanley-mcneil":
        return hanley_mcneil(area, p, n, level=level)
    if method == "bootstrap":
        draws: dict[str, Any] = {"level": level, "resamples": resamples, "seed": seed, "strata": y}
        effect = bootstrap_interval(lambda t, v: placements(t, v).auc, y, s, method="percentile", **draws)
        return Effect("AUC", effect.value, effect.interval)
    if method == "logit" and 0 < area < 1:
        half = two_sided_z(level) * math.sqrt(placed.variance) / (area * (1 - area))
        middle = math.log(area / (1 - area))
        low, high = (1 / (1 + math.exp(-(middle + side * half))) for side in (-1, 1))
        return Effect("AUC", area, Interval(low, high, level, "DeLong, logit"))
    return auc_effect("AUC", placed, level)


def hanley_mcneil(auc: float, p: int, n: int, *, level: Share = 0.95) -> Effect:
    """The interval of an AUC of which only the value and the class sizes are known.

    >>> print(hanley_mcneil(0.845, 300, 300))
    AUC = 0.845 (95% CI 0.813 to 0.877)
    """
    auc = fraction("auc", auc, closed=True)
    error = hanley_mcneil_error(auc, p, n)
    return Effect.around("AUC", auc, two_sided_z(level) * error, level, "Hanley-McNeil", share=True)


def hanley_mcneil_error(auc: float, p: int, n: int) -> float:
    """The standard error of an AUC by Hanley & McNeil's formula."""
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
    level: Share = 0.95,
) -> TestResult:
    """Do two published AUCs on test sets of p positives and n negatives differ?

    ``correlation`` is that of the two AUCs: 0 for independent test sets, positive for one common set (Hanley
    & McNeil 1983, doi:10.1148/radiology.148.3.6878708). It is not printed in papers, and larger values make
    the test sharper, so 0 is the cautious choice.
    """
    correlation = real("correlation", correlation, at_least=-1, at_most=1)
    a, b = hanley_mcneil_error(first, p, n), hanley_mcneil_error(second, p, n)
    error = math.sqrt(max(0.0, a**2 + b**2 - 2 * correlation * a * b))
    error = 0.0 if error <= 1e-15 else error
    difference = first - second
    z = in_errors(difference, error)
    effect = Effect.around("AUC difference", difference, two_sided_z(level) * error, level, "Hanley-McNeil")
    how = f"from the AUCs and class sizes, correlation {correlation:g}"
    inputs = {"first": first, "second": second, "p": p, "n": n, "correlation": correlation, "level": level}
    return TestResult(
        "Hanley-McNeil test", how, "z", z, normal_p(z, alternative), alternative, effects=(effect,), inputs=inputs
    )


def auc_effect(name: str, placed: Placements, level: float) -> Effect:
    """An AUC with DeLong's interval, clipped to [0, 1]; with Newcombe's where DeLong's has no width."""
    if placed.variance > 0:
        half = two_sided_z(level) * math.sqrt(placed.variance)
        return Effect.around(name, placed.auc, half, level, "DeLong", share=True)
    bounds = newcombe_limits(placed.auc, len(placed.positives), len(placed.negatives), level)
    return Effect(name, placed.auc, Interval(*bounds, level, "Newcombe (DeLong's has no width)"))


def newcombe_limits(auc: float, p: int, n: int, level: float) -> tuple[float, float]:
    """The AUCs whose own standard error, with (p + n) / 2 - 1 further cases of each class, reaches the observed one."""
    from scipy.optimize import brentq

    z, more = two_sided_z(level), (p + n) / 2 - 1

    def far(area: float) -> float:
        inner = 1 + more * (1 - area) / (2 - area) + more * area / (1 + area)
        return abs(auc - area) - z * math.sqrt(area * (1 - area) * inner / (p * n))

    low = 0.0 if auc == 0 or far(0.0) <= 0 else float(brentq(far, 0.0, auc * (1 - 1e-12)))
    high = 1.0 if auc == 1 or far(1.0) <= 0 else float(brentq(far, auc + (1 - auc) * 1e-12, 1.0))
    return low, high


@dataclass(frozen=True, slots=True)
class Placements:
    """The placements of the positives and of the negatives, each in the order of the cases."""

    positives: Floats
    negatives: Floats

    @property
    def auc(self) -> float:
        return float(self.positives.mean())

    @property
    def variance(self) -> float:
        """DeLong's variance of the AUC."""
        return sum(float(np.var(v, ddof=1)) / len(v) for v in (self.positives, self.negatives))


def placements(truth: Bools, scores: Floats) -> Placements:
    """Placements of all cases; both classes must occur."""
    order, ordered = sort_with_order(scores)
    is_positive = truth.take(order)
    size = len(scores)
    count: type[np.signedinteger[Any]] = np.int32 if size < 1 << 30 else np.int64
    positives_up_to: npt.NDArray[Any] = np.cumsum(is_positive, dtype=count)
    m = int(positives_up_to[-1])
    n = size - m
    last = np.flatnonzero(ordered[1:] != ordered[:-1])
    if len(last) == size - 1:
        positives_below = positives_up_to - is_positive
        other = np.where(is_positive, np.arange(size, dtype=count) - positives_below, m - positives_below)
        twice = 1
    else:
        # Within a run of equal scores half of the other class counts as below: the mean of before and after.
        ends: npt.NDArray[Any] = (np.append(last, size - 1) + 1).astype(count)
        lengths = np.diff(ends, prepend=0)
        after = positives_up_to[ends - 1]
        positives_below = after + np.append(count(0), after[:-1])
        negatives_below = 2 * ends - lengths - positives_below
        other = np.where(is_positive, np.repeat(negatives_below, lengths), np.repeat(2 * m - positives_below, lengths))
        twice = 2
    counts: npt.NDArray[Any] = np.empty(size, dtype=count)
    counts[order] = other
    return Placements(
        counts.take(np.flatnonzero(truth)) / (twice * n), counts.take(np.flatnonzero(~truth)) / (twice * m)
    )


def sort_with_order(scores: Floats) -> tuple[npt.NDArray[np.int64], Floats]:
    """An order that sorts the scores and the sorted scores, from one sort of plain integers.

    The bits of a float, with those below the sign flipped for negatives, order as the floats do. The lowest ones give
    way to the position of the case, so the sorted integers carry the order along, which is twice as fast as an argsort.
    Scores that differ only in the bits given up may come out of order; those few are sorted again.
    """
    size = len(scores)
    below = np.int64((1 << size.bit_length()) - 1)
    keys = scores.view(np.int64) >> 63
    keys &= np.int64(0x7FFF_FFFF_FFFF_FFFF)
    keys ^= scores.view(np.int64)
    keys &= ~below
    keys |= np.arange(size)
    keys.sort()
    order = keys & below
    ordered = scores.take(order)
    if np.any(ordered[1:] < ordered[:-1]):
        keys >>= size.bit_length()
        same = keys[1:] == keys[:-1]
        shared = np.flatnonzero(np.append(same, False) | np.append(False, same))
        order[shared] = order[shared][np.argsort(ordered[shared], kind="stable")]
        ordered = scores.take(order)
    return order, ordered


def joint_variance(left: Placements, right: Placements) -> tuple[float, float, float, float]:
    """DeLong's variances of two AUCs, their covariance, and the variance of the difference.

    The last comes from the differences themselves, so that equal placements give exactly zero.
    """
    total = np.zeros(4)
    for a, b in ((left.positives, right.positives), (left.negatives, right.negatives)):
        x, y, gap = (v - v.mean() for v in (a, b, a - b))
        total += np.array([x @ x, y @ y, x @ y, gap @ gap]) / (len(a) * (len(a) - 1))
    first, second, together, difference = total.tolist()
    return first, second, together, difference


def clustered_variance(placed: Placements, truth: Bools, clusters: npt.NDArray[np.int64]) -> float:
    """Obuchowski's variance of an AUC, or of a difference of two where the placements are differences."""
    m, n, many = len(placed.positives), len(placed.negatives), int(clusters.max()) + 1
    area = float(placed.positives.mean())
    above = np.bincount(clusters[truth], weights=placed.positives - area, minlength=many) / m
    below = np.bincount(clusters[~truth], weights=placed.negatives - area, minlength=many) / n
    sizes = [len(np.unique(clusters[side])) for side in (truth, ~truth)]
    if min(sizes) < 2:
        raise InvalidValue("clusters: all positives, or all negatives, belong to one; expected at least two each")
    factors = [k / (k - 1) for k in (*sizes, many)]
    return max(0.0, float(factors[0] * above @ above + factors[1] * below @ below + 2 * factors[2] * above @ below))
