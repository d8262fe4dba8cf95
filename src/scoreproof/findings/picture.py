"""How a finding is drawn: a number line, the plane of confusion matrices, or parts beside the mean that is printed.

A picture is plain shapes with coordinates, so that one value becomes an SVG (in a page, whose style sheet gives it the
colours of the theme; in a notebook; as a file), a PNG (by matplotlib), and a line of characters for a terminal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreproof.figures import new_figure, save_figure
from scoreproof.files import write_file
from scoreproof.findings.words import cut
from scoreproof.insight.conflicts import Instead
from scoreproof.kinds import kind_named
from scoreproof.reported import Claim

if TYPE_CHECKING:
    from scoreproof.findings.finding import Finding

Point = tuple[float, float]
_RED, _BLUE, _INK, _QUIET, _LINE = "#b42318", "#1f5a86", "#1c2024", "#5b6470", "#c4cad2"
_BANDS = ("#1668b5", "#b3560b", "#0d7d5c", "#9a3ea0", "#7a6a00", "#b3314d", "#4a55c4", "#5a626d")
#: How a shape looks where no style sheet says so: what it is filled with, how opaque, and its line.
_LOOKS = {"printed": (_RED, 0.25, _RED), "reach": (_BLUE, 1.0, _BLUE), "range": (_BLUE, 0.3, _BLUE),
          "axis": ("none", 1.0, _QUIET), "frame": ("none", 1.0, _LINE), "bar": (_BLUE, 0.35, "none"),
          "fit": (_INK, 1.0, "none"), "best": ("none", 1.0, _INK)}  # fmt: skip
_WIDTH, _MOST_BARS = 400, 14


@dataclass(frozen=True, slots=True)
class Outline:
    """Rings of points of one look: closed areas, or open lines; ``dash`` as in SVG."""

    kind: str
    rings: tuple[tuple[Point, ...], ...]
    closed: bool = True
    dash: str = ""

    @property
    def path(self) -> str:
        end = "Z" if self.closed else ""
        return "".join(f"M{'L'.join(f'{x:.1f} {y:.1f}' for x, y in ring)}{end}" for ring in self.rings)


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place; ``anchor`` as in SVG, ``turned`` by a quarter."""

    x: float
    y: float
    text: str
    anchor: str = "middle"
    kind: str = ""
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes and labels in a frame of pixels; ``title`` and ``words`` are for those who do not see it.

    ``data`` is what is drawn, in JSON's own types: of a plane enough to move a point on it.
    """

    sort: str
    title: str
    words: str
    size: tuple[int, int]
    shapes: tuple[Outline, ...]
    labels: tuple[Label, ...]
    data: Mapping[str, Any] = field(default_factory=dict)
    legend: tuple[tuple[str, str, str], ...] = ()  # of bands: their look, their dash, their words
    characters: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"sort": self.sort, "title": self.title, "words": self.words, **self.data}

    def line(self, width: int = 74) -> str:
        """The picture as a line of characters; empty where none shows it."""
        return self.characters if len(self.characters) <= width else ""

    def svg(self) -> str:
        """The picture as SVG that stands alone, in a page or in a file."""
        width, height = self.size
        parts = [f'<path class="{shape.kind}" d="{shape.path}" {_attributes(shape)}/>' for shape in self.shapes]
        parts += list(map(_label, self.labels))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="picture {self.sort}" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" font-family="sans-serif" font-size="12">'
            f"<title>{escape(self.title)}</title><desc>{escape(self.words)}</desc>{''.join(parts)}</svg>"
        )

    def swatch(self, kind: str, dash: str) -> str:
        """The mark of a legend."""
        box = Outline(kind, (_box(1, 1, 25, 11),), dash=dash)
        drawn = f'<path class="{kind}" d="{box.path}" {_attributes(box)}/>'
        return f'<svg class="swatch" width="26" height="12" aria-hidden="true">{drawn}</svg>'

    def save(self, path: str | Path) -> None:
        """Write it with its legend as .svg, or with matplotlib as .png or .pdf."""
        (width, height), shapes, labels = self.size, list(self.shapes), list(self.labels)
        for kind, dash, words in self.legend:
            shapes.append(Outline(kind, (_box(12, height, 36, height + 10),), dash=dash))
            labels.append(Label(44, height + 10, words, "start"))
            height += 18
        alone = replace(self, size=(width, height), shapes=tuple(shapes), labels=tuple(labels))
        if Path(path).suffix.lower() == ".svg":
            write_file(path, alone.svg())
        else:
            save_figure(alone._figure(), path)

    def _figure(self) -> Any:
        from matplotlib.patches import Polygon

        width, height = self.size
        figure = new_figure(width / 100, height / 100, layout=None)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(0, width)
        axes.set_ylim(height, 0)
        axes.axis("off")
        for shape in self.shapes:
            fill, opacity, line = look(shape.kind)
            for ring in shape.rings if shape.closed else ():
                axes.add_patch(Polygon(ring, closed=True, facecolor=fill, edgecolor="none", alpha=opacity))
            for ring in shape.rings:
                drawn = [*ring, ring[0]] if shape.closed else ring
                axes.plot(*zip(*drawn, strict=True), color=line, linewidth=1)
        for label in self.labels:
            align = {"start": "left", "end": "right"}.get(label.anchor, "center")
            turn = 90 if label.turned else 0
            axes.text(label.x, label.y, label.text.replace("$", r"\$"), ha=align, fontsize=8, rotation=turn)
        return figure


def look(kind: str) -> tuple[str, float, str]:
    """Fill, opacity and line of a shape."""
    name = kind.rsplit(maxsplit=1)[-1]
    if name[:1] == "b" and name[1:].isdigit():
        return _BANDS[int(name[1:])], 0.16, _BANDS[int(name[1:])]
    return _LOOKS.get(name, _LOOKS["axis"])


def _attributes(shape: Outline) -> str:
    fill, opacity, line = look(shape.kind)
    area = f'fill="{fill}" fill-opacity="{opacity:g}"' if shape.closed else 'fill="none"'
    return f'{area} stroke="{line}"' + (f' stroke-dasharray="{shape.dash}"' if shape.dash else "")


def _label(label: Label) -> str:
    turn = f' transform="rotate(-90 {label.x:g} {label.y:g})"' if label.turned else ""
    colour = _RED if label.kind == "printed" else _QUIET
    kind = f' class="{label.kind}"' if label.kind else ""
    place = f'x="{label.x:.1f}" y="{label.y:.1f}" text-anchor="{label.anchor}"'
    return f'<text{kind} {place} fill="{colour}"{turn}>{escape(label.text)}</text>'


def picture_of(finding: Finding) -> Picture | None:
    """The picture that shows a finding best; None where there is nothing to draw."""
    if finding.answer is None:
        return None
    problem, instead = finding.answer.problem, finding.instead
    parts = getattr(problem, "parts", None) or getattr(problem, "rows", None)
    claims = {claim.name: claim for claim in problem.claims}
    target = claims.get(instead.score) if instead is not None else None
    if parts and target is not None and instead is not None and instead.between and len(parts) <= _MOST_BARS:
        return _bars(finding, target, parts)
    if len(finding.scores) > 1:
        from scoreproof.findings.plane import plane

        drawing = kind_named(problem.kind).drawing(problem, frozenset(finding.scores))
        if drawing is not None:
            return plane(drawing, problem, finding)
    return None if target is None or instead is None else _number_line(finding, target)


def _number_line(finding: Finding, claim: Claim) -> Picture:
    """The values that can be, and the printed one in the gap between them or beside their range."""
    instead = finding.instead
    assert instead is not None
    ends = _ends(instead)
    low, high = float(claim.low), float(claim.high)
    step = 1 / instead.cases if instead.cases else 0.0
    span = max(*ends, high) - min(*ends, low)
    first, last = (min(*ends, low) - (step or 0.15 * span)), (max(*ends, high) + (step or 0.15 * span))
    at = _scale(first, last, 24, _WIDTH - 24)
    shapes = [Outline("axis", (((10.0, 60.0), (_WIDTH - 10.0, 60.0)),), closed=False)]
    labels, counts = [], []
    if instead.between:
        shapes.append(Outline("range", (_box(at(ends[0]), 54, at(ends[-1]), 66),)))
        middle = (at(ends[0]) + at(ends[-1])) / 2
        labels.append(_centred(middle, 90, f"can be {instead.words}"))
    else:
        counts = [round(end * instead.cases) for end in ends] if instead.cases else []
        around = [k for k in (counts[0] - 1, *counts, counts[-1] + 1) if 0 <= k <= instead.cases] if counts else []
        points = [k / instead.cases for k in around] if counts else ends
        shapes.append(Outline("reach", tuple(_dot(at(value), 60.0) for value in points)))
        for value, text in zip(ends, filter(None, (instead.low, instead.high)), strict=True):
            of = f"{round(value * instead.cases):,}/{instead.cases:,} = " if counts else ""
            outward = 0 if len(ends) == 1 else 30 if value == ends[0] else -30  # away from the other's label
            anchor = {30: "end", -30: "start"}.get(outward, "middle")
            labels.append(Label(at(value) + outward, 90, f"{of}{text}", anchor))
    shapes.append(Outline("printed", (_box(at(low), 46, at(high), 74),)))
    printed = f"{finding.name(instead.score)} {cut(instead.printed, 40)}"
    labels.append(_centred((at(low) + at(high)) / 2, 36, f"printed {printed}", kind="printed"))
    words = f"Printed {printed}; on the line it can be {instead.words}."
    data = {"score": instead.score, "printed": [low, high], "possible": ends, "cases": instead.cases}
    title, line = f"{printed} beside what it can be", in_characters(finding, (claim,))
    return Picture("line", title, words, (_WIDTH, 100), tuple(shapes), tuple(labels), data, characters=line)


def in_characters(finding: Finding, claims: Sequence[Claim]) -> str:
    """A number line in characters: the values next to the printed one, or their range beside it."""
    instead, room = finding.instead, 24
    claim = next((claim for claim in claims if instead is not None and claim.name == instead.score), None)
    if instead is None or claim is None:
        return ""
    ends, middle, printed = _ends(instead), float(claim.low + claim.high) / 2, cut(instead.printed, 40)
    if instead.between or len(ends) < 2:
        wide = instead.low != instead.high and len(ends) > 1
        reach = f"├─ {instead.low} … {instead.high} ─┤" if wide else f"● {instead.low or instead.high}"
        return f"{reach} ······ ✗ {printed}" if middle > ends[-1] else f"✗ {printed} ······ {reach}"
    before = max(1, min(room - 1, round(room * (middle - ends[0]) / (ends[1] - ends[0]))))
    return f"{instead.low} ●{'─' * before}✗ {printed} {'─' * (room - before)}● {instead.high}"


def _ends(instead: Instead) -> list[float]:
    return [float(text.rstrip("%")) / (100 if "%" in text else 1) for text in (instead.low, instead.high) if text]


def _bars(finding: Finding, target: Claim, parts: Sequence[Claim]) -> Picture:
    """The printed parts as bars, the range of what they give, and the printed value that misses it."""
    instead = finding.instead
    assert instead is not None
    ends, printed = _ends(instead), cut(target.text, 40)
    low, high = float(target.low), float(target.high)
    values = [float(part.number.value) for part in parts]
    first, last = min(*values, *ends, low), max(*values, *ends, high)
    margin = 0.15 * (last - first) or 1.0
    at = _scale(first - margin, last, 110, _WIDTH - 70)
    height = 22 * len(parts) + 62
    shapes, labels = [], []
    alike = len({part.name for part in parts}) == 1  # rows of one column
    names = [f"row {place}" if alike else cut(part.name, 16) for place, part in enumerate(parts, 1)]
    for place, (part, value) in enumerate(zip(parts, values, strict=True)):
        y = 30.0 + 22 * place
        shapes.append(Outline("bar", (_box(110, y, at(value), y + 12),)))
        labels.append(Label(104, y + 11, names[place], "end"))
        labels.append(Label(at(value) + 4, y + 11, cut(part.text, 16), "start"))
    shapes.append(Outline("range", (_box(at(ends[0]), 22, at(ends[1]), height - 30),)))
    shapes.append(Outline("printed", (_box(at(low), 22, at(high), height - 30),)))
    labels.append(_centred(at((low + high) / 2), 16, f"printed {printed}", kind="printed"))
    labels.append(_centred(at(sum(ends) / 2), height - 12, f"can be {instead.words}"))
    listed = [(name, cut(part.text, 16)) for name, part in zip(names, parts, strict=True)]
    words = f"Bars of {', '.join(map(' '.join, listed))}; printed {printed}, can be {instead.words}."
    data = {"parts": listed, "printed": [low, high], "possible": ends}
    title, line = f"{printed} beside the numbers it is made of", in_characters(finding, (target,))
    return Picture("bars", title, words, (_WIDTH, height), tuple(shapes), tuple(labels), data, characters=line)


def _scale(first: float, last: float, left: float, right: float) -> Any:
    width = (last - first) or 1.0
    return lambda value: left + (right - left) * (value - first) / width


def _box(left: float, top: float, right: float, bottom: float, least: float = 3.0) -> tuple[Point, ...]:
    """A rectangle, wide enough to be seen."""
    if right - left < least:
        left, right = (left + right - least) / 2, (left + right + least) / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _dot(x: float, y: float, radius: float = 5.0) -> tuple[Point, ...]:
    corners = ((0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7))
    return tuple((x + radius * a, y + radius * b) for a, b in corners)


def _centred(x: float, y: float, words: str, kind: str = "") -> Label:
    """A label at a place, or as near to it as the frame has room for the words."""
    text = cut(words, _WIDTH // 8)
    half = 3.8 * len(text)
    return Label(min(max(x, half), _WIDTH - half), y, text, kind=kind)
