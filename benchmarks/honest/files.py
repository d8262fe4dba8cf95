"""Tables written into files as programs write them: CSV, Markdown, LaTeX, HTML, Word, Excel, PDF.

A writer takes the sheets of one document and a path without suffix and returns the file. PDFs are printed by Chromium
from the HTML, like many supplements; they are slow, so a document is one rarely.
"""

from __future__ import annotations

import csv
import html
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.honest.cells import Cell, Sheet

PROSE = "We evaluated all methods in the same way; 3 runs, 0.5 as the threshold, seeds 1 to 5."
_SPECIAL = str.maketrans({"%": r"\%", "_": r"\_", "&": r"\&", "#": r"\#", "±": r"$\pm$", "Δ": r"$\Delta$"})
_PAGE = """<!DOCTYPE html><meta charset="utf-8"><title>Results</title><style>
body{font-family:sans-serif;font-size:10pt}table{border-collapse:collapse;font-size:9pt;margin:1em 0}
td,th{padding:.2em .6em;border:1px solid #666;text-align:center}div{break-inside:avoid}</style>
"""


def to_csv(sheets: Sequence[Sheet], path: Path) -> Path:
    """One table, as ``to_csv`` writes it."""
    return _csv(sheets, path, ",", ".")


def to_semicolons(sheets: Sequence[Sheet], path: Path) -> Path:
    """One table with decimal commas, as spreadsheets of many countries write it."""
    return _csv(sheets, path, ";", ",")


def _csv(sheets: Sequence[Sheet], path: Path, separator: str, point: str) -> Path:
    file = path.with_suffix(".csv")
    (sheet,) = sheets
    with file.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, delimiter=separator)
        writer.writerow(sheet.header)
        writer.writerows([_number(cell, point) for cell in row] for row in sheet.rows)
    return file


def _number(cell: Cell, point: str) -> str:
    return cell.text.replace(".", point) if cell.text[:1] in "0123456789+-." else cell.text


def to_pandas(sheets: Sequence[Sheet], path: Path) -> Path:
    """Tables as pandas writes data frames of texts: one of its three markups."""
    import pandas as pd

    frames = [
        pd.DataFrame([[cell.text for cell in row] for row in sheet.rows], columns=sheet.header) for sheet in sheets
    ]
    way = len(sheets[0].rows) % 3
    if way == 0:
        file, parts = (
            path.with_suffix(".md"),
            [frame.to_markdown(index=False, disable_numparse=True) for frame in frames],
        )
    elif way == 1:
        file = path.with_suffix(".tex")
        parts = [
            frame.to_latex(index=False, escape=True, caption=one.caption)
            for frame, one in zip(frames, sheets, strict=True)
        ]
    else:
        file, parts = path.with_suffix(".html"), [frame.to_html(index=False) for frame in frames]
    file.write_text("\n\n".join(map(str, parts)) + "\n", encoding="utf-8")
    return file


def to_markdown(sheets: Sequence[Sheet], path: Path) -> Path:
    file = path.with_suffix(".md")
    parts = ["# Results", PROSE]
    for number, sheet in enumerate(sheets, 1):
        lines = [sheet.header, ["---"] * len(sheet.header), *([cell.text for cell in row] for row in sheet.rows)]
        parts += [f"Table {number}: {sheet.caption}", "\n".join(f"| {' | '.join(line)} |" for line in lines)]
    file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return file


def to_latex(sheets: Sequence[Sheet], path: Path) -> Path:
    file = path.with_suffix(".tex")
    parts = [r"\documentclass{article}\usepackage{booktabs}\begin{document}", PROSE]
    for sheet in sheets:
        lines = [" & ".join(cell.text.translate(_SPECIAL) for cell in row) + r" \\" for row in sheet.rows]
        head = " & ".join(name.translate(_SPECIAL) for name in sheet.header) + r" \\"
        body = "\n".join([r"\toprule", head, r"\midrule", *lines, r"\bottomrule"])
        parts.append(
            f"\\begin{{table}}\n\\caption{{{sheet.caption}}}\n\\begin{{tabular}}{{l{'r' * (len(sheet.header) - 1)}}}\n"
            f"{body}\n\\end{{tabular}}\n\\end{{table}}"
        )
    file.write_text("\n\n".join([*parts, r"\end{document}", ""]), encoding="utf-8")
    return file


def to_html(sheets: Sequence[Sheet], path: Path) -> Path:
    file = path.with_suffix(".html")
    parts = [_PAGE, f"<h1>Results</h1><p>{PROSE}</p>"]
    for number, sheet in enumerate(sheets, 1):
        head = "".join(f"<th>{html.escape(name)}</th>" for name in sheet.header)
        body = "\n".join(
            "<tr>" + "".join(f"<td>{html.escape(cell.text)}</td>" for cell in row) + "</tr>" for row in sheet.rows
        )
        parts.append(
            f"<div><table><caption>Table {number}: {html.escape(sheet.caption)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>"
        )
    file.write_text("\n".join(parts), encoding="utf-8")
    return file


def to_word(sheets: Sequence[Sheet], path: Path) -> Path:
    import docx

    file = path.with_suffix(".docx")
    document = docx.Document()
    document.add_paragraph(PROSE)
    for number, sheet in enumerate(sheets, 1):
        document.add_paragraph(f"Table {number}: {sheet.caption}")
        table = document.add_table(rows=0, cols=len(sheet.header))
        for line in [sheet.header, *([cell.text for cell in row] for row in sheet.rows)]:
            for cell, text in zip(table.add_row().cells, line, strict=True):
                cell.text = text
    document.save(str(file))
    return file


def to_excel(sheets: Sequence[Sheet], path: Path) -> Path:
    """A sheet per table; numbers are numbers with a format, as the program that wrote them shows them."""
    import openpyxl

    file = path.with_suffix(".xlsx")
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for number, sheet in enumerate(sheets, 1):
        page = book.create_sheet(f"Table {number}")
        page.append(sheet.header)
        for line, row in enumerate(sheet.rows, 2):
            for column, cell in enumerate(row, 1):
                target = page.cell(line, column)
                target.value = cell.text if cell.number is None else cell.number
                target.number_format = cell.format
    book.save(file)
    return file


def to_pdf(sheets: Sequence[Sheet], path: Path) -> Path:
    page = to_html(sheets, path)
    file = path.with_suffix(".pdf")
    program = browser()
    assert program is not None
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    subprocess.run([*command, f"--print-to-pdf={file}", page.as_uri()], check=True, capture_output=True, timeout=120)
    return file


def browser() -> str | None:
    """A Chromium that can print pages."""
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return next((program for program in found if program), None)


Writer = Callable[[Sequence[Sheet], Path], Path]
WRITERS: dict[str, Writer] = {
    "csv": to_csv,
    "csv with decimal commas": to_semicolons,
    "pandas": to_pandas,
    "markdown": to_markdown,
    "latex": to_latex,
    "html": to_html,
    "word": to_word,
    "excel": to_excel,
    "pdf": to_pdf,
}
CHANCES = (0.17, 0.04, 0.12, 0.17, 0.15, 0.11, 0.09, 0.13, 0.02)
SINGLE = frozenset(["csv", "csv with decimal commas"])
