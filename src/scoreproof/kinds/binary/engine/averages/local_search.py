"""Local search from fitted rates: rounding by error diffusion (Floyd and Steinberg 1976), descent, and joins.

Rates are rounded so that each rounding undoes the misses of those before it, and improved set by set by steepest
descent. Then a few sets are chosen anew together so that all sums fall into place, by meeting in the middle (Horowitz
and Sahni 1974, doi:10.1145/321812.321823): the alternatives of half of these sets are combined into one list of sums,
those of the other half into another, and pairs that add up to what is wanted are found by sorting cells of the rows
that tell most.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.kinds.binary.engine.averages.fit import Fitted
from scoreproof.kinds.binary.engine.averages.sums import WIDER, Sums
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.solve.meet_in_the_middle import join
from scoreproof.work.budget import Budget

STEPS = tuple(np.arange(-far, far + 1) for far in (1, 2, 3, 5, 8, 15))
CLASS_STEPS = np.array([0, -1, 1, -2, 2])
_MOST_CHANGES = 400
_CHANGE = 2e-5  # seconds of a change, for each set

Points = Floats  # 3 x points: p, tp, tn


class Choice:
    """A point per set, and what each contributes to the sums."""

    def __init__(self, sums: Sums, points: Points, ddof: int) -> None:
        self.sums, self.points, self.ddof = sums.about(*points), points, ddof
        self.shares = self.sums.shares(sums.everyone, *points)
        self._around: dict[tuple[int, int, int], tuple[Points, Floats]] = {}

    @property
    def allowed(self) -> bool:
        return bool(np.isfinite(self.shares).all())

    def misses(self) -> tuple[Floats, Floats]:
        """How far each row is off in half-widths, and these."""
        total = self.shares.sum(axis=1)
        middle, half = self.sums.box(self.ddof, total)
        half = half * WIDER
        return (total - middle) / half, half

    def judged(self) -> tuple[ConfusionMatrix, ...] | None:
        """The matrices, if they seem to give the report and do."""
        return self.sums.judged(*self.points) if np.abs(self.misses()[0]).max() <= 1 else None

    def around(self, place: int, steps: np.ndarray, class_steps: np.ndarray = CLASS_STEPS) -> tuple[Points, Floats]:
        """The points about a set's own, and what they would contribute."""
        key = (place, len(steps), len(class_steps))
        if key not in self._around:
            known = not self.sums.unknown[place]
            moves = np.stack(
                [x.ravel() for x in np.meshgrid([0] if known else class_steps, steps, steps, indexing="ij")]
            )
            self._around[key] = self.alternatives(place, self.points[:, [place]] + moves)
        return self._around[key]

    def alternatives(self, place: int, points: Points) -> tuple[Points, Floats]:
        """Those of some points that a set may have, and what they would contribute."""
        sums = self.sums
        points = sums.fixed[place][:, None] if place in sums.fixed else points
        p, tp, tn = points
        possible = (p >= sums.least[place]) & (p <= sums.most[place]) & (tp >= 0) & (tp <= p)
        points = points[:, possible & (tn >= 0) & (tn <= sums.size[place] - p)]
        shares = sums.shares(np.full(points.shape[1], place), *points)
        good = np.isfinite(shares).all(axis=0)
        return points[:, good], shares[:, good]

    def put(self, place: int, point: Floats, shares: Floats) -> list[int]:
        """Change the point of one set; the sets whose contributions elsewhere that changes."""
        self.points[:, place] = point
        self.shares[:, place] = shares
        changed = self.sums.together(place)
        if len(changed) > 1:
            self.sums = self.sums.about(*self.points)
            self.shares = self.sums.shares(self.sums.everyone, *self.points)
        self._around = {key: known for key, known in self._around.items() if key[0] not in changed}
        return changed

    def descend(self, deadline: Budget) -> None:
        """Change one set at a time as lessens the misses most, until none does."""
        own = np.array([0])
        tables = [self.around(place, STEPS[1], own) for place in range(self.sums.sets)]
        changes = [shares - self.shares[:, [place]] for place, (_, shares) in enumerate(tables)]
        for _ in range(_MOST_CHANGES):
            miss, half = self.misses()
            deadline.charge(_CHANGE * self.sums.sets)
            if deadline.passed or np.abs(miss).max() <= 1:
                return
            every = np.concatenate(changes, axis=1) / half[:, None]
            cost = ((miss[:, None] + every) ** 2).sum(axis=0)
            if not len(cost):
                return
            best = int(cost.argmin())
            if cost[best] >= (miss**2).sum() * 0.9999:
                return
            ends = np.cumsum([change.shape[1] for change in changes])
            place = int(np.searchsorted(ends, best, "right"))
            at = best - (int(ends[place - 1]) if place else 0)
            for other in self.put(place, tables[place][0][:, at], tables[place][1][:, at]):
                tables[other] = self.around(other, STEPS[1], own)
                changes[other] = tables[other][1] - self.shares[:, [other]]


def whole_classes(sums: Sums, p: Floats, rng: np.random.Generator, *, noisy: bool = False) -> Floats:
    """Whole numbers of positives near given ones, those of each family adding up to its own."""
    whole = np.rint(p)
    for number, family in enumerate(sums.families):
        folds = np.flatnonzero(sums.family == number)
        drawn = np.floor(p[folds] + (rng.uniform(0, 1, len(folds)) if noisy else 0.5))
        drawn = np.clip(drawn, sums.least[folds], sums.most[folds])
        off = int(family.p - drawn.sum())
        order = rng.permutation(len(folds))
        for turn in range(40 * len(folds)):
            if not off:
                break
            at = order[turn % len(folds)]
            step = 1 if off > 0 else -1
            if sums.least[folds[at]] <= drawn[at] + step <= sums.most[folds[at]]:
                drawn[at] += step
                off -= step
        whole[folds] = drawn
    return whole


def rounded(sums: Sums, fitted: Fitted, rng: np.random.Generator, shaken: float = 0.5) -> Points:
    """The whole numbers nearest to rates, a little shaken."""
    p = whole_classes(sums, fitted.p, rng, noisy=shaken > 0)
    n = sums.size - p
    tp = np.clip(np.rint(fitted.sens * p + rng.uniform(-shaken, shaken, sums.sets)), 0, p)
    tn = np.clip(np.rint(fitted.spec * n + rng.uniform(-shaken, shaken, sums.sets)), 0, n)
    return sums.fix(np.stack([p, tp, tn]))


_EAST = np.array([0, 0, 1, 1, -1, 2, 0, 1, -1, 2.0])
_NORTH = np.array([0, 1, 0, 1, 0, 1, -1, 2, 1, 0.0])


def diffused(sums: Sums, fitted: Fitted, rng: np.random.Generator, ddof: int) -> Points:
    """Whole numbers near rates, each chosen to undo the misses that rounding those before it made."""
    p = whole_classes(sums, fitted.p, rng)
    n = sums.size - p
    sums = sums.about(*fitted.points(sums), smooth=True)
    smooth = sums.shares(sums.everyone, *fitted.points(sums), smooth=True)
    middle, half = sums.box(ddof, smooth.sum(axis=1))
    miss = (smooth.sum(axis=1) - middle) / half
    tp, tn = np.clip(np.rint(fitted.sens * p), 0, p), np.clip(np.rint(fitted.spec * n), 0, n)
    for place in rng.permutation(np.setdiff1d(sums.everyone, list(sums.fixed))):
        a = np.floor(fitted.sens[place] * p[place]) + _EAST
        b = np.floor(fitted.spec[place] * n[place]) + _NORTH
        possible = (a >= 0) & (a <= p[place]) & (b >= 0) & (b <= n[place])
        a, b = a[possible], b[possible]
        if not len(a):
            continue
        shares = sums.shares(np.full(len(a), place), np.full(len(a), p[place]), a, b)
        change = (shares - smooth[:, [place]]) / half[:, None]
        cost = ((miss[:, None] + change) ** 2).sum(axis=0)
        cost[~np.isfinite(cost)] = np.inf
        best = int(cost.argmin())
        if np.isfinite(cost[best]):
            tp[place], tn[place] = a[best], b[best]
            miss = miss + change[:, best]
    return sums.fix(np.stack([p, tp, tn]))


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


def _picks(sizes: list[int], most: int, rng: np.random.Generator) -> Ints:
    """All combinations of places in lists of some sizes (combinations x lists), or a random sample of so many."""
    if math.prod(sizes) <= most:
        return np.stack([x.ravel() for x in np.meshgrid(*map(np.arange, sizes), indexing="ij")], axis=1)
    return np.stack([rng.integers(size, size=most) for size in sizes], axis=1)


def listed(
    choice: Choice,
    places: list[int],
    tables: list[tuple[Points, Floats]],
    half: Floats,
    most: int,
    rng: np.random.Generator,
) -> Listed:
    """All combinations of the sets' alternatives, or a random sample of them."""
    picks = _picks([shares.shape[1] for _, shares in tables], most, rng)
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
    rest: Floats = miss - choice.shares[:, chosen].sum(axis=1) / half
    return rest


def _sides(choice: Choice, rng: np.random.Generator) -> tuple[list[int], list[int]]:
    """Two halves of all sets, or some of them; of parts whose means deviate, each whole in one."""
    sums = choice.sums
    order = [int(place) for place in rng.permutation(sums.sets) if place not in sums.fixed]
    k = len(order)
    per = int(rng.choice([2, 3])) if k >= 6 and rng.random() < _SOME else max(1, k // 2)
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
    for of_part in by_part.values():
        every = _alternatives(choice, of_part, half, max(most, _DRAWN_OF_PART), rng)
        if every is None:
            return None
        off = every.sums - choice.shares[:, of_part].sum(axis=1) / half - aim
        near = np.argsort((off**2).sum(axis=1))[:kept]
        parts.append(every._replace(sums=every.sums[near], picks=every.picks[near]))
    picks = _picks([len(part.sums) for part in parts], most, rng)
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
        matrices = judged(choice, [(lists[0], int(first[at])), (lists[1], int(second[at]))])
        if matrices is not None:
            return matrices
    return None
