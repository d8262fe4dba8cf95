"""The limits of a proportion by every usual formula, for one count or for arrays of counts.

``z`` is the half-width in standard errors (1.96 for 95%), ``tail`` what is left out on either side (0.025). The
formulas are as published; Wald's and Agresti and Coull's may leave [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

Counts = npt.ArrayLike
Limits = tuple[Any, Any]


def wald(k: Counts, n: Counts, z: float, *, shift: float = 0.0, off: int = 0) -> Limits:
    """p ± z √(p (1 - p) / n), widened by ``shift`` cases; ``off`` is taken off the cases under the root.

    >>> [round(float(end), 3) for end in wald(9, 10, 1.96)]
    [0.714, 1.086]
    """
    cases = np.asarray(n, dtype=float)
    share = np.asarray(k, dtype=float) / cases
    half = z * np.sqrt(share * (1 - share) / np.maximum(cases - off, 1)) + shift / cases
    return share - half, share + half


def score_limits(k: Counts, n: Counts, z: float, *, corrected: bool = False) -> Limits:
    """Wilson's; corrected as R's prop.test has it: the correction shrinks to nothing at exactly one half."""
    hits, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    shift = np.minimum(0.5, np.abs(hits - cases / 2)) if corrected else 0.0
    half_square = z**2 / (2 * cases)

    def bound(share: Any, side: int) -> Any:
        inside = np.maximum(share * (1 - share) / cases + half_square / (2 * cases), 0)
        return (share + half_square + side * z * np.sqrt(inside)) / (1 + 2 * half_square)

    below, above = (hits - shift) / cases, (hits + shift) / cases
    return np.where(below <= 0, 0.0, bound(below, -1)), np.where(above >= 1, 1.0, bound(above, 1))


def agresti_coull(k: Counts, n: Counts, z: float) -> Limits:
    trials = np.asarray(n, dtype=float) + z**2
    share = (np.asarray(k, dtype=float) + z**2 / 2) / trials
    half = z * np.sqrt(share * (1 - share) / trials)
    return share - half, share + half


def logit(k: Counts, n: Counts, z: float) -> Limits:
    """Wald's interval of the log odds; nothing at 0 and at n."""
    hits, misses = np.asarray(k, dtype=float), np.asarray(n, dtype=float) - np.asarray(k, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre, half = np.log(hits / misses), z * np.sqrt(1 / hits + 1 / misses)
        return special.expit(centre - half), special.expit(centre + half)


def arcsine(k: Counts, n: Counts, z: float) -> Limits:
    """The interval of arcsin √p, which has nearly the same error everywhere."""
    cases = np.asarray(n, dtype=float)
    angle, half = np.arcsin(np.sqrt(np.asarray(k, dtype=float) / cases)), z / (2 * np.sqrt(cases))
    return np.sin(np.maximum(angle - half, 0)) ** 2, np.sin(np.minimum(angle + half, np.pi / 2)) ** 2


def exact_limits(k: Counts, n: Counts, low: float, high: float) -> Limits:
    """The shares at which k or more of n have probability ``low``, and more than k probability ``high``."""
    hits, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    least = special.betaincinv(np.maximum(hits, 1e-300), cases - hits + 1, low)
    most = special.betaincinv(hits + 1, np.maximum(cases - hits, 1e-300), high)
    return np.where(hits == 0, 0.0, least), np.where(hits == cases, 1.0, most)


def jeffreys(k: Counts, n: Counts, tail: float) -> Limits:
    hits, misses = np.asarray(k, dtype=float), np.asarray(n, dtype=float) - np.asarray(k, dtype=float)
    return (
        special.betaincinv(hits + 0.5, misses + 0.5, tail),
        1 - special.betaincinv(misses + 0.5, hits + 0.5, tail),
    )


Formula = Callable[[Counts, Counts, float], Limits]
#: Formulas with a number of standard errors, and those with a tail.
BY_ERRORS: dict[str, Formula] = {
    "wald": wald,
    "wald-cc": lambda k, n, z: wald(k, n, z, shift=0.5),
    "wald-sample": lambda k, n, z: wald(k, n, z, off=1),
    "wilson": score_limits,
    "wilson-cc": lambda k, n, z: score_limits(k, n, z, corrected=True),
    "agresti-coull": agresti_coull,
    "logit": logit,
    "arcsine": arcsine,
}
BY_TAIL: dict[str, Formula] = {
    "clopper-pearson": lambda k, n, tail: exact_limits(k, n, tail, 1 - tail),
    "jeffreys": jeffreys,
}
