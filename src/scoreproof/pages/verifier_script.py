"""The verifier in JavaScript that pages carry, so that the reader's own browser re-checks their proofs.

It was written from ``docs/proofs.md`` alone and shares nothing with the verifier in Python. Its sources are in
``verify/js`` of the repository, files that extend one object one after the other; ``make verifier`` shortens each to
one line of ``verifier.min.js`` and lists in ``verifier.parts.json`` what each adds to the object and takes from it.
A page carries the lines that the kinds of its certificates, and of the proofs in them, need.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Any

_COMMON = "3"  # files up to this number are needed by every kind


def needed(kinds: Collection[str]) -> list[str]:
    """The files that re-check certificates of these kinds, with proofs of these kinds, in order."""
    parts = _parts()
    homes = {name: file for file, part in parts.items() for name in part["adds"]}
    wanted = {file for file in parts if file[0] <= _COMMON}
    waiting = [homes[f"kinds.{kind}"] for kind in kinds if f"kinds.{kind}" in homes]
    while waiting:
        file = waiting.pop()
        if file not in wanted:
            wanted.add(file)
            waiting += [homes[name] for name in parts[file]["takes"] if name in homes]
            for other, part in parts.items():
                waiting += [other for table, rule in part["rules"] if table in parts[file]["adds"] and rule in kinds]
    return sorted(wanted)


@cache
def _parts() -> dict[str, dict[str, Any]]:
    return {part["file"]: part for part in json.loads(_text("verifier.parts.json"))}


def _text(name: str) -> str:
    return files("scoreproof.pages").joinpath(name).read_text(encoding="utf-8")


def packed_verifier(kinds: Collection[str] | None = None) -> str:
    """The verifier of some kinds, or of all, as pages carry it: compressed (zlib) and written in base64."""
    return _packed(None if kinds is None else frozenset(kinds))


@cache
def _packed(kinds: frozenset[str] | None) -> str:
    short = dict(zip(_parts(), _text("verifier.min.js").splitlines(keepends=True), strict=True))
    script = "".join(short[file] for file in (short if kinds is None else needed(kinds)))
    return base64.b64encode(zlib.compress(script.encode("utf-8"), 9)).decode("ascii")
