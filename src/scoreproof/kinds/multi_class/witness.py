"""What shows that a report on several classes is possible: whole confusion matrices, or the counts of every label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.kinds.multi_class.matrix import ClassMatrix

_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class ClassesWitness:
    """One matrix for each set; or, of labels that do not exclude each other, tp and q of every label of each set."""

    matrices: tuple[ClassMatrix, ...] = ()
    labels: tuple[tuple[tuple[int, int], ...], ...] = ()

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> ClassesWitness:
        if "labels" in document:
            return cls(labels=tuple(tuple((tp, q) for tp, q in own) for own in document["labels"]))
        return cls(tuple(map(ClassMatrix.from_dict, document["matrices"])))

    def to_dict(self) -> dict[str, Any]:
        if self.labels:
            return {"labels": [[list(point) for point in own] for own in self.labels]}
        return {"matrices": [matrix.to_dict() for matrix in self.matrices]}

    @property
    def counts(self) -> list[list[tuple[int, int]]]:
        """tp and q of every class of every set."""
        if self.labels:
            return [list(own) for own in self.labels]
        return [[(tp, tp + fp) for tp, fp in matrix.points] for matrix in self.matrices]

    @property
    def matrix(self) -> list[list[int]]:
        """The one matrix, all cells."""
        (matrix,) = self.matrices
        return matrix.matrix

    def __str__(self) -> str:
        if self.labels:
            return _of_labels(self.labels[0]) + (f" and {len(self.labels) - 1} more sets" * (len(self.labels) > 1))
        if len(self.matrices) == 1:
            return str(self.matrices[0])
        return f"{len(self.matrices)} confusion matrices, the first being {self.matrices[0]}"


def _of_labels(own: tuple[tuple[int, int], ...]) -> str:
    named = ", ".join(f"{tp} of {q}" for tp, q in own[:_MOST_SHOWN])
    more = f" and {len(own) - _MOST_SHOWN} more" if len(own) > _MOST_SHOWN else ""
    return f"labels given rightly in {named}{more} cases"
