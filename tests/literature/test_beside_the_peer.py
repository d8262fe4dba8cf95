"""The tables beside mlscorecheck in the pages about regression and areas, row by row, as they are printed there."""

from __future__ import annotations

import importlib.util
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from mlscorecheck.check import regression
from sklearn.metrics import roc_auc_score

import scoreproof as sp

PAGE = Path(__file__).parents[2] / "docs" / "regression.md"
ROW = re.compile(r"^\| ((?:mae|mse|rmse|R²) [^|]*) \| [^|]* \| ([^|]*) \|$", re.MULTILINE)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8").partition("## Beside mlscorecheck")[2])
OF_THE_PEER = {"mae": "mae", "mse": "mse", "rmse": "rmse", "R²": "r2"}


def values(report: str) -> dict[str, str]:
    return {name: text for name, _, text in (part.rpartition(" ") for part in report.split(", "))}


def test_the_page_has_rows() -> None:
    assert len(ROWS) == 7


@pytest.mark.parametrize(("report", "peer"), ROWS, ids=[row[0] for row in ROWS])
def test_every_row_is_impossible(report: str, peer: str) -> None:
    names = {"max": "max error", "median error": "medae"}
    scores = {names.get(name, name): text for name, text in values(report).items()} | {"variance": "9.0"}
    answer = sp.check(sp.Regression(10), scores, eps="0.01", strict=True)
    assert answer.verdict == "inconsistent"
    assert sp.verify(answer.certificate or {})


@pytest.mark.parametrize(("report", "peer"), ROWS, ids=[row[0] for row in ROWS])
def test_the_peer_says_what_the_page_says(report: str, peer: str) -> None:
    scores = {OF_THE_PEER[name]: float(text) for name, text in values(report).items() if name in OF_THE_PEER}
    found = regression.check_1_testset_no_kfold(var=9.0, n_samples=10, scores=scores, eps=0.01)
    assert found["inconsistency"] == (peer == "inconsistent")


CURVES = Path(__file__).parents[2] / "docs" / "curves.md"
AREA_ROW = re.compile(r"^\| p (\d+), n (\d+): ([^|]*) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)
AREA_ROWS = AREA_ROW.findall(CURVES.read_text(encoding="utf-8").partition("## Beside mlscorecheck")[2])
EPS = Fraction(1, 100)


def bounds_of_the_branch(
    p: int, n: int, scores: dict[str, str], *, regulated: bool = False
) -> tuple[float, float] | None:
    """What the branch computes for the AUC, or for the best accuracy where that is reported; None where nothing."""
    ends = {name: (Fraction(text) - EPS, Fraction(text) + EPS) for name, text in scores.items()}
    if "best_acc" in ends:  # from the AUC
        most = (ends["auc"][1] * min(p, n) + max(p, n)) / (p + n)
        return 0.0, float(most)
    if not {"sens", "spec", "auc"} <= ends.keys():
        return None
    tpr, fpr = ends["sens"], (1 - ends["spec"][1], 1 - ends["spec"][0])
    lowest = tpr[0] * (1 - fpr[1])
    if regulated:
        lowest = Fraction(1, 2) + (tpr[1] - fpr[0]) ** 2 / 2
    return float(lowest), float(1 - (1 - tpr[1]) * fpr[0])


def test_the_release_has_nothing_on_areas() -> None:
    assert importlib.util.find_spec("mlscorecheck.auc") is None
    assert len(AREA_ROWS) == 9


@pytest.mark.parametrize("row", AREA_ROWS, ids=[f"{row[0]}, {row[1]}: {row[2]}" for row in AREA_ROWS])
def test_areas_are_decided_as_the_page_says(row: tuple[str, ...]) -> None:
    p, n, report, ours, _ = row
    answer = sp.check(sp.TestSet(int(p), int(n)), values(report))
    assert str(answer.verdict) == re.split("[:,]", ours)[0]
    assert answer.certificate is None or sp.verify(answer.certificate)


@pytest.mark.parametrize("row", AREA_ROWS, ids=[f"{row[0]}, {row[1]}: {row[2]}" for row in AREA_ROWS])
def test_the_branch_says_what_the_page_says(row: tuple[str, ...]) -> None:
    p, n, report, _, theirs = row
    scores = values(report)
    ends = bounds_of_the_branch(int(p), int(n), scores, regulated="rmin" in theirs)
    if ends is None:
        assert theirs.startswith(("passes: no bound", "not covered"))
        return
    printed = [float(text) for text in re.findall(r"0\.\d+", theirs)]
    assert all(min(abs(text - end) for end in ends) < 0.001 for text in printed)
    said = float(Fraction(scores.get("best_acc", scores["auc"])))
    outside = said + float(EPS) < ends[0] or said - float(EPS) > ends[1]
    assert outside == theirs.startswith("inconsistent")


def test_the_false_alarm_is_about_a_true_report() -> None:
    """Five and five cases, ranked with ties; the curve is nowhere below the diagonal, as the bound assumes."""
    scores, labels = np.array([5, 4, 4, 4, 1, 5, 3, 3, 3, 1]), np.repeat([1, 0], 5)
    said = scores >= 4
    true = {"auc": roc_auc_score(labels, scores), "sens": said[:5].mean(), "spec": 1 - said[5:].mean()}
    assert {name: f"{value:.2f}" for name, value in true.items()} == values(AREA_ROWS[-1][2])
    curve = [(np.mean(scores[5:] >= t), np.mean(scores[:5] >= t)) for t in (6, 5, 4, 3, 1)]
    assert all(tpr >= fpr for fpr, tpr in curve)
    lowest = bounds_of_the_branch(5, 5, values(AREA_ROWS[-1][2]), regulated=True)
    assert lowest is not None
    assert lowest[0] > true["auc"] + float(EPS)
