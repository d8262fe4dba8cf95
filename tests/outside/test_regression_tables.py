"""Tables of errors: their headings, with and without an experiment, and rows on one test set."""

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
from scoreproof.papers.draft import draft
from scoreproof.papers.table_semantics.columns import together
from scoreproof.papers.table_semantics.headings import read_heading


def rows(grid: list[list[str]], **more: Any) -> tuple[Any, ...]:
    return sp.audit({"tables": [{"grid": grid, **more.pop("table", {})}], **more}, explain=False).rows()


@pytest.mark.parametrize(
    ("headers", "names"),
    [
        (["RMSE", "MAE", "R²"], ["rmse", "mae", "r2"]),
        (["RMSE ↓", "MAE ↓", "R2 ↑"], ["rmse", "mae", "r2"]),
        (
            ["Root mean squared error", "Mean absolute error", "R-squared", "Adj. R²"],
            ["rmse", "mae", "r2", "adjusted_r2"],
        ),
        (["MSE", "R^2", "Bias", "Pearson r", "Explained variance"], ["mse", "r2", "bias", "r", "ev"]),
        (["RMSE (mm)", "MAE (mm)", "MAPE", "NRMSE"], ["rmse", "mae", "", ""]),
        (["MAE", "Acc"], ["", "acc"]),  # a way to train
        (["R2", "Acc"], ["", "acc"]),
        (["Bias", "F1"], ["", "f1"]),
        (["R", "RMSE"], ["", "rmse"]),
    ],
)
def test_headings(headers: list[str], names: list[str]) -> None:
    assert [heading.score for heading in together([read_heading(text) for text in headers])] == names


def test_a_unit_makes_a_group() -> None:
    headings = together([read_heading(text) for text in ("RMSE (mm)", "MAE (mm)", "RMSE (°C)", "RMSE (train)")])
    assert [heading.group for heading in headings] == ["mm", "mm", "°C", "train"]


def test_without_an_experiment_only_what_holds_for_means_too() -> None:
    grid = [
        ["Model", "MAE", "RMSE", "MSE"],
        ["A", "2.10", "2.00", "4.00"],
        ["B", "1.00", "2.00", "4.50"],
        ["C", "1.0", "2.0", "3.5"],
    ]
    small, mean, low = rows(grid)
    assert [str(row.outcome) for row in (small, mean, low)] == ["inconsistent", "consistent", "inconsistent"]
    assert small.readings[0].label == "one evaluation, or means over several"
    assert sp.verify(small.readings[0].certificate or {})
    assert "for means over several" in small.notes[0]
    (alone,) = rows([["Model", "RMSE", "R²"], ["A", "2.10", "0.5"]])
    assert str(alone.outcome) == "not tested"


def test_with_an_experiment() -> None:
    more: dict[str, Any] = {
        "experiments": {"test": {"tree": {"type": "regression", "n": 10}}},
        "table": {"experiment": "test"},
        "options": {"strict": True},
    }
    wide, fine = rows([["Model", "MAE", "RMSE"], ["A", "1.00", "3.50"], ["B", "1.00", "2.50"]], **more)
    assert (str(wide.outcome), str(fine.outcome)) == ("inconsistent", "consistent")
    (row,) = rows([["Model", "MAE", "RMSE", "Acc"], ["A", "1.00", "2.50", "0.9"]], **more)
    assert str(row.outcome) == "consistent"
    assert "not tested: acc (the accuracy is not of this kind of experiment)" in row.notes


def test_errors_beside_scores_of_a_matrix() -> None:
    more: dict[str, Any] = {
        "datasets": {"d": {"p": 10, "n": 20}}, "experiments": {"test": {"dataset": "d"}}, "table": {"experiment": "test"},
    }  # fmt: skip
    (row,) = rows([["Model", "Acc", "Sens", "MAE", "RMSE"], ["A", "0.90", "0.80", "3.0", "2.0"]], **more)
    assert str(row.outcome) == "consistent"
    assert [note[:16] for note in row.notes] == ["not tested: mae ", "not tested: rmse"]
    (row,) = rows([["Model", "MAE", "RMSE"], ["A", "3.0", "2.0"]], **more)
    assert str(row.outcome) == "not tested"


def test_rows_on_one_test_set() -> None:
    grid = [["Model", "RMSE", "R²"], ["A", "2.00", "0.50"], ["B", "2.00", "0.70"], ["C", "1.55", "0.70"]]
    paper: dict[str, Any] = {
        "experiments": {"test": {"tree": {"type": "regression"}}},
        "tables": [{"grid": grid, "experiment": "test"}],
    }
    result = sp.audit(paper)
    (check,) = result.tables[0].checks
    assert check.answer.problem.kind == "shared_variance"
    assert sp.verify(check.answer.certificate or {})
    assert check.words.startswith("A and B are stated to be on one test set, but A needs a variance of the true values")
    assert "A and B are stated to be on one test set" in to_html(result)
    assert sp.AuditResult.from_dict(result.to_dict()) == result
    spread = [["Model", "RMSE", "R²"], ["A", "2.00 ± 0.1", "0.50 ± 0.1"], ["B", "2.00 ± 0.1", "0.70 ± 0.1"]]
    paper["tables"] = [{"grid": spread, "experiment": "test"}]
    assert sp.audit(paper).tables[0].checks == ()  # means over runs
    paper["tables"] = [{"grid": [["Data set", *grid[0][1:]], *grid[1:]], "experiment": "test"}]
    assert sp.audit(paper).tables[0].checks == ()  # of different data


def test_a_draft_of_a_table_of_errors_is_audited_as_it_stands(tmp_path: Path) -> None:
    paper = tmp_path / "errors.csv"
    paper.write_text("Model,MAE,RMSE\nA,1.0,2.0\nB,2.5,2.0\n", encoding="utf-8")
    drafted = draft(paper)
    assert "type: regression" in drafted.text
    file = tmp_path / "errors.yaml"
    file.write_text(drafted.text, encoding="utf-8")
    assert [str(row.outcome) for row in sp.audit(file).rows()] == ["consistent", "inconsistent"]


def test_folds_of_predicted_numbers_on_the_command_line() -> None:
    """The mean squared error is the square of the mean root plus its variance."""
    wrong = ["check", "--regression", "unknown", "--folds", "100", "rmse=1.850 ± 0.260", "mse=3.600", "--strict"]
    assert CliRunner().invoke(app, wrong).exit_code == 1
    right = ["check", "--regression", "50", "--folds", "100", "rmse=1.850 ± 0.260", "mse=3.490"]
    assert CliRunner().invoke(app, right).exit_code == 0
    refused = CliRunner().invoke(app, ["check", "--queries", "50", "--folds", "10", "mrr=0.5"]).exception
    assert "it cannot be combined with --folds" in str(refused)


def test_one_list_names_the_quantities_of_every_kind() -> None:
    listed = json.loads(CliRunner().invoke(app, ["scores", "--json"]).output)
    kinds = {"mae": "regression", "auc": "curve", "mrr": "ranking", "map": "detection", "acc": "binary"}
    assert kinds.items() <= {each["name"]: each["kind"] for each in listed}.items()
    assert "meanabsoluteerror" in next(each for each in listed if each["name"] == "mae")["spellings"]


def test_errors_that_are_tested_are_not_listed_as_untested(tmp_path: Path) -> None:
    file = tmp_path / "houses.csv"
    file.write_text(
        "Model,MAE,RMSE,R2\nLinear,3.19,4.93,0.70\nA,3.0,4.1,0.79\nB,3.1,4.2,0.78\nForest,3.50,3.38,0.86\n",
        encoding="utf-8",
    )
    result = sp.audit(file, explain=False)
    assert [str(row.outcome) for row in result.rows()] == [*["consistent"] * 3, "question"]
    assert result.tables[0].untested == ()
    file.write_text("Model,MAE,R2\nLinear,3.19,0.70\n", encoding="utf-8")
    assert len(sp.audit(file, explain=False).tables[0].untested) == 2
