"""Bound propagation (Davis 1987) over the whole points of a polygon, column by column.

The counts (tp, q) that one class of one set may have: whole points of a box under linear rules.

A rule (a, b, c) says a tp + b q <= c. The printed scores of a class, and what every confusion matrix keeps to, are such
rules. For each q they leave an interval of tp; ``columns`` gives these intervals as arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Rule = tuple[int, int, int]
_SAFE = 1 << 60  # products below this do not overflow in 64 bits
_ROUNDS = 6


class CountBox(NamedTuple):
    """Least and greatest tp, least and greatest q."""

    t0: int
    t1: int
    q0: int
    q1: int

    @property
    def empty(self) -> bool:
        return self.t0 > self.t1 or self.q0 > self.q1

    def cut(self, axis: str, value: int, *, above: bool) -> CountBox:
        """The half with ``axis`` at most ``value``, or above it."""
        t0, t1, q0, q1 = self
        if axis == "tp":
            return CountBox(value + 1, t1, q0, q1) if above else CountBox(t0, value, q0, q1)
        return CountBox(t0, t1, value + 1, q1) if above else CountBox(t0, t1, q0, value)


@dataclass(frozen=True, slots=True)
class ClassCell:
    """One class of one set: its place, its cases n out of ``total``, its rules and the box of all its counts."""

    number: int
    place: int
    n: int
    total: int
    rules: tuple[Rule, ...]
    box: CountBox


def tightened(box: CountBox, rules: tuple[Rule, ...]) -> CountBox:
    """The box that the rules leave, each applied to the ends of the other axis a few times over."""
    t0, t1, q0, q1 = box
    for _ in range(_ROUNDS):
        before = (t0, t1, q0, q1)
        for a, b, c in rules:
            if a:
                room = c - (b * q0 if b > 0 else b * q1)
                if a > 0:
                    t1 = min(t1, room // a)
                else:
                    t0 = max(t0, -(room // -a))
            if b:
                room = c - (a * t0 if a > 0 else a * t1)
                if b > 0:
                    q1 = min(q1, room // b)
                else:
                    q0 = max(q0, -(room // -b))
            elif not a and c < 0:
                return CountBox(1, 0, 1, 0)
        if t0 > t1 or q0 > q1 or (t0, t1, q0, q1) == before:
            break
    return CountBox(t0, t1, q0, q1)


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
    t0, t1, q0, q1 = box
    if box.empty:
        none = np.zeros(0, np.int64)
        return CountColumns(none, none, none)
    width = q1 - q0 + 1
    if width <= most:
        q = np.arange(q0, q1 + 1, dtype=np.int64)
    else:
        near = q0 + np.geomspace(1, width, most // 2).astype(np.int64) - 1  # many where scores change fast
        q = np.unique(np.concatenate((near, np.linspace(q0, q1, most // 2).astype(np.int64))))
    low, high = np.full(len(q), t0, np.int64), np.full(len(q), t1, np.int64)
    for a, b, c in rules:
        if max(abs(b) * q1, abs(c), abs(a)) >= _SAFE:
            room: Any = np.array([c - b * int(x) for x in q], dtype=object)
            limit = np.array([_clipped(r // a if a > 0 else -(r // -a) if a else r, t0, t1) for r in room], np.int64)
            if a == 0:
                keep = np.array([r >= 0 for r in room], bool)
                low[~keep], high[~keep] = 1, 0
            elif a > 0:
                high = np.minimum(high, limit)
            else:
                low = np.maximum(low, limit)
            continue
        room = c - b * q
        if a > 0:
            high = np.minimum(high, room // a)
        elif a < 0:
            low = np.maximum(low, -(room // -a))
        else:
            high = np.where(room >= 0, high, low - 1)
    keep = low <= high
    return CountColumns(q[keep], low[keep], high[keep])


def _clipped(value: int, low: int, high: int) -> int:
    return min(max(value, low - 1), high + 1)


def listed(columns: CountColumns) -> tuple[Any, Any]:
    """Every point: arrays of tp and q."""
    sizes = columns.high - columns.low + 1
    q = np.repeat(columns.q, sizes)
    starts = np.repeat(columns.low - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
    return starts + np.arange(len(q)), q
