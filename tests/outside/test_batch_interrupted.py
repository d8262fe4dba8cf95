"""Batches that are ended anywhere go on from there, and end with the same bytes; workers may die on the way."""

from __future__ import annotations

import fcntl
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import distributed
import pyarrow as pa
import pytest
from batch_frames import HEADER, content, reports, write_csv

import scoreproof as sp
from scoreproof.batches import running
from scoreproof.batches.deciding import RowAnswer
from scoreproof.batches.running import Store
from scoreproof.errors import InvalidOption, WorkersDied
from scoreproof.limits import Limits, within
from scoreproof.work.pool import Pool, pool_of

KILLED = """
import os, signal, sys
import scoreproof
left = int(sys.argv[3])
def written(event, arguments):
    global left
    if event == "os.rename":  # a file takes its place
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(written)
scoreproof.batch(sys.argv[1], sys.argv[2], rows_per_part=40)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, bytes]]:
    """A frame with costly rows, and what an uninterrupted batch of it leaves."""
    folder = tmp_path_factory.mktemp("whole")
    source = write_csv(folder / "reports.csv", reports(400, folds_every=25))
    sp.batch(source, folder / "out", rows_per_part=40)
    return source, content(folder / "out")


def test_a_batch_killed_three_times_ends_with_the_same_bytes(
    whole: tuple[Path, dict[str, bytes]], tmp_path: Path
) -> None:
    source, wanted = whole
    out = tmp_path / "out"
    for files in random.Random(1).sample(range(2, 8), 3):  # so many are written when it is ended
        done = subprocess.run([sys.executable, "-c", KILLED, source, out, str(files)], check=False)
        assert done.returncode == -signal.SIGKILL
    result = sp.batch(source, out, rows_per_part=40)
    assert result.decided_now < 400
    assert content(out) == wanted


def test_nothing_is_done_twice(whole: tuple[Path, dict[str, bytes]], tmp_path: Path, monkeypatch: Any) -> None:
    source, _ = whole
    asked: list[int] = []
    decide: Callable[..., Any] = sp.batches.running.answer_row  # type: ignore[attr-defined]

    def failing(settings: Any, row: Any) -> Any:
        asked.append(len(asked))
        if len(asked) == 7:
            raise KeyboardInterrupt
        return decide(settings, row)

    monkeypatch.setattr("scoreproof.batches.running.answer_row", failing)
    with pytest.raises(KeyboardInterrupt):
        sp.batch(source, tmp_path / "out", rows_per_part=40)
    result = sp.batch(source, tmp_path / "out", rows_per_part=40)
    assert len(asked) == 16 + 1  # the one that was interrupted is asked again
    assert result.decided_now == 16 - 6
    assert result.rows == 400


def test_processes_give_the_same_bytes(whole: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    source, wanted = whole
    sp.batch(source, tmp_path / "out", rows_per_part=40, pool=2)
    assert content(tmp_path / "out") == wanted


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    source = write_csv(tmp_path / "a.csv", reports(5))
    sp.batch(source, tmp_path / "out")
    handle = os.open(tmp_path / "out", os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(InvalidOption, match="another run"):
        sp.batch(source, tmp_path / "out")
    os.close(handle)


def dies_once(number: int, mark: str) -> int:
    if number == 3 and not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_dies(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_the_task_of_a_dead_worker_is_done_again(tmp_path: Path) -> None:
    calls = [(dies_once, (number, str(tmp_path / "mark"))) for number in range(12)]
    assert list(Pool(2).results(calls)) == [number * number for number in range(12)]
    with pytest.raises(WorkersDied, match="fewer workers"):
        list(Pool(2).results([(always_dies, (number,)) for number in range(6)]))


def test_scores_of_ones_own_travel_with_the_work() -> None:
    factor = 1
    sp.register("share of hits", lambda tp, fp, fn, tn: (factor * tp, tp + fp + fn + tn))
    try:
        rows = [("30", "60", "5", "0.80", f"0.2{k}") for k in range(4)]
        frame = pa.table(
            dict(zip(("p", "n", "folds", "acc", "share of hits"), map(list, zip(*rows, strict=True)), strict=True))
        )
        alone, shared = (sp.batch(frame, pool=workers).table().to_pylist() for workers in (1, 2))
        assert shared == alone
        assert {row["verdict"] for row in alone} <= {"consistent", "inconsistent"}
        lock = threading.Lock()
        sp.register("cannot travel", lambda tp, fp, fn, tn: (tp, tp + fn) if lock else (tn, fp + tn))
        try:
            with pytest.raises(InvalidOption, match="cannot be sent to other processes"):
                sp.batch(frame, pool=2)
        finally:
            sp.unregister("cannot travel")
    finally:
        sp.unregister("share of hits")


def test_a_cluster_gives_the_same_though_a_worker_dies(whole: tuple[Path, dict[str, bytes]], tmp_path: Path) -> None:
    source, wanted = whole
    killed: list[int] = []
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):

        def progress(done: int, total: int, what: str) -> None:
            if not killed:
                killed.extend(client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

        result = sp.batch(source, tmp_path / "out", pool=client, progress=progress, rows_per_part=40)
        alive = set(client.run(os.getpid).values())
        curve = sp.power(sp.KFold(11, 17, 3), ["acc", "f1"], 2, trials=6, jobs=client, exact=False)
    assert killed[0] not in alive
    assert result.rows == 400
    assert content(tmp_path / "out") == wanted
    assert curve == sp.power(sp.KFold(11, 17, 3), ["acc", "f1"], 2, trials=6, jobs=1, exact=False)
    assert tuple(result.table().column_names[1:9]) == HEADER


def test_a_cluster_that_does_not_answer_is_said(monkeypatch: Any) -> None:
    monkeypatch.setattr("scoreproof.work.pool._CONNECT", 1)
    with pytest.raises(InvalidOption, match="no Dask scheduler answers"):
        pool_of("tcp://127.0.0.1:1")


@pytest.mark.parametrize(
    "kept",
    [
        b"\xff" * 99,
        b"[" * 9_999 + b"\n",
        b'{"journal": "scoreproof batch", "about": {}}\n{"key": "3", "result": {"verdict": 1}}\n{"key": 5, "result": 1}\n',
        b'{"journal": "scoreproof batch", "about": {}}\n{"key": "3", "result": []}\n',
        bytes(3 * 2**20),
    ],
    ids=["no text", "deep", "wrong keys", "wrong types", "large"],
)
def test_kept_answers_that_are_none_are_asked_again(tmp_path: Path, kept: bytes) -> None:
    store = Store(tmp_path)
    (tmp_path / "open").mkdir(parents=True)
    (tmp_path / "open" / "answers-000000.jsonl").write_bytes(kept)
    with within(Limits(data_megabytes=1)), store.answers(0) as journal:
        journal["5"] = RowAnswer("consistent")
        assert not running._is_kept(journal, 3)
        assert running._is_kept(journal, 5)
