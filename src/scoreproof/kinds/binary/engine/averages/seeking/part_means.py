"""A ± over the means of parts: what these means may be is chosen first, then matrices are looked for that have them.

Seen as one set each, with the cases of all its sets, the parts are a plain mean with a ±, and a solution of that says
what the mean of each part may be. What was chosen becomes a narrow bound on each part, and no deviation is left. Rates
that meet these are then drawn about: matrices of one half of the parts are joined with those of the other half, as
squares of means of parts add up over the halves.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain, pairwise
from math import isfinite, sqrt

import numpy as np

from scoreproof.kinds.binary.engine.averages.blocks import Treatments
from scoreproof.kinds.binary.engine.averages.points import Floats
from scoreproof.kinds.binary.engine.averages.pooling import one_set_each
from scoreproof.kinds.binary.engine.averages.seeking.choice import Choice, diffused
from scoreproof.kinds.binary.engine.averages.seeking.fitting import Fitted, fit, random_start
from scoreproof.kinds.binary.engine.averages.seeking.joins import join, of_two
from scoreproof.kinds.binary.engine.averages.seeking.sums import Sums
from scoreproof.kinds.binary.engine.averages.targets import Bound, Demand, Target
from scoreproof.kinds.binary.experiment.normal import Tree, members
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.deadline import Deadline

_STARTS = 4
_LISTED = 3_000
_NARROW = 0.7  # of what leaves the deviation where it is reported
_FINEST = 10**12
_FIRST_DRAWN, _MOST_DRAWN, _FEWEST_DRAWN = 50_000, 800_000, 2_000  # points of all sets; of each
_STEPS, _FAR_OFF = (0.4, 1.0, 2.0, 4.0, 0.0), 0.1  # of counts about the fitted ones; 0 for so much of all
_DRAW = 2e-7  # seconds of a count that is drawn
_JUDGED = 30
_NARROWEST = 1e-12


def drawn(
    demand: Demand, treatment: Treatments, fill: float, spread: float, rng: np.random.Generator, deadline: Deadline
) -> list[tuple[Demand, int]]:
    """The demand with bounds about drawn means of its parts instead of deviations, for each divisor; those found."""
    sums = Sums(one_set_each(demand, demand.spread_parts, demand.targets), treatment, fill)
    found = []
    for ddof in sums.divisors:
        values = _values(sums, ddof, spread, rng, deadline)
        if values is not None:
            found.append((_bounded(demand, values, ddof), ddof))
    return found


def _values(
    sums: Sums, ddof: int, spread: float, rng: np.random.Generator, deadline: Deadline
) -> dict[str, list[float]] | None:
    """By score, a value for every part: of whole matrices that give the report, or else of rates that do."""
    for _ in range(_STARTS):
        rates = fit(sums, random_start(sums, rng, spread), ddof, deadline)
        if rates.miss > 1 or deadline.passed:
            continue
        choice = Choice(sums, diffused(sums, rates, rng, ddof), ddof)
        matrices = None
        if choice.allowed:
            choice.descend(deadline)
            matrices = choice.judged() or of_two(choice, rng, _LISTED, deadline)
        if matrices is not None:
            tp, tn = (np.array([float(getattr(m, cell)) for m in matrices]) for cell in ("tp", "tn"))
        else:
            _, tp, tn = rates.points(sums)
        with np.errstate(all="ignore"):
            return {
                score.name: [float(x) for x in score.values(tp, sums.size - sums.p - tn, sums.p - tp, tn)]
                for score in sums.scores
            }
    return None


def _bounded(demand: Demand, values: dict[str, list[float]], ddof: int) -> Demand:
    parts = demand.spread_parts
    bounds = list(demand.bounds)
    for target in demand.targets:
        if target.variance is None:
            continue
        half = _half_width(target, len(parts), ddof)
        for part, value in zip(parts, values[target.score.name], strict=True):
            if isfinite(value):
                bounds = _narrowed(bounds, target, part, value - half, value + half)
    targets = tuple(replace(target, variance=None) for target in demand.targets)
    return replace(demand, targets=targets, bounds=tuple(bounds), one_divisor=False)


def _half_width(target: Target, count: int, ddof: int) -> float:
    """By how much means of parts may be off, at random, so that the deviation stays in its interval."""
    assert target.variance is not None
    low, high = (sqrt(float(end) * (count if target.error else 1)) for end in target.variance)
    return _NARROW * (high - low) / 2 * sqrt((count - ddof) / 3)


def _narrowed(bounds: list[Bound], target: Target, part: Tree, low: float, high: float) -> list[Bound]:
    """The bounds with one about a part, which takes the place of those there are."""
    mine = [bound for bound in bounds if bound.part == part and bound.score == target.score]
    lows = [Fraction(low).limit_denominator(_FINEST), *(b.interval[0] for b in mine if b.interval[0] is not None)]
    highs = [Fraction(high).limit_denominator(_FINEST), *(b.interval[1] for b in mine if b.interval[1] is not None)]
    others = [bound for bound in bounds if not (bound.part == part and bound.score == target.score)]
    # the mean of one set is a sum that a search may miss for a while, where a bound on the set is not
    mean = (part,) if isinstance(part, int) else part
    return [*others, Bound(target.score, (max(lows), min(highs)), mean)]


class Halves:
    """Matrices about fitted rates, drawn for either half of the parts, and joined."""

    def __init__(self, demand: Demand, treatment: Treatments, fill: float, rng: np.random.Generator) -> None:
        self.demand, self.rng = demand, rng
        self.targets = [target for target in demand.targets if target.mean is not None]
        plain = tuple(replace(target, variance=None, minimum=None, maximum=None) for target in self.targets)
        self.sums = Sums(replace(demand, targets=plain, bounds=()), treatment, fill)
        self.known = not self.sums.unknown.any()
        self._more = _FIRST_DRAWN // 2

    def joined(self, rates: Fitted, ddof: int, deadline: Deadline) -> tuple[ConfusionMatrix, ...] | None:
        """Matrices that give the report, if any of those drawn do."""
        self._more = min(2 * self._more, _MOST_DRAWN)
        parts = [members(part) for part in self.demand.spread_parts]
        order = self.rng.permutation(len(parts))
        middle, half = self._wanted(ddof, len(parts))
        drawn = []
        for mine in (order[: len(parts) // 2], order[len(parts) // 2 :]):
            places = [parts[number] for number in mine]
            points, means = self._drawn(rates, places)
            deadline.spend(_DRAW * points.size)
            drawn.append(([*chain(*places)], points, self._totals(means, len(parts)) / half))
        (one, left, a), (other, right, b) = drawn
        first, second = join(a - middle / half, b, deadline, telling=len(half))
        for i, j in list(zip(first, second, strict=True))[:_JUDGED]:
            tp, tn = np.zeros(self.sums.sets), np.zeros(self.sums.sets)
            tp[one], tn[one] = left[:, i]
            tp[other], tn[other] = right[:, j]
            matrices = self.sums.judged(self.sums.p, tp, tn)
            if matrices is not None and self.demand.fits(matrices):
                return matrices
        return None

    def _drawn(self, rates: Fitted, places: list[list[int]]) -> tuple[Floats, Floats]:
        """Points (tp and tn) x draws x sets, and the means of the parts: scores x draws x parts."""
        sums, every = self.sums, np.array([*chain(*places)])
        count = max(_FEWEST_DRAWN, self._more // len(every))
        p = np.tile(sums.p[every], (count, 1))
        n = np.tile(sums.size[every], (count, 1)) - p
        points = []
        for rate, top in ((rates.sens[every], p), (rates.spec[every], n)):
            wide = self.rng.choice(_STEPS, size=(count, 1))
            wide = np.where(wide > 0, wide, _FAR_OFF * top)
            points.append(np.clip(np.rint(rate * top + wide * self.rng.normal(size=top.shape)), 0, top))
        shares = sums.shares(np.tile(every, count), p.ravel(), points[0].ravel(), points[1].ravel())
        shares = shares[: len(self.targets)].reshape(len(self.targets), count, len(every))
        ends = np.cumsum([0, *map(len, places)])
        means = [shares[:, :, a:b].sum(axis=2) * len(self.demand.spread_parts) for a, b in pairwise(ends)]
        good = np.isfinite(shares).all(axis=(0, 2))
        return np.stack(points)[:, good], np.stack(means, axis=2)[:, good]

    def _totals(self, means: Floats, parts: int) -> Floats:
        """Draws x rows: means of all parts, and squares about the printed ones."""
        rows = []
        for target, mine in zip(self.targets, means, strict=True):
            rows.append(mine.sum(axis=1) / parts)
            if target.variance is not None:
                rows.append(((mine - float(target.centre)) ** 2).sum(axis=1))
        return np.stack(rows, axis=1)

    def _wanted(self, ddof: int, parts: int) -> tuple[Floats, Floats]:
        """The middle and the half-width of each row."""
        ends = []
        for target in self.targets:
            ends.append([float(end) for end in target.mean or ()])
            if target.variance is not None:
                factor = (parts - ddof) * (parts if target.error else 1)
                ends.append([float(end) * factor for end in target.variance])
        low, high = np.array(ends).T
        return (low + high) / 2, np.maximum((high - low) / 2, _NARROWEST)
