"""Pages that have others below them in the navigation, without a word of Sphinx in their text.

The pages are read on their own, too (in the repository, in tests), so the list of what is below them is added here:
``pages_below`` of ``conf.py`` has the patterns.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

LIST = "\n\n```{{toctree}}\n:hidden:\n:glob:\n\n{}\n```\n"


def add(app: Sphinx, name: str, source: list[str]) -> None:
    """Add the list to the pages that have one."""
    below = app.config.pages_below
    if name in below:
        source[0] += LIST.format(below[name].removeprefix(f"{name.rpartition('/')[0]}/"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect."""
    app.add_config_value("pages_below", {}, "env")
    app.connect("source-read", add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
