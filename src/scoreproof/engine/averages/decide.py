"""Which engine decides a mean of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scoreproof.engine.averages import totals
from scoreproof.engine.averages.targets import Demand
from scoreproof.scores import ConfusionMatrix

MOST_COLUMNS = 1_500_000


@dataclass(frozen=True, slots=True)
class Decision:
    """A witness, a proof, or neither and why."""

    witness: tuple[ConfusionMatrix, ...] | None = None
    proof: dict[str, Any] | None = None
    reason: str = ""


def decide_mean(demand: Demand, *, budget: float, seed: int = 0) -> Decision:
    """Decide whether matrices exist, one per evaluation set, that meet every demand."""
    if totals.applies(demand):
        problem = totals.build(demand)
        outcome = totals.decide_totals(problem, budget=budget)
        if outcome.witness is not None:
            return Decision(outcome.witness)
        if outcome.proof is not None:
            return Decision(proof={"kind": "totals", "bits": problem.bits, "steps": outcome.proof})
        return Decision(reason=f"{outcome.boxes} boxes of fold totals within {budget:g} s")
    from scoreproof.engine.averages.columns import build, count_columns
    from scoreproof.engine.averages.tree import search

    if count_columns(demand) > MOST_COLUMNS:
        return _large(demand, budget, seed)
    model = build(demand)
    found = search(model, budget=budget, seed=seed)
    if found.proof is None:
        return Decision(found.witness, reason=found.reason)
    proof = {
        "kind": "columns",
        "groups": [list(group.indices) for group in model.groups],
        "bits": [row.bits for row in model.rows],
        "steps": found.proof,
    }
    return Decision(proof=proof)


def _large(demand: Demand, budget: float, seed: int) -> Decision:
    from scoreproof.engine.averages.large import applies, decide_large

    if not applies(demand):
        return Decision(
            reason="the evaluation sets are too large to list their points, and spreads, extremes, ranges or unknown "
            "class counts are not decided for sets of this size"
        )
    outcome = decide_large(demand, budget=budget, seed=seed)
    if outcome.multipliers is not None:
        return Decision(proof={"kind": "large", "multipliers": outcome.multipliers})
    return Decision(outcome.witness, reason=outcome.reason)
