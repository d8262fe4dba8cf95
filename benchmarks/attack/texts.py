"""Text, Markdown, LaTeX, HTML, CSV: runs of one mark, unbalanced braces, thousands of tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.attack.attack import Attack, command

_HEAD = "| Method | Acc |\n|---|---|\n"
_TABULAR = "\\begin{tabular}{lc}\n%s\\end{tabular}\n"
_ROWS = "Method & Acc \\\\\nA & 0.9 \\\\\n"
_PAGE = "<table><tr><th>Method</th><th>Acc</th></tr><tr><td>%s</td><td>0.9</td></tr></table>"


def _pasted(marks: str, count: int) -> Callable[[], str]:
    return lambda: "Method  Acc\nA" + marks * count + "0.9\nB  0.8\n"


_RUNS = ("*", "_", "~", "`", "**", "__", "~~", "[", "![", "](", "<", "<a", "$", "\\", "\\|", "&", "*a", "_a ", "a_", "$\\pm$", "<sup>", "(", "|", " ", "\t", "- ", "±", "^", "{", "}", "%", "'", '"', ";", ",", "1", "1.", "1 ", "a ", "\u00a0", "é", "\ufeff", "<br>", "&nbsp;", "\u200b")  # fmt: skip
_FILES: dict[str, tuple[str, Callable[[], str]]] = {
    **{f"a cell of {mark!r}": ("md", lambda mark=mark: f"{_HEAD}| {mark * (100_000 // len(mark))} | 0.9 |\n") for mark in _RUNS},  # type: ignore[misc]
    **{f"a LaTeX cell of {mark!r}": ("tex", lambda mark=mark: _TABULAR % f"Method & Acc \\\\\n{mark * (100_000 // len(mark))} & 0.9 \\\\\n")  # type: ignore[misc]
       for mark in (*_RUNS, "\\textbf{", "\\verb", "\\verb|", "\\multirow{", "\\multicolumn{2}{", "\\cmidrule(lr){1-2}", "\\cmidrule(", "\\hline", "$", "^{", "_{", "\\begin{tabular}{l}", "\\end{tabular}", "\\newcommand", "\\def\\a{", "\\(", "\\[", "\\begin{x}", "\\\\", "\\\\[", "\\\\*", "\\cite[", "\\makecell{a\\\\", "%\n")},
    **{f"an HTML cell of {mark!r}": ("html", lambda mark=mark: _PAGE % (mark * (100_000 // len(mark))))  # type: ignore[misc]
       for mark in ("<br>", "<b>", "<sup>", "<sub>1</sub>", "<sub>", "<sup>1</sup>", "<table>", "<td>", "<tr>", "<div>", "<span>", "<script>", "<!--", "&amp;", "&lt", "<td rowspan=9>", "<td colspan=9>", "<p", "<![CDATA[", "<math>", "<select>", "<caption>", "<style>x</style>")},
    **{f"pasted {mark!r}": ("txt", lambda mark=mark: "Method  Acc\nA " + mark * (50_000 // len(mark)) + " 0.9\nB  0.8\n") for mark in (*_RUNS, "\n", "  ", " 1", "0.9 ", "0.9  ", "n/a ", "( ", "(1 ", "1 (1) ")},  # type: ignore[misc]
    **{f"CSV of {mark!r}": ("csv", lambda mark=mark: f"Method,Acc\nA{mark * (200_000 // len(mark))},0.9\nB,0.8\n") for mark in (*_RUNS, "\n", ",\n", '"a"', '""', '",', "a,")},  # type: ignore[misc]
    **{f"{count:,} lines of {kind}": ("txt", lambda line=line, count=count: line * count)  # type: ignore[misc]
       for count in (2_000, 50_000) for kind, line in (("words", "a b c\n"), ("columns", "a   0.9   0.8\n"), ("numbers", "A 0.9 0.8\n"), ("rules", "-----\n"), ("tabs", "\t\n"), ("captions", "Table 1: words\n"), ("steps", "a  b\n   c   d\n"))},
    "a table of 600 columns": ("txt", lambda: ("a   " * 199 + "\n") * 500),
    "1,000,000 newlines": ("txt", lambda: "a  b\n" + "\n" * 1_000_000 + "1  2\n"),
    "1,000,000 tabs": ("txt", lambda: "a  b\n" + "\t" * 1_000_000 + "1  2\n"),
    "thousands of Markdown tables": ("md", lambda: (_HEAD + "| A | 0.9 |\n\n") * 20_000),
    "Markdown rules": ("md", lambda: "|---|---|\n" * 100_000),
    "a Markdown rule of 100,000": ("md", lambda: "| a |\n|" + "---|" * 50_000 + "x\n"),
    "a rule of dashes and blanks": ("md", lambda: "| a |\n|" + "- " * 50_000 + "|\n"),
    "a rule of blanks": ("md", lambda: "a | b\n" + "-" + " " * 100_000 + "x\n"),
    "Markdown of one column": ("md", lambda: "| a |\n| - |\n" + "| 1 |\n" * 200_000),
    "a row of 50,000 cells": ("md", lambda: "| a | b |\n|---|---|\n" + "| 1 " * 50_000 + "|\n"),
    "Markdown captions": ("md", lambda: "Table 1 words\n" * 20_000 + _HEAD + "| A | 0.9 |\n\n" + ("Table x\n\n" + _HEAD + "| A | 0.9 |\n\n") * 3_000),
    "paragraphs between tables": ("md", lambda: ("words\n" * 5_000 + "\n") + (_HEAD + "| A | 0.9 |\n") * 100 + "words\n" * 100_000),
    "tables without blank lines": ("md", lambda: "x\n" * 100_000 + _HEAD + "| A | 0.9 |\n"),
    "thousands of LaTeX tables": ("tex", lambda: (_TABULAR % _ROWS) * 5_000),
    "LaTeX tables in floats": ("tex", lambda: ("\\begin{table}\\caption{x}" + _TABULAR % _ROWS + "\\end{table}\n") * 5_000),
    "unbalanced floats": ("tex", lambda: "\\begin{table}\n" * 20_000 + (_TABULAR % _ROWS) * 500),
    "captions without ends": ("tex", lambda: "\\begin{table}" + "\\caption{" * 20_000 + (_TABULAR % _ROWS) * 100 + "\\end{table}"),
    "a long caption": ("tex", lambda: "\\begin{table}\\caption{" + "x {y} " * 100_000 + "}" + _TABULAR % _ROWS + "\\end{table}"),
    "caption brackets": ("tex", lambda: "\\begin{table}" + "\\caption[" * 20_000 + _TABULAR % _ROWS + "\\end{table}"),
    "caption blanks": ("tex", lambda: "\\begin{table}" + "\\caption" + " " * 100_000 + _TABULAR % _ROWS + "\\end{table}"),
    "begins without ends": ("tex", lambda: "\\begin{tabular}{l}\n" * 20_000),
    "verbatim without ends": ("tex", lambda: "\\begin{verbatim}" * 20_000 + _TABULAR % _ROWS),
    "comments": ("tex", lambda: "%" * 100_000 + "\n" + "\\" * 100_000 + "%\n" + "\\%" * 50_000 + _TABULAR % _ROWS),
    "backslashes": ("tex", lambda: "\\" * 300_000 + _TABULAR % _ROWS),
    "macros that grow": ("tex", lambda: "".join(f"\\newcommand{{\\a{chr(98 + k)}}}{{\\a{chr(97 + k)}\\a{chr(97 + k)}}}\n" for k in range(20)) + _TABULAR % "Method & \\au \\\\\nA & 0.9 \\\\\n"),
    "a macro of itself": ("tex", lambda: "\\newcommand{\\a}{\\a\\a}\n" + _TABULAR % "Method & \\a \\\\\nA & 0.9 \\\\\n"),
    "20,000 macros": ("tex", lambda: "".join(f"\\newcommand{{\\m{''.join(chr(97 + int(d)) for d in str(k))}}}[1]{{#1}}\n" for k in range(20_000)) + (_TABULAR % _ROWS) * 50),
    "macro definitions without ends": ("tex", lambda: "\\newcommand{\\a}{" * 20_000 + _TABULAR % _ROWS),
    "defs without ends": ("tex", lambda: "\\def\\a#1#2{" * 20_000 + _TABULAR % _ROWS),
    "nested tabulars": ("tex", lambda: "\\begin{tabular}{l} a & " * 3_000 + "\\end{tabular}" * 3_000),
    "multirow 9999": ("tex", lambda: _TABULAR % ("\\multirow{9999}{*}{a} & \\multicolumn{1999}{c}{b} \\\\\n" * 600)),
    "negative multirows": ("tex", lambda: _TABULAR % ("a & b \\\\\n" * 2_000 + "\\multirow{-2000}{*}{a} & b \\\\\n" * 2_000)),
    "30,000 LaTeX rows": ("tex", lambda: _TABULAR % ("A & 0.9 \\\\\n" * 30_000)),
    "a LaTeX row of 30,000 cells": ("tex", lambda: _TABULAR % ("A & " * 30_000 + "\\\\\n")),
    "endheads": ("tex", lambda: _TABULAR.replace("tabular", "longtable") % ("a & b \\\\\\endhead\n" * 10_000)),
    "thousands of HTML tables": ("html", lambda: (_PAGE % "A") * 20_000),
    "HTML tables beside captions": ("html", lambda: "<div>" + ("<p>x</p>" + _PAGE % "A") * 5_000 + "</div>"),
    "nested HTML tables": ("html", lambda: "<table><tr><td>" * 3_000 + "x"),
    "one long paragraph before tables": ("html", lambda: f"<p>{'x ' * 200_000}</p>" + "".join(f"<span></span>{_PAGE % 'A'}" for _ in range(2_000))),
    "a long caption of many tables": ("html", lambda: f"<div><div class=caption>{'x ' * 100_000}</div>" + (_PAGE % "A") * 3_000 + "</div>"),
    "rowspan 999999999": ("html", lambda: "<table>" + "<tr><td rowspan=999999999 colspan=1000>x</td></tr>" * 5_000 + "</table>"),
    "colspan 999999999": ("html", lambda: "<table><tr><td colspan=999999999>x</td></tr><tr><td>1</td></tr></table>"),
    "an unclosed attribute": ("html", lambda: "<table><tr><td a='" + "x" * 1_000_000),
    "100,000 attributes": ("html", lambda: "<table><tr><td " + " ".join(f"a{k}=1" for k in range(50_000)) + ">1</td></tr><tr><td>2</td></tr></table>"),
    "HTML 100,000 deep": ("html", lambda: "<div>" * 100_000 + _PAGE % "A"),
    "bold in bold": ("html", lambda: _PAGE % ("<b>x" * 3_000)),
    "rows of headers": ("html", lambda: "<table>" + "<tr><th>a</th><th>b</th></tr>" * 50_000 + "</table>"),
    "a wide CSV": ("csv", lambda: ",".join("a" * 1 for _ in range(100_000)) + "\n" + ",".join("1" for _ in range(100_000)) + "\n"),
    "a long CSV": ("csv", lambda: "a,b\n" + "1,2\n" * 500_000),
    "single cells above a table": ("csv", lambda: "x\n" * 20_000 + "a,b\n1,2\n"),
    "quotes": ("csv", lambda: 'a,b\n"' + "x\n" * 200_000),
    "CSV blocks": ("csv", lambda: "a,b\n1,2\n\n" * 50_000),
    "separators of every sort": ("csv", lambda: "a,b;c\td|e\n" * 50_000),
    "classification reports": ("txt", lambda: "precision recall f1-score support\nA 0.9 0.9 0.9 10\n\n\n\n\n" * 10_000),
    "a report of one line": ("txt", lambda: "precision recall f1-score support\n" + "0.9 " * 50_000 + "x\n"),
    "report headers of blanks": ("txt", lambda: "precision" + " " * 100_000 + "recall\nx\n"),
    "blank lines before a report": ("txt", lambda: " \n" * 100_000 + "a,b\n1,2\n"),
    "model cards of blanks": ("txt", lambda: (" " * 50_000 + "\n") * 20 + "a  b\n1  2\n"),
    "zero width": ("txt", lambda: "\u200b" * 100_000 + "\na  b\n1  2\n"),
    "tables with long headings": ("md", lambda: f"| {'Acc Sens ' * 10_000} | b |\n|---|---|\n| A | 0.9 |\n"),
    "headings of digits": ("md", lambda: f"| Method | F{'1' * 50_000} |\n|---|---|\n| A | 0.9 |\n"),
    "headings of brackets": ("md", lambda: f"| Method | Acc {'(' * 50_000} |\n|---|---|\n| A | 0.9 |\n"),
    "200 columns of scores": ("csv", lambda: ",".join(["Method", *(f"Acc{k}" for k in range(200))]) + "\n" + ("A," + ",".join(["0.9"] * 200) + "\n") * 500),
}  # fmt: skip


def _attack(name: str, suffix: str, make: Callable[[], str], command_name: str = "tables") -> Attack:
    def prepare(folder: Path) -> list[str]:
        file = folder / f"paper.{suffix}"
        file.write_text(make(), encoding="utf-8")
        if command_name == "init":
            return command("init", str(file), "--force", "--output", str(folder / "out.yaml"))
        return command("tables", str(file))

    return Attack("texts", f"{name} ({command_name})", prepare)


ATTACKS = [
    *(_attack(name, suffix, make) for name, (suffix, make) in _FILES.items()),
    *(_attack(name, suffix, make, "init") for name, (suffix, make) in _FILES.items() if "cell of" not in name and "pasted" not in name and "CSV of" not in name),
]  # fmt: skip
