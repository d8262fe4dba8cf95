"""The points of sets that limits of their own on shares of right answers leave, listed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from scoreproof_verify.arrays import Ints, np
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.constraints import Demands
from scoreproof_verify.texts import require

_MOST_POINTS = 5_000_000  # of all groups together
_COUNTED = {"sens": "p", "fnr": "p", "spec": "n", "fpr": "n", "acc": "all", "err": "all"}
_WRONG = ("fnr", "fpr", "err")
_EVERY = (Fraction(0), Fraction(1))


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


def listed(demands: Demands, groups: list[list[int]], patience: Patience) -> list[Lines]:
    """The points that limits of its own on its shares of right answers leave to one set of each group.

    Not too many points, nor class counts and tp that they are listed by.
    """
    shares = _shares(demands)
    points = lines = 0
    found = []
    for members in groups:
        blocks: list[tuple[Ints, ...]] = []
        for p, n in demands.class_counts(demands.sets[members[0]]):
            patience.check()
            tp, tn, right = (
                _ends(shares.get((members[0], who), _EVERY), cases)
                for who, cases in (("p", p), ("n", n), ("all", p + n))
            )
            lines += max(0, tp[1] - tp[0] + 1) + 1
            require(lines <= _MOST_POINTS, "the sets have too many points to list")
            along = np.arange(tp[0], tp[1] + 1)
            first, last = np.maximum(tn[0], right[0] - along), np.minimum(tn[1], right[1] - along)
            many = np.maximum(last - first + 1, 0)
            blocks.append((np.full(len(along), p), np.full(len(along), n), along, first, many))
            points += int(many.sum())
            require(points <= _MOST_POINTS, "the sets have too many points to list")
        nothing = np.zeros(0, dtype=np.int64)
        found.append(Lines(*(np.concatenate([nothing, *(block[k] for block in blocks)]) for k in range(5))))
    return found


def _shares(demands: Demands) -> dict[tuple[int, str], tuple[Fraction, Fraction]]:
    """What limits leave of the share of right answers, by set and by the cases it is a share of."""
    shares: dict[tuple[int, str], tuple[Fraction, Fraction]] = {}
    for limit in demands.limits:
        if isinstance(limit.part, int) and limit.name in _COUNTED:
            low, high = (_EVERY[side] if end is None else end for side, end in enumerate(limit.ends))
            if limit.name in _WRONG:
                low, high = 1 - high, 1 - low
            key = limit.part, _COUNTED[limit.name]
            least, most = shares.get(key, _EVERY)
            shares[key] = max(least, low), min(most, high)
    return shares


def _ends(share: tuple[Fraction, Fraction], cases: int) -> tuple[int, int]:
    """The fewest and the most right answers among some cases; a share of no cases is not limited."""
    return (min(ceil(share[0] * cases), cases + 1), max(floor(share[1] * cases), -1)) if cases else (0, 0)
