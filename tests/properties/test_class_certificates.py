"""Five hundred certificates about several classes verify, and every kind of mutation of them is rejected."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.class_reports import all_matrices, random_report
from tests.forgery import certificate_of, sealed, widened

import scoreproof as sp
from scoreproof.errors import InvalidValue
from scoreproof.kinds.multi_class import branch_and_bound as engine

SIZES = [(2, 1, 2), (1, 3, 2), (0, 2, 3), (3, 2, 1), (1, 1, 1, 2), (3, 2, 4)]
WANTED, BY_BOUNDS = 500, 40
Document = dict[str, Any]


def refuted(wanted: int, seed: int, sizes: list[tuple[int, ...]]) -> list[Document]:
    """Certificates of reports that were moved until nothing gives them."""
    rng = random.Random(seed)
    found: list[Document] = []
    while len(found) < wanted:
        report = random_report(rng, rng.choice(all_matrices(rng.choice(sizes))))
        if not report.texts:
            continue
        try:
            answer = sp.check(sp.MultiClass(report.n), report.scores, budget=20, **report.options, strict=True)
        except InvalidValue:
            continue
        if answer.certificate is not None:
            found.append(certificate_of(answer))
    return found


@pytest.fixture(scope="module")
def certificates() -> list[Document]:
    """Some by bounds and cuts alone, which small reports do not need, the others as they come."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "_FEW", 4)
        by_bounds = refuted(BY_BOUNDS, 5, SIZES[:1])
    return by_bounds + refuted(WANTED - BY_BOUNDS, 15, SIZES)


def proofs_of(document: Document) -> list[Any]:
    proof = document["proof"]
    return proof["cases"] if proof["kind"] == "cases" else [proof]


def first_step(document: Document, name: str) -> list[Any] | None:
    return next((step for proof in proofs_of(document) for step in proof["steps"] if step[0] == name), None)


def of_statement(change: Callable[[Document], Any]) -> Callable[[Document], bool]:
    """A mutation of the statement; False from it says that there is nothing to change."""
    return lambda document: change(document["statement"]) is not False


def of_steps(change: Callable[[list[Any]], Any]) -> Callable[[Document], bool]:
    return lambda document: change(proofs_of(document)[0]["steps"]) is not False


def of_bound(change: Callable[[list[Any]], Any]) -> Callable[[Document], bool]:
    def changed(document: Document) -> bool:
        step = first_step(document, "bound")
        return step is not None and change(step) is not False

    return changed


def without_scores(statement: Document) -> None:
    statement["scores"] = []


def nested(steps: list[Any]) -> None:
    deep: list[Any] = []
    for _ in range(80):
        deep = [deep]
    steps.append(deep)


MUTATIONS: dict[str, Callable[[Document], bool]] = {
    "a key too many": of_statement(lambda s: s.update(more=1)),
    "a key too few": of_statement(lambda s: s.pop("undefined")),
    "an unknown convention": of_statement(lambda s: s.update(undefined="whatever")),
    "an unknown meaning": of_statement(lambda s: s.update(macro_f1="median")),
    "values that exclude nothing": of_statement(lambda s: s.update(widened(s, "2"))),
    "no scores": of_statement(without_scores),
    "a score twice": of_statement(lambda s: s["scores"].append(dict(s["scores"][0]))),
    "an unknown score": of_statement(lambda s: s["scores"][0].update(score="charm")),
    "an unknown rounding": of_statement(lambda s: s["scores"][0].update(rounding="sometimes", eps=None)),
    "rounding and eps": of_statement(lambda s: s["scores"][0].update(rounding="any", eps="0.1")),
    "a number for a text": of_statement(lambda s: s["scores"][0].update(text=1)),
    "a deviation": of_statement(lambda s: s["scores"][0].update(text=s["scores"][0]["text"] + " ± 0.01")),
    "a class that is not there": of_statement(lambda s: s["scores"][0].update({"class": 99})),
    "a class and an average": of_statement(lambda s: s["scores"][0].update({"class": 0, "average": "macro"})),
    "two classes of one name": of_statement(lambda s: s["classes"][0].update(name=s["classes"][1]["name"])),
    "a negative count": of_statement(lambda s: s["classes"][0].update(counts=[-1])),
    "a float for a count": of_statement(lambda s: s["classes"][0].update(counts=[2.5])),
    "one class": of_statement(lambda s: s.update(classes=s["classes"][:1])),
    "no steps": of_steps(lambda steps: steps.clear()),
    "a step left over": of_steps(lambda steps: steps.append(["none"])),
    "the last step missing": of_steps(lambda steps: steps.pop() if len(steps) > 1 else False),
    "an unknown step": of_steps(lambda steps: steps.__setitem__(0, ["trust me"])),
    "a step with more in it": of_steps(lambda steps: steps.__setitem__(-1, ["none", 1])),
    "a cut of nothing": of_steps(lambda steps: steps.__setitem__(0, ["cut", 99, "tp", 0])),
    "a step that is no list": of_steps(lambda steps: steps.__setitem__(0, 7)),
    "steps nested beyond measure": of_steps(nested),
    "an unknown kind of proof": lambda d: proofs_of(d)[0].update(kind="authority") is None,
    "a proof with more in it": lambda d: proofs_of(d)[0].update(more=[]) is None,
    "an unknown row": of_bound(lambda step: step[1][0].__setitem__(0, "charm")),
    "a multiplier of zero": of_bound(lambda step: step[1][0].__setitem__(-1, 0)),
    "a bound too few": of_bound(lambda step: step[2].pop()),
    "a bound that leaves room": of_bound(lambda step: step[2].__setitem__(0, step[2][0] + 10**15)),
    "a bound that is too tight": of_bound(lambda step: step[2].__setitem__(0, step[2][0] - 10**15)),
}


def test_five_hundred_certificates_verify(certificates: list[Document]) -> None:
    steps: Counter[str] = Counter()
    for document in certificates:
        assert sp.verify(json.loads(json.dumps(document))), document
        steps.update(step[0] for proof in proofs_of(document) for step in proof["steps"])
    assert len(certificates) == WANTED
    assert min(steps[name] for name in ("none", "list", "bound")) > 10, steps


@pytest.mark.parametrize("name", list(MUTATIONS))
def test_every_kind_of_mutation_is_rejected(name: str, certificates: list[Document]) -> None:
    changed = 0
    for document in certificates[:60]:
        altered = copy.deepcopy(document)
        if MUTATIONS[name](altered):
            changed += 1
            assert not sp.verify(sealed("multi_class", altered["statement"], altered["proof"])), altered
    assert changed >= 3


def test_the_frame_is_held_to_as_well(certificates: list[Document]) -> None:
    for document in certificates[:20]:
        for change in (
            {"digest": "0" * 64},
            {"format": "other/1"},
            {"kind": "multi_label"},
            {"more": 1},
            {"proof": []},
        ):
            assert not sp.verify({**document, **change}), change
