"""Every public function refuses wrong values with an error of ours: one argument at a time, and two at random."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoreproof as sp
from scoreproof.errors import ScoreproofError
from scoreproof.validation import shown


class Odd:
    """Something nobody expects."""


ODD: tuple[Any, ...] = (
    None, True, -1, 0, 3, 2**70, 10**5000, -(10**5000), 0.5, float("nan"), float("inf"), -1e308, 1e-320, "", "x", "0.9",
    "9" * 5000, "1e999999999", "\ud800", "\x1b[31m", b"x", [], [1], ["x", None], (), {}, {"acc": "0.9"}, {3: 4}, {None: []},
    Decimal("1e999999999"), Decimal("NaN"), Fraction(1, 10**6000), np.float64(0.5), np.array([1, 2]), Odd, Odd(), print,
    Path("/dev/zero"), complex(1, 2), range(3), frozenset({1}),
)  # fmt: skip
_SET = sp.TestSet(10, 20)
_SCORES = {"acc": "0.90", "sens": "0.80"}
_ANSWER = sp.check(_SET, _SCORES)
_GRID = "Method,Acc,Sens\nA,0.90,0.80\nB,0.85,0.70\n"
# A call that is right, for each public function; its arguments are replaced one by one.
CALLS: dict[str, dict[str, Any]] = {
    "TestSet": {"p": 10, "n": 20},
    "KFold": {"p": 10, "n": 20, "k": 2, "repeats": 1, "stratified": True, "aggregation": "mean_of_scores", "rule": None, "ranges": {}},
    "MeanOfScores": {"parts": [_SET, _SET], "ranges": {"acc": (0, 1)}},
    "ScoreOfMeans": {"parts": [_SET, _SET], "ranges": {}},
    "UnknownAggregation": {"parts": [_SET, _SET]},
    "UnknownClasses": {"total": 30, "prevalence": "0.3"},
    "check": {"experiment": sp.KFold(10, 20, 2), "scores": _SCORES, "rounding": None, "eps": None, "digits": None, "beta": None,
              "undefined": "any", "minimum": None, "maximum": None, "attained": True, "extremes_over": "parts",
              "spread": "deviation", "divisor": "any", "spread_over": "any", "fold_digits": None, "decimal_comma": False,
              "budget": 0.2, "seed": 0},
    "report": {"name": "acc", "value": "0.9", "rounding": None, "eps": None, "digits": None, "beta": None, "decimal_comma": False},
    "score": {"name": "acc", "beta": None},
    "verify": {"certificate": {}},
    "read_certificate": {"path": "nowhere.json"},
    "experiment_from_dict": {"tree": {"type": "testset", "p": 3, "n": 4}},
    "read_tables": {"path_or_text": _GRID, "kind": None},
    "interpret": {"table": sp.read_tables(_GRID)[0], "columns": None, "transposed": None, "decimal_comma": None, "percent": None},
    "reconstruct": {"scores": _SCORES, "p": 10, "n": 20, "budget": 0.2},
    "fold_configurations": {"p": 4, "n": 5, "k": 2},
    "power": {"experiment": _SET, "scores": ["acc"], "digits": 2, "trials": 2, "jobs": 1, "seed": 0},
    "strength": {"result": _ANSWER, "budget": 0.2, "seed": 0, "draws": 5, "within": 0.1},
    "audit": {"spec": {"datasets": {"d": {"p": 3, "n": 4}}, "experiments": {"t": {"dataset": "d"}},
                       "tables": [{"experiment": "t", "grid": [["M", "Acc"], ["A", "0.9"]]}]},
              "experiment": None, "jobs": 1, "budget": 0.2, "seed": 0, "explain": False, "strength": False},
    "selfcheck": {"y_true": [1, 1, 0, 0], "y_pred": [1, 0, 0, 0], "table": _GRID, "row": "A", "folds": [0, 1, 0, 1],
                  "positive": 1, "rounding": "nearest"},
    "honest_row": {"results": {"test_acc": [0.9, 0.8], "indices": {"test": [[0, 1], [2]]}}, "y": [1, 0, 1], "digits": 3,
                   "positive": 1},
    "register": {"name": "mine", "ratio": lambda tp, fp, fn, tn: (tp, tp + fn), "title": "", "synonyms": (), "link": "ratio",
                 "monotone": None, "latex": "", "reference": ""},
    "unregister": {"name": "mine"},
}  # fmt: skip


def outcome(name: str, arguments: dict[str, Any]) -> str:
    """What a call came to: an answer, an error of ours, or what should not have been."""
    function: Callable[..., Any] = getattr(sp, name)
    try:
        result = function(**arguments)
        if inspect.isgenerator(result):
            next(result, None)
        elif not isinstance(result, type):
            str(result)
    except ScoreproofError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:100]}"
    finally:
        for own in [one.name for one in sp.known_scores() if not one.builtin]:
            sp.unregister(own)
    return ""


def replaced(name: str) -> Iterator[dict[str, Any]]:
    right = CALLS[name]
    for key in right:
        for odd in ODD:
            yield {**right, key: odd}


@pytest.mark.parametrize("name", CALLS)
def test_one_wrong_argument(name: str) -> None:
    wrong = {f"{key}={type(call[key])!s} {shown(call[key])}": said
             for call in replaced(name) if (said := outcome(name, call))
             for key in call if call[key] is not CALLS[name][key]}  # fmt: skip
    assert wrong == {}


@pytest.mark.parametrize("name", [name for name, right in CALLS.items() if len(right) > 1])
def test_two_wrong_arguments(name: str) -> None:
    chance = random.Random(name)
    for _ in range(30):
        call = dict(CALLS[name])
        for key in chance.sample(list(call), 2):
            call[key] = chance.choice(ODD)
        assert outcome(name, call) == "", call.keys()


def test_every_public_function_is_called() -> None:
    public = {name for name in sp.__all__ if callable(getattr(sp, name)) and not name[0].isupper()}
    assert public - set(CALLS) <= {"ask", "known_scores", "reinterpret"}
