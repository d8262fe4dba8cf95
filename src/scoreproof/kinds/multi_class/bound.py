"""Multipliers of the rows of a node that refute it, proposed by a linear program over columns.

For multipliers y every choice of counts has y . rows at most the sum over the cells of the greatest value of y . rows
in each; if that is below what the rows require, there is no choice. Since every score but the Jaccard index is linear
in tp for fixed q, the greatest value is at an end of an interval of tp. The program is solved in floats with columns
made as they are needed; the integers that come out are judged by the verifier alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from scoreproof.kinds.multi_class.cells import columns, listed
from scoreproof.kinds.multi_class.features import score_ends
from scoreproof.kinds.multi_class.model import ClassesModel
from scoreproof.kinds.multi_class.node import CountPart, rules_at
from scoreproof.kinds.multi_class.rows import rows_at
from scoreproof.work.deadline import Deadline

_MOST_Q = 20_000
_MOST_POINTS = 200_000  # of a cell with a score that is not linear in tp
_UNIT = 1 << 30
_ROUNDS = 60
_CELL = 3e-4  # seconds of a table
_TRACE = 1e-9  # a share or a gap that is the solver's noise
_NARROW = 1e-4  # widths of rows that are taken for this


class MixedClass(NamedTuple):
    """A class that the program gives several counts at once, and where to cut so that it cannot."""

    cell: int
    axis: str
    value: int
    gap: float  # between the mixed scores and those of the mean counts, in widths of the rows


class Refutation:
    """``proof`` is a step of whole multipliers and bounds; without one, ``guess`` may be counts that nearly fit.

    ``mixed`` is then the class whose scores are furthest from those of its counts in the guess.
    """

    def __init__(self, model: ClassesModel, node: CountPart, deadline: Deadline) -> None:
        self.model, self.node = model, node
        self.rows = rows_at(model, node)
        self.low = np.array([-np.inf if row.low is None else float(row.low) for row in self.rows])
        self.high = np.array([np.inf if row.high is None else float(row.high) for row in self.rows])
        self.points: list[tuple[Any, Any]] = []
        self.tables = [self._table(cell) for cell in range(len(model.cells))]
        deadline.spend(_CELL * len(self.tables))
        self.proof: list[Any] | None = None
        self.guess: list[tuple[float, float]] | None = None
        self.mixed: MixedClass | None = None
        if all(len(low) for low, _ in self.tables):
            y = self._solve(deadline)
            if y is not None:
                self.proof = self._leaf(y)

    def _table(self, cell: int) -> Any:
        """The rows' least and greatest values at every column of a cell; they differ where a 0/0 is open."""
        spread = columns(self.node.boxes[cell], rules_at(self.model, self.node, cell), _MOST_Q)
        curved = any(mean.form.den[0] for row in self.rows for mean, _ in row.means)
        if curved and spread.points <= _MOST_POINTS:
            tp, q = listed(spread)
        else:
            tp, q = np.concatenate((spread.low, spread.high)), np.concatenate((spread.q, spread.q))
        tp, q = tp.astype(float), q.astype(float)
        self.points.append((tp, q))
        low, high = self._rows_of(cell, tp, q)
        return low, high if (low != high).any() else low

    def _rows_of(self, cell: int, tp: Any, q: Any) -> tuple[Any, Any]:
        """The rows' least and greatest values at counts of a cell."""
        own = self.model.cells[cell]
        low, high = np.zeros((len(tp), len(self.rows))), np.zeros((len(tp), len(self.rows)))
        cache: dict[tuple[int, str], tuple[Any, Any]] = {}
        for r, row in enumerate(self.rows):
            if cell in row.linear:
                a, b, c = (float(x) for x in row.linear[cell])
                value = a * tp + b * q + (c * q * q if c else 0)
                low[:, r], high[:, r] = value, value
            for mean, factor in row.means:
                if not mean.weights[cell]:
                    continue
                key = (id(mean), mean.form.name)
                if key not in cache:
                    cache[key] = score_ends(self.model, mean, own, tp, q)
                weight = float(mean.weights[cell] * factor)
                least, most = cache[key]
                low[:, r] += weight * (least if weight > 0 else most)
                high[:, r] += weight * (most if weight > 0 else least)
        return low, high

    def _values(self, cell: int, y: Any) -> Any:
        """The greatest y . rows at every column of a cell."""
        low, high = self.tables[cell]
        if low is high:
            return low @ y
        return low @ np.minimum(y, 0.0) + high @ np.maximum(y, 0.0)

    def _solve(self, deadline: Deadline) -> Any:
        """Float multipliers that refute the node, or None."""
        import highspy

        from scoreproof.solve.linear_programs import solve_until

        rows, cells = len(self.rows), len(self.tables)
        highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        highs.setOptionValue("output_flag", False)
        highs.setOptionValue("threads", 1)
        for low, high in zip(self.low, self.high, strict=True):
            highs.addRow(low, high, 0, np.zeros(0, np.int32), np.zeros(0))
        for _ in range(cells):
            highs.addRow(1.0, 1.0, 0, np.zeros(0, np.int32), np.zeros(0))
        width = np.where(np.isfinite(self.high - self.low), self.high - self.low, 1.0)
        for r in range(rows):
            cost = 1.0 / (min(float(width[r]), 1.0) + 1e-3)
            for sign in (1.0, -1.0):
                highs.addCol(cost, 0.0, highspy.kHighsInf, 1, np.array([r], np.int32), np.array([sign]))
        have: set[tuple[int, int, bytes]] = set()
        added: list[tuple[int, int]] = []
        start = np.zeros(rows)
        for cell, (low, _) in enumerate(self.tables):
            for at in {0, len(low) // 2, len(low) - 1}:
                self._add(highs, have, added, cell, at, start)
        for _ in range(_ROUNDS):
            solve_until(highs, deadline)
            solution = highs.getSolution()
            if not solution.dual_valid:
                return None
            if highs.getInfo().objective_function_value < 1e-10:
                self._mix(np.array(solution.col_value)[2 * rows :], added)
                return None
            dual = np.array(solution.row_dual)
            y, base = dual[:rows], dual[rows:]
            kept = np.where(np.isfinite(np.where(y > 0, self.low, self.high)), y, 0.0)  # the solver's noise is left out
            if self._gap(kept) > 0:
                return kept
            more = 0
            for cell in range(cells):
                gain = self._values(cell, y) + base[cell]
                for at in np.argsort(-gain)[:4] if len(gain) < 64 else np.argpartition(-gain, 4)[:4]:
                    if gain[at] > 1e-9:
                        more += self._add(highs, have, added, cell, int(at), y)
            if not more:
                return None
        return None

    def _mix(self, shares: Any, added: list[tuple[int, int]]) -> None:
        """The mean counts of every cell in a solution, near which there may be whole ones."""
        by_cell: list[list[tuple[float, int]]] = [[] for _ in self.tables]
        for share, (cell, at) in zip(shares, added, strict=True):
            if share > _TRACE:
                by_cell[cell].append((share, at))
        self.guess = []
        width = np.clip(np.where(np.isfinite(self.high - self.low), self.high - self.low, 1.0), _NARROW, 1.0)
        for cell, parts in enumerate(by_cell):
            weights = np.array([share for share, _ in parts])
            weights = weights / weights.sum()
            places = [place for _, place in parts]
            tp, q = (axis[places] for axis in self.points[cell])
            mean_tp, mean_q = float(weights @ tp), float(weights @ q)
            self.guess.append((mean_tp, mean_q))
            if len(parts) > 1:
                there = self._rows_of(cell, np.array([mean_tp]), np.array([mean_q]))[0][0]
                gap = float((np.abs(weights @ self.tables[cell][0][places] - there) / width).sum())
                if gap > (_TRACE if self.mixed is None else self.mixed.gap):
                    by_q = weights @ np.abs(q - mean_q) >= weights @ np.abs(tp - mean_tp)
                    self.mixed = MixedClass(cell, "q" if by_q else "tp", int(mean_q if by_q else mean_tp), gap)

    def _add(
        self, highs: Any, have: set[tuple[int, int, bytes]], added: list[tuple[int, int]], cell: int, at: int, y: Any
    ) -> bool:
        """Give the program a column, with open values as the multipliers have them; whether it is a new one."""
        import highspy

        low, high = self.tables[cell]
        values = low[at] if low is high else np.where(y > 0, high[at], low[at])
        if (cell, at, values.tobytes()) in have:
            return False
        have.add((cell, at, values.tobytes()))
        added.append((cell, at))
        where = np.flatnonzero(values)
        highs.addCol(
            0.0,
            0.0,
            highspy.kHighsInf,
            len(where) + 1,
            np.append(where, len(self.rows) + cell).astype(np.int32),
            np.append(values[where], 1.0),
        )
        return True

    def _required(self, y: Any) -> float:
        ends = np.where(y > 0, self.low, self.high)
        return float(sum(a * b for a, b in zip(y, ends, strict=True) if a))

    def _gap(self, y: Any) -> float:
        """What the rows require beyond what the cells can give."""
        most = sum(float(self._values(cell, y).max()) for cell in range(len(self.tables)))
        return self._required(y) - most - 1e-9 * float(np.abs(y).sum())

    def _leaf(self, y: Any) -> list[Any] | None:
        """The refutation in whole numbers."""
        largest = float(np.abs(y).max()) or 1.0
        whole = np.array([round(float(v) / largest * _UNIT) for v in y], dtype=float)
        tops = [float(self._values(cell, whole).max()) for cell in range(len(self.tables))]
        slack = self._required(whole) - sum(tops)
        if slack <= 2 * len(tops):
            return None
        share = int(slack / (2 * len(tops)))
        named = [[*row.name, int(v)] for row, v in zip(self.rows, whole, strict=True) if v]
        return ["bound", named, [int(np.ceil(top)) + share for top in tops]]
