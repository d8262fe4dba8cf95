"""What is reported of several classes whose counts are not known: all cases together, scores, conventions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.multi_class.experiment import MultiClass, numbered
from scoreproof.kinds.multi_class.problem import ClassesProblem, problem_from_dict
from scoreproof.kinds.multi_class.reading import classes_problem
from scoreproof.reported import Claim
from scoreproof.validation import shown


@dataclass(frozen=True, slots=True)
class UnknownCountsProblem:
    """The number of all cases, and a report of which no class counts are known."""

    kind: ClassVar[str] = "unknown_counts"
    total: int
    report: ClassesProblem

    @property
    def claims(self) -> tuple[Claim, ...]:
        return self.report.claims

    @property
    def classes(self) -> tuple[str, ...]:
        return self.report.classes

    def to_dict(self) -> dict[str, Any]:
        return self.report.to_dict() | {"classes": list(self.classes), "total": self.total}

    def with_claims(self, claims: Iterable[Claim]) -> UnknownCountsProblem:
        return replace(self, report=self.report.with_claims(claims))

    def known(self, counts: Sequence[int]) -> ClassesProblem:
        """The same report with these class counts."""
        return self.report.with_counts([counts])


def problem_of(experiment: Any, scores: Mapping[str, Any], **options: Any) -> UnknownCountsProblem:
    """The problem of a number of cases and scores; lists by class say how many classes there are, if nobody does."""
    if not isinstance(experiment, MultiClass) or experiment.total is None:
        raise InvalidExperiment(f"experiment: expected MultiClass(total=150, classes=3), got {shown(experiment)}")
    names = experiment.names or _names_in(scores)
    return UnknownCountsProblem(experiment.total, classes_problem(names, [], scores, **options))


def _names_in(scores: Any) -> tuple[str, ...]:
    for value in scores.values() if isinstance(scores, Mapping) else ():
        if isinstance(value, Mapping):
            return MultiClass(total=1, classes=[str(name) for name in value]).names
        if isinstance(value, Sequence) and not isinstance(value, str):
            return MultiClass(total=1, classes=numbered(len(value))).names
    raise InvalidExperiment(
        "classes: with the number of all cases alone, say how many classes there are: MultiClass(total=150, classes=3)"
    )


def problem_from_statement(statement: Mapping[str, Any]) -> UnknownCountsProblem:
    """The problem a statement describes."""
    report = {key: value for key, value in statement.items() if key != "total"}
    report["classes"] = [{"name": name, "counts": []} for name in statement["classes"]]
    return UnknownCountsProblem(statement["total"], problem_from_dict(report, "multi_class"))
