"""Before submission: printed tables against the predictions behind them, and rows that say what a reader needs."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, cohen_kappa_score, f1_score, matthews_corrcoef, precision_score
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.metrics
from scoreproof.cli.app import app
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.papers.evaluated import class_counts

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
    correct = [cell.correct for cell in checked.cells]
    if all(text.endswith("0") for text in texts):  # a table whose numbers all end in zeros may be padded with them
        assert list(map(Decimal, correct)) == list(map(Decimal, texts))
    else:
        assert correct == texts


def test_zeros_that_all_numbers_end_in_may_be_padding() -> None:
    truth, predicted = guesses(927)
    texts = printed(truth, predicted, 5)
    checked = sp.selfcheck(truth, predicted, f"{HEAD}A,{','.join(texts)}\n")
    assert checked
    assert [f"{cell.correct}0" for cell in checked.cells] == texts


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


def labelled(seed: int, classes: int, size: int = 300) -> tuple[Any, Any]:
    dice = np.random.default_rng(seed)
    truth = dice.integers(0, classes, size)
    names = np.array(["cat", "dog", "cow", "hen", "pig"])
    return names[truth], names[np.where(dice.random(size) < 0.8, truth, dice.integers(0, classes, size))]


def printed_classes(truth: Any, predicted: Any, digits: int) -> list[str]:
    """Accuracy, macro F1, weighted precision, kappa and MCC by scikit-learn."""
    values = (
        accuracy_score(truth, predicted),
        f1_score(truth, predicted, average="macro"),
        precision_score(truth, predicted, average="weighted", zero_division=0),
        cohen_kappa_score(truth, predicted),
        matthews_corrcoef(truth, predicted),
    )
    return [f"{value:.{digits}f}" for value in values]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 5), st.integers(2, 4))
def test_what_predictions_of_several_classes_give_is_right(seed: int, classes: int, digits: int) -> None:
    truth, predicted = labelled(seed, classes)
    texts = printed_classes(truth, predicted, digits)
    table = f"Method,Acc,Macro F1,Weighted precision,Kappa,MCC\nA,{','.join(texts)}\n"
    checked = sp.selfcheck(truth, predicted, table, positive="dog" if classes == 2 else None)
    assert checked, str(checked)
    assert len(checked.cells) == 5
    assert not checked.untested


def test_slips_of_several_classes_are_named() -> None:
    truth, predicted = labelled(3, 4)
    macro, weighted = (f"{f1_score(truth, predicted, average=way):.4f}" for way in ("macro", "weighted"))
    assert macro != weighted
    (wrong,) = sp.selfcheck(truth, predicted, f"Method,Macro F1\nA,{weighted}\n").wrong
    assert (wrong.score, wrong.correct, wrong.slip) == ("macro f1", macro, "this is weighted f1")
    unsaid = sp.selfcheck(truth, predicted, f"Method,F1,AUC\nA,{weighted},0.9\n")
    assert unsaid
    assert unsaid.ways == ("A: one test set, weighted averages",)
    assert unsaid.untested == ("A: auc cannot be computed from labels",)
    two, said = labelled(5, 2)
    (binary,) = sp.selfcheck(
        two, said, f"Method,F1\nA,{f1_score(two, said, average='macro'):.4f}\n", positive="dog"
    ).wrong
    assert binary.slip == "this is macro f1"


def test_folds_of_several_classes_are_averaged_or_pooled() -> None:
    truth, predicted = labelled(6, 3)
    folds = np.arange(300) % 4
    each = [f1_score(truth[folds == k], predicted[folds == k], average="macro") for k in range(4)]
    pooled = f1_score(truth, predicted, average="macro")
    ways = ("mean of the scores over 4 folds", "the predictions of 4 folds pooled")
    for value, way in zip((np.mean(each), pooled), ways, strict=True):
        checked = sp.selfcheck(truth, predicted, f"Method,Macro F1\nA,{value:.5f}\n", folds=folds)
        assert checked
        assert way in checked.ways[0]


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


@pytest.mark.parametrize("results", [{}, {"test_a": [0.9]}, {"test_a": [0.9, float("nan")]}, [0.9]])
def test_what_is_no_result_of_folds_is_refused(results: Any) -> None:
    with pytest.raises(ScoreproofError):
        sp.honest_row(results)


def test_counts_of_labels_are_those_of_every_pair() -> None:
    rng = np.random.default_rng(3)
    actual, guessed = ([rng.integers(0, 5, size) for size in (30, 7, 1)] for _ in range(2))
    mixed = [actual, [part.astype(np.uint64) for part in guessed]]
    large = [[np.array([2**53, 2**53 + 1])], [np.array([2**53, 2**53], dtype=np.uint64)]]
    for true, predicted in (mixed, large):
        known = sorted({int(label) for part in (*true, *predicted) for label in part})
        counted = class_counts(true, predicted)
        for fold, a, g in zip(counted, true, predicted, strict=True):
            pairs = [(int(x), int(y)) for x, y in zip(a, g, strict=True)]
            assert fold == tuple(
                (sum(x == c for x, _ in pairs), pairs.count((c, c)), sum(y == c for _, y in pairs)) for c in known
            )
