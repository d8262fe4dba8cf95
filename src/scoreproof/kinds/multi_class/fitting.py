"""Counts with fractions that meet all goals, near which a search for whole ones begins.

The linear program of a part mixes counts of a class; the scores of the mixture are not the mixture of the scores. A few
steps of least squares bring it to counts whose scores meet the goals themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scoreproof.kinds.multi_class.features import Features
from scoreproof.kinds.multi_class.model import ClassesModel
from scoreproof.kinds.multi_class.node import CountPart
from scoreproof.work.deadline import Deadline

_STEPS = 12
_NUDGE = 1e-4
_NEAR = 0.2  # half widths off the middle that are near enough
_WEIGHT = 4.0  # of a case too many, in half widths


def fitted(
    model: ClassesModel, node: CountPart, features: Features, guess: list[tuple[float, float]], deadline: Deadline
) -> list[tuple[float, float]]:
    """The guess, moved towards counts that meet all goals; sums of q and, where it is known, of tp are kept to."""
    low = np.array([(box.t0, box.q0) for box in node.boxes], float)
    high = np.array([(box.t1, box.q1) for box in node.boxes], float)
    x = np.clip(np.array(guess, float), low, high)
    scale = np.maximum(np.array([(cell.n, cell.n) for cell in model.cells], float), 1.0)
    best, far = x, float("inf")
    for _ in range(_STEPS):
        parts = np.array([features.of(c, tp, q) for c, (tp, q) in enumerate(x)])
        sums = parts.sum(axis=0)
        now = np.concatenate((_missed(features, sums), _unbalanced(model, node, x)))
        size = float(np.abs(now).max())
        if size < far:
            best, far = x, size
        if size < _NEAR or deadline.passed:
            break
        slopes = np.empty((len(now), x.size))
        for c, axis in np.ndindex(x.shape):
            step = _NUDGE * scale[c, axis] * (1 if x[c, axis] + _NUDGE * scale[c, axis] <= high[c, axis] else -1)
            moved = x.copy()
            moved[c, axis] += step
            changed = sums - parts[c] + features.of(c, *moved[c])
            then = np.concatenate((_missed(features, changed), _unbalanced(model, node, moved)))
            slopes[:, 2 * c + axis] = (then - now) / step * scale[c, axis]
        # the smallest change, in shares of the classes, that meets all goals to first order
        change = np.linalg.lstsq(slopes, -now, rcond=1e-10)[0].reshape(x.shape) * scale
        x = np.clip(x + change, low, high)
    return [(float(tp), float(q)) for tp, q in best]


def _missed(features: Features, sums: Any) -> Any:
    """By how many half widths each goal is off the middle of its interval."""
    middle, half = (features.low + features.high) / 2, np.maximum((features.high - features.low) / 2, 1e-12)
    return (features.values(sums) - middle) / half


def _unbalanced(model: ClassesModel, node: CountPart, x: Any) -> Any:
    """By how many cases the sums of every set are off, and how many wrong ones its fullest class has too many."""
    off = []
    for cells, (least, most) in zip(model.sets, node.right, strict=True):
        right = x[cells, 0].sum()
        off.append(right - min(max(right, least), most))
        if model.exclusive:
            size = model.cells[cells[0]].total
            sizes = np.array([model.cells[c].n for c in cells])
            off.append(x[cells, 1].sum() - size)
            off.append(max(0.0, float((sizes + x[cells, 1] - 2 * x[cells, 0]).max()) - size + right))
    return _WEIGHT * np.array(off)
