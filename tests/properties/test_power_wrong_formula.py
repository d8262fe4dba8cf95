"""A score implemented wrongly, as a deviation whose power can be asked for."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as some

from scoreproof import TestSet as Cases
from scoreproof.errors import ScoreproofError
from scoreproof.insight.deviations import WrongFormula, deviation_of
from scoreproof.insight.power_analysis import power
from scoreproof.kinds.binary.scores import score


@given(some.integers(0, 1000), some.integers(0, 1000), some.integers(0, 1000))
def test_wrong_means_are_the_nearest_printed_ones(f1: int, ppv: int, sens: int) -> None:
    scores = tuple(score(name) for name in ("f1", "ppv", "sens"))
    reports = WrongFormula("f1").altered((f1, ppv, sens), scores, 1000)
    assert sum(chance for chance, _ in reports) == pytest.approx(1)
    printed = {units[0] for _, units in reports}
    for value in (1000 - f1, (ppv + sens) / 2, sqrt(ppv * sens)):
        near = min(printed | {f1}, key=lambda unit: abs(unit - value))
        assert abs(near - value) <= 0.5
    assert all(units[1:] == (ppv, sens) for _, units in reports)


def test_it_is_noticed_where_other_scores_tell() -> None:
    stated = Cases(p=100, n=300)
    alone = power(stated, ["acc"], deviation=WrongFormula("acc"), digits=3)
    together = power(stated, ["acc", "sens", "spec"], deviation="wrong formula", digits=3)
    assert together.power > 0.9
    assert alone.power < together.power
    assert str(deviation_of("wrong formula")) == "one score by a wrong formula"


def test_a_score_without_a_wrong_formula() -> None:
    with pytest.raises(ScoreproofError, match="wrong formula: expected"):
        WrongFormula("mcc").altered((40,), (score("mcc"),), 100)
    assert WrongFormula("acc").altered((50,), (score("acc"),), 100) == ((1.0, (50,)),)
