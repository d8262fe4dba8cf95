"""A card whose row readers try to save: the directive ``save-the-row`` shows the finding of a report, its point to move.

The card is the one of a notebook, the script the one of reports (``pages/plane.js``); what is written is checked and
explained while the site is built.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import scoreproof as sp


def demonstration(p: int, n: int, scores: dict[str, str]) -> str:
    """The card of an impossible report and the script that moves its point."""
    (finding,) = sp.check(sp.TestSet(p, n), scores).explain(budget=30).findings
    script = resources.files("scoreproof.pages").joinpath("plane.js").read_text(encoding="utf-8")
    return f"{finding.html(styled=True)}\n<script>{script}</script>"


class SaveTheRow(SphinxDirective):
    """``p=1000 n=6000 acc=0.6801 ...`` in its content."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The card as it is."""
        values = dict(word.split("=") for line in self.content for word in line.split())
        made = demonstration(int(values.pop("p")), int(values.pop("n")), values)
        return [nodes.raw("", made, format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect."""
    app.add_directive("save-the-row", SaveTheRow)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
