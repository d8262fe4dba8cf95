"""The admissible region as inline SVG: the whole plane, and a closer look at where the scores meet or miss.

Only shapes and class names are written here; the style sheet colours them, so the figure follows the light, dark and
print themes. Every score has a line style of its own besides its colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoreproof.asking import Verdict
from scoreproof.pages.escape import escape, short
from scoreproof.pages.region import Region, Run, Strip, View
from scoreproof.pages.words import counted, listed
from scoreproof.reported import Claim

_DASHES = ("", "7 3", "2 2", "10 3 2 3", "5 2", "1 3", "12 4", "4 2 1 2")
_MOST_DOTS = 400


@dataclass(frozen=True, slots=True)
class _Panel:
    """Where a view is drawn, and how its counts become coordinates; a cell is a square around its counts."""

    view: View
    width: int
    height: int
    bottom: int = 44
    top: int = 10

    @property
    def left(self) -> int:
        """Room for the longest count at the axis."""
        return 34 + 6 * len(f"{self.view.box[3]:,}")

    @property
    def right(self) -> int:
        """Room for half of the last count below the axis."""
        return 8 + 3 * len(f"{self.view.box[1]:,}")

    def x(self, tp: float) -> float:
        a, b, _, _ = self.view.box
        return self.left + (self.width - self.left - self.right) * (tp - a + 0.5) / (b - a + 1)

    def y(self, tn: float) -> float:
        _, _, c, d = self.view.box
        return self.height - self.bottom - (self.height - self.top - self.bottom) * (tn - c + 0.5) / (d - c + 1)

    def rect(self, a: float, b: float, c: float, d: float, kind: str, least: float = 0.0) -> str:
        """The cells from tp a to b and tn c to d, at least so many pixels wide and high."""
        x, y = self.x(a - 0.5), self.y(d + 0.5)
        width, height = self.x(b + 0.5) - x, self.y(c - 0.5) - y
        wide, high = max(width, least), max(height, least)
        return (
            f'<rect class="{kind}" x="{x - (wide - width) / 2:.1f}" y="{y - (high - height) / 2:.1f}" '
            f'width="{wide:.1f}" height="{high:.1f}"/>'
        )


def figure(found: Region, name: str, caption: str) -> str:
    """The figure of a region with its legend; ``caption`` is said below it."""
    close = _svg(_Panel(found.zoom, 470, 330), f"{name}: where the scores meet or miss each other")
    parts = [f'<div class="panel"><p>Closer: {_window(found.zoom)}</p>{close}</div>']
    if found.zoom.box != found.overview.box:
        panel = _Panel(found.overview, 290, 330)
        a, b, c, d = found.zoom.box
        mark = panel.rect(a, b, c, d, "lens", 7)
        whole = _svg(panel, f"{name}: the whole plane of confusion matrices", mark)
        parts.insert(0, f'<div class="panel"><p>All: p = {found.p:,}, n = {found.n:,}</p>{whole}</div>')
    legend = "".join(_legend(place, one, found) for place, one in enumerate(found.reported))
    if found.zoom.common.runs:
        swatch = '<svg class="swatch" width="26" height="12" aria-hidden="true">'
        legend += f'<li>{swatch}<rect class="fit" x="1" y="1" width="24" height="10"/></svg> fits every score</li>'
    note = f" Not drawn: {short(listed(found.left_out))}." if found.left_out else ""
    return (
        f'<figure class="region"><div class="panels">{"".join(parts)}</div><ul class="legend">{legend}</ul>'
        f"<figcaption>{escape(caption)}{note}</figcaption></figure>"
    )


def caption(found: Region, verdict: Verdict) -> str:
    """What the figure shows, in a sentence or two."""
    start = (
        f"Each band holds the confusion matrices that give one printed score, out of all "
        f"{(found.p + 1) * (found.n + 1):,} with {counted(found.p, 'positive')} and {counted(found.n, 'negative')}."
    )
    if found.apart or (verdict is Verdict.INCONSISTENT and not found.left_out):
        return f"{start} No matrix lies in all the bands."
    if verdict is Verdict.INCONSISTENT:
        return f"{start} What these bands share, the scores that are not drawn exclude."
    if verdict is Verdict.UNDECIDED:
        return start
    runs = found.zoom.common.runs
    if not runs or not found.zoom.common.stepped:
        return f"{start} The bands meet."
    number = sum(high - low + 1 for _, low, high in runs)
    return f"{start} {counted(number, 'matrix lies', 'matrices lie')} in all the bands."


def _window(view: View) -> str:
    a, b, c, d = view.box
    return f"tp {a:,} to {b:,}, tn {c:,} to {d:,}"


def _legend(place: int, one: Claim, found: Region) -> str:
    absent = not found.zoom.strips[place].runs
    where = " <small>(outside the closer window)</small>" if absent and found.overview.strips[place].runs else ""
    if absent and not found.overview.strips[place].runs:
        where = " <small>(no matrix gives it)</small>"
    dash = f' stroke-dasharray="{_DASHES[place]}"' if _DASHES[place] else ""
    return (
        f'<li><svg class="swatch" width="26" height="12" aria-hidden="true"><rect class="band b{place}" x="1" y="1" '
        f'width="24" height="10"{dash}/></svg> {short(one.name, 40)} {short(one.text, 40)}{where}</li>'
    )


def _svg(panel: _Panel, label: str, more: str = "") -> str:
    shapes = [_strip(panel, strip, f"band b{place}", _DASHES[place]) for place, strip in enumerate(panel.view.strips)]
    return (
        f'<svg class="plane" viewBox="0 0 {panel.width} {panel.height}" width="{panel.width}" '
        f'height="{panel.height}" role="img" aria-label="{short(label)}">'
        f"{''.join(_axes(panel))}{''.join(shapes)}{_common(panel)}{more}</svg>"
    )


def _common(panel: _Panel) -> str:
    """The matrices all scores allow: every one of them where they are few, their outline otherwise."""
    common = panel.view.common
    if common.stepped and sum(high - low + 1 for _, low, high in common.runs) <= _MOST_DOTS:
        return "".join(
            panel.rect(tp, tp, tn, tn, "fit", 4) for tp, low, high in common.runs for tn in range(low, high + 1)
        )
    return _strip(panel, common, "fit area", "")


def _strip(panel: _Panel, strip: Strip, kind: str, dash: str) -> str:
    path = "".join(_outline(panel, group, strip.stepped) for group in _groups(strip))
    if not path:
        return ""
    style = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="{kind}" d="{path}"{style}/>'


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
    _, _, c, d = panel.view.box
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
    kept: list[tuple[float, float]] = []
    for place, point in enumerate(points):
        inside = 0 < place < len(points) - 1
        if inside and points[place - 1][1] == point[1] == points[place + 1][1]:
            continue
        kept.append(point)
    return kept


def _axes(panel: _Panel) -> Iterator[str]:
    a, b, c, d = panel.view.box
    left, right = panel.left, panel.width - panel.right
    top, bottom = panel.top, panel.height - panel.bottom
    yield f'<rect class="frame" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>'
    room = (right - left) // (14 + 7 * len(f"{b:,}"))
    for value in _ticks(a, b, max(2, min(6, room))):
        x = panel.x(value)
        yield f'<path class="tick" d="M{x:.1f} {bottom}v4"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{value:,}</text>'
    for value in _ticks(c, d, 5):
        y = panel.y(value)
        yield f'<path class="tick" d="M{left} {y:.1f}h-4"/>'
        yield f'<text x="{left - 7}" y="{y + 4:.1f}" text-anchor="end">{value:,}</text>'
    yield (
        f'<text class="axis" x="{(left + right) / 2:.0f}" y="{panel.height - 8}" text-anchor="middle">'
        "true positives (tp)</text>"
    )
    middle = (top + bottom) / 2
    yield (
        f'<text class="axis" x="12" y="{middle:.0f}" text-anchor="middle" transform="rotate(-90 12 {middle:.0f})">'
        "true negatives (tn)</text>"
    )


def _ticks(low: int, high: int, most: int) -> list[int]:
    """Round numbers between the ends."""
    step = 1
    while (high - low) // step >= most:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return list(range(-(-low // step) * step, high + 1, step))
