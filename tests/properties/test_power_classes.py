"""Power and strength of checks on several classes: what nobody altered is never noticed."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.deviations import LastDigit, OtherExperiment
from scoreproof.insight.power_result import Power

FARM = sp.MultiClass({"cat": 12, "dog": 9, "cow": 6})


def powered(scores: Any = ("acc", "macro f1", "kappa"), digits: int = 3, **options: Any) -> Power:
    given = {"trials": 8, "jobs": 1, "classifier": "plausible", "rounding": "nearest", "budget": 5.0} | options
    return sp.power(given.pop("experiment", FARM), list(scores), digits, **given)


@pytest.mark.parametrize("rounding", ["nearest", "floor", "any"])
@pytest.mark.parametrize("undefined", ["exclude", "zero", "skip"])
def test_true_reports_are_never_noticed(rounding: str, undefined: str) -> None:
    scores = ("acc", "sens", "macro ppv", "weighted f1", "mcc", "kappa")
    found = powered(scores, 4, deviation="none", rounding=rounding, undefined=undefined, classifier="any", trials=12)
    assert found.noticed == 0
    assert found.unchanged == 12


def test_a_slip_of_many_digits_is_noticed() -> None:
    few, many = powered(("acc", "sens"), 1), powered(("acc", "sens"), 4)
    assert few.power < many.power > 0.5
    assert many.undecided == 0
    assert Power.from_dict(many.to_dict()) == many
    assert powered(("acc", "sens"), 4).noticed == many.noticed  # trials follow from the seed


def test_other_experiments_and_named_scores() -> None:
    other = OtherExperiment(sp.MultiClass({"cat": 11, "dog": 9, "cow": 7}))
    assert powered(("acc", "sens"), 4, deviation=other).power > 0.5
    assert powered(("acc", "sens"), 2, deviation=LastDigit("recall of dog"), trials=12).power > 0.5
    folds = powered(("acc",), 4, experiment=sp.KFold(counts=[10, 15, 5], k=5), trials=6)
    assert folds.power > 0.5  # the mean accuracy of folds of one size is a whole number of cases


def test_what_is_not_of_several_classes_is_refused() -> None:
    for deviation in ("oversampling", "other aggregation"):
        with pytest.raises(InvalidOption, match="several classes"):
            powered(deviation=deviation)
    with pytest.raises(ScoreproofError):
        powered(("acc", "auc"))
    with pytest.raises(InvalidOption, match="exact"):
        powered(exact=True)
    with pytest.raises(InvalidOption, match="macro f2"):
        powered(beta=2)


def test_the_strength_of_a_pass_is_sampled() -> None:
    answer = sp.check(
        FARM, {"acc": "0.852", "sens": ["0.833", "0.889", "0.833"], "ppv": ["0.833", None, None]}, strict=True
    )
    found = sp.strength(answer, budget=20, draws=20)
    assert (found.method, found.draws) == ("random reports", 20)
    assert found.fraction < 0.2
