"""What shows that a report about a detector breaks no relation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.results import Result


@dataclass(frozen=True, slots=True)
class Detector(Result):
    """Numbers of matches, and values at overlaps from 0.50 to 0.95 and of classes, that break none of the relations.

    Average precisions are not listed one by one for a number of objects: that they fall with the overlap and are means
    over classes is all that is tested of them. ``classes`` holds "ap50 of class 1" and its value, and so on.
    """

    tp: int | None = None
    detections: int | None = None
    precisions: tuple[Fraction, ...] = ()
    classes: tuple[tuple[str, Fraction], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "tp": self.tp,
            "detections": self.detections,
            "precisions": [str(value) for value in self.precisions],
            "classes": {name: str(value) for name, value in self.classes},
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Detector:
        classes = ((str(name), Fraction(value)) for name, value in document["classes"].items())
        return cls(document["tp"], document["detections"], tuple(map(Fraction, document["precisions"])), tuple(classes))

    def __str__(self) -> str:
        said = [] if self.tp is None else [f"{self.tp} objects found by {self.detections} detections"]
        if self.precisions:
            values = ", ".join(f"{float(value):.4f}" for value in self.precisions)
            said.append(f"average precisions {values} at overlaps from 0.50 to 0.95")
        if self.classes:
            said.append(", ".join(f"{name} {float(value):.4f}" for name, value in self.classes))
        return " and ".join(said) or "values within their ranges"
