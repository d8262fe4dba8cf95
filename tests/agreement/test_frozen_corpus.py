"""Verdicts that were frozen before the house was rebuilt: none of them may flip, and very few be lost.

Each line has the statement of a problem as certificates carry it, the verdict, and the proof where it was short. They
come from the test suite and the fuzz runs of the version before kinds of problems were folders. Every second line is
asked here; ``SCOREPROOF_WHOLE_CORPUS=1`` asks all of them. Every proof is verified.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scoreproof as sp
from scoreproof.checking import ask, certify
from scoreproof.kinds import kind_named

CORPUS = Path(__file__).parents[1] / "data" / "corpus" / "verdicts.jsonl.gz"
PARTS = 8
MOST_LOST = 2  # of some 540 in a part: undecided since the strategy that alone decided them went
ASKED = range(PARTS) if os.environ.get("SCOREPROOF_WHOLE_CORPUS") else range(0, PARTS, 2)


def frozen(part: int) -> Iterator[dict[str, Any]]:
    with gzip.open(CORPUS, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for number, line in enumerate(lines) if number % PARTS == part)


def kind_of(statement: dict[str, Any]) -> str:
    return "unknown_classes" if statement["experiment"]["type"] == "unknown_classes" else "binary"


@pytest.mark.parametrize("part", ASKED)
def test_no_frozen_verdict_changes(part: int) -> None:
    seen = 0
    lost = []
    for case in frozen(part):
        kind = kind_named(kind_of(case["statement"]))
        problem = kind.read(case["statement"])
        answer = ask(problem, budget=20)
        if answer.verdict is sp.Verdict.UNDECIDED:
            lost += [case["statement"]] if case["verdict"] != "undecided" else []
        else:
            assert str(answer.verdict) == case["verdict"], case["statement"]
        assert kind.read(json.loads(json.dumps(problem.to_dict()))) == problem
        assert type(answer).from_dict(json.loads(answer.to_json())) == answer
        if answer.certificate is not None:
            assert sp.verify(answer.certificate)
        seen += 1
    assert seen > 400
    assert len(lost) <= MOST_LOST, lost


@pytest.mark.parametrize("part", range(PARTS))
def test_every_frozen_proof_still_verifies(part: int) -> None:
    proofs = [case for case in frozen(part) if case.get("proof")]
    assert len(proofs) > 100
    for case in proofs:
        certificate = certify(kind_of(case["statement"]), case["statement"], case["proof"], "frozen")
        assert sp.verify(certificate), (case["statement"], str(sp.verify(certificate)))
