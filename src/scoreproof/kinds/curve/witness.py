"""The curves that show a report with areas is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoreproof.kinds.curve.path import Curve
from scoreproof.results import Tabular

_SHOWN = 3  # curves in a sentence


@dataclass(frozen=True, slots=True)
class Curves(Tabular):
    """One ROC curve per evaluation set, each through the confusion matrix of its operating point."""

    curves: tuple[Curve, ...]

    def _rows(self) -> list[dict[str, Any]]:
        return [{"set": number, **row} for number, curve in enumerate(self.curves, start=1) for row in curve._rows()]

    def __str__(self) -> str:
        said = [f"{curve} with {curve.matrix}" for curve in self.curves[:_SHOWN]]
        more = len(self.curves) - len(said)
        return "; ".join(said) + (f"; and {more} more" if more else "")
