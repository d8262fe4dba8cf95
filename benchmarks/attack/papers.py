"""Whole papers: prose made to be slow or to propose too much, notebooks, predictions beside a paper."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command

_TABLE = "\n\n| Method | Acc | Sens | Spec |\n|---|---|---|---|\n| A | 0.9003 | 0.8000 | 0.9359 |\n\n"
_MB = 1_000_000


def _repeated(words: str, size: int = _MB) -> Callable[[], str]:
    return lambda: words * (size // len(words))


_PROSE: dict[str, Callable[[], str]] = {
    "one sentence of 1 MB": _repeated("we used many cases and "),
    "one word of 1 MB": _repeated("x"),
    "thousands of numbers": lambda: " ".join(str(k) for k in range(150_000)),
    "numbers with commas": _repeated("1,234, "),
    "numbers and words": _repeated("12 positives and 13 negatives and "),
    "5-fold 100,000 times": lambda: "5-fold " * 100_000,
    "5-fold in sentences": lambda: "We used 5-fold cross-validation. " * 30_000,
    "every number of folds": lambda: "".join(f"We used {k}-fold cross-validation. " for k in range(2, 20_000)),
    "counts in sentences": lambda: "".join(f"There were {k} positive and {k + 7} negative cases. " for k in range(1, 15_000)),
    "counts of classes": lambda: "".join(f"There were {k} cat, {k + 1} dog and {k + 2} cow images. " for k in range(1, 15_000)),
    "a chain of counts": lambda: "There were " + ", ".join(f"{k} a{k}" for k in range(100)) + " and 3 cow images. ",
    "totals and shares": lambda: "Of 1143 cases, 26.2% were positive (300 of 1143). " * 20_000,
    "brackets 100,000 deep": lambda: "(" * 100_000 + "5" + ")" * 100_000,
    "brackets in sentences": lambda: "We (" * 100_000,
    "square brackets": _repeated("[1] "),
    "quotes and stops": _repeated('."'),
    "stops": _repeated(". "),
    "capitals with stops": _repeated("A. "),
    "abbreviations": _repeated("et al. "),
    "blanks": lambda: " " * _MB + "5-fold",
    "no-break blanks": lambda: "\u00a0" * _MB + "5-fold",
    "newlines in a paragraph": _repeated("a\n"),
    "paragraphs": _repeated("a\n\n"),
    "captions": lambda: "Table 1: the results of 5-fold cross-validation on 300 cases. \n\n" * 10_000,
    "numbers of 1 MB": lambda: "We used " + "9" * _MB + " cases.",
    "numbers of 90 digits": lambda: "".join(f"There were {'9' * 90} positive and {'8' * 90} negative cases. " for _ in range(500)),
    "a count of 5,000 digits": lambda: f"There were {'9' * 1_900} positive and 30 negative cases. ",
    "p-values": _repeated("p<0.05, p=0.03, "),
    "plus and minus": _repeated("0.9 ± 0.1 "),
    "hyphens": _repeated("ten-fold-cross-"),
    "number words": _repeated("twenty-five hundred thousand "),
    "names of data sets": _repeated("DRIVE STARE CHASEDB1 TPEHG ISIC 2016 "),
    "names in sentences": lambda: "We used DRIVE, STARE and ISIC 2016. " * 25_000,
    "leave one out": lambda: "Leave-one-out cross-validation was repeated 10 times. " * 15_000,
    "repeats": lambda: "".join(f"Cross-validation was repeated {k} times with {k} folds. " for k in range(2, 9_000)),
    "splits": lambda: "80% were used for training, 20% for testing. " * 20_000,
    "escapes": _repeated("\x1b]0;x\x07 5-fold "),
    "many tables in prose": lambda: (_TABLE + "We used 5-fold cross-validation on 300 positive and 843 negative cases. ") * 300,
    "surrogates": lambda: "\ud7ff\ufffe" * 200_000,
    "digits of other scripts": _repeated("We used ٣٠٠ positive and ８４３ negative cases. "),
    "superscripts": _repeated("We used ²³ positive and ½ negative cases. "),
}  # fmt: skip
_WRAPPED: dict[str, Callable[[str], str]] = {
    "md": lambda text: text + _TABLE,
    "html": lambda text: (
        f"<p>{text}</p><table><tr><th>Method</th><th>Acc</th></tr><tr><td>A</td><td>0.9</td></tr></table>"
    ),
    "tex": lambda text: text + "\n\\begin{tabular}{lc}\nMethod & Acc \\\\\nA & 0.9 \\\\\n\\end{tabular}\n",
}


def _paper(name: str, suffix: str, text: Callable[[], str]) -> Attack:
    def make(folder: Path) -> list[str]:
        content = _WRAPPED[suffix](text())
        (folder / f"paper.{suffix}").write_text(content, encoding="utf-8", errors="replace")
        return command("audit", f"paper.{suffix}", "--jobs", "1", "--budget", "1")

    return Attack("papers", f"{name} ({suffix})", make)


def _output(**data: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": "", "outputs": [{"output_type": "display_data", "data": data}]}


_FRAME = "<table><tr><th></th><th>Acc</th></tr><tr><td>A</td><td>0.9</td></tr></table>"
_NOTEBOOKS: dict[str, Callable[[], Any]] = {
    "nothing": lambda: "",
    "a list": list,
    "cells of wrong types": lambda: {"cells": [None, 3, "x", [], {}, {"cell_type": 3}, {"cell_type": "code", "outputs": 3}, {"cell_type": "code", "outputs": [3, None, {"data": 3}, {"data": {"text/html": 3}}, {"text": {"a": 1}}]}, {"cell_type": "markdown", "source": 3}, {"cell_type": "markdown", "source": [3, None]}]},
    "100,000 cells": lambda: {"cells": [{"cell_type": "markdown", "source": "x"}] * 60_000},
    "5,000 tables": lambda: {"cells": [_output(**{"text/html": _FRAME})] * 5_000},
    "outputs without end": lambda: {"cells": [{"cell_type": "code", "outputs": [{"output_type": "stream", "text": "a  b\n1  2\n"}] * 40_000}]},
    "one text of 4 MB": lambda: {"cells": [_output(**{"text/plain": "a  0.9  0.8\n" * 300_000})]},
    "lines without end": lambda: {"cells": [_output(**{"text/plain": ["a  0.9\n"] * 190_000})]},
    "HTML 100,000 deep": lambda: {"cells": [_output(**{"text/html": "<div>" * 100_000 + _FRAME})]},
    "rowspan 999999999": lambda: {"cells": [_output(**{"text/html": "<table>" + "<tr><td rowspan=999999999 colspan=1000>x</td></tr>" * 5_000 + "</table>"})]},
    "colours": lambda: {"cells": [_output(**{"text/plain": "\x1b[31m" * 200_000})]},
    "colours without end": lambda: {"cells": [_output(**{"text/plain": "\x1b[" + "0;" * 1_000_000})]},
    "reports": lambda: {"cells": [_output(**{"text/plain": "precision recall f1-score support\nA 0.9 0.9 0.9 10\n\n" * 20_000})]},
    "deep": lambda: '{"cells": ' + "[" * 200_000,
    "deep outputs": lambda: '{"cells": [{"cell_type": "code", "outputs": ' + '[{"data": ' * 50_000,
    "a number of 1 MB": lambda: '{"cells": [], "nbformat": ' + "9" * 1_000_000 + "}",
    "a picture": lambda: {"cells": [_output(**{"image/png": "A" * 4_500_000})]},
    "Markdown of marks": lambda: {"cells": [{"cell_type": "markdown", "source": "*_`[(<" * 100_000 + _TABLE}]},
}  # fmt: skip


def _notebook(name: str, verb: str, made: Callable[[], Any]) -> Attack:
    def make(folder: Path) -> list[str]:
        document = made()
        text = document if isinstance(document, str) else json.dumps(document)
        (folder / "paper.ipynb").write_text(text, encoding="utf-8")
        more = ["--jobs", "1", "--budget", "1"] if verb == "audit" else []
        return command(verb, "paper.ipynb", *more)

    return Attack("papers", f"notebook: {name} ({verb})", make)


_CASES = "truth,predicted\n" + "1,1\n0,0\n1,0\n0,0\n" * 50
_PRINTED = "Method,Acc,Sens,Spec\nA,0.75,0.5,1.0\n"
_SELF: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
    "nothing": (lambda: "", lambda: ""),
    "one line": (lambda: "truth,predicted\n", lambda: _PRINTED),
    "texts for numbers": (lambda: "truth,predicted\n" + "x,y\n" * 100_000, lambda: _PRINTED),
    "100,000 labels": (lambda: "truth,predicted\n" + "".join(f"a{k},b{k}\n" for k in range(100_000)), lambda: _PRINTED),
    "300,000 cases": (lambda: "truth,predicted\n" + "1,0\n0,0\n" * 150_000, lambda: _PRINTED),
    "10,000 columns": (lambda: ",".join(["truth", *(f"A{k}" for k in range(10_000))]) + "\n" + ",".join(["1"] * 10_001) + "\n", lambda: _PRINTED),
    "1,000 methods": (lambda: ",".join(["truth", *(f"A{k}" for k in range(1_000))]) + "\n" + (",".join(["1"] * 1_001) + "\n") * 300, lambda: "Method,Acc\n" + "".join(f"A{k},0.9\n" for k in range(1_000))),
    "rows without end": (lambda: _CASES, lambda: "Method,Acc\n" + "A,0.9\n" * 200_000),
    "values of 5,000 digits": (lambda: _CASES, lambda: f"Method,Acc\nA,0.{'9' * 4_000}\n"),
    "numbers of 1 MB": (lambda: f"truth,predicted\n1,{'9' * 1_000_000}\n0,0\n", lambda: _PRINTED),
    "infinite numbers": (lambda: "truth,predicted\nnan,inf\n1e999,-inf\n", lambda: _PRINTED),
    "zero bytes": (lambda: "\x00" * 100_000, lambda: _PRINTED),
    "quotes without end": (lambda: 'truth,predicted\n"' + "1,0\n" * 200_000, lambda: _PRINTED),
    "escapes": (lambda: _CASES.replace("truth", "\x1b[31mtruth"), lambda: _PRINTED.replace("A", "\x1b[31mA")),
}  # fmt: skip


def _selfcheck(name: str, *more: str) -> Attack:
    cases, table = _SELF[name]

    def make(folder: Path) -> list[str]:
        (folder / "cases.csv").write_text(cases(), encoding="utf-8")
        (folder / "paper.csv").write_text(table(), encoding="utf-8")
        return command("selfcheck", "cases.csv", "paper.csv", *more)

    return Attack("papers", f"selfcheck: {name} {' '.join(more)}", make)


ATTACKS = [
    *(_paper(name, "md", text) for name, text in _PROSE.items()),
    *(_paper(name, suffix, _PROSE[name]) for suffix in ("html", "tex")
      for name in ("thousands of numbers", "5-fold 100,000 times", "counts in sentences", "brackets 100,000 deep", "names in sentences", "captions")),
    *(_notebook(name, verb, made) for name, made in _NOTEBOOKS.items() for verb in ("tables", "audit")),
    *(_selfcheck(name) for name in _SELF),
    *(_selfcheck(name, "--fold", "predicted") for name in ("100,000 labels", "300,000 cases", "texts for numbers")),
    *(Attack("papers", f"selfcheck {' '.join(files)}", lambda folder, files=files: command("selfcheck", *files))  # type: ignore[misc]
      for files in (("/dev/zero", "/dev/zero"), ("nothing.csv", "nothing.tex"), ("/", "/"))),
]  # fmt: skip
