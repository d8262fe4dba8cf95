"""What once went wrong at the edges: undefined scores, odd judgements, row order, tiny numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scoreproof import statistics as st
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.metrics import binary_scores, bpref, evaluate_multilabel, evaluate_retrieval, multiclass_from_matrix


def test_f_beta_of_any_beta_counts_as_zero_when_asked() -> None:
    nothing = ConfusionMatrix(tp=0, fp=0, fn=0, tn=9)
    for name in ("F1", "F2", "F0.5", "F3"):
        assert binary_scores(nothing, undefined="zero")[name] == 0
        assert math.isnan(binary_scores(nothing)[name])


def test_averages_of_any_f_beta() -> None:
    found = multiclass_from_matrix([[5, 1, 0], [2, 3, 0], [1, 0, 0]], undefined="zero")
    per_class = [binary_scores(m, undefined="zero")["F2"] for m in found.classes.matrices]
    assert found.classes.average("F2") == pytest.approx(np.mean(per_class))
    assert found.classes.average("F2", "weighted") == pytest.approx(np.average(per_class, weights=[6, 5, 1]))
    assert found.classes.average("F2", "micro") == pytest.approx(found.accuracy)


def test_weighted_averages_without_any_label() -> None:
    empty = [[0, 0], [0, 0]]
    found = evaluate_multilabel(empty, empty, undefined="zero").labels
    assert found.average("f1", "weighted") == 0
    assert found.average("f1", "macro") == 0
    assert math.isnan(evaluate_multilabel(empty, empty).labels.average("f1", "weighted"))


def test_kappa_of_one_class_counts_as_zero_when_asked() -> None:
    assert multiclass_from_matrix([[5, 0], [0, 0]], undefined="zero").kappa.kappa == 0
    assert math.isnan(multiclass_from_matrix([[5, 0], [0, 0]]).kappa.kappa)


def test_negative_judgements_are_none() -> None:
    assert bpref([1, -1, 0, 1], relevant=2, useless=3) == bpref([1, None, 0, 1], relevant=2, useless=3)
    judged = {"q": {"a": 1, "b": -1, "c": 0, "d": 1}}
    without = {"q": {"a": 1, "c": 0, "d": 1}}
    run = {"q": {"b": 4, "c": 3, "a": 2, "d": 1}}
    assert evaluate_retrieval(judged, run).mean["bpref"] == evaluate_retrieval(without, run).mean["bpref"]


@pytest.mark.parametrize("n", [30, 450, 900])
def test_the_bootstrap_does_not_see_the_order_of_the_rows(n: int) -> None:
    generator = np.random.default_rng(n)
    x, label = generator.exponential(size=n), generator.integers(0, 2, n)
    shuffled = generator.permutation(n)

    def statistic(values: np.ndarray, labels: np.ndarray) -> float:
        return float(values[labels == 1].mean() - values[labels == 0].mean())

    for strata in (None, label):
        again = None if strata is None else strata[shuffled]
        one = st.bootstrap_interval(statistic, x, label, strata=strata, resamples=300)
        other = st.bootstrap_interval(statistic, x[shuffled], label[shuffled], strata=again, resamples=300)
        assert one.interval is not None
        assert other.interval is not None
        assert (one.interval.low, one.interval.high) == pytest.approx((other.interval.low, other.interval.high))


def test_correlation_of_tiny_and_huge_numbers() -> None:
    x, y = np.array([1.0, 2, 3, 4, 5]), np.array([1.0, 3, 2, 5, 4])
    wanted = st.pearson_test(x, y)
    for scale in (5e-320, 1e-300, 1e300):
        found = st.pearson_test(x * scale, y * scale)
        assert found.p_value == pytest.approx(wanted.p_value, rel=1e-3)
        assert found.effects[0].value == pytest.approx(0.8, rel=1e-3)
