"""The same questions by drawing random test sets: a cross-check, and the paper's own way to dependence.

Møllersen and Holsbø (2023, arXiv:2303.07272, section 4.1) simulate the dependent case with 100,000 draws. The
exact distributions of this package do not need it; the simulation shares no code with them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption
from scoreproof.sota.dependence import Dependence, dependence
from scoreproof.sota.inputs import MOST_CASES, count, probability
from scoreproof.validation import random_seed

#: classifiers times competitions: some minutes
MOST_DRAWN = 2 * 10**9
_BLOCK = 10**6


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
    """The best accuracy of m classifiers in each of ``draws`` simulated competitions.

    >>> simulate_best(1000, 3000, 0.9, draws=50, seed=1).mean().round(3)
    np.float64(0.917)
    """
    m, n = count("m", m, most=10**7), count("n", n, most=MOST_CASES)
    draws = count("draws", draws, most=MOST_DRAWN // m)
    each = _each(accuracy, m)
    rng = np.random.default_rng(None if seed is None else random_seed(seed))
    model = dependence(p_dep, correlation)
    if model is not None:
        average = float(each.mean()) if np.ptp(each) > 0 else None
        model = Dependence(model.p_dep, model.correlation, average)
        distinct, which = np.unique(each, return_inverse=True)
        references = [model.at(n, float(a)) for a in distinct]
        p_right, p_wrong = (
            np.array(list(p))[which.ravel()] for p in zip(*((r.p_dep, r.q) for r in references), strict=True)
        )
        right = references[0].right
    best = np.empty(draws)
    rows = max(1, _BLOCK // m)
    for start in range(0, draws, rows):
        size = (min(rows, draws - start), m)
        if model is None:
            correct = rng.binomial(n, each, size)
        else:
            correct = rng.binomial(right, p_right, size) + rng.binomial(n - right, p_wrong, size)
        best[start : start + size[0]] = correct.max(axis=1) / n
    return best


def simulate_competition(
    m: int,
    n: int,
    accuracy: float,
    *,
    seed: int | None = None,
    p_dep: float | None = None,
    correlation: float | None = None,
) -> NDArray[np.int64]:
    """The correct cases of each of m classifiers in one simulated competition.

    >>> simulate_competition(1000, 3000, 0.9, seed=1).mean().round(-2)
    np.float64(2700.0)
    """
    m, n = count("m", m, most=10**7), count("n", n, most=MOST_CASES)
    rng = np.random.default_rng(None if seed is None else random_seed(seed))
    model = dependence(p_dep, correlation)
    if model is None:
        return rng.binomial(n, probability("accuracy", accuracy), m)
    reference = model.at(n, probability("accuracy", accuracy))
    return rng.binomial(reference.right, reference.p_dep, m) + rng.binomial(n - reference.right, reference.q, m)


def _each(accuracy: float | Sequence[float], m: int) -> Floats:
    """One accuracy per classifier."""
    if not isinstance(accuracy, Sequence | np.ndarray) or isinstance(accuracy, str) or np.ndim(accuracy) == 0:
        return np.full(m, probability("accuracy", accuracy))
    values = np.array([probability(f"accuracy[{i}]", a) for i, a in enumerate(accuracy)])
    if len(values) != m:
        raise InvalidOption(f"m: {m} classifiers but {len(values)} accuracies; give one each")
    return values
