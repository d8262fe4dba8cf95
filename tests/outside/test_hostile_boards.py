"""Boards, wide tables and many rows: what is too large is refused before the work, in words."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

import scoreproof as sp
from scoreproof.errors import LimitExceeded, UnreadableInput
from scoreproof.limits import Limits, within
from scoreproof.papers.relations.grid import MOST_COLUMNS, views
from scoreproof.serve import desk

GRID = [["Method", "Acc", "Sens"], *([["A", "0.90", "0.80"]] * 9)]


def looked_at(**table: object) -> dict[str, object]:
    specification = {
        "datasets": {"d": {"p": "30", "n": "50"}},
        "experiments": {"t": {"dataset": "d"}},
        "tables": [{**table, "experiment": "t"}],
    }
    limits = Limits(page_rows=9).to_dict()
    return desk.answer({"verb": "look", "specification": specification, "limits": limits}, b"", print)


@pytest.mark.parametrize(
    "table", [{"grid": GRID}, {"text": "\n".join(map(",".join, GRID))}], ids=["grid", "text"]
)  # fmt: skip
def test_the_page_refuses_more_rows_than_anybody_waits_for(table: dict[str, object]) -> None:
    with within(Limits()):
        words = str(looked_at(**table)["error"])
    assert "10 rows to answer about while you wait (a full report takes more), at most 9" in words
    assert "--allow page_rows=10" in words


def test_a_board_that_unpacks_to_more_is_not_unpacked(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    board = tmp_path / "board.parquet"
    parquet.write_table(arrow.table({"model": ["x" * 3_000_000], "acc": [0.5]}), board, use_dictionary=False)
    assert board.stat().st_size < 400_000
    with within(Limits(unpacked_megabytes=1)), pytest.raises(LimitExceeded, match="megabytes when unpacked, at most 1"):
        sp.read_tables(board)


def test_columns_are_compared_with_each_other_up_to_a_number_of_them() -> None:
    rng = random.Random(1)
    for count, upright in ((MOST_COLUMNS, True), (MOST_COLUMNS + 1, False)):
        head = ",".join(["Method", *(f"Task{k}" for k in range(count))])
        lines = [",".join([f"m{j}", *(f"0.{rng.randrange(1000):03}" for _ in range(count))]) for j in range(3)]
        (table,) = sp.read_tables("\n".join([head, *lines]) + "\n")
        assert [view.turned for view in views(table)] == ([False, True] if upright else [True])


def test_a_folder_whose_links_lead_out_of_it_is_read_without_them_and_says_so(tmp_path: Path) -> None:
    folder, secret = tmp_path / "cards", tmp_path / "secret.csv"
    folder.mkdir()
    secret.write_text("Method,Acc\nswordfish,0.91\n")
    (folder / "out.csv").symlink_to(secret)
    with pytest.raises(UnreadableInput, match=r"no document .*links that lead out of the folder: out\.csv"):
        sp.batch(folder, tmp_path / "none")
    (folder / "own.csv").write_text("Method,Acc\nA,0.90\n")
    (folder / "alias.csv").symlink_to(folder / "own.csv")
    result = sp.batch(folder, tmp_path / "out")
    assert [row["document"] for row in result.table().to_pylist()] == ["alias.csv", "own.csv"]
    assert result.notes[-1] == "not read, because they are links that lead out of the folder: out.csv"
    assert "swordfish" not in result.to_json()


def test_a_name_that_is_no_text_is_refused_in_words(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"r\xe9sults.csv")).write_text("Method,Acc\nA,0.90\n")
    except OSError:
        pytest.skip("this file system has no such names")
    with pytest.raises(UnreadableInput, match="is not written in UTF-8; rename it"):
        sp.batch(tmp_path, tmp_path / "out")
