"""Timing that survives a noisy machine: the best of several runs, and ratios within one run."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the benchmark table: what, ours and theirs in seconds, and what was promised.

    ``rate`` is for what is no time: how often something happened, and ``promised_rate`` how often it may.
    """

    what: str
    ours: float | None = None
    theirs: float | None = None
    promised_ratio: float | None = None
    promised_seconds: float | None = None
    note: str = ""
    rate: float | None = None
    promised_rate: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.theirs is None or self.ours is None else self.theirs / self.ours

    @property
    def kept(self) -> bool | None:
        """Whether the promise was kept; None where none was made."""
        checks = []
        if self.promised_ratio is not None and self.ratio is not None:
            checks.append(self.ratio >= self.promised_ratio)
        if self.promised_rate is not None and self.rate is not None:
            checks.append(self.rate <= self.promised_rate)
        if self.promised_seconds is not None and self.ours is not None:
            checks.append(self.ours <= self.promised_seconds)
        return all(checks) if checks else None


def best(
    call: Callable[[], object],
    *,
    repeats: int = 5,
    at_least: float = 0.05,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """Seconds per call: the best of ``repeats`` batches, each long enough to be measured.

    With ``time.process_time`` as the clock, what else runs on the machine does not count.
    """
    start = clock()
    call()
    once = clock() - start
    batch = max(1, int(at_least / max(once, 1e-9)))
    results = [once] if batch == 1 else []
    for _ in range(repeats):
        start = clock()
        for _ in range(batch):
            call()
        results.append((clock() - start) / batch)
    return min(results)


def processor_seconds() -> float:
    """Processor time of this process and of those it waited for: a solver that runs as a process counts, too."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def both(
    ours: Callable[[], object],
    theirs: Callable[[], object],
    *,
    turns: int = 12,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Seconds per call of two short calls, measured in turns, so that a machine of changing speed hits both alike."""
    pairs = [
        (best(ours, repeats=1, at_least=0.02, clock=clock), best(theirs, repeats=1, at_least=0.02, clock=clock))
        for _ in range(turns)
    ]
    return min(one for one, _ in pairs), min(other for _, other in pairs)
