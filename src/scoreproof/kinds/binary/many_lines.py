"""Many reports at once: the matrices in the middle of what is left of the lines that single rates name.

The same as ``named_line`` does with one report, on arrays of int64 that cannot overflow (see ``many``).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scoreproof.arrays import Bools, Ints
from scoreproof.kinds.binary.many import ClaimColumn
from scoreproof.kinds.binary.named_box import NAMING
from scoreproof.kinds.binary.named_line import HALF_PLANES


def matrices_on_lines(
    columns: Mapping[str, ClaimColumn], name: str, count: Ints, p: Ints, n: Ints
) -> tuple[Ints, Ints, Bools]:
    """tp and tn, and in which rows something is left of the line of a rate."""
    first = np.maximum(0, count - n) if name == "acc" else np.zeros_like(count)
    low, high = np.zeros_like(count), {"sens": n, "spec": p, "acc": np.minimum(p, count) - first}[name].copy()
    for other, column in columns.items():
        if other in NAMING or column.score.shape not in HALF_PLANES:
            continue
        (num, den), (num_next, den_next) = (_ratio(column, name, count, first + k, p, n) for k in (0, 1))
        for value, following in (
            (num * column.below - column.low * den, num_next * column.below - column.low * den_next),
            (column.high * den - num * column.above, column.high * den_next - num_next * column.above),
        ):  # not below zero where the claim holds
            slope = following - value
            steep = np.where(slope == 0, 1, np.abs(slope))
            rises, falls = column.there & (slope > 0), column.there & (slope < 0)
            low = np.where(rises, np.maximum(low, -(value // steep)), low)
            high = np.where(falls, np.minimum(high, value // steep), high)
            high = np.where(column.there & (slope == 0) & (value < 0), -1, high)
    tp, tn = _cells(name, count, first + (low + high) // 2)
    return tp, tn, low <= high


def _ratio(column: ClaimColumn, name: str, count: Ints, free: Ints, p: Ints, n: Ints) -> tuple[Ints, Ints]:
    tp, tn = _cells(name, count, free)
    num, den = column.score.ratio(tp, n - tn, p - tp, tn)
    return num, den


def _cells(name: str, count: Ints, free: Ints) -> tuple[Ints, Ints]:
    if name == "sens":
        return count, free
    return (free, count) if name == "spec" else (free, count - free)
