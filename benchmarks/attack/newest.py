"""What was built last: HTML tables in Markdown, comments, relations between the cells of a table, claims in sentences,
files of scores, plans, SARIF and annotations, batches of a folder.

As in ``doors``, every child is watched for the network, shells, and files that it was not told to open or leave behind.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks.attack.attack import Attack, command

_HTML = "<table><tr><th>Method</th><th>Acc</th></tr><tr><td>A</td><td>0.91</td></tr></table>"
_SIZES = "On 100 patients, 40 positive and 60 negative.\n\n"


def _file(name: str, content: Callable[[], str], words: Sequence[str]) -> Attack:
    suffix = words[-1]

    def make(folder: Path) -> list[str]:
        (folder / f"a.{suffix}").write_text(content(), encoding="utf-8", errors="surrogateescape")
        return command(*(word.replace("FILE", f"a.{suffix}") for word in words[:-1]))

    return Attack("newest", name, make, watched=True)


def _cells(rows: int, columns: int, cell: Callable[[int, int], object]) -> str:
    """A pipe table."""
    head = "|".join(f"c{k}" for k in range(columns))
    body = "\n".join(f"|m{r}|" + "|".join(str(cell(r, k)) for k in range(columns)) + "|" for r in range(rows))
    return f"| Method |{head}|\n|---|{'---|' * columns}\n{body}\n"


# ---- HTML tables, comments and captions in Markdown
_AUDIT = ("audit", "FILE", "--jobs", "1", "--budget", "0.2")
_MARKDOWN: dict[str, Callable[[], str]] = {
    "900 HTML tables": lambda: "".join(f"Table {k}: x\n\n{_HTML}\n\n" for k in range(900)),
    "1,001 HTML tables": lambda: f"{_HTML}\n\n" * 1_001,
    "tables that are never closed": lambda: "<table>\n" * 100_000 + _HTML,
    "ends without tables": lambda: "</table>\n" * 100_000 + _HTML,
    "tables 10,000 deep": lambda: "<table><tr><td>\n" * 10_000 + "</td></tr></table>\n" * 10_000,
    "tables 10,000 deep on one line": lambda: "<table><tr><td>" * 10_000 + "</td></tr></table>" * 10_000,
    "2 MB of tables on one line": lambda: _HTML * 20_000,
    "fences within tables": lambda: "<table>\n```\n</table>\n```\n" * 20_000,
    "pipes within an HTML table": lambda: "<table><tr><td>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n</td></tr></table>\n" * 2_000,
    "HTML tables within a pipe table": lambda: "| a | b |\n|---|---|\n" + f"| {_HTML} | 0.9 |\n" * 3_000,
    "20,000 dollars in cells": lambda: "<table>" + "<tr><td>$x$</td><td>$0.9$</td></tr>\n" * 9_990 + "</table>",
    "dollars in tags": lambda: "<table title='$'" + " a='$x$'" * 20_000 + "><tr><td>$</td></tr></table>",
    "spans of 10^9": lambda: "<table><tr><td rowspan=999999999 colspan=999999999>a</td></tr><tr><td>1</td></tr></table>",
    "2,001 columns": lambda: "<table><tr>" + "<th>a</th>" * 2_001 + "</tr></table>",
    "200,001 cells": lambda: "<table>" + ("<tr>" + "<td>1</td>" * 1_000 + "</tr>\n") * 201 + "</table>",
    "what a page would fetch": lambda: "<table><tr><td><img src=http://example.com/a><iframe src='file:///etc/passwd'></iframe><link rel=stylesheet href=//example.com></td><td>0.9</td></tr></table>\n<!DOCTYPE a [<!ENTITY b SYSTEM 'hunter2.csv'>]>\n<table><tr><td>&b;</td></tr></table>",
    "characters by number": lambda: "<table><tr><td>&#0;&#27;[31m&#x1b;]8;;&#xD800;&#99999999999;</td><td>0.9&#8238;</td></tr></table>",
    "entities of entities": lambda: "<table><tr><td>" + "&amp;" * 100_000 + "lt;script&gt;</td><td>1</td></tr></table>",
    "comments that are never closed": lambda: "<!--\n" * 200_000 + _HTML,
    "one line of comments": lambda: "<!---->" * 300_000 + _HTML,
    "comments and code": lambda: "`<!--` <!-- ` --> ` -->" * 60_000 + "\n" + _HTML,
    "fences within comments": lambda: "<!--\n```\n-->\n```\n" * 50_000 + _HTML,
    "tables within comments": lambda: f"<!-- {_HTML} -->\n" * 20_000,
    "captions below 20,000 tables": lambda: "Table 1: a\n\n" * 20_000 + (_HTML + "\n\nTable 2: b\n\n") * 500,
    "a caption of 1 MB": lambda: "Table 1: " + "a <b>b</b> " * 100_000 + f"\n\n{_HTML}\n",
    "marks within cells": lambda: "<table><tr><td>" + "<b><i><u>" * 20_000 + "0.9</td></tr></table>",
    "bytes that are no text": lambda: f"\udcff\udcfe\x00{_HTML}\x00\udc80\n" * 500,
    "quoted and listed tables": lambda: "> " * 5_000 + _HTML + "\n" + "- " * 5_000 + _HTML,
}  # fmt: skip

# ---- relations: tables whose numbers are computed from each other
_RELATED: dict[str, Callable[[], str]] = {
    "20,000 lines of sums": lambda: _cells(20_000, 4, lambda r, k: (r, 2 * r, 3 * r, 6 * r)[k]),
    "150 equal columns": lambda: _cells(60, 150, lambda r, k: "0.50"),
    "150 columns of 120 lines": lambda: _cells(120, 150, lambda r, k: f"{(r * 37 + k * 61) % 997 / 1000:.3f}"),
    "600 columns": lambda: _cells(3, 600, lambda r, k: f"0.{k:03d}"),
    "numbers of 100 digits": lambda: _cells(30, 6, lambda r, k: "0." + "3" * 98 + str(k)),
    "numbers of 10^100": lambda: _cells(30, 6, lambda r, k: f"{r + 1}e{90 + k}"),
    "zeros": lambda: _cells(200, 20, lambda r, k: "0.00"),
    "plus and minus everything": lambda: _cells(100, 20, lambda r, k: "0.5 ± 0.1 (± 0.01) [±]"),
    "intervals turned round": lambda: _cells(300, 8, lambda r, k: "0.9 (0.99-0.80)"),
    "gains over everything": lambda: _cells(120, 20, lambda r, k: f"0.{r:03d} (+0.{k:03d})"),
    "2,000 slashes": lambda: _cells(20, 3, lambda r, k: "/".join(["0.9"] * 1_200)),
    "marks of the best everywhere": lambda: _cells(200, 20, lambda r, k: f"**0.{(r * k) % 10}**"),
    "headings that are formulas": lambda: "| M |" + "|".join(f"{'A+B-C/' * 400}{k}" for k in range(9)) + "|\n|---|" + "---|" * 9 + "\n| a |" + "0.9|" * 9 + "\n",
    "F1/0 and its kin": lambda: "| M | F1/0 | 0/0 | Acc^99999999 | Acc/Acc/Acc | ÷0 | √-1 |\n|---|---|---|---|---|---|---|\n" + "| a | 1 | 2 | 3 | 4 | 5 | 6 |\n" * 9,
    "infinities": lambda: _cells(40, 8, lambda r, k: ("inf", "-inf", "nan", "1e999", "-0", "∞", "1/0", "0x1p9")[k]),
    "averages of averages": lambda: "| M |" + "Average|Avg.|Mean|Total|Sum|" * 20 + "\n|---|" + "---|" * 100 + "\n" + "".join(f"| m{r} |" + f"0.{r}|" * 100 + "\n" for r in range(9)),
    "counts that are no counts": lambda: _SIZES + "| M | TP | FP | FN | TN | n |\n|---|---|---|---|---|---|\n" + "| a | 1e400 | -5 | 0.5 | 10000000000000000000000 | NaN |\n" * 30,
    "p-values of everything": lambda: "| M | Acc | p |\n|---|---|---|\n" + "".join(f"| m{r} | 0.{r} | <.0{'0' * r}1 |\n" for r in range(200)),
}  # fmt: skip

# ---- tests in sentences
_SENTENCES: dict[str, Callable[[], str]] = {
    "t( 100,000 times": lambda: "t(" * 100_000,
    "5,000 tests": lambda: "t(28) = 2.20, p = .36; " * 5_000,
    "what may stand between": lambda: "t(28) = 2.20" + ", d = 0.1" * 20_000 + ", p = .36",
    "blanks and dollars": lambda: "t(28) = 2.20" + " $ , " * 100_000 + "p = .36",
    "chi of chi": lambda: "\\chi^{2" * 50_000 + "(2) = 5, p = .05",
    "degrees of 10^9": lambda: "F(999999999, 999999999) = 1.01, p = .04; t(999999999) = 1.9, p = .5; chi2(999999999) = 1, p = .5",
    "statistics without end": lambda: "t(3) = " + "9" * 5_000 + ", p = ." + "0" * 5_000 + "1; F(2, 3) = 1e-999, p = 1e-999",
    "sizes of 10^9": lambda: "U = 5, n1 = 999999999, n2 = 999999999, p = .05; W = 5, n = 999999999, p = .05; U = 1, n1 = 400, n2 = 400, p = .5",
    "digits of other scripts": lambda: "t(٢٨) = ２.２０, p = .०३६; t(28) = ²·²⁰, p = .³⁶",
    "a table of 5,000 tests": lambda: "| a | F(2, 45) | p |\n|---|---|---|\n" + "| x | 3.29 | .46 |\n" * 5_000,
}  # fmt: skip

# ---- files of scores
_TABLES: dict[str, Callable[[], str]] = {
    "1,900 columns": lambda: ",".join(f"m{k}" for k in range(1_900)) + "\n" + (",".join(["0.5"] * 1_900) + "\n") * 6,
    "names of 100,000 characters": lambda: "model" * 20_000 + ",B\n" + "0.5,0.6\n" * 12,
    "names that are formulas": lambda: "=cmd|'/c touch pwned'!A1,$(touch pwned)\n" + "0.5,0.6\n" * 12,
    "names with escapes": lambda: "\x1b[31mA,::error::B\n" + "0.5,0.6\n" * 12,
    "one row 100,000 times": lambda: "patient,A,B\n" + "p,0.5,0.6\n" * 100_000,
    "as many clusters as rows": lambda: "patient,truth,A,B\n" + "".join(f"p{k},{k % 2},0.{k % 9},0.{k % 7}\n" for k in range(20_000)),
    "settings of 1e308": lambda: "noise,A,B\n" + "".join(f"{k}e307,0.{k},0.{k + 1}\n" for k in range(1, 9)),
    "words of steps": lambda: "name,A,B\n" + ("x_" * 2_000 + "1") * 50 + ",0.5,0.6\n" + "a,0.5,0.6\n" * 11,
    "rows that are metrics": lambda: "m,A,B\n" + "".join(f"{'-' * 2_000}acc{k},0.5,0.6\n" for k in range(50)),
    "a matrix of 300 classes": lambda: "," + ",".join(f"c{k}" for k in range(300)) + "\n" + "".join(f"c{k}," + ",".join(["1"] * 300) + "\n" for k in range(300)),
    "infinities and gaps": lambda: "dataset,A,B\n" + "".join(f"d{k},{cell},0.5\n" for k, cell in enumerate(("inf", "-inf", "nan", "", "1e999", "0x1", "1_0", "٣", "½", "--1", "1e-999", "5"))),
    "one class": lambda: "truth,A,B\n" + "1,0.5,0.6\n" * 50,
}  # fmt: skip

_PLANS: tuple[str, ...] = (
    "auc --first 1 --second 1", "auc --first 0.9 --second 0.9", "auc --first 0.5 --second 0.50000000001 --share 1e-300", "auc --first nan --second 0.5",
    "mcnemar --discordant 2 --difference 0.1", "mcnemar --discordant 1e-300 --difference 1e-300", "mcnemar --discordant 0.1 --difference 0.1 --size 999999999999999999",
    "wilcoxon --difference 1e-12 --sd 1", "wilcoxon --difference 1 --sd 0", "wilcoxon --difference inf --sd 1", "seeds --difference 0.01 --sd 0.008 --size 1",
    "seeds --difference 1e-9 --sd 1e9", "folds --difference 0.01 --sd 0.02 --folds 0", "folds --difference 0.01 --sd 0.02 --folds 999999999", "proportions --first 0 --second 0",
    "proportions --first 0.5 --second 0.6 --power 1", "proportions --first 0.5 --second 0.6 --alpha 0", "proportions --first 0.5 --second 0.6 --power 0.999999999999999999",
)  # fmt: skip


def _plan(words: str) -> Attack:
    return Attack("newest", f"plan {words}", lambda folder: command("plan", *words.split()))


def _findings(name: str, words: Sequence[str], prepare: Callable[[Path], object] = lambda folder: None) -> Attack:
    def make(folder: Path) -> list[str]:
        rows = "".join(f"| m%0A::error::{k} | 0.9{k:03d} | 0.80 | 0.70 |\n" for k in range(60))
        (folder / "a.md").write_text(
            f"# %0A::warning::\n\n{_SIZES}| Method | Acc | Sens | Spec |\n|---|---|---|---|\n{rows}"
        )
        prepare(folder)
        return command("audit", "a.md", "--jobs", "1", "--no-explain", *words)

    return Attack("newest", f"findings: {name}", make, watched=True)


def _boards(name: str, fill: Callable[[Path], None], out: str) -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / "boards").mkdir()
        fill(folder / "boards")
        return command("batch", "boards", out, "--budget", "0.2")

    return Attack("newest", f"batch of a folder: {name}", make, together=2, watched=True)


def _deep(folder: Path) -> None:
    for _ in range(200):
        folder = folder / "a"
        folder.mkdir()
    (folder / "a.csv").write_text("p,n,acc,sens\n40,60,0.91,0.8\n")


_BOARD = "p,n,acc,sens\n40,60,0.913,0.80\n"


def _filled(*names: str, links: Mapping[str, str] | None = None, pipe: str = "") -> Callable[[Path], None]:
    """A folder with boards of these names, links to other places from it, and a pipe."""

    def fill(folder: Path) -> None:
        for name in names:
            (folder / name).write_text(_BOARD)
        for name, target in (links or {}).items():
            (folder / name).symlink_to(target)
        if pipe:
            os.mkfifo(folder / pipe)

    return fill


_ODD = ("a\nb.csv", "=1+1.csv", "::error::.csv", "\x1b[31m.csv", "-rf.csv")
_BATCHES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a link to itself": (_filled("a.csv", links={"a": "."}), "out"),
    "200 folders deep": (_deep, "out"),
    "a pipe": (_filled("b.csv", pipe="a.csv"), "out"),
    "names of lines and formulas": (_filled(*_ODD), "out"),
    "into itself": (_filled("a.csv"), "boards"),
    "into a link": (_filled("a.csv", links={"../out": "/proc/self"}), "out"),
    "a link to what is secret": (_filled("b.csv", links={"a.csv": "../../hunter2"}), "out"),
    "2,000 boards": (_filled(*(f"{k}.csv" for k in range(2_000))), "out"),
}

ATTACKS = [
    *(_file(f"Markdown: {name}", text, (*_AUDIT, "md")) for name, text in _MARKDOWN.items()),
    *(_file(f"relations: {name}", text, (*_AUDIT, "md")) for name, text in _RELATED.items()),
    *(_file(f"sentences: {name}", text, (*_AUDIT, "md")) for name, text in _SENTENCES.items()),
    *(_file(f"scores: {name}", text, ("compare", "FILE", "csv")) for name, text in _TABLES.items()),
    *(_plan(words) for words in _PLANS),
    _findings("SARIF over the paper", ("--sarif", "a.md")),
    _findings("SARIF to nowhere", ("--sarif", "none/a.sarif")),
    _findings(
        "SARIF through a link to a device",
        ("--sarif", "a.sarif"),
        lambda folder: os.symlink("/dev/null", folder / "a.sarif"),
    ),
    _findings("annotations", ("--annotate",)),
    _findings("everything in one file", ("--sarif", "a.x", "--html", "a.x", "--latex", "a.x", "--text", "a.x")),
    *(_boards(name, fill, out) for name, (fill, out) in _BATCHES.items()),
]
