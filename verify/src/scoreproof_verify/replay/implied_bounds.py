"""Limits of single sets that follow from a mean and its deviation, and the points they leave.

Of k values in [least, most], m of which count and have their mean in [low, high], one is at least m low - (m - 1) most,
which is least for m = k; and at most k high - (k - 1) least likewise. If their squares about their mean add up to
(m - d) variance, one is off by at most the root of (m - 1)/m times that: what the others are off adds up to as much.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from scoreproof_verify.arrays import Ints, np
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.constraints import Demands, Limit, root_above
from scoreproof_verify.texts import require

_MOST_LIMITS = 300_000
_MOST_POINTS = 5_000_000  # of all groups together
_COUNTED = {"sens": "p", "fnr": "p", "spec": "n", "fpr": "n", "acc": "all", "err": "all"}
_WRONG = ("fnr", "fpr", "err")
_EVERY = (Fraction(0), Fraction(1))


def limited(demands: Demands) -> Demands:
    """The demands with what follows from them for every single set."""
    require(demands.flat, "the sets are not averaged alike")
    k = len(demands.sets)
    require(len(demands.limits) + k * len(demands.means) <= _MOST_LIMITS, "there are too many ranges of parts")
    more = []
    for claim in demands.means:
        rule = claim.rule
        if rule.least is None or rule.most is None:
            continue
        least, most = Fraction(rule.least), Fraction(rule.most)
        low, high = k * claim.low - (k - 1) * most, k * claim.high - (k - 1) * least
        if claim.name in demands.variances and not demands.means_deviate:
            variance = demands.variances[claim.name][1] * (k if demands.error else 1)
            far = root_above(variance * (k - min(demands.ddof)) * (k - 1) / k)
            low, high = max(low, claim.low - far), min(high, claim.high + far)
        more += [Limit(claim.name, rule, (low, high), index) for index in range(k)]
    return replace(demands, limits=[*demands.limits, *more])


@dataclass(frozen=True, slots=True)
class _Block:
    """Points of some class counts: tp, tn and their sum, each from its first to its last number."""

    p: int
    n: int
    tp: tuple[int, int]
    tn: tuple[int, int]
    right: tuple[int, int]

    @property
    def lines(self) -> int:
        """How many tp there are."""
        return max(0, self.tp[1] - self.tp[0] + 1)

    def along(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """p, n, every tp with the first tn that goes with it, and how many do."""
        tp = np.arange(self.tp[0], self.tp[0] + self.lines)
        first = np.maximum(self.tn[0], self.right[0] - tp)
        last = np.minimum(self.tn[1], self.right[1] - tp)
        return np.full(len(tp), self.p), np.full(len(tp), self.n), tp, first, np.maximum(last - first + 1, 0)


@dataclass(frozen=True, slots=True)
class Lines:
    """Points of a set: for class counts and a tp, so many tn from the first on."""

    p: Ints
    n: Ints
    tp: Ints
    first: Ints
    many: Ints

    @property
    def count(self) -> int:
        return int(self.many.sum())

    def points(self) -> tuple[Ints, Ints, Ints, Ints]:
        """(p, n, tp, tn) of all of them, in order."""
        p, n, tp, first = (np.repeat(x, self.many) for x in (self.p, self.n, self.tp, self.first))
        place = np.arange(len(tp)) - np.repeat(np.cumsum(self.many) - self.many, self.many)
        return p, n, tp, first + place


class Points:
    """The points that the limits of sets alone on their shares of right answers leave."""

    def __init__(self, demands: Demands, patience: Patience) -> None:
        self._demands, self._patience = demands, patience
        self._shares: dict[tuple[int, str], tuple[Fraction, Fraction]] = {}  # by set and the cases they are of
        for limit in demands.limits:
            if isinstance(limit.part, int) and limit.name in _COUNTED:
                low, high = (_EVERY[side] if end is None else end for side, end in enumerate(limit.ends))
                if limit.name in _WRONG:
                    low, high = 1 - high, 1 - low
                key = limit.part, _COUNTED[limit.name]
                least, most = self._shares.get(key, _EVERY)
                self._shares[key] = max(least, low), min(most, high)

    def _blocks(self, index: int) -> Iterator[_Block]:
        for p, n in self._demands.class_counts(self._demands.sets[index]):
            self._patience.check()
            tp, tn, right = (self._ends(index, who, cases) for who, cases in (("p", p), ("n", n), ("all", p + n)))
            yield _Block(p, n, tp, tn, right)

    def _ends(self, index: int, who: str, cases: int) -> tuple[int, int]:
        """The fewest and the most right answers among some cases of a set; a share of no cases is not limited."""
        least, most = self._shares.get((index, who), _EVERY)
        return (min(ceil(least * cases), cases + 1), max(floor(most * cases), -1)) if cases else (0, 0)

    def listed(self, groups: list[list[int]]) -> list[Lines]:
        """What one set of each group has; not too many points, nor class counts and tp that they are listed by."""
        points = lines = 0
        found = []
        for members in groups:
            mine: list[tuple[Ints, ...]] = []
            for block in self._blocks(members[0]):
                lines += block.lines + 1
                require(lines <= _MOST_POINTS, "the sets have too many points to list")
                mine.append(block.along())
                points += int(mine[-1][4].sum())
                require(points <= _MOST_POINTS, "the sets have too many points to list")
            nothing = np.zeros(0, dtype=np.int64)
            found.append(Lines(*(np.concatenate([nothing, *(each[k] for each in mine)]) for k in range(5))))
        return found
