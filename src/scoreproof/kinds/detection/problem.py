"""A report about an object detector: matched objects, and average precisions by overlap."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import claim_from_dict, refuse_spread
from scoreproof.validation import chosen, declared, whole

MOST_OBJECTS = 10**9
COUNTED = ("ppv", "sens", "f1")


class Interpolation(StrEnum):
    """Where the precision is read off: at 101 recalls (COCO), at 11 (PASCAL VOC 2007), everywhere, or nobody says."""

    ANY = "any"
    COCO = "101"
    VOC = "11"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Detection:
    """Detections matched to ``objects`` annotated ones, of so many ``classes``; both may be unknown (None).

    Precision, recall and F1 are of all detections above one confidence, counted over all classes together; with several
    ``classes`` they may as well be means over these, and are not taken.

    >>> str(Detection(objects=500))
    'detections of 500 objects'
    """

    kind: ClassVar[str] = "detection"
    objects: int | None = None
    classes: int | None = None

    def __post_init__(self) -> None:
        for name in ("objects", "classes"):
            if getattr(self, name) is not None:
                number = whole(name, getattr(self, name), at_least=1, at_most=MOST_OBJECTS, error=InvalidExperiment)
                object.__setattr__(self, name, number)

    @classmethod
    @declared
    def from_dict(cls, tree: Mapping[str, Any]) -> Detection:
        unknown = [key for key in tree if key not in ("type", "objects", "classes")]
        if unknown:
            raise InvalidExperiment(f"detection: expected objects, classes; got unknown key {', '.join(unknown)}")
        return cls(tree.get("objects"), tree.get("classes"))

    def to_dict(self) -> dict[str, Any]:
        given = {"objects": self.objects, "classes": self.classes}
        return {"type": "detection", **{name: value for name, value in given.items() if value is not None}}

    def __str__(self) -> str:
        what = "an unknown number of objects" if self.objects is None else f"{self.objects} objects"
        of = "" if self.classes is None else f" of {self.classes} class{'es' * (self.classes != 1)}"
        return f"detections of {what}{of}"


@dataclass(frozen=True, slots=True)
class DetectionProblem:
    """What was printed of a detector."""

    kind: ClassVar[str] = "detection"
    experiment: Detection
    claims: tuple[Claim, ...]
    interpolation: Interpolation = Interpolation.ANY

    def __post_init__(self) -> None:
        refuse_spread(self.claims)

    def to_dict(self) -> dict[str, Any]:
        return {
            "experiment": self.experiment.to_dict(),
            "scores": [claim.to_dict() for claim in self.claims],
            "interpolation": self.interpolation.value,
        }

    def with_claims(self, claims: Iterable[Claim]) -> DetectionProblem:
        return replace(self, claims=tuple(claims))

    def claim(self, name: str) -> Claim | None:
        """The claim about a quantity."""
        return next((claim for claim in self.claims if claim.quantity.name == name), None)

    @property
    def counted(self) -> tuple[Claim, ...]:
        """The claims about numbers of matched objects."""
        return tuple(claim for claim in self.claims if claim.quantity.name in COUNTED)

    @property
    def by_class(self) -> dict[str, dict[int, Claim]]:
        """Of each average precision that is printed for single classes, the claims by class."""
        listed: dict[str, dict[int, Claim]] = {}
        for claim in self.claims:
            name, of, number = claim.quantity.name.partition(" of class ")
            if of:
                listed.setdefault(name, {})[int(number)] = claim
        return listed

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> DetectionProblem:
        problem = cls(
            Detection.from_dict(statement["experiment"]),
            tuple(claim_from_dict(entry, kind="detection") for entry in statement["scores"]),
            chosen("interpolation", statement["interpolation"], Interpolation),
        )
        _refuse_uncovered(problem)
        return problem


def _refuse_uncovered(problem: DetectionProblem) -> None:
    """An error where the experiment does not say what the claims are to be tested with."""
    experiment = problem.experiment
    if problem.counted and experiment.objects is None:
        names = ", ".join(claim.name for claim in problem.counted)
        raise NotCovered(
            f"{names}: without the number of objects no counts are tested; give objects, or leave them out"
        )
    if problem.counted and experiment.classes not in (None, 1):
        names = ", ".join(claim.name for claim in problem.counted)
        raise NotCovered(
            f"{names}: with several classes these may be means over classes, which counts do not bound; leave them "
            "out, or give no classes if all detections are counted together"
        )
    listed = [(number, claim) for claims in problem.by_class.values() for number, claim in claims.items()]
    for number, claim in listed:
        if experiment.classes is None:
            raise NotCovered(f"{claim.name}: without the number of classes no mean is tested; give classes")
        if number > experiment.classes:
            raise InvalidValue(f"{claim.name}: expected a class from 1 to {experiment.classes}, got {number}")


def detection_problem(
    experiment: Any,
    scores: Mapping[str, Value | Claim],
    *,
    interpolation: str | Interpolation = Interpolation.ANY,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    decimal_comma: bool = False,
    **foreign: Any,
) -> DetectionProblem:
    """The problem of an experiment and what was printed of it."""
    if not isinstance(experiment, Detection):
        raise InvalidExperiment(f"experiment: expected Detection(objects=...), got {experiment!r}")
    if foreign:
        raise InvalidOption(f"{', '.join(foreign)}: no such option for {experiment}")
    claims = read_scores(
        _listed(scores), rounding=rounding, eps=eps, digits=digits, decimal_comma=decimal_comma, kind="detection"
    )
    problem = DetectionProblem(experiment, claims, chosen("interpolation", interpolation, Interpolation))
    _refuse_uncovered(problem)
    return problem


def _listed(scores: Mapping[str, Any]) -> Mapping[str, Any]:
    """The scores, "ap50 per class": [...] as one for each class; None stands for a class that is not printed."""
    if not isinstance(scores, Mapping) or not any(isinstance(value, list | tuple) for value in scores.values()):
        return scores
    single: dict[str, Any] = {}
    for name, value in scores.items():
        if not isinstance(value, list | tuple):
            single[name] = value
            continue
        mean = str(name).removesuffix(" per class")
        if mean == name:
            raise InvalidValue(f"{name}: expected one value, or '{name} per class' with one for each class; got a list")
        single |= {f"{mean} of class {k}": text for k, text in enumerate(value, start=1) if text is not None}
    return single
