"""``{migration} PACKAGE``: every public name of another package and our way, from ``migration.toml``.

Tests hold the file to what the packages have, so that none is missing (``tests/outside/test_migration.py``).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    """The table in Markdown."""
    yield from ("| there | here |", "|---|---|")
    for row in rows:
        names = ", ".join(f"`{name}`" for name in row["names"])
        why = f" ({row['why']})" if "why" in row else ""
        yield f"| {names} | {row['ours']}{why} |"


class Migration(SphinxDirective):
    """The table of one package."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Draw it."""
        file = Path(self.env.srcdir) / "migration.toml"
        self.env.note_dependency(str(file))
        rows = tomllib.loads(file.read_text(encoding="utf-8"))[self.arguments[0]]
        made = nodes.container()
        self.state.nested_parse(StringList(list(lines(rows)), str(file)), self.content_offset, made)
        return made.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("migration", Migration)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
