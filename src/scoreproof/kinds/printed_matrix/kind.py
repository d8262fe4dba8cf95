"""Scores and counts of one confusion matrix against printed counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any

from scoreproof.kinds.binary.scores import known_scores
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.printed_matrix.counts import Known
from scoreproof.kinds.printed_matrix.engine import OF_CLASS, decide_counts, gives
from scoreproof.kinds.printed_matrix.problem import PrintedMatrixProblem
from scoreproof.kinds.unknown_classes.ranges import above, below
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_FEWEST_DIGITS = 4
_MORE_DIGITS = 2  # than were printed, for what the matrix gives
_MOST_DIGITS = 40  # that help anybody


class PrintedMatrix(Kind[PrintedMatrixProblem, Witness]):
    """Printed counts of one confusion matrix, and scores beside them."""

    name = "printed_matrix"

    @property
    def quantities(self) -> Sequence[Quantity]:  # type: ignore[override]  # users may register more
        return tuple(known_scores())

    def read(self, statement: Mapping[str, Any]) -> PrintedMatrixProblem:
        return PrintedMatrixProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Witness:
        return Witness.from_dict(document)

    def decide(self, problem: PrintedMatrixProblem, *, deadline: Budget, seed: int) -> Decision[Witness]:
        return decide_counts(problem, deadline)

    def holds(self, problem: PrintedMatrixProblem, witness: Witness) -> bool:
        if len(witness.matrices) != 1 or min(witness.matrix.cells) < 0:
            return False
        matrix = witness.matrix
        counted = matrix.to_dict() | {"p": matrix.p, "n": matrix.n, "total": matrix.p + matrix.n}
        if any(counted[name] != value for name, value in problem.counts):
            return False
        return all(gives(matrix, claim, problem.undefined) for claim in problem.claims)

    def subject(self, problem: PrintedMatrixProblem) -> str:
        return f"the printed counts ({', '.join(f'{name} {value}' for name, value in problem.counts)})"

    def because(self, problem: PrintedMatrixProblem) -> str:
        known = problem.known
        if known.conflict:
            return f"the counts contradict each other: {known.conflict}"
        matrix = known.matrix
        if matrix is None:
            return super().because(problem) or _between_whole_numbers(problem, known)
        wrong = [claim for claim in problem.claims if not gives(matrix, claim, problem.undefined)]
        given = []
        for claim in wrong:
            digits = min(max(_FEWEST_DIGITS, claim.number.digits + _MORE_DIGITS), _MOST_DIGITS)
            value = claim.score.text(*matrix.cells, digits=digits) or "nothing (0/0)"
            given.append(f"{claim.name} {value}, not {claim.text}")
        return f"the printed matrix ({matrix}) gives {'; '.join(given)}"

    def identity(self, problem: PrintedMatrixProblem, conflict: Sequence[Claim]) -> str:
        return self.because(problem.with_claims(conflict))

    def implied(self, problem: PrintedMatrixProblem, target: Claim) -> Ends | None:
        matrix = problem.known.matrix
        return None if matrix is None else target.score.enclose(*matrix.cells, 10 ** (target.number.digits + 2))


def _between_whole_numbers(problem: PrintedMatrixProblem, known: Known) -> str:
    """The values next to a rate that no whole number of cases of its class gives; empty if that is not the reason."""
    for claim in problem.claims:
        whole = next((known.counts.get(size) for size, rates in OF_CLASS.items() if claim.score.name in rates), None)
        if not whole:
            continue
        least = floor(claim.number.value * whole)
        near = [Fraction(cases, whole) for cases in (least, least + 1)]
        if not any(claim.low <= value <= claim.high for value in near):
            digits = min(max(_FEWEST_DIGITS, claim.number.digits + _MORE_DIGITS), _MOST_DIGITS)
            values = f"{below(near[0], digits)} or {above(near[1], digits)}"
            return f"{whole} cases give {claim.name} {values}, not {claim.text}"
    return ""


KIND = PrintedMatrix()
