"""The model that is searched: groups of alike sets with their columns, and rows that bound sums over all sets."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.kinds.binary.engine.averages.points import Integers
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.experiment import EvaluationSet


@dataclass(frozen=True, slots=True)
class SetGroup:
    """``count`` sets that are alike: their possible points, and their share in each row."""

    indices: tuple[int, ...]
    set: EvaluationSet
    tp: Integers
    tn: Integers
    p: Integers
    n: Integers
    low: Integers  # rows x columns, rounded down
    high: Integers  # rounded up
    counted: dict[str, Integers]  # for scores that some columns leave out: 1 where they count

    @property
    def count(self) -> int:
        return len(self.indices)

    @property
    def size(self) -> int:
        return len(self.tp)

    @property
    def axes(self) -> dict[str, Integers]:
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

    demand: Demand
    groups: tuple[SetGroup, ...]
    rows: tuple[ModelRow, ...]

    @property
    def lows(self) -> list[int]:
        return [row.low for row in self.rows]

    @property
    def highs(self) -> list[int]:
        return [row.high for row in self.rows]
