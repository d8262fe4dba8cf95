"""The way of one audited row through the house: few files, one decision per reading, and pages that ask nothing."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import scoreproof as sp
from scoreproof.documents import read_tables
from scoreproof.papers import collecting

ROOT = Path(sp.__file__).parent
MOST_FILES = 69


def traced(call: Callable[[], Any]) -> tuple[Any, Counter[str], Counter[str]]:
    """What a call returns, the files of the house it runs through, and its calls of ``decide`` by file."""
    files: Counter[str] = Counter()
    decisions: Counter[str] = Counter()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            file = str(Path(code.co_filename).relative_to(ROOT))
            files[file] += 1
            if code.co_name == "decide" and file.endswith("kind.py"):
                decisions[file] += 1

    sys.setprofile(watch)
    try:
        result = call()
    finally:
        sys.setprofile(None)
    return result, files, decisions


def paper(accuracy: str, **experiment: Any) -> dict[str, Any]:
    return {
        "options": {"strict": True},
        "datasets": {"cases": {"p": 100, "n": 600}},
        "experiments": {"test": {"dataset": "cases", **experiment}},
        "tables": [
            {"experiment": "test", "grid": [["Method", "Acc", "NPV", "F1"], ["A", accuracy, "0.9401", "0.4004"]]}
        ],
    }


@pytest.mark.parametrize("accuracy", ["0.6801", "0.6814"])
def test_a_row_crosses_few_files_and_is_decided_once(accuracy: str) -> None:
    spec = paper(accuracy)
    sp.audit(spec, explain=False, strength=False)  # what is read or loaded once is not of this row
    result, files, decisions = traced(lambda: sp.audit(spec, explain=False, strength=False))
    assert len(result.rows()[0].readings) == 1
    assert sum(decisions.values()) == 1
    assert len(files) <= MOST_FILES, sorted(files)


def test_each_reading_is_decided_once() -> None:
    spec = paper("0.6814", folds=3, stratified="unknown", aggregation="unknown")
    result, _, decisions = traced(lambda: sp.audit(spec, explain=False, strength=False, jobs=1, budget=20))
    assert len(result.rows()[0].readings) == 3
    assert sum(decisions.values()) == 3


def test_a_document_is_read_once_for_all_its_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = "| Method | Acc |\n|---|---|\n| A | 0.9 |\n"
    (tmp_path / "paper.md").write_text("\n\n".join([table] * 13), encoding="utf-8")
    read: list[Any] = []
    monkeypatch.setattr(
        collecting, "read_tables", lambda source, **more: read.append(source) or read_tables(source, **more)
    )
    spec = {
        "datasets": {"cases": {"p": 10, "n": 20}},
        "experiments": {"test": {"dataset": "cases"}},
        "tables": [
            {"file": str(tmp_path / "paper.md"), "table": number, "experiment": "test"} for number in range(1, 14)
        ],
    }
    assert len(sp.audit(spec, explain=False, strength=False).rows()) == 13
    assert len(read) == 1
