"""Branch and bound (Land and Doig 1960, doi:10.2307/1910129) over rectangles of (tp, tn), for one confusion matrix.

Every score is monotone, so a rectangle is refuted by one score at one corner, and a side of it can be trimmed in
the same way. What survives is halved. The record of this is the proof: a list of steps, in the order in which a
reader walks the tree, that anyone can repeat.

    ["cut", axis, v]                    two parts: axis <= v, then axis > v
    ["trim", axis, "below"|"above", v, why...]   no cell has axis < v (or > v); go on with the rest
    ["out", why...]                     no cell of this rectangle is possible

``why`` is the index of one reported score, refuting by its corner; or i, j, k1, k2 for two borders, perhaps of one band
(see ``bands``). Only integers are compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from scoreproof.kinds.binary.engine.bands import Band, Borders, Rectangle, eliminate
from scoreproof.kinds.binary.scores import Shape
from scoreproof.kinds.binary.scores.score import Ratio
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

Step = list[Any]
Line = tuple[int, int, int, int]  # A, B, R of a half-plane, and the index of its band

_PLAIN_BOXES = 64  # before pairs of borders are considered
_ROUNDS = 4  # of trimming before a rectangle is halved
_CLOCK = 512  # boxes between two looks at the clock
_BOX = 6e-6  # seconds that a box takes


@dataclass(slots=True)
class Search:
    """What the search found: a cell, or a finished proof, or neither within the budget."""

    cell: tuple[int, int] | None = None
    proof: list[Step] | None = None
    reason: str = ""


_FILLERS = {Undefined.ANY: 0, Undefined.ZERO: 0, Undefined.ONE: 1}


def filler(undefined: Undefined) -> int | None:
    """What a 0/0 score of one matrix counts as; None if a cell where it occurs is no candidate."""
    return _FILLERS.get(undefined)


def decide(bands: list[Band], *, undefined: Undefined = Undefined.EXCLUDE, budget: float | Budget = 30.0) -> Search:
    """A cell inside every band, or the proof that there is none.

    Where any treatment of 0/0 is admitted, a cell at which all scores are defined is preferred.
    """
    p, n = bands[0].p, bands[0].n
    bands, early, holes = _undefined(bands, p, n, filler(undefined))
    if early is not None:
        if early.cell is None or undefined is not Undefined.ANY:
            return early
        defined = decide(bands, budget=budget) if p and n else early
        return early if defined.cell is None else defined
    empty = next((band for band in bands if band.empty), None)
    if empty is not None and not holes:
        return Search(proof=[["out", empty.index, empty.index, 1, 1]])
    deadline = Budget.of(budget)
    walk = _Walk(bands, holes)
    search = walk.search(deadline, most=_PLAIN_BOXES)
    if search is None:
        walk = _Walk(bands, holes, Borders(bands))
        search = walk.search(deadline)
    reason = f"{walk.boxes} rectangles within the budget of {deadline.seconds:.3g} s"
    return Search(reason=reason) if search is None else search


def _undefined(
    bands: list[Band], p: int, n: int, value: int | None
) -> tuple[list[Band], Search | None, dict[tuple[int, int], int]]:
    """Settle the cells where a score is 0/0.

    With p, n > 0 these are corners of the grid; without one of the classes a score may be 0/0 everywhere. Returns
    the bands that still matter, a verdict if one is already clear, and the corners that need care, each with the
    band that excludes it.
    """
    if p == 0 or n == 0:
        kept = []
        for band in bands:
            if band.undefined_everywhere:
                if value is None or not _inside(band, value):
                    return bands, Search(proof=[["out", band.index]]), {}
            else:
                kept.append(band)
        if not kept:
            return bands, Search(cell=(0, 0)), {}
        bands = kept
    holes: dict[tuple[int, int], int] = {}
    if value is not None:
        open_corners = {corner for band in bands for corner in _holes(band.score.ratio)} if p and n else set(_CORNERS)
        for cell in sorted({(p * east, n * north) for east, north in open_corners}):
            if all(band.position(*cell) is not None for band in bands):
                continue
            excluding = next((band for band in bands if not holds(band, *cell, value)), None)
            if excluding is None:
                return bands, Search(cell=cell), {}
            holes[cell] = excluding.index
    return bands, None, holes


_CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))


@lru_cache(maxsize=1024)
def _holes(ratio: Ratio) -> tuple[tuple[int, int], ...]:
    """The corners of the grid, as shares of p and n, at which a score is 0/0 if there are both classes."""
    return tuple(
        (east, north) for east, north in _CORNERS if ratio(2 * east, 3 - 3 * north, 2 - 2 * east, 3 * north)[1] == 0
    )


def _inside(band: Band, value: int) -> bool:
    """Whether 0 or 1, which every link maps to itself, lies in the band."""
    (a, b), (c, d) = band.low, band.high
    return a <= value * b and value * d <= c


def holds(band: Band, tp: int, tn: int, value: int | None = None) -> bool:
    """Whether a cell lies in the band, a 0/0 counting as ``value`` if one is given."""
    position = band.position(tp, tn)
    return _inside(band, value) if position is None and value is not None else position == 0


class _Walk:
    """One walk through the tree, depth first; with ``borders`` rectangles are also refuted by two of these."""

    def __init__(self, bands: list[Band], holes: Mapping[tuple[int, int], int], borders: Borders | None = None) -> None:
        self.bands, self.holes, self.borders = bands, holes, borders
        self.proof: list[Step] = []
        self.boxes = 0
        self._lowers, self._uppers = _lines(bands)
        self._others = [band for band in bands if not band.straight]

    def search(self, deadline: Budget, *, most: int | None = None) -> Search | None:
        """A cell, or the proof that there is none; None after so many boxes, or too much time."""
        root = self.root()
        stack = [] if root is None else [root]
        while stack:
            self.boxes += 1
            if self.boxes == most:
                return None
            if self.boxes % _CLOCK == 0:
                deadline.charge(_CLOCK * _BOX)
                if deadline.passed:
                    return None
            cell = self._take(stack.pop(), stack)
            if cell is not None:
                return Search(cell=cell)
        return Search(proof=self.proof)

    def _take(self, box: Rectangle, stack: list[Rectangle]) -> tuple[int, int] | None:
        """The cell in the middle of a rectangle if it fits; else the rectangle is excluded, or divided."""
        hole = next((cell for cell in self.holes if _contains(box, cell)), None) if self.holes else None
        if hole is not None:
            self._isolate(hole, box, stack)
            return None
        narrowed = self.narrow(box)
        if narrowed is None:
            return None
        a, b, c, d = narrowed
        tp, tn = (a + b) // 2, (c + d) // 2
        failing = next((band for band in self.bands if band.position(tp, tn) != 0), None)
        if failing is None:
            return tp, tn
        pair = self.borders.refute(narrowed) if self.borders is not None and (a, c) != (b, d) else None
        if pair is not None or (a == b and c == d):
            self.proof.append(["out", *(pair or (failing.index,))])
        elif d == c or ((b - a) * failing.n >= (d - c) * failing.p and b > a):
            self._cut("tp", tp, narrowed, stack)
        else:
            self._cut("tn", tn, narrowed, stack)
        return None

    def root(self) -> Rectangle | None:
        """The grid, trimmed by scores that are nowhere 0/0, or by every pair of borders; None if nothing is left."""
        p, n = self.bands[0].p, self.bands[0].n
        box = (0, p, 0, n)
        if self.holes:  # the corners are isolated first; all but linear borders speak of defined cells only
            linear = [band for band in self.bands if band.score.shape is Shape.LINEAR] if p and n else []
            return self._trim(box, *_lines(linear))
        return box if self.borders is None else self._trim_by_pairs(box)

    def _cut(self, axis: str, v: int, box: Rectangle, stack: list[Rectangle]) -> None:
        a, b, c, d = box
        self.proof.append(["cut", axis, v])
        stack += [(v + 1, b, c, d), (a, v, c, d)] if axis == "tp" else [(a, b, v + 1, d), (a, b, c, v)]

    def _isolate(self, hole: tuple[int, int], box: Rectangle, stack: list[Rectangle]) -> None:
        """Cut the corner cell ``hole`` off its rectangle, or exclude it if it is all that is left."""
        a, b, c, d = box
        tp, tn = hole
        if a == b and c == d:
            self.proof.append(["out", self.holes[hole]])
        elif a < b:
            self._cut("tp", tp if tp < b else tp - 1, box, stack)
        else:
            self._cut("tn", tn if tn < d else tn - 1, box, stack)

    def narrow(self, box: Rectangle) -> Rectangle | None:
        """What straight borders leave of a rectangle; None if nothing, or if a curved score refutes it by a corner."""
        start = len(self.proof)
        trimmed = self._trim(box, self._lowers, self._uppers)
        if trimmed is not None:
            a, b, c, d = trimmed
            for band in self._others:
                if band.too_little(b, d):
                    self._exclude(start, band.index, "above")
                    return None
                if band.too_much(a, c):
                    self._exclude(start, band.index, "below")
                    return None
        return trimmed

    def _trim(self, box: Rectangle, lowers: list[Line], uppers: list[Line]) -> Rectangle | None:
        proof, start = self.proof, len(self.proof)
        a, b, c, d = box
        for _ in range(_ROUNDS):
            before = (a, b, c, d)
            for A, B, R, index in lowers:
                if A * b + B * d < R:
                    self._exclude(start, index, "above")
                    return None
                if A and A * a + B * d < R:
                    a = -((B * d - R) // A)
                    proof.append(["trim", "tp", "below", a, index])
                if B and A * b + B * c < R:
                    c = -((A * b - R) // B)
                    proof.append(["trim", "tn", "below", c, index])
            for A, B, R, index in uppers:
                if A * a + B * c > R:
                    self._exclude(start, index, "below")
                    return None
                if A and A * b + B * c > R:
                    b = (R - B * c) // A
                    proof.append(["trim", "tp", "above", b, index])
                if B and A * a + B * d > R:
                    d = (R - A * a) // B
                    proof.append(["trim", "tn", "above", d, index])
            if (a, b, c, d) == before:
                break
        return a, b, c, d

    def _exclude(self, start: int, index: int, side: str) -> None:
        """The rectangle is refuted at its corner of this side: of its trims those stay on which that rests."""
        slanted = {by for A, B, _, by in (*self._lowers, *self._uppers) if A and B}
        needed = {("tp", side), ("tn", side)}
        kept: list[Step] = [["out", index]]
        for step in reversed(self.proof[start:]):
            _, axis, trimmed, _, by = step
            if (axis, trimmed) in needed:
                kept.append(step)
                needed.remove((axis, trimmed))
                if by in slanted:  # then what it leaves depends on the other count
                    needed.add(("tn" if axis == "tp" else "tp", "below" if trimmed == "above" else "above"))
        self.proof[start:] = reversed(kept)

    def _trim_by_pairs(self, box: Rectangle) -> Rectangle | None:
        """Trim the whole grid by every pair of straight borders; None if nothing is left of it."""
        ends = {"tp": box[:2], "tn": box[2:]}
        for bound in eliminate(self.bands):
            (low, high), v = ends[bound.axis], bound.value
            if v is None or (v > high if bound.side == "below" else v < low):
                self.proof.append(["out", *bound.pair])
                return None
            kept = (max(low, v), high) if bound.side == "below" else (low, min(high, v))
            if kept != (low, high):
                ends[bound.axis] = kept
                self.proof.append(["trim", bound.axis, bound.side, v, *bound.pair])
        return *ends["tp"], *ends["tn"]


def _lines(bands: list[Band]) -> tuple[list[Line], list[Line]]:
    """The straight borders from below and from above; sorted, those that bound one count alone come first."""
    lowers = [(*band.lower, band.index) for band in bands if band.lower is not None]
    return sorted(lowers), sorted([(*band.upper, band.index) for band in bands if band.upper is not None])


def _contains(box: Rectangle, cell: tuple[int, int]) -> bool:
    return box[0] <= cell[0] <= box[1] and box[2] <= cell[1] <= box[3]


def bounding_box(bands: list[Band]) -> Rectangle | None:
    """A rectangle around every cell that lies in all bands, trimmed by straight borders; None if there is none."""
    walk = _Walk(bands, {}, Borders(bands))
    box = walk.root()
    return None if box is None else walk.narrow(box)
