"""Rows whose experiment nobody gives: not refuted by one thing they may be if they may be another; what to know of them."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoreproof as sp

PAPER = """# Data

We used 5-fold cross-validation on 300 records.

| Method | Acc | Sens | Spec |
|---|---|---|---|
| A | 0.869 | 0.786 | 0.881 |
"""


def test_all_cases_in_the_folds_that_the_text_names(tmp_path: Path) -> None:
    """No 300 records of whatever classes have these scores, but five folds of them do."""
    (tmp_path / "paper.md").write_text(PAPER, encoding="utf-8")
    (row,) = sp.audit(tmp_path / "paper.md", jobs=1).rows()
    verdicts = {reading.label: str(reading.verdict) for reading in row.readings}
    assert verdicts["300 records in 5 folds: means over the folds, whose sizes are unknown"] == "consistent"
    assert verdicts["300 records: class counts unknown"] == "inconsistent"
    assert str(row.outcome) == "consistent"


@pytest.mark.parametrize(
    ("grid", "outcome"),
    [
        ([["Method", "Acc"], ["A", "0.915"]], "consistent"),
        ([["Method", "MCC"], ["A", "0.9905"]], "untested"),  # the mean of a score that is compared with nothing
    ],
)
def test_a_mean_that_may_be_anything_is_not_refuted_by_the_test_set_beside_it(
    grid: list[list[str]], outcome: str
) -> None:
    specification = {
        "datasets": {"all": {"total": 300}, "test": {"p": 40, "n": 60}},
        "experiments": {"folds": {"dataset": "all", "folds": 5}, "test": {"dataset": "test"}},
        "tables": [{"experiment": ["folds", "test"], "grid": grid}],
    }
    (row,) = sp.audit(specification, jobs=1, explain=False, strength=False).rows()
    assert str(row.outcome) == outcome
    specification["tables"] = [{"experiment": "test", "grid": grid}]
    (alone,) = sp.audit(specification, jobs=1, explain=False, strength=False).rows()
    assert str(alone.outcome) == "inconsistent"


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("| Model | MRR | Hits@1 |\n|---|---|---|\n| A | 0.42 | 0.35 |\n", "how many queries there were"),
        ("| Model | MAE | R2 |\n|---|---|---|\n| A | 2.10 | 0.81 |\n", "an RMSE or MSE beside an MAE"),
    ],
)
def test_what_would_have_to_be_known_is_said(tmp_path: Path, table: str, words: str) -> None:
    (tmp_path / "paper.md").write_text(f"# Results\n\nWe compare with others.\n\n{table}", encoding="utf-8")
    result = sp.audit(tmp_path / "paper.md", jobs=1)
    (row,) = result.rows()
    assert str(row.outcome) == "untested"
    assert any(words in note for note in row.notes)
    assert all(words in said for said in result.tables[0].untested)


HEADERS = """| Cohort | Sensitivity | Specificity | Accuracy |
|---|---|---|---|
| Internal (n = 400; 120 malignant) | 85.0 | 90.0 | {internal} |
| External (n=1,250) | 80.0 | 86.0 | 84.8 |
| Pilot (n = 5) | 80.0 | 86.0 | 84.8 |
"""


def test_sizes_in_the_headers_of_a_table(tmp_path: Path) -> None:
    """They are tried, shown with their header, and accuse nobody; five cases may be five of anything."""
    paper = tmp_path / "paper.md"
    paper.write_text(HEADERS.format(internal="88.5"), encoding="utf-8")
    found = sp.audit(paper, jobs=1)
    assert [row.outcome for row in found.rows()] == ["consistent"] * 3
    assert [len(row.readings) for row in found.rows()] == [3, 2, 1]
    assert [told.sentence for told in found.extracted] == ["Internal (n = 400; 120 malignant)", "External (n=1,250)"]
    paper.write_text(HEADERS.format(internal="88.7"), encoding="utf-8")
    first, *others = sp.audit(paper, jobs=1).rows()
    assert first.outcome == "conditional"
    assert "are 400 cases, 120 malignant" in first.reason
    assert {row.outcome for row in others} == {"consistent"}


def test_the_trees_of_a_forest_are_no_cases(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("| Model | Accuracy |\n|---|---|\n| Forest (n = 100) | 0.912 |\n| Forest (n = 500) | 0.921 |\n")
    found = sp.audit(paper, jobs=1)
    assert not found.extracted
    assert all(len(row.readings) == 1 for row in found.rows())
