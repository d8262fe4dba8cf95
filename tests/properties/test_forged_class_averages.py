"""Proofs about reports that matrices give: a class of an average may be 0/0, and then its program's filling counts."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp
from scoreproof.checking.answer import verification_error


def printed(score: str, text: str) -> dict[str, Any]:
    return {"score": score, "text": text, "eps": "0"}


@pytest.mark.parametrize(("undefined", "rejected"), [("any", True), ("one", True), ("zero", False)])
def test_a_tangent_says_nothing_where_nothing_is_right(undefined: str, rejected: bool) -> None:
    """F1 of mean precision and recall is 0/0 if all answers are wrong, and then some programs call it 1."""
    made = sp.check(
        sp.MultiClass([2, 2, 2]),
        {"macro f1": "1", "acc": "0"},
        undefined=undefined,
        macro_f1="of means",
        eps="0",
        strict=True,
    )
    statement = made.problem.to_dict()
    place = next(k for k, entry in enumerate(statement["scores"]) if entry["score"] == "f1")
    forged = {"kind": "parts", "steps": [["bound", [["tangent", place, 1, 1, 1000]], [0, 0, 0]]]}
    said = verification_error(made.problem.kind, statement, forged)
    assert ("0/0 where nothing is right" in said) is rejected, said


@pytest.mark.parametrize("undefined", ["any", "zero", "one"])
def test_macro_precision_of_a_class_that_is_never_predicted(undefined: str) -> None:
    """3 and 7 cases, all called negative: scikit-learn's macro precision is (0 + 0.7)/2."""
    scores = [printed("acc", "0.70"), printed("macro ppv", "0.35"), printed("sens", "0.00"), printed("spec", "1.00")]
    statement = {"experiment": {"type": "testset", "p": 3, "n": 7}, "scores": scores, "undefined": undefined}
    steps = [["trim", "tp", "above", 0, 2], ["trim", "tn", "below", 7, 3], ["out", 1]]
    assert "average over both classes" in verification_error(
        "binary", statement, {"kind": "rectangles", "steps": steps}
    )
