"""Primal search: fit, round, repair (as in Fischetti, Glover and Lodi 2005, doi:10.1007/s10107-004-0570-3), and join.

Rates under which the report holds are fitted by least squares (``fit``), rounded so that each rounding undoes the
misses of those before it, improved one set at a time, and a few sets are chosen anew together (``local_search``).
Everything is float until a choice is judged exactly.

Few points of a set have a score that is a printed minimum or maximum. So these are listed, of sets that are not too
large, and one is drawn before the others are looked for; those that reach several extremes are likelier.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from scoreproof.arrays import Floats
from scoreproof.kinds.binary.engine.averages.aggregated_folds import cases
from scoreproof.kinds.binary.engine.averages.constraints import Constraints
from scoreproof.kinds.binary.engine.averages.fit import Fitted, fit, likely_start
from scoreproof.kinds.binary.engine.averages.local_search import Choice, diffused, of_two, rounded
from scoreproof.kinds.binary.engine.averages.sums import Matrices, Sums, TotalRow
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

_LISTED = 60_000  # points of a set
_SEVERAL = 10.0  # times as likely, for each further extreme
_VALUE = 3e-8  # seconds of a value
_DRAW = 4e-4  # seconds


@dataclass(slots=True)
class Extremes:
    """Sums of sets some of which reach extremes, with their points by set; None where these are not listed."""

    sums: Sums
    _known: dict[int, Floats | None] = field(default_factory=dict)

    def drawn(self, rng: np.random.Generator, deadline: Budget) -> Sums | None:
        """Sums with the points of some sets given so that all extremes are reached; None if none were drawn."""
        sums = self.sums
        given: dict[int, Floats] = {}
        met = np.zeros(len(sums.reached), dtype=bool)
        rows = list(sums.rows)
        deadline.charge(_DRAW)
        for number in rng.permutation(len(met)):
            for place in [] if met[number] else map(int, rng.permutation(sums.sets)):
                points = np.zeros((3, 0)) if place in given else self._points(place, deadline)
                if points is None:  # too many: a row says what the set's value is
                    score, low, high = sums.reached[number]
                    rows.append(TotalRow(score, (sums.everyone == place).astype(np.float64), low, high))
                    met[number] = True
                    break
                reach = sums.reaching(place, points)
                if reach[number].any():
                    chance = reach[number] * _SEVERAL ** reach[~met].sum(axis=0)
                    at = rng.choice(len(chance), p=chance / chance.sum())
                    given[place] = points[:, at]
                    met |= reach[:, at]
                    break
            else:
                if not met[number]:
                    return None
        return sums.with_rows(rows).with_fixed(given)

    def _points(self, place: int, deadline: Budget) -> Floats | None:
        """The points of a set that reach some extreme."""
        sums = self.sums
        if place not in self._known:
            size, classes = int(sums.size[place]), range(int(sums.least[place]), int(sums.most[place]) + 1)
            count = sum((p + 1) * (size - p + 1) for p in classes) if len(classes) < _LISTED else _LISTED + 1
            self._known[place] = None
            if count <= _LISTED:
                deadline.charge(_VALUE * count * len(sums.scores))
                points = sums.points(place)
                good = np.isfinite(sums.values(np.full(count, place), *points)).all(axis=0)
                self._known[place] = points[:, good & sums.reaching(place, points).any(axis=0)]
        return self._known[place]


_SPREADS = (0.02, 0.05, 0.1, 0.03, 0.2, 0.005)  # of rates about the reported ones, by attempt
_SMALL, _NEARLY = 60, 30.0  # sets so small that rounding moves the sums much: rates so far off may do
_MOST_CASES = 8  # ways to count 0/0 that are tried
_AROUND = 1e-3  # seconds, beside what is descended and joined
_SHORT, _LONG, _LONGEST, _GROWTH = (3_000, 20_000), 30_000.0, 400_000.0, 1.5  # entries of lists that are joined
_ROUNDINGS = 4  # of one fit
_USUAL = 2  # further attempts with ways that avoid 0/0

Way = tuple[Sums, int]  # a way to count 0/0, and a divisor


class PrimalSearch:
    """Attempts at a witness, one after the other; may be asked again and goes on where it was."""

    def __init__(self, constraints: Constraints, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._extremes: dict[Sums, Extremes] = {}
        self._ways = list(_ways(constraints)) if _applies(constraints) else []
        self._attempts = 0
        self._long = _LONG  # entries of the long lists that are joined next
        self._on_short = self._on_long = 0.0  # seconds spent on short joins and on long ones
        self._nearest = np.inf  # the least miss of any rates, in half-widths

    @property
    def applies(self) -> bool:
        """Whether the constraints are sums over sets."""
        return bool(self._ways)

    @property
    def feasible(self) -> bool:
        """Whether rates were met under which the report holds."""
        return self._nearest <= 1

    def glance(self, deadline: Budget) -> Matrices | None:
        """Two attempts of each way with one short join: what most true reports need."""
        for _ in range(2 * len(self._ways)):
            if deadline.passed:
                return None
            matrices = self._attempt(deadline, brief=True)
            if matrices is not None:
                return matrices
        return None

    def run(self, deadline: Budget) -> Matrices | None:
        """Attempt after attempt until the deadline."""
        while self._ways and not deadline.passed:
            matrices = self._attempt(deadline, brief=False)
            if matrices is not None:
                return matrices
        return None

    def _attempt(self, deadline: Budget, *, brief: bool) -> Matrices | None:
        order = self._order()
        turn, at = divmod(self._attempts, len(order))
        self._attempts += 1
        whole, ddof = self._ways[order[at]]
        spread = _SPREADS[turn % len(_SPREADS)]
        sums = self._drawn(whole, deadline)
        if sums is None:
            return None
        rates = fit(sums, likely_start(sums, self._rng, spread, ddof, deadline), ddof, deadline)
        self._nearest = min(self._nearest, rates.miss)
        small = not brief and float(sums.size.max()) < _SMALL and rates.miss < _NEARLY
        if rates.miss > 1 and not small:
            return None
        nearest = Choice(sums, rounded(sums, rates, self._rng, shaken=0.0), ddof)
        matrices = nearest.judged() if nearest.allowed else None
        for again in range(1 if brief else _ROUNDINGS):
            if matrices is not None or deadline.passed:
                return matrices
            matrices = self._around(sums, rates, ddof, deadline, turn, shaken=again == 1, brief=brief)
        return matrices

    def _around(
        self, sums: Sums, rates: Fitted, ddof: int, deadline: Budget, turn: int, *, shaken: bool, brief: bool
    ) -> Matrices | None:
        """Whole numbers about fitted rates, and about these."""
        rng = self._rng
        deadline.charge(_AROUND)
        choice = Choice(sums, rounded(sums, rates, rng) if shaken else diffused(sums, rates, rng, ddof), ddof)
        if not choice.allowed:
            return None
        matrices = choice.judged()
        if matrices is not None or sums.sets - len(sums.fixed) < 2:
            return matrices
        choice.descend(deadline)
        matrices = choice.judged()
        begun = deadline.spent()
        for _ in range(1 if brief else 2):
            if matrices is None and not deadline.passed:
                matrices = of_two(choice, rng, _SHORT[min(1, turn // 4)], deadline)
        self._on_short += deadline.spent() - begun
        if matrices is None and not brief and not deadline.passed and self._on_long < self._on_short:
            begun = deadline.spent()
            matrices = of_two(choice, rng, int(self._long), deadline)
            self._long = min(_LONGEST, self._long * _GROWTH)
            self._on_long += deadline.spent() - begun
        return matrices

    def _order(self) -> list[int]:
        """The ways in the order of attempts, those that avoid 0/0 more often: what they give is usual."""
        usual = [number for number, (sums, _) in enumerate(self._ways) if np.isnan(sums.fill)]
        return [*range(len(self._ways)), *(_USUAL * usual if len(usual) < len(self._ways) else [])]

    def _drawn(self, sums: Sums, deadline: Budget) -> Sums | None:
        """The sums, with points drawn that reach the reported extremes; None if none were."""
        if not sums.reached:
            return sums
        return self._extremes.setdefault(sums, Extremes(sums)).drawn(self._rng, deadline)


def _ways(constraints: Constraints) -> Iterator[Way]:
    """The ways to count 0/0 and to divide that are tried in turn."""
    for number, treatment in enumerate(cases(constraints)):
        if number >= _MOST_CASES:
            return
        for fill in _fills(constraints.undefined):
            sums = Sums(constraints, treatment, fill)
            for ddof in sums.divisors:
                yield sums, ddof


def _applies(constraints: Constraints) -> bool:
    """Whether the demands are such sums: means and deviations, extremes over single sets, no bounded summands."""
    single = not _extremes(constraints) or all(isinstance(part, int) for part in constraints.extreme_parts)
    return single and any(target.mean is not None for target in constraints.targets) and not constraints.hexagons


def _extremes(constraints: Constraints) -> bool:
    """Whether a minimum or a maximum is reported."""
    return any(target.minimum is not None or target.maximum is not None for target in constraints.targets)


def _fills(undefined: Undefined) -> tuple[float, ...]:
    """What to count a 0/0 on single matrices as, in the order in which it is tried."""
    known = {Undefined.ZERO: (0.0,), Undefined.ONE: (1.0,), Undefined.ANY: (np.nan, 0.0)}
    return known.get(undefined, (np.nan,))
