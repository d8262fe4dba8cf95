"""Tables of two-column PDF pages set by pdflatex, compared cell by cell with the LaTeX they were set from."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoreproof.documents import Tables, read_tables
from scoreproof.documents.readers.pdf_overrun import Overrun, overrun
from scoreproof.documents.readers.pdf_regions import regions_of
from scoreproof.documents.readers.pdf_rules import PageRules, RuledLine
from scoreproof.documents.readers.pdf_words import Line, Word

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


def test_columns_beyond_the_rules_are_read_or_said_to_be_missing() -> None:
    """A ``tabular*`` that is too full sets its last columns into the margin, or over the text beside it."""
    tables, source = read_tables(PAPERS / "overfull.pdf"), _set_from("overfull")
    by_caption = {table.caption: table.rows for table in tables}
    assert by_caption == {f"Table {k}: {source[k - 1].caption}": source[k - 1].rows for k in (2, 3)}
    assert tables.problems == (
        *(f"page {k}: a table is wider than its rules, over other text, and therefore not read" for k in (1, 3)),
        *(f"page {page}: no table was read under the caption of table {k}" for page, k in ((1, 1), (3, 4))),
    )


def _line(y: float, *cells: tuple[str, float]) -> Line:
    return Line(y, tuple(Word(text, x, x + 5.0 * len(text), 10.0) for text, x in cells))


def test_what_stands_beside_a_table_is_not_its_column() -> None:
    """Numbers of lines in the margin, another table, and text."""
    inside = [_line(100.0 + 12 * k, (f"M{k}", 50.0), ("0.912", 90.0), ("0.873", 130.0)) for k in range(5)]

    def beyond(*cells: tuple[str, float]) -> list[Line]:
        return [Line(line.y, (*line.words, *_line(line.y, *cells).words)) for line in inside]

    ends = RuledLine(190.0, 300.0, 90.0), RuledLine(190.0, 300.0, 160.0)
    assert overrun(inside, beyond(("0.654", 170.0)), [], 160.0) == Overrun(195.0, clear=True)
    assert overrun(inside, beyond(("0.654", 170.0), ("and", 200.0)), [], 160.0) == Overrun(195.0, clear=True)
    assert overrun(inside, beyond(("0.654", 170.0), ("and", 197.0)), [], 160.0) == Overrun(195.0, clear=False)
    assert overrun(inside, beyond(("we", 170.0), ("0.654", 190.0)), [], 160.0) is None
    assert overrun(inside, beyond(("0.654", 200.0)), ends, 160.0) is None
    assert overrun(inside, beyond(("0.654", 300.0)), [], 160.0) is None
    numbered = [Line(line.y, (*line.words, *_line(line.y, (str(k), 170.0)).words)) for k, line in enumerate(inside, 41)]
    assert overrun(inside, numbered, [], 160.0) is None


def test_a_caption_that_is_wider_than_its_table_is_no_header() -> None:
    """Its first words stand outside the rules, and justified words stand apart like those of a header."""
    words = ("Table", 20.0), ("1:", 55.0), ("Five-fold", 75.0), ("validation", 130.0), ("on", 190.0), ("all", 207.0)
    lines = [_line(80.0, *words), _line(100.0, ("Sn", 95.0), ("Sp", 135.0), ("MCC", 175.0))]
    lines += [_line(115.0 + 12 * k, (f"M{k}", 50.0), ("0.912", 90.0), ("0.873", 130.0), ("0.7", 175.0)) for k in (0, 1)]
    rules = PageRules([RuledLine(48.0, 200.0, y) for y in (104.0, 130.0)], [], [])
    (region,) = regions_of(rules, lines).tables
    assert [line.words[0].text for line in region.lines] == ["Sn", "M0", "M1"]
