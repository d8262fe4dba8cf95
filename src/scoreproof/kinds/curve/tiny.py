"""Few cases: every ranking of them is tried, as far as rankings differ in their areas.

A ranking is told by its groups of positives that share a score, each with the negatives that share it, too, and by the
negatives before each group: how those are ranked among themselves changes nothing. Areas are carried along in floats,
which propose; whether a curve gives the report is judged exactly, elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import NamedTuple

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve, Vertex
from scoreproof.kinds.curve.problem import CurveProblem

_MOST = 100_000  # rankings
_FEW, _CELLS = 12, 300  # positives, and cells, of which rankings are counted
_SLACK = 1e-9
_AREAS = ("auc", "ap", "best_acc")  # of an area by trapezoids the curve itself is asked


@lru_cache(maxsize=4096)
def rankings(p: int, n: int, ties: bool) -> int:
    """How many rankings differ.

    >>> rankings(1, 1, True), rankings(2, 2, False)
    (3, 6)
    """
    if not ties or p == 0:
        return comb(p + n, p) if p else 1
    # the group of p - d positives ends with ``rest`` negatives left, and begins with none to all of the others
    return sum((n - rest + 1) * rankings(d, rest, True) for d in range(p) for rest in range(n + 1))


def is_tiny(p: int, n: int, *, ties: bool) -> bool:
    """Whether all rankings can be tried."""
    return p <= _FEW and p * n <= _CELLS and rankings(p, n, ties) <= _MOST


class _Begun(NamedTuple):
    """A curve up to the end of a group: its vertices, twice its area, its precisions, and the best right answers."""

    walk: tuple[Vertex, ...]
    area: float
    precise: float
    right: int


def tiny_curves(problem: CurveProblem, p: int, n: int, points: Collection[Vertex]) -> Iterator[Curve]:
    """Curves through one of the points (fp, tp) that seem to give every area."""
    ends = {claim.quantity.name: (float(claim.low) - _SLACK, float(claim.high) + _SLACK) for claim in problem.areas}
    wanted = [(place, *ends[name]) for place, name in enumerate(_AREAS) if name in ends]
    stack = [_Begun(((0, 0),), 0.0, 0.0, n)]
    while stack:
        begun = stack.pop()
        x, y = begun.walk[-1]
        if y < p:
            stack += _onwards(begun, p, n, problem.ties)
            continue
        values = (begun.area + 2 * p * (n - x)) / (2 * p * n), begun.precise / p, begun.right / (p + n)
        if all(low <= values[place] <= high for place, low, high in wanted):
            yield from _through((*begun.walk, (n, p)), points, p, n)


def _onwards(begun: _Begun, p: int, n: int, ties: bool) -> Iterator[_Begun]:
    """The curve with one more group: from (a, y), after a - x negatives, to (c, d)."""
    x, y = begun.walk[-1]
    for a in range(x, n + 1):
        for c in range(a, n + 1 if ties else a + 1):
            for d in range(y + 1, p + 1 if ties else y + 2):
                yield _Begun(
                    (*begun.walk, (a, y), (c, d)),
                    begun.area + 2 * (a - x) * y + (c - a) * (y + d),
                    begun.precise + (d - y) * d / (c + d),
                    max(begun.right, d + n - c),
                )


def _through(walk: tuple[Vertex, ...], points: Collection[Vertex], p: int, n: int) -> Iterator[Curve]:
    """The curve through a point that is one of its vertices, or between negatives that are ranked one by one."""
    places = set(walk)
    for (a, b), (c, d) in pairwise(walk):
        if b == d:
            places |= {(x, b) for x in range(a, c)}
    for fp, tp in sorted(places & set(points))[:1]:
        yield Curve(tuple(sorted(places)), ConfusionMatrix(tp, fp, p - tp, n - fp), sides_tied=True)
