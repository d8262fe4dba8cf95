"""Before submission: printed tables against the predictions behind them, and rows that say what a reader needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.selfcheck
from scoreproof.cli.app import app
from scoreproof.errors import InvalidOption, ScoreproofError

runner = CliRunner()
NAMES = ("acc", "sens", "spec", "ppv", "f1", "mcc")
HEAD = "Method,Acc,Sens,Spec,Precision,F1,MCC\n"


def guesses(seed: int, size: int = 200) -> tuple[Any, Any]:
    dice = np.random.default_rng(seed)
    truth = dice.random(size) < 0.3
    return truth.astype(int), np.where(dice.random(size) < 0.85, truth, ~truth).astype(int)


def printed(truth: Any, predicted: Any, digits: int = 3) -> list[str]:
    matrix = sp.metrics.confusion_matrix(truth, predicted)
    return [str(matrix.score(name, digits=digits)) for name in NAMES]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_what_predictions_give_is_right(seed: int, digits: int) -> None:
    truth, predicted = guesses(seed)
    texts = printed(truth, predicted, digits)
    checked = sp.selfcheck(truth, predicted, f"{HEAD}A,{','.join(texts)}\n")
    assert checked
    assert [cell.correct for cell in checked.cells] == texts


def test_slips_are_named() -> None:
    truth, predicted = guesses(1)
    texts = printed(truth, predicted)
    swapped = [*texts]
    swapped[1] = texts[1][:-2] + texts[1][-1] + texts[1][-2]
    wrong = sp.selfcheck(truth, predicted, f"{HEAD}A,{','.join(swapped)}\n").wrong
    assert [(cell.score, cell.slip) for cell in wrong] == [("sens", "two digits swapped")]
    exchanged = [texts[0], texts[2], texts[1], *texts[3:]]
    checked = sp.selfcheck(truth, predicted, f"{HEAD}A,{','.join(exchanged)}\n")
    assert [cell.slip for cell in checked.wrong] == ["this is spec", "this is sens"]
    assert checked.corrected == (f"A,{','.join(texts)}",)
    turned = printed(1 - truth, 1 - predicted)
    other = sp.selfcheck(truth, predicted, f"Method,Acc,Precision\nA,{texts[0]},{turned[3]}\n").wrong
    assert [cell.slip for cell in other] == ["of the other class"]


def test_folds_are_averaged_or_pooled() -> None:
    truth, predicted = guesses(2)
    folds = np.arange(200) % 5
    each = [sp.metrics.confusion_matrix(truth[folds == k], predicted[folds == k]) for k in range(5)]
    mean = f"{sum(m.tp / m.p for m in each) / 5:.4f}"
    pooled = str(sp.metrics.confusion_matrix(truth, predicted).score("sens", digits=4))
    assert mean != pooled
    for text, way in ((mean, "mean of the scores over 5 folds"), (pooled, "the predictions of 5 folds pooled")):
        checked = sp.selfcheck(truth, predicted, f"Method,Sens\nA,{text}\n", folds=folds)
        assert checked
        assert checked.ways == (f"A: {way}",)
    mixed = sp.selfcheck(
        truth, predicted, f"Method,Acc,Sens,Spec\nA,{printed(truth, predicted, 4)[0]},{mean},0.1\n", folds=folds
    )
    assert [cell.score for cell in mixed.wrong] == ["spec"]
    assert "±" in str(sp.selfcheck(truth, predicted, "Method,Sens\nA,0.1 ± 0.2\n", folds=folds).cells[0].correct)
    with pytest.raises(InvalidOption, match="one for each"):
        sp.selfcheck(truth, predicted, "Method,Sens\nA,0.1\n", folds=[1, 2])


def test_which_row_the_predictions_are_of() -> None:
    truth, predicted = guesses(3)
    texts = printed(truth, predicted)
    table = f"{HEAD}A,0.1,0.1,0.1,0.1,0.1,0.1\nB,{','.join(texts)}\n"
    assert {cell.row for cell in sp.selfcheck(truth, predicted, table).cells} == {"B"}
    assert not sp.selfcheck(truth, predicted, table, row="A")
    both = sp.selfcheck(truth, {"A": predicted, "B": predicted, "C": predicted}, table)
    assert len(both.wrong) == 6
    assert both.untested == ("C: no row of a table fits them or has this name",)
    with pytest.raises(InvalidOption, match="the rows are"):
        sp.selfcheck(truth, predicted, f"{HEAD}A,0,0,0,0,0,0\nB,0,0,0,0,0,0\n")


def test_the_command(tmp_path: Path) -> None:
    truth, predicted = guesses(4)
    texts = printed(truth, predicted)
    cases = tmp_path / "predictions.csv"
    lines = [f"{a},{b}" for a, b in zip(truth, predicted, strict=True)]
    cases.write_text("\n".join(["truth,predicted", *lines, ""]), encoding="utf-8")
    paper = tmp_path / "paper.tex"
    source = r"\begin{tabular}{lcc} Method & Acc & Sens \\ \midrule Ours & %s & %s \\ \end{tabular}"
    paper.write_text(source % (texts[0], texts[1]), encoding="utf-8")
    right = runner.invoke(app, ["selfcheck", str(cases), str(paper)])
    assert right.exit_code == 0, right.output
    paper.write_text(source % (texts[0], "0.123"), encoding="utf-8")
    wrong = runner.invoke(app, ["selfcheck", str(cases), str(paper)])
    assert wrong.exit_code == 1
    assert rf"correct row:  Ours & {texts[0]} & {texts[1]} \\" in wrong.output
    cases.write_text("\n".join(["truth,Ours", *lines, ""]), encoding="utf-8")
    assert runner.invoke(app, ["selfcheck", str(cases), str(paper)]).exit_code == 1


def test_an_honest_row_can_be_checked() -> None:
    x, y = load_breast_cancer(return_X_y=True)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression())
    results = cross_validate(model, x[:, :4], y, cv=folds, scoring=("accuracy", "recall"), return_indices=True)
    row = sp.honest_row(results, y, digits=4)
    assert "over 5 folds" in str(row)
    assert len(row.sizes) == 5
    sets = sp.MeanOfScores([sp.TestSet(p, n) for p, n in row.sizes])
    texts = {"acc": row.cells["accuracy"][0], "sens": row.cells["recall"][0]}
    assert str(sp.check(sets, texts, rounding="nearest").verdict) == "consistent"
    assert row.latex.startswith(f"${row.cells['accuracy'][0]} \\pm ")


@pytest.mark.parametrize("results", [{}, {"test_a": [0.9]}, {"test_a": [0.9, float("nan")]}, [0.9]])
def test_what_is_no_result_of_folds_is_refused(results: Any) -> None:
    with pytest.raises(ScoreproofError):
        sp.honest_row(results)
