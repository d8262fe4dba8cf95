"""Whenever the time runs out, the answer is right or "undecided", and nothing long is begun afterwards.

No test looks at the real clock: time here passes by the look, so that every run is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import scoreproof as sp
from scoreproof.insight.explanation import explain_table
from scoreproof.insight.strength_of_pass import strength
from scoreproof.kinds.binary.engine.averages import branch_and_bound
from scoreproof.kinds.binary.engine.averages.columns import Model, build
from scoreproof.kinds.binary.engine.averages.constraints import Constraints, Undefined
from scoreproof.kinds.binary.engine.averages.reading import constraints_of
from scoreproof.kinds.binary.experiment import normal_form
from scoreproof.kinds.binary.problem import Averages
from scoreproof.reported import read_scores
from scoreproof.solve.linear_programs import BoxProgram
from scoreproof.work import budget as module
from scoreproof.work.budget import NEVER, Budget, OutOfTime


class Clock:
    """One second passes with every look."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        self.now += 1.0
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def wanted(experiment: sp.Experiment, scores: dict[str, str]) -> Constraints:
    return constraints_of(normal_form(experiment), read_scores(scores), Averages(), Undefined.EXCLUDE)


def model(experiment: sp.Experiment, scores: dict[str, str]) -> Model:
    return build(wanted(experiment, scores))


FOLDS = sp.MeanOfScores([sp.TestSet(7, 9), sp.TestSet(8, 9), sp.TestSet(8, 8)])
TRUE = {"acc": "0.7745", "f1": "0.7640", "mcc": "0.5521"}  # tp, tn of 5, 7; 6, 8; 7, 5
FALSE = {"acc": "0.7745", "f1": "0.7640", "mcc": "0.4521"}
UNKNOWN = sp.KFold(p=9, n=14, k=3, stratified=False)


def test_parts_of_a_deadline(clock: Clock) -> None:
    due = Budget(100)
    assert Budget.of(due) is due
    assert Budget.of(3.0).seconds == 3.0
    assert due.part(0.5).seconds == 50
    assert due.within(5).seconds == 5
    assert due.within(5000).seconds == 100
    assert due.moment(7).seconds == 7
    assert due.longer(3) is due
    clock.now += 200
    assert due.passed
    assert due.left() == due.time_left() == 0
    assert due.moment(7).seconds == 0.01
    assert due.longer(3).seconds == 3
    assert due.within(5).passed
    with pytest.raises(OutOfTime):
        due.tick()
    assert not NEVER.passed


def test_parts_are_counted_in_work_and_only_the_whole_in_time(clock: Clock) -> None:
    due = Budget(1e9)
    part = due.within(2.0)
    clock.now += 1e6  # a slow machine
    assert not part.passed
    due.charge(1.5)
    assert part.left() == pytest.approx(0.5, abs=0.01)
    assert not part.passed
    part.charge(1.0)
    assert part.passed
    assert part.left() == 0
    assert not due.passed
    due.charge(2e9)  # a fast one: more work than was thought to fit
    assert not due.passed
    assert due.part(0.5).seconds >= 1e9
    alone = Budget.of_work(100.0)
    parts = [alone.within(5), alone.part(0.5).moment(5)]
    clock.now += 500  # a part has no clock of its own
    assert not any(part.passed for part in (alone, *parts))
    alone.charge(5)
    assert all(part.passed for part in parts)
    clock.now += 1e6
    assert alone.passed
    shared = Budget(100.0).part(0.2)
    clock.now += 55
    assert not shared.passed
    clock.now += 10  # three times as slow: the other parts come first
    assert shared.passed


@pytest.mark.parametrize(
    ("experiment", "scores", "settled"),
    [
        (FOLDS, TRUE, "witness"),
        (FOLDS, FALSE, "proof"),
        (UNKNOWN, {"acc": "0.7817", "f1": "0.6801"}, None),
        (sp.MeanOfScores([sp.TestSet(40, 60)] * 4), {"f1": "0.8121", "mcc": "0.6809", "ppv": "0.8400"}, None),
    ],
)
def test_a_search_may_stop_at_any_look(
    clock: Clock, experiment: sp.Experiment, scores: dict[str, str], settled: str | None
) -> None:
    made = model(experiment, scores)
    answers = set()
    for looks in [*range(1, 40), *range(40, 400, 23), 1_500]:
        found = branch_and_bound.TreeSearch(made).run(Budget(float(looks)))
        assert (found.witness is None) or (found.proof is None)
        if found.witness is not None:
            assert made.constraints.fits(found.witness)
            answers.add("witness")
        elif found.proof is not None:
            answers.add("proof")
        else:
            assert found.reason.endswith("left open")
    assert answers <= {settled or "witness", settled or "proof"}
    assert settled is None or answers == {settled}


def test_a_deadline_handed_down_is_the_one_that_counts(clock: Clock) -> None:
    due = Budget(50.0)
    clock.now += 60.0  # as if the model had taken that long
    found = branch_and_bound.TreeSearch(model(FOLDS, TRUE)).run(due)
    assert found.witness is None
    assert found.proof is None
    assert found.reason == "0 nodes of the search tree, 1 left open"


def test_matches_are_not_judged_after_the_end(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    made = model(FOLDS, {"acc": "0.8"})  # a wide interval: thousands of combinations match
    node = branch_and_bound.root(made)
    judged: list[float] = []

    def never(self: Constraints, matrices: Any) -> bool:
        judged.append(clock.now)
        return False

    monkeypatch.setattr(Constraints, "fits", never)
    start = clock.now
    with pytest.raises(OutOfTime):
        branch_and_bound.enumerate_node(made, node, Budget(100.0))
    assert 0 < len(judged) <= 100
    assert max(judged) <= start + 102
    judged.clear()
    assert branch_and_bound.enumerate_node(made, node) is None
    assert len(judged) > 1_000


@pytest.mark.parametrize(
    "work",
    [
        lambda made, due: branch_and_bound.enumerate_node(made, branch_and_bound.root(made), due),
        lambda made, due: branch_and_bound.NodeProgram(made, branch_and_bound.root(made), due),
    ],
    ids=["meet in the middle", "relaxation"],
)
def test_nothing_begins_after_the_end(clock: Clock, work: Callable[[Model, Budget], object]) -> None:
    made = model(FOLDS, TRUE)
    work(made, NEVER)
    due = Budget(1.0)
    clock.now += 5.0
    with pytest.raises(OutOfTime):
        work(made, due)


def test_a_program_without_time_is_not_taken_for_solved() -> None:
    row = programs_row([3, -2], 1, 1)
    program = BoxProgram([row])
    assert program.solve([0, 0], [9, 9], inside=0.0).y is None
    for _ in range(3):
        with pytest.raises(OutOfTime):
            program.solve([0, 0], [5, 6], inside=0.0, deadline=Budget(0.0))
        # the solver's own clock goes on from run to run: a later run has all its time
        assert program.solve([0, 0], [9, 9], inside=0.0, deadline=Budget(60.0)).y is None


def programs_row(a: list[int], low: int, high: int) -> Any:
    from scoreproof.solve.integer_rows import IntegerRow

    return IntegerRow(tuple(a), low, high, (1,))


@pytest.mark.parametrize("budget", [1.0, 5.0, 20.0, 80.0, 300.0, 3_000.0])
def test_explanations_and_strengths_stop_at_any_look(clock: Clock, budget: float) -> None:
    result = sp.check(
        sp.TestSet(p=100, n=600), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"}, budget=1e9, strict=True
    )
    assert result.verdict == "inconsistent"
    why = result.explain(budget=budget)
    assert why.conflicts  # the report itself is one
    assert all(sp.verify(conflict.certificate) for conflict in why.conflicts)
    for repair in why.repairs:
        mended = {one.name: one.text for one in result.claims} | {c.score: c.repaired for c in repair.changes}
        assert sp.check(sp.TestSet(p=100, n=600), mended, budget=1e9, strict=True).verdict == "consistent"
    assert why.untried or budget > 20
    folds = sp.check(FOLDS, TRUE, budget=1e9, strict=True)
    strong = strength(folds, budget=budget)
    assert 0 <= strong.low <= strong.fraction <= strong.high <= 1
    assert strong.draws <= budget
    if not strong.draws:
        assert "nothing can be said" in strong.words


def test_tables_stop_at_any_look(clock: Clock) -> None:
    stated = sp.KFold(p=30, n=60, k=5, aggregation=sp.Aggregation.SCORE_OF_MEANS)
    rows = {"A": {"acc": "0.787", "sens": "0.700"}, "B": {"acc": "0.853", "sens": "0.750"}}
    results = {name: sp.check(stated, row, budget=1e9, strict=True) for name, row in rows.items()}
    tried = []
    for budget in (2.0, 10.0, 40.0, 200.0, 2_000.0):
        found = explain_table(results, oversampled=[60], budget=budget)
        assert found.inconsistent == ("A", "B")
        for one in found.hypotheses:
            assert set(one.fits) | set(one.open) == {"A", "B"}
            assert not set(one.fits) & set(one.open)
        tried.append(found.tried)
    assert tried == sorted(tried)
    assert tried[0] < tried[-1]


def test_sets_by_the_thousand_are_counted() -> None:
    found = sp.check(sp.MeanOfScores([sp.TestSet(1, 1)] * 2000), {"acc": "0.91", "sens": "0.80"}, strict=True)
    assert strength(found, budget=Budget.of_work(0.2)).draws <= 3  # at a tenth of a second each
