"""Pricing for column generation (Gilmore and Gomory 1961, doi:10.1287/opre.9.6.849): the points worth most.

Small kinds list their points. Of large ones a coarse grid of rates (and class counts) is kept with what its points add
to the rows, so that one product prices it; from its best places a few finer grids lead on. Floats only propose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.kinds.binary.engine.averages.sums import Sums

_LISTED = 40_000  # points of a kind of sets, priced one by one
_GRID, _CLASS_GRID, _EXACT_CLASS_GRID = 33, 13, 49  # of rates, of class counts, and of these before a proof
_EDGES = np.array([0.002, 0.005, 0.01, 0.02, 0.98, 0.99, 0.995, 0.998])  # near the ends
_FINE, _CLASS_FINE, _ZOOMS = np.linspace(-1, 1, 7), np.linspace(-1, 1, 5), 6
_SHRINK = 0.34
_STARTS, _EXACT_STARTS, _APART = 3, 8, 0.1


class Priced(NamedTuple):
    """A point (p, tp, tn) of a kind, and what it is worth."""

    worth: float
    point: Floats


class AlikeSets:
    """Alike sets: their class counts, and some or all of their points with what they add to the rows."""

    def __init__(self, sums: Sums, members: list[int]) -> None:
        self.place, self.count = members[0], len(members)
        at = self.place
        self.size, self.least, self.most = float(sums.size[at]), float(sums.least[at]), float(sums.most[at])
        classes = self.most - self.least + 1
        most = (self.least + self.most + 1) / 2
        self.listed = classes * (most + 1) * (self.size - most + 1) <= _LISTED
        self._sums = sums
        self._exact: tuple[Floats, Floats] | None = None
        self.points, self.table = self._tabled(sums.points(at) if self.listed else self._coarse(_CLASS_GRID))

    def _tabled(self, points: Floats) -> tuple[Floats, Floats]:
        """The points that are allowed, and what they add to the rows."""
        table = self._sums.shares(np.full(points.shape[1], self.place), *points)
        good = np.isfinite(table).all(axis=0)
        return points[:, good], table[:, good]

    def _coarse(self, classes: int) -> Floats:
        # ratios change fastest where few cases are left: so many, twice as many, and so on, from either end
        few = 2.0 ** -np.arange(5, 5 if self.most > self.least else np.log2(self.size))
        rates = np.unique(np.concatenate([np.linspace(0, 1, _GRID), _EDGES, few, 1 - few]))
        counts = np.linspace(0, 1, classes) if self.most > self.least else np.zeros(1)
        q = np.unique(np.rint(self.least + counts * (self.most - self.least)))
        p, sens, spec = (x.ravel() for x in np.meshgrid(q, rates, rates, indexing="ij"))
        return np.stack([p, np.rint(sens * p), np.rint(spec * (self.size - p))])

    def best(self, prices: Floats, *, exact: bool = False) -> list[Priced]:
        """The points worth most of those that are known, not neighbours of each other if they are not all.

        ``exact`` asks for a finer grid where class counts are open: the worth of points has several peaks there.
        """
        points, table = self.points, self.table
        if exact and not self.listed and self.most > self.least:
            self._exact = self._exact or self._tabled(self._coarse(_EXACT_CLASS_GRID))
            points, table = self._exact
        if not points.shape[1]:
            return []
        worth = prices @ table
        if self.listed:
            at = int(worth.argmax())
            return [Priced(float(worth[at]), points[:, at])]
        chosen: list[int] = []
        rates = self.rates(points)
        left = worth.copy()
        while len(chosen) < (_EXACT_STARTS if exact else _STARTS):
            at = int(left.argmax())
            if not np.isfinite(left[at]):
                break
            chosen.append(at)
            left[(np.abs(rates - rates[:, [at]]) < _APART).all(axis=0)] = -np.inf
        return [Priced(float(worth[at]), points[:, at]) for at in chosen]

    def rates(self, points: Floats) -> Floats:
        """Where points are in the unit cube of class counts and rates."""
        p, tp, tn = points
        share = (p - self.least) / max(self.most - self.least, 1)
        return np.stack([share, tp / np.maximum(p, 1), tn / np.maximum(self.size - p, 1)])


class Pricing:
    """All kinds of a problem."""

    def __init__(self, sums: Sums, members: list[list[int]]) -> None:
        self._sums = sums
        self.kinds = [AlikeSets(sums, alike) for alike in members]

    def shares(self, number: int, points: Floats) -> Floats:
        """What points of a kind add to the rows."""
        return self._sums.shares(np.full(points.shape[1], self.kinds[number].place), *points)

    def dearest(self, prices: Floats, *, exact: bool = False) -> list[list[Priced]]:
        """By kind, points worth much, the one worth most first."""
        priced = [kind.best(prices, exact=exact) for kind in self.kinds]
        begun = [(k, start) for k, of_kind in enumerate(priced) if not self.kinds[k].listed for start in of_kind]
        if begun:
            owner = np.array([k for k, _ in begun])
            points = np.stack([start.point for _, start in begun], axis=1)
            worth = np.array([start.worth for _, start in begun])
            points, worth = self._zoomed(prices, owner, points, worth)
            for k in set(owner.tolist()):
                of_kind = sorted(np.flatnonzero(owner == k), key=lambda at: -worth[at])
                priced[k] = [Priced(float(worth[at]), points[:, at]) for at in of_kind]
        return priced

    def _zoomed(self, prices: Floats, owner: Ints, points: Floats, worth: Floats) -> tuple[Floats, Floats]:
        """Finer and finer grids about each point."""
        least, most, size = self._classes(owner)
        open_ = (most > least).astype(np.float64)
        classes = _CLASS_FINE if open_.any() else np.zeros(1)
        moves = np.stack([x.ravel() for x in np.meshgrid(classes, _FINE, _FINE, indexing="ij")])
        width = np.array([1 / _CLASS_GRID, 1 / _GRID, 1 / _GRID]) * 1.2
        for _ in range(_ZOOMS):
            p, tp, tn = points
            q = np.clip(np.rint(p + moves[0][:, None] * width[0] * (most - least) * open_), least, most)
            sens = np.clip(tp / np.maximum(p, 1) + moves[1][:, None] * width[1], 0, 1)
            spec = np.clip(tn / np.maximum(size - p, 1) + moves[2][:, None] * width[2], 0, 1)
            points, worth = self._better(
                prices, owner, points, worth, np.stack([q, np.rint(sens * q), np.rint(spec * (size - q))])
            )
            width = width * _SHRINK
        return points, worth

    def _classes(self, owner: Ints) -> tuple[Floats, Floats, Floats]:
        """The fewest and the most positives, and the size, of the kinds of some points."""
        traits = np.array([(kind.least, kind.most, kind.size) for kind in self.kinds]).T[:, owner]
        return traits[0], traits[1], traits[2]

    def _better(
        self, prices: Floats, owner: Ints, points: Floats, worth: Floats, tried: Floats
    ) -> tuple[Floats, Floats]:
        """Of each point and what is tried in its place (3 x tries x points), the one worth most."""
        tries = tried.shape[1]
        places = np.array([kind.place for kind in self.kinds])[owner]
        shares = self._sums.shares(np.tile(places, tries), *tried.reshape(3, -1))
        value = (prices @ shares).reshape(tries, -1)
        value[~np.isfinite(value)] = -np.inf
        at = value.argmax(axis=0)
        every = np.arange(len(owner))
        top = value[at, every]
        return np.where(top > worth, tried[:, at, every], points), np.maximum(top, worth)
