"""Numbers computed from other numbers: true prints are never refuted, and what is refuted has a proof."""

from __future__ import annotations

import json
import pickle
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import RULES, alterations_prove_nothing_possible, certificate_of, printed_as, sealed
from tests.outside.test_javascript_verifier import assert_alike

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import read_problem
from scoreproof.kinds.relation import Formula, RelationProblem, printed_relation

MEAN = printed_relation("mean", {"A": "70.9", "B": "76.5"}, "74.9", factor=Fraction(1, 2))


@some.composite
def true_relations(draw: some.DrawFn) -> RelationProblem:
    """Values whose formula is a fraction, all printed by one honest rule."""
    formula = draw(some.sampled_from([Formula.LINEAR, Formula.PRODUCT, Formula.HARMONIC]))
    count = draw(some.integers(1, 5))
    values = draw(some.lists(some.fractions(Fraction(1, 50), 1), min_size=count, max_size=count))
    powers = some.sampled_from([-2, -1, 1, 2] if formula is Formula.PRODUCT else [1, 2, 5])
    weights = [Fraction(draw(powers)) for _ in range(count)]
    complements = [draw(some.sampled_from([None, None, Fraction(2)])) for _ in range(count)]
    factor, offset = Fraction(draw(some.sampled_from([1, 100, -100]))), Fraction(draw(some.integers(-1, 1)))
    inner = [value if c is None else c - value for value, c in zip(values, complements, strict=True)]
    if formula is Formula.LINEAR:
        v = sum((w * x for w, x in zip(weights, inner, strict=True)), Fraction(0))
    elif formula is Formula.HARMONIC:
        v = sum(weights) / sum((w / x for w, x in zip(weights, inner, strict=True)), Fraction(0))
    else:
        v = Fraction(1)
        for w, x in zip(weights, inner, strict=True):
            v *= x ** int(w)
    digits, rule = draw(some.integers(1, 4)), draw(some.sampled_from(RULES))
    parts = {f"part {k}": printed_as(value, digits, rule) for k, value in enumerate(values)}
    how = {"formula": formula, "weights": weights, "complements": complements, "factor": factor, "offset": offset}
    return printed_relation("number", parts, printed_as(offset + factor * v, digits, rule), **how, rounding=rule)


@settings(max_examples=150)
@given(true_relations())
def test_true_prints_are_never_refuted(problem: RelationProblem) -> None:
    answer = ask(problem)
    assert answer.verdict != "inconsistent", str(answer)
    assert not sp.verify(sealed("relation", problem.to_dict(), {"kind": str(problem.formula)}))


@settings(max_examples=80)
@given(some.integers(1, 400), some.integers(0, 400), some.integers(1, 4), some.sampled_from(RULES))
def test_true_shares_are_never_refuted(size: int, hits: int, digits: int, rule: str) -> None:
    text = printed_as(Fraction(100 * min(hits, size), size), digits, rule)
    problem = printed_relation("share", {}, text, formula="share", size=size, factor=100, rounding=rule)
    assert ask(problem).verdict == "consistent"


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (MEAN, "the parts give 73.60 to 73.80"),
        (
            printed_relation("geometric mean", {"A": "0.50", "B": "0.80"}, "0.70", formula="product", root=2),
            "the parts give 0.622 to 0.643",
        ),
        (
            printed_relation("F1", {"P": "0.80", "R": "0.60"}, "0.72", formula="harmonic"),
            "the parts give 0.675 to 0.696",
        ),
        (printed_relation("Recall@5", {"Recall@5": "0.0009"}, "0.0056", bound="most"), "the parts give at most 0.00100"),
        (
            printed_relation("share", {}, "9.20", formula="share", size=164, factor=100, rounding="nearest"),
            "the shares next to it are 9.1463, 9.7561",
        ),
        (
            printed_relation(
                "gain in percent", {"A": "55.0", "B": "50.0"}, "20.0", formula="product", weights=[1, -1], factor=100, offset=-100
            ),
            "the parts give 9.58 to 10.43",
        ),
    ],
)  # fmt: skip
def test_the_words_and_the_proof(problem: RelationProblem, reason: str) -> None:
    answer = ask(problem)
    assert (answer.verdict, answer.reason) == ("inconsistent", reason)
    certificate = certificate_of(answer)
    assert sp.verify(certificate)
    assert read_problem("relation", certificate["statement"]) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert Answer.from_dict(json.loads(answer.to_json())) == answer
    assert ask(problem.with_claims(())).verdict == "consistent"


@pytest.mark.parametrize(
    "problem",
    [
        MEAN,
        printed_relation("F1", {"P": "0.80", "R": "0.60"}, "0.72", formula="harmonic"),
        printed_relation("geometric mean", {"A": "0.50", "B": "0.80"}, "0.70", formula="product", root=2),
        printed_relation("gain", {"A": "55.0", "B": "50.0"}, "20.0", formula="product", weights=[1, -1], factor=100, offset=-100),
        printed_relation("share", {}, "9.20", formula="share", size=164, factor=100, rounding="nearest"),
        printed_relation("Recall@5", {"Recall@5": "0.0009"}, "0.0056", bound="most"),
        printed_relation("rest", {"A": "0.71"}, "0.10", complements=[1], bound="least"),
    ],
    ids=lambda problem: problem.name,
)  # fmt: skip
def test_a_changed_certificate_proves_only_what_is_impossible(problem: RelationProblem) -> None:
    certificate = certificate_of(ask(problem))
    alterations_prove_nothing_possible(certificate, budget=5)
    for formula in {*Formula} - {problem.formula}:
        assert not sp.verify(sealed("relation", certificate["statement"], {"kind": str(formula)}))


@pytest.mark.parametrize("formula", ["linear", "product", "harmonic"])
def test_long_numbers_no_two_of_them_alike_are_refused_at_once(formula: str, tmp_path: Path) -> None:
    """Their sums and products have denominators of millions of digits, which nobody may have to find."""
    rng, count = random.Random(1), 1000
    statement = certificate_of(ask(MEAN))["statement"] | {
        "formula": formula,
        "parts": [{"text": f"{rng.randrange(10**98, 10**99)}/{rng.randrange(10**98, 10**99)}", "eps": "0"} for _ in range(count)],
        "weights": ["1"] * count,
        "complements": [None] * count,
    }  # fmt: skip
    short = {key: statement[key][:150] if isinstance(statement[key], list) else statement[key] for key in statement}
    forged = [sealed("relation", each, {"kind": formula}) for each in (statement, short)]
    assert "the parts have too many digits" in str(sp.verify(forged[0]))
    assert "too many digits" not in str(sp.verify(forged[1]))
    assert_alike(tmp_path, forged)


@pytest.mark.parametrize(
    "changed",
    [
        {"formula": "share"},
        {"weights": [1]},
        {"factor": 0},
        {"root": 2},
        {"size": 5},
        {"formula": "harmonic", "weights": [1, 0]},
        {"formula": "product", "weights": [1, 9]},
        {"formula": "product", "complements": [-1, None]},
        {"bound": "about"},
    ],
)
def test_what_is_no_formula_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(ScoreproofError):
        printed_relation("mean", {"A": "0.7", "B": "0.8"}, "0.9", **changed)  # type: ignore[arg-type]


def test_the_words_say_the_formula_and_not_what_it_is_called(tmp_path: Path) -> None:
    """A sum that is called a mean: 0.70 and 0.80 have the mean 0.75, and nothing that is proved may say otherwise."""
    parts = {"A": "0.70", "B": "0.80"}
    shown = {
        "linear 'mean' (weights 1; complements null; root 1; factor 1; offset 0)": printed_relation(
            "mean", parts, "0.75"
        ),
        "linear 'gain; nobody has such a gain, and all au' (weights 2, -1; complements 1, null; root 1": printed_relation(
            "gain; nobody has such a gain, and all authors", parts, "0.75", weights=[2, -1], complements=[1, None]
        ),
        "a share (factor 3; offset 0)": printed_relation("share", {}, "0.50", formula="share", size=10, factor=3),
    }
    made = [certificate_of(ask(problem)) for problem in shown.values()]
    for words, each in zip(shown, made, strict=True):
        assert words in str(sp.verify(each))
    assert_alike(tmp_path, made)
