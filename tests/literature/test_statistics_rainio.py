"""The tests and tables of Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x), agreements and
misprints."""

from __future__ import annotations

import numpy as np
import pytest

from scoreproof import statistics as st
from scoreproof.kinds.binary.scores import ConfusionMatrix

UNET = ConfusionMatrix(tp=261, fp=107, fn=39, tn=193)
INCEPTION = ConfusionMatrix(tp=226, fp=87, fn=74, tn=213)
# Table 3: U-Net in rows, InceptionV3 in columns, predicted positive first.
COVID = np.array([[207, 54], [19, 20]])
NEGATIVE = np.array([[63, 44], [24, 169]])


def spread_like(deviation: float, n: int = 191) -> np.ndarray:
    """n values with exactly this standard deviation."""
    values = np.linspace(-1, 1, n)
    return values * deviation / np.std(values, ddof=1)


def predictions() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The 600 cases behind Table 3."""
    rows = [
        (truth, first, second, count)
        for truth, table in ((1, COVID), (0, NEGATIVE))
        for first, line in zip((1, 0), table, strict=True)
        for second, count in zip((1, 0), line, strict=True)
    ]
    truth, first, second = (np.repeat([r[i] for r in rows], [r[3] for r in rows]) for i in range(3))
    return truth, first, second


def test_table_3_adds_up_to_the_matrices_of_tables_1_and_4() -> None:
    assert (COVID.sum(axis=1).tolist(), NEGATIVE.sum(axis=1).tolist()) == ([261, 39], [107, 193])
    assert (COVID.sum(axis=0).tolist(), NEGATIVE.sum(axis=0).tolist()) == ([226, 74], [87, 213])
    assert [UNET.score(s, digits=3) for s in ("acc", "sens", "spec", "ppv")] == [
        "0.757",
        "0.870",
        "0.643",
        "0.709",
    ]
    printed = [INCEPTION.score(s, digits=3) for s in ("acc", "sens", "spec", "ppv", "bm")]
    assert printed == ["0.732", "0.753", "0.710", "0.722", "0.463"]


def test_table_4_second_row_has_its_columns_shifted() -> None:
    names = ("f1", "kappa", "mcc")
    right = [INCEPTION.score(s, digits=3) for s in names]
    assert right == ["0.737", "0.463", "0.464"]
    assert right[1:] + right[:1] == ["0.463", "0.464", "0.737"]


def test_mcnemar_p_values_are_those_of_the_exact_test() -> None:
    truth, first, second = predictions()
    sens = st.mcnemar_predictions(truth, first, second, score="sensitivity")
    spec = st.mcnemar_predictions(truth, first, second, score="specificity")
    assert (sens.details["b"], sens.details["c"]) == (54, 19)
    assert (spec.details["b"], spec.details["c"]) == (24, 44)
    assert f"{sens.p_value:.2e}" == "5.06e-05"
    assert f"{spec.p_value:.4f}" == "0.0205"
    assert sens.p_value < 5.07e-5
    assert spec.p_value < 0.0207


def test_the_stated_formula_gives_another_p_value() -> None:
    found = st.mcnemar(54, 19, method="chi2-corrected")
    assert f"{found.p_value:.2e}" == "6.91e-05"
    assert found.p_value > 5.07e-5


def test_the_conclusions_need_table_3_only_for_specificity() -> None:
    sens = st.attainable_mcnemar([(UNET.tp,)], [(INCEPTION.tp,)], (UNET.p,), score="sensitivity")
    spec = st.attainable_mcnemar([(UNET.tn,)], [(INCEPTION.tn,)], (UNET.n,), score="specificity")
    assert sens.p_value < 0.05
    assert spec.details["p_low"] < 0.05 < spec.p_value


def test_accuracy_carries_the_papers_warning() -> None:
    found = st.mcnemar_predictions(*predictions(), score="accuracy")
    assert any("sensitivity and specificity separately" in note for note in found.notes)
    assert (found.details["b"], found.details["c"]) == (54 + 24, 19 + 44)


@pytest.mark.parametrize(("shallow", "deep", "printed"), [(0.300, 0.315, 0.490), (0.259, 0.285, 0.182)])
def test_table_6_variance_tests_follow_from_the_standard_deviations(
    shallow: float, deep: float, printed: float
) -> None:
    half = 0.0005
    ends = [
        test(spread_like(shallow + side * half), spread_like(deep - side * half)).p_value
        for test in (st.f_test, st.bartlett)
        for side in (-1, 1)
    ]
    assert min(ends[:2]) < printed < max(ends[:2])
    assert min(ends[2:]) < printed < max(ends[2:])


def test_auc_difference_of_figure_1_is_not_significant_from_the_printed_values_either() -> None:
    # Printed: DeLong p = 0.137. The cautious test from print alone must not be sharper.
    found = st.hanley_mcneil_test(0.845, 0.821, 300, 300)
    assert found.p_value > 0.137
    sharper = st.hanley_mcneil_test(0.845, 0.821, 300, 300, correlation=0.6)
    assert sharper.p_value < found.p_value


def test_paired_t_warns_as_the_paper_does() -> None:
    assert any("not valid on resampled test sets" in n for n in st.paired_t([1, 2, 4], [0, 2, 3]).notes)


def test_variance_tests_say_that_they_assume_independence() -> None:
    x, y = [1, 2, 4, 3], [0, 2, 3, 9]
    for found in (st.f_test(x, y), st.bartlett(x, y), st.levene(x, y)):
        assert any("paired Levene" in note for note in found.notes)


@pytest.mark.parametrize(
    ("asked", "test"),
    [
        ({"task": "binary", "metric": "sensitivity", "values": "one test set"}, "McNemar test"),
        ({"task": "binary", "metric": "auc", "values": "one test set"}, "DeLong test"),
        ({"task": "binary", "metric": "accuracy", "values": "folds"}, "corrected resampled t-test"),
        ({"task": "multiclass", "metric": "kappa", "values": "data sets"}, "Wilcoxon signed-rank test"),
        # Nor of values per case, whose means are what is reported.
        ({"task": "segmentation", "metric": "dice", "values": "per case"}, "paired permutation test of the mean"),
        # Not the paper's Wilcoxon test of squared errors: it may favour the model with the larger mean.
        ({"task": "regression", "metric": "mse", "values": "one test set"}, "permutation test of predictions"),
        (
            {"task": "detection", "metric": "map", "values": "data sets", "models": 4},
            "Friedman test, Iman-Davenport F",
        ),
    ],
)
def test_the_flowchart(asked: dict[str, object], test: str) -> None:
    assert st.recommend(**asked).test == test


def test_what_the_paper_advises_against_is_advised_against() -> None:
    folds = st.recommend(task="binary", metric="f1", values="folds")
    assert {"paired t-test", "sign test"} <= {name for name, _ in folds.avoid}
    several = st.recommend(models=5, values="data sets")
    assert {"Bonferroni correction", "Friedman's χ²"} <= {name for name, _ in several.avoid}
    accuracy = st.recommend(task="binary", metric="acc", values="one test set")
    assert "McNemar test of sensitivity and of specificity" in {name for name, _ in accuracy.instead}
