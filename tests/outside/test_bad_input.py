"""Hostile and careless input through the Python interface: a clear error or a correct verdict."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import scoreproof as sp


@pytest.mark.parametrize(
    ("p", "n"), [(-1, 5), (5, -1), (0, 0), (1.5, 5), ("5", 5), (None, 5), (True, 5), (math.nan, 5), ([1], 5)]
)
def test_counts_that_are_no_counts(p: Any, n: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match=r"expected|both 0"):
        sp.TestSet(p, n)


def test_numpy_counts_are_counts() -> None:
    assert sp.TestSet(np.int64(5), np.int32(7)) == sp.TestSet(5, 7)


@pytest.mark.parametrize(
    "value", [0.9, 1, math.nan, math.inf, -math.inf, Decimal("NaN"), Decimal("Infinity"), None, True, [], "", " ", "0.9.1",
              "0x1", "1e", "--1", "±0.1", "0.9 ± ", "9" * 5000, "１.２.３"]
)  # fmt: skip
def test_values_that_say_too_little(value: Any) -> None:
    with pytest.raises(sp.ScoreproofError):
        sp.check(sp.TestSet(10, 20), {"acc": value})


@pytest.mark.parametrize("value", ["0.90", ".90", "90%", "90 %", " 0.90 ", Decimal("0.90"), "+0.90", "9.0e-1"])
def test_ways_to_write_the_same_report(value: Any) -> None:
    assert sp.check(sp.TestSet(10, 20), {"acc": value}).verdict == "consistent"
    reported = sp.report("acc", value)
    assert (reported.low, reported.high) == (Fraction(89, 100), Fraction(91, 100))


def test_a_trailing_zero_matters() -> None:
    assert sp.report("acc", "0.9").low == Fraction(8, 10)
    assert sp.report("acc", "0.90").low == Fraction(89, 100)
    assert sp.report("acc", "90.0%").low == Fraction(899, 1000)


@pytest.mark.parametrize(
    ("rounding", "low", "high"),
    [
        ("any", "0.89", "0.91"),
        ("nearest", "0.895", "0.905"),
        ("floor", "0.90", "0.91"),
        ("ceil", "0.89", "0.90"),
    ],
)
def test_rounding_rules(rounding: str, low: str, high: str) -> None:
    reported = sp.report("acc", "0.90", rounding=rounding)
    assert (reported.low, reported.high) == (Fraction(low), Fraction(high))


def test_floats_need_their_digits_or_eps() -> None:
    assert sp.report("acc", 0.9, digits=2).text == "0.90"
    assert sp.report("acc", 0.9, eps="0.01").low == Fraction(89, 100)
    assert sp.report("acc", np.float64(0.25), eps=0.125).high == Fraction(3, 8)
    with pytest.raises(sp.ScoreproofError, match="more than the 2 digits"):
        sp.report("acc", 0.912, digits=2)


def test_unicode_minus_and_decimal_comma() -> None:
    assert sp.report("mcc", "−0.12").number.value == Fraction(-12, 100)
    assert sp.report("acc", "0,912", decimal_comma=True).number.value == Fraction(912, 1000)


@pytest.mark.parametrize("scores", [{}, None, [("acc", "0.9")], "acc=0.9"])
def test_scores_that_are_no_mapping(scores: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match="scores"):
        sp.check(sp.TestSet(10, 20), scores)


@pytest.mark.parametrize("experiment", [None, {"p": 1}, (10, 20), "testset"])
def test_experiments_that_are_none(experiment: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match="experiment"):
        sp.check(experiment, {"acc": "0.9"})


@pytest.mark.parametrize(
    "tree",
    [None, [], {}, {"type": "test"}, {"type": "testset", "p": 1}, {"type": "testset", "p": 1, "n": 2, "m": 3},
     {"type": "kfold", "p": 10, "n": 10, "k": 1}, {"type": "kfold", "p": 1, "n": 1, "k": 5},
     {"type": "kfold", "p": 10, "n": 10, "k": 2, "stratified": "yes"}, {"type": "kfold", "p": 9, "n": 9, "k": 3, "aggregation": "sum"},
     {"type": "score_of_means", "parts": []}, {"type": "score_of_means", "parts": "ab"},
     {"type": "score_of_means", "parts": [{"type": "mean_of_scores", "parts": [{"type": "testset", "p": 1, "n": 1}]}]},
     {"type": "mean_of_scores", "parts": [{"type": "testset", "p": 1, "n": 1}], "ranges": {"acc": 1}}],
)  # fmt: skip
def test_trees_that_describe_no_experiment(tree: Any) -> None:
    with pytest.raises(sp.ScoreproofError):
        sp.experiment_from_dict(tree)


def test_a_value_beyond_its_range_is_impossible_and_says_why() -> None:
    for scores, word in (({"acc": "1.5"}, "above"), ({"sens": "-0.2"}, "below"), ({"mcc": "-1.20"}, "below")):
        result = sp.check(sp.TestSet(10, 20), scores)
        assert result.verdict == "inconsistent"
        assert word in result.reason
        assert sp.verify(result.certificate)


def test_a_score_and_its_complement_are_weighed_together() -> None:
    assert sp.check(sp.TestSet(50, 50), {"acc": "0.90", "err": "0.30"}, eps="0.005").verdict == "inconsistent"
    assert sp.check(sp.TestSet(50, 50), {"acc": "0.90", "err": "0.10"}, eps="0.005").verdict == "consistent"


def test_absurd_sizes() -> None:
    result = sp.check(sp.TestSet(10**18, 10**18), {"acc": "0.9", "f1": "0.2"})
    assert result.verdict == "inconsistent"
    assert sp.verify(result.certificate)


def test_missing_classes_say_so() -> None:
    result = sp.check(sp.TestSet(0, 20), {"sens": "0.9"}, strict=True)
    assert result.verdict == "inconsistent"
    assert "undefined without positives" in result.reason
    assert sp.check(sp.TestSet(0, 20), {"sens": "0.0", "acc": "0.5"}, undefined="zero").verdict == "consistent"
    assert sp.check(sp.TestSet(0, 20), {"spec": "0.95"}).verdict == "consistent"


@pytest.mark.parametrize(("p", "n"), [(0, 2), (2, 0), (0, 5), (5, 0)])
def test_scores_undefined_only_at_the_ends_of_a_one_class_set(p: int, n: int) -> None:
    for name in ("upm", "mk"):  # 0/0 where everything is right or wrong, 0 in between
        result = sp.check(sp.TestSet(p, n), {name: "0.00"}, rounding="nearest")
        assert result.verdict == "consistent"
        assert result.solutions().count == p + n + 1  # the ends count as zero
        without = sp.check(sp.TestSet(p, n), {name: "0.00"}, rounding="nearest", undefined="exclude")
        assert without.solutions().count == p + n - 1
        refuted = sp.check(sp.TestSet(p, n), {name: "0.50"}, rounding="nearest")
        assert refuted.verdict == "inconsistent"
        assert sp.verify(refuted.certificate)


def test_a_score_of_ones_own() -> None:
    sp.register("kulczynski", lambda tp, fp, fn, tn: (tp, fp + fn))
    try:
        assert sp.check(sp.TestSet(10, 20), {"Kulczynski": "2.50"}, rounding="nearest").verdict == "consistent"
        result = sp.check(sp.TestSet(10, 20), {"kulczynski": "2.51", "acc": "0.90"}, rounding="nearest")
        assert result.verdict == "inconsistent"
        assert sp.verify(result.certificate)
    finally:
        sp.unregister("kulczynski")
    assert not sp.verify(result.certificate)


@pytest.mark.parametrize(
    "ratio",
    [lambda tp, fp, fn, tn: (tp, tn + 1), lambda tp, fp, fn, tn: (tp / 2, 1), lambda tp, fp, fn, tn: (tp, -1),
     lambda tp, fp, fn, tn: (tp, tp)],
)  # fmt: skip
def test_scores_that_cannot_be_registered(ratio: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match="cannot be registered"):
        sp.register("odd one", ratio)


def test_names_cannot_be_taken_twice() -> None:
    with pytest.raises(sp.ScoreproofError, match="exists already"):
        sp.register("Recall", lambda tp, fp, fn, tn: (tp, tp + fn))
    with pytest.raises(sp.ScoreproofError, match="built in"):
        sp.unregister("acc")


@pytest.mark.parametrize(
    ("spelling", "name"),
    [("Accuracy", "acc"), ("RECALL", "sens"), ("tpr", "sens"), ("hit-rate", "sens"), ("T.N.R.", "spec"), ("Selectivity", "spec"),
     ("precision", "ppv"), ("F-measure", "f1"), ("F1-Score", "f1"), ("f₁", "f1"), ("f1p", "f1"), ("Dice", "f1"), ("IoU", "ji"),
     ("Jaccard", "ji"), ("CSI", "ji"), ("threat_score", "ji"), ("P4", "upm"), ("φ", "mcc"), ("phi", "mcc"), ("Informedness", "bm"),
     ("Youden's J", "bm"), ("G-mean", "gm"), ("κ", "kappa"), ("Cohen's kappa", "kappa"), ("F2", "f2"), ("F0.5", "f0.5"),
     ("f_2", "f2"), ("fbn2", None), ("LR+", "lrp"), ("LR−", "lrn"), ("Δp", "mk"), ("error rate", "err"), ("fall-out", "fpr"),
     ("miss rate", "fnr"), ("FDR", "fdr"), ("FOR", "for"), ("balanced accuracy", "bacc"), ("F1-", "f1n"), ("Matthews", "mcc")],
)  # fmt: skip
def test_names_of_the_field(spelling: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(sp.ScoreproofError, match="no score is called"):
            sp.score(spelling)
    else:
        assert sp.score(spelling).name == name


def test_results_can_be_shown_and_stored() -> None:
    for scores in ({"acc": "0.9", "f1": "0.9"}, {"acc": "0.9", "f1": "0.1"}):
        result = sp.check(sp.TestSet(10, 20), scores)
        assert str(result).startswith(result.verdict)
        assert result.verdict in result._repr_html_()
        assert result.to_dict()["version"] == sp.__version__
        assert result.to_json(indent=1).startswith("{")
