"""Class reports as pandas saves and prints them, upright and transposed: what scikit-learn counted is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import classification_report

from scoreproof.documents import Table, read_tables
from scoreproof.papers.auditing import audit
from scoreproof.papers.table_semantics import ClassReport, RowKind, interpret

WAYS = ("to_csv", "to_markdown", "to_latex", "to_html", "to_string", "to_excel")


def counted(classes: int, names: list[str] | None, seed: int) -> dict[str, Any]:
    dice = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), dice.integers(0, classes, 160)])
    guess = np.where(dice.random(len(truth)) < 0.7, truth, dice.integers(0, classes, len(truth)))
    found: dict[str, Any] = classification_report(truth, guess, target_names=names, output_dict=True, zero_division=0)
    return found


def saved(frame: pd.DataFrame, way: str, folder: Path) -> Table:
    if way == "to_excel":
        frame.to_excel(folder / "report.xlsx")
        return read_tables(folder / "report.xlsx")[0]
    return read_tables(str(getattr(frame, way)()) + "\n")[0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(
    ("classes", "names"), [(2, None), (2, ["no", "yes"]), (3, None), (4, ["a b", "c", "d e f", "g"])]
)
def test_a_frame_is_read_as_a_class_report(
    classes: int, names: list[str] | None, transposed: bool, way: str, tmp_path: Path
) -> None:
    report = counted(classes, names, seed=classes)
    for digits in (2, 4):
        frame = pd.DataFrame(report).round(digits)
        table = saved(frame.T if transposed else frame, way, tmp_path)
        found = interpret(table)
        assert isinstance(found.class_report, ClassReport)
        assert not found.unread
        assert not found.class_report.doubts
        assert [one.support for one in found.class_report.classes] == [
            int(scores["support"])
            for name, scores in report.items()
            if name not in ("accuracy", "macro avg", "weighted avg")
        ]
        assert float(found.class_report.accuracy or 0) == pytest.approx(report["accuracy"], abs=10**-digits)
        checks = found.class_report.check_averages()
        assert len(checks) == 7
        assert all(checks), [str(one) for one in checks if not one]
        if names is not None:
            assert [one.name for one in found.class_report.classes] == names
        result = audit(
            {"tables": [{"grid": [list(row) for row in table.rows], "header_rows": "1"}]}, jobs=1, explain=False
        )
        assert result.verdict == "consistent", [row.to_dict() for row in result.rows()]


@pytest.mark.parametrize("transposed", [False, True])
def test_a_slip_in_a_frame_is_found(transposed: bool, tmp_path: Path) -> None:
    report = counted(3, None, seed=1)
    report["macro avg"]["recall"] -= 0.1
    frame = pd.DataFrame(report).round(4)
    for way in WAYS:
        found = interpret(saved(frame.T if transposed else frame, way, tmp_path)).class_report
        assert found is not None
        assert [one.what for one in found.check_averages() if not one] == ["macro sens"]


def test_a_frame_with_columns_left_out_is_not_compared() -> None:
    report = counted(6, [f"class number {i}" for i in range(6)], seed=3)
    with pd.option_context("display.max_columns", 4, "display.width", 80):
        text = str(pd.DataFrame(report).round(3))
    assert "..." in text
    found = interpret(read_tables(text.split("\n\n", maxsplit=1)[0] + "\n")[0])
    assert found.class_report is None or not found.class_report.check_averages()


def test_reports_of_several_labels_are_not_taken_for_classes_of_one_case() -> None:
    dice = np.random.default_rng(4)
    truth = (dice.random((200, 3)) < (0.05, 0.1, 0.04)).astype(int)
    guess = np.where(dice.random((200, 3)) < 0.75, truth, 1 - truth)
    text = classification_report(truth, guess, zero_division=0)
    table = read_tables(text)[0]
    found = interpret(table)
    assert {row.kind for row in found.rows} == {RowKind.CLASS, RowKind.CLASS_AVERAGE}
    assert all(one.counts.test_set() is None for one in found.reports)
    result = audit({"tables": [{"text": text}]}, jobs=1, explain=False)
    assert result.verdict == "consistent"
    assert {str(row.outcome) for row in result.rows()} == {"consistent"}  # precision, recall and F1 need no sizes


def test_folds_and_their_summary_as_pandas_prints_them() -> None:
    """Fold rows of three digits above a mean of four: pandas fills them up with zeros that nobody measured."""
    scores = {
        "test_accuracy": [0.966, 0.879, 0.807],
        "test_recall": [0.933, 0.6, 0.667],
        "test_f1": [0.933, 0.72, 0.645],
    }
    frame = pd.DataFrame(scores)
    summary = frame.copy()
    summary.loc["mean"] = frame.mean().round(4)
    spec: dict[str, Any] = {
        "datasets": {"d": {"p": 45, "n": 128}},
        "experiments": {"cv": {"dataset": "d", "folds": 3, "stratified": "true"}},
    }
    for text in (summary.to_string() + "\n", summary.to_latex(), summary.to_csv()):
        found = interpret(read_tables(text)[0])
        assert [row.kind for row in found.rows] == [RowKind.FOLD] * 3 + [RowKind.MEAN]
        assert found.reports[0].scores == {"acc": "0.966", "sens": "0.933", "f1": "0.933"}
        assert all(found.folds[0].check_averages())
        result = audit({"tables": [{"text": text, "experiment": "cv"}], **spec}, jobs=1, explain=False, strength=False)
        assert result.verdict != "inconsistent", [row.to_dict() for row in result.rows()]
    described = interpret(read_tables(frame.describe().round(4).to_string() + "\n")[0])
    assert [str(row.kind) for row in described.rows] == [
        "count", "mean", "spread", "min", "median", "median", "median", "max",
    ]  # fmt: skip


def test_what_is_nought_by_nought_accuses_nobody() -> None:
    dice = np.random.default_rng(11)
    for _ in range(40):
        classes, size = int(dice.integers(2, 6)), int(dice.integers(4, 40))
        truth = dice.integers(0, classes, size)
        guess = np.where(dice.random(size) < 0.4, truth, dice.integers(0, classes, size))
        division = (0, 1, np.nan)[int(dice.integers(0, 3))]
        text = classification_report(truth, guess, zero_division=division)
        result = audit({"tables": [{"text": text}]}, jobs=1, explain=False, strength=False)
        assert result.verdict == "consistent", (text, str(result))
