"""What holds for every power analysis: no false alarms, undecided apart, the same result however it is computed."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoreproof.checking import Verdict
from scoreproof.checking.check import check
from scoreproof.insight import power_analysis as simulation
from scoreproof.insight.deviations import (
    LastDigit,
    OtherAggregation,
    OtherCounts,
    OtherExperiment,
    Oversampling,
    SwappedColumns,
    deviation_of,
)
from scoreproof.insight.outcomes import PlausibleClassifier
from scoreproof.insight.power_analysis import power
from scoreproof.insight.strength_of_pass import strength
from scoreproof.kinds.binary.experiment import (
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
)
from scoreproof.kinds.binary.scores import score

NAMES = ["acc", "sens", "spec", "ppv", "npv", "f1", "f2", "mcc", "gm", "kappa", "bacc", "lrp", "dor", "pt", "err"]
counts = st.integers(min_value=1, max_value=30)
names = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True)
rules = st.sampled_from(["any", "nearest", "floor", "ceil"])


def experiments() -> st.SearchStrategy[Experiment]:
    sets = st.builds(TestSet, counts, counts)
    few = st.lists(sets, min_size=1, max_size=3)
    stratified = st.builds(
        KFold,
        st.integers(4, 20),
        st.integers(4, 20),
        st.integers(2, 4),
        st.integers(1, 2),
        st.booleans(),
        st.sampled_from(["mean_of_scores", "score_of_means", "unknown"]),
    )
    return st.one_of(sets, stratified, few.map(MeanOfScores), few.map(ScoreOfMeans), few.map(UnknownAggregation))


@given(experiments(), names, st.integers(0, 4), rules, st.sampled_from(["any", "plausible"]), st.integers(0, 99))
@settings(max_examples=25)
def test_without_a_deviation_nothing_is_noticed(
    experiment: Experiment, reported: list[str], digits: int, rounding: str, classifier: str, seed: int
) -> None:
    for exact in (None, False):
        found = power(
            experiment,
            reported,
            digits,
            deviation="none",
            rounding=rounding,
            classifier=classifier,
            seed=seed,
            trials=3,
            exact=exact,
            jobs=1,
            budget=0.2,
            undefined="zero",
        )
        assert found.power == 0
        assert found.unchanged_share == pytest.approx(1)


@given(names, st.integers(1, 4), st.data())
def test_the_chances_of_what_is_printed_add_up(reported: list[str], digits: int, data: st.DataObject) -> None:
    scores = tuple(score(name) for name in reported)
    scale = 10**digits
    units = tuple(data.draw(st.integers(0, scale)) for _ in scores)
    deviations = [LastDigit(), LastDigit(reported[0]), deviation_of("none")]
    if len(scores) > 1:
        deviations += [SwappedColumns(), SwappedColumns(reported[0], reported[1])]
    for deviation in deviations:
        alternatives = deviation.altered(units, scores, scale)
        assert sum(chance for chance, _ in alternatives) == pytest.approx(1)
        if isinstance(deviation, LastDigit):
            for _, after in alternatives:
                assert sum(abs(a - b) for a, b in zip(after, units, strict=True)) == 1
                assert all(one.range[1] is None or u <= scale for one, u in zip(scores, after, strict=True))
                assert all(u >= (one.range[0] or 0) * scale for one, u in zip(scores, after, strict=True))
        if isinstance(deviation, SwappedColumns):
            assert all(sorted(after) == sorted(units) for _, after in alternatives)


def test_the_number_of_processes_does_not_matter() -> None:
    options: dict[str, Any] = {"deviation": "other aggregation", "trials": 24, "seed": 5, "rounding": "nearest"}
    alone = power(KFold(p=11, n=17, k=3), ["acc", "f1", "npv"], [1, 2], jobs=1, **options)
    shared = power(KFold(p=11, n=17, k=3), ["acc", "f1", "npv"], [1, 2], jobs=2, **options)
    assert alone.to_dict() == shared.to_dict()
    assert 0 < alone[2].power < 1
    other = power(KFold(p=11, n=17, k=3), ["acc", "f1", "npv"], [1, 2], jobs=1, **(options | {"seed": 6}))
    assert [one.noticed for one in other] != [one.noticed for one in alone]


def test_undecided_is_never_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks of some trials gave up."""
    verdicts = ["inconsistent"] * 3 + ["undecided"] * 4 + ["consistent"] * 3

    def told(_: Any, wanted: list[simulation.Kept]) -> list[simulation.Trial]:
        return [simulation.Trial(digits, number, Verdict(verdicts[number])) for (digits, number), _ in wanted]

    monkeypatch.setattr(simulation, "_run", told)
    found = power(TestSet(20, 30), "acc", 2, trials=10, jobs=1, exact=False)
    assert (found.noticed, found.undecided, found.power) == (3, 4, 0.3)
    assert found.low < 0.3
    assert found.high > 0.7
    assert "4 undecided" in str(found)


def test_checks_that_run_out_of_time_are_undecided() -> None:
    found = power(
        KFold(p=38, n=262, k=5, stratified=False),
        ["acc", "sens", "spec", "f1", "mcc"],
        2,
        deviation="none",
        trials=3,
        budget=1e-6,
        jobs=1,
    )
    assert found.noticed == 0
    assert found.undecided == 3
    assert found.high == 1


@given(st.integers(0, 60), st.floats(0, 0.9), st.floats(0.05, 1))
def test_the_outcomes_of_a_plausible_classifier_are_a_distribution(cases: int, low: float, width: float) -> None:
    weights = PlausibleClassifier(low, min(1.0, low + width)).weights(cases)
    assert np.all(weights >= -1e-15)
    assert weights.sum() == pytest.approx(1)


def test_other_counts_are_noticed_more_often_the_more_digits() -> None:
    curve = power(TestSet(40, 60), ["acc", "sens", "spec"], [1, 2, 3], deviation=OtherCounts(p=41), rounding="nearest")
    found = [point.power for point in curve]
    assert found == sorted(found)
    assert found[0] < 0.1
    assert found[-1] > 0.9


def test_the_experiment_performed() -> None:
    folds = KFold(p=10, n=20, k=5)
    added = KFold(p=10, n=20, k=5, aggregation="score_of_means")
    parts = [TestSet(3, 4), TestSet(5, 6)]
    assert OtherAggregation().performed(folds) == added
    assert OtherAggregation().performed(added) == folds
    assert OtherAggregation().performed(MeanOfScores(parts)) == ScoreOfMeans(parts)
    assert OtherAggregation().performed(ScoreOfMeans(parts)) == MeanOfScores(parts)
    assert OtherAggregation().performed(MeanOfScores([folds])) == ScoreOfMeans([added])
    assert Oversampling().performed(MeanOfScores(parts)) == MeanOfScores([TestSet(4, 4), TestSet(6, 6)])
    assert Oversampling(to=25).performed(TestSet(30, 20)) == TestSet(30, 25)
    assert OtherCounts(n=7).performed(folds) == KFold(p=10, n=7, k=5)
    assert OtherExperiment(added).performed(folds) == added


def test_the_grade_waits_for_enough_draws() -> None:
    folds = check(KFold(38, 262, 5), {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, strict=True)
    few, many = strength(folds, draws=3), strength(folds, draws=400, budget=60)
    assert (few.fraction, few.grade) == (0, "unclear")
    assert "too few were tried" in str(few)
    assert many.grade == "strong"
    assert strength(check(TestSet(75, 304), {"acc": "0.9"}, strict=True)).grade == "weak"


@given(counts, counts, names, st.integers(1, 3), rules, st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_a_true_report_lies_among_those_that_pass(
    p: int, n: int, reported: list[str], digits: int, rounding: str, luck: random.Random
) -> None:
    tp, tn = luck.randint(0, p), luck.randint(0, n)
    how = rounding if rounding in ("floor", "ceil") else "nearest"
    texts = {name: score(name).text(tp, n - tn, p - tp, tn, digits=digits, rounding=how) for name in reported}
    if any(text is None for text in texts.values()) or any(abs(Fraction(text)) > 1 for text in texts.values() if text):
        return
    found = strength(check(TestSet(p, n), {k: v for k, v in texts.items() if v}, rounding=rounding, strict=True))
    assert 0 < found.low <= found.fraction <= found.high <= 1
    assert found.exact
    assert found.fraction * found.reports == pytest.approx(round(found.fraction * found.reports))
