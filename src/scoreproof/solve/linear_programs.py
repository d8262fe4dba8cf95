"""Elastic linear programs by the simplex method of HiGHS (Huangfu and Hall 2018, doi:10.1007/s12532-017-0130-5).

Rows may be missed at a cost, so every program has a solution: if it costs something, the duals of the rows are
multipliers that refute the rows (Farkas 1902, doi:10.1515/crll.1902.124.1); if not, it is a point to round. Floats only
propose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, lcm
from typing import Any

import highspy
import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.solve.integer_rows import IntegerRow, SolvedBox
from scoreproof.work.budget import NEVER, Budget, OutOfTime

_INF = highspy.kHighsInf
_SCALE = 1 << 30  # of the largest multiplier, as a whole number
_NO_COST = 1e-12  # a cost that may be rounding
_SMALL_COST = 1e-3
_SOLVED, _ITERATION = 1e-4, 1e-7  # seconds of a solution, and of an iteration by the size of the program
_FEWEST, _MOST = 100, 1_000_000_000  # iterations


def solve_until(highs: Any, deadline: Budget) -> None:
    """Solve a program; out of time if it is not solved by then."""
    deadline.tick()
    # the solver's limit counts all its runs so far
    highs.setOptionValue("time_limit", highs.getRunTime() + deadline.time_left())
    iteration = _ITERATION * (highs.getNumRow() + highs.getNumCol())
    highs.setOptionValue("simplex_iteration_limit", _FEWEST + int(min(deadline.left() / iteration, _MOST)))
    highs.run()
    deadline.charge(_SOLVED + iteration * highs.getInfo().simplex_iteration_count)
    if highs.getModelStatus() in (highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kIterationLimit):
        raise OutOfTime


def _solver() -> Any:
    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("presolve", "off")  # programs of few rows, most of them solved again from the last basis
    return highs


def _places(count: int) -> Any:
    return np.arange(count, dtype=np.int32)


def _add_rows(highs: Any, table: Floats, low: Floats, high: Floats) -> None:
    """Rows over the variables there are, without their zeros."""
    where, column = np.nonzero(table)
    starts = np.searchsorted(where, np.arange(len(table))).astype(np.int32)
    highs.addRows(len(table), low, high, len(where), starts, column.astype(np.int32), table[where, column])


def _add_slacks(highs: Any, cost: Floats) -> None:
    """Two variables a row, by which it may be missed at a cost."""
    count = 2 * len(cost)
    every = _places(count)
    signs = np.tile([1.0, -1.0], len(cost))
    highs.addCols(count, np.repeat(cost, 2), np.zeros(count), np.full(count, _INF), count, every, every // 2, signs)


def _whole(dual: Floats, scales: Sequence[int]) -> list[int]:
    """Multipliers in whole numbers: that of a row is that of the scaled row divided by its scale."""
    largest = float(np.abs(dual).max()) or 1.0
    common = lcm(*scales)
    y = [round(float(d) / largest * _SCALE) * (common // s) for d, s in zip(dual, scales, strict=True)]
    shared = gcd(*y) or 1
    return [f // shared for f in y]


class BoxProgram:
    """The elastic relaxation of rows over whole numbers, solved again and again for different boxes.

    Further rows are functionals ("planes") g . x whose bounds are given each time, those of base rows once.
    """

    def __init__(self, rows: Sequence[IntegerRow], planes: Ints | Sequence[Sequence[int]] = ()) -> None:
        tables = [row.a for row in rows] + [tuple(int(a) for a in g) for g in planes]
        self._scales = [max(1, *map(abs, table)) for table in tables]
        self._variables = len(tables[0])
        open_ = np.full(len(planes), _INF)
        low, high = (
            np.array([end / scale for end, scale in zip(ends, self._scales, strict=False)])
            for ends in ([row.low for row in rows], [row.high for row in rows])
        )
        table = np.array([[a / scale for a in own] for own, scale in zip(tables, self._scales, strict=True)])
        self._highs = _solver()
        self._highs.addVars(self._variables, np.zeros(self._variables), np.ones(self._variables))
        _add_rows(self._highs, table, np.append(low, -open_), np.append(high, open_))
        _add_slacks(self._highs, np.append(1.0 / (np.minimum(high - low, 1e6) + 1e-3), np.ones(len(planes))))
        self._bounds = low, high

    def solve(
        self,
        low: Sequence[int],
        high: Sequence[int],
        *,
        inside: float = 0.0,
        planes: Sequence[Mapping[int, int]] = ({}, {}),
        deadline: Budget = NEVER,
    ) -> SolvedBox:
        """A point, or multipliers; ``inside`` is a share of its width that is kept off either end of a row."""
        scales = self._scales[len(self._bounds[0]) :]
        off = inside * (self._bounds[1] - self._bounds[0])
        bounds = [
            np.append(own, [ends[j] / scale if j in ends else side * _INF for j, scale in enumerate(scales)])
            for own, ends, side in zip((self._bounds[0] + off, self._bounds[1] - off), planes, (-1, 1), strict=True)
        ]
        self._highs.changeRowsBounds(len(self._scales), _places(len(self._scales)), *bounds)
        self._highs.changeColsBounds(
            self._variables, _places(self._variables), np.array(low, dtype=float), np.array(high, dtype=float)
        )
        solve_until(self._highs, deadline)
        solution = self._highs.getSolution()
        if not (solution.value_valid and solution.dual_valid):  # the solver gave up: nothing is known
            return SolvedBox(None, [(a + b) // 2 for a, b in zip(low, high, strict=True)], None)
        x = np.array(solution.col_value)[: self._variables]
        guess = [int(v) for v in np.rint(x)]
        share = np.abs(x - np.rint(x))
        branch = int(share.argmax()) if share.max(initial=0.0) > 1e-6 else None
        met = self._highs.getInfo().objective_function_value < _NO_COST
        return SolvedBox(None if met else _whole(np.array(solution.row_dual), self._scales), guess, branch)

    def along(self, cost: Floats, deadline: Budget) -> Floats:
        """Where a cost is least within the bounds of the last solution, which it is too small to break."""
        every = _places(self._variables)
        self._highs.changeColsCost(self._variables, every, _SMALL_COST * cost / np.abs(cost).max())
        solve_until(self._highs, deadline)
        x = np.array(self._highs.getSolution().col_value)[: self._variables]
        self._highs.changeColsCost(self._variables, every, np.zeros(self._variables))
        return x


class ColumnProgram:
    """Rows within bounds at a cost, one convexity row a group, and columns that are added as they are generated.

    The master program of a column generation (Dantzig and Wolfe 1960, doi:10.1287/opre.8.1.101).
    """

    def __init__(self, low: Floats, high: Floats, counts: list[int]) -> None:
        self._slacks = 2 * len(low)
        self._highs = _solver()
        bounds = np.concatenate([low, counts]), np.concatenate([high, counts])
        _add_rows(self._highs, np.zeros((len(bounds[0]), 0)), *bounds)
        _add_slacks(self._highs, 1.0 / (np.minimum(high - low, 1.0) + 1e-3))

    def add(self, convexity: list[int], columns: list[Floats]) -> None:
        """Columns of the given groups, free of cost."""
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

    def bounds(self, low: Floats, high: Floats, counts: list[int]) -> None:
        """Change the bounds of all rows."""
        every = _places(len(low) + len(counts))
        self._highs.changeRowsBounds(len(every), every, np.concatenate([low, counts]), np.concatenate([high, counts]))

    def solve(self, deadline: Budget = NEVER) -> tuple[float, Floats]:
        """The cost of the cheapest solution and the duals of all rows."""
        solve_until(self._highs, deadline)
        return self._highs.getInfo().objective_function_value, np.array(self._highs.getSolution().row_dual)

    def shares(self) -> list[float]:
        """How much of each added column the solution takes."""
        taken: list[float] = list(self._highs.getSolution().col_value)[self._slacks :]
        return taken
