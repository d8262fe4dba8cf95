"""What a table is made of: cells with the number behind them, a sheet with the truth about it, an author's style."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from benchmarks.honest import tools
from benchmarks.honest.cohorts import Generator
from benchmarks.honest.designs import Matrix
from benchmarks.honest.printing import PRINTERS

HEADINGS = {
    "acc": ("Accuracy", "Acc", "Acc.", "accuracy", "ACC"),
    "sens": ("Recall", "Sensitivity", "Sens.", "TPR", "recall"),
    "spec": ("Specificity", "Spec.", "TNR"),
    "ppv": ("Precision", "PPV", "precision"),
    "npv": ("NPV",),
    "f1": ("F1", "F1-score", "F1 score", "f1", "F1-Score"),
    "bacc": ("Balanced accuracy", "BAcc", "balanced_accuracy"),
    "mcc": ("MCC",),
    "kappa": ("Kappa", "Cohen's kappa"),
    "ji": ("Jaccard", "IoU"),
}
MODELS = (
    "Logistic regression",
    "Decision tree",
    "SVM (RBF)",
    "k-NN",
    "Random forest",
    "Ours",
    "CNN",
    "ResNet-50",
    "Baseline",
)
_PLAIN_PRINTERS = (
    "format",
    "round",
    "repr",
    "%g",
    "%.4g",
    "half up",
    "numpy.round",
    "to_csv",
    "to_latex",
    "to_markdown",
    "cut off",
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, and the number and the format a spreadsheet would hold."""

    text: str
    number: float | None = None
    format: str = "General"


@dataclass(slots=True)
class Sheet:
    """A table and the truth about it."""

    kind: str
    caption: str
    header: list[str]
    rows: list[list[Cell]]
    dataset: dict[str, Any] | None = None
    experiment: dict[str, Any] | None = None
    options: dict[str, Any] = field(default_factory=dict)  # needed for the description to be true
    details: dict[str, Any] = field(default_factory=dict)  # true, and may be stated
    claims: list[dict[str, Any]] = field(default_factory=list)
    printer: str = ""
    tool: str = ""
    make: str = ""  # of the folds
    empty: bool = False  # some score is 0/0 somewhere


@dataclass(slots=True)
class Style:
    """How one author prints a table: the same in all of its cells."""

    printer: str
    digits: int
    percent: bool
    tool: tools.Tool

    def cell(self, value: Any) -> Cell:
        if not math.isfinite(value):
            return Cell("-")
        shown = 100 * value if self.percent else value
        places = max(1, self.digits - 2) if self.percent else self.digits
        text = PRINTERS[self.printer].write(shown, places)
        fixed = self.printer in ("format", "half up")
        return Cell(text, float(shown), f"0.{'0' * places}" if fixed else "General")

    def heading(self, rng: Generator, name: str) -> str:
        plain = str(rng.choice(HEADINGS[name]))
        return f"{plain} (%)" if self.percent else plain

    @property
    def nearest(self) -> bool:
        return PRINTERS[self.printer].nearest


def style(rng: Generator) -> Style:
    tool = tools.TOOLS[
        str(rng.choice(["scikit-learn", "numpy nanmean", "pandas", "R", "torch"], p=(0.5, 0.15, 0.15, 0.1, 0.1)))
    ]
    return Style(str(rng.choice(_PLAIN_PRINTERS)), int(rng.choice([2, 3, 3, 4, 4])), bool(rng.random() < 0.3), tool)


def note(sheet: Sheet, how: Style, names: list[str], evaluations: list[list[Matrix]]) -> None:
    """Put down what is true of how the numbers were made and printed."""
    sheet.printer, sheet.tool = how.printer + (" percent" if how.percent else ""), how.tool.name
    if how.nearest and how.tool.width == 64:  # in single precision a tie may fall on its other side
        sheet.details["rounding"] = "nearest"
    empty = [not tools.is_number(how.tool.name, name, one) for name in names for sets in evaluations for one in sets]
    sheet.empty = any(empty)
    if not sheet.empty:
        sheet.details["undefined"] = "exclude"
    elif "bacc" not in names and how.tool.name != "R" and "kappa" not in names:
        sheet.details["undefined"] = how.tool.convention
