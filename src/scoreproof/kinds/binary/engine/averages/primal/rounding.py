"""Rounding of fitted rates by error diffusion (Floyd and Steinberg 1976), improved by steepest descent set by set."""

from __future__ import annotations

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.kinds.binary.engine.averages.primal.fit import Fitted
from scoreproof.kinds.binary.engine.averages.primal.sums import WIDER, Sums
from scoreproof.kinds.binary.scores import ConfusionMatrix
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
        p, tp, tn = points
        sums = self.sums
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
    found = np.rint(p)
    for number, family in enumerate(sums.families):
        mine = np.flatnonzero(sums.family == number)
        drawn = np.floor(p[mine] + (rng.uniform(0, 1, len(mine)) if noisy else 0.5))
        drawn = np.clip(drawn, sums.least[mine], sums.most[mine])
        off = int(family.p - drawn.sum())
        order = rng.permutation(len(mine))
        for turn in range(40 * len(mine)):
            if not off:
                break
            at = order[turn % len(mine)]
            step = 1 if off > 0 else -1
            if sums.least[mine[at]] <= drawn[at] + step <= sums.most[mine[at]]:
                drawn[at] += step
                off -= step
        found[mine] = drawn
    return found


def rounded(sums: Sums, fitted: Fitted, rng: np.random.Generator, shaken: float = 0.5) -> Points:
    """The whole numbers nearest to rates, a little shaken."""
    p = whole_classes(sums, fitted.p, rng, noisy=shaken > 0)
    n = sums.size - p
    tp = np.clip(np.rint(fitted.sens * p + rng.uniform(-shaken, shaken, sums.sets)), 0, p)
    tn = np.clip(np.rint(fitted.spec * n + rng.uniform(-shaken, shaken, sums.sets)), 0, n)
    return np.stack([p, tp, tn])


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
    for place in rng.permutation(sums.sets):
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
    return np.stack([p, tp, tn])
