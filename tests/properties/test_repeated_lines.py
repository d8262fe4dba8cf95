"""A long file of labels says the same whether its lines are split one by one or each different one once."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreproof.csv_reader import columns
from scoreproof.csv_reader.columns import columns_of
from scoreproof.csv_reader.content import Content

cells = st.sampled_from(["a", "b c", " d ", "1", "2.5", "0,5", "n/a", "", "é"])


@settings(deadline=None, max_examples=150)
@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=4), st.integers(8, 40), st.randoms())
def test_both_ways_agree(kinds: list[tuple[str, str, str]], many: int, random: object) -> None:
    rows = [kinds[i % len(kinds)] for i in range(many)]
    random.shuffle(rows)  # type: ignore[attr-defined]
    text = "\n".join(["x;y;z", *(";".join(row) for row in rows)]) + "\n"
    plain = columns_of(Content("f", text))
    with patch.object(columns, "_LONG", 0), patch.object(columns, "_FEW", 1.0):
        quick = columns_of(Content("f", text))
    assert (quick.rows, quick.names) == (plain.rows, plain.names)
    for name in plain.names:
        assert quick.all_numbers(name) == plain.all_numbers(name)
        assert quick.mostly_words(name) == plain.mostly_words(name)
        assert quick.first_missing(name) == plain.first_missing(name)
        different, which = quick.words(name)
        assert [different[i] for i in which] == list(plain.column(name)) == list(quick.column(name))
        if plain.all_numbers(name):
            assert np.array_equal(quick.numbers(name, gaps=True), plain.numbers(name, gaps=True), equal_nan=True)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(["a;b", "a;b;c", "a"]), min_size=2, max_size=20))
def test_uneven_lines_are_left_to_the_reader_that_names_them(lines: list[str]) -> None:
    with patch.object(columns, "_LONG", 0), patch.object(columns, "_FEW", 1.0):
        read = columns.repeated_lines("\n".join(lines), ";", 2)
    assert (read is None) == any(line != "a;b" for line in lines)
