"""A page of sections, as plain values: words, points, tables, bars, pictures, code.

The pages of ``sota``, ``reinterpret``, ``compare``, ``recommend`` and ``metrics`` are all made of these.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scoreproof.figures import to_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts, the first of each row its heading; ``marks`` gives the class of a text, ``shaded`` of rows."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    marks: Mapping[str, str] = field(default_factory=dict)
    shaded: frozenset[int] = frozenset()
    more: int = 0  # rows left out


@dataclass(frozen=True, slots=True)
class Bars:
    """Intervals on one axis: for each its name, its ends as shares of the axis, and its words."""

    label: str
    rows: Sequence[tuple[str, float, float, str]]
    ends: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; ``points`` are sentences with their classes, ``ready`` notebook tables."""

    title: str
    words: str = ""
    points: Sequence[tuple[str, str]] = ()
    sheet: Sheet | None = None
    bars: Bars | None = None
    pictures: Sequence[tuple[str, str]] = ()  # what it shows, and its address
    ready: str = ""
    code: str = ""


def document(kind: str, title: str, lead: str, sections: Sequence[Section]) -> str:
    """The page.

    >>> "x &lt; y" in document("Example", "A & B", "x < y", [Section("One", sheet=Sheet((), [("a", "1")]))])
    True
    """
    from markupsafe import Markup

    from scoreproof.pages.writer import write

    ready = [Markup(section.ready) for section in sections]
    return write("document", kind=kind, title=title, lead=lead, sections=list(zip(sections, ready, strict=True)))


def picture(figure: Figure, label: str) -> tuple[str, str]:
    """A figure as a picture inside the page: the policy lets no style of matplotlib's into the page itself."""
    return label, f"data:image/svg+xml;base64,{base64.b64encode(to_svg(figure).encode('utf-8')).decode('ascii')}"
