"""An AUC and how sure we are of it; whether two or more AUCs differ.

A positive's placement is the share of negatives scored below it, ties counting half; a negative's is the share of
positives above it. Their means are the AUC, their variances DeLong's (DeLong, DeLong & Clarke-Pearson 1988,
doi:10.2307/2531595). One sort per classifier gives them all, without the three rankings of the usual fast algorithm
(Sun & Xu 2014, doi:10.1109/LSP.2014.2337313). The test is paired (one test set) through the covariance of the
placements, unpaired (two test sets) with Welch's degrees of freedom as in pROC (Robin et al. 2011,
doi:10.1186/1471-2105-12-77), and for several classifiers at once the χ² of the original paper. From the AUC and the
class sizes alone the formula of Hanley & McNeil (1982, doi:10.1148/radiology.143.1.7063747) gives an interval, assuming
exponentially distributed scores.

Cases in clusters (several of one patient) need the variance of Obuchowski (1997, doi:10.2307/2533958), which sums the
placements of each cluster first. A perfect AUC has no DeLong variance; its interval is Newcombe's (2006, method 5,
doi:10.1002/sim.2324): the AUCs from which the observed one is no further than z of their own standard errors.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, Bools, Floats, binary_labels, both_classes, numbers, same_length
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.resampling import bootstrap_interval, cluster_codes
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import chi2_p, in_errors, normal_p, t_p, t_quantile, two_sided_z, welch_df
from scoreproof.validation import Share, fraction, real, whole

# Below this the variance of a difference is rounding: placements are multiples of 1/n.
_NO_VARIANCE = 1e-28


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
    y, s = scored_cases(truth, {"scores": scores}, positive)
    placed = placements(y, s)
    p, n = len(placed.positives), len(placed.negatives)
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


def scored_cases(
    truth: npt.ArrayLike, scores: Mapping[str, npt.ArrayLike], positive: Hashable | None, name: str = "truth"
) -> list[Any]:
    """The true labels as booleans, two of each class at least, and the scores of the same cases."""
    y = binary_labels(name, truth, positive=positive)
    both_classes(name, y, at_least=2, why="a variance needs two of each class")
    arrays = [numbers(which, values, infinite=True) for which, values in scores.items()]
    for which, array in zip(scores, arrays, strict=True):
        same_length(name, y, which, array)
    return [y, *arrays]


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
    order = np.argsort(scores)
    ordered, is_positive = scores.take(order), truth.take(order)
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


def delong_paired(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    positive: Hashable | None = None,
    alternative: Alternative = "two-sided",
    level: Share = 0.95,
    clusters: npt.ArrayLike | None = None,
) -> TestResult:
    """Do two classifiers' AUCs on the same cases differ? Higher scores mean "positive".

    ``clusters`` says which cases belong together (several of one patient): the variance is then Obuchowski's (1997,
    doi:10.2307/2533958), and t has clusters - 1 degrees of freedom.

    Scores that order the cases alike give z = 0 and p = 1 (one-sided 0.5). AUCs that differ without any
    variance (perfect against perfectly wrong) give z infinite and p = 0.

    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = delong_paired(truth, [1, 2, 3, 5, 4, 6, 7, 8], [2, 5, 1, 6, 3, 4, 8, 7])
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (1.1078, 0.2679)
    """
    y, a, b = scored_cases(truth, {"first": first, "second": second}, positive)
    areas = placements(y, a), placements(y, b)
    *joint, variance = joint_variance(*areas)
    gap, many = _gap(*areas), 0
    if clusters is not None:
        member = cluster_codes(clusters, len(y))
        many = int(member.max()) + 1
        between = Placements(areas[0].positives - areas[1].positives, areas[0].negatives - areas[1].negatives)
        variance = clustered_variance(between, y, member)
    error = math.sqrt(variance) if variance > _NO_VARIANCE else 0.0
    z = in_errors(gap, error)
    reach = t_quantile(level, many - 1) if many else two_sided_z(level)
    how = f"paired, Obuchowski's variance, {many} clusters" if many else "paired"
    p = t_p(z, many - 1, alternative) if many and z else normal_p(z, alternative)
    df = (many - 1,) if many else ()
    effects, notes = _effects(areas, gap, reach * error, level), _notes(gap, error)
    names = ("auc_first", "auc_second", "variance_first", "variance_second", "covariance", "p", "n")
    sizes = len(areas[0].positives), len(areas[0].negatives)
    details = dict(zip(names, (areas[0].auc, areas[1].auc, *joint, *sizes), strict=True))
    inputs = {"truth": y, "first": a, "second": b, "level": level}
    return TestResult("DeLong test", how, "t" if many else "z", z, p, alternative, df, effects, notes, details, inputs)


def delong_unpaired(
    truth_first: npt.ArrayLike,
    first: npt.ArrayLike,
    truth_second: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    positive: Hashable | None = None,
    alternative: Alternative = "two-sided",
    level: Share = 0.95,
) -> TestResult:
    """Do two AUCs from different cases differ? t with Welch's degrees of freedom."""
    y1, a = scored_cases(truth_first, {"first": first}, positive, "truth_first")
    y2, b = scored_cases(truth_second, {"second": second}, positive, "truth_second")
    areas = placements(y1, a), placements(y2, b)
    gap, variances = _gap(*areas), (areas[0].variance, areas[1].variance)
    error = math.sqrt(sum(variances)) if sum(variances) > _NO_VARIANCE else 0.0
    t = in_errors(gap, error)
    df = welch_df(variances if error else (0, 0), (len(y1), len(y2)))
    how, p = "unpaired, Welch's degrees of freedom", t_p(t, df, alternative)
    effects, notes = _effects(areas, gap, t_quantile(level, df) * error, level), _notes(gap, error)
    names = ("auc_first", "auc_second", "variance_first", "variance_second")
    details = dict(zip(names, (areas[0].auc, areas[1].auc, *variances), strict=True))
    inputs = {"truth_first": y1, "first": a, "truth_second": y2, "second": b, "level": level}
    return TestResult("DeLong test", how, "D", t, p, alternative, (df,), effects, notes, details, inputs)


def delong_many(
    truth: npt.ArrayLike, scores: Sequence[npt.ArrayLike], *, positive: Hashable | None = None
) -> TestResult:
    """Do the AUCs of several classifiers on the same cases differ at all? χ² on the contrasts with the first.

    Classifiers that order the cases alike add no degree of freedom; if all do, χ² = 0 and p = 1.
    """
    if len(scores) < 2:
        raise InvalidValue(f"{len(scores)} classifier given: expected at least 2; with one see auc_interval")
    y, *arrays = scored_cases(truth, {f"scores[{i}]": s for i, s in enumerate(scores)}, positive)
    placed = [placements(y, s) for s in arrays]
    aucs = np.array([areas.auc for areas in placed])
    contrasts = aucs[1:] - aucs[0]
    pos = np.array([areas.positives - placed[0].positives for areas in placed[1:]])
    neg = np.array([areas.negatives - placed[0].negatives for areas in placed[1:]])
    covariance = sum(np.atleast_2d(np.cov(side)) / side.shape[1] for side in (pos, neg))
    values, vectors = np.linalg.eigh(covariance)
    kept = values > max(_NO_VARIANCE, 1e-12 * float(values[-1]))
    along = vectors.T @ contrasts
    chi2 = float(np.sum(along[kept] ** 2 / values[kept]))
    df, how = int(np.sum(kept)), f"{len(arrays)} classifiers, all contrasts"
    p = chi2_p(chi2, df) if df else (1.0 if np.allclose(contrasts, 0, atol=1e-12) else 0.0)
    effects = (Effect("AUC range", float(np.ptp(aucs))),)
    notes = () if df else ("the classifiers' placements do not vary against each other: χ² has no freedom",)
    details = {"aucs": aucs.tolist(), "p": len(placed[0].positives), "n": len(placed[0].negatives)}
    inputs = {"truth": y, "scores": tuple(arrays)}
    return TestResult(
        "DeLong test", how, "χ²", chi2, p, df=(df,), effects=effects, notes=notes, details=details, inputs=inputs
    )


def _gap(first: Placements, second: Placements) -> float:
    """The difference of two AUCs; what is below the smallest step an AUC can take is rounding."""
    gap = first.auc - second.auc
    return 0.0 if abs(gap) < 1e-12 else gap


def _effects(areas: tuple[Placements, Placements], gap: float, half: float, level: float) -> tuple[Effect, ...]:
    difference = Effect.around("AUC difference", gap, half, level, "DeLong")
    names = ("first AUC", "second AUC")
    return (difference, *(auc_effect(name, area, level) for name, area in zip(names, areas, strict=True)))


def _notes(gap: float, error: float) -> tuple[str, ...]:
    if error or gap:
        return ()
    return ("both order the cases alike as far as the classes go: no difference and no variance",)
