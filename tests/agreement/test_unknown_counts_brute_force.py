"""Reports on classes of unknown counts, and on two classes, against all matrices there are."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest
from tests.class_reports import all_matrices, random_report

import scoreproof as sp
from scoreproof.errors import InvalidValue
from scoreproof.kinds import kind_named
from scoreproof.kinds.multi_class.problem import classes_problem


def matrices_of(total: int, classes: int) -> list[Any]:
    counts = (own for own in itertools.product(range(total + 1), repeat=classes) if sum(own) == total)
    return [matrix for own in counts for matrix in all_matrices(own)]


@pytest.mark.parametrize("total", [4, 6])
def test_whatever_the_class_counts_the_verdict_is_that_of_brute_force(total: int) -> None:
    rng = random.Random(total)
    every = matrices_of(total, 3)
    verdicts: Counter[str] = Counter()
    steps: Counter[str] = Counter()
    for _ in range(16):
        report = random_report(rng, rng.choice(every))
        if not report.texts:
            continue
        try:
            answer = sp.check(
                sp.MultiClass(total=total, classes=3), report.scores, budget=60, **report.options, strict=True
            )
        except InvalidValue:
            continue  # moved beyond 2, where a percentage is asked for
        possible = any(map(report.given_by, every))
        verdicts[str(answer.verdict)] += 1
        assert str(answer.verdict) == ("consistent" if possible else "inconsistent"), (report, answer.reason)
        if answer.proof is not None:
            assert sp.verify(answer.certificate or {})
            for proof in answer.proof.get("cases", [answer.proof]):
                steps.update(step[0] for step in proof["steps"])
    assert min(verdicts.values()) > 2
    assert steps["none"] + steps["bound"], steps


def test_two_classes_are_decided_alike_by_both_kinds() -> None:
    rng = random.Random(5)
    kinds: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for _ in range(160):
        sizes = rng.choice([(3, 5), (6, 2), (4, 4), (7, 9)])
        every = all_matrices(sizes)
        report = random_report(rng, rng.choice(every))
        kept = dict(rng.sample(sorted(report.texts.items()), min(len(report.texts), rng.randint(1, 3))))
        report.texts = kept
        if not kept:
            continue
        try:
            answer = sp.check(sp.MultiClass(sizes), report.scores, budget=20, **report.options, strict=True)
            problem = classes_problem(["1", "2"], [sizes], report.scores, **report.options)
        except InvalidValue:
            continue
        kinds[answer.problem.kind] += 1
        verdicts[str(answer.verdict)] += answer.problem.kind == "binary"
        possible = any(map(report.given_by, every))
        assert str(answer.verdict) == ("consistent" if possible else "inconsistent"), (report, answer)
        assert sp.ask(problem, budget=20).verdict == answer.verdict
    assert min(kinds["binary"], kinds["multi_class"]) > 20
    assert min(verdicts["consistent"], verdicts["inconsistent"]) > 6


def test_the_second_of_two_classes_is_the_positive_one() -> None:
    answer = sp.check(sp.MultiClass({"no": 90, "yes": 10}), {"sens": ["0.90", "0.70"], "acc": "0.88"}, strict=True)
    assert answer.problem.kind == "binary"
    assert {claim.name: claim.text for claim in answer.claims} == {"spec": "0.90", "sens": "0.70", "acc": "0.88"}
    assert answer.witness.matrix.p == 10
    mean = sp.check(
        sp.MeanOfScores([sp.MultiClass([9, 5]), sp.MultiClass([8, 5])]),
        {"acc": "0.93", "macro sens": "0.9"},
        strict=True,
    )
    assert mean.problem.kind == "binary"
    assert mean.verdict == "consistent"
    assert kind_named("binary").holds(mean.problem, mean.witness)
