"""Meeting in the middle around a choice of points: a few sets are re-chosen together so that all sums fall into place.

The alternatives of half of these sets are combined into one list of sums, those of the other half into another, and
pairs that add up to what is wanted are found by sorting cells of the rows that tell most (a birthday join).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.kinds.binary.engine.averages.seeking.choice import CLASS_STEPS, STEPS, Choice, Points
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.deadline import Deadline

_TELLING = 4  # rows whose cells are sorted
_MOST_PAIRS = 1_500_000  # looked at for one offset of cells
_MOST_FOUND = 2_000
_JUDGED = 30
_SOME = 0.3  # of the joins, of four to six sets
_JOINED = 7e-4  # seconds, beside the sizes of the lists
_LISTED = 2e-8  # seconds of an entry of the lists, for each set
_SORTED, _SOUGHT = 2e-7, 3e-8  # seconds of an entry of the lists that are joined


class Listed(NamedTuple):
    """Combinations of alternatives of some sets: their sums, and which alternative of each set they take."""

    sums: Floats  # combinations x rows, in half-widths
    picks: Integers  # combinations x sets
    points: list[Points]  # by set
    places: list[int]


def listed(
    choice: Choice,
    places: list[int],
    tables: list[tuple[Points, Floats]],
    half: Floats,
    most: int,
    rng: np.random.Generator,
) -> Listed:
    """All combinations of the sets' alternatives, or a random sample of them."""
    sizes = [shares.shape[1] for _, shares in tables]
    if math.prod(sizes) <= most:
        picks = np.stack([x.ravel() for x in np.meshgrid(*map(np.arange, sizes), indexing="ij")], axis=1)
    else:
        picks = np.stack([rng.integers(size, size=most) for size in sizes], axis=1)
    total = np.zeros((len(picks), len(half)))
    for column, (_, shares) in enumerate(tables):
        total += (shares / half[:, None]).T[picks[:, column]]
    return Listed(total, picks, [points for points, _ in tables], places)


def join(
    first: Floats,
    second: Floats,
    deadline: Deadline,
    *,
    radius: float = 1.0,
    most: int = _MOST_FOUND,
    telling: int = _TELLING,
) -> tuple[Integers, Integers]:
    """Pairs (i, j) with first[i] + second[j] within a radius of 0 in every row: some, if there are many."""
    nothing = np.zeros(0, dtype=np.int64)
    spread = np.maximum(np.maximum(first.std(axis=0), second.std(axis=0)), 1e-9) / radius
    order = np.argsort(-spread)
    rows: list[int] = []
    cells = 1.0
    for row in order:
        if len(rows) >= telling or spread[row] < 0.7:
            break
        rows.append(int(row))
        cells *= max(1.0, float(spread[row]) * 1.7)
        if len(second) / cells < 2:
            break
    if not rows:
        few = np.arange(min(len(first), len(second), most))
        return few, few
    wanted = -second
    a, b = first[:, rows] / (2 * radius), wanted[:, rows] / (2 * radius)
    low = np.floor(np.minimum(a.min(axis=0), b.min(axis=0))) - 1
    extent = (np.floor(np.maximum(a.max(axis=0), b.max(axis=0))) - low + 3).astype(np.int64)
    if float(np.prod(extent.astype(np.float64))) > 2.0**58:
        return nothing, nothing
    step = np.concatenate([[1], np.cumprod(extent)[:-1]])
    entries = _Cells(((np.floor(b) - low).astype(np.int64) * step).sum(axis=1))
    inside = np.floor(a)
    above = a - inside >= 0.5  # whether the neighbouring cell that is within reach is the one above
    base = ((inside - low).astype(np.int64) * step).sum(axis=1)
    # those with the same neighbours together, by cell: looking up what is sorted is much faster
    together = np.argsort(base + (above @ (1 << np.arange(len(rows)))) * int(np.prod(extent)))
    base, side = base[together], np.where(above[together], 1, -1)
    telling_last = [*(int(row) for row in order if int(row) not in rows), *rows]  # these are near already
    found: list[tuple[Integers, Integers]] = []
    count = 0
    deadline.spend(_SORTED * (len(first) + len(second)))
    for mask in range(1 << len(rows)):
        deadline.spend(_SOUGHT * len(first))
        if deadline.passed:
            break
        shift = [side[:, j] * step[j] for j in range(len(rows)) if mask >> j & 1]
        at, other = entries.pairs(base + sum(shift, np.zeros(len(base), dtype=np.int64)))
        at = together[at]
        for row in telling_last:
            close = np.abs(first[at, row] - wanted[other, row]) <= radius
            at, other = at[close], other[close]
        if len(at):
            found.append((at, other))
            count += len(at)
            if count >= most:
                break
    if not found:
        return nothing, nothing
    return np.concatenate([x for x, _ in found])[:most], np.concatenate([y for _, y in found])[:most]


class _Cells:
    """Entries of a list by the number of their cell."""

    def __init__(self, numbers: Integers) -> None:
        self._rank = np.argsort(numbers)
        self._numbers, self._start, self._counts = np.unique(numbers[self._rank], return_index=True, return_counts=True)

    def pairs(self, wanted: Integers) -> tuple[Integers, Integers]:
        """Where wanted numbers are those of entries: places of both."""
        place = np.minimum(np.searchsorted(self._numbers, wanted), len(self._numbers) - 1)
        at = np.flatnonzero(self._numbers[place] == wanted)
        counts = self._counts[place[at]]
        some = np.cumsum(counts) <= _MOST_PAIRS
        at, counts = at[some], counts[some]
        first = np.repeat(at, counts)
        offset = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
        return first, self._rank[self._start[place[first]] + offset]


def judged(choice: Choice, picked: list[tuple[Listed, int]]) -> tuple[ConfusionMatrix, ...] | None:
    points = choice.points.copy()
    for given, at in picked:
        for column, place in enumerate(given.places):
            points[:, place] = given.points[column][:, given.picks[at, column]]
    return choice.sums.judged(*points)


def wanted(choice: Choice, chosen: list[int], miss: Floats, half: Floats) -> Floats:
    """What is off without the contribution of some sets, in half-widths."""
    found: Floats = miss - choice.shares[:, chosen].sum(axis=1) / half
    return found


def of_two(
    choice: Choice, rng: np.random.Generator, most: int, deadline: Deadline
) -> tuple[ConfusionMatrix, ...] | None:
    """Re-choose all sets, or some of them, by joining two lists.

    The longer the lists, the more pairs for the time. Small steps of many sets are more likely to add up than large
    steps of few, which lead to more places.
    """
    k = choice.sums.sets
    per = int(rng.choice([2, 3])) if k >= 6 and rng.random() < _SOME else max(1, k // 2)
    order = [int(place) for place in rng.permutation(k)]
    chosen = order[: 2 * per] if k >= 6 else order
    miss, half = choice.misses()
    deadline.spend(_JOINED + _LISTED * most * len(chosen))
    lists = []
    for places in (chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]):
        each = most ** (1 / len(places)) / (len(CLASS_STEPS) if choice.sums.unknown[places[0]] else 1)
        steps = next((known for known in STEPS if len(known) ** 2 >= each), STEPS[-1])
        tables = [choice.around(place, steps) for place in places]
        if any(not shares.shape[1] for _, shares in tables):
            return None
        lists.append(listed(choice, places, tables, half, most, rng))
    rest = wanted(choice, chosen, miss, half)
    first, second = join(lists[0].sums + rest, lists[1].sums, deadline)
    if not len(first):
        return None
    off = np.abs(lists[0].sums[first] + rest + lists[1].sums[second]).max(axis=1)
    for at in np.argsort(off)[:_JUDGED]:
        found = judged(choice, [(lists[0], int(first[at])), (lists[1], int(second[at]))])
        if found is not None:
            return found
    return None
