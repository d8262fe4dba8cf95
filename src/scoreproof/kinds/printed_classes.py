"""Recomputation in fractions: scores against the printed confusion matrix of several classes, each difference named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.multi_class.experiment import MOST_CASES, MultiClass, numbered
from scoreproof.kinds.multi_class.problem import ClassesProblem, OfReport, asked_of, classes_problem, problem_from_dict
from scoreproof.kinds.multi_class.witness import ClassMatrix, mean_value, treatment_of
from scoreproof.reported import Claim, report
from scoreproof.reported.claim import refuse_spread
from scoreproof.reported.conventions import Conventions, Undefined
from scoreproof.results import SmallTable
from scoreproof.validation import declared, shown, whole
from scoreproof.work.budget import Budget

_MOST_CLASSES = 1_000


@dataclass(frozen=True, slots=True)
class PrintedClasses:
    """A printed matrix, a row for each true class; ``total`` is how many cases the text says there are.

    Cells are counts. With ``counts``, the cases of each class, they are shares of their rows as printed ("85.7%").

    >>> str(PrintedClasses([[2, 1], [0, 2]])), PrintedClasses([["66.7%", "33.3%"], ["0%", "100%"]], counts=[3, 2]).kind
    ('the printed confusion matrix of 2 classes on 5 cases', 'printed_shares')
    """

    matrix: Sequence[Sequence[Any]]
    names: Sequence[str] | None = None
    total: int | None = None
    counts: Sequence[int] | Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        rows = self.matrix
        if isinstance(rows, (str, bytes)) or not isinstance(rows, Sequence) or not 2 <= len(rows) <= _MOST_CLASSES:
            raise InvalidExperiment(f"matrix: expected 2 to {_MOST_CLASSES} rows, got {shown(rows)}")
        if any(isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(rows) for row in rows):
            raise InvalidExperiment(f"matrix: expected {len(rows)} rows of {len(rows)} cells each")
        if self.names is not None and (isinstance(self.names, str) or not isinstance(self.names, Sequence)):
            raise InvalidExperiment(f"names: expected one for each class, got {shown(self.names)}")
        if self.total is not None:
            object.__setattr__(self, "total", whole("total", self.total, at_most=MOST_CASES, error=InvalidExperiment))
        cells = self._counted(rows) if self.counts is None else self._shared(rows)
        names = numbered(len(cells)) if self.names is None else tuple(map(_name, self.names))
        if len(names) != len(cells) or len(set(names)) != len(names):
            raise InvalidExperiment(f"names: expected a name of its own for each of {len(cells)} classes, got {names}")
        object.__setattr__(self, "matrix", cells)
        object.__setattr__(self, "names", names)

    def _counted(self, rows: Sequence[Sequence[Any]]) -> tuple[tuple[int, ...], ...]:
        cells = tuple(
            tuple(whole("a cell", c, at_most=MOST_CASES, error=InvalidExperiment) for c in row) for row in rows
        )
        if not any(map(any, cells)):
            raise InvalidExperiment("matrix: expected at least one case, got none")
        return cells

    def _shared(self, rows: Sequence[Sequence[Any]]) -> tuple[tuple[str, ...], ...]:
        """The shares as texts; the class counts as numbers."""
        known = MultiClass(self.counts)
        if len(known.sizes) != len(rows):
            raise InvalidExperiment(f"counts: expected one for each of {len(rows)} classes, got {len(known.sizes)}")
        if self.total not in (None, sum(known.sizes)):
            raise InvalidExperiment(f"total: the class counts add up to {sum(known.sizes)}, not {self.total}")
        if isinstance(self.counts, Mapping) and self.names is None:
            object.__setattr__(self, "names", known.names)
        object.__setattr__(self, "counts", known.sizes)
        for cell in (cell for row in rows for cell in row):
            if not isinstance(cell, str):
                raise InvalidExperiment(f"matrix: expected shares as printed, such as '85.7%', got {shown(cell)}")
            refuse_spread([report("sens", cell)])
        return tuple(tuple(row) for row in rows)

    @property
    def kind(self) -> str:
        return "printed_classes" if self.counts is None else "printed_shares"

    @classmethod
    @declared
    def from_dict(cls, settings: Mapping[str, Any]) -> PrintedClasses:
        unknown = set(settings) - {"matrix", "names", "total", "counts"}
        if unknown or "matrix" not in settings:
            raise InvalidExperiment(
                f"printed_classes: expected matrix, names, total, counts; got {', '.join(settings)}"
            )
        return cls(**settings)

    def to_dict(self) -> dict[str, Any]:
        tree: dict[str, Any] = {"type": "printed_classes", "matrix": [list(row) for row in self.matrix]}
        stated = {"total": self.total, "counts": None if self.counts is None else list(self.counts)}
        return tree | {"names": list(self.names or ())} | {k: v for k, v in stated.items() if v is not None}

    def __str__(self) -> str:
        if self.counts is not None:
            cases = sum(MultiClass(self.counts).sizes)
            return f"the printed confusion matrix of {len(self.matrix)} classes on {cases} cases, in shares of its rows"
        return f"the printed confusion matrix of {len(self.matrix)} classes on {sum(map(sum, self.matrix))} cases"


def _name(name: Any) -> str:
    if not isinstance(name, str | int):
        raise InvalidExperiment(f"names: expected the name of a class, got {shown(name)}")
    return name if isinstance(name, str) else str(whole("names", name, error=InvalidExperiment))


_MORE_DIGITS = 2  # than were printed, for what the matrix gives


@dataclass(frozen=True, slots=True)
class PrintedClassesProblem(OfReport):
    """A printed matrix, the number of cases that is stated, and the scores; ``report`` are these of any such matrix."""

    kind: ClassVar[str] = "printed_classes"
    matrix: tuple[tuple[int, ...], ...]
    total: int | None
    report: ClassesProblem

    @property
    def counts(self) -> list[tuple[int, int]]:
        """tp and q of every class."""
        return [(row[i], sum(other[i] for other in self.matrix)) for i, row in enumerate(self.matrix)]

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict() | {"matrix": [list(row) for row in self.matrix], "total": self.total}


class PrintedClassesKind(Kind[PrintedClassesProblem, ClassMatrix]):
    """A printed matrix of several classes and scores beside it."""

    name = "printed_classes"
    witness_type = ClassMatrix
    experiment_type = PrintedClasses

    def read(self, statement: Mapping[str, Any]) -> PrintedClassesProblem:
        own = {key: value for key, value in statement.items() if key not in ("matrix", "total")}
        matrix = tuple(tuple(row) for row in statement["matrix"])
        return PrintedClassesProblem(matrix, statement["total"], problem_from_dict(own, "multi_class"))

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> PrintedClassesProblem:
        matrix = tuple(tuple(row) for row in experiment.matrix)
        report = classes_problem(list(experiment.names or ()), [[sum(row) for row in matrix]], scores, how)
        return PrintedClassesProblem(matrix, experiment.total, report)

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
        sentences = []
        cases = sum(map(sum, problem.matrix))
        if problem.total not in (None, cases):
            sentences.append(f"the matrix holds {cases} cases, not {problem.total}")
        for claim in problem.claims:
            if treatment_of(problem.report.with_claims([claim]), [problem.counts]) is False:
                digits = claim.number.digits + _MORE_DIGITS
                value = _value(problem, claim, digits)
                given = "nothing (0/0)" if value is None else f"{float(value):.{digits}f}"
                sentences.append(f"the matrix gives {claim.name} {given}, not {claim.text}{_cell(problem, claim)}")
        return "; ".join(sentences) or "no one treatment of 0/0 gives all scores"

    def implied(self, problem: PrintedClassesProblem, target: Claim) -> Ends | None:
        value = _value(problem, target, target.number.digits + 4)
        return None if value is None else (value, value)

    def neighbours(self, problem: PrintedClassesProblem, target: Claim) -> tuple[Fraction | None, Fraction | None]:
        value = _value(problem, target, target.number.digits + 4)
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


def _value(problem: PrintedClassesProblem, claim: Claim, digits: int) -> Fraction | None:
    """What the matrix gives; None for a 0/0."""
    return mean_value(problem.report, [problem.counts], asked_of(claim), digits=digits)


def _as_matrix(problem: PrintedClassesProblem) -> ClassMatrix:
    cells = [(i, j, n) for i, row in enumerate(problem.matrix) for j, n in enumerate(row) if n]
    return ClassMatrix(len(problem.matrix), tuple(cells))


KIND = PrintedClassesKind()
