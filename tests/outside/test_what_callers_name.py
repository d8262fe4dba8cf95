"""Whatever a page or an assistant names, no file is opened that was not sent: one gate, and every door behind it."""

from __future__ import annotations

import ast
import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoreproof.errors import ScoreproofError
from scoreproof.limits import Limits
from scoreproof.serve import application, assistant, desk

SOURCES = Path(desk.__file__).parents[1]
#: Functions that open files, by module: who of them a specification, a table or a certificate of a remote caller can
#: reach, and what stands before it.
DOORS = {
    "files": "read_file and require_file, which all others call",
    "catalog.files": "load_sent: no catalogue; entries shipped with the package, by names of its own",
    "catalog.benchmarks": "shipped",
    "checking.answer": "tools give a mapping; the page its own upload",
    "papers.specification.load": "tools give a mapping; the page its own upload",
    "papers.draft": "shipped",
    "papers.collecting": "a paper that was uploaded to a folder of its own",
    "documents.formats": "load_sent: only what was sent beside; a pasted text has more than one line",
    "documents.readers.latex_source": "beside a paper that was uploaded to a folder of its own",
    "documents.readers.sheets": "bytes",
    "documents.readers.records": "bytes",
    "papers.table_semantics.words": "shipped",
    "csv_reader.content": "scores and predictions, on the command line",
    "serve.application": "shipped",
    "serve.paper_view": "a paper that was uploaded to the folder of the session",
    "serve.desk": "the folder of the question, and what was sent to it",
    "pages.writer": "shipped",
    "quantities.measures": "shipped",
    "statistics.recommend": "shipped",
    "kinds.conventions": "shipped",
    "work.subprocess_worker": "/proc/self and pipes",
    "work.journal": "resume, on the command line",
    "metrics.coco": "metrics, on the command line",
    "batches.frame_files": "batch, on the command line",
    "batches.other_frames": "batch, on the command line",
    "batches.batching": "batch, on the command line",
    "batches.frame": "bytes",
    "batches.running": "batch, on the command line",
    "cli.audit_many": "the command line",
    "cli.reports": "the summary that a build names in its environment",
    "cli.score_columns": "shipped",
    "cli.serve": "the command line",
}
OPENING = {
    "open", "fdopen", "read_file", "require_file", "read_text", "read_bytes", "mmap", "memmap", "fromfile", "loadtxt",
    "genfromtxt", "read_csv", "read_excel", "read_parquet", "load_workbook", "ZipFile", "ParquetFile", "iterdir", "glob",
    "rglob", "scandir", "listdir", "walk", "urlopen", "create_connection", "Popen", "exec", "eval",
}  # fmt: skip


def opens_files(path: Path) -> bool:
    """Whether a module calls something that opens a file; ``read_text`` of numbers is another one."""
    source = path.read_text(encoding="utf-8")
    if not any(f"{name}(" in source for name in OPENING):
        return False
    tree = ast.parse(source)
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)} - {"read_file"}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("scoreproof.reported"):
            own |= {alias.name for alias in node.names}
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "") for func in calls}
    return bool(names & OPENING - own)


def test_every_door_is_known() -> None:
    found = {
        ".".join(path.relative_to(SOURCES).with_suffix("").parts) for path in SOURCES.rglob("*.py") if opens_files(path)
    }
    assert found == {*DOORS}, "a module opens files: say above why nobody from outside can name one to it"


OPENED: list[str] = []
sys.addaudithook(lambda event, given: OPENED.append(str(given[0])) if event in ("open", "os.listdir") else None)

SPECIFICATION: dict[str, Any] = {
    "title": "x", "source": "x", "note": "x", "catalog": [],
    "datasets": {"known": {"catalog": "drive", "axes": {"annotator": "1"}, "items": ["03"]}, "own": {"p": "30", "n": "50"}},
    "experiments": {
        "main": {"dataset": "own", "note": "x"},
        "tree": {"tree": {"type": "testset", "p": "30", "n": "50"}, "assumed": "x"},
    },
    "options": {"rounding": "any"},
    "tables": [
        {"text": "Method,Acc\nA,0.9000\n", "experiment": "main", "columns": {"Acc": "acc"}, "kind": "csv", "caption": "x"},
        {"grid": [["Method", "Acc"], ["B", "0.9000"]], "experiment": "tree", "rows": {"B": "tree"}},
        {"text": "\\begin{tabular}{ll}Method&Acc\\\\\nC&0.9\\\\\\end{tabular}\n", "experiment": "main"},
    ],
    "claims": [{"text": "B is best", "best": "B", "by": "acc", "table": "table 2"}],
    "limits": {"cells": "100"},
}  # fmt: skip


def with_name(value: Any, name: str) -> Iterator[Any]:
    """The value with a name in place of every text and key in it, as it is, and as a part of a document would say it."""
    if isinstance(value, str):
        yield from (
            name,
            f"\\input{{{name}}}\n",
            f"{value}\n\\input{{{name}}}\n",
            f'<img src="{name}"><table>',
            f"file://{name}",
        )
    elif isinstance(value, list):
        yield [*value, name]
        for place, inner in enumerate(value):
            yield from ([*value[:place], changed, *value[place + 1 :]] for changed in with_name(inner, name))
    elif isinstance(value, dict):
        yield {**value, "file": name}
        yield {**{key: inner for key, inner in value.items() if key not in ("text", "grid")}, "file": name}
        for key, inner in value.items():
            yield {**{other: kept for other, kept in value.items() if other != key}, name: inner}
            yield from ({**value, key: changed} for changed in with_name(inner, name))


def say(request: dict[str, Any], data: bytes = b"") -> str:
    return json.dumps(desk.answer({**request, "limits": Limits().to_dict()}, data, lambda told: None), default=str)


def test_no_text_of_a_specification_opens_a_file(tmp_path: Path) -> None:
    secret = tmp_path / "secret.yaml"
    secret.write_text("name: x\ntitle: hunter2\ncitation: x\np: 7\nn: 8\n", encoding="utf-8")
    (tmp_path / "secret.tex").write_text(
        "\\begin{tabular}{ll}Method&Acc\\\\hunter2&0.9\\end{tabular}", encoding="utf-8"
    )
    for name in (str(secret), str(tmp_path / "secret")):
        for given in (*with_name(SPECIFICATION, name), {**SPECIFICATION, "datasets": {}, "catalog": [name]}):
            OPENED.clear()
            with contextlib.suppress(ScoreproofError):
                assert "hunter2" not in str(assistant._audit(specification=given, seconds=0.2))
            assert "hunter2" not in say({"verb": "look", "specification": given})
            upload = tmp_path / "upload"
            upload.mkdir(exist_ok=True)
            assert "hunter2" not in say({"verb": "open", "folder": str(upload)}, json.dumps(given).encode())
            assert not [path for path in OPENED if "secret" in path], given


def test_an_uploaded_paper_reaches_nothing_beside_it(tmp_path: Path) -> None:
    r"""Papers put in parts of their project (``\input``); an upload has none, whatever other questions left behind."""
    table = "\\begin{tabular}{ll}Method&Acc\\\\\nhunter2&0.9\\\\\\end{tabular}"
    for place in ("secret", "job/report", "job/../secret"):
        (tmp_path / f"{place}.tex").parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"{place}.tex").write_text(table, encoding="utf-8")
    server = application.Desk.__new__(application.Desk)  # without its processes
    server.folder = tmp_path
    with server.private() as folder:
        names = (
            "../secret",
            "../../secret",
            "../job/report",
            "../../job/report",
            "../../job/../secret.tex",
            str(tmp_path / "secret.tex"),
        )
        paper = folder / "paper.tex"
        paper.write_text(
            "".join(f"\\input{{{name}}}\n" for name in names) + table.replace("hunter2", "A"), encoding="utf-8"
        )
        said = say({"verb": "read", "name": "paper.tex", "path": str(paper)})
    assert "0.9" in said
    assert "hunter2" not in said


@pytest.mark.parametrize("verb", ["look", "open"])
def test_what_a_caller_names_is_refused_in_words(tmp_path: Path, verb: str) -> None:
    def asked(**more: Any) -> str:
        given = {**SPECIFICATION, **more}
        return say({"verb": verb, "folder": str(tmp_path), "specification": given}, json.dumps(given).encode())

    assert "error" not in asked()
    assert "catalog" in asked(catalog=["/etc/passwd"])
    assert "was not sent along" in asked(tables=[{"file": "/etc/passwd", "experiment": "main"}], claims=[])
    assert "at most 12 here" in asked(limits={"seconds": "100000"})
    with pytest.raises(ScoreproofError, match="was not sent along"):
        assistant._audit(specification={"tables": [{"file": "/etc/passwd"}]})
    with pytest.raises(ScoreproofError, match="expected a mapping"):
        assistant._audit(specification="/etc/passwd")  # type: ignore[arg-type]
