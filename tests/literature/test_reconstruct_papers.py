"""Reconstructions that the literature prints, done by hand there and with guarantees here.

Lavazza and Morasca, "Common Problems With the Usage of F-Measure and Accuracy Metrics in Medical Research" (2023,
doi:10.1109/ACCESS.2023.3278996), and the example in the documentation of DConfusion (Bowes, Hall and Gray 2013,
doi:10.1007/s10515-013-0129-8).
"""

from __future__ import annotations

from fractions import Fraction

import pytest

import scoreproof as sp
from scoreproof.insight.rankings import baselines

SECTION_III = {"acc": "0.706", "tpr": "0.430", "fpr": "0.031", "ppv": "0.930"}
PRINTED = {"tn": "0.495", "fn": "0.279", "fp": "0.016", "tp": "0.211"}
NEAREST = {
    "tn": (".4948", ".4975"),
    "fn": (".2776", ".2788"),
    "fp": (".0156", ".0160"),
    "tp": (".2090", ".2107"),
    "prevalence": (".4867", ".4895"),
}


def test_the_worked_example_lies_inside_our_ranges_under_any_rounding() -> None:
    found = sp.reconstruct(SECTION_III)
    assert found.verdict == "consistent"
    for name, printed in PRINTED.items():
        assert found.ranges[name].holds(Fraction(printed)), name


@pytest.mark.parametrize("name", list(NEAREST))
def test_rounded_to_nearest_the_ranges_are_these(name: str) -> None:
    span = sp.reconstruct(SECTION_III, rounding="nearest").ranges[name]
    low, high = map(Fraction, NEAREST[name])
    assert span.exact
    assert span.high is not None
    assert abs(span.low - low) <= Fraction(1, 20_000)
    assert abs(span.high - high) <= Fraction(1, 20_000)


def test_two_of_the_printed_cells_are_off_in_the_last_digit() -> None:
    found = sp.reconstruct(SECTION_III, rounding="nearest")
    for name in ("fn", "tp"):
        high = found.ranges[name].high
        assert high is not None
        assert high < Fraction(PRINTED[name])
    assert found.ranges["tn"].holds(Fraction(PRINTED["tn"]))
    assert found.ranges["fp"].text(3) == "0.015 to 0.016"
    assert sum(map(Fraction, PRINTED.values())) == Fraction("1.001")


def test_three_of_the_four_scores_suffice() -> None:
    all_four = sp.reconstruct(SECTION_III, rounding="nearest")
    for left_out in SECTION_III:
        report = {name: text for name, text in SECTION_III.items() if name != left_out}
        found = sp.reconstruct(report, rounding="nearest")
        for name in NEAREST:
            inner, outer = all_four.ranges[name], found.ranges[name]
            assert outer.low <= inner.low
            assert inner.high is not None
            assert outer.holds(inner.high)
        assert not any("alone" in question for question in found.open_questions)


def test_the_smallest_test_sets_are_smallest() -> None:
    found = sp.reconstruct(SECTION_III, rounding="nearest")
    assert found.smallest is not None
    first = found.smallest.totals[0]
    assert first == 381
    assert sp.reconstruct(SECTION_III, total=(1, first - 1), rounding="nearest").verdict == "inconsistent"
    assert sp.reconstruct(SECTION_III, total=first, rounding="nearest").verdict == "consistent"


def test_knn_of_appendix_a_is_impossible_for_any_size() -> None:
    found = sp.reconstruct({"ppv": "0.9705", "recall": "1.0000", "acc": "0.5317"})
    assert found.verdict == "inconsistent"
    verified = sp.verify(found.certificate or {})
    assert verified
    assert "no confusion matrix of any size" in verified.words


def test_the_readme_example_of_dconfusion_is_impossible() -> None:
    report = {"acc": "0.85", "precision": "0.80", "recall": "0.75"}
    found = sp.reconstruct(report, total=100, rounding="nearest")
    assert found.verdict == "inconsistent"
    assert sp.verify(found.certificate or {})
    # it is the total that is wrong, not the scores
    assert sp.reconstruct(report, rounding="nearest").verdict == "consistent"
    near = sp.reconstruct(report, total=(90, 110), rounding="nearest")
    assert near.groups
    assert 100 not in {group.total for group in near.groups or ()}


MATRICES = {
    "a": sp.ConfusionMatrix(tp=50, fp=40, fn=10, tn=30),
    "b": sp.ConfusionMatrix(tp=50, fp=40, fn=10, tn=100),
    "c": sp.ConfusionMatrix(tp=51, fp=39, fn=10, tn=5),
    "d": sp.ConfusionMatrix(tp=80, fp=20, fn=20, tn=80),
    "e": sp.ConfusionMatrix(tp=90, fp=30, fn=10, tn=70),
}


@pytest.mark.parametrize(("name", "score", "text"), [("a", "f1", "0.67"), ("b", "f1", "0.67"), ("c", "f1", "0.68"), ("d", "acc", "0.80"), ("e", "acc", "0.80")])  # fmt: skip
def test_the_matrices_of_section_ii_are_found_from_their_scores(name: str, score: str, text: str) -> None:
    matrix = MATRICES[name]
    assert matrix.score(score, digits=2) == text
    names = ("acc", "sens", "spec", "ppv")
    report = {one: str(matrix.score(one, digits=3)) for one in names}
    known = sp.reconstruct(report, total=matrix.p + matrix.n, rounding="nearest")
    assert matrix in set(known.matrices())
    rates = sp.reconstruct(report, rounding="nearest")
    assert rates.ranges["prevalence"].holds(Fraction(matrix.p, matrix.p + matrix.n))


def test_f1_does_not_see_the_true_negatives() -> None:
    found = sp.reconstruct({"f1": "0.667"})
    tn = found.ranges["tn"]
    assert tn.low == 0
    assert tn.high is not None
    assert tn.high > Fraction(99, 100)
    assert "f1 alone does not fix the prevalence" in found.open_questions[0]


def test_the_arithmetic_of_random_classifiers() -> None:
    tenth = baselines(sp.reconstruct({"acc": "0.90"}, p=10, n=90))
    assert [row.value.low for row in tenth if (row.against, row.score) == ("random", "acc")] == [Fraction("0.82")]
    below = sp.reconstruct({"f1": "0.85"}, prevalence="0.90", rounding="nearest").ranges["f1 - random"]
    assert below.high is not None
    assert below.high < 0  # worse than random, though 0.85 looks high
    barely = sp.reconstruct({"f1": "0.85"}, prevalence="0.80", rounding="nearest").ranges["f1 - random"]
    assert barely.low > 0
    assert barely.high is not None
    assert barely.high < Fraction("0.07")


def test_prevalence_of_the_spinal_cord_study() -> None:
    assert sp.ConfusionMatrix(tp=86, fp=7, fn=40, tn=670).p == 126  # a row with the class counts of Table 9
    found = sp.reconstruct({"sens": "0.6825", "spec": "0.9897", "acc": "0.9415"}, total=803)
    assert 126 in {group.p for group in found.groups or ()}
