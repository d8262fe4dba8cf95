"""Branching on functionals of a reduced lattice basis (Lenstra 1983, doi:10.1287/moor.8.4.538).

The points that nearly meet the rows form a thin body, and cutting it at one variable after the other takes thousands of
boxes. In a reduced basis of the lattice (Lenstra, Lenstra and Lovász 1982, doi:10.1007/BF01457454), measured by the
rows, the same body is round; a coordinate g . x in that basis is a whole number for every point and takes only a few
values in it. So the search divides by such values, and the lattice point nearest to the middle of what is left, that
of the nearest plane (Babai 1986, doi:10.1007/BF02579403), is often a witness. One more step of the proof:

    ["plane", [g], b]                      two parts: g . x at most b, then above b; a further row in either

Multipliers of "out" below are over the base rows and then the planes passed so far. Floats only propose.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.solve.integer_rows import IntegerRow, IntegerRows, SearchOutcome, combine, fails, reach
from scoreproof.solve.linear_programs import LatticeProgram
from scoreproof.work.budget import Budget, OutOfTime

_DELTA = 0.98
_MOST_STEPS = 20_000
_TINY = 1e-30
_WHOLE = 2.0**52  # from here on floats name no whole number: vectors that depend on each other, all but for noise
_STEPS, _STEP = 50, 2.5e-5  # between two looks at the clock, and the seconds of one


class ReducedBasis:
    """A basis reduced after Lenstra, Lenstra and Lovász; ``whole @ given`` is the reduced one."""

    def __init__(self, given: Floats, deadline: Budget) -> None:
        self.basis = np.array(given, dtype=np.float64)
        self.whole: Ints = np.eye(len(given), dtype=np.int64)
        self._reduce(deadline)
        self._orthogonal, self._lengths, _ = _orthogonal(self.basis)

    def _reduce(self, deadline: Budget) -> None:
        basis, whole, count = self.basis, self.whole, len(self.basis)
        _, lengths, shares = _orthogonal(basis)

        def subtract(k: int, j: int) -> None:
            times = np.rint(shares[k, j])
            if 0 < abs(times) < _WHOLE:
                basis[k] -= times * basis[j]
                whole[k] -= int(times) * whole[j]
                shares[k, :j] -= times * shares[j, :j]
                shares[k, j] -= times

        k = 1
        for step in range(_MOST_STEPS):
            if step % _STEPS == 0:
                deadline.charge(_STEPS * _STEP)
                if deadline.passed:
                    return
            if k >= count:
                return
            subtract(k, k - 1)
            share = shares[k, k - 1]
            if lengths[k] >= (_DELTA - share**2) * lengths[k - 1]:
                for j in range(k - 2, -1, -1):
                    subtract(k, j)
                k += 1
                continue
            # exchange k and k - 1, and update instead of starting over
            length = lengths[k] + share**2 * lengths[k - 1]
            for table in (basis, whole):
                table[[k, k - 1]] = table[[k - 1, k]]
            shares[[k, k - 1], : k - 1] = shares[[k - 1, k], : k - 1]
            shares[k, k - 1] = share * lengths[k - 1] / length
            lengths[k] = lengths[k - 1] * lengths[k] / length
            lengths[k - 1] = length
            above = shares[k + 1 :, k].copy()
            shares[k + 1 :, k] = shares[k + 1 :, k - 1] - share * above
            shares[k + 1 :, k - 1] = above + shares[k, k - 1] * shares[k + 1 :, k]
            k = max(k - 1, 1)

    def nearest(self, targets: Floats) -> Ints:
        """The coefficients, in the basis that was given, of lattice points near targets, one in each row."""
        rest = targets.copy()
        taken = np.zeros((len(targets), len(self.basis)), dtype=np.int64)
        for k in range(len(self.basis) - 1, -1, -1):
            times = np.rint(rest @ self._orthogonal[k] / self._lengths[k])
            times[np.abs(times) >= _WHOLE] = 0.0
            rest -= times[:, None] * self.basis[k]
            taken[:, k] = times
        combined: Ints = taken @ self.whole
        return combined


def _orthogonal(basis: Floats) -> tuple[Floats, Floats, Floats]:
    """Orthogonal vectors, their squared lengths, and the share of each in the rows of a basis."""
    count = len(basis)
    vectors, lengths, shares = np.zeros_like(basis), np.zeros(count), np.zeros((count, count))
    for k in range(count):
        shares[k, :k] = vectors[:k] @ basis[k] / lengths[:k]
        vectors[k] = basis[k] - shares[k, :k] @ vectors[:k]
        lengths[k] = max(float(vectors[k] @ vectors[k]), _TINY)
    return vectors, lengths, shares


_ROOM = 2.4  # how much the whole range of a variable weighs against half the width of a row
_LOOKED = 4  # planes of which the least number of values is looked for
_MOST_VALUES = 2_000
_CLOSE = 1e-6

W = TypeVar("W")


class _Accepted(Exception):
    """A witness ends the search wherever it is."""


class _Stuck(Exception):
    """A part that cannot be closed or divided."""


class _Part(NamedTuple):
    """The rows of the planes passed so far, and by plane its bounds with the number of their row, from either side."""

    rows: tuple[IntegerRow, ...] = ()
    lows: dict[int, tuple[int, int]] = {}  # noqa: RUF012  # never changed
    highs: dict[int, tuple[int, int]] = {}  # noqa: RUF012


class LatticeBranching(Generic[W]):
    """Divides whole numbers by planes until every part is closed or a witness is met."""

    def __init__(self, problem: IntegerRows[W], deadline: Budget) -> None:
        self._problem, self._deadline = problem, deadline
        self._nodes = 0
        self._witness: W | None = None
        half = np.array([max((row.high - row.low) / 2, 0.5) for row in problem.rows])
        rows = np.array([[a / h for a in row.a] for row, h in zip(problem.rows, half, strict=True)]).T
        ranges = np.array([max(b - a, 1) for a, b in zip(problem.least, problem.most, strict=True)], dtype=np.float64)
        self._measure = np.hstack([rows, np.diag(_ROOM / ranges)])
        try:
            self._basis = ReducedBasis(self._measure, deadline)
            self._planes = self._inverse()
        except (np.linalg.LinAlgError, OverflowError):  # rows too long for floats
            self._planes = None

    def _inverse(self) -> Ints | None:
        """The coordinates in the reduced basis as functionals (a row each); None if floats lost them."""
        whole = self._basis.whole
        planes: Ints = np.rint(np.linalg.inv(whole.astype(np.float64))).T.astype(np.int64)
        exact = planes.astype(object) @ whole.T.astype(object)
        return planes if bool((exact == np.eye(len(whole), dtype=object)).all()) else None

    def run(self) -> SearchOutcome[W]:
        """What became of it in time."""
        problem = self._problem
        if self._planes is None:
            return SearchOutcome()
        self._program = LatticeProgram(problem.rows, problem.least, problem.most, self._planes)
        try:
            steps = self._closed(_Part(), list(range(len(self._planes))))
        except _Accepted:
            return SearchOutcome(self._witness, nodes=self._nodes)
        except (_Stuck, OutOfTime, RecursionError):
            return SearchOutcome(nodes=self._nodes)
        return SearchOutcome(proof=steps, nodes=self._nodes)

    def _closed(self, part: _Part, free: list[int]) -> list[list[Any]]:
        """The steps that close a part."""
        self._nodes += 1
        self._deadline.tick()
        multipliers = self._program.multipliers(*_bounds(part), self._deadline)
        if multipliers is not None:
            return self._out(part, multipliers)
        ranges = self._ranges(part, free)
        if not ranges:
            raise _Stuck
        plane, low, high = min(ranges, key=lambda each: each[2] - each[1])
        if high - low > _MOST_VALUES:
            raise _Stuck
        g = self._functional(plane)
        rest = [other for other in free if other != plane]
        above = [part]  # what is left after each step
        for value in range(low, high + 2):
            above.append(self._with(above[-1], plane, low=value))
        first = self._shut(self._with(part, plane, high=low - 1))
        last = self._shut(above[-1])
        inner = {}
        for value in sorted(range(low, high + 1), key=lambda v: abs(2 * v - low - high)):
            inner[value] = self._closed(self._with(above[1 + value - low], plane, high=value), rest)
        steps: list[list[Any]] = [["plane", g, low - 1], *first]
        for value in range(low, high + 1):
            steps += [["plane", g, value], *inner[value]]
        return steps + last

    def _shut(self, part: _Part) -> list[list[Any]]:
        """The step that closes a part beyond all values of a plane."""
        multipliers = self._program.multipliers(*_bounds(part), self._deadline)
        if multipliers is None:
            raise _Stuck
        return self._out(part, multipliers)

    def _ranges(self, part: _Part, free: list[int]) -> list[tuple[int, int, int]]:
        """Planes with the least and the most value each has in a part; looks for a witness in the middle of it."""
        ranges: list[tuple[int, int, int]] = []
        seen: list[Floats] = []
        for plane in free[::-1][:_LOOKED]:
            ends = [self._program.extreme(*_bounds(part), plane, sign, self._deadline) for sign in (-1, 1)]
            if ends[0] is None or ends[1] is None:
                continue
            (low, first), (high, second) = ends[0], ends[1]
            seen += [first, second]
            close = _CLOSE * max(1, *map(abs, self._functional(plane)))  # a solver keeps to its bounds only so far
            ranges.append((plane, ceil(low - close), floor(high + close)))
            if ranges[-1][2] < ranges[-1][1]:
                return ranges[-1:]
        if seen:
            self._try(np.mean(seen, axis=0))
        return ranges

    def _try(self, middle: Floats) -> None:
        """End the search if the lattice point nearest to the middle of a part is a witness."""
        problem = self._problem
        for x in (*self._basis.nearest((middle @ self._measure)[None]), np.rint(middle)):
            point = [int(v) for v in x]
            inside = all(a <= v <= b for a, v, b in zip(problem.least, point, problem.most, strict=True))
            if inside and all(
                row.low <= sum(a * v for a, v in zip(row.a, point, strict=True)) <= row.high for row in problem.rows
            ):
                self._witness = problem.accept(point)
                if self._witness is not None:
                    raise _Accepted

    def _functional(self, plane: int) -> list[int]:
        assert self._planes is not None
        return [int(a) for a in self._planes[plane]]

    def _with(self, part: _Part, plane: int, *, low: int | None = None, high: int | None = None) -> _Part:
        """A part on one side of a plane: its values at least, or at most, a number."""
        g = tuple(self._functional(plane))
        least, most = reach(g, self._problem.least, self._problem.most)
        at = len(part.rows)
        if low is not None:
            return _Part((*part.rows, IntegerRow(g, low, most, ())), part.lows | {plane: (low, at)}, part.highs)
        assert high is not None
        return _Part((*part.rows, IntegerRow(g, least, high, ())), part.lows, part.highs | {plane: (high, at)})

    def _out(self, part: _Part, multipliers: tuple[list[int], dict[int, int]]) -> list[list[Any]]:
        """The step that closes a part by multipliers of base rows and planes, if they do so in whole numbers."""
        problem = self._problem
        base, planes = multipliers
        for sign in (1, -1):
            y = [sign * f for f in base] + [0] * len(part.rows)
            for plane, f in planes.items():
                ends = part.lows if sign * f > 0 else part.highs
                if plane in ends:
                    y[len(base) + ends[plane][1]] = sign * f
            if fails(combine([*problem.rows, *part.rows], y), problem.least, problem.most):
                return [["out", y]]
        raise _Stuck


def _bounds(part: _Part) -> tuple[dict[int, int], dict[int, int]]:
    """By plane, what its values are at least and at most."""
    return tuple({plane: end for plane, (end, _) in ends.items()} for ends in (part.lows, part.highs))  # type: ignore[return-value]
