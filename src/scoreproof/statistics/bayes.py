"""Which is better, and are the two practically equal? The Bayesian signed-rank test.

The differences are weighted at random (a Dirichlet process, with one pseudo-difference of 0 as prior), and each
weighting asks where the pairwise means lie: below, inside or above a region of practical equality (Benavoli,
Corani, Demšar & Zaffalon 2017, jmlr.org/papers/v18/16-305). The answer is three probabilities rather than one
p-value, and "equal" is something it can say.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import pair
from scoreproof.errors import InvalidOption
from scoreproof.results import Result
from scoreproof.validation import random_seed, real, whole

_MOST_PAIRS = 2000
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class Practical(Result):
    """The probabilities that y is better, that both are practically equal, and that x is better."""

    second: float
    equal: float
    first: float
    rope: float

    def __str__(self) -> str:
        return (
            f"first better {self.first:.3f}, practically equal (within {self.rope:g}) {self.equal:.3f}, "
            f"second better {self.second:.3f}"
        )


def bayesian_signed_rank(
    x: npt.ArrayLike, y: npt.ArrayLike, *, rope: float, prior: float = 0.5, draws: int = 20_000, seed: int = 0
) -> Practical:
    """The probability that each region holds most of the weighted pairwise means.

    ``rope`` is the half-width of practical equality, in units of the score; ``prior`` the weight of the
    pseudo-difference 0. Values must be independent: for folds use ``corrected_resampled_t(rope=...)``.

    >>> found = bayesian_signed_rank([0.9, 0.8, 0.85, 0.7, 0.9], [0.8, 0.7, 0.8, 0.65, 0.85], rope=0.01)
    >>> found.first > 0.9, found.second < 0.01
    (True, True)
    """
    first, second = pair(x, y)
    draws = whole("draws", draws, at_least=100, at_most=10**7)
    rope, prior = real("rope", rope, at_least=0), real("prior", prior, above=0)
    if len(first) > _MOST_PAIRS:
        raise InvalidOption(
            f"{len(first)} pairs: expected at most {_MOST_PAIRS}; with so many, an interval says it all"
        )
    d = np.concatenate([[0.0], first - second])
    means = (d[:, None] + d[None, :]) / 2
    above, below = (means > rope).astype(np.float64), (means < -rope).astype(np.float64)
    strengths = np.concatenate([[prior], np.ones(len(first))])
    generator = np.random.default_rng(random_seed(seed))
    counts = np.zeros(3)
    step = max(1, _BLOCK // len(d))
    for start in range(0, draws, step):
        weights = generator.dirichlet(strengths, size=min(step, draws - start))
        up = np.einsum("bi,bi->b", weights @ above, weights)
        down = np.einsum("bi,bi->b", weights @ below, weights)
        shares = np.column_stack([down, 1 - up - down, up])
        winners = shares >= shares.max(axis=1, keepdims=True) - 1e-12
        # A tie is shared, as two equal halves of a coin.
        counts += (winners / winners.sum(axis=1, keepdims=True)).sum(axis=0)
    low, middle, high = (float(c) / draws for c in counts)
    return Practical(low, middle, high, float(rope))
