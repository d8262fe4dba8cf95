"""Bands of (tp, tn) that scores leave (Fazekas and Kovács 2024, doi:10.1016/j.asoc.2024.111993), to be drawn.

At fixed p and n every score is monotone in tp and tn, so the matrices it allows lie between two staircases (section 3
there); what all bands share is drawn too. The borders are computed in whole numbers from the
problem that was asked, column by column; in a wide window at some 160 columns, each of them exact.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from math import ceil
from typing import NamedTuple

from scoreproof.kinds.binary.engine.bands import Band, Rectangle, band, cover
from scoreproof.kinds.binary.experiment import sums_matrices, total_counts
from scoreproof.kinds.binary.problem import BinaryProblem

Run = tuple[int, int, int]  # tp, least tn, most tn

MOST_BANDS = 8
_EVERY_COLUMN = 240
_COLUMNS = 160
_MOST_BOXES = 500


class Strip(NamedTuple):
    """The matrices of a window that one score (or all of them) allows; ``stepped`` if every column is there."""

    runs: tuple[Run, ...]
    stepped: bool


class Window(NamedTuple):
    """A part of the plane: the strips of the scores in it, and what all of them share."""

    box: Rectangle
    strips: tuple[Strip, ...]
    common: Strip


class Drawing(NamedTuple):
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
    plane = (0, p, 0, n)
    near = _padded(_near(bands, plane), plane)
    scores = tuple((claim.score.name, claim.text) for claim in chosen)
    whole = _window(bands, plane)
    return Drawing(p, n, scores, whole, whole if near == plane else _window(bands, near))


def _window(bands: list[Band], box: Rectangle) -> Window:
    _, _, c, d = box
    strips, reaches = [], [band.columns(box) for band in bands]
    for strip, reach in zip(bands, reaches, strict=True):
        stepped, columns = _columns(*reach)
        runs = [(tp, *strip.run(tp, c, d)) for tp in columns]
        kept = [run for run in runs if min(run[1:]) <= d and max(run[1:]) >= c and (run[1] <= run[2] or not stepped)]
        strips.append(Strip(tuple(kept), stepped))
    stepped, columns = _columns(max(first for first, _ in reaches), min(last for _, last in reaches))
    shared = []
    for tp in columns:
        lows, highs = zip(*(strip.run(tp, c, d) for strip in bands), strict=True)
        if max(lows) <= min(highs):
            shared.append((tp, max(lows), min(highs)))
    return Window(box, tuple(strips), Strip(tuple(shared), stepped))


def _columns(first: int, last: int) -> tuple[bool, list[int]]:
    """The columns to look at, and whether they are all there are."""
    width = last - first
    if width < _EVERY_COLUMN:
        return True, list(range(first, last + 1))
    return False, sorted({first + width * step // (_COLUMNS - 1) for step in range(_COLUMNS)})


def _near(bands: list[Band], plane: Rectangle) -> Rectangle:
    """A box around every block of cells, as small as may be, that may touch all bands, by halving."""
    grain = 1
    while 8 * grain <= max(plane[1], plane[3], 8):
        done, rest = cover(bands, plane, _MOST_BOXES, partial(_smaller, grain))
        if done or rest:
            a, b, c, d = zip(*done, *rest, strict=True)
            return min(a), max(b), min(c), max(d)
        grain *= 2
    return plane


def _smaller(grain: int, box: Rectangle) -> bool:
    return max(box[1] - box[0], box[3] - box[2]) < grain


def _padded(box: Rectangle, plane: Rectangle) -> Rectangle:
    a, b, c, d = box
    across, up = max(3, ceil((b - a) * 0.3)), max(3, ceil((d - c) * 0.3))
    return max(plane[0], a - across), min(plane[1], b + across), max(plane[2], c - up), min(plane[3], d + up)
