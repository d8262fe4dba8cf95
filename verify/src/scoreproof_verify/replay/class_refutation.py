"""How a part of the counts of all classes is refuted: by a bound for every class, or by a list.

A step gives a bound for every class; together they are below what the rows demand. Blocks of q that stay below it are
done, others are halved, down to a single q. Or the choices of counts of two halves of the classes meet where all q add
up, scores as multiples of 2^-40 rounded outwards; what comes near is scored exactly.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any, NamedTuple

from scoreproof_verify.arrays import np
from scoreproof_verify.documents import integer, list_of
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.branching import Table, halved, matches
from scoreproof_verify.replay.class_parts import Group, Inequality, Ranges, wanted_in
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, gives, ratio, slopes
from scoreproof_verify.replay.class_rows import Rows
from scoreproof_verify.texts import require

_FINER = 1 << 24
_MOST_BLOCKS = 4_000_000


class Bounds:
    """Checks bounds step after step, with a limit on all the work together."""

    def __init__(self, stated: Stated, groups: list[Group], patience: Patience) -> None:
        self.stated, self.groups, self.patience = stated, groups, patience
        self.left = _MOST_BLOCKS

    def refute(self, part: Ranges, step: list[Any]) -> None:
        """``Rejected`` unless no counts of the part meet the demand of the step."""
        require(len(step) == 3 and isinstance(step[2], list), "a step is malformed")
        demand = Rows(self.stated, self.groups, part).demand(step[1])
        wanted = list_of(step[2], len(self.groups), len(self.groups), "there is not one bound for each class")
        bounds = [integer(bound, "a bound") for bound in wanted]
        require(sum(bounds) < demand.needed, "the bounds leave room for what is demanded")
        for at, bound in enumerate(bounds):
            Cell(self, part, demand, at).stays_below(bound)


class Term(NamedTuple):
    """A weighted score of a class: its numerator and denominator, and the most that it counts as if it is left out."""

    weight: int
    num: tuple[int, int, int]
    den: tuple[int, int, int]
    left_out: int


class Cell:
    """One class: its counts, and what it adds to the sum, in whole numbers."""

    def __init__(self, bounds: Bounds, part: Ranges, demand: Rows, at: int) -> None:
        self.bounds = bounds
        group = bounds.groups[at]
        self.box = part["q", at], part["tp", at]
        self.wanted: list[Inequality] = wanted_in(bounds.stated, group, part)
        linear, scores = demand.linear[at], demand.scores[at]
        self.unit = lcm(*(x.denominator for x in linear), *(w.denominator for w in scores.values())) * _FINER
        self.a, self.b, self.c = (int(x * self.unit) for x in linear)
        undefined = bounds.stated.undefined
        self.terms = []
        for (name, left_out), w in scores.items():
            if w:
                free = undefined in ("any", "skip") and beta_squared(name) is not None
                counts = ceil(w * self.unit * left_out) if free else 0
                self.terms.append(Term(int(w * self.unit), *slopes(name, group.n, group.size), counts))
        self.curved = any(term.den[0] for term in self.terms)
        self.least, self.most = int(undefined == "one"), int(undefined != "zero")

    def stays_below(self, bound: int) -> None:
        """``Rejected`` unless the sum is at most the bound for all counts of the class."""
        top = bound * self.unit
        (q0, q1), (t0, t1) = self.box
        waiting = [(q0, q1, t0, t1)]
        while waiting:
            q0, q1, t0, t1 = waiting.pop()
            self.bounds.left -= 1
            require(self.bounds.left >= 0, "there are too many blocks to look at")
            if self.bounds.left % 512 == 0:
                self.bounds.patience.check()
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
            for k, rest in enumerate((max(at), *at)):
                if a > 0:
                    lows[k] = max(lows[k], -(rest // a))
                elif a < 0:
                    highs[k] = min(highs[k], rest // -a)
                elif k == 0 and rest < 0:
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
        return most + sum(self._largest_term(term, q0, q1, t0, t1) for term in self.terms)

    def _largest_term(self, term: Term, q0: int, q1: int, t0: int, t1: int) -> int:
        """A ratio of linear functions is largest and smallest at corners, as long as its denominator is positive."""
        weight, (a, b, c), (d, e, f), left_out = term
        values = [left_out] if t0 == 0 and weight > 0 else []
        for tp in (t0,) if t0 == t1 else (t0, t1):
            for q in (q0,) if q0 == q1 else (q0, q1):
                num, den = a * tp + b * q + c, d * tp + e * q + f
                if den <= 0:
                    if q0 == q1 and t0 == t1:  # a 0/0
                        return weight * (self.most if weight > 0 else self.least)
                    return max(weight, 0)  # every score is from 0 to 1
                values.append(-(-weight * min(max(num, 0), den) // den))
        return max(values)


_FINE = 1 << 40
_MOST_HALF = 200_000
_MOST_NEAR = 300_000
_MOST_CASES = 10**6

Points = list[tuple[int, int]]


class Lists:
    """Lists part after part, with a limit on all the work together."""

    def __init__(self, stated: Stated, groups: list[Group], patience: Patience) -> None:
        self.stated, self.groups, self.patience = stated, groups, patience
        self.near = _MOST_NEAR
        self.entries = [entry for entry in stated.entries if stated.is_mean(entry)]

    def refute(self, part: Ranges, step: list[Any]) -> None:
        """``Rejected`` unless no counts of the part give the report."""
        require(len(self.stated.counts) == 1, "counts of several sets are not listed")
        require(self.groups[0].size <= _MOST_CASES, "there are too many cases to list counts")
        points = [self._points(part, at) for at in range(len(self.groups))]
        if not all(points):
            return
        parts = [(at, np.arange(len(own)), 1) for at, own in enumerate(points)]
        halves = halved(parts, _MOST_HALF, "there are too many counts to list")
        tables: list[Table] = []
        for group, own in zip(self.groups, points, strict=True):
            self.patience.check()
            sides = [np.array(side) for side in zip(*(self._row(group, tp, q) for tp, q in own), strict=True)]
            tables.append((sides[::2], sides[1::2]))
        q = (self.groups[0].size,) * 2 if self.stated.exclusive else (0, _MOST_CASES * len(points))
        spans = [q, part["right", 0]]
        spans += [(floor(_FINE * entry.low), ceil(_FINE * entry.high)) for entry in self.entries]
        least, most = map(list, zip(*spans, strict=True))
        for choice in matches(tables, parts, halves, list(range(len(spans))), least, most, self.patience):
            self.near -= 1
            require(self.near >= 0, "there are too many choices to score")
            counts = [points[at][column] for at, column in sorted(choice)]
            require(not self._fits(counts), "there are counts that give the report")

    def _points(self, part: Ranges, at: int) -> Points:
        (t0, t1), (q0, q1) = part["tp", at], part["q", at]
        wanted = wanted_in(self.stated, self.groups[at], part)
        require(q1 - q0 <= _MOST_HALF, "there are too many counts to list")
        listed: Points = []
        for q in range(q0, q1 + 1):
            low, high = t0, t1
            for a, b, c in wanted:
                rest = b * q + c
                if a > 0:
                    low = max(low, -(rest // a))
                elif a < 0:
                    high = min(high, rest // -a)
                elif rest < 0:
                    high = low - 1
            require(len(listed) + high - low < _MOST_HALF, "there are too many counts to list")
            listed += [(tp, q) for tp in range(low, high + 1)]
        return listed

    def _row(self, group: Group, tp: int, q: int) -> list[int]:
        row = [q, q, tp, tp]
        for entry in self.entries:
            weight = self.stated.weight(entry, group.number, group.place)
            low, high = self._counted(entry, group, tp, q)
            row += [floor(_FINE * weight * low), ceil(_FINE * weight * high)]
        return row

    def _counted(self, entry: Entry, group: Group, tp: int, q: int) -> tuple[Fraction, Fraction]:
        """What a score may count as in a mean; what is left out counts as the mean."""
        undefined = self.stated.undefined
        above, below = ratio(entry.score, tp, q, group.n, group.size)
        if below == 0:
            return Fraction(int(undefined == "one")), Fraction(int(undefined != "zero"))
        value = Fraction(above, below)
        if tp == 0 and undefined in ("any", "skip") and beta_squared(entry.score) is not None:
            return value, max(value, min(Fraction(1), entry.high))
        return value, value

    def _fits(self, counts: Points) -> bool:
        if self.stated.exclusive:
            wrong = self.groups[0].size - sum(tp for tp, _ in counts)
            for group, (tp, q) in zip(self.groups, counts, strict=True):
                if group.n - tp + q - tp > wrong:
                    return False
        return gives(self.stated, [counts])
