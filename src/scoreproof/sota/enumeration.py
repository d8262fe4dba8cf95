"""The best of m by any score of a confusion matrix, by enumerating every matrix.

For a test set of p positives and n negatives, tp and tn of a classifier with known sensitivity and specificity are
independent binomials. Every pair is visited once, so F1, MCC or a score of one's own have as exact a distribution of
the best as accuracy has (Møllersen and Holsbø 2023, arXiv:2303.07272, treat accuracy only).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores import Score
from scoreproof.kinds.binary.scores import score as lookup
from scoreproof.sota.best import Best
from scoreproof.sota.inputs import MOST_CASES, MOST_CLASSIFIERS, count, probability
from scoreproof.sota.law import log_pmf, window
from scoreproof.validation import chosen

MOST_MATRICES = 2 * 10**7
#: each tail leaves out less than exp(-depth); the second is tried where the first visits too many matrices
_DEPTHS = (70.0, 45.0)
_FEW = 3 * 10**6


def best_of_score(
    name: str | Score,
    m: int,
    p: int,
    n: int,
    *,
    sens: float,
    spec: float,
    undefined: Literal["exclude", "zero"] = "exclude",
) -> Best:
    """The exact distribution of the best score among m classifiers of this sensitivity and specificity.

    Where the score is undefined (0/0), the classifier counts as if it had reported nothing and another draw
    had taken its place (``exclude``), or as zero. ``truth`` is the score at the expected counts.

    >>> best = best_of_score("f1", 100, 50, 950, sens=0.8, spec=0.98)
    >>> round(best.truth, 4), round(best.mean, 4)
    (0.7339, 0.8397)
    >>> accuracy = best_of_score("acc", 1000, 300, 2700, sens=0.9, spec=0.9)
    >>> round(accuracy.mean, 4), round(accuracy.sd, 6)
    (0.9173, 0.001817)
    """
    score = lookup(name)
    m = count("m", m, most=MOST_CLASSIFIERS)
    p, n = count("p", p, most=MOST_CASES), count("n", n, most=MOST_CASES)
    sens, spec = probability("sens", sens), probability("spec", spec)
    chosen("undefined", undefined, ("exclude", "zero"))
    values, masses = _one_classifier(score, p, n, sens, spec, zero=undefined == "zero")
    higher = score.direction > 0
    if higher:
        values, masses = values[::-1], masses[::-1]
    reached = np.cumsum(masses)
    missed = np.append(np.cumsum(masses[::-1])[-2::-1], 0.0)
    with np.errstate(divide="ignore"):
        log_none = m * np.where(reached < 0.5, np.log1p(-np.minimum(reached, 1.0)), np.log(missed))
    return Best(
        score=score.name,
        m=m,
        truth=float(score.values(p * sens, n * (1 - spec), p * (1 - sens), n * spec)),
        setting=f"sensitivity {sens:g}, specificity {spec:g}, {p:,} positive and {n:,} negative cases",
        values=values,
        log_none=log_none,
        higher_is_better=higher,
    )


def _one_classifier(score: Score, p: int, n: int, sens: float, spec: float, *, zero: bool) -> tuple[Floats, Floats]:
    """Every value the score can take, ascending, and its probability for one classifier."""
    tp, log_tp, tn, log_tn = _windows(p, n, sens, spec)
    values = score.values(tp[:, None], (n - tn)[None, :], (p - tp)[:, None], tn[None, :])
    values = np.broadcast_to(values, (len(tp), len(tn))).ravel()
    masses = np.exp(log_tp[:, None] + log_tn[None, :]).ravel()
    defined = np.isfinite(values)
    if zero:
        values = np.where(defined, values, 0.0)
    else:
        values, masses = values[defined], masses[defined]
    total = float(masses.sum())
    if not total > 0:
        raise InvalidOption(
            f"{score.name}: undefined for every matrix that sensitivity {sens:g} and specificity {spec:g} "
            "can produce; undefined='zero' would count it as 0"
        )
    order = np.argsort(values, kind="stable")
    values, masses = values[order], masses[order]
    firsts = np.flatnonzero(np.concatenate([[True], np.diff(values) > 0]))
    return values[firsts], np.add.reduceat(masses, firsts) / total


def _windows(p: int, n: int, sens: float, spec: float) -> tuple[Floats, Floats, Floats, Floats]:
    """The counts worth visiting: tp and tn with their log probabilities."""
    for depth in _DEPTHS:
        (tp_low, tp_high), (tn_low, tn_high) = (window(p, sens, 1 - sens, depth), window(n, spec, 1 - spec, depth))
        if (matrices := (tp_high - tp_low + 1) * (tn_high - tn_low + 1)) <= _FEW:
            break
    if matrices > MOST_MATRICES:
        raise InvalidOption(
            f"p and n: {matrices:,} confusion matrices would have to be enumerated, more than {MOST_MATRICES:,}; with "
            "so many cases the normal approximation is safe, or study a smaller test set"
        )
    tp = np.arange(tp_low, tp_high + 1, dtype=np.float64)
    tn = np.arange(tn_low, tn_high + 1, dtype=np.float64)
    return tp, log_pmf(tp, p, sens, 1 - sens), tn, log_pmf(tn, n, spec, 1 - spec)
