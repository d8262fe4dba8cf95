"""``scoreproof tables`` from the outside, and hostile input through the Python interface."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

import scoreproof.cli.listings  # noqa: F401  (adds the command)
from scoreproof.cli.app import app, main
from scoreproof.documents import read_tables
from scoreproof.errors import LimitExceeded, MissingExtra, ScoreproofError
from scoreproof.limits import Limits, within
from scoreproof.papers.table_semantics import interpret

FOLDER = Path(__file__).parents[1] / "data" / "tables"
RUN = "import scoreproof.cli.app as a, scoreproof.cli.listings; a.main()"


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, "tables", *arguments], capture_output=True, text=True, input=stdin, check=False
    )


def test_what_was_read_is_shown() -> None:
    done = CliRunner().invoke(app, ["tables", str(FOLDER / "tables.tex")])
    assert done.exit_code == 0
    assert "U-Net" in done.stdout
    assert "23 cells read, 2 missing, 0 unread" in done.stdout
    assert "5 folds with an average row" in done.stdout


def test_json_stands_alone() -> None:
    done = CliRunner().invoke(app, ["tables", str(FOLDER / "tables.html"), "--table", "2", "--json"])
    (table,) = json.loads(done.stdout)["tables"]
    assert table["tally"] == {"number": 28, "missing": 2, "unread": 0}
    assert table["reports"][0]["counts"] == {"p": 80, "total": 200}
    assert table["folds"][0]["k"] == 5
    assert {check["answer"]["verdict"] for check in table["folds"][0]["averages"]} == {"consistent"}


def test_unread_and_untested_are_visible_and_counted() -> None:
    done = run("-", stdin="Method,Acc,AUC,Time\nA,0.9?,0.97,12\nB,[bold]x,0.98,13\nC,0.85,n/a,1\n")
    assert done.returncode == 0
    assert "3 cells read, 1 missing, 2 unread" in done.stdout
    assert "unread  row 2, column 2: 0.9?" in done.stdout
    assert "[bold]x" in done.stdout
    assert "not tested  Time: no check uses it yet (time)" in done.stdout
    assert "not tested  Time" in done.stdout


def test_a_table_without_scores() -> None:
    done = run("-", stdin="Name,Age\nAnn,33\nBob,44\n")
    assert done.returncode == 0
    assert "No column is named like a score; the headers are: Name, Age" in done.stdout
    told = run("-", "--column", "Age=acc", "--percent", stdin="Name,Age\nAnn,33\nBob,44\n")
    assert "2 reports to check" in told.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("none.csv",), "no such file"),
        ((str(FOLDER),), "got a folder"),
        ((str(FOLDER / "tables.tex"), "--table", "9"), "expected 1 to 2"),
        ((str(FOLDER / "tables.tex"), "--kind", "odt"), "kind: expected one of"),
        ((str(FOLDER / "tables.tex"), "--column", "x"), "HEADER=SCORE"),
        ((str(FOLDER / "tables.tex"), "--column", "Foo=acc"), "no column is headed"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(
    arguments: tuple[str, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["tables", *arguments])
    out, err = capsys.readouterr()
    assert ended.value.code == 2
    assert words in err
    assert err.count("\n") == 1
    assert out == ""


def zipped(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/"), data)
    return out.getvalue()


NOISE = random.Random(1).randbytes(4000)
HOSTILE: dict[str, tuple[str, bytes | str, str]] = {
    "empty": ("a.csv", b"", "empty"),
    "blank": ("a.txt", b" \n \n", "blank"),
    "noise": ("a.csv", NOISE, "binary data"),
    "noise as pdf": ("a.pdf", NOISE, "not a readable PDF"),
    "half a pdf": ("a.pdf", b"%PDF-1.4\n" + NOISE, "not a readable PDF"),
    "noise as xlsx": ("a.xlsx", NOISE, "damaged"),
    "half a zip": ("a.docx", b"PK\x03\x04" + NOISE, "damaged"),
    "odd docx": ("a.docx", zipped(word__document=b"<a/>"), "not a readable Word document"),
    "odd xlsx": ("a.xlsx", zipped(xl__workbook=b"<a/>"), "not a readable Excel workbook"),
    "other zip": ("a.zip", zipped(note=b"x"), "no Excel, Word or OpenDocument"),
    "zip bomb": ("a.xlsx", zipped(xl__workbook=bytes(450 * 2**20)), "megabytes when unpacked"),
    "old excel": ("a.xls", b"\xd0\xcf\x11\xe0old", "save it as .xlsx"),
    "broken latex": ("a.tex", r"\begin{tabular}{ll} a & b \\ 1 & {2 \\ \end{tabular}", "line 1: broken LaTeX"),
    "no end": ("a.tex", "\n\\begin{tabular}{ll} a & b \\\\ 1 & 2", "line 2: this table environment has no matching"),
    "deep latex": ("a.tex", r"\begin{tabular}{l}" + "{" * 5000 + "}" * 5000 + r"\end{tabular}", "levels of nesting"),
    "endless macro": ("a.tex", r"\newcommand{\a}{\a\a}\begin{tabular}{ll}\a&1\\2&3\end{tabular}", "without end"),
    "no table": ("a.tex", r"\documentclass{article}\begin{document}\end{document}", "no table was found"),
    "endless span": ("a.html", "<table><tr><td rowspan=999999999 colspan=999999999>1<td>2</table>", "columns, at most 2,000"),
    "many spans": ("a.html", "<table>" + "<tr><td rowspan=99999>1<td>2" * 1450 + "</table>", "cells, at most 200,000"),
    "broken yaml": ("a.yaml", "model-index:\n- name: [\n", "a.yaml:3: broken YAML"),
    "deep yaml": ("a.yaml", "model-index: " + "[" * 700, "levels of nesting"),
    "other yaml": ("a.yaml", "x: 1\n", "'model-index'"),
    "huge csv cell": ("a.csv", "M,Acc\nA," + "9" * 200_000 + "\n", "field larger"),
    "prose": ("a.txt", "Some words.\nMore words with 3 numbers in 2 lines.\n", "do not fall into columns"),
    "very long lines": ("a.txt", "x " * 20_000 + "\n" + "0.9 " * 20_000 + "\n", "do not fall into columns"),
}  # fmt: skip


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files(what: str, tmp_path: Path) -> None:
    name, content, words = HOSTILE[what]
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ScoreproofError, match=words):
        read_tables(file)


def test_a_file_of_100_megabytes(tmp_path: Path) -> None:
    file = tmp_path / "big.csv"
    with file.open("wb") as out:
        out.truncate(100 * 2**20)
    with pytest.raises(
        ScoreproofError, match=r"100 megabytes, at most 50 are read; raise the limit with --allow megabytes=100"
    ):
        read_tables(file)


def test_a_scanned_page(tmp_path: Path) -> None:
    Image.new("L", (300, 400), 255).save(tmp_path / "scan.pdf")
    with pytest.raises(ScoreproofError, match=r"no text.*OCR"):
        read_tables(tmp_path / "scan.pdf")


@pytest.mark.parametrize("what", [None, 5, "", "acc 0.9", "a\x00b", "x" * 5000, Path("/dev/zero")])
def test_what_is_neither_path_nor_text(what: Any) -> None:
    with pytest.raises(ScoreproofError):
        read_tables(what)


def test_one_broken_table_does_not_hide_the_others() -> None:
    tables = read_tables("\\begin{tabular}{ll}M&Acc\\\\A&0.9\\end{tabular}\n\\begin{tabular}{l}{\\end{tabular}\n")
    assert len(tables) == 1
    assert tables.problems[0].startswith("line 2: broken LaTeX")


def test_huge_and_scripted_cells_are_text() -> None:
    page = "<table><tr><th>Method<th>Acc\n<tr><td><script>alert(1)</script>A &lt;b&gt;<td>" + "9" * 4_000 + "</table>"
    table = read_tables(page)[0]
    assert table.rows[1][0] == "A <b>"
    assert len(table.rows[1][1]) == 4_000
    found = interpret(table)
    assert found.unread[0].why == "4000 characters of text"
    assert "<b>" not in found._repr_html_().replace("</b>", "")
    assert len(str(found.unread[0])) < 200


def test_encodings(tmp_path: Path) -> None:
    text = "Méthode,Acc\nA,0.90 ± 0.10\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        file = tmp_path / f"{encoding}.csv"
        file.write_bytes(text.encode(encoding))
        assert read_tables(file)[0].rows == (("Méthode", "Acc"), ("A", "0.90 ± 0.10"))


def test_missing_extras_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, file, extra in (
        ("openpyxl", "tables.xlsx", "office"),
        ("docx", "tables.docx", "office"),
        ("pypdfium2", "tables_latex.pdf", "pdf"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingExtra, match=rf"pip install 'scoreproof\[{extra}\]'"):
            read_tables(FOLDER / file)


def test_a_long_delimited_file_is_read_by_itself(tmp_path: Path) -> None:
    """Its cells stand there one by one, so there may be more of them than spans could make."""
    file = tmp_path / "long.csv"
    file.write_text("Method,Acc,Sens,Spec\n" + "A,0.91,0.82,0.93\n" * 60_000)
    (table,) = read_tables(file)
    assert table.shape == (60_001, 4)
    with within(Limits(data_cells=200_000)), pytest.raises(LimitExceeded, match="--allow data_cells="):
        read_tables(file)
