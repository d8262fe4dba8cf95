"""Monotone chains of average precisions (Lin et al. 2014) and counts of matches: relations a report may break.

The mean over m classes of which some are printed lies between the sum of their lower ends over m and the sum of their
upper ends, one for each of the others, over m. Classes without objects are left out of a mean; of fewer classes these
ends are no wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

from scoreproof.kinds.detection_problem import (
    MOST_TRIED,
    ONE,
    ZERO,
    Chain,
    Detection,
    DetectionProblem,
    at_overlaps,
    chain,
    count_range,
    gives,
    listed_by_class,
    matched,
    most_precision,
)
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.kinds.statement import StatedFields
from scoreproof.quantities import quantity
from scoreproof.quantities.task_quantities import AVERAGE_RECALL, SIZED_PRECISION, SIZES, THRESHOLDS
from scoreproof.reported import Claim, read_scores, report
from scoreproof.reported.claim import leaves_room
from scoreproof.reported.conventions import Conventions
from scoreproof.results import Result, SmallTable
from scoreproof.work.budget import Budget

Broken = tuple[str, tuple[Claim, ...]]
_RECALLS = tuple(quantity.name for quantity in AVERAGE_RECALL.values())  # never fall from one to the next

WORDS = {
    "range": "{0} is outside its range",
    "order": "AP falls with the overlap, but {0} and {1}",
    "mean": "mAP is the mean over ten overlaps, of which each lies between the known ones around it; {0} does not fit",
    "recall": "the precision counts only up to the recall of all detections, so {0} is too large for {1}",
    "recalls": "more detections per image never find fewer objects, but {0} and {1}",
    "classes": "{0} is the mean over the classes, and theirs is not there",
}


def broken(problem: DetectionProblem) -> Broken | None:
    """The first relation that is broken, and by which claims."""
    beyond = next((claim for claim in problem.claims if claim.low > 1 or claim.high < 0), None)
    if beyond is not None:
        return "range", (beyond,)
    numbers = sorted({number for claims in problem.by_class.values() for number in claims})
    for of in ("", *(f" of class {number}" for number in numbers)):
        risen = _risen(problem, of)
        if risen is not None:
            return risen
    for name, claims in problem.by_class.items():
        mean = problem.claim(name)
        least, most = mean_ends(claims, problem.experiment.classes or len(claims))
        if mean is not None and (mean.high < least or mean.low > most):
            return "classes", (mean,)
    recalls = [claim for name in _RECALLS if (claim := problem.claim(name)) is not None]
    for place, few in enumerate(recalls):
        for many in recalls[place + 1 :]:
            if few.low > many.high:
                return "recalls", (few, many)
    return _too_precise(problem)


def _risen(problem: DetectionProblem, of: str) -> Broken | None:
    """That the average precisions of a class, or of all, would rise with the overlap, or their mean is not theirs."""
    claims = [claim for claim in at_overlaps(problem, of) if claim is not None]
    for smaller, larger in combinations(claims, 2):
        if smaller.high < larger.low:
            return "order", (smaller, larger)
    mean = problem.claim(f"map{of}")
    least, most = chain(problem, of).mean
    return ("mean", (mean,)) if mean is not None and (mean.high < least or mean.low > most) else None


def _too_precise(problem: DetectionProblem) -> Broken | None:
    pairs = [("map", "ar100"), *((f"ap_{size}", f"ar_{size}") for size in SIZES)]
    for precision, average in ((problem.claim(precise), problem.claim(other)) for precise, other in pairs):
        if precision is not None and average is not None:
            most = most_precision(min(average.high, ONE), problem.interpolation, one_class=False)
            if precision.low > most:
                return "recall", (precision, average)
    recall = problem.claim("max_recall")
    if recall is None or problem.experiment.classes != 1:
        return None
    most = most_precision(min(recall.high, ONE), problem.interpolation, one_class=True)
    for name in (*(f"ap{threshold}" for threshold in THRESHOLDS), "map"):
        claim = problem.claim(name)
        if claim is not None and claim.low > most:
            return "recall", (claim, recall)
    return None


@dataclass(frozen=True, slots=True)
class Detector(StatedFields, Result):
    """Numbers of matches, and values at overlaps from 0.50 to 0.95 and of classes, that break none of the relations.

    Average precisions are not listed one by one for a number of objects: that they fall with the overlap and are means
    over classes is all that is tested of them. ``classes`` holds "ap50 of class 1" and its value, and so on.
    """

    tp: int | None = None
    detections: int | None = None
    precisions: tuple[Fraction, ...] = ()
    classes: Mapping[str, Fraction] = field(default_factory=dict)

    def __str__(self) -> str:
        parts = [] if self.tp is None else [f"{self.tp} objects found by {self.detections} detections"]
        if self.precisions:
            values = ", ".join(f"{float(value):.4f}" for value in self.precisions)
            parts.append(f"average precisions {values} at overlaps from 0.50 to 0.95")
        if self.classes:
            parts.append(", ".join(f"{name} {float(value):.4f}" for name, value in self.classes.items()))
        return " and ".join(parts) or "values within their ranges"


_AT_OVERLAPS = tuple(f"ap{threshold}" for threshold in THRESHOLDS)
_SIZED = tuple(quantity.name for quantity in SIZED_PRECISION.values())
_UNUSED = "the recall of all detections bounds the AP of one class; it was not used: classes is not 1"
_NOT_TOGETHER = "every relation holds, but values of the classes at all overlaps that keep to all were not found"


class DetectionKind(Kind[DetectionProblem, Detector]):
    """Precision, recall and F1 of matched objects; average precisions that fall with the overlap."""

    name = "detection"
    problem_type = DetectionProblem
    witness_type = Detector
    experiment_type = Detection
    names_conflicts = True

    def posed(self, experiment: Any, scores: Mapping[str, Any], how: Conventions) -> DetectionProblem:
        taken = ("interpolation", "rounding", "eps", "digits", "decimal_comma")
        how.refuse_all_but(taken, f"no such option for {experiment}")
        claims = read_scores(listed_by_class(scores), how, kind=self.name)
        return DetectionProblem(experiment, claims, how.interpolation)

    def decide(self, problem: DetectionProblem, *, deadline: Budget, seed: int) -> Decision[Detector]:
        wrong = broken(problem)
        if wrong is not None:
            return Decision(proof={"kind": wrong[0], "scores": [problem.claims.index(claim) for claim in wrong[1]]})
        counts: tuple[int | None, int | None] = None, None
        if problem.counted:
            least, most = count_range(problem)
            counts = next(matched(problem), (None, None))
            if counts[0] is None:
                if most - least > MOST_TRIED:
                    return Decision(reason=f"more than {MOST_TRIED:,} numbers of true positives would have to be tried")
                return Decision(proof={"kind": "counts"})
        witness = _fitting(problem, counts)
        if witness is None or (problem.by_class and not self.holds(problem, witness)):
            return Decision(reason=_NOT_TOGETHER)
        unused = problem.claim("max_recall") is not None and problem.experiment.classes != 1
        return Decision(witness, notes=(_UNUSED,) if unused else ())

    def free(self, problem: DetectionProblem) -> bool:
        """One average precision or recall: it is compared with others alone."""
        return len(problem.claims) == 1 and not problem.counted and leaves_room(problem.claims[0])

    def holds(self, problem: DetectionProblem, witness: Detector) -> bool:
        tp, detections = witness.tp, witness.detections
        if problem.counted and (tp is None or detections is None or not gives(problem, tp, detections)):
            return False
        values, by_class = witness.precisions, witness.classes
        if (values and len(values) != len(THRESHOLDS)) or any(a < b for a, b in pairwise((ONE, *values, ZERO))):
            return False
        means = means_of(problem, by_class)
        if means is None or not classes_fall(problem, by_class):
            return False
        known = dict(zip(_AT_OVERLAPS, values, strict=False))
        if values:
            known["map"] = sum(values, ZERO) / len(values)
        if any(name not in _SIZED and known.get(name) != mean for name, mean in means.items()):
            return False
        known |= {**means, **by_class}
        for claim in problem.claims:
            name = claim.quantity.name
            averaged = name in ("map", *_AT_OVERLAPS, *means) or " of class " in name
            if averaged and (name not in known or not claim.low <= known[name] <= claim.high):
                return False
        return broken(problem) is None

    def used(self, problem: DetectionProblem, proof: Mapping[str, Any]) -> Sequence[Claim]:
        if proof["kind"] == "counts":
            return problem.counted
        named = [problem.claims[place] for place in proof["scores"]]
        own, _, number = named[0].quantity.name.partition(" of class ")
        if proof["kind"] == "classes":
            return [*named, *problem.by_class[own].values()]
        if proof["kind"] == "mean":
            beside = at_overlaps(problem, f" of class {number}" if number else "")
            return [*named, *(claim for claim in beside if claim is not None)]
        return named

    def subject(self, problem: DetectionProblem) -> str:
        return str(problem.experiment)

    def because(self, problem: DetectionProblem) -> str:
        wrong = broken(problem)
        if wrong is None:
            return super().because(problem) or "no whole numbers of objects and detections give these"
        return WORDS[wrong[0]].format(*wrong[1])

    def implied(self, problem: DetectionProblem, target: Claim) -> Ends | None:
        falling = chain(problem)
        if target.quantity.name == "map":
            return falling.mean
        return dict(zip(_AT_OVERLAPS, zip(falling.low, falling.high, strict=True), strict=True)).get(
            target.quantity.name
        )

    def tables(self, problem: DetectionProblem, witness: Detector) -> Sequence[SmallTable]:
        shown = []
        if witness.tp is not None:
            objects = problem.experiment.objects
            rows = [(objects, witness.tp, witness.detections)]
            shown.append(SmallTable(rows, ("objects", "true positives", "detections"), "matches"))
        if witness.precisions:
            values = zip(THRESHOLDS, witness.precisions, strict=True)
            rows_ = [(f"0.{threshold}", f"{float(value):.4f}") for threshold, value in values]
            shown.append(SmallTable(rows_, ("overlap", "AP"), "average precisions"))
        if witness.classes:
            rows_ = [(name, f"{float(value):.4f}") for name, value in witness.classes.items()]
            shown.append(SmallTable(rows_, ("of", "AP"), "classes"))
        return shown


def _fitting(problem: DetectionProblem, counts: tuple[int | None, int | None]) -> Detector | None:
    """Values in the middle of what is left to them; None if classes and overlaps leave nothing."""
    narrow = tightened(problem)
    if broken(narrow) is not None:
        return None
    falling, mean = chain(narrow), narrow.claim("map")
    least, most = falling.mean
    if mean is not None:
        least, most = max(least, mean.low), min(most, mean.high)
    told = mean is not None or any(narrow.claim(name) for name in _AT_OVERLAPS)
    precisions = falling.at((least + most) / 2) if told else ()
    known = dict(zip(_AT_OVERLAPS, precisions, strict=False)) | {"map": (least + most) / 2}
    by_class: dict[str, Fraction] = {}
    for name, claims in problem.by_class.items():
        claim = narrow.claim(name)
        assert claim is not None
        value = known.get(name, (claim.low + claim.high) / 2)
        by_class |= with_mean(name, claims, problem.experiment.classes or len(claims), value)
    return Detector(*counts, precisions, by_class)


OTHERS = "other classes"  # "ap50 of other classes" is the mean of those that are not printed


def mean_ends(claims: Mapping[int, Claim], classes: int) -> tuple[Fraction, Fraction]:
    """Between which ends the mean over so many classes lies, some of which are printed.

    >>> from scoreproof.quantities.task_quantities import DETECTION
    >>> from scoreproof.reported import report
    >>> mean_ends({1: report(DETECTION.find("ap50 of class 1"), "0.5", eps=0)}, 2)
    (Fraction(1, 4), Fraction(3, 4))
    """
    low = sum((max(claim.low, ZERO) for claim in claims.values()), ZERO)
    high = sum((min(claim.high, ONE) for claim in claims.values()), ZERO) + classes - len(claims)
    return low / classes, high / classes


def tightened(problem: DetectionProblem) -> DetectionProblem:
    """The same with what the classes leave to each mean claimed of it; of means that are possible."""
    narrower: dict[str, Claim] = {claim.quantity.name: claim for claim in problem.claims}
    for name, claims in problem.by_class.items():
        low, high = mean_ends(claims, problem.experiment.classes or len(claims))
        mean = problem.claim(name)
        if mean is not None:
            low, high = max(low, mean.low), min(high, mean.high)
        narrower[name] = report(quantity(name, kind="detection"), (low + high) / 2, eps=(high - low) / 2)
    return problem.with_claims(narrower.values())


def with_mean(name: str, claims: Mapping[int, Claim], classes: int, mean: Fraction) -> dict[str, Fraction]:
    """Values of the classes that have a given mean within its ends, each as far between its own as the others."""
    least, most = mean_ends(claims, classes)
    share = ZERO if most == least else (mean - least) / (most - least)
    ends = {f"{name} of class {k}": (max(claim.low, ZERO), min(claim.high, ONE)) for k, claim in claims.items()}
    values = {text: low + share * (high - low) for text, (low, high) in ends.items()}
    if len(claims) < classes:
        values[f"{name} of {OTHERS}"] = share
    return values


def means_of(problem: DetectionProblem, values: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
    """The mean over classes of each quantity that is printed by class; None if values are missing or no precisions."""
    classes, means = problem.experiment.classes or 0, {}
    for name, claims in problem.by_class.items():
        listed, rest = [f"{name} of class {number}" for number in claims], f"{name} of {OTHERS}"
        if not values.keys() >= {*listed, *([rest] if len(claims) < classes else [])}:
            return None
        others = (classes - len(claims)) * values.get(rest, ZERO)
        means[name] = (sum((values[each] for each in listed), ZERO) + others) / classes
    return means if all(0 <= value <= 1 for value in values.values()) else None


def classes_fall(problem: DetectionProblem, values: Mapping[str, Fraction]) -> bool:
    """Whether in every class the values at single overlaps fall, and the mean over overlaps lies as they demand.

    A class that a quantity does not list has the value of the others.
    """
    for each in {f"class {number}" for claims in problem.by_class.values() for number in claims} | {OTHERS}:
        at = {
            name: values.get(f"{name} of {each}", values.get(f"{name} of {OTHERS}")) for name in (*_AT_OVERLAPS, "map")
        }
        mean = at.pop("map")
        falling = Chain.of([None if value is None else (value, value) for value in at.values()])
        least, most = falling.mean
        if not falling.possible or (mean is not None and not least <= mean <= most):
            return False
    return True


KIND = DetectionKind()
