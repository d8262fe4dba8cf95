"""``{architecture}``: the packages and what they import, drawn from the source while the site is built.

Imports are read from the syntax trees (what is imported for types only is left out). A package stands one row above the highest
package it imports; an arrow that follows from two others is not drawn. The SVG is written here: no program draws graphs for us.
"""

from __future__ import annotations

import ast
import html
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import scoreproof

ROOT = Path(scoreproof.__file__).parent
BOX, GAP, ROW = 128, 14, 74  # widths and heights of boxes and rows


def imports() -> dict[str, set[str]]:
    """The packages and modules of the first level, each with those it imports."""
    found: dict[str, set[str]] = {}
    for path in ROOT.rglob("*.py"):
        here = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if here.startswith("_"):
            continue
        found.setdefault(here, set()).update(_named(ast.parse(path.read_text(encoding="utf-8"))) - {here})
    return {name: {other for other in others if other in found} for name, others in found.items()}


def _named(tree: ast.AST) -> set[str]:
    typed = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    left_out = {inner for block in typed for inner in ast.walk(block)}
    names: list[str] = []
    for node in ast.walk(tree):
        if node in left_out:
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "scoreproof":
            names += [f"scoreproof.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return {name.split(".")[1] for name in names if name.startswith("scoreproof.")}


def levels(edges: dict[str, set[str]]) -> dict[str, int]:
    """How far up each package stands.

    >>> levels({"cli": {"checking"}, "checking": {"errors"}, "errors": set()})
    {'cli': 2, 'checking': 1, 'errors': 0}
    """
    known: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in known:
            known[name] = 1 + max((level(other) for other in edges[name]), default=-1)
        return known[name]

    return {name: level(name) for name in edges}


def needed(edges: dict[str, set[str]]) -> list[tuple[str, str]]:
    """The arrows that do not follow from others."""
    below: dict[str, set[str]] = {}

    def all_below(name: str) -> set[str]:
        if name not in below:
            below[name] = edges[name].union(*(all_below(other) for other in edges[name]))
        return below[name]

    return [
        (name, other)
        for name, others in edges.items()
        for other in others
        if not any(other in all_below(third) for third in others - {other})
    ]


def picture() -> str:
    """The picture as SVG."""
    edges = imports()
    up = levels(edges)
    rows = [sorted(name for name, level in up.items() if level == height) for height in range(max(up.values()) + 1)]
    width = max(len(row) for row in rows) * (BOX + GAP) + GAP
    height = len(rows) * ROW + GAP
    place: dict[str, tuple[float, float]] = {}
    for level, row in enumerate(rows):
        left = (width - len(row) * (BOX + GAP) + GAP) / 2
        for column, name in enumerate(row):
            place[name] = (left + column * (BOX + GAP), height - (level + 1) * ROW)
    parts = [
        f'<svg class="architecture" viewBox="0 0 {width} {height}" role="img" xmlns="http://www.w3.org/2000/svg" '
        'aria-label="The packages of scoreproof in rows; each imports packages in rows below it">'
    ]
    for name, other in sorted(needed(edges)):
        (x, y), (u, v) = place[name], place[other]
        parts.append(
            f'<path d="M{x + BOX / 2:.0f} {y + 34} C{x + BOX / 2:.0f} {y + 54} {u + BOX / 2:.0f} {v - 20} {u + BOX / 2:.0f} {v}"/>'
        )
    for name, (x, y) in place.items():
        parts.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="{BOX}" height="34" rx="5"/>')
        parts.append(f'<text x="{x + BOX / 2:.0f}" y="{y + 22:.0f}">{html.escape(name)}</text>')
    return "".join([*parts, "</svg>"])


class Architecture(SphinxDirective):
    """The picture, and the same as a table for those who do not see it."""

    def run(self) -> list[nodes.Node]:
        """Draw."""
        return [nodes.raw("", f'<div class="table-wrapper">{picture()}</div>', format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("architecture", Architecture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
