"""Linear scores over folds, decided on totals.

Rows are combined by multipliers, as everywhere; good ones come from the folds themselves (accuracy less its shares of
sensitivity and specificity nearly vanishes), others from a linear program. Steps of the proof of a case, in reading
order:

    ["cut", v, b]                          two parts: variable v at most b, then above b
    ["trim", v, "below"|"above", b, [y]]   beyond b the combined row fails; go on with the rest
    ["out", [y]]                           the combined row fails in the whole box

Where folds are large and the intervals narrow, planes of a reduced basis divide better (see ``planes``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from operator import mul
from typing import Any

from scoreproof.kinds.binary.engine.averages.blocks import FoldTotals, TotalsRow, build, cases, reach
from scoreproof.kinds.binary.engine.averages.combined import combine, fails, witness_at
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.work.budget import Budget

_QUICK = 20  # boxes before linear programs are used
_GLANCE = 6  # boxes, where folds are known
_ROUNDS = 6
_MOVES = 12  # of single variables of a guess
_PLANES, _PLANE_SHARE = 120, 0.7  # variables, of which planes of a reduced basis are soon found; of the time
_SOLVED, _NARROWED = 2e-3, 5e-4  # seconds of a box


@dataclass(slots=True)
class TotalsOutcome:
    """A witness, or a proof (of one case: its steps; of all: one entry a case), or neither."""

    witness: tuple[ConfusionMatrix, ...] | None = None
    proof: list[Any] | None = None
    boxes: int = 0


def decide_totals(demand: Demand, deadline: Budget, *, boxes: int | None = None) -> TotalsOutcome:
    """Decide every case in time, or with so many ``boxes`` each."""
    found = TotalsOutcome(proof=[])
    open_cases = False
    for treatment in cases(demand):
        totals = build(demand, treatment)
        outcome = decide_case(totals, deadline, boxes)
        found.boxes += outcome.boxes
        if outcome.witness is not None:
            return outcome
        if outcome.proof is None:
            open_cases = True
        elif found.proof is not None:
            found.proof.append({"treatments": treatment, "bits": totals.bits, "steps": outcome.proof})
    return TotalsOutcome(boxes=found.boxes) if open_cases else found


def glance(demand: Demand, deadline: Budget) -> TotalsOutcome:
    """A witness that a few boxes show, for folds whose class counts are known; never a proof."""
    for treatment in cases(demand):
        totals = build(demand, treatment)
        if totals.bits is None and all(low <= high for low, high in zip(totals.least, totals.most, strict=True)):
            found = _walk(totals, _derived(totals), _GLANCE, deadline, with_programs=False)
            if found.witness is not None:
                return found
    return TotalsOutcome()


def _derived(totals: FoldTotals) -> list[TotalsRow]:
    """The base rows, and rows in which the share of one type cancels: a score less the others that explain it there."""
    base = totals.rows
    found = list(base)
    for k in range(0, 2 * len(totals.blocks), 2):
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


def decide_case(totals: FoldTotals, deadline: Budget, boxes: int | None = None) -> TotalsOutcome:
    """Decide one way to count 0/0, or try to with so many ``boxes``."""
    if any(low > high for low, high in zip(totals.least, totals.most, strict=True)):
        return TotalsOutcome(proof=[], boxes=1)
    rows = totals.rows
    failing = next((row for row in rows if fails(row, totals.least, totals.most)), None)
    if failing is not None:  # a row without coefficients, say, which a linear program does not take
        return TotalsOutcome(proof=[["out", [int(row is failing) for row in rows]]], boxes=1)
    if totals.bits is None:  # with more blocks the whole numbers of combined rows grow long
        rows = _derived(totals)
        quick = _walk(totals, rows, boxes or _QUICK, deadline, with_programs=False)
        if quick.witness is not None or quick.proof is not None:
            return quick
    if boxes is not None:
        return TotalsOutcome(boxes=boxes)
    if len(totals.least) <= _PLANES:
        from scoreproof.kinds.binary.engine.averages.planes import PlaneSearch

        found = PlaneSearch(totals, deadline.part(_PLANE_SHARE)).decided()
        if found.witness is not None or found.proof is not None:
            return TotalsOutcome(found.witness, found.proof, found.nodes)
    return _walk(totals, rows, None, deadline, with_programs=True)


def _walk(
    totals: FoldTotals, rows: list[TotalsRow], limit: int | None, deadline: Budget, *, with_programs: bool
) -> TotalsOutcome:
    if with_programs:
        from scoreproof.kinds.binary.engine.averages.programs import LinearProgram

        program = LinearProgram(totals.rows)
    outcome = TotalsOutcome(proof=[])
    assert outcome.proof is not None
    stack = [(list(totals.least), list(totals.most))]
    while stack:
        low, high = stack.pop()
        outcome.boxes += 1
        deadline.charge(_SOLVED if with_programs else _NARROWED)
        if (limit is not None and outcome.boxes > limit) or deadline.passed:
            return TotalsOutcome(boxes=outcome.boxes)
        if (not with_programs or outcome.boxes > 1) and not _narrow(rows, low, high, outcome.proof):
            continue
        guess = [(a + b) // 2 for a, b in zip(low, high, strict=True)]
        fractional = None
        if with_programs:
            relaxed = program.solve(low, high, inside=True)
            if relaxed.y is not None and not fails(combine(totals.rows, relaxed.y), low, high):
                relaxed = program.solve(low, high, inside=False)
            if relaxed.y is not None and fails(combine(totals.rows, relaxed.y), low, high):
                outcome.proof.append(["out", relaxed.y])
                continue
            guess, fractional = relaxed.guess, relaxed.branch
        for candidate in _settle(rows, low, high, guess):
            witness = witness_at(totals, candidate)
            if witness is not None:
                outcome.witness, outcome.proof = witness, None
                return outcome
        at = fractional
        if at is None or low[at] == high[at]:
            at = max(range(len(low)), key=lambda k: high[k] - low[k])
        if low[at] == high[at]:
            failing = next((row for row in rows if fails(row, low, high)), None)
            if failing is None:  # rounded coefficients cannot tell a tie
                return TotalsOutcome(boxes=outcome.boxes)
            outcome.proof.append(["out", list(failing.y)])
            continue
        middle = min(max(guess[at], low[at]), high[at] - 1) if with_programs else (low[at] + high[at]) // 2
        outcome.proof.append(["cut", at, middle])
        first, second = list(high), list(low)
        first[at], second[at] = middle, middle + 1
        stack += [(second, high), (low, first)]
    return outcome


def _narrow(rows: Sequence[TotalsRow], low: list[int], high: list[int], proof: list[list[Any]]) -> bool:
    """Trim the box by each row until nothing changes; False if nothing is left of it."""
    for _ in range(_ROUNDS):
        changed = False
        for row in rows:
            least, most = reach(row.a, low, high)
            if least > row.high or most < row.low or row.low > row.high:
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
                    least, most = reach(row.a, low, high)
        if not changed:
            break
    return True


def _settle(rows: Sequence[TotalsRow], low: list[int], high: list[int], guess: list[int]) -> list[list[int]]:
    """A point of the box that fits every row, by moving one variable of the guess after the other; at most one."""
    x = [min(max(g, a), b) for g, a, b in zip(guess, low, high, strict=True)]
    sums = [sum(map(mul, row.a, x)) for row in rows]
    parts = [(row.a, row.low, row.high, max(1, *map(abs, row.a))) for row in rows]
    for _ in range(_MOVES):
        worst = _furthest(rows, sums)
        if worst is None:
            return [x]
        row, total = rows[worst], sums[worst]
        want = row.low - total if total < row.low else row.high - total
        best: tuple[float, int, int] | None = None
        for k, a in enumerate(row.a):
            if a:
                step = -(-want // a) if (want > 0) == (a > 0) else want // a
                moved = min(max(x[k] + step, low[k]), high[k])
                if moved != x[k]:
                    cost = _distance(parts, sums, k, moved - x[k])
                    if best is None or cost < best[0]:
                        best = (cost, k, moved)
        if best is None:
            return []
        _, k, moved = best
        sums = [s + r.a[k] * (moved - x[k]) for s, r in zip(sums, rows, strict=True)]
        x[k] = moved
    return []


def _furthest(rows: Sequence[TotalsRow], sums: Sequence[int]) -> int | None:
    """The row whose sum is furthest from its interval, measured by the interval's length; None if all are inside."""
    worst, most, length = None, 0, 1
    for index, (row, total) in enumerate(zip(rows, sums, strict=True)):
        beyond = row.low - total if total < row.low else total - row.high
        if beyond > 0:
            wide = max(1, row.high - row.low + 1)
            if beyond * length > most * wide:
                worst, most, length = index, beyond, wide
    return worst


def _distance(parts: Sequence[tuple[Sequence[int], int, int, int]], sums: Sequence[int], k: int, step: int) -> float:
    """How far the sums would be from their intervals in all after a step of a variable, by the size of coefficients."""
    cost = 0.0
    for (a, low, high, scale), total in zip(parts, sums, strict=True):
        moved = total + a[k] * step
        if moved < low:
            cost += (low - moved) / scale
        elif moved > high:
            cost += (moved - high) / scale
    return cost
