"""The kind of reports on labels that do not exclude each other.

It is decided by the engine of several classes without what couples them: the cases a label is given to need not add up
to all cases. A report on a part of the classes, on entities or on detections is such a report, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.multi_class.experiment import MultiLabel
from scoreproof.kinds.multi_class.kind import ClassesKind
from scoreproof.kinds.multi_class.problem import ClassesProblem, problem_from_dict
from scoreproof.kinds.multi_class.quantities import known
from scoreproof.kinds.multi_class.reading import classes_problem
from scoreproof.quantities import Quantity
from scoreproof.validation import shown


class MultiLabelKind(ClassesKind):
    """Scores of labels, and averages over them."""

    name = "multi_label"
    quantities: Sequence[Quantity] = tuple(known("multi_label"))

    def read(self, statement: Mapping[str, Any]) -> ClassesProblem:
        return problem_from_dict(statement, "multi_label")

    def problem(self, experiment: Any, scores: Mapping[str, Any], **options: Any) -> ClassesProblem:
        if not isinstance(experiment, MultiLabel):
            raise InvalidExperiment(f"experiment: expected MultiLabel([50, 70, 30]), got {shown(experiment)}")
        total = None if experiment.total is None else [experiment.total]
        return classes_problem(experiment.names, [experiment.sizes], scores, exclusive=False, total=total, **options)

    def experiment(self, settings: Mapping[str, Any]) -> MultiLabel:
        unknown = set(settings) - {"counts", "total"}
        if unknown or "counts" not in settings:
            raise InvalidExperiment(f"multi_label: expected counts and total, got {', '.join(settings) or 'nothing'}")
        return MultiLabel(settings["counts"], settings.get("total"))

    def subject(self, problem: ClassesProblem) -> str:
        if len(problem.counts) > 1:
            return f"the mean over {len(problem.counts)} sets of {len(problem.classes)} labels"
        total = problem.totals[0]
        return str(MultiLabel(dict(zip(problem.classes, problem.counts[0], strict=True)), total))


KIND = MultiLabelKind()
