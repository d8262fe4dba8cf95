"""Reading ``name=value`` arguments."""

from __future__ import annotations

from scoreproof.errors import DuplicateScore, InvalidOption


def assignments(arguments: list[str], what: str) -> dict[str, str]:
    """``["acc=0.90"]`` as a mapping; clear errors for anything else."""
    pairs: dict[str, str] = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InvalidOption(f"{what}: expected NAME=VALUE such as acc=0.90, got {argument!r}")
        if name in pairs:
            raise DuplicateScore(f"{what}: {name!r} is given twice")
        pairs[name.strip()] = value.strip()
    return pairs
