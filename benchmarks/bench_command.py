"""The command line as a whole: processor time of ``scoreproof check``, from the start of Python to its exit.

What a command needs and nothing else is loaded; ``tests/outside/test_architecture.py`` says what is not.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator

from benchmarks.measure import Row

_TURNS = 7
_PROMISED = 0.6  # seconds of processor time
_CASES = {"inconsistent": "acc=0.6801", "consistent": "acc=0.6821"}


def rows() -> Iterator[Row]:
    empty = min(_seconds("-c", "pass") for _ in range(_TURNS))
    for verdict, accuracy in _CASES.items():
        told = ("-m", "scoreproof", "check", "--p", "1000", "--n", "6000", accuracy, "npv=0.9401", "f1=0.4004")
        took = min(_seconds(*told) for _ in range(_TURNS))
        note = f"processor time; Python alone takes {1000 * empty:.0f} ms of it"
        yield Row(f"scoreproof check, {verdict}", took, promised_seconds=_PROMISED, note=note)


def _seconds(*arguments: str) -> float:
    """Processor time of one run of Python, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
