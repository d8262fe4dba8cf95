"""What shows that means are possible: parts, each a confusion matrix, that have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.common_average.problem import CommonAverageProblem
from scoreproof.reported import Claim
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Spread

# Cases of a part that are tried, few to many.
_CASES = (*range(1, 8), *(round(8 * 1.2**step) for step in range(65)), *(10**power for power in range(6, 18)))


@dataclass(frozen=True, slots=True)
class Parts:
    """Confusion matrices, and how many parts have each; all parts count alike."""

    counts: tuple[int, ...]
    matrices: tuple[ConfusionMatrix, ...]

    @property
    def number(self) -> int:
        return sum(self.counts)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Parts:
        parts = document["parts"]
        return cls(
            tuple(int(part["count"]) for part in parts),
            tuple(ConfusionMatrix(*(int(part[cell]) for cell in ("tp", "fp", "fn", "tn"))) for part in parts),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "parts": [
                {"count": count, **matrix.to_dict()} for count, matrix in zip(self.counts, self.matrices, strict=True)
            ]
        }

    def __str__(self) -> str:
        shown = (f"{count} with {matrix}" for count, matrix in zip(self.counts, self.matrices, strict=True))
        return f"{self.number} part{'s' * (self.number != 1)}: {'; '.join(shown)}"


def parts_hold(problem: CommonAverageProblem, witness: Parts) -> bool:
    """Whether the parts have the claimed means and deviations: exactly."""
    if not witness.counts or min(witness.counts) < 1:
        return False
    if problem.experiment.parts not in (None, witness.number):
        return False
    return all(_claim_holds(problem, claim, witness) for claim in problem.claims)


def _values(claim: Claim, parts: Parts) -> list[Fraction] | None:
    """The score of each group of parts; None if one is 0/0."""
    values: list[Fraction] = []
    for matrix in parts.matrices:
        num, den = claim.score.ratio(*matrix.cells)
        if den == 0:
            return None
        values.append(Fraction(num, den))
    return values


def mean_of(claim: Claim, parts: Parts) -> Fraction | None:
    """The mean of the claimed score over the parts; None if it is 0/0 of one."""
    values = _values(claim, parts)
    if values is None:
        return None
    return sum((count * value for count, value in zip(parts.counts, values, strict=True)), Fraction(0)) / parts.number


def _claim_holds(problem: CommonAverageProblem, claim: Claim, witness: Parts) -> bool:
    values, mean, number = _values(claim, witness), mean_of(claim, witness), witness.number
    if values is None or mean is None:
        return False  # how a 0/0 counts is open, so nothing is shown by one
    if not claim.low <= mean <= claim.high:
        return False
    if claim.spread is None or problem.spread is Spread.IGNORE:
        return True
    squares = sum(
        (count * (value - mean) ** 2 for count, value in zip(witness.counts, values, strict=True)), Fraction(0)
    )
    low, high = (max(end, Fraction(0)) ** 2 for end in spread_interval(claim))
    times = number if problem.spread is Spread.ERROR else 1
    divisors = [number - less for less in problem.divisor.ddof if number > less]
    return any(low * times * divisor <= squares <= high * times * divisor for divisor in divisors)


def fewer_cases(parts: Parts) -> Iterator[Parts]:
    """About the same rates with fewer cases in each part, from few to many; no cell becomes 0 by rounding."""
    most = max(matrix.p + matrix.n for matrix in parts.matrices)
    for cases in _CASES:
        if cases >= most:
            return
        yield Parts(parts.counts, tuple(_rounded(matrix, cases) for matrix in parts.matrices))


def _rounded(matrix: ConfusionMatrix, cases: int) -> ConfusionMatrix:
    total = matrix.p + matrix.n
    if total <= cases:
        return matrix
    return ConfusionMatrix(*(max((2 * cell * cases + total) // (2 * total), int(cell > 0)) for cell in matrix.cells))


def with_precision(x: Fraction, y: Fraction) -> ConfusionMatrix:
    """A matrix of precision x and recall y, both above 0."""
    tp = x.numerator * y.numerator
    return ConfusionMatrix(
        tp, y.numerator * (x.denominator - x.numerator), x.numerator * (y.denominator - y.numerator), 0
    )


def with_rates(x: Fraction, y: Fraction, prevalence: Fraction) -> ConfusionMatrix:
    """A matrix of sensitivity x and specificity y; the prevalence lies strictly between 0 and 1."""
    size = lcm(x.denominator, y.denominator)
    p, n = prevalence.numerator * size, (prevalence.denominator - prevalence.numerator) * size
    tp, tn = int(x * p), int(y * n)
    return ConfusionMatrix(tp, n - tn, p - tp, tn)


def mirrored(matrix: ConfusionMatrix) -> ConfusionMatrix:
    """The same with the classes exchanged."""
    return ConfusionMatrix(matrix.tn, matrix.fn, matrix.fp, matrix.tp)
