"""Scores said to be means over the same parts of unknown counts, and the parts that show them possible.

Parts are fitted to claimed means and deviations by damped least squares (Levenberg 1944, Marquardt 1963): every covered
score of a part is a ratio of two sums of its cells, so it follows smoothly from the logarithms of the cells. A few
groups of parts stand for all, whatever their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Annotated, Any, ClassVar, Unpack

from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.statement import Described, ScoresOf, Span, StatedFields, deviates, variance_ends
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import (
    OF_TEXTS,
    USUAL,
    Conventions,
    Divisor,
    Spread,
    Stated,
    Undefined,
    told,
)
from scoreproof.solve.local_search import fit_values, shortest
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
class CommonAverageProblem(StatedFields):
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
        return {claim.quantity.name: (max(claim.low, _least(claim)), min(claim.high, _UNIT)) for claim in self.claims}

    def variance(self, claim: Claim) -> Span | None:
        """Between which ends the variance over the parts lies, divided by their number; None without a ±."""
        return variance_ends(claim, self.spread, self.divisor, self.experiment.parts)


def _least(claim: Claim) -> Fraction:
    return claim.quantity.range[0] or _ZERO


def common_average(
    experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions = USUAL, **stated: Unpack[Stated]
) -> CommonAverageProblem:
    """The problem of scores that are means over the same parts.

    >>> problem = common_average(AverageOf(), {"precision": "91.29%", "recall": "93.44%", "f1": "92.54%"})
    >>> [claim.quantity.name for claim in problem.claims]
    ['ppv', 'sens', 'f1']
    """
    if not isinstance(experiment, AverageOf):
        raise InvalidExperiment(f"experiment: expected AverageOf(...), got {experiment!r}")
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
    _check_spreads(problem)
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


def _check_spreads(problem: CommonAverageProblem) -> None:
    parts, spread = problem.experiment.parts, problem.spread
    given = next((claim for claim in problem.claims if claim.spread is not None), None)
    if given is None or spread is Spread.IGNORE:
        return
    if parts == 1:
        raise InvalidValue(f"{given.name}: {given.text!r} has a ±, but one part has no deviation; leave the ± out")
    if spread is Spread.ERROR and parts is None:
        raise NotCovered(
            f"{given.name}: the deviation behind a standard error needs the number of parts: AverageOf(parts=...); or "
            "spread='ignore'"
        )
    for claim in problem.claims:
        if claim.spread is not None:
            spread_interval(claim)  # a negative one is an error


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
    return fits and deviates(claim, problem.spread, problem.divisor, (squares, squares), witness.number)


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


def mirrored(matrix: ConfusionMatrix) -> ConfusionMatrix:
    """The same with the classes exchanged."""
    return ConfusionMatrix(matrix.tn, matrix.fn, matrix.fp, matrix.tp)


_NUMBERS = (6, 12, 30, 3, 2)  # of parts, where it is not known
_GROUPS = 12
_STEPS = 50
_NOISES = (0.7, 2.0, 0.2, 4.0, 1.5, 3.0)  # of the guesses, in logarithms
_CASES_EACH = 10**9  # of a part
_BEYOND_FLOATS = 1e-9  # width of a claim that needs more
_FINER, _GRAIN = 3, 10**6  # times that parts are made finer, and by how much
_FURTHEST = 20.0  # logarithm of a cell
_SUMS = {"bacc": (("sens", 0.5), ("spec", 0.5)), "bm": (("sens", 1.0), ("spec", 1.0))}
_CELLS = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


def fitted_parts(problem: CommonAverageProblem) -> Iterator[Parts]:
    """Parts that seem to have the claimed means."""
    import numpy as np

    measures = _Measures(problem)
    numbers = _NUMBERS if problem.experiment.parts is None else (problem.experiment.parts,)
    rng = np.random.default_rng(0)
    ways = list(problem.divisor.ddof) if measures.deviating else [0]
    for noise, number, less in product(_NOISES, numbers, ways):
        if number <= less:
            continue
        groups = min(number, _GROUPS)
        counts = np.full(groups, number // groups)
        counts[: number % groups] += 1
        ends = measures.ends(number, less)
        start = measures.guess[None] + noise * rng.normal(size=(groups, 4))
        met = fit_values(start.ravel(), measures.at(counts / number), ends, _STEPS)
        if met is None:
            continue
        parts = _parts(counts, met.reshape(-1, 4))
        yield parts
        if min(high - low for low, high in ends) < _BEYOND_FLOATS:
            yield _finer(problem, parts, measures.at(counts / number)(met)[1])


def _parts(counts: Any, logarithms: Any) -> Parts:
    """The parts of cells given by their logarithms, up to a factor."""
    import numpy as np

    kept = []
    for row in logarithms:
        cells = np.exp(row - row.max())
        kept.append(ConfusionMatrix(*(round(float(cell)) for cell in cells / cells.sum() * _CASES_EACH)))
    return Parts(tuple(int(count) for count in counts), tuple(kept))


def _finer(problem: CommonAverageProblem, parts: Parts, slopes: Any) -> Parts:
    """The parts with every cell changed a little: what the means are off by is known exactly, the step is in floats."""
    import numpy as np

    rows = slopes[: len(problem.claims)]  # a deviation is not printed that finely, or not met
    for _ in range(_FINER):
        off = [float((mean_of(claim, parts) or 0) - (claim.low + claim.high) / 2) for claim in problem.claims]
        step = shortest(rows, np.array(off)).reshape(-1, 4)
        if not np.isfinite(step).all():
            break
        cells = [
            ConfusionMatrix(
                *(
                    _GRAIN * cell - round(_GRAIN * cell * Fraction(change))
                    for cell, change in zip(matrix.cells, row, strict=True)
                )
            )
            for matrix, row in zip(parts.matrices, step.tolist(), strict=True)
        ]
        parts = Parts(parts.counts, tuple(cells))
    return parts


class _Measures:
    """The claims as ratios of sums of cells, in floats."""

    def __init__(self, problem: CommonAverageProblem) -> None:
        import numpy as np

        self.problem = problem
        self.deviating = [place for place, claim in enumerate(problem.claims) if problem.variance(claim) is not None]
        self.ratios: list[list[tuple[float, Any, Any]]] = []
        for claim in problem.claims:
            known = [(score(name), weight) for name, weight in _SUMS.get(claim.quantity.name, ())]
            self.ratios.append(
                [
                    (weight, *np.array([each.ratio(*cells) for cells in _CELLS], dtype=float).T)
                    for each, weight in known or [(claim.score, 1.0)]
                ]
            )
        means = {name: float(sum(span)) / 2 for name, span in problem.means.items()}
        sens, spec, ppv = (min(max(means.get(name, 0.7), 0.01), 0.99) for name in ("sens", "spec", "ppv"))
        false = sens * (1 - ppv) / ppv if "ppv" in means or "spec" not in means else (1 - spec)
        self.guess = np.log([sens, false, 1 - sens, false * spec / (1 - spec)])

    def ends(self, number: int, less: int) -> list[tuple[float, float]]:
        """Of the means, then of the variances divided by the number of parts."""
        shifts = [1.0 if claim.quantity.name == "bm" else 0.0 for claim in self.problem.claims]
        ends = [
            (float(low) + shift, float(high) + shift)
            for (low, high), shift in zip(self.problem.means.values(), shifts, strict=True)
        ]
        times = (number if self.problem.spread is Spread.ERROR else 1) * (number - less) / number
        for place in self.deviating:
            low, high = (max(float(end), 0.0) ** 2 * times for end in spread_interval(self.problem.claims[place]))
            ends.append((low, high))
        return ends

    def at(self, shares: Any) -> Any:
        """The means and variances of parts of these shares, as a function of the logarithms of their cells."""
        import numpy as np

        def measure(flat: Any) -> tuple[Any, Any]:
            cells = np.exp(np.clip(flat.reshape(-1, 4), -_FURTHEST, _FURTHEST))
            means, rows, spreads, more = [], [], [], []
            for place, ratios in enumerate(self.ratios):
                values, slopes = np.zeros(len(cells)), np.zeros_like(cells)
                for weight, above, below in ratios:
                    under = cells @ below
                    own = (cells @ above) / under
                    values += weight * own
                    slopes += weight * (above[None] - own[:, None] * below[None]) / under[:, None] * cells
                mean = shares @ values
                means.append(mean)
                rows.append((shares[:, None] * slopes).ravel())
                if place in self.deviating:
                    off = values - mean
                    spreads.append(shares @ (off * off))
                    more.append((2 * (shares * off)[:, None] * slopes).ravel())
            return np.array(means + spreads), np.array(rows + more)

        return measure
