"""The admissible region as shapes: the whole plane, and a closer look at where the scores meet or miss.

Only coordinates and class names are made here; a template writes them as SVG and the style sheet colours them, so the
figure follows the light, dark and print themes. Every score has a line style of its own besides its colour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scoreproof.kinds.binary.drawing import Drawing, Run, Strip, Window
from scoreproof.pages.words import counted, cut, listed

_DASHES = ("", "7 3", "2 2", "10 3 2 3", "5 2", "1 3", "12 4", "4 2 1 2")
_MOST_DOTS = 400


@dataclass(frozen=True, slots=True)
class SvgShape:
    """A path and how it is drawn."""

    kind: str
    path: str
    dash: str = ""


@dataclass(frozen=True, slots=True)
class PanelView:
    """One picture: a title, a label for those who do not see it, its size, its frame (left, top, right, bottom).

    ``ticks`` have each a path and a number: its x, its y, its anchor, its text.
    """

    title: str
    label: str
    size: tuple[int, int]
    frame: tuple[int, int, int, int]
    ticks: tuple[tuple[str, ...], ...]
    shapes: tuple[SvgShape, ...]


@dataclass(frozen=True, slots=True)
class FigureView:
    """The figure of a row; the legend has for each score its dash, its words and a remark."""

    panels: tuple[PanelView, ...]
    legend: tuple[tuple[str, str, str], ...]
    shared: bool
    caption: str


def figure(drawing: Drawing, row: str, verdict: str, name: Callable[[str], str], reads: str = "") -> FigureView:
    """The figure of a drawing; ``name`` gives the paper's name of a score, ``reads`` the reading that is drawn."""
    near = _Panel(drawing.zoom, 430, 330)
    a, b, c, d = drawing.zoom.box
    closer = f"Closer: tp {a:,} to {b:,}, tn {c:,} to {d:,}"
    panels = [near.view(closer, f"{row}: where the scores meet or miss each other")]
    if drawing.zoom.box != drawing.overview.box:
        far = _Panel(drawing.overview, 330, 330)
        lens = SvgShape("lens", far.box(a, b, c, d, least=7))
        every = f"All: p = {drawing.p:,}, n = {drawing.n:,}"
        panels.insert(0, far.view(every, f"{row}: the whole plane of confusion matrices", lens))
    legend = []
    for place, (score, text) in enumerate(drawing.scores):
        here, anywhere = drawing.zoom.strips[place].runs, drawing.overview.strips[place].runs
        remark = "" if here else "(outside the closer window)" if anywhere else "(no matrix gives it)"
        legend.append((_DASHES[place], f"{cut(name(score), 40)} {cut(text, 40)}", remark))
    left = f" Not drawn: {listed(map(name, drawing.left_out))}." if drawing.left_out else ""
    caption = f"{reads}{_caption(drawing, verdict)}{left}"
    return FigureView(tuple(panels), tuple(legend), bool(drawing.zoom.common.runs), cut(caption, 900))


def _caption(drawing: Drawing, verdict: str) -> str:
    """What the figure shows, in a sentence or two."""
    start = (
        f"Each band holds the confusion matrices that give one printed score, out of all "
        f"{(drawing.p + 1) * (drawing.n + 1):,} with {counted(drawing.p, 'positive')} and "
        f"{counted(drawing.n, 'negative')}."
    )
    if drawing.apart or (verdict == "inconsistent" and not drawing.left_out):
        return f"{start} No matrix lies in all the bands."
    if verdict == "inconsistent":
        return f"{start} What these bands share, the scores that are not drawn exclude."
    if verdict == "undecided":
        return start
    common = drawing.zoom.common
    if not common.runs or not common.stepped:
        return f"{start} The bands meet."
    number = sum(high - low + 1 for _, low, high in common.runs)
    return f"{start} {counted(number, 'matrix lies', 'matrices lie')} in all the bands."


class _Panel:
    """Where a window is drawn, and how its counts become coordinates; a cell is a square around its counts."""

    def __init__(self, window: Window, width: int, height: int) -> None:
        self.window, self.width, self.height = window, width, height
        _, b, _, d = window.box
        self.top, self.bottom = 10, height - 44
        self.left = 34 + 6 * len(f"{d:,}")  # room for the longest count at the axis
        self.right = width - 8 - 3 * len(f"{b:,}")  # and for half of the last one below it

    def x(self, tp: float) -> float:
        a, b, _, _ = self.window.box
        return self.left + (self.right - self.left) * (tp - a + 0.5) / (b - a + 1)

    def y(self, tn: float) -> float:
        _, _, c, d = self.window.box
        return self.bottom - (self.bottom - self.top) * (tn - c + 0.5) / (d - c + 1)

    def box(self, a: float, b: float, c: float, d: float, least: float = 0.0) -> str:
        """The cells from tp a to b and tn c to d, at least so many pixels wide and high."""
        x, y = self.x(a - 0.5), self.y(d + 0.5)
        width, height = self.x(b + 0.5) - x, self.y(c - 0.5) - y
        wide, high = max(width, least), max(height, least)
        return f"M{x - (wide - width) / 2:.1f} {y - (high - height) / 2:.1f}h{wide:.1f}v{high:.1f}h-{wide:.1f}Z"

    def view(self, title: str, label: str, *more: SvgShape) -> PanelView:
        shapes = [
            SvgShape(f"band b{place}", _outlines(self, strip), _DASHES[place])
            for place, strip in enumerate(self.window.strips)
        ]
        kept = tuple(shape for shape in (*shapes, _common(self), *more) if shape.path)
        frame = (self.left, self.top, self.right, self.bottom)
        return PanelView(title, label, (self.width, self.height), frame, tuple(_ticks(self)), kept)


def _common(panel: _Panel) -> SvgShape:
    """The matrices all scores allow: every one of them where they are few, their outline otherwise."""
    common = panel.window.common
    if common.stepped and sum(high - low + 1 for _, low, high in common.runs) <= _MOST_DOTS:
        cells = [(tp, tn) for tp, low, high in common.runs for tn in range(low, high + 1)]
        return SvgShape("fit", "".join(panel.box(tp, tp, tn, tn, 4) for tp, tn in cells))
    return SvgShape("fit area", _outlines(panel, common))


def _outlines(panel: _Panel, strip: Strip) -> str:
    return "".join(_outline(panel, group, strip.stepped) for group in _groups(strip))


def _groups(strip: Strip) -> Iterator[list[Run]]:
    """Neighbouring columns together; a column without any cell parts them."""
    group: list[Run] = []
    for run in strip.runs:
        if group and strip.stepped and run[0] != group[-1][0] + 1:
            yield group
            group = []
        group.append(run)
    if group:
        yield group


def _outline(panel: _Panel, group: list[Run], stepped: bool) -> str:
    _, _, c, d = panel.window.box
    upper: list[tuple[float, float]] = []
    lower: list[tuple[float, float]] = []
    for tp, low, high in group:
        # Between sampled columns a thin band may miss every integer of one: it is drawn as thin as it is.
        under, over = max(min(low, high), c) - 0.5, min(max(low, high), d) + 0.5
        for edge in (tp - 0.5, tp + 0.5) if stepped else (tp,):
            upper.append((panel.x(edge), panel.y(over)))
            lower.append((panel.x(edge), panel.y(under)))
    points = _without_repeats([*upper, *reversed(lower)])
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def _without_repeats(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points without those in the middle of a level stretch."""
    inside = range(1, len(points) - 1)
    level = {k for k in inside if points[k - 1][1] == points[k][1] == points[k + 1][1]}
    return [point for k, point in enumerate(points) if k not in level]


def _ticks(panel: _Panel) -> Iterator[tuple[str, ...]]:
    a, b, c, d = panel.window.box
    room = (panel.right - panel.left) // (14 + 7 * len(f"{b:,}"))
    for value in _round_numbers(a, b, max(2, min(6, room))):
        x = f"{panel.x(value):.1f}"
        yield (f"M{x} {panel.bottom}v4", x, str(panel.bottom + 16), "middle", f"{value:,}")
    for value in _round_numbers(c, d, 5):
        y = panel.y(value)
        yield (f"M{panel.left} {y:.1f}h-4", str(panel.left - 7), f"{y + 4:.1f}", "end", f"{value:,}")


def _round_numbers(low: int, high: int, most: int) -> list[int]:
    """Round numbers between the ends."""
    step = 1
    while (high - low) // step >= most:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return list(range(-(-low // step) * step, high + 1, step))
