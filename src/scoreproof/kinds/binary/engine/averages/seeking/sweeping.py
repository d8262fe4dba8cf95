"""A search among all points of all sets, where these can be listed: most hopeful for the time first.

Extremes that few points reach are assigned to sets first, in all ways that are likely: such a set has only the points
that reach them. Each such assignment, with each way to count 0/0 and to divide, and for each belief in how alike rates
are, is a prospect; how many of its combinations are looked at is chosen by what is to be expected for the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, log, prod

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Flags
from scoreproof.kinds.binary.engine.averages.seeking import reach
from scoreproof.kinds.binary.engine.averages.seeking.fourfold import FEWEST, MOST, Fourfold
from scoreproof.kinds.binary.engine.averages.seeking.reach import LikelyPoints, Reach
from scoreproof.kinds.binary.engine.averages.seeking.sums import Matrices, Sums
from scoreproof.work.budget import Budget

_EVEN = {1.0: 0.0, 0.5: -0.7, 0.0: -1.2}  # how much rates are expected to be the same in all sets: how likely that is
_UNUSUAL = -1.5  # how likely a 0/0 is counted, as a logarithm
_MOST = (200_000, 1_000_000, 4_000_000, 16_000_000)  # combinations of each half
_BESIDE = 200_000  # combinations that take as long as everything beside them
_HALFWAY, _SLOPE = 1.5, 1.3  # of the logarithm of likely combinations for each one listed: half of all chances
_FEWER = 0.7  # by how much the logarithm of witnesses is less than an attempt would have found
_LEAST_HOPE = 1e-12
_HOPELESS = -8.0  # witnesses to be expected, as a logarithm
_OFTEN = 0.7  # sets to be expected that reach an extreme: it need not be assigned
_ASSIGNED, _LEAST = 30, 0.01  # assignments, at most and of the likeliest one's weight

Assignment = dict[int, tuple[int, ...]]  # by set the extremes that it is to reach


def applies(ways: Sequence[tuple[Sums, int]]) -> bool:
    """Whether all points of all sets can be listed, and the sets are enough to join four lists."""
    return bool(ways) and all(FEWEST <= sums.sets <= MOST and reach.listable(sums) for sums, _ in ways)


class _Prospect:
    """What may be looked among, how likely it is that a witness is there, and what attempts say of that."""

    def __init__(self, among: Reach, likely: float) -> None:
        self.among, self._likely = among, likely
        self._witnesses = among.witnesses
        self._tried: list[int] = []

    def hope(self, most: int) -> float:
        """How many witnesses are to be expected among so many combinations: by chance, or the author's own."""
        seen = max(map(self._covered, self._tried), default=0.0)
        again = 0.5 ** (1 + sum(tried >= most for tried in self._tried))  # of what was seen is looked at otherwise
        own = max(0.0, self._covered(most) - seen) + again * min(self._covered(most), seen)
        by_chance = exp(min(0.0, self._witnesses - self._beyond(most)))
        return log(max(own, by_chance, _LEAST_HOPE)) + self._likely

    def failed(self, most: int) -> None:
        """An attempt found nothing: there are fewer than would have been found."""
        self._tried.append(most)
        self._witnesses = min(self._witnesses, self._beyond(most)) - _FEWER

    def _beyond(self, most: int) -> float:
        """How many likely combinations there are for each that is looked at, as a logarithm."""
        return max(0.0, self.among.entropy - 2 * log(most))

    def _covered(self, most: int) -> float:
        """How likely the author's own matrices are looked at."""
        return (1 + exp((self.among.entropy / 2 - log(most) - _HALFWAY) / _SLOPE)) ** -2

    def best(self) -> tuple[float, int]:
        """The greatest hope for the time, as a logarithm, and with how many combinations."""
        return max((self.hope(most) - log(most + _BESIDE), most) for most in _MOST)


class Sweep:
    """Attempts, the most hopeful first; may be asked again and goes on where it was."""

    def __init__(self, ways: Sequence[tuple[Sums, int]], rng: np.random.Generator) -> None:
        self._rng = rng
        self._closed = [  # beliefs whose prospects are not yet known, likely ones first
            (likely + (0.0 if np.isnan(sums.fill) else _UNUSUAL), even, sums, ddof)
            for even, likely in _EVEN.items()
            for sums, ddof in ways
        ]
        self._closed.sort(key=lambda belief: -belief[0])
        self._prospects: list[_Prospect] = []
        self._first = -np.inf  # the greatest hope for the time at first, of the likeliest belief
        self.expected = -np.inf  # witnesses, as a logarithm

    def run(self, deadline: Budget) -> Matrices | None:
        """A witness, if it is found until the deadline."""
        while not deadline.passed:
            prospect = max(self._prospects, key=lambda one: one.best()[0], default=None)
            if self._closed and (prospect is None or prospect.best()[0] < self._first + self._closed[0][0]):
                self._open(deadline)
                continue
            if prospect is None:
                return None
            _, most = prospect.best()
            if prospect.hope(most) < _HOPELESS:
                self._prospects.remove(prospect)
                continue
            found = Fourfold(prospect.among, self._rng, most, deadline).seek(deadline)
            if found is not None:
                return found
            prospect.failed(most)
        return None

    def _open(self, deadline: Budget) -> None:
        """The prospects of the likeliest belief left."""
        likely, even, sums, ddof = self._closed[0]
        whole = reach.every_set(sums, ddof, deadline, even)
        if deadline.passed:  # that was too short to tell
            return
        del self._closed[0]
        for share, assignment in [] if whole is None else assignments(whole):
            among = reach.every_set(sums, ddof, deadline, even, assignment) if assignment else whole
            if among is not None:
                prospect = _Prospect(among, likely + log(share))
                self._prospects.append(prospect)
                self.expected = max(self.expected, among.witnesses)
                self._first = max(self._first, prospect.best()[0] - likely)


def assignments(among: Reach) -> list[tuple[float, Assignment]]:
    """Ways in which sets may reach the extremes that few points reach, the likeliest first, and the share of each."""
    sums = among.sums
    if not sums.reached:
        return [(1.0, {})]
    flags = [sums.reaching(kind.members[0], kind.points) for kind in among.kinds]
    expected = sum(len(kind.members) * mine @ kind.chance for kind, mine in zip(among.kinds, flags, strict=True))
    found: list[tuple[float, Assignment]] = [(1.0, {})]
    for number in np.flatnonzero(expected < _OFTEN):
        more = [
            (_weight(among.kinds, flags, longer), longer)
            for _, known in found
            for longer in _longer(among.kinds, known, int(number))
        ]
        most = max((weight for weight, _ in more), default=0.0)
        likely = [one for one in more if one[0] > _LEAST * most]
        found = sorted(likely, key=lambda one: -one[0])[:_ASSIGNED]
    total = sum(weight for weight, _ in found)
    return [(weight / total, assignment) for weight, assignment in found]


def _longer(kinds: list[LikelyPoints], known: Assignment, number: int) -> Iterator[Assignment]:
    """With one more extreme, reached by a set that reaches others or, of alike ones, by the first that does not."""
    for kind in kinds:
        fresh = next((place for place in kind.members if place not in known), None)
        for place in kind.members:
            if place in known or place == fresh:
                yield {**known, place: (*known.get(place, ()), number)}


def _weight(kinds: list[LikelyPoints], flags: list[Flags], assignment: Assignment) -> float:
    """How likely such an assignment is."""
    return prod(
        float(kind.chance[mine[list(assignment[place])].all(axis=0)].sum())
        for kind, mine in zip(kinds, flags, strict=True)
        for place in kind.members
        if place in assignment
    )
