"""Whatever the report: conflicts are minimal and proved, repairs and fitting assumptions have a witness."""

from __future__ import annotations

from itertools import combinations, islice
from typing import Any

import pytest
from benchmarks.bench_explain import fifteen_scores, restores
from benchmarks.slips import slipped_reports
from hypothesis import given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.checking import answer as certificate
from scoreproof.checking.answer import Fit
from scoreproof.insight.explanation import explain, explain_table
from scoreproof.insight.repairs import Slip
from scoreproof.kinds.binary.reasons import broken_identity

NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "bacc", "gm")
ACCUSING = ("fraud", "fake", "cheat", "fabricat", "manipulat", "dishonest", "wrongdoing", "misconduct")


@st.composite
def reports(draw: st.DrawFn) -> tuple[sp.TestSet, dict[str, str]]:
    p, n = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    digits = draw(st.integers(1, 4))
    units = [draw(st.integers(0, 10**digits)) for _ in names]
    return sp.TestSet(p, n), {name: f"{one / 10**digits:.{digits}f}" for name, one in zip(names, units, strict=True)}


@given(reports())
@settings(max_examples=60, deadline=None)
def test_conflicts_are_minimal_and_proved(case: tuple[sp.TestSet, dict[str, str]]) -> None:
    experiment, scores = case
    result = sp.check(experiment, scores, strict=True)
    found = explain(result, assumptions=False)
    assert bool(found.conflicts) == (result.verdict is sp.Verdict.INCONSISTENT)
    for conflict in found.conflicts:
        assert sp.verify(conflict.certificate)
        for left_out in conflict.scores:
            rest = {name: scores[name] for name in conflict.scores if name != left_out}
            assert not rest or sp.check(experiment, rest, strict=True).verdict is sp.Verdict.CONSISTENT


@given(reports())
@settings(max_examples=40, deadline=None)
def test_every_repair_fits(case: tuple[sp.TestSet, dict[str, str]]) -> None:
    experiment, scores = case
    for repair in explain(sp.check(experiment, scores, strict=True), assumptions=False).repairs:
        mended = {**scores, **{change.score: change.repaired for change in repair.changes}}
        assert mended != scores
        assert sp.check(experiment, mended, strict=True).verdict is sp.Verdict.CONSISTENT
        assert repair.witness is not None
        for name, text in mended.items():
            one = sp.report(name, text)
            signs = [one.score.compare(*repair.witness.matrix.cells, end) for end in (one.low, one.high)]
            if signs == [None, None]:  # 0/0 counts as zero
                assert one.low <= 0 <= one.high
                continue
            assert signs[0] in (0, 1)
            assert signs[1] in (0, -1)


@given(reports())
@settings(max_examples=15, deadline=None)
def test_the_words_accuse_nobody(case: tuple[sp.TestSet, dict[str, str]]) -> None:
    experiment, scores = case
    found = explain(sp.check(experiment, scores, strict=True), budget=1.0)
    words = f"{found} {found.to_json()}".lower()
    assert not [one for one in ACCUSING if one in words]
    for finding in found.findings:
        assert not finding.repair or "would fit" in finding.repair


def test_the_true_value_is_among_the_first_repairs() -> None:
    """A small run of what ``python -m benchmarks explain`` measures on 2,000 slips."""
    detected = recovered = 0
    for case in islice(slipped_reports(7), 120):
        result = sp.check(case.test_set, case.printed, rounding=case.rounding, strict=True)
        if result.verdict is sp.Verdict.INCONSISTENT:
            detected += 1
            repairs = explain(result, assumptions=False).repairs[:5]
            recovered += any(restores(repair, case) for repair in repairs)
    assert detected > 80
    assert recovered >= 0.8 * detected


def test_a_true_report_under_the_true_assumption_fits() -> None:
    """Scores averaged over both classes are found out, and the oversampled size among those searched."""
    p, n, raised = 21, 50, 34
    tp, tn = 25, 41
    cells = (tp, n - tn, raised - tp, tn)
    scores = {name: sp.score(name).text(*cells, digits=4) for name in ("acc", "sens", "spec", "ppv")}
    result = sp.check(sp.TestSet(p, n), scores, strict=True)
    assert result.verdict is sp.Verdict.INCONSISTENT
    (searched,) = result.explain(assumptions=["oversampled to any size"], budget=30).hypotheses
    assert searched.answer is Fit.FITS
    assert f"p raised from {p} to {raised}" in searched.fitting


def test_a_small_budget_gives_a_part_and_says_so() -> None:
    result = sp.check(
        sp.KFold(38, 262, 5, stratified=False), {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}, strict=True
    )
    found = explain(result, budget=0.05)
    assert found.untried
    assert not found.complete
    assert "Not decided in time" in str(found)


def test_nothing_to_explain() -> None:
    found = sp.check(sp.TestSet(10, 20), {"acc": "0.9"}, strict=True).explain()
    assert not found.conflicts
    assert not found.repairs
    assert found.summary.startswith("Nothing to explain")
    assert explain_table({"A": sp.check(sp.TestSet(10, 20), {"acc": "0.9"}, strict=True)}).explains_all == ()


def test_options_of_the_check_are_kept() -> None:
    """A repair holds under the rounding, the extremes and the conventions the report was checked with."""
    folds = sp.MeanOfScores([sp.TestSet(10, 10)] * 3)
    result = sp.check(
        folds, {"acc": "0.871"}, rounding="nearest", minimum={"acc": "0.80"}, maximum={"acc": "0.95"}, strict=True
    )
    assert result.verdict is sp.Verdict.INCONSISTENT
    found = result.explain(assumptions=False)
    assert found.repairs
    for repair in found.repairs:
        if repair.slip is not Slip.ROUNDING:
            mended = {change.score: change.repaired for change in repair.changes}
            again = sp.check(
                folds, mended, rounding="nearest", minimum={"acc": "0.80"}, maximum={"acc": "0.95"}, strict=True
            )
            assert again.verdict is sp.Verdict.CONSISTENT


def test_many_scores_leave_time_for_the_repair() -> None:
    found = sp.check(sp.TestSet(1000, 6000), fifteen_scores(), strict=True).explain(assumptions=False)
    assert str(found.repairs[0]) == "mcc = 0.2980 instead of 0.2080 (one digit changed)"
    assert all("mcc" in conflict.scores for conflict in found.conflicts)


def test_a_share_is_counted_in_the_cases_it_is_a_share_of() -> None:
    found = sp.check(sp.TestSet(30, 20), {"err": "0.071"}, strict=True).explain(assumptions=False)
    assert found.headline == "err 0.071 is not possible with 50 cases: 3 of 50 is 0.060, 4 of 50 is 0.080"


def test_one_matrix_is_tried_for_a_mean_with_its_deviation_left_out() -> None:
    """Scores of the added matrices, said to be means: the other way of averaging fits once the ± is set aside."""
    cells = (25, 9, 6, 41)
    scores = {name: f"{sp.score(name).text(*cells, digits=4)} ± 0.0310" for name in ("acc", "sens", "spec")}
    result = sp.check(sp.KFold(31, 50, 2), scores, strict=True)
    assert result.verdict is sp.Verdict.INCONSISTENT
    (tried,) = result.explain(assumptions=["aggregation"]).hypotheses
    assert tried.fitting == ("matrices of the folds added, then scored (± and extremes left out)",)


def test_assumptions_are_known_by_name() -> None:
    result = sp.check(sp.TestSet(10, 20), {"acc": "0.91234"}, strict=True)
    with pytest.raises(sp.ScoreproofError, match=r"assumptions: expected .* got oversampeld"):
        result.explain(assumptions=["oversampeld"])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"hypotheses": {"mine": 3}}, "expected an experiment for 'mine', got 3"),
        ({"hypotheses": None}, "hypotheses: expected a mapping from names to experiments, got None"),
        ({"oversampled": 244}, "oversampled: expected a list of sizes"),
        ({"catalogue": "drive"}, "catalogue: expected a list of names"),
        ({"budget": "5"}, "budget: expected a positive number of seconds, got '5'"),
        ({"hypotheses": [3]}, "expected a mapping from names to experiments"),
        ({"oversampled": ["many"]}, "oversampled: expected a whole number of at least 1, got 'many'"),
        ({"oversampled": [-3]}, "oversampled: expected a whole number of at least 1, got -3"),
        ({"catalogue": ["drvie"]}, "did you mean drive"),
    ],
)
def test_nothing_is_silently_ignored(wrong: dict[str, object], words: str) -> None:
    result = sp.check(sp.TestSet(10, 20), {"acc": "0.91234"}, strict=True)
    with pytest.raises(sp.ScoreproofError, match=words):
        result.explain(**wrong)


def test_only_results_are_explained() -> None:
    with pytest.raises(sp.ScoreproofError, match="expected the result of check or reconstruct, got int"):
        explain(3)
    for wrong in ([], {"A": 3}):
        with pytest.raises(sp.ScoreproofError, match="expected a mapping from row labels to results"):
            explain_table(wrong)


@pytest.mark.parametrize("budget", [0, -1, float("nan")])
def test_a_budget_is_positive(budget: float) -> None:
    result = sp.check(sp.TestSet(10, 20), {"acc": "0.91234"}, strict=True)
    with pytest.raises(sp.ScoreproofError, match="budget"):
        result.explain(budget=budget)


@given(st.integers(1, 80), st.integers(1, 80), st.data())
@settings(max_examples=150, deadline=None)
def test_no_rule_is_broken_by_a_true_report(p: int, n: int, data: st.DataObject) -> None:
    """A true matrix, scored and cut by any rule, breaks none of the rules that explanations quote."""
    tp, tn = data.draw(st.integers(0, p)), data.draw(st.integers(0, n))
    digits = data.draw(st.integers(1, 4))
    cells = (tp, n - tn, p - tp, tn)
    texts = {}
    for name in (*NAMES, "bm", "mk", "fm", "ji", "f1n", "err", "fnr", "fpr"):
        rule = data.draw(st.sampled_from(("nearest", "floor", "ceil")))
        text = sp.score(name).text(*cells, digits=digits, rounding=rule)
        if text is not None:
            texts[name] = text
    read = [sp.report(name, text) for name, text in texts.items()]
    folds = sp.MeanOfScores([sp.TestSet(p, n)] * 3)
    pairs = [one for one in read if one.name not in ("err", "fnr", "fpr")]
    for reported in (pairs, [one for one in read if one.name not in ("acc", "sens", "spec")]):
        for experiment in (None, sp.TestSet(p, n), folds):
            some = (scores for size in (1, 2, 3) for scores in combinations(reported, size))
            assert not any(broken_identity(scores, experiment) for scores in some)


@pytest.mark.parametrize(
    "scores",
    [
        {"Acc": "0.6801", "NPV": "0.9401", "F1": "0.4004"},
        {
            "Acc": "0.91",
            "Sens": "0.52",
            "Spec": "0.63",
            "PPV": "0.11",
            "NPV": "0.12",
            "F1": "0.95",
            "MCC": "0.99",
            "Kappa": "-0.5",
        },
    ],
)
def test_only_what_is_told_is_verified(scores: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """One failing row: hundreds of trials rank repairs and assumptions; its verdict and its conflicts are verified."""
    verified: list[str] = []

    def counted(kind: str, *rest: Any) -> str:
        verified.append(kind)
        return accepts(kind, *rest)

    accepts = certificate.accepts
    monkeypatch.setattr(certificate, "accepts", counted)
    specification = {
        "datasets": {"cases": {"p": 1000, "n": 6000}},
        "experiments": {"test": {"dataset": "cases"}},
        "tables": [{"experiment": "test", "grid": [["Method", *scores], ["A", *scores.values()]]}],
    }
    row = sp.audit(specification, jobs=1, explain=True, strength=True).tables[0].rows[0]
    assert row.explanation is not None
    assert row.explanation.conflicts
    assert 1 <= len(verified) <= 20
    monkeypatch.undo()
    assert all(sp.verify(conflict.certificate) for conflict in row.explanation.conflicts)
