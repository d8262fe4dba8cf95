"""A witness where sensitivity and specificity are both reported: the tp of all sets and the tn of all sets apart.

Many choices of all tp meet what is said of sensitivity, many of all tn what is said of specificity; each come from
joining two halves. Accuracy, balanced accuracy, informedness and the geometric mean are products of the two, so that
all pairs of choices are looked at by multiplying matrices; other scores are evaluated for the pairs left.
"""

from __future__ import annotations

import copy
from typing import NamedTuple

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Floats, Integers
from scoreproof.kinds.binary.engine.averages.seeking.choice import whole_classes
from scoreproof.kinds.binary.engine.averages.seeking.fitting import fit, random_start
from scoreproof.kinds.binary.engine.averages.seeking.joins import join
from scoreproof.kinds.binary.engine.averages.seeking.sums import WIDER, Sums
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import Budget

_SETS = range(3, 31)
_HALF, _FIRST_HALF = 60_000, 6_000  # choices for half of the sets, at most and at first
_KEPT = 6_000  # choices for all sets of one axis
_PAIRS = 1_000_000  # looked at together
_EVALUATED, _JUDGED = 200_000, 20  # values of scores, matrices
_PAIR, _VALUE = 1.5e-9, 1e-8  # seconds of a pair in a row, of a value of a score


def applies(sums: Sums) -> bool:
    """Whether both rates are reported of few sets, all classes known or all unknown."""
    names = {sums.scores[row.score].name for row in sums.rows if row.square is None}  # ranges of parts name scores, too
    if not {"sens", "spec"} <= names or sums.sets not in _SETS or sums.reached or sums.parted:
        return False
    both = bool((sums.p > 0).all() and (sums.size > sums.p).all())
    return bool(sums.unknown.all()) or (both and not sums.unknown.any())


class Axes:
    """Choices of tp and of tn for all sets, gathered over several attempts."""

    def __init__(self, sums: Sums, ddof: int, rng: np.random.Generator) -> None:
        self.sums, self.ddof, self.rng = sums, ddof, rng
        self.middle, half = sums.box(ddof)
        self.half = half * WIDER
        self._drawn = _FIRST_HALF
        self._known = {"sens": np.zeros((0, sums.sets)), "spec": np.zeros((0, sums.sets))}

    def attempt(self, deadline: Budget) -> tuple[ConfusionMatrix, ...] | None:
        """More choices of both, and all their pairs."""
        for name, known in self._known.items():
            if deadline.passed:
                return None
            fresh = np.unique(np.vstack([known, self._side(name, deadline)]), axis=0)
            self._known[name] = fresh[self.rng.permutation(len(fresh))[:_KEPT]]
        self._drawn = min(_HALF, 2 * self._drawn)
        tp, tn = self._known["sens"], self._known["spec"]
        if not len(tp) or not len(tn):
            return None
        step = max(1, _PAIRS // len(tn))
        for start in range(0, len(tp), step):
            if deadline.passed:
                return None
            found = self._pairs(tp[start : start + step], tn, deadline)
            if found is not None:
                return found
        return None

    def _side(self, name: str, deadline: Budget) -> Floats:
        """Choices of one count of every set under which the rate's own rows hold."""
        sums, rng = self.sums, self.rng
        top = sums.p if name == "sens" else sums.size - sums.p
        rows = [at for at, row in enumerate(sums.rows) if sums.scores[row.score].name == name]
        mean = next(sums.rows[at] for at in rows if sums.rows[at].square is None)
        centre = (mean.low + mean.high) / 2
        squares = [sums.rows[at] for at in rows if sums.rows[at].square is not None]
        spread = np.sqrt((squares[0].low + squares[0].high) / 2) if squares else rng.choice([0.02, 0.05, 0.1])
        order = rng.permutation(sums.sets)
        halves = []
        for places in (order[: sums.sets // 2], order[sums.sets // 2 :]):
            width = np.maximum(spread, 0.3 / np.sqrt(top[places]))
            drawn = np.rint((centre + width * rng.normal(size=(self._drawn, len(places)))) * top[places])
            drawn = np.clip(drawn, 0, top[places])
            rate = drawn / top[places]
            total = np.stack([self._row(at, rate, places) for at in rows], axis=1)
            halves.append((places, drawn, total / self.half[rows]))
        (one, left, a), (other, right, b) = halves
        first, second = join(a - self.middle[rows] / self.half[rows], b, deadline, most=_KEPT, telling=len(rows))
        found = np.zeros((len(first), sums.sets))
        found[:, one], found[:, other] = left[first], right[second]
        return found

    def _row(self, at: int, rate: Floats, places: Integers) -> Floats:
        row = self.sums.rows[at]
        value = rate if row.square is None else (rate - float(row.square.centre)) ** 2
        total: Floats = value @ row.weight[places]
        return total

    def _pairs(self, tp: Floats, tn: Floats, deadline: Budget) -> tuple[ConfusionMatrix, ...] | None:
        sums = self.sums
        deadline.charge(_PAIR * len(tp) * len(tn) * len(sums.rows))
        sens, spec = tp / sums.p, tn / (sums.size - sums.p)
        good = np.ones((len(tp), len(tn)), dtype=bool)
        left = []
        for at, row in enumerate(sums.rows):
            name = sums.scores[row.score].name
            if name in ("sens", "spec"):
                continue
            parts = _bilinear(name, sens, spec, sums)
            if parts is None:
                left.append(at)
            else:
                total = parts.mean(row.weight) if row.square is None else parts.squares(float(row.square.centre))
                good &= np.abs(total - self.middle[at]) <= self.half[at]
        first, second = np.nonzero(good)
        most = _EVALUATED // sums.sets
        if len(first) > most:
            some = self.rng.choice(len(first), most, replace=False)
            first, second = first[some], second[some]
        if left and len(first):
            deadline.charge(_VALUE * len(first) * sums.sets * len(left))
            ok = self._evaluated(tp[first], tn[second], left)
            first, second = first[ok], second[ok]
        for i, j in zip(first[:_JUDGED], second[:_JUDGED], strict=True):
            found = sums.judged(sums.p, tp[i], tn[j])
            if found is not None:
                return found
        return None

    def _evaluated(self, tp: Floats, tn: Floats, rows: list[int]) -> Integers:
        """Which pairs meet the rows that are no products."""
        sums = self.sums
        count = len(tp)
        places = np.tile(sums.everyone, count)
        shares = sums.shares(places, np.tile(sums.p, count), tp.ravel(), tn.ravel())[rows]
        total = shares.reshape(len(rows), count, sums.sets).sum(axis=2)
        off = np.abs(total - self.middle[rows][:, None]) / self.half[rows][:, None]
        return np.flatnonzero((off <= 1).all(axis=0))


class _Products(NamedTuple):
    """A score as a sum a + b or a product a b of something of tp and something of tn (choices x sets)."""

    a: Floats
    b: Floats
    product: bool

    def mean(self, weight: Floats) -> Floats:
        """Weighted sums for all pairs of choices."""
        if self.product:
            return np.asarray((self.a * weight) @ self.b.T)
        return np.asarray((self.a @ weight)[:, None] + (self.b @ weight)[None])

    def squares(self, centre: float) -> Floats:
        """Sums of squares about a centre for all pairs."""
        if self.product:
            return np.asarray(
                (self.a**2) @ (self.b**2).T - 2 * centre * self.a @ self.b.T + self.a.shape[1] * centre**2
            )
        a = self.a - centre
        return np.asarray((a**2).sum(axis=1)[:, None] + (self.b**2).sum(axis=1)[None] + 2 * a @ self.b.T)


def _bilinear(name: str, sens: Floats, spec: Floats, sums: Sums) -> _Products | None:
    positives = sums.p / sums.size
    if name == "acc":
        return _Products(sens * positives, spec * (1 - positives), product=False)
    if name == "bacc":
        return _Products(sens / 2, spec / 2, product=False)
    if name == "bm":
        return _Products(sens - 1, spec, product=False)
    if name == "gm":
        return _Products(np.sqrt(sens), np.sqrt(spec), product=True)
    return None


def with_classes(sums: Sums, ddof: int, spread: float, rng: np.random.Generator, deadline: Budget) -> Sums | None:
    """Sums in which unknown class counts are those of a fit; None if that leaves a fold without a class."""
    rates = fit(sums, random_start(sums, rng, spread), ddof, deadline)
    p = whole_classes(sums, rates.p, rng)
    if (p <= 0).any() or (p >= sums.size).any():
        return None
    known = copy.copy(sums)
    known.p = known.least = known.most = p
    known.unknown = np.zeros(sums.sets, dtype=bool)
    known.families, known.family = (), np.full(sums.sets, -1)
    known.count = len(sums.rows)
    return known
