"""The kind of reports on several exclusive classes of which only the number of all cases is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.kinds.kind import Decision, Kind
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.multi_class.kind import KIND as KNOWN
from scoreproof.kinds.multi_class.kind import by_meaning, noted
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.kinds.multi_class.witness import ClassesWitness
from scoreproof.kinds.unknown_counts.engine import decide_counts
from scoreproof.kinds.unknown_counts.problem import UnknownCountsProblem, problem_from_statement, problem_of
from scoreproof.quantities import Quantity
from scoreproof.reported.claim import alone
from scoreproof.results import SmallTable
from scoreproof.work.budget import Budget


class UnknownCountsKind(Kind[UnknownCountsProblem, ClassesWitness]):
    """Scores of one confusion matrix of several classes and so many cases."""

    name = "unknown_counts"
    register = "multi_class"
    choosy = True
    quantities: Sequence[Quantity] = KNOWN.quantities

    def refuses(self, experiment: Any, name: str) -> str:
        return KNOWN.refuses(experiment, name)

    def row(self, experiment: Any, scores: Mapping[str, str], options: Mapping[str, Any]) -> UnknownCountsProblem:
        stated = {name: options[name] for name in ("rounding", "eps", "undefined") if name in options}
        return self.problem(experiment, {name: alone(text) for name, text in scores.items()}, **stated)

    def read(self, statement: Mapping[str, Any]) -> UnknownCountsProblem:
        return problem_from_statement(statement)

    def problem(self, experiment: Any, scores: Mapping[str, Any], **options: Any) -> UnknownCountsProblem:
        return problem_of(experiment, scores, **options)

    def experiment(self, settings: Mapping[str, Any]) -> MultiClass:
        return KNOWN.experiment(settings)

    def read_witness(self, document: Mapping[str, Any]) -> ClassesWitness:
        return ClassesWitness.from_dict(document)

    def decide(self, problem: UnknownCountsProblem, *, deadline: Budget, seed: int) -> Decision[ClassesWitness]:
        def decided(report: ClassesProblem, due: Budget) -> Decision[ClassesWitness]:
            decision = decide_counts(report, problem.total, deadline=due, seed=seed)
            if decision.witness is None:
                return decision
            return noted(report.with_counts([_supports(decision.witness)]), decision)

        return by_meaning(problem.report, deadline, decided)

    def holds(self, problem: UnknownCountsProblem, witness: ClassesWitness) -> bool:
        if len(witness.matrices) != 1 or not witness.matrices[0].sound:
            return False
        counts = _supports(witness)
        return sum(counts) == problem.total and KNOWN.holds(problem.known(counts), witness)

    def subject(self, problem: UnknownCountsProblem) -> str:
        return str(MultiClass(total=problem.total, classes=problem.classes))

    def tables(self, problem: UnknownCountsProblem, witness: ClassesWitness) -> Sequence[SmallTable]:
        return KNOWN.tables(problem.known(_supports(witness)), witness)

    def quick(self, problem: UnknownCountsProblem) -> bool:
        return False

    def too_large(self, problem: UnknownCountsProblem) -> bool:
        return KNOWN.too_large(problem.report)


def _supports(witness: ClassesWitness) -> list[int]:
    return witness.matrices[0].supports


KIND = UnknownCountsKind()
