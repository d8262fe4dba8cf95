"""Batches of ten thousand to a million rows beside calling mlscorecheck row by row, with proofs kept.

``python -m benchmarks batch`` runs up to 100,000 rows; with BATCH_ROWS=1000000 in the environment up to a million.
Seconds are of processor time, of this process and its workers together.
"""

from __future__ import annotations

import csv
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import scoreproof as sp
from benchmarks.bench_audit import Report, reports
from benchmarks.measure import Row

_SIZES = (10_000, 100_000, 1_000_000)
_MOST = int(os.environ.get("BATCH_ROWS", "100000"))
_PEER_ROWS = 600
_TURNS = 2
_HEADER = ("study", "p", "n", "acc", "sens", "spec", "ppv", "npv", "f1")
_RUN = """
import resource, sys, time, scoreproof
start = time.process_time()
scoreproof.batch(sys.argv[1], sys.argv[2], source="study", pool=int(sys.argv[3]))
from joblib.externals.loky import get_reusable_executor
if int(sys.argv[3]) > 1:
    get_reusable_executor().shutdown(wait=True)
own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
print(own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime, own.ru_maxrss / 1024, others.ru_maxrss / 1024)
"""


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = reports(max(_SIZES[0], min(_MOST, 100_000)))
        seconds: dict[int, float] = {}
        for size in (size for size in _SIZES if size <= _MOST):
            source = _written(folder / f"{size}.csv", made, size)
            yield _beside_peer(folder, source, made, size, seconds)
            source.unlink()
        yield _growth(seconds)
        yield _engine_rows(folder)
        yield from _folds(folder)


def _written(path: Path, made: list[Report], size: int) -> Path:
    """So many rows; beyond those that were made they come again."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(_HEADER)
        for index in range(size):
            p, n, scores = made[index % len(made)]
            writer.writerow([f"study {index % 500}", p, n, *scores.values()])
    return path


def _beside_peer(folder: Path, source: Path, made: list[Report], size: int, seconds: dict[int, float]) -> Row:
    """In turns, so that a machine of changing speed hits both alike."""
    sample = random.Random(1).sample(made, _PEER_ROWS)
    turns = _TURNS if size < 100_000 else 1
    ours = theirs = 0.0
    memory = (0.0, 0.0)
    for turn in range(turns):
        theirs += _peer(sample) / len(sample)
        spent, *peaks = _batch(source, folder / f"out-{size}-{turn}", 1)
        memory = (peaks[0], peaks[1])
        ours += spent / size
        theirs += _peer(sample) / len(sample)
    ours, theirs = ours / turns, theirs / (2 * turns)
    seconds[size] = ours * size
    parts = list((folder / f"out-{size}-0").glob("part-*"))
    note = (
        f"{1 / ours:,.0f} rows/s, {ours * size:.1f} s in all, at most {memory[0]:.0f} MB; theirs {1 / theirs:,.0f}; "
        f"{len(parts)} parts of {sum(part.stat().st_size for part in parts) / 2**20:.1f} MB in all"
    )
    return Row(
        f"one row of {size:,}, with proofs", ours, theirs, promised_ratio=40 if size == max(_SIZES) else None, note=note
    )


def _batch(source: Path, out: Path, workers: int) -> tuple[float, ...]:
    """Seconds of processor time with everything that starts, and the peaks of memory."""
    ran = subprocess.run(
        [sys.executable, "-c", _RUN, str(source), str(out), str(workers)], capture_output=True, text=True, check=True
    )
    return tuple(map(float, ran.stdout.split()))


def _peer(made: list[Report]) -> float:
    from mlscorecheck.check.binary import check_1_testset_no_kfold

    start = time.process_time()
    for p, n, scores in made:
        values = {name: float(text) for name, text in scores.items()}
        check_1_testset_no_kfold(testset={"p": p, "n": n}, scores=values, eps=1e-4)
    return time.process_time() - start


def _growth(seconds: dict[int, float]) -> Row:
    """How the cost per row changes when there are ten times as many."""
    sizes = sorted(seconds)
    steps = [
        f"{low:,} to {high:,}: {seconds[high] / high / (seconds[low] / low):.2f} times the cost per row"
        for low, high in pairwise(sizes)
    ]
    return Row("growth (1 is linear; starting up is in it)", note="; ".join(steps) or "one size only")


def _engine_rows(folder: Path) -> Row:
    """Rows that no look decides: all of them have a moved score, and all proofs are kept."""
    made = [report for index, report in enumerate(reports(60_000, seed=3)) if index % 10 == 0]
    source = _written(folder / "engine.csv", made, len(made))
    theirs = _peer(made[:_PEER_ROWS]) / _PEER_ROWS
    few = _written(folder / "few.csv", made, 10)
    spent = _batch(source, folder / "engine", 1)[0] - _batch(few, folder / "few", 1)[0]
    theirs = (theirs + _peer(made[:_PEER_ROWS]) / _PEER_ROWS) / 2
    note = "starting up taken off"
    return Row("one row that only the engine decides", spent / len(made), theirs, promised_ratio=15, note=note)


def _folds(folder: Path) -> Iterator[Row]:
    """Fold rows on one and on two processes: wall-clock time, which wants an idle machine."""
    rng = random.Random(1)
    path = folder / "folds.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("p", "n", "folds", "acc", "sens", "spec", "f1"))
        for _ in range(16):
            tp, tn = rng.randint(600, 900), rng.randint(4000, 5500)
            matrix = sp.ConfusionMatrix(tp, 6000 - tn, 1000 - tp, tn)
            writer.writerow((1000, 6000, 5, *(matrix.score(name, digits=4) for name in ("acc", "sens", "spec", "f1"))))
    walls = []
    for workers in (1, 2):
        start = time.perf_counter()
        _batch(path, folder / f"folds-{workers}", workers)
        walls.append(time.perf_counter() - start)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield Row("16 rows of 5 folds, two processes beside one", walls[1], walls[0], note=f"wall-clock; {load}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    yield Row("memory of the largest process of all", note=f"{peak:.0f} MB")
