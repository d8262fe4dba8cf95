"""Certificates about unknown class counts hold, and nothing that was altered does."""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from typing import Any

import pytest

import scoreproof as sp
from scoreproof_verify import digest

REFUTED: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "linear": ({"ppv": "0.9705", "tpr": "1.0000", "acc": "0.5317"}, {}),
    "family": ({"bm": "0.400", "bacc": "0.702"}, {}),
    "of truth": ({"gm": "0.900", "bacc": "0.850", "lrp": "4.00"}, {}),
    "answers": ({"mk": "0.500", "ppv": "0.700", "npv": "0.700"}, {}),
    "matthews": ({"bm": "0.50", "mk": "0.50", "mcc": "0.80"}, {}),
    "signs": ({"mcc": "-0.50", "kappa": "0.50"}, {}),
    "curved": ({"mcc": "0.50", "upm": "0.40", "acc": "0.90", "f1": "0.90"}, {}),
    "prevalence": ({"acc": "0.706", "sens": "0.430", "spec": "0.969"}, {"prevalence": "0.30"}),
    "total": ({"acc": "0.85", "ppv": "0.80", "sens": "0.75"}, {"total": 100, "rounding": "nearest"}),
    "totals": ({"acc": "0.706", "tpr": "0.430", "fpr": "0.031"}, {"total": (150, 153), "rounding": "nearest"}),
    "total and prevalence": ({"acc": "0.85", "f1": "0.80"}, {"total": 40, "prevalence": "0.90"}),
    "share": ({"acc": "0.9504"}, {"total": 100}),
    "total by rates": ({"acc": "0.9", "sens": "0.2", "spec": "0.3"}, {"total": 1000}),
}


def certificate(name: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(_text(name))
    return made


@cache
def _text(name: str) -> str:
    scores, options = REFUTED[name]
    found = sp.reconstruct(scores, **options)
    assert found.verdict == "inconsistent"
    assert found.certificate is not None
    return json.dumps(found.certificate)


def sealed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "digest": digest(document["kind"], document["statement"], document["proof"])}


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_holds(name: str) -> None:
    verified = sp.verify(certificate(name))
    assert verified, verified.words
    assert verified.words.startswith("Proved: no confusion matrix of")


def test_a_share_that_no_count_gives_is_one_step_for_each_class_count() -> None:
    """No whole number of 5,001 cases is 0.90015 of them, however many are positive: no search over tp and tn."""
    found = sp.check(sp.UnknownClasses(total=5001), {"acc": "0.90015"}, rounding="nearest", strict=True)
    assert found.certificate is not None
    steps = found.certificate["proof"]["steps"]
    assert [step for step in steps if step[0] != "cut"] == [["grid", [["out", 0, 0, 1, 1]]]] * 5002
    assert sp.check(sp.UnknownClasses(total=5001), {"acc": "0.90022"}).verdict == "consistent"  # 4,502


@pytest.mark.parametrize("name", list(REFUTED))
def test_without_its_seal_or_a_step_it_does_not(name: str) -> None:
    document = certificate(name)
    assert not sp.verify({**document, "digest": "0" * 64})
    steps = document["proof"]["steps"]
    shortened = copy.deepcopy(document)
    shortened["proof"]["steps"] = steps[:-1]
    assert not sp.verify(sealed(shortened))
    lengthened = copy.deepcopy(document)
    lengthened["proof"]["steps"] = [*steps, steps[-1]]
    assert not sp.verify(sealed(lengthened))


@pytest.mark.parametrize("name", list(REFUTED))
def test_it_proves_nothing_about_a_report_that_is_possible(name: str) -> None:
    document = certificate(name)
    for one in document["statement"]["scores"]:
        one.pop("rounding", None)
        one["eps"] = "3"  # now anything is possible
    assert not sp.verify(sealed(document))


@pytest.mark.parametrize("name", ["signs", "curved", "of truth", "totals"])
def test_mutated_steps_are_rejected_or_still_prove(name: str) -> None:
    """A changed number either breaks the proof or leaves one; a possible report must never be refuted by it."""
    rng = random.Random(name)
    document = certificate(name)
    rejected = 0
    for _ in range(15):
        mutant = copy.deepcopy(document)
        _mutate(mutant["proof"]["steps"], rng)
        verdict = sp.verify(sealed(mutant))
        rejected += not verdict
        easy = copy.deepcopy(mutant)
        for one in easy["statement"]["scores"]:
            one.pop("rounding", None)
            one["eps"] = "3"
        assert not sp.verify(sealed(easy))
    assert rejected > 3


def _mutate(steps: list[Any], rng: random.Random) -> None:
    step = rng.choice(steps)
    kind = rng.randrange(4)
    if kind == 0:
        steps.remove(step)
    elif kind == 1:
        steps.insert(rng.randrange(len(steps)), copy.deepcopy(rng.choice(steps)))
    elif kind == 2:
        step[0] = rng.choice(["out", "cut", "trim", "grid", "rates"])
    else:
        place = rng.randrange(1, len(step)) if len(step) > 1 else 0
        step[place] = rng.choice([0, -1, 10**6, "high", None, [1, 2, 3, 4]])


def test_a_trim_that_takes_too_much_is_rejected() -> None:
    document = certificate("matthews")
    step = next(step for step in document["proof"]["steps"] if step[0] == "trim")
    step[3] = [-1, -1, -1, -1]
    verified = sp.verify(sealed(document))
    assert not verified
    assert "trim takes away" in verified.words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"type": "testset", "p": 1, "n": 2}, "unknown keys"),
        ({"type": "unknown_classes", "total": [5, 4]}, "total"),
        ({"type": "unknown_classes", "total": "5"}, "total"),
        ({"type": "unknown_classes", "surprise": 1}, "unknown keys"),
        ({"type": "unknown_classes", "prevalence": {"text": "x", "rounding": "any"}}, "not a number"),
        (None, "not an object"),
    ],
)
def test_a_strange_experiment_proves_nothing(change: Any, words: str) -> None:
    document = certificate("total")
    document["statement"]["experiment"] = change
    verified = sp.verify(sealed(document))
    assert not verified
    assert words in verified.words


def test_counting_undefined_as_zero_is_another_problem() -> None:
    document = certificate("linear")
    document["statement"]["undefined"] = "zero"
    assert not sp.verify(sealed(document))
