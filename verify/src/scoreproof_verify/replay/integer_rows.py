"""Replay a proof about linear scores, on totals of alike folds.

The mean of a linear score over c folds of p positives and n negatives depends only on their total tp and tn, from 0 to
c p and c n (or what bounds on every fold leave). Rows are cleared of denominators and of common factors, and bounds
rounded inwards; a combination of rows is a row. What else the statement says is not used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, gcd, lcm, prod
from typing import Any

from scoreproof_verify.documents import Document, integer, list_of
from scoreproof_verify.formulas import LINEAR, Rule
from scoreproof_verify.frame import Left, Patience, walk
from scoreproof_verify.replay.constraints import COUNTED, Demands, Hexagon, Tree, shares
from scoreproof_verify.statement import Ends
from scoreproof_verify.texts import require

Row = tuple[list[int], int, int]
Box = tuple[list[int], list[int], tuple[Row, ...]]  # least and most of the variables, and the planes passed
Raw = tuple[dict[int, Fraction], Fraction | None, Fraction | None]
_MOST_STEPS = 2_000_000
_MOST_CASES = 100_000
_MOST_COEFFICIENTS = 5_000_000  # sets times means, and rows times variables
_MOST_PLANES = 10_000  # on the way to one part
_LONGEST = 1 << 25  # binary digits of the coefficients of a row together


def refute_totals(demands: Demands, proof: Document, patience: Patience) -> int:
    """Raises ``Rejected`` unless the proof refutes every case; the number of boxes excluded."""
    require(all(family.rule == "balanced" for family in demands.families), "the folds are open")
    open_sets = {each for each in demands.sets if each.family is not None}
    counts = {pair for each in open_sets for pair in demands.class_counts(each)}
    linear = [
        (name, rule)
        for name, rule in demands.scores()
        if rule.border == LINEAR and all(rule.ratio(0, 0, p, n)[1] > 0 for p, n in counts)
    ]
    require(len(linear) > 0, "no linear score is reported")
    expected = _treatments(demands, linear)
    cases = proof.list_of("cases", len(expected), len(expected), "the proof does not treat every case")
    for case, treatment in zip(cases, expected, strict=True):
        formed = isinstance(case, Mapping) and set(case) == {"treatments", "bits", "steps"}
        require(formed, "a case of the proof is malformed")
        require(case["treatments"] == treatment, "a case of the proof is another than the statement has")
    return sum(
        _Case(demands, dict(linear), case["treatments"], case["bits"]).run(case["steps"], patience) for case in cases
    )


@dataclass(frozen=True, slots=True)
class _Kind:
    """Alike folds: count + slope * (the overlap of their family)."""

    p: int
    n: int
    first: int  # a set of this kind
    count: int
    bounds: Hexagon
    others: tuple[tuple[str, Ends], ...]
    slope: int = 0
    family: int | None = None


class _Case:
    """Variables 2 t and 2 t + 1 are the total tp and tn of kind t, in the order in which kinds first occur; then the
    overlap of each family."""

    def __init__(self, demands: Demands, rules: dict[str, Rule], way: dict[str, str], bits: Any) -> None:
        require(bits is None or 0 < integer(bits, "bits") <= 4096, "bits out of range")
        self.demands, self.rules, self.way = demands, rules, way
        self.left_out = {
            name: _lacking(demands, rule) if way.get(name) == "skip" else frozenset() for name, rule in rules.items()
        }
        means = self._means()
        self.kinds = self._kinds([weights for _, _, weights in means])
        self.families = sorted({kind.family for kind in self.kinds if kind.family is not None})
        spans = [span for kind in self.kinds for span in self._totals(kind)] + [*map(self._overlap, self.families)]
        self.low, self.high = [low for low, _ in spans], [high for _, high in spans]
        self.rows = [self._whole(self._mean(*mean), bits) for mean in means]
        for at, kind in enumerate(self.kinds):
            self.rows += [self._whole(raw, None) for raw in self._each_fold(at, kind)]
            require(len(self.rows) * len(self.low) <= _MOST_COEFFICIENTS, "there are too many rows of totals")

    def _means(self) -> list[tuple[str, Ends, dict[int, Fraction]]]:
        """What is said of means over several sets, with what each of them weighs."""
        d = self.demands
        asked: list[tuple[str, Ends, Tree]] = [(claim.name, (claim.low, claim.high), d.tree) for claim in d.means]
        asked += [(limit.name, limit.ends, limit.part) for limit in d.part_limits()]
        asked = [entry for entry in asked if entry[0] in self.rules]
        require(len(asked) * len(d.sets) <= _MOST_COEFFICIENTS, "there are too many means of sets")
        means = [(name, ends, shares(part, self.left_out[name])) for name, ends, part in asked]
        return [mean for mean in means if mean[2]]

    def _totals(self, kind: _Kind) -> list[tuple[int, int]]:
        """Between what the total tp and the total tn of a kind lie."""
        folds = [kind.count + kind.slope * end for end in self._overlap(kind.family)]
        each = [kind.bounds.bounds[what] for what in ("tp", "tn")]
        return [(min(f * a for f in folds), max(f * b for f in folds)) for a, b in each]

    def _overlap(self, family: int | None) -> tuple[int, int]:
        if family is None:
            return 0, 0
        whole = self.demands.families[family]
        more, extra = whole.p % whole.folds, whole.n % whole.folds
        return max(0, more + extra - whole.folds), min(more, extra)

    def _kinds(self, weights: list[dict[int, Fraction]]) -> list[_Kind]:
        d = self.demands
        bounds: dict[int, dict[str, Ends]] = {}  # what is said of single sets: ranges, and extremes over sets
        for k, of_set in d.set_limits().items():
            for limit in of_set:
                if limit.name in self.rules and k not in self.left_out[limit.name]:
                    known = bounds.setdefault(k, {})
                    ends = zip(known.get(limit.name, (None, None)), limit.ends, strict=True)
                    lows, highs = ([end for end in side if end is not None] for side in ends)
                    known[limit.name] = max(lows, default=None), min(highs, default=None)
        alike: dict[Any, list[int]] = {}
        for k, each in enumerate(d.sets):
            own = tuple(d.hexagons[k].bounds.values()) if k in d.hexagons else None
            limits = tuple(sorted(bounds.get(k, {}).items()))
            share = tuple(inside[k].as_integer_ratio() if k in inside else None for inside in weights)
            key = (each.p, each.n, each.family, limits, own, share)
            alike.setdefault(key, []).append(k)
        kinds = []
        for (p, n, family, limits, _, _), members in alike.items():
            others = tuple((name, ends) for name, ends in limits if name not in COUNTED)
            if family is None:
                kinds.append(_Kind(p, n, members[0], len(members), d.hexagon(members[0], p, n, limits), others))
                continue
            whole = d.families[family]
            require(len(members) == whole.folds, "the folds of a data set are not alike")
            more, extra = whole.p % whole.folds, whole.n % whole.folds  # folds with an odd case of a class
            rest = whole.folds - more - extra
            for a, b, count, slope in ((1, 1, 0, 1), (1, 0, more, -1), (0, 1, extra, -1), (0, 0, rest, 1)):
                hexagon = d.hexagon(None, p + a, n + b, limits)
                kinds.append(_Kind(p + a, n + b, members[0], count, hexagon, others, slope, family))
        return kinds

    def _parts(self, name: str, p: int, n: int) -> tuple[int, int, int, int]:
        """A linear score as (base + right tp + up tn) / den; a 0/0 as what it counts as."""
        ratio = self.rules[name].ratio
        (at, den), (right, _), (up, _) = (ratio(tp, tn, p, n) for tp, tn in ((0, 0), (1, 0), (0, 1)))
        if den:
            return at, right - at, up - at, den
        way = self.way.get(name, "zero")
        if way == "present":
            return (0, 1, 0, p) if p else (0, 0, 1, n)
        return int(way == "one"), 0, 0, 1

    def _mean(self, name: str, ends: Ends, weights: dict[int, Fraction]) -> Raw:
        a: dict[int, Fraction] = {}
        base = Fraction(0)
        for t, kind in enumerate(self.kinds):
            if kind.first in weights:
                weight = weights[kind.first]
                at, right, up, den = self._parts(name, kind.p, kind.n)
                over = weight.denominator * den
                for v, factor in ((2 * t, right), (2 * t + 1, up)):
                    if factor:
                        a[v] = Fraction(weight.numerator * factor, over)
                if at:
                    base += Fraction(weight.numerator * kind.count * at, over)
                if at and kind.family is not None:
                    j = 2 * len(self.kinds) + self.families.index(kind.family)
                    a[j] = a.get(j, Fraction(0)) + Fraction(weight.numerator * kind.slope * at, over)
        low, high = ends
        return a, None if low is None else low - base, None if high is None else high - base

    def _each_fold(self, t: int, kind: _Kind) -> list[Raw]:
        (a, b), (c, d), (e, f) = (kind.bounds.bounds[what] for what in ("tp", "tn", "both"))
        wanted: list[tuple[int, int, Any, Any]] = []
        if kind.family is not None:
            wanted += [(1, 0, a, b), (0, 1, c, d)]
        if e > a + c or f < b + d:
            wanted.append((1, 1, e, f))
        for name, (low, high) in kind.others:
            at, den = self.rules[name].ratio(0, 0, kind.p, kind.n)
            if den:
                _, right, up, _ = self._parts(name, kind.p, kind.n)
                wanted.append(
                    (right, up, None if low is None else low * den - at, None if high is None else high * den - at)
                )
        rows: list[Raw] = []
        for right, up, low, high in wanted:
            for end, is_low in ((low, True), (high, False)):
                if end is not None:
                    row = {2 * t: Fraction(right), 2 * t + 1: Fraction(up)}
                    if kind.family is not None:
                        row[2 * len(self.kinds) + self.families.index(kind.family)] = -Fraction(end) * kind.slope
                    side = Fraction(end) * kind.count
                    rows.append((row, side, None) if is_low else (row, None, side))
        return rows

    def _whole(self, raw: Raw, bits: int | None) -> Row:
        sparse, low, high = raw
        if bits is None:
            clear = 1
            for below in {x.denominator for x in sparse.values()}:
                clear = lcm(clear, below)
                require(clear.bit_length() * len(sparse) <= _LONGEST, "the coefficients of a row are too long")
            loss, some = 0, {k: int(x * clear) for k, x in sparse.items()}
        else:
            # rounded down, a coefficient loses less than one unit, and no variable is above its most
            clear, loss = 1 << bits, sum(self.high)
            some = {k: (x.numerator << bits) // x.denominator for k, x in sparse.items()}
        whole = [0] * len(self.low)
        for k, f in some.items():
            whole[k] = f
        least, most = _ends(whole, self.low, self.high)
        bottom = least if low is None else ceil(low * clear) - loss
        top = most if high is None else floor(high * clear)
        return (whole, bottom, top) if bits is not None else _tidy(whole, bottom, top)

    def combined(self, multipliers: Any, planes: tuple[Row, ...]) -> Row:
        count = len(self.rows) + len(planes)
        y = [integer(v, "a multiplier") for v in list_of(multipliers, count, count, "multipliers are malformed")]
        used = [(f, row) for f, row in zip(y, (*self.rows, *planes), strict=True) if f]
        a = [sum(f * row[0][k] for f, row in used) for k in range(len(self.low))]
        low = sum(f * (row[1] if f > 0 else row[2]) for f, row in used)
        high = sum(f * (row[2] if f > 0 else row[1]) for f, row in used)
        return _tidy(a, low, high)

    def fails(self, multipliers: Any, box: Box) -> bool:
        """Whether the combined row cannot hold anywhere in the box."""
        a, low, high = self.combined(multipliers, box[2])
        least, most = _ends(a, box[0], box[1])
        return low > high or least > high or most < low

    def run(self, steps: Any, patience: Patience) -> int:
        crossed = any(a > b for a, b in zip(self.low, self.high, strict=True))
        waiting: list[Box] = [] if crossed else [(self.low, self.high, ())]
        ending = "the proof ends before every case is closed"
        return crossed + walk(waiting, steps, _MOST_STEPS, ending, self._step, patience)

    def _step(self, box: Box, step: Any, number: int) -> Left[Box]:
        require(isinstance(step, list) and len(step) > 1, f"step {number} is malformed")
        if step[0] == "out":
            require(len(step) == 2 and self.fails(step[1], box), f"step {number} does not exclude its box")
            return [], 1
        low, high, planes = box
        if step[0] == "plane":  # two parts by the whole number g . x: at most b, and at least b + 1
            require(len(step) == 3 and isinstance(step[1], list) and len(step[1]) == len(low), "a plane is malformed")
            require(len(planes) < _MOST_PLANES, "there are too many planes")
            g, b = [integer(f, "a plane") for f in step[1]], integer(step[2], "a bound")
            least, most = _ends(g, low, high)
            return [(low, high, (*planes, (g, least, b))), (low, high, (*planes, (g, b + 1, most)))], 0
        require(len(step) == (3 if step[0] == "cut" else 5), f"step {number} is malformed")
        k, b = integer(step[1], "a variable"), integer(step[2 if step[0] == "cut" else 3], "a bound")
        require(0 <= k < len(self.low), f"step {number} names no variable")
        if step[0] == "cut":
            return _divide(box, k, b), 0
        require(step[0] == "trim" and step[2] in ("below", "above"), f"step {number} is malformed")
        below = step[2] == "below"
        parts = _divide(box, k, b - 1 if below else b)
        require(self.fails(step[4], parts[0 if below else 1]), f"step {number} trims what it does not exclude")
        return [parts[1 if below else 0]], 1


def _ends(a: list[int], low: list[int], high: list[int]) -> tuple[int, int]:
    """The least and the most of a sum of variables."""
    least = sum(f * (x if f > 0 else y) for f, x, y in zip(a, low, high, strict=True))
    return least, sum(f * (y if f > 0 else x) for f, x, y in zip(a, low, high, strict=True))


def _divide(box: Box, k: int, b: int) -> list[Box]:
    low, high, planes = box
    require(low[k] <= b < high[k], "a step divides outside its box")
    first, second = list(high), list(low)
    first[k], second[k] = b, b + 1
    return [(low, first, planes), (second, high, planes)]


def _tidy(a: list[int], low: int, high: int) -> Row:
    shared = gcd(*a) or 1
    return [x // shared for x in a], -((-low) // shared), high // shared


def _lacking(demands: Demands, rule: Rule) -> frozenset[int]:
    """The sets without one of the classes where a score is 0/0 on every matrix (degree at most two: three points)."""
    return frozenset(
        k
        for k, fold in enumerate(demands.sets)
        if fold.family is None
        and 0 in (fold.p, fold.n)
        and all(rule.ratio(fold.p * half // 2, fold.n * half // 2, fold.p, fold.n) == (0, 0) for half in range(3))
    )


def _treatments(demands: Demands, scores: list[tuple[str, Rule]]) -> list[dict[str, str]]:
    """Every way to count the 0/0 of scores on sets that lack a class; none if one of them could not be reported."""
    ways: dict[str, list[str]] = {}
    reported = {claim.name for claim in demands.means} | set(demands.minima) | set(demands.maxima)
    for name, rule in scores:
        absent = _lacking(demands, rule)
        if absent:
            vanishes = name in reported and len(absent) == len(demands.sets)
            ways[name] = [way for way in demands.ways(name, rule) if not (vanishes and way == "skip")]
    require(prod(map(len, ways.values())) <= _MOST_CASES, "too many ways to count 0/0")
    return [dict(zip(ways, chosen, strict=True)) for chosen in product(*ways.values())]
