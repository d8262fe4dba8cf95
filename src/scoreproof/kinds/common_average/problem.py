"""Scores said to be means over the same parts of unknown counts, and exact means and deviations of given parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Unpack

from scoreproof.errors import InvalidExperiment, InvalidOption, NotCovered
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.statement import Described, ScoresOf, Span, SpreadMeans
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.conventions import OF_TEXTS, USUAL, Conventions, Divisor, Spread, Stated, Undefined, told
from scoreproof.validation import shown

MOST_PARTS = 10**9


@dataclass(frozen=True, slots=True)
class AverageOf(Described):
    """Every score is the mean of what the same parts have: classes, folds, images, documents; no counts are known.

    Without ``parts`` their number is open and they may be weighted, each mean by the same weights; one confusion matrix
    is such an average, too. With ``parts`` there are so many, of equal weight.

    >>> str(AverageOf(20))
    'averages over the same 20 parts'
    """

    kind: ClassVar[str] = "common_average"
    parts: int | None = None

    def __post_init__(self) -> None:
        parts = self.parts
        if parts is None:
            return
        if isinstance(parts, bool) or not isinstance(parts, int) or not 1 <= parts <= MOST_PARTS:
            raise InvalidExperiment(
                f"parts: expected how many parts were averaged, from 1 to {MOST_PARTS}, or None if that is not known; "
                f"got {shown(parts)}"
            )

    def __str__(self) -> str:
        if self.parts is None:
            return "means over the same classes, folds or images"
        return f"averages over the same {self.parts} parts" if self.parts > 1 else "one part"


_ZERO, _UNIT = Fraction(0), Fraction(1)
_WHOLE: Span = (_ZERO, _UNIT)

#: Scores of a part that are compared; F-scores of any beta beside them.
COVERED = ("ppv", "sens", "npv", "spec", "acc", "ji")
#: Scores that mean (sens + spec) / 2 and sens + spec - 1 only where no part lacks a class: scikit-learn's balanced
#: accuracy of such a part is the recall of the other class.
OF_BOTH_CLASSES = ("bacc", "bm")


@dataclass(frozen=True, slots=True)
class CommonAverageProblem(SpreadMeans):
    """Means over the same parts; with ``undefined`` exclude no part has a 0/0, with any it counts in every mean."""

    kind: ClassVar[str] = "common_average"
    experiment: AverageOf
    claims: Annotated[tuple[Claim, ...], ScoresOf()]
    undefined: Undefined = Undefined.ANY
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY

    @property
    def means(self) -> dict[str, Span]:
        """What the text of each claim leaves to its mean, within the range of the score."""
        return {
            claim.quantity.name: (max(claim.low, claim.quantity.range[0] or _ZERO), min(claim.high, _UNIT))
            for claim in self.claims
        }

    @property
    def number(self) -> int | None:
        return self.experiment.parts


def common_average(
    experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions = USUAL, **stated: Unpack[Stated]
) -> CommonAverageProblem:
    """The problem of scores that are means over the same parts.

    >>> problem = common_average(AverageOf(), {"precision": "91.29%", "recall": "93.44%", "f1": "92.54%"})
    >>> [claim.quantity.name for claim in problem.claims]
    ['ppv', 'sens', 'f1']
    """
    how = told(stated, how)
    how.refuse_all_but(
        (*OF_TEXTS, "undefined", "spread", "divisor"), "not used where only means over unknown parts are known"
    )
    if how.undefined not in (Undefined.ANY, Undefined.EXCLUDE):
        raise InvalidOption(
            f"undefined={str(how.undefined)!r}: over unknown parts it is 'any' (a 0/0 counts as 0 or 1, and every mean "
            "is over the same parts) or 'exclude' (no part has a 0/0); means that leave out different parts are open"
        )
    problem = CommonAverageProblem(experiment, read_scores(scores, how), how.undefined, how.deviation, how.divisor)
    _check_covered(problem)
    problem.check_spreads(
        "but one part has no deviation; leave the ± out" if experiment.parts == 1 else "",
        "the number of parts: AverageOf(parts=...); or spread='ignore'",
    )
    return problem


def is_covered(name: str, beta: Any, undefined: Undefined = Undefined.ANY) -> bool:
    """Whether means of a score over unknown parts are compared with others; ``beta`` is that of an F-score."""
    return name in COVERED or beta is not None or (name in OF_BOTH_CLASSES and undefined is Undefined.EXCLUDE)


def _check_covered(problem: CommonAverageProblem) -> None:
    for claim in problem.claims:
        name = claim.quantity.name
        if is_covered(name, getattr(claim.quantity, "beta", None), problem.undefined):
            continue
        if name in OF_BOTH_CLASSES:
            raise NotCovered(
                f"{claim.name}: programs differ on parts that lack a class; if none does, say undefined='exclude', "
                "else leave the score out"
            )
        raise NotCovered(
            f"{claim.name}: nothing is known about its mean over unknown parts; expected some of {', '.join(COVERED)} "
            "and F-scores; leave it out"
        )


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
    values, mean = _values(claim, witness), mean_of(claim, witness)
    if values is None or mean is None:
        return False  # how a 0/0 counts is open, so nothing is shown by one
    squares = sum(
        (count * (value - mean) ** 2 for count, value in zip(witness.counts, values, strict=True)), Fraction(0)
    )
    fits = claim.low <= mean <= claim.high
    return fits and problem.deviates(claim, (squares, squares), witness.number)


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
