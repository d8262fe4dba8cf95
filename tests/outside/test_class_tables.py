"""Tables of models on several classes: macro, weighted and micro columns, and those that do not say which they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    precision_recall_fscore_support,
)
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.audit
from scoreproof.cli.app import app
from scoreproof.errors import ScoreproofError
from scoreproof.papers.table_semantics.headings import read_heading

CLASSES = {"cat": 50, "dog": 70, "cow": 30}


def predictions(seed: int, right: float = 0.9) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(3), list(CLASSES.values()))
    return truth, np.where(rng.random(len(truth)) < right, truth, rng.integers(0, 3, len(truth)))


def true_row(seed: int) -> list[str]:
    truth, said = predictions(seed)
    values = (
        accuracy_score(truth, said),
        f1_score(truth, said, average="macro"),
        f1_score(truth, said, average="weighted"),
        cohen_kappa_score(truth, said),
        matthews_corrcoef(truth, said),
    )
    return [f"{100 * value:.2f}" for value in values]


def audited(rows: list[list[str]], head: list[str], *, explain: bool = False, **more: Any) -> sp.AuditResult:
    spec = {
        "title": "Models",
        "datasets": {"farm": {"classes": CLASSES}},
        "experiments": {"test": {"dataset": "farm"}},
        "tables": [{"experiment": "test", "grid": [["Model", *head], *rows]}],
        **more,
    }
    return sp.audit(spec, explain=explain, strength=False, jobs=1, budget=20)


def test_rows_of_models_are_decided_as_one_matrix_each() -> None:
    head = ["Accuracy (%)", "Macro-F1", "Weighted F1", "Cohen's kappa", "MCC", "Params"]
    rows = [[f"Net {seed}", *true_row(seed), "12M"] for seed in range(2)]
    wrong = [*rows[0]]
    wrong[0], wrong[2] = "Other", f"{float(rows[0][2]) - 9:.2f}"
    result = audited([*rows, wrong], head, explain=True)
    outcomes = [str(row.outcome) for row in result.tables[0].rows]
    assert outcomes == ["consistent"] * 2 + ["inconsistent"]
    assert {cell.score for cell in result.tables[0].rows[0].cells} == {"acc", "macro f1", "weighted f1", "kappa", "mcc"}
    refuted = result.tables[0].rows[-1]
    assert sp.verify(refuted.readings[0].certificate)
    assert refuted.explanation is not None
    assert "cannot stand together" in refuted.explanation.summary


def test_columns_that_do_not_say_which_average_are_tried_as_each() -> None:
    truth, said = predictions(7)
    rows = []
    for average in ("macro", "weighted", "micro"):
        p, r, f, _ = precision_recall_fscore_support(truth, said, average=average)
        rows.append([average, *(f"{value:.3f}" for value in (accuracy_score(truth, said), p, r, f))])
    rows.append(["none", rows[0][1], rows[0][2], rows[0][3], f"{float(rows[0][4]) - 0.04:.3f}"])
    result = audited(rows, ["Acc", "Precision", "Recall", "F1"])
    told = result.tables[0].rows
    assert [str(row.outcome) for row in told] == ["consistent"] * 3 + ["inconsistent"]
    assert "macro, weighted and micro were tried" in " ".join(told[0].notes)
    assert len(told[0].readings) == 3
    assert any("macro averages" in reading.label for reading in told[0].readings if reading.verdict == "consistent")


def test_what_is_no_such_score_is_said() -> None:
    row = audited([["A", "0.91", "0.97", "0.90 ± 0.01"]], ["Acc", "AUC", "Macro F1"]).tables[0].rows[0]
    assert str(row.outcome) == "not tested"  # a mean over runs of one test set
    row = audited([["A", "0.91", "0.97"]], ["Acc", "AUC"]).tables[0].rows[0]
    assert str(row.outcome) == "not tested"  # with two digits no accuracy of these cases could have failed
    assert "not tested: auc" in " ".join(row.notes)


def test_folds_of_several_classes() -> None:
    folds = {"test": {"dataset": "farm", "folds": 5, "stratified": True}}
    rows = [["A", "0.9133", "0.9050"], ["B", "0.9150", "0.9050"]]
    told = audited(rows, ["Acc", "Macro F1"], experiments=folds).tables[0].rows
    assert len(told[0].readings) == 2  # scores averaged, or matrices added
    assert str(told[1].outcome) == "inconsistent"
    with pytest.raises(ScoreproofError, match="stratified: true"):
        audited(rows, ["Acc", "Macro F1"], experiments={"test": {"dataset": "farm", "folds": 5}})
    with pytest.raises(ScoreproofError, match="two classes need 'positive'"):
        audited(rows, ["Acc", "Macro F1"], datasets={"farm": {"classes": {"a": 3, "b": 4}}})


@pytest.mark.parametrize(
    ("text", "score", "qualifier"),
    [
        *((text, "f1", "macro") for text in ("Macro-F1", "F1 (macro)", "macro F1-score", "mF1", "F1macro", "Ma-F1")),
        *((text, "f1", "weighted") for text in ("Weighted F1", "wF1", "W-F1", "F1-weighted", "F1 (weighted avg)")),
        *((text, "ppv", "macro") for text in ("Macro P", "Macro avg. precision", "Precision (macro)")),
        *((text, "sens", "macro") for text in ("UAR", "macro-averaged recall", "Macro-R")),
        ("Mi-F1", "f1", "micro"),
    ],
)
def test_headings_in_usual_spellings(text: str, score: str, qualifier: str) -> None:
    heading = read_heading([text])
    assert (heading.score, heading.qualifier) == (score, qualifier)


def test_kappa_averaged_over_folds_is_left_out_and_said() -> None:
    head = ["Accuracy", "Macro-F1", "Kappa"]
    rows = [["A", "0.91", "0.90", "0.86"], ["B", "", "", "0.86"]]
    folds = {"dataset": "farm", "folds": 5, "stratified": True}
    means = audited(rows, head, experiments={"test": {**folds, "aggregation": "mean_of_scores"}}).tables[0].rows
    assert [str(row.outcome) for row in means] == ["consistent", "not tested"]
    assert [cell.score for cell in means[0].cells] == ["acc", "macro f1"]
    assert "not tested: kappa (its mean over several matrices is not tested" in means[0].notes[0]
    either = audited(rows, head, experiments={"test": folds}).tables[0].rows
    assert [str(row.outcome) for row in either] == ["consistent", "not tested"]
    assert "not tested as 5 stratified folds, mean of scores: kappa" in either[0].notes[0]
    whole = audited(rows, head, experiments={"test": {**folds, "aggregation": "score_of_means"}}).tables[0].rows
    assert [str(row.outcome) for row in whole] == ["consistent", "consistent"]
    assert not whole[0].notes


def two_class_row(seed: int) -> list[str]:
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1], [200, 100])
    said = np.where(rng.random(300) < 0.85, truth, 1 - truth)
    f1 = (f1_score(truth, said, average=average) for average in ("macro", "weighted"))
    precision = precision_recall_fscore_support(truth, said, average="binary")[0]
    return [f"{value:.4f}" for value in (accuracy_score(truth, said), *f1, precision)]


def test_averages_over_both_classes_of_a_listed_data_set() -> None:
    """Two classes are classes, too; what names no average may be of the positive class, and is left out in words."""
    head, rows = ["Acc", "Macro F1", "Weighted F1", "Precision"], [["A", *two_class_row(1)], ["B", *two_class_row(2)]]
    moved = ["C", rows[0][1], "0.5000", *rows[0][3:]]
    skin = {"skin": {"classes": {"benign": 200, "malignant": 100}, "positive": "malignant"}}
    result = audited([*rows, moved], head, datasets=skin, experiments={"test": {"dataset": "skin"}})
    assert [str(row.outcome) for row in result.rows()] == ["consistent", "consistent", "inconsistent"]
    assert any("an average over both classes, or of the positive one" in note for note in result.rows()[0].notes)
    assert not result.tables[0].untested
    plain = audited(rows, head, datasets={"skin": {"p": 100, "n": 200}}, experiments={"test": {"dataset": "skin"}})
    assert {str(row.outcome) for row in plain.rows()} == {"not tested"}  # p and n do not say that there are two classes
    assert "list them" in plain.rows()[0].notes[0]
    assert plain.verdict == "not tested"


def test_averages_over_both_classes_of_the_text_accuse_nobody(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    lines = [["A", *two_class_row(1)], ["B", *two_class_row(2)[:1], "0.5000", *two_class_row(2)[2:]]]
    table = "\n".join(f"| {' | '.join(row)} |" for row in lines)
    paper.write_text(
        "# Data\nThe test set has 100 positive and 200 negative images.\n\n# Results\n\n"
        f"| Model | Acc | Macro F1 | Weighted F1 | Precision |\n|---|---|---|---|---|\n{table}\n",
        encoding="utf-8",
    )
    done = CliRunner().invoke(app, ["audit", str(paper), "--out", str(tmp_path / "out")])
    assert done.exit_code == 3
    assert "holds only if the test set is the 100 positive and 200 negative" in " ".join(done.output.split())
    assert "INCONSISTENT" not in done.output.upper().replace("INCONSISTENCY", "")


def test_one_of_three_classes_against_the_rest_is_not_two_classes() -> None:
    """Macro F1 over three classes is nothing that the matrix of one of them against the rest could refute."""
    truth, said = predictions(4)
    row = ["A", f"{accuracy_score(truth, said):.4f}", f"{f1_score(truth, said, average='macro'):.4f}"]
    farm = {"farm": {"classes": CLASSES, "positive": "cow"}}
    result = audited([row, ["B", row[1], "0.3000"]], ["Acc", "Macro F1"], datasets=farm)
    assert [str(each.outcome) for each in result.rows()] == ["not tested", "not tested"]


def test_several_classes_of_which_only_the_total_is_known() -> None:
    tree = {"type": "multi_class", "total": 150, "classes": 3}
    truth, said = predictions(5)
    row = ["A", f"{accuracy_score(truth, said):.3f}", f"{f1_score(truth, said, average='macro'):.3f}"]
    wrong = ["B", "0.9050", "0.3000"]  # no 150 cases give this accuracy
    result = audited([row, wrong], ["Acc", "Macro F1"], datasets={}, experiments={"test": {"tree": tree}})
    assert [str(each.outcome) for each in result.rows()] == ["consistent", "inconsistent"]


def test_a_recall_that_its_support_does_not_give_is_said_in_numbers() -> None:
    grid = [
        ["Class", "Precision", "Recall", "F1-score", "Support"],
        ["rust", "0.900", "0.900", "0.900", "30"],
        ["spot", "0.903", "0.903", "0.903", "31"],
        ["healthy", "0.966", "0.933", "0.949", "31"],
        ["mildew", "0.929", "0.963", "0.945", "27"],
    ]
    audit = sp.audit({"tables": [{"grid": grid}]}, strength=False)
    assert [f"{finding.where.names[0]}: {finding.headline}" for finding in audit.findings] == [
        "healthy: Recall 0.933 is not possible with 31 cases of this class: 28 of 31 is 0.903, 29 of 31 is 0.935"
    ]
    assert audit.tables[0].checks[0].words == "rust: sens 0.900 of 30 cases of this class: consistent"
