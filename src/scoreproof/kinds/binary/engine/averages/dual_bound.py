"""Lagrangian dual bounds by Farkas multipliers (Farkas 1902, doi:10.1515/crll.1902.124.1), and the LP they come from.

For integer multipliers y of the rows, every choice of columns has y . sum <= the sum of the groups' largest y . column.
If that falls short of what the bounds require, nothing is feasible; otherwise every column that lies further below its
group's largest than the slack can be dropped. Any y is sound, so multipliers may come from a float linear program: the
integers decide.

The program is the relaxation by fractions of columns, solved by column generation (Dantzig and Wolfe 1960,
doi:10.1287/opre.8.1.101). Its bounds are elastic, so it always has a solution; if its cost is positive the dual prices
of the rows are multipliers that refute the node (or nearly do).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Floats, Ints
from scoreproof.kinds.binary.engine.averages.constraints import Constraints
from scoreproof.kinds.binary.engine.averages.points import BITS, PartColumns
from scoreproof.solve.linear_programs import ColumnProgram
from scoreproof.work.budget import NEVER, Budget


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A sum over all sets and its bounds, scaled by ``2**bits``.

    ``integral`` marks an integer total; ``free`` one that the report does not bound, kept for dividing the search.
    """

    low: int
    high: int
    bits: int
    integral: bool = False
    free: bool = False


@dataclass(frozen=True, slots=True)
class Model:
    """Groups of columns and rows: choose a column per set so that every row's sum lies in its bounds."""

    constraints: Constraints
    groups: tuple[PartColumns, ...]
    rows: tuple[ModelRow, ...]

    @property
    def lows(self) -> list[int]:
        return [row.low for row in self.rows]

    @property
    def highs(self) -> list[int]:
        return [row.high for row in self.rows]


_SCALE = 1 << 20


class WeightedPart(NamedTuple):
    """``sets`` many sets of one group, restricted to some of its columns."""

    group: int
    columns: Ints
    sets: int


class Node(NamedTuple):
    """A part of the search: which columns are left to whom, and the bounds of the rows."""

    parts: list[WeightedPart]
    lows: list[int]
    highs: list[int]


def root(model: Model) -> Node:
    """All columns, all bounds."""
    parts = [WeightedPart(k, np.arange(group.size), group.count) for k, group in enumerate(model.groups)]
    return Node(parts, model.lows, model.highs)


def as_integers(y: NDArray[np.float64]) -> list[int]:
    """Multipliers as integers of at most 21 bits."""
    largest = float(np.abs(y).max(initial=0.0))
    if largest == 0:
        return [0] * len(y)
    return [int(v) for v in np.rint(y / largest * _SCALE)]


def heights(model: Model, part: WeightedPart, y: list[int]) -> Ints:
    """y . column for each column left, rounded up."""
    group = model.groups[part.group]
    total = np.zeros(len(part.columns), dtype=np.int64)
    for row, factor in enumerate(y):
        if factor:
            values = group.high if factor > 0 else group.low
            total += factor * values[row][part.columns]
    return total


def sums(model: Model, part: WeightedPart, rows: list[int]) -> NDArray[np.float64]:
    """What each column left adds to some rows, rounded down (rows x columns)."""
    low = model.groups[part.group].low
    return np.array([low[row][part.columns] for row in rows], dtype=np.float64).reshape(len(rows), -1)


def required(node: Node, y: list[int]) -> int:
    """What y . sum is at least, by the bounds of the rows."""
    return sum(f * (node.lows[row] if f > 0 else node.highs[row]) for row, f in enumerate(y) if f)


def filtered(model: Model, node: Node, y: list[int]) -> Node | None:
    """The node without the columns that y rules out; None if it rules out everything."""
    tops = []
    slack = -required(node, y)
    for part in node.parts:
        height = heights(model, part, y)
        top = int(height.max())
        slack += part.sets * top
        tops.append((height, top))
    if slack < 0:
        return None
    parts = [
        part._replace(columns=part.columns[height >= top - slack])
        for part, (height, top) in zip(node.parts, tops, strict=True)
    ]
    return node._replace(parts=parts)


def size(node: Node) -> int:
    """Columns left in all."""
    return sum(len(part.columns) for part in node.parts)


_PER_ROUND = 8  # columns a group may add at a time
_STRETCH = 1_000  # of a list of columns, of which the best is taken
_PATIENCE = 5.0  # seconds for one relaxation, after which the prices at hand must do
_PRICED = 2e-9  # seconds of a column in a row
_OPENED, _ASKED = 1e-3, 4e-4  # seconds of a program of a node, and of each question put to it


def _largest(gain: Floats) -> Ints:
    """Where a few of the largest values are: of long lists those of different stretches, which is faster to find."""
    if len(gain) <= _STRETCH * _PER_ROUND:
        return np.argpartition(-gain, min(_PER_ROUND, len(gain) - 1))[:_PER_ROUND]
    starts = np.arange(0, len(gain), _STRETCH)
    top = np.argpartition(-np.maximum.reduceat(gain, starts), _PER_ROUND)[:_PER_ROUND]
    return np.array([at + int(gain[at : at + _STRETCH].argmax()) for at in starts[top]])


class Relaxed(NamedTuple):
    """``multipliers`` if the relaxation is infeasible; otherwise the support of a solution."""

    multipliers: Floats | None
    support: list[tuple[int, int, float]]  # position in the node, column, share


class NodeProgram:
    """The relaxation of one node of a model, to be solved several times with different sets put in place.

    Columns once generated serve every later solution.
    """

    def __init__(self, model: Model, node: Node, deadline: Budget = NEVER) -> None:
        self._model, self._node, self._deadline = model, node, deadline
        deadline.charge(_OPENED)
        self._rows = self._binding()
        self._low = np.ldexp(np.array(node.lows, dtype=np.float64), -BITS)[self._rows]
        self._high = np.ldexp(np.array(node.highs, dtype=np.float64), -BITS)[self._rows]
        self._counts = [part.sets for part in node.parts]
        self._tables = [self._table(part) for part in node.parts]
        self._program = ColumnProgram(self._low, self._high, self._counts)
        self._owner: list[tuple[int, int]] = []
        self._have: set[tuple[int, int]] = set()
        ends = [(k, len(part.columns) - 1) for k, part in enumerate(node.parts)]
        self._add([(k, at) for k, last in ends for at in sorted({0, last, (last + 1) // 2})])

    def _table(self, part: WeightedPart) -> list[Floats]:
        """For the rows that can bind, what each of a part's columns adds."""
        self._deadline.tick()
        low = self._model.groups[part.group].low
        return [np.ldexp(low[row][part.columns].astype(np.float64), -BITS) for row in self._rows]

    def _binding(self) -> Ints:
        """The rows that can bind: free totals only where the search has tightened them."""
        free = [
            row.free and self._node.lows[k] == row.low and self._node.highs[k] == row.high
            for k, row in enumerate(self._model.rows)
        ]
        return np.flatnonzero(~np.array(free, dtype=bool))

    def _add(self, chosen: list[tuple[int, int]]) -> bool:
        """Columns by part and position, unless they are there already."""
        fresh = [(k, at) for k, at in chosen if (k, at) not in self._have]
        self._have.update(fresh)
        self._owner += fresh
        self._program.add([len(self._rows) + k for k, _ in fresh], [self._column(k, at) for k, at in fresh])
        return bool(fresh)

    def _column(self, k: int, at: int) -> Floats:
        return np.array([row[at] for row in self._tables[k]])

    def _priced(self, k: int, y: Floats) -> Floats:
        """The worth of every column of a part at the prices y."""
        total = np.zeros(len(self._node.parts[k].columns))
        for price, row in zip(y, self._tables[k], strict=True):
            if price:
                total += price * row
        return total

    def solve(self, force: tuple[int, int] | None = None) -> Relaxed:
        """The relaxation; ``force`` puts one set of a part on a column."""
        low, high, counts = self._low, self._high, list(self._counts)
        if force is not None:
            at = int(np.searchsorted(self._node.parts[force[0]].columns, force[1]))
            fixed = self._column(force[0], at)
            low, high = low - fixed, high - fixed
            counts[force[0]] -= 1
        self._program.bounds(low, high, counts)
        deadline = self._deadline
        deadline.charge(_ASKED)
        patience = deadline.within(_PATIENCE)
        node = self._node
        while True:
            cost, prices = self._program.solve(deadline)
            if cost < 1e-9:
                support = [
                    (k, int(node.parts[k].columns[at]), share)
                    for (k, at), share in zip(self._owner, self._program.shares(), strict=True)
                    if share > 1e-9
                ]
                return Relaxed(None, support)
            deadline.charge(_PRICED * len(self._rows) * sum(len(part.columns) for part in node.parts))
            y = prices[: len(self._rows)]
            reach = 0.0
            better: list[tuple[int, int]] = []
            for k, count in enumerate(counts):
                if count:
                    value = self._priced(k, y)
                    reach += count * float(value.max())
                    gain = value + prices[len(self._rows) + k]
                    better += [(k, int(at)) for at in _largest(gain) if gain[at] > 1e-8]
            need = float(np.where(y > 0, y * low, y * high).sum())
            if reach < need - 1e-9 or not self._add(better) or patience.passed:
                deadline.tick()
                multipliers = np.zeros(len(node.lows))
                multipliers[self._rows] = y
                return Relaxed(multipliers, [])


def totals(model: Model, node: Node, support: list[tuple[int, int, float]]) -> Floats:
    """The rows' sums in a relaxed solution."""
    total = np.zeros(len(node.lows))
    for k, column, share in support:
        total += share * np.ldexp(model.groups[node.parts[k].group].low[:, column].astype(np.float64), -BITS)
    return total


def coordinate(model: Model, part: WeightedPart, axis: str) -> np.ndarray:
    """One of the axes of a group, for the columns left to a part."""
    values: np.ndarray = model.groups[part.group].axes[axis][part.columns]
    return values


def split(model: Model, node: Node, position: int, axis: str, value: int, order: list[int]) -> list[Node]:
    """The nodes in which j of the part's sets have axis <= value, for each j; impossible ones are left out."""
    part = node.parts[position]
    below = coordinate(model, part, axis) <= value
    lower, upper = part.columns[below], part.columns[~below]
    children = []
    for j in order:
        pieces = [
            part._replace(columns=columns, sets=count)
            for columns, count in ((lower, j), (upper, part.sets - j))
            if count
        ]
        if all(len(piece.columns) for piece in pieces):
            children.append(node._replace(parts=node.parts[:position] + pieces + node.parts[position + 1 :]))
    return children


def by_total(model: Model, node: Node, row: int, b: int) -> list[Node]:
    """The nodes in which an integer total is at most b, and at least b + 1."""
    bits = model.rows[row].bits
    highs, lows = list(node.highs), list(node.lows)
    highs[row] = min(highs[row], b << bits)
    lows[row] = max(lows[row], (b + 1) << bits)
    return [node._replace(highs=highs), node._replace(lows=lows)]
