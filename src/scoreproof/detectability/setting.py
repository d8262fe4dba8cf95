"""Everything a power analysis assumes, in one picklable value.

The setting names scores instead of holding them, so that it can be sent to other processes and written down: two
analyses with the same setting draw the same trials.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from scoreproof.checking.check import experiment_from_dict
from scoreproof.detectability.class_outcomes import class_problem, class_scores, of_classes
from scoreproof.detectability.classifiers import Classifier, classifier_of
from scoreproof.detectability.deviations import Deviation, Units, deviation_of
from scoreproof.detectability.printing import decimal_text
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.kinds.binary.experiment import (
    Experiment,
    normal_form,
    sums_matrices,
    total_counts,
)
from scoreproof.kinds.binary.problem import BinaryProblem, with_read_ranges
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.reported import Claim, Rounding
from scoreproof.reported.conventions import Undefined
from scoreproof.reported.number import Printed
from scoreproof.reported.rounding import interval


@dataclass(frozen=True, slots=True)
class Setting(Jsonable):
    """A stated experiment, the one performed, and how reports of it are made and tested."""

    stated: Any  # of two classes, or of several
    performed: Any
    names: tuple[str, ...]
    deviation: Deviation
    classifier: Classifier
    rounding: Rounding
    eps: Fraction | None
    undefined: Undefined
    budget: float
    seed: int

    _told = "experiment=stated performed scores=names *"

    @property
    def scores(self) -> tuple[Any, ...]:
        if self.several:
            return class_scores(self.names, self.stated)
        return tuple(score(name) for name in self.names)

    @property
    def several(self) -> bool:
        """Whether it is of several classes."""
        return of_classes(self.stated)

    def reported(self, units: Units, digits: int) -> tuple[Claim, ...]:
        """The report with these printed values, as a check reads it."""
        scale = 10**digits
        found = []
        for one, unit in zip(self.scores, units, strict=True):
            number = Printed(unit, scale)
            if self.eps is None:
                low, high = interval(unit, scale, self.rounding)
            else:
                low, high = number.value - self.eps, number.value + self.eps
            rule = self.rounding if self.eps is None else None
            text = decimal_text(unit, digits)
            found.append(Claim(one, one.name, text, number, low, high, rule, self.eps))
        return tuple(found)

    def posed(self, units: Units, digits: int) -> BinaryProblem | ClassesProblem | None:
        """What these printed values pose; None if one is a value that its score never takes, which needs no check."""
        reported = self.reported(units, digits)
        return None if any(one.beyond_range for one in reported) else self.problem(reported)

    def problem(self, reported: tuple[Claim, ...]) -> BinaryProblem | ClassesProblem:
        """A report of the stated experiment."""
        if self.several:
            return class_problem(self.stated, reported, self.undefined)
        return BinaryProblem(with_read_ranges(self.stated), reported, self.undefined)

    def to_dict(self) -> dict[str, Any]:
        rule = None if self.eps is not None else self.rounding
        return document(self, self._told, rounding=rule, eps=None if self.eps is None else str(self.eps))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The setting of a document; where ``eps`` is given the rounding says nothing."""
        made = {name: experiment_from_dict(document[name]) for name in ("experiment", "performed")}
        deviation, classifier = deviation_of(document["deviation"]), classifier_of(document["classifier"])
        rule = document["rounding"] or Rounding.ANY
        return rebuilt(cls, {**document, **made, "deviation": deviation, "classifier": classifier, "rounding": rule})


def one_matrix(experiment: Experiment) -> tuple[int, int] | None:
    """The class counts of an experiment that amounts to one confusion matrix; None for any other.

    >>> from scoreproof.kinds.binary.experiment import KFold
    >>> one_matrix(KFold(p=20, n=30, k=5, aggregation="score_of_means"))
    (20, 30)
    """
    if sums_matrices(experiment):
        return total_counts(experiment)
    from scoreproof.kinds.binary.experiment import MeanOfScores

    if isinstance(experiment, MeanOfScores):
        form = normal_form(experiment)
        if len(form.sets) == 1 and not form.families and not form.ranges:
            return form.sets[0].p, form.sets[0].n
    return None
