"""Totals divided by planes, combinations that meet, averages over both classes: true proofs hold, altered ones do not."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import certificate_of, sealed

import scoreproof as sp
from scoreproof.checking import ask
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.assumptions import averaged
from scoreproof.solve.meet_in_the_middle import Matches
from scoreproof.work.budget import NEVER
from scoreproof_verify.formulas import rule
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.branching import Sums, meeting

THIN = sp.KFold(203, 797, 3)
SCORES = {"acc": "0.7235", "bacc": "0.7731", "sens": "0.8573"}


@pytest.mark.parametrize(
    ("experiment", "scores"),
    [
        (sp.KFold(502, 503, 10), {"acc": "0.7463", "sens": "0.6513", "spec": "0.8409"}),
        (sp.KFold(2503, 2502, 10), {"acc": "0.6951", "sens": "0.5993", "spec": "0.7910"}),
        (sp.KFold(10003, 9997, 5), {"acc": "0.793", "sens": "0.733", "spec": "0.851"}),
    ],
)
def test_totals_in_a_thin_body_are_found(experiment: sp.Experiment, scores: dict[str, str]) -> None:
    assert sp.check(experiment, scores, budget=30, strict=True).verdict == "consistent"


def test_a_score_that_others_explain_is_refuted_without_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The accuracy of twelve unlike sets lies far from the mean of sensitivity and specificity by their sizes."""
    monkeypatch.setattr("scoreproof.solve.linear_programs.BoxProgram.solve", lambda *_, **__: pytest.fail("a program"))
    sets = sp.MeanOfScores([sp.TestSet(30_000 + 301 * k, 200_000 + 1_003 * k) for k in range(12)])
    answer = sp.check(sets, {"acc": "0.9101", "sens": "0.7512", "spec": "0.9703", "bacc": "0.8608"}, strict=True)
    document = certificate_of(answer)
    assert [step for step, *_ in document["proof"]["cases"][0]["steps"]] == ["out"]
    assert sp.verify(document)


def test_a_proof_by_planes_holds_and_altered_ones_do_not() -> None:
    answer = sp.check(THIN, SCORES, rounding="nearest", budget=30, strict=True)
    document = certificate_of(answer)
    assert sp.verify(document)
    steps = document["proof"]["cases"][0]["steps"]
    planes = [at for at, step in enumerate(steps) if step[0] == "plane"]
    assert planes

    def altered(at: int, step: Any) -> Any:
        proof = {**document["proof"], "cases": [{**document["proof"]["cases"][0], "steps": list(steps)}]}
        proof["cases"][0]["steps"][at : at + 1] = step
        return sp.verify(sealed("binary", document["statement"], proof))

    for at in planes:
        _, g, b = steps[at]
        assert not altered(at, [])
        assert not altered(at, [["plane", g, b + 10**9]])
        assert not altered(at, [["plane", g[:-1], b]])
        assert not altered(at, [["plane", [0.5, *g[1:]], b]])


@given(data=some.data())
@settings(max_examples=150)
def test_the_pairs_that_meet_are_those_of_all_pairs(data: some.DataObject) -> None:
    rows, first, second = data.draw(some.integers(1, 4)), data.draw(some.integers(1, 9)), data.draw(some.integers(1, 9))
    size = data.draw(some.sampled_from((3, 50, 10**6, 1 << 40)))
    rng = np.random.default_rng(data.draw(some.integers(0, 10**6)))

    def drawn(count: int) -> Sums:
        low = rng.integers(-size, size, (count, rows))
        return Sums(low, low + rng.integers(0, max(2, size // 4), (count, rows)))

    one, other = drawn(first), drawn(second)
    least = rng.integers(-2 * size, 2 * size, rows)
    most = least + rng.integers(-1, size, rows)
    ranges = [
        (i, j)
        for i in range(first)
        for j in range(second)
        if (one.low[i] + other.low[j] <= most).all() and (one.high[i] + other.high[j] >= least).all()
    ]
    by_row = [Sums(sums.low.T, sums.high.T) for sums in (one, other)]
    assert _pairs(meeting(*by_row, least, most, Patience(60))) == ranges
    points = [
        (i, j)
        for i in range(first)
        for j in range(second)
        if (one.low[i] + other.low[j] <= most).all() and (one.low[i] + other.low[j] >= least).all()
    ]
    floats = [np.asarray(x, dtype=np.float64) for x in (one.low.T, other.low.T, least, most)]
    assert _pairs(Matches(*floats).portions(NEVER)) == points


def _pairs(portions: Iterable[tuple[Any, Any]]) -> list[tuple[int, int]]:
    return sorted(pair for i, j in portions for pair in zip(i.tolist(), j.tolist(), strict=True))


@pytest.mark.parametrize("kind", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("name", ["ppv", "npv", "f1", "spec"])
def test_averages_over_both_classes_are_the_same_to_the_verifier_and_decided_over_folds(kind: str, name: str) -> None:
    # a class that is never predicted has no precision, and what a program then averages is not said by "any"
    undefined = "exclude" if name in ("ppv", "npv") else "any"
    problem = kind_named("binary").problem(sp.KFold(40, 60, 5), {name: "0.550", "acc": "0.820"}, undefined=undefined)
    claims = averaged(problem.claims, kind)
    if claims is None:
        return  # micro: both are the accuracy
    score = claims[0].score
    known = rule(score.name)
    assert known is not None
    for p in range(1, 6):
        for n in range(1, 6):
            for tp in range(p + 1):
                for tn in range(n + 1):
                    ours, theirs = score.ratio(tp, n - tn, p - tp, tn), known.ratio(tp, tn, p, n)
                    assert (ours[1] == 0) == (theirs[1] == 0)
                    assert ours[1] == 0 or Fraction(*ours) == Fraction(*theirs)
    answer = ask(problem.with_claims(claims), budget=30)
    assert answer.verdict == "inconsistent"


@pytest.mark.parametrize(
    ("sets", "auc", "ties"),
    [
        ([(5, 7), (2, 8), (2, 4), (3, 8), (3, 9)], "0.314", True),
        ([(6, 5), (6, 3), (4, 6), (3, 9), (2, 1)], "0.77", False),
    ],
)
def test_rows_too_long_for_floats_are_left_to_others(sets: list[tuple[int, int]], auc: str, ties: bool) -> None:
    experiment = sp.MeanOfScores([sp.TestSet(*each) for each in sets])
    answer = sp.check(experiment, {"auc": auc}, rounding="nearest", undefined="zero", ties=ties, budget=3, strict=True)
    assert answer.verdict is not sp.Verdict.INCONSISTENT
