"""A paper of thirteen tables: auditing it beside reading it once, as ``tables`` does.

In one process both are measured as processor time and in turns, so that a busy machine hits both alike; the commands,
which load their libraries and write a report, as processor time of all their processes and by the clock.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from unittest import mock

from benchmarks.measure import Row
from benchmarks.paper_sorts import SORTS, set_paper
from scoreproof.documents import read
from scoreproof.papers.auditing import audit

_PAPER = Path(__file__).parents[1] / "tests" / "data" / "papers" / "thirteen.pdf"
_TURNS = 3
_MOST = 1.2  # times the reading that an audit may take
_PROSE = 4  # paragraphs before each table


def rows() -> Iterator[Row]:
    yield _beside("a PDF of 13 tables", _PAPER, promised=True)
    with tempfile.TemporaryDirectory() as folder:
        yield from _commands(Path(folder))
        for prose, words in (_PROSE, "with prose"), (0, "tables only"):
            for sort in SORTS if shutil.which("pdflatex") else ():
                yield _beside(f"{sort.name}, {words}", set_paper(sort, Path(folder), prose=prose), promised=False)
    if not shutil.which("pdflatex"):
        yield Row("papers of other sorts", note="not set: there is no pdflatex")


def _beside(what: str, paper: Path, *, promised: bool) -> Row:
    """Auditing a paper beside reading its tables, in this process, where the time is counted."""
    with mock.patch.object(read, "APART", set()):
        reading, auditing = _in_turns(lambda: read.read_tables(paper), lambda: audit(paper, jobs=1))
    ratio = f"{auditing / reading:.2f} times the reading{f'; at most {_MOST}' if promised else ''}"
    return Row(f"audit, {what}", auditing, reading, 1 / _MOST if promised else None, note=ratio)


def _in_turns(*calls: Callable[[], object]) -> list[float]:
    """The middle of the processor times of each call; what the first turn loads counts for nobody."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(_TURNS):
        for call, own in zip(calls, times, strict=True):
            start = time.process_time()
            call()
            own.append(time.process_time() - start)
    return [median(own) for own in times]


def _commands(folder: Path) -> Iterator[Row]:
    """The commands from their start to their end, written files included."""
    command = [sys.executable, "-m", "scoreproof"]
    reading, auditing = [*command, "tables", str(_PAPER)], [*command, "audit", str(_PAPER), "--out", str(folder)]
    turns = [(_spent(reading), _spent(auditing)) for _ in range(_TURNS)]
    for at, words in enumerate(("processor time", "by the clock")):
        first, second = (median(turn[which][at] for turn in turns) for which in (0, 1))
        ratio = f"{second / first:.2f} times 'scoreproof tables'"
        yield Row(f"'scoreproof audit' of it, {words}", second, first, note=ratio)


def _spent(command: list[str]) -> tuple[float, float]:
    """Processor time of a command with its processes, and seconds by the clock."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(command, capture_output=True, check=False)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, time.perf_counter() - start
