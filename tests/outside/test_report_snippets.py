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
    assert cells[3].startswith("Acc 0.9494, Sens 0.9450 and Spec 0.9793 cannot stand together.")
    assert r"\paragraph{inconsistent} Table 2, Deep \& Thin: Acc 0.9494" in snippet
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


def test_the_findings_come_first_and_keep_proof_and_conjecture_apart() -> None:
    paragraphs = to_text(report_fixtures.example()).split("\n\n")
    assert paragraphs[0] == "“Retinal vessels, revisited”: 8 of 9 result rows tested: 5 findings."
    assert paragraphs[1].startswith("Proved. Table 2, Deep & Thin: Acc 0.9494, Sens 0.9450 and Spec 0.9793 cannot")
    assert "Not proved, but possible: Sens 0.7450, one digit changed, would fit all three numbers." in paragraphs[1]
    assert paragraphs[1].endswith("or should it be 0.7450?")
    assert paragraphs[5].startswith("Proved. “U-Net is the best method” does not hold")
    assert paragraphs[6].startswith("4 rows can have come about as described or assumed. 1 row could not be decided")
    assert "It does not say why" in paragraphs[8]
    assert len(paragraphs) == 9
    for accusation in ("fraud", "fabricat", "misconduct", "fake", "manipulat", "wrong", "dishonest"):
        assert accusation not in "".join(paragraphs).lower()


def test_nothing_to_complain_about_is_said_in_one_sentence() -> None:
    said = to_text(replace(report_fixtures.many(20, 0), title="Good"))
    assert said == (
        "“Good”: 20 of 20 result rows tested: no inconsistency.\n\n20 rows can have come about as described or assumed."
    )


def test_many_findings_are_counted_not_listed() -> None:
    example = report_fixtures.example()
    tables = tuple(replace(example.tables[1], name=f"Table {k}") for k in range(30))
    rows = [replace(table.rows[0], label=f"{k}", readings=()) for k, table in enumerate(tables)]
    assert rows
    said = to_text(replace(example, tables=(example.tables[0], *tables[:1])))
    assert said.count("Proved.") == 3
    assert len(to_text(report_fixtures.many(200, 100))) < 8000


def test_hostile_text_is_cut_and_visible() -> None:
    said = to_text(report_hostile.hostile())
    assert "[U+202E]" in said
    assert not re.search("[\x00-\x09\u202a-\u202e]", said)
    assert len(said) < 20_000
    assert len(to_latex(report_hostile.hostile())) < 22_000


@pytest.mark.parametrize("make", [to_text, to_latex])
def test_only_audits_are_reported(make: object) -> None:
    with pytest.raises(InvalidValue, match="expected the AuditResult of an audit, got str"):
        make("x")  # type: ignore[operator]
