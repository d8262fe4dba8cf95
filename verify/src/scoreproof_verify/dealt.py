"""Folds whose classes are open: every way their class counts may be is a case of its own.

Folds of one data set differ in nothing but their sizes, so of ways that differ only in the order of folds of one size
one is enough. No way is passed over for what scores it leaves 0/0: that is for the proof of its case.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from scoreproof_verify.averages import Demands, Family, Set
from scoreproof_verify.texts import require

_MOST_WAYS = 10_000
_MOST_SETS = 2_000_000  # of all ways together
_MOST_FOLDS = 100  # of one data set


def dealt(demands: Demands) -> tuple[int, Iterator[Demands]]:
    """How many ways there are, and the demands with the class counts of each."""
    rules = {family.rule for family in demands.families}
    require(bool(rules) and rules <= {"any", "trainable"}, "the class counts of the folds are not open")
    members: list[list[int]] = [[] for _ in demands.families]
    for at, one in enumerate(demands.sets):
        if one.family is not None:
            members[one.family].append(at)
    most = min(_MOST_WAYS, _MOST_SETS // len(demands.sets))
    every: list[list[tuple[int, ...]]] = []
    count = 1
    for family, mine in zip(demands.families, members, strict=True):
        require(len(mine) <= _MOST_FOLDS, "there are too many folds to deal classes to")
        found = []
        for way in _ways(family, [demands.sets[at].p + demands.sets[at].n for at in mine]):
            found.append(way)
            require(count * len(found) <= most, "there are too many ways to deal the classes")
        every.append(found)
        count *= len(found)
    return count, (_known(demands, members, choice) for choice in product(*every))


def _ways(family: Family, sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """Positives of the folds in order, ascending, none above those of the fold before it if that has the same size."""

    def go_on(before: tuple[int, ...], left: int) -> Iterator[tuple[int, ...]]:
        at = len(before)
        if at == len(sizes):
            yield before
            return
        size, after = sizes[at], sizes[at + 1 :]
        most = min(family.p, size, left - sum(max(0, other - family.n) for other in after))
        if at and sizes[at - 1] == size:
            most = min(most, before[-1])
        # what is left must go into those after it, of which folds of this size have no more than this one
        elsewhere = sum(min(family.p, other) for other in after if other != size)
        alike = 1 + after.count(size)
        least = max(0, size - family.n, -((elsewhere - left) // alike))
        for positives in range(least, most + 1):
            yield from go_on((*before, positives), left - positives)

    for way in go_on((), family.p):
        negatives = [size - positives for size, positives in zip(sizes, way, strict=True)]
        if family.rule == "any" or min(sum(map(bool, way)), sum(map(bool, negatives))) >= 2:
            yield way


def _known(demands: Demands, members: list[list[int]], choice: tuple[tuple[int, ...], ...]) -> Demands:
    sets = list(demands.sets)
    for mine, positives in zip(members, choice, strict=True):
        for at, p in zip(mine, positives, strict=True):
            one = sets[at]
            sets[at] = Set(p, one.p + one.n - p, one.weight)
    return replace(demands, sets=sets, families=[])
