"""Every form in which a true classification report is kept is read whole and found consistent."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.outside.class_report_shapes import Shape, answers, printed, shapes

import scoreproof as sp
from scoreproof.documents import read_tables
from scoreproof.errors import UnreadableInput
from scoreproof.papers.table_semantics import interpret, report_problem

SHAPES = shapes()


def test_there_are_sixty_forms() -> None:
    assert len(SHAPES) >= 60
    assert len({shape.name for shape in SHAPES}) == len(SHAPES)


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape.printed], ids=lambda shape: shape.name)
def test_a_printed_report_is_read_and_consistent(shape: Shape) -> None:
    problem = report_problem(shape.text)
    assert len(problem.classes) == shape.classes
    answer = sp.ask(problem, budget=30)
    assert answer.verdict == "consistent", str(answer)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_report_in_a_file_is_read_as_a_table_and_consistent(shape: Shape, tmp_path: Path) -> None:
    file = tmp_path / shape.name
    file.write_text(shape.text, encoding="utf-8")
    tables = read_tables(file)
    assert len(tables) == 1
    report = interpret(tables[0]).class_report
    assert report is not None
    assert len(report.classes) == shape.classes
    problem = report.coupled()
    assert problem is not None
    assert sp.ask(problem, budget=30).verdict == "consistent"


def test_averages_are_no_classes_and_totals_are_those_of_the_classes() -> None:
    text = printed(*answers(1, 3, 90), target_names=["ant", "bee", "cow"])
    assert report_problem(text.replace("macro avg", "mean     ")).classes == ("ant", "bee", "cow")
    with pytest.raises(UnreadableInput, match="the rows have"):
        report_problem(text.replace(" ant", "mean"))
    with pytest.raises(UnreadableInput, match="the rows have 90 cases, the total is 91"):
        report_problem(text.replace(" 90\n", " 91\n"))
    with pytest.raises(UnreadableInput, match="expected one, found 2"):
        report_problem(text + text)
    weighted = printed(*answers(1, 3, 90), sample_weight=[0.75] * 90)
    with pytest.raises(UnreadableInput, match="the supports of two classes"):
        report_problem(weighted)
