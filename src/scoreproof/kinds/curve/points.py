"""Branch and bound over products of rectangles: several operating points of one curve.

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
from itertools import pairwise
from typing import Any, NamedTuple

from scoreproof.kinds.binary.engine.bands import Band, band
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.curve.path import Curve, Vertex, walk_through
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

Rectangle = tuple[int, int, int, int]  # tp from, tp to, tn from, tn to
Boxes = tuple[Rectangle, ...]
_CLOCK = 256


class PointSearch(NamedTuple):
    """A curve, a finished proof, or neither in time."""

    curve: Curve | None = None
    steps: list[list[Any]] | None = None
    boxes: int = 0


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


def highest_area(points: Sequence[Vertex], p: int, n: int) -> int:
    """Twice the area that is not to the left of and above some point."""
    return 2 * p * n - lowest_area([(tp, fp) for fp, tp in points], p)


def decide_points(
    points: Sequence[Sequence[Claim]], p: int, n: int, area: tuple[int, int], deadline: Budget
) -> PointSearch:
    """A curve through points that give their claims, with 2 p n AUC within the area's ends, or the proof of none."""
    search = _Search([[band(i, claim, p, n) for i, claim in enumerate(claims)] for claims in points], p, n, area)
    stack: list[Boxes] = [((0, p, 0, n),) * len(points)]
    steps: list[list[Any]] = []
    seen = 0
    while stack:
        boxes = stack.pop()
        seen += 1
        if seen % _CLOCK == 0 and deadline.passed:
            return PointSearch(boxes=seen)
        reason = next(search.excluded(boxes), None)
        if reason is not None:
            steps.append(["out", *reason])
            continue
        curve = search.curve(boxes)
        if curve is not None:
            return PointSearch(curve, boxes=seen)
        place, axis = search.widest(boxes)
        a, b, c, d = boxes[place]
        middle = (a + b) // 2 if axis == "tp" else (c + d) // 2
        halves = (
            ((a, middle, c, d), (middle + 1, b, c, d)) if axis == "tp" else ((a, b, c, middle), (a, b, middle + 1, d))
        )
        steps.append(["cut", place, axis, middle])
        stack += [(*boxes[:place], half, *boxes[place + 1 :]) for half in reversed(halves)]
    return PointSearch(steps=steps, boxes=seen)


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
        if highest_area([(self.n - d, b) for _, b, _, d in boxes], self.p, self.n) < self.area[0]:
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
