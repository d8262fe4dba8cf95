"""Degenerate and hostile input: a documented answer, or an error that says where."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from scoreproof import metrics as m
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError, UnknownScore
from scoreproof.kinds.binary.scores import ConfusionMatrix

NAN, INF = float("nan"), float("inf")
EMPTY, FULL = np.zeros((4, 4), dtype=bool), np.ones((4, 4), dtype=bool)


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda: m.auc([0, 1, 1], [0.1, NAN, 0.3]), r"scores\[1\] is NaN"),
        (lambda: m.auc([0, 1, NAN], [0.1, 0.2, 0.3]), r"truth\[2\] is nan"),
        (lambda: m.auc([0, 1], [0.1, INF]), r"scores\[1\] is inf"),
        (lambda: m.evaluate_regression([1, 2, NAN], [1, 2, 3]), r"truth\[2\] is NaN"),
        (lambda: m.evaluate_regression([1, 2], [1, None]), r"predicted\[1\] is missing"),
        (lambda: m.evaluate_multiclass([1.0, NAN], [1.0, 2.0]), r"truth\[1\] is nan"),
        (lambda: m.evaluate_multiclass(["a", None], ["a", "b"]), r"truth\[1\] is None"),
        (lambda: m.evaluate_multilabel([[1, NAN]], [[1, 0]]), r"truth\[0, 1\] is NaN"),
        (lambda: m.evaluate_multilabel([[1, 2]], [[1, 0]]), r"truth\[0, 1\] is 2"),
        (lambda: m.multiclass_from_matrix([[1, NAN], [0, 1]]), r"matrix\[0, 1\] is NaN"),
        (lambda: m.multiclass_from_matrix([[1, -1], [0, 1]]), r"matrix\[0, 1\] is -1"),
        (lambda: m.dice([[1, NAN]], [[1, 0]]), r"truth\[0, 1\] is NaN"),
        (lambda: m.dice([[1, 0]], [[1, 7]]), r"predicted\[0, 1\] is 7"),
        (lambda: m.ssim(np.full((8, 8), NAN), np.ones((8, 8)), data_range=1), r"u\[0, 0\] is NaN"),
        (lambda: m.cross_entropy([0, 1], [0.2, 1.5]), r"probability\[1\] is 1.5"),
        (lambda: m.Box("img", "cat", (0, 0, NAN, 1)), "image 'img'"),
        (lambda: m.Box("img", "cat", (0, 0, 1, 1), score=NAN), "score: expected a finite number, got nan"),
        (lambda: m.ranking({"d1": NAN}), "document 'd1'"),
        (lambda: m.evaluate_retrieval({"q": {"d": NAN}}, {"q": {"d": 1}}), "query 'q', document 'd'"),
        (lambda: m.mae(np.ma.masked_array([1.0, 2.0], [False, True]), [1, 2]), r"truth\[1\] is masked"),
    ],
)
def test_what_is_no_number_is_named_with_its_place(call, where):
    with pytest.raises(InvalidValue, match=where):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: m.auc([], []),
        lambda: m.auc([0, 1], [0.5]),
        lambda: m.auc([0, 1, 2], [0.1, 0.2, 0.3]),
        lambda: m.auc(["ill", "well"], [0.1, 0.2]),
        lambda: m.confusion_matrix([0, 1], ["0", "1"]),
        lambda: m.confusion_matrix(["a", "b"], ["a", "b"], positive="c"),
        lambda: m.evaluate_binary([0, 1]),
        lambda: m.evaluate_binary([0, 1], [0, 1], threshold=0.5),
        lambda: m.evaluate_binary([0, 1], [0, 1], undefined="maybe"),
        lambda: m.labels_from_scores([0.5], NAN),
        lambda: m.roc_curve([0, 1], [0.1, 0.2]).partial_auc(fpr=(0.5, 0.1)),
        lambda: m.roc_curve([0, 1], [0.1, 0.2]).partial_auc(),
        lambda: m.choose_threshold([1, 1], [0.1, 0.2]),
        lambda: m.binary_scores(ConfusionMatrix(0, 0, 0, 0)),
        lambda: m.multiclass_from_matrix([[1, 2]]),
        lambda: m.multiclass_from_matrix([[0, 0], [0, 0]]),
        lambda: m.multiclass_from_matrix([[1, 0], [0, 1]], classes=["a", "a"]),
        lambda: m.evaluate_multiclass(["a"], ["b"], classes=["a"]),
        lambda: m.evaluate_multiclass([[1, 2], [3]], [1, 2]),
        lambda: m.cohen_kappa([[1]], weights="cubic"),
        lambda: m.pearson(["1", "2"], [1, 2]),
        lambda: m.pearson([1, 2], [1, 2, 3]),
        lambda: m.dice([1, 0], [1, 0]),
        lambda: m.dice(EMPTY, EMPTY[:2]),
        lambda: m.evaluate_segmentation(FULL, FULL, spacing=0),
        lambda: m.evaluate_segmentation(FULL, FULL, spacing=(1, 2, 3)),
        lambda: m.evaluate_segmentation(FULL, FULL, connectivity=3),
        lambda: m.evaluate_segmentation(FULL, FULL, surface="mesh"),
        lambda: m.evaluate_segmentation(FULL, FULL, tolerance=-1),
        lambda: m.evaluate_segmentation(FULL, FULL, percentile=101),
        lambda: m.ssim(FULL, FULL, data_range=1),
        lambda: m.ssim(np.ones((9, 9)), np.ones((9, 9)), data_range=0),
        lambda: m.evaluate_detection([], [m.Box(1, "a", (0, 0, 1, 1))]),
        lambda: m.evaluate_detection([], [], thresholds=[0]),
        lambda: m.Box(1, "a", (0, 0, -1, 1)),
        lambda: m.Box(1, "a", ("x", 0, 1, 1)),
        lambda: m.Box(1, "a", (0, 1, 1)),
        lambda: m.Box(1, "a", None),
        lambda: m.precision_at([1, 0], 0),
        lambda: m.recall_at([1, 1], 2, relevant=1),
        lambda: m.evaluate_retrieval({"q1": {"d": 1}}, {"q2": {"d": 1.0}}),
        lambda: m.evaluate_coco("/nowhere/truth.json", "/nowhere/found.json"),
    ],
)
def test_wrong_input_is_a_clear_error(call):
    with pytest.raises(ScoreproofError) as caught:
        call()
    assert len(str(caught.value)) > 15


def test_unknown_criterion_is_named():
    with pytest.raises(UnknownScore, match="youdn"):
        m.choose_threshold([0, 1], [0.1, 0.2], criterion="youdn")


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_only(label):
    result = m.evaluate_binary([label] * 3, scores=[0.2, 0.6, 0.7])
    assert math.isnan(result.auc)
    assert math.isnan(result["spec"] if label else result["sens"])
    assert result["acc"] == pytest.approx(2 / 3 if label else 1 / 3)
    assert f"no {'negative' if label else 'positive'} case" in str(result.roc)
    assert math.isnan(m.roc_curve([label] * 3, [0.2, 0.6, 0.7]).partial_auc(fpr=(0, 0.1)))
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["auc"] is None
    single = m.evaluate_multiclass(["a", "a"], ["a", "a"])
    assert single.accuracy == 1
    assert math.isnan(single.mcc)
    assert math.isnan(single.kappa.kappa)
    assert "undefined" in str(single.kappa)
    assert math.isnan(single.classes.macro["spec"])


def test_no_positive_case_has_no_average_precision():
    assert math.isnan(m.average_precision([0, 0], [0.1, 0.2]))
    assert m.average_precision([1, 1], [0.1, 0.2]) == 1


def test_calling_nothing_positive_can_be_the_best_threshold():
    truth, scores = [0, 0, 0, 1], [0.9, 0.8, 0.7, 0.1]
    choice = m.choose_threshold(truth, scores, criterion="accuracy")
    assert choice.matrix == ConfusionMatrix(tp=0, fp=0, fn=1, tn=3)
    assert max(scores) < choice.threshold < 0.901
    assert m.evaluate_binary(truth, scores=scores, threshold=choice.threshold).matrix == choice.matrix


def test_equal_scores_are_chance():
    assert m.auc([0, 1, 0, 1], [0.5] * 4) == 0.5
    assert m.average_precision([0, 1, 0, 1], [0.5] * 4) == 0.5


def test_certainty_about_the_wrong_label_is_infinite_unless_clipped():
    assert m.cross_entropy([1, 0], [0.0, 0.5]) == INF
    assert m.cross_entropy([1], [0.0], clip=1e-15) == pytest.approx(-math.log(1e-15))
    assert m.cross_entropy([1, 0], [1.0, 0.0]) == 0


@pytest.mark.parametrize(("choice", "expected"), [("nan", NAN), ("zero", 1 / 4), ("skip", 1 / 2)])
def test_a_class_never_predicted(choice, expected):
    result = m.evaluate_multiclass(["a", "b"], ["a", "a"], undefined=choice)
    assert result.classes.average("precision") == pytest.approx(expected, nan_ok=True)
    assert result.classes.undefined == choice


@pytest.mark.parametrize("label", [0, 1])
def test_only_the_weighted_mean_forgets_an_absent_class(label):
    result = m.evaluate_multiclass([label], [label], classes=[0, 1])
    assert result.classes.average("recall", "weighted") == 1
    assert math.isnan(result.classes.average("recall", "macro"))


def test_constant_arrays():
    result = m.evaluate_regression([2, 2, 2], [1, 2, 3])
    assert (result.mae, result.mse) == pytest.approx((2 / 3, 2 / 3))
    assert all(math.isnan(value) for value in (result.r2, result.pearson, result.spearman, result.kendall))
    assert m.r2([1, 2, 3], [2, 2, 2]) == 0
    assert math.isnan(m.pearson([1, 2, 3], [0.1, 0.1, 0.1]))
    assert math.isnan(m.pearson([1], [2]))
    assert "undefined" in str(result)


def test_huge_and_tiny_values_keep_their_correlation():
    x = np.array([1.0, 2.0, 4.0])
    for scale in (1e-200, 1e200, 1e300):
        assert m.pearson(x, x * scale) == pytest.approx(1)
        assert m.r2(x * scale, x * scale * 1.5) == pytest.approx(m.r2(x, x * 1.5))


def test_empty_masks():
    both, one, other = (m.evaluate_segmentation(*pair) for pair in ((EMPTY, EMPTY), (EMPTY, FULL), (FULL, EMPTY)))
    undefined = (both.dice, both.iou, both.svd, both.voe, both.surface_dice, both.hausdorff)
    assert all(math.isnan(value) for value in (*undefined, both.average_surface_distance))
    assert both.pixel_accuracy == 1
    for result in (one, other):
        assert (result.dice, result.iou, result.surface_dice, result.pixel_accuracy) == (0, 0, 0, 0)
        assert result.hausdorff == result.hausdorff_percentile == result.average_surface_distance == INF
        assert result.to_dict()["hausdorff"] == "Infinity"
    perfect = m.evaluate_segmentation(EMPTY, EMPTY, empty="perfect")
    assert (perfect.dice, perfect.iou, perfect.surface_dice, perfect.hausdorff) == (1, 1, 1, 0)
    elements = m.evaluate_segmentation(EMPTY, FULL, surface="elements")
    assert (elements.hausdorff, elements.surface_dice) == (INF, 0)


def test_a_mask_that_fills_the_image_has_its_border_as_surface():
    distances = m.surface_distances(FULL, FULL)
    assert distances.from_truth.size == 12


def test_the_surface_convention_is_recorded():
    result = m.evaluate_segmentation(np.ones((4, 4, 4), bool), np.ones((4, 4, 4), bool), connectivity=2)
    assert result.to_dict()["connectivity"] == 2
    assert result.to_dict()["neighbours"] == 18
    assert "18 neighbours" in str(result)
    elements = m.evaluate_segmentation(FULL, FULL, surface="elements")
    assert elements.to_dict()["surface"] == "elements"
    assert "surface elements" in str(elements)


def test_a_tolerance_met_but_for_rounding_is_met():
    truth, predicted = np.zeros((2, 3, 9), dtype=bool)
    truth[1, 1] = predicted[1, 4] = True
    assert m.surface_distances(truth, predicted, spacing=0.1).surface_dice(0.3) == 1


def test_identical_constant_images_are_perfectly_similar():
    assert m.ssim(np.ones((8, 8)), np.ones((8, 8)), data_range=1).value == pytest.approx(1)


def test_detection_without_objects_or_without_detections():
    box = m.Box(1, "a", (0, 0, 5, 5))
    nothing = m.evaluate_detection([], [])
    assert math.isnan(nothing.summary["AP"])
    stray = m.evaluate_detection([], [m.Box(1, "a", (0, 0, 5, 5), score=0.5)])
    assert math.isnan(stray.summary["AP"])
    missed = m.evaluate_detection([box], [])
    assert (missed.summary["AP"], missed.summary["AR100"]) == (0, 0)
    flat = m.Box(1, "a", (0, 0, 0, 0), score=1.0)
    assert m.box_iou([flat], [flat]).tolist() == [[0.0]]


def test_only_one_detection_finds_an_object():
    truth = [m.Box(1, "a", (0, 0, 10, 10))]
    twice = [m.Box(1, "a", (0, 0, 10, 10), score=s) for s in (0.9, 0.8)]
    assert m.evaluate_detection(truth, twice, interpolation="step").per_class(0.5)["a"] == 1
    shifted = [m.Box(1, "a", (4, 0, 10, 10), score=0.95), *twice]
    assert m.evaluate_detection(truth, shifted, interpolation="step").per_class(0.5)["a"] == 0.5


def test_boxes_of_other_images_and_classes_do_not_match():
    truth = [m.Box(1, "a", (0, 0, 10, 10))]
    wrong = [m.Box(2, "a", (0, 0, 10, 10), score=0.9), m.Box(1, "b", (0, 0, 10, 10), score=0.9)]
    result = m.evaluate_detection(truth, wrong)
    assert result.per_class(0.5)["a"] == 0
    assert math.isnan(result.per_class(0.5)["b"])
    assert result.summary["AP"] == 0


def test_images_and_labels_of_mixed_types_are_evaluated():
    truth = [m.Box(1, "a", (0, 0, 4, 4)), m.Box("x", 2, (0, 0, 4, 4))]
    found = [m.Box(1, "a", (0, 0, 4, 4), score=0.5), m.Box("x", 2, (0, 0, 4, 4), score=0.5)]
    assert m.evaluate_detection(truth, found).summary["AP"] == 1


def test_retrieval_without_relevant_documents_and_at_k_1():
    result = m.evaluate_retrieval({"q": {"d1": 0}}, {"q": {"d1": 0.5, "d2": 0.5}}, k=[1])
    assert set(result.mean.values()) == {0.0}
    assert m.precision_at([1], 1) == m.recall_at([1], 1, relevant=1) == 1
    assert m.dcg([]) == m.ndcg([]) == m.reciprocal_rank([]) == 0


def test_gains_of_the_literature_may_be_fractions():
    """Perfect, excellent, good, fair and bad results as 10, 7, 3, 0.5 and 0 (Dupret & Piwowarski 2013)."""
    expected = 10 + 7 / math.log2(3) + 3 / 2 + 0.5 / math.log2(5)
    assert m.dcg([10, 7, 3, 0.5, 0]) == pytest.approx(expected)
    assert m.dcg([2, 1], exponential=True) == pytest.approx(3 + 1 / math.log2(3))


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("truth", "[1, 2]"),
        ("truth", "{not json"),
        ("truth", '{"images": []}'),
        ("truth", '{"images": [{}], "annotations": [], "categories": []}'),
        ("found", "{}"),
        ("found", '[{"image_id": 1}]'),
        ("found", '[{"image_id": 9, "category_id": 1, "bbox": [0, 0, 1, 1], "score": 1}]'),
        ("found", '[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1], "score": 1}]'),
        ("found", '["a"]'),
        ("found", '[{"image_id": 1, "category_id": 1, "bbox": [0, 0, NaN, 1], "score": 1}]'),
        ("found", '[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1], "score": "high"}]'),
    ],
)
def test_broken_coco_files_are_named(tmp_path, name, document):
    annotation = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 0}
    good = {"images": [{"id": 1}], "categories": [{"id": 1, "name": "a"}], "annotations": [annotation]}
    (tmp_path / "truth.json").write_text(json.dumps(good))
    (tmp_path / "found.json").write_text("[]")
    assert m.evaluate_coco(tmp_path / "truth.json", tmp_path / "found.json").summary["AP"] == 0
    (tmp_path / f"{name}.json").write_text(document)
    with pytest.raises(InvalidValue, match=f"{name}.json"):
        m.evaluate_coco(tmp_path / "truth.json", tmp_path / "found.json")


def test_results_cannot_be_changed():
    result = m.evaluate_binary([0, 1], scores=[0.2, 0.8])
    with pytest.raises(AttributeError):
        result.threshold = 0.1
    with pytest.raises(TypeError):
        result.scores["acc"] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        result.roc.tp[0] = 5


@pytest.mark.parametrize(
    "result",
    [
        m.evaluate_binary([0, 1], scores=[0.2, 0.8]),
        m.evaluate_binary([0, 1], scores=[0.2, 0.8]).roc,
        m.evaluate_binary([0, 1], scores=[0.2, 0.8]).precision_recall,
        m.choose_threshold([0, 1], [0.2, 0.8]),
        m.evaluate_multiclass(["<b>", "b"], ["b", "b"]),
        m.cohen_kappa([[3, 1], [1, 3]], weights="linear"),
        m.evaluate_multilabel([[1, 0]], [[1, 1]]),
        m.evaluate_regression([1, 2], [1, 3]),
        m.evaluate_segmentation(FULL, EMPTY),
        m.surface_distances(FULL, EMPTY),
        m.ssim(np.ones((8, 8)), np.ones((8, 8)), data_range=1),
        m.evaluate_detection([m.Box(1, "a", (0, 0, 1, 1))], []),
        m.evaluate_retrieval({"q": {"d": 1}}, {"q": {"d": 1}}),
    ],
    ids=lambda result: type(result).__name__,
)
def test_every_result_prints_serialises_and_renders(result):
    sentence = str(result)
    assert sentence.endswith(".")
    assert "nan" not in sentence
    json.dumps(result.to_dict(), allow_nan=False)
    page = result._repr_html_()
    assert page.startswith(("<table>", "<p>"))  # a sentence that says it all needs no table
    assert "<b>" not in page


def test_options_that_contradict_are_options():
    with pytest.raises(InvalidOption, match="threshold"):
        m.evaluate_binary([0, 1], [0, 1], threshold=0.5)
