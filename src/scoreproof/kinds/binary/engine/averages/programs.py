"""Linear programs over totals: multipliers that refute a box, or a point to round. Floats only propose."""

from __future__ import annotations

from math import gcd, lcm
from typing import Any, NamedTuple

import highspy
import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.work.budget import NEVER, Budget, OutOfTime

_SCALE = 1 << 30
_NOTHING = 1e-9  # a cost that may be rounding
_INF = highspy.kHighsInf
_SOLVED, _ITERATION = 1e-4, 1e-7  # seconds of a solution, and of an iteration by the size of the program
_FEWEST, _MOST = 100, 1_000_000_000  # iterations
_INSIDE = 0.1  # of a row's width, kept off on either side


def solve_until(highs: Any, deadline: Budget) -> None:
    """Solve a program; out of time if it is not solved by then."""
    deadline.tick()
    # the solver's limit counts all its runs so far
    highs.setOptionValue("time_limit", highs.getRunTime() + deadline.time_left())
    one = _ITERATION * (highs.getNumRow() + highs.getNumCol())
    highs.setOptionValue("simplex_iteration_limit", _FEWEST + int(min(deadline.left() / one, _MOST)))
    highs.run()
    deadline.charge(_SOLVED + one * highs.getInfo().simplex_iteration_count)
    if highs.getModelStatus() in (highspy.HighsModelStatus.kTimeLimit, highspy.HighsModelStatus.kIterationLimit):
        raise OutOfTime


class SolvedProgram(NamedTuple):
    """``y`` if the relaxation of a box is infeasible; a rounded point; the variable furthest from whole."""

    y: list[int] | None
    guess: list[int]
    branch: int | None


class LinearProgram:
    """The elastic relaxation of all rows, solved again and again for different boxes."""

    def __init__(self, rows: list[Any]) -> None:
        self._scales = [max(1, *(abs(a) for a in row.a)) for row in rows]
        self._variables = len(rows[0].a)
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        for _ in range(self._variables):
            self._highs.addVar(0.0, 1.0)
        for row, scale in zip(rows, self._scales, strict=True):
            a = np.array([x / scale for x in row.a])
            where = np.flatnonzero(a).astype(np.int32)
            self._highs.addRow(row.low / scale, row.high / scale, len(where), where, a[where])
        low = np.array([row.low / scale for row, scale in zip(rows, self._scales, strict=True)])
        high = np.array([row.high / scale for row, scale in zip(rows, self._scales, strict=True)])
        self._bounds = low, high
        self._inside = low + _INSIDE * (high - low), high - _INSIDE * (high - low)
        for k, (row, scale) in enumerate(zip(rows, self._scales, strict=True)):
            cost = 1.0 / (min((row.high - row.low) / scale, 1e6) + 1e-3)
            for sign in (1.0, -1.0):
                self._highs.addCol(cost, 0.0, highspy.kHighsInf, 1, np.array([k], dtype=np.int32), np.array([sign]))

    def solve(self, low: list[int], high: list[int], *, inside: bool, deadline: Budget = NEVER) -> SolvedProgram:
        """A point (well inside the rows, so that it survives rounding, if asked for), or multipliers."""
        bounds = self._inside if inside else self._bounds
        every = np.arange(len(self._scales), dtype=np.int32)
        self._highs.changeRowsBounds(len(every), every, *bounds)
        index = np.arange(self._variables, dtype=np.int32)
        self._highs.changeColsBounds(self._variables, index, np.array(low, dtype=float), np.array(high, dtype=float))
        solve_until(self._highs, deadline)
        solution = self._highs.getSolution()
        if not (solution.value_valid and solution.dual_valid):  # the solver gave up: nothing is known
            return SolvedProgram(None, [(a + b) // 2 for a, b in zip(low, high, strict=True)], None)
        x = np.array(solution.col_value)[: self._variables]
        guess = [int(v) for v in np.rint(x)]
        off = np.abs(x - np.rint(x))
        branch = int(off.argmax()) if off.max(initial=0.0) > 1e-6 else None
        if self._highs.getInfo().objective_function_value < 1e-12:
            return SolvedProgram(None, guess, branch)
        return SolvedProgram(_whole(np.array(solution.row_dual), self._scales), guess, branch)


def _whole(dual: Floats, scales: list[int]) -> list[int]:
    """Multipliers in whole numbers: that of a row is that of the scaled row divided by its scale."""
    largest = float(np.abs(dual).max()) or 1.0
    common = lcm(*scales)
    y = [round(float(d) / largest * _SCALE) * (common // s) for d, s in zip(dual, scales, strict=True)]
    shared = gcd(*y) or 1
    return [f // shared for f in y]


class PlaneProgram:
    """The relaxation of rows over totals within a box, with bounds on planes g . x that change from part to part."""

    def __init__(self, rows: list[Any], least: list[int], most: list[int], planes: Integers) -> None:
        tables = [list(row.a) for row in rows] + [[int(a) for a in plane] for plane in planes]
        self._rows, self._planes, self._variables = len(rows), len(planes), len(least)
        self._scales = [max(1, *map(abs, table)) for table in tables]
        self._scaled = np.array([[a / scale for a in t] for t, scale in zip(tables, self._scales, strict=True)])
        self._highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        for fewest, largest in zip(least, most, strict=True):
            self._highs.addVar(float(fewest), float(largest))
        cost = []
        for k, a in enumerate(self._scaled):
            where = np.flatnonzero(a).astype(np.int32)
            low, high = -_INF, _INF
            width = 1.0
            if k < self._rows:
                low, high = rows[k].low / self._scales[k], rows[k].high / self._scales[k]
                width = min(high - low, 1e6) + 1e-6
            self._highs.addRow(low, high, len(where), where, a[where])
            cost += [1 / width] * 2
        self._cost = np.array(cost)
        for k in range(len(tables)):
            for sign in (1.0, -1.0):
                self._highs.addCol(0.0, 0.0, _INF, 1, np.array([k], dtype=np.int32), np.array([sign]))

    def _bound(self, lows: dict[int, int], highs: dict[int, int]) -> None:
        every = np.arange(self._rows, self._rows + self._planes, dtype=np.int32)
        scales = self._scales[self._rows :]
        low = np.array([lows[j] / scale if j in lows else -_INF for j, scale in enumerate(scales)])
        high = np.array([highs[j] / scale if j in highs else _INF for j, scale in enumerate(scales)])
        self._highs.changeRowsBounds(len(every), every, low, high)

    def _solve(self, cost: Floats, *, elastic: bool, deadline: Budget) -> Any:
        every = np.arange(self._variables + len(self._cost), dtype=np.int32)
        self._highs.changeColsCost(len(every), every, np.concatenate([cost, self._cost * elastic]))
        slack, nothing = every[self._variables :], np.zeros(len(self._cost))
        self._highs.changeColsBounds(len(slack), slack, nothing, np.full(len(slack), _INF) if elastic else nothing)
        solve_until(self._highs, deadline)
        return self._highs.getSolution()

    def prices(
        self, lows: dict[int, int], highs: dict[int, int], deadline: Budget
    ) -> tuple[list[int], dict[int, int]] | None:
        """Multipliers of rows and planes, in whole numbers, if no point meets all bounds; None if one seems to."""
        self._bound(lows, highs)
        solution = self._solve(np.zeros(self._variables), elastic=True, deadline=deadline)
        if not solution.dual_valid or self._highs.getInfo().objective_function_value < _NOTHING:
            return None
        y = _whole(np.array(solution.row_dual), self._scales)
        return y[: self._rows], {j: f for j, f in enumerate(y[self._rows :]) if f}

    def extreme(
        self, lows: dict[int, int], highs: dict[int, int], plane: int, sign: int, deadline: Budget
    ) -> tuple[float, Floats] | None:
        """The least (sign -1) or the largest value of a plane within all bounds, and where it has it."""
        self._bound(lows, highs)
        along = self._scaled[self._rows + plane]
        solution = self._solve(-sign * along, elastic=False, deadline=deadline)
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        x = np.array(solution.col_value)[: self._variables]
        return float(along @ x) * self._scales[self._rows + plane], x
