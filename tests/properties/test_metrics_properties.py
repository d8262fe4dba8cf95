"""What must hold for any predictions: symmetries, bounds, and agreement of two routes to one number."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scoreproof import metrics as m
from scoreproof.kinds.binary.scores import known_scores, score
from scoreproof.metrics.surfaces import element_areas

LABELS = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=40)
MATRICES = st.integers(1, 5).flatmap(
    lambda k: arrays(np.int64, (k, k), elements=st.integers(0, 30)).filter(lambda counts: counts.sum() > 0)
)
MASKS = st.sampled_from([(6, 7), (5, 4, 6)]).flatmap(
    lambda shape: st.tuples(arrays(np.bool_, shape), arrays(np.bool_, shape))
)
DETECTIONS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.tuples(*[st.integers(0, 12)] * 4), st.integers(0, 4)),
    max_size=10,
)


def unzip(pairs):
    first, second = zip(*pairs, strict=True)
    return np.array(first), np.array(second, dtype=float)


@given(LABELS)
def test_auc_is_the_mann_whitney_statistic(pairs):
    truth, scores = unzip(pairs)
    above, below = scores[truth], scores[~truth]
    value = m.auc(truth, scores)
    if above.size and below.size:
        difference = above[:, None] - below[None, :]
        assert value == pytest.approx(((difference > 0) + 0.5 * (difference == 0)).mean(), abs=1e-12)
        assert m.auc(truth, -scores) == pytest.approx(1 - value, abs=1e-12)
        assert m.auc(truth, np.exp(scores)) == value
        whole = m.roc_curve(truth, scores).partial_auc(fpr=(0, 1))
        assert whole == pytest.approx(value, abs=1e-12)
        assert m.roc_curve(truth, scores).partial_auc(tpr=(0, 1)) == pytest.approx(value, abs=1e-12)
    else:
        assert np.isnan(value)


@given(LABELS, st.floats(0.01, 0.99))
def test_partial_areas_add_up(pairs, cut):
    truth, scores = unzip(pairs)
    if 0 < truth.sum() < truth.size:
        for name in ("fpr", "tpr"):
            low, high = (m.roc_curve(truth, scores).partial_auc(**{name: span}) for span in ((0, cut), (cut, 1)))
            assert low + high == pytest.approx(m.auc(truth, scores), abs=1e-9)


@given(LABELS, st.integers(0, 9), st.integers(1, 10), st.booleans())
def test_a_range_of_sensitivities_is_one_of_specificities_of_the_other_class(pairs, low, width, standardized):
    truth, scores = unzip(pairs)
    low, high = low / 10, min(low + width, 10) / 10
    if 0 < truth.sum() < truth.size:
        one = m.roc_curve(truth, scores).partial_auc(tpr=(low, high), standardized=standardized)
        other = m.roc_curve(~truth, -scores).partial_auc(fpr=(1 - high, 1 - low), standardized=standardized)
        assert one == pytest.approx(other, abs=1e-9)


@given(LABELS, st.sampled_from([("eleven", 11), ("coco", 101)]))
def test_interpolated_average_precision_by_its_definition(pairs, method):
    name, points = method
    truth, scores = unzip(pairs)
    if truth.any():
        curve = m.precision_recall_curve(truth, scores)
        best = [
            max((p for p, r in zip(curve.precision, curve.recall, strict=True) if r >= level), default=0.0)
            for level in np.linspace(0, 1, points)
        ]
        assert curve.average_precision(name) == pytest.approx(np.mean(best))
        assert curve.average_precision("envelope") >= curve.average_precision("step") - 1e-12


@given(LABELS, st.integers(0, 6))
def test_every_registered_score_comes_from_the_registry(pairs, threshold):
    truth, scores = unzip(pairs)
    result = m.evaluate_binary(truth, scores=scores, threshold=threshold)
    assert set(result.scores) == {known.name for known in known_scores()}
    for name, value in result.scores.items():
        (expected,) = score(name).values(*([cell] for cell in result.matrix.cells))
        assert value == pytest.approx(expected, rel=1e-9, nan_ok=True), name
    json.dumps(result.to_dict(), allow_nan=False)


@given(LABELS, st.sampled_from(["youden", "accuracy", "f1", "err"]))
def test_no_threshold_beats_the_chosen_one(pairs, criterion):
    truth, scores = unzip(pairs)
    if 0 < truth.sum() < truth.size:
        choice = m.choose_threshold(truth, scores, criterion=criterion)
        sign = score(criterion).direction
        for threshold in (*scores, scores.max() + 1):
            value = m.evaluate_binary(truth, scores=scores, threshold=threshold)[criterion]
            assert np.isnan(value) or sign * value <= sign * choice.value


@given(MATRICES)
def test_multiclass_identities(counts):
    result = m.multiclass_from_matrix(counts)
    cases = int(counts.sum())
    for matrix in result.classes.matrices:
        assert sum(matrix.cells) == cases
    assert result.classes.micro["sens"] == pytest.approx(result.accuracy)
    if len(counts) == 2:
        (tn, fp), (fn, tp) = counts.tolist()
        assert result.mcc == pytest.approx(score("mcc")(tp, fp, fn, tn), nan_ok=True, abs=1e-12)
        assert result.kappa.kappa == pytest.approx(score("kappa")(tp, fp, fn, tn), nan_ok=True, abs=1e-12)
    flipped = m.multiclass_from_matrix(counts.T)
    assert flipped.mcc == pytest.approx(result.mcc, nan_ok=True)
    assert flipped.kappa.kappa == pytest.approx(result.kappa.kappa, nan_ok=True)
    json.dumps(result.to_dict(), allow_nan=False)


@given(MASKS, st.sampled_from([("voxels", 1), ("voxels", 2), ("elements", 1)]))
@settings(max_examples=60, deadline=None)
def test_surface_metrics_are_symmetric_and_scale(masks, convention):
    surface, connectivity = convention
    truth, predicted = masks
    options = {"surface": surface, "connectivity": connectivity}
    one = m.surface_distances(truth, predicted, **options)
    other = m.surface_distances(predicted, truth, **options)
    double = m.surface_distances(truth, predicted, spacing=2.0, **options)
    for name in ("hausdorff", "average"):
        value = getattr(one, name)()
        assert getattr(other, name)() == pytest.approx(value, nan_ok=True)
        assert getattr(double, name)() == pytest.approx(2 * value, nan_ok=True)
    assert double.surface_dice(2.0) == pytest.approx(one.surface_dice(1.0), nan_ok=True)
    if one.from_truth.size and one.from_predicted.size:
        assert one.average() <= one.hausdorff() + 1e-9
        assert one.hausdorff(50) <= one.hausdorff(95) <= one.hausdorff()
        assert one.surface_dice(one.hausdorff()) == pytest.approx(1)
    same = m.surface_distances(truth, truth, **options)
    if truth.any():
        assert (same.hausdorff(), same.average(), same.surface_dice()) == (0, 0, 1)


@given(MASKS)
@settings(max_examples=40, deadline=None)
def test_dice_and_iou_are_one_number(masks):
    result = m.evaluate_segmentation(*masks)
    if np.isnan(result.dice):
        assert not masks[0].any()
        assert not masks[1].any()
    else:
        assert result.iou == pytest.approx(result.dice / (2 - result.dice))


def test_surface_areas_are_the_same_inside_out():
    for spacing in ((1.0, 2.0), (0.5, 1.5, 3.0)):
        areas = element_areas(spacing)
        np.testing.assert_allclose(areas, areas[::-1], rtol=1e-12)
        assert areas[0] == 0


@given(DETECTIONS, DETECTIONS)
@settings(max_examples=60, deadline=None)
def test_detection_bounds_and_matching(truth, detected):
    true_boxes = [m.Box(image, label, box) for image, label, box, _ in truth]
    found = [m.Box(image, label, box, score=float(confidence)) for image, label, box, confidence in detected]
    result = m.evaluate_detection(true_boxes, found)
    values = result.average_precision[~np.isnan(result.average_precision)]
    assert ((values >= 0) & (values <= 1)).all()
    assert (result.objects, result.detections) == (len(truth), len(detected))
    json.dumps(result.to_dict(), allow_nan=False)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=8), st.integers(1, 9))
def test_no_order_beats_the_ideal_one(gains, k):
    ideal = m.dcg(sorted(gains, reverse=True), k)
    for order in itertools.islice(itertools.permutations(gains), 30):
        assert m.dcg(order, k) <= ideal + 1e-12
        assert 0 <= m.ndcg(order, k) <= 1 + 1e-12
    relevant = sum(gain >= 1 for gain in gains)
    assert m.precision_at(gains, k) * k == pytest.approx(m.recall_at(gains, k, relevant=relevant) * relevant)


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=2, max_size=30))
def test_correlations_ignore_scale_and_errors_do_not(pairs):
    truth, predicted = np.array(pairs, dtype=float).T
    one, moved = m.evaluate_regression(truth, predicted), m.evaluate_regression(truth, predicted * 4 + 1000)
    for name in ("pearson", "spearman", "kendall"):
        value = getattr(one, name)
        assert getattr(moved, name) == pytest.approx(value, nan_ok=True, abs=1e-9)
        assert np.isnan(value) or -1 <= value <= 1
    assert moved.mae > one.mae
