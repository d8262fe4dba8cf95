"""A class report as what the engine decides: classes with their rows, a range of correct cases, bounds on averages.

The accuracy is the share of correct cases, and so is the recall weighted by support; both bound the sum of tp. Every
other average bounds a sum over classes of weight times score.

Authors who average take the scores or the values they printed. Where ``averages_of`` is ``any``, an average that fits
the printed values may be one of these and says nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scoreproof.kinds.class_report.points import Part, Point
from scoreproof.kinds.class_report.problem import AveragesOf, ClassReportProblem, asked_of
from scoreproof.reported import Claim


@dataclass(frozen=True, slots=True)
class Average:
    """Bounds on the sum over classes of weight times score."""

    claim: Claim
    score: str
    weights: tuple[int, ...]
    low: Fraction
    high: Fraction

    def fits(self, parts: tuple[Part, ...], points: list[Point]) -> bool:
        """Whether these counts give the average, exactly."""
        least = greatest = Fraction(0)
        for part, weight, (tp, fp) in zip(parts, self.weights, points, strict=True):
            if weight:
                low, high, den = part.value(self.score, tp, fp)
                least += Fraction(weight * low, den)
                greatest += Fraction(weight * high, den)
        return least <= self.high and greatest >= self.low


@dataclass(frozen=True, slots=True)
class Model:
    """The classes, the number of cases, the least and most correct ones, and the averages to be met.

    ``of_printed`` are the averages that fit the printed values.
    """

    parts: tuple[Part, ...]
    total: int
    least: int
    most: int
    averages: tuple[Average, ...]
    of_printed: tuple[Claim, ...]

    def couples(self, points: list[Point]) -> bool:
        """Whether one matrix has these counts: see ``matrix``."""
        right = sum(tp for tp, _ in points)
        wrong = self.total - right
        if not self.least <= right <= self.most or sum(fp for _, fp in points) != wrong:
            return False
        return all(fp + part.support - tp <= wrong for part, (tp, fp) in zip(self.parts, points, strict=True))

    def fits(self, points: list[Point]) -> bool:
        """Whether these counts give the whole report."""
        return (
            self.couples(points)
            and all(part.gives(point) for part, point in zip(self.parts, points, strict=True))
            and all(average.fits(self.parts, points) for average in self.averages)
        )


def model_of(problem: ClassReportProblem) -> Model:
    """What the engine decides."""
    total, k = problem.total, len(problem.classes)
    spans: list[dict[str, tuple[Fraction, Fraction]]] = [{} for _ in range(k)]
    printed: dict[tuple[str, int], Fraction] = {}
    averages: list[Average] = []
    least, most = 0, total
    of_printed: list[Claim] = []
    for claim in problem.claims:
        about = asked_of(claim)
        if about.place is not None:
            spans[about.place][about.score] = claim.low, claim.high
            printed[about.score, about.place] = claim.number.value
            continue
        weighted = about.average != "macro"
        weights = tuple(part.support if weighted else 1 for part in problem.classes)
        if about.average:
            values = [printed.get((about.score, place)) for place in range(k)]
            if problem.averages_of is AveragesOf.ANY and _mean_fits(claim, weights, values):
                of_printed.append(claim)
                continue
        if weighted and about.score in ("acc", "sens"):
            low, high = claim.low * total, claim.high * total
            least = max(least, -(-low.numerator // low.denominator))
            most = min(most, high.numerator // high.denominator)
        else:
            size = sum(weights)
            averages.append(Average(claim, about.score, weights, claim.low * size, claim.high * size))
    parts = tuple(
        Part(known.support, total - known.support, own, problem.undefined)
        for known, own in zip(problem.classes, spans, strict=True)
    )
    return Model(parts, total, least, most, tuple(averages), tuple(of_printed))


def _mean_fits(claim: Claim, weights: tuple[int, ...], values: list[Fraction | None]) -> bool:
    mean = Fraction(0)
    for weight, value in zip(weights, values, strict=True):
        if value is None:
            return False
        mean += weight * value
    mean /= sum(weights)
    return claim.low <= mean <= claim.high
