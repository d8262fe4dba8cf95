"""DeLong's test: do two or more AUCs differ?

Paired (one test set) through the covariance of the placements, unpaired (two test sets) with Welch's degrees
of freedom as in pROC (Robin et al. 2011, doi:10.1186/1471-2105-12-77), and for several classifiers at once by
the χ² of the original paper (DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

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
from scoreproof.errors import InvalidValue
from scoreproof.statistics.auc import Placements, auc_effect, clustered_variance, joint_variance, placements
from scoreproof.statistics.resampling import cluster_codes
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.tails import chi2_p, in_errors, normal_p, t_p, t_quantile, two_sided_z, welch_df
from scoreproof.validation import Share

_FEW = "DeLong's variance needs two of each class"
# Below this the variance of a difference is rounding: placements are multiples of 1/n.
_NO_VARIANCE = 1e-28


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
    y = _truth("truth", truth, positive)
    a, b = _scores("first", first, "truth", y), _scores("second", second, "truth", y)
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
    y1, y2 = _truth("truth_first", truth_first, positive), _truth("truth_second", truth_second, positive)
    a, b = _scores("first", first, "truth_first", y1), _scores("second", second, "truth_second", y2)
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
    y = _truth("truth", truth, positive)
    arrays = [_scores(f"scores[{i}]", s, "truth", y) for i, s in enumerate(scores)]
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


def _truth(name: str, labels: npt.ArrayLike, positive: Hashable | None) -> Bools:
    y = binary_labels(name, labels, positive=positive)
    both_classes(name, y, at_least=2, why=_FEW)
    return y


def _scores(name: str, values: npt.ArrayLike, truth_name: str, truth: Bools) -> Floats:
    scores = numbers(name, values, infinite=True)
    same_length(truth_name, truth, name, scores)
    return scores


def _gap(first: Placements, second: Placements) -> float:
    """The difference of two AUCs; what is below the smallest step an AUC can take is rounding."""
    gap = first.auc - second.auc
    return 0.0 if abs(gap) < 1e-12 else gap


def _effects(areas: tuple[Placements, Placements], gap: float, half: float, level: float) -> tuple[Effect, ...]:
    difference = Effect.around("AUC difference", gap, half, level, "DeLong")
    names = ("first AUC", "second AUC")
    return (difference, *(auc_effect(name, area, level) for name, area in zip(names, areas, strict=True)))


def _notes(gap: float, error: float) -> tuple[str, ...]:
    if error:
        return ()
    apart = "the AUCs differ without any variance: the statistic is infinite, which says nothing about new cases"
    return (apart if gap else "both order the cases alike as far as the classes go: no difference and no variance",)
