"""Documents hold nothing that JSON cannot carry."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest

from scoreproof.arrays import numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.jsonable import Jsonable, document, jsonable
from scoreproof.validation import whole


@dataclass(frozen=True, slots=True)
class Point(Jsonable):
    x: float
    others: tuple[float, ...] = ()

    @property
    def twice(self) -> float:
        return 2 * self.x


def test_every_value_survives_json() -> None:
    value = {"nan": np.float64("nan"), 2: np.array([[1, 2], [3, 4]]), "set": {np.int64(5)}, "flag": np.bool_(True)}
    plain = jsonable(value | {"point": Point(float("inf"), (1.5,)), "none": None, "odd": 1j})
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert plain == {
        "nan": None,
        "2": [[1, 2], [3, 4]],
        "set": [5],
        "flag": True,
        "point": {"x": "Infinity", "others": [1.5]},
        "none": None,
        "odd": "1j",
    }


def test_long_arrays_are_told_by_their_shape() -> None:
    assert jsonable({"x": np.zeros((3, 4))}, 11) == {"x": {"shape": [3, 4]}}
    assert jsonable(np.zeros(2), 2) == [0, 0]


def test_attributes_are_named_and_renamed() -> None:
    assert document(Point(2.0), "at=x twice", result="kept") == {"at": 2.0, "twice": 4.0, "result": "kept"}
    with pytest.raises(AttributeError):
        document(Point(2.0), "thrice")


@pytest.mark.parametrize("value", [True, "3", 3.5, float("nan"), float("inf"), None, 10**16, -1])
def test_what_counts_nothing_is_refused(value: object) -> None:
    with pytest.raises(InvalidOption, match=r"n: expected a whole number"):
        whole("n", value)
    assert [whole("n", v) for v in (3, 3.0, np.int32(3), np.float64(3))] == [3] * 4


def test_text_is_no_number_even_if_it_reads_as_one() -> None:
    with pytest.raises(InvalidValue, match=r"scores holds 0\.1, 0\.2"):
        numbers("scores", ["0.1", "0.2"])
