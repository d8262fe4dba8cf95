"""Which sets reach the reported extremes, and at which points: drawn, before the others are looked for.

Few points of a set have a score that is a printed extreme, so these are listed, of sets that are not too large, and one
is drawn; those that reach several extremes, and those that are likely in a witness or, where that is not known, whose
scores are near the reported means, are likelier. Where rates are known under which the report holds, sets and points
near them are. The other sets are then looked for with that point given.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, every_point
from scoreproof.kinds.binary.engine.averages.seeking.fitting import Fitted
from scoreproof.kinds.binary.engine.averages.seeking.reach import Reach
from scoreproof.kinds.binary.engine.averages.seeking.sums import Sums, TotalRow
from scoreproof.work.budget import Budget

_LISTED = 60_000  # points of a set
_SEVERAL = 10.0  # times as likely, for each further extreme
_NEAR, _FINEST = 0.05, 1e-9  # of rates, about those under which a report holds; of a score
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
class Reaching:
    """Sums of sets some of which reach extremes."""

    sums: Sums
    likely: Reach | None = None  # how likely points are in a witness, where that is known
    _known: dict[object, _Points | None] = field(default_factory=dict)  # by sort of set; None where not listed

    def drawn(self, rng: np.random.Generator, deadline: Budget, near: Fitted | None = None) -> Sums | None:
        """Sums with the points of some sets given so that all extremes are reached; None if none were drawn."""
        sums = self.sums
        given: dict[int, Floats] = {}
        met = np.zeros(len(sums.reached), dtype=bool)
        rows = list(sums.rows)
        deadline.charge(_DRAW)
        for number in rng.permutation(len(met)):
            if met[number]:
                continue
            for place in self._order(int(number), rng, near):
                if place in given:
                    continue
                listed = self._points(place, deadline)
                if listed is None:  # too many points: a row says what the set's value is
                    score, low, high = sums.reached[number]
                    rows.append(TotalRow(score, (sums.everyone == place).astype(np.float64), low, high))
                    met[number] = True
                    break
                chance = listed.chance * listed.reach[number] * _SEVERAL ** listed.reach[~met].sum(axis=0)
                if near is not None:
                    chance = listed.reach[number] * self._nearness(place, listed.points, near)
                if chance.any():
                    at = rng.choice(len(chance), p=chance / chance.sum())
                    given[place] = listed.points[:, at]
                    met |= listed.reach[:, at]
                    break
            else:
                return None
        left = sums.with_rows(rows).with_points(given)
        return left if (left.least <= left.most).all() else None

    def _order(self, number: int, rng: np.random.Generator, near: Fitted | None) -> list[int]:
        """The sets in the order in which an extreme is looked for in them; those that nearly reach it first."""
        if near is None:
            return [int(place) for place in rng.permutation(self.sums.sets)]
        score, low, high = self.sums.reached[number]
        away = np.abs(self.sums.smooth(score, *near.points(self.sums)) - (low + high) / 2)
        scale = np.sort(away)[: max(1, len(away) // 2)].mean() + _FINEST
        return [int(place) for place in np.argsort(away / scale + rng.gumbel(size=len(away)))]

    def _nearness(self, place: int, points: Floats, near: Fitted) -> Floats:
        """How likely points are that lie so far from rates."""
        p, tp, tn = points
        n = self.sums.size[place] - p
        away = (tp / np.maximum(p, 1) - near.sens[place]) ** 2 + (tn / np.maximum(n, 1) - near.spec[place]) ** 2
        away += ((p - near.p[place]) / self.sums.size[place]) ** 2
        return np.asarray(np.exp(-(away - away.min(initial=np.inf)) / (2 * _NEAR**2)))

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
        chance = self._chance(place, points[:, kept])
        if chance is not None:
            return _Points(points[:, kept], reach[:, kept], chance)
        away = np.zeros(np.count_nonzero(kept))
        for row in sums.rows:
            if row.square is None and np.count_nonzero(row.weight) == sums.sets:
                spread = float(values[row.score][good].std()) + 1e-9
                away += ((values[row.score][kept] - (row.low + row.high) / 2) / spread) ** 2
        chance = np.exp(-(away - away.min()) / 2)
        return _Points(points[:, kept], reach[:, kept], chance + _ANY * chance.mean())

    def _chance(self, place: int, points: Floats) -> Floats | None:
        """How likely points of a set are, where that is known."""
        kind = next((kind for kind in (self.likely.kinds if self.likely else ()) if place in kind.members), None)
        if kind is None:
            return None
        known = {tuple(point): chance for point, chance in zip(kind.points.T, kind.chance, strict=True)}
        chance = np.array([known.get(tuple(point), 0.0) for point in points.T])
        return chance if chance.any() else None
