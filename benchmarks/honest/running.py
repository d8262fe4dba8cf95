"""The long run: reports and documents shared out to two processes, with progress, and a journal to go on from.

Chunks of numbers are the unit of work and of the journal: one line of JSON each, so that an interrupted run with the
same seed leaves out what is done.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from benchmarks.honest.judging import Failure, Tally, judge
from benchmarks.honest.papers import judge_paper
from scoreproof.work.pool import Pool

JUDGES: dict[str, Callable[[int, int], Tally]] = {"reports": judge, "documents": judge_paper}
CHUNK = {"reports": 20, "documents": 2}


def judge_chunk(kind: str, seed: int, start: int, stop: int) -> Tally:
    """The tally of some reports or documents."""
    tally = Tally()
    for index in range(start, stop):
        tally.add(JUDGES[kind](seed, index))
    return tally


def run(kind: str, count: int, seed: int, *, jobs: int, console: Console, journal: Path | None = None) -> Tally:
    """Judge ``count`` reports or documents."""
    size = CHUNK[kind]
    chunks = [(kind, seed, start, min(start + size, count)) for start in range(0, count, size)]
    done = dict(_read(journal)) if journal is not None else {}
    whole = Tally()
    for chunk in chunks:
        if chunk in done:
            whole.add(done[chunk])
    left = [chunk for chunk in chunks if chunk not in done]
    finished = count - sum(stop - start for *_, start, stop in left)
    results = Pool(jobs).results([(judge_chunk, chunk) for chunk in left])
    with _progress(console, f"honest {kind}", count, finished) as advance:
        for chunk, tally in zip(left, results, strict=True):
            whole.add(tally)
            if journal is not None:
                _write(journal, chunk, tally)
            advance(chunk[3] - chunk[2], len(whole.failures))
    return whole


@contextmanager
def _progress(console: Console, title: str, total: int, done: int) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal; elsewhere a line now and then."""
    if console.is_terminal:
        with Progress(console=console) as bar:
            task = bar.add_task(title, total=total, completed=done)

            def advance(more: int, flagged: int) -> None:
                bar.update(task, advance=more, description=f"{title}, {flagged} flagged")

            yield advance
        return
    state = {"at": done, "said": time.monotonic()}

    def say(more: int, flagged: int) -> None:
        state["at"] += more
        if time.monotonic() - state["said"] > 10:
            state["said"] = time.monotonic()
            print(f"{title}: {state['at']} of {total}, {flagged} flagged", file=sys.stderr, flush=True)

    yield say


Chunk = tuple[str, int, int, int]


def _read(journal: Path) -> Iterator[tuple[Chunk, Tally]]:
    if not journal.exists():
        return
    for line in journal.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        failures = [Failure(one["place"], tuple(one["cause"]), one["words"]) for one in entry["failures"]]
        kind, seed, start, stop = entry["chunk"]
        yield (kind, seed, start, stop), Tally(Counter(entry["asked"]), failures, Counter(entry["refused"]))


def _write(journal: Path, chunk: Chunk, tally: Tally) -> None:
    entry = {
        "chunk": chunk,
        "asked": tally.asked,
        "failures": [asdict(failure) for failure in tally.failures],
        "refused": tally.refused,
    }
    with journal.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry, ensure_ascii=False) + "\n")
