"""One page for each command, made from the application itself, so that it cannot go stale.

Before the pages are read, ``commands/NAME.md`` is written for every command: what it does, how it is called, its arguments and
options, and examples that are run while the site is built (``commands/examples.toml``).
"""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path
from typing import Any

import typer
from sphinx.application import Sphinx

from scoreproof.cli.app import _COMMANDS, app

#: Options of the terminal's, which say nothing about a command.
PASSED_OVER = {"--help", "--install-completion", "--show-completion"}


def application() -> Any:
    """The application with all of its commands."""
    for module in dict.fromkeys(_COMMANDS.values()):
        importlib.import_module(f"scoreproof.cli.{module}")
    return typer.main.get_command(app)


def cell(text: str) -> str:
    """Text that can stand in a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def rows(command: Any, sort: str) -> list[tuple[str, str]]:
    """Every argument, or every option, with what it says."""
    context = command.context_class(command, info_name=command.name)
    wanted = (item for item in command.params if item.param_type_name == sort and not PASSED_OVER & set(item.opts))
    records = (item.get_help_record(context) for item in wanted)
    return [(f"`{record[0]}`", cell(record[1])) for record in records if record]


def table(heading: str, lines: list[tuple[str, str]]) -> str:
    """A table of two columns, or nothing."""
    if not lines:
        return ""
    return "\n".join([f"| {heading} | |", "|---|---|", *(f"| {name} | {said} |" for name, said in lines)]) + "\n"


def described(command: Any) -> str:
    """The help of a command as paragraphs, its examples as code."""
    text = (command.help or "").replace("\b", "").split("\f")[0]
    return "\n\n".join(paragraph(part) for part in text.strip().split("\n\n"))


def paragraph(text: str) -> str:
    """A paragraph, or a block if it is one of examples.

    >>> paragraph("Example: scoreproof check acc=1")
    '```text\\nscoreproof check acc=1\\n```'
    """
    heading, _, examples = text.strip().partition(":")
    if heading not in ("Example", "Examples"):
        return " ".join(text.split())
    lines = "\n".join(line.strip() for line in examples.strip().splitlines())
    return f"```text\n{lines}\n```"


def section(command: Any, name: str, level: int, examples: dict[str, list[dict[str, Any]]]) -> str:
    """The page, or the part of a page, about a command."""
    usage = " ".join(command.collect_usage_pieces(command.context_class(command, info_name=name)))
    parts = [f"{'#' * level} `scoreproof {name}`", described(command), f"```text\nscoreproof {name} {usage}\n```"]
    parts += [table("argument", rows(command, "argument")), table("option", rows(command, "option"))]
    for example in examples.get(name, []):
        options = "".join(f":{key}: {example[key]}\n" for key in ("status", "lines") if key in example)
        parts.append(f"{example.get('says', 'Example:')}\n\n```{{console}}\n{options}{example['run']}\n```")
    if hasattr(command, "list_commands"):
        context = command.context_class(command, info_name=name)
        for key in command.list_commands(context):
            parts.append(section(command.get_command(context, key), f"{name} {key}", level + 1, examples))
    return "\n\n".join(part for part in parts if part)


def write_pages(app: Sphinx) -> None:
    """Write the pages; one that is the same already is left alone."""
    folder = Path(app.srcdir) / "commands"
    examples = tomllib.loads((folder / "examples.toml").read_text(encoding="utf-8"))
    for name, command in application().commands.items():
        if command.hidden:
            continue
        text = section(command, name, 1, examples) + "\n"
        file = folder / f"{name}.md"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before any is read."""
    app.connect("config-inited", lambda app, config: write_pages(app))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
