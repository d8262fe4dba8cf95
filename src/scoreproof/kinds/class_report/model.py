"""A class report as what the engine decides: classes with their rows, a range of correct cases, bounds on averages.

The accuracy is the share of correct cases, and so is the recall weighted by support; both bound the sum of tp. Every
other average bounds a sum over classes of weight times score.

Authors who average take the scores, or the values they printed; and some call the F1 of average precision and average
recall an average F1 (both are in use: Opitz and Burst 2019, arXiv:1911.03347). Where ``averages_of`` is ``any``, an
average that follows from printed values in one of these ways says nothing more. Where precision or recall are not
printed and an F1 of averages may be as large as printed, it bounds the F1 of the classes from above only: the F1 of
averages is never below the average F1, since 2PR / (P + R) is concave.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scoreproof.kinds.class_report.points import Part, Point
from scoreproof.kinds.class_report.problem import AveragesOf, ClassReportProblem, asked_of
from scoreproof.reported import Claim


@dataclass(frozen=True, slots=True)
class ClassAverage:
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
class ReportModel:
    """The classes, the number of cases, the least and most correct ones, and the averages to be met.

    ``of_printed`` are the averages that follow from printed values.
    """

    parts: tuple[Part, ...]
    total: int
    least: int
    most: int
    averages: tuple[ClassAverage, ...]
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


def model_of(problem: ClassReportProblem) -> ReportModel:
    """What the engine decides."""
    total = problem.total
    own: list[dict[str, Claim]] = [{} for _ in problem.classes]
    averages: list[ClassAverage] = []
    of_printed: list[Claim] = []
    least, most = 0, total
    for claim in problem.claims:
        about = asked_of(claim)
        if about.place is not None:
            own[about.place][about.score] = claim
            continue
        weights = tuple(1 if about.average == "macro" else part.support for part in problem.classes)
        size = sum(weights)
        low, high = claim.low * size, claim.high * size
        if about.average and problem.averages_of is AveragesOf.ANY:
            if _mean_fits(claim, own, weights):
                of_printed.append(claim)
                continue
            if about.score == "f1":
                ends = _f1_of_averages(problem, about.average, own, weights)
                if ends.known and ends.low <= claim.high and ends.high >= claim.low:
                    of_printed.append(claim)
                    continue
                if not ends.known and ends.high >= claim.low:
                    low = min(low, Fraction(0))  # an F1 of averages is never below the average F1
        if about.average != "macro" and about.score in ("acc", "sens"):
            least = max(least, -(-low.numerator // low.denominator))
            most = min(most, high.numerator // high.denominator)
        else:
            averages.append(ClassAverage(claim, about.score, weights, low, high))
    parts = tuple(
        Part(
            known.support,
            total - known.support,
            {name: (claim.low, claim.high) for name, claim in claims.items()},
            problem.undefined,
        )
        for known, claims in zip(problem.classes, own, strict=True)
    )
    return ReportModel(parts, total, least, most, tuple(averages), tuple(of_printed))


def _mean_fits(claim: Claim, own: list[dict[str, Claim]], weights: tuple[int, ...]) -> bool:
    """Whether it is the average of the printed values."""
    cells = [claims.get(asked_of(claim).score) for claims in own]
    mean = _mean([None if cell is None else cell.number.value for cell in cells], weights)
    return mean is not None and claim.low <= mean <= claim.high


@dataclass(frozen=True, slots=True)
class _Ends:
    """Least and greatest value, and whether printed values say so."""

    low: Fraction
    high: Fraction
    known: bool


def _f1_of_averages(
    problem: ClassReportProblem, average: str, own: list[dict[str, Claim]], weights: tuple[int, ...]
) -> _Ends:
    """The F1 of average precision and recall, as printed or as the rows leave them; anything where they are unknown."""
    ends: list[tuple[Fraction, Fraction]] = []
    known = True
    for name in ("ppv", "sens"):
        printed = [claim for claim in problem.claims if _is(claim, average, name)]
        cells = [claims.get(name) for claims in own]
        low = _mean([None if cell is None else cell.low for cell in cells], weights)
        high = _mean([None if cell is None else cell.high for cell in cells], weights)
        if printed:
            ends.append((printed[0].low, printed[0].high))
        elif low is not None and high is not None:
            ends.append((low, high))
        else:
            known = False
            ends.append((Fraction(0), Fraction(1)))
    return _Ends(_harmonic(ends[0][0], ends[1][0]), _harmonic(ends[0][1], ends[1][1]), known)


def _is(claim: Claim, average: str, score: str) -> bool:
    return (asked_of(claim).average, asked_of(claim).score) == (average, score)


def _mean(values: list[Fraction | None], weights: tuple[int, ...]) -> Fraction | None:
    mean = Fraction(0)
    for weight, value in zip(weights, values, strict=True):
        if value is None:
            return None
        mean += weight * value
    return mean / sum(weights)


def _harmonic(x: Fraction, y: Fraction) -> Fraction:
    return 2 * x * y / (x + y) if x > 0 and y > 0 else Fraction(0)
