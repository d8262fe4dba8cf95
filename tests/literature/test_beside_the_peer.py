"""The table beside mlscorecheck in the page about regression, row by row, as it is printed there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mlscorecheck.check import regression

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
    answer = sp.check(sp.Regression(10), scores, eps="0.01")
    assert answer.verdict == "inconsistent"
    assert sp.verify(answer.certificate or {})


@pytest.mark.parametrize(("report", "peer"), ROWS, ids=[row[0] for row in ROWS])
def test_the_peer_says_what_the_page_says(report: str, peer: str) -> None:
    scores = {OF_THE_PEER[name]: float(text) for name, text in values(report).items() if name in OF_THE_PEER}
    found = regression.check_1_testset_no_kfold(var=9.0, n_samples=10, scores=scores, eps=0.01)
    assert found["inconsistency"] == (peer == "inconsistent")
