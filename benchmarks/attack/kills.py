"""Random kills of ``audit --resume`` and ``power --resume``: what is gone on with ends as what was never stopped.

``python -m benchmarks.attack.kills --kills 40 --seed 1``
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import command
from benchmarks.attack.progress import journal
from benchmarks.recorded import record
from scoreproof.work.journal import Journal

_ROWS = [
    ["Method", "Acc", "Sens", "F1"],
    *([f"M{k}", f"0.{900 + k}", f"0.{800 + k}", f"0.{850 + k}"] for k in range(12)),
]
_SPECIFICATION = {
    "title": "kills",
    "datasets": {"d": {"p": 75, "n": 304}},
    "experiments": {"t": {"dataset": "d"}, "f": {"dataset": "d", "folds": 5}},
    "tables": [
        {"experiment": "t", "grid": _ROWS},
        {"experiment": "f", "grid": [row[:3] for row in _ROWS]},
        {"experiment": "f", "grid": [_ROWS[0], ["N", "0.8133", "0.7400", "0.5951"]]},
    ],
}
_LATEST = 1.3  # times what a run takes, at which it is ended: some come to their end
_RUNS = {
    "audit": ["audit", "paper.json", "--jobs", "1", "--budget", "60", "--json", "--html", "page.html"],
    "power": ["power", "--p", "75", "--n", "304", "--scores", "acc,sens,spec", "--digits", "3", "--simulate", "--trials", "300",
              "--jobs", "1", "--json"],
}  # fmt: skip


def whole(arguments: list[str], folder: Path) -> tuple[bytes, bytes]:
    """What a run says and writes that nobody stops, to the byte."""
    done = subprocess.run([sys.executable, *command(*arguments)], cwd=folder, capture_output=True, check=False)
    page = folder / "page.html"
    if not done.stdout.startswith(b"{"):
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    return done.stdout, page.read_bytes() if page.exists() else b""


def killed(name: str, folder: Path, journal: str, chance: random.Random, usual: float) -> int:
    """Start, kill and start again until a run comes to its end; how often it was killed."""
    kills = 0
    while True:
        child = subprocess.Popen(
            [sys.executable, *command(*_RUNS[name], "--resume", journal)],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            child.wait(timeout=chance.uniform(0.05, _LATEST * usual))
            return kills
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            kills += 1


@dataclass(frozen=True, slots=True)
class Round:
    """A run that was killed so often before it came to its end."""

    kills: int
    flaw: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def main() -> int:
    """Kill each command so many times; status 1 if a result differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=tuple(_RUNS), help="one of the commands")
    given = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as name, journal("kills", lambda document: Round(**document)) as book:
        folder = Path(name)
        (folder / "paper.json").write_text(json.dumps(_SPECIFICATION))
        for run, arguments in _RUNS.items():
            if given.only in (None, run):
                kills, differ = _killed_often(run, arguments, folder, given.seed, given.kills, book)
                sys.stdout.write(f"kills of {run}: {kills} tried, {differ} results differ\n")
                record(f"kills of {run} with a journal survived", kills, f"{differ} results differ")
                wrong += differ
    return 1 if wrong else 0


def _killed_often(
    run: str, arguments: list[str], folder: Path, seed: int, wanted: int, book: Journal[Round]
) -> tuple[int, int]:
    """Rounds until there were as many kills as wanted: how many there were, and how many results differ."""
    expected, usual, kills, differ = None, 0.0, 0, 0
    for number in count():
        if kills >= wanted:
            return kills, differ
        key = f"{run} {seed} {number}"
        if key not in book:
            if expected is None:
                begun = time.monotonic()
                expected, usual = whole(arguments, folder), time.monotonic() - begun
            own, chance = f"{run}{number}.jsonl", random.Random(key)
            ended = killed(run, folder, own, chance, usual)
            if whole([*arguments, "--resume", own], folder) != expected:
                kills, differ = kills + ended, differ + 1
                sys.stdout.write(f"{run}: round {number} DIFFERS after {ended} kills\n")
                continue
            book[key] = Round(ended)
        kills += book[key].kills
        sys.stdout.write(f"{run}: {kills} kills, {number + 1} runs brought to their end, the last identical\n")
        sys.stdout.flush()
    raise AssertionError("there is always another round")


if __name__ == "__main__":
    sys.exit(main())
