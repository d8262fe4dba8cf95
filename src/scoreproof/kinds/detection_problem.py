"""A report about an object detector, the counts its scores leave, and average precisions by overlap and class.

True positives and detections from precision, recall and F1 with a known number of objects.

With G objects, recall = tp / G, precision = tp / d and F1 = 2 tp / (G + d): for each tp the numbers of detections d
that print like this are an interval, and the tp are few: the recall says which, or precision and F1 together.

A detection that is matched at an overlap is matched at every smaller one, or another one is in its place: at each rank
at least as many are right (by induction: the objects taken at the larger overlap are among those taken at the
smaller). So the average precision never rises with the overlap, of one class and of every mean over classes. Known
ends at some overlaps bound those between, and with them the mean over all ten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Annotated, Any, ClassVar

from scoreproof.errors import InvalidExperiment, InvalidValue, NotCovered
from scoreproof.kinds.statement import Described, ScoresOf, StatedFields
from scoreproof.quantities.task_quantities import THRESHOLDS
from scoreproof.reported import Claim
from scoreproof.reported.claim import refuse_spread
from scoreproof.reported.conventions import Interpolation
from scoreproof.validation import whole

MOST_OBJECTS = 10**9
COUNTED = ("ppv", "sens", "f1")


@dataclass(frozen=True, slots=True)
class Detection(Described):
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

    def __str__(self) -> str:
        what = "an unknown number of objects" if self.objects is None else f"{self.objects} objects"
        of = "" if self.classes is None else f" of {self.classes} class{'es' * (self.classes != 1)}"
        return f"detections of {what}{of}"


@dataclass(frozen=True, slots=True)
class DetectionProblem(StatedFields):
    """What was printed of a detector."""

    kind: ClassVar[str] = "detection"
    experiment: Detection
    claims: Annotated[tuple[Claim, ...], ScoresOf("detection")]
    interpolation: Interpolation = Interpolation.ANY

    def __post_init__(self) -> None:
        refuse_spread(self.claims)
        _refuse_uncovered(self)

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


def listed_by_class(scores: Mapping[str, Any]) -> Mapping[str, Any]:
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


MOST_TRIED = 1_000_000


def count_range(problem: DetectionProblem) -> tuple[int, int]:
    """The least and the greatest number of true positives that may fit; none if the least is above the greatest."""
    objects = problem.experiment.objects or 0
    recall, precision, f1 = (problem.claim(name) for name in ("sens", "ppv", "f1"))
    least, most = 0, objects
    if recall is not None:
        least, most = max(least, ceil(recall.low * objects)), min(most, floor(recall.high * objects))
    if f1 is not None:  # d >= tp, so F1 <= 2 tp / (G + tp): at least that many objects were matched
        least = max(least, ceil(f1.low * objects / (2 - f1.low))) if 0 < f1.low < 2 else least
        if precision is not None and least > 0:
            least, most = _between(precision, f1, objects, least, most)
    return least, most


def _between(precision: Claim, f1: Claim, objects: int, least: int, most: int) -> tuple[int, int]:
    """tp / P and 2 tp / F1 - G must meet: two linear conditions on tp."""
    if precision.low > 0 and f1.high > 0:
        slope = 2 / f1.high - 1 / precision.low
        if slope > 0:
            most = min(most, floor(objects / slope))
    if f1.low > 0 and precision.high > 0:
        slope = 2 / f1.low - 1 / precision.high
        if slope > 0:
            least = max(least, ceil(objects / slope))
        else:
            most = -1
    return least, most


def matched(problem: DetectionProblem) -> Iterator[tuple[int, int]]:
    """True positives, and the fewest detections that fit with each."""
    objects = problem.experiment.objects or 0
    precision, f1 = problem.claim("ppv"), problem.claim("f1")
    least, most = count_range(problem)
    for tp in range(least, min(most, least + MOST_TRIED) + 1):
        fewest = [1, 0]  # without any detection a precision of 0/0 may count as one
        if tp:
            tops = ((precision, tp, 0), (f1, 2 * tp, objects))
            ends = (ceil(top / claim.high) - off for claim, top, off in tops if claim is not None and claim.high > 0)
            fewest = [max([tp, *ends])]
        yield from ((tp, detections) for detections in fewest if gives(problem, tp, detections))


def gives(problem: DetectionProblem, tp: int, detections: int) -> bool:
    """Whether numbers of true positives and detections give every counted claim."""
    objects = problem.experiment.objects or 0
    if not 0 <= tp <= min(objects, detections):
        return False
    values = {
        "sens": (Fraction(tp, objects),),
        "ppv": (Fraction(tp, detections),) if detections else (Fraction(0), Fraction(1)),
        "f1": (Fraction(2 * tp, objects + detections),),
    }
    return all(
        any(claim.low <= value <= claim.high for value in values[claim.quantity.name]) for claim in problem.counted
    )


ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Chain:
    """Ends of the average precision at each overlap, of which each bounds those at smaller or at larger ones."""

    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]

    @classmethod
    def of(cls, ends: Sequence[tuple[Fraction, Fraction] | None]) -> Chain:
        """What is known at some overlaps, for all of them."""
        known = [between or (ZERO, ONE) for between in ends]
        rising = accumulate((max(low, ZERO) for low, _ in reversed(known)), max)
        return cls(tuple(rising)[::-1], tuple(accumulate((min(high, ONE) for _, high in known), min)))

    @property
    def possible(self) -> bool:
        return all(low <= high for low, high in zip(self.low, self.high, strict=True))

    @property
    def mean(self) -> tuple[Fraction, Fraction]:
        return sum(self.low, ZERO) / len(self.low), sum(self.high, ZERO) / len(self.high)

    def at(self, mean: Fraction) -> tuple[Fraction, ...]:
        """Average precisions that fall with the overlap and have a given mean within its ends."""
        least, most = self.mean
        share = ZERO if most == least else (mean - least) / (most - least)
        return tuple(low + share * (high - low) for low, high in zip(self.low, self.high, strict=True))


def at_overlaps(problem: DetectionProblem, of: str = "") -> list[Claim | None]:
    """The claims at single overlaps, ``of`` a class if not of the means over classes."""
    return [problem.claim(f"ap{threshold}{of}") for threshold in THRESHOLDS]


def chain(problem: DetectionProblem, of: str = "") -> Chain:
    """What the claims at single overlaps leave for all ten."""
    return Chain.of([None if claim is None else (claim.low, claim.high) for claim in at_overlaps(problem, of)])


def most_precision(recall: Fraction, interpolation: Interpolation, *, one_class: bool) -> Fraction:
    """The greatest average precision with a recall of all detections: the precision counts only up to there.

    >>> most_precision(Fraction(1, 2), Interpolation.COCO, one_class=True)
    Fraction(51, 101)
    """
    bounds = {
        Interpolation.COCO: Fraction((floor(100 * recall) if one_class else 100 * recall) + 1, 101),
        Interpolation.VOC: Fraction((floor(10 * recall) if one_class else 10 * recall) + 1, 11),
        Interpolation.ALL: recall,
    }
    return min(ONE, max(bounds.values()) if interpolation is Interpolation.ANY else bounds[interpolation])
