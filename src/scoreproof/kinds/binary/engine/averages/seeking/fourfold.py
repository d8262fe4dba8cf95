"""Joining four lists: what reaches furthest where few of very many combinations fit.

Combinations of likely points of a quarter of the sets are listed, four times. Two and two are made to agree with an aim
in the most telling rows, so that of all combinations of a half only those are ever listed that may have partners in the
other; then the halves are joined. (Schroeppel and Shamir's way to subset sums, with windows about what is known.)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.kinds.binary.engine.averages.seeking.joins import join
from scoreproof.kinds.binary.engine.averages.seeking.reach import WINDOW, Reach, listed_of
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.deadline import Deadline

_WINDOWED = 3  # rows
_JUDGED = 30
_SAMPLE, _AIMS, _NEAR = 2_000, 16, 20  # pairs; those one of which is aimed at; those that say how many are near
_JOINED = 2e-3  # seconds, beside the sizes of the lists
_LISTED = 2e-8  # seconds of an entry of the lists
_NUMBERED = 2**62
FEWEST, MOST = 4, 24  # sets


def of_four(
    reach: Reach, rng: np.random.Generator, deadline: Deadline, windows: int
) -> tuple[ConfusionMatrix, ...] | None:
    """Points for all sets from among those within reach, by joining four lists in some windows."""
    deadline.spend(_JOINED)
    sides = _quarters(reach, rng)
    quarters = [*_half_listed(reach, sides[:2], rng), *_half_listed(reach, sides[2:], rng)]
    deadline.spend(_LISTED * sum(quarter.sums.size for quarter in quarters))
    left = _Half(quarters[0].sums - reach.middle / reach.half, quarters[1].sums)
    right = _Half(quarters[2].sums, quarters[3].sums)
    for _ in range(windows):
        if deadline.passed:
            return None
        window = _window(left, right, rng)
        a, b = left.within(window, deadline)
        c, d = right.within(window.opposite(), deadline)
        if not len(a) or not len(c):
            continue
        one, other = left.totals(a, b), right.totals(c, d)
        first, second = join(one, other, deadline)
        away = np.abs(one[first] + other[second]).max(axis=1, initial=0.0)
        for at in np.argsort(away)[:_JUDGED]:
            points = np.zeros((3, reach.sums.sets))
            for quarter, pick in zip(quarters, (a[first], b[first], c[second], d[second]), strict=True):
                points[:, quarter.places] = quarter.points(int(pick[at]))
            found = reach.sums.judged(*points)
            if found is not None:
                return found
        if window.everything:
            return None
    return None


def _quarters(reach: Reach, rng: np.random.Generator) -> list[list[int]]:
    """Four lists of sets with about as many combinations each; so have the first two together and the last two."""
    sizes = {place: kind.entropy for kind in reach.kinds for place in kind.members}
    sides: list[tuple[float, list[int]]] = [(0.0, []) for _ in range(4)]
    for place in sorted(map(int, rng.permutation(len(sizes))), key=lambda at: -sizes[at]):
        fewest = min(range(4), key=lambda side: sides[side][0])
        sides[fewest] = sides[fewest][0] + sizes[place], [*sides[fewest][1], place]
    by_size = [places for _, places in sorted(sides, key=lambda side: side[0])]
    return [by_size[0], by_size[3], by_size[1], by_size[2]]


def _half_listed(reach: Reach, sides: list[list[int]], rng: np.random.Generator) -> list[_Quarter]:
    """Both quarters of a half. The points of alike sets in both are dealt out, so that hardly a half comes twice."""
    chances: list[list[Floats]] = [[], []]
    for kind in reach.kinds:
        counts = [sum(place in kind.members for place in places) for places in sides]
        dealt = rng.random(len(kind.chance)) * sum(counts) < counts[0]
        whole = not all(counts) or not kind.chance[dealt].any() or not kind.chance[~dealt].any()
        for mine, side in zip(chances, (dealt, ~dealt), strict=True):
            mine.append(kind.chance if whole else np.where(side, kind.chance, 0.0) / kind.chance[side].sum())
    return [_Quarter(reach, places, mine, rng) for places, mine in zip(sides, chances, strict=True)]


class _Quarter:
    """Likely combinations of points of some sets; of those that differ in the order of alike sets one."""

    def __init__(self, reach: Reach, places: list[int], chances: list[Floats], rng: np.random.Generator) -> None:
        self.places: list[int] = []
        self._kinds = []
        columns = []
        count = listed_of(sum(kind.entropy for kind in reach.kinds for place in places if place in kind.members))
        for kind, chance in zip(reach.kinds, chances, strict=True):
            mine = [place for place in places if place in kind.members]
            if mine:
                self.places += mine
                self._kinds += [kind] * len(mine)
                drawn = rng.choice(len(chance), size=(count, len(mine)), p=chance)
                columns.append(np.sort(drawn, axis=1))
        self._picks = np.concatenate(columns, axis=1)
        sizes = [len(kind.chance) for kind in self._kinds]
        if prod(sizes) < _NUMBERED:  # of more there are hardly two alike
            numbers = np.unique(np.ravel_multi_index(tuple(self._picks.T), sizes))
            self._picks = np.stack(np.unravel_index(numbers, sizes), axis=1)
        self.sums = np.zeros((len(self._picks), len(reach.half)))
        for column, kind in enumerate(self._kinds):
            self.sums += (kind.shares / reach.half[:, None]).T[self._picks[:, column]]

    def points(self, at: int) -> Floats:
        """The points of a combination, 3 x places."""
        return np.stack([kind.points[:, pick] for kind, pick in zip(self._kinds, self._picks[at], strict=True)], axis=1)


@dataclass(frozen=True, slots=True)
class _Window:
    """Where the sums of a half lie, in some rows; no rows are everywhere."""

    rows: list[int]
    aim: Floats
    radius: float

    @property
    def everything(self) -> bool:
        return not self.rows

    def opposite(self) -> _Window:
        """Where the other half lies, if together they are to come to nothing."""
        return _Window(self.rows, -self.aim, self.radius + 1)


class _Half:
    """Combinations of two lists, of which only those within a window are ever listed."""

    def __init__(self, one: Floats, other: Floats) -> None:
        self.one, self.other = one, other
        self.pairs = len(one) * len(other)
        self.spread = np.sqrt(one.var(axis=0) + other.var(axis=0))

    def sample(self, rng: np.random.Generator, count: int) -> Floats:
        return self.totals(rng.integers(len(self.one), size=count), rng.integers(len(self.other), size=count))

    def totals(self, at: Integers, of: Integers) -> Floats:
        found: Floats = self.one[at] + self.other[of]
        return found

    def within(self, window: _Window, deadline: Deadline) -> tuple[Integers, Integers]:
        """Pairs whose sums lie in a window."""
        if window.everything:
            every = np.arange(self.pairs)
            return every // len(self.other), every % len(self.other)
        rows = window.rows
        first = self.one[:, rows] - window.aim[rows]
        second = self.other[:, rows]
        return join(first, second, deadline, radius=window.radius, most=2 * WINDOW, telling=len(rows))


def _window(left: _Half, right: _Half, rng: np.random.Generator) -> _Window:
    """A window with about as many combinations of a half as are listed at a time, where both halves have some."""
    pairs = max(left.pairs, right.pairs)
    if pairs <= WINDOW:
        return _Window([], np.zeros(0), 0.0)
    mine, theirs = left.sample(rng, _AIMS), -right.sample(rng, _SAMPLE)
    order = np.argsort(-np.hypot(left.spread, right.spread))
    rows: list[int] = []
    aim, radius = 0, 0.0
    for row in order[:_WINDOWED]:
        rows.append(int(row))
        away = np.abs(mine[:, None, rows] - theirs[None][:, :, rows]).max(axis=2)
        near = np.partition(away, _NEAR, axis=1)[:, _NEAR] * (WINDOW / pairs * _SAMPLE / _NEAR) ** (1 / len(rows))
        aim = int(rng.choice(np.argsort(near)[: _AIMS // 2]))
        radius = float(near[aim])
        if radius >= 1:
            break
    return _Window(rows, mine[aim], max(radius, 0.5))
