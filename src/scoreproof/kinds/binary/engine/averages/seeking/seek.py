"""A search for a witness: rates that meet the report, rounded, bettered, and joined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from scoreproof.kinds.binary.engine.averages.blocks import cases
from scoreproof.kinds.binary.engine.averages.seeking import axes, counts, reach, repeats, sweeping
from scoreproof.kinds.binary.engine.averages.seeking.choice import Choice, diffused, rounded
from scoreproof.kinds.binary.engine.averages.seeking.fitting import Fitted, fit, likely_start
from scoreproof.kinds.binary.engine.averages.seeking.fourfold import FEWEST, MOST, Fourfold
from scoreproof.kinds.binary.engine.averages.seeking.joins import of_two
from scoreproof.kinds.binary.engine.averages.seeking.mixture import Mixture
from scoreproof.kinds.binary.engine.averages.seeking.reaching import Reaching
from scoreproof.kinds.binary.engine.averages.seeking.sums import Sums, applies, fills, means_deviate
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.reported.conventions import SpreadOver
from scoreproof.work.budget import NEVER, Budget

_SPREADS = (0.02, 0.05, 0.1, 0.03, 0.2, 0.005)  # of rates about the reported ones, by attempt
_SMALL, _NEARLY = 60, 30.0  # sets so small that rounding moves the sums much: rates so far off may do
_MOST_CASES = 8
_SOON_LISTED = 8_000  # points of all sets
_DRAWN = 4  # points that reach extremes, at a glance
_AROUND = 1e-3  # seconds, beside what is descended and joined
_LONG, _LONGEST, _GROWTH = 30_000.0, 400_000.0, 1.5  # entries of lists that are joined
_FOURFOLD = 4.0  # times the time of short joins, for joins of four lists, which reach much further
_PLENTY = 4.0  # witnesses to be expected, as a logarithm, where there is hardly none
_REMEMBERED, _BELOW = 40, 1.0  # hopes of attempts, and how far below the better ones an attempt is still made
_EVEN = (1.0, 0.0, 1.0, 0.5)  # how much rates are expected to be the same in all sets, by attempt
_USUAL = 2  # further attempts with ways that avoid 0/0
_BRIEFLY = 2  # attempts from each mixture, before longer ones
_TELLING = 6  # attempts without rates that meet the report, after which it seems impossible

Matrices = tuple[ConfusionMatrix, ...]


class Seeker:
    """Attempts at a witness, one after the other; may be asked again and goes on where it was."""

    def __init__(self, demand: Demand, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self._reaching: dict[tuple[Sums, int], Reaching] = {}
        self._due = NEVER  # of the attempts under way
        self.ways = list(self._ways(demand)) if applies(demand) else []
        self._counted_ways = self._counting(demand)
        self.attempts = 0
        self.counted = 0
        self.parted = 0
        self.mixed = 0
        self._sweep: sweeping.Sweep | None = None
        self._hopes: dict[float, list[float]] = {}  # of the latest attempts, by how even rates were expected to be
        self._apart = [(sums, ddof, axes.Axes(sums, ddof, self.rng)) for sums, ddof in self.ways if axes.applies(sums)]
        self._long = _LONG  # entries of the long lists that are joined next
        self._on_many = self._on_long = self._on_four = (
            0.0  # seconds spent on short joins, long ones, and joins of four
        )
        self._fourfold_tries = 0
        self._expected = -np.inf  # witnesses about some choice, as a logarithm
        self.near = np.inf  # the least miss of any rates, in half-widths

    @property
    def hopeful(self) -> bool:
        """Whether rates were found that meet the report, or it is too early to tell."""
        return self.near <= 1 or self.attempts < _TELLING * len(self.ways)

    @property
    def plenty(self) -> bool:
        """Whether so many witnesses are to be expected that there is hardly none."""
        return self._expected > _PLENTY

    @property
    def tiny(self) -> bool:
        """Whether the sets are so small that counts of points are likelier to show a witness than rates."""
        return bool(self._counted_ways) and float(self._counted_ways[0][0].size.max()) < _SMALL

    @property
    def parts(self) -> bool:
        """Whether tp and tn can be looked for apart."""
        return bool(self._apart)

    def glance(self, deadline: Budget, tries: int = 2) -> Matrices | None:
        """A few rounded rates, bettered a little: what many true reports need."""
        self._due = deadline
        tries *= _DRAWN if any(sums.reached for sums, _ in self.ways) else 1
        for _ in range(tries * len(self.ways)):
            if deadline.passed:
                return None
            found = self._attempt(deadline, brief=True)
            if found is not None:
                return found
        return None

    def seek(self, deadline: Budget) -> Matrices | None:
        """Attempt after attempt until the deadline."""
        self._due = deadline
        while self.ways and not deadline.passed:
            found = self._attempt(deadline, brief=False)
            if found is not None:
                return found
        return None

    def _attempt(self, deadline: Budget, *, brief: bool) -> Matrices | None:
        order = self._order()
        turn, at = divmod(self.attempts, len(order))
        self.attempts += 1
        whole, ddof = self.ways[order[at] % len(self.ways)]
        spread = _SPREADS[turn % len(_SPREADS)]
        loose = None
        if whole.reached and turn % _DRAWN:  # rates that keep to the extremes say where these may be reached
            loose = fit(whole, likely_start(whole, self.rng, spread, ddof, deadline), ddof, deadline)
        sums = self._drawn(whole, ddof, deadline, loose)
        if sums is None or not sums.sets:
            return None if sums is None else sums.judged(*np.zeros((3, 0)))
        start = loose.some(sums.places) if loose else likely_start(sums, self.rng, spread, ddof, deadline)
        rates = self._fitted(sums, start, ddof, deadline, brief=brief)
        if rates is None:
            return None
        return self._about(sums, rates, ddof, deadline, turn, brief=brief)

    def _fitted(self, sums: Sums, start: Fitted, ddof: int, deadline: Budget, *, brief: bool) -> Fitted | None:
        """Rates from a start that meet the report, or nearly where rounding moves the sums much."""
        rates = fit(sums, start, ddof, deadline)
        self.near = min(self.near, rates.miss)
        small = not brief and float(sums.size.max()) < _SMALL and rates.miss < _NEARLY
        return rates if rates.miss <= 1 or small else None

    def _about(
        self, sums: Sums, rates: Fitted, ddof: int, deadline: Budget, turn: int, *, brief: bool
    ) -> Matrices | None:
        """Whole numbers about rates, a few times; of large sets the nearest ones may do."""
        nearest = Choice(sums, rounded(sums, rates, self.rng, shaken=0.0), ddof)
        found = nearest.judged() if nearest.allowed else None
        if found is not None:
            return found
        for again in range(1 if brief else 4):
            if deadline.passed:
                return None
            found = self._around(sums, rates, ddof, deadline, turn, shaken=again == 1, brief=brief)
            if found is not None:
                return found
        return None

    def mix(self, mixtures: Sequence[Mixture], deadline: Budget) -> Matrices | None:
        """Attempts from mixtures of points that meet the report on the whole."""
        self._due = deadline
        ways = [
            (mixture, sums, ddof) for mixture in mixtures for sums, ddof in self.ways if mixture.ddof in (None, ddof)
        ]
        while ways and not deadline.passed:
            turn, way = divmod(self.mixed, len(ways))
            self.mixed += 1
            mixture, whole, ddof = ways[way]
            sums = self._drawn(whole, ddof, deadline)
            if sums is None or not sums.sets:
                continue
            rates = self._fitted(sums, mixture.start(sums, self.rng, turn), ddof, deadline, brief=False)
            found = None if rates is None else self._about(sums, rates, ddof, deadline, turn, brief=turn < _BRIEFLY)
            if found is not None:
                return found
        return None

    @property
    def few(self) -> bool:
        """Whether all points of all sets can be listed, and the sets are enough to join four lists."""
        return sweeping.applies(self.ways) and not self.ways[0][0].parted

    def sweep(self, deadline: Budget) -> Matrices | None:
        """Attempts among all points of all sets, the likeliest combinations first."""
        if self._sweep is None:
            self._sweep = sweeping.Sweep(self.ways, self.rng)
        found = self._sweep.run(deadline)
        self._expected = max(self._expected, self._sweep.expected)
        return found

    def _worth(self, even: float, latest: float) -> float:
        """The hope from which on an attempt is made: not far below the better ones of late."""
        hopes = self._hopes[even] = [*self._hopes.get(even, [])[-_REMEMBERED:], latest]
        return sorted(hopes)[-max(1, len(hopes) // 4)] - _BELOW

    def count(self, deadline: Budget) -> Matrices | None:
        """Attempts by counts of points, where many sets are alike."""
        self._due = deadline
        ways = self._counted_ways
        while ways and not deadline.passed:
            whole, ddof = ways[self.counted % len(ways)]
            spread = _SPREADS[self.counted // len(ways) % 3]
            self.counted += 1
            sums = self._drawn(whole, ddof, deadline)
            if sums is None or not counts.applies(sums):
                continue
            found = counts.attempt(sums, ddof, spread, self.rng, deadline)
            if found is not None:
                return found
        return None

    def part(self, deadline: Budget) -> Matrices | None:
        """Attempts with tp and tn apart, where both rates are reported."""
        self._due = deadline
        while self._apart and not deadline.passed:
            at = self.parted % len(self._apart)
            turn = self.parted // len(self._apart)
            self.parted += 1
            sums, ddof, gathered = self._apart[at]
            if sums.unknown.any():
                known = axes.with_classes(sums, ddof, _SPREADS[turn % 3], self.rng, deadline)
                found = None if known is None else axes.Axes(known, ddof, self.rng).attempt(deadline)
            else:
                found = gathered.attempt(deadline)
            if found is not None:
                return found
        return None

    def _around(
        self, sums: Sums, rates: Fitted, ddof: int, deadline: Budget, turn: int, *, shaken: bool, brief: bool
    ) -> Matrices | None:
        """Whole numbers about fitted rates, and about these."""
        rng = self.rng
        deadline.charge(_AROUND)
        choice = Choice(sums, rounded(sums, rates, rng) if shaken else diffused(sums, rates, rng, ddof), ddof)
        if not choice.allowed:
            return None
        found = choice.judged()
        if found is None and sums.sets > 1:
            choice.descend(deadline)
            found = choice.judged()
        short = (3_000, 20_000)[min(1, turn // 4)]
        begun = deadline.spent()
        for _ in range(1 if brief else 2):
            if found is None and sums.sets > 1 and not deadline.passed:
                found = of_two(choice, rng, short, deadline)
        self._on_many += deadline.spent() - begun
        begun = deadline.spent()
        if found is not None or brief or deadline.passed:
            return found
        if FEWEST <= sums.sets <= MOST and not sums.parted and self._on_four < _FOURFOLD * self._on_many:
            found = self._fourfold(choice, deadline)
            self._on_four += deadline.spent() - begun
        elif self._on_long < self._on_many:
            found = of_two(choice, rng, int(self._long), deadline)
            self._long = min(_LONGEST, self._long * _GROWTH)
            self._on_long += deadline.spent() - begun
        return found

    def _fourfold(self, choice: Choice, deadline: Budget) -> Matrices | None:
        """A join of four lists about a choice, if that is as hopeful as others were."""
        self._fourfold_tries += 1
        even = _EVEN[self._fourfold_tries % len(_EVEN)]
        near = reach.about(choice, deadline, even)
        if near is None:
            return None
        self._expected = max(self._expected, near.witnesses)
        if near.hope < self._worth(even, near.hope):
            return None
        return Fourfold(near, self.rng, reach.HALF, deadline).seek(deadline)

    def _dealt(self, demand: Demand, matrices: Matrices) -> Matrices | None:
        return None if self._due.passed else repeats.arranged(demand, matrices, self.rng, self._due)

    def _ways(self, demand: Demand) -> Iterator[tuple[Sums, int]]:
        """The ways to count 0/0 and to divide that are tried in turn."""
        for number, treatment in enumerate(cases(demand)):
            if number >= _MOST_CASES:
                return
            for fill in fills(demand.undefined):
                sums = Sums(demand, treatment, fill)
                for ddof in sums.divisors:
                    yield sums, ddof

    def _counting(self, demand: Demand) -> list[tuple[Sums, int]]:
        """The ways in which points are counted; where repeats deviate the means first, then these are dealt."""
        if not means_deviate(demand):
            return [way for way in self.ways if counts.applies(way[0])]
        if demand.spread_over is not SpreadOver.REPEATS:
            return []
        means = replace(demand, targets=tuple(replace(target, variance=None) for target in demand.targets))
        ways = [way for way in self._ways(means) if counts.applies(way[0])] if self.ways else []
        for sums, _ in ways:
            sums.finish = partial(self._dealt, demand)
        return ways

    def _order(self) -> list[int]:
        """The ways in the order of attempts, those that avoid 0/0 more often: what they find is usual."""
        usual = [number for number, (sums, _) in enumerate(self.ways) if np.isnan(sums.fill)]
        return [*range(len(self.ways)), *(_USUAL * usual if len(usual) < len(self.ways) else [])]

    def _drawn(self, sums: Sums, ddof: int, deadline: Budget, near: Fitted | None = None) -> Sums | None:
        """The sums, with points drawn that reach the reported extremes, about rates if given; None if none were."""
        if not sums.reached:
            return sums
        known = self._reaching.get((sums, ddof))
        if known is None:
            likely = reach.every_set(sums, ddof, deadline) if reach.listable(sums, _SOON_LISTED) else None
            known = Reaching(sums, likely)
            if not deadline.passed:  # otherwise that was too short to tell
                self._reaching[sums, ddof] = known
        return known.drawn(self.rng, deadline, near)
