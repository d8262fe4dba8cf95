"""Rainio, Teuho & Klén, "Evaluation metrics and statistical tests for machine learning" (2024,
doi:10.1038/s41598-024-56706-x): Tables 1 to 4 and Figure 2 recomputed, each agreement and each misprint.
"""

from __future__ import annotations

import numpy as np
import pytest

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.metrics import (
    binary_scores,
    dice,
    evaluate_binary,
    evaluate_segmentation,
    iou,
    multiclass_from_matrix,
)

TABLE_1 = ConfusionMatrix(tp=261, fp=107, fn=39, tn=193)
TABLE_2 = [[120, 7, 9, 4], [15, 116, 3, 6], [12, 13, 115, 0], [2, 96, 4, 38]]
# Table 3: cases by what U-Net and InceptionV3 say, of COVID-19 patients (1) and of healthy ones (0).
TABLE_3 = {
    1: {(1, 1): 207, (1, 0): 54, (0, 1): 19, (0, 0): 20},
    0: {(1, 1): 63, (1, 0): 44, (0, 1): 24, (0, 0): 169},
}
TABLE_4 = {
    "U-Net": {
        "acc": 0.757,
        "sens": 0.870,
        "spec": 0.643,
        "ppv": 0.709,
        "youden": 0.513,
        "f1": 0.781,
        "kappa": 0.513,
        "mcc": 0.527,
    },
    "InceptionV3": {
        "acc": 0.732,
        "sens": 0.753,
        "spec": 0.710,
        "ppv": 0.722,
        "youden": 0.463,
        "f1": 0.463,
        "kappa": 0.464,
        "mcc": 0.737,
    },
}
MISPRINTED = {"f1": 0.737, "kappa": 0.463, "mcc": 0.464}


def predictions_of_table_3():
    rows = [
        (truth, first, second)
        for truth, cells in TABLE_3.items()
        for (first, second), count in cells.items()
        for _ in range(count)
    ]
    return np.array(rows).T


def test_table_3_yields_the_matrix_of_table_1():
    truth, unet, _ = predictions_of_table_3()
    assert evaluate_binary(truth, unet).matrix == TABLE_1


@pytest.mark.parametrize("name", TABLE_4["U-Net"])
def test_table_4_row_1_is_printed_right(name):
    assert round(binary_scores(TABLE_1)[name], 3) == TABLE_4["U-Net"][name]


@pytest.mark.parametrize("name", TABLE_4["InceptionV3"])
def test_table_4_row_2_has_three_columns_shifted(name):
    truth, _, inception = predictions_of_table_3()
    value = round(evaluate_binary(truth, inception)[name], 3)
    printed = TABLE_4["InceptionV3"][name]
    if name in MISPRINTED:
        assert value == MISPRINTED[name] != printed
    else:
        assert value == printed


def test_the_shift_of_table_4_is_a_rotation():
    printed = [TABLE_4["InceptionV3"][name] for name in ("f1", "kappa", "mcc")]
    right = [MISPRINTED[name] for name in ("f1", "kappa", "mcc")]
    assert right == printed[2:] + printed[:2]


def test_table_2_agrees_but_for_kappa():
    result = multiclass_from_matrix(TABLE_2, classes=["negative", "COVID-19", "pneumonia", "tuberculosis"])
    macro, micro = result.classes.macro, result.classes.micro
    assert round(macro["acc"], 3) == round(micro["acc"], 3) == 0.847
    assert round(macro["sens"], 3) == round(micro["sens"], 3) == 0.695
    assert round(macro["spec"], 3) == round(micro["spec"], 3) == 0.898
    assert round(macro["bm"], 3) == round(micro["bm"], 3) == 0.593
    assert (round(macro["ppv"], 3), round(micro["ppv"], 3)) == (0.744, 0.695)
    assert (round(macro["f1"], 3), round(micro["f1"], 3)) == (0.677, 0.695)
    assert round(result.mcc, 3) == 0.616
    printed_kappa = 0.598
    assert round(result.kappa.kappa, 3) == 0.593
    assert abs(result.kappa.kappa - printed_kappa) > 0.005


def test_table_2_counts_560_not_2800_cases():
    result = multiclass_from_matrix(TABLE_2)
    assert result.matrix.sum() == 560
    assert result.matrix.sum(axis=0).tolist() == [149, 232, 131, 48]


def test_the_accuracy_of_table_2_is_a_mean_of_binary_accuracies():
    result = multiclass_from_matrix(TABLE_2)
    assert round(result.accuracy, 3) == 0.695
    assert round(result.classes.macro["acc"], 3) == 0.847


def test_figure_2():
    truth, predicted = np.zeros((2, 128 * 128), dtype=bool)
    truth[: 181 + 30] = True
    predicted[:181] = predicted[211 : 211 + 17] = True
    truth, predicted = truth.reshape(128, 128), predicted.reshape(128, 128)
    result = evaluate_segmentation(truth, predicted)
    assert result.matrix == ConfusionMatrix(tp=181, fp=17, fn=30, tn=16156)
    assert round(result.dice, 3) == round(dice(truth, predicted), 3) == 0.885
    assert round(result.iou, 3) == round(iou(truth, predicted), 3) == 0.794
    assert round(result.pixel_accuracy, 3) == 0.997
    assert (result.svd, result.voe) == (1 - result.dice, 1 - result.iou)
