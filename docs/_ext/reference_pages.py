"""Docstrings as the reference shows them.

Docstrings are written for ``help()``: plain sentences, ``code`` and examples. What else they hold (a lone asterisk, a bar) means
itself, so it is kept from being read as markup.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

BACKSLASH = chr(92)
CODE = re.compile(r"(``.+?``|`[^`\n]+`|:\w+:`[^`]+`)")


def plain(line: str) -> str:
    """A line in which only code is markup.

    >>> print(plain("a * b of ``x*y`` |e|"))
    a \\* b of ``x*y`` \\|e\\|
    """
    parts = CODE.split(line)
    return "".join(part if k % 2 else re.sub(r"([*|_\\])", r"\\\1", part) for k, part in enumerate(parts))


def listed(lines: list[str]) -> list[str]:
    """A paragraph of "name: what it is", one after another, as a list; a heading such as "Parameters" may stand above it.

    >>> listed(["Parameters", "----------", "data: a table,", "    or a mapping.", plain("test_name: its name.")])
    ['**Parameters**', '', '- ``data``: a table,', '  or a mapping.', '- ``test_name``: its name.']
    >>> listed(["What.", "", "data: a table,", "    or a mapping."])
    ['What.', '', '- ``data``: a table,', '  or a mapping.']
    """
    written: list[str] = []
    inside = False
    for place, line in enumerate(lines):
        following = lines[place + 1] if place + 1 < len(lines) else ""
        begins = not written or not written[-1].strip()
        inside = inside or (begins and following.startswith("    ") and bool(re.match(r"[\w\\, ]+: ", line)))
        if written and line and set(line) == {"-"} and written[-1].isalpha():
            written[-1:] = [f"**{written[-1]}**", ""]
            inside = True
        elif inside and line.startswith("    "):
            written.append(f"  {line.strip()}")
        elif inside and (item := re.match(r"([\w\\, ]+): (.*)", line)):
            written.append(f"- ``{item[1].replace(BACKSLASH, '')}``: {item[2]}")
        else:
            inside = inside and bool(line.strip())
            written.append(line)
    return written


def process(app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]) -> None:
    """Make lists of parameters, set examples apart, keep everything else plain."""
    written: list[str] = []
    example = False
    for line in lines:
        bare = line.strip()
        if bare.startswith(">>>"):
            example = True
            if written and written[-1].strip() and not written[-1].lstrip().startswith((">>>", "...")):
                written.append("")
        elif not bare:
            example = False
        written.append(line if example else plain(line))
    lines[:] = listed(written)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect."""
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
