"""Errors of predicted numbers against trying everything: all small vectors of errors, and sharp bounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

import scoreproof as sp
from scoreproof.kinds.regression.cases import measured
from scoreproof.kinds.regression.problem import broken, regression

EXACT = Fraction(1, 10**9)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_all_small_errors(number: int) -> None:
    """No errors of so many cases break a relation, all quantities known to the last digit; and none of whole numbers."""
    for errors in combinations_with_replacement(range(-2, 4), number):
        true = [Fraction(k * k % 5) for k in range(number)]
        values = measured(tuple((1, y, y - e) for y, e in zip(true, errors, strict=True)))
        scores = {name: value for name, value in values.items() if value is not None and name not in ("rmse", "r")}
        for experiment in (sp.Regression(number), sp.Regression(), sp.Regression(number, integers=True)):
            assert broken(regression(experiment, scores, eps=EXACT)) is None, (errors, scores)


@pytest.mark.parametrize("number", [2, 3, 4, 7])
def test_mae_mse_and_max_are_met_or_refuted(number: int) -> None:
    """On a grid of quarters: whatever the three are, cases are found or it is proved that there are none.

    Few are left open: those that only errors give which all are 0 or the largest, where a fit does not come.
    """
    decided = {"consistent": 0, "inconsistent": 0, "undecided": 0}
    for mae, mse, most in product(range(1, 9), range(1, 24, 3), range(1, 12, 3)):
        scores = {"mae": Fraction(mae, 4), "mse": Fraction(mse, 4), "maxe": Fraction(most, 4)}
        answer = sp.check(sp.Regression(number), scores, eps=Fraction(1, 50), strict=True)
        decided[str(answer.verdict)] += 1
    assert min(decided["consistent"], decided["inconsistent"]) > 1
    assert decided["undecided"] <= 2


def test_the_least_and_the_largest_square_are_those_of_a_grid() -> None:
    """Of three errors on a grid with a given sum and largest one, squares lie between the ends, and the upper is met."""
    seen: dict[tuple[int, int], set[int]] = {}
    for errors in combinations_with_replacement(range(7), 3):
        seen.setdefault((sum(errors), max(errors)), set()).add(sum(e * e for e in errors))
    for (total, most), squares in seen.items():
        if not total:
            continue
        for square, outside in ((max(squares), 1), (min(squares), -1)):
            scores = {"mae": Fraction(total, 3), "maxe": Fraction(most), "mse": Fraction(square, 3)}
            assert broken(regression(sp.Regression(3), scores, eps=EXACT)) is None
            if outside == 1:
                beyond = scores | {"mse": Fraction(square, 3) + Fraction(1, 100)}
                assert broken(regression(sp.Regression(3), beyond, eps=EXACT)) is not None, (total, most, square)
