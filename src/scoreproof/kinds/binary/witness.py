"""The counts that show a report is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.results import Tabular


@dataclass(frozen=True, slots=True)
class Witness(Tabular):
    """One confusion matrix per evaluation set, together giving the reported scores."""

    matrices: tuple[ConfusionMatrix, ...]

    @property
    def matrix(self) -> ConfusionMatrix:
        """The only matrix, or the sum of all."""
        return ConfusionMatrix(*(sum(cells) for cells in zip(*(m.cells for m in self.matrices), strict=True)))

    @property
    def tp(self) -> int:
        return self.matrix.tp

    @property
    def fp(self) -> int:
        return self.matrix.fp

    @property
    def fn(self) -> int:
        return self.matrix.fn

    @property
    def tn(self) -> int:
        return self.matrix.tn

    def _rows(self) -> list[dict[str, Any]]:
        return [dict(matrix.to_dict()) for matrix in self.matrices]

    def __str__(self) -> str:
        return "; ".join(map(str, self.matrices))
