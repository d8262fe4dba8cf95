"""Elastic linear programs by the simplex method of HiGHS (Huangfu and Hall 2018, doi:10.1007/s12532-017-0130-5).

Rows may be missed at a cost, so every program has a solution: if it costs something, the duals of the rows are
multipliers that refute the rows (Farkas 1902, doi:10.1515/crll.1902.124.1); if not, it is a point to round. Floats only
propose.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from typing import Any

import highspy
import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.solve.integer_rows import IntegerRow, SolvedBox
from scoreproof.work.budget import NEVER, Budget, OutOfTime

_INF = highspy.kHighsInf
_SCALE = 1 << 30  # of the largest multiplier, as a whole number
_NO_COST = 1e-9  # a cost that may be rounding
_SOLVED, _ITERATION = 1e-4, 1e-7  # seconds of a solution, and of an iteration by the size of the program
_FEWEST, _MOST = 100, 1_000_000_000  # iterations
_INSIDE = 0.1  # of a row's width, kept off on either side


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
    """The elastic relaxation of rows over whole numbers, solved again and again for different boxes."""

    def __init__(self, rows: Sequence[IntegerRow]) -> None:
        self._scales = [max(1, *map(abs, row.a)) for row in rows]
        self._variables = len(rows[0].a)
        low, high = (
            np.array([end / scale for end, scale in zip(ends, self._scales, strict=True)])
            for ends in ([row.low for row in rows], [row.high for row in rows])
        )
        table = np.array([[a / scale for a in row.a] for row, scale in zip(rows, self._scales, strict=True)])
        self._highs = _solver()
        self._highs.addVars(self._variables, np.zeros(self._variables), np.ones(self._variables))
        _add_rows(self._highs, table, low, high)
        _add_slacks(self._highs, 1.0 / (np.minimum(high - low, 1e6) + 1e-3))
        self._bounds = low, high
        self._inside = low + _INSIDE * (high - low), high - _INSIDE * (high - low)

    def solve(self, low: list[int], high: list[int], *, inside: bool, deadline: Budget = NEVER) -> SolvedBox:
        """A point (well inside the rows, so that it survives rounding, if asked for), or multipliers."""
        bounds = self._inside if inside else self._bounds
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
        off = np.abs(x - np.rint(x))
        branch = int(off.argmax()) if off.max(initial=0.0) > 1e-6 else None
        if self._highs.getInfo().objective_function_value < 1e-12:
            return SolvedBox(None, guess, branch)
        return SolvedBox(_whole(np.array(solution.row_dual), self._scales), guess, branch)


class LatticeProgram:
    """The relaxation of rows within a box, with bounds on functionals g . x that change from branch to branch."""

    def __init__(
        self, rows: Sequence[IntegerRow], least: Sequence[int], most: Sequence[int], functionals: Ints
    ) -> None:
        tables = [list(row.a) for row in rows] + [[int(a) for a in g] for g in functionals]
        self._rows, self._functionals, self._variables = len(rows), len(functionals), len(least)
        self._scales = [max(1, *map(abs, table)) for table in tables]
        self._scaled = np.array([[a / scale for a in t] for t, scale in zip(tables, self._scales, strict=True)])
        low, high = np.full(len(tables), -_INF), np.full(len(tables), _INF)
        width = np.ones(len(tables))
        for k, row in enumerate(rows):
            low[k], high[k] = row.low / self._scales[k], row.high / self._scales[k]
            width[k] = min(high[k] - low[k], 1e6) + 1e-6
        self._cost = np.repeat(1 / width, 2)
        self._highs = _solver()
        self._highs.addVars(self._variables, np.array(least, dtype=float), np.array(most, dtype=float))
        _add_rows(self._highs, self._scaled, low, high)
        _add_slacks(self._highs, np.zeros(len(tables)))

    def _bound(self, lows: dict[int, int], highs: dict[int, int]) -> None:
        every = np.arange(self._rows, self._rows + self._functionals, dtype=np.int32)
        scales = self._scales[self._rows :]
        low = np.array([lows[j] / scale if j in lows else -_INF for j, scale in enumerate(scales)])
        high = np.array([highs[j] / scale if j in highs else _INF for j, scale in enumerate(scales)])
        self._highs.changeRowsBounds(len(every), every, low, high)

    def _solve(self, cost: Floats, *, elastic: bool, deadline: Budget) -> Any:
        every = _places(self._variables + len(self._cost))
        self._highs.changeColsCost(len(every), every, np.concatenate([cost, self._cost * elastic]))
        slack, nothing = every[self._variables :], np.zeros(len(self._cost))
        self._highs.changeColsBounds(len(slack), slack, nothing, np.full(len(slack), _INF) if elastic else nothing)
        solve_until(self._highs, deadline)
        return self._highs.getSolution()

    def multipliers(
        self, lows: dict[int, int], highs: dict[int, int], deadline: Budget
    ) -> tuple[list[int], dict[int, int]] | None:
        """Multipliers of rows and functionals, in whole numbers, if no point meets all bounds; None if one seems to."""
        self._bound(lows, highs)
        solution = self._solve(np.zeros(self._variables), elastic=True, deadline=deadline)
        if not solution.dual_valid or self._highs.getInfo().objective_function_value < _NO_COST:
            return None
        y = _whole(np.array(solution.row_dual), self._scales)
        return y[: self._rows], {j: f for j, f in enumerate(y[self._rows :]) if f}

    def extreme(
        self, lows: dict[int, int], highs: dict[int, int], functional: int, sign: int, deadline: Budget
    ) -> tuple[float, Floats] | None:
        """The least (sign -1) or the largest value of a functional within all bounds, and where it has it."""
        self._bound(lows, highs)
        along = self._scaled[self._rows + functional]
        solution = self._solve(-sign * along, elastic=False, deadline=deadline)
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        x = np.array(solution.col_value)[: self._variables]
        return float(along @ x) * self._scales[self._rows + functional], x


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
