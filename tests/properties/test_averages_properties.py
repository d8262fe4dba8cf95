"""Properties of checks of means: altered proofs are rejected, options mean what they say, edges are handled."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from benchmarks.fuzz_averages import judge_true, true_reports
from benchmarks.tiny_means import judge, reports
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

import scoreproof as sp
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.averages.columns import build
from scoreproof.kinds.binary.engine.averages.constraints import TooManyPoints
from scoreproof.kinds.binary.experiment import stratified_folds
from scoreproof.kinds.binary.scores import Surd
from scoreproof.work.budget import NEVER
from scoreproof_verify import digest

FIVE = sp.MeanOfScores([sp.TestSet(20, 40), *[sp.TestSet(20, 41)] * 2, *[sp.TestSet(21, 40)] * 2])
LARGE = sp.MeanOfScores([sp.TestSet(30_000 + 7 * k, 200_000 + 11 * k) for k in range(4)])


def test_true_reports_are_never_flagged() -> None:
    answers = Counter(judge_true(report, budget=0.5) for report in itertools.islice(true_reports(seed=11), 60))
    assert set(answers) <= {"consistent", "undecided"}
    assert answers["consistent"] > 20


def test_tiny_reports_are_decided_as_trying_everything_does() -> None:
    answers = Counter(judge(report) for report in itertools.islice(reports(seed=11), 150))
    assert set(answers) == {"consistent", "inconsistent"}
    assert min(answers.values()) > 30


@given(st.integers(2, 9), st.integers(0, 60), st.integers(0, 60))
def test_stratified_folds_are_those_of_scikit_learn(k: int, more_p: int, more_n: int) -> None:
    p, n = k + more_p, k + more_n
    labels = [1] * p + [0] * n
    made = Counter(
        (sum(labels[i] for i in test), sum(1 - labels[i] for i in test))
        for _, test in StratifiedKFold(k).split(labels, labels)
    )
    assert made == Counter(stratified_folds(p, n, k))


@given(st.integers(1, 400), st.integers(1, 400), st.fractions(min_value=-3, max_value=3, max_denominator=50))
def test_square_roots_add_up_exactly(a: int, b: int, c: Fraction) -> None:
    one, two = Surd.root(Fraction(a, b)), Surd.root(Fraction(b, a))
    assert (one * two).sign(Fraction(1)) == 0
    assert (one * one + Surd.rational(c)).sign(Fraction(a, b) + c) == 0
    value = (a / b) ** 0.5 + (b / a) ** 0.5 - float(c)
    if abs(value) > 1e-9:
        assert (one + two).sign(c) == (1 if value > 0 else -1)


def test_irrational_scores_that_cancel_are_no_problem() -> None:
    """Two folds with opposite correlations average to 0 exactly, which is the border of the reported interval."""
    report = {"mcc": "0.1"}
    result = sp.check(sp.MeanOfScores([sp.TestSet(2, 3), sp.TestSet(2, 3)]), report, rounding="any", strict=True)
    assert result.verdict == "consistent"
    exact = sp.check(
        sp.MeanOfScores([sp.TestSet(2, 3), sp.TestSet(3, 2)]), {"mcc": "0.0", "acc": "0.5"}, eps="0", strict=True
    )
    assert exact.verdict == "consistent"


def _certificates() -> dict[str, dict[str, Any]]:
    """One certificate of each kind of proof about means."""
    results = {
        "totals": sp.check(FIVE, {"acc": "0.8000", "sens": "0.7000", "spec": "0.7000"}, strict=True),
        "columns": sp.check(FIVE, {"acc": "0.8000", "f1": "0.4000", "mcc": "0.5000"}, strict=True),
        "spread": sp.check(FIVE, {"acc": "0.8000 ± 0.6000"}, strict=True),
        "extremes": sp.check(FIVE, {"f1": "0.800"}, minimum={"f1": "0.900"}, strict=True),
        "unknown folds": sp.check(
            sp.KFold(38, 262, 5, stratified=False), {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, strict=True
        ),
        "readings": sp.check(
            sp.UnknownAggregation(FIVE.parts), {"acc": "0.8000", "f1": "0.4000", "mcc": "0.5000"}, strict=True
        ),
        "large": sp.check(LARGE, {"acc": "0.9500", "f1": "0.4000", "mcc": "0.9000"}, strict=True),
        "ranges": sp.check(sp.MeanOfScores(FIVE.parts, ranges={"acc": ("0.1", "0.5")}), {"acc": "0.80"}, strict=True),
    }
    for name, result in results.items():
        assert result.verdict == "inconsistent", name
    return {name: result.certificate for name, result in results.items()}


CERTIFICATES = _certificates()


@pytest.mark.parametrize("kind", CERTIFICATES)
def test_certificates_hold(kind: str) -> None:
    verification = sp.verify(CERTIFICATES[kind])
    assert verification
    assert verification.words.startswith("Proved: no")


def _proof(certificate: dict[str, Any]) -> dict[str, Any]:
    return certificate["proof"]


def _no_steps(certificate: dict[str, Any]) -> None:
    proof = _proof(certificate)
    for key in ("steps", "cases"):
        if key in proof:
            proof[key] = []
    if certificate["statement"]["experiment"].get("ranges") or "minimum" in certificate["statement"]:
        proof["steps"] = [["out"]]  # these are closed without a step


def _loosen(certificate: dict[str, Any]) -> None:
    statement = certificate["statement"]
    for one in statement["scores"]:
        one.pop("rounding", None)
        one.update(text="0.5", eps="0.5")
    statement.pop("minimum", None)
    statement["experiment"].pop("ranges", None)


ALTERATIONS = {
    "no proof": _no_steps,
    "everything allowed": _loosen,
    "another kind": lambda c: _proof(c).update(kind="rectangles"),
    "unknown kind": lambda c: _proof(c).update(kind="oracle"),
    "a score too many": lambda c: c["statement"]["scores"].append({"score": "acc", "text": "0.5", "rounding": "any"}),
    "unknown key": lambda c: c["statement"].update(note="trust me"),
    "no experiment": lambda c: c["statement"].update(experiment={}),
    "unknown rounding": lambda c: c["statement"]["scores"][0].update(rounding="up"),
    "one set": lambda c: c["statement"].update(experiment={"type": "testset", "p": 100, "n": 200}),
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
@pytest.mark.parametrize("kind", CERTIFICATES)
def test_altered_certificates_are_rejected_even_if_resealed(kind: str, alteration: str) -> None:
    altered = copy.deepcopy(CERTIFICATES[kind])
    ALTERATIONS[alteration](altered)
    assert altered != CERTIFICATES[kind]
    assert not sp.verify(altered)
    altered["digest"] = digest(altered["kind"], altered["statement"], altered["proof"])
    assert not sp.verify(altered)


def _dropped(steps: list[Any], at: int) -> None:
    del steps[at % len(steps)]


@given(st.sampled_from(["totals", "columns", "unknown folds"]), st.integers(0, 10**6), st.integers(0, 10**6))
@settings(max_examples=60)
def test_a_dropped_or_zeroed_step_is_noticed(kind: str, at: int, how: int) -> None:
    altered = copy.deepcopy(CERTIFICATES[kind])
    proof = _proof(altered)
    steps = proof["steps"] if "steps" in proof else proof["cases"][0]["steps"]
    step = steps[at % len(steps)]
    if how % 2 or not isinstance(step[-1], list):
        _dropped(steps, at)
    else:
        step[-1] = [0] * len(step[-1])
    assert not sp.verify(altered)


def test_groups_must_hold_alike_sets() -> None:
    altered = copy.deepcopy(CERTIFICATES["columns"])
    groups = _proof(altered)["groups"]
    groups[0], groups[1] = groups[0] + groups[1][:1], groups[1][1:]
    altered["digest"] = digest(altered["kind"], altered["statement"], altered["proof"])
    assert not sp.verify(altered)


def test_nested_means_weigh_data_sets_equally() -> None:
    small, big = sp.KFold(20, 20, 2), sp.KFold(20, 20, 10)
    nested = sp.MeanOfScores([small, big])
    assert (
        sp.check(nested, {"acc": "0.75", "sens": "0.50", "spec": "1.00"}, rounding="nearest", strict=True).verdict
        == "consistent"
    )
    assert sp.check(nested, {"acc": "0.9"}, strict=True).verdict == "consistent"
    pooled = sp.MeanOfScores([sp.ScoreOfMeans([sp.TestSet(5, 5), sp.TestSet(7, 9)]), sp.TestSet(3, 3)])
    assert sp.check(pooled, {"f1": "1.000", "acc": "1.000"}, rounding="nearest", strict=True).verdict == "consistent"


def test_ranges_bound_every_part() -> None:
    parts = [sp.TestSet(20, 40)] * 3
    assert (
        sp.check(sp.MeanOfScores(parts, ranges={"f1": ("0.70", None)}), {"f1": "0.60"}, strict=True).verdict
        == "inconsistent"
    )
    assert (
        sp.check(sp.MeanOfScores(parts, ranges={"f1": ("0.50", "0.70")}), {"f1": "0.60"}, strict=True).verdict
        == "consistent"
    )
    inner = sp.MeanOfScores([sp.MeanOfScores(parts), sp.MeanOfScores(parts)], ranges={"f1": ("0.59", "0.61")})
    assert sp.check(inner, {"f1": "0.60", "acc": "0.70"}, strict=True).verdict == "consistent"
    assert sp.check(inner, {"f1": "0.70"}, strict=True).verdict == "inconsistent"


def test_extremes_as_bounds_or_attained() -> None:
    parts = sp.MeanOfScores([sp.TestSet(10, 10)] * 3)
    report = {"acc": "0.900"}
    assert sp.check(parts, report, minimum={"acc": "0.20"}, rounding="nearest", strict=True).verdict == "inconsistent"
    assert (
        sp.check(parts, report, minimum={"acc": "0.20"}, attained=False, rounding="nearest", strict=True).verdict
        == "consistent"
    )
    assert sp.check(parts, report, minimum={"acc": "0.80"}, rounding="nearest", strict=True).verdict == "consistent"


def test_what_follows_a_plus_minus() -> None:
    parts = sp.MeanOfScores([sp.TestSet(10, 10)] * 4)
    wide = {"acc": "0.700 ± 0.320"}
    assert sp.check(parts, wide, divisor="population", strict=True).verdict != "undecided"
    assert sp.check(parts, {"acc": "0.700 ± 0.600"}, strict=True).verdict == "inconsistent"
    assert sp.check(parts, {"acc": "0.700 ± 0.600"}, spread="ignore", strict=True).verdict == "consistent"
    # four accuracies 1, 1, 0.4, 0.4: deviation 0.3 (population) or 0.3464 (sample), standard error 0.15 or 0.1732
    assert (
        sp.check(parts, {"acc": "0.7000 ± 0.3464"}, divisor="sample", rounding="nearest", strict=True).verdict
        == "consistent"
    )
    assert (
        sp.check(parts, {"acc": "0.7000 ± 0.1732"}, spread="error", rounding="nearest", strict=True).verdict
        == "consistent"
    )
    assert sp.check(parts, {"acc": "0.9990 ± 0.3464"}, strict=True).verdict == "inconsistent"


def test_means_of_values_that_were_rounded_themselves() -> None:
    parts = sp.MeanOfScores([sp.TestSet(3, 4)] * 3)
    report = {"acc": "0.7133"}  # 5/7 = 0.714 printed as 0.71, 0.71, 0.72
    assert sp.check(parts, report, rounding="nearest", strict=True).verdict == "inconsistent"
    assert sp.check(parts, report, rounding="nearest", fold_digits=2, strict=True).verdict == "consistent"


def test_undefined_scores_in_folds() -> None:
    folds = sp.MeanOfScores([sp.TestSet(0, 5), sp.TestSet(2, 3)])
    assert sp.check(folds, {"sens": "0.50"}, undefined="exclude", strict=True).verdict == "inconsistent"
    assert sp.check(folds, {"sens": "0.50"}, strict=True).verdict == "consistent"
    assert sp.check(folds, {"sens": "0.75"}, strict=True).verdict == "inconsistent"
    assert sp.check(folds, {"sens": "0.75"}, undefined="one", strict=True).verdict == "consistent"
    assert sp.check(folds, {"sens": "0.50"}, undefined="skip", strict=True).verdict == "consistent"
    assert sp.check(folds, {"sens": "0.50"}, undefined="zero", strict=True).verdict == "consistent"
    assert sp.check(folds, {"sens": "0.75"}, undefined="zero", strict=True).verdict == "inconsistent"
    assert sp.check(folds, {"sens": "0.75"}, undefined="skip", strict=True).verdict == "inconsistent"


def test_unknown_aggregation_is_consistent_if_one_reading_is() -> None:
    parts = [sp.TestSet(10, 10), sp.TestSet(10, 90)]
    # mean of accuracies 1 and 0.5 is 0.75; of the summed matrix (20 + 50) / 120
    either = sp.check(
        sp.UnknownAggregation(parts), {"acc": "0.5833", "sens": "1.0000"}, rounding="nearest", strict=True
    )
    assert either.verdict == "consistent"
    assert [one.verdict for one in either.cases].count("inconsistent") <= 1
    folds = sp.KFold(38, 262, 5, aggregation="unknown")
    assert len(sp.check(folds, {"acc": "0.9"}, strict=True).cases) == 2


def test_repeats_and_hundreds_of_folds() -> None:
    assert (
        sp.check(
            sp.KFold(500, 500, 100, repeats=3), {"acc": "0.90", "sens": "0.85", "spec": "0.95"}, strict=True
        ).verdict
        == "consistent"
    )
    assert (
        sp.check(
            sp.KFold(500, 500, 100, repeats=3), {"acc": "0.90", "sens": "0.85", "spec": "0.85"}, strict=True
        ).verdict
        == "inconsistent"
    )
    unknown = sp.KFold(12, 18, 3, repeats=2, stratified=False)
    assert sp.check(unknown, {"acc": "0.9333", "sens": "0.9000"}, budget=20, strict=True).verdict != "undecided"


def test_squares_of_values_too_large_to_list_are_left_to_others() -> None:
    """Odds ratios of large sets, squared, leave no digits to tell sums by."""
    parts = [sp.KFold(1167, 801, 3), sp.TestSet(323, 192), sp.KFold(792, 309, 3), sp.KFold(404, 256, 2)]
    scores = {"dor": "13.621 ± 11.078", "upm": "0.703 ± 0.121"}
    kind = kind_named("binary")
    problem = kind.problem(sp.MeanOfScores(parts), scores, divisor="population", spread_over="folds")
    with pytest.raises(TooManyPoints):
        build(kind._constraints(problem), NEVER)


def test_folds_of_a_million() -> None:
    parts = sp.MeanOfScores([sp.TestSet(10**6, 10**6 + k) for k in range(3)])
    assert sp.check(parts, {"acc": "0.9000", "f1": "0.8950"}, budget=20, strict=True).verdict == "consistent"
    refuted = sp.check(parts, {"acc": "0.9000", "f1": "0.5000"}, budget=20, strict=True)
    assert refuted.verdict == "inconsistent"


@pytest.mark.parametrize(
    ("options", "words"),
    [({"spread": "sd"}, "deviation, error, ignore"), ({"divisor": "n"}, "population"), ({"budget": 0}, "budget"),
     ({"fold_digits": -1}, "fold_digits"), ({"minimum": {"nonsense": "0.5"}}, "no score is called")],
)  # fmt: skip
def test_options_that_mean_nothing(options: dict[str, Any], words: str) -> None:
    with pytest.raises(sp.ScoreproofError, match=words):
        sp.check(FIVE, {"acc": "0.80 ± 0.01"}, **options, strict=True)
