"""Whole points under linear inequalities, by branch and bound over boxes (Land and Doig 1960, doi:10.2307/1910129).

A box is tightened by each row alone (bound propagation), refuted by a combination of rows that a linear program gives,
or cut in two; a rounded solution of the program may be a witness, or where variables are few the point of the nearest
plane (Babai 1986, doi:10.1007/BF02579403). Steps of the proof, in reading order:

    ["cut", v, b]                          two parts: variable v at most b, then above b
    ["trim", v, "below"|"above", b, [y]]   beyond b the row combined by y fails; go on with the rest
    ["out", [y]]                           the row combined by y fails in the whole box
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from operator import mul
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from scoreproof.work.budget import NEVER, Budget

if TYPE_CHECKING:
    from scoreproof.solve.linear_programs import BoxProgram

_ROUNDS = 6  # of bound propagation in one box
_INSIDE = 0.1  # of a row's width, kept off on either side so that a point survives rounding
_MOVES = 12  # of single variables of a rounded point
_FEW = 20  # variables whose basis is soon reduced in plain Python
_DELTA = 0.98
_MOST_STEPS = 20_000
_STEPS, _STEP = 50, 2.5e-5  # between two looks at the clock, and the seconds of one
_TINY = 1e-30
_WHOLE = 2.0**52  # from here on floats name no whole number: vectors that depend on each other, all but for noise
_ROOM = 2.4  # how much the whole range of a variable weighs against half the width of a row
_WITH_PROGRAM, _WITHOUT = 2e-3, 5e-4  # seconds of a box

W = TypeVar("W")
Vector = list[float]


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
    problem: IntegerRows[W], rows: Sequence[IntegerRow], limit: int | None, deadline: Budget, *, with_programs: bool
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
        at = _branching_variable(relaxed, low, high)
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


def _branching_variable(relaxed: SolvedBox, low: list[int], high: list[int]) -> int:
    """The variable to cut: as the linear program says, or the one with most values."""
    if relaxed.branch is not None and low[relaxed.branch] < high[relaxed.branch]:
        return relaxed.branch
    widths = [b - a for a, b in zip(low, high, strict=True)]
    return widths.index(max(widths))


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


class ReducedBasis:
    """Vectors reduced after Lenstra, Lenstra and Lovász; ``whole`` says how each is made of those that were given.

    In plain Python, which for a few vectors is faster than arrays.
    """

    def __init__(self, given: Sequence[Vector], deadline: Budget = NEVER) -> None:
        self.basis = list(given)
        self.whole = [[int(k == j) for j in range(len(given))] for k in range(len(given))]
        self._reduce(deadline)
        self._orthogonal, self._squares, _ = self._orthogonalised()

    def _orthogonalised(self) -> tuple[list[Vector], list[float], list[Vector]]:
        """Orthogonal vectors, their squared lengths, and the share of each in the vectors of the basis."""
        orthogonal: list[Vector] = []
        squares: list[float] = []
        shares: list[Vector] = []
        for vector in self.basis:
            own = [_dot(vector, other) / square for other, square in zip(orthogonal, squares, strict=True)]
            rest = vector
            for share, other in zip(own, orthogonal, strict=True):
                rest = _less(rest, share, other)
            orthogonal.append(rest)
            squares.append(max(_dot(rest, rest), _TINY))
            shares.append(own)
        return orthogonal, squares, shares

    def _reduce(self, deadline: Budget) -> None:
        basis, whole = self.basis, self.whole
        _, squares, shares = self._orthogonalised()
        k = 1
        for step in range(1, _MOST_STEPS):
            if step % _STEPS == 0:
                deadline.charge(_STEPS * _STEP)
            if k >= len(basis) or deadline.passed:
                return
            far = False
            for j in range(k - 1, -1, -1):
                times = round(shares[k][j]) if abs(shares[k][j]) < _WHOLE else 0
                if times:
                    basis[k], whole[k] = _less(basis[k], times, basis[j]), _less(whole[k], times, whole[j])
                    shares[k] = [*_less(shares[k][: j + 1], times, [*shares[j], 1.0]), *shares[k][j + 1 :]]
                share = shares[k][k - 1]
                far = squares[k] < (_DELTA - share**2) * squares[k - 1]
                if far:
                    break
            if not far:
                k += 1
                continue
            # exchange k and k - 1, and update instead of starting over
            square = squares[k] + share**2 * squares[k - 1]
            basis[k - 1 : k + 1] = basis[k], basis[k - 1]
            whole[k - 1 : k + 1] = whole[k], whole[k - 1]
            back = share * squares[k - 1] / square
            shares[k - 1], shares[k] = shares[k][:-1], [*shares[k - 1], back]
            squares[k - 1 : k + 1] = square, squares[k - 1] * squares[k] / square
            for later in shares[k + 1 :]:
                above = later[k]
                later[k] = later[k - 1] - share * above
                later[k - 1] = above + back * later[k]
            k = max(k - 1, 1)

    def nearest(self, target: Vector) -> list[int]:
        """The coefficients, in the vectors that were given, of a lattice point near a target."""
        taken = [0] * len(self.basis)
        for k in range(len(self.basis) - 1, -1, -1):
            times = _dot(target, self._orthogonal[k]) / self._squares[k]
            if 0.5 <= abs(times) < _WHOLE:
                target, taken = _less(target, round(times), self.basis[k]), _less(taken, -round(times), self.whole[k])
        return taken


def measured(rows: Sequence[IntegerRow], least: Sequence[int], most: Sequence[int]) -> list[Vector]:
    """By variable, what one more of it adds to rows, in halves of their widths, and to its own range."""
    return [
        [2 * row.a[k] / max(row.high - row.low, 1) for row in rows]
        + [_ROOM / max(b - a, 1) if k == j else 0.0 for j, (a, b) in enumerate(zip(least, most, strict=True))]
        for k in range(len(least))
    ]


class NearestPoints:
    """Points of boxes near the middles of some rows."""

    def __init__(self, rows: Sequence[IntegerRow], least: Sequence[int], most: Sequence[int]) -> None:
        self._rows, self._measure = rows, measured(rows, least, most)
        self._basis = ReducedBasis(self._measure)

    def point(self, low: Sequence[int], high: Sequence[int], guess: Sequence[int]) -> list[int] | None:
        """A point of a box that fits every row, near to a guess along what rows do not tell; None if it is not met."""
        x = [min(max(v, a), b) for v, a, b in zip(guess, low, high, strict=True)]
        off = [(row.low + row.high - 2 * sum(map(mul, row.a, x))) / max(row.high - row.low, 1) for row in self._rows]
        room = [vector[len(off) + k] for k, vector in enumerate(self._measure)]
        off += [each * (a + b - 2 * v) / 2 for a, b, v, each in zip(low, high, x, room, strict=True)]
        near = zip(x, self._basis.nearest(off), low, high, strict=True)
        x = [min(max(v + step, a), b) for v, step, a, b in near]
        return x if all(row.low <= sum(map(mul, row.a, x)) <= row.high for row in self._rows) else None


def _dot(first: Sequence[float], second: Sequence[float]) -> float:
    product: float = sum(map(mul, first, second))
    return product


def _less(first: Sequence[Any], times: float, second: Sequence[Any]) -> list[Any]:
    return [x - times * y for x, y in zip(first, second, strict=True)]
