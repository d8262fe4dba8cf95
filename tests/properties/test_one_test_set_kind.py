"""Two rows on one test set: true pairs are never flagged, what is refuted has a proof, and no forgery passes."""

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
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds import read_problem
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.one_test_set import OneTestSetProblem, one_test_set

EVEN, RARE = ConfusionMatrix(40, 5, 10, 45), ConfusionMatrix(8, 9, 2, 81)
NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "bacc")
BUDGET = 10.0


def shown(matrix: ConfusionMatrix, names: tuple[str, ...], digits: int = 3, rule: str = "nearest") -> dict[str, str]:
    """The scores as programs print them: 0/0 as 0."""
    return {name: score(name).text(*matrix.cells, digits=digits, rounding=rule) or f"{0:.{digits}f}" for name in names}


OF_RATES = ("acc", "sens", "spec")
REFUTED: dict[str, OneTestSetProblem] = {
    "any size": one_test_set({"A": shown(EVEN, OF_RATES), "B": shown(RARE, OF_RATES)}),
    "total": one_test_set({"B": shown(RARE, OF_RATES), "A": shown(EVEN, OF_RATES)}, total=100),
    "other scores": one_test_set(
        {"A": shown(EVEN, OF_RATES), "B": shown(RARE, ("ppv", "npv", "f1"))}, total=(50, 500), undefined="exclude"
    ),
    "curved": one_test_set({"A": shown(EVEN, ("mcc", "f1", "acc")), "B": shown(RARE, ("mcc", "f1", "acc"))}),
    "one row alone": one_test_set({"A": shown(EVEN, OF_RATES), "B": {"acc": "0.9", "sens": "0.2", "spec": "0.3"}}),
    "one row of a total": one_test_set(
        {"A": {"acc": "0.9", "sens": "0.2", "spec": "0.3"}, "B": shown(RARE, OF_RATES)}, total=(10, 1000)
    ),
}


def answered(name: str) -> Answer[Any, Any]:
    answer = ask(REFUTED[name], budget=BUDGET)
    assert answer.verdict == "inconsistent", str(answer)
    return answer


@some.composite
def pairs(draw: some.DrawFn) -> tuple[ConfusionMatrix, ConfusionMatrix]:
    p, n = draw(some.integers(0, 40)), draw(some.integers(1, 40))
    cells = [(draw(some.integers(0, p)), draw(some.integers(0, n))) for _ in range(2)]
    first, second = (ConfusionMatrix(tp, n - tn, p - tp, tn) for tp, tn in cells)
    return first, second


@settings(max_examples=40)
@given(
    pairs(),
    some.lists(some.sampled_from(NAMES), min_size=2, max_size=4, unique=True),
    some.integers(1, 4),
    some.sampled_from(RULES),
    some.booleans(),
)
def test_rows_of_one_test_set_are_never_flagged(
    matrices: tuple[ConfusionMatrix, ConfusionMatrix], names: list[str], digits: int, rule: str, total: bool
) -> None:
    rows = {label: shown(matrix, tuple(names), digits, rule) for label, matrix in zip("AB", matrices, strict=True)}
    cases = matrices[0].p + matrices[0].n
    answer = ask(one_test_set(rows, total=cases if total else None, rounding=rule), budget=2.0)
    assert answer.verdict != "inconsistent", str(answer)


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_holds_in_words(name: str) -> None:
    verified = sp.verify(certificate_of(answered(name)))
    assert verified.words.startswith("Proved: "), verified.words
    assert "are not on one test set" in verified.words


def test_the_words() -> None:
    assert answered("any size").reason == (
        "the scores of A need a prevalence of 0.4800 to 0.5200 and those of B one of 0.0800 to 0.1200"
    )
    assert answered("one row alone").reason == "the scores of B are impossible on any test set"


def test_what_may_meet_has_a_witness_or_stays_open() -> None:
    answer = ask(one_test_set({"A": shown(EVEN, OF_RATES), "B": shown(ConfusionMatrix(35, 2, 15, 48), OF_RATES)}))
    assert answer.verdict == "consistent"
    assert len(answer.witness.matrices) == 2
    assert answer.witness.matrices[0].p == answer.witness.matrices[1].p
    alike = {label: shown(EVEN, OF_RATES, 4) for label in "AB"}  # of no seven cases, but at prevalences that meet
    answer = ask(one_test_set(alike, total=7))
    assert (answer.verdict, answer.reason) == ("undecided", "the prevalences may meet")


@pytest.mark.parametrize("name", ["any size", "total", "one row alone", "other scores"])
def test_altered_certificates_prove_nothing_that_is_possible(name: str) -> None:
    document = certificate_of(answered(name))
    assert not sp.verify({**document, "digest": "0" * 64})
    for statement in alterations(document["statement"]):
        if sp.verify(sealed("one_test_set", statement, document["proof"])):
            try:
                again = read_problem("one_test_set", statement)
            except ScoreproofError:
                continue
            assert ask(again, budget=2.0).verdict != "consistent", statement
    refused = 0
    for proof in alterations(document["proof"]):
        verified = sp.verify(sealed("one_test_set", document["statement"], proof))
        if verified:  # another share between, or another reason for a step, is as good
            assert {*proof} == {*document["proof"]}
        refused += not verified
    assert refused > 10


@settings(max_examples=60)
@given(pairs(), some.sampled_from(["any size", "curved", "one row alone"]), some.fractions(0, 1, max_denominator=20))
def test_no_proof_fits_rows_of_one_test_set(
    matrices: tuple[ConfusionMatrix, ConfusionMatrix], name: str, share: Any
) -> None:
    proof = certificate_of(answered(name))["proof"]
    if "share" in proof:
        proof["share"] = str(share)
    rows = {label: shown(matrix, OF_RATES) for label, matrix in zip("AB", matrices, strict=True)}
    assert not sp.verify(sealed("one_test_set", one_test_set(rows).to_dict(), proof))


@pytest.mark.parametrize("name", list(REFUTED))
def test_round_trips(name: str) -> None:
    problem = REFUTED[name]
    assert read_problem("one_test_set", json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert hash(pickle.loads(pickle.dumps(problem))) == hash(problem)
    assert Answer.from_dict(json.loads(answered(name).to_json())) == answered(name)


def test_claims_know_their_row() -> None:
    problem = REFUTED["any size"]
    fewer = problem.with_claims(problem.claims[2:])
    assert [len(row.claims) for row in fewer.rows] == [1, 3]
    assert ask(problem.with_claims(problem.claims[:3]), budget=2.0).verdict == "consistent"
    with pytest.raises(InvalidOption, match="expected some of"):
        problem.with_claims(REFUTED["curved"].claims)


def test_refused() -> None:
    with pytest.raises(InvalidOption, match="two"):
        one_test_set({"A": {"acc": "0.9"}})
    with pytest.raises(InvalidOption, match="needs p and n"):
        one_test_set({"A": {"acc": "0.9"}, "B": {"acc": "0.8"}}, undefined="zero")
