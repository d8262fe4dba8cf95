"""What predictions give for a printed score: exactly, and as it would be printed with the same digits.

One confusion matrix, or one per fold; of folds both the mean of their scores and the score of the added matrices are
known. Ratios are exact fractions; a mean of roots (MCC over folds) is told to twelve digits and judged exactly.

What predictions of several classes give for a printed score: exactly, and as it would be printed.

Beside accuracy, kappa and MCC these are averages over the classes. As in scikit-learn a class that is never predicted
has a precision of zero where a value is written; any usual way to count it is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from statistics import stdev
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds import kind_of
from scoreproof.kinds.binary.experiment import MeanOfScores, TestSet
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of, classes_problem
from scoreproof.kinds.multi_class.quantities import refused, refused_of_means
from scoreproof.kinds.multi_class.witness import Treatment, mean_value, treatment_of
from scoreproof.limits import require_within
from scoreproof.reported import report

_FINE = 12  # digits of a root inside a mean


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The confusion matrices of one evaluation; ``pooled`` adds those of folds before a score is taken."""

    matrices: tuple[ConfusionMatrix, ...]
    pooled: bool = False

    @property
    def parts(self) -> tuple[ConfusionMatrix, ...]:
        """The matrices whose scores are averaged; one if nothing is."""
        return (Witness(self.matrices).matrix,) if self.pooled else self.matrices

    def turned(self) -> Outcomes:
        """The same with the other class positive."""
        return Outcomes(tuple(ConfusionMatrix(m.tn, m.fn, m.fp, m.tp) for m in self.matrices), self.pooled)

    def gives(self, name: str, text: str, options: dict[str, Any]) -> bool:
        """Whether a printed text is what these outcomes give, exactly."""
        sets = tuple(TestSet(part.p, part.n) for part in self.parts)
        experiment = sets[0] if len(sets) == 1 else MeanOfScores(sets)
        kind = kind_of(experiment, {name: text})
        return bool(kind.holds(kind.problem(experiment, {name: text}, **options), Witness(self.parts)))

    def value(self, name: str) -> Fraction | None:
        """The score, or the mean of the folds' scores; None where one is undefined."""
        each = [_value(part, name) for part in self.parts]
        known = [value for value in each if value is not None]
        return sum(known, Fraction(0)) / len(known) if len(known) == len(each) else None

    def text(self, name: str, like: str) -> str | None:
        """The score as it would be printed with the digits, percent sign and ± of a text; None if undefined."""
        claim = report(name, like)
        value = self.value(name)
        if value is None:
            return None
        percent = "%" in claim.text
        shown = printed(value, claim.number.digits, percent=percent)
        if claim.spread is not None and len(self.parts) > 1:
            values = [float(v) for v in (_value(part, name) for part in self.parts) if v is not None]
            shown += f" ± {printed(Fraction(stdev(values)), claim.spread.digits, percent=percent)}"
        return shown


def _value(matrix: ConfusionMatrix, name: str) -> Fraction | None:
    wanted = score(name)
    num, den = wanted.ratio(*matrix.cells)
    if not den:
        return None
    if wanted.link.name == "ratio":
        return Fraction(num, den)
    text = matrix.score(name, digits=_FINE)
    return None if text is None else Fraction(text)


def printed(value: Fraction, digits: int, *, percent: bool = False) -> str:
    """A value with so many digits, rounded to nearest; in percent two of them stand before the point.

    >>> printed(Fraction(2, 3), 3), printed(Fraction(2, 3), 3, percent=True), printed(Fraction(-1, 2), 0)
    ('0.667', '66.7%', '0')
    """
    units = floor(value * 10**digits + Fraction(1, 2))  # halves upwards, as scores are printed elsewhere
    places = max(digits - 2, 0) if percent else digits
    whole, part = divmod(abs(units), 10**places)
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}{f'.{part:0{places}d}' if places else ''}{'%' * percent}"


ClassCounts = tuple[int, int, int]  # cases of a class, how many of them were found, and how often it was predicted


@dataclass(frozen=True, slots=True)
class ClassOutcomes:
    """The counts of every class in one evaluation, or in each fold; ``pooled`` adds those of folds first."""

    classes: tuple[str, ...]
    folds: tuple[tuple[ClassCounts, ...], ...]
    pooled: bool = False

    @classmethod
    def of(cls, actual: Sequence[NDArray[Any]], guessed: Sequence[NDArray[Any]]) -> ClassOutcomes:
        """The outcomes of true and predicted labels, fold by fold."""
        given = [*actual, *guessed]
        alike = len({part.dtype.kind for part in given}) == 1  # a common type would round large whole numbers
        known, codes = np.unique(np.concatenate(given, dtype=None if alike else object), return_inverse=True)
        require_within("cells", len(known) * len(actual), "the counts of every label in every fold")
        parts, size = np.split(codes, np.cumsum([part.size for part in given])[:-1]), len(known)
        folds = tuple(
            tuple(zip(*(np.bincount(own, minlength=size).tolist() for own in (a, a[a == g], g)), strict=True))
            for a, g in zip(parts[: len(actual)], parts[len(actual) :], strict=True)
        )
        return cls(tuple(f"class {place}" for place in range(1, size + 1)), folds)

    @property
    def parts(self) -> tuple[tuple[ClassCounts, ...], ...]:
        """The counts whose scores are averaged; of one evaluation if nothing is."""
        if not self.pooled:
            return self.folds
        added = (tuple(map(sum, zip(*own, strict=True))) for own in zip(*self.folds, strict=True))
        return (tuple((cases, right, called) for cases, right, called in added),)

    def has(self, name: str) -> bool:
        """Whether a score can be said of several classes, under this name."""
        return not refused(name) and not (len(self.parts) > 1 and refused_of_means(name))

    def gives(self, name: str, text: str, options: dict[str, Any]) -> bool:
        """Whether a printed text is what these outcomes give, exactly."""
        return treatment_of(self._problem(name, text, **options), self._found) is not False

    def text(self, name: str, like: str) -> str | None:
        """The score as it would be printed with the digits and percent sign of a text; None if undefined."""
        problem = self._problem(name, like)
        (claim,) = problem.claims
        value = mean_value(problem, self._found, asked_of(claim), Treatment.ZERO)
        return None if value is None else printed(value, claim.number.digits, percent="%" in claim.text)

    @property
    def _found(self) -> list[list[tuple[int, int]]]:
        return [[(right, called) for _, right, called in part] for part in self.parts]

    def _problem(self, name: str, text: str, **options: Any) -> ClassesProblem:
        cases = [[own for own, _, _ in part] for part in self.parts]
        return classes_problem(self.classes, cases, {name: text}, **options)
