"""A new format of documents in one reader and one line, and everything the house makes of it."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest
from typer.testing import CliRunner

import scoreproof.cli.listings
from scoreproof.cli.app import app
from scoreproof.documents import read_tables
from scoreproof.documents.formats import FORMATS, Contents, Format, Source, is_document
from scoreproof.documents.readers import plain_text

assert scoreproof.cli.listings
TEXT = "!toy\nMethod~Acc\nA~0.90\nB~0.85\n"


def read(source: Source) -> Contents:
    """Cells with a tilde between them, below a line that says so."""
    text = source.text.partition("\n")[2].replace("~", ",")
    return plain_text.read(Source(source.name, "csv", text=text))


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader as a module of ``documents.readers``, and its line in ``FORMATS``."""
    module = types.ModuleType("scoreproof.documents.readers.toy")
    module.read = read  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "scoreproof.documents.readers.toy", module)
    monkeypatch.setitem(FORMATS, "toy", Format("toy", "toy", (".toy",), sniff=lambda text: text.startswith("!toy")))


def test_a_file_a_text_and_a_name(tmp_path: Path) -> None:
    file = tmp_path / "results.toy"
    file.write_text(TEXT, encoding="utf-8")
    for tables in (read_tables(file), read_tables(TEXT), read_tables(TEXT, kind="toy")):
        assert (tables.format, tables[0].body) == ("toy", (("A", "0.90"), ("B", "0.85")))
    assert is_document(file)
    shown = CliRunner().invoke(app, ["tables", str(file)])
    assert shown.exit_code == 0, shown.output
    assert "0.85" in shown.output
