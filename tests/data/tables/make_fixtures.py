"""Writes the fixture files of this folder with real producers; run by hand, not by the tests.

Needs pdflatex (texlive-latex-base, -recommended, -extra), chromium, python-docx and openpyxl. The truth is in
``truth.json``: every file must be read back to exactly these cells.
"""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import docx
import openpyxl
from docx.enum.text import WD_ALIGN_PARAGRAPH
from openpyxl.styles import Font

HERE = Path(__file__).parent
TRUTH = json.loads((HERE / "truth.json").read_text(encoding="utf-8"))
VESSELS, FOLDS = TRUTH["vessels"], TRUTH["folds"]


def merged_areas(rows: list[list[str]], spans: list[list[int]]) -> dict[tuple[int, int], tuple[int, int]]:
    return {(row, column): (down, across) for row, column, down, across in spans}


def covered(spans: list[list[int]]) -> set[tuple[int, int]]:
    places = set()
    for row, column, down, across in spans:
        places |= {(r, c) for r in range(row, row + down) for c in range(column, column + across)} - {(row, column)}
    return places


def word() -> None:
    document = docx.Document()
    document.add_paragraph("Our methods are compared in the tables below.")
    for table in (VESSELS, FOLDS):
        document.add_paragraph(table["caption"], style="Caption")
        rows, spans = table["rows"], table["spans"]
        grid = document.add_table(rows=len(rows), cols=len(rows[0]))
        grid.style = "Table Grid"
        hidden = covered(spans)
        for r, row in enumerate(rows):
            for c, text in enumerate(row):
                if (r, c) in hidden:
                    continue
                paragraph = grid.cell(r, c).paragraphs[0]
                paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
                run = paragraph.add_run(text)
                run.bold = [r, c] in table["bold"]
        for row, column, down, across in spans:
            grid.cell(row, column).merge(grid.cell(row + down - 1, column + across - 1))
    document.save(HERE / "tables.docx")


def excel() -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, table in (("Vessels", VESSELS), ("Folds", FOLDS)):
        sheet = book.create_sheet(name)
        sheet.cell(1, 1, table["caption"])
        hidden = covered(table["spans"])
        for r, row in enumerate(table["rows"]):
            for c, text in enumerate(row):
                if (r, c) in hidden or text == "":
                    continue
                cell = sheet.cell(r + 3, c + 1)
                cell.value, cell.number_format = stored(text)
                cell.font = Font(bold=[r, c] in table["bold"])
        for row, column, down, across in table["spans"]:
            sheet.merge_cells(
                start_row=row + 3, start_column=column + 1, end_row=row + down + 2, end_column=column + across
            )
    book.save(HERE / "tables.xlsx")


def stored(text: str) -> tuple[str | float, str]:
    """A number is stored as a number, and its format carries the digits, as an author's sheet would have it."""
    percent = text.endswith("%")
    try:
        value = float(text.replace("−", "-").removesuffix("%"))
    except ValueError:
        return text, "General"
    places = len(text.removesuffix("%").partition(".")[2])
    code = "0." + "0" * places if places else "0"
    if percent:
        return round(value / 100, places + 2), code + "%"
    return value, f"{code};−{code}"


def journal_page() -> str:
    """HTML as a journal's page has it."""
    parts = [(HERE / "source" / "page_head.html").read_text(encoding="utf-8")]
    for number, (style, table) in enumerate((("booktabs", VESSELS), ("boxed", FOLDS), ("bare", FOLDS)), 1):
        label, _, words = table["caption"].partition(". ")
        label = label.replace("1", str(number)) if style != "bare" else "Table 3"
        spans, hidden = merged_areas(table["rows"], table["spans"]), covered(table["spans"])
        parts.append('<section class="tw xbox"><p>Some words before the table, which describe the methods.</p>')
        parts.append(
            f'<div class="table-wrap" id="T{number}"><div class="caption"><strong>{label}.</strong> {words}</div>'
        )
        parts.append(f'<table class="{style}" rules="groups"><thead>')
        for r, row in enumerate(table["rows"]):
            if r == table["header_rows"]:
                parts.append("</thead><tbody>")
            cells = []
            for c, text in enumerate(row):
                if (r, c) in hidden:
                    continue
                down, across = spans.get((r, c), (1, 1))
                reach = (f' rowspan="{down}"' if down > 1 else "") + (f' colspan="{across}"' if across > 1 else "")
                shown = html.escape(text).replace("±", "&#xa0;&plusmn;&#xa0;".replace("&#xa0;", "")).replace(" ", " ")
                shown = (
                    shown.replace("†", "<sup>†</sup>").replace("F1", "F<sub>1</sub>") if style == "booktabs" else shown
                )
                if [r, c] in table["bold"]:
                    shown = f"<b>{shown}</b>"
                kind = "th" if r < table["header_rows"] else "td"
                cells.append(f'<{kind}{reach} align="center" valign="middle">{shown}</{kind}>')
            parts.append(f"<tr>{''.join(cells)}</tr>")
        parts.append("</tbody></table></div></section>")
    parts.append("<p>A paragraph after the tables, with 3 numbers 0.5 and 0.25 in it.</p></article></body></html>\n")
    return "\n".join(parts)


def printed(page: Path, target: Path) -> None:
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
         f"--print-to-pdf={target}", page.as_uri()],
        check=True, capture_output=True,
    )  # fmt: skip


def typeset(name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(HERE / f"{name}.tex", folder)
        for _ in range(2):
            done = subprocess.run(
                ["pdflatex", "-interaction=nonstopmode", f"{name}.tex"], cwd=folder, capture_output=True, check=False
            )
            if done.returncode:
                sys.exit(done.stdout.decode(errors="replace")[-3000:])
        shutil.copy(Path(folder) / f"{name}.pdf", HERE / f"{name}_latex.pdf")


def main() -> None:
    word()
    excel()
    page = HERE / "tables.html"
    page.write_text(journal_page(), encoding="utf-8")
    printed(page, HERE / "tables_chromium.pdf")
    typeset("tables")


if __name__ == "__main__":
    main()
