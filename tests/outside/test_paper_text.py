"""The running text of a paper, whatever its format, read in the same parse as its tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import docx
import pytest
from table_formats import html_table

from scoreproof.documents import read
from scoreproof.documents.read import read_paper
from scoreproof.pages import to_html
from scoreproof.papers.auditing import audit
from scoreproof.papers.collecting import propose
from scoreproof.papers.draft import draft
from scoreproof.papers.table_semantics import interpret

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


def test_prose_right_before_a_float_is_read(tmp_path: Path) -> None:
    file = tmp_path / "paper.tex"
    source = (
        r"\section{Data} We used 12 images. \begin{table}[htb]\caption{On 5 images.}\begin{tabular}{c} Acc \\ 0.9 \\"
    )
    file.write_text(source + r"\end{tabular}\end{table} More words.", encoding="utf-8")
    said = [text for text, _ in read_paper(file).paragraphs]
    assert said == ["We used 12 images.", "On 5 images.", "More words."]


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


PAPERS = Path(__file__).parents[1] / "data" / "papers"
RESULTS = (
    ("A", "0.865", "0.707", "0.905", "0.675"),
    ("B", "0.889", "0.720", "0.914", "0.700"),
    ("C", "0.900", "0.787", "0.928", "0.756"),
)


@pytest.mark.parametrize(("name", "caption"), [("sideways", "Rotated results."), ("landscape", "Landscape results.")])
def test_tables_set_sideways(name: str, caption: str) -> None:
    paper = read_paper(PAPERS / f"{name}.pdf")
    (table,) = paper.tables
    assert table.headers == ("Method", "Acc", "Sens", "Spec", "F1")
    assert table.body == RESULTS
    assert table.caption == f"Table 1: {caption}"
    said = "The test set contains 379 images, of which 75 are melanomas. Some words more."
    assert paper.paragraphs[0] == (said, "section '1 Data', page 1")


def test_marks_commas_merged_and_tight_headers() -> None:
    marks, commas, merged, tight = read_paper(PAPERS / "layouts.pdf").tables
    assert [value.text for value in interpret(marks).reports[0].values] == ["0.865", "0.707", "0.905"]
    assert [value.text for value in interpret(commas).reports[1].values] == ["0.889", "0.720", "0.914"]
    assert [one.group for one in interpret(merged).reports] == ["First cohort", "Second cohort"] * 2
    assert tight.headers == ("Method", "Accuracy", "Sensitivity", "Specificity")
    assert tight.body == (("A", "0.865", "0.707", "0.905"), ("B", "0.889", "0.720", "0.914"))


def test_a_scanned_page_is_told_in_the_report(tmp_path: Path) -> None:
    file = written(tmp_path, ".md")
    proposed = replace(propose(file), problems=("page 2 is a picture without text and was not read",))
    result = audit(proposed, explain=False, strength=False)
    assert result.problems == proposed.problems
    assert "page 2 is a picture without text" in to_html(result)
