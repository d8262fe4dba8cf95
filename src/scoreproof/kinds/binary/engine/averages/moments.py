"""Refutations without lists of points: one vector of multipliers over means, squares and class totals.

The relaxation over fractions of points is solved by generating the points that current prices value most. If it is
infeasible, the prices, as whole numbers, are the proof; the verifier bounds what each set can add by halving boxes. It
serves sets too large to list, deviations over them, and large folds of unknown classes. Floats only propose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import lcm
from typing import Any

import numpy as np

from scoreproof.kinds.binary.engine.averages.columns import square_bounds
from scoreproof.kinds.binary.engine.averages.points import Floats
from scoreproof.kinds.binary.engine.averages.relaxation import Program
from scoreproof.kinds.binary.engine.averages.seeking.sums import Sums
from scoreproof.kinds.binary.engine.averages.targets import Demand, treatments
from scoreproof.kinds.binary.experiment.normal import EvaluationSet
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.reported.conventions import SpreadOver, Undefined
from scoreproof.work.deadline import Deadline, OutOfTime

_ROUNDS = 120
_LISTED = 40_000  # points of a kind of sets, priced one by one
_GRID, _CLASS_GRID, _ZOOMS = 25, 13, 6
_STARTS, _LOOKED = 4, 300  # of a zoom
_NEAR, _CLIMBS = np.arange(-2.0, 3.0), 20
_FACTORS = 1 << 20  # what the multipliers add up to, weights cleared
_POSITIVES_BITS = 30  # multipliers of class totals are in units of 2**-30
_LARGEST_SLOPE = 1 << 52
_FILLS = {Undefined.ANY: 0.0, Undefined.ZERO: 0.0, Undefined.ONE: 1.0}


def applies(demand: Demand) -> bool:
    """Whether its rows say anything here: built-in scores of finite range, no set that lacks a class."""
    form = demand.form
    if any(family.rule is FoldRule.BALANCED for family in form.families):
        return False
    both = all(one.family is not None or (one.p and one.n) for one in form.sets)
    may_skip = demand.undefined in (Undefined.ANY, Undefined.SKIP)
    return both and (form.flat or not may_skip) and bool(_usable(demand).targets)


def _usable(demand: Demand) -> Demand:
    """What of a demand has a multiplier: means of bounded scores, deviations over sets."""
    may_skip = demand.undefined in (Undefined.ANY, Undefined.SKIP)
    targets = []
    for target in demand.targets:
        bounded = target.score.builtin and None not in target.score.range and target.score.name != "pt"
        if target.mean is None or not bounded:
            continue
        spread = demand.spread_over is SpreadOver.FOLDS and not (target.error and may_skip)
        near = target.variance is not None and max(target.variance) <= 1 and abs(target.centre) <= 1
        kept = target if spread and near else replace(target, variance=None)
        targets.append(replace(kept, minimum=None, maximum=None))
    return replace(demand, targets=tuple(targets), bounds=(), hexagons={})


class _Kind:
    """Alike sets: what each point would add to the rows, listed or evaluated as needed."""

    def __init__(self, sums: Sums, members: list[int]) -> None:
        self.sums, self.place, self.count = sums, members[0], len(members)
        at = self.place
        self.size, self.least, self.most = float(sums.size[at]), float(sums.least[at]), float(sums.most[at])
        classes = self.most - self.least + 1
        most = (self.least + self.most + 1) / 2
        self.points: Floats | None = None
        if classes * (most + 1) * (self.size - most + 1) <= _LISTED:
            blocks = [np.zeros((3, 0), dtype=np.int64)]  # folds that would lack a class a score needs have no points
            for q in range(int(self.least), int(self.most) + 1):
                tp, tn = np.indices((q + 1, int(self.size) - q + 1)).reshape(2, -1)
                blocks.append(np.stack([np.full_like(tp, q), tp, tn]))
            self.points = np.concatenate(blocks, axis=1).astype(np.float64)
            self.table = self.shares(self.points)
            good = np.isfinite(self.table).all(axis=0)
            self.points, self.table = self.points[:, good], self.table[:, good]

    def shares(self, points: Floats) -> Floats:
        return self.sums.shares(np.full(points.shape[1], self.place), *points)

    def dearest(self, prices: Floats) -> tuple[float, Floats] | None:
        """The point that prices value most, and its value; None if there is no point."""
        if self.points is not None:
            if not self.points.shape[1]:
                return None
            worth = prices @ self.table
            at = int(worth.argmax())
            return float(worth[at]), self.points[:, at]
        return self._zoomed(prices)

    def _zoomed(self, prices: Floats) -> tuple[float, Floats] | None:
        """By zooming into a grid of rates (and class counts), from the best places of the whole grid."""
        begun = self._grid(prices, np.zeros(3), np.ones(3))
        found = []
        for _, start in _apart(*begun, self):
            low, high = np.zeros(3), np.ones(3)
            best = start
            for _ in range(_ZOOMS):
                centre = self._rates(best[1])
                width = (high - low) / np.array([_CLASS_GRID, _GRID, _GRID]) * 2
                low, high = np.clip(centre - width, 0, 1), np.clip(centre + width, 0, 1)
                worth, points = self._grid(prices, low, high)
                at = int(worth.argmax())
                if worth[at] > best[0]:
                    best = float(worth[at]), points[:, at]
            found.append(self._climbed(prices, best))
        return max(found, key=lambda one: one[0], default=None)

    def _climbed(self, prices: Floats, start: tuple[float, Floats]) -> tuple[float, Floats]:
        """From a point to its best neighbours, until there is none better."""
        best = start
        classes = _NEAR if self.most > self.least else np.zeros(1)
        moves = np.stack([x.ravel() for x in np.meshgrid(classes, _NEAR, _NEAR, indexing="ij")])
        for _ in range(_CLIMBS):
            points = best[1][:, None] + moves
            p, tp, tn = points
            possible = (p >= self.least) & (p <= self.most) & (tp >= 0) & (tp <= p) & (tn >= 0) & (tn <= self.size - p)
            points = points[:, possible]
            worth = prices @ self.shares(points)
            worth[~np.isfinite(worth)] = -np.inf
            at = int(worth.argmax())
            if worth[at] <= best[0]:
                break
            best = float(worth[at]), points[:, at]
        return best

    def _rates(self, point: Floats) -> Floats:
        """Where a point is in the unit cube of class counts and rates."""
        p, tp, tn = point
        share = (p - self.least) / max(self.most - self.least, 1)
        return np.array([share, tp / max(p, 1), tn / max(self.size - p, 1)])

    def _grid(self, prices: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Points of a grid in a part of the unit cube, and what they are worth."""
        steps = np.linspace(0, 1, _GRID)
        counts = np.linspace(0, 1, _CLASS_GRID) if self.most > self.least else np.zeros(1)
        share, sens, spec = (
            low[axis] + (high[axis] - low[axis]) * grid for axis, grid in enumerate((counts, steps, steps))
        )
        classes = np.unique(np.rint(self.least + share * (self.most - self.least)))
        q, a, b = (x.ravel() for x in np.meshgrid(classes, sens, spec, indexing="ij"))
        points = np.stack([q, np.rint(a * q), np.rint(b * (self.size - q))])
        worth = prices @ self.shares(points)
        worth[~np.isfinite(worth)] = -np.inf
        return worth, points


def _apart(worth: Floats, points: Floats, kind: _Kind) -> Iterator[tuple[int, tuple[float, Floats]]]:
    """The best points that are not neighbours of better ones, a few of them."""
    chosen: list[Floats] = []
    for at in np.argsort(-worth)[:_LOOKED]:
        here = kind._rates(points[:, at])
        if not np.isfinite(worth[at]) or len(chosen) >= (_STARTS if kind.most > kind.least else 2):
            return
        if all(np.abs(here - other).max() > 3 / _GRID for other in chosen):
            chosen.append(here)
            yield len(chosen), (float(worth[at]), points[:, at])


def _corners(kind: _Kind) -> Floats:
    """Points on the edges of a set's grid, where scores are 0/0 or an F-score has nothing to count."""
    points = []
    for p in np.unique(np.rint(np.linspace(kind.least, kind.most, _CLASS_GRID))):
        n = kind.size - p
        along = np.unique(np.rint(np.linspace(0, n, 4 * _GRID)))
        points += [(p, 0.0, tn) for tn in along] + [(p, p, tn) for tn in (0.0, n)]
        points += [(p, tp, 0.0) for tp in np.unique(np.rint(np.linspace(0, p, 4 * _GRID)))]
    return np.array(points).T


class Moments:
    """The relaxation of a demand, solved a little further each time it is asked."""

    def __init__(self, demand: Demand) -> None:
        self.demand = _usable(demand)
        self.whole = demand
        self.sums = Sums(self.demand, {}, _FILLS.get(demand.undefined, np.nan))
        self._may_skip = demand.undefined in (Undefined.ANY, Undefined.SKIP)
        self.settled = False  # nothing more to be had
        kinds: dict[EvaluationSet, list[int]] = {}
        for index, one in enumerate(demand.form.sets):
            kinds.setdefault(one, []).append(index)
        self._kinds = [_Kind(self.sums, members) for members in kinds.values()]
        self._low, self._high = self._bounds()
        half = (self._high - self._low) / 2
        self._scale = np.maximum(half, 1e-7)
        for number, family in enumerate(self.sums.families):
            self._scale[len(self.sums.rows) + number] = 0.02 * family.p + 1
        counts = [kind.count for kind in self._kinds]
        self._program = Program(self._low / self._scale, self._high / self._scale, counts)
        self._begin()

    def _bounds(self) -> tuple[Floats, Floats]:
        """Bounds of the rows, squares for any admitted divisor."""
        low, high = [], []
        for row in self.sums.rows:
            if row.square is None:
                low.append(row.low)
                high.append(row.high)
            else:
                least, most = square_bounds(row.square, self.demand)
                low.append(float(least))
                high.append(np.inf if most is None else float(most))
        for family in self.sums.families:
            low.append(float(family.p))
            high.append(float(family.p))
        return np.array(low), np.array(high)

    def _add(self, number: int, points: Floats) -> None:
        shares = self._kinds[number].shares(points)
        columns = [shares[:, at] / self._scale for at in range(shares.shape[1]) if np.isfinite(shares[:, at]).all()]
        self._program.add([self.sums.count + number] * len(columns), columns)

    def _begin(self) -> None:
        """A few points of every kind."""
        rates = [(a, b) for a in (0.05, 0.5, 0.8, 0.97) for b in (0.05, 0.5, 0.8, 0.97)]
        for number, kind in enumerate(self._kinds):
            one = self.demand.form.sets[kind.place]
            p = kind.least
            if one.family is not None:
                family = self.sums.families[one.family]
                p = float(np.clip(np.rint(family.p * kind.size / (family.p + family.n)), kind.least, kind.most))
            points = [(p, np.rint(a * p), np.rint(b * (kind.size - p))) for a, b in rates]
            if kind.points is not None and kind.points.shape[1]:
                points.append(tuple(kind.points[:, kind.points.shape[1] // 2]))
            self._add(number, np.array(points).T)

    def refute(self, deadline: Deadline) -> dict[str, Any] | None:
        """A proof, or None: not yet, or (``settled``) not this way."""
        rows = self.sums.count
        for _ in range(_ROUNDS):
            if deadline.passed or self.settled:
                return None
            try:
                cost, prices = self._program.solve(deadline)
            except OutOfTime:
                return None
            if cost < 1e-9:
                self.settled = True
                return None
            y = prices[:rows] / self._scale
            best = [kind.dearest(y) for kind in self._kinds]
            if any(one is None for one in best):
                self.settled = True  # a set without points: others say so
                return None
            values = np.array([one[0] for one in best if one is not None])
            reach = float(values @ [kind.count for kind in self._kinds])
            need = self._needed(y)
            if reach < need - 1e-9 * float(np.abs(prices[:rows]).sum()):
                proof = self._proof(y, need - reach)
                if proof is not None:
                    return proof
            better = [k for k, value in enumerate(values) if value + prices[rows + k] > 1e-9]
            if not better:
                self.settled = True
                return None
            for k in better:
                one = best[k]
                assert one is not None
                self._add(k, one[1][:, None])
        self.settled = True
        return None

    def _needed(self, y: Floats) -> float:
        return float(np.where(y > 0, y * self._low, np.where(y < 0, y * self._high, 0.0)).sum())

    def _holes_hold(self, y: Floats, best: list[tuple[float, Floats] | None]) -> bool:
        """Whether the prices refute also if scores are left out where they are 0/0: at corners, and without tp."""
        rows = self.sums.rows
        ends = np.where(y[: len(rows)] > 0, self._low[: len(rows)], self._high[: len(rows)])
        total = -self._needed(y)
        for kind, one in zip(self._kinds, best, strict=True):
            assert one is not None
            points = _corners(kind)
            shares = kind.shares(points)
            worth = y @ np.nan_to_num(shares)
            freed = np.zeros(points.shape[1])
            p, tp, tn = points
            for score, formula in enumerate(self.sums.scores):
                out = np.asarray(formula.ratio(tp, kind.size - p - tn, p - tp, tn)[1] == 0) & np.ones(
                    len(p), dtype=bool
                )
                if "harmonic" in treatments(formula, self.whole.undefined):
                    out |= (tn if formula.name.endswith("n") else tp) == 0
                mine = [at for at, row in enumerate(rows) if row.score == score]
                # a row's end is shared by all sets; those of deviations by as many
                each = [ends[at] * (rows[at].weight[kind.place] / rows[at].weight.sum()) for at in mine]
                centred = sum(y[at] * (shares[at] - end) for at, end in zip(mine, each, strict=True))
                freed += np.where(out, np.maximum(0.0, -np.nan_to_num(centred)), 0.0)
            total += kind.count * max(one[0], float((worth + freed).max()))
        return total < 0

    def _proof(self, y: Floats, slack: float) -> dict[str, Any] | None:
        """The prices as whole numbers, if they still refute."""
        rows = self.sums.rows
        weights = [one.weight for one in self.demand.form.sets]
        common = lcm(*{weight.denominator for weight in weights})
        most = float(max(weights))
        size = sum(abs(y[at]) * (1.0 if row.square is not None else most) for at, row in enumerate(rows)) * common
        scale = _FACTORS / size
        steep = max((abs(float(v)) for v in y[len(rows) :]), default=0.0) * common * float(self.sums.size.max())
        if steep:
            scale = min(scale, _LARGEST_SLOPE / (1 << 6) / 2.0**_POSITIVES_BITS * 2.0**6 / steep)
        whole = np.rint(y[: len(rows)] * scale)
        positives = np.rint(y[len(rows) :] * scale * 2.0**_POSITIVES_BITS)
        exact = np.concatenate([whole, positives / 2.0**_POSITIVES_BITS])
        best = [kind.dearest(exact) for kind in self._kinds]
        reach = sum(one[0] * kind.count for one, kind in zip(best, self._kinds, strict=True) if one is not None)
        if reach >= self._needed(exact) - 0.05 * slack * scale:
            return None
        means = {rows[at].score: int(v) for at, v in enumerate(whole) if rows[at].square is None}
        squares = {rows[at].score: int(v) for at, v in enumerate(whole) if rows[at].square is not None}
        number = {score.name: at for at, score in enumerate(self.sums.scores)}
        said = [target for target in self.whole.targets if target.mean is not None]
        given = {
            "means": [means.get(number.get(t.score.name, -1), 0) for t in said],
            "squares": [squares.get(number.get(t.score.name, -1), 0) for t in said if t.variance is not None],
            "positives": [int(v) for v in positives],
        }
        if self._may_skip and not self._holes_hold(exact, best):
            return None
        peaks = [[int(x) for x in one[1]] for one in best if one is not None]
        if self._may_skip:
            # the matrices on which a score may be left out are corners, where the other scores are far off: the same
            # multipliers serve there without a bonus, and then for reports without any such matrix too
            return {"kind": "moments", "defined": None, "left_out": {**given, "bonus": 0}, "peaks": peaks}
        return {"kind": "moments", "defined": given, "left_out": None, "peaks": peaks}
