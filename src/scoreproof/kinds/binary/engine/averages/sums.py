"""Separable form (Charnes and Lemke 1954) of constraints: sums over evaluation sets of functions of each set's point.

A point is (p, tp, tn). Rows are means, squares about the printed mean, means of parts that are bounded, and the
positives of each family of folds whose classes are unknown. All in floats: it is what a search for a witness needs to
know how far it is off.

Squares of means of parts are sums over sets only about given values. With V the mean of a part, c the centre and w what
a set weighs in the part, (V - c)^2 becomes w^2 (x - g)^2 when the set's value changes from f to x, with
g = f - (V - c) / w: squares of single sets about centres of their own, less what is counted more than once. That is
exact as long as one set of each part changes; changes of two sets of one part add twice the product of what they
change its mean by.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from scoreproof.arrays import Bools, Floats, Ints
from scoreproof.kinds.binary.engine.averages.aggregated_folds import Treatments, skipped, undefined_sets
from scoreproof.kinds.binary.engine.averages.constraints import Constraints, Target
from scoreproof.kinds.binary.engine.averages.points import every_point
from scoreproof.kinds.binary.experiment.normal import weights
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score

Matrices = tuple[ConfusionMatrix, ...]
_NARROWEST = 1e-12
_OPEN = 1e3  # how far inside an open end a search aims
_ANYWHERE = 1.0  # about a printed mean, where the plain mean of unlike weights lies
WIDER = 1 + 1e-9  # times a half-width: sums of small sets often lie on its ends, and floats are a little off
_TIE = 1e-12  # likewise, of a score
_WHOLE = 0.4  # half-width of a sum that is a whole number


@dataclass(frozen=True, slots=True)
class DeviatingParts:
    """The parts whose means deviate."""

    number: Ints  # by set: of its part
    inside: Floats  # by set: what it weighs there; 0 if it does not count
    count: int  # of the parts

    @classmethod
    def of(cls, sets: int, weights: Sequence[dict[int, float]]) -> DeviatingParts:
        """DeviatingParts by what each of their sets weighs."""
        number, inside = np.zeros(sets, dtype=np.int64), np.zeros(sets)
        for part, shares in enumerate(weights):
            for index, weight in shares.items():
                number[index], inside[index] = part, weight
        return cls(number, inside, len(weights))

    def means(self, values: Floats) -> Floats:
        """By part, from the values of all sets."""
        return np.asarray(np.bincount(self.number, self.inside * values, self.count), dtype=np.float64)

    def about(self, values: Floats, centre: float) -> tuple[Floats, Floats, float]:
        """By set, what multiplies a square and about what it is taken; and what is to be added to the sum of them."""
        off = self.means(values) - centre
        counted = self.inside > 0
        off_by_set = off[self.number]
        centres = values - np.divide(off_by_set, self.inside, out=np.zeros_like(off_by_set), where=counted)
        return self.inside**2, centres, float((off**2).sum() - (off_by_set[counted] ** 2).sum())

    def products(self, places: Sequence[int], changes: Sequence[Floats]) -> Floats:
        """What changes of the means of parts by some sets add together, beside what each adds alone."""
        by_part: dict[int, Floats] = {}
        added = np.zeros_like(changes[0])
        for place, change in zip(places, changes, strict=True):
            before = by_part.get(int(self.number[place]))
            added += 0.0 if before is None else 2 * before * change
            by_part[int(self.number[place])] = change if before is None else before + change
        return added


@dataclass(frozen=True, slots=True)
class TotalRow:
    """One sum: of weight times score, or of squares of a score about a centre; ``weight`` by set."""

    score: int
    weight: Floats
    low: float
    high: float
    square: Target | None = None  # whose deviation it is about
    mean: int = 0  # for squares, the row of the same score's mean
    counted: float = 0.0  # for squares, over how many sets or parts
    centre: Floats | float = 0.0  # for squares, about what they are, by set or for all
    parts: DeviatingParts | None = None  # for squares of means of parts
    each: float = 0.0  # what every set adds beside

    def about(self, values: Floats) -> TotalRow:
        """Squares of means of parts as those of single sets, about values of all sets."""
        assert self.parts is not None
        assert self.square is not None
        weight, centre, more = self.parts.about(values, float(self.square.centre))
        return replace(self, weight=weight, centre=centre, each=more / len(weight))


class Sums:
    """Rows of sums, and what a set contributes to them at a point."""

    def __init__(self, constraints: Constraints, treatment: Treatments, fill: float) -> None:
        """``fill`` is what a 0/0 on single matrices counts as; not a number where it is to be avoided.

        Reported extremes bound all sets; that some set reaches them is said elsewhere (``reaching``).
        """
        self.constraints, self.fill = constraints, fill
        form = constraints.form
        self.sets = len(form.sets)
        self.everyone = np.arange(self.sets)
        self.size = np.array([subset.size for subset in form.sets], dtype=np.float64)
        self.p = np.array([subset.p for subset in form.sets], dtype=np.float64)
        self.family = np.array([-1 if subset.family is None else subset.family for subset in form.sets])
        self.unknown = self.family >= 0
        self.families = form.families
        self.scores: list[Score] = []
        self.rows: list[TotalRow] = []
        self._static: list[Floats] = []  # by score and set: what a score that is 0/0 on all matrices counts as
        self._limits: list[tuple[Floats, Floats]] = []  # by score and set
        self.reached: list[tuple[int, float, float]] = []  # a score, and where some set's value of it lies
        for target in constraints.targets:
            self._add_target(target, treatment)
        for bound in constraints.bounds:
            if not isinstance(bound.part, int) and bound.interval != (None, None):
                weight = np.zeros(self.sets)
                for index, share in bound.weights.items():
                    weight[index] = float(share)
                low, high = (
                    np.inf * side if end is None else float(end)
                    for end, side in zip(bound.interval, (-1, 1), strict=True)
                )
                self.rows.append(TotalRow(self._score(bound.score, treatment), weight, low, high))
        self._limit_sets(treatment)
        self.fixed: dict[int, Floats] = {}  # by set: the point that is given
        self.count = len(self.rows) + len(self.families)
        self.least, self.most = self._positives()

    def _add_target(self, target: Target, treatment: Treatments) -> None:
        if target.mean is None:
            return
        inside = weights(self.constraints.form.tree, skipped(self.constraints, target.score, treatment))
        weight = np.array([float(inside.get(index, 0)) for index in range(self.sets)])
        at = self._score(target.score, treatment)
        mean = len(self.rows)
        self.rows.append(TotalRow(at, weight, float(target.mean[0]), float(target.mean[1])))
        if target.variance is None:
            return
        parts = self._parts(target, treatment) if self.constraints.deviations_of_means else None
        counted = (weight > 0).astype(np.float64)
        over = float(counted.sum()) if parts is None else float(parts.count)
        plain = counted / over if parts is None else parts.inside / over
        factor, centre = over if target.error else 1.0, float(target.centre)
        low, high = (float(end) * factor for end in target.variance)
        if not np.allclose(plain, weight, rtol=1e-9, atol=0):  # squares are about the plain mean, not the printed one
            mean = len(self.rows)
            self.rows.append(TotalRow(at, plain, centre - _ANYWHERE, centre + _ANYWHERE))
        self.rows.append(TotalRow(at, counted, low, high, target, mean, counted=over, centre=centre, parts=parts))

    def _parts(self, target: Target, treatment: Treatments) -> DeviatingParts:
        """The parts whose means deviate, those left out that have no mean."""
        left_out = skipped(self.constraints, target.score, treatment)
        counted = [weights(part, left_out) for part in self.constraints.spread_parts]
        inside = [{index: float(share) for index, share in shares.items()} for shares in counted if shares]
        return DeviatingParts.of(self.sets, inside)

    def _score(self, score: Score, treatment: Treatments) -> int:
        names = [known.name for known in self.scores]
        if score.name in names:
            return names.index(score.name)
        static = np.full(self.sets, np.nan)
        way = treatment.get(score.name, "zero")
        for index in undefined_sets(self.constraints, score):
            static[index] = 1.0 if way == "one" else 0.0
        self.scores.append(score)
        self._static.append(static)
        self._limits.append((np.full(self.sets, -np.inf), np.full(self.sets, np.inf)))
        return len(self.scores) - 1

    def _limit(self, at: int, place: int | slice, low: Fraction | None, high: Fraction | None) -> None:
        """Bounds on a score of single sets, one of them or all."""
        least, most = self._limits[at]
        if low is not None:
            least[place] = np.maximum(least[place], float(low) - _TIE)
        if high is not None:
            most[place] = np.minimum(most[place], float(high) + _TIE)

    def _limit_sets(self, treatment: Treatments) -> None:
        """Bounds on the scores of single sets, and extremes over them, which bound all."""
        for bound in self.constraints.bounds:
            if isinstance(bound.part, int):
                self._limit(self._score(bound.score, treatment), bound.part, *bound.interval)
        for target in self.constraints.targets:
            for extreme, is_minimum in ((target.minimum, True), (target.maximum, False)):
                if extreme is not None:
                    low, high = extreme
                    at = self._score(target.score, treatment)
                    self._limit(at, slice(None), low if is_minimum else None, None if is_minimum else high)
                    if target.attained:
                        self.reached.append((at, float(low) - _TIE, float(high) + _TIE))

    def _positives(self) -> tuple[Floats, Floats]:
        """The fewest and the most positives of each set."""
        least, most = self.p.copy(), self.p.copy()
        for number, family in enumerate(self.families):
            folds = self.family == number
            size = self.size[folds]
            low, high = np.maximum(0, size - family.n), np.minimum(family.p, size)
            if np.isnan(self.fill):  # a score that needs a class keeps folds from lacking it
                top = float(size.max(initial=1.0))
                for score in self.scores:
                    if score.ratio(0.0, top, 0.0, 0.0)[1] == 0 and score.ratio(0.0, 0.0, 0.0, top)[1] == 0:
                        low = np.maximum(low, 1)
                    if score.ratio(top, 0.0, 0.0, 0.0)[1] == 0 and score.ratio(0.0, 0.0, top, 0.0)[1] == 0:
                        high = np.minimum(high, size - 1)
            least[folds] = np.maximum(low, family.p - (high.sum() - high))
            most[folds] = np.minimum(high, family.p - (low.sum() - low))
        return least, most

    def points(self, place: int) -> Floats:
        """All points of a set."""
        size, least, most = (int(ends[place]) for ends in (self.size, self.least, self.most))
        counts = [(positives, size - positives) for positives in range(least, most + 1)]
        return every_point(counts)[[0, 2, 3]].astype(np.float64)

    def shares(self, places: Ints, p: Floats, tp: Floats, tn: Floats, *, smooth: bool = False) -> Floats:
        """What sets contribute to each row at points (rows x points); not a number where that is not allowed.

        ``smooth`` asks for points that need not be whole, where nothing is forbidden.
        """
        values = self.values(places, p, tp, tn, smooth=smooth)
        sums = np.empty((self.count, len(places)))
        for number, row in enumerate(self.rows):
            value, weight = values[row.score], row.weight[places]
            if row.square is not None:
                centre = row.centre if isinstance(row.centre, float) else row.centre[places]
                sums[number] = weight * (value - centre) ** 2 + row.each
            else:
                sums[number] = weight * value
        for number in range(len(self.families)):
            sums[len(self.rows) + number] = np.where(self.family[places] == number, p, 0.0)
        return sums

    def values(self, places: Ints, p: Floats, tp: Floats, tn: Floats, *, smooth: bool = False) -> Floats:
        """Each score at points of sets (scores x points); not a number where that is not allowed."""
        n = self.size[places] - p
        return np.stack([self._values(at, places, p, n, tp, tn, smooth) for at in range(len(self.scores))])

    @property
    def parted(self) -> bool:
        """Whether there are squares of means of parts, which are sums over sets only about some points."""
        return any(row.parts is not None for row in self.rows)

    def about(self, p: Floats, tp: Floats, tn: Floats, *, smooth: bool = False) -> Sums:
        """The same about points of all sets."""
        if not self.parted:
            return self
        values = self.values(self.everyone, p, tp, tn, smooth=smooth)
        return self.with_rows([row if row.parts is None else row.about(values[row.score]) for row in self.rows])

    def reaching(self, place: int, points: Floats) -> Bools:
        """Which points of a set reach which of the extremes (extremes x points)."""
        values = self.values(np.full(points.shape[1], place), *points)
        ends = [(low <= values[at]) & (values[at] <= high) for at, low, high in self.reached]
        return np.stack(ends)

    def _values(self, at: int, places: Ints, p: Floats, n: Floats, tp: Floats, tn: Floats, smooth: bool) -> Floats:
        score = self.scores[at]
        with np.errstate(all="ignore"):
            num, den = score.ratio(tp, n - tn, p - tp, tn)
            value = np.asarray(score.link.forward(np.asarray(num / den, dtype=np.float64)), dtype=np.float64)
        hole = np.asarray(den) <= 0
        if hole.any():
            value = np.where(hole, np.where(np.asarray(num) == 0, 0.0 if smooth else self.fill, np.nan), value)
        static = self._static[at][places]
        value = np.where(np.isnan(static), value, static)
        low, high = (ends[places] for ends in self._limits[at])
        if not smooth:
            value = np.where((value < low) | (value > high), np.nan, value)
        return value

    @property
    def limited(self) -> list[int]:
        """The scores that are bounded on single sets."""
        return [at for at, ends in enumerate(self._limits) if np.isfinite(ends).any()]

    def excess(self, p: Floats, tp: Floats, tn: Floats) -> Floats:
        """How far bounded scores of the sets, at points that need not be whole, lie beyond their bounds."""
        excess = np.zeros((len(self.limited), self.sets))
        for number, at in enumerate(self.limited):
            value = self._values(at, self.everyone, p, self.size - p, tp, tn, True)
            low, high = self._limits[at]
            excess[number] = np.maximum(np.maximum(low - value, value - high), 0.0)
        return excess

    def box(self, ddof: int, total: Floats | None = None) -> tuple[Floats, Floats]:
        """The middle and half-width of what each row's sum may be, for a divisor; squares follow the mean at hand."""
        low, high = np.empty(self.count), np.empty(self.count)
        for number, row in enumerate(self.rows):
            low[number], high[number] = row.low, row.high
            if row.square is not None:
                off = 0.0
                if total is not None:
                    about = self.rows[row.mean]
                    mean = float(total[row.mean])
                    far = min(abs(mean - float(row.square.centre)), (about.high - about.low) / 2)
                    off = row.counted * far**2
                low[number], high[number] = (end * (row.counted - ddof) + off for end in (row.low, row.high))
        for number, family in enumerate(self.families):
            low[len(self.rows) + number] = family.p - _WHOLE
            high[len(self.rows) + number] = family.p + _WHOLE
        low, high = (
            np.where(np.isinf(low), np.minimum(high, 1e9) - 2 * _OPEN, low),
            np.where(np.isinf(high), low + 2 * _OPEN, high),
        )
        return (low + high) / 2, np.maximum((high - low) / 2, _NARROWEST)

    def together(self, place: int) -> list[int]:
        """The sets of the part that deviates with a set; itself where sets deviate."""
        parts = next((row.parts for row in self.rows if row.parts is not None), None)
        return [place] if parts is None else [int(k) for k in np.flatnonzero(parts.number == parts.number[place])]

    def with_rows(self, rows: list[TotalRow]) -> Sums:
        """The same with other rows."""
        other = copy.copy(self)
        other.rows = rows
        other.count = len(rows) + len(self.families)
        return other

    def with_fixed(self, fixed: dict[int, Floats]) -> Sums:
        """The same with the points of some sets given."""
        other = copy.copy(self)
        other.fixed, other.least, other.most = fixed, self.least.copy(), self.most.copy()
        for place, point in fixed.items():
            other.least[place] = other.most[place] = point[0]
        return other

    def fix(self, points: Floats) -> Floats:
        """Points of all sets, those given in their places."""
        for place, point in self.fixed.items():
            points[:, place] = point
        return points

    @property
    def divisors(self) -> list[int]:
        """The ddof that some deviation admits, one at a time."""
        admitted = [set(row.square.ddof) for row in self.rows if row.square is not None]
        over = min((row.counted for row in self.rows if row.square is not None), default=0)
        together = sorted(d for d in set.intersection(*admitted) if over > d) if admitted else [0]
        return together or [0]

    def judged(self, p: Floats, tp: Floats, tn: Floats) -> Matrices | None:
        """The matrices of points, one per set, if they give the report."""
        matrices = tuple(
            ConfusionMatrix(int(a), int(subset.size - q - b), int(q - a), int(b))
            for q, a, b, subset in zip(p, tp, tn, self.constraints.form.sets, strict=True)
        )
        return matrices if self.constraints.fits(matrices) else None
