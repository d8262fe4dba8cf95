"""The counts that show a report is possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix


@dataclass(frozen=True, slots=True)
class Witness:
    """One confusion matrix per evaluation set, together giving the reported scores."""

    matrices: tuple[ConfusionMatrix, ...]

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Witness:
        return cls(tuple(ConfusionMatrix(**cells) for cells in document["matrices"]))

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

    def to_dict(self) -> dict[str, Any]:
        return {"matrices": [matrix.to_dict() for matrix in self.matrices]}

    def __str__(self) -> str:
        return "; ".join(map(str, self.matrices))
