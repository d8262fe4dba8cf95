"""The shelf of entries: those shipped with the package, and a user's own files beside them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from pathlib import Path

from scoreproof.catalog.benchmarks import by_key as benchmarks_by_key
from scoreproof.catalog.benchmarks import key as benchmark_key
from scoreproof.catalog.entry import Entry
from scoreproof.catalog.files import entries_of, read_entries, spellings_of
from scoreproof.errors import InvalidOption

_SHIPPED = (
    "drive", "stare", "chasedb1", "hrf", "diaretdb0", "diaretdb1", "diaretdb1_images", "drishti_gs", "tpehg",
    "isic2016", "isic2017", "common",
)  # fmt: skip


@lru_cache(maxsize=1)
def _shipped() -> tuple[Entry, ...]:
    return tuple(entry for name in _SHIPPED for entry in entries_of(f"{name}.yaml", _text(f"{name}.yaml"), _text))


@lru_cache(maxsize=1)
def shipped_spellings() -> dict[str, tuple[str, ...]]:
    """The name of every shipped entry with its spellings, in their order; much sooner known than the entries.

    >>> shipped_spellings()["chasedb1"]
    ('chasedb1', 'chase', 'chase_db1')
    """
    return {
        entry: spellings
        for name in _SHIPPED
        for entry, spellings in spellings_of(f"{name}.yaml", _text(f"{name}.yaml"), _text).items()
    }


def _text(name: str) -> str:
    """The text of a shipped file."""
    return (resources.files("scoreproof.catalog") / "data" / name).read_text(encoding="utf-8")


def entries(files: Iterable[str | Path] = ()) -> tuple[Entry, ...]:
    """Every entry, the user's own first; an own entry hides a shipped one of the same name.

    >>> [one.name for one in entries()][:3]
    ['drive', 'stare', 'chasedb1']
    """
    own = [one for file in files for one in read_entries(file)]
    taken = {_key(one.name) for one in own}
    if len(taken) < len(own):
        raise InvalidOption("catalogue files: two entries have one name")
    return (*own, *(one for one in _shipped() if _key(one.name) not in taken))


def entry(name: str, files: Iterable[str | Path] = ()) -> Entry:
    """The entry of this name; case, blanks, dashes and underscores do not matter. Benchmarks of known size are entries.

    >>> entry("CHASE_DB1").item, entry("arc-easy").title
    ('image', 'ARC-Easy: 2,376 or 570 cases')
    >>> entry("drvie")
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidOption: no catalogue entry is called 'drvie'; did you mean drive?
    """
    by_key = {}
    for one in reversed(entries(files)):
        for spelling in (one.name, *one.aliases):
            by_key[_key(spelling)] = one
    found = by_key.get(_key(name))
    if found is None and (sized := benchmarks_by_key().get(benchmark_key(name))) is not None:
        return sized.entry()
    if found is None:
        near = [by_key[key].name for key in difflib.get_close_matches(_key(name), by_key, n=3, cutoff=0.6)]
        hint = f"did you mean {' or '.join(near)}?" if near else "'scoreproof catalog --all' lists them"
        raise InvalidOption(f"no catalogue entry is called {name!r}; {hint}")
    return found


def _key(name: str) -> str:
    return "".join(char for char in str(name).lower() if char.isalnum())
