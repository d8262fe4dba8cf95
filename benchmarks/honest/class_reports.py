"""Scores of several classes: classification reports as they are shared, and tables of averages over classes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from benchmarks.honest.cells import MODELS, Cell, Sheet
from benchmarks.honest.cohorts import Generator, cohort
from benchmarks.honest.sheets import cohort_answers

CLASSES = ("cat", "dog", "0", "1", "benign", "malignant", "setosa", "class 2", "normal", "AD")


def _answers(rng: Generator) -> tuple[Any, Any, list[str]]:
    """True classes, predicted classes, and class names: two classes or more."""
    if rng.random() < 0.5:
        data = cohort(rng, trained=False)
        names = [["0", "1"], ["benign", "malignant"], ["no", "yes"]][int(rng.integers(3))]
        return data.labels, cohort_answers(rng, data), names
    count = int(rng.integers(3, 7))
    truth = rng.integers(count, size=int(rng.integers(count, 400)))
    right = rng.uniform(0.2, 1)
    answers = np.where(rng.random(len(truth)) < right, truth, rng.integers(count, size=len(truth)))
    return truth, answers, [str(name) for name in rng.choice(CLASSES, count, replace=False)]


def _report(truth: Any, answers: Any, names: list[str], **how: Any) -> Any:
    from sklearn.metrics import classification_report

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return classification_report(truth, answers, labels=range(len(names)), target_names=names, **how)


def class_report_text(rng: Generator) -> tuple[str, int]:
    """The report as it is printed, and its digits."""
    truth, answers, names = _answers(rng)
    digits = int(rng.choice([2, 2, 2, 3, 4]))
    return str(_report(truth, answers, names, digits=digits)), digits


def class_report(rng: Generator) -> Sheet:
    """The report as a data frame, classes in rows or in columns, in full or rounded."""
    import pandas as pd

    truth, answers, names = _answers(rng)
    frame = pd.DataFrame(_report(truth, answers, names, output_dict=True))
    turned = rng.random() < 0.6
    digits = None if rng.random() < 0.4 else int(rng.choice([2, 3, 4]))
    if turned:
        frame = frame.transpose()
    if digits is not None:
        frame = frame.round(digits)
    rows = [[Cell(str(label)), *(_cell(value) for value in line)] for label, line in frame.iterrows()]
    sheet = Sheet("class report", "Classification report.", ["", *map(str, frame.columns)], rows)
    sheet.printer = "repr" if digits is None else "round"
    sheet.tool = "scikit-learn itself"
    sheet.details["rounding"] = "nearest"
    return sheet


def _cell(value: float) -> Cell:
    return Cell(str(float(value)), float(value))


def averaged(rng: Generator) -> Sheet:
    """Models with averages over both classes: weighted, which shows (recall is accuracy), or macro, which is said.

    The headings say it where it must be said: not every file has captions.
    """
    from sklearn.metrics import accuracy_score, precision_recall_fscore_support

    data = cohort(rng, trained=False)
    way = str(rng.choice(["weighted", "macro"]))
    in_caption, in_headings = rng.random() < 0.4, way == "macro" or rng.random() < 0.4
    digits = int(rng.choice([2, 3, 4]))
    rows = []
    for label in rng.choice(MODELS, int(rng.integers(2, 5)), replace=False):
        answers = cohort_answers(rng, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            means = precision_recall_fscore_support(data.labels, answers, average=way)[:3]
        values = [accuracy_score(data.labels, answers), *means]
        rows.append([Cell(str(label)), *(Cell(f"{value:.{digits}f}", float(value)) for value in values)])
    word = f"{way.capitalize()} " if in_headings else ""
    header = ["Model", "Accuracy", *(f"{word}{name}" for name in ("Precision", "Recall", "F1"))]
    caption = f"Results ({way} averages over the classes)." if in_caption else "Results on the test set."
    sheet = Sheet("averages over classes", caption, header, rows, {"p": data.p, "n": data.n}, {})
    sheet.printer, sheet.tool = "format", "scikit-learn itself"
    sheet.details["rounding"] = "nearest"
    return sheet
