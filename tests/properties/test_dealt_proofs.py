"""Proofs by the ways in which classes may fall into folds: complete, and never about a report that is possible."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.forgery import certificate_of, sealed, some_alterations_prove_nothing_possible

import scoreproof as sp
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.averages.dealt import dealt_classes
from scoreproof.kinds.binary.experiment.folds import dealt_folds
from scoreproof.work.deadline import Deadline
from scoreproof_verify import verify_certificate
from scoreproof_verify.averages import Family
from scoreproof_verify.dealt import _ways


@given(some.integers(0, 9), some.integers(0, 9), some.integers(2, 5), some.booleans())
def test_verifier_and_engine_know_the_same_ways_which_are_all(p: int, n: int, k: int, trainable: bool) -> None:
    if p + n < k:
        return
    size, larger = divmod(p + n, k)
    sizes = [size + (fold < larger) for fold in range(k)]
    every = set()
    for way in product(*(range(cases + 1) for cases in sizes)):
        two = min(sum(q > 0 for q in way), sum(q < cases for q, cases in zip(way, sizes, strict=True))) >= 2
        if sum(way) == p and (two or not trainable):
            every.add((*sorted(way[:larger], reverse=True), *sorted(way[larger:], reverse=True)))
    verified = list(_ways(Family(p, n, k, "trainable" if trainable else "any", 1), sizes))
    engine = [tuple(q for q, _ in folds) for folds in dealt_folds(p, n, k, trainable=trainable)]
    assert verified == sorted(engine) == sorted(every)


@given(some.integers(0, 10**6), some.sampled_from(["exclude", "zero", "skip", "one"]))
@settings(max_examples=40)
def test_what_is_refuted_is_impossible(seed: int, undefined: str) -> None:
    """Two folds of few cases, all class counts and all matrices tried."""
    rng = random.Random(seed)
    p, n = rng.randint(1, 5), rng.randint(1, 5)
    scores = {name: f"{rng.uniform(0.3, 1):.2f}" for name in ("acc", "sens", "spec")}
    experiment = sp.KFold(p, n, 2, stratified=False)
    problem = kind_named("binary").problem(experiment, scores, undefined=undefined, eps="0.02")
    ways = dealt_classes(kind_named("binary")._demanded(problem))
    assert ways is not None
    found = ways.turn(Deadline(20), Deadline(20))
    assert (found.proof is None) == _possible(p, n, {name: Fraction(x) for name, x in scores.items()}, undefined)
    if found.proof is not None:
        answer = sp.ask(problem)
        assert answer.verdict is sp.Verdict.INCONSISTENT


def _possible(p: int, n: int, wanted: dict[str, Fraction], undefined: str) -> bool:
    size = (p + n + 1) // 2
    for a in range(max(0, size - n), min(p, size) + 1):
        first, second = (a, size - a), (p - a, n - size + a)
        for tp, tn, tp2, tn2 in product(*(range(count + 1) for count in (*first, *second))):
            folds = ((tp, tn, *first), (tp2, tn2, *second))
            means = {
                "acc": _mean([(x + y, q + r) for x, y, q, r in folds], undefined),
                "sens": _mean([(x, q) for x, _, q, _ in folds], undefined),
                "spec": _mean([(y, r) for _, y, _, r in folds], undefined),
            }
            if all(mean is not None and abs(mean - wanted[name]) <= Fraction(2, 100) for name, mean in means.items()):
                return True
    return False


def _mean(rates: list[tuple[int, int]], undefined: str) -> Fraction | None:
    values = [Fraction(top, bottom) for top, bottom in rates if bottom]
    if len(values) < len(rates):
        if undefined == "exclude":
            return None
        values += [Fraction(undefined == "one")] * ((len(rates) - len(values)) * (undefined != "skip"))
    return sum(values, Fraction(0)) / len(values) if values else None


@pytest.mark.parametrize("rule", ["any", "trainable"])
def test_a_proof_must_treat_every_way(rule: str) -> None:
    experiment = sp.KFold(7, 9, 3, stratified=False, rule=rule)
    answer = sp.check(experiment, {"acc": "0.700", "sens": "0.611", "spec": "0.750"}, undefined="exclude")
    certificate = certificate_of(answer)
    assert certificate["proof"]["kind"] == "dealt"
    assert "class counts of the folds" in verify_certificate(certificate).words
    some_alterations_prove_nothing_possible(certificate, 60, 2.0, rule)
    for cases in (certificate["proof"]["cases"][1:], [], [{}] * len(certificate["proof"]["cases"]), None):
        assert not verify_certificate(sealed("binary", certificate["statement"], {"kind": "dealt", "cases": cases}))


def test_few_folds_of_many_cases_are_left_to_others() -> None:
    kind = kind_named("binary")
    for folds in (sp.KFold(4000, 5000, 4, stratified=False), sp.KFold(40, 50, 4)):
        problem = kind.problem(folds, {"acc": "0.7", "sens": "0.6", "spec": "0.7"})
        assert dealt_classes(kind._demanded(problem)) is None
