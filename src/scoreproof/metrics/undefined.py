"""What to do with a score that is 0/0, in one word.

A class that is never predicted has no precision. Software disagrees silently about what to print then, so
here the choice is an argument and is echoed by every result: ``nan`` (undefined stays undefined, also in
means), ``zero`` (counts as 0, scikit-learn's convention) or ``skip`` (means run over the defined classes
only).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from scoreproof.arrays import Floats

Undefined = Literal["nan", "zero", "skip"]


def settle(values: Floats, choice: Undefined) -> Floats:
    """Undefined values as they are shown: 0 under ``zero``, NaN otherwise."""
    return np.where(np.isnan(values), 0.0, values) if choice == "zero" else values


def mean(values: Floats, choice: Undefined, weights: Floats | None = None) -> float:
    """The (weighted) mean under a convention; undefined (0 under ``zero``) if nothing is left. Weight 0 means absent.

    >>> values = np.array([0.5, np.nan])
    >>> [mean(values, choice) for choice in ("nan", "zero", "skip")]
    [nan, 0.25, 0.5]
    """
    weights = np.ones_like(values) if weights is None else weights
    values = settle(values, choice)
    used = weights > 0
    if choice == "skip":
        used &= ~np.isnan(values)
    if not used.any():
        return 0.0 if choice == "zero" else float("nan")
    return float(np.sum(values[used] * weights[used]) / np.sum(weights[used]))
