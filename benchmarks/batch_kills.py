"""A batch ended at random moments (kill -9) and begun again: the end must be the same bytes as without.

``python -m benchmarks.batch_kills --rows 100000 --kills 30 --seed 1``
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import scoreproof as sp
from benchmarks.bench_audit import reports
from benchmarks.recorded import record

_PARTS = 60
_FOLDS = 40  # rows with folds among them, each a task of its own
_RUN = "import sys, scoreproof; scoreproof.batch(sys.argv[1], sys.argv[2], rows_per_part=int(sys.argv[3]))"


def main(arguments: list[str]) -> int:
    """Status 0 if every byte is the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("--rows", 100_000), ("--kills", 30), ("--seed", 1)):
        parser.add_argument(name, type=int, default=default)
    given = parser.parse_args(arguments)
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = _written(folder / "reports.csv", given.rows, rng)
        size = -(-given.rows // _PARTS)
        sp.batch(source, folder / "whole", rows_per_part=size)
        kills = runs = 0
        while kills < given.kills and runs < 3 * given.kills:
            runs += 1
            kills += _ended(source, folder / "ended", size, rng)
            sys.stdout.write(f"\r{kills} kills, {_files(folder / 'ended')} files")
            sys.stdout.flush()
        result = sp.batch(source, folder / "ended", rows_per_part=size)
        same = _content(folder / "whole") == _content(folder / "ended")
    words = "the same bytes" if same else "OTHER BYTES"
    sys.stdout.write(f"\n{result.rows:,} rows, {kills} kills: {words}; {result.decided_now:,} rows in the last run\n")
    record("kills of a batch survived", kills, f"{result.rows:,} rows, {words}")
    return 0 if same and kills == given.kills else 1


def _written(path: Path, rows: int, rng: random.Random) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("study", "p", "n", "folds", "acc", "sens", "spec", "ppv", "npv", "f1"))
        for index, (p, n, scores) in enumerate(reports(rows)):
            if index % (rows // _FOLDS) == 1:
                writer.writerow(
                    (f"study {index % 50}", 30, 60, 5, "0.8000", f"0.7{rng.randint(0, 999):03d}", *[""] * 4)
                )
            else:
                writer.writerow((f"study {index % 50}", p, n, "", *scores.values()))
    return path


def _ended(source: Path, out: Path, size: int, rng: random.Random) -> bool:
    """Begin it, and end it after one or two more files and a moment; whether it was ended on the way."""
    wanted = _files(out) + rng.randint(0, 2)
    child = subprocess.Popen([sys.executable, "-c", _RUN, str(source), str(out), str(size)])
    while child.poll() is None and _files(out) < wanted:
        time.sleep(0.002)
    time.sleep(rng.random() * 0.2)
    child.kill()
    return child.wait() == -signal.SIGKILL


def _files(folder: Path) -> int:
    return sum(len(names) for _, _, names in os.walk(folder))


def _content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
