"""Every strategy about averaged scores decides a stored case that no other decides, every rule of proof is met.

Work is counted, not seconds: the clock of these budgets never ends them, so that a busy machine gives the same answers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.proof_corpus.rules import named, used
from tests.forgery import sealed

from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.engine.averages.constraints import Constraints
from scoreproof.kinds.binary.engine.averages.portfolio import STRATEGIES, TUNED, decide_by
from scoreproof.work.budget import Budget
from scoreproof_verify import verify_certificate

STORED = json.loads((Path(__file__).parents[1] / "data" / "average_strategies.json").read_text(encoding="utf-8"))
PAGES = Path(__file__).parents[2] / "docs" / "proofs"
#: Rules of the same kind of certificate that are of one matrix, or that readings of a statement make.
_OTHERS = {"kind rectangles", "kind cases"}


def _work(seconds: float = 1.0) -> Budget:
    return Budget(1e9).within(seconds)


def _constraints(statement: dict[str, Any]) -> Constraints:
    kind = kind_named("binary")
    read: Constraints = kind._constraints(kind.read(statement))  # type: ignore[attr-defined]
    return read


def test_every_strategy_has_a_case() -> None:
    assert {case["strategy"] for case in STORED["strategies"]} == {*STRATEGIES}
    assert all(name.split(",")[0].split(" of ")[-1] in STRATEGIES for name in TUNED if " of " in name)


@pytest.mark.parametrize("case", STORED["strategies"], ids=lambda case: case["strategy"])
def test_a_strategy_earns_its_place(case: dict[str, Any]) -> None:
    constraints = _constraints(case["statement"])
    strategy, decision = decide_by(constraints, deadline=_work())
    assert strategy == case["strategy"]
    assert ("inconsistent" if decision.proof else "consistent") == case["verdict"]
    if decision.witness is not None:
        assert constraints.fits(decision.witness.matrices)
    nobody, left_open = decide_by(constraints, deadline=_work(), without={strategy})
    assert not nobody
    assert left_open.witness is None
    assert left_open.proof is None


def test_every_rule_of_proof_has_a_case() -> None:
    rules = {case["rule"] for case in STORED["rules"]}
    assert rules == named(PAGES)["binary"] - _OTHERS


@pytest.mark.parametrize("case", STORED["rules"], ids=lambda case: case["rule"])
def test_a_rule_of_proof_is_met(case: dict[str, Any]) -> None:
    _, decision = decide_by(_constraints(case["statement"]), deadline=_work(2.0))
    assert decision.proof is not None
    proof = json.loads(json.dumps(decision.proof))
    assert case["rule"] in used({"proof": proof, "statement": {}})
    assert verify_certificate(sealed("binary", case["statement"], proof), seconds=600)
