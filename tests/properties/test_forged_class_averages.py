"""Proofs about reports that matrices give: a class of an average may be 0/0, and then its program's filling counts."""

from __future__ import annotations

from typing import Any

import pytest

import scoreproof as sp
from scoreproof.asking.certificate import flaw


def printed(score: str, text: str) -> dict[str, Any]:
    return {"score": score, "text": text, "eps": "0"}


@pytest.mark.parametrize("undefined", ["any", "one"])
def test_a_tangent_says_nothing_where_nothing_is_right(undefined: str) -> None:
    problem = sp.MultiClass([1, 1])
    made = sp.check(problem, {"macro f1": "1", "acc": "0"}, undefined=undefined, macro_f1="of means", eps="0")
    statement = made.problem.to_dict()
    if made.problem.kind != "multi_class":
        pytest.skip("two classes are asked as one matrix")
    forged = {"kind": "parts", "steps": [["bound", [["tangent", 0, 1, 1, 1000]], [0, 0]]]}
    assert "0/0 where nothing is right" in flaw("multi_class", statement, forged)


@pytest.mark.parametrize("undefined", ["any", "zero", "one"])
def test_macro_precision_of_a_class_that_is_never_predicted(undefined: str) -> None:
    """3 and 7 cases, all called negative: scikit-learn's macro precision is (0 + 0.7)/2."""
    scores = [printed("acc", "0.70"), printed("macro ppv", "0.35"), printed("sens", "0.00"), printed("spec", "1.00")]
    statement = {"experiment": {"type": "testset", "p": 3, "n": 7}, "scores": scores, "undefined": undefined}
    steps = [["trim", "tp", "above", 0, 2], ["trim", "tn", "below", 7, 3], ["out", 1]]
    assert "average over both classes" in flaw("binary", statement, {"kind": "rectangles", "steps": steps})
