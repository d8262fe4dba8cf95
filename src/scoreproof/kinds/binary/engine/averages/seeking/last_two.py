"""A witness at once where rates are reported: all sets but two are drawn, and two are what the others leave.

A rate's mean and deviation say what its values add up to, and their squares; once all but two values are drawn, the two
follow from x + y and x² + y². Hundreds of draws are rounded to counts and looked at together. Of sensitivity,
specificity and accuracy two are drawn, the second within what the first leaves it; they are matrices, on which whatever
else is reported is looked at. Floats only propose: what seems to fit is judged exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scoreproof.kinds.binary.engine.averages.arrangements import arrangements
from scoreproof.kinds.binary.engine.averages.points import Flags, Floats, Integers
from scoreproof.kinds.binary.engine.averages.seeking.sums import Matrices, Sums, means_deviate
from scoreproof.kinds.binary.engine.averages.seeking.sums import applies as are_sums
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.work.budget import Budget

_SETS = range(3, 31)
_DRAWS = (300, 1_500)  # of a rate, in turn
_DRAW = 1e-6  # seconds
_JUDGED = 8
_SAFE = 1e-9  # by which values stay clear of the ends of their intervals
_UNSAID = 0.05  # deviation of a rate that is printed without one
_TP, _TN, _BOTH = 0, 1, 2
_RATES = {"sens": (_TP, 1), "fnr": (_TP, -1), "spec": (_TN, 1), "fpr": (_TN, -1), "acc": (_BOTH, 1), "err": (_BOTH, -1)}


class _Rate(NamedTuple):
    """What is said of counts as shares of their most: the intervals of their mean and of their variance."""

    most: Floats
    mean: tuple[float, float]
    variance: tuple[float, float] | None

    def choices(self, rng: np.random.Generator, low: Floats, high: Floats) -> tuple[Floats, Integers]:
        """Counts of all sets (choices x sets) with this mean and this variance, and of which of the draws they are.

        Every draw has bounds of its own for each set: as many draws are made as ``low`` and ``high`` have rows.
        """
        sets, middle = len(self.most), sum(self.mean) / 2
        spread = _UNSAID if self.variance is None else np.sqrt(sum(self.variance) / 2)
        order = rng.permutation(sets)
        most, low, high = self.most[order], low[:, order], high[:, order]
        drawn = (middle + spread * rng.standard_normal(low.shape)) * most
        values = np.clip(np.rint(drawn), low, high) / most
        rest = values[:, :-2]
        total = sets * middle - rest.sum(axis=1)
        squares = sets * (spread**2 + middle**2) - (rest**2).sum(axis=1)
        apart = np.sqrt(np.maximum(0, squares / 2 - total**2 / 4))
        for at in (-1, -2):
            left = total / 2 + apart if at == -1 else total - values[:, -1]
            values[:, at] = np.clip(np.rint(left * most[at]), low[:, at], high[:, at]) / most[at]
        kept = self._fits(values)
        counts = np.empty((len(kept), sets))
        counts[:, order] = np.rint(values[kept] * most)
        return counts, kept

    def _fits(self, values: Floats) -> Integers:
        mean = values.mean(axis=1)
        good = _inside(mean, self.mean)
        if self.variance is not None:
            good &= _inside(values.var(axis=1), self.variance)
        return np.flatnonzero(good)


class DrawnRates:
    """A report of rates over folds, in each way in which odd cases of balanced folds may fall together."""

    def __init__(self, demand: Demand, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._known: list[tuple[Sums, int]] = []
        self._arranged = iter(arrangements(demand) if are_sums(demand) and not means_deviate(demand) else ())

    @property
    def alone(self) -> bool:
        """Whether nothing else is reported: then draws most often show a witness if there is one."""
        return bool(self._known) and _only_rates(self._known[0][0])

    def seek(self, deadline: Budget) -> Matrices | None:
        """A witness, if draws show one."""
        for draws in _DRAWS:
            for sums, ddof in self._ways():
                if deadline.passed:
                    return None
                deadline.charge(draws * _DRAW)
                found = _attempt(sums, ddof, self._rng, draws)
                if found is not None:
                    return found
        return None

    def _ways(self) -> Iterator[tuple[Sums, int]]:
        """Sums and divisors, made when their turn comes.

        What 0/0 counts as is not asked: rates of sets with both classes are defined, and other scores mostly.
        """
        yield from tuple(self._known)
        for arranged in self._arranged:
            sums = Sums(arranged, {}, np.nan)
            ways = [(sums, ddof) for ddof in sums.divisors] if _applies(sums) else []
            self._known += ways
            yield from ways


def _applies(sums: Sums) -> bool:
    """Whether rates are reported of a few sets with both classes, all of the same weight, and nothing is open."""
    said = {sums.scores[row.score].name for row in sums.rows}
    axes = {_RATES[name][0] for name in said & _RATES.keys()}
    return (
        len(axes) >= min(2, len(said))
        and sums.sets in _SETS
        and not (sums.reached or sums.demand.bounds or sums.unknown.any())
        and bool((sums.p > 0).all() and (sums.size > sums.p).all())
        and all(len(set(row.weight)) == 1 for row in sums.rows)
    )


def _only_rates(sums: Sums) -> bool:
    return len(sums.scores) <= 2 and all(score.name in _RATES for score in sums.scores)


def _attempt(sums: Sums, ddof: int, rng: np.random.Generator, draws: int) -> Matrices | None:
    """A witness, if some draws are one."""
    tp, tn = _drawn(sums, _rates(sums, ddof), rng, draws)
    if not len(tp):
        return None
    for at in range(len(tp))[:_JUDGED] if _only_rates(sums) else _fitting(sums, ddof, tp, tn):
        found = sums.judged(sums.p, tp[at], tn[at])
        if found is not None:
            return found
    return None


def _drawn(sums: Sums, rates: dict[int, _Rate], rng: np.random.Generator, draws: int) -> tuple[Floats, Floats]:
    """The tp and tn of all sets (draws x sets) that give two of the rates, or the only one."""
    p, n = sums.p, sums.size - sums.p
    (axis, first), *others = rates.items()
    none = np.zeros((draws, sums.sets))
    counts, _ = first.choices(rng, none, none + first.most)
    if not len(counts):
        return counts, counts
    if not others:
        if axis == _BOTH:
            tp = np.clip(np.rint(counts * p / sums.size), np.maximum(0, counts - n), np.minimum(p, counts))
            return tp, counts - tp
        rest = np.broadcast_to(np.rint((p if axis == _TN else n) / 2), counts.shape)
        return (counts, rest) if axis == _TP else (rest, counts)
    which, second = others[0]
    counts = counts[rng.integers(len(counts), size=draws)]
    if which == _TN:
        tn, kept = second.choices(rng, none, none + n)
        return counts[kept], tn
    both, kept = second.choices(rng, counts, counts + (n if axis == _TP else p))
    found = counts[kept], both - counts[kept]
    return found if axis == _TP else found[::-1]


def _rates(sums: Sums, ddof: int) -> dict[int, _Rate]:
    """What is said of tp, of tn and of both together, in this order; of a rate that is said twice, the last."""
    most = (sums.p, sums.size - sums.p, sums.size)
    found: dict[int, _Rate] = {}
    for row in sums.rows:
        name = sums.scores[row.score].name
        if name not in _RATES:
            continue
        axis, sign = _RATES[name]
        if row.square is None:
            weight = float(row.weight.sum())
            low, high = sorted(end / weight if sign > 0 else 1 - end / weight for end in (row.low, row.high))
            found[axis] = _Rate(most[axis], (low, high), None)
        else:
            counted = (row.counted - ddof) / row.counted
            found[axis] = found[axis]._replace(variance=(row.low * counted, row.high * counted))
    return dict(sorted(found.items()))


def _fitting(sums: Sums, ddof: int, tp: Floats, tn: Floats) -> Integers:
    """Which pairs seem to give everything that is reported."""
    count = len(tp)
    shares = sums.shares(np.tile(sums.everyone, count), np.tile(sums.p, count), tp.ravel(), tn.ravel())
    total = shares.reshape(sums.count, count, sums.sets).sum(axis=2)
    good = np.ones(count, dtype=bool)
    for at, row in enumerate(sums.rows):
        if row.square is None:
            good &= _inside(total[at], (row.low, row.high))
        else:
            centre = float(row.square.centre)
            mean = total[row.mean] / float(sums.rows[row.mean].weight.sum())
            variance = (total[at] - row.counted * (mean - centre) ** 2) / (row.counted - ddof)
            good &= _inside(variance, (row.low, row.high))
    return np.flatnonzero(good)[:_JUDGED]


def _inside(values: Floats, ends: tuple[float, float]) -> Flags:
    """Which values lie in an interval, clear of its ends."""
    inside: Flags = (values >= ends[0] + _SAFE) & (values <= ends[1] - _SAFE)
    return inside
