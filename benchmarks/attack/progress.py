"""How far an attack has come: a journal of what held on this very tree, and as many at a time as there are processors.

``make attack`` takes its time. What it has tried is written to a journal named by the bytes of everything that takes
part, and is not tried again while these are the same; another tree has another journal. What got through is not kept:
it is tried again.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol, TypeVar

from scoreproof.work.journal import Journal

ROOT = Path(__file__).parents[2]
_PARTS = ("src/scoreproof", "verify/src/scoreproof_verify", "benchmarks", "examples", "tests/outside")
_SOURCES = (".py", ".toml", ".yaml", ".csv", ".js", ".html")


class Kept(Protocol):
    """A result that can be written down, and says whether something got through."""

    @property
    def flaw(self) -> str: ...
    def to_dict(self) -> dict[str, Any]: ...


Result = TypeVar("Result", bound=Kept)
_CALLS: list[Callable[[], Any]] = []  # what the processes, forked from this one, are told by number


def tree() -> str:
    """A digest of every file that decides how an attack ends."""
    found = hashlib.sha256()
    for part in _PARTS:
        for file in sorted((ROOT / part).rglob("*")):
            if file.suffix in _SOURCES and (not file.name.startswith("test_") or file.name == "test_results.py"):
                found.update(f"{file.relative_to(ROOT)}\0{file.stat().st_size}\0".encode())
                found.update(file.read_bytes())
    return found.hexdigest()[:16]


def journal(kind: str, read: Callable[[Any], Result], folder: Path | None = None) -> Journal[Result]:
    """The journal of one sort of attack on this tree."""
    place = folder or ROOT / "build" / "attack"
    place.mkdir(parents=True, exist_ok=True)
    return Journal(place / f"{kind}-{tree()}.jsonl", f"attack {kind}", read)


def tried(calls: Mapping[str, Callable[[], Result]], book: Journal[Result], jobs: int = 0) -> Iterator[Result]:
    """What came of each call: first what is in the journal, then the others as they come to their end."""
    todo = [name for name in calls if name not in book]
    yield from (book[name] for name in calls if name in book)
    if len(todo) < len(calls):
        sys.stdout.write(f"{len(calls) - len(todo)} of {len(calls)} were tried before\n")
    _CALLS[:] = [calls[name] for name in todo]
    if not todo:
        return
    with ProcessPoolExecutor(jobs or os.cpu_count() or 1, mp_context=get_context("fork")) as pool:
        asked = {pool.submit(_called, number): name for number, name in enumerate(todo)}
        try:
            for done in as_completed(asked):
                result: Result = done.result()
                if not result.flaw:
                    book[asked[done]] = result
                yield result
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _called(number: int) -> Any:
    return _CALLS[number]()
