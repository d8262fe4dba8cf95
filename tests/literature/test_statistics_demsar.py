"""Worked examples: Demšar (2006, jmlr.org/papers/v7/demsar06a) and Hanley & McNeil (1982)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoreproof import statistics as st

DATA = json.loads((Path(__file__).parents[1] / "data" / "statistics" / "reference.json").read_text())
TABLE_6 = next(
    c["inputs"]["scores"] for c in DATA["friedman_iman_davenport_nemenyi"]["cases"] if c["label"] == "demsar2006_table6"
)


def test_friedman_as_printed_ignores_ties() -> None:
    found = st.friedman(TABLE_6, ties="uncorrected")
    assert [round(r, 3) for r in found.details["mean_ranks"]] == [3.143, 2.0, 2.893, 1.964]
    assert round(found.details["chi2_uncorrected"], 2) == 9.28
    assert round(found.statistic, 2) == 3.69
    assert st.friedman(TABLE_6).statistic > found.statistic


@pytest.mark.parametrize(
    ("k", "printed"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (8, 3.031), (10, 3.164)]
)
def test_table_5_critical_values(k: int, printed: float) -> None:
    # CD = q sqrt(k(k+1)/6N); with N = k(k+1)/6 it is q itself.
    assert st.critical_difference(k, 6 * k * (k + 1)) * 6 == pytest.approx(printed, abs=0.001)


def test_critical_difference_of_the_example() -> None:
    found = st.nemenyi(TABLE_6, alpha=0.10)
    assert round(st.critical_difference(4, 14), 2) == 1.25
    assert found.critical_difference == pytest.approx(1.12, abs=0.005)
    # At 0.10 the example tells C4.5 from C4.5+m and from C4.5+m+cf.
    assert [(t.first, t.second) for t in found.significant()] == [
        ("model 1", "model 2"),
        ("model 1", "model 4"),
    ]


def test_hanley_and_mcneil_example() -> None:
    assert st.hanley_mcneil_error(0.893, 51, 58) == pytest.approx(0.032, abs=0.0006)
