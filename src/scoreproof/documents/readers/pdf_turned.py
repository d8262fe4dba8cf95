"""Rotated tables of a PDF page: the page turned so that its rotated text stands upright.

A wide table is often set sideways on an upright page. Its glyphs say so by their matrices: they run up the page (or
down). Turned by a right angle they are lines like any other, and so are the rules between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_FEWEST = 30  # rotated glyphs; fewer are labels of axes, or a stamp in the margin

Shape = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TurnedPage:
    """As much of a page as is read of one, turned."""

    width: float
    height: float
    chars: Sequence[Shape]
    rects: Sequence[Shape]
    lines: Sequence[Shape]
    images: Sequence[Shape] = ()


def turned(page: Any) -> TurnedPage | None:
    """The page with its rotated text upright; None where hardly any text is rotated."""
    rotated = [char for char in page.chars if not char.get("upright", True)]
    upwards = [char for char in rotated if float(char["matrix"][1]) > 0]
    downwards = [char for char in rotated if float(char["matrix"][1]) < 0]
    up = len(upwards) >= len(downwards)
    chosen = upwards if up else downwards
    if sum(not char["text"].isspace() for char in chosen) < _FEWEST:
        return None
    width, height = float(page.width), float(page.height)
    return TurnedPage(
        height,
        width,
        [_char(char, width, height, up=up) for char in chosen],
        [_box(shape, width, height, up=up) for shape in page.rects],
        [_box(shape, width, height, up=up) for shape in page.lines],
    )


def _box(shape: Shape, width: float, height: float, *, up: bool) -> dict[str, Any]:
    """A shape on the turned page: what ran up the page now runs to the right."""
    x0, x1, top, bottom = (float(shape[side]) for side in ("x0", "x1", "top", "bottom"))
    placed = (height - bottom, height - top, x0, x1) if up else (top, bottom, width - x1, width - x0)
    sides = dict(zip(("x0", "x1", "top", "bottom"), placed, strict=True))
    return {**sides, "stroke": shape.get("stroke")}


def _char(char: Shape, width: float, height: float, *, up: bool) -> dict[str, Any]:
    across = float(char["matrix"][4])
    baseline = across if up else width - across  # from the top of the turned page
    return {
        **_box(char, width, height, up=up),
        "text": char["text"],
        "size": float(char["size"]),
        "fontname": char.get("fontname", ""),
        "upright": True,
        "matrix": (1.0, 0.0, 0.0, 1.0, 0.0, width - baseline),
    }
