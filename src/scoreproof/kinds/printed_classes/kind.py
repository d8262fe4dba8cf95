"""Scores against the printed confusion matrix of several classes: each is recomputed, each difference named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.multi_class.judge import exact_value, treatment_of
from scoreproof.kinds.multi_class.matrix import ClassMatrix
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of, problem_from_dict
from scoreproof.kinds.multi_class.quantities import known
from scoreproof.kinds.multi_class.reading import classes_problem
from scoreproof.kinds.printed_classes.experiment import PrintedClasses
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Undefined
from scoreproof.results import SmallTable
from scoreproof.validation import shown
from scoreproof.work.budget import Budget

_MORE_DIGITS = 2  # than were printed, for what the matrix gives


@dataclass(frozen=True, slots=True)
class PrintedClassesProblem:
    """A printed matrix, the number of cases that is stated, and the scores; ``report`` are these of any such matrix."""

    kind: ClassVar[str] = "printed_classes"
    matrix: tuple[tuple[int, ...], ...]
    total: int | None
    report: ClassesProblem

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.report.claims

    @property
    def counts(self) -> list[tuple[int, int]]:
        """tp and q of every class."""
        return [(row[i], sum(other[i] for other in self.matrix)) for i, row in enumerate(self.matrix)]

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict() | {"matrix": [list(row) for row in self.matrix], "total": self.total}

    def with_claims(self, claims: Iterable[Claim]) -> PrintedClassesProblem:
        return replace(self, report=self.report.with_claims(claims))


class PrintedClassesKind(Kind[PrintedClassesProblem, ClassMatrix]):
    """A printed matrix of several classes and scores beside it."""

    name = "printed_classes"
    quantities: Sequence[Quantity] = tuple(known("multi_class"))

    def read(self, statement: Mapping[str, Any]) -> PrintedClassesProblem:
        own = {key: value for key, value in statement.items() if key not in ("matrix", "total")}
        matrix = tuple(tuple(row) for row in statement["matrix"])
        return PrintedClassesProblem(matrix, statement["total"], problem_from_dict(own, "multi_class"))

    def problem(self, experiment: Any, scores: Mapping[str, Any], **options: Any) -> PrintedClassesProblem:
        if not isinstance(experiment, PrintedClasses) or experiment.counts is not None:
            raise InvalidExperiment(f"experiment: expected PrintedClasses(matrix), got {shown(experiment)}")
        matrix = tuple(tuple(row) for row in experiment.matrix)
        report = classes_problem(list(experiment.names or ()), [[sum(row) for row in matrix]], scores, **options)
        return PrintedClassesProblem(matrix, experiment.total, report)

    def experiment(self, settings: Mapping[str, Any]) -> PrintedClasses:
        return PrintedClasses.from_dict(settings)

    def read_witness(self, document: Mapping[str, Any]) -> ClassMatrix:
        return ClassMatrix.from_dict(document)

    def decide(self, problem: PrintedClassesProblem, *, deadline: Budget, seed: int) -> Decision[ClassMatrix]:
        witness = _as_matrix(problem)
        return Decision(witness) if self.holds(problem, witness) else Decision(proof={"kind": "recomputed"})

    def holds(self, problem: PrintedClassesProblem, witness: ClassMatrix) -> bool:
        if witness != _as_matrix(problem) or problem.total not in (None, sum(map(sum, problem.matrix))):
            return False
        return treatment_of(problem.report, [problem.counts]) is not False

    def subject(self, problem: PrintedClassesProblem) -> str:
        return str(PrintedClasses(problem.matrix, problem.report.classes))

    def because(self, problem: PrintedClassesProblem) -> str:
        """The stated number of cases, and every score that is not what the matrix gives."""
        said = []
        cases = sum(map(sum, problem.matrix))
        if problem.total not in (None, cases):
            said.append(f"the matrix holds {cases} cases, not {problem.total}")
        for claim in problem.claims:
            if treatment_of(problem.report.with_claims([claim]), [problem.counts]) is False:
                digits = claim.number.digits + _MORE_DIGITS
                value = exact_value(problem.report, problem.counts, claim, digits)
                given = "nothing (0/0)" if value is None else f"{float(value):.{digits}f}"
                said.append(f"the matrix gives {claim.name} {given}, not {claim.text}{_cell(problem, claim)}")
        return "; ".join(said) or "no one treatment of 0/0 gives all scores"

    def implied(self, problem: PrintedClassesProblem, target: Claim) -> Ends | None:
        value = exact_value(problem.report, problem.counts, target, target.number.digits + 4)
        return None if value is None else (value, value)

    def neighbours(self, problem: PrintedClassesProblem, target: Claim) -> tuple[Fraction | None, Fraction | None]:
        value = exact_value(problem.report, problem.counts, target, target.number.digits + 4)
        if value is None or problem.report.undefined is Undefined.EXCLUDE:
            return None, None
        return (value, None) if value < target.low else (None, value)

    def tables(self, problem: PrintedClassesProblem, witness: ClassMatrix) -> Sequence[SmallTable]:
        names = problem.report.classes
        rows = [(name, *row) for name, row in zip(names, problem.matrix, strict=True)]
        return [SmallTable(rows, ("true \\ given", *names))]


def _cell(problem: PrintedClassesProblem, claim: Claim) -> str:
    """The cell that a score of one class is about, with the sums beside it."""
    place = asked_of(claim).place
    if place is None:
        return ""
    name, (tp, q) = problem.report.classes[place], problem.counts[place]
    return f" (cell {name}, {name}: {tp} of {sum(problem.matrix[place])} cases, {q} given)"


def _as_matrix(problem: PrintedClassesProblem) -> ClassMatrix:
    cells = [(i, j, n) for i, row in enumerate(problem.matrix) for j, n in enumerate(row) if n]
    return ClassMatrix(len(problem.matrix), tuple(cells))


KIND = PrintedClassesKind()
