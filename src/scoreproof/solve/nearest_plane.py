"""Whole points near the middles of rows, by the nearest plane (Babai 1986, doi:10.1007/BF02579403).

Measured by the rows, in lengths of their intervals, the whole points are a lattice. In a reduced basis of it (Lenstra,
Lenstra and Lovász 1982, doi:10.1007/BF01457454) the point where one coordinate after the other is rounded lies near the
one that was wanted. Plain Python, which for a few variables is faster than arrays. Floats only propose.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import TYPE_CHECKING, Any

from scoreproof.work.budget import NEVER, Budget

if TYPE_CHECKING:
    from scoreproof.solve.integer_rows import IntegerRow

_DELTA = 0.98
_MOST_STEPS = 20_000
_STEPS, _STEP = 50, 2.5e-5  # between two looks at the clock, and the seconds of one
_TINY = 1e-30
_WHOLE = 2.0**52  # from here on floats name no whole number: vectors that depend on each other, all but for noise
_ROOM = 2.4  # how much the whole range of a variable weighs against half the width of a row

Vector = list[float]


class ReducedBasis:
    """Vectors reduced after Lenstra, Lenstra and Lovász; ``whole`` says how each is made of those that were given."""

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
