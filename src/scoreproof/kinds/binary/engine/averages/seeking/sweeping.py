"""A search among all points of all sets, where these can be listed: the likeliest combinations, more in each round.

Extremes that few points reach are assigned to sets first, in all ways that are likely: such a set has only the points
that reach them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import prod

import numpy as np

from scoreproof.kinds.binary.engine.averages.points import Flags
from scoreproof.kinds.binary.engine.averages.seeking import reach
from scoreproof.kinds.binary.engine.averages.seeking.fourfold import FEWEST, MOST, Fourfold
from scoreproof.kinds.binary.engine.averages.seeking.reach import LikelyPoints, Reach
from scoreproof.kinds.binary.engine.averages.seeking.sums import Matrices, Sums
from scoreproof.work.deadline import Deadline

_EVEN = (1.0, 0.5, 0.0)  # how much rates are expected to be the same in all sets
_MOST = (1_000_000, 4_000_000, 16_000_000)  # combinations of each half, by round
_HOPELESS = -8.0  # witnesses to be expected, as a logarithm
_OFTEN = 0.7  # sets to be expected that reach an extreme: it need not be assigned
_ASSIGNED, _LEAST = 60, 0.01  # assignments, at most and of the likeliest one's weight
_DONE: Matrices = ()

Assignment = dict[int, tuple[int, ...]]  # by set the extremes that it is to reach


def applies(ways: Sequence[tuple[Sums, int]]) -> bool:
    """Whether all points of all sets can be listed, and the sets are enough to join four lists."""
    return bool(ways) and all(FEWEST <= sums.sets <= MOST and reach.listable(sums) for sums, _ in ways)


class Sweep:
    """Rounds of attempts; may be asked again and goes on where it was."""

    def __init__(self, ways: Sequence[tuple[Sums, int]], rng: np.random.Generator) -> None:
        self._ways, self._rng = sorted(ways, key=lambda way: not np.isnan(way[0].fill)), rng
        self._usual = sum(np.isnan(sums.fill) for sums, _ in ways) or len(ways)  # ways that avoid 0/0, tried first
        self._known: dict[tuple[int, float], Reach | None] = {}
        self._left = self._attempts()
        self._due: Deadline

    def run(self, deadline: Deadline) -> Matrices | None:
        """A witness, if it is found until the deadline."""
        self._due = deadline
        while not deadline.passed:
            found = next(self._left, _DONE)
            if found is not None:
                return None if found is _DONE else found
        return None

    def _attempts(self) -> Iterator[Matrices | None]:
        """What attempts find that have some hope, for ever unless there are none."""
        for turn in count():
            hopeless = turn > len(_MOST) + len(_EVEN)
            for number, even in enumerate(_EVEN[: turn + 1]):
                most = _MOST[min(turn - number, len(_MOST) - 1)]
                for way in range(len(self._ways) if turn else self._usual):
                    for among in self._among(way, even):
                        attempt = Fourfold(among, self._rng, most, self._due)
                        if attempt.hope > _HOPELESS:
                            hopeless = False
                            yield attempt.seek(self._due)
                    if self._due.passed:
                        hopeless = False
                        yield None
            if hopeless:
                return

    def _among(self, way: int, even: float) -> Iterator[Reach]:
        """What is looked among, for each assignment of extremes."""
        sums, ddof = self._ways[way]
        if (way, even) not in self._known:
            whole = reach.every_set(sums, ddof, self._due, even)
            if self._due.passed:  # that was too short to tell
                return
            self._known[way, even] = whole
        among = self._known[way, even]
        for assignment in [] if among is None else assignments(among):
            some = reach.every_set(sums, ddof, self._due, even, assignment) if assignment else among
            if some is not None:
                yield some


def assignments(among: Reach) -> list[Assignment]:
    """Ways in which sets may reach the extremes that few points reach, the likeliest first."""
    sums = among.sums
    if not sums.reached:
        return [{}]
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
    return [assignment for _, assignment in found]


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
