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

from scoreproof.errors import InvalidValue
from scoreproof.statistics.arrays import (
    Alternative,
    BoolArray,
    FloatArray,
    binary_labels,
    both_classes,
    one_of_alternatives,
    same_length,
    vector,
    without_noise,
)
from scoreproof.statistics.auc import auc_effect
from scoreproof.statistics.placements import Placements, joint_variance, placements
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.statistics.tails import chi2_p, normal_p, t_p, t_quantile, two_sided_z
from scoreproof.validation import fraction

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
    level: float = 0.95,
) -> TestResult:
    """Do two classifiers' AUCs on the same cases differ? Higher scores mean "positive".

    Scores that order the cases alike give z = 0 and p = 1 (one-sided 0.5). AUCs that differ without any
    variance (perfect against perfectly wrong) give z infinite and p = 0.

    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> result = delong_paired(truth, [1, 2, 3, 5, 4, 6, 7, 8], [2, 5, 1, 6, 3, 4, 8, 7])
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (1.1078, 0.2679)
    >>> delong_paired(truth, [1, 2, 3, 5, 4, 6, 7, 8], [10, 20, 30, 50, 40, 60, 70, 80]).p_value
    1.0
    """
    alternative, level = one_of_alternatives(alternative), fraction("level", level)
    y = _truth("truth", truth, positive)
    a, b = _scores("first", first, "truth", y), _scores("second", second, "truth", y)
    one, two = placements(y, a), placements(y, b)
    difference = without_noise(one.auc - two.auc, 1.0)
    variances = joint_variance(one, two)
    error = math.sqrt(variances.difference) if variances.difference > _NO_VARIANCE else 0.0
    z = _ratio(difference, error)
    half = two_sided_z(level) * error
    return TestResult(
        test="DeLong test",
        method="paired",
        statistic_name="z",
        statistic=z,
        p_value=normal_p(z, alternative),
        alternative=alternative,
        effects=(
            Effect("AUC difference", difference, Interval(difference - half, difference + half, level, "DeLong")),
            auc_effect("first AUC", one.auc, variances.first, level),
            auc_effect("second AUC", two.auc, variances.second, level),
        ),
        notes=_notes(z, difference, error),
        details={
            "auc_first": one.auc,
            "auc_second": two.auc,
            "variance_first": variances.first,
            "variance_second": variances.second,
            "covariance": variances.covariance,
            "p": len(one.positives),
            "n": len(one.negatives),
        },
        inputs={"truth": y, "first": a, "second": b, "level": level},
    )


def delong_unpaired(
    truth_first: npt.ArrayLike,
    first: npt.ArrayLike,
    truth_second: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    positive: Hashable | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> TestResult:
    """Do two AUCs from different cases differ? t with Welch's degrees of freedom.

    >>> result = delong_unpaired([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], [0, 0, 1, 1], [1, 3, 2, 4])
    >>> round(result.statistic, 4), round(result.p_value, 4)
    (0.359, 0.7369)
    """
    alternative, level = one_of_alternatives(alternative), fraction("level", level)
    y1, y2 = _truth("truth_first", truth_first, positive), _truth("truth_second", truth_second, positive)
    a, b = _scores("first", first, "truth_first", y1), _scores("second", second, "truth_second", y2)
    one, two = placements(y1, a), placements(y2, b)
    difference, variances = without_noise(one.auc - two.auc, 1.0), (one.variance, two.variance)
    error = math.sqrt(sum(variances)) if sum(variances) > _NO_VARIANCE else 0.0
    t = _ratio(difference, error)
    df = _welch(variances, (len(y1), len(y2))) if error else float(len(y1) + len(y2) - 2)
    half = t_quantile(level, df) * error
    return TestResult(
        test="DeLong test",
        method="unpaired, Welch's degrees of freedom",
        statistic_name="D",
        statistic=t,
        df=(df,),
        p_value=t_p(t, df, alternative),
        alternative=alternative,
        effects=(
            Effect("AUC difference", difference, Interval(difference - half, difference + half, level, "DeLong")),
            auc_effect("first AUC", one.auc, variances[0], level),
            auc_effect("second AUC", two.auc, variances[1], level),
        ),
        notes=_notes(t, difference, error),
        details={
            "auc_first": one.auc,
            "auc_second": two.auc,
            "variance_first": variances[0],
            "variance_second": variances[1],
        },
        inputs={"truth_first": y1, "first": a, "truth_second": y2, "second": b, "level": level},
    )


def delong_many(
    truth: npt.ArrayLike, scores: Sequence[npt.ArrayLike], *, positive: Hashable | None = None
) -> TestResult:
    """Do the AUCs of several classifiers on the same cases differ at all? χ² on the contrasts with the first.

    Classifiers that order the cases alike add no degree of freedom; if all do, χ² = 0 and p = 1.

    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = [[1, 2, 3, 5, 4, 6, 7, 8], [2, 5, 1, 6, 3, 4, 8, 7], [3, 1, 5, 4, 2, 8, 6, 7]]
    >>> round(delong_many(truth, scores).p_value, 4)
    0.2865
    """
    if len(scores) < 2:
        raise InvalidValue(f"{len(scores)} classifier given: expected at least 2; with one see auc_interval")
    y = _truth("truth", truth, positive)
    arrays = [_scores(f"scores[{i}]", s, "truth", y) for i, s in enumerate(scores)]
    found = [placements(y, s) for s in arrays]
    aucs = np.array([f.auc for f in found])
    contrasts = aucs[1:] - aucs[0]
    matrix = _contrast_covariance(found)
    values, vectors = np.linalg.eigh(matrix)
    kept = values > max(_NO_VARIANCE, 1e-12 * float(values[-1]))
    along = vectors.T @ contrasts
    chi2 = float(np.sum(along[kept] ** 2 / values[kept]))
    df = int(np.sum(kept))
    return TestResult(
        test="DeLong test",
        method=f"{len(arrays)} classifiers, all contrasts",
        statistic_name="χ²",
        statistic=chi2,
        df=(df,),
        p_value=chi2_p(chi2, df) if df else (1.0 if np.allclose(contrasts, 0, atol=1e-12) else 0.0),
        effects=(Effect("AUC range", float(np.ptp(aucs))),),
        notes=() if df else ("the classifiers' placements do not vary against each other: χ² has no freedom",),
        details={"aucs": aucs.tolist(), "p": len(found[0].positives), "n": len(found[0].negatives)},
        inputs={"truth": y, "scores": tuple(arrays)},
    )


def _contrast_covariance(found: list[Placements]) -> FloatArray:
    base = found[0]
    pos = np.array([f.positives - base.positives for f in found[1:]])
    neg = np.array([f.negatives - base.negatives for f in found[1:]])
    parts = np.atleast_2d(np.cov(pos)) / pos.shape[1] + np.atleast_2d(np.cov(neg)) / neg.shape[1]
    return np.asarray(parts, dtype=np.float64)


def _truth(name: str, labels: npt.ArrayLike, positive: Hashable | None) -> BoolArray:
    y = binary_labels(name, labels, positive=positive)
    both_classes(name, y, at_least=2, why=_FEW)
    return y


def _scores(name: str, values: npt.ArrayLike, truth_name: str, truth: BoolArray) -> FloatArray:
    found = vector(name, values, infinite=True)
    same_length(truth_name, truth, name, found)
    return found


def _ratio(difference: float, error: float) -> float:
    if error == 0:
        return 0.0 if abs(difference) < 1e-12 else math.copysign(math.inf, difference)
    return difference / error


def _notes(statistic: float, difference: float, error: float) -> tuple[str, ...]:
    if math.isinf(statistic):
        return ("the AUCs differ without any variance: the statistic is infinite, which says nothing about new cases",)
    if error == 0 and abs(difference) < 1e-12:
        return ("both order the cases alike as far as the classes go: no difference and no variance",)
    return ()


def _welch(variances: tuple[float, float], sizes: tuple[int, int]) -> float:
    parts = sum(v**2 / (s - 1) for v, s in zip(variances, sizes, strict=True))
    return sum(variances) ** 2 / parts
