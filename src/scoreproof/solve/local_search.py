"""Local search from a guess: damped least squares (Marquardt 1963, doi:10.1137/0111030).

Steps from a guess towards a report each make up, to first order, for what the means are away from the claims. The guess
has many more values than there are claims, so the shortest step that does it is taken; it is damped, the more the less
it helps. Claims that say the same, such as a mean squared error and its root, pull in slightly different directions;
each pulls by how precisely it was printed, and the longer it is missed the harder. All of it is in floats: it
proposes, and whoever asked judges the proposal exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

_NO_DAMPING, _FIRST_DAMPING, _MOST_DAMPING = 1e-15, 1e-6, 1e3
_HARDER, _SOFTER = 100.0, 0.01
_WITHIN = 0.9  # of the way from the middle of a claim to its ends
_LOOK, _STALLED = 12, 0.5  # after so many steps it has to be nearer by this factor
_PULLED = 0.7  # of its former room is left to a claim that is missed


def fit_values(
    start: Any, measure: Callable[[Any], tuple[Any, Any]], ends: Sequence[tuple[float, float]], steps: int
) -> Any | None:
    """The values near a start whose measures lie within their ends; None if some steps do not lead there.

    ``measure`` gives the measures of an array of values, and their derivatives: a row per measure.

    >>> import numpy as np
    >>> fit_values(np.array([1.0, 1.0]), lambda x: (np.array([x @ x]), 2 * x[None]), [(0.49, 0.51)], 20).round(2)
    array([0.5, 0.5])
    """
    import numpy as np

    low, high = np.array(ends, dtype=float).T
    middle = (low + high) / 2
    room = np.maximum((high - low) / 2, 1e-15 * np.maximum(1e-9, abs(middle)))
    pull, at, damping, best = room.copy(), start, _FIRST_DAMPING, np.inf
    with np.errstate(all="ignore"):
        values, slopes = measure(at)
        for step in range(steps):
            off = values - middle
            if step % _LOOK == _LOOK - 1:
                far = _away(off, slopes, room)
                if far > _STALLED * best:
                    return None
                best = far
            missed = abs(off) > _WITHIN * room
            if not np.isfinite(off).all() or not np.isfinite(slopes).all() or damping > _MOST_DAMPING:
                return None
            if not missed.any():
                return at
            tried = at - shortest(slopes, off, pull, damping)
            values_there, slopes_there = measure(tried)
            now = values_there - middle
            if _away(now, slopes, room) < _away(off, slopes, room):
                at, values, slopes = tried, values_there, slopes_there
                damping = max(damping * _SOFTER, _NO_DAMPING)
                pull = np.where(missed, _PULLED * pull, pull)
            else:
                damping *= _HARDER
    return at if (abs(values - middle) <= room).all() else None


def _away(off: Any, slopes: Any, room: Any) -> float:
    """How far the values are from where all measures are met, to first order."""
    import numpy as np

    far = np.maximum(abs(off) - room, 0.0) / (np.sqrt((slopes * slopes).sum(axis=1)) + 1e-300)
    return float(far @ far) if np.isfinite(far).all() else np.inf


def shortest(slopes: Any, off: Any, room: Any = 0.0, damping: float = _NO_DAMPING) -> Any:
    """The shortest step that changes the measures by so much, to first order, where their rooms let all of it be."""
    import numpy as np

    norms = np.sqrt((slopes * slopes).sum(axis=1)) + 1e-300  # every measure in its own unit
    rows = slopes / norms[:, None]
    square = rows @ rows.T
    square[np.diag_indices_from(square)] += damping + (room / norms) ** 2
    try:
        return rows.T @ np.linalg.solve(square, off / norms)
    except np.linalg.LinAlgError:
        return np.full(slopes.shape[1], np.nan)


def means_and_variances(values: Any, slopes: Any, shares: Any, deviating: Sequence[int]) -> tuple[Any, Any]:
    """The mean of each measure over groups, then the variances of some, each with its derivatives.

    ``values`` holds each measure of each group, ``slopes`` its derivatives by what the group alone is made of.
    """
    import numpy as np

    means = values @ shares
    rows = (slopes * shares[:, None]).reshape(len(means), -1)
    chosen = list(deviating)
    off = values[chosen] - means[chosen, None]
    more = (2 * slopes[chosen] * (shares * off)[:, :, None]).reshape(len(chosen), rows.shape[1])
    return np.concatenate([means, (off * off) @ shares]), np.concatenate([rows, more])
