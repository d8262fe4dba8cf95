"""Tables of results as authors lay them out, before they become a file.

Each maker works on data of its own and returns a ``Sheet``: caption, header, cells (text, and the number behind it for
spreadsheets), what truly holds (data set, experiment, options, claims), and around the scores the columns and rows
honest tables have that are no scores of the row's matrix: differences, AUC, sizes, supports, averages.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.honest.cells import MODELS, Cell, Sheet, Style, note, style
from benchmarks.honest.cohorts import Cohort, Generator, cohort, drawn
from benchmarks.honest.designs import MAKES, RANDOM_SPLITS, STRATIFIED, Matrix, evaluate
from benchmarks.honest.printing import joined
from benchmarks.honest.surroundings import EXTRAS, append, difference_row


def _names(rng: Generator, least: int = 2) -> list[str]:
    usual = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa", "ji")
    chances = np.array([3, 3, 1.5, 3, 0.7, 3, 0.7, 1, 0.5, 0.3])
    return [
        str(name) for name in rng.choice(usual, int(rng.integers(least, 6)), replace=False, p=chances / chances.sum())
    ]


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
        append(header, rows, *EXTRAS[str(extra)](rng, how, matrices, values))
    if rng.random() < 0.15 and len(rows) > 1:
        rows.append(difference_row(values, len(header)))
    claims = _claims(rng, data, names, labels, answers, values)
    sheet = Sheet("models", "Results on the test set.", header, rows, {"p": data.p, "n": data.n}, {}, claims=claims)
    note(sheet, how, names, [[matrix] for matrix in matrices])
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
        [Cell(how.heading(rng, name)), *(how.cell(how.tool.value(name, matrix)) for matrix in matrices)]
        for name in names
    ]
    sheet = Sheet("scores in rows", "Scores of all models.", ["Metric", *labels], rows, {"p": data.p, "n": data.n}, {})
    note(sheet, how, names, [[matrix] for matrix in matrices])
    return sheet


def cohort_answers(rng: Generator, data: Cohort) -> Any:
    """The answers of another classifier on the same cases."""
    everything = np.arange(len(data.labels))
    return drawn(rng, data.labels)[1](everything, everything)


def matrix_of(data: Cohort, answers: Any) -> Matrix:
    truth = data.labels
    tp, fp, fn, tn = (
        int(((answers == said) & (truth == true)).sum()) for said, true in ((1, 1), (1, 0), (0, 1), (0, 0))
    )
    return tp, fp, fn, tn


def _claims(
    rng: Generator, data: Cohort, names: list[str], labels: list[str], answers: list[Any], values: list[list[Any]]
) -> list[dict[str, Any]]:
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
                {
                    "better": labels[0],
                    "than": labels[1],
                    "by": "acc",
                    "significant": bool(chance <= 0.05),
                    "alpha": "0.05",
                }
            )
    return claims


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
    sheet = Sheet(
        "folds", f"Results of {len(matrices)}-fold cross-validation.", header, rows, {"p": data.p, "n": data.n}
    )
    sheet.experiment, sheet.make = _cross_validation(make, matrices), make
    note(sheet, how, names, [matrices])
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
    note(sheet, how, names, evaluations)
    if spread:
        sheet.details["divisor"] = ("population", "sample")[ddof]
    return sheet


def _again(rng: Generator, matrix: Matrix) -> Matrix:
    """Another classifier on the same fold."""
    p, n = matrix[0] + matrix[2], matrix[1] + matrix[3]
    tp, tn = int(rng.binomial(p, rng.uniform(0.5, 1))), int(rng.binomial(n, rng.uniform(0.5, 1)))
    return tp, n - tn, p - tp, tn
