"""Numbers of a whole file at once are, to the last bit, those that Python reads one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from scoreproof.csv_reader import rows as module
from scoreproof.csv_reader.columns import read_columns
from scoreproof.csv_reader.rows import plain_numbers

DIGITS = some.text("0123456789", max_size=26)
PLAIN = some.builds(lambda sign, whole, rest: f"{sign}{whole}{rest}", some.sampled_from(["", "-", "+"]), DIGITS, DIGITS)
POINTED = some.builds(
    lambda sign, whole, rest: f"{sign}{whole}.{rest}", some.sampled_from(["", "-", "+"]), DIGITS, DIGITS
)
SCORES = some.floats(-2, 2).map(repr)
POWERS = some.floats(allow_nan=False, allow_infinity=False).map(repr)
WRONG = some.text("0123456789.+-eE", max_size=8)
CELLS = some.one_of(PLAIN, POINTED, SCORES, POWERS, WRONG)


def one_by_one(cells: list[str]) -> list[float] | None:
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


@given(some.lists(CELLS, min_size=1, max_size=12), some.sampled_from([1, 2, 3]))
@example(["0.5", "0", "-0", "00000001.5"], 2)
@example(["9007199254740993", "9007199254740992.5", "0.30000000000000004", "4503599627370497.5"], 1)
@example(["1-2", "-.5", "5.", "."], 1)
def test_every_cell_is_pythons(cells: list[str], columns: int) -> None:
    cells = cells[: len(cells) // columns * columns] or ["1"] * columns
    lines = [";".join(cells[i : i + columns]) for i in range(0, len(cells), columns)]
    found = plain_numbers("\n".join(lines), ";", columns)
    wanted = one_by_one(cells) if lines != [""] else None
    if wanted is None:
        assert found is None or not cells or lines == [""]
    else:
        assert found is not None
        assert found.T.ravel().view(np.int64).tolist() == np.array(wanted).view(np.int64).tolist()


@pytest.mark.parametrize("digits", [3, 6, 8, 9, 15, 16, 17, 18, 19])
@pytest.mark.parametrize("block", [50, 1 << 17])
def test_many_cells_of_one_length(digits: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", block)
    generator = np.random.default_rng(digits)
    values = generator.random(6000) * 10.0 ** generator.integers(-6, 9, 6000)
    cells = [f"{v:.{digits}f}" if i % 2 else f"{v:.{digits}g}" for i, v in enumerate(values)]
    body = "\n".join(",".join(cells[i : i + 3]) for i in range(0, 6000, 3))
    found = plain_numbers(body, ",", 3)
    assert found is not None
    assert found.T.ravel().tolist() == [float(cell) for cell in cells]


def test_without_64_bit_fractions_the_digits_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LONG_IS_64_BITS", False)
    cells = [repr(v) for v in np.random.default_rng(0).random(3000).tolist()]
    found = plain_numbers("\n".join(cells), ",", 1)
    assert found is not None
    assert found.T.ravel().tolist() == [float(cell) for cell in cells]


@pytest.mark.parametrize(
    "body", ["1,2\n3", "1\n2,3", "1,2,3\n4", "1,2\n\n3,4", ",\n1,2", "1,2\n3,", "1,inf\n2,3", "1, 2\n3,4"]
)
def test_lines_that_do_not_fit_are_left_to_the_careful_reader(body: str) -> None:
    assert plain_numbers(body, ",", 2) is None


def test_a_file_with_one_unusual_cell_reads_as_before(tmp_path: Path) -> None:
    plain, unusual = tmp_path / "plain.csv", tmp_path / "unusual.csv"
    lines = [f"{i % 2},{i / 7!r},{-i}" for i in range(5000)]
    plain.write_text("\n".join(["a,b,c", *lines]))
    unusual.write_text("\n".join(["a,b,c", *lines, "1,n/a,3"]))
    first, second = read_columns(plain), read_columns(unusual)
    for name in "abc":
        assert first.numbers(name).tolist() == second.numbers(name, gaps=True)[:-1].tolist()
    assert np.isnan(second.numbers("b", gaps=True)[-1])


UNUSUAL = [
    "1e-05",
    "-3.5E+2",
    "5.",
    ".5",
    "-0",
    "+1",
    "12345678.9",
    "0.12345678901234567",
    "99999999",
    "-.12345678",
    "0001",
]


@pytest.mark.parametrize("unusual", UNUSUAL)
@pytest.mark.parametrize("place", [0, 1, 298, 299])
def test_one_long_or_unusual_cell_among_short_ones(unusual: str, place: int) -> None:
    generator = np.random.default_rng(place)
    cells = [f"{v:.{k}f}" for v, k in zip(generator.normal(size=300), generator.integers(0, 7, 300), strict=True)]
    cells[place] = unusual
    found = plain_numbers("\n".join(",".join(cells[i : i + 3]) for i in range(0, 300, 3)), ",", 3)
    assert found is not None
    assert found.T.ravel().view(np.int64).tolist() == np.array(list(map(float, cells))).view(np.int64).tolist()


@pytest.mark.parametrize(
    "wrong", ["", ".", "-", "0.1.2", "..", "1-2", "--1", "-+1", "e5", "1e", "0.5-", "1e999", "1.2.3.4"]
)
@pytest.mark.parametrize("place", [0, 151, 299])
def test_one_wrong_cell_among_short_ones_is_never_a_number(wrong: str, place: int) -> None:
    cells = ["0.25", "1", "-3.5"] * 100
    cells[place] = wrong
    assert plain_numbers("\n".join(",".join(cells[i : i + 3]) for i in range(0, 300, 3)), ",", 3) is None


def test_numbers_of_a_file_cannot_be_changed_by_who_reads_them(tmp_path: Path) -> None:
    file = tmp_path / "plain.csv"
    file.write_text("a,b\n1,2\n3,4\n")
    column = read_columns(file).numbers("a")
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 9
