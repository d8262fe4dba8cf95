"""Means over folds whose sizes nobody gives: a row that may be such a mean is not refuted by what else it may be."""

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
