"""Two rows stated to be on one test set of unknown classes: do they need different prevalences?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.one_matrix import matrix_holds
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import known_scores
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.one_test_set.engine import decide_shared, prevalence_of
from scoreproof.kinds.one_test_set.problem import OneTestSetProblem
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.work.budget import Budget

_TO_SAY = 1.0  # seconds


class OneTestSet(Kind[OneTestSetProblem, Witness]):
    """Two rows of scores on one test set whose class counts are unknown."""

    name = "one_test_set"

    @property
    def quantities(self) -> Sequence[Quantity]:  # type: ignore[override]  # users may register more
        return tuple(known_scores())

    def read(self, statement: Mapping[str, Any]) -> OneTestSetProblem:
        return OneTestSetProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Witness:
        return Witness.from_dict(document)

    def decide(self, problem: OneTestSetProblem, *, deadline: Budget, seed: int) -> Decision[Witness]:
        return decide_shared(problem, deadline)

    def holds(self, problem: OneTestSetProblem, witness: Witness) -> bool:
        if len(witness.matrices) != 2:
            return False
        first, second = witness.matrices
        p, n = first.p, first.n
        if (second.p, second.n) != (p, n) or p + n == 0:
            return False
        if problem.total is not None and not problem.total[0] <= p + n <= problem.total[1]:
            return False
        return all(
            matrix_holds(BinaryProblem(TestSet(p, n), row.claims, problem.undefined), Witness((matrix,)))
            for row, matrix in zip(problem.rows, witness.matrices, strict=True)
        )

    def subject(self, problem: OneTestSetProblem) -> str:
        cases = ""
        if problem.total is not None:
            least, most = problem.total
            cases = f" of {least} cases" if least == most else f" of {least} to {most} cases"
        return f"one test set{cases}, class counts unknown"

    def because(self, problem: OneTestSetProblem) -> str:
        needs = []
        for index, row in enumerate(problem.rows):
            span = prevalence_of(problem, index, Budget.of_work(_TO_SAY)) if row.claims else None
            if span is None and row.claims:
                return f"the scores of {row.name} are impossible on any test set"
            needs.append("any" if span is None else span.text(4))
        first, second = problem.rows
        return (
            f"the scores of {first.name} need a prevalence of {needs[0]} and those of {second.name} one of {needs[1]}"
        )

    def identity(self, problem: OneTestSetProblem, conflict: Sequence[Claim]) -> str:
        return self.because(problem.with_claims(conflict))

    def quick(self, problem: OneTestSetProblem) -> bool:
        return False


KIND = OneTestSet()
