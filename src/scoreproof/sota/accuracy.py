"""The best accuracy among m classifiers on one test set, exactly and by drawing random test sets.

Identical independent classifiers are the case of Møllersen and Holsbø (2023, arXiv:2303.07272, section 3.3);
unequal accuracies and dependence through a reference classifier (their section 4) are products of survival
functions as well, so all of them are exact. The simulations, their own way to dependence, are a cross-check that
shares no code with the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document
from scoreproof.sota.best import Best
from scoreproof.sota.law import (
    DEPTH,
    MOST_CASES,
    MOST_CLASSIFIERS,
    Dependence,
    Reference,
    count,
    dependence,
    failures_of_one,
    log_pmf,
    probability,
    window,
)
from scoreproof.validation import MOST, random_seed, real, whole

#: what many different classifiers drop from each tail: less than exp(-70), about 1e-30
SHALLOW = 70.0
_BLOCK = 2 * 10**6


@dataclass(frozen=True, slots=True, eq=False)
class BestAccuracy(Best):
    """The best of m accuracies on n cases; failures are counted as in the paper."""

    n: int = 0
    first: int = 0  #: the failures that ``values[0]`` stands for
    reference: Reference | None = None

    _told = "classifiers=m cases=n *"

    def failures_cdf(self, z: int) -> float:
        """F(z): the probability that at least one classifier has at most z failures (equation 1)."""
        z = whole("z", z, at_least=-MOST)
        if z < self.first:
            return 0.0
        return self._reached(min(z - self.first + 1, len(self.values)))

    def failures_pmf(self, z: int) -> float:
        """f(z): the probability that the best classifier has exactly z failures (equation 2)."""
        index = whole("z", z, at_least=-MOST) - self.first
        return float(self.masses[index]) if 0 <= index < len(self.values) else 0.0

    def failures_quantile(self, probability: float) -> int:
        """The smallest z with F(z) >= probability: the paper's reading of a limit."""
        real("probability", probability, above=0, at_most=1)
        return self.first + int(np.argmax(self._reached_all() >= probability))

    def to_dict(self) -> dict[str, Any]:
        return {**Best.to_dict(self), **document(self, "cases=n first reference")}


def best_of(
    m: int | Sequence[int],
    n: int,
    accuracy: float | Sequence[float],
    *,
    p_dep: float | None = None,
    correlation: float | None = None,
    reference: float | None = None,
) -> BestAccuracy:
    """The exact distribution of the best of m classifiers on n cases.

    ``m`` is how many classifiers there are; with a vector of accuracies their number, or one count per accuracy.
    ``accuracy`` is the true one of every classifier, or one each (or each group). Dependence through a reference
    classifier is ``p_dep``, the probability to be right where the reference is right, or ``correlation`` of correctness
    between any two classifiers, which is translated into it; ``reference`` is the accuracy of the reference, by default
    that of the classifiers (their mean, when they differ).

    Probabilities below 1e-300 are dropped; below 1e-30 among many different accuracies, below 1e-80 where
    dependent classifiers meet a large test set.

    >>> best = best_of(1000, 3000, 0.9)
    >>> round(best.mean, 4), round(best.sd, 6)
    (0.9173, 0.001817)
    >>> best.interval(0.05, "quantile").high, best.interval(0.05, "holds").high
    (0.9213333333333333, 0.9216666666666666)
    >>> round(best_of(1000, 3000, 0.9, p_dep=0.95).mean, 6)
    0.915083
    >>> round(best_of([999, 1], 3000, [0.9, 0.91]).mean, 4)
    0.9175
    """
    n = count("n", n, most=MOST_CASES)
    accuracies, counts = _groups(m, accuracy)
    model = dependence(p_dep, correlation)
    if model is not None:
        average = float(np.average(accuracies, weights=counts)) if len(accuracies) > 1 else None
        given = average if reference is None else probability("reference", reference)
        model = Dependence(model.p_dep, model.correlation, given)
    elif reference is not None:
        raise InvalidOption("reference: only means something together with p_dep or correlation")
    return distribution(n, accuracies, counts, model)


def distribution(
    n: int, accuracies: Floats, counts: Floats, model: Dependence | None, depth: float = DEPTH
) -> BestAccuracy:
    """``best_of`` for inputs that have been checked."""
    top = float(np.max(accuracies))
    alone = len(accuracies) == 1
    if alone or model is not None:
        first, log_none = _by_law(n, accuracies, counts, model, depth if alone else min(depth, SHALLOW))
    else:
        first, log_none = _by_tilting(n, accuracies, counts)
    log_none[-1] = -np.inf
    values = (n - np.arange(first, first + len(log_none))) / n
    words = f"true accuracies {accuracies[0]:.4g} to {accuracies[-1]:.4g}, {n:,} cases"
    setting = f"true accuracy {accuracies[0]:g}, {n:,} cases" if alone else words
    setting, at = (setting, None) if model is None else (f"{setting}, dependent with {model}", model.at(n, top))
    told: dict[str, Any] = {"values": values, "log_none": log_none, "n": n, "first": first, "reference": at}
    return BestAccuracy("accuracy", int(counts.sum()), top, setting, **told)


def _groups(m: Any, accuracy: Any) -> tuple[Floats, Floats]:
    """Distinct accuracies and how many classifiers have each."""
    if not _is_vector(accuracy):
        if _is_vector(m):
            raise InvalidOption("m: a list of counts needs a list of accuracies, one per count")
        value = probability("accuracy", accuracy)
        return np.array([value]), np.array([float(count("m", m, most=MOST_CLASSIFIERS))])
    values = [probability(f"accuracy[{i}]", a) for i, a in enumerate(accuracy)]
    if not values:
        raise InvalidOption("accuracy: expected at least one accuracy, got an empty list")
    if _is_vector(m):
        many = [count(f"m[{i}]", c, most=MOST_CLASSIFIERS) for i, c in enumerate(m)]
    else:
        many = [1] * count("m", m, most=MOST_CLASSIFIERS) if m == len(values) else []
    if len(many) != len(values):
        got = f"{len(many)} counts" if _is_vector(m) else f"{m!r} classifiers"
        raise InvalidOption(f"m: {got} but {len(values)} accuracies; expected one each, or as many counts")
    count("m (in total)", sum(many), most=MOST_CLASSIFIERS)
    distinct, which = np.unique(np.asarray(values), return_inverse=True)
    total = np.bincount(which.ravel(), weights=np.asarray(many, dtype=np.float64))
    return distinct, np.asarray(total, dtype=np.float64)


def _is_vector(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str)


def _by_law(n: int, accuracies: Floats, counts: Floats, model: Dependence | None, depth: float) -> tuple[int, Floats]:
    """One survival function per accuracy, their logarithms added."""
    laws = [failures_of_one(n, float(a), model, depth) for a in accuracies]
    first, last = min(law.start for law in laws), min(law.end for law in laws)
    total = np.zeros(last - first + 1)
    for law, many in zip(laws, counts, strict=True):
        if law.start <= last:
            total[law.start - first :] += many * law.log_sf()[: last - law.start + 1]
    return first, total


def _by_tilting(n: int, accuracies: Floats, counts: Floats) -> tuple[int, Floats]:
    """Many independent accuracies at once: binomials of one n are a single one, tilted exponentially."""
    ends = [window(n, 1.0 - a, a, SHALLOW) for a in accuracies.tolist()]
    first, last = min(low for low, _ in ends), min(high for _, high in ends)
    keep = (accuracies > 0) & (np.array([low for low, _ in ends]) <= last)
    if np.any(accuracies == 1):
        return 0, np.array([-np.inf])
    if not np.any(keep):
        return first, np.zeros(last - first + 1)
    total = np.zeros(last - first + 1)
    zs = np.arange(first, last + 1, dtype=np.float64)
    pivot = float(np.max(accuracies))
    middle = float((first + last) // 2)
    base = log_pmf(zs, n, 1.0 - pivot, pivot)
    base -= base[int(middle) - first]
    a, many = accuracies[keep], counts[keep]
    height = log_pmf(middle, n, 1.0 - a, a)
    slope = np.log1p(-a) - np.log(a) - (math.log1p(-pivot) - math.log(pivot))
    # what each classifier holds beyond the window: P(X > last) is an incomplete beta function
    beyond = betainc(last + 1.0, float(n - last), 1.0 - a) if last < n else np.zeros_like(a)
    rows = max(1, _BLOCK // len(zs))
    for i in range(0, len(a), rows):
        part = slice(i, i + rows)
        mass = np.exp(base + np.outer(slope[part], zs - middle) + height[part, None])
        below = np.cumsum(mass, axis=1)
        mass[:, 0] = 0.0
        above = np.cumsum(mass[:, ::-1], axis=1)[:, ::-1]
        above = np.concatenate([above[:, 1:], np.zeros((len(above), 1))], axis=1) + beyond[part, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            log_sf = np.where(below < 0.5, np.log1p(-np.minimum(below, 1.0)), np.log(np.minimum(above, 1.0)))
        total += many[part] @ log_sf
    return first, total


#: classifiers times competitions: some minutes
MOST_DRAWN = 2 * 10**9
_ROWS = 10**6


def simulate_best(
    m: int,
    n: int,
    accuracy: float | Sequence[float],
    *,
    draws: int = 10_000,
    seed: int | None = None,
    p_dep: float | None = None,
    correlation: float | None = None,
) -> Floats:
    """The best accuracy of m classifiers in each of ``draws`` simulated competitions."""
    m = count("m", m, most=10**7)
    draws = count("draws", draws, most=MOST_DRAWN // m)
    competitions = _competitions(m, n, accuracy, draws, seed, dependence(p_dep, correlation))
    return np.concatenate([correct.max(axis=1) for correct in competitions]) / n


def simulate_competition(
    m: int,
    n: int,
    accuracy: float,
    *,
    seed: int | None = None,
    p_dep: float | None = None,
    correlation: float | None = None,
) -> NDArray[np.int64]:
    """The correct cases of each of m classifiers in one simulated competition."""
    m, model = count("m", m, most=10**7), dependence(p_dep, correlation)
    (correct,) = next(_competitions(m, n, accuracy, 1, seed, model))
    return np.asarray(correct)


def _competitions(
    m: int, n: int, accuracy: float | Sequence[float], draws: int, seed: int | None, model: Dependence | None
) -> Iterator[NDArray[np.int64]]:
    """Blocks of simulated competitions: a row for each, with the correct cases of every classifier."""
    n = count("n", n, most=MOST_CASES)
    if _is_vector(accuracy):
        each = np.array([probability(f"accuracy[{i}]", a) for i, a in enumerate(accuracy)])  # type: ignore[arg-type]
        if len(each) != m:
            raise InvalidOption(f"m: {m} classifiers but {len(each)} accuracies; give one each")
    else:
        each = np.full(m, probability("accuracy", accuracy))
    rng = np.random.default_rng(None if seed is None else random_seed(seed))
    right, p_right, p_wrong = 0, each, each
    if model is not None:
        average = float(each.mean()) if np.ptp(each) > 0 else None
        model = Dependence(model.p_dep, model.correlation, average)
        distinct, which = np.unique(each, return_inverse=True)
        references = [model.at(n, float(a)) for a in distinct]
        right = references[0].right
        p_right, p_wrong = np.array([(r.p_dep, r.q) for r in references])[which.ravel()].T
    rows = max(1, _ROWS // m)
    for start in range(0, draws, rows):
        size = (min(rows, draws - start), m)
        yield rng.binomial(right, p_right, size) + rng.binomial(n - right, p_wrong, size)
