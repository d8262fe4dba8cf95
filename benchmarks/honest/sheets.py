"""Tables of results as authors lay them out, before they become a file.

Each maker works on data of its own and returns a ``Sheet``: caption, header, cells (text, and the number behind it for
spreadsheets), what truly holds (data set, experiment, options, claims), and around the scores the columns and rows honest
tables have that are no scores of the row's matrix: differences, AUC, sizes, supports, averages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.honest import tools
from benchmarks.honest.cohorts import Cohort, Generator, cohort
from benchmarks.honest.designs import MAKES, RANDOM_SPLITS, STRATIFIED, Matrix, evaluate
from benchmarks.honest.printing import PRINTERS, joined

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
MODELS = ("Logistic regression", "Decision tree", "SVM (RBF)", "k-NN", "Random forest", "Ours", "CNN", "ResNet-50", "Baseline")
_PLAIN_PRINTERS = ("format", "round", "repr", "%g", "%.4g", "half up", "numpy.round", "to_csv", "to_latex", "to_markdown", "cut off")


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
    tool = tools.TOOLS[str(rng.choice(["scikit-learn", "numpy nanmean", "pandas", "R", "torch"], p=(0.5, 0.15, 0.15, 0.1, 0.1)))]
    return Style(str(rng.choice(_PLAIN_PRINTERS)), int(rng.choice([2, 3, 3, 4, 4])), bool(rng.random() < 0.3), tool)


def _names(rng: Generator, least: int = 2) -> list[str]:
    usual = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa", "ji")
    chances = np.array([3, 3, 1.5, 3, 0.7, 3, 0.7, 1, 0.5, 0.3])
    return [str(name) for name in rng.choice(usual, int(rng.integers(least, 6)), replace=False, p=chances / chances.sum())]


def models(rng: Generator) -> Sheet:
    """Several models on one test set, with columns and rows that are no scores among them."""
    how = style(rng)
    data = cohort(rng, trained=False)
    names = _names(rng)
    labels = [str(label) for label in rng.choice(MODELS, int(rng.integers(2, 6)), replace=False)]
    answers = [cohort_answers(rng, data) for _ in labels]
    matrices = [matrix_of(data, said) for said in answers]
    values = [[how.tool.value(name, matrix) for name in names] for matrix in matrices]
    header = ["Model", *(how.heading(rng, name) for name in names)]
    rows = [[Cell(label), *(how.cell(value) for value in line)] for label, line in zip(labels, values, strict=True)]
    for extra in rng.choice(list(EXTRAS), int(rng.integers(0, 4)), replace=False):
        _append(header, rows, *EXTRAS[str(extra)](rng, how, matrices, values))
    if rng.random() < 0.15 and len(rows) > 1:
        rows.append(_difference_row(how, values, len(header)))
    claims = _claims(rng, data, names, labels, answers, values)
    sheet = Sheet("models", "Results on the test set.", header, rows, {"p": data.p, "n": data.n}, {}, claims=claims)
    _note(sheet, how, names, [[matrix] for matrix in matrices])
    return sheet


def scores_in_rows(rng: Generator) -> Sheet:
    """The same turned: a row per score, a column per model."""
    how = style(rng)
    how.percent = False
    data = cohort(rng, trained=False)
    names = _names(rng, least=3)
    labels = [str(label) for label in rng.choice(MODELS, int(rng.integers(2, 5)), replace=False)]
    matrices = [matrix_of(data, cohort_answers(rng, data)) for _ in labels]
    rows = [
        [Cell(how.heading(rng, name)), *(how.cell(how.tool.value(name, matrix)) for matrix in matrices)] for name in names
    ]
    sheet = Sheet("scores in rows", "Scores of all models.", ["Metric", *labels], rows, {"p": data.p, "n": data.n}, {})
    _note(sheet, how, names, [[matrix] for matrix in matrices])
    return sheet


def cohort_answers(rng: Generator, data: Cohort) -> Any:
    """The answers of another classifier on the same cases."""
    from benchmarks.honest.cohorts import _drawn

    everything = np.arange(len(data.labels))
    return _drawn(rng, data.labels)[1](everything, everything)


def matrix_of(data: Cohort, answers: Any) -> Matrix:
    truth = data.labels
    tp, fp, fn, tn = (int(((answers == said) & (truth == true)).sum()) for said, true in ((1, 1), (1, 0), (0, 1), (0, 0)))
    return tp, fp, fn, tn


def _append(header: list[str], rows: list[list[Cell]], names: Sequence[str], columns: Sequence[Sequence[Cell]]) -> None:
    header += names
    for row, cells in zip(rows, columns, strict=True):
        row += cells


Extra = Callable[[Generator, Style, list[Matrix], list[list[Any]]], tuple[list[str], list[list[Cell]]]]


def _count(number: int) -> Cell:
    return Cell(str(number), number)


def _one_column(name: str, cells: list[Cell]) -> tuple[list[str], list[list[Cell]]]:
    return [name], [[cell] for cell in cells]


def _random_score(rng: Generator, how: Style, matrices: list[Matrix]) -> list[Cell]:
    return [how.cell(rng.uniform(0.4, 1.0)) for _ in matrices]


EXTRAS: dict[str, Extra] = {
    "AUC": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["AUC", "AUROC", "ROC AUC"])), _random_score(rng, how, matrices)
    ),
    "ranking": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["P@5", "Recall@10", "AP@0.5", "Top-5 Acc", "mAP", "Mean Average Precision", "FPR@95"])),
        _random_score(rng, how, matrices),
    ),
    "training": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["Train Acc", "Training accuracy", "Val Acc"])), _random_score(rng, how, matrices)
    ),
    "difference": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["Δ", "Delta", "Gain", "vs. baseline", "Improvement"])),
        [Cell(f"{line[0] - values[0][0]:+.3f}") if math.isfinite(line[0] - values[0][0]) else Cell("-") for line in values],
    ),
    "size": lambda rng, how, matrices, values: _one_column(
        str(rng.choice(["Params (M)", "Size (MB)", "Time (s)", "Epochs"])),
        [Cell(f"{rng.uniform(0.1, 90):.1f}") for _ in matrices],
    ),
    "N": lambda rng, how, matrices, values: _one_column("N", [_count(sum(matrix)) for matrix in matrices]),
    "counts": lambda rng, how, matrices, values: (
        ["TP", "FP", "FN", "TN"], [[_count(cell) for cell in matrix] for matrix in matrices]
    ),
    "p value": lambda rng, how, matrices, values: _one_column(
        "p-value", [Cell(f"{rng.uniform(0, 0.2):.3f}") for _ in matrices]
    ),
    "p-norm": lambda rng, how, matrices, values: _one_column("p_t", [Cell(f"{rng.uniform(0, 1):.2f}") for _ in matrices]),
}  # fmt: skip


def _difference_row(how: Style, values: list[list[Any]], width: int) -> list[Cell]:
    cells = [Cell(f"{a - b:+.3f}") if math.isfinite(a - b) else Cell("-") for a, b in zip(values[-1], values[0], strict=True)]
    return [Cell("Δ"), *cells, *[Cell("") for _ in range(width - 1 - len(cells))]]


def _claims(rng: Generator, data: Cohort, names: list[str], labels: list[str], answers: list[Any], values: list[list[Any]]) -> list[dict[str, Any]]:  # fmt: skip
    """What the author may truly claim: the best model, and McNemar's test on the answers."""
    claims: list[dict[str, Any]] = []
    at = int(rng.integers(len(names)))
    column = [line[at] for line in values]
    if all(map(math.isfinite, column)):
        claims.append({"best": labels[int(np.argmax(column))], "by": names[at]})
    if "acc" in names and len(labels) > 1:
        from scipy.stats import binomtest

        first, second = (answers[side] == data.labels for side in (0, 1))
        only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
        if only_first > only_second:
            chance = binomtest(only_first, only_first + only_second).pvalue
            claims.append(
                {"better": labels[0], "than": labels[1], "by": "acc", "significant": bool(chance <= 0.05), "alpha": "0.05"}
            )
    return claims


def _note(sheet: Sheet, how: Style, names: list[str], evaluations: list[list[Matrix]]) -> None:
    """Put down what is true of how the numbers were made and printed."""
    sheet.printer, sheet.tool = how.printer + (" percent" if how.percent else ""), how.tool.name
    if how.nearest:
        sheet.details["rounding"] = "nearest"
    empty = [tools.exactly(name, one) is None for name in names for sets in evaluations for one in sets]
    sheet.empty = any(empty)
    if not sheet.empty:
        sheet.details["undefined"] = "exclude"
    elif "bacc" not in names and how.tool.name != "R" and "kappa" not in names:
        sheet.details["undefined"] = how.tool.convention


def folds(rng: Generator) -> Sheet:
    """Fold by fold, with the average below."""
    how = style(rng)
    data, make, matrices = _folded(rng)
    names = _names(rng)
    values = [[how.tool.value(name, matrix) for name in names] for matrix in matrices]
    header = [str(rng.choice(["Fold", "", "Split"])), *(how.heading(rng, name) for name in names)]
    rows = [[Cell(f"Fold {at}"), *(how.cell(value) for value in line)] for at, line in enumerate(values, 1)]
    ddof = int(rng.integers(2))
    columns = list(zip(*values, strict=True))
    means = [how.tool.mean(column) for column in columns]
    deviations = [how.tool.deviation(column, ddof) for column in columns]
    word = str(rng.choice(["Average", "Mean", "avg", "Mean ± SD"]))
    if word == "Mean ± SD":
        rows.append([Cell(word), *(_plus_minus(how, *pair) for pair in zip(means, deviations, strict=True))])
    else:
        rows.append([Cell(word), *map(how.cell, means)])
        if rng.random() < 0.4:
            rows.append([Cell(str(rng.choice(["Std", "SD", "std"]))), *map(how.cell, deviations)])
    sheet = Sheet("folds", f"Results of {len(matrices)}-fold cross-validation.", header, rows, {"p": data.p, "n": data.n})
    sheet.experiment, sheet.make = _cross_validation(make, matrices), make
    _note(sheet, how, names, [matrices])
    if how.tool.convention == "skip":
        sheet.details.pop("undefined", None)
    return sheet


def _plus_minus(how: Style, mean: Any, deviation: Any) -> Cell:
    if not (math.isfinite(mean) and math.isfinite(deviation)):
        return Cell("-")
    return Cell(joined(how.cell(mean).text, how.cell(deviation).text, " ± "))


def _folded(rng: Generator) -> tuple[Cohort, str, list[Matrix]]:
    """Data cross-validated in folds of some make."""
    makes = [make for make in MAKES if make not in RANDOM_SPLITS and make != "leave-one-out"]
    while True:
        data = cohort(rng, trained=False)
        make = str(rng.choice(makes))
        cases = MAKES[make](rng, data, int(rng.choice([3, 5, 5, 10])))
        if cases is not None:
            return data, make, list(evaluate(data, cases))


def _cross_validation(make: str, matrices: list[Matrix]) -> dict[str, Any]:
    return {"folds": len(matrices), "stratified": make in STRATIFIED, "aggregation": "mean_of_scores"}


def cross_validated(rng: Generator) -> Sheet:
    """Several models, each the mean (and deviation) over the same folds."""
    how = style(rng)
    data, make, first = _folded(rng)
    names = _names(rng)[:4]
    spread = rng.random() < 0.6
    ddof = int(rng.integers(2))
    labels = [str(label) for label in rng.choice(MODELS, int(rng.integers(1, 4)), replace=False)]
    evaluations = [first, *([_again(rng, one) for one in first] for _ in labels[1:])]
    rows: list[list[Cell]] = []
    for label, matrices in zip(labels, evaluations, strict=True):
        row = [Cell(label)]
        for name in names:
            values = [how.tool.value(name, matrix) for matrix in matrices]
            mean, deviation = how.tool.mean(values), how.tool.deviation(values, ddof)
            row.append(_plus_minus(how, mean, deviation) if spread else how.cell(mean))
        rows.append(row)
    header = ["Method", *(how.heading(rng, name) for name in names)]
    sheet = Sheet("cross-validated models", f"Means over {len(first)} folds.", header, rows, {"p": data.p, "n": data.n})
    sheet.experiment, sheet.make = _cross_validation(make, first), make
    _note(sheet, how, names, evaluations)
    if spread:
        sheet.details["divisor"] = ("population", "sample")[ddof]
    return sheet


def _again(rng: Generator, matrix: Matrix) -> Matrix:
    """Another classifier on the same fold."""
    p, n = matrix[0] + matrix[2], matrix[1] + matrix[3]
    tp, tn = int(rng.binomial(p, rng.uniform(0.5, 1))), int(rng.binomial(n, rng.uniform(0.5, 1)))
    return tp, n - tn, p - tp, tn
