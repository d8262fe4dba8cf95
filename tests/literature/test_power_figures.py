"""Figures 3 and 5 of Fazekas and Kovács (2024, doi:10.1016/j.asoc.2024.111993), and what the text says of them."""

from __future__ import annotations

from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from itertools import product

import pytest

from scoreproof.insight.deviations import LastDigit, OtherExperiment, Oversampling
from scoreproof.insight.power_analysis import power
from scoreproof.kinds.binary.experiment import KFold, TestSet

SKIN = {"ISIC 2016": (75, 304), "ISIC 2017 melanoma": (117, 483), "ISIC 2017 keratosis": (90, 510)}
SCORES = ["acc", "sens", "spec"]
TPEHG = KFold(p=38, n=262, k=5, stratified=False)


@pytest.mark.parametrize("name", SKIN)
def test_figure_5_from_three_digits_on_every_slip_is_noticed(name: str) -> None:
    curve = power(TestSet(*SKIN[name]), SCORES, [3], deviation=LastDigit("acc"), rounding="nearest")
    assert all(point.exact and point.power == 1 for point in curve)


def test_figure_5_at_two_digits_agrees_with_a_list_of_all_reports() -> None:
    p, n = SKIN["ISIC 2016"]
    cent = Decimal("0.01")
    true, passing = [], set()
    for tp, tn in product(range(p + 1), range(n + 1)):
        values = [Decimal(tp + tn) / (p + n), Decimal(tp) / p, Decimal(tn) / n]
        up, down = ([v.quantize(cent, rule) for v in values] for rule in (ROUND_HALF_UP, ROUND_HALF_DOWN))
        true.append(tuple(up))
        passing |= set(product(*zip(up, down, strict=True)))
    missed = Decimal(0)
    for acc, sens, spec in true:
        slips = [slip for slip in (acc - cent, acc + cent) if 0 <= slip <= 1]
        missed += Decimal(sum((slip, sens, spec) in passing for slip in slips)) / len(slips)
    found = power(TestSet(p, n), SCORES, 2, deviation=LastDigit("acc"), rounding="nearest")
    assert found.power == pytest.approx(1 - float(missed) / len(true), abs=1e-12)
    assert 0.72 < found.power < 0.73


def test_figure_5_a_numerical_tolerance_has_the_pattern_of_the_dip() -> None:
    """An interval widened by 10^-6 loses a little for 379 cases at 4 digits, and nothing elsewhere."""
    found = {
        (name, digits): power(
            TestSet(*counts), SCORES, digits, deviation=LastDigit("acc"), eps=f"{5 * 10 ** (5 - digits) + 1}e-6"
        ).power
        for name, counts, digits in [("ISIC 2016", SKIN["ISIC 2016"], 3), *((*one, 4) for one in SKIN.items())]
    }
    assert 0.98 < found.pop(("ISIC 2016", 4)) < 0.995
    assert set(found.values()) == {1.0}


@pytest.mark.parametrize(
    ("digits", "rounding", "expected"), [(4, "any", 0.93), (4, "nearest", 0.97), (3, "nearest", 0.70)]
)
def test_figure_3_accuracy_alone(digits: int, rounding: str, expected: float) -> None:
    """All stated folds hold 60 cases, so 300 acc is a whole number: as for one test set of 300."""
    truth = KFold(p=262, n=262, k=5, stratified=False)
    found = power(
        TestSet(38, 262), "acc", digits, deviation=OtherExperiment(truth), rounding=rounding, trials=1000, jobs=1
    )
    assert not found.exact
    assert found.undecided == 0
    assert found.power == pytest.approx(expected, abs=0.04)


def test_figure_3_four_digits_notice_far_more_than_printed() -> None:
    found = power(TPEHG, SCORES, 4, deviation="oversampling", rounding="nearest", trials=40, jobs=1, budget=0.5)
    assert found.low > 0.8
    assert found.setting.performed == KFold(p=262, n=262, k=5, stratified=False)


def test_oversampling_to_the_stated_number() -> None:
    """Section 5.2: a paper that raised the positives to p' = 244."""
    assert Oversampling(to=244).performed(TPEHG) == KFold(p=244, n=262, k=5, stratified=False)
