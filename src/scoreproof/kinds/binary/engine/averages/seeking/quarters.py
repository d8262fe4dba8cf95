"""The likeliest combinations of points of a quarter of the sets, and of two quarters together.

Of alike sets the points are dealt out to the two quarters of a half, so that no half comes twice. What a half holds is
never listed at once: its pairs are taken a window at a time, by the sum of one row.
"""

from __future__ import annotations

from math import log

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.kinds.binary.engine.averages.seeking.reach import LikelyPoints, Reach

_LEAST = 1e-12  # chance of a point that is looked at
_BAND = 0.4  # logarithms of chances that count as alike
_LENGTH = 6  # of the list of a quarter, times the root of the pairs of a half
_NARROWING = 40  # steps of a search for how likely the pairs are that are taken


Pairs = tuple[Integers, Integers]  # of combinations of the one quarter and of the other


class Quarter:
    """The likeliest combinations, the likeliest first; of those that differ in the order of alike sets one."""

    def __init__(self, reach: Reach, places: list[int], chances: list[Floats], most: int) -> None:
        """``chances`` by kind, of the points that are looked among here."""
        self.places: list[int] = []
        self._kinds: list[LikelyPoints] = []
        self.chance = np.zeros(1)  # logarithms
        self._picks = np.zeros((1, 0), dtype=np.int64)
        for kind, chance in zip(reach.kinds, chances, strict=True):
            mine = [place for place in places if place in kind.members]
            ranked = np.argsort(-chance)[: np.count_nonzero(chance > _LEAST)]
            for number, place in enumerate(mine):
                self.places.append(place)
                self._kinds.append(kind)
                self._add(np.log(chance[ranked]), ranked, most, alike=number)
        self.sums = np.zeros((len(reach.half), len(self.chance)))  # rows x combinations, in half-widths
        for column, kind in enumerate(self._kinds):
            self.sums += (kind.shares / reach.half[:, None])[:, self._picks[:, column]]

    def _add(self, chance: Floats, ranked: Integers, most: int, *, alike: int) -> None:
        """Combine with the points of one more set, given likeliest first; it is one of so many more alike ones."""
        # at least as likely as the i-th with the j-th are i times j others, which is too many beyond some
        counts = np.minimum(len(chance), most * (alike + 1) // np.arange(1, len(self.chance) + 1))
        at = np.repeat(np.arange(len(counts)), counts)
        of = np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts, counts)
        if alike:
            ordered = self._picks[at, -1] <= ranked[of]
            at, of = at[ordered], of[ordered]
        together = self.chance[at] + chance[of]
        if len(together) > most:
            kept = np.argpartition(-together, most)[:most]
            at, of, together = at[kept], of[kept], together[kept]
        order = np.argsort(-together)
        self.chance = together[order]
        self._picks = np.column_stack([self._picks[at[order]], ranked[of[order]]])

    def points(self, at: int) -> Floats:
        """The points of a combination, 3 x places."""
        return np.stack([kind.points[:, pick] for kind, pick in zip(self._kinds, self._picks[at], strict=True)], axis=1)


class Half:
    """The likeliest pairs of combinations of two quarters, about so many."""

    def __init__(self, one: Quarter, other: Quarter, most: int) -> None:
        self.one, self.other = one, other
        bounds = np.arange(other.chance[-1], other.chance[0] + _BAND, _BAND)[::-1]
        ends = np.unique(np.append(np.searchsorted(-other.chance, -bounds, "right"), len(other.chance)))
        self._bands = [slice(int(a), int(b)) for a, b in zip(np.append(0, ends[:-1]), ends, strict=True) if b > a]
        likely = np.array([other.chance[band].mean() for band in self._bands])
        sizes = np.array([band.stop - band.start for band in self._bands])
        low, high = float(one.chance[-1] + likely.min()), float(one.chance[0] + likely.max())
        self._partners = np.full(len(sizes), len(one.chance))  # of a band: so many of the likeliest
        if self._partners @ sizes > most:
            for _ in range(_NARROWING):
                middle = (low + high) / 2
                self._partners = np.searchsorted(-one.chance, likely - middle, "right")
                low, high = (low, middle) if self._partners @ sizes < most else (middle, high)
        self.listed = len(one.chance) + len(other.chance)
        self.pairs = int(self._partners @ sizes)
        self.covariance = np.atleast_2d(np.cov(one.sums, bias=True) + np.cov(other.sums, bias=True))
        self.spread = np.sqrt(np.diagonal(self.covariance))
        ones = np.append(0.0, np.cumsum(np.exp(one.chance)))
        others = [float(np.exp(other.chance[band]).sum()) for band in self._bands]
        self.covered = float(ones[self._partners] @ np.array(others))  # of all chances
        self._order = np.arange(len(other.chance))
        self._sorted = other.sums[0]

    def sort(self, row: int) -> None:
        """Get ready for windows of a row."""
        values = self.other.sums[row]
        for band in self._bands:
            self._order[band] = band.start + np.argsort(values[band])
        self._sorted = values[self._order]

    def extent(self, row: int) -> tuple[float, float]:
        """Between which ends the sums of a row lie."""
        rows = self.one.sums[row], self.other.sums[row]
        return float(sum(row.min() for row in rows)), float(sum(row.max() for row in rows))

    def expected(self, row: int) -> float:
        """The sum of a row as it is to be expected of the likelier combinations."""
        return float(
            sum(
                quarter.sums[row] @ np.exp(quarter.chance) / np.exp(quarter.chance).sum()
                for quarter in (self.one, self.other)
            )
        )

    def sample(self, row: int, rng: np.random.Generator, count: int) -> Floats:
        """Sums of a row of some pairs."""
        return self.totals(
            row, (rng.integers(len(self.one.chance), size=count), rng.integers(len(self.other.chance), size=count))
        )

    def within(self, row: int, low: float, high: float) -> Pairs:
        """The pairs whose sum of the sorted row lies between ends."""
        firsts, seconds = [], []
        for band, partners in zip(self._bands, self._partners, strict=True):
            mine = self.one.sums[row][:partners]
            start = np.searchsorted(self._sorted[band], low - mine)
            counts = np.searchsorted(self._sorted[band], high - mine) - start
            first = np.repeat(np.arange(partners), counts)
            firsts.append(first)
            seconds.append(np.arange(len(first)) + np.repeat(band.start + start - np.cumsum(counts) + counts, counts))
        return np.concatenate(firsts), self._order[np.concatenate(seconds)]

    def totals(self, row: int, pairs: Pairs) -> Floats:
        """The sums of a row."""
        found: Floats = self.one.sums[row][pairs[0]] + self.other.sums[row][pairs[1]]
        return found


def halves(reach: Reach, rng: np.random.Generator, most: int) -> tuple[Half, Half]:
    """All sets in two halves of about as many combinations, about so many of each."""
    sides = _sides(reach, rng)
    return _half(reach, sides[:2], rng, most), _half(reach, sides[2:], rng, most)


def _half(reach: Reach, sides: list[list[int]], rng: np.random.Generator, most: int) -> Half:
    chances = _dealt(reach, sides, rng, most)
    length = int(_LENGTH * most**0.5)
    one, other = (Quarter(reach, places, mine, length) for places, mine in zip(sides, chances, strict=True))
    return Half(one, other, most)


def _sides(reach: Reach, rng: np.random.Generator) -> list[list[int]]:
    """Four lists of sets with about as many combinations each; so have the first two together and the last two."""
    sizes = {place: kind.entropy + rng.random() for kind in reach.kinds for place in kind.members}
    sides: list[tuple[float, list[int]]] = [(0.0, []) for _ in range(4)]
    for place in sorted(sizes, key=lambda at: -sizes[at]):
        fewest = min(range(4), key=lambda side: sides[side][0])
        sides[fewest] = sides[fewest][0] + sizes[place], [*sides[fewest][1], place]
    by_size = [places for _, places in sorted(sides, key=lambda side: side[0])]
    return [by_size[0], by_size[3], by_size[1], by_size[2]]


def _dealt(reach: Reach, sides: list[list[int]], rng: np.random.Generator, most: int) -> list[list[Floats]]:
    """The chances of points in both quarters of a half; where they are many, those of alike sets in both are dealt."""
    counts = [[sum(place in kind.members for place in places) for places in sides] for kind in reach.kinds]
    many = sum(sum(mine) * kind.entropy for mine, kind in zip(counts, reach.kinds, strict=True)) > log(most)
    found: list[list[Floats]] = [[], []]
    for mine, kind in zip(counts, reach.kinds, strict=True):
        dealt = rng.random(len(kind.chance)) * sum(mine) < mine[0]
        parts = [np.where(side, kind.chance, 0.0) for side in (dealt, ~dealt)]
        some = many and all(mine) and all((part > _LEAST).any() for part in parts)
        for quarter, part in zip(found, parts, strict=True):
            quarter.append(part if some else kind.chance)
    return found
