"""Do probabilities mean what they say? The Brier score and calibration.

The Brier score is the mean squared distance of a probability from what happened (Brier 1950,
doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2). Calibration compares, in bins of equal width, the mean
probability with how often the event came about; the expected calibration error weighs the gaps by the cases in
each bin (Naeini, Cooper & Hauskrecht 2015, doi:10.1609/aaai.v29i1.9602). It depends on the bins, which are echoed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import whole
from scoreproof.jsonable import Jsonable, document
from scoreproof.metrics.arrays import probabilities, same_shape
from scoreproof.metrics.two_classes import positives


@dataclass(frozen=True, slots=True)
class Calibration(Jsonable):
    """The bins that hold cases: mean probability, share of positives, cases; and the gaps in one number."""

    predicted: tuple[float, ...]
    observed: tuple[float, ...]
    cases: tuple[int, ...]
    bins: int

    @property
    def expected_error(self) -> float:
        """The mean gap between probability and share, weighted by cases (ECE)."""
        gaps = zip(self.predicted, self.observed, self.cases, strict=True)
        return sum(many * abs(p - o) for p, o, many in gaps) / sum(self.cases)

    @property
    def largest_error(self) -> float:
        """The largest gap of any bin (MCE)."""
        return max(abs(p - o) for p, o in zip(self.predicted, self.observed, strict=True))

    def to_dict(self) -> dict[str, Any]:
        return {**document(self, "expected_error largest_error"), **Jsonable.to_dict(self)}


def brier_score(truth: ArrayLike, probability: ArrayLike, *, positive: Any = None) -> float:
    """The mean squared distance of the probabilities from what happened.

    >>> round(brier_score([1, 0, 1], [0.9, 0.2, 0.6]), 6)
    0.07
    """
    (actual,) = positives({"truth": truth}, positive)
    q = probabilities("probability", probability)
    same_shape("truth", actual, "probability", q)
    return float(np.mean((q - actual) ** 2))


def calibration(truth: ArrayLike, probability: ArrayLike, *, bins: int = 10, positive: Any = None) -> Calibration:
    """Probability against share of positives in bins of equal width, the last one closed.

    >>> found = calibration([0, 1, 1, 1], [0.1, 0.6, 0.8, 1.0], bins=2)
    >>> round(found.expected_error, 4), found.cases
    (0.175, (1, 3))
    """
    bins = whole("bins", bins, at_least=1)
    (actual,) = positives({"truth": truth}, positive)
    q = probabilities("probability", probability)
    same_shape("truth", actual, "probability", q)
    place = np.minimum((q * bins).astype(int), bins - 1)
    many = np.bincount(place, minlength=bins)
    used = many > 0
    predicted = np.bincount(place, weights=q, minlength=bins)[used] / many[used]
    observed = np.bincount(place, weights=actual.astype(np.float64), minlength=bins)[used] / many[used]
    return Calibration(tuple(predicted.tolist()), tuple(observed.tolist()), tuple(many[used].tolist()), bins)
