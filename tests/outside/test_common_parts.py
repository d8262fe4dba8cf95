"""Rows whose sizes nobody gives are read as averages over the same parts, and accused of nothing else."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp
from scoreproof.pages import to_html, to_text

HEAD = ["Method", "Precision", "Recall", "F1"]
OVER, FINE = ["LR", "91.29", "93.44", "92.54"], ["RF", "89.69", "90.67", "90.11"]


def rows(grid: list[list[str]], **more: Any) -> tuple[Any, ...]:
    more.setdefault("options", {"strict": True})  # what conventions nobody states would save is tested elsewhere
    paper = {"title": "A paper", "tables": [{"grid": grid, **more.pop("table", {})}], **more}
    return sp.audit(paper, explain=False, strength=False).rows()


def test_a_row_without_an_experiment() -> None:
    over, fine = rows([HEAD, OVER, FINE])
    assert (str(over.outcome), str(fine.outcome)) == ("inconsistent", "consistent")
    reading = over.readings[0]
    assert reading.label == "one test set, or means over the same classes, folds or images"
    assert reading.answer.reason.startswith("no common average gives these: with mean ppv 91.29%")
    assert sp.verify(reading.certificate or {})
    assert over.notes[0].startswith(
        "no experiment is given for this row: tested is only whether any average over the same"
    )


def test_the_whole_paper_is_written() -> None:
    result = sp.audit({"title": "A paper", "tables": [{"grid": [HEAD, OVER, FINE]}]})
    assert "no common average gives these" in to_html(result)
    assert "LR" in to_text(result)
    assert sp.AuditResult.from_dict(result.to_dict()) == result
    assert result.rows()[0].explanation is not None


def test_average_precision_falls_with_the_overlap() -> None:
    """AP beside AP50 and AP75 is the mean over all overlaps, whatever was averaged."""
    right, wrong = ["A", "41.2", "60.1", "44.5"], ["B", "55.0", "50.0", "45.0"]
    fine, over = rows([["Detector", "AP", "AP50", "AP75"], right, wrong])
    assert (str(fine.outcome), str(over.outcome)) == ("consistent", "inconsistent")
    assert sp.verify(over.readings[0].certificate or {})
    assert "falls with the overlap" in over.notes[0]
    (alone,) = rows([["Detector", "mAP", "AP50"], ["B", "55.0", "50.0"]])
    assert str(alone.outcome) == "inconsistent"


@pytest.mark.parametrize(
    "grid",
    [
        [["Method", "Accuracy", "Recall", "Specificity"], ["A", "0.05", "0.90", "0.90"]],  # of classes, acc is no mean
        [["Method", "Precision", "Recall"], ["A", "0.90", "0.80"]],
        [["Method", "Precision", "Recall", "Macro F1"], ["A", "91.29", "93.44", "92.54"]],  # an average beside none
        [["Method", "Macro P", "Macro Recall", "Weighted F1"], ["A", "91.29", "93.44", "92.54"]],
        [["Method", "MCC", "Kappa"], ["A", "0.9", "0.2"]],
    ],
)
def test_what_no_average_forbids_is_not_tested(grid: list[list[str]]) -> None:
    (row,) = rows(grid)
    assert str(row.outcome) == "not tested"


@pytest.mark.parametrize(
    "grid",
    [
        [["Method", "Macro precision", "Macro recall", "Macro F1"], OVER],
        [["Method", "Macro precision", "Macro recall", "Macro F1", "Weighted F1"], [*OVER, "91.00"]],
        [["Method", "Acc", "Weighted precision", "Weighted recall", "Weighted F1"], ["A", "93.44", *OVER[1:]]],
        [["Method", "Dice (%)", "IoU (%)"], ["D3T-Net", "97.78", "94.84"]],
        [["Method", "DSC", "Jaccard"], ["D3T-Net", "0.9778", "0.9484"]],
        [["Method", "mDice", "mIoU"], ["D3T-Net", "97.78", "94.84"]],
    ],
)
def test_averages_with_one_word_are_compared(grid: list[list[str]]) -> None:
    (row,) = rows(grid)
    assert str(row.outcome) == "inconsistent", row
    assert row.readings[0].answer.problem.kind == "common_average"


def test_classes_of_a_stated_experiment_and_no_spread() -> None:
    more = {"datasets": {"d": {"p": 10, "n": 20}}, "experiments": {"test": {"dataset": "d"}}}
    (row,) = rows(
        [["Method", "Macro precision", "Macro recall", "Macro F1"], ["A", "91.29 ± 0.1", "93.44 ± 0.1", "92.54 ± 0.1"]],
        table={"experiment": "test"},
        **more,
    )
    assert str(row.outcome) == "inconsistent"
    assert "averages over classes" in row.notes[0]
    assert all(claim.spread is None for claim in row.readings[0].answer.claims)


def test_parts_that_are_left_out_make_means_that_nothing_follows_from() -> None:
    (row,) = rows([HEAD, OVER], options={"undefined": "skip"})
    assert str(row.outcome) == "not tested"
    (row,) = rows([HEAD, OVER], options={"undefined": "zero"})
    assert str(row.outcome) == "inconsistent"


def test_folds_of_unknown_sizes() -> None:
    more = {
        "datasets": {"d": {"p": "unknown", "n": "unknown"}},
        "experiments": {"cv": {"dataset": "d", "folds": 5, "aggregation": "mean_of_scores"}},
    }
    grid = [["Method", "Acc", "Sens", "Spec"], ["A", "0.05", "0.90", "0.90"], ["B", "0.90", "0.90", "0.90"]]
    low, fine = rows(grid, table={"experiment": "cv"}, **more)
    assert (str(low.outcome), str(fine.outcome)) == ("inconsistent", "consistent")
    assert low.readings[0].label == "means over the folds, whose sizes are unknown"
    (row,) = rows([["Method", "Acc"], ["A", "0.05"]], table={"experiment": "cv"}, **more)
    assert str(row.outcome) == "not tested"


def test_as_a_stated_experiment() -> None:
    more = {"experiments": {"images": {"tree": {"type": "common_average", "parts": 20}}}}
    grid = [
        ["Method", "Dice", "IoU", "HD95"],
        ["A", "0.850 ± 0.100", "0.790", "3.2"],
        ["B", "0.850 ± 0.100", "0.750", "2.9"],
    ]
    wide, fine = rows(grid, table={"experiment": "images"}, **more)
    assert (str(wide.outcome), str(fine.outcome)) == ("inconsistent", "consistent")
    (told,) = rows(grid[:2], table={"experiment": "images", "options": {"spread": "ignore"}}, **more)
    assert str(told.outcome) == "consistent"  # ± over runs says nothing of the images


def test_one_matrix_of_unknown_classes_is_told_from_an_average() -> None:
    more: dict[str, Any] = {
        "datasets": {"d": {"p": "unknown", "n": "unknown"}}, "experiments": {"test": {"dataset": "d"}},
        "table": {"experiment": "test"},
    }  # fmt: skip
    average, neither = rows([HEAD, ["A", "90.00", "80.00", "84.00"], OVER], **more)
    assert (str(average.outcome), str(neither.outcome)) == ("inconsistent", "inconsistent")
    assert "as averages over the same parts" in average.notes[-1]
    assert not any("as averages over the same parts" in note for note in neither.notes)
