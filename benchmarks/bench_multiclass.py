"""Reports on several classes: whole ones, averages alone, and where mlscorecheck does not come back."""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import scoreproof as sp
from benchmarks.measure import Row

_LIMIT = 10  # seconds for the peer


def matrix(rng: np.random.Generator, classes: int, cases: int, right: float) -> Any:
    """A confusion matrix with about this accuracy and classes of different sizes."""
    sizes = np.maximum(2, (rng.dirichlet(np.full(classes, 5.0)) * cases).astype(int))
    rows = []
    for i, n in enumerate(sizes):
        shares = rng.dirichlet(np.full(classes, (1 - right) / (classes - 1)) * 8 + 0.05)
        shares[i] = 0
        shares = shares / shares.sum() * (1 - right)
        shares[i] = right
        rows.append(rng.multinomial(n, shares / shares.sum()))
    return np.array(rows)


def scores_of(cells: Any, digits: int, *, whole: bool) -> dict[str, Any]:
    """The report of a matrix: every class and average, or macro averages, accuracy and kappa alone."""
    n, q, tp = cells.sum(1), cells.sum(0), np.diag(cells)
    total, right, chance = int(n.sum()), int(tp.sum()), float((n * q).sum())
    each = {"ppv": np.where(q > 0, tp / np.maximum(q, 1), 0), "sens": tp / n, "f1": 2 * tp / (n + q)}
    text = f"{{:.{digits}f}}".format
    report: dict[str, Any] = {"acc": text(right / total)}
    report |= {f"macro {name}": text(values.mean()) for name, values in each.items()}
    if whole:
        report |= {name: [text(value) for value in values] for name, values in each.items()}
        report |= {f"weighted {name}": text((n * values).sum() / total) for name, values in each.items()}
    else:
        report["kappa"] = text((total * right - chance) / (total**2 - chance))
    return report


def moved(report: dict[str, Any], units: int, chance: random.Random) -> dict[str, Any]:
    """One average changed by some units of the last digit."""
    name = chance.choice([name for name, value in report.items() if isinstance(value, str)])
    digits = len(report[name].partition(".")[2])
    return report | {name: f"{float(report[name]) + chance.choice((-1, 1)) * units * 10**-digits:.{digits}f}"}


def answered(cases: list[tuple[list[int], dict[str, Any]]], budget: float) -> tuple[list[float], int]:
    """The time of every check on the processor, and how many were decided within a second of it."""
    times, decided = [], 0
    for counts, report in cases:
        start = time.process_time()  # other programs do not count
        answer = sp.check(
            sp.MultiClass(counts), report, rounding="nearest", macro_f1="mean", budget=budget, strict=True
        )
        times.append(time.process_time() - start)
        decided += answer.verdict != "undecided" and times[-1] <= 1
    return times, decided


def whole_reports(classes: int, total: int, number: int) -> tuple[list[float], int]:
    rng, chance = np.random.default_rng(1), random.Random(1)
    cases = []
    for _ in range(number):
        cells = matrix(rng, classes, total, float(rng.choice([0.7, 0.85, 0.95])))
        report = scores_of(cells, 2, whole=True)
        cases += [(cells.sum(1).tolist(), report), (cells.sum(1).tolist(), moved(report, 1, chance))]
    return answered(cases, 10)


def averages_alone(number: int, digits: int) -> tuple[list[float], int]:
    rng, chance = np.random.default_rng(2), random.Random(2)
    cases = []
    for _ in range(number):
        cells = matrix(rng, 10, 10_000, float(rng.choice([0.85, 0.9, 0.97])))
        report = scores_of(cells, digits, whole=False)
        cases += [(cells.sum(1).tolist(), report), (cells.sum(1).tolist(), moved(report, 5, chance))]
    return answered(cases, 6)


_PEER = """
import json, logging, sys, time
logging.disable(logging.INFO)
from mlscorecheck.check.multiclass import check_1_testset_no_kfold_macro as check
counts, scores, eps = json.loads(sys.argv[1])
start = time.perf_counter()
check(testset={int(at): n for at, n in enumerate(counts)}, scores=scores, eps=eps)
open(sys.argv[2], "w").write(str(time.perf_counter() - start))
"""


def peer_seconds(counts: list[int], scores: dict[str, float], eps: float) -> float | None:
    """How long mlscorecheck takes, at most the limit; None where it is not installed.

    Its solver is a program of its own that outlives the process which started it, so both are ended, as one group.
    """
    if find_spec("mlscorecheck") is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "seconds"
        given = json.dumps([counts, scores, eps])
        process = subprocess.Popen(
            [sys.executable, "-c", _PEER, given, str(told)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(_LIMIT)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return float(_LIMIT)
        return float(told.read_text()) if told.exists() else None


def beside_the_peer() -> list[Row]:
    """Reports on five classes as the peer takes them, moved a little: it answers some and hangs on others."""
    counts = [146, 80, 105, 13, 183]
    made = []
    for acc, sens, spec in ((0.776, 0.8839, 0.7641), (0.9093, 0.7719, 0.9432), (0.9091, 0.7719, 0.9432)):
        texts = {"ovr acc": f"{acc:.4f}", "macro sens": f"{sens:.4f}", "macro spec": f"{spec:.4f}"}
        start = time.perf_counter()
        answer = sp.check(sp.MultiClass(counts), texts, rounding="nearest", strict=True)
        ours = time.perf_counter() - start
        peer = peer_seconds(counts, {"acc": acc, "sens": sens, "spec": spec}, 0.00005)
        hangs = peer is not None and peer >= _LIMIT
        note = f"{answer.verdict}; {'the peer did not answer' if hangs else ''}".strip("; ")
        made.append(Row(f"macro scores {', '.join(texts.values())} of five classes", ours, peer, note=note))
    return made


def rows() -> list[Row]:
    """What ``python -m benchmarks multiclass`` prints."""
    whole_reports(3, 100, 1)  # loads what is loaded once
    made = []
    for classes, total, number, promised in ((5, 500, 10, 0.02), (20, 2_000, 10, 0.02), (100, 10_000, 5, 0.3)):
        times, _ = whole_reports(classes, total, number)
        name = f"a whole report on {classes} classes, {total} cases, true or moved"
        made.append(Row(name, statistics.median(times), promised_seconds=promised))
    for digits in (3, 4):
        times, decided = averages_alone(25, digits)
        name = f"averages, accuracy, kappa alone to {digits} digits: 10 classes, 10,000 cases"
        made.append(Row(f"{name}, not decided in 1 s", rate=1 - decided / len(times), promised_rate=0.05))
    return made + beside_the_peer()
