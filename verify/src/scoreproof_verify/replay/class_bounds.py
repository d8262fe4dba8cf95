"""That a sum over all classes cannot be as large as rows demand: a bound for every class, checked over all its counts.

A step gives a whole number for every class; together they are below what the rows demand. For every class the counts
are looked at in blocks of q: where even the largest parts together stay below the number, the block is done, else it is
halved, down to a single q. For one q the sum is linear in tp, so that the ends of the interval of tp say all, and of a
block only the two strips along these ends are looked at (for the Jaccard index, which is not linear, all of it, and
intervals of tp are halved, too).
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.class_parts import Group, Inequality, Part, wanted_in
from scoreproof_verify.replay.class_report import Stated, beta_squared, slopes
from scoreproof_verify.replay.class_rows import Rows
from scoreproof_verify.texts import integer, require

_FINER = 1 << 24
_MOST_BLOCKS = 4_000_000


class Bounds:
    """Checks bounds step after step, with a limit on all the work together."""

    def __init__(self, stated: Stated, groups: list[Group], patience: Patience) -> None:
        self.stated, self.groups, self.patience = stated, groups, patience
        self.left = _MOST_BLOCKS

    def refute(self, part: Part, step: list[Any]) -> None:
        """``Rejected`` unless no counts of the part meet the demand of the step."""
        require(len(step) == 3 and isinstance(step[2], list), "a step is malformed")
        demand = Rows(self.stated, self.groups, part).demand(step[1])
        require(len(step[2]) == len(self.groups), "there is not one bound for each class")
        bounds = [integer(bound, "a bound") for bound in step[2]]
        require(sum(bounds) < demand.needed, "the bounds leave room for what is demanded")
        for at, bound in enumerate(bounds):
            Cell(self, part, demand, at).stays_below(bound)

    def count(self) -> None:
        self.left -= 1
        require(self.left >= 0, "there are too many blocks to look at")
        if self.left % 512 == 0:
            self.patience.check()


class Term:
    """A weighted score of a class in whole numbers: weight, numerator, denominator, what 0/0 counts as."""

    __slots__ = ("den", "f_score", "left_out", "num", "weight")

    def __init__(self, name: str, weight: int, left_out: Fraction, group: Group) -> None:
        self.weight, self.left_out = weight, left_out
        self.num, self.den = slopes(name, group.n, group.size)
        self.f_score = beta_squared(name) is not None

    def at(self, tp: int, q: int) -> tuple[int, int]:
        """Numerator and denominator."""
        (a, b, c), (d, e, f) = self.num, self.den
        return a * tp + b * q + c, d * tp + e * q + f


class Cell:
    """One class: its counts, and what it adds to the sum, in whole numbers."""

    def __init__(self, bounds: Bounds, part: Part, demand: Rows, at: int) -> None:
        self.bounds = bounds
        group = bounds.groups[at]
        self.box = part.boxes[at]
        self.wanted: list[Inequality] = wanted_in(bounds.stated, group, part)
        linear, scores = demand.linear[at], demand.scores[at]
        self.unit = lcm(*(x.denominator for x in linear), *(w.denominator for w in scores.values())) * _FINER
        self.a, self.b, self.c = (int(x * self.unit) for x in linear)
        self.terms = [Term(name, int(w * self.unit), left_out, group) for (name, left_out), w in scores.items() if w]
        self.curved = any(term.den[0] for term in self.terms)
        undefined = bounds.stated.undefined
        self.least, self.most = int(undefined == "one"), int(undefined != "zero")
        self.leaves_out = undefined in ("any", "skip")

    def stays_below(self, bound: int) -> None:
        """``Rejected`` unless the sum is at most the bound for all counts of the class."""
        top = bound * self.unit
        t0, t1, q0, q1 = self.box
        waiting = [(q0, q1, t0, t1)]
        while waiting:
            q0, q1, t0, t1 = waiting.pop()
            self.bounds.count()
            strips = self._strips(q0, q1, t0, t1)
            if all(self._largest(q0, q1, *strip) <= top for strip in strips):
                continue
            if q0 < q1:
                middle = (q0 + q1) // 2
                waiting += [(q0, middle, t0, t1), (middle + 1, q1, t0, t1)]
                continue
            require(self.curved, "a class can have more than its bound")
            ((t0, t1),) = strips
            require(t0 < t1, "a class can have more than its bound")
            middle = (t0 + t1) // 2
            waiting += [(q0, q0, t0, middle), (q0, q0, middle + 1, t1)]

    def _strips(self, q0: int, q1: int, t0: int, t1: int) -> list[tuple[int, int]]:
        """Where the least and the greatest tp of some q of the block may be; together all that must be looked at."""
        lows, highs = [t0, t0, t0], [t1, t1, t1]  # at least in the block; at its first q; at its last q
        for a, b, c in self.wanted:
            at = (b * q0 + c, b * q1 + c)  # a tp + at >= 0
            if a > 0:
                ends = [-(max(at) // a), -(at[0] // a), -(at[1] // a)]
                lows = [max(x, y) for x, y in zip(lows, ends, strict=True)]
            elif a < 0:
                ends = [max(at) // -a, at[0] // -a, at[1] // -a]
                highs = [min(x, y) for x, y in zip(highs, ends, strict=True)]
            elif max(at) < 0:
                return []
        if lows[0] > highs[0]:
            return []
        if self.curved:
            return [(lows[0], highs[0])]
        # the least tp is the greatest of linear functions of q, so at its greatest at an end of the block
        low = lows[0], min(max(lows[1:]), highs[0])
        high = max(min(highs[1:]), lows[0]), highs[0]
        return [(min(low), max(low))] if q0 == q1 and low == high else [(low[0], max(low)), (min(high), high[1])]

    def _largest(self, q0: int, q1: int, t0: int, t1: int) -> int:
        """At least the largest sum over a block."""
        most = max(self.a * t0, self.a * t1) + max(self.b * q0, self.b * q1) + max(self.c * q0 * q0, self.c * q1 * q1)
        for term in self.terms:
            most += self._largest_term(term, q0, q1, t0, t1)
        return most

    def _largest_term(self, term: Term, q0: int, q1: int, t0: int, t1: int) -> int:
        """A ratio of linear functions is largest and smallest at corners, as long as its denominator is positive."""
        weight = term.weight
        best: int | None = None
        for tp in (t0,) if t0 == t1 else (t0, t1):
            for q in (q0,) if q0 == q1 else (q0, q1):
                num, den = term.at(tp, q)
                if den <= 0:
                    if q0 == q1 and t0 == t1:  # a 0/0
                        return weight * (self.most if weight > 0 else self.least)
                    return max(weight, 0)  # every score is from 0 to 1
                num = min(max(num, 0), den)
                value = -(-weight * num // den)
                best = value if best is None or value > best else best
        assert best is not None
        if t0 == 0 and term.f_score and self.leaves_out and weight > 0:
            best = max(best, -(-weight * term.left_out.numerator // term.left_out.denominator))
        return best
