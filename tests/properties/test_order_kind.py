"""Who is best by the printed numbers: true orders are never flagged, and no forgery passes."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import RULES, alterations, certificate_of, printed_as, sealed

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import InvalidOption, ScoreproofError, UnknownScore
from scoreproof.kinds import read_problem
from scoreproof.kinds.order import OrderProblem, said_best, said_better

REFUTED: dict[str, OrderProblem] = {
    "best": said_best("A", "acc", {"A": "0.91", "B": "0.92", "C": "0.95 ± 0.02"}),
    "percent": said_best("A", "recall", {"A": "0.91", "B": "92%"}),
    "smaller is better": said_best("A", "err", {"A": "0.31", "B": "0.30"}),
    "better": said_better("A", "B", "f2", {"A": "0.50", "B": "0.51", "C": "0.10"}),
    "a whole digit": said_best("A", "acc", {"A": "0.8", "B": "0.901"}),
    "without range": said_best("A", "dor", {"A": "11.5", "B": "200.0"}),
}
VALUES = some.dictionaries(
    some.sampled_from("ABCDEF"), some.fractions(0, 1, max_denominator=60), min_size=2, max_size=6
)


def answered(name: str) -> Answer[Any, Any]:
    answer = ask(REFUTED[name])
    assert answer.verdict == "inconsistent", str(answer)
    return answer


@settings(max_examples=200)
@given(VALUES, some.sampled_from(("acc", "err", "f1", "lrn")), some.sampled_from(RULES), some.data())
def test_the_best_is_never_flagged(values: dict[str, Fraction], name: str, rule: str, data: some.DataObject) -> None:
    """Whatever digits each is printed with."""
    sign = -1 if name in ("err", "lrn") else 1
    best = max(values, key=lambda method: values[method] * sign)
    texts = {method: printed_as(value, data.draw(some.integers(1, 4)), rule) for method, value in values.items()}
    assert ask(said_best(best, name, texts)).verdict != "inconsistent"
    for other in values:
        if other != best:
            assert ask(said_better(best, other, name, texts)).verdict != "inconsistent"


@settings(max_examples=200)
@given(VALUES, some.sampled_from(("acc", "err")), some.integers(1, 3))
def test_with_equal_digits_the_printed_numbers_decide(values: dict[str, Fraction], name: str, digits: int) -> None:
    texts = {method: printed_as(value, digits, "nearest") for method, value in values.items()}
    sign = -1 if name == "err" else 1
    for method in values:
        answer = ask(said_best(method, name, texts))
        ahead = any(Fraction(text) * sign > Fraction(texts[method]) * sign for text in texts.values())
        assert answer.verdict == ("inconsistent" if ahead else "consistent")
        if ahead:
            assert sp.verify(certificate_of(answer))


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_holds_in_words(name: str) -> None:
    verified = sp.verify(certificate_of(answered(name)))
    assert verified.words.startswith("Proved: A ("), verified.words


def test_the_words() -> None:
    assert answered("best").reason == "by the printed acc C (0.95 ± 0.02) is ahead of A (0.91)"
    assert "a table in which A is better than B by f2" in str(answered("better"))
    assert "smaller is better" in sp.verify(certificate_of(answered("smaller is better"))).words


def test_names_of_any_length() -> None:
    long = "x" * 300
    answer = ask(said_best(long, "acc", {long: "0.8", "": "0.9"}))
    assert answer.verdict == "inconsistent", answer.reason
    assert "(no name) (0.9) is ahead" in sp.verify(certificate_of(answer)).words


def test_it_is_explained() -> None:
    explanation = " ".join(str(answered("best").explain()).split())
    assert "Acc of A 0.91 alone is impossible: by the printed acc C (0.95 ± 0.02) is ahead of A (0.91)" in explanation
    assert "should it be 0.95?" in explanation


def test_what_is_open() -> None:
    assert ask(said_best("A", "acc", {"A": "0.90", "B": "90%"})).verdict == "consistent"
    answer = ask(said_best("A", "acc", {"A": "0.9", "B": "0.901"}))
    assert (answer.verdict, answer.reason) == (
        "undecided",
        "who is ahead depends on digits that were not printed of both",
    )
    assert ask(said_best("A", "acc", {"A": "0.9", "B": "1.7"})).verdict == "undecided"


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_certificates_prove_nothing_that_is_possible(name: str) -> None:
    document = certificate_of(answered(name))
    assert not sp.verify({**document, "digest": "0" * 64})
    for statement in alterations(document["statement"]):
        if sp.verify(sealed("order", statement, document["proof"])):
            try:
                again = read_problem("order", statement)
            except ScoreproofError:
                continue
            assert ask(again).verdict == "inconsistent", statement
    for proof in alterations(document["proof"]):
        if sp.verify(sealed("order", document["statement"], proof)):
            assert (name, proof) == ("best", {"kind": "ahead", "rival": 0}), "the other rival is ahead, too"


@settings(max_examples=100)
@given(VALUES, some.sampled_from(("acc", "err")), some.integers(-1, 6), some.integers(1, 4))
def test_no_proof_fits_a_true_order(values: dict[str, Fraction], name: str, rival: int, digits: int) -> None:
    best = max(values, key=lambda method: values[method] * (-1 if name == "err" else 1))
    problem = said_best(best, name, {method: printed_as(value, digits, "floor") for method, value in values.items()})
    assert not sp.verify(sealed("order", problem.to_dict(), {"kind": "ahead", "rival": rival}))


@pytest.mark.parametrize("name", list(REFUTED))
def test_round_trips(name: str) -> None:
    problem = REFUTED[name]
    assert read_problem("order", json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert hash(pickle.loads(pickle.dumps(problem))) == hash(problem)
    assert Answer.from_dict(json.loads(answered(name).to_json())) == answered(name)
    without = ask(problem.with_claims(()))
    assert without.verdict == "consistent"
    assert Answer.from_dict(json.loads(without.to_json())) == without


def test_refused() -> None:
    with pytest.raises(UnknownScore):
        said_best("A", "beauty", {"A": "0.9", "B": "0.8"})
    with pytest.raises(InvalidOption, match="rivals"):
        said_best("A", "acc", {"A": "0.9"})
    with pytest.raises(InvalidOption, match="printed acc"):
        said_best("A", "acc", {"B": "0.9"})
    with pytest.raises(InvalidOption, match="rivals"):
        said_better("A", "C", "acc", {"A": "0.9", "B": "0.8"})


def test_scores_of_ones_own() -> None:
    """Their direction is proved or declared when they are registered; without them the verifier knows none."""
    sp.register("miss share", lambda tp, fp, fn, tn: (fn, tp + fp + fn + tn))
    try:
        answer = ask(said_best("A", "miss share", {"A": "0.30", "B": "0.20"}))
        document = certificate_of(answer)
        assert sp.verify(document)
    finally:
        sp.unregister("miss share")
    assert "not one the verifier knows" in sp.verify(document).words
