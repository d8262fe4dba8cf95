"""Linear scores over known folds, on totals.

For accuracy, sensitivity, specificity, their complements, informedness and balanced accuracy, c folds of one type
(p, n) act as a single set with c p positives and c n negatives: any total can be distributed over them. So a mean over
a hundred folds is a small problem in whole numbers, two for each type: totals TP and TN within a box, and rows that
bound weighted sums of them.

Rows are combined by multipliers, as everywhere; good ones come from the folds themselves (accuracy less its shares of
sensitivity and specificity nearly vanishes), others from a linear program. Steps of the proof, in reading order:

    ["cut", v, b]                          two parts: variable v at most b, then above b
    ["trim", v, "below"|"above", b, [y]]   beyond b the combined row fails; go on with the rest
    ["out", [y]]                           the combined row fails in the whole box
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import Any

from scoreproof.engine.averages.targets import Demand
from scoreproof.scores import ConfusionMatrix, Score, Shape

_QUICK = 400  # boxes before linear programs are used
_ROUNDS = 6
_FEW_TYPES = 4  # whose rows are kept exactly
_BITS = 96


@dataclass(frozen=True, slots=True)
class _Row:
    """low <= a . x <= high over whole-number variables x; ``y`` says how it was made from the base rows."""

    a: tuple[int, ...]
    low: int
    high: int
    y: tuple[int, ...]


@dataclass(slots=True)
class Totals:
    """The problem on totals: types of folds, rows in whole numbers, and the boxes of the variables."""

    demand: Demand
    types: list[list[int]]  # set indices of each type
    bits: int | None = None  # of the coefficients where they are not exact
    rows: list[_Row] = field(default_factory=list)
    most: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Outcome:
    witness: tuple[ConfusionMatrix, ...] | None = None
    proof: list[list[Any]] | None = None
    boxes: int = 0


def applies(demand: Demand) -> bool:
    """Whether totals say all there is to say."""
    return (
        not demand.form.families
        and not demand.bounds
        and all(target.score.shape is Shape.LINEAR and target.score.builtin for target in demand.targets)
        and all(t.variance is None and t.minimum is None and t.maximum is None for t in demand.targets)
        and all(_always_defined(demand, one.p, one.n) for one in demand.form.sets)
    )


def _always_defined(demand: Demand, p: int, n: int) -> bool:
    """Whether no score is 0/0 on a fold; the denominators of linear scores depend on the class counts alone."""
    return (p > 0 and n > 0) or all(target.score.ratio(0, n, p, 0)[1] > 0 for target in demand.targets)


def build(demand: Demand) -> Totals:
    """Types in the order of their first fold, and one base row per score."""
    types: dict[tuple[int, int, Fraction], list[int]] = {}
    for index, one in enumerate(demand.form.sets):
        types.setdefault((one.p, one.n, one.weight), []).append(index)
    bits = None if len(types) <= _FEW_TYPES else _BITS
    totals = Totals(demand, list(types.values()), bits)
    for (p, n, _), members in types.items():
        totals.most += [len(members) * p, len(members) * n]
    reach = sum(totals.most)
    for number, target in enumerate(demand.targets):
        assert target.mean is not None
        unit = tuple(int(k == number) for k in range(len(demand.targets)))
        constant = Fraction(0)
        shares: list[tuple[int, int]] = []  # numerators and denominators
        for (p, n, weight), members in types.items():
            base, east, north, den = linear_parts(target.score, p, n)
            if base:
                constant += weight * len(members) * Fraction(base, den)
            shares += [(weight.numerator * step, weight.denominator * den) for step in (east, north)]
        low, high = target.mean[0] - constant, target.mean[1] - constant
        if bits is None:
            totals.rows.append(_whole([Fraction(*share) for share in shares], low, high, unit))
        else:
            scale = 1 << bits
            a = tuple((num << bits) // den for num, den in shares)
            # rounded down, a coefficient loses less than one unit: the lower bound gives way to that
            totals.rows.append(_Row(a, ceil(low * scale) - reach, floor(high * scale), unit))
    return totals


def linear_parts(score: Score, p: int, n: int) -> tuple[int, int, int, int]:
    """A linear score of one fold as (base + east tp + north tn) / den."""
    (base, den), (east, _), (north, _) = (score.ratio(*c) for c in ((0, n, p, 0), (1, n, p - 1, 0), (0, n - 1, p, 1)))
    return base, east - base, north - base, den


def _whole(a: Sequence[Fraction], low: Fraction, high: Fraction, y: tuple[int, ...]) -> _Row:
    """A row in whole numbers: common denominators cleared, common factors removed, bounds rounded inwards."""
    common = lcm(*(x.denominator for x in a))
    whole = [int(x * common) for x in a]
    shared = gcd(*whole) or 1
    scale = Fraction(common, shared)
    return _Row(tuple(x // shared for x in whole), ceil(low * scale), floor(high * scale), y)


def combine(rows: Sequence[_Row], y: Sequence[int]) -> _Row:
    """The row that multipliers make of base rows; a negative multiplier uses the other bound."""
    a = [sum(f * row.a[k] for f, row in zip(y, rows, strict=True)) for k in range(len(rows[0].a))]
    low = sum(f * (row.low if f > 0 else row.high) for f, row in zip(y, rows, strict=True))
    high = sum(f * (row.high if f > 0 else row.low) for f, row in zip(y, rows, strict=True))
    shared = gcd(*a) or 1
    return _Row(tuple(x // shared for x in a), -(-low // shared), high // shared, tuple(y))


def _derived(totals: Totals) -> list[_Row]:
    """The base rows, and rows in which the share of one type cancels: a score less the others that explain it there."""
    base = totals.rows
    found = list(base)
    for k in range(0, len(totals.most), 2):
        alone = [
            next((i for i, row in enumerate(base) if row.a[k + axis] and not row.a[k + 1 - axis]), None)
            for axis in (0, 1)
        ]
        mixed = [i for i, row in enumerate(base) if row.a[k] and row.a[k + 1]]
        for at in mixed:
            y = [int(i == at) for i in range(len(base))]
            partners = alone if any(i is not None for i in alone) else [next((i for i in mixed if i != at), None), None]
            for axis, other in enumerate(partners):
                if other is not None:
                    share = sum(f * row.a[k + axis] for f, row in zip(y, base, strict=True))
                    y = [f * base[other].a[k + axis] for f in y]
                    y[other] -= share
            if sum(map(bool, y)) > 1:
                found.append(combine(base, _reduced(y)))
    return found


def _reduced(y: list[int]) -> list[int]:
    shared = gcd(*y) or 1
    return [f // shared for f in y]


def decide_totals(totals: Totals, *, budget: float) -> Outcome:
    """Decide within a budget of seconds."""
    deadline = time.monotonic() + budget
    rows = totals.rows
    if len(totals.types) <= _FEW_TYPES:  # with more the whole numbers of combined rows grow long
        rows = _derived(totals)
        quick = _walk(totals, rows, _QUICK, deadline, with_programs=False)
        if quick.witness is not None or quick.proof is not None:
            return quick
    return _walk(totals, rows, None, deadline, with_programs=True)


def _walk(totals: Totals, rows: list[_Row], limit: int | None, deadline: float, *, with_programs: bool) -> Outcome:
    if with_programs:
        from scoreproof.engine.averages.programs import Program

        program = Program(totals.rows)
    outcome = Outcome(proof=[])
    assert outcome.proof is not None
    stack = [([0] * len(totals.most), list(totals.most))]
    while stack:
        low, high = stack.pop()
        outcome.boxes += 1
        if (limit is not None and outcome.boxes > limit) or time.monotonic() > deadline:
            return Outcome(boxes=outcome.boxes)
        if (not with_programs or outcome.boxes > 1) and not _narrow(rows, low, high, outcome.proof):
            continue
        guess = [(a + b) // 2 for a, b in zip(low, high, strict=True)]
        fractional = None
        if with_programs:
            relaxed = program.solve(low, high, inside=True)
            if relaxed.y is not None and not _fails(combine(totals.rows, relaxed.y), low, high):
                relaxed = program.solve(low, high, inside=False)
            if relaxed.y is not None and _fails(combine(totals.rows, relaxed.y), low, high):
                outcome.proof.append(["out", relaxed.y])
                continue
            guess, fractional = relaxed.guess, relaxed.branch
        for candidate in _settle(rows, low, high, guess):
            witness = distribute(totals, candidate)
            if totals.bits is None or _surely(totals, candidate) or totals.demand.fits(witness):
                outcome.witness, outcome.proof = witness, None
                return outcome
        at = fractional
        if at is None or low[at] == high[at]:
            at = max(range(len(low)), key=lambda k: high[k] - low[k])
        if low[at] == high[at]:
            failing = next((row for row in rows if _fails(row, low, high)), None)
            if failing is None:  # rounded coefficients cannot tell a tie
                return Outcome(boxes=outcome.boxes)
            outcome.proof.append(["out", list(failing.y)])
            continue
        middle = min(max(guess[at], low[at]), high[at] - 1) if with_programs else (low[at] + high[at]) // 2
        outcome.proof.append(["cut", at, middle])
        first, second = list(high), list(low)
        first[at], second[at] = middle, middle + 1
        stack += [(second, high), (low, first)]
    return outcome


def _surely(totals: Totals, x: Sequence[int]) -> bool:
    """Whether a point fits every row whatever the rounding of coefficients hides."""
    reach = sum(totals.most)
    sums = [sum(a * v for a, v in zip(row.a, x, strict=True)) for row in totals.rows]
    return all(row.low + reach <= s <= row.high - reach for row, s in zip(totals.rows, sums, strict=True))


def _reach(a: Sequence[int], low: Sequence[int], high: Sequence[int]) -> tuple[int, int]:
    least = most = 0
    for factor, x, y in zip(a, low, high, strict=True):
        if factor > 0:
            least += factor * x
            most += factor * y
        elif factor:
            least += factor * y
            most += factor * x
    return least, most


def _fails(row: _Row, low: Sequence[int], high: Sequence[int]) -> bool:
    least, most = _reach(row.a, low, high)
    return least > row.high or most < row.low


def _narrow(rows: Sequence[_Row], low: list[int], high: list[int], proof: list[list[Any]]) -> bool:
    """Trim the box by each row until nothing changes; False if nothing is left of it."""
    for _ in range(_ROUNDS):
        changed = False
        for row in rows:
            least, most = _reach(row.a, low, high)
            if least > row.high or most < row.low:
                proof.append(["out", list(row.y)])
                return False
            for k, a in enumerate(row.a):
                if not a or low[k] == high[k]:
                    continue
                over, under = row.high - least, most - row.low  # room upwards and downwards
                grow = over // abs(a)  # how far x may move from the end that makes a x small
                fall = under // abs(a)
                ends = (low[k] + grow, high[k] - fall) if a > 0 else (low[k] + fall, high[k] - grow)
                if ends[0] < high[k]:
                    proof.append(["trim", k, "above", ends[0], list(row.y)])
                    high[k], changed = ends[0], True
                if ends[1] > low[k]:
                    proof.append(["trim", k, "below", ends[1], list(row.y)])
                    low[k], changed = ends[1], True
                if changed:
                    if low[k] > high[k]:
                        # both sides were trimmed past each other: undo the last and close the box instead
                        proof.pop()
                        low[k] = high[k]
                        proof.append(["out", list(row.y)])
                        return False
                    least, most = _reach(row.a, low, high)
        if not changed:
            break
    return True


def _settle(rows: Sequence[_Row], low: list[int], high: list[int], guess: list[int]) -> list[list[int]]:
    """A point of the box that fits every row, by moving one or two variables of the guess; at most one."""
    x = [min(max(g, a), b) for g, a, b in zip(guess, low, high, strict=True)]
    for _ in range(12):
        sums = [sum(a * v for a, v in zip(row.a, x, strict=True)) for row in rows]
        off = [(row, s) for row, s in zip(rows, sums, strict=True) if not row.low <= s <= row.high]
        if not off:
            return [x]
        row, total = max(
            off,
            key=lambda pair: Fraction(
                max(pair[0].low - pair[1], pair[1] - pair[0].high), max(1, pair[0].high - pair[0].low + 1)
            ),
        )
        want = row.low - total if total < row.low else row.high - total
        best = None
        for k, a in enumerate(row.a):
            if a:
                step = -(-want // a) if (want > 0) == (a > 0) else want // a
                moved = min(max(x[k] + step, low[k]), high[k])
                if moved != x[k]:
                    cost = sum(
                        max(0, r.low - s - r.a[k] * (moved - x[k]), s + r.a[k] * (moved - x[k]) - r.high)
                        / max(1, *map(abs, r.a))
                        for r, s in zip(rows, sums, strict=True)
                    )
                    if best is None or cost < best[0]:
                        best = (cost, k, moved)
        if best is None:
            return []
        x[best[1]] = best[2]
    return []


def distribute(totals: Totals, x: Sequence[int]) -> tuple[ConfusionMatrix, ...]:
    """Totals spread evenly over the folds of each type."""
    sets = totals.demand.form.sets
    found: dict[int, ConfusionMatrix] = {}
    for number, members in enumerate(totals.types):
        tp, tn, count = x[2 * number], x[2 * number + 1], len(members)
        for at, index in enumerate(members):
            mine_p, mine_n = (total // count + (at < total % count) for total in (tp, tn))
            one = sets[index]
            found[index] = ConfusionMatrix(mine_p, one.n - mine_n, one.p - mine_p, mine_n)
    return tuple(found[index] for index in range(len(sets)))
