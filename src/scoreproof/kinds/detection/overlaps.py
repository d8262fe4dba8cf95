"""Average precisions by overlap.

A detection that is matched at an overlap is matched at every smaller one, or another one is in its place: at each rank
at least as many are right (by induction: the objects taken at the larger overlap are among those taken at the
smaller). So the average precision never rises with the overlap, of one class and of every mean over classes. Known
ends at some overlaps bound those between, and with them the mean over all ten.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from scoreproof.kinds.detection.problem import DetectionProblem, Interpolation
from scoreproof.quantities.detection import THRESHOLDS
from scoreproof.reported import Claim

ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Chain:
    """Ends of the average precision at each overlap, and the claims they come from (None: its range)."""

    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]
    raised_by: tuple[Claim | None, ...]
    lowered_by: tuple[Claim | None, ...]

    @property
    def crossed(self) -> tuple[Claim, Claim] | None:
        """A claim at a smaller overlap that is below one at a larger overlap."""
        for low, high, larger, smaller in zip(self.low, self.high, self.raised_by, self.lowered_by, strict=True):
            if low > high and larger is not None and smaller is not None:
                return smaller, larger
        return None

    @property
    def mean(self) -> tuple[Fraction, Fraction]:
        return sum(self.low, ZERO) / len(self.low), sum(self.high, ZERO) / len(self.high)

    def at(self, mean: Fraction) -> tuple[Fraction, ...]:
        """Average precisions that fall with the overlap and have a given mean within its ends."""
        least, most = self.mean
        share = ZERO if most == least else (mean - least) / (most - least)
        return tuple(low + share * (high - low) for low, high in zip(self.low, self.high, strict=True))


def chain(problem: DetectionProblem, of: str = "") -> Chain:
    """What the claims at single overlaps leave for all ten; ``of`` a class, if not of the means over classes."""
    claims = [problem.claim(f"ap{threshold}{of}") for threshold in THRESHOLDS]
    low, raised = [ZERO] * len(claims), [None] * len(claims)  # type: tuple[list[Fraction], list[Claim | None]]
    high, lowered = [ONE] * len(claims), [None] * len(claims)  # type: tuple[list[Fraction], list[Claim | None]]
    for place, claim in enumerate(claims):
        if claim is None:
            continue
        for before in range(place + 1):
            if claim.low > low[before]:
                low[before], raised[before] = claim.low, claim
        for after in range(place, len(claims)):
            if claim.high < high[after]:
                high[after], lowered[after] = claim.high, claim
    return Chain(tuple(low), tuple(high), tuple(raised), tuple(lowered))


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
