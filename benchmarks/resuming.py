"""Long runs over numbered cases that can be interrupted: what is done stands in a journal and is not done again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

_CHUNK = 50  # cases that are counted together in the journal


def counted(what: str, run: Callable[[int, int], str], count: int, seed: int, journal: Path | None) -> Counter[str]:
    """What became of the first cases of a run (number, seed), in words, those that a journal has included."""
    done: dict[int, dict[str, int]] = {}
    if journal is not None and journal.exists():
        for line in journal.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if (entry["what"], entry["seed"]) == (what, seed):
                done[entry["start"]] = entry["seen"]
    whole: Counter[str] = Counter()
    for start in range(0, count, _CHUNK):
        stop = min(start + _CHUNK, count)
        seen = Counter(done.get(start, {}))
        if seen.total() != stop - start:
            seen = Counter(run(number, seed) for number in range(start, stop))
            if journal is not None:
                with journal.open("a", encoding="utf-8") as stream:
                    stream.write(json.dumps({"what": what, "seed": seed, "start": start, "seen": seen}) + "\n")
        whole += seen
    return whole
