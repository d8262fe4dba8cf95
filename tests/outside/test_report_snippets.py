"""The LaTeX snippet and the paragraph for a review."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import report_fixtures
import report_hostile
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexWalker

from scoreproof.errors import InvalidValue
from scoreproof.pages import to_latex, to_text
from scoreproof.papers.result import AuditResult


def plain(latex: str) -> str:
    return " ".join(LatexNodes2Text().latex_to_text(latex).split())


@pytest.mark.parametrize("make", [report_fixtures.example, report_hostile.hostile, lambda: report_fixtures.many(60, 5)])
def test_the_snippet_is_balanced_latex(make: object) -> None:
    snippet = to_latex(make())  # type: ignore[operator]
    LatexWalker(snippet, tolerant_parsing=False).get_latex_nodes()
    body = "\n".join(line for line in snippet.splitlines() if not line.startswith("%"))
    assert snippet.isascii() or all(line.startswith("%") for line in snippet.splitlines() if not line.isascii())
    assert body.count(r"\toprule") == body.count(r"\begin{") - body.count(r"\begin{table}") + body.count(r"\endhead")
    for line in body.splitlines():
        if line.endswith((r" \\", r" \tabularnewline")) and "multicolumn" not in line:
            assert len(re.findall(r"(?<!\\)&", line)) == 3


def test_rows_verdicts_readings_and_notes() -> None:
    snippet = to_latex(report_fixtures.example())
    assert r"\caption{Consistency of Table 2: 3 consistent and 1 inconsistent.}" in snippet
    line = next(line for line in snippet.splitlines() if line.startswith(r"\raggedright Deep \& Thin"))
    cells = [
        plain(cell.replace(r"\raggedright ", ""))
        for cell in re.split(r"(?<!\\)&", line.removesuffix(r" \tabularnewline"))
    ]
    assert cells[:3] == ["Deep & Thin: Acc 0.9494, Sens 0.9450, Spec 0.9793", "inconsistent", "none"]
    assert cells[3].startswith("Read as the 20 test images, first annotator, pixels in the field of view")
    assert "Acc = 0.9494, Sens = 0.9450 and Spec = 0.9793 cannot stand together" in cells[3]
    assert r"VesselNet{-}\ensuremath{\beta}" in snippet
    assert to_latex(report_fixtures.many(60, 5)).count(r"\begin{longtable}") == 1


def test_real_tex_takes_it(tmp_path: Path) -> None:
    """Where a TeX is installed it must compile; elsewhere the strict parser above is the judge."""
    tex = shutil.which("pdflatex")
    parts = [
        to_latex(make) for make in (report_fixtures.example(), report_hostile.hostile(), report_fixtures.many(60, 5))
    ]
    document = "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
    file = tmp_path / "snippets.tex"
    file.write_text(document + "\n\n".join(parts) + "\n\\end{document}\n", encoding="utf-8")
    LatexWalker(file.read_text(encoding="utf-8"), tolerant_parsing=False).get_latex_nodes()
    if tex is not None:
        command = [tex, "-interaction=nonstopmode", "-halt-on-error", file.name]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert ran.returncode == 0, ran.stdout.decode("latin-1")[-800:]


def test_the_paragraphs_keep_proof_and_conjecture_apart() -> None:
    paragraphs = to_text(report_fixtures.example()).split("\n\n")
    assert len(paragraphs) == 6
    vessels = paragraphs[1]
    assert vessels.startswith("Table 2: of 4 tested rows, 3 consistent and 1 inconsistent. 1 cell could not be read")
    assert (
        "Proved: in the row “Deep & Thin” the numbers Acc 0.9494, Sens 0.9450, Spec 0.9793 cannot come from" in vessels
    )
    assert "Conjectured, not proved: " in vessels
    assert vessels.index("Proved:") < vessels.index("Conjectured, not proved:") < vessels.index("Strength of the test:")
    assert "no answer was reached in the time allowed; this is no sign of a mistake" in paragraphs[3]
    assert "The claim “U-Net is the best method” is not supported by the tables" in paragraphs[4]
    assert "It does not say why" in paragraphs[5]
    for accusation in ("fraud", "fabricat", "misconduct", "fake", "manipulat", "wrong", "dishonest"):
        assert accusation not in "".join(paragraphs).lower()


def test_nothing_to_complain_about_is_said_plainly() -> None:
    table = report_fixtures.many(20, 0).tables[0]
    powered = tuple(
        replace(row, strength=report_fixtures.strength(2.0 ** -(k + 2))) for k, row in enumerate(table.rows)
    )
    said = to_text(AuditResult("Good", "", (replace(table, rows=powered, fits_all=("as described",)),)))
    assert "of 20 tested rows, 20 consistent." in said
    assert "Every tested row is consistent with “as described”." in said
    assert "strongest for method 19 (about 1 in 2.1 × 10^6 reports like this one" in said
    assert "weakest for method 0 (about 1 in 4 reports like this one" in said
    assert "It does not say why" not in said
    assert len(said.split("\n\n")) == 2


def test_many_findings_are_counted_not_listed() -> None:
    said = to_text(report_fixtures.many(200, 100))
    assert "88 further inconsistent rows are listed in the full report." in said
    assert len(said) < 8000


def test_hostile_text_is_cut_and_visible() -> None:
    said = to_text(report_hostile.hostile())
    assert "[U+202E]" in said
    assert not re.search("[\x00-\x09\u202a-\u202e]", said)
    assert len(said) < 20_000
    assert len(to_latex(report_hostile.hostile())) < 20_000


@pytest.mark.parametrize("make", [to_text, to_latex])
def test_only_audits_are_reported(make: object) -> None:
    with pytest.raises(InvalidValue, match="expected the AuditResult of an audit, got str"):
        make("x")  # type: ignore[operator]
