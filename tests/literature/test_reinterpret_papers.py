"""Conclusions re-read: the cases of Lavazza and Morasca (2023, doi:10.1109/ACCESS.2023.3278996), section IV."""

from __future__ import annotations

from fractions import Fraction

import scoreproof as sp
from scoreproof.insight.rankings import cheaper, corners_of, error_rates

A = sp.ConfusionMatrix(tp=50, fp=40, fn=10, tn=30)
B = sp.ConfusionMatrix(tp=50, fp=40, fn=10, tn=100)
C = sp.ConfusionMatrix(tp=51, fp=39, fn=10, tn=5)
D = sp.ConfusionMatrix(tp=80, fp=20, fn=20, tn=80)
E = sp.ConfusionMatrix(tp=90, fp=30, fn=10, tn=70)


def test_best_by_f1_is_not_best_by_anything_that_sees_the_negatives() -> None:
    found = sp.reinterpret({"a": A, "b": B, "c": C}, claim=("c", "f1"))
    assert found.standing["f1"] == "certainly"
    assert {found.standing[name] for name in ("mcc", "bacc", "kappa", "spec", "npv", "acc")} == {"certainly not"}
    assert [row.method for row in found.ranks["mcc"]] == ["b", "a", "c"]


def test_c_is_worse_than_chance_by_its_correlation() -> None:
    found = sp.reinterpret({"c": C})
    against = {(one.against, one.score): one for one in found.baselines["c"]}
    assert against["random", "mcc"].better == "certainly not"
    assert any(one.kind == "chance" and one.grave for one in found.findings)


def test_equal_accuracy_is_not_equal_cost() -> None:
    found = sp.reinterpret({"d": D, "e": E}, claim=("e", "acc"), cost_ratio=10)
    assert found.same_test_set is not None
    assert found.same_test_set.common == (100, 100)
    (one,) = (pair for pair in found.preferences if pair.cheaper == "e")
    assert (one.low, one.high) == (1, None)  # 10 missed positives fewer against 10 false alarms more
    assert found.costs[0].method == "e"
    assert found.costs[0].is_best == "certainly"


def test_costs_of_ranges_agree_with_those_of_every_matrix() -> None:
    one = sp.reconstruct({"acc": "0.80", "sens": "0.90"}, total=60, rounding="nearest")
    other = sp.reconstruct({"acc": "0.70", "spec": "0.60"}, total=60, rounding="nearest")
    pair = cheaper("one", error_rates(corners_of(one)), "other", error_rates(corners_of(other)))
    ratios = [Fraction(k, 8) for k in range(1, 200)]
    for ratio in ratios:
        worst = max(ratio * m.fn + m.fp for m in one.matrices())
        best = min(ratio * m.fn + m.fp for m in other.matrices())
        inside = pair is not None and ratio > pair.low and (pair.high is None or ratio < pair.high)
        assert inside == (worst < best), ratio


def test_rows_of_different_prevalence_are_told_apart() -> None:
    rows = {"KNN": (133, 3, 5, 15), "ResNet": (450, 50, 40, 460), "CNN": (440, 60, 50, 450)}
    table = {}
    for name, (tp, fp, fn, tn) in rows.items():
        matrix = sp.ConfusionMatrix(tp, fp, fn, tn)
        table[name] = {one: str(matrix.score(one, digits=3)) for one in ("acc", "sens", "spec", "f1")}
    found = sp.reinterpret(table, rounding="nearest")
    assert found.same_test_set is not None
    assert set(found.same_test_set.apart) == {("KNN", "ResNet"), ("KNN", "CNN")}
    assert found.same_test_set.possible is False
    assert any(one.kind == "test set" and one.grave for one in found.findings)
    alike = sp.reinterpret({name: table[name] for name in ("ResNet", "CNN")}, rounding="nearest")
    assert alike.same_test_set is not None
    assert alike.same_test_set.possible is True


def test_a_common_test_set_fits_every_row() -> None:
    table = {
        "MFCC": {"acc": "0.706", "tpr": "0.430", "fpr": "0.031"},
        "Tilt": {"acc": "0.596", "tpr": "0.801", "fpr": "0.597"},
    }
    found = sp.reinterpret(table)
    assert found.same_test_set is not None
    assert found.same_test_set.common is not None
    p, n = found.same_test_set.common
    for scores in table.values():
        assert sp.check(sp.TestSet(p, n), scores).verdict == "consistent"


CASE_5 = {
    "SAT": {"acc": "71.1%", "sens": "91.8%"},
    "Hp-FIT": {"acc": "77.6%", "sens": "94.2%"},
    "Serological": {"acc": "49.7%"},
}


def test_the_three_tests_of_case_5_from_the_numbers_in_the_text() -> None:
    found = sp.reinterpret(CASE_5, claim=("Hp-FIT", "acc"))
    assert found.standing["acc"] == "certainly"
    assert (
        sp.reinterpret({name: CASE_5[name] for name in ("SAT", "Hp-FIT")}, claim=("Hp-FIT", "sens")).standing["sens"]
        == "certainly"
    )
    # accuracy and sensitivity alone do not settle the Matthews correlation, and we do not pretend that they do
    assert found.standing["mcc"] == "possibly"
    for name in CASE_5:
        reading = found[name].reconstruction
        assert reading is not None
        assert "not fix the prevalence" in reading.open_questions[0]


def test_case_5_with_a_common_prevalence_supports_the_authors() -> None:
    # with sens above acc the prevalence is bounded; at any one prevalence Hp-FIT has fewer of both errors than SAT
    found = sp.reinterpret({name: CASE_5[name] for name in ("SAT", "Hp-FIT")}, prevalence="0.35")
    assert ("Hp-FIT", "SAT") in found.dominance
    assert {row.method: row.is_best for row in found.ranks["mcc"]} == {"Hp-FIT": "certainly", "SAT": "certainly not"}


def test_a_matrix_that_does_not_have_its_scores_is_reported() -> None:
    found = sp.reinterpret({"x": {"tp": 50, "fp": 40, "fn": 10, "tn": 30, "f1": "0.76"}})
    (one,) = found["x"].contradicted
    assert one.name == "f1"
    assert any(finding.kind == "contradiction" and "0.67" in finding.words for finding in found.findings)
