"""The usual headings of every kind of table, from the grid to the verdict: a row that fits and one that cannot be.

Each kind has a table with one column in turn spelled as papers spell it. The second row is impossible only if that
column is read for what it is.
"""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp

Tree = dict[str, Any] | None
SETS: Tree = {"type": "testset", "p": "60", "n": "70"}
NUMBERS: Tree = {"type": "regression", "n": "10"}
BOXES: Tree = {"type": "detection"}
QUERIES: Tree = {"type": "ranking", "queries": "1000"}
SIZED: Tree = {"type": "detection", "objects": "100"}

#: The experiment, the other columns with their values, and spellings with a value that fits beside them and one that does not.
TABLES: dict[str, tuple[Tree, dict[str, str], str, str, str]] = {
    "auc": (SETS, {"Sens": "0.83", "Spec": "0.86"}, "0.905", "0.500",
            "AUC|AUROC|AuROC|AUC-ROC|ROC-AUC|ROC AUC|AUC ROC|ROC_AUC|AUC ↑|C-statistic|Area under the curve"),
    "auc, percent": (SETS, {"Sens (%)": "83", "Spec (%)": "86"}, "90.5", "50.0",
                     "AUC (%)|AUROC (%)|AUC-ROC (%) ↑|ROC-AUC [%]|AUC, %"),
    "auprc": (SETS, {"Sens": "0.83", "Spec": "0.86"}, "0.85", "0.30", "AUPRC|AUPR|PR-AUC|PR AUC|AUC-PR|AUPRC ↑"),
    "average precision": (SETS, {"Sens": "0.83", "Spec": "0.86"}, "0.85", "0.30", "AP"),
    "rmse": (NUMBERS, {"MAE": "1.20"}, "1.85", "1.00",
             "RMSE|RMSE ↓|Root mean squared error|Root mean square error"),
    "rmse with a unit": (NUMBERS, {"MAE (mm)": "1.20"}, "1.85", "1.00", "RMSE (mm)|RMSE [mm]|RMSE (mm) ↓"),
    "squares of a unit": (NUMBERS, {"RMSE (mm)": "2.00"}, "4.00", "4.20", "MSE (mm²)|MSE (mm2)|MSE [mm^2]"),
    "r2 beside a unit": (NUMBERS, {"RMSE (mm)": "1.85", "Pearson r": "0.85"}, "0.71", "0.80", "R²|R2|R^2"),
    "mae": (NUMBERS, {"RMSE": "1.85"}, "1.20", "1.90", "MAE|MAE ↓|Mean absolute error"),
    "mse": (NUMBERS, {"RMSE": "2.00"}, "4.00", "4.20", "MSE|MSE ↓|Mean squared error"),
    "r2": (NUMBERS, {"RMSE": "1.85", "Pearson r": "0.85"}, "0.71", "0.80",
           "R²|R2|R^2|R$^2$|R^{2}|R-squared|R² ↑|R squared|Coefficient of determination"),
    "map": (BOXES, {"AP50": "58.1", "AP75": "40.4"}, "37.4", "52.0",
            "AP|mAP|AP@[.50:.05:.95]|AP@[.5:.95]|AP@[0.5:0.95]|mAP@[.5:.95]|mAP@0.5:0.95|mAP@.5:.95|mAP50-95|mAP50–95|"
            "mAP 50-95|mAP_{50:95}|mAP$_{50:95}$|AP50:95|mAP@[.5:.95] (%) ↑"),
    "ap50": (BOXES, {"AP": "37.4", "AP75": "40.4"}, "58.1", "30.1",
             "AP50|AP_50|AP$_{50}$|AP_{50}|AP@50|AP@0.5|AP@.5|AP@IoU=0.5|mAP50|mAP@50|mAP@0.5|mAP@.50|mAP@0.5 (%)|AP50 ↑"),
    "ap75": (BOXES, {"AP": "37.4", "AP50": "58.1"}, "40.4", "60.4", "AP75|AP_{75}|AP$_{75}$|AP@.75|AP@0.75|mAP75|mAP@0.75"),
    "small objects": (BOXES, {"AP": "37.4", "AR_S": "30.0"}, "25.0", "45.0",
                      "AP_S|AP$_S$|AP_{S}|AP^{S}|APs|AP_small|AP (small)|AP-S"),
    "large objects": (BOXES, {"AP": "37.4", "AR_L": "30.0"}, "25.0", "45.0", "AP_L|AP$_{L}$|APl|AP_large"),
    "matches": (SIZED, {"Precision": "0.83", "Recall": "0.71"}, "0.77", "0.80", "F1|F1-score|F1 ↑|F-measure"),
    "hits at 1": (QUERIES, {"MRR": "0.420", "Hits@10": "0.610"}, "0.350", "0.620",
                  "Hits@1|Hit@1|HITS@1|H@1|Hits@1 ↑|HR@1|R@1|Recall@1"),
    "hits at 10": (QUERIES, {"MRR": "0.420", "Hits@1": "0.350"}, "0.610", "0.310",
                   "Hits@10|Hit@10|HITS@10|H@10|HR@10|Recall@10|Hits@10 ↑|Success@10"),
    "hits, percent": (QUERIES, {"Hits@1 (%)": "35.0"}, "61.0", "31.0", "Hits@10 (%)|H@10 (%) ↑|Hits@10 [%]"),
    "mrr": (QUERIES, {"Hits@1": "0.350", "Hits@10": "0.610"}, "0.420", "0.620", "MRR|MRR ↑|MRR@10|MAP@10"),
    "ndcg": (QUERIES, {"Hits@1": "0.350", "Hits@10": "0.610"}, "0.450", "0.750", "nDCG@10|NDCG@10|nDCG@10 ↑|ndcg@10"),
    "f1 without counts": (None, {"Precision": "91.29", "Recall": "93.44"}, "92.30", "92.54", "F1|F1-score|F1 (%)|F-measure"),
    "dice": (None, {"IoU": "0.750"}, "0.850", "0.950", "Dice|DSC|Dice ↑|Dice score|Dice coefficient|Dice similarity coefficient"),
    "dice, percent": (None, {"IoU (%)": "75.0"}, "85.0", "95.0", "Dice (%)|DSC (%)|DSC [%] ↑"),
    "jaccard": (None, {"Dice": "0.850"}, "0.750", "0.900", "IoU|Jaccard|Jaccard index|JI|IoU ↑"),
    "mean iou": (None, {"mDice": "0.850"}, "0.750", "0.900", "mIoU|mIoU ↑|Mean IoU|mJaccard"),
}  # fmt: skip
CASES = [(kind, heading) for kind, (*_, spellings) in TABLES.items() for heading in spellings.split("|")]


@pytest.mark.parametrize(("kind", "heading"), CASES, ids=[f"{kind}: {heading}" for kind, heading in CASES])
def test_a_row_that_fits_and_one_that_cannot_be(kind: str, heading: str) -> None:
    tree, others, fits, wrong, _ = TABLES[kind]
    grid = [["Model", *others, heading], ["A", *others.values(), fits], ["B", *others.values(), wrong]]
    table: dict[str, Any] = {"grid": grid}
    paper: dict[str, Any] = {"title": "A paper", "tables": [table], "options": {"strict": True}}
    if tree is not None:
        paper["experiments"] = {"stated": {"tree": tree}}
        table["experiment"] = "stated"
    result = sp.audit(paper, strength=False, explain=False)
    rows = list(result.rows())
    assert [str(row.outcome) for row in rows] == ["consistent", "inconsistent"], result.tables[0].untested
    assert len(rows[1].cells) == len(others) + 1
    answer = rows[1].readings[0].answer
    assert sp.verify(answer.certificate)


@pytest.mark.parametrize("other", ["MAE (cm)", "MAE", "MAE (A)", "MAE (DRIVE)"])
def test_errors_in_other_units_or_of_other_data_are_not_compared(other: str) -> None:
    """The R² is of one of them, and which is not said."""
    grid = [["Model", "RMSE (mm)", other, "R²"], ["A", "1.00", "1.90", "0.50"]]
    tables = [{"grid": grid, "experiment": "stated"}]
    paper = {"title": "A paper", "experiments": {"stated": {"tree": NUMBERS}}, "tables": tables}
    result = sp.audit(paper, strength=False, explain=False)
    assert all(
        "rmse" not in (cells := [cell.score for cell in row.cells]) or cells == ["rmse"] for row in result.rows()
    )


@pytest.mark.parametrize("heading", ["HD95", "HD95 (mm)", "HD95 ↓", "95HD", "Hausdorff distance", "ASSD", "NSD"])
def test_outlines_beside_dice_are_listed_and_the_rest_is_tested(heading: str) -> None:
    grid = [["Model", "Dice", "IoU", heading], ["A", "0.850", "0.900", "3.2"]]
    result = sp.audit({"tables": [{"grid": grid}], "options": {"strict": True}}, strength=False, explain=False)
    assert [str(row.outcome) for row in result.rows()] == ["inconsistent"]
    assert any(said.startswith(f"{heading}: ") and "outlines" in said for said in result.tables[0].untested)
