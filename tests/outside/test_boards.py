"""Boards, model cards and results of evaluation harnesses: read as tables, audited, and batched by the folder."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import scoreproof as sp
import scoreproof.cli.batch
import scoreproof.cli.listings
from scoreproof.cli.app import main
from scoreproof.documents import read_tables
from scoreproof.documents.formats import is_document
from scoreproof.errors import ScoreproofError

RIGHT = {
    "arc_easy": (1559, 2376),
    "arc_challenge": (401, 1172),
    "piqa": (1418, 1838),
    "winogrande": (811, 1267),
    "boolq": (2101, 3270),
    "lambada": (3317, 5153),
    "sciq": (931, 1003),
}


def harness(**changed: dict[str, Any]) -> dict[str, Any]:
    """What the language model evaluation harness writes, and a score between 0 and 1 that is called accuracy, too."""
    results: dict[str, dict[str, Any]] = {"truthfulqa_mc2": {"acc,none": 0.4182737123, "acc_stderr,none": 0.0143219876}}
    for task, (right, cases) in RIGHT.items():
        share = right / cases
        error = math.sqrt(share * (1 - share) / (cases - 1))
        results[task] = {"alias": task, "acc,none": share, "acc_stderr,none": error} | changed.get(task, {})
    answered = {task: {"original": cases, "effective": cases} for task, (_, cases) in RIGHT.items()}
    return {
        "results": results,
        "n-samples": answered | {"truthfulqa_mc2": {"original": 817, "effective": 817}},
        "model_name": "a model",
    }


def status(*told: str) -> Any:
    with pytest.raises(SystemExit) as end:
        main(list(told))
    return end.value.code


def written(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_results_of_the_harness_are_a_table(tmp_path: Path) -> None:
    (table,) = read_tables(written(tmp_path, "results.json", harness()))
    assert table.rows[0] == ("task", "answers", "acc", "acc_stderr")
    assert table.rows[2] == ("arc_easy", "2376", repr(1559 / 2376), table.rows[2][3])
    assert (table.caption, table.format) == ("a model", "results")
    assert read_tables(json.dumps(harness(), indent=1))[0].rows == table.rows


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, []),
        (
            {"acc,none": 0.7814907508161044},
            ["acc is the share of the cases of its data in 6 of 7 lines; in piqa the shares next to it"],
        ),
    ],
)
def test_a_changed_number_is_named_and_proved(tmp_path: Path, changed: dict[str, float], words: list[str]) -> None:
    result = sp.audit(written(tmp_path, "results.json", harness(piqa=changed)), explain=False, strength=False)
    failing = [check for table in result.tables for check in table.checks if check.verdict == "inconsistent"]
    assert [check.words.startswith(begin) for check, begin in zip(failing, words, strict=True)] == [True] * len(words)
    assert all(sp.verify(check.certificate) for check in failing)
    assert str(result.verdict) == ("inconsistent" if words else "consistent")


def test_other_harnesses(tmp_path: Path) -> None:
    code = {"humaneval": {"pass@1": 0.2865853658536585, "pass@10": 0.5}, "config": {"n_samples": 1}}
    assert read_tables(written(tmp_path, "code.json", code))[0].rows == (
        ("task", "pass@1", "pass@10"),
        ("humaneval", "0.2865853658536585", "0.5"),
    )
    stats = [
        {
            "name": {"name": "exact_match", "split": "test"},
            "count": 1,
            "sum": 0.75,
            "sum_squared": 0.5625,
            "mean": 0.75,
        },
        {
            "name": {"name": "exact_match", "split": "test", "perturbation": {"name": "typos"}},
            "sum_squared": 0.25,
            "mean": 0.5,
        },
        {"name": {"name": "num_instances", "split": "test"}, "sum_squared": 1, "mean": 1000.0},
    ]
    assert read_tables(written(tmp_path, "stats.json", stats))[0].rows == (
        ("task", "exact_match", "answers"),
        ("test", "0.75", "1000"),
        ("test (typos)", "0.5", ""),
    )
    summary = "dataset,version,metric,mode,model-a,model-b,model-c,model-d\nopenai_humaneval,8e312c,humaneval_pass@1,gen,28.66,9.15,51.83,40.24\n"
    assert read_tables(written(tmp_path, "summary.csv", summary))[0].shape == (2, 8)


def test_a_board_in_parquet(tmp_path: Path) -> None:
    frame = pyarrow.table({"model": ["a", "b"], "GSM8K": [55.12, 60.5], "note": [None, "x"]})
    pyarrow.parquet.write_table(frame, tmp_path / "board.parquet")
    (table,) = read_tables(tmp_path / "board.parquet")
    assert table.rows == (("model", "GSM8K", "note"), ("a", "55.12", ""), ("b", "60.5", "x"))
    written(tmp_path, "broken.parquet", "PAR1 and no more")
    with pytest.raises(ScoreproofError, match="the file is damaged"):
        read_tables(tmp_path / "broken.parquet")


@pytest.mark.parametrize(
    "text", ['{"results": {"a": {"acc,none": 0.5', '{"n-samples": {}, "results": {}}', '["sum_squared", 3]']
)
def test_broken_results_are_said(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("tables", str(written(tmp_path, "results.json", text))) == 2
    assert "results.json" in capsys.readouterr().err


def test_other_json_is_a_specification(tmp_path: Path) -> None:
    assert not is_document(written(tmp_path, "paper.json", {"tables": [], "results": {"x_stderr": 1}}))
    assert not is_document(written(tmp_path, "other.json", {"name": "x"}))
    assert not is_document(tmp_path / "missing.json")
    assert is_document(written(tmp_path, "results.json", harness()))


CARD = """---
model-index:
- name: m
  results:
  - task: {type: text-generation}
    dataset: {name: ARC}
    metrics:
    - {type: accuracy, value: 55.22}
---
# A model

| Model | ARC-e | PIQA |
|---|---|---|
"""


def test_a_folder_of_cards_is_a_batch(tmp_path: Path) -> None:
    folder = tmp_path / "cards"
    folder.mkdir()
    lines = [
        f"| m{k} | {100 * right / 2376:.2f} | {100 * (right - 300) / 1838:.2f} |"
        for k, right in enumerate(range(1101, 1800, 47))
    ]
    written(folder, "README.md", CARD + "\n".join(lines) + "\n")
    written(folder, "results.json", harness())
    written(folder, "other.json", harness(piqa={"acc,none": 0.7814907508161044}))
    result = sp.batch(folder, tmp_path / "out")
    assert {row["document"]: row["verdict"] for row in result.table().to_pylist()} == {
        "README.md": "consistent", "results.json": "consistent", "other.json": "inconsistent",
    }  # fmt: skip
    number = next(row["row"] for row in result.table().to_pylist() if row["verdict"] == "inconsistent")
    assert sp.verify(result.proof(number))
    assert sp.batch(folder, tmp_path / "out").decided_now == 0
    assert status("batch", str(folder), str(tmp_path / "again"), "--column", "acc=x") == 2
    for wrong in (tmp_path / "out", tmp_path / "cards" / "none"):
        wrong.mkdir(exist_ok=True)
        assert status("batch", str(wrong), str(tmp_path / "more")) == 2
