"""Other readings of known data: of the catalogue entries named, and of those with exactly the stated class counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoreproof.catalog import entries
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import Experiment, total_counts


def catalogue_readings(experiment: Experiment, names: Iterable[str]) -> Iterator[tuple[str, Experiment]]:
    """Other readings of known data: of the entries named, and of those with exactly the stated class counts."""
    wanted = {_plain(name) for name in names}
    counts = total_counts(experiment)
    pairs = {counts, counts[::-1]}
    for entry in entries():
        named = bool({_plain(entry.name), *map(_plain, entry.aliases)} & wanted)
        matching = {one.item for one in entry.sets if (one.p, one.n) in pairs}
        if not named and not matching:
            continue
        for items in [None, *sorted(matching)] if named or not matching else sorted(matching):
            try:
                readings = entry.readings(items=None if items is None else [items])
            except ScoreproofError:
                continue
            for reading in readings:
                if reading.experiment != experiment:
                    yield f"{entry.name}: {reading.label}", reading.experiment


def _plain(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())
