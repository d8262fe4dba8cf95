"""Every block of code in the documentation is run, parsed or known to be run elsewhere.

Blocks of Python are executed, page by page; commands without files are run and end as the comment beside them says, all others are
parsed by the application itself, so that no option is shown that does not exist. What the site's own build runs is left to it.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import typer
import yaml
from typer.testing import CliRunner

import scoreproof as sp
from outside.documented import DOCS, ROOT, Block, blocks, pages
from scoreproof.cli.app import _COMMANDS, app

for module in set(_COMMANDS.values()):
    importlib.import_module(f"scoreproof.cli.{module}")
APPLICATION: Any = typer.main.get_command(app)
SHOWN = (*pages(), ROOT / "README.md", ROOT / "CONTRIBUTING.md")
#: Directives whose content the build runs, or that hold no code.
BY_THE_BUILD = {
    "{architecture}", "{code-cell}", "{console}", "{eval-rst}", "{include}", "{measured}", "{migration}", "{recorded}", "{save-the-row}", "{unsaid}",
    "{refuted}", "{report}", "{stated}", "{toctree}",
}  # fmt: skip
EXIT = {"consistent": 0, "valid": 0, "inconsistent": 1, "undecided": 3}
OTHER_PROGRAMS = (
    "node ",
    "pip",
    "make",
    "python",
    "python3",
    "docker",
    "dask",
    "machine-",
    ".",
    "check/bin/",
    "OMP_NUM_THREADS",
)
#: Names that the blocks of a page take for granted.
GIVEN: dict[str, Any] = {"sp": sp, "scoreproof": sp}


def of(language: str) -> list[Block]:
    return [block for page in SHOWN for block in blocks(page) if block.language == language]


def test_every_block_is_of_a_known_sort() -> None:
    known = {"python", "json certificate", "json", "yaml", "console", "", "text"}
    unknown = [
        f"{block}: {block.language}"
        for page in SHOWN
        for block in blocks(page)
        if block.language not in known and block.language.split()[0] not in BY_THE_BUILD
    ]
    assert unknown == []


def reports() -> pd.DataFrame:
    """A frame whose row 811 is impossible, as the page on batches has it."""
    good = {"p": 100, "n": 200, "acc": "0.9000", "sens": "0.9000", "spec": "0.9000"}
    return pd.DataFrame([{**good, "acc": "0.9500"} if row == 811 else good for row in range(1, 901)])


@pytest.mark.parametrize("page", sorted({block.page for block in of("python")}), ids=lambda page: page.stem)
def test_blocks_of_python_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order and in one namespace, with the files of the gallery at hand; a verdict is the one in the comment beside it."""
    monkeypatch.chdir(tmp_path)
    reports().head().to_excel("supplement.xlsx", index=False)
    names = {**GIVEN, "frame": reports()}
    before = {score.name for score in sp.known_scores()}
    try:
        for block in blocks(page):
            if block.language == "python":
                for statement, comment in statements(block):
                    if comment.startswith("an error"):
                        with pytest.raises(sp.ScoreproofError):
                            run(statement, names)
                        continue
                    value = run(statement, names)
                    said = comment.split()[:1]
                    if isinstance(value, sp.Verdict) and said and said[0].rstrip(",:") in EXIT:
                        assert value == said[0].rstrip(",:"), f"{block}: {ast.unparse(statement)}"
    finally:
        for name in {score.name for score in sp.known_scores()} - before:
            sp.unregister(name)


def statements(block: Block) -> Iterator[tuple[ast.stmt, str]]:
    """The statements of a block, each with the comment at its end."""
    lines = block.text.splitlines()
    for statement in ast.parse(block.text).body:
        yield statement, lines[(statement.end_lineno or 1) - 1].partition("#")[2].strip()


def run(statement: ast.stmt, names: dict[str, Any]) -> Any:
    """The value of an expression; None of any other statement."""
    if isinstance(statement, ast.Expr):
        return eval(compile(ast.Expression(statement.value), "block", "eval"), names)
    exec(compile(ast.Module([statement], []), "block", "exec"), names)
    return None


def commands() -> Iterator[tuple[Block, str, str]]:
    """Every line that calls a program, and the comment behind it."""
    for block in [*of("console"), *of(""), *of("text")]:
        for line in block.text.replace("\\\n", " ").splitlines():
            called = re.match(r"\s*(?:machine-\d)?\$ (.*)|(scoreproof .*)", line)
            if called and block.page.name != "CONTRIBUTING.md":
                text, _, comment = (called[1] or called[2]).partition(" #")
                yield block, text.strip(), comment.strip()


def test_lines_of_consoles_call_programs_we_know() -> None:
    for block, line, _ in commands():
        assert line.startswith(("scoreproof ", *OTHER_PROGRAMS)), f"{block}: {line}"


@pytest.mark.parametrize(
    ("place", "line"), [(str(block), line) for block, line, _ in commands() if line.startswith("scoreproof ")]
)
def test_commands_are_understood(place: str, line: str) -> None:
    """Options and arguments, by the application's own parser; nothing is run."""
    command, words, context = APPLICATION, shlex.split(line)[1:], None
    while words and words[0] == "--allow":
        words = words[2:]
    while hasattr(command, "commands") and words:
        context = command.context_class(command, info_name=words[0], parent=context)
        _, command, words = command.resolve_command(context, words)
        assert command is not None, f"{place}: {line}"
    command.make_context(command.name, list(words), parent=context)


def alone() -> list[tuple[str, str, int]]:
    """The checks that need no files and say how they end."""
    found = []
    for block, line, comment in commands():
        verdict = re.match(r"(\w+)", comment)
        if line.startswith("scoreproof check ") and verdict and verdict[1] in EXIT:
            found.append((str(block), line, EXIT[verdict[1]]))
    return found


@pytest.mark.parametrize(("place", "line", "status"), alone())
def test_checks_end_as_the_page_says(place: str, line: str, status: int) -> None:
    assert CliRunner().invoke(app, shlex.split(line)[1:]).exit_code == status, place


@pytest.mark.parametrize("block", of("yaml"), ids=str)
def test_blocks_of_yaml_are_yaml(block: Block) -> None:
    assert yaml.safe_load(re.sub(r"<[^<>\n]*>", "something", block.text))


@pytest.mark.parametrize("block", [*of("json"), *of("json certificate")], ids=str)
def test_blocks_of_json_are_json(block: Block) -> None:
    assert json.loads(block.text)


def test_examples_of_commands_and_the_site_are_understood() -> None:
    """The build runs these; here it is only seen that they still exist."""
    examples = tomllib.loads((DOCS / "commands" / "examples.toml").read_text(encoding="utf-8"))
    lines = [example["run"] for name in examples for example in examples[name]]
    lines += [
        line
        for page in pages()
        for block in blocks(page)
        if block.language == "{console}"
        for line in block.text.splitlines()
        if not line.startswith(":")
    ]
    assert len(lines) > 60
    for line in lines:
        test_commands_are_understood("the site", line)


def test_cells_of_the_site_are_python() -> None:
    for page in pages():
        for block in blocks(page):
            if block.language == "{code-cell}":
                ast.parse(re.sub(r"\A---\n.*?^---\n", "", block.text, flags=re.S | re.M))


def test_nothing_was_left_behind() -> None:
    assert not (ROOT / "out").exists() or os.listdir(ROOT / "out") == []
