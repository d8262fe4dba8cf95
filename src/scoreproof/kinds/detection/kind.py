"""Matched objects and average precisions of an object detector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from scoreproof.kinds.detection.counts import MOST_TRIED, count_range, gives, matched
from scoreproof.kinds.detection.overlaps import ONE, ZERO, chain, most_precision
from scoreproof.kinds.detection.problem import Detection, DetectionProblem, detection_problem
from scoreproof.kinds.kind import Decision, Ends, Kind
from scoreproof.quantities import DETECTION, Quantity
from scoreproof.quantities.detection import AVERAGE_RECALL, THRESHOLDS
from scoreproof.reported import Claim
from scoreproof.results import Result, SmallTable
from scoreproof.work.deadline import Deadline

_RECALLS = tuple(quantity.name for quantity in AVERAGE_RECALL.values())  # never fall from one to the next


@dataclass(frozen=True, slots=True)
class Detector(Result):
    """Numbers of matches, and values at overlaps from 0.50 to 0.95, that break none of the relations.

    Average precisions are not listed one by one for a number of objects: that they fall with the overlap is all that
    is tested of them.
    """

    tp: int | None = None
    detections: int | None = None
    precisions: tuple[Fraction, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"tp": self.tp, "detections": self.detections, "precisions": [str(value) for value in self.precisions]}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Detector:
        return cls(document["tp"], document["detections"], tuple(map(Fraction, document["precisions"])))

    def __str__(self) -> str:
        said = [] if self.tp is None else [f"{self.tp} objects found by {self.detections} detections"]
        if self.precisions:
            values = ", ".join(f"{float(value):.4f}" for value in self.precisions)
            said.append(f"average precisions {values} at overlaps from 0.50 to 0.95")
        return " and ".join(said) or "values within their ranges"


class DetectionKind(Kind[DetectionProblem, Detector]):
    """Precision, recall and F1 of matched objects; average precisions that fall with the overlap."""

    name = "detection"
    quantities: Sequence[Quantity] = tuple(DETECTION)

    def experiment(self, settings: Mapping[str, Any]) -> Detection:
        return Detection.from_dict(settings)

    def problem(self, experiment: Any, scores: Mapping[str, Any], **options: Any) -> DetectionProblem:
        return detection_problem(experiment, scores, **options)

    def read(self, statement: Mapping[str, Any]) -> DetectionProblem:
        return DetectionProblem.from_dict(statement)

    def read_witness(self, document: Mapping[str, Any]) -> Detector:
        return Detector.from_dict(document)

    def decide(self, problem: DetectionProblem, *, deadline: Deadline, seed: int) -> Decision[Detector]:
        broken = _broken(problem)
        if broken is not None:
            return Decision(proof={"kind": broken[0], "scores": [problem.claims.index(claim) for claim in broken[1]]})
        counts: tuple[int | None, int | None] = None, None
        if problem.counted:
            least, most = count_range(problem)
            counts = next(matched(problem), (None, None))
            if counts[0] is None:
                if most - least > MOST_TRIED:
                    return Decision(reason=f"more than {MOST_TRIED:,} numbers of true positives would have to be tried")
                return Decision(proof={"kind": "counts"})
        falling = chain(problem)
        mean = problem.claim("map")
        least_mean, most_mean = falling.mean
        if mean is not None:
            least_mean, most_mean = max(least_mean, mean.low), min(most_mean, mean.high)
        told = mean is not None or any(problem.claim(f"ap{threshold}") for threshold in THRESHOLDS)
        witness = Detector(*counts, falling.at((least_mean + most_mean) / 2) if told else ())
        return Decision(witness, notes=tuple(_notes(problem)))

    def holds(self, problem: DetectionProblem, witness: Detector) -> bool:
        if problem.counted and (
            witness.tp is None or witness.detections is None or not gives(problem, witness.tp, witness.detections)
        ):
            return False
        values = witness.precisions
        falls = all(a >= b for a, b in pairwise(values))
        if (values and len(values) != len(THRESHOLDS)) or not falls or any(not 0 <= value <= 1 for value in values):
            return False
        known = {f"ap{threshold}": value for threshold, value in zip(THRESHOLDS, values, strict=False)}
        if values:
            known["map"] = sum(values, ZERO) / len(values)
        for claim in problem.claims:
            name = claim.quantity.name
            if name.startswith(("ap", "map")) and not (name in known and claim.low <= known[name] <= claim.high):
                return False
        return _broken(problem) is None

    def subject(self, problem: DetectionProblem) -> str:
        return str(problem.experiment)

    def because(self, problem: DetectionProblem) -> str:
        broken = _broken(problem)
        if broken is None:
            return super().because(problem) or "no whole numbers of objects and detections give these"
        return _WORDS[broken[0]].format(*broken[1])

    def identity(self, problem: DetectionProblem, conflict: Sequence[Claim]) -> str:
        return self.because(problem.with_claims(conflict))

    def implied(self, problem: DetectionProblem, target: Claim) -> Ends | None:
        falling = chain(problem)
        if target.quantity.name == "map":
            return falling.mean
        if target.quantity.name in (f"ap{threshold}" for threshold in THRESHOLDS):
            place = THRESHOLDS.index(int(target.quantity.name[2:]))
            return falling.low[place], falling.high[place]
        return None

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
        return shown


_WORDS = {
    "range": "{0} is outside its range",
    "order": "AP falls with the overlap, but {0} and {1}",
    "mean": "mAP is the mean over ten overlaps, of which each lies between the known ones around it; {0} does not fit",
    "recall": "the precision counts only up to the recall of all detections, so {0} is too large for {1}",
    "recalls": "more detections per image never find fewer objects, but {0} and {1}",
}


def _broken(problem: DetectionProblem) -> tuple[str, tuple[Claim, ...]] | None:
    """The first relation that is broken, and by which claims."""
    beyond = next((claim for claim in problem.claims if claim.low > 1 or claim.high < 0), None)
    if beyond is not None:
        return "range", (beyond,)
    falling = chain(problem)
    crossed = falling.crossed
    if crossed is not None:
        return "order", crossed
    mean = problem.claim("map")
    least, most = falling.mean
    if mean is not None and (mean.high < least or mean.low > most):
        return "mean", (mean,)
    recalls = [claim for name in _RECALLS if (claim := problem.claim(name)) is not None]
    for place, few in enumerate(recalls):
        for many in recalls[place + 1 :]:
            if few.low > many.high:
                return "recalls", (few, many)
    return _too_precise(problem, mean)


def _too_precise(problem: DetectionProblem, mean: Claim | None) -> tuple[str, tuple[Claim, ...]] | None:
    average = problem.claim("ar100")
    if average is not None and mean is not None:
        most = most_precision(min(average.high, ONE), problem.interpolation, one_class=False)
        if mean.low > most:
            return "recall", (mean, average)
    recall = problem.claim("max_recall")
    if recall is None or problem.experiment.classes != 1:
        return None
    for name in (*(f"ap{threshold}" for threshold in THRESHOLDS), "map"):
        claim = problem.claim(name)
        if claim is not None and claim.low > most_precision(
            min(recall.high, ONE), problem.interpolation, one_class=True
        ):
            return "recall", (claim, recall)
    return None


def _notes(problem: DetectionProblem) -> list[str]:
    if problem.claim("max_recall") is not None and problem.experiment.classes != 1:
        return ["the recall of all detections bounds the AP of one class; it was not used: classes is not 1"]
    return []


KIND = DetectionKind()
