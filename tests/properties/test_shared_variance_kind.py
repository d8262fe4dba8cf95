"""Two rows of errors and R² on one test set: true pairs are never flagged, and what is refuted has a proof."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import RULES, alterations, certificate_of, printed_as, root_printed_as, sealed

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds import read_problem
from scoreproof.kinds.regression.cases import measured
from scoreproof.kinds.regression.kind import SharedVarianceProblem, shared_variance

APART = shared_variance({"A": {"rmse": "2.00", "r2": "0.50"}, "B": {"mse": "4.00", "r2": "0.70"}})


@some.composite
def true_pairs(draw: some.DrawFn) -> tuple[SharedVarianceProblem, bool]:
    """Two predictions of the same values, printed by an honest rule; whether something is printed at all."""
    value = some.integers(-30, 30).map(Fraction)
    true = draw(some.lists(value, min_size=2, max_size=6))
    digits, rule = draw(some.integers(1, 4)), draw(some.sampled_from(RULES))
    rows = {}
    for name in "AB":
        values = measured(tuple((1, y, draw(value)) for y in true))
        square, share = values["mse"], values["r2"]
        assert square is not None
        errors = {"mse": printed_as(square, digits, rule), "rmse": root_printed_as(square, digits, rule)}
        kept = draw(some.sampled_from([["mse"], ["rmse"], ["mse", "rmse"]]))
        rows[name] = {error: errors[error] for error in kept}
        if share is not None:
            rows[name]["r2"] = printed_as(share, digits, rule)
    return shared_variance(rows, rounding=rule), len(set(true)) > 1


@settings(max_examples=150)
@given(true_pairs())
def test_rows_of_one_test_set_are_never_flagged(pair: tuple[SharedVarianceProblem, bool]) -> None:
    problem, _ = pair
    assert ask(problem).verdict != "inconsistent", str(ask(problem))
    for lower in (0, 1):
        assert not sp.verify(sealed("shared_variance", problem.to_dict(), {"kind": "apart", "lower": lower}))


def test_the_words_and_the_proof() -> None:
    answer = ask(APART)
    assert answer.verdict == "inconsistent"
    assert answer.reason == (
        "A needs a variance of the true values of 7.7649 to 8.2452 and B needs a variance of the true values of 12.8709 "
        "to 13.8276, if R² is 1 - mse / variance"
    )
    assert sp.verify(certificate_of(answer)).words.startswith(
        "Proved: A (rmse 2.00 (from 1.99 to 2.01), r2 0.50 (from 0.49 to 0.51)) and B (mse 4.00 (from 3.99 to 4.01), r2 0.70"
    )


def test_altered_certificates_prove_nothing_that_is_possible() -> None:
    document = certificate_of(ask(APART))
    for statement in alterations(document["statement"]):
        if sp.verify(sealed("shared_variance", statement, document["proof"])):
            try:
                again = read_problem("shared_variance", statement)
            except ScoreproofError:
                continue
            assert ask(again).verdict == "inconsistent", statement
    for proof in alterations(document["proof"]):
        assert not sp.verify(sealed("shared_variance", document["statement"], proof)), proof


def test_round_trips_and_refusals() -> None:
    assert read_problem("shared_variance", json.loads(json.dumps(APART.to_dict()))) == APART
    assert pickle.loads(pickle.dumps(APART)) == APART
    possible = ask(shared_variance({"A": {"rmse": "2.00", "r2": "0.50"}, "B": {"mse": "2.40", "r2": "0.70"}}))
    assert possible.verdict == "consistent"
    for answer in (ask(APART), possible):
        assert Answer.from_dict(json.loads(answer.to_json())) == answer
    assert ask(APART.with_claims(APART.claims[1:])).verdict == "consistent"
    with pytest.raises(InvalidOption, match="expected two"):
        shared_variance({"A": {"mse": "1.0"}})
    with pytest.raises(InvalidOption, match="expected mse, rmse and r2"):
        shared_variance({"A": {"mae": "1.0"}, "B": {"r2": "0.5"}})
