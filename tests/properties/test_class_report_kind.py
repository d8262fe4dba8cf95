"""Class reports: what is true is never flagged, what is proved is re-checked, and nothing altered passes."""

from __future__ import annotations

import copy
import json
import pickle
import random
import time
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from sklearn.metrics import classification_report

import scoreproof as sp
from scoreproof.asking import Answer, Verdict, ask
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import kind_named, read_problem
from scoreproof.kinds.class_report.matrix import ClassMatrix, matrix_with
from scoreproof.kinds.class_report.problem import ClassReportProblem, class_report
from scoreproof.verifier import digest

KIND = kind_named("class_report")
NAMES = ("precision", "recall", "f1")
HALF = {"precision": "0.50", "recall": "0.50", "f1": "0.50"}


def three(scores: Any, support: int = 10, **more: Any) -> ClassReportProblem:
    return class_report([(name, support, dict(scores)) for name in ("cat", "cow", "dog")], **more)


REFUTED: dict[str, ClassReportProblem] = {
    "sums": three({"precision": "0.50", "recall": "1.00"}, accuracy="1.00"),
    "class": class_report([("cat", 3, {"recall": "0.50"}), ("cow", 4, {"recall": "0.50"})], rounding="nearest"),
    "average": three(HALF, macro={"f1": "0.60"}),
    "weighted average": three({"recall": "0.50"}, weighted={"f1": "0.80"}, accuracy="0.50"),
    # F1 = 1/2 says that 4 tp = 11 + tp + fp: every tp + fp is 1 more than a multiple of 4, and so is 33, not their sum.
    "programme": three({"f1": "0.5000"}, 11, rounding="nearest"),
    "listing": class_report(
        [("a", 4, {}), ("b", 1, {"ppv": "0.00", "sens": "0.00", "f1": "0.00"}), ("c", 0, {})],
        macro={"f1": "0.22"},
        weighted={"ppv": "0.60"},
        rounding="nearest",
        undefined="zero",
    ),
}


def proof_kind(name: str) -> str:
    return name.rpartition(" ")[2]


def certificate(name: str) -> dict[str, Any]:
    answer = ask(REFUTED[name])
    assert answer.verdict is Verdict.INCONSISTENT, answer
    document: dict[str, Any] = json.loads(json.dumps(answer.certificate))
    return document


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "digest": digest(document["kind"], document["statement"], document["proof"])}


@pytest.mark.parametrize("name", list(REFUTED))
def test_each_way_to_refute_has_a_proof_that_verifies(name: str) -> None:
    document = certificate(name)
    assert document["proof"]["kind"] == proof_kind(name)
    verified = sp.verify(document)
    assert verified
    assert verified.words.startswith("Proved: no confusion matrix of ")
    assert ask(REFUTED[name]).reason


def test_the_words_say_why() -> None:
    assert "30 false positives, but 0 false negatives" in ask(REFUTED["sums"]).reason
    assert ask(REFUTED["class"]).reason == (
        "no counts of right and wrong cases give class cat with 3 cases recall 0.50"
    )
    assert ask(REFUTED["average"]).reason == "macro F1 = 0.60, but the classes give 0.5 to 0.5"
    recalls = [("cat", 10, {"recall": "1.00"}), ("cow", 10, {"recall": "0.80"}), ("dog", 10, {"recall": "0.60"})]
    wrong = ask(class_report(recalls, accuracy="0.70", rounding="nearest"))
    assert wrong.reason == "the classes have 24 correct cases, but the whole report asks for 21"


@pytest.mark.parametrize("name", list(REFUTED))
def test_altered_certificates_are_rejected(name: str) -> None:
    document = certificate(name)
    assert not sp.verify({**document, "digest": "0" * 64})
    wider = copy.deepcopy(document)
    for entry in _entries(wider["statement"]):
        entry.pop("rounding", None)
        entry["eps"] = "1"  # anything is possible now
    assert not sp.verify(sealed(wider))
    for key, value in (("more", 1), ("kind", "certainly"), ("kind", ["sums"]), ("kind", None), ("class", 7)):
        assert not sp.verify(sealed({**document, "proof": {**document["proof"], key: value}}))
    for key in ("undefined", "averages_of", "averages", "classes"):
        statement = {**document["statement"]}
        del statement[key]
        assert not sp.verify(sealed({**document, "statement": statement}))
        assert not sp.verify(sealed({**document, "statement": {**statement, key: "strange"}}))
    assert not sp.verify(sealed({**document, "statement": {**document["statement"], "note": ""}}))
    for entry in _entries(document["statement"]):
        for key, value in (
            ("score", "acc?"),
            ("name", "x"),
            ("rounding", "up"),
            ("eps", "0.1"),
            ("text", 0.5),
            ("text", "0.50 ± 0.01"),
            ("text", "half"),
            ("text", "9" * 300),
        ):
            changed = copy.deepcopy(document)
            _entries(changed["statement"])[_entries(document["statement"]).index(entry)][key] = value
            assert not sp.verify(sealed(changed)), (key, value)
    for key, value in (
        ("support", -1),
        ("support", True),
        ("support", "3"),
        ("support", 10**10),
        ("name", 3),
        ("x", 1),
    ):
        changed = copy.deepcopy(document)
        changed["statement"]["classes"][0][key] = value
        assert not sp.verify(sealed(changed)), (key, value)


def _entries(statement: dict[str, Any]) -> list[dict[str, Any]]:
    listed = [entry for part in statement["classes"] for entry in part["scores"]]
    listed += [entry for entries in statement["averages"].values() for entry in entries]
    return listed + ([statement["accuracy"]] if "accuracy" in statement else [])


@pytest.mark.parametrize("name", list(REFUTED))
@pytest.mark.parametrize("seed", range(4))
def test_a_possible_report_is_proved_impossible_by_no_proof(name: str, seed: int) -> None:
    """A changed text either leaves the report impossible, or no kind of proof is accepted for it."""
    rng = random.Random(seed)
    document = certificate(name)
    entry = rng.choice(_entries(document["statement"]))
    entry["text"] = f"{rng.randint(0, 100) / 100:.2f}"
    if rng.random() < 0.5:
        rng.choice(document["statement"]["classes"])["support"] = rng.randint(0, 12)
    answer = ask(read_problem("class_report", document["statement"]))
    if answer.verdict is not Verdict.CONSISTENT:
        return
    proofs: list[dict[str, Any]] = [{"kind": kind} for kind in ("sums", "programme", "listing")]
    proofs += [{"kind": "class", "class": place} for place in range(-1, 5)]
    proofs += [
        {"kind": "average", "average": a, "score": s} for a in ("macro", "weighted") for s in ("ppv", "sens", "f1")
    ]
    for proof in proofs:
        assert not sp.verify(sealed({**document, "proof": proof})), (document["statement"], proof)


@pytest.mark.parametrize("name", list(REFUTED))
def test_problems_and_answers_survive_json_and_pickle(name: str) -> None:
    for problem in (REFUTED[name], three(HALF, accuracy="0.5", macro=HALF)):
        assert read_problem("class_report", json.loads(json.dumps(problem.to_dict()))) == problem
        assert pickle.loads(pickle.dumps(problem)) == problem
        assert hash(problem) == hash(pickle.loads(pickle.dumps(problem)))
        answer = ask(problem)
        assert Answer.from_dict(json.loads(answer.to_json())) == answer


def scored(matrix: list[list[int]], fill: int = 0) -> dict[str, Any]:
    """All scores of a matrix, exactly."""
    k = len(matrix)
    supports = [sum(row) for row in matrix]
    given = [sum(row[i] for row in matrix) for i in range(k)]

    def over(num: int, den: int) -> Fraction:
        return Fraction(num, den) if den else Fraction(fill)

    own = [
        dict(
            zip(
                NAMES,
                (
                    over(matrix[i][i], given[i]),
                    over(matrix[i][i], supports[i]),
                    over(2 * matrix[i][i], supports[i] + given[i]),
                ),
                strict=True,
            )
        )
        for i in range(k)
    ]
    total = sum(supports)
    return {
        "supports": supports,
        "own": own,
        "accuracy": Fraction(sum(matrix[i][i] for i in range(k)), total),
        "macro": {name: sum(scores[name] for scores in own) / k for name in NAMES},
        "weighted": {
            name: sum(n * scores[name] for n, scores in zip(supports, own, strict=True)) / total for name in NAMES
        },
    }


def printed(value: Fraction, digits: int, rounding: str) -> str:
    scaled = value * 10**digits
    floor, ceil = scaled.__floor__(), scaled.__ceil__()
    units = {"floor": floor, "ceil": ceil, "nearest": round(scaled), "any": floor}[rounding]
    return f"{units // 10**digits}.{units % 10**digits:0{digits}d}"


MATRICES = some.integers(2, 6).flatmap(
    lambda k: some.lists(
        some.lists(some.integers(0, 30) | some.just(0), min_size=k, max_size=k), min_size=k, max_size=k
    )
)


@given(
    MATRICES,
    some.sampled_from(["nearest", "floor", "ceil", "any"]),
    some.integers(1, 5),
    some.sampled_from([("any", 0), ("any", 1), ("zero", 0), ("one", 1)]),
    some.sampled_from(["any", "scores"]),
    some.randoms(use_true_random=False),
)
@settings(max_examples=150, deadline=None)
def test_a_true_report_is_never_flagged(
    matrix: list[list[int]], rounding: str, digits: int, filled: tuple[str, int], averages_of: str, rng: random.Random
) -> None:
    if not any(map(any, matrix)):
        return
    true = scored(matrix, filled[1])
    keep = rng.choice([0.3, 1.0])

    def texts(scores: dict[str, Fraction]) -> dict[str, str]:
        return {name: printed(value, digits, rounding) for name, value in scores.items() if rng.random() < keep}

    problem = class_report(
        [(str(i), n, texts(own)) for i, (n, own) in enumerate(zip(true["supports"], true["own"], strict=True))],
        accuracy=printed(true["accuracy"], digits, rounding),
        macro=texts(true["macro"]),
        weighted=texts(true["weighted"]),
        rounding=rounding,
        undefined=filled[0],
        averages_of=averages_of,
    )
    cells = tuple((i, j, n) for i, row in enumerate(matrix) for j, n in enumerate(row) if n)
    assert KIND.holds(problem, ClassMatrix(len(matrix), cells))
    answer = ask(problem, budget=5)
    assert answer.verdict is not Verdict.INCONSISTENT, answer
    if answer.witness is not None:
        assert KIND.holds(problem, answer.witness)


@given(MATRICES, some.sampled_from([2, 3]), some.sampled_from(["any", "zero"]))
@settings(max_examples=60, deadline=None)
def test_averages_of_left_out_scores_are_never_flagged(matrix: list[list[int]], digits: int, undefined: str) -> None:
    """zero_division=nan: an undefined score is not printed, and the macro average leaves it out."""
    if not any(map(any, matrix)) or undefined == "zero":
        return
    true, ones = scored(matrix, 0), scored(matrix, 1)
    own = [
        {name: printed(value, digits, "nearest") for name, value in scores.items() if value == other[name]}
        for scores, other in zip(true["own"], ones["own"], strict=True)
    ]
    macro = {}
    for name in NAMES:
        values = [scores[name] for scores, texts in zip(true["own"], own, strict=True) if name in texts]
        if values:
            macro[name] = printed(sum(values, Fraction(0)) / len(values), digits, "nearest")
    problem = class_report(
        [(str(i), n, texts) for i, (n, texts) in enumerate(zip(true["supports"], own, strict=True))],
        macro=macro,
        rounding="nearest",
    )
    assert ask(problem, budget=5).verdict is not Verdict.INCONSISTENT


@given(MATRICES)
@settings(max_examples=150, deadline=None)
def test_averages_of_printed_values_are_never_flagged(matrix: list[list[int]]) -> None:
    if not any(map(any, matrix)):
        return
    true = scored(matrix)
    own = [{name: printed(value, 2, "nearest") for name, value in scores.items()} for scores in true["own"]]
    macro = {name: printed(sum(Fraction(texts[name]) for texts in own) / len(own), 2, "nearest") for name in NAMES}
    classes = [(str(i), n, texts) for i, (n, texts) in enumerate(zip(true["supports"], own, strict=True))]
    problem = class_report(classes, macro=macro, rounding="nearest")
    assert ask(problem, budget=5).verdict is Verdict.CONSISTENT


@given(MATRICES, some.sampled_from(["averages", "rows", "nothing"]))
@settings(max_examples=100, deadline=None)
def test_an_f1_of_averages_is_never_flagged(matrix: list[list[int]], shown: str) -> None:
    """Some call the harmonic mean of average precision and average recall the average F1."""
    if not any(map(any, matrix)):
        return
    true = scored(matrix)
    own = [{name: printed(value, 2, "nearest") for name, value in scores.items()} for scores in true["own"]]
    precision, recall = true["macro"]["precision"], true["macro"]["recall"]
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else Fraction(0)
    macro = {"f1": f1} | ({"precision": precision, "recall": recall} if shown == "averages" else {})
    if shown == "nothing":
        own = [{"f1": texts["f1"]} for texts in own]
    problem = class_report(
        [(str(i), n, texts) for i, (n, texts) in enumerate(zip(true["supports"], own, strict=True))],
        macro={name: printed(value, 2, "nearest") for name, value in macro.items()},
        rounding="nearest",
    )
    assert ask(problem, budget=5).verdict is not Verdict.INCONSISTENT


def read_text(text: str) -> dict[str, Any]:
    """The texts scikit-learn prints."""
    read: dict[str, Any] = {"classes": [], "accuracy": None}
    for line in text.splitlines()[1:]:
        words = line.split()
        if words[:1] == ["accuracy"]:
            read["accuracy"] = words[1]
        elif words[1:2] == ["avg"]:
            read[words[0]] = dict(zip(NAMES, words[2:5], strict=True))
        elif words:
            read["classes"].append((words[0], int(words[4]), dict(zip(NAMES, words[1:4], strict=True))))
    return read


@pytest.mark.parametrize("seed", range(60))
def test_reports_that_scikit_learn_prints_are_consistent(seed: int) -> None:
    """Random predictions at digits 2 to 4, with zero_division as either 0 or 1, whatever the classes' sizes."""
    rng = np.random.default_rng(seed)
    k, total = int(rng.integers(3, 12)), int(rng.choice([20, 60, 300, 2000]))
    truth = rng.choice(k, size=total, p=rng.dirichlet(np.full(k, 0.7)))
    said = np.where(rng.random(total) < rng.uniform(0.2, 0.99), truth, rng.integers(0, k, size=total))
    said[said == 0] = 1  # the first class is given to nobody
    fill, digits = int(rng.integers(0, 2)), int(rng.integers(2, 5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = classification_report(truth, said, labels=range(k), digits=digits, zero_division=fill)
    if "micro" in text:
        return
    read = read_text(text)
    for undefined in ("any", "one" if fill else "zero"):
        problem = class_report(**read, rounding="nearest", undefined=undefined, averages_of="scores")
        answer = ask(problem, budget=10)
        assert answer.verdict is Verdict.CONSISTENT, (text, answer.reason)


@pytest.mark.parametrize("seed", range(20))
def test_reports_in_full_precision_are_consistent(seed: int) -> None:
    """What output_dict gives, as it is printed: fifteen digits and more."""
    rng = np.random.default_rng(seed)
    k, total = int(rng.integers(3, 9)), int(rng.choice([20, 300, 2000]))
    truth = rng.integers(0, k, size=total)
    said = np.where(rng.random(total) < rng.uniform(0.2, 0.99), truth, rng.integers(0, k, size=total))
    given_ = classification_report(truth, said, labels=range(k), output_dict=True, zero_division=0)
    if "accuracy" not in given_:
        return

    def texts(row: dict[str, float]) -> dict[str, str]:
        return {
            name: repr(float(row[key])) for name, key in zip(NAMES, ("precision", "recall", "f1-score"), strict=True)
        }

    problem = class_report(
        [(str(i), int(given_[str(i)]["support"]), texts(given_[str(i)])) for i in range(k)],
        accuracy=repr(float(given_["accuracy"])),
        macro=texts(given_["macro avg"]),
        weighted=texts(given_["weighted avg"]),
        averages_of="scores",
    )
    assert ask(problem, budget=10).verdict is Verdict.CONSISTENT


@given(
    some.lists(some.tuples(some.integers(0, 40), some.integers(0, 40)), min_size=2, max_size=8), some.integers(0, 99)
)
@settings(max_examples=200, deadline=None)
def test_a_matrix_exists_for_counts_that_couple(wrong: list[tuple[int, int]], seed: int) -> None:
    """Zero-diagonal matrices: every one has the property, and every pair of margins with it is met."""
    rng = random.Random(seed)
    k = len(wrong)
    rows, columns = [0] * k, [0] * k
    for i, (first, second) in enumerate(wrong):
        for amount in (first, second):
            j = (i + rng.randrange(1, k)) % k
            rows[i] += amount
            columns[j] += amount
    assert all(row + column <= sum(rows) for row, column in zip(rows, columns, strict=True))
    right = [rng.randint(0, 5) for _ in range(k)]
    supports = [tp + fn for tp, fn in zip(right, rows, strict=True)]
    points = list(zip(right, columns, strict=True))
    made = matrix_with(points, supports)
    assert made.sound
    assert made.points == points
    assert made.supports == supports


def test_many_classes() -> None:
    rng = random.Random(1)
    k = 1000
    matrix = [[0] * k for _ in range(k)]
    for i in range(k):
        for _ in range(20):
            matrix[i][i if rng.random() < 0.7 else rng.randrange(k)] += 1
    true = scored(matrix)
    own = [{name: printed(value, 2, "nearest") for name, value in scores.items()} for scores in true["own"]]
    problem = class_report(
        [(str(i), n, texts) for i, (n, texts) in enumerate(zip(true["supports"], own, strict=True))],
        accuracy=printed(true["accuracy"], 2, "nearest"),
        macro={name: printed(value, 2, "nearest") for name, value in true["macro"].items()},
        rounding="nearest",
    )
    assert ask(problem, budget=20).verdict is Verdict.CONSISTENT
    wrong = class_report(
        [(str(i), n, texts) for i, (n, texts) in enumerate(zip(true["supports"], own, strict=True))],
        accuracy=printed(true["accuracy"] + Fraction(1, 20), 2, "nearest"),
        rounding="nearest",
    )
    answer = ask(wrong, budget=20)
    assert answer.verdict is Verdict.INCONSISTENT
    assert answer.certificate is not None
    assert sp.verify(answer.certificate)


def test_a_witness_is_judged_by_everything_printed() -> None:
    problem = three(HALF, accuracy="0.50", macro={"precision": "0.50"}, averages_of="scores")
    witness = ask(problem).witness
    assert KIND.holds(problem, witness)
    matrix = witness.matrix
    for i, j in ((0, 0), (0, 1), (2, 1)):
        changed = copy.deepcopy(matrix)
        changed[i][j] += 1
        cells = tuple((a, b, n) for a, row in enumerate(changed) for b, n in enumerate(row) if n)
        assert not KIND.holds(problem, ClassMatrix(3, cells))
    assert not KIND.holds(problem, ClassMatrix(4, witness.cells))
    assert not KIND.holds(problem, ClassMatrix(3, (*witness.cells, witness.cells[0])))
    other = three(HALF, accuracy="0.50", macro={"precision": "0.52"}, averages_of="scores")
    assert not KIND.holds(other, witness)


def test_a_zero_over_zero_counts_as_told() -> None:
    classes = [("cat", 5, {"precision": "1.00", "recall": "0.00"}), ("cow", 5, {"recall": "1.00"})]
    assert ask(class_report(classes)).verdict is Verdict.CONSISTENT
    assert ask(class_report(classes)).notes == ("precision of cat = 1.00 fits as a 0/0 that counts as one",)
    assert ask(class_report(classes, undefined="one")).verdict is Verdict.CONSISTENT
    assert ask(class_report(classes, undefined="zero")).verdict is Verdict.INCONSISTENT


def test_explanations_name_the_conflict() -> None:
    conflicts = ask(three({"recall": "0.50"}, accuracy="0.70")).explain().conflicts
    assert {"accuracy"} < set(conflicts[0].scores)


@pytest.mark.parametrize(
    ("classes", "options"),
    [
        ([("cat", 3, {})], {}),
        ([("cat", 3, {}), ("cat", 4, {})], {}),
        ([("cat", -3, {}), ("cow", 4, {})], {}),
        ([("cat", True, {}), ("cow", 4, {})], {}),
        ([("cat", 0, {}), ("cow", 0, {})], {}),
        ([(1, 2, {}), ("cow", 4, {})], {}),
        ([("cat", 2, {"specificity": "0.5"}), ("cow", 4, {})], {}),
        ([("cat", 2, {"recall": "0.5", "sensitivity": "0.5"}), ("cow", 4, {})], {}),
        ([("cat", 2, {"recall": "0.5 ± 0.1"}), ("cow", 4, {})], {}),
        ([("cat", 2, {"recall": "50"}), ("cow", 4, {})], {}),
        ([("cat", 2, {}), ("cow", 4, {})], {"undefined": "skip"}),
        ([("cat", 2, {}), ("cow", 4, {})], {"averages_of": "all"}),
        ([("cat", 2, {"recall": "0.5"}), ("cow", 4, {})], {"rounding": "up"}),
        ([("cat", 2, {"recall": "0.5"}), ("cow", 4, {})], {"rounding": "any", "eps": "0.1"}),
    ],
)
def test_what_is_no_report_is_refused(classes: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ScoreproofError):
        class_report(classes, **options)


def _stated(classes: list[tuple[int, dict[str, str]]], **more: Any) -> dict[str, Any]:
    def entries(scores: dict[str, str]) -> list[dict[str, str]]:
        return [{"score": name, "text": text, "rounding": "any"} for name, text in scores.items()]

    listed = [{"name": str(i), "support": n, "scores": entries(scores)} for i, (n, scores) in enumerate(classes)]
    averages = {key: entries(value) for key, value in more.items()}
    return {"classes": listed, "averages": averages, "averages_of": "any", "undefined": "any"}


STRANGERS = {
    "a billion cases": _stated([(5 * 10**8, {}), (5 * 10**8, {})]),
    "a billion cases, some of them correct": _stated([(333_333_333, {"sens": "0.50000000"})] * 3),
    "a thousand classes of many counts": _stated([(900_000, {"ppv": "0.123456"})] * 1000),
    "wide sums": _stated([(200_000, {"sens": "0.5"})] * 5),
    "many choices": _stated([(60, {})] * 20, macro={"f1": "0.4321", "ppv": "0.5432"}),
    "a hundred and one classes": _stated([(3, {})] * 101, macro={"f1": "0.5"}),
    "nothing printed": _stated([(3, {}), (4, {})]),
}


@pytest.mark.parametrize("name", list(STRANGERS))
@pytest.mark.parametrize("kind", ["class", "sums", "average", "programme", "listing"])
def test_strangers_are_answered_soon(name: str, kind: str) -> None:
    """All of them are possible reports, or none that could be replayed within the limits."""
    proof: dict[str, Any] = {"kind": kind}
    proof |= {"class": {"class": 0}, "average": {"average": "macro", "score": "f1"}}.get(kind, {})
    document = certificate("sums") | {"statement": STRANGERS[name], "proof": proof}
    before = time.monotonic()
    verified = sp.verify(sealed(document))
    assert not verified
    assert verified.words.startswith("Not proved: ")
    assert time.monotonic() - before < 60
