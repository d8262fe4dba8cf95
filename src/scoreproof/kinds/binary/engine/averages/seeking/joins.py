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
from scoreproof.work.budget import Budget

_TELLING = 4  # rows whose cells are sorted
_MOST_PAIRS = 1_500_000  # looked at for one offset of cells
_MOST_FOUND = 2_000
_MOST_NUMBERS = 2.0**44  # of cells: the values within them keep some digits
_SAMPLE = 4_000  # entries of a list that say how far it spreads
_JUDGED = 30
_DRAWN_OF_PART, _LEAST_OF_PART = 10_000, 60  # combinations of the sets of a part, and how many of them are kept
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
    for number, row in enumerate(choice.sums.rows):
        if row.parts is not None:
            weight = choice.sums.rows[row.mean].weight
            ratio = np.divide(row.parts.inside, weight, out=np.zeros_like(weight), where=weight > 0)
            changes = [
                ratio[place] * (shares[row.mean] - choice.shares[row.mean, place])[picks[:, column]]
                for column, (place, (_, shares)) in enumerate(zip(places, tables, strict=True))
            ]
            total[:, number] += row.parts.products(places, changes) / half[number]
    return Listed(total, picks, [points for points, _ in tables], places)


def join(
    first: Floats,
    second: Floats,
    deadline: Budget,
    *,
    radius: float = 1.0,
    most: int = _MOST_FOUND,
    telling: int = _TELLING,
) -> tuple[Integers, Integers]:
    """Pairs (i, j) with first[i] + second[j] within a radius of 0 in every row: some, if there are many."""
    nothing = np.zeros(0, dtype=np.int64)
    some, others = (every[:: max(1, len(every) // _SAMPLE)] for every in (first, second))
    spread = np.maximum(np.maximum(some.std(axis=0), others.std(axis=0)), 1e-9) / radius
    order = [int(row) for row in np.argsort(-spread)]
    rows = _most_telling(spread, order, telling, len(second))
    if not rows:
        few = np.arange(min(len(first), len(second), most))
        return few, few
    while (cells := _Cells.of(first, second, rows, radius)) is None:
        rows.pop()
    deadline.charge(_SORTED * (len(first) + len(second)))
    near = [*(row for row in order if row not in rows), *rows[:-1]]  # in the telling ones what is looked at is near
    mine = [np.ascontiguousarray(first[:, row]) for row in near]
    wanted = [-second[cells.rank, row] for row in near]
    found: list[tuple[Integers, Integers]] = []
    count = 0
    for sides in range(1 << len(rows) - 1):
        deadline.charge(_SOUGHT * len(first))
        if deadline.passed:
            break
        at, other = cells.pairs(sides)
        for one, partner in zip(mine, wanted, strict=True):
            close = np.abs(one[at] - partner[other]) <= radius
            at, other = at[close], other[close]
        if len(at):
            found.append((at, cells.rank[other]))
            count += len(at)
            if count >= most:
                break
    if not found:
        return nothing, nothing
    return np.concatenate([x for x, _ in found])[:most], np.concatenate([y for _, y in found])[:most]


def _most_telling(spread: Floats, order: list[int], most: int, count: int) -> list[int]:
    """The rows by which to look for partners among so many: those that spread most, until few are left in a cell."""
    rows: list[int] = []
    cells = 1.0
    for row in order:
        if len(rows) >= most or spread[row] < 0.7:
            break
        rows.append(row)
        cells *= max(1.0, float(spread[row]) * 1.7)
        if count / cells < 2:
            break
    return rows


class _Cells(NamedTuple):
    """Two lists in the order of their cells: as wide as partners may be apart, in all telling rows but the last.

    Partners of an entry lie in its own cell or in the next on its nearer side, and in the last row in a range.
    """

    keys: Floats  # of the second list, sorted: the number of the cell, and the value in the last row within it
    rank: Integers  # where the entries of the second list come from
    wanted: Floats  # of the first list, sorted
    place: Integers  # where these come from
    sides: list[Floats]  # by row: how much further the number of the cell on the nearer side is

    @classmethod
    def of(cls, first: Floats, second: Floats, rows: list[int], radius: float) -> _Cells | None:
        """The cells of rows; None if those of several are too many to number."""
        mine = [first[:, row] / (2 * radius) for row in rows]
        theirs = [second[:, row] / (-2 * radius) for row in rows]
        wanted, keys = np.zeros(len(first)), np.zeros(len(second))
        sides = []
        step = 1.0
        for number, (one, other) in enumerate(zip(reversed(mine), reversed(theirs), strict=True)):
            low = np.floor(min(one.min(), other.min())) - 1
            one, other = one - low, other - low
            extent = np.floor(max(one.max(), other.max())) + 3
            if number == 0:
                wanted, keys = one, other
            else:
                inside = np.floor(one)
                wanted += inside * step
                keys += np.floor(other) * step
                sides.append(np.where(one - inside >= 0.5, step, -step))
            step *= extent
        if step > _MOST_NUMBERS and len(rows) > 1:
            return None
        rank, place = np.argsort(keys), np.argsort(wanted)  # looking up what is sorted is much faster
        return cls(keys[rank], rank, wanted[place], place, [side[place] for side in sides])

    def pairs(self, chosen: int) -> tuple[Integers, Integers]:
        """Partners on the nearer side in the rows whose bit is set, in the same cell in the others.

        The first as places in the first list, the second as places among the sorted keys.
        """
        wanted = self.wanted
        for number, side in enumerate(self.sides):
            if chosen >> number & 1:
                wanted = wanted + side
        start = np.searchsorted(self.keys, wanted - 0.5, "left")
        counts = np.searchsorted(self.keys, wanted + 0.5, "right") - start
        at = np.flatnonzero(counts)
        ends = np.cumsum(counts[at])
        at, ends = at[ends <= _MOST_PAIRS], ends[ends <= _MOST_PAIRS]
        counts = counts[at]
        offset = np.repeat(start[at] - ends + counts, counts)
        return np.repeat(self.place[at], counts), np.arange(len(offset)) + offset


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


def _sides(choice: Choice, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Two halves of all sets, or some of them; of parts whose means deviate, each whole in one."""
    sums = choice.sums
    k = sums.sets
    per = int(rng.choice([2, 3])) if k >= 6 and rng.random() < _SOME else max(1, k // 2)
    order = [int(place) for place in rng.permutation(k)]
    first = {place: sums.together(place)[0] for place in order} if sums.parted else {}
    parts = [*dict.fromkeys(first.values())]
    if len(parts) < 2:  # of one part what both halves change is judged later
        chosen = order[: 2 * per] if k >= 6 else order
        return chosen[: len(chosen) // 2], chosen[len(chosen) // 2 :]
    left = set(parts[: len(parts) // 2])
    halves = [[place for place in order if (first[place] in left) == side] for side in (True, False)]
    return (halves[0][:per], halves[1][:per]) if per < k // 2 else (halves[0], halves[1])


def _alternatives(
    choice: Choice, places: list[int], half: Floats, most: int, rng: np.random.Generator
) -> Listed | None:
    """Combinations of points about those of some sets; None if a set has none."""
    each = most ** (1 / len(places)) / (len(CLASS_STEPS) if choice.sums.unknown[places[0]] else 1)
    steps = next((known for known in STEPS if len(known) ** 2 >= each), STEPS[-1])
    tables = [choice.around(place, steps) for place in places]
    if any(not shares.shape[1] for _, shares in tables):
        return None
    return listed(choice, places, tables, half, most, rng)


def _by_parts(
    choice: Choice, places: list[int], miss: Floats, half: Floats, most: int, rng: np.random.Generator
) -> Listed | None:
    """Combinations of those of each part that change the sums about as they should be changed."""
    by_part: dict[int, list[int]] = {}
    for place in places:
        by_part.setdefault(choice.sums.together(place)[0], []).append(place)
    kept = max(_LEAST_OF_PART, int(most ** (1 / len(by_part))))
    aim = -miss * len(places) / choice.sums.sets / len(by_part)
    parts = []
    for mine in by_part.values():
        every = _alternatives(choice, mine, half, max(most, _DRAWN_OF_PART), rng)
        if every is None:
            return None
        off = every.sums - choice.shares[:, mine].sum(axis=1) / half - aim
        near = np.argsort((off**2).sum(axis=1))[:kept]
        parts.append(every._replace(sums=every.sums[near], picks=every.picks[near]))
    sizes = [len(part.sums) for part in parts]
    if math.prod(sizes) <= most:
        picks = np.stack([x.ravel() for x in np.meshgrid(*map(np.arange, sizes), indexing="ij")], axis=1)
    else:
        picks = np.stack([rng.integers(size, size=most) for size in sizes], axis=1)
    total = sum((part.sums[picks[:, at]] for at, part in enumerate(parts)), np.zeros((len(picks), len(half))))
    chosen = np.concatenate([part.picks[picks[:, at]] for at, part in enumerate(parts)], axis=1)
    points = [points for part in parts for points in part.points]
    return Listed(total, chosen, points, [place for part in parts for place in part.places])


def of_two(choice: Choice, rng: np.random.Generator, most: int, deadline: Budget) -> tuple[ConfusionMatrix, ...] | None:
    """Re-choose all sets, or some of them, by joining two lists.

    The longer the lists, the more pairs for the time. Small steps of many sets are more likely to add up than large
    steps of few, which lead to more places.
    """
    sides = _sides(choice, rng)
    chosen = [*sides[0], *sides[1]]
    miss, half = choice.misses()
    drawn = max(most, _DRAWN_OF_PART) if choice.sums.parted else most
    deadline.charge(_JOINED + _LISTED * drawn * len(chosen))
    lists = []
    for places in sides:
        part = _by_parts(choice, places, miss, half, most, rng) if choice.sums.parted else None
        part = _alternatives(choice, places, half, most, rng) if part is None else part
        if part is None:
            return None
        lists.append(part)
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
