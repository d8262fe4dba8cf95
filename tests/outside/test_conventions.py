"""What people and programs print, and the conventions of a check: each rule where a user meets it."""

from __future__ import annotations

import json
import math
import random
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.outside.commands import run

import scoreproof as sp
from scoreproof.errors import InvalidOption
from scoreproof.reported.number import Rounding, interval
from scoreproof_verify.texts import interval as verified_interval

# numbers as programs print them


def test_true_reports_printed_in_full_are_not_flagged() -> None:
    rng = random.Random(1)
    for _ in range(300):
        p, n = rng.randint(20, 3000), rng.randint(20, 3000)
        tp, tn = rng.randint(1, p - 1), rng.randint(1, n - 1)
        precision, recall = tp / (tp + n - tn), tp / p
        report = {
            "acc": repr((tp + tn) / (p + n)),
            "ppv": repr(precision),
            "sens": f"{recall * 100}%",
            "f1": repr(2 * precision * recall / (precision + recall)),
        }
        for rounding in ("any", "nearest"):
            assert sp.check(sp.TestSet(p, n), report, rounding=rounding, strict=True).verdict == "consistent", report


def test_what_single_and_half_precision_print_is_believed_as_far_as_it_goes() -> None:
    rng = random.Random(2)
    for _ in range(400):
        n = rng.randint(2, 3000)
        true = Fraction(rng.randint(1, n), n)
        single = np.float32(float(true))
        half = np.float16(float(true))
        texts = [
            str(single),
            repr(float(single)),
            f"{single:.8f}",
            f"{float(single):.12f}",
            f"{single * np.float32(100)}%",
            *(f"{float(half):.{digits}f}".rstrip("0") for digits in range(7, 12)),
        ]
        if len(repr(float(half)).rstrip("0")) > 7:
            texts.append(repr(float(half)))
        for text in texts:
            if sum(map(str.isdigit, text.lstrip("0."))) >= 7:
                read = sp.report("acc", text, rounding="nearest")
                assert read.low <= true <= read.high, text


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        ("0.38923869490555235", Fraction(1, 10**13)),
        ("38.923869490555235%", Fraction(1, 10**13)),
        ("1.1102230246251565e-16", Fraction(1, 10**6)),  # a power of two is a float32 as well
        ("3.469446951953614e-18%", Fraction(1, 10**6)),
        ("1.0000000000000002", Fraction(1, 10**12)),
        ("0.3892386853694916", Fraction(1, 10**6)),  # exactly a float32
        ("0.93333334", Fraction(1, 10**6)),  # the shortest print of one
        ("0.93310546875", Fraction(1, 10**3)),  # exactly a float16
        ("0.93310547", Fraction(1, 10**3)),  # one with eight decimals
        ("0.933105", Fraction(1, 10**3)),
        ("93.3105%", Fraction(1, 10**3)),
        ("0.9331050", Fraction(1, 10**6)),  # as a float32 prints
        ("0.93310", Fraction(1, 10**5)),
        ("0.9331", Fraction(1, 10**4)),
        ("0.680100", Fraction(1, 10**6)),
        ("0.68010000000", Fraction(1, 10**11)),
    ],
)
def test_how_far_a_text_is_believed(text: str, reach: Fraction) -> None:
    read = sp.report("acc", text)
    assert read.high - read.number.value == read.number.value - read.low == reach
    assert verified_interval(text, "any", None) == (read.low, read.high)
    assert sp.report("acc", text, eps="0").low == read.number.value


@given(st.integers(0, 10**19), st.integers(0, 22), st.booleans(), st.sampled_from(list(Rounding)))
@settings(max_examples=400)
def test_engine_and_verifier_read_the_same_interval(units: int, places: int, percent: bool, rule: Rounding) -> None:
    digits = f"{units:0{places + 1}d}"
    text = (f"{digits[:-places]}.{digits[-places:]}" if places else digits) + "%" * percent
    scale = 10 ** (places + 2 * percent)
    assert verified_interval(text, str(rule), None, most=None) == interval(units, scale, rule)


@given(st.floats(0, 1, allow_subnormal=False))
@settings(max_examples=300)
def test_engine_and_verifier_read_doubles_alike(value: float) -> None:
    for text in (repr(value), repr(float(np.float32(value))), str(np.float32(value))):
        read = sp.report("acc", text, rounding="nearest")
        assert verified_interval(text, "nearest", None) == (read.low, read.high)
        assert read.low <= Fraction(text) <= read.high


@given(st.integers(0, 10**17), st.integers(1, 18), st.integers(0, 12), st.booleans(), st.sampled_from(list(Rounding)))
@example(5, 1, 11, False, Rounding.ANY)
@example(1, 1, 11, False, Rounding.NEAREST)
@example(93310546875, 11, 6, False, Rounding.FLOOR)
@example(933105, 6, 6, False, Rounding.NEAREST)
@example(93310547, 8, 6, True, Rounding.ANY)
@example(933312, 6, 8, True, Rounding.NEAREST)
@example(1234567890123, 13, 6, False, Rounding.CEIL)
@settings(max_examples=600)
def test_a_longer_print_of_a_value_admits_no_more(
    units: int, places: int, zeros: int, percent: bool, rule: Rounding
) -> None:
    """Each zero more at the end leaves the interval as it is or makes it narrower, for the verifier as well."""
    digits = f"{units:0{places + 1}d}"
    text, before = f"{digits[:-places]}.{digits[-places:]}", None
    for _ in range(zeros + 1):
        low, high = verified_interval(text + "%" * percent, str(rule), None, most=None)
        number = sp.report("rmse", text + "%" * percent, rounding=rule)
        assert (number.low, number.high) == (low, high)
        if before is not None:
            assert high - low <= before[1] - before[0], text
            if rule in (Rounding.ANY, Rounding.NEAREST):
                assert before[0] <= low <= high <= before[1], text
        text, before = text + "0", (low, high)


def test_zeros_that_were_typed_are_digits() -> None:
    for digits in range(4, 16):
        assert sp.check(sp.TestSet(500, 501), {"acc": f"{0.5:.{digits}f}"}, strict=True).verdict == "inconsistent"
        assert (
            sp.check(sp.TestSet(500_000, 1), {"sens": f"{1 - 1e-4:.{digits}f}", "acc": "1.0"}, strict=True).verdict
            == "consistent"
        )
    for text in ("0.89990234375", "0.89990234", "0.899902"):  # 0.9 in half precision, and 901 of 1,001
        for experiment in (sp.TestSet(9, 1), sp.TestSet(500, 501)):
            assert sp.check(experiment, {"acc": text}, strict=True).verdict == "consistent"


def test_both_neighbours_of_a_tie_are_admitted_under_nearest() -> None:
    for text in ("0.28", "0.29"):  # 57 of 200 is 0.285
        assert sp.check(sp.TestSet(100, 100), {"acc": text}, rounding="nearest", strict=True).verdict == "consistent"
        tie = sp.check(
            sp.MeanOfScores([sp.TestSet(100, 100)] * 2), {"acc": text, "sens": "0.57"}, rounding="nearest", strict=True
        )
        assert tie.verdict == "consistent"


def test_the_interval_shown_is_the_one_used() -> None:
    shown = run("check", "--p", "671", "--n", "1076", "acc=0.38923869490555235").stdout
    assert "0.38923869490545235" in shown
    assert "0.38923869490565235" in shown


# 0/0


def test_a_score_without_predicted_positives_is_printed_as_zero() -> None:
    report = {"acc": "0.520", "prec": "0.000", "rec": "0.000"}
    found = sp.check(sp.TestSet(12, 13), report, strict=True)
    assert found.verdict == "consistent"
    assert "counted as zero" in found.notes[0]
    assert "only if prec" in found.notes[0]
    assert sp.check(sp.TestSet(12, 13), report, undefined="exclude", strict=True).verdict == "inconsistent"
    assert (
        sp.check(sp.TestSet(12, 13), {**report, "prec": "1.000"}, undefined="one", strict=True).verdict == "consistent"
    )
    assert sp.check(sp.TestSet(12, 13), {**report, "prec": "1.000"}, strict=True).verdict == "inconsistent"


def test_balanced_accuracy_of_a_set_that_lacks_a_class() -> None:
    assert sp.check(sp.TestSet(0, 10), {"bacc": "0.900"}, strict=True).verdict == "consistent"
    assert sp.check(sp.TestSet(0, 10), {"bacc": "0.900", "spec": "0.900"}, strict=True).verdict == "consistent"
    refuted = sp.check(sp.TestSet(0, 10), {"bacc": "0.900", "spec": "0.800"}, strict=True)
    assert refuted.verdict == "inconsistent"
    assert sp.verify(refuted.certificate)
    folds = sp.MeanOfScores([sp.TestSet(0, 10), sp.TestSet(5, 5)])
    assert sp.check(folds, {"bacc": "0.850", "spec": "0.850"}, strict=True).verdict == "consistent"


def test_scores_have_treatments_of_their_own() -> None:
    """scikit-learn's precision is 0 without predicted positives; a specificity of one's own is nan, and left out."""
    folds = sp.MeanOfScores([sp.TestSet(4, 0), sp.TestSet(2, 2), sp.TestSet(2, 2)])
    report = {"ppv": "0.333", "spec": "0.750"}  # ppv 0 (0/0), 0, 1; spec left out, 1/2, 1
    assert sp.check(folds, report, rounding="nearest", strict=True).verdict == "consistent"


def test_large_sets_without_a_class() -> None:
    sets = sp.MeanOfScores([sp.TestSet(0, 1407235), sp.TestSet(50000, 1357235)])
    report = {"acc": "0.9143", "sens": "0.3775", "spec": "0.9244"}
    assert sp.check(sets, report, strict=True).verdict == "consistent"
    assert sp.check(sets, report, undefined="skip", strict=True).verdict == "consistent"
    # as zero, the other set's sensitivity is .755, and spec - sens = .5685 there: a specificity of 1.32
    for refuted in (
        sp.check(sets, report, undefined="zero", strict=True),
        sp.check(sets, {**report, "acc": "0.9543"}, strict=True),
    ):
        assert refuted.verdict == "inconsistent"
        assert sp.verify(refuted.certificate)


def test_left_out_scores_of_large_sets_are_not_refuted_by_a_corner() -> None:
    sets = sp.MeanOfScores([sp.TestSet(900, 2000), sp.TestSet(1000, 1900), sp.TestSet(800, 2100)])
    report = {"sens": ".6333", "spec": ".9882", "acc": ".8782", "mcc": ".9353"}
    assert sp.check(sets, report, undefined="skip", budget=1, strict=True).verdict != "inconsistent"
    assert sp.check(sets, report, budget=1, strict=True).verdict != "inconsistent"


def test_nested_means_leave_out_level_by_level() -> None:
    # ppv: first part 1 and 0/0 (mean 1), second part 0 and 0 (mean 0): 1/2; as one flat mean it would be 1/3
    nested = sp.MeanOfScores([sp.MeanOfScores([sp.TestSet(1, 1)] * 2), sp.MeanOfScores([sp.TestSet(1, 1)] * 2)])
    options: dict[str, Any] = {"undefined": "skip", "rounding": "nearest"}
    report = {"ppv": "0.5000", "acc": "0.3750", "sens": "0.2500"}
    assert sp.check(nested, report, **options, strict=True).verdict == "consistent"


# dropped digits


def test_a_value_without_decimals_carries_a_note() -> None:
    found = sp.reconstruct({"ppv": "0.9705", "tpr": "1", "acc": "0.5317"})
    assert found.verdict == "consistent"
    (note,) = found.notes
    assert "tpr = 1 with no decimals" in note
    assert "excludes nothing" in note
    assert "with four decimals, as the others have, it would be impossible" in note
    assert note in str(found)
    assert found.to_dict()["notes"] == [note]
    assert sp.check(sp.TestSet(50, 50), {"acc": "0.900", "sens": "0.950"}, strict=True).notes == ()
    possible = sp.check(sp.TestSet(50, 50), {"acc": "0.900", "sens": "0.9"}, strict=True)
    assert "with three decimals, as the others have, it would be possible, too" in possible.notes[0]
    shown = run("check", "--p", "50", "--n", "50", "acc=0.900", "sens=0.9").stdout
    assert "Note: read as printed: sens = 0.9 with one decimal" in " ".join(shown.split())


# folds


def test_stratified_folds_of_any_tool() -> None:
    """Odd cases of both classes on the same folds: scikit-learn before 0.22 made such."""
    sets = sp.MeanOfScores([sp.TestSet(3, 4), sp.TestSet(2, 3), sp.TestSet(2, 3)])
    others = sp.KFold(7, 10, 3)
    for tp in range(8):
        for tn in range(11):
            matrices = [(min(tp, 3), min(tn, 4)), (min(max(tp - 3, 0), 2), min(max(tn - 4, 0), 3))]
            matrices.append((tp - sum(m[0] for m in matrices), tn - sum(m[1] for m in matrices)))
            sizes = [(3, 4), (2, 3), (2, 3)]
            mean = {
                "acc": sum((a + b) / (p + n) for (a, b), (p, n) in zip(matrices, sizes, strict=True)) / 3,
                "sens": sum(a / p for (a, _), (p, _) in zip(matrices, sizes, strict=True)) / 3,
                "spec": sum(b / n for (_, b), (_, n) in zip(matrices, sizes, strict=True)) / 3,
            }
            report = {name: f"{value:.4f}" for name, value in mean.items()}
            assert sp.check(sets, report, strict=True).verdict == "consistent"
            assert sp.check(others, report, strict=True).verdict == "consistent"
    exact = sp.KFold(7, 10, 3, rule="scikit-learn")
    assert "scikit-learn" in str(exact)
    assert sp.experiment_from_dict(exact.to_dict()) == exact
    assert hash(exact) == hash(sp.experiment_from_dict(exact.to_dict()))


def test_unstratified_folds_may_lack_a_class() -> None:
    folds = sp.KFold(3, 5, 2, stratified=False)
    report = {"acc": "1.000", "sens": "1.000", "ppv": "1.000"}
    assert sp.check(folds, report, undefined="skip", strict=True).verdict == "consistent"
    # all three positives in one fold: sensitivity 2/3 there, and left out in the other
    alone = {"acc": "0.875", "sens": "0.667", "spec": "1.000"}
    assert sp.check(folds, alone, undefined="skip", rounding="nearest", strict=True).verdict == "consistent"
    both = sp.KFold(3, 5, 2, stratified=False, rule="trainable")
    refuted = sp.check(both, alone, undefined="skip", rounding="nearest", strict=True)
    assert refuted.verdict == "inconsistent"
    assert "leave each class in two of them" in sp.verify(refuted.certificate).words
    with pytest.raises(sp.ScoreproofError, match="any, trainable"):
        sp.KFold(3, 5, 2, stratified=False, rule="balanced")


def test_a_deviation_over_the_repeats() -> None:
    folds = sp.KFold(6, 6, 3, repeats=2)
    # repeats with accuracies 1, 1, 1 and 1/2, 1/2, 1/2: means 1 and 1/2
    report = {"acc": "0.750 ± 0.354"}
    over = {
        name: sp.check(folds, report, spread_over=name, divisor="sample", rounding="nearest", strict=True)
        for name in ("repeats", "folds", "any")
    }
    assert over["repeats"].verdict == "consistent"
    assert over["any"].verdict == "consistent"
    # over six folds of four cases the squares would add up to 10 sixteenths, and no such quarters do
    assert over["folds"].verdict == "inconsistent"
    with pytest.raises(sp.ScoreproofError, match="repeated folds"):
        sp.check(sp.KFold(6, 6, 3), report, spread_over="repeats", strict=True)


def test_extremes_are_over_the_direct_parts() -> None:
    nested = sp.MeanOfScores([sp.MeanOfScores([sp.TestSet(5, 5)] * 2), sp.MeanOfScores([sp.TestSet(5, 5)] * 2)])
    report: dict[str, Any] = {"acc": "0.50"}
    # the folds may be 0 and 1, the parts are then 1/2 each
    assert (
        sp.check(nested, report, minimum={"acc": "0.50"}, maximum={"acc": "0.50"}, strict=True).verdict == "consistent"
    )
    over_folds = sp.check(
        nested, report, minimum={"acc": "0.00"}, maximum={"acc": "1.00"}, extremes_over="folds", strict=True
    )
    assert over_folds.verdict == "consistent"
    assert sp.check(nested, report, minimum={"acc": "0.70"}, strict=True).verdict == "inconsistent"


def test_rounded_fold_values_widen_deviations_and_extremes() -> None:
    rng = random.Random(5)
    for _ in range(60):
        sizes = [(rng.randint(3, 9), rng.randint(3, 9)) for _ in range(3)]
        values = [round((rng.randint(0, p) + rng.randint(0, n)) / (p + n), 1) for p, n in sizes]
        mean = sum(values) / 3
        spread = math.sqrt(sum((v - mean) ** 2 for v in values) / 2)
        parts = sp.MeanOfScores([sp.TestSet(*size) for size in sizes])
        extremes = {"minimum": {"acc": f"{min(values):.1f}"}, "maximum": {"acc": f"{max(values):.1f}"}}
        found = sp.check(parts, {"acc": f"{mean:.4f} ± {spread:.4f}"}, fold_digits=1, budget=2, **extremes, strict=True)
        assert found.verdict != "inconsistent", values


@pytest.mark.parametrize(
    ("options", "words"),
    [({"fold_digits": 10**8}, "fold_digits: expected a whole number of at most 100"), ({"fold_digits": 1.5}, "whole number"),
     ({"attained": "no"}, "attained: expected True or False"), ({"spread_over": "x"}, "any, folds, repeats, parts"),
     ({"extremes_over": 3}, "parts, folds"), ({"undefined": ["any"]}, "any, exclude, zero, one, skip")],
)  # fmt: skip
def test_conventions_that_do_not_exist(options: dict[str, Any], words: str) -> None:
    with pytest.raises(sp.ScoreproofError, match=words):
        sp.check(sp.KFold(10, 10, 2, repeats=2), {"acc": "0.90 ± 0.10"}, **options, strict=True)


def test_synonyms_in_options_hold_for_extremes_and_ranges() -> None:
    parts = [sp.TestSet(10, 10)] * 2
    given_eps = {"accuracy": "0.001", "recall": "0.2"}
    found = sp.check(
        sp.MeanOfScores(parts),
        {"acc": "0.9", "sens": "0.9"},
        eps=given_eps,
        minimum={"sens": "0.70"},
        attained=False,
        strict=True,
    )
    assert found.to_dict()["minimum"][0]["eps"] == "1/5"
    ranged = sp.check(
        sp.MeanOfScores(parts, ranges={"sens": ("0.95", None)}),
        {"acc": "0.9", "sens": "0.9"},
        eps=given_eps,
        strict=True,
    )
    assert ranged.verdict == "consistent"
    single = sp.check(sp.TestSet(10, 10), {"acc": np.float32(0.9)}, eps=0.001, strict=True)
    assert (
        sp.check(sp.TestSet(10, 10), {"acc": single.claims[0].text}, eps=0.001, strict=True).verdict == single.verdict
    )
    assert Fraction(single.claims[0].text) == single.claims[0].number.value


def test_unknown_aggregation_drops_the_reading_without_parts() -> None:
    folds = sp.KFold(20, 20, 4, aggregation="unknown")
    assert len(sp.check(folds, {"acc": "0.80"}, strict=True).cases) == 2
    spread = sp.check(folds, {"acc": "0.80 ± 0.07"}, strict=True)
    assert spread.verdict == "consistent"
    assert len(spread.cases) == 1
    refuted = sp.check(folds, {"acc": "0.80 ± 0.60"}, strict=True)
    assert refuted.verdict == "inconsistent"
    assert sp.verify(refuted.certificate)
    assert len(sp.check(folds, {"acc": "0.80"}, minimum={"acc": "0.70"}, strict=True).cases) == 1


def test_an_experiment_without_any_reading_is_an_error() -> None:
    nobody = sp.ScoreOfMeans([sp.UnknownAggregation([sp.KFold(50, 50, 5)] * 2)])
    with pytest.raises(sp.ScoreproofError, match="no way to read it"):
        sp.check(nobody, {"acc": "0.9"}, strict=True)


# ranges, as the peer has them


def test_ranges_of_folds_and_of_sums() -> None:
    ranged = sp.KFold(50, 60, 5, ranges={"acc": ("0.80", "0.90")})
    assert sp.experiment_from_dict(ranged.to_dict()) == ranged
    assert sp.check(ranged, {"acc": "0.85", "sens": "0.90"}, strict=True).verdict == "consistent"
    outside = sp.check(ranged, {"acc": "0.95"}, strict=True)
    assert outside.verdict == "inconsistent"
    assert sp.verify(outside.certificate)
    parts = [sp.TestSet(39, 822), sp.TestSet(20, 880)]
    summed = sp.ScoreOfMeans(parts, ranges={"acc": (0.0, 0.5)})
    assert (
        sp.check(summed, {"acc": "0.312", "sens": "0.45", "f1": "0.05"}, budget=5, strict=True).verdict
        != "inconsistent"
    )
    beyond = sp.check(summed, {"acc": "0.612"}, strict=True)
    assert beyond.verdict == "inconsistent"
    assert sp.verify(beyond.certificate)


def test_ranges_on_sets_of_any_size() -> None:
    parts = [sp.KFold(39 * 10**6, 822 * 10**6, 5, repeats=3, aggregation="score_of_means")] * 2
    ranged = sp.MeanOfScores(parts, ranges={"acc": (0.0, 0.5), "sens": (0.2, 0.9)})
    report = {"acc": "0.312", "sens": "0.450", "spec": "0.305"}
    assert sp.check(ranged, report, strict=True).verdict == "consistent"
    assert sp.check(ranged, {**report, "acc": "0.512"}, strict=True).verdict == "inconsistent"
    extremes = {"minimum": {"acc": "0.20"}, "maximum": {"acc": "0.42"}}
    assert (
        sp.check(sp.MeanOfScores(parts), {"acc": "0.312", "sens": "0.450"}, **extremes, strict=True).verdict
        == "consistent"
    )


# one answer, and statements that say what is proved


def test_the_statement_spells_out_every_convention() -> None:
    refuted = sp.check(sp.KFold(38, 262, 5), {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, strict=True)
    statement = refuted.certificate["statement"]
    assert statement["experiment"]["rule"] == "balanced"
    assert statement["undefined"] == "any"
    for key in ("spread", "divisor", "spread_over", "minimum", "maximum", "attained", "extremes_over", "fold_digits"):
        assert key in statement
    words = sp.verify(refuted.certificate).words
    assert "any balanced class counts of the folds" in words
    assert "0/0 counts as zero, or is left out" in words


def test_readings_cannot_smuggle_in_another_statement() -> None:
    refuted = sp.check(
        sp.KFold(20, 20, 4, aggregation="unknown"), {"acc": "0.8000", "sens": "0.7000", "spec": "0.7000"}, strict=True
    )
    document = json.loads(json.dumps(refuted.certificate))
    document["proof"] = {"kind": "readings", "readings": []}
    from scoreproof_verify import digest

    document["digest"] = digest(document["kind"], document["statement"], document["proof"])
    assert not sp.verify(document)


def test_a_refutation_that_the_verifier_does_not_accept_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    # the function of the same name hides the module as an attribute of the package
    monkeypatch.setattr(sys.modules["scoreproof.checking.ask"], "verification_error", lambda *_: "Not proved: no.")
    for experiment in (sp.TestSet(100, 200), sp.KFold(38, 262, 5), sp.KFold(38, 262, 5, aggregation="unknown")):
        found = sp.check(experiment, {"acc": "0.9567", "sens": "0.8545", "spec": "0.9134"}, strict=True)
        assert found.verdict == "undecided"
        assert found.certificate is None


@pytest.mark.parametrize("points", [np.array([]), np.array([[1, 2]]), "x", {}, [3]])
def test_points_are_a_list_of_scores_whatever_the_experiment(points: Any) -> None:
    for experiment, scores in ((sp.TestSet(10, 20), {"auc": "0.9"}), (sp.KFold(10, 20, 3), {"acc": "0.9"})):
        with pytest.raises(InvalidOption, match="points: expected a list of scores"):
            sp.check(experiment, scores, points=points)


def test_digits_of_folds_may_be_a_whole_number_of_numpy() -> None:
    folds = sp.KFold(10, 20, 3)
    wide, plain = (sp.check(folds, {"acc": "0.9"}, fold_digits=digits) for digits in (np.int64(30), 30))
    assert wide.problem == plain.problem
