"""The linear relaxation: fractions of columns instead of whole ones, by column generation.

Bounds are elastic, so the program always has a solution; if its cost is positive the dual prices of the rows are
multipliers that refute the node (or nearly do). Everything here is float and only proposes.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import highspy
import numpy as np

from scoreproof.engine.averages.columns import BITS, Floats, Integers, Model
from scoreproof.engine.averages.multipliers import Node

_INF = highspy.kHighsInf
_PER_ROUND = 8  # columns a group may add at a time
_KEPT = 60  # columns remembered per group


class Program:
    """An elastic linear program: rows within bounds at a cost, one convexity row per part, columns added later."""

    def __init__(self, low: Floats, high: Floats, counts: list[int]) -> None:
        rows = len(low)
        self._slacks = 2 * rows
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        empty, nothing = np.zeros(0, dtype=np.int32), np.zeros(0)
        bounds = np.concatenate([low, counts]), np.concatenate([high, counts])
        starts = np.zeros(rows + len(counts), dtype=np.int32)
        self._highs.addRows(len(starts), *bounds, 0, starts, empty, nothing)
        cost = np.repeat(1.0 / (np.minimum(high - low, 1.0) + 1e-3), 2)
        every = np.arange(self._slacks, dtype=np.int32)
        signs = np.tile([1.0, -1.0], rows)
        self._highs.addCols(
            self._slacks,
            cost,
            np.zeros(self._slacks),
            np.full(self._slacks, _INF),
            self._slacks,
            every,
            every // 2,
            signs,
        )

    def add(self, convexity: list[int], columns: list[Floats]) -> None:
        """Columns of the given parts, free of cost."""
        count = len(columns)
        if not count:
            return
        rows = len(columns[0])
        index = np.empty((count, rows + 1), dtype=np.int32)
        index[:, :rows] = np.arange(rows)
        index[:, rows] = convexity
        value = np.ones((count, rows + 1))
        value[:, :rows] = columns
        starts = np.arange(0, count * (rows + 1), rows + 1, dtype=np.int32)
        zeros = np.zeros(count)
        self._highs.addCols(count, zeros, zeros, np.full(count, _INF), index.size, starts, index.ravel(), value.ravel())

    def solve(self) -> tuple[float, Floats]:
        """The cost of the cheapest solution and the prices of all rows."""
        self._highs.run()
        return self._highs.getInfo().objective_function_value, np.array(self._highs.getSolution().row_dual)

    def shares(self) -> list[float]:
        """How much of each added column the solution takes."""
        taken: list[float] = list(self._highs.getSolution().col_value)[self._slacks :]
        return taken


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
        counts = [part.sets for part in node.parts]
        if force is not None:
            position, column = force
            fixed = self._floats[node.parts[position].group][column]
            low, high = low - fixed, high - fixed
            counts[position] -= 1
        return self._generate(node, low, high, counts, seconds)

    def _generate(self, node: Node, low: Floats, high: Floats, counts: list[int], seconds: float) -> Relaxed:
        rows = self._binding(node)
        low, high = low[rows], high[rows]
        active = [k for k, count in enumerate(counts) if count]
        tables = {k: self._floats[node.parts[k].group][node.parts[k].columns][:, rows] for k in active}
        program = Program(low, high, [counts[k] for k in active])
        own_row = {k: len(rows) + at for at, k in enumerate(active)}
        owner: list[tuple[int, int]] = []
        have: set[tuple[int, int]] = set()

        def add(chosen: list[tuple[int, int]]) -> bool:
            fresh = [(k, at) for k, at in chosen if (k, int(node.parts[k].columns[at])) not in have]
            for k, at in fresh:
                column = int(node.parts[k].columns[at])
                have.add((k, column))
                owner.append((k, column))
            program.add([own_row[k] for k, _ in fresh], [tables[k][at] for k, at in fresh])
            return bool(fresh)

        add([(k, at) for k in active for at in sorted(self._start(node, k))])
        deadline = time.monotonic() + seconds
        while True:
            cost, prices = program.solve()
            if cost < 1e-9:
                support = [(*owner[at], share) for at, share in enumerate(program.shares()) if share > 1e-9]
                self._remember(node, support)
                return Relaxed(None, support)
            y = prices[: len(rows)]
            reach = 0.0
            better: list[tuple[int, int]] = []
            for k in active:
                value = tables[k] @ y
                reach += counts[k] * float(value.max())
                gain = value + prices[own_row[k]]
                best = np.argpartition(-gain, min(_PER_ROUND, len(gain) - 1))[:_PER_ROUND]
                better += [(k, int(at)) for at in best if gain[at] > 1e-8]
            need = float(np.where(y > 0, y * low, y * high).sum())
            if reach < need - 1e-9 or not add(better) or time.monotonic() > deadline:
                multipliers = np.zeros(len(node.lows))
                multipliers[rows] = y
                return Relaxed(multipliers, [])

    def _binding(self, node: Node) -> Integers:
        """The rows that can bind: plain totals only where the search has tightened them."""
        free = [
            row.integral and row.free and node.lows[k] == row.low and node.highs[k] == row.high
            for k, row in enumerate(self._model.rows)
        ]
        return np.flatnonzero(~np.array(free, dtype=bool))

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
