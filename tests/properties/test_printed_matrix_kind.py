"""Scores beside printed counts: true rows are never flagged, what is refuted has a proof, and no forgery passes."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import RULES, alterations, certificate_of, sealed

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import InvalidExperiment, InvalidValue, ScoreproofError
from scoreproof.kinds import read_problem
from scoreproof.kinds.binary.scores import ConfusionMatrix, known_scores, score
from scoreproof.kinds.printed_matrix import NAMES, PrintedMatrixProblem, follow, printed_matrix

MATRICES = some.builds(ConfusionMatrix, *[some.integers(0, 30)] * 4)
SCORES = some.lists(some.sampled_from([known.name for known in known_scores()]), max_size=5, unique=True)
COUNTS = some.lists(some.sampled_from(NAMES), min_size=1, max_size=7, unique=True)
MATRIX = {"tp": 5, "fn": 5, "fp": 2, "tn": 18}
REFUTED: dict[str, PrintedMatrixProblem] = {
    "sum": printed_matrix({"tp": 5, "fn": 6, "p": 10}),
    "sum with scores": printed_matrix({"tp": 5, "fn": 6, "p": 10}, {"sens": "0.50"}),
    "twice": printed_matrix({"p": [10, 12], "n": 5}),
    "more than its class": printed_matrix({"tp": 12, "p": 10}),
    "more than all": printed_matrix({"tp": 7, "tn": 5, "total": 11}),
    "chain": printed_matrix({"tp": 5, "fn": 5, "total": 30, "fp": 3, "tn": 18}),
    "score": printed_matrix(MATRIX, {"sens": "0.50", "acc": "0.87"}),
    "root": printed_matrix(MATRIX, {"mcc": "0.70"}, rounding="nearest"),
    "completed": printed_matrix({"tp": 5, "p": 10, "fp": 2, "total": 30}, {"precision": "0.80"}),
    "undefined": printed_matrix({"tp": 0, "fp": 0, "fn": 3, "tn": 4}, {"ppv": "0.50"}),
    "excluded": printed_matrix({"tp": 0, "fp": 0, "fn": 3, "tn": 4}, {"ppv": "0.00"}, undefined="exclude"),
    "lacks a class": printed_matrix({"tp": 4, "fn": 4, "n": 0}, {"bacc": "0.75"}),
    "one class": printed_matrix({"p": 7}, {"sens": "0.50", "ppv": "0.4"}),
    "other class": printed_matrix({"n": 7}, {"fpr": "0.50"}),
    "open cells": printed_matrix({"tp": 5, "p": 10, "n": 20}, {"ppv": "0.77"}),
    "open and without": printed_matrix({"p": 10, "n": 0}, {"bacc": "0.55"}),
}


def answered(name: str) -> Answer[Any, Any]:
    answer = ask(REFUTED[name])
    assert answer.verdict == "inconsistent", str(answer)
    return answer


def counted(matrix: ConfusionMatrix) -> dict[str, int]:
    return matrix.to_dict() | {"p": matrix.p, "n": matrix.n, "total": matrix.p + matrix.n}


def shown(matrix: ConfusionMatrix, name: str, digits: int, rule: str) -> str:
    """A score as programs print it: 0/0 as 0."""
    if name == "bacc" and 0 in (matrix.p, matrix.n) and matrix.p + matrix.n:
        name = "sens" if matrix.p else "spec"
    return score(name).text(*matrix.cells, digits=digits, rounding=rule) or f"{0:.{digits}f}"


@settings(max_examples=300)
@given(MATRICES, COUNTS, SCORES, some.integers(1, 4), some.sampled_from(RULES), some.booleans())
def test_a_true_row_is_never_flagged(
    matrix: ConfusionMatrix, names: list[str], scores: list[str], digits: int, rule: str, said: bool
) -> None:
    infinite = {
        name for name in scores if score(name).ratio(*matrix.cells)[1] == 0 != score(name).ratio(*matrix.cells)[0]
    }
    texts = {name: shown(matrix, name, digits, rule) for name in scores if name not in infinite}
    try:
        problem = printed_matrix(
            {name: counted(matrix)[name] for name in names}, texts, rounding=rule if said else None
        )
    except ScoreproofError:  # a likelihood ratio of 20.0 is one, an odds ratio, too; nothing else is beyond its range
        raise AssertionError(texts) from None
    answer = ask(problem)
    assert answer.verdict != "inconsistent", str(answer)
    if problem.known.matrix is not None or not texts:
        assert answer.verdict == "consistent"


@settings(max_examples=200)
@given(MATRICES, COUNTS, SCORES, some.integers(0, 100), some.data())
def test_what_is_refuted_has_a_proof_that_verifies(
    matrix: ConfusionMatrix, names: list[str], scores: list[str], percent: int, data: some.DataObject
) -> None:
    counts = {name: counted(matrix)[name] for name in names}
    changed = data.draw(some.sampled_from(names))
    counts[changed] += data.draw(some.integers(0, 2))
    answer = ask(printed_matrix(counts, dict.fromkeys(scores, f"{percent}%")))
    if answer.certificate is not None:
        verified = sp.verify(certificate_of(answer))
        assert verified, verified.words


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_holds_in_words(name: str) -> None:
    verified = sp.verify(certificate_of(answered(name)))
    assert verified.words.startswith("Proved: "), verified.words


def test_the_words() -> None:
    assert answered("sum").reason == "the counts contradict each other: tp 5 and fn 6 do not add up to p 10"
    assert answered("twice").reason == "the counts contradict each other: p is 10 and 12"
    assert answered("more than its class").reason.endswith("tp 12 is more than p 10")
    assert answered("more than all").reason.endswith("tp 7 and tn 5 are more than total 11")
    assert answered("score").reason == "the printed matrix (tp=5 fn=5 fp=2 tn=18) gives acc 0.7667, not 0.87"
    assert answered("one class").reason == "7 cases give sens 0.4285 or 0.5715, not 0.50"
    assert answered("open cells").reason == ""
    assert answered("excluded").reason.endswith("gives ppv nothing (0/0), not 0.00")
    assert str(answered("sum")).startswith("inconsistent: what was printed cannot come from the printed counts")


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_statements_prove_nothing_that_is_possible(name: str) -> None:
    document = certificate_of(answered(name))
    for statement in alterations(document["statement"]):
        if sp.verify(sealed("printed_matrix", statement, document["proof"])):
            try:
                again = read_problem("printed_matrix", statement)
            except ScoreproofError:
                continue
            assert ask(again).verdict == "inconsistent", statement


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_proofs_are_rejected(name: str) -> None:
    document = certificate_of(answered(name))
    assert not sp.verify({**document, "digest": "0" * 64})
    steps = document["proof"].get("steps")
    for proof in alterations(document["proof"]):
        if sp.verify(sealed("printed_matrix", document["statement"], proof)):
            assert steps is not None, proof
            assert {*proof} == {*document["proof"]}, "only steps may have other reasons that are right"


@settings(max_examples=300)
@given(MATRICES, COUNTS, SCORES, some.sampled_from(list(REFUTED)))
def test_no_proof_fits_a_possible_row(matrix: ConfusionMatrix, names: list[str], scores: list[str], name: str) -> None:
    defined = [one for one in scores if score(one).ratio(*matrix.cells)[1]]
    problem = printed_matrix(
        {one: counted(matrix)[one] for one in names}, {one: shown(matrix, one, 3, "nearest") for one in defined}
    )
    proof = certificate_of(answered(name))["proof"]
    assert not sp.verify(sealed("printed_matrix", problem.to_dict(), proof))


@pytest.mark.parametrize("name", list(REFUTED))
def test_round_trips(name: str) -> None:
    problem = REFUTED[name]
    assert read_problem("printed_matrix", json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert hash(pickle.loads(pickle.dumps(problem))) == hash(problem)
    assert Answer.from_dict(json.loads(answered(name).to_json())) == answered(name)


def test_zero_over_zero_is_zero_or_what_the_convention_says() -> None:
    nothing = {"tp": 0, "fp": 0, "fn": 3, "tn": 4}
    verdicts = {
        (text, convention): str(ask(printed_matrix(nothing, {"ppv": text}, undefined=convention)).verdict)
        for text in ("0.00", "1.00")
        for convention in ("any", "zero", "one")
    }
    assert verdicts == {
        ("0.00", "any"): "consistent",
        ("0.00", "zero"): "consistent",
        ("0.00", "one"): "inconsistent",
        ("1.00", "any"): "inconsistent",
        ("1.00", "zero"): "inconsistent",
        ("1.00", "one"): "consistent",
    }
    assert ask(printed_matrix({"tp": 4, "fn": 4, "n": 0}, {"bacc": "0.50"})).verdict == "consistent"
    with pytest.raises(InvalidValue, match="one evaluation"):
        printed_matrix(MATRIX, {"acc": "0.77 ± 0.40"})
    assert ask(printed_matrix(dict.fromkeys(("tp", "fp", "fn", "tn"), 0), {"acc": "0.0"})).verdict == "consistent"


def test_what_the_counts_leave_open_is_undecided() -> None:
    answer = ask(printed_matrix({"total": 10, "tp": 5}, {"acc": "0.61"}))
    assert (answer.verdict, answer.reason) == ("undecided", "the printed counts leave the confusion matrix open")
    answer = ask(printed_matrix({"p": 7}, {"sens": "0.57", "ppv": "0.4"}))
    assert answer.verdict == "undecided"
    assert "one class only" in answer.reason


def test_it_is_explained() -> None:
    explanation = str(answered("score").explain())
    assert "acc 0.87 alone is impossible" in explanation
    assert "should it be 0.77?" in explanation
    assert "This is impossible whatever is claimed: the counts contradict each other" in str(answered("sum").explain())


def test_refused() -> None:
    for counts in ({}, {"tp": -1}, {"tp": True}, {"hits": 3}, {"tp": 10**50}):
        with pytest.raises(InvalidExperiment, match="counts"):
            printed_matrix(counts)


def test_what_follows() -> None:
    known = follow((("tp", 5), ("p", 10), ("total", 30)))
    assert dict(known.counts) == {"tp": 5, "p": 10, "total": 30, "fn": 5, "n": 20}
    assert known.matrix is None


def test_scores_of_ones_own() -> None:
    sp.register("miss share", lambda tp, fp, fn, tn: (fn, tp + fp + fn + tn))
    try:
        assert ask(printed_matrix(MATRIX, {"miss share": "0.17"})).verdict == "consistent"
        answer = ask(printed_matrix(MATRIX, {"miss share": "0.27"}))
        assert sp.verify(certificate_of(answer))
    finally:
        sp.unregister("miss share")
    assert not sp.verify(certificate_of(answer))
