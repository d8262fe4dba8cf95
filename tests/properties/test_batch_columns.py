"""Columns made without pandas are those that Arrow itself makes."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from scoreproof.batches.frame import codes_of, decimals, texts, whole_numbers

SAID = st.lists(st.none() | st.text(st.characters(codec="utf-8"), max_size=5), max_size=40)


@given(SAID)
def test_texts(said: list[str | None]) -> None:
    made = texts(said)
    made.validate(full=True)
    assert made.equals(pa.array(said, pa.string()))


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_whole_numbers(numbers: list[int]) -> None:
    assert whole_numbers(numbers).equals(pa.array(numbers, pa.int64()))


@given(st.lists(st.none() | st.floats(allow_nan=False)))
def test_decimals(numbers: list[float | None]) -> None:
    made = decimals(numbers)
    made.validate(full=True)
    assert made.equals(pa.array(numbers, pa.float64()))


@given(SAID, st.integers(0, 10))
def test_codes_say_the_same_texts(said: list[str | None], cut: int) -> None:
    encoded = texts(said).dictionary_encode()[cut:]
    values = encoded.dictionary.to_pylist()
    assert [None if code < 0 else values[code] for code in codes_of(encoded.indices).tolist()] == said[cut:]
