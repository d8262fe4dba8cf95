"""Bound propagation (Davis 1987) over the whole points of a polygon, column by column.

They are the counts (tp, q) that one class of one set may have. A rule (a, b, c) says a tp + b q <= c. The printed
scores of a class, and what every confusion matrix keeps to, are such rules; for each q they leave an interval of tp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Rule = tuple[int, int, int]
_SAFE = 1 << 60  # products below this do not overflow in 64 bits
_ROUNDS = 40


class CountBox(NamedTuple):
    """Least and greatest tp, least and greatest q."""

    t0: int
    t1: int
    q0: int
    q1: int


@dataclass(frozen=True, slots=True)
class ClassCell:
    """One class of one set: its place, its cases n out of ``total``, its rules and the box of all its counts."""

    number: int
    place: int
    n: int
    total: int
    rules: tuple[Rule, ...]
    box: CountBox


Ends = tuple[int, int]
Line = tuple[tuple[tuple[int, int], ...], int]  # variables with coefficients, and a number: at least 0 together


def propagated(ranges: Sequence[Ends], lines: Sequence[Line]) -> list[Ends] | None:
    """What lines leave of ranges of whole numbers; None if it is nothing.

    >>> propagated([(0, 9), (0, 9)], [(((0, 1), (1, -2)), 0), (((1, 1),), -3)])  # x >= 2 y, y >= 3
    [(6, 9), (3, 4)]
    """
    left = list(ranges)
    if any(low > high for low, high in left):
        return None
    for _ in range(_ROUNDS):
        before = list(left)
        for parts, constant in lines:
            most = constant
            for at, value in parts:
                most += value * left[at][value > 0]
            if most < 0:
                return None
            for at, value in parts:
                low, high = left[at]
                if abs(value) * (high - low) > most:  # value x falls short of its greatest by so much at most
                    left[at] = (high - most // value, high) if value > 0 else (low, low + most // -value)
        if left == before:
            break
    return left


def tightened(box: CountBox, rules: tuple[Rule, ...]) -> CountBox:
    """The box that the rules leave."""
    left = propagated([(box.t0, box.t1), (box.q0, box.q1)], [rule_line(rule, 0) for rule in rules])
    return CountBox(1, 0, 1, 0) if left is None else CountBox(*left[0], *left[1])


def rule_line(rule: Rule, first: int) -> Line:
    """A rule as a line; tp is the variable ``first``, and q the one after it."""
    a, b, c = rule
    return tuple((first + k, -value) for k, value in enumerate((a, b)) if value), c


class CountColumns(NamedTuple):
    """For every q the least and the greatest tp, as arrays; q without any tp are left out."""

    q: Any
    low: Any
    high: Any

    @property
    def points(self) -> int:
        return int((self.high - self.low + 1).sum()) if len(self.q) else 0


def columns(box: CountBox, rules: tuple[Rule, ...], most: int) -> CountColumns:
    """The intervals of tp for every q of the box, or for so many q spread over it."""
    _, _, q0, q1 = box
    width = q1 - q0 + 1
    if width <= most:
        q = np.arange(q0, q1 + 1, dtype=np.int64)
    else:
        near = q0 + np.geomspace(1, width, most // 2).astype(np.int64) - 1  # many where scores change fast
        q = np.unique(np.concatenate((near, np.linspace(q0, q1, most // 2).astype(np.int64))))
    low, high = tp_ends(box, rules, q)
    keep = low <= high
    return CountColumns(q[keep], low[keep], high[keep])


def tp_ends(box: CountBox, rules: tuple[Rule, ...], q: Any) -> tuple[Any, Any]:
    """The least and the greatest tp at every q, least above greatest where there is none."""
    t0, t1, q0, q1 = box
    inside = (q >= q0) & (q <= q1)
    if any(max(abs(b) * q1, abs(c), abs(a)) >= _SAFE for a, b, c in rules):
        q = q.astype(object)
    low, high = np.full(len(q), t0, q.dtype), np.where(inside, t1, t0 - 1).astype(q.dtype)
    for a, b, c in rules:
        room = c - b * q
        if a > 0:
            high = np.minimum(high, room // a)
        elif a < 0:
            low = np.maximum(low, -(room // -a))
        else:
            high = np.where(room >= 0, high, t0 - 1)
    return np.minimum(low, t1 + 1).astype(np.int64), np.maximum(high, t0 - 1).astype(np.int64)


def listed(columns: CountColumns) -> tuple[Any, Any]:
    """Every point: arrays of tp and q."""
    sizes = columns.high - columns.low + 1
    q = np.repeat(columns.q, sizes)
    starts = np.repeat(columns.low - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    return starts + np.arange(len(q)), q
