"""The verifier in JavaScript that pages carry, so that the reader's own browser re-checks their proofs.

It was written from ``docs/proofs.md`` alone and shares nothing with the verifier in Python. Its sources are in
``pages/verifier``, files that extend one object one after the other; ``make verifier`` shortens each to one line of
``pages/verifier.min.js``. A page carries the lines that the kinds of its certificates, and of the proofs in them, need.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Collection
from functools import cache
from importlib.resources import files

_SHORT = "verifier.min.js"
_COMMON = "3"  # files up to this number are needed by every kind
_GIVEN = re.compile(r"Object\.assign\(S, \{(.*?)\}\);", re.DOTALL)
_TAKEN = re.compile(r"const \{([^{}]*?)\} = S;")
_NAME = re.compile(r"[A-Za-z_]\w*")


@cache
def sources() -> dict[str, str]:
    """The files of the verifier as they were written, in the order in which they are joined."""
    folder = files("scoreproof.pages").joinpath("verifier")
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".js"))
    return {name: folder.joinpath(name).read_text(encoding="utf-8") for name in names}


def needed(kinds: Collection[str]) -> list[str]:
    """The files that re-check certificates of these kinds, with proofs of these kinds, in order."""
    homes = {name: file for file, text in sources().items() for name in _given(text)}
    wanted = {file for file in sources() if file[0] <= _COMMON}
    waiting = [file for file, text in sources().items() if any(f"S.kinds.{kind} = " in text for kind in kinds)]
    while waiting:
        file = waiting.pop()
        if file not in wanted:
            wanted.add(file)
            waiting += [homes[name] for name in _used(sources()[file]) if name in homes]
            tables = _given(sources()[file])
            for other, text in sources().items():
                waiting += [other for table, entry in _entries(text) if table in tables and entry in kinds]
    return sorted(wanted)


def packed_verifier(kinds: Collection[str] | None = None) -> str:
    """The verifier of some kinds, or of all, as pages carry it: compressed (zlib) and written in base64."""
    return _packed(None if kinds is None else frozenset(kinds))


@cache
def _packed(kinds: frozenset[str] | None) -> str:
    lines = files("scoreproof.pages").joinpath(_SHORT).read_text(encoding="utf-8").splitlines(keepends=True)
    short = dict(zip(sources(), lines, strict=True))
    chosen = sources() if kinds is None else needed(kinds)
    script = "".join(short[file] for file in chosen)
    return base64.b64encode(zlib.compress(script.encode("utf-8"), 9)).decode("ascii")


def _given(text: str) -> set[str]:
    """What a file adds to the object that all share."""
    added = {name for part in _GIVEN.findall(text) for name in _NAME.findall(part)}
    kinds = {f"kinds.{kind}" for kind in re.findall(r"S\.kinds\.(\w+) = ", text)}
    return added | set(re.findall(r"\bS\.(\w+) = ", text)) | kinds


def _entries(text: str) -> list[tuple[str, str]]:
    """The tables of others that a file adds to, with the kind of proof it adds."""
    return [(table, entry) for table, entry in re.findall(r"\bS\.(\w+)\.(\w+) = ", text) if table != "kinds"]


def _used(text: str) -> set[str]:
    """What a file takes from it."""
    taken = {name for part in _TAKEN.findall(text) for name in _NAME.findall(part)}
    kinds = {f"kinds.{kind}" for kind in re.findall(r"S\.kinds\.(\w+)\.", text)}
    return taken | set(re.findall(r"\bS\.(\w+)", text)) | kinds
