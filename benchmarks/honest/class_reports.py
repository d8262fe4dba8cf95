"""Classification reports of scikit-learn in the shapes they are shared: the text, and the data frame saved either way."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from benchmarks.honest.cohorts import Generator, cohort
from benchmarks.honest.sheets import Cell, Sheet, cohort_answers

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
