"""Tables of two-column PDF pages set by pdflatex, compared cell by cell with the LaTeX they were set from."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoreproof.documents import Tables, read_tables

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


def test_tables_that_touch_are_parted_and_those_that_overlap_are_not_read() -> None:
    tables, source = read_tables(PAPERS / "touching.pdf"), _set_from("touching")
    by_caption = {table.caption: table.rows for table in tables}
    assert by_caption == {f"Table {k}: {told.caption}": told.rows for k, told in enumerate(source[:4], 1)}
    assert tables.problems == tuple(f"page 2: no table was read under the caption of table {k}" for k in (5, 6))
