"""Relations that the printed values of every detector keep to, and the first that a report breaks."""

from __future__ import annotations

from scoreproof.kinds.detection.classes import mean_ends
from scoreproof.kinds.detection.overlaps import ONE, chain, most_precision
from scoreproof.kinds.detection.problem import DetectionProblem
from scoreproof.quantities.detection import AVERAGE_RECALL, SIZES, THRESHOLDS
from scoreproof.reported import Claim

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
    falling = chain(problem, of)
    crossed = falling.crossed
    if crossed is not None:
        return "order", crossed
    mean = problem.claim(f"map{of}")
    least, most = falling.mean
    return ("mean", (mean,)) if mean is not None and (mean.high < least or mean.low > most) else None


def _too_precise(problem: DetectionProblem) -> Broken | None:
    pairs = [("map", "ar100"), *((f"ap_{size}", f"ar_{size}") for size in SIZES)]
    for precision, average in ((problem.claim(one), problem.claim(other)) for one, other in pairs):
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
