"""Check multipliers against sets too large to list their points.

If the mean of a score lies in [low, high], the weighted sum of y (f - low) over the sets that count is not negative for
y > 0, nor that of y (f - high) for y < 0. For each set the largest value of the sum of these terms over all (tp, tn) is
bounded by halving rectangles: every score is monotone, so on a rectangle each term is at most its value at one of two
opposite corners, rounded outwards; cells where a score is 0/0 are bounded by what the statement admits there. If the
bounds of all sets together are negative, nothing fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.verdict.verifier.averages import Demands, lacking, same_cases, shares, treatments
from scoreproof.verdict.verifier.experiment import integer
from scoreproof.verdict.verifier.formulas import Rule
from scoreproof.verdict.verifier.patience import Patience
from scoreproof.verdict.verifier.texts import require

Ints = NDArray[np.int64]
_BITS = 36
_FEWEST_BITS = 20
_MOST_BOXES = 6_000_000


def refute(demands: Demands, proof: Any, patience: Patience) -> int:
    """Raises ``Rejected`` unless the multipliers of every case refute it; the number of rectangles looked at."""
    require(
        all(one.family is None or demands.families[one.family].rule == "balanced" for one in demands.sets),
        "the folds are open",
    )
    scores = list(demands.scores())
    cases = same_cases(proof.get("cases"), treatments(demands, scores), "multipliers")
    return sum(_refute_case(demands, case["treatments"], case["multipliers"], patience) for case in cases)


@dataclass(frozen=True, slots=True)
class _Term:
    """y times a score, less y times the end of its interval that y pulls at, on the sets of one kind.

    ``hole`` bounds it where it is 0/0 (None if no such matrix is admitted). Everything is times 2**bits.
    """

    y: int
    rule: Rule
    end: Fraction
    hole: Fraction | None
    bits: int
    harmonic: bool

    def up(self, value: Fraction) -> int:
        return ceil(value * (1 << self.bits))

    @property
    def top(self) -> int:
        """A bound on the whole term."""
        return self.up(self.y * (_extreme(self.rule, self.y) - self.end))


def _extreme(rule: Rule, y: int) -> int:
    """The end of a score's range that y times the score is largest at."""
    return (rule.most if y > 0 else rule.least) or 0


@dataclass(frozen=True, slots=True)
class _Kind:
    """Sets that are alike: their class counts, how many they are, their terms, and what is the same on each."""

    options: tuple[tuple[int, int], ...]
    count: int
    terms: tuple[_Term, ...]
    weight: Fraction  # of the terms, times 2**-bits
    fixed: Fraction


def _refute_case(demands: Demands, way: dict[str, str], given: Any, patience: Patience) -> int:
    require(isinstance(given, list) and len(given) == len(demands.means), "multipliers are malformed")
    y = [integer(v, "a multiplier") for v in given]
    require(any(y), "all multipliers are 0")
    kinds = _kinds(demands, way, y)
    best = [
        max((_descend(kind.terms, p, n, patience) for p, n in kind.options), default=0) if kind.terms else 0
        for kind in kinds
    ]
    reach = sum((k.count * (k.weight * value + k.fixed) for k, value in zip(kinds, best, strict=True)), Fraction(0))
    require(reach < 0, "the multipliers do not refute the report")
    looked, total = 0, Fraction(0)
    for kind, value in zip(kinds, best, strict=True):
        bound = 0
        if kind.terms:
            gap = floor(-reach * Fraction(999, 1000) / len(kinds) / kind.weight / kind.count)
            found = [_bound(kind.terms, p, n, value + gap, patience) for p, n in kind.options]
            bound = max(b for b, _ in found)
            looked += sum(boxes for _, boxes in found)
        total += kind.count * (kind.weight * bound + kind.fixed)
    require(total < 0, "the multipliers do not refute the report")
    return looked


def _kinds(demands: Demands, way: dict[str, str], y: list[int]) -> list[_Kind]:
    used = []
    for v, claim in zip(y, demands.means, strict=True):
        if v:
            rule = claim.rule
            finite = rule.least is not None and rule.most is not None and rule.border != "registered"
            require(finite, f"{claim.name} has no finite range")
            absent = lacking(demands, rule)
            inside = shares(demands.tree, absent if way.get(claim.name) == "skip" else frozenset())
            used.append((v, claim, absent, inside))
    alike: dict[Any, int] = {}
    for k, one in enumerate(demands.sets):
        require(max(one.p, one.n) < 1 << 26, "a set is too large for exact floats")
        traits = tuple((inside.get(k, Fraction(0)), k in absent) for _, _, absent, inside in used)
        key = (tuple(demands.class_counts(one)), traits)
        alike[key] = alike.get(key, 0) + 1
    kinds = []
    for (options, traits), count in alike.items():
        fixed = Fraction(0)
        live = []
        for (v, claim, _, _), (weight, absent) in zip(used, traits, strict=True):
            end = claim.low if v > 0 else claim.high
            if weight and absent:  # 0/0 on every matrix of the set: it counts as the case says
                filler = _extreme(claim.rule, v) if way[claim.name] == "present" else int(way[claim.name] == "one")
                fixed += weight * v * (filler - end)
            elif weight:
                live.append((v, claim, end, weight))
        common = lcm(*(weight.denominator for *_, weight in live)) if live else 1
        scaled = [v * int(weight * common) for v, _, _, weight in live]
        bits = min(_BITS, 60 - sum(map(abs, scaled)).bit_length())
        require(bits >= _FEWEST_BITS, "multipliers are too large for 64 bits")
        terms = tuple(
            _Term(
                factor,
                claim.rule,
                end,
                _hole(demands, claim.name, claim.rule, factor, end),
                bits,
                "harmonic" in demands.ways(claim.name, claim.rule),
            )
            for factor, (_, claim, end, _) in zip(scaled, live, strict=True)
        )
        kinds.append(_Kind(options, count, terms, Fraction(1, common << bits), fixed))
    return kinds


def _hole(demands: Demands, name: str, rule: Rule, y: int, end: Fraction) -> Fraction | None:
    """The most a term can be where its score is 0/0 on single matrices of a set."""
    ways = demands.ways(name, rule)
    if not ways:
        return None
    values = []
    for way in ways:
        if way in ("skip", "harmonic") and demands.flat:
            values.append(Fraction(0))  # the set does not count
        elif way in ("skip", "harmonic", "present"):  # some value between the smallest and the largest
            values.append(y * (_extreme(rule, y) - end))
        else:
            values.append(y * (int(way == "one") - end))
    return max(values)


def _corner(terms: tuple[_Term, ...], p: int, n: int, low: tuple[Ints, Ints], high: tuple[Ints, Ints]) -> Ints:
    """An upper bound of the terms on rectangles given by their lowest and highest cells."""
    total = np.zeros(len(low[0]), dtype=np.int64)
    dead = np.zeros(len(low[0]), dtype=bool)
    single = (low[0] == high[0]) & (low[1] == high[1])
    for term in terms:
        at = high if (term.y > 0) == (term.rule.direction > 0) else low
        w, _, den = term.rule.values(at[0].astype(np.float64), at[1].astype(np.float64), float(p), float(n))
        w, den, _ = np.broadcast_arrays(w, den, at[0])
        scaled = np.ldexp(np.where(den == 0, 0.0, w), term.bits)
        value = term.y * (np.ceil(scaled + 1 / 16) if term.y > 0 else np.floor(scaled - 1 / 16)).astype(np.int64)
        value = value + term.up(-term.y * term.end)
        empty = den == 0
        value = np.where(empty & ~single, term.top, value)  # the corner has no value, cells beside it may
        if term.hole is None:
            dead |= empty & single
        else:
            hole = term.up(term.hole)
            value = np.where(empty & single, hole, value)
            touches = _touches_holes(term.rule, p, n, low, high) & ~single
            if term.harmonic:  # where there are no true positives the set may be left out, too
                touches |= (low[0] if term.rule.harmonic == "tp" else low[1]) == 0
            value = np.where(touches, np.maximum(value, hole), value)
        total += value
    return np.where(dead, -(1 << 61), total)


def _touches_holes(rule: Rule, p: int, n: int, low: tuple[Ints, Ints], high: tuple[Ints, Ints]) -> NDArray[np.bool_]:
    """Which rectangles hold a matrix on which a score is 0/0: a corner of the grid, or, without a class, anything."""
    touched = np.zeros(len(low[0]), dtype=bool)
    if 0 in (p, n):
        return ~touched
    for tp, tn in ((0, 0), (0, n), (p, 0), (p, n)):
        if rule.ratio(tp, tn, p, n)[1] == 0:
            touched |= (low[0] <= tp) & (tp <= high[0]) & (low[1] <= tn) & (tn <= high[1])
    return touched


def _halve(p: int, n: int, boxes: Ints) -> Ints:
    """Each rectangle in two along its relatively longer side."""
    a, b, c, d = boxes
    by_tp = ((b - a).astype(np.float64) / max(p, 1) >= (d - c).astype(np.float64) / max(n, 1)) & (b > a) | (d == c)
    mid_tp, mid_tn = (a + b) // 2, (c + d) // 2
    first = np.stack([a, np.where(by_tp, mid_tp, b), c, np.where(by_tp, d, mid_tn)])
    second = np.stack([np.where(by_tp, mid_tp + 1, a), b, np.where(by_tp, c, mid_tn + 1), d])
    return np.concatenate([first, second], axis=1)


def _start(p: int, n: int) -> Ints:
    return np.array([[0], [p], [0], [n]], dtype=np.int64)


def _descend(terms: tuple[_Term, ...], p: int, n: int, patience: Patience) -> int:
    """A value that y . scores may come near somewhere, found by following the best rectangles down."""
    boxes = _start(p, n)
    best = None
    while boxes.shape[1]:
        patience.check()
        a, b, c, d = boxes
        middle = ((a + b) // 2, (c + d) // 2)
        value = int(_corner(terms, p, n, middle, middle).max())
        best = value if best is None else max(best, value)
        bound = _corner(terms, p, n, (a, c), (b, d))
        keep = np.argsort(-bound)[:256]
        boxes = boxes[:, keep]
        boxes = boxes[:, (boxes[0] < boxes[1]) | (boxes[2] < boxes[3])]
        if boxes.shape[1]:
            boxes = _halve(p, n, boxes)
    assert best is not None
    return best


def _bound(terms: tuple[_Term, ...], p: int, n: int, enough: int, patience: Patience) -> tuple[int, int]:
    """An upper bound of y . scores on all cells, refined until it is at most ``enough`` or cells are reached."""
    boxes = _start(p, n)
    bound = None
    looked = 0
    while boxes.shape[1]:
        patience.check()
        looked += boxes.shape[1]
        require(looked <= _MOST_BOXES, "bounding a set takes too many rectangles")
        a, b, c, d = boxes
        value = _corner(terms, p, n, (a, c), (b, d))
        done = (value <= enough) | ((a == b) & (c == d))
        if done.any():
            top = int(value[done].max())
            bound = top if bound is None else max(bound, top)
        boxes = boxes[:, ~done]
        if boxes.shape[1]:
            boxes = _halve(p, n, boxes)
    assert bound is not None
    return bound, looked
