"""How far behind the top may an entry be and still be the best?

Gupta and Sobel ("Selecting a subset containing the best of several binomial populations", 1960) keep every
entry within d correct cases of the top, with the smallest d for which the truly best one is kept with the
confidence asked for. Their least favourable case, all entries equally good, is exactly the situation this
package computes, so d needs no table; it also follows dependence through a reference classifier.
"""

from __future__ import annotations

import numpy as np

from scoreproof.arrays import fraction
from scoreproof.sota.dependence import Dependence
from scoreproof.sota.inputs import MOST_CASES, MOST_CLASSIFIERS, count, probability
from scoreproof.sota.law import failures_of_one


def margin(m: int, n: int, accuracy: float, *, alpha: float = 0.05, model: Dependence | None = None) -> int:
    """The smallest d such that the truly best of m lies within d cases of the top with confidence 1 - alpha.

    >>> margin(1000, 3000, 0.9)
    81
    >>> margin(1, 3000, 0.9)
    0
    """
    m, n = count("m", m, most=MOST_CLASSIFIERS), count("n", n, most=MOST_CASES)
    wanted = 1 - fraction("alpha", alpha)
    if m == 1:
        return 0
    law = failures_of_one(n, probability("accuracy", accuracy), model)
    mass = np.exp(law.log_pmf)
    log_sf = law.log_sf()
    width = len(mass)

    def kept(d: int) -> float:
        """P(no other classifier is more than d failures ahead of a given one)."""
        others = np.zeros(width)
        if d + 1 < width:
            others[d + 1 :] = log_sf[: width - d - 1]
        return float(mass @ np.exp((m - 1) * others))

    low, high = -1, width
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if kept(middle) >= wanted - 1e-12 else (middle, high)
    return min(high, n)


def widest_margin(
    m: int, n: int, low: float, high: float, *, alpha: float = 0.05, model: Dependence | None = None
) -> int:
    """The largest margin over accuracies from ``low`` to ``high``: where p (1 - p) is largest."""
    spots = {low, high, min(high, max(low, 0.5))}
    usable = [spot for spot in spots if model is None or model.feasible(n, spot)]
    if not usable:
        usable = [max(low, min(high, model.p_dep))] if model is not None and model.p_dep is not None else [low]
    return max(margin(m, n, spot, alpha=alpha, model=model) for spot in usable)
