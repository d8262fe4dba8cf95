"""``{unsaid} FREQUENCY``: the conventions of the registry that are so common, as a table.

The registry itself (``scoreproof/kinds/conventions.toml``) is what ``check`` and ``explain`` try, so that the page says
neither more nor less than they do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from scoreproof.kinds.conventions import Frequency, registry


def lines(frequency: str, *, changes: bool) -> Iterator[str]:
    """The table in Markdown: those that change a report, or those that are within what is tested anyway.

    >>> [line.split("|")[1].strip() for line in lines("common", changes=True)][2:4]
    ['classes exchanged', 'macro averages']
    """
    yield from (
        "| name | fits only if | kinds | who computes so | confirmed with | remark |",
        "|---|---|---|---|---|---|",
    )
    for entry in registry():
        if entry.frequency is Frequency(frequency) and bool(entry.change) is changes:
            kinds = ", ".join(entry.kinds)
            yield f"| {entry.name} | {entry.label} | {kinds} | {entry.by} | {entry.confirmed} | {entry.note} |"


class Unsaid(SphinxDirective):
    """The table of one frequency; with ``harmless`` those that change nothing that is tested."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Draw it."""
        made = nodes.container()
        table = list(lines(self.arguments[0], changes=len(self.arguments) == 1))
        self.state.nested_parse(StringList(table, "conventions.toml"), self.content_offset, made)
        return made.children


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("unsaid", Unsaid)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
