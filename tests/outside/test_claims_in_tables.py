"""Claims that tables make by themselves: what is clear is re-checked, what is not is left with a note."""

from __future__ import annotations

from typing import Any

import scoreproof as sp
from scoreproof.papers.result import ClaimResult

HELD, OPEN, REFUTED = (True, False), (None, False), (False, True)


def claims_of(table: dict[str, Any]) -> tuple[ClaimResult, ...]:
    spec = {
        "datasets": {"cases": {"p": 100, "n": 100}},
        "experiments": {"test": {"dataset": "cases"}, "cv": {"dataset": "cases", "folds": 5}},
        "tables": [{"experiment": "test", **table}],
    }
    return sp.audit(spec, explain=False, strength=False).claims


def is_proved(claim: ClaimResult) -> bool:
    return (
        claim.answer is not None and claim.answer.certificate is not None and bool(sp.verify(claim.answer.certificate))
    )


def found_in(grid: list[list[str]], **table: Any) -> list[tuple[str, bool | None, bool]]:
    return [(c.text, c.holds, is_proved(c)) for c in claims_of({"grid": grid, **table})]


def test_intervals_are_found_where_they_are_named() -> None:
    rows = [["A", "0.93 (0.88-0.96)", "0.955 (0.926–0.949)"], ["B", "0.925 [0.88, 0.95]", "0.94 (0.89 to 0.98)"]]
    found = found_in([["Method", "Accuracy (95% CI)", "Sensitivity (95% CI)"], *rows])
    assert [(holds, proof) for _, holds, proof in found] == [(None, False), (False, True), (None, False), (None, False)]
    assert found[1][0].endswith("of a proportion of 100 cases (table 1, A)")
    assert found_in([["Method", "Accuracy", "Sensitivity"], *rows]) == []
    assert len(found_in([["Method", "Accuracy", "Sensitivity"], *rows], name="Scores, confidence intervals")) == 4
    percent = [["Method", "Acc (95% CI)"], ["A", "93.0 (88.0-96.0)"], ["B", "92.0 (93.0-97.0)"]]
    assert [holds for _, holds, _ in found_in(percent, percent="true")] == [None, False]


def test_counts_beside_a_value_are_compared() -> None:
    found = found_in([["Method", "Acc"], ["A", "0.93 (186/200)"], ["B", "0.94 (180/200)"], ["C", "0.93"]])
    assert [(holds, proof) for _, holds, proof in found] == [(True, False), (False, True)]


def test_counts_before_the_value() -> None:
    rows = [["A", "186/200 (93.0%)"], ["B", "180/200 (94.0%)"], ["C", "0.93"], ["D", "(186/200)"], ["E", "9.3 (1/0)"]]
    found = found_in([["Method", "Acc"], *rows])
    assert [one[1:] for one in found] == [HELD, REFUTED]


def test_spreads_over_the_folds_of_the_specification() -> None:
    grid = [["Method", "Acc"], ["A", "0.99 ± 0.08"], ["B", "0.90 ± 0.02"]]
    found = found_in(grid, experiment="cv", caption="Mean ± standard deviation")
    assert [one[1:] for one in found] == [REFUTED, OPEN]
    assert [one[1:] for one in found_in(grid, experiment="cv")] == [OPEN]  # of which kind the ± is nobody says
    assert found_in(grid) == []  # k is not known


def test_folds_and_classes_are_compared_elsewhere() -> None:
    grid = [["Fold", "Acc"], *[[f"Fold {k}", "0.90"] for k in range(1, 6)], ["Average", "0.95"]]
    assert found_in(grid, experiment="cv") == []
