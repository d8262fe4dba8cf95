"""The model of a mean of scores over sets that are small enough to list their points.

Rows are sums over all sets; the proof names, for each row, at how many binary digits its values are taken, and they
are rounded outwards here. What follows from them (see ``walk``) compares 64-bit integers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.verdict.verifier.averages import Demands
from scoreproof.verdict.verifier.formulas import Rule
from scoreproof.verdict.verifier.statement import integer, require

Ints = NDArray[np.int64]
_MOST_COLUMNS = 5_000_000


@dataclass(slots=True)
class Group:
    """Sets that are alike, and their possible points."""

    members: list[int]
    p: Ints
    n: Ints
    tp: Ints
    tn: Ints
    keep: NDArray[np.bool_]
    low: list[Ints]
    high: list[Ints]


def _tp(g: Group) -> Ints:
    return g.tp


def _tn(g: Group) -> Ints:
    return g.tn


def _right(g: Group) -> Ints:
    return g.tp + g.tn


class Model:
    """Groups of alike sets, their columns, and the rows with their bounds."""

    def __init__(self, demands: Demands, proof: Any) -> None:
        self.demands = demands
        self.bits = [integer(b, "bits") for b in proof.get("bits", [])]
        require(all(0 <= b <= 60 for b in self.bits), "bits out of range")
        self.groups = [self._group(members) for members in self._partition(proof.get("groups"))]
        self.lows: list[int] = []
        self.highs: list[int] = []
        self.integral: list[bool] = []
        self._build()
        require(len(self.bits) == len(self.lows), "the proof does not name the digits of every row")

    def _partition(self, groups: Any) -> list[list[int]]:
        """Which sets are treated alike: every set once, and only sets that are alike."""
        require(isinstance(groups, list) and all(isinstance(g, list) and g for g in groups), "groups are malformed")
        flat = [integer(k, "a set") for members in groups for k in members]
        require(sorted(flat) == list(range(len(self.demands.sets))), "the groups do not hold every set once")
        for members in groups:
            traits = {self._traits(k) for k in members}
            require(len(traits) == 1, "a group holds sets that are not alike")
        return [list(members) for members in groups]

    def _traits(self, k: int) -> Any:
        alone = frozenset((x.name, x.low, x.high) for x in self.demands.limits if list(x.weights) == [k])
        shared = frozenset(
            (i, x.weights[k]) for i, x in enumerate(self.demands.limits) if k in x.weights and len(x.weights) > 1
        )
        return self.demands.sets[k], alone, shared

    def _group(self, members: list[int]) -> Group:
        one = self.demands.sets[members[0]]
        size = one.p + one.n
        options = [one.p]
        if one.family is not None:
            p, n, _ = self.demands.families[one.family]
            options = list(range(max(0, size - n), min(p, size) + 1))
        require(sum((q + 1) * (size - q + 1) for q in options) <= _MOST_COLUMNS, "a set has too many points to list")
        blocks = []
        for q in options:
            grid = np.indices((q + 1, size - q + 1)).reshape(2, -1).astype(np.int64)
            blocks.append(np.vstack([np.full((1, grid.shape[1]), q, dtype=np.int64), grid]))
        p_, tp, tn = np.hstack(blocks)
        return Group(members, p_, size - p_, tp, tn, np.ones(len(tp), dtype=bool), [], [])

    def _floats(self, rule: Rule, group: Group) -> NDArray[np.float64]:
        """Values of a score; NaN for 0/0, infinity for x/0."""
        w, num, den = rule.values(*(x.astype(np.float64) for x in (group.tp, group.tn, group.p, group.n)))
        return np.where((den == 0) & (num == 0), np.nan, np.where(den == 0, np.inf, w))

    def _row(self, low: int, high: int, *, integral: bool = False) -> int:
        self.lows.append(low)
        self.highs.append(high)
        self.integral.append(integral)
        return len(self.lows) - 1

    def _digits(self) -> int:
        require(len(self.lows) < len(self.bits), "the proof does not name the digits of every row")
        return self.bits[len(self.lows)]

    def _outward(self, x: NDArray[np.float64], bits: int, margin: float = 1 / 256) -> tuple[Ints, Ints]:
        scaled = np.ldexp(x, bits)
        require(bool(np.abs(scaled).max(initial=0.0) < 2.0**37), "a row is taken at too many digits")
        return np.floor(scaled - margin).astype(np.int64), np.ceil(scaled + margin).astype(np.int64)

    def _build(self) -> None:
        d = self.demands
        rules = dict(d.order)
        for name, rule in d.order:
            for g in self.groups:
                v = self._floats(rule, g)
                g.keep &= ~np.isinf(v)
                if d.undefined == "exclude":
                    g.keep &= ~np.isnan(v)
                if name in d.minima:
                    g.keep &= self._not_beyond(v, d.minima[name][0], None)
                if name in d.maxima:
                    g.keep &= self._not_beyond(v, None, d.maxima[name][1])
        for limit in d.limits:
            for g in self.groups:
                if g.members[0] in limit.weights or (len(limit.weights) == 1 and set(limit.weights) <= set(g.members)):
                    v = self._floats(limit.rule, g)
                    g.keep &= ~np.isinf(v)
                    if d.undefined != "zero":
                        g.keep &= ~np.isnan(v)
                    if len(limit.weights) == 1:
                        g.keep &= self._not_beyond(v, limit.low, limit.high)
        for claim in d.means:
            self._mean_rows(claim.rule, claim.low, claim.high)
        for name, (low, high) in d.variances.items():
            self._square_row(name, rules[name], low, high)
        for limit in d.limits:
            if len(limit.weights) > 1:
                self._limit_row(limit.rule, limit.low, limit.high, limit.weights)
        if d.attained:
            for name, rule in d.order:
                for spans in (d.minima, d.maxima):
                    if name in spans:
                        self._count_row(partial(self._reaches, rule, spans[name]), self.groups, 1, len(d.sets))
        for number, (p, _, folds) in enumerate(d.families):
            mine = [g for g in self.groups if d.sets[g.members[0]].family == number]
            self._count_row(lambda g: g.p, mine, p, p)
            self._count_row(lambda g: g.p > 0, mine, 2, folds)
            self._count_row(lambda g: g.n > 0, mine, 2, folds)
        for mine in [[g] for g in self.groups] + ([self.groups] if len(self.groups) > 1 else []):
            for count in (_tp, _tn, _right):
                self._count_row(count, mine, 0, sum(len(g.members) * int(count(g).max(initial=0)) for g in mine))

    def _not_beyond(self, v: NDArray[np.float64], low: Fraction | None, high: Fraction | None) -> NDArray[np.bool_]:
        """Columns whose value is not certainly outside (0/0 counts as zero, or is not judged when it is skipped)."""
        value = np.nan_to_num(v, nan=0.0, posinf=0.0)
        bits = 36 - max(0, ceil(float(np.abs(value).max(initial=0.0)))).bit_length()
        bottom, top = self._outward(value, bits)
        good = np.ones(len(v), dtype=bool)
        if low is not None:
            good &= top >= ceil(low * (1 << bits))
        if high is not None:
            good &= bottom <= floor(high * (1 << bits))
        return good | (np.isnan(v) & (self.demands.undefined == "skip"))

    def _reaches(self, rule: Rule, span: tuple[Fraction, Fraction], g: Group) -> NDArray[np.bool_]:
        v = self._floats(rule, g)
        return self._not_beyond(v, *span) & (~np.isnan(v) | (self.demands.undefined == "zero"))

    def _mean_rows(self, rule: Rule, low: Fraction, high: Fraction) -> None:
        common = lcm(*(s.weight.denominator for s in self.demands.sets))
        weight = [int(self.demands.sets[g.members[0]].weight * common) for g in self.groups]
        total = sum(w * len(g.members) for w, g in zip(weight, self.groups, strict=True))
        values = [self._floats(rule, g) for g in self.groups]
        bits = self._digits()
        if self.demands.undefined != "skip" or not any(
            np.isnan(v[g.keep]).any() for v, g in zip(values, self.groups, strict=True)
        ):
            for g, v, w in zip(self.groups, values, weight, strict=True):
                bottom, top = self._outward(np.nan_to_num(v, nan=0.0, posinf=0.0) * w, bits)
                g.low.append(bottom)
                g.high.append(top)
            self._row(ceil(low * total * (1 << bits)), floor(high * total * (1 << bits)))
            return
        far = total << 37
        for end, bounds in ((low, (0, far)), (high, (-far, 0))):
            bits = self._digits()
            for g, v, w in zip(self.groups, values, weight, strict=True):
                here = ~np.isnan(v)
                bottom, top = self._outward(
                    np.where(here, (np.nan_to_num(v, nan=0.0, posinf=0.0) - float(end)) * w, 0.0), bits, 1 / 16
                )
                g.low.append(np.where(here, bottom, 0))
                g.high.append(np.where(here, top, 0))
            self._row(*bounds)
        self._count_row(lambda g: ~np.isnan(self._floats(rule, g)), self.groups, 1, len(self.demands.sets))

    def _square_row(self, name: str, rule: Rule, low: Fraction, high: Fraction) -> None:
        d = self.demands
        bits = self._digits()
        centre = d.centres[name]
        largest = abs(float(centre))
        for g in self.groups:
            value = np.nan_to_num(self._floats(rule, g), nan=0.0, posinf=0.0)
            largest = max(largest, float(np.abs(value).max(initial=0.0)))
            bottom, top = self._outward((value - float(centre)) ** 2, bits, 1 / 16)
            g.low.append(bottom)
            g.high.append(top)
        require((largest + 1) ** 2 * 2.0**bits <= 2.0**40, "squares are taken at too many digits")
        claim = next(c for c in d.means if c.name == name)
        off = max(abs(claim.low - centre), abs(claim.high - centre))
        k = len(d.sets)
        divisors = [k - ddof for ddof in d.ddof if k > ddof]
        require(len(divisors) > 0, "a deviation needs more sets")
        self._row(ceil(min(divisors) * low * (1 << bits)), floor((max(divisors) * high + k * off * off) * (1 << bits)))

    def _limit_row(self, rule: Rule, low: Fraction | None, high: Fraction | None, weights: dict[int, Fraction]) -> None:
        common = lcm(*(w.denominator for w in weights.values()))
        bits = self._digits()
        total = 0
        for g in self.groups:
            w = int(weights.get(g.members[0], Fraction(0)) * common)
            total += w * len(g.members)
            bottom, top = self._outward(np.nan_to_num(self._floats(rule, g), nan=0.0, posinf=0.0) * w, bits)
            g.low.append(bottom if w else np.zeros_like(bottom))
            g.high.append(top if w else np.zeros_like(top))
        far = total << 37
        whole = int(sum(weights.values()) * common)
        self._row(
            -far if low is None else ceil(low * whole * (1 << bits)),
            far if high is None else floor(high * whole * (1 << bits)),
        )

    def _count_row(self, count: Any, mine: list[Group], low: int, high: int) -> None:
        bits = self._digits()
        for g in self.groups:
            value = (
                np.asarray(count(g), dtype=np.int64)
                if any(g is x for x in mine)
                else np.zeros(len(g.tp), dtype=np.int64)
            )
            require(int(value.max(initial=0)) << bits < 1 << 37, "a total is taken at too many digits")
            g.low.append(value << bits)
            g.high.append(value << bits)
        self._row(low << bits, high << bits, integral=True)
