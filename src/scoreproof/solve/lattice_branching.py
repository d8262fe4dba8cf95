"""Branching on functionals of a reduced lattice basis (Lenstra 1983, doi:10.1287/moor.8.4.538).

The points that nearly meet the rows form a thin body, and cutting it at one variable after the other takes thousands of
boxes. In a reduced basis of the lattice (Lenstra, Lenstra and Lovász 1982, doi:10.1007/BF01457454), measured by the
rows, the same body is round; a coordinate g . x in that basis is a whole number for every point and takes only a few
values in it. So the search divides at such values, and the lattice point nearest to a point of the relaxation, that of
the nearest plane (Babai 1986, doi:10.1007/BF02579403), is often a witness. One more step of the proof:

    ["plane", [g], b]                      two parts: g . x at most b, then above b; a further row in either

Multipliers of "out" below are over the base rows and then the planes passed so far. Floats only propose.
"""

from __future__ import annotations

from contextlib import suppress
from math import floor
from operator import mul
from typing import Any, NamedTuple, TypeVar

import numpy as np

from scoreproof.arrays import Ints
from scoreproof.solve.integer_rows import (
    IntegerRow,
    IntegerRows,
    ReducedBasis,
    SearchOutcome,
    combine,
    fails,
    measured,
    reach,
)
from scoreproof.solve.linear_programs import BoxProgram
from scoreproof.work.budget import Budget, OutOfTime

_LOOKED = 4  # planes of which the least number of values is looked for

W = TypeVar("W")
Ends = dict[int, tuple[int, int]]  # by plane: a bound of its values, and the number of its row


class _Part(NamedTuple):
    """The rows of the planes passed so far, and by plane its bounds from either side."""

    rows: tuple[IntegerRow, ...]
    lows: Ends
    highs: Ends

    def fixed(self, plane: int) -> bool:
        """Whether a plane has one value left."""
        return plane in self.lows and plane in self.highs and self.lows[plane][0] == self.highs[plane][0]


def branch_on_planes(problem: IntegerRows[W], deadline: Budget) -> SearchOutcome[W]:
    """Divide whole numbers by planes until every part is closed, a witness is met, or no more can be done in time."""
    proof: list[list[Any]] = []
    nodes = 0
    with suppress(np.linalg.LinAlgError, OverflowError, OutOfTime):  # rows too long for floats, or too little time
        measure = measured(problem.rows, problem.least, problem.most)
        basis = ReducedBasis(measure, deadline)
        planes = _coordinates(np.array(basis.whole))
        program = BoxProgram(problem.rows, planes)
        stack = [_Part((), {}, {})]
        while stack:
            part = stack.pop()
            nodes += 1
            deadline.tick()
            y = _refuted(problem, program, part, deadline)
            if y is not None:
                proof.append(["out", y])
                continue
            free = [plane for plane in range(len(planes)) if not part.fixed(plane)][-_LOOKED:]
            if not free:
                break
            ends = np.array([[program.along(sign * planes[plane], deadline) for plane in free] for sign in (1, -1)])
            middle = ends.mean(axis=(0, 1))
            for x in (basis.nearest((middle @ np.array(measure)).tolist()), np.rint(middle)):
                witness = _accepted(problem, [int(v) for v in x])
                if witness is not None:
                    return SearchOutcome(witness, nodes=nodes)
            plane = min(zip(((ends[1] - ends[0]) * planes[free]).sum(axis=1), free, strict=True))[1]
            value = floor(float(planes[plane] @ middle))
            value = min(value, part.highs[plane][0] - 1) if plane in part.highs else value
            value = max(value, part.lows[plane][0]) if plane in part.lows else value
            proof.append(["plane", [int(a) for a in planes[plane]], value])
            stack += _divided(problem, part, plane, proof[-1][1], value)
        else:
            return SearchOutcome(proof=proof, nodes=nodes)
    return SearchOutcome(nodes=nodes)


def _coordinates(whole: Ints) -> Ints:
    """The coordinates in a basis as functionals, a row each."""
    planes: Ints = np.rint(np.linalg.inv(whole.astype(np.float64))).T.astype(np.int64)
    if not bool((planes.astype(object) @ whole.T.astype(object) == np.eye(len(whole), dtype=object)).all()):
        raise OverflowError
    return planes


def _refuted(problem: IntegerRows[W], program: BoxProgram, part: _Part, deadline: Budget) -> list[int] | None:
    """Multipliers of base rows and of planes passed that refute a part in whole numbers; None if none were seen."""
    ends = [{plane: end for plane, (end, _) in own.items()} for own in (part.lows, part.highs)]
    multipliers = program.solve(problem.least, problem.most, planes=ends, deadline=deadline).y
    base = len(problem.rows)
    if multipliers is None:
        return None
    for sign in (1, -1):
        y = [sign * f for f in multipliers] + [0] * len(part.rows)
        for plane, f in enumerate(y[base : len(multipliers)]):
            own = part.lows if f > 0 else part.highs
            if f and plane in own:
                y[len(multipliers) + own[plane][1]] = f
        del y[base : len(multipliers)]
        if fails(combine([*problem.rows, *part.rows], y), problem.least, problem.most):
            return y
    return None


def _accepted(problem: IntegerRows[W], point: list[int]) -> W | None:
    """The witness of a point, if it meets all bounds and has one."""
    inside = all(a <= v <= b for a, v, b in zip(problem.least, point, problem.most, strict=True))
    met = inside and all(row.low <= sum(map(mul, row.a, point)) <= row.high for row in problem.rows)
    return problem.accept(point) if met else None


def _divided(problem: IntegerRows[W], part: _Part, plane: int, g: list[int], value: int) -> list[_Part]:
    """A part above a value of a plane, and below it."""
    least, most = reach(g, problem.least, problem.most)
    at = len(part.rows)
    above, below = (IntegerRow(tuple(g), low, high, ()) for low, high in ((value + 1, most), (least, value)))
    return [
        part._replace(rows=(*part.rows, above), lows={**part.lows, plane: (value + 1, at)}),
        part._replace(rows=(*part.rows, below), highs={**part.highs, plane: (value, at)}),
    ]
