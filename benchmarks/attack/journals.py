"""Journals: deep lines, entries of other types, flipped verdicts, surrogates, pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command

_SPECIFICATION = """title: t
datasets: {lesions: {p: 75, n: 304}}
experiments: {test: {dataset: lesions}, folds: {dataset: lesions, folds: 5}}
tables:
  - name: Table 1
    experiment: test
    grid: [[Method, Acc, Sens], [A, "0.90", "0.80"], [B, "0.9012", "0.8765"]]
  - name: Table 2
    experiment: folds
    grid: [[Method, Acc, Sens], [A, "0.90", "0.80"], [B, "0.9012", "0.8765"]]
"""


def _run(name: str, change: Callable[[Path], None], *more: str) -> Attack:
    """An audit with a journal, the journal changed, the audit gone on with."""

    def make(folder: Path) -> list[str]:
        (folder / "paper.yaml").write_text(_SPECIFICATION)
        arguments = ["audit", "paper.yaml", "--jobs", "1", "--resume", "journal.jsonl", *more]
        subprocess.run([sys.executable, *command(*arguments)], cwd=folder, capture_output=True, check=False)
        change(folder / "journal.jsonl")
        return command(*arguments)

    return Attack("journals", name, make)


def _append(text: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with file.open("a", encoding="utf-8", errors="surrogatepass") as out:
            out.write(text)

    return change


def _every(change: Callable[[dict], dict]) -> Callable[[Path], None]:  # type: ignore[type-arg]
    """Every result of the journal, changed."""

    def changed(file: Path) -> None:
        head, *lines = file.read_text().splitlines()
        entries = [json.loads(line) for line in lines]
        made = [json.dumps({**entry, "result": change(entry["result"])}) for entry in entries]
        file.write_text("\n".join([head, *made]) + "\n")

    return changed


def _flipped(result: dict) -> dict:  # type: ignore[type-arg]
    text = json.dumps(result)
    text = (
        text.replace('"inconsistent"', '"@"').replace('"consistent"', '"inconsistent"').replace('"@"', '"consistent"')
    )
    flipped: dict = json.loads(text)  # type: ignore[type-arg]
    return flipped


def _emptied(value: object) -> Callable[[dict], dict]:  # type: ignore[type-arg]
    return lambda result: dict.fromkeys(result, value)


def _instead(text: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        file.write_text(text)

    return change


def _always(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def _fifo(file: Path) -> None:
    file.unlink(missing_ok=True)
    os.mkfifo(file)


_WRONG: tuple[Any, ...] = (None, 3, "x", [], {}, [None], {"a": 1}, True)
ATTACKS = [
    _run("untouched", lambda file: None),
    _run("a deep line", _append('{"key": "a", "result": ' + "[" * 100_000 + "]" * 100_000 + "}\n")),
    _run("a deep object", _append('{"key": "a", "result": ' + '{"a":' * 50_000 + "1" + "}" * 50_000 + "}\n")),
    _run("a torn line", _append('{"key": "a", "res')),
    _run("garbage", _append("\x00\x01garbage\n")),
    _run("a number of 5,000 digits", _append('{"key": "a", "result": ' + "9" * 5000 + "}\n")),
    _run("surrogates", _append('{"key": "\\ud800", "result": {"a": "\\udfff"}}\n')),
    _run("another head", _instead('{"journal": "x"}\n')),
    _run("a fifo", _fifo),
    _run("flipped verdicts", _every(_flipped), "--html", "report.html"),
    *(_run(f"every entry {value!r}", _every(_emptied(value)), "--html", "report.html", "--latex", "x.tex", "--text", "x.txt")
      for value in _WRONG),
    *(_run(f"every result {value!r}", _every(_always(value))) for value in _WRONG[:4]),
]  # fmt: skip
