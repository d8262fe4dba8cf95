"""Dual bounds on moments by Farkas multipliers (Farkas 1902, doi:10.1515/crll.1902.124.1), without a list of points.

The relaxation over fractions of points is solved by generating the points that current prices value most. If it is
infeasible, the prices, as whole numbers, are the proof; the verifier bounds what each set can add by halving boxes. It
serves sets too large to list, deviations over them, and large folds of unknown classes. Floats only propose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import block_diag

from scoreproof.arrays import Bools, Floats
from scoreproof.kinds.binary.engine.averages.column_generation import AlikeSets, Pricing
from scoreproof.kinds.binary.engine.averages.constraints import Constraints, treatments
from scoreproof.kinds.binary.engine.averages.points import square_bounds
from scoreproof.kinds.binary.engine.averages.sums import Sums
from scoreproof.kinds.binary.experiment.normal import EvaluationSet
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.reported.conventions import Undefined
from scoreproof.solve.linear_programs import ColumnProgram
from scoreproof.work.budget import Budget, OutOfTime


def applies(constraints: Constraints) -> bool:
    """Whether its rows say anything here: built-in scores of finite range, no set that lacks a class."""
    form = constraints.form
    if len({family.rule is FoldRule.BALANCED for family in form.families}) > 1:
        return False
    both = all(subset.family is not None or (subset.p and subset.n) for subset in form.sets)
    if any(family.rule is FoldRule.BALANCED for family in form.families):
        both = both and all(subset.p and subset.n for subset in form.sets)
    may_skip = constraints.undefined in (Undefined.ANY, Undefined.SKIP)
    return both and (form.flat or not may_skip) and bool(usable(constraints).targets)


def usable(constraints: Constraints) -> Constraints:
    """What of some constraints has a multiplier: means of bounded scores, deviations over sets."""
    may_skip = constraints.undefined in (Undefined.ANY, Undefined.SKIP)
    even = not constraints.deviations_of_means and len({subset.weight for subset in constraints.form.sets}) == 1
    targets = []
    for target in constraints.targets:
        bounded = target.score.builtin and None not in target.score.range and target.score.name != "pt"
        if target.mean is None or not bounded:
            continue
        spread = even and not (target.error and may_skip)
        near = target.variance is not None and max(target.variance) <= 1 and abs(target.centre) <= 1
        kept = target if spread and near else replace(target, variance=None)
        targets.append(replace(kept, minimum=None, maximum=None))
    return replace(constraints, targets=tuple(targets), bounds=(), hexagons={})


def as_dealt(constraints: Constraints) -> list[Constraints]:
    """Demands in which balanced folds all have an odd case of either class, or not; others as they are."""
    if not any(family.rule is FoldRule.BALANCED for family in constraints.form.families):
        return [constraints]
    dealt = []
    for more in (0, 1):
        for extra in (0, 1):
            sets = tuple(
                subset if subset.family is None else EvaluationSet(subset.p + more, subset.n + extra, subset.weight)
                for subset in constraints.form.sets
            )
            dealt.append(replace(constraints, form=replace(constraints.form, sets=sets, families=())))
    return dealt


_ROUNDS = 300
_FIRST = 16  # points of a kind to begin with
_STALLED = 6  # rounds in which the cost does not fall
_BETTER = 1e-9  # worth more than what is known
_RIPE = 0.7  # of the cost of the relaxation
_GRID, _CLASS_GRID = 25, 13
_FACTORS = 1 << 20  # what the multipliers add up to, weights cleared
_POSITIVES_BITS = 30  # multipliers of class totals are in units of 2**-30
_LARGEST_SLOPE = 1 << 52
_FILLS = {Undefined.ANY: 0.0, Undefined.ZERO: 0.0, Undefined.ONE: 1.0}
_ROUND = 8e-3  # seconds


def _corners(kind: AlikeSets) -> Floats:
    """Points on the edges of a set's grid, where scores are 0/0 or an F-score has nothing to count."""
    points = []
    for p in np.unique(np.rint(np.linspace(kind.least, kind.most, _CLASS_GRID))):
        n = kind.size - p
        along = np.unique(np.rint(np.linspace(0, n, 4 * _GRID)))
        points += [(p, 0.0, tn) for tn in along] + [(p, p, tn) for tn in (0.0, n)]
        points += [(p, tp, 0.0) for tp in np.unique(np.rint(np.linspace(0, p, 4 * _GRID)))]
    return np.array(points).T


class Offer(NamedTuple):
    """A point of a kind of sets, what it is worth at some prices, and what it adds to the rows."""

    worth: float
    point: Floats
    shares: Floats


class EdgePoints(NamedTuple):
    """Edge points of a kind of sets, for each score where it may be left out, and what they add to the rows."""

    points: Floats
    outs: Bools
    shares: Floats


class MomentBound:
    """The relaxation of some constraints, solved a little further each time it is asked."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = usable(constraints)
        self.whole = constraints
        fill = _FILLS.get(constraints.undefined, np.nan)
        every = [Sums(dealt, {}, fill) for dealt in as_dealt(self.constraints)]
        self.sums = every[0]
        self._may_skip = constraints.undefined in (Undefined.ANY, Undefined.SKIP)
        self.done = False  # nothing more to be had
        self._costs: list[float] = []
        families = self.sums.families
        self._classes = [family for k, family in enumerate(families) if family not in families[:k]]
        self._alike = [self._classes.index(family) for family in families]  # alike data sets share a row
        self._pool = block_diag(np.eye(len(self.sums.rows)), np.eye(len(self._classes))[:, self._alike])
        data_sets: Sequence[Any] = self._alike or constraints.form.families
        kinds: dict[tuple[Any, ...], list[int]] = {}
        for index, subset in enumerate(constraints.form.sets):
            price = None if subset.family is None else data_sets[subset.family]
            kinds.setdefault((subset.p, subset.n, subset.weight, price), []).append(index)
        self._pricings = [Pricing(sums, list(kinds.values())) for sums in every]
        self._kinds = self._pricings[0].kinds
        self._low, self._high = self._bounds()
        self._scale = np.maximum((self._high - self._low) / 2, 1e-7)
        self._scale[len(self.sums.rows) :] = [0.02 * family.p + 1 for family in self._classes]
        counts = [kind.count for kind in self._kinds]
        self._program = ColumnProgram(self._low / self._scale, self._high / self._scale, counts)
        for number, kind in enumerate(self._kinds):  # a few points of each
            self._offer(number, kind.table[:, :: max(1, kind.table.shape[1] // _FIRST)])
        self._edges = [self._edge(kind) for kind in self._kinds] if self._may_skip else []

    def _bounds(self) -> tuple[Floats, Floats]:
        """Bounds of the rows, squares for any admitted divisor."""
        low, high = [], []
        for row in self.sums.rows:
            if row.square is None:
                low.append(row.low)
                high.append(row.high)
            else:
                least, most = square_bounds(row.square, self.constraints)
                low.append(float(least))
                high.append(np.inf if most is None else float(most))
        positives = [float(family.p * self._alike.count(k)) for k, family in enumerate(self._classes)]
        return np.array(low + positives), np.array(high + positives)

    def _offer(self, number: int, shares: Floats) -> None:
        """Points of a kind to choose from, by what they add to the rows."""
        shares = self._pool @ shares
        good = np.flatnonzero(np.isfinite(shares).all(axis=0))
        self._program.add([len(self._low) + number] * len(good), [shares[:, at] / self._scale for at in good])

    def _dearest(self, y: Floats, *, exact: bool = False) -> list[list[Offer]]:
        """By kind, points worth much however folds are dealt and scores left out, the one worth most first."""
        offers: list[list[Offer]] = [[self._left_out(k, y)] if self._may_skip else [] for k in range(len(self._kinds))]
        for pricing in self._pricings:
            for number, priced in enumerate(pricing.dearest(y @ self._pool, exact=exact)):
                offers[number] += [Offer(p.worth, p.point, pricing.shares(number, p.point[:, None])) for p in priced]
        return [sorted(of_kind, key=lambda offer: -offer.worth) for of_kind in offers]

    def refute(self, deadline: Budget) -> dict[str, Any] | None:
        """A proof, or None: not yet, or (``done``) not this way."""
        rows = len(self._low)
        for _ in range(_ROUNDS):
            deadline.charge(_ROUND)
            if deadline.passed or self.done:
                return None
            try:
                cost, prices = self._program.solve(deadline)
            except OutOfTime:
                return None
            if cost < 1e-9:
                self.done = True
                return None
            y = prices[:rows] / self._scale
            best = self._dearest(y)
            if not all(best):
                self.done = True  # a set without points: others say so
                return None
            better = [
                (k, offer.shares)
                for k, offers in enumerate(best)
                for offer in offers
                if offer.worth + prices[rows + k] > _BETTER
            ]
            slack = self._slack(y, best)
            # the cost is the most that any prices can make of the slack, and the more there is the shorter the proof
            ripe = slack > _RIPE * cost or not better
            if ripe and slack > 1e-9 * float(np.abs(prices[:rows]).sum()):
                proof = self._proof(y, slack)
                if proof is not None:
                    return proof
            self._costs.append(cost)
            stalled = len(self._costs) > _STALLED and self._costs[-_STALLED - 1] <= cost * (1 + 1e-9)
            if not better or stalled:
                break
            for k, shares in better:
                self._offer(k, shares)
        self.done = True
        return None

    def _slack(self, y: Floats, best: list[list[Offer]]) -> float:
        """What the rows require at some prices beyond what the sets can add."""
        needed = float(np.where(y > 0, y * self._low, np.where(y < 0, y * self._high, 0.0)).sum())
        return needed - sum(offers[0].worth * kind.count for offers, kind in zip(best, self._kinds, strict=True))

    def _edge(self, kind: AlikeSets) -> EdgePoints:
        """Edge points of a kind of sets, and for each score where it may be left out there."""
        points = _corners(kind)
        p, tp, tn = points
        out = []
        for formula in self.sums.scores:
            bottom = formula.ratio(tp, kind.size - p - tn, p - tp, tn)[1]
            undefined = np.asarray(bottom == 0) & np.ones(len(p), dtype=bool)
            if "harmonic" in treatments(formula, self.whole.undefined):
                undefined |= (tn if formula.name.endswith("n") else tp) == 0
            out.append(undefined)
        return EdgePoints(points, np.array(out), np.nan_to_num(self.sums.shares(np.full(len(p), kind.place), *points)))

    def _left_out(self, number: int, y: Floats) -> Offer:
        """The edge point that adds most if scores are left out of it where they may be.

        A score that is left out counts as an end of its mean, which all sets share: it neither helps nor harms.
        """
        edge, rows, place = self._edges[number], self.sums.rows, self._kinds[number].place
        scores = np.array([row.score for row in rows])
        weight = np.array([row.weight[place] / row.weight.sum() for row in rows])
        ends = (np.where(y > 0, self._low, self._high)[: len(rows)] * weight)[:, None]
        centred = y[: len(rows), None] * (edge.shares[: len(rows)] - ends)
        harms = np.stack([centred[scores == score].sum(axis=0) < 0 for score in range(len(edge.outs))])
        shares = edge.shares.copy()
        shares[: len(rows)] = np.where((edge.outs & harms)[scores], ends, shares[: len(rows)])
        worth = y @ self._pool @ shares
        best = int(worth.argmax())
        return Offer(float(worth[best]), edge.points[:, best], shares[:, [best]])

    def _given(self, means: Floats, squares: Floats, positives: Floats) -> dict[str, list[int]]:
        """Multipliers by score, and by class of data sets, as a certificate has them."""
        number = {score.name: at for at, score in enumerate(self.sums.scores)}
        reported = [target for target in self.whole.targets if target.mean is not None]
        known = [(target, number.get(target.score.name)) for target in reported]
        return {
            "means": [0 if at is None else int(means[at]) for _, at in known],
            "squares": [0 if at is None else int(squares[at]) for target, at in known if target.variance is not None],
            "positives": [int(positives[k]) for k in self._alike] or [0] * len(self.whole.form.families),
        }

    def _proof(self, y: Floats, slack: float) -> dict[str, Any] | None:
        """The prices as whole numbers, if they still refute."""
        rows = self.sums.rows
        weights = [subset.weight for subset in self.constraints.form.sets]
        common = lcm(*{weight.denominator for weight in weights})
        most = float(max(weights))
        size = sum(abs(y[at]) * (1.0 if row.square is not None else most) for at, row in enumerate(rows)) * common
        scale = _FACTORS / size
        steep = max((abs(float(v)) for v in y[len(rows) :]), default=0.0) * common * float(self.sums.size.max())
        if steep:
            scale = min(scale, _LARGEST_SLOPE / 2.0**_POSITIVES_BITS / steep)
        whole = np.rint(y[: len(rows)] * scale)
        positives = np.rint(y[len(rows) :] * scale * 2.0**_POSITIVES_BITS)
        exact = np.concatenate([whole, positives / 2.0**_POSITIVES_BITS])
        best = self._dearest(exact, exact=True)
        if self._slack(exact, best) <= 0.05 * slack * scale:
            return None
        means, squares = np.zeros(len(self.sums.scores)), np.zeros(len(self.sums.scores))
        for row, factor in zip(rows, whole, strict=True):
            (means if row.square is None else squares)[row.score] = factor
        given = self._given(means, squares, positives)
        cases = (
            {"defined": None, "left_out": given | {"bonus": 0}}
            if self._may_skip
            else {"defined": given, "left_out": None}
        )
        return {"kind": "moments", "peaks": [[int(x) for x in offers[0].point] for offers in best], **cases}
