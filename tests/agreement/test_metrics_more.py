"""Calibration, AUC of several classes, top-k and MAPE against scikit-learn; intervals by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve

from scoreproof import metrics as m
from scoreproof import statistics as st
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.metrics.binary import auc_bounds

GENERATOR = np.random.default_rng(8)
TRUTH = GENERATOR.integers(0, 2, 300)
PROBABILITY = np.clip(0.5 * TRUTH + GENERATOR.uniform(0, 0.5, 300), 0, 1)
CLASSES = ["a", "b", "c", "d"]
LABELS = GENERATOR.choice(CLASSES, 200)
TABLE = GENERATOR.dirichlet(np.ones(4), 200)


def test_brier_and_calibration() -> None:
    assert m.brier_score(TRUTH, PROBABILITY) == pytest.approx(sk.brier_score_loss(TRUTH, PROBABILITY))
    found = m.calibration(TRUTH, PROBABILITY)
    observed, predicted = calibration_curve(TRUTH, PROBABILITY, n_bins=10)
    assert found.observed == pytest.approx(observed)
    assert found.predicted == pytest.approx(predicted)
    assert 0 <= found.expected_error <= found.largest_error <= 1
    whole = m.evaluate_binary(TRUTH, scores=PROBABILITY)
    assert whole.brier == m.brier_score(TRUTH, PROBABILITY)
    assert whole.to_dict()["calibration"]["expected_error"] == found.expected_error


def test_auc_of_several_classes_and_top_k() -> None:
    for how in ("ovr", "ovo"):
        wanted = sk.roc_auc_score(LABELS, TABLE, multi_class=how, labels=CLASSES)
        assert m.multiclass_auc(LABELS, TABLE, classes=CLASSES, how=how) == pytest.approx(wanted)
    for k in (1, 2, 3):
        wanted = sk.top_k_accuracy_score(LABELS, TABLE, k=k, labels=CLASSES)
        assert m.top_k_accuracy(LABELS, TABLE, classes=CLASSES, k=k) == pytest.approx(wanted)


def test_mape() -> None:
    x, y = GENERATOR.normal(5, 1, 50), GENERATOR.normal(5, 1, 50)
    assert m.mape(x, y) == pytest.approx(sk.mean_absolute_percentage_error(x, y))
    assert np.isnan(m.evaluate_regression([0, 1], [1, 1]).mape)


def test_intervals_cover() -> None:
    truth, draws = {"f1": 2 * 60 / (120 + 15 + 20), "sens": 0.75, "mcc": None}, 300
    shares = np.array([60, 15, 20, 105]) / 200
    truth["mcc"] = float(m.binary_scores(ConfusionMatrix(60, 15, 20, 105))["mcc"])
    hits = dict.fromkeys(truth, 0)
    for cells in GENERATOR.multinomial(200, shares, size=draws):
        found = m.score_intervals(ConfusionMatrix(*(int(c) for c in cells)))
        for name, value in truth.items():
            low, high = found[name]
            hits[name] += low <= value <= high
    for name, count in hits.items():
        assert 0.9 < count / draws <= 1, name


def test_the_aucs_interval_is_delongs() -> None:
    scores = np.round(PROBABILITY, 1)
    wanted = st.auc_interval(TRUTH, scores).interval
    assert wanted is not None
    assert auc_bounds(m.roc_curve(TRUTH, scores)) == pytest.approx((wanted.low, wanted.high))
    share = st.proportion_interval(261, 300).interval
    found = m.score_intervals(ConfusionMatrix(tp=261, fp=107, fn=39, tn=193))["sens"]
    assert found == pytest.approx((share.low, share.high))
