"""Bands of (tp, tn) that scores leave (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993), to be drawn.

At fixed p and n every score is monotone in tp and tn, so the matrices it allows lie between two staircases (section 3
there); what all bands share is drawn too. The borders are computed in whole numbers from the
problem that was asked, column by column; in a wide window at some 160 columns, each of them exact.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Collection
from dataclasses import dataclass
from math import ceil

from scoreproof.kinds.binary.engine.bands import Band, band
from scoreproof.kinds.binary.engine.rectangles import filler, holds
from scoreproof.kinds.binary.engine.solutions import first_true
from scoreproof.kinds.binary.experiment import sums_matrices, total_counts
from scoreproof.kinds.binary.problem import BinaryProblem

Box = tuple[int, int, int, int]  # least and most tp, least and most tn
Run = tuple[int, int, int]  # tp, least tn, most tn

MOST_BANDS = 8
_EVERY_COLUMN = 240
_COLUMNS = 160
_HALVINGS = 500


@dataclass(frozen=True, slots=True)
class Strip:
    """The matrices of a window that one score (or all of them) allows; ``stepped`` if every column is there."""

    runs: tuple[Run, ...]
    stepped: bool


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the plane: the strips of the scores in it, and what all of them share."""

    box: Box
    strips: tuple[Strip, ...]
    common: Strip


@dataclass(frozen=True, slots=True)
class Drawing:
    """One report on one confusion matrix, seen as a whole and where its scores, name and text, are closest."""

    p: int
    n: int
    scores: tuple[tuple[str, str], ...]
    overview: Window
    zoom: Window


def draw(problem: BinaryProblem, focus: Collection[str] = ()) -> Drawing | None:
    """What there is to draw of a problem; None where it is not about one confusion matrix.

    ``focus`` names the scores to draw (a conflict's), else the first eight are.

    >>> from scoreproof.kinds.binary.experiment import TestSet
    >>> from scoreproof.kinds.binary.problem import binary_problem
    >>> drawing = draw(binary_problem(TestSet(10, 20), {"acc": "0.90", "sens": "0.80"}, rounding="nearest"))
    >>> drawing.zoom.common.runs
    ((8, 19, 19),)
    """
    if not sums_matrices(problem.experiment):
        return None
    p, n = total_counts(problem.experiment)
    reported = problem.claims
    if not reported or not p or not n:
        return None
    chosen = tuple(claim for claim in reported if {claim.score.name, claim.name} & set(focus)) if focus else reported
    chosen = (chosen or reported)[:MOST_BANDS]
    bands = [band(index, claim, p, n) for index, claim in enumerate(chosen)]
    if any(strip.undefined_everywhere for strip in bands):
        return None
    value = filler(problem.undefined)
    plane = (0, p, 0, n)
    shared = _around(bands, plane)
    near = _padded(_interesting(bands, plane) if shared is None else shared, plane)
    scores = tuple((claim.score.name, claim.text) for claim in chosen)
    whole = _window(bands, plane, value)
    close = whole if near == plane else _window(bands, near, value)
    return Drawing(p, n, scores, whole, close)


def _window(bands: list[Band], box: Box, value: int | None) -> Window:
    strips = []
    for band_ in bands:
        first, last = _reach(band_, box)
        stepped, columns = _columns(first, last)
        runs_of_one = (_run(band_, tp, box, value) for tp in columns)
        kept = tuple(run for run in runs_of_one if _touches(run, box) and (run[1] <= run[2] or not stepped))
        strips.append(Strip(kept, stepped))
    start = max(_reach(band_, box)[0] for band_ in bands)
    stop = min(_reach(band_, box)[1] for band_ in bands)
    stepped, columns = _columns(start, stop)
    shared = []
    for tp in columns:
        runs = [_run(band_, tp, box, value) for band_ in bands]
        low, high = max(run[1] for run in runs), min(run[2] for run in runs)
        if low <= high:
            shared.append((tp, low, high))
    return Window(box, tuple(strips), Strip(tuple(shared), stepped))


def _columns(first: int, last: int) -> tuple[bool, list[int]]:
    """The columns to look at, and whether they are all there are."""
    width = last - first
    if width < _EVERY_COLUMN:
        return True, list(range(first, last + 1))
    return False, sorted({first + width * step // (_COLUMNS - 1) for step in range(_COLUMNS)})


def _reach(band_: Band, box: Box) -> tuple[int, int]:
    """The first and last column where the band meets the window."""
    a, b, c, d = box
    first = first_true(a, b, lambda tp: not band_.too_little(tp, d))
    last = first_true(a, b, lambda tp: band_.too_much(tp, c)) - 1
    return first, last


def _run(band_: Band, tp: int, box: Box, value: int | None) -> Run:
    """The tn of one column that the band allows; the least above the most where there are none."""
    _, _, c, d = box
    low, high = c, d
    if band_.lower is not None and band_.upper is not None:
        (a, b, r), (e, f, s) = band_.lower, band_.upper
        low = max(c, -((a * tp - r) // b)) if b else c if a * tp >= r else d + 1
        high = min(d, (s - e * tp) // f) if f else d if e * tp <= s else c - 1
    else:
        # At a corner where the score is 0/0 it is neither too little nor too much: the search must not meet it.
        low += band_.position(tp, c) is None
        high -= low <= d and band_.position(tp, d) is None
        low = first_true(low, high, lambda tn: not band_.too_little(tp, tn))
        high = first_true(low, high, lambda tn: band_.too_much(tp, tn)) - 1
    if tp in (0, band_.p) and low <= high:
        low += not holds(band_, tp, low, value)
        high -= low <= high and not holds(band_, tp, high, value)
    return tp, low, high


def _touches(run: Run, box: Box) -> bool:
    return min(run[1:]) <= box[3] and max(run[1:]) >= box[2]


def _interesting(bands: list[Band], plane: Box) -> Box:
    """A small box in which each of the bands, which do not all meet, meets another or comes near it."""
    meetings = {
        pair: box
        for pair in itertools.combinations(range(len(bands)), 2)
        if (box := _near([bands[k] for k in pair], plane)) is not None
    }
    if not meetings:
        return plane
    first = min(meetings, key=lambda pair: _size(meetings[pair]))
    seen, box = set(first), meetings[first]
    while True:
        more = {pair: _union(box, other) for pair, other in meetings.items() if not set(pair) <= seen}
        if not more:
            return box
        nearest = min(more, key=lambda pair: _size(more[pair]))
        seen |= set(nearest)
        box = more[nearest]


def _near(bands: list[Band], plane: Box) -> Box | None:
    """A box where the bands meet, or come within as few cells of each other as possible."""
    grain = 1
    while 8 * grain <= max(plane[1], plane[3], 8):
        around = _around(bands, plane, grain)
        if around is not None:
            return around
        grain *= 2
    return None


def _around(bands: list[Band], plane: Box, grain: int = 1) -> Box | None:
    """A box around every block of ``grain`` cells that may touch all bands, by halving; None if there is none."""
    heap = [(-_size(plane), plane)]
    done: list[Box] = []
    for _ in range(_HALVINGS):
        if not heap:
            break
        _, (a, b, c, d) = heapq.heappop(heap)
        if max(b - a, d - c) < grain:
            done.append((a, b, c, d))
            continue
        if b - a >= d - c:
            middle = (a + b) // 2
            halves = [(a, middle, c, d), (middle + 1, b, c, d)]
        else:
            middle = (c + d) // 2
            halves = [(a, b, c, middle), (a, b, middle + 1, d)]
        for half in halves:
            if not any(band_.too_little(half[1], half[3]) or band_.too_much(half[0], half[2]) for band_ in bands):
                heapq.heappush(heap, (-_size(half), half))
    area: Box | None = None
    for box in (*done, *(box for _, box in heap)):
        area = box if area is None else _union(area, box)
    return area


def _union(box: Box, other: Box) -> Box:
    return min(box[0], other[0]), max(box[1], other[1]), min(box[2], other[2]), max(box[3], other[3])


def _size(box: Box) -> int:
    return (box[1] - box[0] + 1) * (box[3] - box[2] + 1)


def _padded(box: Box, plane: Box) -> Box:
    a, b, c, d = box
    across, up = max(3, ceil((b - a) * 0.3)), max(3, ceil((d - c) * 0.3))
    return max(plane[0], a - across), min(plane[1], b + across), max(plane[2], c - up), min(plane[3], d + up)
