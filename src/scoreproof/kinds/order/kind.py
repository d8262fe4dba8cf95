"""Who is said to be best, or better, against the printed numbers.

Such a sentence is about the numbers as printed, so it is the numbers that are compared, not the intervals they stand
for. It is impossible if a rival's number is strictly ahead; equal numbers leave it open and are no contradiction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.kinds.binary.scores import known_scores
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.order.problem import OrderProblem, Relation
from scoreproof.kinds.printed import Values
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget


class Order(Kind[OrderProblem, Values]):
    """A method said to be best, or better than another, by a score."""

    name = "order"

    @property
    def quantities(self) -> Sequence[Quantity]:  # type: ignore[override]  # users may register more
        return tuple(known_scores())

    def read(self, statement: Mapping[str, Any]) -> OrderProblem:
        return OrderProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Values:
        return Values.from_dict(document)

    def decide(self, problem: OrderProblem, *, deadline: Budget, seed: int) -> Decision[Values]:
        rivals = [rival.number.value for rival in problem.rivals]
        if not problem.claims:
            best = max(rivals, key=lambda value: value * problem.quantity.direction)
            return Decision(Values((best, *rivals)))
        own = problem.claims[0]
        strange = next((claim.beyond_range for claim in (own, *problem.rivals) if claim.beyond_range), None)
        if strange is not None:
            return Decision(reason=f"not every number is one of the score: {strange}")
        if not any(problem.ahead(rival, own) for rival in problem.rivals):
            return Decision(Values((own.number.value, *rivals)))
        leader = _leader(problem)
        if leader is None:
            return Decision(reason="who is ahead depends on digits that were not printed of both")
        return Decision(proof={"kind": "ahead", "rival": leader})

    def holds(self, problem: OrderProblem, witness: Values) -> bool:
        if witness.values[1:] != tuple(rival.number.value for rival in problem.rivals):
            return False
        own, *rivals = witness.values
        if any(own != claim.number.value for claim in problem.claims):
            return False
        direction = problem.quantity.direction
        return all(own * direction >= rival * direction for rival in rivals)

    def subject(self, problem: OrderProblem) -> str:
        if problem.relation is Relation.BEST:
            return f"a table in which {problem.method} is best by {problem.quantity.name}"
        than = problem.rivals[0].name
        return f"a table in which {problem.method} is better than {than} by {problem.quantity.name}"

    def because(self, problem: OrderProblem) -> str:
        index = _leader(problem)
        if index is None:
            return ""
        own, leader = problem.claims[0], problem.rivals[index]
        return (
            f"by the printed {problem.quantity.name} {leader.name} ({leader.text}) is ahead of {problem.method} "
            f"({own.text})"
        )

    def identity(self, problem: OrderProblem, conflict: Sequence[Claim]) -> str:
        return self.because(problem.with_claims(conflict))


def _leader(problem: OrderProblem) -> int | None:
    """The rival that is furthest ahead of the method, if one surely is."""
    own = problem.claims[0]
    sure = [index for index, rival in enumerate(problem.rivals) if problem.surely_ahead(rival, own)]
    direction = problem.quantity.direction
    return max(sure, key=lambda index: problem.rivals[index].number.value * direction, default=None)


KIND = Order()
