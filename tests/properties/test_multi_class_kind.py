"""Reports on several classes: what is true is never flagged, what is proved is re-checked, nothing altered passes."""

from __future__ import annotations

import json
import pickle
import random
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from sklearn.metrics import classification_report, cohen_kappa_score, matthews_corrcoef
from tests.class_reports import Counts, random_report
from tests.forgery import certificate_of, sealed, some_alterations_prove_nothing_possible, widened

import scoreproof as sp
from scoreproof.checking import Answer, Verdict, ask
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import kind_named, read_problem
from scoreproof.kinds.multi_class.quantities import parsed
from scoreproof.kinds.multi_class.witness import ClassesWitness, ClassMatrix, matrix_with
from scoreproof_verify.documents import Document
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.class_parts import first_part, groups_of, lines_of, narrowed
from scoreproof_verify.replay.class_report import ratio, read_report
from scoreproof_verify.replay.class_rows import Rows

KIND = kind_named("multi_class")


def asked(counts: Any, scores: Any, **options: Any) -> Answer[Any, Any]:
    return sp.check(sp.MultiClass(counts), scores, **options, strict=True)


HALF = ["0.50"] * 3
REFUTED: dict[str, Answer[Any, Any]] = {
    "coupling": asked([10, 10, 10], {"sens": ["1.00"] * 3, "ppv": HALF, "acc": "1.00"}),
    "class": asked([3, 4, 6], {"sens": HALF}, rounding="nearest"),
    "average": asked([10] * 3, {"sens": HALF, "ppv": HALF, "f1": HALF, "macro f1": "0.60"}, macro_f1="mean"),
    # F1 = 1/2 says that 4 tp = 11 + q: every q is 1 more than a multiple of 4, and so is 33, not their sum.
    "sums": asked([11] * 3, {"f1": ["0.5000"] * 3}, rounding="nearest"),
    "macro": asked(
        [40, 60, 50], {"acc": "0.9000", "macro ppv": "0.9000", "macro sens": "0.9000", "macro f1": "0.9300"}
    ),
    "mcc": asked([40, 60, 50], {"acc": "0.900", "kappa": "0.848", "mcc": "0.840"}, rounding="nearest"),
    "errors": asked([146, 80, 105, 13, 183], {"ovr acc": "0.7760", "macro sens": "0.8839"}, rounding="nearest"),
}


@pytest.mark.parametrize("name", list(REFUTED))
def test_each_refutation_has_a_proof_that_verifies(name: str) -> None:
    answer = REFUTED[name]
    assert answer.verdict is Verdict.INCONSISTENT, answer
    assert answer.reason
    verified = sp.verify(certificate_of(answer))
    assert verified
    assert verified.words.startswith("Proved: no confusion matrix of ")


def test_the_words_say_why() -> None:
    assert "30 false positives, but 0 false negatives" in REFUTED["coupling"].reason
    assert REFUTED["class"].reason == "no counts of right and wrong cases give class 1 with 3 cases recall 0.50"
    assert REFUTED["average"].reason == "macro F1 = 0.60, but the classes give 0.5 to 0.5"
    assert "no whole number of correct cases" in REFUTED["errors"].reason
    wrong = asked({"a": 10, "b": 10, "c": 10}, {"sens": ["1.00", "0.80", "0.60"], "acc": "0.70"}, rounding="nearest")
    assert wrong.reason == "the classes have 24 correct cases, but the whole report asks for 21"


def counts_of(rng: random.Random, classes: int, most: int) -> tuple[Counts, list[list[int]]]:
    """The counts of a random matrix, and the matrix."""
    often = rng.choice((0.1, 0.5, 0.9))
    matrix = [
        [rng.randint(0, most) if i == j or rng.random() < often else 0 for j in range(classes)] for i in range(classes)
    ]
    matrix[0][0] += 1
    if rng.random() < 0.3:  # a class that is given to nobody
        for row in matrix[1:]:
            row[1], row[2] = 0, row[1] + row[2]
    points = tuple((matrix[i][i], sum(row[i] for row in matrix)) for i in range(classes))
    n = tuple(map(sum, matrix))
    return Counts(n, points, sum(n)), matrix


@given(some.integers(0, 10**6), some.integers(3, 6), some.sampled_from([3, 20, 200]))
@settings(max_examples=120, deadline=None)
def test_a_true_report_is_never_flagged(seed: int, classes: int, most: int) -> None:
    rng = random.Random(seed)
    counts, matrix = counts_of(rng, classes, most)
    report = random_report(rng, counts)
    if not report.texts or not report.given_by(counts):
        return
    cells = tuple((i, j, n) for i, row in enumerate(matrix) for j, n in enumerate(row) if n)
    try:
        problem = KIND.problem(sp.MultiClass(counts.n), report.scores, **report.options)
    except ScoreproofError:
        return  # nothing that is true is above 1
    assert KIND.holds(problem, ClassesWitness((ClassMatrix(classes, cells),)))
    answer = ask(problem, budget=1)
    assert answer.verdict is not Verdict.INCONSISTENT, (report, matrix)


@pytest.mark.parametrize("seed", range(150))
def test_true_counts_keep_to_every_row_of_the_verifier(seed: int) -> None:
    """What a proof may use of the sums over classes, each tested by itself: here a misconception would show."""
    rng = random.Random(seed)
    counts, _ = counts_of(rng, rng.randint(3, 5), rng.choice((4, 30)))
    report = random_report(rng, counts)
    report.undefined, report.macro_f1 = "zero", rng.choice(("mean", "of means"))
    if not report.texts or not report.given_by(counts):
        return
    try:
        problem = KIND.problem(sp.MultiClass(counts.n), report.scores, **report.options)
    except ScoreproofError:
        return
    stated = read_report(Document(problem.to_dict()), exclusive=True)
    groups = groups_of(stated)
    part = first_part(stated, groups, Patience(600.0))
    assert narrowed(lines_of(stated, groups), part, Patience(600.0))
    for at, point in enumerate(counts.points):
        for axis, count in zip(("tp", "q"), point, strict=True):
            assert part[axis, at][0] <= count <= part[axis, at][1]
    named: list[list[Any]] = [["right", 0, 1], ["right", 0, -1], ["given", 0, 1], ["given", 0, -1]]
    named += [["wrong", at, -1] for at in range(len(groups))]
    for index, entry in enumerate(stated.entries):
        f_score = entry.score in ("f1", "f2")
        if entry.average in ("macro", "weighted"):
            if f_score and stated.macro_f1 == "of means":
                t = rng.randint(0, 8)
                named += [["tangent", index, t, 8, 1]]
            else:
                named += [["mean", index, 1], ["mean", index, -1]]
        elif entry.score == "kappa":
            named += [["kappa", index, "low", 1], ["kappa", index, "high", -1]]
        elif entry.score == "mcc":
            u = [rng.randint(1, 9), rng.randint(1, 9)]
            named += [["mcc", index, "low", *(u if entry.low <= 0 else []), 1]]
            named += [["mcc", index, "high", *(u if entry.high >= 0 else []), -1]]
    for row in named:
        made = Rows(stated, groups, part).demand([row])
        total = Fraction(0)
        for (a, b, c), scores, group, (tp, q) in zip(made.linear, made.scores, groups, counts.points, strict=True):
            total += a * tp + b * q + c * q * q
            for (name, _), weight in scores.items():
                above, below = ratio(name, tp, q, group.n, group.size)
                total += weight * (Fraction(above, below) if below else 0)
        assert total >= made.needed, row


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_certificates_are_rejected_or_still_true(name: str) -> None:
    """Whatever is changed, what is accepted is a proof of what it states: no witness contradicts it."""
    some_alterations_prove_nothing_possible(certificate_of(REFUTED[name]), 60, budget=5, seed=name)


def test_a_proof_does_not_prove_another_report() -> None:
    for name, answer in REFUTED.items():
        document = certificate_of(answer)
        wide = widened(document["statement"])
        assert not sp.verify(sealed("multi_class", wide, document["proof"])), name
        for steps in (
            [],
            [["none"]],
            [["list"]],
            [["bound", [["right", 0, 1]], [0] * 9]],
            [["cut", 0, "tp", 0]] * 3,
            7,
        ):
            proof = {"kind": "parts", "steps": steps}
            assert not sp.verify(sealed("multi_class", wide, proof)), (name, steps)


def test_a_later_set_may_give_a_class_more_cases_than_the_first_set_has() -> None:
    """Squares of q are those of all sets: a bound by the size of the first one would exclude what is true."""
    classes = [{"name": name, "counts": [5, 500]} for name in "ab"]
    scores = [{"score": "acc", "text": "0.5", "rounding": "any"}]  # all cases called "a": true
    statement = {"classes": classes, "scores": scores, "undefined": "any", "macro_f1": "any"}
    steps = [["cut", 2, "q", 14], ["none"], ["none"]]
    verified = sp.verify(sealed("multi_class", statement, {"kind": "parts", "steps": steps}))
    assert verified.words == "Not proved: a part said to be empty is not."


@pytest.mark.parametrize("name", list(REFUTED))
def test_problems_and_answers_survive_json_and_pickle(name: str) -> None:
    problem = REFUTED[name].problem
    assert read_problem("multi_class", json.loads(json.dumps(problem.to_dict()))) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert Answer.from_dict(json.loads(REFUTED[name].to_json())) == REFUTED[name]
    fits = asked({"cat": 5, "cow": 7, "dog": 3}, {"acc": "0.8", "macro f1": "0.8"})
    assert Answer.from_dict(json.loads(fits.to_json())) == fits


def printed_by_sklearn(seed: int) -> tuple[Any, Any, dict[str, Any], str]:
    """True and predicted classes, the class counts, and the report as printed; classes never predicted, too."""
    rng = np.random.default_rng(seed)
    k, total = int(rng.integers(3, 12)), int(rng.choice([20, 60, 300, 2000, 20_000]))
    truth = rng.choice(k, size=total, p=rng.dirichlet(np.full(k, 0.7)))
    said = np.where(rng.random(total) < rng.uniform(0.2, 0.99), truth, rng.integers(0, k, size=total))
    said[said == 0] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = classification_report(
            truth, said, labels=range(k), digits=int(rng.integers(2, 5)), zero_division=int(rng.integers(0, 2))
        )
    return truth, said, {str(i): int((truth == i).sum()) for i in range(k)}, str(text)


@pytest.mark.parametrize("seed", range(40))
def test_reports_that_scikit_learn_prints_are_consistent(seed: int) -> None:
    truth, said, counts, text = printed_by_sklearn(seed)
    names = ("ppv", "sens", "f1")
    scores: dict[str, Any] = {name: [] for name in names}
    for line in text.splitlines()[1:]:
        words = line.split()
        if words[:1] == ["accuracy"]:
            scores["acc"] = words[1]
        elif words[1:2] == ["avg"]:
            scores |= {f"{words[0]} {name}": value for name, value in zip(names, words[2:5], strict=True)}
        elif words:
            for name, value in zip(names, words[1:4], strict=True):
                scores[name].append(value)
    if seed % 2:
        digits = len(scores["macro f1"]) - 2
        scores["kappa"] = f"{cohen_kappa_score(truth, said):.{digits}f}"
        scores["mcc"] = f"{matthews_corrcoef(truth, said):.{digits}f}"
    if seed % 5 == 0:  # partly masked
        scores = {name: value for place, (name, value) in enumerate(scores.items()) if place % 3}
    answer = asked(counts, scores, rounding="nearest", budget=20)
    assert answer.verdict is Verdict.CONSISTENT, answer.reason
    assert KIND.holds(answer.problem, answer.witness)


def test_names_in_every_usual_spelling() -> None:
    spellings = {
        ("f1", "macro"): ("macro f1", "F1 (macro)", "macro-averaged F1-score", "f1_macro", "Macro avg F-measure"),
        ("ppv", "weighted"): ("weighted precision", "Precision (weighted avg)", "precision_weighted", "weighted-ppv"),
        ("sens", "macro"): ("UAR", "balanced accuracy", "bacc", "macro recall", "unweighted average recall"),
        ("acc", ""): ("acc", "Accuracy", "WAR"),
        ("kappa", ""): ("Cohen's kappa", "κ"),
        ("mcc", ""): ("MCC", "Matthews correlation coefficient"),
        ("acc", "macro"): ("OvR accuracy", "one-vs-rest accuracy", "macro acc"),
    }
    for meaning, names in spellings.items():
        for name in names:
            assert parsed(name) == meaning, name


@pytest.mark.parametrize(
    ("scores", "options", "words"),
    [
        ({"f1": "0.9"}, {}, "one value for each"),
        ({"sens": ["0.9", "0.8"]}, {}, "expected 3 values"),
        ({"sens": {"cow": "0.9"}}, {}, "no class is called 'cow'"),
        ({"macro f1": ["0.9"] * 3}, {}, "an average over classes is one value"),
        ({"macro f1": "0.9", "F1 (macro)": "0.9"}, {}, "are one score"),
        ({"macro f1": "0.90 ± 0.02"}, {}, "has a ±"),
        ({"macro lr+": "0.9"}, {}, "is not a score of one class"),
        ({"macro f1": "0.9"}, {"macro_f1": "both"}, "macro_f1"),
        ({"macro f1": "0.9"}, {"minimum": {"acc": "0.8"}}, "minimum: not an option"),
        ({"macro f1": "0.9"}, {"rounding": {"acc": "nearest"}}, "which is not among the reported scores"),
        ({}, {}, "expected a mapping"),
    ],
)
def test_what_cannot_be_meant_is_an_error(scores: Any, options: Any, words: str) -> None:
    with pytest.raises(ScoreproofError, match=words.replace("+", r"\+")):
        asked([5, 7, 3], scores, **options)


@given(some.lists(some.lists(some.integers(0, 9), min_size=4, max_size=4), min_size=4, max_size=4))
@settings(max_examples=100, deadline=None)
def test_a_matrix_with_given_margins_is_made(matrix: list[list[int]]) -> None:
    points = [(matrix[i][i], sum(row[i] for row in matrix) - matrix[i][i]) for i in range(4)]
    supports = list(map(sum, matrix))
    made = matrix_with(points, supports)
    assert made.points == points
    assert made.supports == supports
