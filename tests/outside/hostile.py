"""Values that nobody should hand in, and what may come of a call with one: an answer or an error of ours.

A value is hostile by itself (NaN, a number of 5,000 digits, bytes, a list 2,000 deep) or right but for one of its
parts: a list with one such element, a mapping with one such value or key.
"""

from __future__ import annotations

import inspect
import json
import random
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from tests.outside.public_calls import Call
from tests.outside.test_results import RESULTS

import scoreproof as sp
from scoreproof.errors import ScoreproofError


class Odd:
    """Something nobody expects."""


def _deep(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def _strange(*_: Any) -> Any:
    raise RuntimeError("a function of one's own that fails")


VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 3, 1000, 2**31, 2**63, 2**70, 10**5000, -(10**5000), 0.5, -0.0, 95.0, float("nan"), float("inf"), -float("inf"),
    -1e308, 1e308, 1e-320, "", "x", "0.9", "-1", "nan", "inf", "1/0", "9" * 5000, "1e999999999", "0." + "3" * 3000, "\ud800", "\x1b[31m",
    "a\x00b", "²", "٣", "<0.05", "x" * 100_000, b"x", b"\xff", bytearray(b"0.9"), [], [1], [[]], ["x", None], [[1], [1, 2]], [0.5] * 50,
    (), (1, 2), {}, {"acc": "0.9"}, {3: 4}, {None: []}, {"acc": {"acc": {}}}, {(): ()}, set(), frozenset({1}), _deep(2000),
    Decimal("1e999999999"), Decimal("NaN"), Decimal("sNaN"), Decimal("0.9"), Fraction(1, 10**6000), Fraction(1, 3), complex(1, 2),
    np.float64(0.5), np.float64("nan"), np.float32(0.9), np.int8(-5), np.int64(7), np.uint64(2**63), np.bool_(True), np.str_("acc"), np.datetime64("NaT"),
    np.array([1, 2]), np.array(0.5), np.array([]), np.array([["a", None]], dtype=object), np.array([float("nan"), 1]), np.zeros((2, 2, 2)),
    np.array([10**400], dtype=object), np.ma.masked, np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]), np.array([1j]),
    Odd, Odd(), print, _strange, int, len, Path("/dev/zero"), Path("/nowhere"), Path("."), date(2020, 1, 1), range(3), slice(3),
    memoryview(b"ab"), iter([1, 2]), NotImplemented, Ellipsis, sp.TestSet(3, 4), sp.TestSet, sp.score("acc"), sp.ConfusionMatrix(1, 2, 3, 4),
)  # fmt: skip


def damaged(value: Any, chance: random.Random) -> Any:
    """A hostile value; or, of what has parts, the same with one of them hostile."""
    odd = chance.choice(VALUES)
    if chance.random() < 0.4:
        return odd
    if isinstance(value, Mapping) and value:
        key = chance.choice(list(value))
        changed = {**value, key: damaged(value[key], chance)}
        if chance.random() < 0.2:
            with suppress(TypeError):  # what cannot be a key
                changed = {odd: changed[key], **{other: changed[other] for other in changed if other != key}}
        return changed
    if isinstance(value, list | tuple) and value:
        place = chance.randrange(len(value))
        parts = [*value[:place], damaged(value[place], chance), *value[place + 1 :]]
        return parts if chance.random() < 0.5 else tuple(parts)
    return odd


def one_by_one(call: Call) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Every argument replaced by every hostile value."""
    for name in call.arguments:
        for odd in VALUES:
            wrong = [odd] if name[0] == "*" else odd
            yield [name], {**call.arguments, name: wrong}


def several(call: Call, chance: random.Random) -> tuple[list[str], dict[str, Any]]:
    """One to three arguments damaged."""
    count = min(len(call.arguments), chance.choice((1, 1, 2, 3)))
    names = chance.sample(list(call.arguments), count)
    made = {name: damaged(call.arguments[name], chance) for name in names}
    made = {name: [value] if name[0] == "*" and not isinstance(value, list) else value for name, value in made.items()}
    return names, {**call.arguments, **made}


@cache
def document(name: str) -> tuple[Any, dict[str, Any]]:
    """The class and the document of a result that the tests of results make."""
    result = RESULTS[name]()
    return type(result), json.loads(result.to_json())


def outcome(call: Call, arguments: Mapping[str, Any], *, strict: bool = False, look: bool = True) -> str:
    """Nothing if the call came to an answer, an error of ours or a wrong call; otherwise what should not have been.

    ``strict`` takes only an answer for an answer; ``look`` says that the answer is also shown and written.
    """
    starred = next((place for place, name in enumerate(arguments) if name[0] == "*"), -1)
    before = list(arguments.items())[:starred] if starred > 0 else []
    positional = [value for _, value in before]
    named: dict[str, Any] = {}
    for name, value in list(arguments.items())[len(before) :]:
        positional += value if name[0] == "*" else []
        named |= {name: value} if name[0] != "*" else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call.function(*positional, **named)
            if look:
                _looked_at(result)
    except ScoreproofError as error:
        return str(error) if strict else ""
    except Exception as error:
        wrong_call = isinstance(error, TypeError) and error.__traceback__ and error.__traceback__.tb_next is None
        return "" if wrong_call else f"{type(error).__name__}: {str(error)[:100]}"
    finally:
        for own in [known.name for known in sp.known_scores() if not known.builtin]:
            sp.unregister(own)
    return ""


def _looked_at(result: Any) -> None:
    if inspect.isgenerator(result):
        next(result, None)
    elif hasattr(result, "to_json"):
        result.to_json()
        str(result)
