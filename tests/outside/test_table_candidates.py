"""How a table may be read competes by its rows; the paper's own sizes win over a catalogue; tests are counted by sort."""

from __future__ import annotations

from pathlib import Path

import scoreproof as sp
from scoreproof.papers.result import AuditResult


def audited(folder: Path, text: str, *rows: str, head: str) -> AuditResult:
    width = head.count("|") - 1
    paper = folder / "paper.md"
    paper.write_text("\n".join([f"{text}\n", head, "|---" * width + "|", *rows, ""]))
    return sp.audit(paper, explain=False, strength=False)


def test_rows_that_fail_as_one_matrix_and_fit_as_averages_make_them_averages(tmp_path: Path) -> None:
    """F1 below the harmonic mean of precision and recall in most rows: means over classes, though no word says so."""
    head = "| Model | Precision | Recall | F1 |"
    low = [f"| M{k} | 0.{80 + k}0 | 0.{84 - k}0 | 0.79{k} |" for k in range(5)]
    found = audited(tmp_path, "Table 1: Results.", *low, head=head)
    assert "averages over classes, since so more rows are possible" in " ".join(found.tables[0].assumptions)
    assert {str(row.outcome) for row in found.rows()} == {"consistent"}
    assert found.sorts() == {"averages": 5}
    exact = ["| A | 0.800 | 0.840 | 0.820 |", "| B | 0.810 | 0.830 | 0.820 |", "| C | 0.700 | 0.600 | 0.646 |"]
    told = audited(tmp_path, "Table 1: Results.", *exact, head=head)
    assert "averages over classes" not in " ".join(told.tables[0].assumptions)


def test_a_slip_among_rows_of_one_matrix_makes_no_averages(tmp_path: Path) -> None:
    head = "| Model | Precision | Recall | F1 |"
    pairs = [(80, 84), (70, 60), (90, 50), (66, 72), (55, 95), (81, 77)]
    rows = [f"| M{k} | 0.{p}0 | 0.{r}0 | {2 * p * r / (p + r) / 100:.3f} |" for k, (p, r) in enumerate(pairs)]
    rows.append("| slip | 0.900 | 0.800 | 0.790 |")
    found = audited(tmp_path, "Table 1: Results.", *rows, head=head)
    assert "averages over classes" not in " ".join(found.tables[0].assumptions)


def test_a_table_of_score_names_on_both_sides_accuses_nobody(tmp_path: Path) -> None:
    """Columns named like scores hold models here: only down the side do precision, recall and F1 fit together."""
    head = "| | Accuracy | Recall | Precision |"
    lines = [
        "| Precision | 0.800 | 0.700 | 0.550 |",
        "| Recall | 0.840 | 0.600 | 0.950 |",
        "| F1 | 0.820 | 0.646 | 0.697 |",
    ]
    found = audited(tmp_path, "Table 1: Models trained for different targets.", *lines, head=head)
    assert found.outcomes()["inconsistent"] == found.outcomes()["question"] == 0


def test_a_size_that_the_paper_states_wins_over_the_catalogue(tmp_path: Path) -> None:
    right = (123, 144, 171, 201, 222, 251, 275, 301)
    rows = [f"| M{k} | {100 * count / 500:.2f} |" for k, count in enumerate(right)]
    head = "| Model | GSM8K |"
    found = audited(tmp_path, "The GSM8K test set has 500 samples.\n\nTable 1: Accuracy (%).", *rows, head=head)
    assert "share of 500 cases (GSM8K, the paper says 500)" in str(found.tables[0].checks[0])
    assert found.sorts() == {"share of a known number": 8}
    silent = audited(tmp_path, "Table 1: Accuracy (%).", *rows, head=head)
    assert not any("500" in str(check) for check in silent.tables[0].checks)


def test_rows_are_counted_by_the_sorts_of_their_tests() -> None:
    grid = [["Method", "Acc", "NPV", "F1"], ["A", "0.6801", "0.9401", "0.4004"], ["B", "0.6821", "0.9401", "0.4004"]]
    spec = {"datasets": {"d": {"p": 1000, "n": 6000}}, "experiments": {"e": {"dataset": "d"}}}
    found = sp.audit({**spec, "tables": [{"experiment": "e", "grid": grid}]}, explain=False, strength=False)
    assert found.sorts() == {"sizes": 2}
    assert found.to_dict()["sorts"] == {"sizes": 2}
    assert AuditResult.from_dict(found.to_dict()) == found


CLASSES = """
Table 1: Results of all methods.

| Method | Macro precision | Macro recall | Macro F1 |
|---|---|---|---|
| BERT | 0.733 | 0.767 | {} |
| SVM | 0.650 | 0.600 | 0.612 |

Table 2: Classes of BERT.

| Class | Precision | Recall | F1 |
|---|---|---|---|
| sport | 0.800 | 0.700 | 0.747 |
| politics | 0.600 | 0.900 | 0.720 |
| culture | 0.800 | 0.700 | 0.747 |
"""


def test_macro_averages_are_compared_with_the_classes_of_another_table(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text(CLASSES.format("0.738"))
    fitting = sp.audit(paper, explain=False, strength=False).tables[0]
    words = [check.words for check in fitting.checks if check.sort == "class rows"]
    assert words == [f"BERT: macro {name} is the mean of its 3 classes" for name in ("ppv", "sens", "f1")]
    paper.write_text(CLASSES.format("0.731"))
    slip = sp.audit(paper, explain=False, strength=False).tables[0]
    assert [str(check.verdict) for check in slip.checks if check.sort == "class rows"] == ["consistent"] * 2
    assert any("macro f1 of BERT" in question.condition for question in slip.questions)
    paper.write_text(CLASSES.replace("Classes of BERT", "Classes of the best method").format("0.738"))
    assert not [check for check in sp.audit(paper, explain=False, strength=False).tables[0].checks if check.sort]
