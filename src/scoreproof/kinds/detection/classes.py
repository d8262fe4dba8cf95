"""Average precisions of single classes, and their mean.

The mean over m classes of which some are printed lies between the sum of their lower ends over m and the sum of their
upper ends, one for each of the others, over m. Classes without objects are left out of a mean; of fewer classes these
ends are no wider.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from scoreproof.kinds.detection.overlaps import ONE, ZERO
from scoreproof.kinds.detection.problem import DetectionProblem
from scoreproof.quantities import quantity
from scoreproof.quantities.detection import THRESHOLDS
from scoreproof.reported import Claim, report

OTHERS = "other classes"
Values = tuple[tuple[str, Fraction], ...]  # "ap50 of class 1" and its value; "ap50 of other classes" is their mean


def mean_ends(claims: Mapping[int, Claim], classes: int) -> tuple[Fraction, Fraction]:
    """Between which ends the mean over so many classes lies, some of which are printed.

    >>> from scoreproof.quantities.detection import DETECTION
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


def with_mean(name: str, claims: Mapping[int, Claim], classes: int, mean: Fraction) -> Values:
    """Values of the classes that have a given mean within its ends, each as far between its own as the others."""
    least, most = mean_ends(claims, classes)
    share = ZERO if most == least else (mean - least) / (most - least)
    ends = {f"{name} of class {k}": (max(claim.low, ZERO), min(claim.high, ONE)) for k, claim in claims.items()}
    values = {text: low + share * (high - low) for text, (low, high) in ends.items()}
    if len(claims) < classes:
        values[f"{name} of {OTHERS}"] = share
    return tuple(values.items())


def means_of(problem: DetectionProblem, values: Mapping[str, Fraction]) -> dict[str, Fraction] | None:
    """The mean over classes of each quantity that is printed by class; None if values are missing or do not fit."""
    classes, means = problem.experiment.classes or 0, {}
    for name, claims in problem.by_class.items():
        total = ZERO
        for number, claim in claims.items():
            value = values.get(f"{name} of class {number}")
            if value is None or not (claim.low <= value <= claim.high and 0 <= value <= 1):
                return None
            total += value
        if len(claims) < classes:
            others = values.get(f"{name} of {OTHERS}", -ONE)
            if not 0 <= others <= 1:
                return None
            total += (classes - len(claims)) * others
        means[name] = total / classes
    return means


def classes_fall(problem: DetectionProblem, values: Mapping[str, Fraction]) -> bool:
    """Whether in every class the values at single overlaps fall, and the mean over overlaps lies as they demand.

    A class that a quantity does not list has the value of the others.
    """
    whose = {f"class {number}" for claims in problem.by_class.values() for number in claims} | {OTHERS}

    def value_of(name: str, each: str) -> Fraction | None:
        return values.get(f"{name} of {each}", values.get(f"{name} of {OTHERS}"))

    for each in whose:
        known = [value_of(f"ap{threshold}", each) for threshold in THRESHOLDS]
        if any(smaller < larger for smaller, larger in pairwise(_told(known))):
            return False
        mean = value_of("map", each)
        if mean is None:
            continue
        places = range(len(known))
        most = sum((min([ONE, *_told(known[: place + 1])]) for place in places), ZERO)
        least = sum((max([ZERO, *_told(known[place:])]) for place in places), ZERO)
        if not least <= len(known) * mean <= most:
            return False
    return True


def _told(values: Sequence[Fraction | None]) -> list[Fraction]:
    return [value for value in values if value is not None]
