"""A witness for rates over folds of unknown classes: the classes are dealt first, then tp and tn found apart.

Once the classes of all folds are dealt, a mean of sensitivities is a weighted sum of the tp alone and a mean of
specificities one of the tn alone. Those of one half of the folds are joined with those of the other, and what is found
for tp is joined with what is found for tn by accuracy and balanced accuracy. Likely ways to deal come first; where the
folds are few and small, all ways are tried and all counts are listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import comb, log, prod

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Integers
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.experiment.folds import dealt_folds
from scoreproof.kinds.binary.experiment.normal import Family
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import Budget

_MOST_SETS, _MOST_CASES = 12, 10**8
_MOST_WAYS = 4_000  # to deal the classes of one data set, or of all, that are listed
_DRAWS = 10_000  # of ways, where they are not listed
_LISTED = 3_000  # counts of half of the folds; of more so many are drawn
_KEPT = 400  # counts of all folds that have a rate
_JUDGED = 5
_SPREAD = 0.1  # of rates about the reported one
_MARGIN = 1e-11  # for rounding of floats: what is found is judged exactly
_DEALT, _SUM = 1e-4, 3e-7  # seconds of a way to deal, and of an entry that is listed

Ends = tuple[float, float]
_RATES = {"sens", "spec", "bacc"}


class Dealing:
    """Ways to deal the classes, tried one after the other; may be asked again and goes on where it was."""

    def __init__(self, demand: Demand, seed: int) -> None:
        self._demand, self._rng = demand, np.random.default_rng(seed)
        sets = demand.form.sets
        self._weight = np.array([float(one.weight) for one in sets])
        self._size = np.array([one.size for one in sets])
        self._ends = {
            target.score.name: (float(target.mean[0]) - _MARGIN, float(target.mean[1]) + _MARGIN)
            for target in demand.targets
            if target.mean is not None
        }
        self._rates = _implied(self._ends)
        self._left = self._dealt()

    def attempt(self, deadline: Budget) -> tuple[ConfusionMatrix, ...] | None:
        """A witness, if one of the ways tried until the deadline has it."""
        while not deadline.passed:
            p = next(self._left, None)
            if p is None:
                return None
            deadline.charge(_DEALT)
            found = self._with(p, deadline)
            if found is not None:
                return found
        return None

    def _dealt(self) -> Iterator[Integers]:
        """Positives of every fold, likely ones first; drawn, if they are too many to list."""
        families = self._demand.form.families
        sizes = [self._size[[one.family == at for one in self._demand.form.sets]] for at in range(len(families))]
        listed = [_ways(family) for family in families]
        every = [ways for ways in listed if ways is not None]
        if [] in every:
            return
        if len(every) == len(listed) and prod(map(len, every)) <= _MOST_WAYS:
            for ways in sorted(product(*every), key=lambda ways: -sum(chance for _, chance in ways)):
                yield np.array([p for way, _ in ways for p in way])
            return
        for _ in range(_DRAWS):
            p = np.concatenate(
                [self._rng.multivariate_hypergeometric(mine, f.p) for f, mine in zip(families, sizes, strict=True)]
            )
            if (p > 0).all() and (p < self._size).all():
                yield p

    def _with(self, p: Integers, deadline: Budget) -> tuple[ConfusionMatrix, ...] | None:
        """A witness with these positives of all folds."""
        n = self._size - p
        tp = self._side(p, self._rates[0], deadline)
        if not len(tp):
            return None
        tn = self._side(n, self._rates[1], deadline)
        if not len(tn):
            return None
        good = np.ones((len(tp), len(tn)), dtype=bool)
        for name, (over_p, over_n) in {
            "acc": (self._weight / self._size, self._weight / self._size),
            "bacc": (self._weight / p / 2, self._weight / n / 2),
        }.items():
            if name in self._ends:
                total = (tp @ over_p)[:, None] + (tn @ over_n)[None]
                good &= (total >= self._ends[name][0]) & (total <= self._ends[name][1])
        for i, j in np.argwhere(good)[:_JUDGED]:
            matrices = tuple(
                ConfusionMatrix(int(a), int(c - b), int(q - a), int(b))
                for a, b, q, c in zip(tp[i], tn[j], p, n, strict=True)
            )
            if self._demand.fits(matrices):
                return matrices
        return None

    def _side(self, top: Integers, ends: Ends, deadline: Budget) -> Integers:
        """Counts of all folds, at most these, whose mean rate lies between the ends; some, if there are many."""
        weight = self._weight / top
        halves = _halves([int(most) for most in top])
        counts = [self._listed(top[half], sum(ends) / 2) for half in halves]
        first, second = (mine @ weight[half] for mine, half in zip(counts, halves, strict=True))
        deadline.charge(_SUM * (first.size + second.size))
        order = np.argsort(second)
        second = second[order]
        start = np.searchsorted(second, ends[0] - first, "left")
        many = np.maximum(np.searchsorted(second, ends[1] - first, "right") - start, 0)
        if not many.any():
            return np.zeros((0, len(top)), dtype=np.int64)
        upto = np.cumsum(many)
        pairs = np.arange(upto[-1])
        if len(pairs) > _KEPT:
            pairs = np.sort(self._rng.integers(upto[-1], size=_KEPT))
        one = np.searchsorted(upto, pairs, "right")
        other = order[start[one] + pairs - (upto[one] - many[one])]
        found = np.empty((len(pairs), len(top)), dtype=np.int64)
        found[:, halves[0]], found[:, halves[1]] = counts[0][one], counts[1][other]
        return found

    def _listed(self, top: Integers, rate: float) -> Integers:
        """All counts of some folds, or so many about a rate."""
        if prod(int(most) + 1 for most in top) <= _LISTED:
            return np.indices(tuple(top + 1)).reshape(len(top), -1).T
        about = rate + _SPREAD * self._rng.normal(size=(_LISTED, len(top)))
        return np.clip(np.rint(about * top), 0, top).astype(np.int64)


def _halves(top: list[int]) -> tuple[list[int], list[int]]:
    """The folds in two halves with about as many counts each."""
    halves: tuple[list[int], list[int]] = ([], [])
    many = [1, 1]
    for place in sorted(range(len(top)), key=lambda at: -top[at]):
        fewer = int(many[0] > many[1])
        halves[fewer].append(place)
        many[fewer] *= top[place] + 1
    return halves


def applies(demand: Demand) -> bool:
    """Whether nothing but means of rates of few folds of unknown classes is reported, which say both rates."""
    form = demand.form
    names = {target.score.name for target in demand.targets}
    plain = all(
        target.mean is not None and not (target.variance or target.minimum or target.maximum)
        for target in demand.targets
    )
    return (
        plain
        and not demand.bounds
        and not demand.hexagons
        and len(form.sets) <= _MOST_SETS
        and sum(one.size for one in form.sets) <= _MOST_CASES
        and all(one.family is not None for one in form.sets)
        and all(family.rule is not FoldRule.BALANCED for family in form.families)
        and names <= _RATES | {"acc"}
        and len(names & _RATES) > 1
    )


def _implied(ends: dict[str, Ends]) -> tuple[Ends, Ends]:
    """Between which ends mean sensitivity and mean specificity lie, by what is said of both or of their mean."""
    sens, spec = ends.get("sens", (0.0, 1.0)), ends.get("spec", (0.0, 1.0))
    low, high = (2 * end for end in ends.get("bacc", (0.0, 1.0)))

    def left(mine: Ends, other: Ends) -> Ends:
        return max(mine[0], low - other[1]), min(mine[1], high - other[0])

    return left(sens, spec), left(spec, sens)


def _ways(family: Family) -> list[tuple[tuple[int, ...], float]] | None:
    """The ways to deal the classes of a data set, each with its chance (a logarithm); None if they are too many.

    Every fold has both classes, and of ways that differ in the order of folds of one size one is listed.
    """
    every = dealt_folds(family.p, family.n, family.folds, trainable=True)
    some = [folds for folds in islice(every, _MOST_WAYS + 1) if all(map(all, folds))]
    if next(every, None) is not None:
        return None
    return [(tuple(p for p, _ in folds), sum(log(comb(p + n, p)) for p, n in folds)) for folds in some]
