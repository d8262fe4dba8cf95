"""Help and tables at 80 columns, as in most terminals: whole words only."""

from __future__ import annotations

import importlib
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scoreproof.claims import CLAIMS
from scoreproof.cli.app import _COMMANDS, app

for module in set(_COMMANDS.values()):
    importlib.import_module(f"scoreproof.cli.{module}")


def words(command: str, width: int, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.setattr("typer.rich_utils.MAX_WIDTH", width)
    result = CliRunner().invoke(app, [*([command] if command else []), "--help"], env={"COLUMNS": str(width)})
    assert result.exit_code == 0
    assert max(len(line) for line in result.output.splitlines()) <= width
    return set(result.output.translate(str.maketrans("│╭╰╮╯─", "      ")).split())


@pytest.mark.parametrize("command", ["", *_COMMANDS])
def test_no_word_is_broken(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert words(command, 80, monkeypatch) <= words(command, 500, monkeypatch)


@pytest.mark.parametrize("name", CLAIMS)
def test_the_example_of_a_claim_runs(name: str) -> None:
    command = ["claim", name.replace("_", "-")]
    told = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "500"}).output
    (example,) = (line.strip() for line in told.splitlines() if "Example: " in line)
    program, *arguments = shlex.split(example.removeprefix("Example: "))
    assert [program, *arguments[:2]] == ["scoreproof", *command]
    assert CliRunner().invoke(app, arguments).exit_code in (0, 1, 3)


def test_no_type_of_python_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in _COMMANDS:
        assert not [word for word in words(command, 200, monkeypatch) if "list[" in word], command


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["recommend", "--table"], "Kruskal-Wallis"),
        (["tables", str(Path(__file__).parents[1] / "data" / "tables" / "tables.tex")], "Unsupervised"),
        (["scores"], "Matthews correlation coefficient"),
    ],
)
def test_tables_keep_words_whole(arguments: list[str], word: str) -> None:
    result = CliRunner().invoke(app, arguments, env={"COLUMNS": "80"})
    assert result.exit_code == 0
    assert word in result.output
