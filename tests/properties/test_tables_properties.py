"""Properties of table reading: nothing is lost or invented, and nothing but a clear error is ever raised."""

from __future__ import annotations

import csv
import io
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import numpy as np
import openpyxl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.metrics import classification_report

from scoreproof.documents import Table, read_tables
from scoreproof.documents.readers.sheets import shown
from scoreproof.errors import ScoreproofError
from scoreproof.papers.table_semantics import CellKind, Counts, interpret, read_cell, read_heading

words = st.text("abcXYZ019 .,%±|&*_<>()\"'-", min_size=1, max_size=8).map(lambda text: " ".join(text.split()))
filled = words.filter(bool)


@given(st.lists(st.lists(filled, min_size=3, max_size=3), min_size=2, max_size=6))
def test_csv_returns_what_was_written(grid: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out).writerows(grid)
    table = read_tables("x,y,z\n" + out.getvalue(), kind="csv")[0]
    assert [list(row) for row in table.rows[1:]] == grid


@given(
    st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 5), st.booleans()), min_size=1, max_size=5),
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_excel_shows_the_digits_of_the_format(tmp_path: Path, values: list[tuple[int, int, bool]]) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Method", "Acc"])
    texts = []
    for row, (units, places, percent) in enumerate(values, 2):
        value = Decimal(units).scaleb(-places)
        texts.append(f"{value:f}" + ("%" if percent else ""))
        cell = sheet.cell(row, 2, float(value.scaleb(-2) if percent else value))
        cell.number_format = "0" + ("." + "0" * places if places else "") + ("%" if percent else "")
        sheet.cell(row, 1, f"m{row}")
    book.save(tmp_path / "t.xlsx")
    table = read_tables(tmp_path / "t.xlsx")[0]
    assert [row[1] for row in table.body] == texts


@given(st.floats(-1e6, 1e6, allow_nan=False), st.integers(0, 8))
def test_number_formats_round_half_up(value: float, places: int) -> None:
    code = "0" + ("." + "0" * places if places else "")
    exact = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    text = shown(value, code)
    assert text is not None
    assert Decimal(text) == exact
    assert len(text.partition(".")[2]) == places


@given(st.text(max_size=60))
def test_any_cell_is_read_or_kept(text: str) -> None:
    cell = read_cell(text)
    assert cell.raw == text
    if cell.kind is CellKind.NUMBER:
        digits = [char for char in cell.number if char.isdigit()]
        assert digits
        assert "".join(digits) in "".join(char for char in text if char.isdigit())
    else:
        assert cell.number == ""
    assert bool(cell.why) == (cell.kind is CellKind.UNREAD)


@given(
    st.decimals(0, 100, places=3, allow_nan=False),
    st.sampled_from(["", "%", " %"]),
    st.sampled_from(["", "†", "*", "^a", " [12]", "²"]),
    st.sampled_from(["{}", "**{}**", r"\textbf{{{}}}", "${}$", " {} "]),
)
def test_decorations_leave_the_number_alone(value: Decimal, percent: str, mark: str, markup: str) -> None:
    cell = read_cell(markup.format(f"{value}{percent}") + mark)
    assert (cell.number, cell.percent) == (str(value), bool(percent.strip()))


@given(st.lists(st.text(max_size=25), max_size=3))
def test_any_heading_is_understood_or_left_over(levels: list[str]) -> None:
    heading = read_heading(levels)
    assert bool(heading.score) == (heading.role == "score")


@given(
    st.text(alphabet="ab0.9,;|\t\n -\\{}<>&$%±", min_size=1, max_size=120),
    st.sampled_from([None, "csv", "latex", "html", "markdown", "text", "model-index"]),
)
@settings(max_examples=200)
def test_any_text_gives_tables_or_a_clear_error(text: str, kind: str | None) -> None:
    try:
        tables = read_tables(text + "\n", kind=kind)
    except ScoreproofError:
        return
    for table in tables:
        assert len({len(row) for row in table.rows}) == 1
        found = interpret(table)
        assert sum(found.tally.values()) >= len(found.unread)


@given(st.integers(2, 4), st.integers(10, 300), st.integers(0, 10**6))
@settings(max_examples=40)
def test_reports_of_scikit_learn_always_fit(classes: int, size: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), dice.integers(0, classes, size)])
    guess = np.where(dice.random(len(truth)) < 0.7, truth, dice.integers(0, classes, len(truth)))
    text = classification_report(truth, guess, zero_division=0.0, digits=int(dice.integers(2, 5)))
    found = interpret(read_tables(text)[0])
    assert found.class_report is not None
    checks = found.class_report.check_averages()
    assert len(checks) == 7
    assert all(checks), [str(one) for one in checks if not one]
    assert found.class_report.total == len(truth)


def test_a_wrong_average_does_not_fit() -> None:
    truth = [0] * 50 + [1] * 30
    text = classification_report(truth, [0] * 45 + [1] * 30 + [0] * 5)
    wrong = text.replace("accuracy                           0.88", "accuracy                           0.89")
    assert wrong != text
    found = interpret(read_tables(wrong)[0]).class_report
    assert found is not None
    assert [one.what for one in found.check_averages() if not one] == ["accuracy"]


cells = st.integers(0, 50)


@given(cells, cells, cells, cells)
def test_counts_complete_each_other(tp: int, fp: int, fn: int, tn: int) -> None:
    known = Counts(tp=tp, p=tp + fn, tn=tn, total=tp + fp + fn + tn).completed()
    assert not known.conflict
    assert (known.fp, known.fn, known.n) == (fp, fn, fp + tn)
    wrong = Counts(tp=tp, fn=fn, p=tp + fn + 1).completed()
    assert wrong.conflict
    assert wrong.test_set() is None


def test_tables_must_be_rectangular() -> None:
    for rows, headers in (((("a",), ("b", "c")), 1), ((("a",),), 2)):
        try:
            Table(rows, headers)
        except ScoreproofError:
            continue
        raise AssertionError(rows)
