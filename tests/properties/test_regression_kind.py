"""Errors of predicted numbers: true ones are never flagged, what is refuted has a proof, and no forgery passes."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import (
    RULES,
    alterations_prove_nothing_possible,
    certificate_of,
    printed_as,
    root_printed_as,
    sealed,
)

import scoreproof as sp
from scoreproof.checking import Answer, ask
from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered, ScoreproofError, UnknownScore
from scoreproof.kinds import kind_named, read_problem
from scoreproof.kinds.regression.cases import Cases, measured
from scoreproof.kinds.regression.problem import RegressionProblem, regression
from scoreproof_verify.kinds.regression import RELATIONS

ONE, TEN = sp.Regression(), sp.Regression(10)
REFUTED: dict[str, RegressionProblem] = {
    "range": regression(ONE, {"r2": "1.2"}),
    "rmse": regression(ONE, {"rmse": "2.00", "mse": "4.20"}),
    "variance": regression(ONE, {"rmse": "2.00", "r2": "0.50", "variance": "9.00"}),
    "mae and rmse": regression(ONE, {"mae": "2.10", "rmse": "2.00"}),
    "root of n": regression(TEN, {"mae": "1.00", "rmse": "3.50"}),
    "mae and max": regression(ONE, {"mae": "2.10", "max error": "2.00"}),
    "n times mae": regression(TEN, {"mae": "1.00", "max error": "11.00"}),
    "rmse and max": regression(ONE, {"rmse": "2.10", "max error": "2.00"}),
    "n times mse": regression(TEN, {"mse": "1.00", "max error": "3.50"}),
    "mae times max": regression(ONE, {"mae": "1.00", "mse": "4.50", "max error": "4.00"}),
    "bias and mae": regression(ONE, {"mae": "1.00", "bias": "-1.10"}),
    "bias and rmse": regression(ONE, {"rmse": "1.00", "mbe": "1.10"}),
    "median and mae": regression(TEN, {"mae": "1.00", "medae": "1.80"}),
    "median and rmse": regression(ONE, {"rmse": "1.00", "medae": "1.50"}),
    "median and max": regression(ONE, {"max error": "1.00", "medae": "1.50"}),
    "median, mae and max": regression(ONE, {"mae": "1.60", "medae": "1.00", "max error": "2.00"}),
    "r2 and ev": regression(ONE, {"r2": "0.80", "ev": "0.70"}),
    "correlation": regression(ONE, {"r2": "0.80", "r": "0.85"}),
    "bias and ev": regression(ONE, {"rmse": "1.000", "bias": "0.500", "r2": "0.500", "ev": "0.700"}),
    "adjusted": regression(sp.Regression(50, predictors=5), {"r2": "0.800", "adjusted r2": "0.790"}),
    "mae, rmse and max": regression(TEN, {"mae": "1.00", "rmse": "2.95", "max error": "9.00"}),
    "whole numbers": regression(sp.Regression(10, integers=True), {"mae": "1.25"}, rounding="nearest"),
    "parity": regression(sp.Regression(10, integers=True), {"mae": "1.200", "mse": "1.700"}),
    "mean squares": regression(sp.Regression(folds="unknown"), {"rmse": "1.85", "mse": "3.33"}),
    "variance of rmse": regression(sp.Regression(folds=100), {"rmse": "1.850 ± 0.260", "mse": "3.600"}),
}


@cache
def answered(name: str) -> Answer[Any, Any]:
    answer = ask(REFUTED[name])
    assert answer.verdict == "inconsistent", str(answer)
    return answer


@some.composite
def evaluations(draw: some.DrawFn) -> list[list[tuple[int, Fraction, Fraction]]]:
    """True and predicted values of one evaluation, or of several."""
    number = draw(some.integers(2, 7))
    step = draw(some.sampled_from([1, 4]))
    value = some.integers(-20, 20).map(lambda k: Fraction(k, step))
    folds = draw(some.sampled_from([1, 1, 2, 3]))
    return [[(1, draw(value), draw(value)) for _ in range(number)] for _ in range(folds)]


@some.composite
def true_reports(draw: some.DrawFn) -> tuple[sp.Regression, dict[str, str], dict[str, Any]]:
    """Errors of known cases, printed by an honest rule."""
    folds = draw(evaluations())
    number = len(folds[0])
    values = [measured(tuple(fold)) for fold in folds]
    digits, rule = draw(some.integers(1, 4)), draw(some.sampled_from(RULES))
    names = draw(some.lists(some.sampled_from(sorted(values[0])), min_size=1, unique=True))
    divisor = draw(some.sampled_from(["population", "sample"]))
    scores = {}
    for name in names:
        if name == "r" and len(folds) > 1:
            continue  # a mean of roots
        own = [fold[name] for fold in values]
        if any(value is None for value in own):
            continue
        exact = [value for value in own if value is not None]
        if name in ("rmse", "r"):
            if len(folds) > 1:
                roots = [Fraction(round(float(value) ** 0.5 * 10**12), 10**12) for value in exact]
                mean = sum(roots, Fraction(0)) / len(roots)
                scores[name] = printed_as(mean, digits, "nearest")
                squares = sum(((root - mean) ** 2 for root in roots), Fraction(0))
                if draw(some.booleans()):
                    spread = root_printed_as(squares / (len(roots) - (divisor == "sample")), digits, "nearest")
                    scores[name] += f" ± {spread}"
                continue
            sign = "-" if exact[0] < 0 else ""
            other = {"floor": "ceil", "ceil": "floor", "nearest": "nearest"}[rule] if sign else rule
            scores[name] = sign + root_printed_as(abs(exact[0]), digits, other)
        else:
            scores[name] = printed_as(sum(exact, Fraction(0)) / len(exact), digits, rule)
    if not scores:
        scores["mae"] = printed_as(
            sum((fold["mae"] or Fraction(0) for fold in values), Fraction(0)) / len(values), 3, rule
        )
    known = draw(some.booleans())
    whole = all(y.denominator == p.denominator == 1 for fold in folds for _, y, p in fold)
    integers = whole and known and len(folds) == 1 and draw(some.booleans())
    several = None if len(folds) == 1 else draw(some.sampled_from([len(folds), "unknown"]))
    rounding = "any" if len(folds) > 1 else rule
    return sp.Regression(number if known else None, several, None, integers), scores, {
        "rounding": rounding, "divisor": draw(some.sampled_from(["any", divisor])),
    }  # fmt: skip


@settings(max_examples=80)
@given(true_reports())
def test_true_errors_are_never_flagged(report: tuple[sp.Regression, dict[str, str], dict[str, Any]]) -> None:
    experiment, scores, options = report
    answer = sp.check(experiment, scores, budget=0.05, **options, strict=True)
    assert answer.verdict != "inconsistent", str(answer)


@settings(max_examples=80)
@given(true_reports())
def test_no_relation_is_broken_by_a_true_report(
    report: tuple[sp.Regression, dict[str, str], dict[str, Any]],
) -> None:
    """Whatever a forger names, the verifier finds it unbroken."""
    experiment, scores, options = report
    statement = regression(experiment, scores, **options).to_dict()
    for relation in RELATIONS:
        assert not sp.verify(sealed("regression", statement, {"kind": "relation", "relation": relation})), relation


def test_every_relation_is_broken_somewhere() -> None:
    assert {*REFUTED} == {*RELATIONS}
    for name in REFUTED:
        assert answered(name).proof == {"kind": "relation", "relation": name}


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_holds_in_words(name: str) -> None:
    verified = sp.verify(certificate_of(answered(name)))
    assert verified.words.startswith("Proved: "), verified.words
    assert answered(name).reason


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_certificates_prove_nothing_that_is_possible(name: str) -> None:
    alterations_prove_nothing_possible(certificate_of(answered(name)), 0.5)


@pytest.mark.parametrize("name", list(REFUTED))
def test_round_trips(name: str) -> None:
    problem = REFUTED[name]
    assert read_problem("regression", json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert Answer.from_dict(json.loads(answered(name).to_json())) == answered(name)


POSSIBLE: list[tuple[sp.Regression, dict[str, str]]] = [
    (sp.Regression(100), {"mae": "1.20", "rmse": "1.85", "r2": "0.71"}),
    (ONE, {"mae": "1.20", "mse": "3.42", "rmse": "1.85"}),
    (ONE, {"mae": "1.20", "rmse": "1.85", "max error": "9.00", "medae": "0.90"}),
    (TEN, {"mae": "1.00", "rmse": "2.86", "max error": "9.00"}),
    (sp.Regression(200), {"rmse": "1.000", "bias": "0.300", "r2": "0.800", "ev": "0.818", "r": "0.950"}),
    (sp.Regression(50, predictors=5), {"r2": "0.800", "adjusted r2": "0.777"}),
    (sp.Regression(folds=10), {"mae": "1.20", "rmse": "1.850 ± 0.260", "mse": "3.490"}),
    (sp.Regression(folds="unknown"), {"mae": "1.20", "rmse": "1.85", "mse": "3.60"}),
    (ONE, {"r2": "-0.30", "rmse": "4.0"}),
    (
        sp.Regression(28, predictors=1),
        {
            "variance": "82.2245", "r": "0.9632", "medae": "1.7631", "mae": "1.9690", "r2": "0.9213", "rmse": "2.5452",
            "adjusted r2": "0.9182", "mse": "6.4776", "bias": "-0.3820", "max error": "6.0184", "ev": "0.9230",
        },
    ),
    (sp.Regression(19, folds=5), {"mae": "1.25 ± 0.10", "rmse": "1.60 ± 0.15", "r2": "0.81 ± 0.04", "r": "0.91 ± 0.02"}),
    (sp.Regression(42, integers=True), {"medae": "0.0", "r": "0.91"}),
    (sp.Regression(54, integers=True), {"medae": "2", "bias": "-1.26", "mae": "2.11", "rmse": "2.61"}),
]  # fmt: skip


@pytest.mark.parametrize(("experiment", "scores"), POSSIBLE)
def test_what_is_possible_has_cases_that_show_it(experiment: sp.Regression, scores: dict[str, str]) -> None:
    answer = sp.check(experiment, scores, strict=True)
    assert answer.verdict == "consistent", str(answer)
    assert isinstance(answer.witness, Cases)
    assert Cases.from_dict(json.loads(json.dumps(answer.witness.to_dict()))) == answer.witness
    assert kind_named("regression").tables(answer.problem, answer.witness)
    moved = Cases(
        tuple((count, tuple((k, y, p + 100) for k, y, p in groups)) for count, groups in answer.witness.folds)
    )
    assert not kind_named("regression").holds(answer.problem, moved)


def test_what_it_does_not_cover_is_said() -> None:
    for name in ("MAPE", "sMAPE", "RMSLE", "NRMSE", "Spearman"):
        with pytest.raises(UnknownScore, match="nothing is tested about it"):
            sp.check(ONE, {name: "0.5"}, strict=True)
    with pytest.raises(NotCovered, match="what it was adjusted for is not said"):
        sp.check(ONE, {"adjusted r2": "0.5"}, strict=True)
    with pytest.raises(InvalidValue, match="so it is a mean over evaluations"):
        sp.check(ONE, {"rmse": "0.5 ± 0.1"}, strict=True)
    with pytest.raises(InvalidOption, match="undefined"):
        sp.check(ONE, {"rmse": "0.5"}, undefined="zero", strict=True)
    with pytest.raises(ScoreproofError, match="'acc' is the accuracy, a quantity of the kind 'binary'"):
        sp.check(ONE, {"acc": "0.5"}, strict=True)
    with pytest.raises(ScoreproofError, match="'rmse' is the root mean squared error"):
        sp.check(sp.TestSet(5, 5), {"rmse": "0.5"}, strict=True)
    for wrong in ({"n": 0}, {"folds": 1}, {"folds": "many"}, {"integers": True}, {"predictors": 3}):
        with pytest.raises(InvalidExperiment):
            sp.Regression(**wrong)  # type: ignore[arg-type]


def test_it_is_explained() -> None:
    said = answered("mae and rmse").explain()
    assert {*said.conflicts[0].scores} == {"mae", "rmse"}
    assert said.repairs
