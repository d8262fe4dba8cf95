"""Replay a proof about a mean of scores over sets that are small enough to list their points.

Rows are sums over all sets; the proof names, for each row, at how many binary digits its values are taken, and they
are rounded outwards here. Dropping columns, dividing and trying every combination then compare 64-bit integers,
guarded against overflow; matches of the last kind are judged with fractions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.verdict.verifier.averages import Demands, Matrix
from scoreproof.verdict.verifier.formulas import ROOT, THRESHOLD, Rule
from scoreproof.verdict.verifier.statement import integer, require

Ints = NDArray[np.int64]
_MOST_COLUMNS = 5_000_000
_MOST_COMBINATIONS = 60_000
_MOST_MATCHES = 20_000


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


Part = tuple[int, Ints, int]  # group, columns, how many sets
Node = tuple[list[Part], list[int], list[int]]  # parts, lower bounds, upper bounds


def _tp(g: Group) -> Ints:
    return g.tp


def _tn(g: Group) -> Ints:
    return g.tn


def _right(g: Group) -> Ints:
    return g.tp + g.tn


class Replay:
    """The model of a statement, and the walk through its proof."""

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
        """Values of a score; NaN for 0/0, infinity for x/0. Relative error below 2**-49 where finite."""
        num, den = rule.ratio(*(x.astype(np.float64) for x in (group.tp, group.tn, group.p, group.n)))
        num, den = np.broadcast_arrays(np.asarray(num, dtype=np.float64), np.asarray(den, dtype=np.float64))
        with np.errstate(all="ignore"):
            w = num / den
            if rule.link == ROOT:
                w = np.sign(w) * np.sqrt(np.abs(w))
            elif rule.link == THRESHOLD:
                w = np.sqrt(w) / (np.sqrt(w) + np.sqrt(1 - w))
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

    def run(self, steps: Any) -> int:
        """Walk through the proof; the number of nodes. Raises ``Rejected`` at the first flaw."""
        require(isinstance(steps, list), "the proof is not a list of steps")
        tables = [(np.array(g.low)[:, g.keep], np.array(g.high)[:, g.keep]) for g in self.groups]
        parts: list[Part] = [(k, np.arange(tables[k][0].shape[1]), len(g.members)) for k, g in enumerate(self.groups)]
        stack: list[Node] = [(parts, self.lows, self.highs)]
        at = nodes = 0
        while stack:
            node = stack.pop()
            nodes += 1
            while all(len(columns) for _, columns, _ in node[0]):
                require(at < len(steps), "the proof ends before every case is closed")
                step = steps[at]
                at += 1
                require(isinstance(step, list) and len(step) > 0, f"step {at} is malformed")
                if step[0] == "filter":
                    kept = self._filter(tables, node, step)
                    if kept is None:
                        break
                    node = kept
                elif step[0] == "all":
                    self._try_all(tables, node)
                    break
                elif step[0] == "total":
                    stack += self._by_total(node, step)[::-1]
                    break
                else:
                    require(step[0] == "split" and len(step) == 4, f"step {at} is malformed")
                    stack += self._split(node, step)[::-1]
                    break
        require(at == len(steps), "the proof has steps left over")
        return nodes

    def _filter(self, tables: list[tuple[Ints, Ints]], node: Node, step: list[Any]) -> Node | None:
        parts, lows, highs = node
        require(len(step) == 2 and isinstance(step[1], list) and len(step[1]) == len(lows), "multipliers are malformed")
        y = [integer(v, "a multiplier") for v in step[1]]
        require(sum(map(abs, y)) < 1 << 25, "multipliers are too large for 64 bits")
        slack = -sum(v * (lows[r] if v > 0 else highs[r]) for r, v in enumerate(y) if v)
        heights = []
        for group, columns, count in parts:
            low, high = tables[group]
            height = np.zeros(len(columns), dtype=np.int64)
            for r, v in enumerate(y):
                if v:
                    height += v * (high if v > 0 else low)[r][columns]
            slack += count * int(height.max())
            heights.append(height)
        if slack < 0:
            return None
        kept = [
            (group, columns[height >= int(height.max()) - slack], count)
            for (group, columns, count), height in zip(parts, heights, strict=True)
        ]
        return kept, lows, highs

    def _by_total(self, node: Node, step: list[Any]) -> list[Node]:
        parts, lows, highs = node
        require(len(step) == 3, "a step is malformed")
        row, b = integer(step[1], "a row"), integer(step[2], "a total")
        require(0 <= row < len(lows) and self.integral[row], "a step divides on a row that is no integer total")
        below, above = list(highs), list(lows)
        below[row] = min(below[row], b << self.bits[row])
        above[row] = max(above[row], (b + 1) << self.bits[row])
        return [(parts, lows, below), (parts, above, highs)]

    def _split(self, node: Node, step: list[Any]) -> list[Node]:
        parts, lows, highs = node
        position, axis, value = integer(step[1], "a part"), step[2], integer(step[3], "a value")
        require(0 <= position < len(parts) and axis in ("tp", "tn", "p"), "a split is malformed")
        group, columns, count = parts[position]
        g = self.groups[group]
        along = {"tp": g.tp, "tn": g.tn, "p": g.p}[axis][g.keep][columns]
        children = []
        for j in range(count + 1):
            pieces = [
                (group, c, k) for c, k in ((columns[along <= value], j), (columns[along > value], count - j)) if k
            ]
            if all(len(c) for _, c, _ in pieces):
                children.append((parts[:position] + pieces + parts[position + 1 :], lows, highs))
        return children

    def _try_all(self, tables: list[tuple[Ints, Ints]], node: Node) -> None:
        """Try every combination of a node: none may fit."""
        parts, lows, highs = node
        order = sorted((k for k, part in enumerate(parts) for _ in range(part[2])), key=lambda k: -len(parts[k][1]))
        halves: tuple[list[int], list[int]] = ([], [])
        sizes = [1, 1]
        for k in order:
            side = int(sizes[0] > sizes[1])
            halves[side].append(k)
            sizes[side] *= len(parts[k][1])
        require(max(sizes) <= _MOST_COMBINATIONS, "a node has too many combinations to try")
        require(len(order) < 1 << 20, "a node has too many sets")

        def sums(half: list[int], which: int) -> Ints:
            total = np.zeros((1, len(lows)), dtype=np.int64)
            for k in half:
                values = tables[parts[k][0]][which][:, parts[k][1]].T
                total = (total[:, None] + values[None]).reshape(-1, len(lows))
            return total

        a_low, a_high, b_low, b_high = sums(halves[0], 0), sums(halves[0], 1), sums(halves[1], 0), sums(halves[1], 1)
        least, most = [
            np.array([min(max(v, -(1 << 62)), 1 << 62) for v in bound], dtype=np.int64) for bound in (lows, highs)
        ]
        spread = np.array([int(v) for v in b_high.max(axis=0) - b_low.min(axis=0)], dtype=np.float64)
        key = int(np.argmin((most - least).astype(np.float64) / np.maximum(spread, 1.0)))
        rank = np.argsort(b_low[:, key], kind="stable")
        b_low, b_high = b_low[rank], b_high[rank]
        pad = int((b_high - b_low)[:, key].max(initial=0))
        start = np.searchsorted(b_low[:, key], least[key] - a_high[:, key] - pad, "left")
        stop = np.searchsorted(b_low[:, key], most[key] - a_low[:, key], "right")
        judged = 0
        for i in np.flatnonzero(stop > start):
            low, high = b_low[start[i] : stop[i]] + a_low[i], b_high[start[i] : stop[i]] + a_high[i]
            for j in np.flatnonzero(((low <= most) & (high >= least)).all(axis=1)):
                judged += 1
                require(judged <= _MOST_MATCHES, "a node has too many near matches")
                chosen = self._decode(parts, halves[0], int(i)) + self._decode(
                    parts, halves[1], int(rank[start[i] + j])
                )
                require(
                    self.demands.judge(self._matrices(chosen)) is False,
                    "a combination that was excluded fits the report",
                )

    def _decode(self, parts: list[Part], half: list[int], index: int) -> list[tuple[int, int]]:
        chosen = []
        for k in reversed(half):
            group, columns, _ = parts[k]
            index, at = divmod(index, len(columns))
            chosen.append((group, int(columns[at])))
        return chosen

    def _matrices(self, chosen: list[tuple[int, int]]) -> list[Matrix]:
        found: dict[int, Matrix] = {}
        free = [list(g.members) for g in self.groups]
        for group, column in chosen:
            g = self.groups[group]
            point = tuple(int(x[g.keep][column]) for x in (g.p, g.n, g.tp, g.tn))
            found[free[group].pop()] = (point[0], point[1], point[2], point[3])
        return [found[k] for k in sorted(found)]
