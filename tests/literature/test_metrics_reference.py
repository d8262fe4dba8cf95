"""Reference values computed with independent software (R, pycocotools, trec_eval, surface-distance, MedPy,
scikit-image); where each file comes from is its first line.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from scoreproof.metrics import (
    Box,
    cohen_kappa,
    evaluate_detection,
    evaluate_regression,
    evaluate_retrieval,
    evaluate_segmentation,
    multiclass_from_matrix,
    ssim,
    surface_distances,
)

DATA = Path(__file__).parents[1] / "data" / "metrics"


def cases(name):
    found = json.loads((DATA / f"{name}.json").read_text())["cases"]
    return [pytest.param(case, id=case["label"]) for case in found]


def near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("case", cases("cohen_kappa"))
def test_kappa_and_its_variance(case):
    expected = case["expected"]
    plain = cohen_kappa(case["confusion"])
    assert plain.kappa == near(expected["kappa"])
    assert plain.variance == near(expected["kappa_var"])
    assert cohen_kappa(case["confusion"], weights="quadratic").kappa == near(expected["quadratic_weighted"])
    assert multiclass_from_matrix(case["confusion"]).kappa.kappa == near(expected["kappa"])


@pytest.mark.parametrize("case", cases("correlation_regression"))
def test_correlation_and_errors(case):
    result, expected = evaluate_regression(case["x"], case["y"]), case["expected"]
    assert result.pearson == near(expected["pearson"])
    assert result.spearman == near(expected["spearman"])
    assert result.kendall == near(expected["kendall_tau_b"])
    assert result.mae == near(expected["mae"])
    assert result.mse == near(expected["mse"])
    assert result.rmse**2 == near(expected["mse"])


def masks(case):
    both = []
    for side in ("truth", "predicted"):
        mask = np.zeros(int(np.prod(case["shape"])), dtype=bool)
        for start, length in case[side]:
            mask[start : start + length] = True
        both.append(mask.reshape(case["shape"]))
    return both


@pytest.mark.parametrize("case", cases("segmentation"))
def test_overlap(case):
    result, expected = evaluate_segmentation(*masks(case), spacing=case["spacing"]), case["expected"]
    assert (result.matrix.tp, result.matrix.fp, result.matrix.fn) == (
        expected["tp"],
        expected["fp"],
        expected["fn"],
    )
    assert result.dice == near(expected["dice"])
    assert result.iou == near(expected["iou"])


@pytest.mark.parametrize("case", cases("segmentation"))
def test_surface_elements(case):
    found = surface_distances(*masks(case), spacing=case["spacing"], surface="elements")
    expected = case["expected"]["deepmind"]
    assert found.hausdorff() == near(expected["hd100"])
    assert found.hausdorff(95) == near(expected["hd95"])
    assert found.average_from_truth == near(expected["asd_gt_to_pred"])
    assert found.average_from_predicted == near(expected["asd_pred_to_gt"])
    assert found.surface_dice(1) == near(expected["surface_dice_tol1"])
    assert found.surface_dice(2) == near(expected["surface_dice_tol2"])


@pytest.mark.parametrize("connectivity", [1, 2, 3])
@pytest.mark.parametrize("case", cases("segmentation"))
def test_surface_voxels(case, connectivity):
    found = surface_distances(*masks(case), spacing=case["spacing"], connectivity=connectivity)
    expected = case["expected"]["medpy"][f"conn{connectivity}"]
    assert found.hausdorff() == near(expected["hd"])
    assert found.hausdorff(95) == near(expected["hd95"])
    assert found.average() == near(expected["assd"])
    assert found.average_from_predicted == near(expected["asd_pred_to_ref"])


@pytest.mark.parametrize("case", cases("ssim"))
def test_ssim(case):
    u, v, span, expected = case["u"], case["v"], case["data_range"], case["expected"]
    assert ssim(u, v, data_range=span).value == near(expected["win7_uniform_sample_cov"])
    gaussian = ssim(u, v, data_range=span, window="gaussian", sigma=1.5)
    assert gaussian.value == near(expected["gaussian_sigma1.5_popcov"])


@pytest.mark.parametrize("case", cases("coco_bbox"))
def test_coco_summary(case):
    truth = [Box(i, c, tuple(box), crowd=bool(crowd), stated_area=area) for i, c, box, area, crowd in case["truth"]]
    detected = [Box(i, c, tuple(box), score=score) for i, c, box, score in case["detected"]]
    found = evaluate_detection(truth, detected).summary
    assert found.keys() == case["expected"].keys()
    for name, value in case["expected"].items():
        assert found[name] == near(value), name


@pytest.mark.parametrize("case", cases("information_retrieval"))
def test_retrieval(case):
    label = case["label"]
    result = evaluate_retrieval({label: case["qrels"]}, {label: case["run"]})
    for name, value in case["expected"].items():
        assert result.per_query[label][name] == near(value), name
