"""The commands compare and recommend, from the outside: files in, terminal, JSON, HTML and figures out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import scoreproof.cli.compare  # noqa: F401
from scoreproof import statistics as st
from scoreproof.cli.app import app
from scoreproof.errors import ScoreproofError

SCORES = """data set,plain,pruned,both
a,0.763,0.768,0.798
b,0.599,0.591,0.569
c,0.954,0.971,0.967
d,0.628,0.661,0.657
e,0.882,0.888,0.898
f,0.936,0.931,0.931
g,0.661,0.668,0.685
"""


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def as_json(*arguments: object) -> Any:
    return json.loads(run(*arguments, "--json"), parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text(SCORES)
    return path


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    generator = np.random.default_rng(3)
    truth = generator.integers(0, 2, 60)
    first, second = truth + generator.normal(size=60), truth + 2 * generator.normal(size=60)
    rows = [f"{i},{t},{a:.4f},{b:.4f}" for i, (t, a, b) in enumerate(zip(truth, first, second, strict=True))]
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(["case,truth,net,tree", *rows]))
    return path


def columns(path: Path) -> dict[str, np.ndarray]:
    head, *rows = path.read_text().splitlines()
    values = np.array([[float(c) for c in row.split(",")[1:]] for row in rows])
    return dict(zip(head.split(",")[1:], values.T, strict=True))


def test_compare_scores_follows_the_recommendation(scores: Path) -> None:
    found = as_json("compare", scores)
    table = columns(scores)
    wanted = st.friedman(np.column_stack(list(table.values())), small_sample=True)
    assert found["omnibus"]["p_value"] == wanted.p_value
    assert [m["name"] for m in found["models"]] == ["plain", "pruned", "both"]
    pair = found["pairs"][0]
    assert pair["result"]["p_value"] == st.wilcoxon_signed_rank(table["plain"], table["pruned"]).p_value
    assert found["recommendation"]["function"] == "friedman"


def test_two_models_for_people(scores: Path) -> None:
    out = run("compare", scores, "--models", "plain,both")
    assert "Wilcoxon signed-rank test" in out
    assert "plain vs both" in out
    assert "2 models were compared on 7 data sets" in out


@pytest.mark.parametrize(
    ("options", "test"),
    [
        (["--test", "paired-t"], "Paired t-test"),
        (["--test", "sign"], "Sign test"),
        (["--test", "permutation"], "Paired permutation test"),
        (["--test", "corrected-t", "--values", "folds"], "Corrected resampled t-test"),
        (["--question", "variance"], "Paired Levene test"),
        (["--question", "variance", "--test", "pitman-morgan"], "Pitman-Morgan test of paired variances"),
        (["--values", "folds", "--test-to-train", "0.25"], "Corrected resampled t-test"),
    ],
)
def test_other_tests_on_request(scores: Path, options: list[str], test: str) -> None:
    found = as_json("compare", scores, "--models", "plain,both", *options)
    assert found["pairs"][0]["result"]["test"] == test


def test_control_and_correction(scores: Path) -> None:
    found = as_json("compare", scores, "--control", "plain", "--correction", "bonferroni")
    assert [(p["first"], p["second"]) for p in found["pairs"]] == [("plain", "pruned"), ("plain", "both")]
    for pair in found["pairs"]:
        assert pair["p_adjusted"] == min(1, 2 * pair["result"]["p_value"])


def test_delong_from_predictions(predictions: Path) -> None:
    table = columns(predictions)
    wanted = st.delong_paired(table["truth"], table["net"], table["tree"])
    for options in ([], ["--test", "delong"], ["--truth", "truth"]):
        found = as_json("compare", predictions, *options)
        assert found["test"] == "DeLong test"
        assert found["pairs"][0]["result"]["statistic"] == wanted.statistic


def test_mcnemar_from_words(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    truth, first, second = ["ill"] * 8 + ["well"] * 4, ["ill"] * 7 + ["well"] * 5, ["ill"] * 2 + ["well"] * 10
    rows = [";".join(row) for row in zip(truth, first, second, strict=True)]
    path.write_text("\n".join(["label;A;B", *rows]))
    found = as_json("compare", path, "--positive", "ill", "--test", "mcnemar", "--metric", "bacc")
    sens, spec = found["pairs"]
    assert (sens["what"], sens["result"]["details"]["b"], sens["result"]["details"]["c"]) == (
        "sensitivity",
        5,
        0,
    )
    assert (spec["what"], spec["result"]["p_value"]) == ("specificity", 1.0)


def test_two_models_of_several_classes_have_their_confusions_compared(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    truth = "aaaaabbbbbccccc"
    rows = zip(truth, "aaaabbbbbbccccb", "aabbbbbbbbccaaa", strict=True)
    path.write_text("\n".join(["truth,A,B", *(",".join(row) for row in rows)]))
    (check,) = as_json("compare", path)["checks"]
    assert check["test"].startswith("Bowker test")
    # a for A and b for B twice, the reverse once: 1/3; c and a twice, the reverse never: 2; b and c never differ.
    assert (check["statistic"], check["df"]) == (pytest.approx(1 / 3 + 2), [2.0])


def test_files_are_written(scores: Path, predictions: Path, tmp_path: Path) -> None:
    page, tables, figure = tmp_path / "r.html", tmp_path / "t.tex", tmp_path / "f.png"
    assert run("compare", scores, "--html", page, "--latex", tables, "--plot", figure, "--json").startswith("{")
    assert page.read_text().startswith("<!doctype html>")
    assert 'src="data:image/svg+xml;base64,' in page.read_text()
    assert "plain vs pruned" in page.read_text()
    assert tables.read_text().count(r"\begin{tabular}") == 2
    assert figure.read_bytes().startswith(b"\x89PNG")
    run("compare", predictions, "--plot", tmp_path / "roc.svg")
    assert "<svg" in (tmp_path / "roc.svg").read_text()


def test_semicolons_decimal_commas_and_percent(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_bytes("\ufeffA;B\n0,81;80%\n\n0,77;0,70\n0,92;0,9\n".encode())
    found = as_json("compare", path)
    assert [m["median"] if "median" in m else m["main"]["value"] for m in found["models"]] == [0.81, 0.8]


def test_hostile_names_are_shown_as_they_are(tmp_path: Path) -> None:
    path, page = tmp_path / "s.csv", tmp_path / "r.html"
    path.write_text("[red]A[/red],<script>$x$\n1,2\n2,4\n4,1\n")
    assert "[red]A[/red]" in run("compare", path, "--html", page, "--plot", tmp_path / "f.png")
    assert page.read_text().count("<script") == 1


def test_a_model_called_y_is_no_truth(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("x,y\n0.8,0.7\n0.9,0.6\n0.7,0.75\n")
    assert as_json("compare", path)["test"] == "Wilcoxon signed-rank test"


def test_a_positive_label_that_is_a_number(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    path.write_text("truth,A,B\n2,2,1\n2,2,2\n1,1,2\n1,2,1\n")
    found = as_json("compare", path, "--positive", "2")
    assert found["models"][0]["sensitivity"] == 1
    assert found["models"][1]["specificity"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty file"),
        ("A,B\n", "at least one line below"),
        ("A,B\n1,2\n3\n", "line 3 has 1 cells: expected 2"),
        ("A,B\n1,2\n3,\n", "line 3, column 'B' is missing"),
        ("A,B\n1,2\n3,x\n", "line 3, column 'B' holds 'x'"),
        ("A,B\n1,2\nnan,3\n", "line 3, column 'A' is missing"),
        ("A,A\n1,2\n", "two columns are called 'A'"),
        ("1,2\n3,4\n", "only numbers"),
        ("A\n1\n2\n", "expected at least 2"),
        ("A,B\n1,inf\n2,3\n", "infinite"),
    ],
)
def test_bad_files_are_named_by_line_and_column(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(ScoreproofError) as caught:
        run("compare", path)
    assert message in str(caught.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_bytes(b"A,B\n\x00\x01,2\n")
    with pytest.raises(ScoreproofError, match="binary data"):
        run("compare", path)


@pytest.mark.parametrize(
    "options",
    [
        ["--test", "anova"],
        ["--test", "delong"],
        ["--truth", "nowhere"],
        ["--truth", "plain", "--test", "sign"],
        ["--models", "plain,nothing"],
        ["--control", "nothing"],
        ["--alpha", "5"],
        ["--correction", "sidak"],
        ["--question", "size"],
        ["--values", "dreams"],
        ["--plot", "figure.xyz"],
    ],
)
def test_bad_options_are_refused(scores: Path, options: list[str]) -> None:
    with pytest.raises(ScoreproofError, match="expected"):
        run("compare", scores, *options)


def test_recommend() -> None:
    found = as_json("recommend", "--task", "binary", "--metric", "AUC", "--values", "one test set")
    assert found["function"] == "delong_paired"
    assert {a["test"] for a in found["avoid"]}
    assert "Use the Friedman test" in run("recommend", "--models", 4)


def test_recommend_from_a_file(scores: Path, predictions: Path, tmp_path: Path) -> None:
    assert as_json("recommend", scores)["models"] == 3
    page = tmp_path / "r.html"
    found = as_json("recommend", predictions, "--metric", "auc", "--html", page)
    assert (found["test"], found["values"], found["models"]) == ("DeLong test", "one test set", 2)
    assert "DeLong test" in page.read_text()
    with pytest.raises(ScoreproofError, match="no --models and no --human"):
        run("recommend", scores, "--models", 3)


def test_the_whole_decision_table() -> None:
    rules = as_json("recommend", "--table")
    assert len(rules) == len(st.RULES)
    assert {rule["function"] for rule in rules} <= set(st.__all__)
    assert "McNemar" in run("recommend", "--table")


def test_errors_are_one_line_and_status_2(tmp_path: Path) -> None:
    script = "import scoreproof.cli.app as a; a.main()"
    for arguments in (["compare", str(tmp_path / "missing.csv")], ["recommend", "--task", "chess"]):
        done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1


def test_importing_scoreproof_does_not_import_the_statistics() -> None:
    script = "import sys, scoreproof; sys.exit('scoreproof.statistics' in sys.modules or 'scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
