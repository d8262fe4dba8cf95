"""Check multipliers against sets too large to list their points.

If the mean of a score lies in [low, high], the weighted sum of y (f - low) over the sets that count is not negative for
y > 0, nor that of y (f - high) for y < 0. For each set the largest value of the sum of these terms over all (tp, tn) is
bounded by halving rectangles: every score is monotone, so on a rectangle each term is at most its value at one of two
opposite corners, rounded outwards; cells where a score is 0/0 are bounded by what the statement admits there. If the
bounds of all sets together are negative, nothing fits.

Where scores may be left out on some matrices, two things are shown: that nothing fits if none is left out anywhere, and
that nothing fits if at least one set has one left out. Then a bonus z for each such set may be added to the sums, which
must stay below z.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof_verify.averages import Demands, lacking, same_cases, shares, treatments
from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.patience import Patience
from scoreproof_verify.statement import Claim
from scoreproof_verify.texts import known_keys, require

Ints = NDArray[np.int64]
_BITS = 36
_FEWEST_BITS = 20
_MOST_BOXES = 6_000_000
_MOST_KINDS = 5_000  # of sets
_NEVER = 1 << 60  # more than any term
_NOTHING = -(1 << 58)  # less than all terms together


def refute(demands: Demands, proof: Any, patience: Patience) -> int:
    """Raises ``Rejected`` unless the multipliers of every case refute it; how many lists of them did."""
    require(
        all(one.family is None or demands.families[one.family].rule == "balanced" for one in demands.sets),
        "the folds are open",
    )
    scores = list(demands.scores())
    refuted = 0
    for case in same_cases(proof.get("cases"), treatments(demands, scores), "multipliers", "left_out"):
        _refute_case(demands, case["treatments"], case["multipliers"], None, patience)
        refuted += 1
        if _can_leave_out(demands):
            given = known_keys("a case", case["left_out"], "multipliers", "bonus")
            bonus = integer(given.get("bonus"), "a bonus")
            require(bonus >= 0, "a bonus is negative")
            _refute_case(demands, case["treatments"], given.get("multipliers"), bonus, patience)
            refuted += 1
        else:
            require(case["left_out"] is None, "the proof treats a case that there is not")
    return refuted


def _can_leave_out(demands: Demands) -> bool:
    """Whether some score may be left out on some matrix of a set."""
    if demands.undefined not in ("any", "skip"):
        return False
    counts = {pair for one in set(demands.sets) for pair in demands.class_counts(one)}
    if any(0 in pair for pair in counts):
        return True
    for claim in demands.means:
        if "harmonic" in demands.ways(claim.name, claim.rule):
            return True
        for p, n in counts:
            corners = ((0, 0), (0, n), (p, 0), (p, n))
            if any(claim.rule.ratio(tp, tn, p, n)[1] == 0 for tp, tn in corners):
                return True
    return False


@dataclass(frozen=True, slots=True)
class _Term:
    """y times a score, less y times the end of its interval that y pulls at, on the sets of one kind.

    ``fill`` bounds it where it is 0/0 and counts, ``skip`` where its set is left out; None if that is not admitted.
    Everything is times 2**bits.
    """

    y: int
    rule: Rule
    end: Fraction
    fill: Fraction | None
    skip: Fraction | None
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
    bonus: int  # for a matrix on which a score may be left out, in the units of the terms
    aside: tuple[Rule, ...]  # scores without a term that may be left out


def _refute_case(demands: Demands, way: dict[str, str], given: Any, bonus: int | None, patience: Patience) -> None:
    """Refute one case: no score left out on single matrices (no bonus), or at least one set with one left out.

    The sum of the largest values of all sets must be negative. Each is bounded only as far as the sum of the values
    seen leaves room; where a larger value turns up, that is done again.
    """
    require(isinstance(given, list) and len(given) == len(demands.means), "multipliers are malformed")
    y = [integer(v, "a multiplier") for v in given]
    require(any(y), "all multipliers are 0")
    kinds = _kinds(demands, way, y, bonus)
    best = [max((_descend(kind, p, n, patience) for p, n in kind.options), default=0) for kind in kinds]
    looked, larger = 0, True
    while larger:
        reach = sum((k.count * (k.weight * value + k.fixed) for k, value in zip(kinds, best, strict=True)), Fraction(0))
        reach -= bonus or 0
        require(reach < 0, "the multipliers do not refute the report")
        larger = False
        for at, kind in enumerate(kinds):
            enough = best[at] + floor(-reach * Fraction(999, 1000) / len(kinds) / kind.weight / kind.count)
            found = [_bound(kind, p, n, enough, patience) for p, n in kind.options]
            looked += sum(boxes for _, boxes in found)
            require(looked <= 10 * _MOST_BOXES, "bounding all sets takes too many rectangles")
            top = max(bound for bound, _ in found)
            if top > enough:  # a cell has it
                best[at], larger = top, True


def _kinds(demands: Demands, way: dict[str, str], y: list[int], bonus: int | None) -> list[_Kind]:
    aside: tuple[Rule, ...] = ()
    if bonus is not None:
        aside = tuple(claim.rule for v, claim in zip(y, demands.means, strict=True) if not v)
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
    require(len(alike) <= _MOST_KINDS, "there are too many kinds of sets")
    kinds = []
    for (options, traits), count in alike.items():
        fixed = Fraction(0)
        live = []
        for (v, claim, _, _), (weight, absent) in zip(used, traits, strict=True):
            end = _near_range(claim, v)
            if weight and absent:  # 0/0 on every matrix of the set: it counts as the case says
                filler = _extreme(claim.rule, v) if way[claim.name] == "present" else int(way[claim.name] == "one")
                fixed += weight * v * (filler - end)
            elif weight:
                live.append((v, claim, end, weight))
        common = lcm(*(weight.denominator for *_, weight in live)) if live else 1
        scaled = [v * int(weight * common) for v, _, _, weight in live]
        bits = min(_BITS, 56 - (sum(map(abs, scaled)) + (bonus or 0) * common).bit_length())
        require(bits >= _FEWEST_BITS, "multipliers are too large for 64 bits")
        terms = tuple(
            _Term(
                factor,
                claim.rule,
                end,
                _fill(demands, claim, factor, end),
                None if bonus is None else _skip(demands, claim, factor, end),
                bits,
                bonus is not None and "harmonic" in demands.ways(claim.name, claim.rule),
            )
            for factor, (_, claim, end, _) in zip(scaled, live, strict=True)
        )
        whole = Fraction(1, common << bits)
        kinds.append(_Kind(options, count, terms, whole, fixed, ((bonus or 0) * common) << bits, aside))
    return kinds


def _near_range(claim: Claim, y: int) -> Fraction:
    """The end of a claim's interval that y pulls at, moved next to the score's range if it is far from it.

    No mean is beyond that range, and sums of terms stay within 64 bits.
    """
    least, most = Fraction(claim.rule.least or 0), Fraction(claim.rule.most or 0)
    if y > 0:
        return min(max(claim.low, least), most + 1)
    return max(min(claim.high, most), least - 1)


def _fill(demands: Demands, claim: Claim, y: int, end: Fraction) -> Fraction | None:
    """The most a term can be where its score is 0/0 on a matrix and counts; None if it cannot count."""
    values: list[Fraction] = []
    for way in demands.ways(claim.name, claim.rule):
        if way == "present":
            values.append(y * (_extreme(claim.rule, y) - end))
        elif way not in ("skip", "harmonic"):
            values.append(y * (int(way == "one") - end))
    return max(values, default=None)


def _skip(demands: Demands, claim: Claim, y: int, end: Fraction) -> Fraction | None:
    """The most a term can be where its set is left out: nothing, or in nested means any value; None if it is not."""
    if "skip" not in demands.ways(claim.name, claim.rule):
        return None
    return Fraction(0) if demands.flat else y * (_extreme(claim.rule, y) - end)


def _corner(kind: _Kind, p: int, n: int, low: tuple[Ints, Ints], high: tuple[Ints, Ints]) -> Ints:
    """An upper bound of the terms (and the bonus) on rectangles given by their lowest and highest cells."""
    total = np.zeros(len(low[0]), dtype=np.int64)
    single = (low[0] == high[0]) & (low[1] == high[1])
    counted = np.zeros(len(low[0]), dtype=np.int64)  # on single cells: all 0/0 counted
    either = np.zeros(len(low[0]), dtype=np.int64)  # each counted or left out, as is larger
    price = np.full(len(low[0]), _NEVER)  # what it costs to leave one of them out
    touched = np.zeros(len(low[0]), dtype=bool)
    for term in kind.terms:
        at = high if (term.y > 0) == (term.rule.direction > 0) else low
        w, _, den = term.rule.values(at[0].astype(np.float64), at[1].astype(np.float64), float(p), float(n))
        w, den, _ = np.broadcast_arrays(w, den, at[0])
        scaled = np.ldexp(np.where(den == 0, 0.0, w), term.bits)
        value = term.y * (np.ceil(scaled + 1 / 16) if term.y > 0 else np.floor(scaled - 1 / 16)).astype(np.int64)
        value = value + term.up(-term.y * term.end)
        empty = den == 0
        fill, skip = (_NOTHING if x is None else term.up(x) for x in (term.fill, term.skip))
        best = max(fill, skip)
        value = np.where(empty, term.top, value)  # the corner has no value, cells beside it may
        touches = _touches_holes(term.rule, p, n, low, high)
        if term.harmonic:  # without true positives the score is 0, or left out
            touches |= _along(term.rule, low) == 0
        touched |= touches & (skip > _NOTHING)
        hole = empty & single
        counts = np.where(hole, fill, value)
        if term.harmonic:
            hole |= single & (_along(term.rule, low) == 0)
        value = np.where(touches & ~single, np.maximum(value, best), value)
        total += np.where(hole, 0, value)
        counted += np.where(hole, counts, 0)
        either += np.where(hole, np.maximum(counts, skip), 0)
        price = np.minimum(price, np.where(hole & (skip > _NOTHING), np.maximum(counts, skip) - skip, _NEVER))
    aside = np.zeros(len(low[0]), dtype=bool)  # a score without a term may be left out for nothing
    for rule in kind.aside:
        aside |= _touches_holes(rule, p, n, low, high)
        if rule.harmonic:
            aside |= _along(rule, low) == 0
    price = np.where(aside, 0, price)
    loose = total + np.where(touched | aside, kind.bonus, 0)
    tight = np.where(price < _NEVER, either - price + kind.bonus, _NOTHING)
    return np.where(single, total + np.maximum(np.maximum(counted, tight), _NOTHING), loose)


def _along(rule: Rule, low: tuple[Ints, Ints]) -> Ints:
    """The least true positives (or negatives) of rectangles, whichever an F-score is about."""
    return low[0] if rule.harmonic == "tp" else low[1]


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


def _descend(kind: _Kind, p: int, n: int, patience: Patience) -> int:
    """A value that y . scores may come near somewhere, found by following the best rectangles down."""
    boxes = _start(p, n)
    best = None
    while boxes.shape[1]:
        patience.check()
        a, b, c, d = boxes
        middle = ((a + b) // 2, (c + d) // 2)
        value = int(_corner(kind, p, n, middle, middle).max())
        best = value if best is None else max(best, value)
        bound = _corner(kind, p, n, (a, c), (b, d))
        keep = np.argsort(-bound)[:256]
        boxes = boxes[:, keep]
        boxes = boxes[:, (boxes[0] < boxes[1]) | (boxes[2] < boxes[3])]
        if boxes.shape[1]:
            boxes = _halve(p, n, boxes)
    assert best is not None
    return best


def _bound(kind: _Kind, p: int, n: int, enough: int, patience: Patience) -> tuple[int, int]:
    """An upper bound of y . scores on all cells, refined until it is at most ``enough`` or cells are reached."""
    boxes = _start(p, n)
    bound = None
    looked = 0
    while boxes.shape[1]:
        patience.check()
        looked += boxes.shape[1]
        require(looked <= _MOST_BOXES, "bounding a set takes too many rectangles")
        a, b, c, d = boxes
        value = _corner(kind, p, n, (a, c), (b, d))
        done = (value <= enough) | ((a == b) & (c == d))
        if done.any():
            top = int(value[done].max())
            bound = top if bound is None else max(bound, top)
        boxes = boxes[:, ~done]
        if boxes.shape[1]:
            boxes = _halve(p, n, boxes)
    assert bound is not None
    return bound, looked
