"""Where nothing could have refuted a report, nothing does: whatever is printed instead."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import scoreproof as sp
from scoreproof.checking import ask
from scoreproof.insight.printed_boxes import region
from scoreproof.insight.strength_of_pass import could_fail
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes import kind as free
from scoreproof.work.budget import Budget

ANY, CURVES = sp.UnknownClasses(), {"auc"}
FOLDS = sp.KFold(p=40, n=260, k=5)


def problem(experiment: object, scores: dict[str, str], **options: object) -> Problem:
    asked: Problem = sp.check(experiment, scores, budget=2.0, **options, strict=True).problem  # type: ignore[arg-type]
    return asked


def verdicts(asked: Problem, reports: int = 40, seed: int = 0) -> set[str]:
    """Of random reports of the same quantities and digits, within 1 of each value."""
    near, rng = region(asked.claims, Fraction(2)), np.random.default_rng(seed)
    return {
        str(ask(asked.with_claims(near.report(near.draw(rng))), budget=Budget.of_work(0.2)).verdict)
        for _ in range(reports)
    }


@pytest.mark.parametrize("names", [sorted(names) for names in free._FREE], ids=" ".join)
@pytest.mark.parametrize("digits", [1, 3])
def test_scores_that_do_not_bound_each_other_are_never_refuted(names: list[str], digits: int) -> None:
    asked = problem(ANY, dict.fromkeys(names, f"{0.5:.{digits}f}"))
    assert not could_fail(asked)
    assert "inconsistent" not in verdicts(asked, 25)
    if not CURVES & {*names}:
        covered = {*names} & {"acc", "sens", "spec", "ppv", "npv", "f1", "ji"}
        average = problem(sp.AverageOf(), dict.fromkeys(sorted(covered), f"{0.5:.{digits}f}"))
        assert not could_fail(average)
        assert "inconsistent" not in verdicts(average, 10)


@pytest.mark.parametrize(
    ("experiment", "scores"),
    [
        (sp.TestSet(75, 304), {"acc": "0.86"}),
        (sp.TestSet(75, 304), {"sens": "0.51", "fpr": "0.06"}),
        (sp.TestSet(75, 40), {"f1": "0.51"}),
        (sp.TestSet(75, 40), {"mcc": "0.51"}),
        (sp.TestSet(900, 4000), {"ppv": "0.511"}),
        (sp.TestSet(75, 304), {"auc": "0.512"}),
        (sp.TestSet(3, 2), {"acc": "1"}),
        (FOLDS, {"acc": "0.94"}),
        (sp.UnknownClasses(total=200), {"acc": "0.91"}),
        (sp.MultiClass([50, 60, 70]), {"acc": "0.91"}),
        (sp.Regression(100), {"rmse": "2.13"}),
        (sp.Regression(), {"mae": "2.13", "r2": "0.41"}),
        (sp.Detection(), {"ap50": "0.513"}),
    ],
)
def test_what_could_not_fail_does_not(experiment: object, scores: dict[str, str]) -> None:
    asked = problem(experiment, scores)
    assert not could_fail(asked)
    assert "inconsistent" not in verdicts(asked)


@pytest.mark.parametrize(
    ("experiment", "scores", "options"),
    [
        (sp.TestSet(75, 304), {"acc": "0.855"}, {}),
        (sp.TestSet(75, 304), {"acc": "0.86", "sens": "0.51"}, {}),
        (sp.TestSet(20, 304), {"sens": "0.50", "spec": "0.94"}, {}),
        (sp.TestSet(75, 40), {"f1": "0.511"}, {}),
        (sp.TestSet(3, 2), {"auc": "0.50"}, {}),
        (sp.TestSet(900, 4000), {"kappa": "0.51"}, {}),
        (FOLDS, {"acc": "0.9433"}, {}),
        (FOLDS, {"sens": "0.95 ± 0.04"}, {}),
        (FOLDS, {"acc": "0.94"}, {"minimum": {"acc": "0.90"}}),
        (ANY, {"acc": "0.91", "f1": "0.81"}, {}),
        (ANY, {"sens": "0.91", "ppv": "0.81", "f1": "0.86"}, {}),
        (ANY, {"auc": "0.91", "sens": "0.81", "spec": "0.86"}, {}),
        (ANY, {"acc": "1.00", "sens": "1.00"}, {"rounding": "floor"}),
        (sp.UnknownClasses(prevalence="0.20"), {"sens": "0.91", "ppv": "0.81"}, {}),
        (sp.Regression(), {"rmse": "0.91", "mae": "0.81"}, {}),
        (sp.Detection(), {"ap50": "0.51", "ap75": "0.40"}, {}),
    ],
)
def test_what_could_fail_is_said_to(experiment: object, scores: dict[str, str], options: dict[str, object]) -> None:
    assert could_fail(problem(experiment, scores, **options))


def test_values_do_not_matter() -> None:
    for p, n in product((9, 60, 700), repeat=2):
        told = {could_fail(problem(sp.TestSet(p, n), {"acc": text})) for text in ("0.00", "0.50", "1.00")}
        assert told == {p + n < 50}
