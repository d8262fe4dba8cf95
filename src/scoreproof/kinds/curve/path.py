"""A ROC curve as a walk on the grid of counts, with exact areas and harmonic sums between rationals.

Sums of i / (x + i), the precisions of positives that follow x negatives, between rationals.

Short sums are added up in fixed point, each term rounded down and up. Long ones go in blocks: 1 / i is convex, so the
terms of a block average at least the one in the middle and at most the mean of both ends.

The cases in order of their scores are a walk from (0, 0) to (n, p): a positive goes up, a negative to the right, cases
of one score go together. Between two vertices the walk is free in a rectangle, and any two walks in it are linked by
single cells: hence twice the area, counted in cells, can be every whole number between the lowest and the highest walk
(every even one without ties).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.results import Tabular

Ends = tuple[Fraction, Fraction]
_ONE = 1 << 96
_TERMS = 512  # added up one by one
_FINENESS = 256  # a block is so much shorter than its first number


@lru_cache(maxsize=4096)
def run_of_positives(x: int, before: int, after: int) -> Ends:
    """Rationals around the sum of i / (x + i) for i from ``before`` + 1 to ``after``.

    >>> [float(end) for end in run_of_positives(1, 0, 2)]
    [1.1666666666666667, 1.1666666666666667]
    """
    count = after - before
    if count <= 0 or x == 0:
        return Fraction(max(count, 0)), Fraction(max(count, 0))
    low, high = _reciprocals(x + before, x + after)
    return Fraction(count * _ONE - x * high, _ONE), Fraction(count * _ONE - x * low, _ONE)


def _reciprocals(before: int, after: int) -> tuple[int, int]:
    """Whole numbers around the sum of 1 / i for i from ``before`` + 1 to ``after``, in units of 1 / _ONE."""
    low = high = 0
    stop = min(after, before + _TERMS)
    for i in range(before + 1, stop + 1):
        term = _ONE // i
        low += term
        high += term + 1
    while stop < after:
        first = stop + 1
        stop = min(after, stop + max(1, first // _FINENESS))
        length = stop - first + 1
        low += 2 * length * _ONE // (first + stop)
        high += (length * _ONE * (first + stop)) // (2 * first * stop) + 1
    return low, high


Vertex = tuple[int, int]  # false positives, true positives
_SHOWN = 8  # vertices in a sentence


@dataclass(frozen=True, slots=True)
class Curve(Tabular):
    """The vertices (fp, tp) of a ROC curve; ``matrix`` is the one at its operating point.

    Straight up or straight to the right are cases of different scores, a slope is one tie. A curve that was drawn
    instead of counted (see ``bounds``) has its vertices in ``parts`` of a case. With ``sides_tied`` a straight side
    is one tie, too: the area is the same, but positives that share a score have the precision of the last of them.
    """

    vertices: tuple[Vertex, ...]
    matrix: ConfusionMatrix
    parts: int = 1
    sides_tied: bool = False

    @property
    def sound(self) -> bool:
        """Whether it is a walk from no case to all cases of the matrix, through the matrix."""
        if self.parts < 1:
            return False
        at, all_cases = (
            (self.parts * across, self.parts * up)
            for across, up in ((self.matrix.fp, self.matrix.tp), (self.matrix.n, self.matrix.p))
        )
        ends = self.vertices[:1] == ((0, 0),) and self.vertices[-1:] == (all_cases,)
        onwards = all(a <= c and b <= d for (a, b), (c, d) in pairwise(self.vertices))
        return ends and onwards and min(self.matrix.cells) >= 0 and at in self.vertices

    @property
    def untied(self) -> bool:
        steps = [(c - a, d - b) for (a, b), (c, d) in pairwise(self.vertices)]
        return all(0 in step and (sum(step) <= 1 or not self.sides_tied) for step in steps)

    @property
    def concave(self) -> bool:
        """Whether no slope is steeper than the one before."""
        steps = [(c - a, d - b) for (a, b), (c, d) in pairwise(self.vertices) if (a, b) != (c, d)]
        return all(right * more <= up * further for (right, up), (further, more) in pairwise(steps))

    @property
    def twice_area(self) -> int:
        """2 p n AUC, in parts of cases."""
        return sum((c - a) * (b + d) for (a, b), (c, d) in pairwise(self.vertices))

    @property
    def auc(self) -> Fraction:
        return Fraction(self.twice_area, 2 * self.matrix.p * self.matrix.n * self.parts**2)

    def average_precision(self) -> Ends:
        """Rationals around the average precision."""
        low = high = Fraction(0)
        for (a, b), (c, d) in pairwise(self.vertices):
            if a == c and not self.sides_tied:
                least, most = run_of_positives(a, b, d)
            else:
                least = most = Fraction((d - b) * d, c + d) if d > b else Fraction(0)
            low, high = low + least, high + most
        return low / self.matrix.p, high / self.matrix.p

    def trapezoids(self) -> Ends:
        """Rationals around the area under the precision-recall curve by trapezoids, from precision 1 at recall 0."""
        low = high = Fraction(0)
        for (a, b), (c, d) in pairwise(self.vertices):
            if a == c and not self.sides_tied:
                own, shifted = run_of_positives(a, b, d), run_of_positives(a, b - 1, d - 1)
                least, most = (own[0] + shifted[0]) / 2, (own[1] + shifted[1]) / 2
            else:
                before = Fraction(b, a + b) if a + b else Fraction(1)
                least = most = (d - b) * (before + Fraction(d, c + d)) / 2
            low, high = low + least, high + most
        return low / self.matrix.p, high / self.matrix.p

    def _case(self, units: int) -> str:
        return str(units) if self.parts == 1 else f"{units / self.parts:.6g}"

    def _rows(self) -> list[dict[str, Any]]:
        if self.parts == 1:
            return [{"fp": fp, "tp": tp} for fp, tp in self.vertices]
        return [{"fp": fp / self.parts, "tp": tp / self.parts} for fp, tp in self.vertices]

    def __str__(self) -> str:
        shown = [f"({self._case(fp)}, {self._case(tp)})" for fp, tp in self.vertices]
        if len(shown) > _SHOWN:
            shown = [*shown[: _SHOWN - 2], "...", shown[-1]]
        return f"the {'concave ' * (self.parts > 1)}ROC curve through (fp, tp) = {', '.join(shown)}"


def walk_of(matrix: ConfusionMatrix, twice_area: int) -> Curve:
    """A curve through a matrix with a given 2 p n AUC, which must lie between the lowest and the highest walk.

    >>> walk_of(ConfusionMatrix(tp=1, fp=1, fn=1, tn=1), 3).vertices
    ((0, 0), (1, 1), (2, 1), (2, 2))
    """
    return walk_through(matrix, [(matrix.fp, matrix.tp)], twice_area)


def walk_through(matrix: ConfusionMatrix, points: Sequence[Vertex], twice_area: int) -> Curve:
    """A curve with a given 2 p n AUC through points (fp, tp) of which each is comparable with each."""
    stops = sorted({(0, 0), *points, (matrix.n, matrix.p)})
    more = twice_area - sum(2 * (c - a) * b for (a, b), (c, _) in pairwise(stops))
    vertices: list[Vertex] = [(0, 0)]
    for (x, y), (right, up) in pairwise(stops):
        own = max(0, min(more, 2 * (right - x) * (up - y)))
        more -= own
        for dx, dy in _within(right - x, up - y, own):
            if (x + dx, y + dy) != vertices[-1]:
                vertices.append((x + dx, y + dy))
    if more:
        raise InvalidValue(f"twice_area: no curve through {points} has {twice_area}")
    return Curve(tuple(vertices), matrix)


def _within(width: int, height: int, twice_area: int) -> Iterator[Vertex]:
    """A walk from (0, 0) to (width, height) under which twice the area is as asked."""
    rows, rest = divmod(twice_area, 2 * width) if width else (0, 0)
    yield 0, rows
    if rest:
        across = width - (rest + 1) // 2
        yield across, rows
        yield across + rest % 2, rows + 1
        yield width, rows + 1
    else:
        yield width, rows
    yield width, height


_CURVES_SHOWN = 3  # curves in a sentence


@dataclass(frozen=True, slots=True)
class Curves(Tabular):
    """One ROC curve per evaluation set, each through the confusion matrix of its operating point."""

    curves: tuple[Curve, ...]

    def _rows(self) -> list[dict[str, Any]]:
        return [{"set": number, **row} for number, curve in enumerate(self.curves, start=1) for row in curve._rows()]

    def __str__(self) -> str:
        shown = [f"{curve} with {curve.matrix}" for curve in self.curves[:_CURVES_SHOWN]]
        more = len(self.curves) - len(shown)
        return "; ".join(shown) + (f"; and {more} more" if more else "")
