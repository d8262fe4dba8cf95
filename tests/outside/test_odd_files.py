"""The same table in every odd form that people's files have, given to every command that takes one.

Each command must say about it what it says about the plain file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import scoreproof.cli.audit
import scoreproof.cli.compare
import scoreproof.cli.inference
import scoreproof.cli.listings
import scoreproof.cli.metrics
import scoreproof.cli.sota  # noqa: F401
from scoreproof.cli.app import app
from scoreproof.documents.read import read_paper
from scoreproof.errors import ScoreproofError, UnreadableInput

# Names with a blank in them, where a quoted cell may break the line.
SCORES = "data set,net one,net two\n" + "".join(
    f"set {i},{a},{b}\n"
    for i, (a, b) in enumerate([(0.81, 0.79), (0.77, 0.7), (0.9, 0.88), (0.65, 0.67), (0.71, 0.66)])
)
PREDICTIONS = "truth,score,who is it\n" + "".join(
    f"{t},{s},case {i}\n" for i, (t, s) in enumerate([(1, 0.9), (0, 0.2), (1, 0.4), (0, 0.6), (1, 0.75), (0, 0.15)])
)
BOARD = "team name,score\n" + "".join(f"team {i},{0.95 - i / 100:.2f}\n" for i in range(6))
METHODS = "the method,acc,sens,spec\nour own,0.912,0.905,0.915\nolder one,0.874,0.810,0.906\n"
SETS = "item,p,n\nimage 1,10,90\nimage 2,12,88\n"


def german(text: str) -> bytes:
    return text.replace(",", ";").replace(".", ",").encode("utf-8-sig")


def broken_lines(text: str) -> bytes:
    """Every cell in quotes, every blank a line break."""
    lines = [",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()]
    return "\r\n".join(line.replace(" ", "\n") for line in lines).encode()


FORMS: dict[str, Callable[[str], bytes]] = {
    "semicolons, decimal commas, mark": german,
    "told separator": lambda text: b"sep=;\r\n" + german(text)[3:].replace(b"\n", b"\r\n"),
    "tabs": lambda text: text.replace(",", "\t").encode(),
    "tabs, decimal commas": lambda text: text.replace(",", "\t").replace(".", ",").encode(),
    "bars": lambda text: text.replace(",", " | ").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "UTF-16 of tabs, as spreadsheets save it": lambda text: text.replace(",", "\t").encode("utf-16"),
    "quoted line breaks": broken_lines,
    "blank lines around, separators at the end": lambda text: f"\n\n{text}\n".replace("\n", ",\n")[2:].encode(),
    "old carriage returns": lambda text: text.replace("\n", "\r").encode(),
}


def say(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1), result.output
    return str(result.stdout)


def without_places(document: Any) -> Any:
    """A document without what may differ: where the file is and which line it was; decimal commas as points."""
    if isinstance(document, dict):
        return {k: without_places(v) for k, v in document.items() if k not in ("file", "line", "digest")}
    if isinstance(document, str):
        return re.sub(r"(?<=\d),(?=\d)", ".", document)
    return [without_places(part) for part in document] if isinstance(document, (list, tuple)) else document


def compared(path: Path) -> Any:
    return json.loads(say("compare", path, "--json"))


def measured(path: Path) -> Any:
    return json.loads(say("metrics", path, "--json"))


def ranked(path: Path) -> Any:
    return json.loads(say("sota", path, "--cases", 1000, "--json"))


def read_again(path: Path) -> Any:
    return json.loads(say("reinterpret", path, "--p", 200, "--n", 300, "--json"))


def shown(path: Path) -> Any:
    (table,) = json.loads(say("tables", path, "--json"))["tables"]
    return [table["table"]["rows"], table["columns"], table["rows"]]


def audited(path: Path) -> Any:
    specification = path.with_name("paper.scoreproof.yaml")
    specification.write_text(
        "title: T\ndatasets: {d: {p: 200, n: 300}}\nexperiments: {e: {dataset: d}}\n"
        f"tables: [{{file: {path.name}, experiment: e}}]\n"
    )
    tables = json.loads(say("audit", specification, "--json", "--no-explain"))["tables"]
    return [(row["label"], row["outcome"]) for table in tables for row in table["rows"]]


def catalogued(path: Path) -> Any:
    entry = path.with_name("own.yaml")
    entry.write_text(f"name: own\ntitle: Own\ncitation: None\nitem: image\nsets: {path.name}\n")
    return say("catalog", "own", "--file", entry)


COMMANDS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "compare": (compared, SCORES),
    "metrics": (measured, PREDICTIONS),
    "sota": (ranked, BOARD),
    "reinterpret": (read_again, METHODS),
    "tables": (shown, METHODS),
    "audit": (audited, METHODS),
    "catalog": (catalogued, SETS),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_odd_files_say_what_plain_ones_say(tmp_path: Path, command: str, form: str) -> None:
    ask, text = COMMANDS[command]
    path = tmp_path / "table.csv"
    path.write_text(text)
    plain = without_places(ask(path))
    path.write_bytes(FORMS[form](text))
    odd = without_places(ask(path))
    assert odd == plain


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b" \n\n", "blank"),
        (b"\x00\x01\x02" * 50, "binary data"),
        (b"\xff\xfea", "UTF-16"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, command: str, content: bytes, words: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(ScoreproofError, match=words) as refused:
        COMMANDS[command][0](path)
    assert command == "audit" or isinstance(refused.value, UnreadableInput)  # an audit names the place of the table


@pytest.mark.parametrize("command", ["compare", "metrics", "sota", "catalog"])
@pytest.mark.parametrize("extra", ["", ",1,2,3"])
def test_ragged_lines_are_named(tmp_path: Path, command: str, extra: str) -> None:
    ask, text = COMMANDS[command]
    path = tmp_path / "table.csv"
    lines = text.splitlines()
    lines[2] = lines[2] + extra if extra else lines[2].split(",")[0]
    path.write_text("\n".join(lines))
    with pytest.raises(ValueError, match=r"line 3 has \d cells: expected \d"):
        ask(path)


def test_a_ragged_line_is_a_problem_of_its_method(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(METHODS + "short,0.9\n")
    *_, short = read_again(path)["methods"]
    assert short["problem"] == "line 4 has 2 cells: expected 4, as many as the header"


def test_words_separated_by_white_space(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(PREDICTIONS.replace(" ", "_"))
    plain = measured(path)
    path.write_text(PREDICTIONS.replace(" ", "_").replace(",", "   "))
    assert measured(path) == plain


def test_one_column_of_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "board.csv"
    path.write_text("score\n0.95\n0.94\n0.9\n")
    plain = ranked(path)
    path.write_text("score\n0,95\n0,94\n0,9\n")
    assert ranked(path) == plain
    path.write_text("0,95\n0,94\n0,9\n")
    assert ranked(path) == plain


@pytest.mark.parametrize("command", ["compare", "reinterpret", "sota", "metrics"])
def test_an_old_encoding_is_said(tmp_path: Path, command: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(re.sub("set 0|case 0|our own|team 0", "café", COMMANDS[command][1]).encode("latin-1"))
    options = {"sota": ["--cases", "1000"], "reinterpret": ["--p", "200", "--n", "300"]}.get(command, [])
    result = CliRunner().invoke(app, [command, str(path), *options])
    assert "Windows-1252" in result.output


TABLE = "| Method | Acc |\n|---|---|\n| A | 0.91 |\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("$$ F_1 = 2\\frac{PR}{P+R} $$ on 120 images", "120 images"),
        ("It costs $5 on 120 images and $10 on all", "It costs $5 on 120 images and $10 on all"),
        ("from US$ 5 to US$ 10", "from US$ 5 to US$ 10"),
        ("a broken $\\frac{a$ formula", "a broken $\\frac{a$ formula"),
        ("$$", "$$"),
        ("$0.93 \\pm 0.01$ and $ 0.94 $", "0.93 ± 0.01 and 0.94"),
    ],
)
def test_dollars_of_formulas_and_of_prices(text: str, shown: str) -> None:
    found = read_paper(f"{text}\n\n{TABLE}", kind="markdown")
    assert found.tables[0].body == (("A", "0.91"),)
    assert shown in found.paragraphs[0][0]


@pytest.mark.parametrize(
    ("before", "tables", "problems"),
    [
        ("1. Run this:\n   ```bash\n   run\n\nThen:\n\n", 1, 0),  # the fence ends with its point
        ("- ```\n  run\n\nThen:\n\n", 1, 0),
        ("````\n```\n````\n\n", 1, 0),  # a shorter fence inside
        ("```python\n```text\n```\n\n", 1, 0),  # only a bare fence closes
        ("```\nrun\n\n", 0, 1),
    ],
)
def test_blocks_of_code_end_where_readers_see_them_end(before: str, tables: int, problems: int) -> None:
    text = f"{TABLE}\n\n{before}{TABLE.replace('0.91', '0.92')}"
    found = read_paper(text, kind="markdown").tables
    assert [table.body[0][1] for table in found] == ["0.91", "0.92"][: 1 + tables]
    assert len(found.problems) == problems


def test_files_that_ask_for_a_password_say_so(tmp_path: Path) -> None:
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"]
    objects += [b"<</Filter/Standard/V 1/R 2/O<" + b"41" * 32 + b">/U<" + b"42" * 32 + b">/P -4>>"]
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    data += b"xref\n0 4\n0000000000 65535 f \n%strailer<</Size 4/Root 1 0 R/Encrypt 3 0 R/ID[<00><00>]>>\n" % table
    data += b"startxref\n%d\n%%%%EOF" % (data.index(b"xref\n0 4"))
    files = {"a.pdf": data, "a.xlsx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)}
    files["a.docx"] = files["a.xlsx"]
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(UnreadableInput, match="asks for a password"):
            read_paper(tmp_path / name)
