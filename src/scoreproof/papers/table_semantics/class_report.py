"""scikit-learn's classification report: classes with supports, and the averages that must follow from them.

Accuracy is the sum of correct cases over all cases, macro averages are plain means and weighted averages means by
support, so each can be compared with the class rows exactly. With two classes the whole report is one confusion matrix
seen from both sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.multi_class.problem import classes_problem
from scoreproof.papers.table_semantics.folds import AverageCheck, compared
from scoreproof.reported import Rounding, report

# The scores of the other class, seen from this one.
_MIRRORED = {"ppv": "npv", "sens": "spec", "f1": "f1n"}
_AVERAGES = ("macro", "weighted", "micro")


@dataclass(frozen=True, slots=True)
class ClassRow(Jsonable):
    """One class: its scores as printed and its support."""

    name: str
    scores: Mapping[str, str]
    support: int | None

    @property
    def undefined(self) -> str:
        """In words, which of its scores is 0/0 and so whatever the program was told to print; nothing if none is."""
        return undefined_score(self.scores, self.support)


def undefined_score(scores: Mapping[str, str], support: int | None) -> str:
    """Which score of a class must be 0/0: the recall of no cases, the precision of a class nobody was given.

    >>> undefined_score({"ppv": "1.00", "sens": "0.00"}, 7), undefined_score({"ppv": "0.50", "sens": "0.50"}, 4)
    ('no case was given this class, so its precision is 0/0', '')
    """
    if support == 0:
        return "the class has no cases, so its recall is 0/0"
    try:
        zero = "sens" in scores and not report("sens", scores["sens"]).number.units
        given = "ppv" in scores and report("ppv", scores["ppv"]).number.units
    except InvalidValue:
        return ""  # the row carries the error itself
    return "no case was given this class, so its precision is 0/0" if zero and given else ""


@dataclass(frozen=True, slots=True)
class ClassReport:
    """A whole report; ``averages`` maps macro, micro and weighted to their scores.

    ``doubts`` says why the averages are not compared with the classes: a row that was not read, supports that do not
    add up. ``single`` says that each case has one class, as a row of accuracy shows. ``rounding`` is how the report was
    rounded: to nearest where scikit-learn printed it, any way where somebody may have typed it.
    """

    classes: tuple[ClassRow, ...]
    accuracy: str | None
    averages: Mapping[str, Mapping[str, str]]
    total: int
    doubts: tuple[str, ...] = ()
    single: bool = True
    rounding: Rounding = Rounding.NEAREST

    @property
    def not_compared(self) -> tuple[str, ...]:
        """In words, why averages over classes are not compared with the rows."""
        return tuple(f"averages over classes are not compared: {doubt}" for doubt in self.doubts)

    def binary(self, positive: str | None = None) -> tuple[TestSet, dict[str, str]]:
        """A report on two classes as one test set and its scores from both sides.

        The second class is the positive one, as in scikit-learn, unless ``positive`` names the other.
        """
        if len(self.classes) != 2 or not self.single or any(one.support is None for one in self.classes):
            raise InvalidOption(f"classes: expected two with their supports for a binary reading, got {self}")
        names = [one.name for one in self.classes]
        if positive is not None and positive not in names:
            raise InvalidOption(f"positive: expected one of {', '.join(names)}; got {positive!r}")
        yes = self.classes[names.index(positive) if positive is not None else 1]
        no = self.classes[1 - self.classes.index(yes)]
        scores = {name: text for name, text in yes.scores.items() if name in _MIRRORED}
        scores |= {_MIRRORED[name]: text for name, text in no.scores.items() if name in _MIRRORED}
        if self.accuracy is not None:
            scores["acc"] = self.accuracy
        return TestSet(yes.support or 0, no.support or 0), scores

    def check_averages(
        self, *, rounding: str | Rounding | None = None, eps: str | None = None
    ) -> tuple[AverageCheck, ...]:
        """Accuracy, macro and weighted averages against the class rows; none where there are doubts."""
        if self.doubts:
            return ()
        rule: dict[str, Any] = {"eps": eps} if eps else {"rounding": self.rounding if rounding is None else rounding}
        posed = [self._accuracy(rule)]
        for average, scores in self.averages.items():
            if average in ("macro", "weighted"):
                posed += [self._average(average, name, text, rule) for name, text in scores.items()]
        return tuple(compared(*pair) for pair in posed if pair is not None)

    def _average(self, average: str, name: str, text: str, rule: dict[str, Any]) -> tuple[str, Problem] | None:
        weights = [part.support or 0 for part in self.classes] if average == "weighted" else None
        rows = [part.scores.get(name) for part in self.classes]
        if None in rows or (weights is not None and not sum(weights)):
            return None
        try:
            problem = printed_average(name, [row or "" for row in rows], text, weights=weights, **rule)
        except ScoreproofError:
            return None  # the row carries the error itself
        return f"{average} {name}", problem

    def _accuracy(self, rule: dict[str, Any]) -> tuple[str, Problem] | None:
        """Correct cases are whole numbers: recall and support leave each class a range of them."""
        if self.accuracy is None or self.total == 0 or not self.single or len(self.classes) < 2:
            return None
        if any("sens" not in part.scores for part in self.classes):
            return None
        try:
            recalls = [part.scores["sens"] for part in self.classes]
            names, counts = [part.name for part in self.classes], [part.support or 0 for part in self.classes]
            return "accuracy", classes_problem(names, [counts], {"acc": self.accuracy, "sens": recalls}, **rule)
        except ScoreproofError:
            return None

    def coupled(self, *, rounding: str | Rounding | None = None, eps: str | None = None) -> Problem | None:
        """All classes and averages as the one confusion matrix they are of; as labels where that is not said.

        None where they were not read whole.
        """
        if self.doubts or any(part.support is None for part in self.classes) or not self.total:
            return None
        rule: dict[str, Any] = {"eps": eps} if eps else {"rounding": self.rounding if rounding is None else rounding}
        if len(self.classes) == 2 and self.single and not any(part.undefined for part in self.classes):
            test_set, scores = self.binary()
            return BINARY.problem(test_set, scores, undefined="zero", **rule)  # scikit-learn prints 0/0 as 0
        if len(self.classes) < 2 or not any(part.scores for part in self.classes):
            return None
        report: dict[str, Any] = {name: [part.scores.get(name) for part in self.classes] for name in _MIRRORED}
        report = {name: values for name, values in report.items() if any(values)}
        for average, own in self.averages.items():
            if average in _AVERAGES:
                report |= {f"{average} {name}": text for name, text in own.items() if name in _MIRRORED}
        if self.accuracy is not None and self.single:
            report["acc"] = self.accuracy
        names, counts = [part.name for part in self.classes], [part.support or 0 for part in self.classes]
        return classes_problem(names, [counts], report, exclusive=self.single, **rule)

    def to_dict(self) -> dict[str, Any]:
        return {
            "classes": [one.to_dict() for one in self.classes],
            "accuracy": self.accuracy,
            "averages": {kind: dict(scores) for kind, scores in self.averages.items()},
            "total": self.total,
            "not_compared": list(self.not_compared),
            "checks": [one.to_dict() for one in self.check_averages()],
        }

    def __str__(self) -> str:
        if any(one.support is None for one in self.classes):
            return f"classification report: {', '.join(one.name for one in self.classes)}"
        names = ", ".join(f"{one.name} ({one.support})" for one in self.classes)
        return f"classification report on {self.total} cases: {names}"
