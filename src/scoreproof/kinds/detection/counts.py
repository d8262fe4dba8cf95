"""True positives and detections from precision, recall and F1 with a known number of objects.

With G objects, recall = tp / G, precision = tp / d and F1 = 2 tp / (G + d): for each tp the numbers of detections d
that print like this are an interval, and the tp are few: the recall says which, or precision and F1 together.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from scoreproof.kinds.detection.problem import DetectionProblem
from scoreproof.reported import Claim

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
        if tp == 0:
            if f1 is not None and not f1.low <= 0 <= f1.high:
                continue
            if precision is None or precision.low <= 0 <= precision.high:
                yield 0, 1
            elif precision.low <= 1 <= precision.high:
                yield 0, 0  # no detection at all: a precision of 0/0 that counts as one
            continue
        low, high = Fraction(tp), None
        for claim, top, offset in ((precision, tp, 0), (f1, 2 * tp, objects)):
            if claim is None:
                continue
            if claim.high <= 0:
                break
            low = max(low, top / claim.high - offset)
            if claim.low > 0:
                end = top / claim.low - offset
                high = end if high is None else min(high, end)
        else:
            if high is None or ceil(low) <= high:
                yield tp, ceil(low)


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
