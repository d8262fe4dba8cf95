"""Which points of every set a witness is looked for among, how likely each is in one, and how hopeful that is.

Of all chances under which the sums are the wanted ones, those of greatest entropy say how many combinations are left
open; the intervals, as parts of how far the sums then spread, say how many of these chance lets fit. Most reports come
from a classifier that is about as good on all sets: chances relative to that leave fewer open, among which the author's
own matrices are. Sets too large to list take the points about a choice, as far as is most hopeful.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, every_point
from scoreproof.kinds.binary.engine.averages.seeking.choice import Choice, Points
from scoreproof.kinds.binary.engine.averages.seeking.entropy import binomial, tilted
from scoreproof.kinds.binary.engine.averages.seeking.sums import Sums
from scoreproof.work.deadline import Deadline

QUARTER = 100_000  # combinations of a quarter of the sets that are listed
WINDOW = 150_000  # combinations of a half that are listed at a time
_STEPS = (1, 2, 3, 5, 8, 12, 18, 25)  # of counts about a choice
_TIMES = 12.0  # as many combinations are drawn as are likely, so that hardly a likely one is missed
_LISTED, _LISTED_IN_ALL = 2_500, 8_000  # points of a set, and of all kinds of sets
_SAFE = 0.999  # of a half-width, to stay clear of its ends


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
    hope: float  # how many witnesses are to be expected in one window, as a logarithm
    witnesses: float  # and how many in all
    covered: float  # of all likely combinations, how many one window looks at

    @property
    def worth(self) -> float:
        """How likely a window is to have a witness, as a logarithm: by chance, or the author's own."""
        return max(self.hope, log(self.covered))


def _hopes(kinds: list[LikelyPoints], half_width: Floats, *, everything: bool) -> tuple[float, float, float]:
    """How many witnesses are to be expected in one window and in all, as logarithms, and the share of a window.

    A witness is one as well with the points of alike sets exchanged: among ``everything``, if there is any there are as
    many.
    """
    spread = np.zeros((len(half_width), len(half_width)))
    combinations = orders = listed_once = 0.0
    for kind in kinds:
        count = len(kind.members)
        away = kind.shares / half_width[:, None]
        away = away - (away @ kind.chance)[:, None]
        spread += count * (away * kind.chance) @ away.T
        combinations += count * kind.entropy
        orders += lgamma(count + 1)
        listed_once += 4 * max(0.0, lgamma(count / 4 + 1))
    # the share of a normal distribution that lies within the intervals
    fitting = -float(np.log(np.maximum(np.linalg.eigvalsh(spread) * np.pi / 2, 1.0)).sum()) / 2
    witnesses = max(combinations + fitting, orders if everything else -np.inf) - listed_once
    half = (combinations - listed_once) / 2
    covered = min(0.0, log(WINDOW) + min(half, 2 * log(QUARTER)) - 2 * half)
    looked_at = min(1.0, WINDOW / listed_of(half / 2) ** 2) * min(1.0, exp(2 * log(QUARTER) - half)) ** 2
    return witnesses + covered, combinations + fitting, looked_at


def listed_of(entropy: float) -> int:
    """How many combinations of a quarter of the sets are listed: some times as many as are likely, up to a limit."""
    return int(min(QUARTER, _TIMES * exp(min(entropy, 50.0)) + 1))


def every_set(sums: Sums, ddof: int, deadline: Deadline, even: float = 0.0) -> Reach | None:
    """All points of all sets; None if these are too many, or no chances give the sums.

    ``even`` says how much rates are expected to be the same in all sets: 0 not at all, 1 but for chance.
    """
    middle, half = sums.box(ddof)
    members: dict[object, list[int]] = {}
    for place in range(sums.sets):
        weights = tuple(row.weight[place] for row in sums.rows)
        members.setdefault((sums.sort(place), weights), []).append(place)
    tables = []
    left = _LISTED_IN_ALL
    for mine in members.values():
        count = _count(sums, mine[0])
        left -= count
        if count > _LISTED or left < 0:
            return None
        points = every_point(int(sums.size[mine[0]]), int(sums.least[mine[0]]), int(sums.most[mine[0]]))
        tables.append((mine, *_allowed(sums, mine[0], points)))
    everything = len(sums.places) == len(sums.demand.form.sets)  # no points were drawn
    return _reach(sums, tables, middle, half * _SAFE, deadline, even, everything=everything)


def listable(sums: Sums) -> bool:
    """Whether all points of all sets are few enough to list."""
    return all(_count(sums, place) <= _LISTED for place in range(sums.sets))


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


def about(choice: Choice, deadline: Deadline, even: float = 0.0) -> Reach | None:
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


def _reach(
    sums: Sums,
    tables: list[tuple[list[int], Points, Floats]],
    middle: Floats,
    half: Floats,
    deadline: Deadline,
    even: float,
    *,
    everything: bool = False,
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
    kinds = [LikelyPoints(*kind, chance) for kind, chance in zip(tables, chances, strict=True)]
    return Reach(sums, kinds, middle, half, *_hopes(kinds, half, everything=everything))


def _as_good_everywhere(
    sums: Sums, tables: list[tuple[list[int], Points, Floats]], chances: list[Floats]
) -> list[Floats]:
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
