"""Identical models must not come out different: false alarms of the recommended tests, with fixed seeds.

The benchmark (``python -m benchmarks nulls``) measures every path with more draws; here are those that once
went wrong, with bounds that the wrong tests (57 %, 43 %, 16 %, 30 %, 19 % and 8 %) are far beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from scoreproof import statistics as st

Generator = np.random.Generator
DRAWS = 500


def rate(draw: Callable[[Generator], Any], draws: int = DRAWS, **options: Any) -> float:
    generator = np.random.default_rng(5)
    alarms = 0
    for _ in range(draws):
        found = st.compare(draw(generator), **options)
        whole = found.omnibus is not None and found.omnibus.p_value <= 0.05
        alarms += whole or bool(found.significant())
    return alarms / draws


def folds(k: int, repeats: int, models: int = 2) -> Callable[[Generator], Any]:
    return lambda g: g.normal(size=models) / np.sqrt(k) + g.normal(size=(k * repeats, models)) * np.sqrt(1 - 1 / k)


@pytest.mark.parametrize(("k", "repeats"), [(10, 10), (5, 5), (10, 1)])
def test_folds_that_correlate(k: int, repeats: int) -> None:
    assert rate(folds(k, repeats), values="folds", folds=k) < 0.08


def test_five_times_twofold() -> None:
    assert rate(folds(2, 5), values="5x2 folds") < 0.08


def test_several_models_on_folds() -> None:
    assert rate(folds(10, 3, 4), values="folds", folds=10) < 0.08


def test_the_spread_of_heavy_tailed_scores() -> None:
    assert rate(lambda g: g.standard_t(3, size=(30, 2)), question="variance") < 0.08


def test_three_models_on_three_data_sets() -> None:
    assert rate(lambda g: g.normal(size=(3, 3))) < 0.05


def test_two_rates_are_two_chances() -> None:
    truth = np.arange(1000) < 500
    generator = np.random.default_rng(6)
    alarms = 0
    for _ in range(DRAWS):
        hard = generator.normal(size=1000)
        both = {n: ((hard + generator.normal(size=1000) + 2.8 * truth) > 1.4).astype(int) for n in "AB"}
        alarms += bool(st.compare(both, truth=truth.astype(int)).significant())
    assert alarms / DRAWS < 0.065


def test_friedmans_p_by_counting_is_that_of_all_orders() -> None:
    from itertools import permutations, product

    for table in ([[1, 2, 3], [1, 3, 2], [2, 1, 3]], [[1, 1, 2], [3, 2, 1], [1, 2, 3], [5, 4, 4]]):
        found = st.friedman(table, small_sample=True)
        ranks = [[sorted(row, reverse=True).index(v) + row.count(v) / 2 for v in row] for row in table]
        orders = [list(permutations(row)) for row in ranks]
        sums = np.array([np.sum(choice, axis=0) for choice in product(*orders)])
        far = np.sum((sums - sums.mean()) ** 2, axis=1)
        seen = np.sum((np.sum(ranks, axis=0) - sums.mean()) ** 2)
        assert found.p_value == pytest.approx(np.mean(far >= seen - 1e-9))
        assert "exact" in found.method
