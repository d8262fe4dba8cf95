"""Cross-entropy (log loss): the mean surprise of the true labels under the predicted probabilities.

Both classes count: -(p log q + (1 - p) log(1 - q)), averaged over the cases. Rainio, Teuho & Klén (2024,
doi:10.1038/s41598-024-56706-x) print only the first term and no mean; this is the standard definition (Bishop
2006, eq. 4.90 and 4.108), in natural logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from scoreproof.arrays import Floats
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.metrics.arrays import labels, probabilities, same_shape
from scoreproof.metrics.two_classes import positives


def cross_entropy(
    truth: ArrayLike, probability: ArrayLike, *, positive: Any = None, clip: float | None = None
) -> float:
    """The binary cross-entropy per case, in nats.

    A case that was ruled out with certainty (probability 0 of what happened) makes it infinite; ``clip``
    keeps probabilities that far from 0 and 1, as many libraries do silently.

    >>> round(cross_entropy([1, 0, 1], [0.9, 0.2, 0.6]), 6)
    0.279777
    """
    (actual,) = positives({"truth": truth}, positive)
    q = probabilities("probability", probability)
    same_shape("truth", actual, "probability", q)
    return _mean_surprise(np.where(actual, q, 1 - q), clip)


def multiclass_cross_entropy(
    truth: ArrayLike, probability: ArrayLike, *, classes: Sequence[Any], clip: float | None = None
) -> float:
    """The cross-entropy of a table of probabilities, one row per case and one column per class.

    >>> round(multiclass_cross_entropy(["a", "b"], [[0.7, 0.3], [0.5, 0.5]], classes=["a", "b"]), 6)
    0.524911
    """
    actual = labels("truth", truth)
    q = probabilities("probability", probability, ndim=2)
    if q.shape != (actual.size, len(classes)):
        raise InvalidValue(
            f"probability has shape {q.shape}; {actual.size} cases and {len(classes)} classes need "
            f"({actual.size}, {len(classes)})"
        )
    off = np.abs(q.sum(axis=1) - 1) > 1e-6
    if off.any():
        row = int(np.argmax(off))
        raise InvalidValue(f"probability[{row}] sums to {q[row].sum():.6g}; each row must sum to 1")
    column = {label: index for index, label in enumerate(classes)}
    strangers = [label for label in actual.tolist() if label not in column]
    if strangers:
        raise InvalidValue(f"truth holds {strangers[0]!r}, which is not among the classes {list(classes)!r}")
    chosen = q[np.arange(actual.size), [column[label] for label in actual.tolist()]]
    return _mean_surprise(chosen, clip)


def _mean_surprise(chosen: Floats, clip: float | None) -> float:
    if clip is not None:
        if not 0 < clip < 0.5:
            raise InvalidOption(f"clip must lie between 0 and 0.5, got {clip!r}")
        chosen = np.clip(chosen, clip, 1 - clip)
    with np.errstate(divide="ignore"):
        return float(-np.mean(np.log(chosen))) + 0.0
