"""Costs of all four cells, and budgets."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as some

from scoreproof import ConfusionMatrix, reinterpret
from scoreproof.errors import ScoreproofError
from scoreproof.insight.rankings import corners_of, read_costs, within
from scoreproof.insight.reconstructing import reconstruct
from scoreproof.kinds.unknown_classes.experiment import Range

PRICES = some.dictionaries(some.sampled_from(["tp", "fp", "fn", "tn"]), some.integers(-5, 20).filter(bool), min_size=1)


@given(PRICES, some.sampled_from([("0.80", "0.75"), ("0.9", "0.8"), ("0.67", "0.5")]))
def test_the_range_holds_every_matrix_that_fits(prices: dict[str, int], printed: tuple[str, str]) -> None:
    p, n = 12, 20
    scores = dict(zip(("acc", "sens"), printed, strict=True))
    found = reconstruct(scores, p=p, n=n)
    costs = read_costs(prices)
    assert costs is not None
    fits = [
        (costs.tp * tp + costs.fp * (n - tn) + costs.fn * (p - tp) + costs.tn * tn) / (p + n)
        for tp in range(p + 1)
        for tn in range(n + 1)
        if abs(Fraction(tp + tn, p + n) - Fraction(printed[0])) < Fraction(1, 10 ** (len(printed[0]) - 2))
        and abs(Fraction(tp, p) - Fraction(printed[1])) < Fraction(1, 10 ** (len(printed[1]) - 2))
    ]
    if found.verdict != "consistent":
        assert not fits
        return
    span = costs.over(corners_of(found))
    assert fits
    assert span.high is not None
    assert all(span.low <= value <= span.high for value in fits)


def test_costs_of_correct_calls_change_the_ranking() -> None:
    eager = ConfusionMatrix(tp=95, fp=60, fn=5, tn=40)
    timid = ConfusionMatrix(tp=80, fp=10, fn=20, tn=90)
    errors_only = reinterpret({"eager": eager, "timid": timid}, costs={"fn": 10, "fp": 1})
    assert errors_only.costs[0].method == "eager"
    treated = reinterpret({"eager": eager, "timid": timid}, costs="fn=10, fp=1, tn=-3")
    assert treated.costs[0].method == "timid"
    assert treated.to_dict()["cell_costs"] == {"tp": 0, "fp": 1, "fn": 10, "tn": -3}
    ratio = reinterpret({"eager": eager, "timid": timid}, cost_ratio=10)
    assert [row.method for row in ratio.costs] == [row.method for row in errors_only.costs]


def test_budgets() -> None:
    a, b = ConfusionMatrix(tp=95, fp=60, fn=5, tn=40), ConfusionMatrix(tp=80, fp=10, fn=20, tn=90)
    found = reinterpret({"a": a, "b": b}, costs={"fn": 10, "fp": 1}, cost_budget="0.6")
    assert found.affordable == {"a": "certainly", "b": "certainly not"}
    assert "within a budget of 0.6 per case: a certainly; b certainly not" in str(found)
    assert within(Range(Fraction(1), Fraction(3)), Fraction(2)) == "possibly"


@pytest.mark.parametrize(
    "options",
    [
        {"costs": {"fx": 1}},
        {"costs": {}},
        {"costs": {"fn": "much"}},
        {"costs": {"fn": 0}},
        {"costs": {"fn": 1}, "cost_ratio": 2},
        {"cost_budget": 1},
        {"costs": "fn=10", "cost_budget": "some"},
    ],
)
def test_bad_costs_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ScoreproofError, match=r"expected|all are 0"):
        reinterpret({"a": ConfusionMatrix(1, 2, 3, 4), "b": ConfusionMatrix(2, 1, 4, 3)}, **options)
