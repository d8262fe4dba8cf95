"""Examples printed in papers and documentation, with the right numbers where the print is wrong."""

from __future__ import annotations

import pytest
from tests.conftest import data

import scoreproof as sp

SAMPLE = [
    (100, 201, 78, 189),
    (100, 200, 65, 191),
    (100, 200, 81, 160),
    (101, 200, 75, 164),
    (101, 200, 72, 171),
]
PRINTED = {  # Fazekas & Kovács 2024, Table 5b: mean of scores, score of means
    "acc": ("0.8290", "0.8290"), "f1": ("0.7443", "0.7427"), "lrn": ("0.2975", "0.2985"), "ppv": ("0.7606", "0.7465"),
    "bacc": ("0.8066", "0.8066"), "fm": ("0.7471", "0.7428"), "lrp": ("8.1202", "5.8713"), "pt": ("0.2795", "0.2921"),
    "bm": ("0.6131", "0.6132"), "gm": ("0.8021", "0.8038"), "mcc": ("0.6215", "0.6147"), "sens": ("0.7391", "0.7390"),
    "dor": ("28.0174", "19.6671"), "ji": ("0.5945", "0.5908"), "mk": ("0.6312", "0.6163"), "spec": ("0.8741", "0.8741"),
    "f1n": ("0.8709", "0.8719"), "kappa": ("0.6165", "0.6147"), "npv": ("0.8706", "0.8698"), "upm": ("0.8025", "0.8022"),
}  # fmt: skip


def matrix(p: int, n: int, tp: int, tn: int) -> sp.ConfusionMatrix:
    return sp.ConfusionMatrix(tp, n - tn, p - tp, tn)


def test_the_example_as_printed_is_impossible() -> None:
    result = sp.check(sp.TestSet(1000, 6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    assert result.verdict is sp.Verdict.INCONSISTENT
    assert sp.verify(result.certificate)


def test_the_example_with_the_digit_mended_gives_the_two_printed_matrices() -> None:
    result = sp.check(sp.TestSet(1000, 6000), {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"})
    assert [(m.tp, m.tn) for m in result.solutions().matrices()] == [(743, 4031), (743, 4032)]
    assert result.solutions().count == 2


@pytest.mark.parametrize(("p", "acc"), [(1000, "0.6811"), (1100, "0.6821")])
def test_the_examples_variations_are_impossible(p: int, acc: str) -> None:
    result = sp.check(sp.TestSet(p, 6000), {"acc": acc, "npv": "0.9401", "f1": "0.4004"})
    assert result.verdict == "inconsistent"


def test_no_number_of_true_negatives_gives_the_accuracy_of_equation_4() -> None:
    result = sp.check(sp.TestSet(40, 70), {"acc": "0.927", "sens": "0.7500"})
    assert result.verdict == "inconsistent"  # tn would be 72, but n is 70


@pytest.mark.parametrize("name", PRINTED)
def test_table_5(name: str) -> None:
    mean, of_sum = PRINTED[name]
    score = sp.score(name)
    values = [score(*matrix(*fold).cells) for fold in SAMPLE]
    assert f"{sum(values) / 5:.4f}" == mean
    p, n, tp, tn = (sum(column) for column in zip(*SAMPLE, strict=True))
    assert matrix(p, n, tp, tn).score(name, digits=4) == of_sum


def test_all_twenty_scores_of_table_5_fit_one_matrix() -> None:
    parts = [sp.TestSet(p, n) for p, n, _, _ in SAMPLE]
    result = sp.check(sp.ScoreOfMeans(parts), {name: of_sum for name, (_, of_sum) in PRINTED.items()})
    assert [(m.tp, m.tn) for m in result.solutions().matrices()] == [(371, 875)]


def test_shifted_columns_of_an_inception_network() -> None:
    rest = {"acc": "0.732", "sens": "0.753", "spec": "0.710", "ppv": "0.722", "youden": "0.463"}
    shifted = sp.check(sp.TestSet(300, 300), {**rest, "f1": "0.463", "kappa": "0.464", "mcc": "0.737"})
    assert shifted.verdict == "inconsistent"
    rotated = sp.check(sp.TestSet(300, 300), {**rest, "f1": "0.737", "kappa": "0.463", "mcc": "0.464"})
    assert [(m.tp, m.tn) for m in rotated.solutions().matrices()] == [(226, 213)]


@pytest.mark.parametrize("p", range(1, 100))
def test_no_matrix_of_100_cases_for_dconfusions_example(p: int) -> None:
    scores = {"acc": "0.85", "precision": "0.80", "recall": "0.75"}
    result = sp.check(sp.TestSet(p, 100 - p), scores, rounding="nearest", strict=True)
    assert result.verdict == "inconsistent"
    assert sp.verify(result.certificate)


@pytest.mark.parametrize("case", data("peer_findings.json")["single"], ids=str)
def test_what_the_peer_gets_wrong(case: dict) -> None:
    result = sp.check(sp.TestSet(case["p"], case["n"]), case["scores"], eps=case["eps"], beta=case.get("beta"))
    assert result.verdict == case["expected"].split()[0]
    if result.certificate:
        assert sp.verify(result.certificate)
    if "true_tp_tn" in case:
        tp, tn = case["true_tp_tn"]
        inside = [b for b in result.solutions() if b.tp[0] <= tp <= b.tp[1] and b.tn[0] <= tn <= b.tn[1]]
        assert len(inside) == 1


SUMMED = [
    c
    for c in data("protocol_cases.json")["cases"]
    if c["protocol"].endswith(("som", "no_kfold", "isic2017")) and "_mos_" not in c["protocol"]
]


@pytest.mark.parametrize("case", SUMMED, ids=lambda case: case["id"])
def test_documented_examples_of_the_peer(case: dict) -> None:
    experiment = sp.experiment_from_dict(case["experiment"])
    assert sp.experiment_from_dict(experiment.to_dict()) == experiment
    assert sp.check(experiment, case["scores"], eps=case["eps"]).verdict == case["expected"]
