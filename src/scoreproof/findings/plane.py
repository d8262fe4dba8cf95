"""The plane of confusion matrices as a picture: for each score the band of (tp, tn) that prints like it.

The bands are those of ``kinds.binary.drawing``, in whole numbers. The point that comes nearest to the report (most
numbers hit, then the smallest misses in units of their last digits) is marked; it is a proposal in floats and proves
nothing. The picture's data hold the formulas of the scores, so that a page can move a point and show what it gives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from scoreproof.findings.picture import Label, Outline, Picture, Point, in_characters
from scoreproof.findings.words import cut
from scoreproof.kinds.binary.drawing import Drawing, Run, Strip, Window
from scoreproof.kinds.binary.scores.monotone import CELLS, as_polynomial
from scoreproof.kinds.binary.scores.score import Score
from scoreproof.reported import Claim

if TYPE_CHECKING:
    from scoreproof.findings.finding import Finding

_DASHES = ("", "7 3", "2 2", "10 3 2 3", "5 2", "1 3", "12 4", "4 2 1 2")
_SIZE = (400, 300)
_MOST_DOTS = 400
_MOST_GAUGES = 8


def plane(drawing: Drawing, problem: Any, finding: Finding) -> Picture:
    """The picture of a drawing: where the scores at fault come closest to each other, and a gauge for every score."""
    window = _window(drawing)
    panel = _Panel(window)
    drawn = dict(drawing.scores)
    claims = sorted(problem.claims, key=lambda claim: drawn.get(claim.score.name) != claim.text)[:_MOST_GAUGES]
    a, b, c, d = window.box
    bands = [
        Outline(f"band b{place}", tuple(_outlines(panel, strip)), dash=_DASHES[place])
        for place, strip in enumerate(window.strips)
    ]
    best = nearest(drawing, window, claims)
    shapes = [Outline("frame", (panel.corners(),)), *bands, _common(panel)]
    if best is not None:
        shapes.append(Outline("best", (panel.cell(best[0], best[0], best[1], best[1], 9),)))
    left, top, right, bottom = panel.frame
    labels = [*_ticks(panel), Label((left + right) / 2, _SIZE[1] - 6, "true positives (tp)")]
    labels.append(Label(12, (top + bottom) / 2, "true negatives (tn)", turned=True))
    legend = tuple(
        (f"band b{k}", _DASHES[k], f"{finding.name(name)} {cut(text, 40)}")
        for k, (name, text) in enumerate(drawing.scores)
    )
    words = (
        f"Each band holds the confusion matrices with {drawing.p:,} positives and {drawing.n:,} negatives that give "
        f"one printed score; tp {a:,} to {b:,} and tn {c:,} to {d:,} are shown. No matrix lies in all the bands."
    )
    data: dict[str, Any] = {"p": drawing.p, "n": drawing.n, "box": [a, b, c, d], "frame": list(panel.frame)}
    gauges = (_gauge(claim, finding.name(claim.score.name)) for claim in claims)
    data |= {"best": best, "scores": [gauge for gauge in gauges if gauge is not None]}
    shown = tuple(shape for shape in shapes if shape.rings)
    title, line = "Where the printed scores miss each other", in_characters(finding, problem.claims)
    return Picture("plane", title, words, _SIZE, shown, tuple(labels), data, legend, line)


def _window(drawing: Drawing) -> Window:
    """Where the scores come closest to each other, widened to the bands that do not reach so far."""
    zoom, whole = drawing.zoom, drawing.overview
    runs = [run for near, far in zip(zoom.strips, whole.strips, strict=True) if not near.runs for run in far.runs]
    if not runs:
        return zoom
    a, b, c, d = zoom.box
    a, b = min(a, runs[0][0]), max(b, runs[-1][0])
    c, d = min(c, *(low for _, low, _ in runs)), max(d, *(high for *_, high in runs))
    inside = [[run for run in strip.runs if a <= run[0] <= b and run[1] <= d and c <= run[2]] for strip in whole.strips]
    strips = (Strip(tuple(kept), strip.stepped) for kept, strip in zip(inside, whole.strips, strict=True))
    return Window((a, b, c, d), tuple(strips), whole.common)


def nearest(drawing: Drawing, window: Window, claims: Sequence[Claim]) -> list[int] | None:
    """The matrix that hits most of the numbers, and misses the others least, among the borders of the bands."""
    a, b, c, d = window.box
    borders = {
        (tp, min(max(end, c), d)) for strip in window.strips for tp, *ends in strip.runs for end in ends if a <= tp <= b
    }
    ranked = [(_misses(drawing, claims, tp, tn), tp, tn) for tp, tn in sorted(borders)]
    return list(min(ranked)[1:]) if ranked else None


def _misses(drawing: Drawing, claims: Sequence[Claim], tp: int, tn: int) -> tuple[int, float]:
    missed, far = 0, 0.0
    for claim in claims:
        value = claim.score(tp, drawing.n - tn, drawing.p - tp, tn)
        off = max(float(claim.low) - value, value - float(claim.high), 0.0)
        missed += isnan(value) or off > 0
        far += 1e9 if isnan(value) else off * claim.number.scale
    return missed, far


def _gauge(claim: Claim, name: str) -> dict[str, Any] | None:
    """A score for the page's script: its formula as terms [factor, tp, fp, fn, tn], and where it is hit."""
    terms = formula(claim.score)
    if terms is None:
        return None
    ends = [float(claim.low), float(claim.high)]
    return {"name": name, "text": cut(claim.text, 40), "ends": ends, "digits": claim.number.digits, **terms}


def formula(score: Score) -> dict[str, Any] | None:
    """Numerator and denominator as polynomials in the four cells, and the link; None if a formula is none.

    >>> from scoreproof.kinds.binary.scores import score
    >>> formula(score("ppv"))
    {'num': [[1, 1, 0, 0, 0]], 'den': [[1, 1, 0, 0, 0], [1, 0, 1, 0, 0]], 'link': 'ratio'}
    """
    link = score.link.name
    try:
        if score.name == "mcc":  # whose sign stands before the root
            tp, fp, fn, tn = CELLS
            num, den, link = tp * tn - fp * fn, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn), "over root"
        else:
            num, den = map(as_polynomial, score.ratio(*CELLS))
    except Exception:  # a formula that is no plain arithmetic
        return None
    return {"num": _terms(num), "den": _terms(den), "link": link}


def _terms(polynomial: Any) -> list[list[int]]:
    return [[factor, *exponents] for exponents, factor in polynomial.terms.items()]


class _Panel:
    """Where a window is drawn, and how its counts become coordinates; a cell is a square around its counts."""

    def __init__(self, window: Window) -> None:
        self.window = window
        _, b, _, d = window.box
        # room for the longest count at the axis, and for half of the last one below it
        self.frame = (34 + 7 * len(f"{d:,}"), 10, _SIZE[0] - 8 - 3 * len(f"{b:,}"), _SIZE[1] - 44)

    def x(self, tp: float) -> float:
        (a, b, _, _), (left, _, right, _) = self.window.box, self.frame
        return left + (right - left) * (tp - a + 0.5) / (b - a + 1)

    def y(self, tn: float) -> float:
        (_, _, c, d), (_, top, _, bottom) = self.window.box, self.frame
        return bottom - (bottom - top) * (tn - c + 0.5) / (d - c + 1)

    def corners(self) -> tuple[Point, ...]:
        left, top, right, bottom = self.frame
        return (left, top), (right, top), (right, bottom), (left, bottom)

    def cell(self, a: float, b: float, c: float, d: float, least: float = 0.0) -> tuple[Point, ...]:
        """The cells from tp a to b and tn c to d, at least so many pixels wide and high."""
        left, right, top, bottom = self.x(a - 0.5), self.x(b + 0.5), self.y(d + 0.5), self.y(c - 0.5)
        across, down = max(least - (right - left), 0) / 2, max(least - (bottom - top), 0) / 2
        left, right, top, bottom = left - across, right + across, top - down, bottom + down
        return (left, top), (right, top), (right, bottom), (left, bottom)


def _common(panel: _Panel) -> Outline:
    """The matrices all drawn scores allow: every one of them where they are few, their outline otherwise."""
    common = panel.window.common
    if common.stepped and sum(high - low + 1 for _, low, high in common.runs) <= _MOST_DOTS:
        cells = [(tp, tn) for tp, low, high in common.runs for tn in range(low, high + 1)]
        return Outline("fit", tuple(panel.cell(tp, tp, tn, tn, 4) for tp, tn in cells))
    return Outline("fit", tuple(_outlines(panel, common)))


def _outlines(panel: _Panel, strip: Strip) -> Iterator[tuple[Point, ...]]:
    """Neighbouring columns as one ring; a column without any cell parts them."""
    group: list[Run] = []
    for run in strip.runs:
        if group and strip.stepped and run[0] != group[-1][0] + 1:
            yield _outline(panel, group, strip.stepped)
            group = []
        group.append(run)
    if group:
        yield _outline(panel, group, strip.stepped)


def _outline(panel: _Panel, group: list[Run], stepped: bool) -> tuple[Point, ...]:
    _, _, c, d = panel.window.box
    upper: list[Point] = []
    lower: list[Point] = []
    for tp, low, high in group:
        # Between sampled columns a thin band may miss every integer of one: it is drawn as thin as it is.
        under, over = max(min(low, high), c) - 0.5, min(max(low, high), d) + 0.5
        for edge in (tp - 0.5, tp + 0.5) if stepped else (tp,):
            upper.append((panel.x(edge), panel.y(over)))
            lower.append((panel.x(edge), panel.y(under)))
    points = [*upper, *reversed(lower)]
    inside = range(1, len(points) - 1)
    level = {k for k in inside if points[k - 1][1] == points[k][1] == points[k + 1][1]}
    return tuple(point for k, point in enumerate(points) if k not in level)


def _ticks(panel: _Panel) -> Iterator[Label]:
    a, b, c, d = panel.window.box
    left, _, right, bottom = panel.frame
    room = (right - left) // (14 + 7 * len(f"{b:,}"))
    for value in _round_numbers(a, b, max(2, min(6, room))):
        yield Label(panel.x(value), bottom + 16, f"{value:,}")
    for value in _round_numbers(c, d, 5):
        yield Label(left - 7, panel.y(value) + 4, f"{value:,}", "end")


def _round_numbers(low: int, high: int, most: int) -> list[int]:
    """Round numbers between the ends."""
    step = 1
    while (high - low) // step >= most:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return list(range(-(-low // step) * step, high + 1, step))
