"""The linear relaxation: fractions of columns instead of whole ones, by column generation.

Bounds are elastic, so the program always has a solution; if its cost is positive the dual prices of the rows are
multipliers that refute the node (or nearly do). Everything here is float and only proposes.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import highspy
import numpy as np

from scoreproof.engine.averages.columns import BITS, Floats, Integers, Model
from scoreproof.engine.averages.multipliers import Node

_INF = highspy.kHighsInf
_PER_ROUND = 8  # columns a group may add at a time
_KEPT = 60  # columns remembered per group


class Relaxed(NamedTuple):
    """``multipliers`` if the relaxation is infeasible; otherwise the support of a solution."""

    multipliers: Floats | None
    support: list[tuple[int, int, float]]  # position in the node, column, share


class Relaxation:
    """Solves relaxations of nodes of one model, remembering useful columns."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._floats = [np.ldexp(group.low.T.astype(np.float64), -BITS) for group in model.groups]
        self._seeds: dict[int, Integers] = {}

    def solve(self, node: Node, force: tuple[int, int] | None = None, seconds: float = 5.0) -> Relaxed:
        """The relaxation of a node; ``force`` puts one set of a part (by position) on a given column."""
        low = np.ldexp(np.array(node.lows, dtype=np.float64), -BITS)
        high = np.ldexp(np.array(node.highs, dtype=np.float64), -BITS)
        counts = [part.count for part in node.parts]
        if force is not None:
            position, column = force
            fixed = self._floats[node.parts[position].group][column]
            low, high = low - fixed, high - fixed
            counts[position] -= 1
        return self._generate(node, low, high, counts, seconds)

    def _generate(self, node: Node, low: Floats, high: Floats, counts: list[int], seconds: float) -> Relaxed:
        rows = len(low)
        active = [k for k, count in enumerate(counts) if count]
        program = highspy.Highs()
        program.setOptionValue("output_flag", False)
        program.setOptionValue("threads", 1)
        for k in range(rows):
            program.addRow(low[k], high[k], 0, np.empty(0, dtype=np.int32), np.empty(0))
        for k in active:
            program.addRow(counts[k], counts[k], 0, np.empty(0, dtype=np.int32), np.empty(0))
        cost = 1.0 / (np.minimum(high - low, 1.0) + 1e-3)
        for k in range(rows):
            for sign in (1.0, -1.0):
                program.addCol(cost[k], 0, _INF, 1, np.array([k], dtype=np.int32), np.array([sign]))
        tables = {k: self._floats[node.parts[k].group][node.parts[k].columns] for k in active}
        own_row = {k: rows + at for at, k in enumerate(active)}
        owner: list[tuple[int, int]] = []
        have: set[tuple[int, int]] = set()

        def add(k: int, at: int) -> bool:
            column = int(node.parts[k].columns[at])
            if (k, column) in have:
                return False
            have.add((k, column))
            entries = tables[k][at]
            where = np.flatnonzero(entries)
            index = np.append(where, own_row[k]).astype(np.int32)
            program.addCol(0.0, 0, _INF, len(index), index, np.append(entries[where], 1.0))
            owner.append((k, column))
            return True

        for k in active:
            for at in self._start(node, k):
                add(k, at)
        deadline = time.monotonic() + seconds
        while True:
            program.run()
            solution = program.getSolution()
            if program.getInfo().objective_function_value < 1e-9:
                shares = solution.col_value[2 * rows :]
                support = [(*owner[at], share) for at, share in enumerate(shares) if share > 1e-9]
                self._remember(node, support)
                return Relaxed(None, support)
            prices = np.array(solution.row_dual)
            y = prices[:rows]
            reach, added = 0.0, False
            for k in active:
                value = tables[k] @ y
                reach += counts[k] * float(value.max())
                gain = value + prices[own_row[k]]
                best = np.argpartition(-gain, min(_PER_ROUND, len(gain) - 1))[:_PER_ROUND]
                for at in best:
                    if gain[at] > 1e-8:
                        added |= add(k, int(at))
            need = float(np.where(y > 0, y * low, y * high).sum())
            if reach < need - 1e-9 or not added or time.monotonic() > deadline:
                return Relaxed(y, [])

    def _start(self, node: Node, k: int) -> set[int]:
        """Positions of columns to begin with: remembered ones, and a few spread over the rest."""
        columns = node.parts[k].columns
        start = {0, len(columns) - 1, len(columns) // 2}
        seeds = self._seeds.get(node.parts[k].group)
        if seeds is not None:
            at = np.searchsorted(columns, seeds)
            at[at >= len(columns)] = 0
            start.update(at[columns[at] == seeds][:40].tolist())
        return start

    def _remember(self, node: Node, support: list[tuple[int, int, float]]) -> None:
        for k, column, _ in support:
            group = node.parts[k].group
            kept = self._seeds.get(group, np.zeros(0, dtype=np.int64))[-_KEPT:]
            if column not in kept:
                self._seeds[group] = np.append(kept, column)

    def totals(self, node: Node, support: list[tuple[int, int, float]]) -> Floats:
        """The rows' sums in a relaxed solution."""
        total = np.zeros(len(node.lows))
        for k, column, share in support:
            total += share * self._floats[node.parts[k].group][column]
        return total
