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

from dataclasses import dataclass, field
from typing import Any

from scoreproof.kinds.binary.engine.bands import Band, Borders, Rectangle, eliminate
from scoreproof.kinds.binary.scores import Score
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

Step = list[Any]

_PLAIN_BOXES = 64  # before pairs of borders are considered
_ROUNDS = 4  # of trimming before a rectangle is halved
_CLOCK = 512  # boxes between two looks at the clock
_BOX = 6e-6  # seconds that a box takes


@dataclass(slots=True)
class Search:
    """What the search found: a cell, or a finished proof, or neither within the budget."""

    cell: tuple[int, int] | None = None
    proof: list[Step] | None = None
    boxes: int = 0
    reason: str = ""


@dataclass(slots=True)
class _Run:
    """The state of one walk through the tree."""

    bands: list[Band]
    holes: dict[tuple[int, int], int]
    proof: list[Step] = field(default_factory=list)
    boxes: int = 0


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
        return Search(proof=[["out", empty.index, empty.index, 1, 1]], boxes=1)
    deadline = Budget.of(budget)
    run = _Run(bands, holes)
    outcome = _walk(run, (0, p, 0, n), _PLAIN_BOXES, deadline)
    if outcome is None:
        again = _Run(bands, holes)
        box = _trim_by_pairs(again, (0, p, 0, n))
        again.boxes = run.boxes
        outcome = _Done(None) if box is None else _walk(again, box, None, deadline, Borders(bands))
        run = again
    if outcome is None:
        return Search(boxes=run.boxes, reason=f"{run.boxes} rectangles within the budget of {deadline.seconds:.3g} s")
    if outcome.cell is not None:
        return Search(cell=outcome.cell, boxes=run.boxes)
    return Search(proof=run.proof, boxes=run.boxes)


@dataclass(slots=True)
class _Done:
    cell: tuple[int, int] | None


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
                    return bands, Search(proof=[["out", band.index]], boxes=1), {}
            else:
                kept.append(band)
        if not kept:
            return bands, Search(cell=(0, 0), boxes=1), {}
        bands = kept
    holes: dict[tuple[int, int], int] = {}
    if value is not None:
        open_corners = {corner for band in bands for corner in _holes(band.score)} if p and n else set(_CORNERS)
        for cell in sorted({(p * east, n * north) for east, north in open_corners}):
            if all(band.position(*cell) is not None for band in bands):
                continue
            excluding = next((band for band in bands if not holds(band, *cell, value)), None)
            if excluding is None:
                return bands, Search(cell=cell, boxes=1), {}
            holes[cell] = excluding.index
    return bands, None, holes


_CORNERS = ((0, 0), (0, 1), (1, 0), (1, 1))
_KNOWN_HOLES: dict[str, tuple[tuple[int, int], ...]] = {}


def _holes(score: Score) -> tuple[tuple[int, int], ...]:
    """The corners of the grid, as shares of p and n, at which a score is 0/0 if there are both classes."""
    known = _KNOWN_HOLES.get(score.name) if score.builtin else None
    if known is None:
        known = tuple(
            (east, north)
            for east, north in _CORNERS
            if score.ratio(2 * east, 3 - 3 * north, 2 - 2 * east, 3 * north)[1] == 0
        )
        if score.builtin:
            _KNOWN_HOLES[score.name] = known
    return known


def _inside(band: Band, value: int) -> bool:
    """Whether 0 or 1, which every link maps to itself, lies in the band."""
    (a, b), (c, d) = band.low, band.high
    return a <= value * b and value * d <= c


def holds(band: Band, tp: int, tn: int, value: int | None = None) -> bool:
    """Whether a cell lies in the band, a 0/0 counting as ``value`` if one is given."""
    position = band.position(tp, tn)
    return _inside(band, value) if position is None and value is not None else position == 0


def _walk(
    run: _Run, box: Rectangle, limit: int | None, deadline: Budget, borders: Borders | None = None
) -> _Done | None:
    """Depth first through the rectangles; None when the limit or the deadline is reached."""
    lowers = [(*band.lower, band.index) for band in run.bands if band.lower is not None]
    uppers = [(*band.upper, band.index) for band in run.bands if band.upper is not None]
    others = [band for band in run.bands if not band.straight]
    bands, holes, proof = run.bands, run.holes, run.proof
    p, n = bands[0].p, bands[0].n
    stack: list[Rectangle] = [box]
    while stack:
        a, b, c, d = stack.pop()
        run.boxes += 1
        if limit is not None and run.boxes > limit:
            return None
        if run.boxes % _CLOCK == 0:
            deadline.charge(_CLOCK * _BOX)
            if deadline.passed:
                return None
        if holes:
            hole = next((cell for cell in holes if a <= cell[0] <= b and c <= cell[1] <= d), None)
            if hole is not None:
                _isolate(run, hole, (a, b, c, d), stack)
                continue
        narrowed = _narrow(proof, lowers, uppers, a, b, c, d)
        if narrowed is None:
            continue
        a, b, c, d = narrowed
        for band in others:
            if band.too_little(b, d) or band.too_much(a, c):
                proof.append(["out", band.index])
                break
        else:
            tp, tn = (a + b) // 2, (c + d) // 2
            failing = next((band for band in bands if band.position(tp, tn) != 0), None)
            if failing is None:
                return _Done((tp, tn))
            if a == b and c == d:
                proof.append(["out", failing.index])
                continue
            pair = borders.refute((a, b, c, d)) if borders is not None else None
            if pair is not None:
                proof.append(["out", *pair])
            elif d == c or ((b - a) * n >= (d - c) * p and b > a):
                proof.append(["cut", "tp", tp])
                stack += [(tp + 1, b, c, d), (a, tp, c, d)]
            else:
                proof.append(["cut", "tn", tn])
                stack += [(a, b, tn + 1, d), (a, b, c, tn)]
    return _Done(None)


def _narrow(
    proof: list[Step],
    lowers: list[tuple[int, int, int, int]],
    uppers: list[tuple[int, int, int, int]],
    a: int,
    b: int,
    c: int,
    d: int,
) -> Rectangle | None:
    """Trim the rectangle by the straight borders; None if nothing is left of it."""
    for _ in range(_ROUNDS):
        before = (a, b, c, d)
        for A, B, R, index in lowers:
            if A * b + B * d < R:
                proof.append(["out", index])
                return None
            if A and A * a + B * d < R:
                a = -((B * d - R) // A)
                proof.append(["trim", "tp", "below", a, index])
            if B and A * b + B * c < R:
                c = -((A * b - R) // B)
                proof.append(["trim", "tn", "below", c, index])
        for A, B, R, index in uppers:
            if A * a + B * c > R:
                proof.append(["out", index])
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


def _isolate(run: _Run, hole: tuple[int, int], box: Rectangle, stack: list[Rectangle]) -> None:
    """Cut the corner cell ``hole`` off its rectangle, or exclude it if it is all that is left."""
    a, b, c, d = box
    tp, tn = hole
    if a == b and c == d:
        run.proof.append(["out", run.holes[hole]])
    elif a < b:
        v = tp if tp < b else tp - 1
        run.proof.append(["cut", "tp", v])
        stack += [(v + 1, b, c, d), (a, v, c, d)]
    else:
        v = tn if tn < d else tn - 1
        run.proof.append(["cut", "tn", v])
        stack += [(a, b, v + 1, d), (a, b, c, v)]


def _trim_by_pairs(run: _Run, box: Rectangle) -> Rectangle | None:
    """Trim the whole grid by every pair of straight borders; None if nothing is left of it."""
    if run.holes:
        return box  # the corners are isolated first; pairs speak of defined cells only
    ends = {"tp": box[:2], "tn": box[2:]}
    for bound in eliminate(run.bands):
        (low, high), v = ends[bound.axis], bound.value
        if v is None or (v > high if bound.side == "below" else v < low):
            run.proof.append(["out", *bound.pair])
            return None
        kept = (max(low, v), high) if bound.side == "below" else (low, min(high, v))
        if kept != (low, high):
            ends[bound.axis] = kept
            run.proof.append(["trim", bound.axis, bound.side, v, *bound.pair])
    return *ends["tp"], *ends["tn"]


def bounding_box(bands: list[Band], p: int, n: int) -> Rectangle | None:
    """A rectangle around every cell that lies in all bands, trimmed by straight borders; None if there is none."""
    run = _Run(bands, {})
    box = _trim_by_pairs(run, (0, p, 0, n))
    if box is None:
        return None
    lowers = [(*band.lower, band.index) for band in bands if band.lower is not None]
    uppers = [(*band.upper, band.index) for band in bands if band.upper is not None]
    return _narrow(run.proof, lowers, uppers, *box)
