"""Tables of two-column PDF pages set by pdflatex, compared cell by cell with the LaTeX they were set from."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scoreproof.documents import Tables, read, read_tables
from scoreproof.documents.formats import Source
from scoreproof.documents.readers import pdf
from scoreproof.work.subprocess_worker import Died

PAPERS = Path(__file__).parents[1] / "data" / "papers"


def _set_from(name: str) -> Tables:
    return read_tables(PAPERS / "source" / f"{name}.tex")


@pytest.mark.parametrize("name", ["spanning", "captions_below"])
def test_tables_over_both_columns_and_in_one(name: str) -> None:
    """Over both columns at the top of the page, stacked, side by side, boxed, with two levels of headers."""
    tables, source = read_tables(PAPERS / f"{name}.pdf"), _set_from(name)
    assert [table.rows for table in tables] == [table.rows for table in source]
    assert [table.header_rows for table in tables] == [table.header_rows for table in source]
    assert [table.caption for table in tables] == [f"Table {k}: {told.caption}" for k, told in enumerate(source, 1)]
    assert tables.problems == ()


def test_tables_that_lie_over_each_other_are_not_read() -> None:
    contents = pdf.read(Source("touching.pdf", "pdf", (PAPERS / "touching.pdf").read_bytes()))
    missing = [(1, 1), (1, 3), (1, 2), (1, 4), (2, 5), (2, 6)]
    assert contents.problems == [f"page {p}: no table was read under the caption of table {k}" for p, k in missing]
    assert contents.tables == []


def test_pages_for_which_there_was_no_time_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document of many pages has more time; what it did not suffice for is told, and the rest is read."""
    clock = iter([0.0, 1.0, 2.0, 99.0])
    monkeypatch.setattr(pdf, "time", SimpleNamespace(process_time=lambda: next(clock)))
    monkeypatch.setattr(pdf, "allow_more", lambda seconds: None)
    pages: list[tuple[int, int]] = []
    data = (PAPERS / "spanning.pdf").read_bytes()
    contents = pdf.read(Source("thesis.pdf", "pdf", data, tell=lambda *page: pages.append(page)))
    assert pages == [(1, 6), (2, 6), (3, 6)]
    assert contents.problems[0].startswith("pages 3 to 6 were not read: the pages before took more than 0.6 seconds")
    assert {table.position.page for table in contents.tables} <= {1, 2}


def test_a_page_at_which_the_reader_dies_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[int]] = []

    def reader(request: Any, data: bytes, *, told: Any, **limits: Any) -> Any:
        asked.append(list(request["skipped_pages"]))
        for page in (1, 2, 3):
            told((page, 6))
            if page == 2 and page not in request["skipped_pages"]:
                raise Died("processor")
        return read.answer(request, data, told)

    monkeypatch.setattr(read, "_READER", reader)
    tables = read_tables(PAPERS / "spanning.pdf")
    assert asked == [[], [2]]
    assert "page 2 is damaged, or takes too much time or memory; it was not read" in tables.problems
    assert 2 not in {table.position.page for table in tables}
