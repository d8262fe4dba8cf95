"""Files as people bring them: wide, long, turned, German, with indices, folds, gaps and truths.

Each is read as meant or refused with the advice that helps; nothing that names a row is compared as a model.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_statistics_cli import as_json, run

from scoreproof import statistics as st
from scoreproof.errors import ScoreproofError

A = [0.812, 0.790, 0.845, 0.803, 0.828, 0.799]
B = [0.801, 0.771, 0.839, 0.799, 0.811, 0.784]
C = [0.799, 0.781, 0.824, 0.795, 0.806, 0.790]
SETS = ["iris", "wine", "zoo", "glass", "yeast", "car"]


def wide(head: str, *columns: Any, separator: str = ",") -> str:
    rows = (separator.join(str(cell) for cell in row) for row in zip(*columns, strict=True))
    return "\n".join([head, *rows]) + "\n"


def long(head: str, *rows: tuple[Any, ...]) -> str:
    return "\n".join([head, *(",".join(str(cell) for cell in row) for row in rows)]) + "\n"


def folds(k: int, repeats: int) -> tuple[list[int], list[int], list[float], list[float]]:
    generator = np.random.default_rng(4)
    reps = [r for r in range(1, repeats + 1) for _ in range(k)]
    numbers = [f for _ in range(repeats) for f in range(1, k + 1)]
    first, second = generator.normal(0.8, 0.02, k * repeats), generator.normal(0.79, 0.02, k * repeats)
    return reps, numbers, [round(x, 4) for x in first], [round(x, 4) for x in second]


REPS, NUMBERS, FIRST, SECOND = folds(5, 3)
WILCOXON = st.wilcoxon_signed_rank(A, B).p_value
CORRECTED = st.corrected_resampled_t(FIRST, SECOND, folds=5, df=5 + 3 - 2).p_value
COUNT = list(range(1, 7))
WELCH = st.welch_t(A, B).p_value
MEAN = st.permutation_test(A, B, studentized=True).p_value

READ = {
    "wide": (wide("dataset,A,B", SETS, A, B), "data sets", WILCOXON),
    "no names of rows": (wide("A,B", A, B), "data sets", WILCOXON),
    "pandas' index": (wide(",A,B", range(6), A, B), "data sets", WILCOXON),
    "unnamed index": (wide("Unnamed: 0,A,B", range(6), A, B), "data sets", WILCOXON),
    "seed": (wide("seed,A,B", [42, 43, 44, 45, 46, 47], A, B), "runs", WELCH),
    "run": (wide("Run,A,B", COUNT, A, B), "runs", WELCH),
    "id last": (wide("A,B,id", A, B, [17, 4, 99, 3, 5, 8]), "data sets", WILCOXON),
    "a count under another name": (wide("k,A,B", COUNT, A, B), "data sets", WILCOXON),
    "image": (wide("image,A,B", ["a.png", "b.png", "c.png", "d.png", "e.png", "f.png"], A, B), "cases", MEAN),
    "German": (
        wide("Daten;A;B", SETS, *([str(x).replace(".", ",") for x in v] for v in (A, B)), separator=";"),
        "data sets",
        WILCOXON,
    ),
    "German, quoted": (
        wide("data set,A,B", SETS, *([f'"{x}"'.replace(".", ",") for x in v] for v in (A, B))),
        "data sets",
        WILCOXON,
    ),
    "tabs and blank lines": (
        wide("dataset\tA\tB", SETS, A, B, separator="\t").replace("zoo", "\n\nzoo"),
        "data sets",
        WILCOXON,
    ),
    "plus minus": (
        wide("dataset,A,B", SETS, [f"{x} ± 0.02" for x in A], [f"{x}±0.1" for x in B]),
        "data sets",
        WILCOXON,
    ),
    "brackets": (wide("dataset,A,B", SETS, [f"{x} (0.02)" for x in A], B), "data sets", WILCOXON),
    "per cent": (
        wide("dataset,A,B", SETS, *([f"{100 * x:.1f} %" for x in v] for v in (A, B))),
        "data sets",
        WILCOXON,
    ),
    "carriage returns": (wide("dataset,A,B", SETS, A, B).replace("\n", "\r\n"), "data sets", WILCOXON),
    "long": (
        long(
            "model,dataset,score", *((m, s, x) for m, v in (("A", A), ("B", B)) for s, x in zip(SETS, v, strict=True))
        ),
        "data sets",
        WILCOXON,
    ),
    "long, shuffled": (
        long(
            "accuracy,Dataset,Method",
            *sorted((x, s, m) for m, v in (("A", A), ("B", B)) for s, x in zip(SETS, v, strict=True)),
        ),
        "data sets",
        WILCOXON,
    ),
    "turned": (long("model," + ",".join(SETS), ("A", *A), ("B", *B)), "data sets", WILCOXON),
    "folds": (wide("fold,A,B", range(1, 6), FIRST[:5], SECOND[:5]), "folds", None),
    "folds with repeats": (wide("repeat,fold,A,B", REPS, NUMBERS, FIRST, SECOND), "folds", CORRECTED),
    "folds counted again": (wide("fold,A,B", NUMBERS, FIRST, SECOND), "folds", CORRECTED),
    "long folds with repeats": (
        long(
            "model,rep,fold,score",
            *((m, r, f, x) for m, v in (("A", FIRST), ("B", SECOND)) for r, f, x in zip(REPS, NUMBERS, v, strict=True)),
        ),
        "folds",
        CORRECTED,
    ),
}


@pytest.mark.parametrize("name", READ)
def test_read_as_meant(tmp_path: Path, name: str) -> None:
    text, unit, p = READ[name]
    path = tmp_path / "scores.csv"
    path.write_text(text)
    found = as_json("compare", path)
    assert sorted(m["name"] for m in found["models"]) == ["A", "B"]
    assert found["unit"] == unit
    if p is not None:
        assert found["pairs"][0]["result"]["p_value"] == pytest.approx(p, rel=1e-12)


def test_folds_of_several_data_sets_are_averaged(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = [
        (m, s, f, round(x + d, 6))
        for m, v in (("A", A), ("B", B))
        for s, x in zip(SETS, v, strict=True)
        for f, d in ((1, -0.01), (2, 0.01))
    ]
    path.write_text(long("model,dataset,fold,score", *rows))
    found = as_json("compare", path)
    assert (found["unit"], found["rows"]) == ("data sets", 6)
    assert found["pairs"][0]["result"]["p_value"] == WILCOXON
    assert any("averaged" in note for note in found["notes"])


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(wide("seed,A,B", COUNT, A, B))
    found = as_json("compare", path)
    assert "not compared as models: seed" in found["notes"]
    path.write_text(wide("A,B", [f"{x} ± 0.1" for x in A], B))
    assert any("±" in note for note in as_json("compare", path)["notes"])


def test_models_by_name_in_both_layouts(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(wide("seed,A,B,C", COUNT, A, B, C))
    assert [m["name"] for m in as_json("compare", path, "--models", "C,A")["models"]] == ["C", "A"]
    # What was named is compared, whatever it is called.
    assert [m["name"] for m in as_json("compare", path, "--models", "seed,A")["models"]] == ["seed", "A"]
    rows = [(m, s, x) for m, v in (("A", A), ("B", B), ("C", C)) for s, x in zip(SETS, v, strict=True)]
    path.write_text(long("model,dataset,score", *rows))
    assert [m["name"] for m in as_json("compare", path, "--models", "C,A")["models"]] == ["C", "A"]


def test_one_of_several_metrics(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = [(m, s, x, 1 - x) for m, v in (("A", A), ("B", B)) for s, x in zip(SETS, v, strict=True)]
    path.write_text(long("model,dataset,acc,error", *rows))
    assert as_json("compare", path, "--metric", "acc")["pairs"][0]["better"] == "A"
    path.write_text(long("model,dataset,metric,value", *((m, s, "acc", x) for m, s, x, _ in rows)))
    assert as_json("compare", path)["pairs"][0]["result"]["p_value"] == WILCOXON


REFUSED = {
    "metrics for models": (wide("fold,accuracy,F1,AUC", COUNT, A, B, C), "--models"),
    "a board": (
        long("Model,Top-1 Acc,Top-5 Acc", ("ResNet", 76.1, 92.9), ("ViT", 77.9, 93.5)),
        "one value of Top-1 Acc",
    ),
    "a board of one metric": (
        long("method,score", ("ResNet", 0.761), ("ViT", 0.779)),
        "no test can be made of one value",
    ),
    "only a seed beside one model": (wide("seed,A", COUNT, A), "not taken for models: 'seed'"),
    "a gap": (wide("dataset,A,B", SETS, A, [*B[:3], "", *B[4:]]), "line 5, column 'B' is missing"),
    "a gap called NaN": (wide("dataset,A,B", SETS, A, [*B[:3], "NaN", *B[4:]]), "--models"),
    "a gap in a long file": (
        long("model,dataset,score", ("A", "iris", 0.8), ("B", "iris", 0.7), ("A", "zoo", 0.6)),
        "'B' has no value for dataset zoo",
    ),
    "twice in a long file": (
        long("model,dataset,score", ("A", "iris", 0.8), ("B", "iris", 0.7), ("A", "iris", 0.6)),
        "a second value of 'A' for dataset iris",
    ),
    "no pairs in a long file": (
        long("model,score", ("A", 0.8), ("A", 0.7), ("B", 0.7), ("B", 0.6)),
        "belong together",
    ),
    "several metrics in a long file": (
        long("model,dataset,acc,f1", ("A", "iris", 0.8, 0.7), ("B", "iris", 0.7, 0.6)),
        "say --metric",
    ),
    "runs that are not complete": (wide("fold,A,B", [1, 2, 3, 1, 2], A[:5], B[:5]), "5 rows of 3 folds"),
    "training and test rows": (wide("split,A,B", ["train", "test"] * 3, A, B), "keep the test rows"),
    "a word in a column of numbers": (wide("dataset,A,B", SETS, A, [*B[:5], "tbd"]), "holds 'tbd'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_the_advice_that_helps(tmp_path: Path, name: str) -> None:
    text, message = REFUSED[name]
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(ScoreproofError) as caught:
        run("compare", path)
    assert message in str(caught.value)
    assert "expected" in str(caught.value)


def test_the_truth_is_never_a_model(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    path.write_text(wide("y_true,A,B", [0, 1, 0, 1, 1, 0], A, B))
    assert as_json("compare", path)["test"] == "DeLong test"
    with pytest.raises(ScoreproofError, match="makes these predictions"):
        run("compare", path, "--test", "wilcoxon")
    assert (
        as_json("compare", path, "--test", "wilcoxon", "--models", "A,B")["pairs"][0]["result"]["p_value"] == WILCOXON
    )


def test_recommend_reads_files_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(wide("repeat,fold,A,B", REPS, NUMBERS, FIRST, SECOND))
    found = as_json("recommend", path)
    assert (found["values"], found["models"], found["function"]) == ("folds", 2, "corrected_resampled_t")


def test_what_papers_print(tmp_path: Path) -> None:
    path = tmp_path / "published.csv"
    path.write_text("model,accuracy\nU-Net,0.757\nInception,0.732\n")
    found = as_json("compare", path, "--values", "published", "--metric", "accuracy", "--cases", 600)
    assert found["recommendation"]["function"] == "attainable_mcnemar"
    path.write_text("model,AUC\nU-Net,0.845\nInception,0.821\n")
    options = ["--values", "published", "--metric", "AUC", "--positives", 300]
    found = as_json("compare", path, *options, "--negatives", 300)
    assert found["pairs"][0]["result"]["p_value"] == st.hanley_mcneil_test(0.845, 0.821, 300, 300).p_value
    with pytest.raises(ScoreproofError, match="--negatives"):
        run("compare", path, *options)
    path.write_text("model,tp,fp,fn,tn\nU-Net,261,107,39,193\nInception,226,87,74,213\n")
    found = as_json("compare", path, "--values", "matrices")
    assert [p["what"] for p in found["pairs"]] == ["sensitivity", "specificity"]
    assert found["pairs"][0]["better"] == "U-Net"
    assert any("was not published" in note for note in found["notes"])


def test_predictions_of_several_classes_and_of_numbers(tmp_path: Path) -> None:
    path = tmp_path / "predictions.csv"
    truth = ["cat", "dog", "owl", "cat", "dog", "owl", "cat", "dog"]
    path.write_text(wide("image,label,A,B", range(8), truth, truth, [*truth[2:], "cat", "cat"]))
    assert as_json("compare", path)["recommendation"]["test"] == "McNemar test of correct predictions"
    found = as_json("compare", path, "--metric", "macro f1")
    assert found["test"] == "Permutation test of predictions"
    assert [m["name"] for m in found["models"]] == ["A", "B"]
    path.write_text(wide("y_true,A,B", [x + 0.05 for x in C], A, B))
    found = as_json("compare", path)
    gaps = [np.abs(np.array(v) - np.array([x + 0.05 for x in C])) for v in (A, B)]
    assert [m["main"]["value"] for m in found["models"]] == pytest.approx([gap.mean() for gap in gaps])
    assert found["pairs"][0]["result"]["p_value"] == st.permutation_test(*gaps, studentized=True).p_value


def test_models_on_different_cases(tmp_path: Path) -> None:
    path = tmp_path / "groups.csv"
    path.write_text(long("model,score", *(("A", x) for x in A), *(("B", x) for x in B[:4])))
    found = as_json("compare", path, "--unpaired")
    assert found["test"] == "Mann-Whitney test"
    assert found["pairs"][0]["result"]["p_value"] == st.mann_whitney(A, B[:4]).p_value
    path.write_text(wide("A,B,C", A, [*B[:4], "", ""], C))
    assert as_json("compare", path, "--unpaired")["test"] == "Kruskal-Wallis test"
    welch = as_json("compare", path, "--unpaired", "--test", "welch", "--models", "A,B")
    assert welch["pairs"][0]["result"]["p_value"] == st.welch_t(A, B[:4]).p_value
    for test, function in (("levene", st.levene), ("f-test", st.f_test), ("bartlett", st.bartlett)):
        options = ["--unpaired", "--question", "variance", "--test", test, "--models", "A,B"]
        assert as_json("compare", path, *options)["pairs"][0]["result"]["p_value"] == function(A, B[:4]).p_value
    with pytest.raises(ScoreproofError, match="--unpaired"):
        run("compare", path, "--test", "kruskal", "--models", "A,C")
