"""Reports on several classes from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import scoreproof.cli.check  # noqa: F401 - makes the command known
from scoreproof.cli.app import app
from scoreproof.errors import ScoreproofError

REPORT = """\
              precision    recall  f1-score   support

     class 0       0.50      1.00      0.67         1
     class 1       0.00      0.00      0.00         1
     class 2       1.00      0.67      0.80         3

    accuracy                           0.60         5
   macro avg       0.50      0.56      0.49         5
weighted avg       0.70      0.60      0.61         5
"""
LABELS = """\
              precision    recall  f1-score   support

           a       0.50      1.00      0.67         2
           b       1.00      0.50      0.67         2

   micro avg       0.60      0.75      0.67         4
   macro avg       0.75      0.75      0.67         4
weighted avg       0.75      0.75      0.67         4
 samples avg       0.50      0.50      0.50         4
"""


def run(*arguments: str) -> tuple[int, str]:
    """Exit status and output; of wrong usage the words of the error."""
    done = CliRunner().invoke(app, ["check", *arguments])
    if isinstance(done.exception, ScoreproofError):
        return 2, str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_a_witness_is_a_whole_matrix() -> None:
    status, words = run("--classes", "cat=50,dog=70,cow=30", "acc=0.91", "macro f1=0.89", "sens=0.98,0.90,")
    assert status == 0
    assert "CONSISTENT" in words
    assert "true \\ given" in words
    status, words = run("--classes", "10,10,10", "sens=1.00,1.00,1.00", "ppv=.50,.50,.50", "acc=1.00", "--json")
    assert status == 1
    document = json.loads(words)
    assert document["kind"] == "multi_class"
    assert "30 false positives" in document["reason"]


def test_a_report_of_scikit_learn_whole_or_masked(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    file.write_text(REPORT)
    assert run("--report", str(file))[0] == 0
    file.write_text(REPORT.replace("0.50      1.00", "   ?      1.00"))
    assert run("--report", str(file))[0] == 0
    file.write_text(REPORT.replace("0.56      0.49", "0.56      0.59"))
    certificate = tmp_path / "proof.json"
    assert run("--report", str(file), "--certificate", str(certificate))[0] == 1
    assert CliRunner().invoke(app, ["verify", str(certificate)]).exit_code == 0
    file.write_text(LABELS)
    status, words = run("--report", str(file), "--json")
    assert status == 0
    assert json.loads(words)["kind"] == "multi_label"
    file.write_text("nothing of the kind")
    assert run("--report", str(file))[0] == 2


def test_labels_matrices_and_folds() -> None:
    assert run("--labels", "50,70,30", "micro f1=0.81", "macro ppv=0.79")[0] == 0
    matrix = "120 7 9 4; 15 116 3 6; 12 13 115 0; 2 96 4 38"
    status, words = run("--matrix", matrix, "kappa=0.598", "mcc=0.616", "--rounding", "nearest")
    assert status == 1
    assert "The matrix gives kappa 0.59286, not 0.598" in " ".join(words.split())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--classes", "10,x", "acc=0.9"), "expected counts such as"),
        (("--classes", "a=10,20", "acc=0.9"), "a name of its own"),
        (("--classes", "10,20,30", "--total", "60", "acc=0.9"), "how many classes there are (3) or their names"),
        (("--classes", "10,20,30", "--labels", "60", "acc=0.9"), "describe different experiments"),
        (("--classes", "10,20,30", "f1=0.9"), "one value for each"),
        (("--matrix", "1 2; 3", "acc=0.9"), "expected 2 rows of 2 cells"),
        (("--report", "missing.txt", "acc=0.9"), "give no others beside it"),
        (("--p", "10", "--n", "10", "acc=0.9", "--macro-f1", "mean"), "macro_f1"),
    ],
)
def test_wrong_usage_is_said(arguments: tuple[str, ...], words: str) -> None:
    status, output = run(*arguments)
    assert status == 2
    assert words in " ".join(output.split())


def test_explanations_try_what_goes_wrong_with_classes() -> None:
    status, words = run(
        "--classes", "50,70,30", "sens=0.90,0.98,0.80", "ppv=0.99,0.90,0.75", "acc=0.92", "--explain", "--rounding", "nearest"
    )  # fmt: skip
    assert status == 1
    assert "cannot stand together" in words
    assert "Tried, does not help" in words


def test_classes_of_unknown_counts() -> None:
    status, output = run("--classes", "3", "--total", "150", "acc=0.9151", "--rounding", "nearest")
    assert status == 1
    status, output = run("--classes", "cat,dog,cow", "--total", "150", "acc=0.91", "sens=0.9,0.9,")
    assert status == 0
    assert "cow" in output
