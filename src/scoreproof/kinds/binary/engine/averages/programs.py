"""Linear programs over totals: multipliers that refute a box, or a point to round. Floats only propose."""

from __future__ import annotations

from math import gcd, lcm
from typing import Any, NamedTuple

import highspy
import numpy as np

from scoreproof.work.deadline import NEVER, Deadline, OutOfTime

_SCALE = 1 << 30
_INSIDE = 0.1  # of a row's width, kept off on either side


def solve_until(highs: Any, deadline: Deadline) -> None:
    """Solve a program; out of time if it is not solved by then."""
    deadline.check()
    # the solver's limit counts all its runs so far
    highs.setOptionValue("time_limit", highs.getRunTime() + deadline.left())
    highs.run()
    if highs.getModelStatus() == highspy.HighsModelStatus.kTimeLimit:
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

    def solve(self, low: list[int], high: list[int], *, inside: bool, deadline: Deadline = NEVER) -> SolvedProgram:
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
        dual = np.array(solution.row_dual)
        # the multiplier of a row in whole numbers is that of the scaled row divided by its scale
        largest = float(np.abs(dual).max()) or 1.0
        common = lcm(*self._scales)
        y = [round(float(d) / largest * _SCALE) * (common // s) for d, s in zip(dual, self._scales, strict=True)]
        shared = gcd(*y) or 1
        y = [f // shared for f in y]
        return SolvedProgram(y, guess, branch)
