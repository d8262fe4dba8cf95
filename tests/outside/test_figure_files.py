"""Figures are written as their names say, or not at all."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import scoreproof.cli.compare
import scoreproof.cli.inference
import scoreproof.cli.metrics
import scoreproof.cli.power  # noqa: F401
from scoreproof import figures
from scoreproof.cli.app import app
from scoreproof.errors import InvalidOption, MissingExtra
from scoreproof.figures import new_figure, save_figure, to_svg

STARTS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}
SCORES = "data set,A,B\n" + "".join(f"s{i},{0.8 + i / 100},{0.79 + i / 90}\n" for i in range(6))
CASES = "truth,score\n1,0.9\n0,0.2\n1,0.4\n0,0.6\n"
METHODS = "name,acc,sens,spec\nA,0.9,0.9,0.9\nB,0.8,0.7,0.9\n"
COMMANDS: dict[str, tuple[str, list[str]]] = {
    "compare": (SCORES, ["compare", "FILE", "--plot"]),
    "metrics": (CASES, ["metrics", "FILE", "--plot"]),
    "reconstruct": ("", ["reconstruct", "acc=0.9", "sens=0.8", "--total", "20", "--plot"]),
    "reinterpret": (METHODS, ["reinterpret", "FILE", "--total", "500", "--rank-plot"]),
    "power": ("", ["power", "--scores", "acc", "--digits", "2", "--p", "9", "--n", "14", "--plot"]),
}


def drawn() -> Any:
    figure = new_figure(2, 1.5)
    figure.add_subplot().plot([0, 1], [1, 0])
    return figure


@pytest.mark.parametrize("ending", STARTS)
def test_the_name_says_how(tmp_path: Path, ending: str) -> None:
    for name in (f"a{ending}", f"B{ending.upper()}"):
        save_figure(drawn(), tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(STARTS[ending])
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"B{ending.upper()}").read_bytes()


@pytest.mark.parametrize("name", ["figure", "figure.doc", "figure.png.txt", ".png"])
def test_names_that_say_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidOption, match=r"named \.png, \.svg or \.pdf; got"):
        save_figure(drawn(), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_drawn_leaves_no_file(tmp_path: Path) -> None:
    figure = drawn()
    figure.axes[0].set_title("$\\frac{1}$")
    with pytest.raises(ValueError, match="frac"):
        save_figure(figure, tmp_path / "a.png")
    with pytest.raises(OSError, match=re.escape("no such") + "|No such"):
        save_figure(drawn(), tmp_path / "nowhere" / "a.png")
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_the_figure_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_figure(drawn(), tmp_path / "a.svg")
    before = (tmp_path / "a.svg").read_bytes()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save_figure(drawn(), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_svg_for_a_page_has_neither_declaration_nor_date() -> None:
    first, second = to_svg(drawn()), to_svg(drawn())
    assert first == second
    assert first.startswith("<svg")
    assert "dc:date" not in first


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_write_what_the_name_says(tmp_path: Path, command: str) -> None:
    text, arguments = COMMANDS[command]
    file = tmp_path / "table.csv"
    file.write_text(text)
    full = [str(file) if word == "FILE" else word for word in arguments]
    result = CliRunner().invoke(app, [*full, str(tmp_path / "a.svg")])
    assert result.exit_code in (0, 1), result.output
    assert (tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    result = CliRunner().invoke(app, [*full, str(tmp_path / "a.jpeg")])
    assert isinstance(result.exception, InvalidOption)
    assert not (tmp_path / "a.jpeg").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_one_error_without_matplotlib(tmp_path: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "can_draw", lambda: False)
    text, arguments = COMMANDS[command]
    file = tmp_path / "table.csv"
    file.write_text(text)
    full = [str(file) if word == "FILE" else word for word in arguments]
    result = CliRunner().invoke(app, [*full, str(tmp_path / "a.svg")])
    assert isinstance(result.exception, MissingExtra)
    assert "pip install 'scoreproof[plot]'" in str(result.exception)
    assert not (tmp_path / "a.svg").exists()
