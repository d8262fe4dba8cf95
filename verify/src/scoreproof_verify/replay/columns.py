"""The model of a mean of scores over sets that are small enough to list their points.

A column is a possible point of a set together with a way to count each 0/0 there. Rows are sums over all sets; the
proof names, for each row, at how many binary digits its values are taken, and they are rounded outwards here. What
follows from them (see ``walk``) compares 64-bit integers only.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

from scoreproof_verify.arrays import Flags, Floats, Ints, np
from scoreproof_verify.documents import integer
from scoreproof_verify.formulas import PREDICTIVE_OF_BOTH, Rule, of_one_class
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.constraints import Demands, Tree, members_of, shares
from scoreproof_verify.replay.flattening import root_above
from scoreproof_verify.statement import Ends
from scoreproof_verify.texts import require

_MOST_VALUES = 30_000_000  # columns times rows and scores: 16 bytes each
_MOST_SUMS = 1_000_000  # groups times rows
_MOST_POINTS = 5_000_000  # of all groups together, and as many class counts with a tp

Points = tuple[Ints, Ints, Ints, Ints]  # p, n, tp, tn


@dataclass(slots=True, eq=False)
class Group:
    """Sets that are alike, and their possible columns; of each score its values and where it counts."""

    members: list[int]
    p: Ints
    n: Ints
    tp: Ints
    tn: Ints
    values: dict[str, Floats] = field(default_factory=dict)
    counts: dict[str, Flags] = field(default_factory=dict)
    low: list[Ints] = field(default_factory=list)
    high: list[Ints] = field(default_factory=list)

    def take(self, at: Any) -> None:
        """Go on with some columns, which may repeat."""
        self.p, self.n, self.tp, self.tn = self.p[at], self.n[at], self.tp[at], self.tn[at]
        self.values = {name: x[at] for name, x in self.values.items()}
        self.counts = {name: x[at] for name, x in self.counts.items()}

    def evaluate(self, name: str, rule: Rule, ways: tuple[str, ...]) -> None:
        """The values of a score; a point where it is 0/0 becomes a column for each way to count that."""
        w, num, den = rule.values(*(x.astype(np.float64) for x in (self.tp, self.tn, self.p, self.n)))
        fine, hole = np.flatnonzero(den != 0), np.flatnonzero((den == 0) & (num == 0))
        nothing = (self.tn if rule.harmonic == "tn" else self.tp) == 0
        either = np.flatnonzero(((den == 0) & (num == 0)) | nothing)
        places = [either if way == "harmonic" else hole for way in ways]
        columns = len(fine) + sum(map(len, places))
        require(columns * (len(self.values) + 1) <= _MOST_VALUES, "a set has too many points to list")
        if columns > len(fine) or len(fine) < len(self.tp):
            self.take(np.concatenate([fine, *places]))
        values, counts = [w[fine]], [np.full(len(fine), True)]
        start = len(fine)
        for way, place in zip(ways, places, strict=True):
            here = slice(start, start + len(place))
            start += len(place)
            filler = np.full(len(place), 1.0 if way == "one" else 0.0)
            p, n = self.p[here], self.n[here]
            if name in PREDICTIVE_OF_BOTH and way != "skip":
                top, bottom = of_one_class(name, way, self.tp[here], self.tn[here], p, n)
                filler = top / bottom
            elif way == "present":
                filler = np.where(p > 0, self.tp[here] / np.maximum(p, 1), self.tn[here] / np.maximum(n, 1))
            values.append(filler)
            counts.append(np.full(len(place), way not in ("skip", "harmonic")))
        self.values[name], self.counts[name] = np.concatenate(values), np.concatenate(counts)

    def axis(self, name: Any) -> Ints | None:
        """What a proof may divide columns by."""
        axes: dict[Any, Ints] = {"tp": self.tp, "tn": self.tn, "p": self.p, "n": self.n}
        axes |= {f"counts {score}": counted.astype(np.int64) for score, counted in self.counts.items()}
        return axes.get(name) if isinstance(name, str) else None


def _owners(tree: Tree) -> dict[int, Tree]:
    """The mean that each set is a direct part of."""
    if isinstance(tree, int):
        return {}
    owners: dict[int, Tree] = {part: tree for part in tree if isinstance(part, int)}
    for part in tree:
        owners.update(_owners(part))
    return owners


class Model:
    """Groups of alike sets, their columns, and the rows with their bounds."""

    def __init__(self, demands: Demands, proof: Any, patience: Patience) -> None:
        self.demands, self.patience = demands, patience
        bits = proof.list_of("bits", 0, 100_000, "the proof does not name the digits of its rows")
        self.bits = [integer(b, "bits") for b in bits]
        require(all(0 <= b <= 60 for b in self.bits), "bits out of range")
        self._alone = demands.set_limits()
        partition = self._partition(proof.get("groups"))
        require(len(partition) * len(self.bits) <= _MOST_SUMS, "the proof has too many groups and rows")
        self._listed, self._lines = 0, 0
        self._limits: dict[Tree, list[tuple[str, Ends]]] = {}
        for limit in demands.limits:
            self._limits.setdefault(limit.part, []).append((limit.name, limit.ends))
        points = [self._points(members[0]) for members in partition]
        size = sum(len(tp) for _, _, tp, _ in points) * len(list(demands.scores()))
        require(size <= _MOST_VALUES, "the proof has too many points and rows")
        self.groups = [self._group(members, own) for members, own in zip(partition, points, strict=True)]
        self.lows: list[int] = []
        self.highs: list[int] = []
        self.integral: list[bool] = []
        self.narrow: dict[int, tuple[int, int]] = {}  # what one-sided rows follow from each other, for trying all
        self._build()
        require(len(self.bits) == len(self.lows), "the proof does not name the digits of every row")

    def _partition(self, groups: Any) -> list[list[int]]:
        """Which sets are treated alike: every set once, and only sets that are alike."""
        require(isinstance(groups, list) and all(isinstance(g, list) and g for g in groups), "groups are malformed")
        flat = [integer(k, "a set") for members in groups for k in members]
        require(sorted(flat) == list(range(len(self.demands.sets))), "the groups do not hold every set once")
        shared: dict[int, set[Any]] = {}
        for i, limit in enumerate(self.demands.part_limits()):
            for k, weight in shares(limit.part).items():
                shared.setdefault(k, set()).add((i, weight))
        repeat = {k: r for r, part in enumerate(self.demands.repeats) for k in members_of(part)}
        # in nested means what is left out changes the weight of its neighbours: it matters which part a set is in
        inside = _owners(self.demands.tree) if not self.demands.flat and self.demands.skips else {}
        traits = [
            (
                each,
                inside.get(k),
                repeat.get(k) if self.demands.spread_over == "repeats" else None,
                frozenset((limit.name, limit.ends) for limit in self._alone.get(k, ())),
                frozenset(shared.get(k, ())),
                tuple(self.demands.hexagons[k].bounds.values()) if k in self.demands.hexagons else None,
            )
            for k, each in enumerate(self.demands.sets)
        ]
        for members in groups:
            require(len({traits[k] for k in members}) == 1, "a group holds sets that are not alike")
        return [list(members) for members in groups]

    def _points(self, k: int) -> Points:
        """The points of a set, those beyond limits on their shares of right answers left out, in order."""
        blocks: list[Points] = []
        for p, n in self.demands.class_counts(self.demands.sets[k]):
            self.patience.check()
            (least, most), (low, high), (fewest, greatest) = self.demands.hexagon(
                k, p, n, self._limits.get(k, ())
            ).bounds.values()
            self._lines += max(0, most - least + 1) + 1
            require(self._lines <= _MOST_POINTS, "the sets have too many points to list")
            along = np.arange(least, most + 1)
            first = np.maximum(low, fewest - along)
            many = np.maximum(np.minimum(high, greatest - along) - first + 1, 0)
            number = int(many.sum())
            self._listed += number
            require(self._listed <= _MOST_POINTS, "the sets have too many points to list")
            tn = np.repeat(first - (np.cumsum(many) - many), many) + np.arange(number)
            blocks.append((np.full(number, p), np.full(number, n), np.repeat(along, many), tn))
        p_, n_, tp_, tn_ = (np.concatenate(sides) for sides in zip(*blocks, strict=True))
        return p_, n_, tp_, tn_

    def _group(self, members: list[int], points: Points) -> Group:
        d = self.demands
        group = Group(members, *points)
        for name, rule in d.scores():
            self.patience.check()
            group.evaluate(name, rule, d.ways(name, rule))
            for limit in self._alone.get(members[0], ()):
                if limit.name == name:
                    group.take(self._not_beyond(group, name, *limit.ends))
        return group

    def _row(self, values: list[tuple[Ints, Ints]], low: int, high: int, *, integral: bool = False) -> None:
        """A row: the values of the columns of each group from below and from above, and its bounds."""
        for g, (bottom, top) in zip(self.groups, values, strict=True):
            g.low.append(bottom)
            g.high.append(top)
        self.lows.append(low)
        self.highs.append(high)
        self.integral.append(integral)

    def _digits(self) -> int:
        self.patience.check()
        require(len(self.lows) < len(self.bits), "the proof does not name the digits of every row")
        return self.bits[len(self.lows)]

    def _outward(self, x: Floats, bits: int, margin: float = 1 / 256) -> tuple[Ints, Ints]:
        scaled = x * 2.0**bits
        require(bool(abs(scaled).max(initial=0.0) < 2.0**37), "a row is taken at too many digits")
        return np.floor(scaled - margin).astype(np.int64), np.ceil(scaled + margin).astype(np.int64)

    def _build(self) -> None:
        """Rows in the order that certificates rely on."""
        d = self.demands
        if any(claim.low > claim.high for claim in d.means):
            self.groups[0].take(np.full(0, 0))  # no mean is outside the limits of its parts
        size = sum(len(g.tp) for g in self.groups) * (len(self.bits) + len(list(d.scores())))
        require(size <= _MOST_VALUES, "the proof has too many points and rows")
        every = shares(d.tree)
        for claim in d.means:
            self._average(claim.name, (claim.low, claim.high), every, d.tree, vanishes=False)
        for name in d.variances:
            self._squares(name)
        for limit in d.part_limits():
            self._average(limit.name, limit.ends, shares(limit.part), limit.part, vanishes=True)
        if d.attained and all(isinstance(part, int) for part in d.extreme_parts):
            for name, _ in d.order:
                for spans in (d.minima, d.maxima):
                    if name in spans:
                        reaches = [self._not_beyond(g, name, *spans[name]) & g.counts[name] for g in self.groups]
                        self._count(reaches, 1, len(d.sets))
        self._families()
        for some in [[g] for g in self.groups] + ([self.groups] if len(self.groups) > 1 else []):
            for by_tp, by_tn in ((1, 0), (0, 1), (1, 1)):
                values = [(by_tp * g.tp + by_tn * g.tn) * (g in some) for g in self.groups]
                tops = [len(g.members) * int(v.max(initial=0)) for g, v in zip(self.groups, values, strict=True)]
                self._count(values, 0, sum(tops))

    def _families(self) -> None:
        d = self.demands
        for number, family in enumerate(d.families):  # what the rule of folds says of their classes
            folds = [(g, d.sets[g.members[0]].family == number) for g in self.groups]
            p, n = [g.p * own for g, own in folds], [g.n * own for g, own in folds]
            self._count(p, family.p, family.p)
            if family.rule == "balanced":
                self._count(n, family.n, family.n)
            if family.rule == "trainable":
                self._count([side > 0 for side in p], 2, family.folds)
                self._count([side > 0 for side in n], 2, family.folds)

    def _not_beyond(self, g: Group, name: str, low: Fraction | None, high: Fraction | None) -> Flags:
        """Columns whose value is not certainly outside; where the set is left out, nothing is asked of it."""
        value = g.values[name]
        bits = 36 - max(0, ceil(float(abs(value).max(initial=0.0)))).bit_length()
        bottom, top = self._outward(value, bits)
        good = np.full(len(value), True)
        if low is not None:
            good &= top >= ceil(low * (1 << bits))
        if high is not None:
            good &= bottom <= floor(high * (1 << bits))
        return good | ~g.counts[name]

    def _average(self, name: str, ends: Ends, inside: dict[int, Fraction], part: Tree, *, vanishes: bool) -> None:
        """Rows that bound a mean, by how sets may be left out of it."""
        common = lcm(*(w.denominator for w in inside.values()))
        weights = [int(inside.get(g.members[0], Fraction(0)) * common) for g in self.groups]
        far = sum(w * len(g.members) for w, g in zip(weights, self.groups, strict=True)) << 37
        skipping = any(w and not g.counts[name].all() for w, g in zip(weights, self.groups, strict=True))
        low, high = ends
        if skipping and (isinstance(part, int) or all(isinstance(piece, int) for piece in part)):
            width = None if low is None or high is None else (high - low) * sum(inside.values()) * common
            self._sums_over_counted(name, ends, weights, far, width, vanishes)
            return
        # in nested means a set that is left out amounts to some value between the least and the largest
        reach = self._reach(name, weights, ends if vanishes else (None, None)) if skipping else (0.0, 0.0)
        bits = self._digits()
        values = []
        for g, w in zip(self.groups, weights, strict=True):
            least, most = (np.where(g.counts[name], g.values[name], end) * w for end in reach)
            bottom, top = self._outward(least, bits)[0], self._outward(most, bits)[1]
            values.append((bottom * (w > 0), top * (w > 0)))
        self._row(
            values,
            -far if low is None else ceil(low * common * (1 << bits)),
            far if high is None else floor(high * common * (1 << bits)),
        )

    def _sums_over_counted(
        self, name: str, ends: Ends, weights: list[int], far: int, width: Fraction | None, vanishes: bool
    ) -> None:
        """Over the sets that count, the sum of f - low is not negative and that of f - high not positive."""
        for side, end in enumerate(ends):
            if end is None:
                continue
            bits = self._digits()
            if width is not None:  # one sum is the other and high - low for every set that counts, perhaps all
                gap = ceil(width * (1 << bits))
                self.narrow[len(self.lows)] = (-gap, 0) if side else (0, gap)
            around = [(g.values[name] - float(end)) * w for g, w in zip(self.groups, weights, strict=True)]
            weighs = [g.counts[name] & (w > 0) for g, w in zip(self.groups, weights, strict=True)]
            self._row(self._where(weighs, around, bits), *((-far, 0) if side else (0, far)))
        if not vanishes:
            self._count([g.counts[name] for g in self.groups], 1, len(self.demands.sets))

    def _where(self, flags: list[Flags], values: list[Floats], bits: int) -> list[tuple[Ints, Ints]]:
        """Values from below and from above where they count, and nothing elsewhere."""
        around = zip(flags, (self._outward(value, bits, 1 / 16) for value in values), strict=True)
        return [(np.where(flag, bottom, 0), np.where(flag, top, 0)) for flag, (bottom, top) in around]

    def _reach(self, name: str, weights: list[int], ends: Ends) -> tuple[float, float]:
        """The least and the largest value of a score that counts, or that is said of a mean which may vanish."""
        known = [g.values[name][g.counts[name]] for w, g in zip(weights, self.groups, strict=True) if w]
        seen = [float(x) for v in known if len(v) for x in (v.min(), v.max())]
        seen += [float(x) for x in ends if x is not None]
        return min(seen, default=0.0), max(seen, default=0.0)

    def _squares(self, name: str) -> None:
        """Squares about the printed mean: of m values, (m - ddof) variance + m (mean - centre)^2."""
        d = self.demands
        centre = d.centres[name]
        apart = [g.values[name] - float(centre) for g in self.groups]
        squares = [x * x for x in apart]
        largest = max([abs(float(centre)), *(float(abs(g.values[name]).max(initial=0.0)) for g in self.groups)])
        claim = next(c for c in d.means if c.name == name)
        off = max(abs(claim.low - centre), abs(claim.high - centre))
        k, over = len(d.sets), len(d.spread_parts)
        low, high = d.variances[name]
        far = k << 39
        divisors = [over - ddof for ddof in d.ddof if over > ddof]
        require(len(divisors) > 0, "a deviation needs more sets")
        bits = self._digits()
        counts = [g.counts[name] for g in self.groups]
        if all(own.all() for own in counts):
            times = over if d.error else 1
            least = min(divisors) * low * times
            weights = [fold.weight for fold in d.sets]
            if d.means_deviate:  # the square of a part's mean is at most the weighted mean of its sets' squares
                least, top = least / (over * max(weights)), far
            else:
                most = max(divisors) * high * times
                # the plain mean of the sets, which deviate, differs from one in which they weigh differently
                uneven = sum(((weight - Fraction(1, k)) ** 2 for weight in weights), Fraction(0))
                top = floor((most + k * (off + root_above(uneven * most)) ** 2) * (1 << bits))
            rows = [(Fraction(0), ceil(least * (1 << bits)), top)]
        elif d.means_deviate:  # they may be left out as a whole; what deviates are at least two
            rows = [(Fraction(0), ceil((2 - max(d.ddof)) * low * (1 << bits)), far)]
        else:
            rows = [(low, ceil(-max(d.ddof) * low * (1 << bits)), far)]
            if d.flat:  # in nested means which sets are left out changes what the others weigh
                most = high * (k if d.error else 1)
                rows.append((most + off**2, -far, floor(-min(d.ddof) * most * (1 << bits))))
                gap = ceil((most + off**2 - low) * k * (1 << bits))  # between the two sums, at most
                self.narrow[len(self.lows)] = (rows[0][1], rows[1][2] + gap)
                self.narrow[len(self.lows) + 1] = (rows[0][1] - gap, rows[1][2])
        for end, bottom_bound, top_bound in rows:
            require(self._digits() == bits, "the rows of squares are taken at different digits")
            require((largest + 1) ** 2 * 2.0**bits <= 2.0**40, "squares are taken at too many digits")
            values = [square - float(end) for square in squares]
            self._row(self._where(counts, values, bits), bottom_bound, top_bound)

    def _count(self, counts: list[Any], low: int, high: int) -> None:
        """A row for a whole number that is added up over the groups."""
        bits = self._digits()
        require(
            all(int(count.max(initial=0)) << bits < 1 << 37 for count in counts), "a total is taken at too many digits"
        )
        values = [(count * 1 << bits,) * 2 for count in counts]
        self._row(values, low << bits, high << bits, integral=True)
