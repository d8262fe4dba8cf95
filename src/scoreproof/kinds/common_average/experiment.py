"""An experiment of which only this is known: every score is a mean over the same parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment
from scoreproof.validation import declared, shown

MOST_PARTS = 10**9


@dataclass(frozen=True, slots=True)
class AverageOf:
    """Every score is the mean of what the same parts have: classes, folds, images, documents; no counts are known.

    Without ``parts`` their number is open and they may be weighted, each mean by the same weights; one confusion matrix
    is such an average, too. With ``parts`` there are so many, of equal weight.

    >>> str(AverageOf(20))
    'averages over the same 20 parts'
    """

    kind: ClassVar[str] = "common_average"
    parts: int | None = None

    def __post_init__(self) -> None:
        parts = self.parts
        if parts is None:
            return
        if isinstance(parts, bool) or not isinstance(parts, int) or not 1 <= parts <= MOST_PARTS:
            raise InvalidExperiment(
                f"parts: expected how many parts were averaged, from 1 to {MOST_PARTS}, or None if that is not known; "
                f"got {shown(parts)}"
            )

    @classmethod
    @declared
    def from_dict(cls, tree: Mapping[str, Any]) -> AverageOf:
        unknown = [str(key) for key in tree if key not in ("type", "parts")]
        if unknown:
            raise InvalidExperiment(f"common_average: unknown key {', '.join(unknown)}; known is parts")
        return cls(tree.get("parts"))

    def to_dict(self) -> dict[str, Any]:
        return {"type": self.kind} | ({} if self.parts is None else {"parts": self.parts})

    def __str__(self) -> str:
        if self.parts is None:
            return "averages over the same parts (classes, folds, images), whatever they are"
        return f"averages over the same {self.parts} parts" if self.parts > 1 else "one part"
