"""Lagrangian dual bounds by Farkas multipliers (Farkas 1902, doi:10.1515/crll.1902.124.1): a refutation is a vector.

For integer multipliers y of the rows, every choice of columns has y . sum <= the sum of the groups' largest y . column.
If that falls short of what the bounds require, nothing is feasible; otherwise every column that lies further below its
group's largest than the slack can be dropped. Any y is sound, so multipliers may come from a float linear program: the
integers decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Ints
from scoreproof.kinds.binary.engine.averages.constraints import Constraints
from scoreproof.kinds.binary.experiment import EvaluationSet


@dataclass(frozen=True, slots=True)
class SetGroup:
    """``count`` sets that are alike: their possible points, and their share in each row."""

    indices: tuple[int, ...]
    set: EvaluationSet
    tp: Ints
    tn: Ints
    p: Ints
    n: Ints
    low: Ints  # rows x columns, rounded down
    high: Ints  # rounded up
    counted: dict[str, Ints]  # for scores that some columns leave out: 1 where they count

    @property
    def count(self) -> int:
        return len(self.indices)

    @property
    def size(self) -> int:
        return len(self.tp)

    @property
    def axes(self) -> dict[str, Ints]:
        """The numbers by which columns can be told apart: cells, class counts, and which scores count."""
        return {
            "tp": self.tp,
            "tn": self.tn,
            **({} if self.set.family is None else {"p": self.p, "n": self.n}),
            **{f"counts {name}": flags for name, flags in self.counted.items()},
        }


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A sum over all sets and its bounds, scaled by ``2**bits``.

    ``integral`` marks an integer total; ``free`` one that the report does not bound, kept for dividing the search.
    ``narrow`` are bounds that follow from another row, used where every combination is tried.
    """

    name: str
    low: int
    high: int
    bits: int
    integral: bool = False
    free: bool = False
    narrow: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """Groups of columns and rows: choose a column per set so that every row's sum lies in its bounds."""

    constraints: Constraints
    groups: tuple[SetGroup, ...]
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
    parts = [_restricted(part, height >= top - slack) for part, (height, top) in zip(node.parts, tops, strict=True)]
    return node._replace(parts=parts)


def _restricted(part: WeightedPart, kept: NDArray[np.bool_]) -> WeightedPart:
    """The part with some of its columns; the very same one if that is all, so that tables of it are used again."""
    return part if kept.all() else part._replace(columns=part.columns[kept])


def size(node: Node) -> int:
    """Columns left in all."""
    return sum(len(part.columns) for part in node.parts)
