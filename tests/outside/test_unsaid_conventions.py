"""Conventions that nobody stated: what they make of impossible reports, on every surface, and what they do not excuse."""

from __future__ import annotations

import json
from importlib import import_module

import pandas as pd
import pytest
from benchmarks.unsaid import CONVENTIONS, Practice, reports
from benchmarks.unsaid.altered import PLAIN, altered
from typer.testing import CliRunner

import scoreproof as sp
from scoreproof.checking.answer import Fit
from scoreproof.checking.check import VariantFit, outcomes
from scoreproof.cli import check as _registered  # noqa: F401
from scoreproof.cli.app import app
from scoreproof.kinds import kind_named, kind_names
from scoreproof.kinds.conventions import Convention, Frequency, conventions_of, registry
from scoreproof.reported.conventions import conventions, told
from scoreproof.work.budget import Budget

WIDE = (sp.KFold(p=50, n=50, k=5), {"acc": "0.900 ± 0.400"})
ENTRIES = {convention.name: convention for convention in registry()}
RARE = {name for name, entry in ENTRIES.items() if entry.frequency is Frequency.RARE}
SLOW = (
    "±",
    "fold",
    "mask",
    "without cases",
    "weighted F1",
    "others means",
    "mean precision and recall",
)  # means, labels
QUICK = [practice for practice in CONVENTIONS if not any(word in practice.what for word in SLOW)]


@pytest.mark.parametrize("entry", registry(), ids=lambda entry: entry.name)
def test_an_entry_is_complete(entry: Convention) -> None:
    assert entry.label
    assert entry.by
    assert entry.confirmed
    assert set(entry.kinds) <= set(kind_names())
    assert set(entry.settled_by) <= set(conventions())
    if entry.change:
        module, _, function = entry.change.partition(":")
        assert callable(getattr(import_module(f"scoreproof.kinds.{module}"), function))
    else:
        assert entry.note, "what changes nothing says why"


def test_names_are_unique_and_every_practice_has_an_entry() -> None:
    assert len(ENTRIES) == len(registry())
    assert len(CONVENTIONS) == 63
    assert {practice.entry for practice in CONVENTIONS} <= set(ENTRIES)


@pytest.mark.parametrize("practice", QUICK, ids=lambda practice: f"{practice.kind}: {practice.what}")
def test_true_reports_are_not_called_impossible(practice: Practice) -> None:
    """One of each that is quick; ``python -m benchmarks conventions`` asks more."""
    if practice.entry not in RARE:
        assert "inconsistent" not in [report.verdict(strict=False) for report in reports(practice, 1, seed=1)]


def test_altered_reports_stay_impossible() -> None:
    """What conventions must not excuse: of one test set, and of a printed matrix."""
    for name in ("binary: acc, sens, spec of a test set", "binary: acc, ppv, sens, f1 of a test set"):
        verdicts = [report.verdict(strict=False) for report in altered(name, 30)]
        assert verdicts.count("inconsistent") >= 4 * verdicts.count("question")
    assert set(PLAIN) >= {name}


def test_a_question_is_impossible_as_stated() -> None:
    answer = sp.check(*WIDE)
    assert (answer.verdict, answer.verdict.impossible, answer.witness) == ("question", True, None)
    assert sp.verify(answer.certificate or {})
    assert answer.condition.startswith("it fits only if the ± is two standard deviations, or if the ± is another")
    assert str(answer).startswith("question: acc = 0.900 ± 0.400 cannot come from 5 stratified folds")
    fitting = [tried for tried in answer.conventions if tried.answer is Fit.FITS]
    assert {tried.name for tried in fitting} == {"two deviations", "another spread"}
    assert all(tried.witness is not None for tried in fitting)
    assert sp.Answer.from_dict(json.loads(json.dumps(answer.to_dict()))) == answer


@pytest.mark.parametrize("stated", [{"strict": True}, {"spread": "deviation"}], ids=str)
def test_stating_a_convention_narrows(stated: dict) -> None:
    answer = sp.check(*WIDE, **stated)
    assert answer.verdict == "inconsistent"
    assert not {tried.name for tried in answer.conventions} & {"two deviations", "standard error"}


def test_an_inconsistent_answer_says_what_was_tried() -> None:
    answer = sp.check(sp.TestSet(1000, 6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    assert answer.verdict == "inconsistent"
    assert {tried.answer for tried in answer.conventions} == {Fit.DOES_NOT_FIT}
    assert "unsaid conventions do not help: classes exchanged, macro averages" in str(answer)


def test_explanations_try_the_same_registry() -> None:
    answer = sp.check(*WIDE)
    tried = {hypothesis.name for hypothesis in answer.explain(budget=2).hypotheses}
    assert {"classes exchanged", "standard error"} & tried
    known = {convention.name for convention in conventions_of(answer.problem, rare=True)}
    assert tried <= known | {"catalogue"}


def test_the_witness_of_a_convention_holds_under_it() -> None:
    problem = kind_named(WIDE[0].kind).problem(*WIDE)
    fitting: dict[str, VariantFit] = {}
    for convention in conventions_of(problem):
        for tried in outcomes(problem, convention, Budget(5)):
            if tried.answer is Fit.FITS:
                fitting.setdefault(convention.name, tried)
    assert list(fitting) == ["two deviations", "another spread"]
    assert {*fitting} & {each.name for each in conventions_of(problem, told({"spread": "deviation"}))} == set()
    for tried in fitting.values():
        assert kind_named(tried.variant.problem.kind).holds(tried.variant.problem, tried.witness)


def test_nothing_left_to_test_is_a_question_too() -> None:
    scores = sp.claims.ranks(["1.50", "1.50", "2.00"], datasets=10)
    assert (scores.verdict, sp.claims.ranks(["1.50", "1.50", "2.00"], datasets=10, strict=True).verdict) == (
        "unexplained",
        "impossible",
    )
    assert scores.answer is not None
    assert [tried.answer for tried in scores.answer.conventions] == [Fit.NOTHING_LEFT]


def test_the_command_asks_a_question() -> None:
    arguments = ["check", "--p", "50", "--n", "50", "--folds", "5", "acc=0.900±0.400"]
    asked, strict = (CliRunner().invoke(app, [*arguments, *more]) for more in ([], ["--strict"]))
    assert (asked.exit_code, strict.exit_code) == (3, 1)
    assert "QUESTION" in asked.stdout
    assert "It fits only if the ± is two standard deviations" in " ".join(asked.stdout.split())
    document = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).stdout)
    assert document["verdict"] == "question"
    assert {entry["name"] for entry in document["conventions"] if entry["answer"] == "fits"} >= {"two deviations"}


def test_a_batch_asks_the_same() -> None:
    row = {"acc": "0.8813", "sens": "0.8813", "spec": "0.8201"}
    frame = pd.DataFrame([{"p": 75, "n": 304, **row}])
    verdicts = [sp.batch(frame, strict=strict).table().column("verdict").to_pylist()[0] for strict in (False, True)]
    assert verdicts == [str(sp.check(sp.TestSet(75, 304), row, strict=strict).verdict) for strict in (False, True)]
    assert verdicts == ["question", "inconsistent"]


def test_within_a_table_a_convention_holds_for_all_rows_or_for_none() -> None:
    """Scores of the other class save all rows of a table, but not one row among others that are of the first."""

    def row(tp: int, tn: int, *, other: bool) -> list[str]:
        cells = (
            {"tp": tn, "fn": 700 - tn, "fp": 300 - tp, "tn": tp}
            if other
            else {"tp": tp, "fn": 300 - tp, "fp": 700 - tn, "tn": tn}
        )
        matrix = sp.ConfusionMatrix(**cells)
        return [f"{tp} {tn}", *(matrix.score(name, digits=4) for name in ("acc", "ppv", "sens", "f1"))]

    def audited(rows: list[list[str]], **options: bool) -> sp.AuditResult:
        table = {"experiment": "test", "grid": [["Method", "Acc", "Precision", "Recall", "F1"], *rows]}
        experiments = {"datasets": {"cases": {"p": 300, "n": 700}}, "experiments": {"test": {"dataset": "cases"}}}
        return sp.audit({**experiments, "tables": [table], "options": options}, explain=False, strength=False, jobs=1)

    exchanged = [row(tp, tn, other=True) for tp, tn in ((211, 467), (178, 603), (243, 555))]
    result = audited(exchanged)
    assert {str(each.outcome) for each in result.rows()} == {"question"}
    (question,) = result.tables[0].questions
    assert "the other class is the positive one" in str(question)
    assert {str(each.outcome) for each in audited(exchanged, strict=True).rows()} == {"inconsistent"}
    mixed = audited([exchanged[0], *(row(200 + k, 667 - 3 * k, other=False) for k in range(4))])
    assert [str(each.outcome) for each in mixed.rows()] == ["inconsistent", *["consistent"] * 4]
