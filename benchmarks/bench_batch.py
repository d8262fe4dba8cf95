"""Batches of ten thousand to a million rows beside calling mlscorecheck row by row, with proofs kept.

``python -m benchmarks batch`` measures everything that was promised of batches, in about five minutes of an idle
machine; BATCH_ROWS=100000 in the environment leaves out the million. Costs are processor seconds of this process and
its workers together, the peer's in turns with ours; the speed-up and the page are wall-clock, beside the load.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import scoreproof as sp
from benchmarks.bench_audit import Report, reports
from benchmarks.bench_report import audit_of
from benchmarks.browser import chrome
from benchmarks.measure import Row
from scoreproof.pages import to_html

_SIZES = (10_000, 100_000, 1_000_000)
_MOST = int(os.environ.get("BATCH_ROWS", "1000000"))
_MADE = 100_000  # reports that are made; beyond them they come again
_ENGINE_ROWS = 100_000  # as many as a million rows have that a look at the named matrix does not decide
_PEER_ROWS = 600
_FOLD_ROWS = 20_000
_TURNS = 3
_PAGE_ROWS = 100_000
_KILLS = 30
_MEGABYTES = 500
_HEADER = ("study", "p", "n", "acc", "sens", "spec", "ppv", "npv", "f1")
_RUN = """
import resource, sys, time, scoreproof
start = time.perf_counter()
scoreproof.batch(sys.argv[1], sys.argv[2], pool=int(sys.argv[3]))
wall = time.perf_counter() - start
if int(sys.argv[3]) > 1:
    from joblib.externals.loky import get_reusable_executor
    get_reusable_executor().shutdown(wait=True)
own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
print(own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime, wall, own.ru_maxrss / 1024)
"""


@dataclass(frozen=True, slots=True)
class _Cost:
    """Processor seconds with everything that starts, seconds by the clock without, and the peak of memory."""

    seconds: float
    wall: float
    megabytes: float


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = reports(min(_MOST, _MADE))
        costs: dict[int, _Cost] = {}
        for size in (size for size in _SIZES if size <= _MOST):
            source = _written(folder / f"{size}.csv", made, size)
            yield _beside_peer(folder, source, made, size, costs)
            source.unlink()
        yield from _in_all(costs)
        yield _engine_rows(
            folder, reports(min(_MOST, _ENGINE_ROWS), seed=3, one_in=1), "that only an engine refutes", 15
        )
        unnamed = [(p, n, {name: scores[name] for name in ("acc", "npv", "f1")}) for p, n, scores in made[: _MADE // 5]]
        yield _engine_rows(folder, unnamed, "with one rate and other scores (acc, npv, f1)", None)
        yield _speed_up(folder)
        yield _page(folder)
        yield _kills()


def _written(path: Path, made: list[Report], size: int) -> Path:
    """So many rows; beyond those that were made they come again."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow([name for name in _HEADER if name in ("study", "p", "n") or name in made[0][2]])
        for index in range(size):
            p, n, scores = made[index % len(made)]
            writer.writerow([f"study {index % 500}", p, n, *scores.values()])
    return path


def _batch(source: Path, out: Path, workers: int) -> _Cost:
    command = [sys.executable, "-c", _RUN, str(source), str(out), str(workers)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return _Cost(*map(float, ran.stdout.split()))


def _side_by_side(source: Path, out: Path, made: list[Report]) -> tuple[_Cost, float]:
    """What a batch costs, and what the peer takes for one row, half before and half after it."""
    sample = random.Random(1).sample(made, min(len(made), _PEER_ROWS))
    theirs = _peer(sample)
    ours = _batch(source, out, 1)
    return ours, (theirs + _peer(sample)) / (2 * len(sample))


def _peer(made: list[Report]) -> float:
    from mlscorecheck.check.binary import check_1_testset_no_kfold

    start = time.process_time()
    for p, n, scores in made:
        values = {name: float(text) for name, text in scores.items()}
        check_1_testset_no_kfold(testset={"p": p, "n": n}, scores=values, eps=1e-4)
    return time.process_time() - start


def _beside_peer(folder: Path, source: Path, made: list[Report], size: int, costs: dict[int, _Cost]) -> Row:
    out = folder / f"out-{size}"
    costs[size], theirs = _side_by_side(source, out, made)
    ours = costs[size].seconds / size
    parts = list(out.glob("part-*"))
    megabytes = sum(part.stat().st_size for part in parts) / 2**20
    note = (
        f"{1 / ours:,.0f} rows/s, theirs {1 / theirs:,.0f}; {costs[size].seconds:.1f} s in all, at most "
        f"{costs[size].megabytes:.0f} MB; {len(parts)} parts of {megabytes:.1f} MB"
    )
    promised = 40 if size == max(_SIZES) else None
    return Row(f"one row of {size:,}, with proofs", ours, theirs, promised_ratio=promised, note=note)


def _in_all(costs: dict[int, _Cost]) -> Iterator[Row]:
    """What the largest costs as a whole, and how the cost of a row changes when there are ten times as many."""
    largest = max(costs)
    promised = 60.0 if largest == max(_SIZES) else None
    yield Row(f"all {largest:,} rows", costs[largest].seconds, promised_seconds=promised, note="processor time")
    share = costs[largest].megabytes / _MEGABYTES
    yield Row(f"memory, as a share of {_MEGABYTES} MB", rate=share, promised_rate=1.0, note=f"{largest:,} rows")
    steps = [
        f"{low:,} to {high:,}: {(costs[high].seconds - costs[low].seconds) / (high - low) * 1e6:.1f} µs a further row"
        for low, high in pairwise(sorted(costs))
    ]
    yield Row("growth (linear if these are alike)", note="; ".join(steps) or "one size only")


def _engine_rows(folder: Path, made: list[Report], words: str, promised: float | None) -> Row:
    """Rows without a named matrix that fits, proofs kept and verified; what ten rows take is taken off."""
    place = folder / f"engine-{len(made[0][2])}"
    source = _written(place.with_suffix(".csv"), made, len(made))
    few = _batch(_written(folder / "few.csv", made, 10), folder / f"few-{len(made[0][2])}", 1)
    ours, theirs = _side_by_side(source, place, made)
    each = (ours.seconds - few.seconds) / (len(made) - 10)
    verdicts = sp.open_batch(place).verdicts
    note = f"{len(made):,} rows: " + ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.items())
    return Row(f"one row {words}", each, theirs, promised_ratio=promised, note=f"{note}; starting up taken off")


def _speed_up(folder: Path) -> Row:
    """Fold rows in one process and in two."""
    rng = random.Random(1)
    path = folder / "folds.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("p", "n", "folds", "acc", "sens", "spec", "f1"))
        for _ in range(_FOLD_ROWS):
            tp, tn = rng.randint(600, 900), rng.randint(4000, 5500)
            matrix = sp.ConfusionMatrix(tp, 6000 - tn, 1000 - tp, tn)
            writer.writerow((1000, 6000, 5, *(matrix.score(name, digits=4) for name in ("acc", "sens", "spec", "f1"))))
    turns = [
        [_batch(path, folder / f"folds-{turn}-{workers}", workers) for workers in (1, 2)] for turn in range(_TURNS)
    ]
    alone, shared = sorted(turns, key=lambda pair: pair[0].wall / pair[1].wall)[_TURNS // 2]
    words = f"{_FOLD_ROWS:,} rows of 5 folds of (1000, 6000), four scores: two processes beside one"
    others = ", ".join(f"{one.wall / two.wall:.2f}" for one, two in turns)
    note = f"by the clock, {_load()}; middle of {others}; processor time {alone.seconds:.1f}, {shared.seconds:.1f} s"
    return Row(words, shared.wall, alone.wall, promised_ratio=1.6, note=note)


def _page(folder: Path) -> Row:
    """An audit of so many rows as a page, opened."""
    words = f"the page of an audit of {_PAGE_ROWS:,} rows opens in Chromium"
    file = folder / "audit.html"
    file.write_text(to_html(audit_of(_PAGE_ROWS)), encoding="utf-8")
    browser = chrome(folder)
    if browser is None:
        return Row(words, note="not measured: there is no Chromium here (tools/browser.sh)")
    try:
        browser.get("about:blank")
        start = time.perf_counter()
        browser.get(file.as_uri())
        seconds = time.perf_counter() - start
    finally:
        browser.quit()
    return Row(words, seconds, promised_seconds=5, note=f"by the clock, {_load()}; {file.stat().st_size / 1e6:.0f} MB")


def _kills() -> Row:
    """Ended at random and begun again; what differs at the end as a share of all."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.batch_kills",
        "--rows",
        str(min(_MOST, 100_000)),
        "--kills",
        str(_KILLS),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    note = ran.stdout.strip().rpartition("\n")[2] or ran.stderr.strip()[-200:]
    return Row(
        f"{_KILLS} random kills (kill -9): other bytes", rate=float(ran.returncode != 0), promised_rate=0.0, note=note
    )


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
