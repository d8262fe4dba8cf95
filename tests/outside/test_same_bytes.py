"""The same input gives the same bytes: reports, JSON and certificates of two processes whose hashes and clocks differ.

Rows with folds are among them, which are searched, and explanations: one process thinks that it is on a machine thirty
times as fast as the other. How fast the machine really is, and what else it does, is seen by neither.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

SPECIFICATION = {
    "title": "The same twice",
    "datasets": {"cases": {"p": 100, "n": 200}},
    "experiments": {"test": {"dataset": "cases"}, "folds": {"dataset": "cases", "folds": 5}},
    "tables": [
        {
            "name": "Table 1",
            "experiment": "test",
            "grid": [
                ["Method", "Acc", "Sens", "Spec", "F1"],
                ["A", "0.9567", "0.8545", "0.9734", "0.91"],
                ["B", "0.8000", "0.7500", "0.8250", "0.71"],
            ],
        },
        {"name": "Table 2", "experiment": "test", "grid": [["Method", "Acc", "F1"], ["C", "0.8133", "0.72"]]},
        {
            "name": "Table 3",
            "experiment": "folds",
            "grid": [
                ["Method", "Acc", "Sens", "F1"],
                ["D", "0.8133", "0.7400", "0.7251"],
                ["E", "0.9133", "0.74", "0.71"],
            ],
        },
    ],
    "claims": [{"best": "B", "by": "sens", "table": "Table 1"}],
}
COMMAND = """
import sys
from scoreproof.cli import main
from tests.clock import count_work

count_work(float(sys.argv.pop(1)))
main()
"""
OUTPUTS = {"--html": "page.html", "--latex": "table.tex", "--text": "words.txt", "--certificates": "proofs"}


def written(folder: Path, seed: str, speed: str) -> dict[str, bytes]:
    """All that an audit writes and says in a process of its own."""
    folder.mkdir()
    (folder / "paper.json").write_text(json.dumps(SPECIFICATION))
    options = [part for option, name in OUTPUTS.items() for part in (option, name)]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, speed, "audit", "paper.json", "--jobs", "1", "--json", *options],
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr.decode()
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {**files, "what is said": done.stdout}


def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    first, second = written(tmp_path / "a", "1", speed="1"), written(tmp_path / "b", "2", speed="30")
    assert {"page.html", "table.tex", "words.txt", "what is said"} <= set(first)
    assert any(name.startswith("proofs/") for name in first)
    assert first.keys() == second.keys()
    assert b"cannot stand together" in first["what is said"]
    assert [name for name in first if first[name] != second[name]] == []
