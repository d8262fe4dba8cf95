"""What a check refuses the verifiers refuse: no certificate says of a true report that it is impossible.

A number with a ± is a mean, 90.5 may be a percentage, and of an interval nobody knows what it is. A check asks; a
forger writes the certificate without asking.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.attack.doors import PROOFS, TRUE
from benchmarks.proof_corpus.__main__ import rare
from tests.forgery import alterations, sealed
from tests.outside.test_javascript_verifier import assert_alike

import scoreproof as sp
from scoreproof.checking import ask
from scoreproof.checking.ask import Answer
from scoreproof.errors import LimitExceeded, ScoreproofError
from scoreproof.kinds import read_problem
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.one_test_set import one_test_set
from scoreproof.kinds.order import said_best
from scoreproof.kinds.printed_matrix import printed_matrix
from scoreproof.kinds.regression.kind import shared_variance
from scoreproof.kinds.relation import printed_relation
from scoreproof_verify.frame import CHECKERS

FORMS = (
    "{} ± 0.01", "{}±0", "{} +/- 0.1", "{} \\pm 2%", "{} ± x", "{}±1±2", "{} (0.1)", "{} (0.1, 0.9)", "[{}, 0.9]", "{}-0.9", "{}–0.9", "<{}", "> {}",
    "~{}", "{}*", "{}%", "{}%%", "9{}", "90.5", "90.5 ± 1.2", "87%", "12/24", "-{}", "−{}", "+{}", "{}e0", "{}e-2", "3e1", "1e400", "1e-400", " {} ",
    "{}0", "{}000000", "nan", "inf", "", "９.5", "{}\u200b", "½",
)  # fmt: skip
PLAIN = "0.905"


def with_text(value: Any, form: str, only: str = "") -> Iterator[Any]:
    """The value with a text in it written in another form, one after the other."""
    if isinstance(value, str) and re.match(r"[0-9]", value) and only in ("", value):
        yield form.format(value)
    elif isinstance(value, (dict, list)):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            for changed in with_text(inner, form, only) if key not in ("score", "name") else ():
                copied: Any = copy.copy(value)
                copied[key] = changed
                yield copied


def refused(kind: str, statement: Any) -> str:
    """What a check says against a statement; empty if nothing."""
    try:
        read_problem(kind, statement)
    except LimitExceeded:  # raised with --allow
        return ""
    except ScoreproofError as error:  # explanations try averages over both classes, which nobody claims of a matrix
        return "" if "is an average over classes" in str(error) else str(error)
    return ""


def test_accepted_statements_are_ones_that_a_check_makes(tmp_path: Path) -> None:
    """Certificates of every rule, one text in another form or one thing changed."""
    rng = random.Random(3)
    made: list[Any] = []
    for each in rare():
        forms = [changed for form in FORMS for changed in with_text(each["statement"], form)]
        changes = list(alterations(each["statement"]))
        chosen = (*rng.sample(forms, min(len(forms), 60)), *rng.sample(changes, min(len(changes), 15)))
        made += [sealed(each["kind"], statement, each["proof"]) for statement in chosen]
    assert {each["kind"] for each in made} == {*CHECKERS}
    accepted = [each for each in made if sp.verify(each)]
    assert len(accepted) > 500
    wrong = [
        (why, each["kind"], each["statement"]) for each in accepted if (why := refused(each["kind"], each["statement"]))
    ]
    assert not wrong, wrong[:3]
    assert_alike(tmp_path, rng.sample(made, 1500))


def checked(experiment: Any, scores: dict[str, Any], **options: Any) -> Answer[Any, Any]:
    return sp.check(experiment, scores, budget=20, **options, strict=True)


FOLDS = sp.KFold(10, 20, 3)
#: Calls with a text in them that their proof does not need: the rest is impossible.
CALLS: dict[str, Callable[[str], Answer[Any, Any]]] = {
    "binary": lambda text: checked(sp.TestSet(10, 20), {"acc": "0.9111", "sens": text}),
    "binary folds": lambda text: checked(FOLDS, {"acc": "1.2", "sens": text}),
    "binary minimum": lambda text: checked(FOLDS, {"acc": "1.2"}, minimum={"sens": text}),
    "binary maximum": lambda text: checked(FOLDS, {"acc": "1.2"}, maximum={"sens": text}),
    "binary range": lambda text: checked(sp.KFold(10, 20, 3, ranges={"sens": (text, None)}), {"acc": "1.2"}),
    "unknown_classes": lambda text: checked(sp.UnknownClasses(total=30), {"acc": "0.9111", "sens": text}),
    "unknown_classes prevalence": lambda text: checked(sp.UnknownClasses(total=30, prevalence=text), {"acc": "0.9111"}),
    "curve": lambda text: checked(sp.TestSet(10, 20), {"auc": text, "acc": "0.9111"}),
    "curve rates": lambda text: checked(sp.UnknownClasses(), {"auc": "0.3", "sens": "0.95", "spec": "0.95", "acc": text}),
    "curve point": lambda text: checked(sp.TestSet(10, 20), {"auc": "0.9111", "sens": "0.5"}, points=[{"acc": text}]),
    "ranking": lambda text: checked(sp.Ranking(10), {"hits@1": "0.3333", "mrr": text}),
    "detection": lambda text: checked(sp.Detection(10, classes=3), {"map": "0.80", "ap50": "0.70", "ar100": text}),
    "regression": lambda text: checked(sp.Regression(n=30), {"mae": "2.00", "rmse": "1.00", "r2": text}),
    "common_average": lambda text: checked(sp.AverageOf(), {"acc": "1.2", "sens": text}),
    "multi_class": lambda text: checked(sp.MultiClass([10, 20, 5]), {"acc": "0.9111", "macro f1": text}),
    "multi_label": lambda text: checked(sp.MultiLabel([10, 20, 5], total=40), {"micro f1": "1.2", "macro f1": text}),
    "printed_matrix": lambda text: ask(printed_matrix({"tp": 5, "fn": 5, "fp": 2, "tn": 18}, {"acc": "0.5", "sens": text})),
    "one_test_set": lambda text: ask(one_test_set({"A": {"acc": "0.9", "sens": "0.2", "spec": "0.3"}, "B": {"acc": text}})),
    "shared_variance": lambda text: ask(
        shared_variance({"A": {"mse": "1", "rmse": text, "r2": "0.5"}, "B": {"mse": "9", "r2": "0.5"}})
    ),
    "average": lambda text: ask(printed_average("acc", ["0.1", "0.2", text], "0.99")),
    "average deviation": lambda text: ask(printed_average("acc", ["0.1", "0.101", "0.102"], text, statistic="deviation")),
    "relation": lambda text: ask(printed_relation("sum", {"A": "0.1", "B": text}, "2.99")),
    "order": lambda text: ask(said_best("A", "acc", {"A": "0.80", "B": "0.95", "C": text})),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_form_that_a_check_refuses_or_leaves_open_proves_nothing(name: str, tmp_path: Path) -> None:
    answer = CALLS[name](PLAIN)
    assert answer.certificate is not None, str(answer)
    kind, statement, proof = (answer.certificate[key] for key in ("kind", "statement", "proof"))
    assert kind == name.split(maxsplit=1)[0]
    forged: list[Any] = []
    for form in FORMS:
        text = form.format(PLAIN)
        altered = [sealed(kind, each, proof) for each in with_text(statement, form, PLAIN)]
        assert altered
        forged += altered
        try:
            said = CALLS[name](text)
            why = "" if said.verdict == "inconsistent" else str(said)
        except LimitExceeded:
            continue
        except ScoreproofError as error:
            why = str(error)
        assert not why or not any(map(sp.verify, altered)), (text, why)
    assert_alike(tmp_path, forged)


def test_what_no_problem_holds_proves_nothing(tmp_path: Path) -> None:
    """Rates of counts beside several classes or unknown objects, a named method without cases."""
    printed = {"ap50": "0.22", "ap75": "0.90", "f1": "0.13"}
    scores = [{"score": name, "text": text, "rounding": "any"} for name, text in printed.items()]
    order: Any = {"scores": scores, "interpolation": "any"}
    limits = [{"name": name, "text": text, "rounding": "any"} for name, text in (("value", "0.95"), ("high", "0.90"))]
    shares: Any = {"n": None, "level": "0.95", "method": "clopper-pearson", "claims": limits}
    forged = [
        sealed(
            "detection",
            {"experiment": {"type": "detection", "objects": 9, "classes": 2}, **order},
            {"kind": "order", "scores": [0, 1]},
        ),
        sealed("detection", {"experiment": {"type": "detection"}, **order}, {"kind": "order", "scores": [0, 1]}),
        sealed("proportion_interval", shares, {"kind": "outside"}),
    ]
    right = sealed(
        "detection", {"experiment": {"type": "detection", "objects": 9}, **order}, {"kind": "order", "scores": [0, 1]}
    )
    assert sp.verify(right)
    assert sp.verify(sealed("proportion_interval", {**shares, "n": 50}, {"kind": "outside"}))
    for each in forged:
        assert refused(each["kind"], each["statement"])
        assert not sp.verify(each)
    assert_alike(tmp_path, [right, *forged])


def shown_texts(value: Any) -> Iterator[str]:
    """The printed numbers of a statement of which an interval is used, not only an order or a bound."""
    if isinstance(value, dict):
        if "text" in value and value.get("relation", "=") == "=":
            yield value["text"]
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from shown_texts(inner)


@pytest.mark.parametrize("kind", ["paired_counts", "reported_test", "sign_patterns", "shared_variance"])
def test_the_words_of_a_proof_say_what_numbers_were_taken_for(kind: str, tmp_path: Path) -> None:
    """A rate of 0.33 is no 10 of 30 if it was said to be exact: the interval stands in the words."""
    proof, statement = {
        "paired_counts": (
            {"kind": "counts"},
            {"pairs": [{"cases": 30, "first": {"text": "0.33", "eps": "0"}, "second": None}], "p": None, "methods": ["exact"]},
        ),
        "reported_test": (
            {"kind": "tails"},
            {"test": "t", "df": [[28, 28]], "relation": "=", "statistic": {"text": "2.20", "eps": "0"}, "sides": "two",
             "p": {"relation": "=", "text": ".036", "eps": "0"}},
        ),
        "sign_patterns": (
            {"kind": "multiple"},
            {"pairs": 5, "sides": "two", "p": {"relation": "=", "text": "0.06", "eps": "0"}, "statistic": None},
        ),
        "shared_variance": (
            {"kind": "apart", "lower": 0},
            {"rows": [{"name": name, "scores": [{"score": "rmse", "text": "2.00", "eps": "0"}, {"score": "r2", "text": r2, "eps": "0"}]}
                      for name, r2 in (("A", "0.50"), ("B", "0.51"))]},
        ),
    }[kind]  # fmt: skip
    made = sealed(kind, statement, proof)
    words = str(sp.verify(made))
    assert words.startswith("Proved"), words
    for text in shown_texts(statement):
        assert f"{text} (from " in words, (text, words)
    assert_alike(tmp_path, [made])


def test_a_true_report_has_no_proof_of_any_sort(tmp_path: Path) -> None:
    forged = [sealed(kind, statement, proof) for kind, statement in TRUE for proof in PROOFS]
    assert len(forged) >= 300
    assert not [each for each in forged if sp.verify(each)]
    assert_alike(tmp_path, forged)
