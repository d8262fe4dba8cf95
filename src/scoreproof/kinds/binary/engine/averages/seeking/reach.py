"""Which points of every set a witness is looked for among, how likely each is in one, and how hopeful that is.

Of all chances under which the sums are the wanted ones, those of greatest entropy say how many combinations are left
open; the intervals, as parts of how far the sums then spread, say how many of these chance lets fit. Most reports come
from a classifier that is about as good on all sets: chances relative to that leave fewer open, among which the author's
own matrices are. Sets too large to list take the points about a choice, as far as is most hopeful.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import lgamma, log
from types import MappingProxyType

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, every_point
from scoreproof.kinds.binary.engine.averages.seeking.choice import Choice, Points
from scoreproof.kinds.binary.engine.averages.seeking.entropy import binomial, tilted
from scoreproof.kinds.binary.engine.averages.seeking.sums import WIDER, Sums
from scoreproof.work.budget import Budget

HALF = 1_000_000  # combinations of a half of the sets about a choice that are looked at
_STEPS = (1, 2, 3, 5, 8, 12, 18, 25)  # of counts about a choice
_LISTED, _LISTED_IN_ALL = 12_000, 60_000  # points of a set, and of all kinds of sets
_PASSES, _SLACK = 2, 1e-9  # over all sets, to drop points; of a sum, for floats

_Table = tuple[list[int], Points, Floats]  # alike sets, their points, and what these contribute


@dataclass(frozen=True, slots=True)
class LikelyPoints:
    """Sets with the same points: what each contributes to the rows, and how likely it is."""

    members: list[int]
    points: Points
    shares: Floats  # rows x points
    chance: Floats

    @property
    def entropy(self) -> float:
        """How many of its points a set may well have, as a logarithm."""
        return -float(self.chance @ np.log(np.maximum(self.chance, 1e-300)))


@dataclass(frozen=True, slots=True)
class Reach:
    """What is looked among: points of sets, and the middle and the half-width of what each row's sum is to be."""

    sums: Sums
    kinds: list[LikelyPoints]
    middle: Floats
    half: Floats
    fitting: float  # the share of all combinations of these chances that fits, as a logarithm

    @property
    def entropy(self) -> float:
        """How many combinations are likely, as a logarithm."""
        return sum(len(kind.members) * kind.entropy for kind in self.kinds)

    @property
    def witnesses(self) -> float:
        """How many witnesses are to be expected, as a logarithm; the order of alike sets aside."""
        return self.entropy + self.fitting - sum(lgamma(len(kind.members) + 1) for kind in self.kinds)

    @property
    def hope(self) -> float:
        """How many are to be expected if as many combinations of each half are looked at as ever are."""
        return min(self.entropy, 2 * log(HALF)) + self.fitting


def _fitting(kinds: list[LikelyPoints], half_width: Floats) -> float:
    """The share of a normal distribution that lies within the intervals."""
    spread = np.zeros((len(half_width), len(half_width)))
    for kind in kinds:
        away = kind.shares / half_width[:, None]
        away = away - (away @ kind.chance)[:, None]
        spread += len(kind.members) * (away * kind.chance) @ away.T
    return -float(np.log(np.maximum(np.linalg.eigvalsh(spread) * np.pi / 2, 1.0)).sum()) / 2


def every_set(
    sums: Sums,
    ddof: int,
    deadline: Budget,
    even: float = 0.0,
    reaching: Mapping[int, tuple[int, ...]] = MappingProxyType({}),
) -> Reach | None:
    """All points of all sets; None if these are too many, or no chances give the sums.

    ``even`` says how much rates are expected to be the same in all sets: 0 not at all, 1 but for chance; ``reaching``
    by set which of the extremes it reaches.
    """
    middle, half = sums.box(ddof)
    members: dict[object, list[int]] = {}
    for place in range(sums.sets):
        weights = tuple(row.weight[place] for row in sums.rows)
        members.setdefault((sums.sort(place), weights, reaching.get(place)), []).append(place)
    tables = []
    left = _LISTED_IN_ALL
    for mine in members.values():
        count = _count(sums, mine[0])
        left -= count
        if count > _LISTED or left < 0:
            return None
        points = every_point(int(sums.size[mine[0]]), int(sums.least[mine[0]]), int(sums.most[mine[0]]))
        if mine[0] in reaching:
            points = points[:, sums.reaching(mine[0], points)[list(reaching[mine[0]])].all(axis=0)]
        tables.append((mine, *_allowed(sums, mine[0], points)))
    for _ in range(_PASSES):
        tables = _within(tables, middle, half * WIDER)
    return _reach(sums, tables, middle, half * WIDER, deadline, even)


def listable(sums: Sums, most: int = _LISTED_IN_ALL) -> bool:
    """Whether all points of all sets are few enough to list."""
    counts = [_count(sums, place) for place in range(sums.sets)]
    return max(counts, default=0) <= _LISTED and sum(counts) <= most


def _count(sums: Sums, place: int) -> int:
    """How many points a set has, or more than are listed."""
    size, least, most = int(sums.size[place]), int(sums.least[place]), int(sums.most[place])
    if most - least > _LISTED:
        return _LISTED + 1
    return sum((p + 1) * (size - p + 1) for p in range(least, most + 1))


def _allowed(sums: Sums, place: int, points: Points) -> tuple[Points, Floats]:
    shares = sums.shares(np.full(points.shape[1], place), *points)
    good = np.isfinite(shares).all(axis=0)
    return points[:, good], shares[:, good]


def about(choice: Choice, deadline: Budget, even: float = 0.0) -> Reach | None:
    """Points about those chosen, as far as needed for a witness in a window, or else as far as is most hopeful."""
    miss, half = choice.misses()
    middle = choice.shares.sum(axis=1) - miss * half
    best: Reach | None = None
    for far in _STEPS:
        tables = [([place], *_near(choice, place, far)) for place in range(choice.sums.sets)]
        reach = None if deadline.passed else _reach(choice.sums, tables, middle, half, deadline, even)
        if reach is not None and (best is None or reach.hope > best.hope):
            best = reach
            if best.hope >= 0:
                break
    return best


def _near(choice: Choice, place: int, far: int) -> tuple[Points, Floats]:
    sums = choice.sums
    p, tp, tn = choice.points[:, place]
    size = sums.size[place]
    steps = np.arange(-far, far + 1)
    other = steps if sums.unknown[place] else np.zeros(1)
    q, a, b = (x.ravel() for x in np.meshgrid(p + other, steps, steps, indexing="ij"))
    east, north = np.rint(tp / max(p, 1) * q), np.rint(tn / max(size - p, 1) * (size - q))
    return choice.alternatives(place, np.stack([q, east + a, north + b]))


def _within(tables: list[_Table], middle: Floats, half: Floats) -> list[_Table]:
    """The points that are not too much for a sum whatever the other sets have; none if some set has none."""
    if any(not shares.shape[1] for _, _, shares in tables):
        return tables
    least = sum(len(members) * shares.min(axis=1) for members, _, shares in tables)
    most = sum(len(members) * shares.max(axis=1) for members, _, shares in tables)
    found = []
    for members, points, shares in tables:
        high = middle + half - (least - shares.min(axis=1))
        low = middle - half - (most - shares.max(axis=1))
        slack = _SLACK * (np.abs(high) + np.abs(low))
        good = ((shares >= (low - slack)[:, None]) & (shares <= (high + slack)[:, None])).all(axis=0)
        found.append((members, points[:, good], shares[:, good]))
    return found


def _reach(
    sums: Sums,
    tables: list[_Table],
    middle: Floats,
    half: Floats,
    deadline: Budget,
    even: float,
) -> Reach | None:
    """With the chances of greatest entropy; None if there are none."""
    shares = [mine for _, _, mine in tables]
    if any(not mine.shape[1] for mine in shares):
        return None
    counts = [len(members) for members, _, _ in tables]
    flat = [np.zeros(mine.shape[1]) for mine in shares]
    chances = tilted(shares, counts, middle, half, flat, deadline)
    if chances is None:
        return None
    if even:
        base = [even * likely for likely in _as_good_everywhere(sums, tables, chances)]
        chances = tilted(shares, counts, middle, half, base, deadline) or chances
    kinds = [_merged(sums, LikelyPoints(*kind, chance)) for kind, chance in zip(tables, chances, strict=True)]
    return Reach(sums, kinds, middle, half, _fitting(kinds, half))


def _merged(sums: Sums, kind: LikelyPoints) -> LikelyPoints:
    """Of points that contribute the same, and reach the same extremes, the likeliest for all of them."""
    told = [*kind.shares, *(sums.reaching(kind.members[0], kind.points) if sums.reached else ())]
    by = np.random.default_rng(0).random(len(told))
    order = np.argsort(-kind.chance)
    number = sum(factor * row[order] for factor, row in zip(by, told, strict=True))
    _, first, of = np.unique(number, return_index=True, return_inverse=True)
    kept = order[first]
    chance = np.bincount(of, kind.chance[order]).astype(np.float64)
    return LikelyPoints(kind.members, kind.points[:, kept], kind.shares[:, kept], chance)


def _as_good_everywhere(sums: Sums, tables: list[_Table], chances: list[Floats]) -> list[Floats]:
    """How likely points are (logarithms) if all sets have the rates, and the share of positives, of all together."""
    totals = np.zeros(4)  # positives, tp, cases, tn, as expected
    for (members, points, _), chance in zip(tables, chances, strict=True):
        p, tp, tn = points @ chance
        totals += len(members) * np.array([p, tp, sums.size[members[0]], tn])
    sens, spec, share = (
        float(np.clip(hits / max(count, 1e-9), 0.02, 0.98))
        for hits, count in ((totals[1], totals[0]), (totals[3], totals[2] - totals[0]), (totals[0], totals[2]))
    )
    found = []
    for members, (p, tp, tn), _ in tables:
        size = np.full_like(p, sums.size[members[0]])
        likely = binomial(p, tp, sens) + binomial(size - p, tn, spec)
        found.append(likely + binomial(size, p, share) if sums.unknown[members[0]] else likely)
    return found
