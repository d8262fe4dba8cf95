"""Tables as authors write them in LaTeX: every heading is read as a reader would, or left, and no count is taken for another.

``tests/data/tables/grids.tex`` holds the tables with what each is to be read as.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scoreproof.documents import read_tables
from scoreproof.documents.read import read_paper
from scoreproof.papers.table_semantics import Heading, Interpretation, Role, interpret

TEXT = (Path(__file__).parents[1] / "data" / "tables" / "grids.tex").read_text(encoding="utf-8")
GRIDS = re.findall(r"^%% ([^:\n]+): ([^\n]+)\n((?:%= [^\n]+\n)*)((?:(?!%% ).*\n?)+)", TEXT, re.MULTILINE)


def decision(heading: Heading) -> str:
    if heading.role is Role.COUNT:
        return f"count {heading.count}"
    if heading.role is Role.SCORE:
        group = f" [{heading.group}]" if heading.group else ""
        return " ".join(f"{heading.qualifier} {heading.score} {heading.statistic}".split()) + group
    return "label" if heading.role is Role.LABEL else "-"


def told(found: Interpretation) -> list[str]:
    lines = []
    for report in found.reports:
        group = f" [{report.group}]" if report.group else ""
        values = ", ".join(f"{value.score} {value.text}" for value in report.values)
        counts = f"; {report.counts}" if report.counts else ""
        lines.append(f"{report.label}{group}: {values}{counts}")
    return lines


@pytest.mark.parametrize(("name", "expected", "reports", "source"), GRIDS, ids=[name for name, *_ in GRIDS])
def test_a_grid(name: str, expected: str, reports: str, source: str) -> None:
    (table,) = read_tables(source, kind="latex")
    found = interpret(table)
    assert [decision(column.heading) for column in found.columns] == [part.strip() for part in expected.split("|")]
    for column in found.untested:
        assert column.heading.note, "a column that is left says why"
    for report in re.findall(r"^%= (.+)$", reports, re.MULTILINE):
        assert report in told(found)


def test_enough_grids() -> None:
    assert len({name for name, *_ in GRIDS}) == len(GRIDS) == TEXT.count("\n%% ") >= 140


PAPER = r"""\documentclass{article}
\newcommand{\acc}{Accuracy}
\begin{document}
\input{glyphtounicode}
\section{Results} % \input{left-out}
\input{parts/results}
\include{parts/missing}
\begin{tabular}{lc} \hline Method & \acc \\ \hline B & 0.92 \\ \hline \end{tabular}
\end{document}
"""


def test_a_paper_of_several_files(tmp_path: Path) -> None:
    """Parts are read in their places, a part of a part too; lines are those of the paper itself."""
    (tmp_path / "parts").mkdir()
    inner = "We tested on 120 images.\n\n\\input{parts/table.tex}\n"
    (tmp_path / "parts" / "results.tex").write_text(inner, encoding="utf-8")
    table = "\n\n\\begin{tabular}{lc} \\hline Method & \\acc \\\\ \\hline A & 0.91 \\\\ \\hline \\end{tabular}\n"
    (tmp_path / "parts" / "table.tex").write_text(table, encoding="utf-8")
    paper = tmp_path / "paper.tex"
    paper.write_text(PAPER, encoding="utf-8")
    found = read_paper(paper)
    assert [table.body for table in found.tables] == [(("A", "0.91"),), (("B", "0.92"),)]
    assert [table.position.line for table in found.tables] == [6, 8]
    assert [table.header for table in found.tables] == [(("Method", "Accuracy"),)] * 2
    (problem,) = found.tables.problems
    assert "parts/missing" in problem
    assert "not read" in problem
    assert any("120 images" in text for text, _ in found.paragraphs)


def test_parts_outside_of_the_folder_and_circles_are_left(tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (tmp_path / "secret.tex").write_text("\\begin{tabular}{lc} S & Acc \\\\ s & 0.1 \\end{tabular}", encoding="utf-8")
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    table = "\\begin{tabular}{lc} \\hline M & Acc \\\\ \\hline A & 0.91 \\\\ \\hline \\end{tabular}"
    names = ("../secret", "link", str(tmp_path / "secret.tex"), "loop")
    (folder / "loop.tex").write_text("\\input{loop}", encoding="utf-8")
    (folder / "main.tex").write_text(
        "\n".join(f"\\input{{{name}}}" for name in names) + f"\n{table}\n", encoding="utf-8"
    )
    found = read_paper(folder / "main.tex")
    assert [table.body for table in found.tables] == [(("A", "0.91"),)]
    assert len(found.tables.problems) == 4
    assert sum("outside the paper's folder" in problem for problem in found.tables.problems) == 3


@pytest.mark.parametrize("mark", ["", ".git"])
def test_parts_of_one_project_are_read(tmp_path: Path, mark: str) -> None:
    """Beside the paper's folder; anywhere in a project under version control; pictures are no parts."""
    project = tmp_path / "project"
    table = "\\begin{tabular}{lc} \\hline M & Acc \\\\ \\hline A & %s \\\\ \\hline \\end{tabular}"
    files = {"project/tables/a.tex": "0.91", "project/b.tex": "0.92", "elsewhere/c.tex": "0.93", "project/tables/d": "0.94"}  # fmt: skip
    for name, value in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(table % value, encoding="utf-8")
    if mark:
        (project / mark).mkdir()
    (project / "paper").mkdir()
    names = ("../tables/a", "../b.tex", "../../elsewhere/c", "../tables/d", "../tables/none", "../../tmp/none")
    (project / "paper" / "main.tex").write_text(
        "".join(f"\\input{{{name}}}\n" for name in names) + "\\includegraphics{fig/roc}\n", encoding="utf-8"
    )
    found = read_paper(project / "paper" / "main.tex")
    assert [table.body[0][1] for table in found.tables] == (["0.91", "0.92"] if mark else ["0.91"])
    assert sum("outside" in problem for problem in found.tables.problems) == (2 if mark else 3)
    assert sum("no such TeX file" in problem for problem in found.tables.problems) == 2


def test_a_paper_that_puts_in_itself_is_read_once(tmp_path: Path) -> None:
    table = "\\begin{tabular}{lc} \\hline M & Acc \\\\ \\hline A & 0.91 \\\\ \\hline \\end{tabular}"
    paper = tmp_path / "main.tex"
    paper.write_text(f"{table}\n\\input{{main}}\n\\input{{part}}\n\\input{{part}}\n", encoding="utf-8")
    (tmp_path / "part.tex").write_text(table.replace("0.91", "0.92") + "\n\\input{main.tex}\n", encoding="utf-8")
    found = read_paper(paper)
    assert [table.body[0][1] for table in found.tables] == ["0.91", "0.92", "0.92"]
    assert len(found.tables.problems) == 2
    assert all("it puts in itself" in problem for problem in found.tables.problems)


def test_a_header_whose_cells_reach_down_keeps_all_its_rows() -> None:
    table = read_tables(
        "\\begin{tabular}{lcc} \\hline & \\multirow{2}{*}{Acc} & \\multirow{2}{*}{F1} \\\\ & & \\\\ \\hline"
        " A & 0.91 & 0.90 \\\\ B & 0.88 & 0.87 \\\\ \\hline \\end{tabular}\n"
    )[0]
    assert (table.header_rows, table.body) == (2, (("A", "0.91", "0.90"), ("B", "0.88", "0.87")))


def test_the_day_of_reading_is_no_sentence_of_a_paper() -> None:
    paper = read_paper(
        "\\title{Trees}\\author{A. Author}\n\\begin{document}\\maketitle\n\nWritten on \\today.\n\n"
        "\\begin{tabular}{lc} M & Acc \\\\ A & 0.91 \\\\ \\end{tabular}\n\\end{document}\n"
    )
    assert [text for text, _ in paper.paragraphs if text] == ["Written on ."]
