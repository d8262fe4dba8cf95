"""Comparison of printed numbers: a method said to be best, or better than another, and the numbers of its rivals.

Such a sentence is about the numbers as printed, so it is the numbers that are compared, not the intervals they stand
for. It is impossible if a rival's number is strictly ahead; equal numbers leave it open and are no contradiction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidOption
from scoreproof.kinds.binary.scores import Score, score
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.statement import StatedFields, Values, entry, from_entry, printed, short_name
from scoreproof.reported import Claim, Value
from scoreproof.work.budget import Budget

MOST_RIVALS = 10_000


class Relation(StrEnum):
    """What is said of the method."""

    BEST = "best"
    BETTER = "better"


@dataclass(frozen=True, slots=True)
class OrderProblem(StatedFields):
    """The printed value of a method (the claim, unless it is left out) beside those of its rivals, by one score."""

    kind: ClassVar[str] = "order"
    quantity: Score
    relation: Relation
    method: str
    claims: tuple[Claim, ...]
    rivals: tuple[Claim, ...]

    def __post_init__(self) -> None:
        if len(self.claims) > 1:
            raise InvalidOption(f"claims: expected one value of {self.method}, got {len(self.claims)}")
        most = 1 if self.relation is Relation.BETTER else MOST_RIVALS
        if not 1 <= len(self.rivals) <= most:
            raise InvalidOption(f"rivals: expected 1 to {most} for {self.relation}, got {len(self.rivals)}")

    def to_dict(self) -> dict[str, Any]:
        return {
            "quantity": self.quantity.name,
            "relation": str(self.relation),
            "method": self.method,
            "claim": entry(self.claims[0]) if self.claims else None,
            "rivals": [entry(rival) for rival in self.rivals],
        }

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> OrderProblem:
        quantity, claim = score(statement["quantity"]), statement["claim"]
        return cls(
            quantity,
            Relation(statement["relation"]),
            statement["method"],
            () if claim is None else (from_entry(quantity, claim, mean=True),),
            tuple(from_entry(quantity, rival, mean=True) for rival in statement["rivals"]),
        )

    def ahead(self, rival: Claim, own: Claim) -> bool:
        """Whether a rival is ahead by the printed numbers."""
        return rival.number.value * self.quantity.direction > own.number.value * self.quantity.direction

    def surely_ahead(self, rival: Claim, own: Claim) -> bool:
        """Whether a rival is ahead also if both had been printed with the digits of the coarser.

        Beside "0.901" a "0.9" may have been 0.904: numbers of unlike digits must differ by a unit of the coarser.
        """
        units = [_unit(rival), _unit(own)]
        lead = (rival.number.value - own.number.value) * self.quantity.direction
        return lead > 0 if units[0] == units[1] else lead >= max(units)


def _unit(claim: Claim) -> Fraction:
    """The worth of the last printed digit; a quotient has none."""
    return Fraction(0) if "/" in claim.text else Fraction(1, claim.number.scale)


def said_best(
    method: str, quantity: str, values: Mapping[str, Value | Claim], relation: Relation = Relation.BEST
) -> OrderProblem:
    """The problem of "METHOD is best by QUANTITY"; ``values`` are the printed ones by method, its own included.

    >>> said_best("A", "acc", {"A": "0.91", "B": "92%"}).rivals[0].text
    '92%'
    """
    known = score(quantity)
    if method not in values:
        raise InvalidOption(f"{method}: expected a printed {known.name} of it, got those of {', '.join(values)}")
    names = {name: f"{quantity} of {name}" if name == method else name for name in values}
    read = {name: printed(known, value, names[name]) for name, value in values.items()}
    own = read.pop(method)
    return OrderProblem(known, relation, short_name(method), (own,), tuple(read.values()))


def said_better(method: str, than: str, quantity: str, values: Mapping[str, Value | Claim]) -> OrderProblem:
    """The problem of "METHOD is better than THAN by QUANTITY"."""
    both = {name: values[name] for name in (method, than) if name in values}
    return said_best(method, quantity, both, Relation.BETTER)


class Order(Kind[OrderProblem, Values]):
    """A method said to be best, or better than another, by a score."""

    name = "order"
    problem_type = OrderProblem
    witness_type = Values
    names_conflicts = True

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
        wanted = "best" if problem.relation is Relation.BEST else f"better than {problem.rivals[0].name}"
        return f"a table in which {problem.method} is {wanted} by {problem.quantity.name}"

    def because(self, problem: OrderProblem) -> str:
        index = _leader(problem)
        if index is None:
            return ""
        own, leader = problem.claims[0], problem.rivals[index]
        return (
            f"by the printed {problem.quantity.name} {leader.name} ({leader.text}) is ahead of {problem.method} "
            f"({own.text})"
        )


def _leader(problem: OrderProblem) -> int | None:
    """The rival that is furthest ahead of the method, if one surely is."""
    own = problem.claims[0]
    sure = [index for index, rival in enumerate(problem.rivals) if problem.surely_ahead(rival, own)]
    direction = problem.quantity.direction
    return max(sure, key=lambda index: problem.rivals[index].number.value * direction, default=None)


KIND = Order()
