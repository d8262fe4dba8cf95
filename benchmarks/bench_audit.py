"""A whole audit end to end, from the specification to the result, beside calling mlscorecheck row by row."""

from __future__ import annotations

import gc
import random
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Row
from scoreproof import ConfusionMatrix
from scoreproof.papers.auditing import audit

_ROWS = 10_000
_PEER_ROWS = 300
_TURNS = 12
_SCORES = ("acc", "sens", "spec", "ppv", "npv", "f1")
_HEADER = ["Method", "pos", "neg", "Acc", "Sens", "Spec", "PPV", "NPV", "F1"]
Report = tuple[int, int, dict[str, str]]


def reports(count: int, *, seed: int = 1, one_in: int = 10) -> list[Report]:
    """Reports as papers have them: six scores of a true matrix to four digits; in one of ten a score is moved."""
    rng = random.Random(seed)
    made: list[Report] = []
    for index in range(count):
        p, n = rng.randint(50, 2000), rng.randint(50, 5000)
        tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
        matrix = ConfusionMatrix(tp, n - tn, p - tp, tn)
        scores = {name: matrix.score(name, digits=4) or "n/a" for name in _SCORES}
        if index % one_in == 0:
            name = rng.choice(_SCORES)
            moved = float(scores[name]) + rng.choice((-1, 1)) * rng.randint(3, 400) / 10_000
            scores[name] = f"{min(1.0, max(0.0, moved)):.4f}"
        made.append((p, n, scores))
    return made


def grid(made: list[Report]) -> list[list[str]]:
    """The reports as a table with its counts."""
    return [_HEADER, *([f"method {i}", str(p), str(n), *scores.values()] for i, (p, n, scores) in enumerate(made))]


def rows() -> Iterator[Row]:
    made = reports(_ROWS)
    table = grid(made)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "many.csv"
        file.write_text("\n".join(map(",".join, table)) + "\n", encoding="utf-8")
        ways: list[tuple[str, dict[str, Any]]] = [
            ("in the specification", {"tables": [{"grid": table}]}),
            ("in a CSV file", {"tables": [{"file": str(file)}]}),
        ]
        for where, spec in ways:
            ours, theirs = _side_by_side(spec, made)
            note = f"{1 / ours:,.0f} rows/s; theirs {1 / theirs:,.0f}; certificates for every inconsistent row"
            yield Row(f"one row of {_ROWS:,} audited, table {where}", ours, theirs, promised_ratio=20, note=note)
        yield _memory(ways[1][1])


def _side_by_side(spec: dict[str, Any], made: list[Report]) -> tuple[float, float]:
    """Seconds per row of ours and of the peer, over many turns, so that a machine of changing speed hits both alike."""
    ours = theirs = 0.0
    sample = made[:: _ROWS // _PEER_ROWS][:_PEER_ROWS]
    for _ in range(_TURNS):
        ours += _timed(lambda: audit(spec, explain=False, strength=False))
        theirs += _peer(sample)
    return ours / (_TURNS * _ROWS), theirs / (_TURNS * _PEER_ROWS)


def _timed(call: Any) -> float:
    """CPU seconds of a call, without the rubbish of the one before and without taking its result apart again."""
    gc.collect()
    start = time.process_time()
    kept = call()
    seconds = time.process_time() - start
    del kept
    return seconds


def _peer(made: list[Report]) -> float:
    from mlscorecheck.check.binary import check_1_testset_no_kfold

    def every() -> None:
        for p, n, scores in made:
            values = {name: float(text) for name, text in scores.items()}
            check_1_testset_no_kfold(testset={"p": p, "n": n}, scores=values, eps=1e-4)

    return _timed(every)


def _memory(spec: dict[str, Any]) -> Row:
    """What is held beyond the result itself at the worst moment, as a share of the result."""
    tracemalloc.start()
    start = time.process_time()
    result = audit(spec, explain=False, strength=False)
    seconds = time.process_time() - start
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    per_row = held / len(result.rows())
    note = f"result {held / 2**20:.0f} MB ({per_row:,.0f} bytes a row), at most {peak / 2**20:.0f} MB on the way"
    return Row(f"memory of {_ROWS:,} rows (timed while tracing)", seconds, note=note)
