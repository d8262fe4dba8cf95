"""A ROC curve as a walk on the grid of counts, and branch and bound (Land and Doig 1960) over several of its points.

The cases in order of their scores are a walk from (0, 0) to (n, p): a positive goes up, a negative to the right, cases
of one score go together. Between two vertices the walk is free in a rectangle, and any two walks in it are linked by
single cells: hence twice the area, counted in cells, can be every whole number between the lowest and the highest walk
(every even one without ties).

Sums of i / (x + i), the precisions of positives that follow x negatives, lie between rationals. Short sums are added up
in fixed point, each term rounded down and up. Long ones go in blocks: 1 / i is convex, so the terms of a block average
at least the one in the middle and at most the mean of both ends.

A curve through several points (fp, tp) runs above everything to the right of and below one of them, and below
everything to the left of and above one of them: twice these areas are the ends of 2 p n AUC, and all whole (even)
numbers between occur. Both ends rise with every tp and tn, so a product of rectangles is excluded at its corners. Two
points of one curve are comparable: more false positives come with no fewer true positives. The proof is the list of
steps of the walk:

    ["cut", point, axis, v]     two parts: axis of the point <= v, then > v
    ["out", "score", point, i]  the point's i-th claim excludes its rectangle
    ["out", "apart", i, j]      no two cells of these points' rectangles are comparable
    ["out", "low"]              every curve has too large an area, or ["out", "high"] too small a one
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any

from scoreproof.errors import InvalidValue
from scoreproof.kinds.binary.engine.bands import Band, band
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Decision
from scoreproof.reported import Claim
from scoreproof.results import Tabular
from scoreproof.work.budget import Budget

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
    instead of counted (see ``bounds``) has its vertices in ``parts`` of a case.
    """

    vertices: tuple[Vertex, ...]
    matrix: ConfusionMatrix
    parts: int = 1

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
        return all(0 in step for step in steps)

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
            if a == c:
                least, most = run_of_positives(a, b, d)
            else:
                least = most = Fraction((d - b) * d, c + d) if d > b else Fraction(0)
            low, high = low + least, high + most
        return low / self.matrix.p, high / self.matrix.p

    def trapezoids(self) -> Ends:
        """Rationals around the area under the precision-recall curve by trapezoids, from precision 1 at recall 0."""
        low = high = Fraction(0)
        for (a, b), (c, d) in pairwise(self.vertices):
            if a == c:
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


Rectangle = tuple[int, int, int, int]  # tp from, tp to, tn from, tn to
Boxes = tuple[Rectangle, ...]
_CLOCK = 256


def lowest_area(points: Sequence[Vertex], n: int) -> int:
    """Twice the area to the right of and below some point (fp, tp).

    >>> lowest_area([(1, 2), (2, 3)], 4)
    16
    """
    ordered = sorted(points)
    total = height = 0
    for (here, tp), (there, _) in pairwise([*ordered, (n, 0)]):
        height = max(height, tp)
        total += (there - here) * height
    return 2 * total


def decide_points(
    points: Sequence[Sequence[Claim]], p: int, n: int, area: tuple[int, int], deadline: Budget
) -> Decision[Curves]:
    """A curve through points that give their claims, with 2 p n AUC within the area's ends, or the proof of none."""
    search = _Search([[band(i, claim, p, n) for i, claim in enumerate(claims)] for claims in points], p, n, area)
    stack: list[Boxes] = [((0, p, 0, n),) * len(points)]
    steps: list[list[Any]] = []
    seen = 0
    while stack:
        boxes = stack.pop()
        seen += 1
        if seen % _CLOCK == 0 and deadline.passed:
            return Decision(reason=f"{seen} products of rectangles within the budget")
        reason = next(search.excluded(boxes), None)
        if reason is not None:
            steps.append(["out", *reason])
            continue
        curve = search.curve(boxes)
        if curve is not None:
            return Decision(Curves((curve,)))
        place, axis = search.widest(boxes)
        a, b, c, d = boxes[place]
        middle = (a + b) // 2 if axis == "tp" else (c + d) // 2
        halves = (
            ((a, middle, c, d), (middle + 1, b, c, d)) if axis == "tp" else ((a, b, c, middle), (a, b, middle + 1, d))
        )
        steps.append(["cut", place, axis, middle])
        stack += [(*boxes[:place], half, *boxes[place + 1 :]) for half in reversed(halves)]
    return Decision(proof={"kind": "points", "steps": steps})


class _Search:
    """The bands of every point, and the ends of the area."""

    def __init__(self, bands: Sequence[Sequence[Band]], p: int, n: int, area: tuple[int, int]) -> None:
        self.bands, self.p, self.n, self.area = bands, p, n, area

    def excluded(self, boxes: Boxes) -> Iterator[tuple[Any, ...]]:
        """Reasons why nothing of a product of rectangles is possible."""
        for place, ((a, b, c, d), bands) in enumerate(zip(boxes, self.bands, strict=True)):
            for claimed in bands:
                if claimed.too_little(b, d) or claimed.too_much(a, c):
                    yield "score", place, claimed.index
        for i, own in enumerate(boxes):
            for j, other in enumerate(boxes):
                if own[0] > other[1] and own[2] > other[3]:  # more true positives and fewer false ones throughout
                    yield "apart", i, j
        if lowest_area([(self.n - c, a) for a, _, c, _ in boxes], self.n) > self.area[1]:
            yield ("low",)
        above = lowest_area([(b, self.n - d) for _, b, _, d in boxes], self.p)  # to the left of and above some point
        if 2 * self.p * self.n - above < self.area[0]:
            yield ("high",)

    def curve(self, boxes: Boxes) -> Curve | None:
        """A curve through the middles, if they fit."""
        cells = [((a + b) // 2, (c + d) // 2) for a, b, c, d in boxes]
        single: Boxes = tuple((tp, tp, tn, tn) for tp, tn in cells)
        if next(self.excluded(single), None) is not None:
            return None
        vertices = [(self.n - tn, tp) for tp, tn in cells]
        fp, tp = vertices[0]
        matrix = ConfusionMatrix(tp, fp, self.p - tp, self.n - fp)
        return walk_through(matrix, vertices, max(self.area[0], lowest_area(vertices, self.n)))

    def widest(self, boxes: Boxes) -> tuple[int, str]:
        """The side to be halved: the widest, of a point that is not settled by its own claims if there is one."""
        open_ones = [place for place, box in enumerate(boxes) if not self._settled(place, box)]
        sides = [
            (width, place, axis)
            for place in open_ones or range(len(boxes))
            for axis, width in (("tp", boxes[place][1] - boxes[place][0]), ("tn", boxes[place][3] - boxes[place][2]))
        ]
        _, place, axis = max(sides)
        return place, axis

    def _settled(self, place: int, box: Rectangle) -> bool:
        a, b, c, d = box
        return all(each.position(a, c) == 0 == each.position(b, d) for each in self.bands[place])
