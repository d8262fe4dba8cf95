"""A grid of texts written in every format that is read; shared by the tests of honest and dishonest tables."""

from __future__ import annotations

import csv
import html
import io
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pytest

Grid = list[list[str]]


def _delimited(mark: str) -> Callable[[Grid], str]:
    def write(grid: Grid) -> str:
        out = io.StringIO()
        csv.writer(out, delimiter=mark).writerows(grid)
        return out.getvalue()

    return write


def _markdown(grid: Grid) -> str:
    head, *body = ["| " + " | ".join(row) + " |" for row in grid]
    return "\n".join([head, "|" + "---|" * len(grid[0]), *body]) + "\n"


def _latex(grid: Grid) -> str:
    def cell(text: str) -> str:
        for mark, command in (("%", r"\%"), ("&", r"\&"), ("_", r"\_"), ("#", r"\#"), ("Δ", r"$\Delta$")):
            text = text.replace(mark, command)
        return text.replace("±", r"$\pm$").replace("^", r"\textasciicircum{}")

    head, *body = [" & ".join(map(cell, row)) + r" \\" for row in grid]
    lines = [rf"\begin{{tabular}}{{l{'c' * (len(grid[0]) - 1)}}}", r"\toprule", head, r"\midrule", *body]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def html_table(grid: Grid) -> str:
    def row(cells: list[str], kind: str) -> str:
        return "<tr>" + "".join(f"<{kind}>{html.escape(text)}</{kind}>" for text in cells) + "</tr>"

    body = "".join(row(cells, "td") for cells in grid[1:])
    return f"<table><thead>{row(grid[0], 'th')}</thead><tbody>{body}</tbody></table>\n"


def _pasted(grid: Grid) -> str:
    widths = [max(len(row[column]) for row in grid) + 3 for column in range(len(grid[0]))]
    lines = ["".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in grid]
    return "\n".join(lines) + "\n"


TEXTS: dict[str, tuple[str, Callable[[Grid], str]]] = {
    "csv": (".csv", _delimited(",")),
    "tsv": (".tsv", _delimited("\t")),
    "markdown": (".md", _markdown),
    "latex": (".tex", _latex),
    "html": (".html", html_table),
    "text": (".txt", _pasted),
}
FORMATS = (*TEXTS, "excel", "word")


def write(grid: Grid, kind: str, folder: Path) -> Path:
    """The grid as a file of one format."""
    if kind in TEXTS:
        suffix, made = TEXTS[kind]
        file = folder / f"table{suffix}"
        file.write_text(made(grid), encoding="utf-8")
        return file
    if kind == "excel":
        book = openpyxl.Workbook()
        sheet = book.active
        assert sheet is not None
        for row in grid:
            sheet.append(row)
        book.save(folder / "table.xlsx")
        return folder / "table.xlsx"
    document = docx.Document()
    table = document.add_table(len(grid), len(grid[0]))
    for row, cells in zip(table.rows, grid, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.save(str(folder / "table.docx"))
    return folder / "table.docx"


def print_pdf(page: str, folder: Path) -> Path:
    """An HTML page as a PDF."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("chromium is needed to print tables: run tools/browser.sh", pytrace=False)
    source, target = folder / "page.html", folder / "page.pdf"
    source.write_text(page, encoding="utf-8")
    command = [
        chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
        f"--user-data-dir={folder / 'profile'}", f"--print-to-pdf={target}", source.as_uri(),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return target
