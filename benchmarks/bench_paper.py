"""A paper of thirteen tables: auditing it beside reading it once.

Both are measured as processor time in one process and in turns, so that a busy machine hits both alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

from benchmarks.measure import Row
from scoreproof.audits import audit
from scoreproof.documents import read

_PAPER = Path(__file__).parents[1] / "tests" / "data" / "papers" / "thirteen.pdf"
_TURNS = 3
_MOST = 1.2  # times the reading that an audit may take


def rows() -> Iterator[Row]:
    with mock.patch.object(read, "APART", set()):  # read here, where the time is counted
        reading, auditing = _in_turns(lambda: read.read_paper(_PAPER), lambda: audit(_PAPER, jobs=1))
    ratio = f"{auditing / reading:.2f} times the reading; at most {_MOST}"
    yield Row("audit a PDF of 13 tables, beside reading it", auditing, reading, 1 / _MOST, note=ratio)


def _in_turns(*calls: Callable[[], object]) -> list[float]:
    """The best processor time of each call."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(_TURNS):
        for call, own in zip(calls, times, strict=True):
            start = time.process_time()
            call()
            own.append(time.process_time() - start)
    return [min(own) for own in times]
