"""Areas, rankings and detectors from the command line and in audited tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.check
from scoreproof.cli.app import app
from scoreproof.pages import to_html


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.output


def audited(grid: list[list[str]], tree: dict[str, Any]) -> sp.AuditResult:
    tables = [{"grid": grid, "experiment": "stated"}]
    return sp.audit(
        {"title": "A paper", "experiments": {"stated": {"tree": tree}}, "tables": tables}, strength=False, explain=False
    )


def outcomes(result: sp.AuditResult) -> list[str]:
    return [str(row.outcome) for row in result.rows()]


def test_the_command_line_decides_each_and_keeps_the_proof(tmp_path: Path) -> None:
    proof = tmp_path / "proof.json"
    assert run("check", "--p", "6", "--n", "70", "auc=0.905", "sens=0.83", "spec=0.86")[0] == 0
    code, said = run(
        "check", "--p", "6", "--n", "70", "auc=0.500", "sens=0.83", "spec=0.91", "--certificate", str(proof)
    )
    assert code == 1
    assert "one ranking of one test set" in said
    assert run("verify", str(proof))[0] == 0
    assert run("check", "--p", "3", "--n", "3", "auc=0.722", "--no-ties")[0] == 1
    assert run("check", "--p", "3", "--n", "3", "auc=0.722")[0] == 0
    code, said = run("check", "--queries", "1000", "hits@1=0.35", "hits@10=0.61", "mrr=0.62")
    assert code == 1
    assert "the hits leave mrr at least 0.366" in said
    assert run("check", "--detection", "500", "ap50=0.500", "ap75=0.300", "map=0.320")[0] == 0
    assert run("check", "--detection", "0", "ap50=0.500", "ap75=0.300", "map=0.450")[0] == 1
    both = CliRunner().invoke(app, ["check", "--queries", "10", "--detection", "9", "mrr=0.5"])
    assert "describe different experiments" in str(both.exception)
    document = json.loads(run("check", "--p", "6", "--n", "70", "auc=0.905", "--json")[1])
    assert document["kind"] == "curve"
    answer = sp.Answer.from_dict(document)
    assert document.pop("worth").endswith("; the test is weak")
    assert document.pop("findings") == []
    assert answer.to_dict() == document


def test_areas_of_a_table_are_tested_with_the_scores_beside_them() -> None:
    grid = [["Model", "AUROC", "Sens", "Spec"], ["A", "0.905", "0.83", "0.86"], ["B", "0.500", "0.83", "0.91"]]
    result = audited(grid, {"type": "testset", "p": "6", "n": "70"})
    assert outcomes(result) == ["consistent", "inconsistent"]
    assert result.tables[0].untested == ()
    page = to_html(result)
    assert "one ranking of one test set" in page
    assert "Save certificate" in page
    unknown = audited([["Model", "AUC", "Sens", "Spec"], ["A", "0.95", "0.50", "0.50"]], {"type": "unknown_classes"})
    assert outcomes(unknown) == ["inconsistent"]


def test_concave_curves_are_said_on_the_command_line_and_in_a_specification() -> None:
    report = ("check", "--p", "50", "--n", "60", "auc=0.80", "sens=0.80", "spec=0.90")
    assert run(*report)[0] == 0
    code, said = run(*report, "--concave")
    assert code == 1
    assert "ROC curve is concave, as was said" in " ".join(said.split())
    grid = [["Model", "AUC", "Sens", "Spec"], ["A", "0.80", "0.80", "0.90"]]
    for tree in (
        {"type": "testset", "p": 50, "n": 60},
        {"type": "unknown_classes"},
        {"type": "kfold", "p": 50, "n": 60, "k": 5},
    ):
        for concave, outcome in ((None, "consistent"), (True, "inconsistent")):
            paper = {
                "title": "A paper",
                "experiments": {"stated": {"tree": tree}},
                "tables": [{"grid": grid, "experiment": "stated", "options": {"concave": concave}},
                           {"grid": [["Model", "Acc", "Sens", "F1"], ["A", "0.9", "0.9", "0.9"]], "experiment": "stated"}],
                "options": {"concave": concave},
            }  # fmt: skip
            assert outcomes(sp.audit(paper, strength=False, explain=False)) == [outcome, "consistent"]


def test_scores_that_contradict_each_other_are_refuted_without_the_area() -> None:
    grid = [["Model", "AUC", "Acc", "Sens", "Spec"], ["A", "0.905", "0.99", "0.83", "0.86"]]
    (row,) = audited(grid, {"type": "testset", "p": "6", "n": "70"}).rows()
    assert row.outcome == "inconsistent"
    assert row.readings[0].answer.problem.kind == "binary"


def test_what_an_experiment_does_not_have_is_named_and_the_rest_is_tested() -> None:
    grid = [["Model", "Acc", "AUC", "MRR"], ["A", "0.900", "0.95", "0.5"]]
    parts = [{"type": "testset", "p": "10", "n": "10"}] * 2
    result = audited(grid, {"type": "score_of_means", "parts": parts})
    (row,) = result.rows()
    assert [said.partition(":")[0] for said in result.tables[0].untested] == ["AUC", "MRR"]
    assert row.outcome == "consistent"
    assert [cell.score for cell in row.cells] == ["acc"]
    assert any("auc" in note and "pooled" in note for note in row.notes)
    assert any("mean reciprocal rank" in note for note in row.notes)
    (alone,) = audited([["Model", "MRR"], ["A", "0.5"]], {"type": "testset", "p": "10", "n": "10"}).rows()
    assert alone.outcome == "not tested"


def test_tables_of_rankings_and_detectors() -> None:
    ranks = [["Model", "MRR", "Hits@1", "Hits@10"], ["TransE", ".420", ".35", ".61"], ["Odd", ".620", ".35", ".61"]]
    assert outcomes(audited(ranks, {"type": "ranking", "queries": "1000"})) == ["consistent", "inconsistent"]
    boxes = [
        ["Model", "AP", "AP50", "AP75"], ["Faster R-CNN", "37.4", "58.1", "40.4"], ["Odd", "52.0", "58.1", "40.4"],
    ]  # fmt: skip
    assert outcomes(audited(boxes, {"type": "detection"})) == ["consistent", "inconsistent"]


REFUSED = {
    "partial AUC": (["--p", "6", "--n", "70", "pAUC=0.90"], "it is of a part of the curve"),
    "partial AUC, in words": (["--p", "6", "--n", "70", "partial AUC=0.90"], "it is of a part of the curve"),
    "several relevant items": (["--queries", "100", "alpha-nDCG=0.41"], "with several relevant items"),
    "MAP of several relevant items": (["--queries", "100", "MAP=0.41"], "with several relevant items"),
    "MAPE": (["--regression", "10", "MAPE=0.10"], "it depends on the size of every true value"),
    "Hausdorff distance": (["--average", "Hausdorff distance=3.2"], "a distance between outlines"),
    "HD95": (["--p", "10", "--n", "10", "HD95=3.2"], "a distance between outlines"),
    "recall of a class": (["--detection", "10", "recall of class 1=0.20"], "recall of class 1"),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_is_not_covered_is_refused_with_a_sentence(name: str) -> None:
    arguments, words = REFUSED[name]
    refused = CliRunner().invoke(app, ["check", *arguments]).exception
    assert isinstance(refused, sp.ScoreproofError)
    assert words in str(refused)
