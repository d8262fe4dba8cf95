"""A long run that was interrupted goes on where it stopped, and gives what it would have given."""

from __future__ import annotations

from pathlib import Path

from benchmarks.fuzz_kinds import RUNS
from benchmarks.resuming import counted


def test_an_interrupted_run_does_the_rest_only(tmp_path: Path) -> None:
    asked: list[int] = []

    def run(number: int, seed: int) -> str:
        asked.append(number)
        return "odd" if number % 2 else "even"

    journal = tmp_path / "journal.jsonl"
    assert counted("parity", run, 100, 1, journal) == {"even": 50, "odd": 50}
    assert counted("parity", run, 170, 1, journal) == {"even": 85, "odd": 85}
    assert asked == list(range(170))
    assert counted("parity", run, 50, 2, journal).total() == 50
    assert len(asked) == 220


def test_every_run_plays_the_same_case_by_its_number() -> None:
    for kind, run in RUNS.items():
        first = [run(number, 3) for number in range(4)]
        assert [run(number, 3) for number in range(4)] == first, kind
        assert not any(word.startswith("FALSE ALARM") for word in first)
