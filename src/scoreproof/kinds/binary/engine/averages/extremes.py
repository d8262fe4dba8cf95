"""Reported minima and maxima: which sets reach them and at which points, drawn before the others are looked for.

Few points of a set have a score that is a printed extreme, so these are listed, of sets that are not too large, and one
is drawn; those that reach several extremes, and those that are likely in a witness, are likelier. How likely they are
the distribution of greatest entropy says whose sums are the wanted ones (``solve.max_entropy``); where there is none,
points whose scores are near the reported means are. Where rates are known under which the report holds, sets and
points near them are. The other sets are then looked for with that point given.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.kinds.binary.engine.averages.fit import Fitted
from scoreproof.kinds.binary.engine.averages.points import every_point
from scoreproof.kinds.binary.engine.averages.sums import WIDER, Sums, TotalRow
from scoreproof.solve.max_entropy import tilted
from scoreproof.work.budget import Budget

_LISTED = 60_000  # points of a set
_LISTED_IN_ALL = 8_000  # points of all sets, whose distribution is fitted
_PASSES, _SLACK = 2, 1e-9  # over all sets, to drop points; of a sum, for floats
_SEVERAL = 10.0  # times as likely, for each further extreme
_NEAR, _FINEST = 0.05, 1e-9  # of rates, about those under which a report holds; of a score
_ANY = 0.02  # of what is likely: points far from the reported means
_VALUE = 3e-8  # seconds of a value
_DRAW = 4e-4  # seconds


@dataclass(frozen=True, slots=True)
class LikelyPoints:
    """Sets with the same points, what each contributes to the rows, and how likely it is."""

    members: list[int]
    points: Floats  # 3 x points: p, tp, tn
    shares: Floats  # rows x points
    chance: Floats


def likely_points(sums: Sums, ddof: int, deadline: Budget) -> list[LikelyPoints] | None:
    """All points of all sets; None if these are too many, or no distribution of them gives the sums."""
    counts = [_count(sums, place) for place in range(sums.sets)]
    if sum(counts) > _LISTED_IN_ALL:
        return None
    middle, half = sums.box(ddof)
    half = half * WIDER
    members: dict[object, list[int]] = {}
    for place in range(sums.sets):
        weights = tuple(row.weight[place] for row in sums.rows)
        members.setdefault((sums.sort(place), weights), []).append(place)
    kinds = []
    for places in members.values():
        first = places[0]
        points = every_point(int(sums.size[first]), int(sums.least[first]), int(sums.most[first]))
        shares = sums.shares(np.full(points.shape[1], first), *points)
        good = np.isfinite(shares).all(axis=0)
        kinds.append(LikelyPoints(places, points[:, good], shares[:, good], np.zeros(0)))
    for _ in range(_PASSES):
        kinds = _within(kinds, middle, half)
    if any(not kind.shares.shape[1] for kind in kinds):
        return None
    flat = [np.zeros(kind.shares.shape[1]) for kind in kinds]
    chances = tilted(
        [kind.shares for kind in kinds], [len(kind.members) for kind in kinds], middle, half, flat, deadline
    )
    if chances is None:
        return None
    return [
        LikelyPoints(kind.members, kind.points, kind.shares, chance)
        for kind, chance in zip(kinds, chances, strict=True)
    ]


def _count(sums: Sums, place: int) -> int:
    """How many points a set has, or more than are listed."""
    size, least, most = int(sums.size[place]), int(sums.least[place]), int(sums.most[place])
    if most - least > _LISTED_IN_ALL:
        return _LISTED_IN_ALL + 1
    return sum((p + 1) * (size - p + 1) for p in range(least, most + 1))


def _within(kinds: list[LikelyPoints], middle: Floats, half: Floats) -> list[LikelyPoints]:
    """The points that are not too much for a sum whatever the other sets have; none if some set has none."""
    if any(not kind.shares.shape[1] for kind in kinds):
        return kinds
    least = sum(len(kind.members) * kind.shares.min(axis=1) for kind in kinds)
    most = sum(len(kind.members) * kind.shares.max(axis=1) for kind in kinds)
    left = []
    for kind in kinds:
        high = middle + half - (least - kind.shares.min(axis=1))
        low = middle - half - (most - kind.shares.max(axis=1))
        slack = _SLACK * (np.abs(high) + np.abs(low))
        good = ((kind.shares >= (low - slack)[:, None]) & (kind.shares <= (high + slack)[:, None])).all(axis=0)
        left.append(LikelyPoints(kind.members, kind.points[:, good], kind.shares[:, good], kind.chance))
    return left


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
    likely: list[LikelyPoints] | None = None  # how likely points are in a witness, where that is known
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
        kind = next((kind for kind in self.likely or () if place in kind.members), None)
        if kind is None:
            return None
        known = {tuple(point): chance for point, chance in zip(kind.points.T, kind.chance, strict=True)}
        chance = np.array([known.get(tuple(point), 0.0) for point in points.T])
        return chance if chance.any() else None
