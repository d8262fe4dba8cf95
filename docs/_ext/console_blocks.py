"""``{console}``: commands that are run while the site is built, shown with what they print; ``{report}``: a page one of them wrote.

A page has one folder for all of its commands, which begins with the files of the gallery and of the example papers, so that a reader
who has downloaded them gets the same. A command must end with the status that ``:status:`` names, or the build fails.
"""

from __future__ import annotations

import html
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).parents[1]
#: Terminals of this width are wide enough for the tables and fit a page.
COLUMNS = "88"
LONGEST = 600  # seconds for one command, on a machine that may be busy
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def folder_of(page: str, root: Path) -> Path:
    """The folder of a page's commands, made on first use."""
    folder = root / page.replace("/", "-")
    if not folder.exists():
        folder.mkdir(parents=True)
        beside = (file for file in (DOCS / "gallery").iterdir() if file.suffix != ".md")
        for file in (*beside, *(DOCS.parent / "examples" / "papers").iterdir()):
            if file.is_file():
                shutil.copy(file, folder)
    return folder


def run(line: str, folder: Path) -> tuple[int, str]:
    """The exit status of a command line and what it printed."""
    environment = {**os.environ, "COLUMNS": COLUMNS, "NO_COLOR": "1", "TERMINAL_WIDTH": COLUMNS, "LC_ALL": "C.UTF-8"}
    words = shlex.split(line)
    if words[0] != "scoreproof":
        raise ValueError(f"expected a command of scoreproof; got {line!r}")
    done = subprocess.run(
        [sys.executable, "-m", "scoreproof", *words[1:]],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    said = ESCAPES.sub("", done.stdout).replace(f"{folder}/", "")
    return done.returncode, "\n".join(folded(line.rstrip()) for line in said.strip("\n").splitlines())


def folded(line: str) -> str:
    """A sentence that is longer than the terminal is wide, as a terminal shows it.

    >>> print(folded("word " * 20 + "end"))
    word word word word word word word word word word word word word word word word word
    word word word end
    """
    inside = len(line) - len(line.lstrip())
    return textwrap.fill(line, int(COLUMNS), subsequent_indent=" " * inside) if len(line) > int(COLUMNS) else line


def shortened(text: str, lines: int | None) -> str:
    """The first lines, and that there are more."""
    rows = text.splitlines()
    if lines is None or len(rows) <= lines:
        return text
    return "\n".join([*rows[:lines], f"... ({len(rows) - lines} more lines)"])


class Console(SphinxDirective):
    """Commands, one a line, each with its output."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "status": directives.unchanged,  # with which the commands end, one for all or one each; 0
        "lines": directives.positive_int,  # how many of the output are shown
        "silent": directives.flag,  # run, and only the command is shown
    }

    def run(self) -> list[nodes.Node]:
        """Run the commands."""
        folder = folder_of(self.env.docname, Path(self.config.console_folder))
        shown: list[str] = []
        lines = [line.removeprefix("$ ") for line in self.content if line.strip()]
        wanted = [int(word) for word in self.options.get("status", "0").split(",")]
        for line, status in zip(lines, wanted * len(lines) if len(wanted) == 1 else wanted, strict=False):
            ended, said = run(line, folder)
            if ended != status:
                raise self.severe(f"{line}: expected exit status {status}; got {ended}:\n{said}")
            shown.append(f"$ {line}")
            if said and "silent" not in self.options:
                shown.append(shortened(said, self.options.get("lines")) + "\n")
        block = nodes.literal_block("\n".join(shown).rstrip(), "\n".join(shown).rstrip())
        block["language"] = "text"
        block["classes"] += ["console"]
        return [block]


class Stated(SphinxDirective):
    """A drafted specification with its class counts filled in, as a reader does it: ``{stated} skin.scoreproof.yaml``."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"p": directives.positive_int, "n": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """Fill in, and show the lines."""
        file = folder_of(self.env.docname, Path(self.config.console_folder)) / self.arguments[0]
        lines = file.read_text(encoding="utf-8").splitlines()
        filled: list[str] = []
        for place, line in enumerate(lines):
            key = line.strip().partition(":")[0]
            if "FILL IN" in line and key in self.options:
                lines[place] = line.replace("FILL IN", str(self.options[key]))
                filled.append(lines[place])
        if len(filled) != len(self.options):
            raise self.severe(f"{file.name}: expected a place to fill in for each of {', '.join(self.options)}")
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        block = nodes.literal_block("\n".join(filled), "\n".join(filled))
        block["language"] = "yaml"
        return [block]


class Report(SphinxDirective):
    """A page that a command of this page wrote, to look at and to open: ``{report} skin.audit.html``."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"title": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Take the page along and frame it."""
        file = folder_of(self.env.docname, Path(self.config.console_folder)) / self.arguments[0]
        if not file.is_file():
            raise self.severe(f"{self.arguments[0]}: no command of this page wrote such a file")
        name = f"{self.env.docname.replace('/', '-')}-{file.name}"
        kept = Path(self.env.app.outdir) / "reports" / name
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, kept)
        place = "../" * self.env.docname.count("/") + f"reports/{name}"
        title = html.escape(self.options["title"])
        framed = f'<iframe class="report" src="{place}" title="{title}" loading="lazy"></iframe>'
        opened = f'<p><a href="{place}">Open it on its own: {title}</a></p>'
        return [nodes.raw("", framed + opened, format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive; folders are those of this build and go with it."""
    folder = tempfile.TemporaryDirectory(prefix="scoreproof-docs-")
    app.add_config_value("console_folder", folder.name, "")
    app.add_directive("console", Console)
    app.add_directive("stated", Stated)
    app.add_directive("report", Report)
    app.connect("build-finished", lambda app, error: folder.cleanup())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
