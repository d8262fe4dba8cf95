"""The running text of a paper, whatever its format, read in the same parse as its tables."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest
from table_formats import html_table

from scoreproof.audits.draft import draft
from scoreproof.documents import read
from scoreproof.documents.read import read_paper

SAID = "We tested on 1,143 images."
GRID = [["Method", "Acc", "Sens", "Spec"], ["A", "0.90", "0.80", "0.95"]]


def written(folder: Path, suffix: str) -> Path:
    """The same small paper in a format."""
    file = folder / f"paper{suffix}"
    rows = ["| " + " | ".join(row) + " |" for row in GRID]
    if suffix == ".md":
        file.write_text("\n".join(["# Data", "", SAID, "", rows[0], "|---" * 4 + "|", rows[1], ""]), encoding="utf-8")
    elif suffix == ".html":
        file.write_text(f"<html><body><h2>Data</h2><p>{SAID}</p>{html_table(GRID)}</body></html>", encoding="utf-8")
    elif suffix == ".tex":
        cells = [" & ".join(row) + r" \\" for row in GRID]
        said = SAID.replace("1,143", r"\ntest{}")
        head = r"\documentclass{article}\newcommand{\ntest}{1,143}\begin{document}\section{Data}"
        table = r"\begin{tabular}{lccc}" + "\n".join(cells) + r"\end{tabular}"
        file.write_text("\n\n".join([head, said, table, r"\end{document}"]), encoding="utf-8")
    else:
        document = docx.Document()
        document.add_heading("Data", 2)
        document.add_paragraph(SAID)
        table = document.add_table(2, 4)
        for row, cells in enumerate(GRID):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
        document.save(str(file))
    return file


@pytest.mark.parametrize("suffix", [".md", ".html", ".tex", ".docx"])
def test_paragraphs_come_with_the_tables(tmp_path: Path, suffix: str) -> None:
    paper = read_paper(written(tmp_path, suffix))
    assert paper.tables[0].body == (("A", "0.90", "0.80", "0.95"),)
    assert paper.paragraphs == ((SAID, "section 'Data'"),)


def test_a_draft_opens_the_paper_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []
    true = read.open_source
    monkeypatch.setattr(read, "open_source", lambda *given: opened.append(given) or true(*given))
    made = draft(written(tmp_path, ".md"))
    assert "total: 1143" in made.text
    assert len(opened) == 1


def test_columns_of_a_page_are_read_one_after_the_other() -> None:
    paper = read_paper(Path(__file__).parents[1] / "data" / "tables" / "tables_latex.pdf")
    said = " ".join(text for text, _ in paper.paragraphs)
    assert "the specificity is not reported. In running text there may be values such as 0.95 and 0.74" in said
    cells = [
        text for table in paper.tables for row in table.body for text in row if text.startswith("0.") and "±" in text
    ]
    assert cells
    assert not any(text in said for text in cells)
