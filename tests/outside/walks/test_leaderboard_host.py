"""A host of a leaderboard: which submission cannot be, and what the top is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.outside.walks.steps import Walk

CASES = 1000
RIGHT = (931, 928, 927, 925, 921, 917, 911, 902, 893, 880)


def test_a_board_of_accuracies(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    board, test_set = tmp_path / "board.csv", tmp_path / "test_set.yaml"
    entries = [(f"team {place}", f"{right / CASES:.4f}") for place, right in enumerate(RIGHT, 1)]
    entries.insert(3, ("late team", "0.9265"))  # 926 and 927 of 1,000 are 0.9260 and 0.9270
    board.write_text("team,accuracy\n" + "".join(f"{team},{score}\n" for team, score in entries), encoding="utf-8")
    test_set.write_text(f"{{type: testset, p: 400, n: {CASES - 400}}}\n", encoding="utf-8")
    walk = Walk(tmp_path)
    read = walk.run("batch", board, tmp_path / "out", "--experiment", test_set, "--source", "team", "--json", status=1)
    document = json.loads(read)
    assert document["verdicts"] == {"consistent": len(RIGHT), "inconsistent": 1}
    (refuted,) = document["refutations"]
    assert refuted["source"] == "late team", "no honest entry is accused"
    assert refuted["finding"].startswith("accuracy 0.9265 is not possible with 1,000 cases: 926 of 1,000 is 0.9260")
    read = walk.run("sota", board, "--cases", CASES, "--top", 3, status=0)
    assert "9 of 11 entries cannot be told from the top on 1,000 cases" in " ".join(read.split())
    assert "1 scores are those of no whole number of 1,000 cases" in " ".join(read.split())
    assert len(walk.steps) == 2
