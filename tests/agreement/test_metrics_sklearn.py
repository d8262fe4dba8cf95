"""Classification and regression metrics against scikit-learn and scipy on random inputs."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from scoreproof import metrics as ours

SEEDS = range(12)


def binary_case(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(4, 300))
    truth = rng.integers(0, 2, size)
    truth[:2] = 0, 1
    scores = rng.random(size) * 0.8 + 0.2 * truth
    return truth, np.round(scores, int(rng.integers(1, 4))) if seed % 2 else scores


@pytest.mark.parametrize("seed", SEEDS)
def test_roc_and_auc(seed):
    truth, scores = binary_case(seed)
    curve = ours.roc_curve(truth, scores)
    fpr, tpr, thresholds = sk.roc_curve(truth, scores, drop_intermediate=False)
    np.testing.assert_allclose(curve.fpr, fpr, rtol=1e-12)
    np.testing.assert_allclose(curve.tpr, tpr, rtol=1e-12)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    assert curve.auc == pytest.approx(sk.roc_auc_score(truth, scores), rel=1e-12)
    u = stats.mannwhitneyu(scores[truth == 1], scores[truth == 0]).statistic
    assert curve.auc == pytest.approx(u / (curve.p * curve.n), rel=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reach", [0.05, 0.33, 0.9])
def test_standardized_partial_auc(seed, reach):
    truth, scores = binary_case(seed)
    found = ours.roc_curve(truth, scores).partial_auc(fpr=(0, reach), standardized=True)
    assert found == pytest.approx(sk.roc_auc_score(truth, scores, max_fpr=reach), rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_average_precision_and_cross_entropy(seed):
    truth, scores = binary_case(seed)
    probability = np.clip(scores, 0.001, 0.999)
    assert ours.average_precision(truth, scores) == pytest.approx(sk.average_precision_score(truth, scores), rel=1e-12)
    assert ours.cross_entropy(truth, probability) == pytest.approx(sk.log_loss(truth, probability), rel=1e-12)
    precision, recall, _ = sk.precision_recall_curve(truth, scores)
    curve = ours.precision_recall_curve(truth, scores)
    np.testing.assert_allclose(curve.precision[::-1], precision[:-1], rtol=1e-12)
    np.testing.assert_allclose(curve.recall[::-1], recall[:-1], rtol=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_binary_scores(seed):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.integers(0, 2, (2, 60))
    found = ours.evaluate_binary(truth, predicted, undefined="zero")
    assert found["acc"] == pytest.approx(sk.accuracy_score(truth, predicted))
    assert found["bacc"] == pytest.approx(sk.balanced_accuracy_score(truth, predicted))
    assert found["mcc"] == pytest.approx(sk.matthews_corrcoef(truth, predicted))
    assert found["kappa"] == pytest.approx(sk.cohen_kappa_score(truth, predicted))
    assert found["ji"] == pytest.approx(sk.jaccard_score(truth, predicted))
    assert found["f2"] == pytest.approx(sk.fbeta_score(truth, predicted, beta=2))
    assert found["ppv"] == pytest.approx(sk.precision_score(truth, predicted))
    (tn, fp), (fn, tp) = sk.confusion_matrix(truth, predicted)
    assert found.matrix.cells == (tp, fp, fn, tn)


@pytest.mark.parametrize("seed", SEEDS)
def test_youden_and_accuracy_thresholds(seed):
    truth, scores = binary_case(seed)
    fpr, tpr, thresholds = sk.roc_curve(truth, scores, drop_intermediate=False)
    youden = ours.choose_threshold(truth, scores)
    assert youden.value == pytest.approx(np.max(tpr - fpr), rel=1e-12)
    candidates = [*thresholds[1:], np.inf]
    best = max(sk.accuracy_score(truth, scores >= threshold) for threshold in candidates)
    accuracy = ours.choose_threshold(truth, scores, criterion="accuracy")
    assert accuracy.value == pytest.approx(best, rel=1e-12)
    again = ours.evaluate_binary(truth, scores=scores, threshold=accuracy.threshold)
    assert again["accuracy"] == accuracy.value
    assert again.matrix == accuracy.matrix


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_multiclass_averages(seed, average):
    rng = np.random.default_rng(seed)
    classes = np.array(["ash", "birch", "cedar", "date", "elm"])
    truth = rng.choice(classes[: 3 + seed % 3], 50)
    predicted = np.where(rng.random(50) < 0.5, truth, rng.choice(classes, 50))
    found = ours.evaluate_multiclass(truth, predicted, undefined="zero")
    options = {"average": average, "zero_division": 0}
    assert found.classes.average("precision", average) == pytest.approx(sk.precision_score(truth, predicted, **options))
    assert found.classes.average("recall", average) == pytest.approx(sk.recall_score(truth, predicted, **options))
    assert found.classes.average("f1", average) == pytest.approx(sk.f1_score(truth, predicted, **options))
    assert found.classes.average("ji", average) == pytest.approx(sk.jaccard_score(truth, predicted, **options))
    assert found.mcc == pytest.approx(sk.matthews_corrcoef(truth, predicted))
    assert found.accuracy == pytest.approx(sk.accuracy_score(truth, predicted))
    assert found.kappa.kappa == pytest.approx(sk.cohen_kappa_score(truth, predicted))
    np.testing.assert_array_equal(found.matrix, sk.confusion_matrix(truth, predicted))


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
@pytest.mark.parametrize("seed", SEEDS)
def test_weighted_kappa(seed, weights):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.integers(0, 5, (2, 40))
    matrix = sk.confusion_matrix(truth, predicted, labels=range(5))
    expected = sk.cohen_kappa_score(truth, predicted, weights=weights, labels=range(5))
    assert ours.cohen_kappa(matrix, weights=weights).kappa == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
def test_multilabel(seed, average):
    rng = np.random.default_rng(seed)
    truth, predicted = rng.random((2, 30, 4)) < rng.uniform(0.05, 0.6)
    found = ours.evaluate_multilabel(truth, predicted, undefined="zero")
    assert found.hamming_loss == pytest.approx(sk.hamming_loss(truth, predicted))
    assert found.exact_match == pytest.approx(sk.accuracy_score(truth, predicted))
    options = {"average": average, "zero_division": 0}
    assert found.labels.average("precision", average) == pytest.approx(sk.precision_score(truth, predicted, **options))
    assert found.labels.average("f1", average) == pytest.approx(sk.f1_score(truth, predicted, **options))


@pytest.mark.parametrize("seed", SEEDS)
def test_regression(seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 200))
    truth = rng.normal(size=size) * 10.0 ** int(rng.integers(-8, 8)) + 5
    predicted = truth + rng.normal(size=size)
    if seed % 3 == 0:
        truth, predicted = np.round(truth), np.round(predicted)
    found = ours.evaluate_regression(truth, predicted)
    assert found.mae == pytest.approx(sk.mean_absolute_error(truth, predicted), rel=1e-9)
    assert found.mse == pytest.approx(sk.mean_squared_error(truth, predicted), rel=1e-9)
    assert found.median_absolute_error == pytest.approx(sk.median_absolute_error(truth, predicted), rel=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        varied = np.ptp(truth) > 0
        assert not varied or found.r2 == pytest.approx(sk.r2_score(truth, predicted), rel=1e-6)
        pairs = [
            (found.pearson, stats.pearsonr),
            (found.spearman, stats.spearmanr),
            (found.kendall, stats.kendalltau),
        ]
        for value, theirs in pairs:
            assert value == pytest.approx(theirs(truth, predicted).statistic, rel=1e-6, nan_ok=True)
