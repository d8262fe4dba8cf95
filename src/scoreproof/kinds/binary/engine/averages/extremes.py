"""Reported minima and maxima: which sets reach them and at which points, drawn before the others are looked for.

Few points of a set have a score that is a printed extreme, so these are listed, of sets that are not too large, and one
is drawn; those that reach several extremes, and those whose scores are near the reported means, are likelier. The other
sets are then looked for with that point given.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.kinds.binary.engine.averages.points import every_point
from scoreproof.kinds.binary.engine.averages.sums import Sums, TotalRow
from scoreproof.work.budget import Budget

_LISTED = 60_000  # points of a set
_SEVERAL = 10.0  # times as likely, for each further extreme
_ANY = 0.02  # of what is likely: points far from the reported means
_VALUE = 3e-8  # seconds of a value
_DRAW = 4e-4  # seconds


@dataclass(slots=True)
class _Points:
    """The points of a set that reach some extreme: which of them (extremes x points), and how likely each is."""

    points: Floats
    reach: np.ndarray
    chance: Floats


@dataclass(slots=True)
class Extremes:
    """Sums of sets some of which reach extremes."""

    sums: Sums
    _known: dict[object, _Points | None] = field(default_factory=dict)  # by sort of set; None where not listed

    def drawn(self, rng: np.random.Generator, deadline: Budget) -> Sums | None:
        """Sums with the points of some sets given so that all extremes are reached; None if none were drawn."""
        sums = self.sums
        given: dict[int, Floats] = {}
        met = np.zeros(len(sums.reached), dtype=bool)
        rows = list(sums.rows)
        deadline.charge(_DRAW)
        for number in rng.permutation(len(met)):
            if met[number]:
                continue
            for place in map(int, rng.permutation(sums.sets)):
                if place in given:
                    continue
                listed = self._points(place, deadline)
                if listed is None:  # too many points: a row says what the set's value is
                    score, low, high = sums.reached[number]
                    rows.append(TotalRow(score, (sums.everyone == place).astype(np.float64), low, high))
                    met[number] = True
                    break
                chance = listed.chance * listed.reach[number] * _SEVERAL ** listed.reach[~met].sum(axis=0)
                if chance.any():
                    at = rng.choice(len(chance), p=chance / chance.sum())
                    given[place] = listed.points[:, at]
                    met |= listed.reach[:, at]
                    break
            else:
                return None
        left = sums.with_rows(rows).with_points(given)
        return left if (left.least <= left.most).all() else None

    def _points(self, place: int, deadline: Budget) -> _Points | None:
        sort = self.sums.sort(place)
        if sort not in self._known:
            self._known[sort] = self._listed(place, deadline)
        return self._known[sort]

    def _listed(self, place: int, deadline: Budget) -> _Points | None:
        sums = self.sums
        size = int(sums.size[place])
        classes = range(int(sums.least[place]), int(sums.most[place]) + 1)
        count = sum((p + 1) * (size - p + 1) for p in classes) if len(classes) < _LISTED else _LISTED + 1
        if count > _LISTED:
            return None
        deadline.charge(_VALUE * count * len(sums.scores))
        points = every_point(size, classes.start, classes.stop - 1)
        values = sums.values(np.full(count, place), *points)
        good = np.isfinite(values).all(axis=0)
        reach = sums.reaching(place, points)
        kept = good & reach.any(axis=0)
        if not kept.any():
            return _Points(points[:, kept], reach[:, kept], np.zeros(0))
        away = np.zeros(np.count_nonzero(kept))
        for row in sums.rows:
            if row.square is None and np.count_nonzero(row.weight) == sums.sets:
                spread = float(values[row.score][good].std()) + 1e-9
                away += ((values[row.score][kept] - (row.low + row.high) / 2) / spread) ** 2
        chance = np.exp(-(away - away.min()) / 2)
        return _Points(points[:, kept], reach[:, kept], chance + _ANY * chance.mean())
