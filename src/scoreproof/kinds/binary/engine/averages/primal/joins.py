"""Meet in the middle around a choice of points: a few sets are chosen anew together so that all sums fall into place.

The alternatives of half of these sets are combined into one list of sums, those of the other half into another, and
pairs that add up to what is wanted are found by sorting cells of the rows that tell most (a birthday join).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.kinds.binary.engine.averages.primal.rounding import CLASS_STEPS, STEPS, Choice, Points
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.solve.meet_in_the_middle import join
from scoreproof.work.budget import Budget

_JUDGED = 30
_DRAWN_OF_PART, _LEAST_OF_PART = 10_000, 60  # combinations of the sets of a part, and how many of them are kept
_SOME = 0.3  # of the joins, of four to six sets
_JOINED = 7e-4  # seconds, beside the sizes of the lists
_LISTED = 2e-8  # seconds of an entry of the lists, for each set


class Listed(NamedTuple):
    """Combinations of alternatives of some sets: their sums, and which alternative of each set they take."""

    sums: Floats  # combinations x rows, in half-widths
    picks: Ints  # combinations x sets
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
