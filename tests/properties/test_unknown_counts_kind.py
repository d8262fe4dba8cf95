"""Classes of unknown counts: what is true is never flagged, what is proved is re-checked, nothing altered passes."""

from __future__ import annotations

import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as some
from tests.class_reports import random_report
from tests.forgery import certificate_of, sealed, some_alterations_prove_nothing_possible, widened
from tests.properties.test_multi_class_kind import counts_of

import scoreproof as sp
from scoreproof.checking import Answer, Verdict, ask
from scoreproof.checking.check import experiment_from_dict
from scoreproof.errors import InvalidExperiment, ScoreproofError
from scoreproof.kinds import kind_named, read_problem
from scoreproof.kinds.multi_class.cells import propagated
from scoreproof.kinds.multi_class.witness import ClassesWitness, ClassMatrix
from scoreproof.kinds.unknown_counts_parts import CountLines, CountProgram, whole_lines

KIND = kind_named("unknown_counts")


def asked(total: int, scores: Any, classes: Any = 3, **options: Any) -> Answer[Any, Any]:
    return sp.check(sp.MultiClass(total=total, classes=classes), scores, **options, strict=True)


REFUTED: dict[str, Answer[Any, Any]] = {
    "lattice": asked(150, {"acc": "0.9151"}, rounding="nearest"),
    "micro": asked(150, {"micro f1": "0.9151"}, rounding="nearest"),
    "coupling": asked(30, {"sens": ["1.00"] * 3, "ppv": ["0.50"] * 3, "acc": "1.00"}),
    "accuracy outside the recalls": asked(150, {"sens": ["0.90", "0.92", "0.93"], "acc": "0.97"}, None),
    "kappa": asked(150, {"acc": "0.91", "kappa": "0.95"}),
    "whole numbers": asked(7, {"sens": ["0.50"] * 3}, rounding="nearest"),  # every n is even
    "macro": asked(60, {"sens": ["0.70", "0.80", "0.90"], "macro sens": "0.95", "macro f1": "0.90"}),
}


@pytest.mark.parametrize("name", list(REFUTED))
def test_each_refutation_has_a_proof_that_verifies(name: str) -> None:
    answer = REFUTED[name]
    assert answer.verdict is Verdict.INCONSISTENT, answer
    verified = sp.verify(certificate_of(answer))
    assert verified
    assert "whatever the class counts" in verified.words
    assert read_problem("unknown_counts", json.loads(json.dumps(answer.problem.to_dict()))) == answer.problem
    assert pickle.loads(pickle.dumps(answer.problem)) == answer.problem
    assert Answer.from_dict(json.loads(answer.to_json())) == answer


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_certificates_are_rejected_or_still_true(name: str) -> None:
    document = certificate_of(REFUTED[name])
    some_alterations_prove_nothing_possible(document, 50, budget=3, seed=name)
    assert not sp.verify(sealed("unknown_counts", widened(document["statement"]), document["proof"]))


@example(698, 3, 200)  # a part without any choice for half of its classes
@given(some.integers(0, 10**6), some.integers(3, 5), some.sampled_from([3, 20, 200]))
@settings(max_examples=30, deadline=None)
def test_a_true_report_is_never_flagged(seed: int, classes: int, most: int) -> None:
    rng = random.Random(seed)
    counts, matrix = counts_of(rng, classes, most)
    report = random_report(rng, counts)
    if not report.texts or not report.given_by(counts):
        return
    cells = tuple((i, j, n) for i, row in enumerate(matrix) for j, n in enumerate(row) if n)
    try:
        problem = KIND.problem(sp.MultiClass(total=counts.total, classes=classes), report.scores, **report.options)
    except ScoreproofError:
        return
    assert KIND.holds(problem, ClassesWitness((ClassMatrix(classes, cells),)))
    assert ask(problem, budget=0.5).verdict is not Verdict.INCONSISTENT, (report, matrix)
    # no part around the true counts is refuted, however small
    if problem.report.macro_f1 == "any":
        return
    model = CountLines(problem.report, problem.total)
    n, tp, q = counts.n, [point[0] for point in counts.points], [point[1] for point in counts.points]
    true = [*n, *tp, *q, sum(tp)]
    width = rng.choice((0, 1, 5))
    box = propagated([(max(0, value - width), value + width) for value in true], whole_lines(model.lines))
    assert box is not None
    assert all(low <= value <= high for value, (low, high) in zip(true, box, strict=True))
    assert CountProgram(model, box).proof is None


def test_a_witness_has_class_counts_of_its_own() -> None:
    answer = asked(150, {"acc": "0.91", "sens": ["0.90", "0.92", None], "ppv": ["0.95", None, None]}, None)
    assert answer.verdict is Verdict.CONSISTENT
    assert sum(answer.witness.matrices[0].supports) == 150
    assert "3 classes on 150 cases, class counts unknown" in str(answer)


def test_the_experiment_says_what_it_needs() -> None:
    tree = {"type": "multi_class", "total": 150, "classes": ["cat", "dog", "cow"]}
    assert experiment_from_dict(tree).to_dict() == tree
    assert sp.MultiClass(total=9).to_dict() == {"type": "multi_class", "total": 9}
    for wrong in (
        {},
        {"counts": [1, 2], "total": 3},
        {"total": 0},
        {"total": 5, "classes": 1},
        {"total": 5, "classes": "ab"},
    ):
        with pytest.raises(InvalidExperiment):
            sp.MultiClass(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidExperiment, match="say how many classes"):
        sp.check(sp.MultiClass(total=150), {"acc": "0.9"}, strict=True)
    with pytest.raises(InvalidExperiment, match="parts"):
        sp.MeanOfScores([sp.MultiClass(total=9, classes=3)])
