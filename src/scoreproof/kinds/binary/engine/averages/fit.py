"""Damped Gauss-Newton fit (Marquardt 1963, doi:10.1137/0111030) of rates, and of class counts where they are unknown.

Means and deviations are smooth in the rates. There are many unknowns and few sums, so a damped Gauss-Newton step of
least length is found from a system as small as the sums are many; unknowns near their ends are moved less.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.kinds.binary.engine.averages.sums import Sums
from scoreproof.work.budget import Budget

_STEPS, _HALVINGS = 40, 6
_INSIDE, _JUST_INSIDE = 0.5, 0.9  # half-widths from the middle that count as met
_LONGER, _SLOWLY = 8, 0.985  # times as many steps, as long as each time the miss falls to so much of it
_CLOSE = 3.0  # half-widths by which a solution is missed that may yet be met just so
_EDGE = 1e-4  # rates stay so far from 0 and 1
_SLOPE, _COUNT_SLOPE = 1e-6, 1e-3
_FAR = 0.9
_EXCESS = 1e-3  # of all sets' scores beyond their bounds, in place of a half-width
_FAR_APART = 0.25  # rates of parts, from the start
_STARTS, _START = 12, 2e-4  # that are compared, and the seconds of one
_STEP, _SHARE = 4e-4, 2e-7  # seconds of a step, and for each share of each row


@dataclass(slots=True)
class Fitted:
    """Rates of each set and its positives, and the largest miss in half-widths."""

    sens: Floats
    spec: Floats
    p: Floats
    miss: float = np.inf

    def points(self, sums: Sums) -> tuple[Floats, Floats, Floats]:
        """Positives, tp and tn, not whole."""
        return self.p, self.sens * self.p, self.spec * (sums.size - self.p)


def random_start(sums: Sums, rng: np.random.Generator, spread: float) -> Fitted:
    """Rates about the reported ones, if these are, and classes as chance deals them."""
    middle = {sums.scores[row.score].name: (row.low + row.high) / 2 for row in sums.rows[::-1] if row.square is None}
    sens = middle.get("sens", rng.uniform(0.3, 0.97)) + spread * rng.normal(size=sums.sets)
    spec = middle.get("spec", rng.uniform(0.4, 0.99)) + spread * rng.uniform(0.3, 1) * rng.normal(size=sums.sets)
    for row in sums.rows:
        if row.parts is not None:  # means of parts deviate as much as is reported, whichever is the better one
            far = min(np.sqrt((row.low + row.high) / 2), _FAR_APART)
            for rate in (sens, spec):
                rate += far * rng.normal(size=row.parts.count)[row.parts.number]
            break
    p = sums.p.copy()
    for number, family in enumerate(sums.families):
        folds = sums.family == number
        if not folds.any():  # all its folds are given
            continue
        size = sums.size[folds]
        share = size / size.sum() * family.p
        by_chance = np.sqrt(np.maximum(share * (1 - share / size), 0.1)) * rng.choice([0.3, 1, 1, 2, 6])
        drawn = share + by_chance * rng.normal(size=len(share))
        p[folds] = np.clip(drawn + (family.p - drawn.sum()) / len(share), sums.least[folds], sums.most[folds])
    return Fitted(sens, spec, p)


def likely_start(sums: Sums, rng: np.random.Generator, spread: float, ddof: int, deadline: Budget) -> Fitted:
    """Of several random starts, every other with rates as chance spreads them, the one that misses the report least."""
    problem = _Fit(sums, ddof)
    best, least = None, np.inf
    for number in range(_STARTS):
        start = random_start(sums, rng, spread)
        if number % 2:
            for rate, top in ((start.sens, start.p), (start.spec, sums.size - start.p)):
                centre = np.clip(rate.mean(), 0.02, 0.98)
                rate[:] = centre + np.sqrt(centre * (1 - centre) / np.maximum(top, 1)) * rng.normal(size=sums.sets)
        start = problem.clipped(start)
        deadline.charge(_START)
        miss = float(np.log1p(np.abs(problem.misses(problem.shares(start))[0])).sum())
        if best is None or miss < least:
            best, least = start, miss
    assert best is not None
    return best


class _Fit:
    def __init__(self, sums: Sums, ddof: int) -> None:
        self.sums, self.ddof = sums, ddof
        self.axes = 3 if sums.unknown.any() else 2
        self.limited = len(sums.limited)

    def shares(self, at: Fitted, about: Sums | None = None) -> Floats:
        """What each set contributes to the rows, and by how much its scores lie beyond their bounds."""
        points = at.points(self.sums)
        sums = self.sums.about(*points, smooth=True) if about is None else about
        rows = sums.shares(self.sums.everyone, *points, smooth=True)
        return np.concatenate([rows, self.sums.excess(*points)]) if self.limited else rows

    def misses(self, shares: Floats) -> tuple[Floats, Floats]:
        """How far each row is off, in half-widths, and these."""
        total = shares.sum(axis=1)
        middle, half = self.sums.box(self.ddof, total[: self.sums.count])
        if self.limited:
            middle = np.append(middle, np.zeros(self.limited))
            half = np.append(half, np.full(self.limited, _EXCESS))
        return (total - middle) / half, half

    def clipped(self, at: Fitted) -> Fitted:
        sums = self.sums
        least = np.minimum(sums.least + 1, sums.most)
        most = np.maximum(sums.most - (sums.most >= sums.size), sums.least)
        p = np.where(sums.unknown, np.clip(at.p, np.minimum(least, most), np.maximum(least, most)), sums.p)
        sens, spec = np.clip(at.sens, _EDGE, 1 - _EDGE), np.clip(at.spec, _EDGE, 1 - _EDGE)
        for place, (q, tp, tn) in sums.fixed.items():
            sens[place], spec[place] = tp / max(q, 1), tn / max(sums.size[place] - q, 1)
        return Fitted(sens, spec, p)

    def slopes(self, at: Fitted, shares: Floats, half: Floats) -> Floats:
        """Rows by unknowns; a set's share changes with its own unknowns only, so one difference an axis gives all."""
        slopes = []
        about = self.sums.about(*at.points(self.sums), smooth=True)
        for axis in ("sens", "spec", "p")[: self.axes]:
            x = getattr(at, axis)
            step = np.full_like(x, _COUNT_SLOPE) if axis == "p" else np.where(x > 0.5, -_SLOPE, _SLOPE)
            moved = replace(at, **{axis: x + step})
            slope = (self.shares(moved, about) - shares) / step / half[:, None]
            slopes.append(np.where(self.sums.unknown, slope, 0.0) if axis == "p" else slope)
        return np.concatenate(slopes, axis=1)

    def room(self, at: Fitted) -> Floats:
        """How far each unknown may move in a step."""
        room = [np.minimum(rate, 1 - rate) + 0.003 for rate in (at.sens, at.spec)]
        if self.axes == 3:
            ends = np.minimum(at.p - self.sums.least, self.sums.most - at.p) + 1
            room.append(np.maximum(ends, 0.5) * 0.3)
        every = np.stack(room)
        every[:, list(self.sums.fixed)] = 0.0
        return every.ravel()

    def moved(self, at: Fitted, step: Floats) -> Fitted:
        k = self.sums.sets
        p = at.p + step[2 * k :] if self.axes == 3 else at.p
        return self.clipped(Fitted(at.sens + step[:k], at.spec + step[k : 2 * k], p))


def _beyond(miss: Floats, inside: float) -> Floats:
    """What is left of misses that count as met so far from the middle."""
    left: Floats = miss - np.clip(miss, -inside, inside)
    return left


def fit(sums: Sums, start: Fitted, ddof: int, deadline: Budget) -> Fitted:
    """A solution from a start, or where the way to one ended; well within the intervals, or else just so."""
    rates = _fit(sums, start, ddof, deadline, _INSIDE)
    for _ in range(_LONGER):
        if not 1 < rates.miss < _CLOSE or deadline.passed:
            break
        before = rates.miss
        rates = _fit(sums, rates, ddof, deadline, _JUST_INSIDE)
        if rates.miss > _SLOWLY * before:
            break
    return rates


def _fit(sums: Sums, start: Fitted, ddof: int, deadline: Budget, inside: float) -> Fitted:
    problem = _Fit(sums, ddof)
    at = problem.clipped(start)
    shares = problem.shares(at)
    miss, half = problem.misses(shares)
    left = _beyond(miss, inside)
    cost = float(left @ left)
    damping = 1e-3
    for _ in range(_STEPS):
        deadline.charge(_STEP + _SHARE * shares.size)
        if cost == 0 or not np.isfinite(cost) or deadline.passed:
            break
        room = problem.room(at)
        slopes = problem.slopes(at, shares, half) * room
        square = slopes @ slopes.T
        scale = float(np.trace(square)) / len(square)
        for _ in range(_HALVINGS):
            pull = _solved(square, damping * scale, left)
            there = problem.moved(at, np.clip(-room * (pull @ slopes), -_FAR * room, _FAR * room))
            new_shares = problem.shares(there)
            new_miss, new_half = problem.misses(new_shares)
            new_left = _beyond(new_miss, inside)
            new_cost = float(new_left @ new_left)
            if new_cost < cost * 0.9999:
                break
            damping *= 8
        else:
            break  # no step helps
        at, shares, miss, half, left, cost = there, new_shares, new_miss, new_half, new_left, new_cost
        damping = max(damping / 5, 1e-12)
    at.miss = float(np.abs(miss).max())
    return at


def _solved(square: Floats, damping: float, right: Floats) -> Floats:
    """The solution of a damped system; nothing to go by where it has none."""
    try:
        return np.asarray(np.linalg.solve(square + damping * np.eye(len(square)), right), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.zeros_like(right)
