"""Seeded mutations of real files: bytes flipped, pieces cut, doubled, moved, put from one file into another."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.attack.attack import Outcome

FORMATS: tuple[str, ...] = ()


def mutants(name: str, count: int, seed: int, first: int = 0) -> Iterator[Outcome]:
    """What became of mutants of one format."""
    return iter(())
