"""Whole points under linear inequalities, by branch and bound over boxes (Land and Doig 1960, doi:10.2307/1910129).

A box is tightened by each row alone (bound propagation), refuted by a combination of rows that a linear program gives,
or cut in two; a rounded solution of the program may be a witness, or where variables are few the point of the nearest
plane (Babai 1986, doi:10.1007/BF02579403). Steps of the proof, in reading order:

    ["cut", v, b]                          two parts: variable v at most b, then above b
    ["trim", v, "below"|"above", b, [y]]   beyond b the row combined by y fails; go on with the rest
    ["out", [y]]                           the row combined by y fails in the whole box

In the plane whole points are counted by Euclid's algorithm (Graham, Knuth and Patashnik 1994, section 3.5). Between two
neighbouring crossing points one line is the lowest upper border and one the highest lower border, and the points
between two lines are a difference of two sums of floors, each of which Euclid's algorithm adds up in logarithmic time.
So 10^30 matrices are counted as quickly as ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import gcd
from operator import mul
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from scoreproof.solve.nearest_plane import NearestPoints
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.solve.linear_programs import BoxProgram

_ROUNDS = 6  # of bound propagation in one box
_INSIDE = 0.1  # of a row's width, kept off on either side so that a point survives rounding
_MOVES = 12  # of single variables of a rounded point
_FEW = 20  # variables whose basis is soon reduced in plain Python
_WITH_PROGRAM, _WITHOUT = 2e-3, 5e-4  # seconds of a box

W = TypeVar("W")


class IntegerRow(NamedTuple):
    """low <= a . x <= high over whole-number variables x; ``y`` says how it was made from the base rows."""

    a: tuple[int, ...]
    low: int
    high: int
    y: tuple[int, ...]


@dataclass(slots=True)
class IntegerRows(Generic[W]):
    """Base rows over a box of whole numbers; ``accept`` gives the witness of a point that fits them, if it has one."""

    rows: list[IntegerRow]
    least: list[int]
    most: list[int]
    accept: Callable[[Sequence[int]], W | None]


class SolvedBox(NamedTuple):
    """``y`` if the relaxation of a box is infeasible; a rounded point; the variable furthest from whole."""

    y: list[int] | None
    guess: list[int]
    branch: int | None


@dataclass(slots=True)
class SearchOutcome(Generic[W]):
    """A witness, or the steps of a proof, or neither; and how many boxes or branches were looked at."""

    witness: W | None = None
    proof: list[Any] | None = None
    nodes: int = 0


def reach(a: Sequence[int], low: Sequence[int], high: Sequence[int]) -> tuple[int, int]:
    """The smallest and largest value of a . x in a box.

    >>> reach((2, -1), (0, 0), (3, 5))
    (-5, 6)
    """
    least = most = 0
    for factor, x, y in zip(a, low, high, strict=True):
        if factor > 0:
            least += factor * x
            most += factor * y
        elif factor:
            least += factor * y
            most += factor * x
    return least, most


def combine(rows: Sequence[IntegerRow], y: Sequence[int]) -> IntegerRow:
    """The row that multipliers make of base rows; a negative multiplier uses the other bound."""
    used = [(f, row) for f, row in zip(y, rows, strict=True) if f]
    a = [0] * len(rows[0].a)
    low = high = 0
    for f, row in used:
        a = [x + f * v for x, v in zip(a, row.a, strict=True)]
        low += f * (row.low if f > 0 else row.high)
        high += f * (row.high if f > 0 else row.low)
    shared = gcd(*a) or 1
    return IntegerRow(tuple(x // shared for x in a), -(-low // shared), high // shared, tuple(y))


def fails(row: IntegerRow, low: Sequence[int], high: Sequence[int]) -> bool:
    """Whether a row holds nowhere in a box."""
    least, most = reach(row.a, low, high)
    return least > row.high or most < row.low or row.low > row.high


def branch_and_bound(
    problem: IntegerRows[W],
    rows: Sequence[IntegerRow],
    limit: int | None,
    deadline: Budget,
    *,
    with_programs: bool,
) -> SearchOutcome[W]:
    """Boxes one after the other, so many at most; ``rows`` are the base rows, and others made from them, that trim."""
    program = None
    if with_programs:
        from scoreproof.solve.linear_programs import BoxProgram

        program = BoxProgram(problem.rows)
    nearest = NearestPoints(rows, problem.least, problem.most) if len(problem.least) <= _FEW else None
    proof: list[Any] = []
    boxes = 0
    stack = [(list(problem.least), list(problem.most))]
    while stack:
        low, high = stack.pop()
        boxes += 1
        deadline.charge(_WITH_PROGRAM if with_programs else _WITHOUT)
        if (limit is not None and boxes > limit) or deadline.passed:
            return SearchOutcome(nodes=boxes)
        if (program is None or boxes > 1) and not propagate(rows, low, high, proof):
            continue
        relaxed = _relaxed(problem.rows, program, low, high)
        if relaxed.y is not None:
            proof.append(["out", relaxed.y])
            continue
        point = nearest.point(low, high, relaxed.guess) if nearest else _repaired(rows, low, high, relaxed.guess)
        witness = None if point is None else problem.accept(point)
        if witness is not None:
            return SearchOutcome(witness, nodes=boxes)
        at = relaxed.branch
        if at is None or low[at] == high[at]:
            widths = [b - a for a, b in zip(low, high, strict=True)]
            at = widths.index(max(widths))
        if low[at] == high[at]:
            failing = next((row for row in rows if fails(row, low, high)), None)
            if failing is None:  # rounded coefficients cannot tell a tie
                return SearchOutcome(nodes=boxes)
            proof.append(["out", list(failing.y)])
            continue
        middle = min(max(relaxed.guess[at], low[at]), high[at] - 1)
        proof.append(["cut", at, middle])
        first, second = list(high), list(low)
        first[at], second[at] = middle, middle + 1
        stack += [(second, high), (low, first)]
    return SearchOutcome(proof=proof, nodes=boxes)


def _relaxed(rows: Sequence[IntegerRow], program: BoxProgram | None, low: list[int], high: list[int]) -> SolvedBox:
    """Multipliers that refute a box, or where to look and to cut: its middle, or what a linear program says."""
    if program is None:
        return SolvedBox(None, [(a + b) // 2 for a, b in zip(low, high, strict=True)], None)
    for inside in (_INSIDE, 0.0):
        relaxed = program.solve(low, high, inside=inside)
        if relaxed.y is None or fails(combine(rows, relaxed.y), low, high):
            return relaxed
    return relaxed._replace(y=None)


def propagate(rows: Sequence[IntegerRow], low: list[int], high: list[int], proof: list[Any]) -> bool:
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


def _repaired(rows: Sequence[IntegerRow], low: list[int], high: list[int], guess: list[int]) -> list[int] | None:
    """A point of the box that fits every row, by moving one variable of a guess after the other; None if that fails."""
    x = [min(max(g, a), b) for g, a, b in zip(guess, low, high, strict=True)]
    sums = [sum(map(mul, row.a, x)) for row in rows]
    for _ in range(_MOVES):
        off = _off(rows, sums)
        if not any(off):
            return x
        worst = off.index(max(off))
        row, total = rows[worst], sums[worst]
        want = row.low - total if total < row.low else row.high - total
        best: tuple[float, int, int, list[int]] | None = None
        for k, a in enumerate(row.a):
            if a:
                step = -(-want // a) if (want > 0) == (a > 0) else want // a
                step = min(max(x[k] + step, low[k]), high[k]) - x[k]
                moved = [s + r.a[k] * step for s, r in zip(sums, rows, strict=True)]
                cost = sum(_off(rows, moved))
                if step and (best is None or cost < best[0]):
                    best = (cost, k, step, moved)
        if best is None:
            return None
        _, k, step, sums = best
        x[k] += step
    return None


def _off(rows: Sequence[IntegerRow], sums: Sequence[int]) -> list[float]:
    """How far each sum is from its interval, in lengths of that."""
    return [
        max(row.low - total, total - row.high, 0) / max(1, row.high - row.low + 1)
        for row, total in zip(rows, sums, strict=True)
    ]


HalfPlane = tuple[int, int, int]


def floor_sum(terms: int, a: int, b: int, m: int) -> int:
    """The sum of floor((a i + b) / m) over i = 0 ... terms - 1, for m > 0.

    >>> floor_sum(4, 3, -1, 2) == sum((3 * i - 1) // 2 for i in range(4))
    True
    """
    total = 0
    while True:
        total += (a // m) * terms * (terms - 1) // 2 + (b // m) * terms
        a, b = a % m, b % m
        top = a * terms + b
        if top < m:
            return total
        terms, b, m, a = top // m, top % m, a, m


def count_points(lowers: list[HalfPlane], uppers: list[HalfPlane], width: int, height: int) -> int:
    """Integer points of a rectangle with A x + B y >= R for all ``lowers`` and <= R for all ``uppers``."""
    left, right = 0, width
    floors: list[HalfPlane] = [(0, 1, 0)]  # y >= (R - A x) / B
    ceilings: list[HalfPlane] = [(0, 1, height)]
    for a, b, r in lowers:
        if b:
            floors.append((a, b, r))
        else:
            left = max(left, -(-r // a))
    for a, b, r in uppers:
        if b:
            ceilings.append((a, b, r))
        else:
            right = min(right, r // a)
    if left > right:
        return 0
    stops = sorted({left, right + 1, *_crossings(floors + ceilings, left, right)})
    return sum(_between(floors, ceilings, start, stop) for start, stop in pairwise(stops))


def _crossings(lines: list[HalfPlane], left: int, right: int) -> set[int]:
    """The first integers right of every point where two lines cross."""
    stops: set[int] = set()
    for k, (a1, b1, r1) in enumerate(lines):
        for a2, b2, r2 in lines[:k]:
            slope = a1 * b2 - a2 * b1
            if slope:
                x = (r1 * b2 - r2 * b1) // slope + 1
                stops |= {stop for stop in (x - 1, x) if left < stop <= right}
    return stops


def _between(floors: list[HalfPlane], ceilings: list[HalfPlane], start: int, stop: int) -> int:
    """Points with start <= x < stop, where no two lines cross strictly between start and stop - 1."""
    middle = start + stop - 1  # twice the middle of the stretch
    bottom = max(floors, key=lambda line: _height(line, middle))
    top = min(ceilings, key=lambda line: _height(line, middle))
    if _height(bottom, middle) > _height(top, middle):
        return 0
    terms = stop - start
    (a, b, r), (c, d, s) = bottom, top
    under_top = floor_sum(terms, -c, s - c * start, d)
    # ceil((r - a x) / b) = -floor((a x - r) / b)
    to_bottom = -floor_sum(terms, a, a * start - r, b)
    return under_top - to_bottom + terms


def _height(line: HalfPlane, twice_x: int) -> Fraction:
    a, b, r = line
    return Fraction(2 * r - a * twice_x, b)
