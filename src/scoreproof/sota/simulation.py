"""The same questions by drawing random test sets: a cross-check, and the paper's own way to dependence.

Møllersen and Holsbø (2023, arXiv:2303.07272, section 4.1) simulate the dependent case with 100,000 draws. The
exact distributions of this package do not need it; the simulation shares no code with them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoreproof.sota.binomial import Floats
from scoreproof.sota.dependence import dependence
from scoreproof.sota.inputs import MOST_CASES, MOST_CLASSIFIERS, count, probability

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
    m, n = count("m", m, most=MOST_CLASSIFIERS), count("n", n, most=MOST_CASES)
    draws = count("draws", draws, most=10**9)
    rng = np.random.default_rng(seed)
    each = np.broadcast_to(np.asarray(accuracy, dtype=np.float64), (m,))
    for value in np.unique(each):
        probability("accuracy", value)
    model = dependence(p_dep, correlation)
    references = None if model is None else [model.at(n, float(a)) for a in each]
    best = np.empty(draws)
    rows = max(1, _BLOCK // m)
    for start in range(0, draws, rows):
        size = (min(rows, draws - start), m)
        if references is None:
            correct = rng.binomial(n, each, size)
        else:
            where_right = rng.binomial([r.right for r in references], [r.p_dep for r in references], size)
            where_wrong = rng.binomial([r.wrong for r in references], [r.q for r in references], size)
            correct = where_right + where_wrong
        best[start : start + size[0]] = correct.max(axis=1) / n
    return best
