"""Options of the wrong type or out of range are refused alike by every public function that takes them."""

from __future__ import annotations

import importlib
import inspect
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import scoreproof as sp
from scoreproof import metrics, sota, statistics
from scoreproof.errors import InvalidOption
from scoreproof.insight.explanation import explain, explain_table

X, Y = [0.81, 0.79, 0.84, 0.8, 0.83, 0.78], [0.8, 0.77, 0.81, 0.79, 0.83, 0.75]
TRUTH, ONE, OTHER = [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 1, 1], [1, 1, 1, 0, 1, 0]
FOLDS = sp.KFold(9, 14, 3)
MATRIX = sp.ConfusionMatrix(tp=20, fp=4, fn=5, tn=30)
BAD = sp.check(sp.TestSet(100, 200), {"acc": "0.9012", "sens": "0.8123", "f1": "0.2"}, strict=True)
GOOD = sp.check(sp.TestSet(10, 20), {"acc": "0.90"}, strict=True)
SPEC = "title: T\ndatasets: {d: {p: 5, n: 5}}\nexperiments: {e: {dataset: d}}\ntables: [{grid: [[M, Acc], [A, '0.9']], experiment: e}]\n"

#: A call of each public function that is right but for the option under test.
CALLS: dict[Any, Callable[..., Any]] = {
    sp.check: lambda **option: sp.check(sp.TestSet(10, 20), {"acc": "0.90"}, **option, strict=True),
    sp.ask: lambda **option: sp.ask(GOOD.problem, **option),
    sp.audit: lambda **option: sp.audit(SPEC, **option),
    sp.batch: lambda **option: sp.batch(pa.table({"p": ["5"], "n": ["5"], "acc": ["0.9"]}), **option),
    sp.power: lambda **option: sp.power(FOLDS, "acc", **({"digits": 2, "trials": 2, "jobs": 1} | option)),
    sp.reconstruct: lambda **option: sp.reconstruct({"acc": "0.9", "sens": "0.8"}, total=20, **option),
    sp.reconstruct_classes: lambda **option: sp.reconstruct_classes([5, 6, 7], {"acc": "0.9"}, **option),
    sp.reinterpret: lambda **option: sp.reinterpret({"A": {"acc": "0.9"}}, total=20, **option),
    sp.report: lambda **option: sp.report("acc", 0.5, **option),
    sp.strength: lambda **option: sp.strength(GOOD, **option),
    explain: lambda **option: explain(BAD, **option),
    explain_table: lambda **option: explain_table({"a": BAD, "b": BAD}, **option),
    statistics.auc_interval: lambda **option: statistics.auc_interval(TRUTH, X, **({"method": "bootstrap"} | option)),
    statistics.bayesian_signed_rank: lambda **option: statistics.bayesian_signed_rank(X, Y, rope=0.01, **option),
    statistics.bootstrap_interval: lambda **option: statistics.bootstrap_interval(np.mean, X, **option),
    statistics.compare: lambda **option: statistics.compare({"a": X, "b": Y}, **({"test": "permutation"} | option)),
    statistics.permutation_test: lambda **option: statistics.permutation_test(X, Y, **({"method": "random"} | option)),
    statistics.proportion_interval: lambda **option: statistics.proportion_interval(5, 9, **({"method": "bootstrap"} | option)),
    statistics.paired_metric_test: lambda **option: statistics.paired_metric_test(TRUTH, ONE, OTHER, metric="acc", **option),
    metrics.krippendorff_alpha: lambda **option: metrics.krippendorff_alpha([[1, 1], [2, 2], [1, 2], [1, 1]], **option),
    metrics.score_intervals: lambda **option: metrics.score_intervals(MATRIX, **option),
    sota.prediction_board: lambda **option: sota.prediction_board(TRUTH, {"a": ONE, "b": OTHER}, **({"draws": 100} | option)),
    sota.simulate_auc: lambda **option: sota.simulate_auc(5, 0.9, 10, 20, **({"repetitions": 10} | option)),
    sota.simulate_best: lambda **option: sota.simulate_best(5, 100, 0.9, **({"draws": 10} | option)),
    sota.simulate_competition: lambda **option: sota.simulate_competition(5, 100, 0.9, **option),
}  # fmt: skip
WATCHED = ("budget", "seed", "jobs", "digits", "level", "alpha", "trials", "draws", "resamples", "swaps", "within", "tightness", "fold_digits")  # fmt: skip
NO_NUMBERS = ["3", "", True, math.nan, -math.inf, [1], {}, 1j, b"1", Decimal("nan"), np.array([0.1, 0.2])]
WRONG: dict[str, list[Any]] = {
    "budget": [*NO_NUMBERS, None, 0, -1, math.inf, 0.0],
    "seed": [*NO_NUMBERS, -1, 1.5, math.inf],
    "jobs": [*NO_NUMBERS, 0, -2, 1.5, math.inf],
    "digits": ["3", "", True, math.nan, b"1", 1j, -1, 1.5, math.inf, 10**6],
    "level": [*NO_NUMBERS, None, 0, 1, 95, -0.5, math.inf],
    "alpha": [*NO_NUMBERS, None, 0, 1, 5, -0.05, math.inf],
    "trials": [*NO_NUMBERS, None, 0, -1, 1.5, math.inf, 10**30],
    "draws": [*NO_NUMBERS, None, 0, -1, 1.5, math.inf, 10**30],
    "resamples": [*NO_NUMBERS, None, 0, -1, 100.5, math.inf, 10**30],
    "swaps": [*NO_NUMBERS, None, 0, -1, 100.5, math.inf, 10**30],
    "within": [*NO_NUMBERS, None, 0, 2, math.inf],
    "tightness": [*NO_NUMBERS, None, 0, -1, math.inf],
    "fold_digits": [*NO_NUMBERS, -1, 1.5, 10**6],
}  # fmt: skip


def public_functions() -> Iterator[Any]:
    for name in (
        "scoreproof",
        "scoreproof.statistics",
        "scoreproof.metrics",
        "scoreproof.sota",
        "scoreproof.insight",
    ):
        module = importlib.import_module(name)
        for public in module.__all__:
            value = getattr(module, public)
            if inspect.isfunction(value):
                yield value


CASES = [(call, option) for call in CALLS for option in WATCHED if option in inspect.signature(call).parameters]


@pytest.mark.parametrize(
    ("function", "option"), CASES, ids=lambda part: part if isinstance(part, str) else part.__name__
)
def test_what_no_option_can_be_is_refused(function: Any, option: str) -> None:
    for value in WRONG[option]:
        with pytest.raises(InvalidOption, match=rf"(?s){option}.*expected .*got"):
            pytest.fail(f"{value!r} was taken: {CALLS[function](**{option: value})}")


def test_every_function_with_a_budget_a_seed_or_jobs_is_watched() -> None:
    watched = {
        function
        for function in public_functions()
        if {"budget", "seed", "jobs"} & set(inspect.signature(function).parameters)
    }
    assert not {function.__name__ for function in watched - set(CALLS)}


@pytest.mark.parametrize("option", ["level", "alpha"])
def test_levels_and_alphas_are_open_fractions(option: str) -> None:
    calls: dict[str, tuple[Any, ...]] = {
        "paired_t": (X, Y), "sign_test": (X, Y), "wilcoxon_signed_rank": (X, Y), "welch_t": (X, Y), "f_test": (X, Y),
        "pitman_morgan": (X, Y), "paired_levene": (X, Y), "pearson_test": (X, Y), "mcnemar": (5, 9),
        "delong_paired": (TRUTH, X, Y), "hanley_mcneil": (0.8, 10, 20), "nemenyi": ([X, Y, X],), "posthoc": ([X, Y, X],),
        "critical_difference": (3, 10),
    }  # fmt: skip
    for name, arguments in calls.items():
        function = getattr(statistics, name)
        if option in inspect.signature(function).parameters:
            for value in WRONG[option]:
                with pytest.raises(InvalidOption, match=rf"{option}: expected a number in \(0, 1\), got"):
                    function(*arguments, **{option: value})


def test_numbers_of_numpy_and_whole_floats_are_numbers() -> None:
    plain = sp.power(FOLDS, "acc", 2, trials=3, jobs=1, seed=4)
    other = sp.power(FOLDS, "acc", np.int64(2), trials=3.0, jobs=np.int32(1), seed=np.uint8(4), budget=np.float32(3))  # type: ignore[call-overload]
    assert other.to_dict() == plain.to_dict()
