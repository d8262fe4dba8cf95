"""``scoreproof metrics`` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import scoreproof.cli.metrics  # noqa: F401  (adds the command)
from scoreproof.cli.app import app, main
from scoreproof.metrics import evaluate_binary

BINARY = "id,truth,score\na,1,0.9\nb,0,0.2\nc,1,0.4\nd,0,0.6\ne,1,0.8\n"


def run(*arguments):
    return CliRunner().invoke(app, ["metrics", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def fails(capsys, monkeypatch):
    """Run a command that fails and give its one line."""

    def attempt(*arguments):
        with pytest.raises(SystemExit) as stopped:
            main(["metrics", *map(str, arguments)])
        printed = capsys.readouterr()
        assert stopped.value.code == 2
        assert printed.out == ""
        assert printed.err.startswith("error: ")
        assert printed.err.count("\n") == 1
        return printed.err

    return attempt


@pytest.fixture
def file(tmp_path):
    def write(text, name="predictions.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_binary_json_is_the_library_s_answer(file):
    done = run(file(BINARY), "--task", "binary", "--json")
    document = json.loads(done.stdout)
    expected = evaluate_binary([1, 0, 1, 0, 1], scores=[0.9, 0.2, 0.4, 0.6, 0.8]).to_dict()
    assert {key: document[key] for key in expected} == expected
    assert document["matrix"] == {"tp": 2, "fp": 1, "fn": 1, "tn": 1}


def test_binary_table_names_every_score(file):
    done = run(file(BINARY))
    assert done.exit_code == 0
    for words in (
        "Matthews correlation coefficient",
        "area under the ROC curve",
        "truly positive",
        "threshold 0.5",
    ):
        assert words in done.stdout


def test_threshold_option_and_training_file(file):
    path = file(BINARY)
    assert json.loads(run(path, "--threshold", "0.3", "--json").stdout)["matrix"]["tp"] == 3
    training = file("truth;score\n1;0,7\n0;0,3\n0;0,5\n", "train.csv")
    document = json.loads(run(path, "--training", training, "--json").stdout)
    assert document["threshold"] == 0.7
    assert document["matrix"] == {"tp": 2, "fp": 0, "fn": 1, "tn": 2}


def test_labels_in_words_and_columns_by_name(file):
    path = file("case\tdiagnosis\tmodel\n1\till\till\n2\twell\till\n3\till\twell\n")
    document = json.loads(
        run(path, "--truth", "diagnosis", "--predicted", "model", "--positive", "ill", "--json").stdout
    )
    assert document["matrix"] == {"tp": 1, "fp": 1, "fn": 1, "tn": 0}
    assert document["auc"] is None
    truths = file("truth,predicted\nTrue,False\nfalse,FALSE\n", "b.csv")
    assert json.loads(run(truths, "--json").stdout)["matrix"] == {"tp": 0, "fp": 0, "fn": 1, "tn": 1}


def test_multiclass(file):
    path = file("y_true,y_pred\ncat,cat\ndog,cat\nowl,owl\n")
    document = json.loads(run(path, "--task", "multiclass", "--undefined", "zero", "--json").stdout)
    assert document["labels"] == ["cat", "dog", "owl"]
    assert document["matrix"] == [[1, 0, 0], [1, 0, 0], [0, 0, 1]]
    assert document["macro"]["ppv"] == pytest.approx(0.5)
    assert "macro average" in run(path, "--task", "multiclass").stdout


def test_scores_of_every_class(file):
    rows = ["cat,cat,0.7,0.2,0.1", "dog,cat,0.5,0.4,0.1", "owl,owl,0.1,0.2,0.7", "dog,dog,0.2,0.6,0.2"]
    path = file("\n".join(["truth,predicted,score_cat,score_dog,score_owl", *rows]) + "\n")
    document = json.loads(run(path, "--task", "multiclass", "--json").stdout)
    assert document["top_1"] == 0.75
    assert document["top_2"] == 1
    assert document["auc_ovr"] == document["auc_ovo"] == 1
    assert "auc ovo" in run(path, "--task", "multiclass").stdout


def test_intervals_beside_the_scores(file):
    document = json.loads(run(file(BINARY), "--json").stdout)
    assert document["intervals95"]["sens"][0] < document["scores"]["sens"] <= document["intervals95"]["sens"][1]
    assert {"auc", "acc"} <= set(document["intervals95"])
    assert document["brier"] > 0
    assert document["calibration"]["bins"] == 10
    assert "95% interval" in run(file(BINARY)).stdout


def test_multilabel_in_both_forms(file):
    wide = file("truth_a,truth_b,predicted_a,predicted_b\n1,0,1,1\n0,1,0,1\n", "wide.csv")
    lists = file("truth,predicted\na,a;b\nb,b\n", "lists.csv")
    first, second = (json.loads(run(path, "--task", "multilabel", "--json").stdout) for path in (wide, lists))
    assert first["hamming_loss"] == second["hamming_loss"] == 0.25
    assert first["micro"] == second["micro"]
    assert "Hamming loss" in run(wide, "--task", "multilabel").stdout


def test_regression(file):
    path = file("truth,predicted\n1,1.5\n2,2\n3,4\n")
    document = json.loads(run(path, "--task", "regression", "--json").stdout)
    assert document["mae"] == pytest.approx(0.5)
    assert "Spearman" in run(path, "--task", "regression").stdout


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_figures_and_html_are_written(file, tmp_path, ending):
    figure, page = tmp_path / f"f.{ending}", tmp_path / "f.html"
    done = run(file(BINARY), "--plot", figure, "--html", page, "--json")
    json.loads(done.stdout)
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert figure.read_bytes().startswith(starts[ending])
    assert "area under the ROC curve" in page.read_text()


@pytest.mark.parametrize(
    ("task", "text"),
    [("multiclass", "truth,predicted\na,a\nb,a\n"), ("regression", "truth,predicted\n1,2\n2,3\n")],
)
def test_other_figures(file, tmp_path, task, text):
    figure = tmp_path / "f.png"
    assert run(file(text), "--task", task, "--plot", figure).exit_code == 0
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("truth,score\n1,0.5\n0,nan\n", [], "line 3, column 'score'"),
        ("truth,score\n1,0.5\n0,inf\n", [], "line 3, column 'score'"),
        ("truth,score\n1,0.5\n,0.2\n", [], "line 3, column 'truth'"),
        ("truth,score\n1,0.5\n0,abc\n", [], "'abc'"),
        ("truth,score\n1,0.5\n0\n", [], "line 3"),
        ("truth,score\n", [], "at least one line"),
        ("", [], "empty file"),
        ("truth,score\n1,0.5\n0,0.2,3\n1\n", [], "line 3 has 3 cells"),
        ("truth,truth\n1,1\n", [], "two columns"),
        ("truth,score,prob\n1,0.5,0.5\n", [], "--score"),
        ("a,b\n1,0.5\n", [], "--truth"),
        ("truth,b\n1,0.5\n", [], "--predicted or --score"),
        ("truth,score\n1,0.5\n", ["--truth", "x"], "no column 'x'"),
        ("truth,score\n2,0.5\n3,0.1\n", [], "positive"),
        ("truth,score\n1,0.5\n0,0.1\n", ["--positive", "yes"], "--positive"),
        ("truth,score\n1,0.5\n0,0.1\n", ["--threshold", "0.5", "--training", "x.csv"], "contradict"),
        ("truth,score\n1,0.5\n0,0.1\n", ["--training", "/nowhere.csv"], "nowhere.csv"),
        ("truth,score\n1,0.5\n0,0.1\n", ["--plot", "f.doc"], "f.doc"),
        ("truth,predicted\n1,1\n0,1\n", ["--plot", "f.png"], "curves need"),
        ("truth,predicted\n1,1\n0,1\n", ["--task", "multilabel", "--plot", "f.png"], "no figure"),
        ("truth,predicted\n1,1\n0,1\n", ["--task", "regression", "--threshold", "1"], "--threshold"),
        ("truth_a,predicted_b\n1,1\n", ["--task", "multilabel"], "label 'a'"),
        ("x,y\n1,1\n", ["--task", "multilabel"], "prefixes"),
        ("truth_a,predicted_a\n1,3\n", ["--task", "multilabel"], "line 2, column 'predicted_a'"),
        (b"truth,score\n1,\xff\n", [], "holds 'ÿ'"),
        ('truth,score\n1,"0.5\n', [], "line 2: no proper delimited text (a quotation is not closed)"),
    ],
)
def test_mistakes_end_in_one_line(file, fails, text, options, words):
    assert words in fails(file(text), *options)


def test_missing_file(fails):
    assert "nowhere.csv" in fails("/nowhere.csv")


def test_standard_input():
    done = CliRunner().invoke(app, ["metrics", "-", "--json"], input=BINARY)
    assert json.loads(done.stdout)["matrix"]["tp"] == 2


def test_the_package_and_the_command_stay_light():
    code = (
        "import sys, scoreproof, scoreproof.cli.metrics as m\n"
        "heavy = [n for n in ('numpy', 'scipy', 'matplotlib', 'scoreproof.metrics') if n in sys.modules]\n"
        "print(heavy)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_masks_rankings_and_detections(file, fails, tmp_path):
    import numpy as np

    truth, predicted = np.zeros((8, 8), bool), np.zeros((8, 8), bool)
    truth[2:6, 2:6], predicted[3:6, 2:6] = True, True
    for name, mask in (("t.npy", truth), ("p.npy", predicted)):
        np.save(tmp_path / name, mask)
    options = ["--task", "segmentation", "--reference", tmp_path / "t.npy"]
    document = json.loads(run(tmp_path / "p.npy", *options, "--json").stdout)
    assert document["dice"] == pytest.approx(24 / 28)
    assert "Dice" in run(tmp_path / "p.npy", *options).stdout
    qrels, ranking = (
        file("q 0 a 1\nq 0 b 0\nq 0 c 2\n", "q.txt"),
        file("q Q0 b 1 9 x\nq Q0 c 2 5 x\nq Q0 a 3 2 x\n", "r.txt"),
    )
    document = json.loads(run(ranking, "--task", "retrieval", "--reference", qrels, "--json").stdout)
    assert document["mean"]["map"] == pytest.approx(0.5833333333333333)
    objects = [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 0}]
    annotations = {"images": [{"id": 1}], "categories": [{"id": 1, "name": "cat"}], "annotations": objects}
    boxes = [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 8], "score": 0.9}]
    a, b = file(json.dumps(annotations), "a.json"), file(json.dumps(boxes), "b.json")
    document = json.loads(run(b, "--task", "detection", "--reference", a, "--json").stdout)
    assert document["summary"]["AP"] == pytest.approx(0.8)
    assert "--reference" in fails(ranking, "--task", "retrieval")
    assert "belongs to" in fails(ranking, "--reference", qrels)
    assert "line 1" in fails(file("q 0\n", "bad.txt"), "--task", "retrieval", "--reference", qrels)
    assert "twice" in fails(
        file("q Q0 a 1 2 x\nq Q0 a 1 2 x\n", "two.txt"), "--task", "retrieval", "--reference", qrels
    )
    assert ".npy" in fails(ranking, *options)
